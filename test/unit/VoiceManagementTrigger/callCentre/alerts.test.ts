// Conditions: each kind begins at its time, is reported once for each level and subject, and ends once with its reason.

import { alerts, LiveScene } from './scene';

const LOGIN = {
	ops: [
		{ id: 101, nom: 'Ada', groups: [11] },
		{ id: 102, nom: 'Ben', groups: [11] },
		{ id: 103, nom: 'Cy', groups: [12] },
	],
	groupes: [
		{ id: 11, nom: 'Sales' },
		{ id: 12, nom: 'Support' },
	],
	pauses: [{ id: 2, value: 'Coffee' }],
};

const told = (scene: LiveScene) =>
	scene.items.map(({ event, threshold, value, reason }) =>
		[event, threshold, value, reason].filter((part) => part !== undefined),
	);

const scene = (...rows: Array<Record<string, unknown>>) =>
	new LiveScene(alerts(...rows), LOGIN).open();

const WAITING = { when: 'callerWaiting', threshold: 30 };

describe('a caller who waits too long', () => {
	it('is reported at the time, without another event, and ends when answered', async () => {
		const live = scene(WAITING);
		live.enters(7);
		await live.at(29.9);
		expect(told(live)).toEqual([]);
		await live.at(30);
		expect(live.items).toEqual([
			{
				type_notification: 'alert',
				event: 'started',
				when: 'callerWaiting',
				summary: '+44207946007 has been waiting for 30 s in queue 51',
				threshold: 30,
				value: 30,
				since: new Date(live.start).toISOString(),
				seconds: 30,
				id_queue: '51',
				id_call: '7',
				caller_id_num: '+44207946007',
				date: new Date(live.start + 30_000).toISOString(),
			},
		]);
		await live.at(42);
		live.answered(7);
		await live.at(300);
		live.leaves(7);
		await live.at(400);
		expect(told(live)).toEqual([
			['started', 30, 30],
			['resolved', 30, 42, 'answered'],
		]);
	});

	it('is reported for each level, and two equal rows count as one', async () => {
		const live = scene(
			{ ...WAITING, threshold: 60 },
			WAITING,
			{ ...WAITING },
			{ ...WAITING, threshold: '60' },
		);
		live.enters(7);
		await live.at(200);
		expect(told(live)).toEqual([
			['started', 30, 30],
			['started', 60, 60],
		]);
	});

	it("has given up, which is known when the call is over, after the caller's whole wait", async () => {
		const live = scene(WAITING);
		live.enters(7);
		await live.at(40);
		live.leaves(7);
		await live.at(44);
		expect(told(live)).toHaveLength(1);
		await live.at(50);
		expect(told(live)[1]).toEqual(['resolved', 30, 40, 'abandoned']);
	});

	it('has left for another queue, and the wait there starts from zero', async () => {
		const live = scene(WAITING);
		live.enters(7);
		await live.at(40);
		live.leaves(7);
		await live.at(41);
		live.enters(7, 52);
		await live.at(71);
		expect(told(live)).toEqual([
			['started', 30, 30],
			['resolved', 30, 40, 'left'],
			['started', 30, 30],
		]);
		expect(live.items[2]).toMatchObject({ id_queue: '52' });
	});

	it('has left the queue for a trunk that continues', async () => {
		const live = scene(WAITING);
		live.send('trunk', 'insert_call', { id_call: 7, id_trunk: 9 }).enters(7);
		await live.at(40);
		live.leaves(7);
		await live.at(60);
		expect(told(live)[1]).toEqual(['resolved', 30, 40, 'left']);
	});

	it('is never reported if answered in time', async () => {
		const live = scene(WAITING);
		live.enters(7);
		await live.at(29);
		live.answered(7);
		await live.at(100);
		expect(live.items).toEqual([]);
		expect(live.clock.pending).toBeLessThanOrEqual(1);
	});

	it('is unknown after an interruption, and reported again when an event shows that the wait continues', async () => {
		const live = scene(WAITING);
		live.enters(7).enters(8);
		await live.at(35);
		live.cut();
		await live.at(100);
		expect(told(live).slice(2)).toEqual([
			['unknown', 30, 35, 'feed-gap'],
			['unknown', 30, 35, 'feed-gap'],
		]);
		live.send('queue', 'alert_file', { id_call: 7, id_queue: 51 });
		await live.at(101);
		expect(told(live).slice(4)).toEqual([['started', 30, 100]]);
	});

	it('is reported repeatedly on request, and without its end on request', async () => {
		const live = new LiveScene({ ...alerts(WAITING), options: { repeatEvery: 20 } }, LOGIN).open();
		live.enters(7);
		await live.at(75);
		live.answered(7);
		await live.at(200);
		expect(told(live)).toEqual([
			['started', 30, 30],
			['repeated', 30, 50],
			['repeated', 30, 70],
		]);
	});

	it('is only watched in the queues and for the numbers of the filters', async () => {
		const filters = { queueIds: '51', callerNumber: '+44207946007' };
		const live = new LiveScene({ ...alerts(WAITING), filters }, LOGIN).open();
		live.enters(7).enters(8).enters(9, 52, { caller_id_num: '+44207946007' });
		await live.at(60);
		expect(live.items.map(({ id_call: id }) => id)).toEqual(['7']);
	});

	it('is only watched for the called numbers of the filters', async () => {
		const filters = { serviceNumber: '+44 20 7946 9000' };
		const live = new LiveScene({ ...alerts(WAITING), filters }, LOGIN).open();
		live.send('num', 'start', { id_call: 7, service: '+442079469000' });
		live.send('num', 'start', { id_call: 8, service: '+442079469001' });
		live.enters(7).enters(8).enters(9);
		await live.at(60);
		expect(live.items.map(({ id_call: id }) => id)).toEqual(['7']);
	});

	it('costs one timer, however many wait', async () => {
		const live = scene(WAITING, { ...WAITING, threshold: 60 });
		for (let call = 1; call <= 2000; call++) live.enters(call);
		expect(live.clock.pending).toBeLessThanOrEqual(2);
		await live.at(60);
		expect(live.items).toHaveLength(4000);
		live.close();
		expect(live.clock.pending).toBe(0);
	});
});

