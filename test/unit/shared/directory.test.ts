import { emptyDirectory, readDirectory } from '../../../nodes/shared/directory';

const answer = {
	ops: [
		{ id: 101, nom: 'Anna Example', groups: [1, '2'] },
		{ id: '102', name: 'Ben Example', groups: [] },
	],
	groupes: [
		{ id: 1, nom: 'Sales' },
		{ id: '2', name: 'Support' },
	],
	trunks: [{ id: 9, nom: 'Main line' }],
	pauses: [{ id: 3, value: 'Lunch' }],
	target: 7,
	id_session: 'secret',
};

describe('the directory of a login', () => {
	it('reads agents with their groups, groups, trunks and breaks, with ids as text', () => {
		const directory = readDirectory(answer);
		expect([...directory.agents]).toEqual([
			['101', { id: '101', name: 'Anna Example', groups: ['1', '2'] }],
			['102', { id: '102', name: 'Ben Example', groups: [] }],
		]);
		expect([...directory.groups.values()]).toEqual([
			{ id: '1', name: 'Sales' },
			{ id: '2', name: 'Support' },
		]);
		expect([...directory.trunks.values()]).toEqual([{ id: '9', name: 'Main line' }]);
		expect([...directory.pauses.values()]).toEqual([{ id: '3', name: 'Lunch' }]);
	});

	it('contains nothing of the session itself', () => {
		const directory = readDirectory(answer);
		const text = JSON.stringify(
			[directory.agents, directory.groups, directory.trunks, directory.pauses].map((map) => [
				...map,
			]),
		);
		expect(text).not.toContain('secret');
	});

	it('names an entry without a name by its id', () => {
		const directory = readDirectory({ trunks: [{ id: 4 }, { id: 5, nom: '  ' }] });
		expect([...directory.trunks.values()].map(({ name }) => name)).toEqual(['4', '5']);
	});

	it.each(['pass', 'mdp', 'mot_de_passe', 'pin', 'pwd'])(
		'names nobody by a secret: %s',
		(field) => {
			const { agents } = readDirectory({ ops: [{ id: 7, [field]: 'hunter2' }] });
			expect(agents.get('7')?.name).toBe('7');
		},
	);

	it('leaves out what it cannot read, keeps the rest, and names what it was', () => {
		const odd = [null, 5, 'x', [], { nom: 'no id' }, { id: {} }, { id: NaN }];
		const directory = readDirectory({
			ops: [...odd.slice(4), { id: 1, nom: {}, groups: [null, { id: 8 }, { ref: 9 }] }],
			groupes: 'none',
			trunks: 17,
			pauses: { a1: { label: 'Lunch' } },
		});
		expect([...directory.agents.values()]).toEqual([{ id: '1', name: '1', groups: ['8'] }]);
		expect(directory.groups.size).toBe(0);
		expect(directory.trunks.size).toBe(0);
		expect([...directory.unread]).toEqual([
			['agents', '"groups" of an agent that is list of 3 (null)'],
			['groups', '"groupes" that is text'],
			['trunks', '"trunks" that is number'],
			['pauses', '"pauses" that is { a1: { label: text } }'],
		]);
		for (const entry of odd)
			expect(readDirectory({ trunks: [entry, { id: 4 }] }).unread.get('trunks')).toMatch(
				/^"trunks" that is a list with .+ instead of an entry with "id"$/,
			);
	});

	it.each([undefined, null, 'text', 5, [], true])('is empty for %p', (body) => {
		expect(readDirectory(body)).toEqual(emptyDirectory());
		expect(emptyDirectory().agents.size).toBe(0);
	});

	it.each([undefined, null, false, '', []])(
		'takes a list that is %j for an empty one, which an account may have',
		(list) => {
			const lists = { ops: list, groupes: list, trunks: list, pauses: list };
			expect(readDirectory(lists)).toEqual(emptyDirectory());
			expect(readDirectory(lists).unread.size).toBe(0);
		},
	);

	it('labels an entry without a known name with its own texts, but with no secret', () => {
		const directory = readDirectory({
			ops: [
				{ id: 101, prenom: 'Ada', famille: 'Lévêque', groups: [11], password: 'hunter22' },
				{ id: 102, token: 'abc', id_client: '4242' },
			],
			trunks: { id: 9, libelle: 'Main line' },
		});
		expect([...directory.agents.values()].map(({ name }) => name)).toEqual(['Ada Lévêque', '102']);
		expect([...directory.trunks.values()]).toEqual([{ id: '9', name: 'Main line' }]);
	});

	it('names lists of other names, whose entries would be missing without a word', () => {
		const { agents, further } = readDirectory({
			...{ id_session: 'abc', data: [{ target: 7, agents: answer.ops, tags: ['x'] }] },
		});
		expect(agents.size).toBe(0);
		expect(further).toBe(
			'lists that are not documented: { agents: list of 2 ({ id: number, nom: text, groups: list of 2 (number) }) }',
		);
		expect(readDirectory({ data: [answer] }).further).toBeUndefined();
	});

	it.each<[object]>([
		[{ data: answer }],
		[{ status: 'OK', result: answer }],
		[[answer]],
		[{ OPS: answer.ops, Groupes: answer.groupes }],
	])('reads it from %j', (body) => {
		expect([...readDirectory(body).agents.keys()]).toEqual(['101', '102']);
		expect([...readDirectory(body).groups.keys()]).toEqual(['1', '2']);
	});

	it('treats hostile ids as plain text', () => {
		const directory = readDirectory(
			JSON.parse('{"ops":[{"id":"__proto__","nom":"A"},{"id":"constructor","nom":"B"}]}'),
		);
		expect([...directory.agents.keys()]).toEqual(['__proto__', 'constructor']);
		expect(({} as Record<string, unknown>).nom).toBeUndefined();
	});
});
