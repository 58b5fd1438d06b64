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

	it('reads lists that are objects keyed by id', () => {
		const directory = readDirectory({
			ops: {
				'11': { nom: 'Chloé', groups: { '0': 3 } },
				'12': { id: 12, nom: 'Dan', groups: '1, 2' },
			},
			pauses: { '1': { value: 'Coffee' } },
		});
		expect(directory.agents.get('11')).toEqual({ id: '11', name: 'Chloé', groups: ['3'] });
		expect(directory.agents.get('12')?.groups).toEqual(['1', '2']);
		expect(directory.pauses.get('1')?.name).toBe('Coffee');
	});

	it('reads a list inside an object of its own, as converters from XML produce it', () => {
		const directory = readDirectory({ ops: { op: [{ id: 11, nom: 'Ada' }] } });
		expect(directory.agents.get('11')?.name).toBe('Ada');
	});

	it('leaves out what it cannot read and keeps the rest', () => {
		const directory = readDirectory({
			ops: [
				null,
				5,
				'x',
				[],
				{ nom: 'no id' },
				{ id: {} },
				{ id: NaN },
				{ id: 1, nom: {}, groups: [null, { id: 8 }] },
			],
			groupes: 'none',
			trunks: 17,
		});
		expect([...directory.agents.values()]).toEqual([{ id: '1', name: '1', groups: ['8'] }]);
		expect(directory.groups.size).toBe(0);
		expect(directory.trunks.size).toBe(0);
	});

	it.each([undefined, null, 'text', 5, [], true])('is empty for %p', (body) => {
		expect(readDirectory(body)).toEqual(emptyDirectory());
		expect(emptyDirectory().agents.size).toBe(0);
	});

	const ada = { id: '101', name: 'Ada Lévêque', groups: ['11'] };
	const groupes = [{ id: 11, nom: 'Sales' }];

	it.each<[object]>([
		[{ ops: [{ id: 101, nom: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ id: 101, nom: 'Lévêque', prenom: 'Ada', groups: [11] }] }],
		[{ ops: [{ id: 101, lastName: 'Lévêque', firstName: 'Ada', groups: [11] }] }],
		[{ ops: [{ id: 101, nom: 'Ada Lévêque', prenom: 'Ada', groups: [11] }] }],
		[{ ops: [{ id: 101, libelle: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ id: 101, login: 'al', displayName: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ id: 101, login: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ id: 101, agent: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ id_operator: 101, nom: 'Ada Lévêque', id_group: 11 }] }],
		[{ ops: [{ id: 1, id_operator: 101, nom: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ operatorId: 101, fullName: 'Ada Lévêque', groupIds: ['11'] }] }],
		[{ ops: [{ id_user: 101, nom: 'Ada Lévêque', groups: [11] }] }],
		[{ ops: [{ id: 101, nom: 'Ada Lévêque', groups: [{ id_group: 11 }] }] }],
		[{ ops: [{ id: 101, nom: 'Ada Lévêque', groups: ['Sales'] }] }],
		[{ ops: [{ id: 101, nom: 'Ada Lévêque', groups: '11' }] }],
		[
			{
				ops: [{ id: 101, nom: 'Ada Lévêque' }],
				groupes: [{ id: 11, nom: 'Sales', ops: [101] }],
			},
		],
		[{ ops: { 101: { nom: 'Ada Lévêque', groups: [11] } } }],
		[{ agents: [{ id: 101, nom: 'Ada Lévêque', groups: [11] }] }],
		[{ liste_agents: { count: 1, items: [{ id: 101, nom: 'Ada Lévêque', groups: [11] }] } }],
		[{ ops: [{ op: { id: 101, nom: 'Ada Lévêque', groups: [11] } }] }],
		[{ ops: { op: { id: 101, nom: 'Ada Lévêque', groups: { group: 11 } } } }],
		[{ data: { lists: { operators: [{ id: 101, nom: 'Ada Lévêque', groups: [11] }] } } }],
	])('reads an agent with %j', (lists) => {
		const directory = readDirectory({ groupes, ...lists });
		expect([...directory.agents.values()]).toEqual([ada]);
		expect(directory.groups.get('11')).toEqual({ id: '11', name: 'Sales' });
		expect(directory.unread.has('agents')).toBe(false);
	});

	it.each<[object]>([
		[{ trunks: { 9: 'Main line' } }],
		[{ trunks: [{ id_trunk: 9, name: 'Main line' }] }],
		[{ trunks: [{ id: 9, title: 'Main line' }] }],
	])('reads a trunk from %j', (lists) => {
		expect([...readDirectory(lists).trunks.values()]).toEqual([{ id: '9', name: 'Main line' }]);
	});

	it('reads lists of identifiers, and breaks from texts by identifier', () => {
		const directory = readDirectory({ trunks: [9, '10'], breaks: { 3: 'Lunch' } });
		expect([...directory.trunks.keys()]).toEqual(['9', '10']);
		expect([...directory.pauses.values()]).toEqual([{ id: '3', name: 'Lunch' }]);
	});

	it('takes no secret, telephone number or account for a name or an identifier', () => {
		const directory = readDirectory({
			user: { id: 7, login: 'supervisor' },
			ops: [{ id: 101, password: 'hunter22', token: 'abc', id_client: 4242 }],
			trunks: [{ id: 9, trunk_number: '+442079460000' }],
		});
		expect([...directory.agents.values()]).toEqual([{ id: '101', name: '101', groups: [] }]);
		expect([...directory.trunks.keys()]).toEqual(['9']);
	});

	it('knows which lists could not be read, and which are empty', () => {
		expect([...readDirectory({ ops: [], groupes: null, trunks: {}, pauses: '' }).unread]).toEqual(
			[],
		);
		expect([...readDirectory({}).unread]).toEqual(['agents', 'groups', 'trunks', 'pauses']);
		const odd = { ops: [{ a: 'x' }], groupes: 'none', trunks: [{ id: 9 }], pauses: 7 };
		expect([...readDirectory(odd).unread]).toEqual(['agents', 'groups', 'pauses']);
	});

	it('treats hostile ids as plain text', () => {
		const directory = readDirectory(
			JSON.parse('{"ops":[{"id":"__proto__","nom":"A"},{"id":"constructor","nom":"B"}]}'),
		);
		expect([...directory.agents.keys()]).toEqual(['__proto__', 'constructor']);
		expect(({} as Record<string, unknown>).nom).toBeUndefined();
	});
});