describe('too many callers', () => {
	const row = { when: 'callersWaiting', threshold: 2, forSeconds: 10 };

	it('are reported after they have waited together for the time, with their queue, and again when fewer wait', async () => {
		const live = scene(row);
		live.enters(7);
		await live.at(5);
		live.enters(8).enters(9, 52);
		await live.at(14.9);
		expect(live.items).toEqual([]);
		await live.at(20);
		expect(live.items).toMatchObject([{ event: 'started', id_queue: '51', value: 2, seconds: 10 }]);
		live.answered(7);
		expect(told(live)[1]).toEqual(['resolved', 2, 1, 'below']);
	});

	it('are not reported if it was only for a moment', async () => {
		const live = scene(row);
		live.enters(7).enters(8);
		await live.at(9);
		live.answered(8);
		await live.at(100);
		expect(live.items).toEqual([]);
	});

	it('are unknown after an interruption, and callers who are not seen any more do not count', async () => {
		const live = scene({ ...row, forSeconds: 0 });
		live.enters(7).enters(8).enters(9);
		live.cut();
		await live.at(100);
		expect(told(live)).toEqual([
			['started', 2, 2],
			['unknown', 2, 3, 'feed-gap'],
		]);
	});
});

describe('too few agents', () => {
	const row = { when: 'agentsAvailableBelow', threshold: 1, forSeconds: 0 };

	it('are only reported when it is certain, and end when enough are back', async () => {
		const live = scene(row);
		live.agent(101, 'available').does(102, 'pause', 2);
		live.does(101, 'logout');
		await live.at(10);
		// Nothing was received about 103, who could be free.
		expect(live.items).toEqual([]);
		live.agent(103, 'ringing', { id_call: 7 });
		expect(told(live)).toEqual([['started', 1, 0]]);
		await live.at(20);
		live.does(102, 'unpause');
		expect(told(live)[1]).toEqual(['resolved', 1, 1, 'above']);
	});

	it('are those of the filters', () => {
		const live = new LiveScene({ ...alerts(row), filters: { groupIds: ['11'] } }, LOGIN).open();
		live.does(101, 'pause').does(103, 'pause').agent(102, 'connected', { id_call: 7 });
		expect(told(live)).toEqual([['started', 1, 0]]);
	});

	it('are unknown after an interruption', async () => {
		const live = new LiveScene({ ...alerts(row), filters: { agentIds: ['101'] } }, LOGIN).open();
		live.does(101, 'pause');
		live.cut();
		await live.at(50);
		expect(told(live)).toEqual([
			['started', 1, 0],
			['unknown', 1, 0, 'feed-gap'],
		]);
		live.does(101, 'pause');
		expect(told(live)).toHaveLength(3);
	});
});

