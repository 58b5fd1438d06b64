// What live state has to withstand: thousands of calls and rows, clocks that jump, days of 25 hours, and interruptions
// at any time, compared with a simple count that is written here.

import fc from 'fast-check';
import {
	CallCentre,
	MOST_QUEUES,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/callCentre';
import { Snapshots } from '../../../../nodes/VoiceManagementTrigger/callCentre/snapshots';
import { NO_FILTER } from '../../../../nodes/VoiceManagementTrigger/events/filter';
import { HandClock } from '../../../support/world';
import { alerts, LiveScene } from './scene';

const LOGIN = { ops: [{ id: 101, nom: 'Ada' }], pauses: [{ id: 2, value: 'Coffee' }] };
const started = (live: LiveScene) => live.items.filter(({ event }) => event === 'started');
/** Seconds since the beginning. */
const at = (live: LiveScene, { date }: Record<string, unknown>) =>
	(Date.parse(String(date)) - live.start) / 1000;

describe('thousands', () => {
	it('of waiting calls cost two timers, and each is reported at its own time', async () => {
		const live = new LiveScene(alerts({ when: 'callerWaiting', threshold: 60 })).open();
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

	it('that are due one after the other wake it ten times a second, and each is reported in time', async () => {
		const live = new LiveScene(alerts({ when: 'callerWaiting', threshold: 60 })).open();
		for (let call = 0; call < 500; call++) {
			await live.at(call / 250);
			live.enters(call + 1, 51, {}, live.now);
		}
		const timers = jest.spyOn(live.clock, 'after');
		await live.at(62.2);
		expect(timers.mock.calls.length).toBeLessThanOrEqual(25);
		expect(started(live)).toHaveLength(500);
		for (const item of started(live)) {
			expect(item.seconds).toBeGreaterThanOrEqual(60);
			expect(item.seconds).toBeLessThanOrEqual(60.1);
		}
	});

	it('of levels are reported one after the other, each once', async () => {
		const rows = Array.from({ length: 1_000 }, (_, index) => ({
			when: 'callerWaiting',
			threshold: 1_000 - index,
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

	it('of queues: those beyond the limit are given up, and that is reported', () => {
		const live = new LiveScene({ mode: 'snapshots', snapshotOf: ['queues'] }).open();
		for (let queue = 1; queue <= MOST_QUEUES + 10; queue++) live.enters(queue, queue);
		expect(live.gaveUp).toHaveLength(10);
		expect(live.gaveUp[0]).toContain('queue 1:');
	}, 60_000);
});

it('counts beyond the limit are given up second by second: `since` says from when they are complete', () => {
	const figures = {
		serviceLevelSeconds: 20,
		shortAbandonSeconds: 5,
		serviceLevelFormula: 'withoutShort',
		serviceLevelTarget: 80,
	} as const;
	const more = { namedQueues: [], windowMs: 3_600_000, ofPast: false };
	const centre = new CallCentre(0, () => []);
	const snapshots = new Snapshots(
		{ of: ['queues'], filter: NO_FILTER, figures, ...more },
		centre,
		() => undefined,
		0,
	);
	for (let second = 0; second < 140; second++)
		for (let queue = 1; queue <= 2_000; queue++)
			snapshots.wrappedUp('101', { at: second * 1000, seconds: second, queueId: String(queue) }, 1);
	const { since, queues } = snapshots.take(0, 140_000, 140_000);
	// 250,000 counts are 125 seconds of 2,000 queues.
	expect(since).toBe(15_000);
	expect(queues).toHaveLength(2_000);
	for (const { figures: shown } of queues) expect(shown.average_wrap_up).toBe((15 + 139) / 2);
});

describe("the operator's clock", () => {
	it.each([
		['an hour ahead', 3_600],
		['an hour back, as when summer time ends', -3_600],
		['a day ahead', 86_400],
		['years back', -100_000_000],
		['ahead by seconds', 7],
		['back by seconds', -7],
	])('jumps %s: no threshold is shifted', async (_name, jump) => {
		const live = new LiveScene(
			alerts({ when: 'callerWaiting', threshold: 60 }, { when: 'agentOnBreak', threshold: 60 }),
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
				options: { windowMinutes: 0 },
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

/** For this many seconds after a call has left it is not certain that it is over. */
const UNCERTAIN_S = 5;

/** What an honest observer knows of a caller. */
interface Known {
	id: number;
	queue: number;
	state:
		| 'waiting'
		| 'talking'
		| 'waiting unseen'
		| 'talking unseen'
		| 'answered'
		| 'abandoned'
		| 'unknown';
	/** Whether the feed was interrupted during the call. */
	cut: boolean;
	leftAt?: number;
}

describe('for any stream of events with interruptions', () => {
	it('a snapshot contains what an honest observer can know, and its numbers add up', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const live = new LiveScene(
					{ mode: 'snapshots', snapshotOf: [], every: 3600 },
					LOGIN,
				).open();
				const seats = new Map<number, Known>();
				const all: Known[] = [];
				let agent: string | null = null;
				let second = 60;
				let interrupted = false;
				for (const { kind, call: seat, queue, wait } of steps) {
					await live.at(second);
					const known = seats.get(seat);
					const here = known && { id_call: known.id, id_queue: known.queue };
					const open = known?.state.startsWith('waiting');
					if (kind === 'calls' && !known) {
						const entered: Known = { id: all.length + 1, queue, state: 'waiting', cut: false };
						seats.set(seat, entered);
						all.push(entered);
						live.send('queue', 'insert_call', { id_call: entered.id, id_queue: queue });
					} else if (kind === 'answers' && known && open) {
						known.state = 'talking';
						live.send('queue', 'connect_call', { ...here, id_operator: 101 });
					} else if (kind === 'leaves' && known) {
						seats.delete(seat);
						known.leftAt = second;
						known.state = !open ? 'answered' : known.cut ? 'unknown' : 'abandoned';
						live.send('queue', 'delete_call', { ...here });
					} else if (kind === 'alert' && known && open) {
						known.state = 'waiting';
						live.send('queue', 'alert_file', { ...here });
					} else if (kind === 'available') {
						agent = 'available';
						live.agent(101, 'available');
					} else if (kind === 'pause') {
						agent = 'on_break';
						live.does(101, 'pause', 2);
					} else if (kind === 'cut') {
						live.cut();
						interrupted = true;
						agent = null;
						for (const one of all) {
							if (one.state === 'waiting') one.state = 'waiting unseen';
							if (one.state === 'talking') one.state = 'talking unseen';
							if (one.state.endsWith('unseen')) one.cut = true;
							const justLeft = one.leftAt !== undefined && second - one.leftAt < UNCERTAIN_S;
							if (one.state === 'abandoned' && justLeft) one.state = 'unknown';
						}
					}
					second += wait;
				}
				await live.at(3600);
				const items = live.executions.at(-1) ?? [];
				for (const queue of [51, 52]) {
					const mine = all.filter((one) => one.queue === queue);
					const count = (...states: Array<Known['state']>) =>
						mine.filter(({ state }) => states.includes(state)).length;
					const item = items.find(({ id_queue: id }) => id === String(queue));
					if (mine.length === 0) continue;
					expect(item).toMatchObject({
						waiting: count('waiting'),
						talking: count('talking'),
						answered: count('talking', 'talking unseen', 'answered'),
						offered: mine.length,
						complete: !interrupted,
					});
					expect(Number(item?.abandoned) + Number(item?.short_abandoned)).toBe(count('abandoned'));
					expect(item?.unknown ?? 0).toBe(count('waiting unseen', 'unknown'));
				}
				expect(items.find(({ event }) => event === 'agent')).toMatchObject({ state: agent });
				live.close();
			}),
			{ numRuns: 200 },
		);
	}, 120_000);
});
