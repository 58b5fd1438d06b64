// What the call centre has to withstand: thousands of calls, agents, queues and rows, identifiers and times of any kind,
// events twice or without their beginning, clocks that jump, days of 25 hours, and interruptions at any time, compared
// with a simple count that is written here.

import fc from 'fast-check';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { HandClock } from '../../../support/world';
import { LiveScene } from './scene';

const alerts = (...alert: Array<Record<string, unknown>>) => ({
	mode: 'alerts',
	alerts: { alert },
	options: { emitResolved: true },
});

const LOGIN = { ops: [{ id: 101, nom: 'Ada' }], pauses: [{ id: 2, value: 'Coffee' }] };
const started = (live: LiveScene) => live.items.filter(({ event }) => event === 'started');
/** Seconds since the beginning. */
const at = (live: LiveScene, { date }: Record<string, unknown>) =>
	(Date.parse(String(date)) - live.start) / 1000;

describe('thousands', () => {
	it('of waiting calls cost two timers, and each is reported at its own time', async () => {
		const live = new LiveScene(alerts({ when: 'callerWaiting', waitSeconds: 60 })).open();
		for (let call = 0; call < 5_000; call++) {
			if (call % 500 === 0) await live.at(call / 500);
			live.enters(call + 1);
		}
		expect(live.clock.pending).toBeLessThanOrEqual(2);
		await live.at(64.5);
		expect(started(live)).toHaveLength(2_500);
		await live.at(70);
		expect(started(live)).toHaveLength(5_000);
		for (const item of started(live))
			expect(at(live, item)).toBe(60 + Math.floor((Number(item.id_call) - 1) / 500));
		expect(live.clock.pending).toBeLessThanOrEqual(2);
		live.close();
		expect(live.clock.pending).toBe(0);
	}, 60_000);

	it('that are due one after the other wake it four times a second, and each has its own moment', async () => {
		const live = new LiveScene(alerts({ when: 'callerWaiting', waitSeconds: 60 })).open();
		for (let call = 0; call < 500; call++) {
			await live.at(call / 250);
			live.enters(call + 1, 51, {}, live.now);
		}
		const timers = jest.spyOn(live.clock, 'after');
		await live.at(62.2);
		expect(timers.mock.calls.length).toBeLessThanOrEqual(11);
		expect(started(live)).toHaveLength(500);
		for (const item of started(live)) {
			expect(item.seconds).toBeGreaterThanOrEqual(60);
			expect(item.seconds).toBeLessThanOrEqual(60.1);
		}
	});

	it('of levels are reported one after the other, each once', async () => {
		const rows = Array.from({ length: 1_000 }, (_, index) => ({
			when: 'callerWaiting',
			waitSeconds: 1_000 - index,
		}));
		const live = new LiveScene(alerts(...rows, ...rows)).open();
		live.enters(7);
		await live.at(1_000);
		expect(started(live).map(({ threshold }) => threshold)).toEqual(
			Array.from({ length: 1_000 }, (_, index) => index + 1),
		);
		live.answered(7);
		expect(live.items.filter(({ event }) => event === 'resolved')).toHaveLength(1_000);
	}, 60_000);

	it('of calls: beyond 20,000 the one that was silent longest is given up, and that is said', async () => {
		const live = new LiveScene({ mode: 'callOutcomes', outcomes: [] }).open();
		for (let call = 1; call <= 20_000; call++) live.enters(call);
		live.send('queue', 'alert_op', { id_call: 1, id_queue: 51 });
		for (let call = 20_001; call <= 20_010; call++) live.enters(call);
		expect(live.gaveUp).toEqual(Array(10).fill('a call'));
		expect(live.items).toHaveLength(10);
		expect(live.items[0]).toMatchObject({
			...{ id_call: '2', event: 'ended', answered: null },
			...{ partial: true, reason: 'too-many-calls' },
		});
	}, 60_000);

	it('of queues: beyond 2,000 the one that was silent longest is given up, and that is said', async () => {
		const live = new LiveScene({ mode: 'snapshots', snapshotOf: ['queues'], every: 10 }).open();
		for (let call = 1; call <= 2_010; call++) live.enters(call, 100 + call);
		await live.at(10);
		expect(live.gaveUp).toEqual(Array(10).fill('a queue'));
		expect(live.executions.at(-1)).toHaveLength(2_000);
	}, 60_000);

	it('of queues whose missed calls are counted: beyond 2,000 it is said, and an alert about one is over', async () => {
		const live = new LiveScene(
			alerts({ when: 'missedCalls', calls: 1 }, { when: 'serviceLevelBelow', minimumCalls: 1 }),
		).open();
		for (let call = 1; call <= 10; call++) live.enters(call, 100 + call);
		await live.at(5);
		for (let call = 11; call <= 2_010; call++) live.enters(call, 100 + call);
		await live.at(26);
		expect(started(live)).toHaveLength(2_010);
		expect(live.gaveUp).toEqual(Array(10).fill('a queue'));
		expect(live.items.filter(({ event }) => event === 'resolved')).toEqual(
			Array.from({ length: 10 }, (_, index) =>
				expect.objectContaining({ id_queue: String(101 + index), reason: 'left' }),
			),
		);
	}, 60_000);

	it('of places and returns of one identifier: the rows balance, and nobody waits for ever', async () => {
		const parameters = { mode: 'snapshots', snapshotOf: ['queues', 'totals'], every: 60 };
		const live = new LiveScene(parameters).open();
		for (let queue = 1; queue <= 300; queue++) live.enters(7, queue);
		for (let turn = 0; turn < 5_000; turn++) live.leaves(8, 51).enters(8, 51);
		await live.at(3);
		live.answered(7, 30, 101).answered(8, 51, 102);
		await live.at(60);
		const rows = live.executions.at(-1) ?? [];
		expect(rows.length).toBeGreaterThan(100);
		for (const { waiting, offered, answered, overflowed = 0 } of rows)
			expect([waiting, offered]).toEqual([0, Number(answered) + Number(overflowed)]);
		expect(rows.at(-1)).toMatchObject({ event: 'totals', offered: 2, answered: 2, talking: 2 });
	}, 60_000);

	it('of agents: beyond 10,000 the one that was silent longest is given up, and that is said', async () => {
		const live = new LiveScene({ mode: 'snapshots', snapshotOf: ['totals'], every: 10 }).open();
		for (let agent = 1; agent <= 10_010; agent++) live.agent(agent, 'available');
		await live.at(10);
		expect(live.gaveUp).toEqual(Array(10).fill('an agent'));
		expect(live.items.at(-1)).toMatchObject({ agents_available: 10_000, agents_unknown: 0 });
	}, 60_000);

	it('of queues: beyond 2,000 the one that was silent longest has no row any more', async () => {
		const live = new LiveScene({ mode: 'snapshots', snapshotOf: ['queues'], every: 10 }).open();
		for (let queue = 1; queue <= 2_000; queue++) live.enters(queue, queue);
		live.enters(3_000, 1);
		for (let queue = 2_001; queue <= 2_010; queue++) live.enters(queue, queue);
		await live.at(10);
		const rows = live.executions.at(-1) ?? [];
		expect(rows).toHaveLength(2_000);
		expect(rows[0]).toMatchObject({ id_queue: '1', offered: 2, waiting: 2 });
		expect(rows[1]).toMatchObject({ id_queue: '12', offered: 1, waiting: 1 });
	}, 60_000);

	it('of agents and queues that nobody names any more do not count', async () => {
		const login = { ops: [{ id: 101, nom: 'Ada' }] };
		const live = new LiveScene({ mode: 'snapshots', snapshotOf: [], every: 10 }, login).open();
		for (let agent = 1; agent <= 500; agent++) live.agent(agent, 'available');
		live.logsIn({ ...login }).agent(101, 'available');
		await live.at(10);
		expect(live.items.at(-1)).toMatchObject({ agents_available: 1, agents_unknown: 0 });
		expect(live.executions.at(-1)?.filter(({ event }) => event === 'agent')).toHaveLength(1);
	});
});