describe('an agent', () => {
	it('is on a break for too long, and comes back', async () => {
		const live = scene({ when: 'agentOnBreak', threshold: 60 });
		live.does(101, 'pause', 2);
		await live.at(60);
		expect(live.items).toMatchObject([
			{ event: 'started', agent: { id: '101', name: 'Ada' }, pause: { id: '2' }, value: 60 },
		]);
		await live.at(90);
		live.does(101, 'unpause', 2);
		expect(told(live)[1]).toEqual(['resolved', 60, 90, 'back']);
	});

	it.each<[string, (live: LiveScene) => unknown, string]>([
		['logs out', (live) => live.does(101, 'logout'), 'logged_out'],
		['rings', (live) => live.agent(101, 'ringing', { id_call: 7 }), 'ended'],
	])('is idle for too long until it %s', async (_name, act, reason) => {
		const live = scene({ when: 'agentIdle', threshold: 60 });
		live.agent(101, 'available');
		await live.at(30);
		live.agent(101, 'available');
		await live.at(70);
		act(live);
		expect(told(live)).toEqual([
			['started', 60, 60],
			['resolved', 60, 70, reason],
		]);
	});

	it.each([
		['connected', 'answered'],
		['available', 'ended'],
	])('lets it ring for too long until it is %s', async (status, reason) => {
		const live = scene({ when: 'agentRinging', threshold: 10 });
		live.agent(101, 'ringing', { id_call: 7, id_queue: 51 });
		await live.at(12);
		live.agent(101, status, { id_call: 7 });
		expect(told(live)).toEqual([
			['started', 10, 10],
			['resolved', 10, 12, reason],
		]);
		expect(live.items[0]).toMatchObject({ id_call: '7', id_queue: '51' });
	});

	it('lets the next call ring, which counts from zero', async () => {
		const live = scene({ when: 'agentRinging', threshold: 10 });
		live.agent(101, 'ringing', { id_call: 7 });
		await live.at(6);
		live.agent(101, 'ringing', { id_call: 8 });
		await live.at(12);
		expect(live.items).toEqual([]);
		await live.at(16);
		expect(live.items).toMatchObject([{ event: 'started', id_call: '8' }]);
		await live.at(20);
		live.agent(101, 'ringing', { id_call: 9 });
		await live.at(30);
		expect(live.items).toMatchObject([
			{ event: 'started', id_call: '8' },
			{ event: 'resolved', id_call: '8', reason: 'ended', value: 14 },
			{ event: 'started', id_call: '9', value: 10 },
		]);
	});

	it.each(['agentOnBreak', 'agentIdle', 'agentRinging'])(
		'is unknown after an interruption (%s)',
		async (when) => {
			const live = scene({ when, threshold: 10 });
			if (when === 'agentOnBreak') live.does(101, 'pause');
			else live.agent(101, when === 'agentIdle' ? 'available' : 'ringing', { id_call: 7 });
			await live.at(11);
			live.cut();
			await live.at(100);
			expect(told(live)).toEqual([
				['started', 10, 10],
				['unknown', 10, 11, 'feed-gap'],
			]);
		},
	);
});

