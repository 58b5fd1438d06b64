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
			Object.values(directory).map((map: ReadonlyMap<string, unknown>) => [...map]),
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

	it('treats hostile ids as plain text', () => {
		const directory = readDirectory(
			JSON.parse('{"ops":[{"id":"__proto__","nom":"A"},{"id":"constructor","nom":"B"}]}'),
		);
		expect([...directory.agents.keys()]).toEqual(['__proto__', 'constructor']);
		expect(({} as Record<string, unknown>).nom).toBeUndefined();
	});
});