describe("the provider's clock", () => {
	it.each([
		['an hour ahead', 3_600],
		['an hour back, as when summer time ends', -3_600],
		['a day ahead', 86_400],
		['years back', -100_000_000],
		['ahead by seconds', 7],
		['back by seconds', -7],
	])('jumps %s: no threshold is shifted', async (_name, jump) => {
		const live = new LiveScene(
			alerts(
				{ when: 'callerWaiting', waitSeconds: 60 },
				{ when: 'agentOnBreak', breakSeconds: 60 },
			),
			LOGIN,
		).open();
		live.enters(1).does(101, 'pause', 2);
		await live.at(20);
		for (let call = 10; call < 21; call++) {
			live.enters(call, 52, {}, 20 + jump);
			live.send('queue', 'delete_call', { id_call: call, id_queue: 52 }, 20 + jump);
		}
		await live.at(30);
		live.enters(2, 51, {}, 30 + jump);
		await live.at(200);
		const of51 = started(live).filter(
			(item) => item.when !== 'callerWaiting' || item.id_queue === '51',
		);
		expect(of51.map((item) => [item.when, item.id_call, item.seconds, at(live, item)])).toEqual([
			['callerWaiting', '1', 60, 60],
			['agentOnBreak', undefined, 60, 60],
			['callerWaiting', '2', 60, 90],
		]);
	});
});