describe('a call', () => {
	it('lasts too long, and ends', async () => {
		const live = scene({ when: 'callLasting', threshold: 60 });
		live.enters(7);
		await live.at(20);
		live.answered(7);
		await live.at(79);
		expect(live.items).toEqual([]);
		await live.at(80);
		expect(live.items).toMatchObject([{ event: 'started', id_call: '7', agent: { id: '101' } }]);
		await live.at(100);
		live.leaves(7);
		expect(told(live)[1]).toEqual(['resolved', 60, 80, 'ended']);
	});

	it('is passed on to wait again', async () => {
		const live = scene({ when: 'callLasting', threshold: 60 });
		live.enters(7).answered(7);
		await live.at(70);
		live.enters(7, 52).leaves(7, 51);
		expect(told(live)[1]).toEqual(['resolved', 60, 70, 'left']);
	});

	it('is unknown after an interruption', async () => {
		const live = scene({ when: 'callLasting', threshold: 60 });
		live.enters(7).answered(7);
		await live.at(61);
		live.cut();
		expect(told(live)[1]).toEqual(['unknown', 60, 61, 'feed-gap']);
	});
});

describe('missed calls', () => {
	const row = { when: 'missedCalls', threshold: 2, windowMinutes: 5 };
	const miss = async (live: LiveScene, call: number, second: number) => {
		await live.at(second - 10);
		live.enters(call);
		await live.at(second);
		live.leaves(call);
		await live.at(second + 5);
	};

	it('are too many within the window, with the call that exceeded the limit, until they leave the window', async () => {
		const live = scene(row);
		await miss(live, 7, 20);
		expect(live.items).toEqual([]);
		await miss(live, 8, 40);
		expect(live.items).toMatchObject([
			{ event: 'started', value: 2, id_call: '8', id_queue: '51' },
		]);
		await live.at(320);
		expect(live.items).toHaveLength(1);
		await live.at(321);
		expect(told(live)[1]).toEqual(['resolved', 2, 1, 'below']);
	});

	it('are unknown after an interruption, until another one is missed', async () => {
		const live = scene(row);
		await miss(live, 7, 20);
		await miss(live, 8, 40);
		live.cut();
		await miss(live, 9, 60);
		expect(told(live)).toEqual([
			['started', 2, 2],
			['unknown', 2, 2, 'feed-gap'],
			['started', 2, 3],
		]);
	});
});

describe('a service level', () => {
	const row = {
		when: 'serviceLevelBelow',
		threshold: 75,
		windowMinutes: 5,
		minimumCalls: 4,
	};
	const scene = (more: Record<string, unknown> = {}) => {
		const options = { emitResolved: true, serviceLevelSeconds: 10 };
		return new LiveScene({ ...alerts({ ...row, ...more }), options }, LOGIN).open();
	};
	const answer = async (live: LiveScene, call: number, wait: number) => {
		live.enters(call);
		await live.at(live.now + wait);
		live.answered(call);
	};

	it('is too low with the call that tipped the balance, once there are enough calls, and recovers', async () => {
		const live = scene();
		await answer(live, 1, 2);
		await answer(live, 2, 2);
		await answer(live, 3, 30);
		expect(live.items).toEqual([]);
		await answer(live, 4, 31);
		expect(live.items).toMatchObject([
			{ event: 'started', value: 50, id_call: '4', id_queue: '51' },
		]);
		for (let call = 5; call < 9; call++) await answer(live, call, 1);
		expect(told(live)[1]).toEqual(['resolved', 75, 75, 'above']);
	});

	it('leaves out callers who gave up at once, and counts those who waited', async () => {
		const live = scene({ minimumCalls: 2 });
		await answer(live, 1, 2);
		live.enters(2);
		await live.at(live.now + 4);
		live.leaves(2);
		await live.at(live.now + 10);
		expect(live.items).toEqual([]);
		live.enters(3);
		await live.at(live.now + 40);
		live.leaves(3);
		await live.at(live.now + 5);
		expect(told(live)).toEqual([['started', 75, 50]]);
	});

	it('is over when too few calls are left in its window to tell, and says so', async () => {
		const live = scene({ minimumCalls: 1 });
		await answer(live, 1, 30);
		await live.at(400);
		expect(live.items.at(-1)).toMatchObject({
			reason: 'left',
			summary: expect.stringMatching(
				/^Service Level Too Low is over: queue 51 has too few calls to tell, after \d+(\.\d)? s$/,
			) as string,
		});
	});

	it('is unknown after an interruption', async () => {
		const live = scene({ minimumCalls: 1 });
		await answer(live, 1, 30);
		live.cut();
		expect(told(live)).toEqual([
			['started', 75, 0],
			['unknown', 75, 0, 'feed-gap'],
		]);
	});
});

