// The console's board: agents, queues and calls according to the feed's messages.
import { demoPlan } from '../../../simulator/accounts';
import { Board } from '../../../simulator/console/board';

const NOW = 1_700_000_000_000;

function boardWith(...updates: Array<[type: string, event: string, msg: Record<string, unknown>]>) {
	const board = new Board(demoPlan());
	updates.forEach(([type, event, msg], index) => {
		const update = {
			cpt: index + 1,
			ts: 1,
			elapse: 0,
			event: { type_notification: type, event, msg },
		};
		board.take('update', [update], 1, NOW + index);
	});
	return board;
}

const agentOf = (board: Board, id: number) =>
	board.view().agents.find((agent) => agent.id === String(id));
const queueOf = (board: Board, id: number) =>
	board.view().queues.find((queue) => queue.id === String(id));

test('begins with every agent of the plan logged out, and their groups by name', () => {
	const { agents, queues, calls } = boardWith().view();
	expect(agents).toHaveLength(12);
	expect(agents[3]).toEqual({
		id: '504',
		name: 'Daniel Weber',
		groups: ['Sales', 'Support'],
		state: 'logged out',
		detail: '',
		since: null,
	});
	expect(queues.map(({ name, waiting }) => [name, waiting])).toEqual([
		['Sales', 0],
		['Support', 0],
		['Billing', 0],
	]);
	expect(calls).toEqual([]);
});

test('follows an agent through login, break and call, whichever way identifiers are written', () => {
	const login: [string, string, Record<string, unknown>] = ['UI', 'login', { id_operator: '501' }];
	expect(agentOf(boardWith(login), 501)).toMatchObject({ state: 'available', since: NOW });
	const pause: typeof login = ['UI', 'pause', { id_operator: 501, supp: '2' }];
	expect(agentOf(boardWith(login, pause), 501)).toMatchObject({ state: 'break', detail: 'Coffee' });
	const talks: typeof login = [
		'operator',
		'status',
		{ id_operator: 501, status: 'connected', id_call: 7 },
	];
	expect(agentOf(boardWith(login, talks), 501)).toMatchObject({
		state: 'connected',
		detail: 'call 7',
	});
	const free: typeof login = [
		'operator',
		'status',
		{ id_operator: 501, status: 'available', id_call: 7 },
	];
	expect(agentOf(boardWith(login, talks, free), 501)).toMatchObject({
		state: 'available',
		detail: '',
	});
	const logout: typeof login = ['UI', 'logout', { id_operator: 501 }];
	expect(agentOf(boardWith(login, logout), 501)).toMatchObject({ state: 'logged out' });
});

test('counts waiting and talking callers of a queue, and forgets a call that left', () => {
	const first = { id_call: 1, id_queue: 301, caller_id_num: '+331' };
	const second = { id_call: '2', id_queue: '301', caller_id_num: '+332' };
	const board = boardWith(
		['queue', 'insert_call', first],
		['queue', 'insert_call', second],
		['queue', 'connect_call', { ...first, id_operator: 502 }],
	);
	expect(queueOf(board, 301)).toMatchObject({ waiting: 1, connected: 1, oldest: NOW + 1 });
	expect(board.view().calls).toEqual([
		expect.objectContaining({ id: '2', caller: '+332', place: 'Sales', state: 'waiting' }),
		expect.objectContaining({ id: '1', state: 'connected', agent: 'Benoît Leroy' }),
	]);
	board.take(
		'update',
		[
			{
				event: {
					type_notification: 'queue',
					event: 'delete_call',
					msg: { id_call: 2, id_queue: 301 },
				},
			},
		],
		0,
		NOW,
	);
	expect(queueOf(board, 301)).toMatchObject({ waiting: 0, connected: 1, oldest: null });
});

test('keeps a call on a trunk apart from the queues', () => {
	const board = boardWith([
		'trunk',
		'insert_call',
		{ id_call: 1, id_trunk: 701, caller_id_num: '+331' },
	]);
	expect(board.view().calls).toEqual([
		expect.objectContaining({ place: 'Head office', queue: null }),
	]);
	expect(queueOf(board, 301)).toMatchObject({ waiting: 0 });
});

test('remembers the newest alert of a queue, and when it ends to hold', () => {
	const board = boardWith(
		['queue', 'alert_file', { id_queue: 302, id_call: 1 }],
		['queue', 'alert_op', { id_queue: 302, id_call: 1, validity: 20 }],
	);
	expect(queueOf(board, 302)?.alert).toEqual({
		event: 'alert_op',
		at: NOW + 1,
		until: NOW + 1 + 20_000,
	});
	expect(queueOf(board, 301)?.alert).toBeNull();
});

test('shows the newest events first, num events at the top level included, and keeps a bounded number', () => {
	const board = boardWith();
	for (let index = 1; index <= 100; index++) {
		board.take(
			'update',
			[{ type_notification: 'num', srv: 1, event: 'start', msg: { id_call: index } }],
			2,
			NOW,
		);
	}
	const { events, sent } = board.view();
	expect(sent).toBe(100);
	expect(events).toHaveLength(60);
	expect(events[0]).toEqual({
		cpt: null,
		at: NOW,
		type: 'num',
		event: 'start',
		about: 'call 100',
		reached: 2,
	});
});

test.each([
	['another message', 'other', [{}]],
	['no object', 'update', ['text']],
	['nothing', 'update', []],
	[
		'an envelope without a message',
		'update',
		[{ event: { type_notification: 'queue', event: 'insert_call' } }],
	],
	[
		'an agent nobody knows',
		'update',
		[{ event: { type_notification: 'UI', event: 'login', msg: { id_operator: 1 } } }],
	],
])('ignores %s', (_what, name, args) => {
	const board = boardWith();
	const before = structuredClone(board.view().agents);
	board.take(name, args, 0, NOW);
	expect(board.view().agents).toEqual(before);
	expect(board.view().calls).toEqual([]);
});