describe('since midnight', () => {
	it.each([
		['a day of 25 hours', '2026-10-24T22:00:00Z', 25],
		['a day of 23 hours', '2027-03-27T23:00:00Z', 23],
	])('lasts as long as %s', async (_name, midnight, hours) => {
		const clock = new HandClock();
		await clock.turn(Date.parse(midnight) - clock.now() + 60_000);
		const live = new LiveScene(
			{
				mode: 'snapshots',
				snapshotOf: ['queues', 'agents'],
				every: 60,
				onlyWhenChanged: false,
			},
			LOGIN,
			{},
			clock,
		).open();
		live.enters(1).answered(1).leaves(1);
		live.agent(101, 'connected', { id_call: 2 });
		await live.at(1_800);
		live.does(101, 'logout');
		const talked = () => live.executions.at(-1)?.[1]?.talk_seconds;
		const count = () => Number(live.executions.at(-1)?.[0]?.answered);
		await live.at(hours * 3600 - 300);
		live.does(101, 'login');
		await live.at(hours * 3600 - 120);
		expect(talked()).toBe(1_800);
		expect(count()).toBe(1);
		await live.at(hours * 3600);
		expect(count()).toBe(0);
	});
});

/** What can happen to one of a few calls, to the agent, or to the feed. */
const step = fc.record({
	kind: fc.constantFrom(
		'calls',
		'calls',
		'answers',
		'answers',
		'leaves',
		'leaves',
		'alert',
		'available',
		'pause',
		'cut',
	),
	call: fc.integer({ min: 0, max: 3 }),
	queue: fc.integer({ min: 51, max: 52 }),
	wait: fc.integer({ min: 1, max: 9 }),
});

/** Two reports of one answer, and what belongs to it, arrive within this many seconds. */
const ONE_ANSWER = 2;

/** What an honest observer knows of a caller. */
interface Known {
	id: number;
	queue: number;
	/** `shown`: an event showed after an interruption that the caller still waits; `doubtful`: nothing did. */
	state: 'waiting' | 'shown' | 'doubtful' | 'talking' | 'over';
	answeredAt?: number;
}