describe('an end that is reported seconds late', () => {
	const ends = async (
		row: Record<string, unknown>,
		begin: (live: LiveScene) => unknown,
		end: Parameters<LiveScene['send']>,
	) => {
		const live = new LiveScene(
			{ ...alerts({ threshold: 30, ...row }), filters: { agentIds: '101' } },
			LOGIN,
		).open();
		begin(live);
		await live.at(73);
		live.send(...end);
		await live.at(90);
		return live.items.at(-1);
	};
	const call = { id_call: 7, id_queue: 51 };
	const taken = { ...call, id_operator: 101, status: 'connected' };
	const agent = { id_operator: 101 };
	const waits = (live: LiveScene) => live.enters(7);

	it.each<[string, ...Parameters<typeof ends>]>([
		['answered', WAITING, waits, ['queue', 'connect_call', taken, 70]],
		['abandoned', WAITING, waits, ['queue', 'delete_call', call, 70]],
		['left', WAITING, waits, ['queue', 'insert_call', { ...call, id_queue: 52 }, 70]],
		['below', { when: 'callersWaiting', threshold: 1 }, waits, ['queue', 'delete_call', call, 70]],
		[
			'ended',
			{ when: 'callLasting' },
			(live) => live.enters(7).answered(7),
			['queue', 'delete_call', call, 70],
		],
		[
			'back',
			{ when: 'agentOnBreak' },
			(live) => live.does(101, 'pause'),
			['UI', 'unpause', agent, 70],
		],
		[
			'above',
			{ when: 'agentsAvailableBelow', threshold: 1 },
			(live) => live.does(101, 'pause'),
			['UI', 'unpause', agent, 70],
		],
	])('has the time at which it happened: %s', async (reason, row, begin, end) => {
		const item = await ends(row, begin, end);
		const date = new Date(Date.parse(String(item?.since)) + 70_000).toISOString();
		expect(item).toMatchObject({ event: 'resolved', reason, seconds: 70, date });
	});

	it('is never before the beginning was reported', async () => {
		const live = scene(WAITING);
		live.enters(7);
		await live.at(31);
		live.send('queue', 'connect_call', taken, 29);
		expect(told(live)).toEqual([
			['started', 30, 30],
			['resolved', 30, 30, 'answered'],
		]);
	});
});

describe('triggers on one feed', () => {
	it('share their knowledge: the second one is told who waits already, and events count once', async () => {
		const first = scene(WAITING);
		first.enters(7);
		await first.at(40);
		const second = first.join(alerts({ ...WAITING, threshold: 35 }, { ...WAITING, threshold: 60 }));
		second.open();
		const next = first.event('queue', 'insert_call', { id_call: 8, id_queue: 51 });
		first.take(next);
		second.take(next);
		await first.at(60);
		expect(second.items.map(({ threshold, id_call: id }) => [threshold, id])).toEqual([
			[35, '7'],
			[60, '7'],
		]);
		first.close();
		await second.at(61);
		await first.clock.turn(60_000);
		expect(second.items).toHaveLength(4);
		expect(first.items).toHaveLength(1);
		second.close();
		expect(first.clock.pending).toBe(0);
	});
});