describe('for any stream of events with interruptions', () => {
	it('a snapshot contains what an honest observer can know, and its numbers add up', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, twice) => {
				const live = new LiveScene(
					{ mode: 'snapshots', snapshotOf: [], every: 3599, period: '60' },
					LOGIN,
				).open();
				const send = (type: string, event: string, msg: Record<string, unknown>) => {
					const one = live.event(type, event, msg);
					live.take(one);
					// A repeated event is another object.
					if (twice) live.take({ ...one });
				};
				const seats = new Map<number, Known>();
				const all: Known[] = [];
				const counts = new Map(
					[51, 52].map((id) => [id, { offered: 0, answered: 0, abandoned: 0, unknown: 0 }]),
				);
				const agent = { presence: null as string | null, isCut: false };
				let second = 60;
				for (const { kind, call: seat, queue, wait } of steps) {
					await live.at(second);
					const known = seats.get(seat);
					const here = known && { id_call: known.id, id_queue: known.queue };
					const of = (one: Known) => counts.get(one.queue) as { [name: string]: number };
					const count = (one: Known, name: string) =>
						void (of(one)[name] = (of(one)[name] ?? 0) + 1);
					const waits = known && ['waiting', 'shown', 'doubtful'].includes(known.state);
					if (kind === 'calls' && !known) {
						const entered: Known = { id: all.length + 1, queue, state: 'waiting' };
						seats.set(seat, entered);
						all.push(entered);
						count(entered, 'offered');
						send('queue', 'insert_call', { id_call: entered.id, id_queue: queue });
					} else if (kind === 'answers' && waits) {
						// Whoever is answered after an interruption had waited on, unseen.
						count(known, known.state === 'waiting' ? 'answered' : 'unknown');
						known.state = 'talking';
						known.answeredAt = second;
						send('queue', 'connect_call', { ...here, id_operator: 101 });
					} else if (kind === 'leaves' && known) {
						seats.delete(seat);
						if (known.state === 'waiting') count(known, 'abandoned');
						if (known.state === 'shown') count(known, 'unknown');
						// So soon after the answer, it is the agent's next status that ends the talk.
						const goesOn =
							known.state === 'talking' && second - (known.answeredAt ?? 0) <= ONE_ANSWER;
						if (!goesOn) known.state = 'over';
						send('queue', 'delete_call', { ...here });
					} else if (kind === 'alert' && waits) {
						if (known.state === 'doubtful') known.state = 'shown';
						send('queue', 'alert_file', { ...here });
					} else if (kind === 'available') {
						agent.presence ??= 'available';
						for (const one of all) if (one.state === 'talking') one.state = 'over';
						send('operator', 'status', { id_operator: 101, status: 'available' });
					} else if (kind === 'pause') {
						agent.presence = 'on_break';
						send('UI', 'pause', { id_operator: 101, supp: 2 });
					} else if (kind === 'cut') {
						live.cut();
						agent.presence = null;
						agent.isCut = true;
						for (const one of all) {
							if (one.state === 'waiting' || one.state === 'shown') {
								count(one, 'unknown');
								one.state = 'doubtful';
							} else if (one.state === 'talking') one.state = 'over';
						}
					}
					second += wait;
				}
				await live.at(3599);
				const items = live.executions.at(-1) ?? [];
				for (const [queue, counted] of counts) {
					const mine = all.filter((one) => one.queue === queue);
					const now = (...states: Array<Known['state']>) =>
						mine.filter(({ state }) => states.includes(state)).length;
					const {
						unknown = 0,
						waiting_before = 0,
						...item
					} = items.find(({ id_queue: id }) => id === String(queue)) ?? {};
					if (mine.length === 0) continue;
					const { offered, answered, abandoned } = counted;
					expect({ ...item, unknown }).toMatchObject({
						...{ offered, answered, unknown: counted.unknown },
						...{ waiting: now('waiting', 'shown'), talking: now('talking') },
						complete: !agent.isCut,
					});
					const left = Number(item.abandoned) + Number(item.short_abandoned);
					expect(left).toBe(abandoned);
					expect(offered + Number(waiting_before)).toBe(
						answered + left + Number(unknown) + Number(item.waiting),
					);
				}
				expect(items.find(({ event }) => event === 'agent')).toMatchObject({
					state: agent.presence,
				});
				live.close();
			}),
			{ numRuns: 200 },
		);
	}, 120_000);
});

describe('for any events at all', () => {
	const id = fc.oneof(
		fc.constantFrom<unknown>(
			7,
			'7',
			-7,
			0,
			null,
			undefined,
			'',
			' ',
			'NaN',
			1e300,
			true,
			[],
			{},
			[7],
		),
		fc.constant('x'.repeat(100_000)),
		fc.constantFrom('__proto__', 'constructor', 'toString'),
	);
	const anything = fc.record({
		what: fc.constantFrom(
			...['queue insert_call', 'queue connect_call', 'queue delete_call', 'queue alert_op'],
			...['trunk insert_call', 'trunk connect_call', 'trunk delete_call', 'operator status'],
			...['UI pause', 'UI unpause', 'UI login', 'UI logout', 'num start', 'other thing'],
		),
		msg: fc.record(
			{
				id_call: id,
				id_queue: id,
				id_trunk: id,
				id_operator: id,
				caller_id_num: id,
				service: id,
				supp: id,
				status: fc.constantFrom<unknown>(
					'connected',
					'ringing',
					'available',
					'calling',
					'odd',
					4,
					null,
				),
				catchup: fc.constantFrom<unknown>(0, 8, '8', -1, 1e300, 'soon', null, {}),
			},
			{ requiredKeys: ['id_call', 'id_queue'] },
		),
		ts: fc.constantFrom<unknown>(undefined, null, 0, -1, 1e300, Number.NaN, 'x', 1_900_000_000),
		cpt: fc.constantFrom<unknown>(undefined, 1, 5, -1, 1e300),
		wait: fc.constantFrom(0, 0.5, 3, 30, 8_000),
		isCut: fc.constantFrom(false, false, false, true),
	});

	it('nothing breaks, and each row balances', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(anything, { maxLength: 60 }), async (steps) => {
				const parameters = {
					...{ mode: 'snapshots', snapshotOf: [], every: 3600, onlyWhenChanged: false },
				};
				const live = new LiveScene(parameters, LOGIN).open();
				const outcomes = live.join({ mode: 'callOutcomes', outcomes: [] }, LOGIN).open();
				const alert = live.join(
					alerts(
						{ when: 'callerWaiting' },
						{ when: 'missedCalls', calls: 1 },
						{ when: 'agentIdle' },
					),
					LOGIN,
				);
				alert.open();
				let second = 0;
				for (const { what, msg, ts, cpt, wait, isCut } of steps) {
					await live.at((second += wait));
					if (isCut) live.cut();
					const [type = '', event = ''] = what.split(' ');
					live.take({ ...live.event(type, event, msg), ts, cpt } as FeedEvent);
				}
				await live.at(second + 3_700);
				const n = (value: unknown) => Number(value ?? 0);
				for (const item of live.items) {
					if (item.event === 'agent') continue;
					const ends = [
						'answered',
						'abandoned',
						'short_abandoned',
						'overflowed',
						'unknown',
						'waiting',
					];
					expect(n(item.offered) + n(item.waiting_before)).toBe(
						ends.reduce((sum, name) => sum + n(item[name]), 0),
					);
					for (const [name, value] of Object.entries(item))
						if (typeof value === 'number') expect([name, value >= 0]).toEqual([name, true]);
				}
				for (const item of [...outcomes.items, ...alert.items])
					for (const name of ['wait', 'talk', 'value', 'seconds'])
						expect(n(item[name])).toBeGreaterThanOrEqual(0);
				for (const one of [live, outcomes, alert]) one.close();
				expect(live.clock.pending).toBe(0);
			}),
			{ numRuns: 150 },
		);
	}, 120_000);
});
