// Outcomes with their reasons: why a call was missed, offers, waits by queue, the timeline, the caller's history, and
// callers who were spoken to again.

import fc from 'fast-check';
import { queueWaits } from '../../../../nodes/VoiceManagementTrigger/callCentre/callHistory';
import type { FeedStatus } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { LiveScene } from './scene';

const LOGIN = {
	ops: [
		{ id: 101, nom: 'Ada', groups: [11] },
		{ id: 102, nom: 'Ben', groups: [11] },
	],
};

const scene = (options: Record<string, unknown> = {}, outcomes: string[] = []) =>
	new LiveScene({ mode: 'callOutcomes', outcomes, options }, LOGIN).open();

/** A call that waits this long and gives up. */
async function miss(live: LiveScene, call: number, wait: number, more = {}) {
	live.enters(call, 51, more);
	await live.at(live.now + wait);
	live.leaves(call);
	await live.at(live.now + 6);
}

/**
 * Options, what happens (N is a number), and the outcomes: wait, whether in time, why it was missed, waits of the queues,
 * to whom it was offered for how long, and who spoke to the caller after how long, with the
 * seconds of the missed and of the answered call.
 */
const CASES = `
// Why a call was missed: the caller gave up at once, agents let it ring, the provider or the agents' states say why.
shortAbandonSeconds=8 | 0 enters 7, 7 leaves 7, 13 enters 8, 21 leaves 8, 30 - → missed 7 7 short_abandoned 51=7; missed 8 8 abandoned_before_ringing 51=8
| 0 enters 7, 2 ringing 101 7 51, 12 available 101, 12 ringing 102 7 51, 20 leaves 7, 30 - → missed 7 20 agents_did_not_answer 51=20 101=10 102=null
| 0 enters 7, 0 rings 7 51 102, 1 ringing 101 7, 1 rings 7 51 101, 10 available 101, 20 leaves 7, 30 - → missed 7 20 agents_did_not_answer 51=20 102=null 101=9
| 0 enters 7, 0 alert_op 7, 0 enters 7, 20 leaves 7, 26 - → missed 7 20 no_available_agent 51=20
| 0 pause 101, 0 logout 102, 10 enters 7, 30 leaves 7, 36 unpause 101, 46 pause 101, 56 enters 8, 76 leaves 8, 82 - → missed 7 20 no_available_agent 51=20; missed 8 20 no_available_agent 51=20
| 0 pause 101, 0 logout 102, 10 enters 7, 15 unpause 101, 15 pause 101, 35 leaves 7, 41 - → missed 7 25 abandoned_before_ringing 51=25
| 0 pause 101, 5 enters 7, 25 leaves 7, 31 - → missed 7 20 abandoned_before_ringing 51=20
| 0 available 101, 0 pause 102, 1 enters 7, 100 pause 101, 101 pause 101, 102 pause 101, 103 pause 101, 104 pause 101, 105 pause 101, 106 pause 101, 107 pause 101, 108 pause 101, 109 pause 101, 110 pause 101, 111 pause 101, 112 pause 101, 113 pause 101, 200 leaves 7, 210 - → missed 7 199 abandoned_before_ringing 51=199
| 0 trunkIn 7, 20 trunkOut 7, 30 - → missed 7 20 null=20
// The caller left when that was first said, whatever is said again.
| 0 enters 7, 4 leaves 7, 7 leaves 7, 20 - → missed 7 4 short_abandoned 51=4
| 0 trunkIn 7, 4 trunkOut 7, 7 trunkOut 7, 20 - → missed 7 4 short_abandoned null=4
// Waits are divided among the queues, and unknown if an interruption may have hidden the answer.
serviceLevelSeconds=30 | 0 trunkIn 7, 2 enters 7, 22 leaves 7, 22 enters 7 52, 30 answered 7 52 → answered 7 30 in time null=2 51=20 52=8 101=null
| 0 enters 7, 30 leaves 7, 33 enters 7 52, 45 enters 7, 50 answered 7 → answered 7 50 51=35 null=3 52=12 101=null
| 0 enters 7, 20 enters 7 52, 30 leaves 7 52, 31 enters 7 53, 50 leaves 7 53, 50 leaves 7, 60 - → missed 7 50 abandoned_before_ringing 51=21 52=10 53=19
| 0 enters 7, 10 cut, 30 leaves 7, 40 - → ended 7
// A caller who was missed is spoken to: once, whoever called, whichever event has the number, whatever the clock shows.
callerHistoryHours=24 | 0 enters 1 51 N, 10 leaves 1, 16 enters 2 51 N, 26 leaves 2, 100 enters 3 51 N, 105 answered 3, 105 leaves 3, 200 enters 4 51 N, 200 answered 4 → missed 1 10 abandoned_before_ringing 51=10; missed 2 10 abandoned_before_ringing 51=10; reached 3 5 caller 95 10 105 in time 51=5 101=null; answered 3 5 in time 51=5 101=null; ended 3 5 in time 51=5 101=null; answered 4 0 in time 51=0 101=null
callerHistoryHours=24 | 0 enters 1 51 N, 10 leaves 1, 16 calling 102 900 - N, 40 connected 102 900 - N, 40 available 102, 40 calling 102 900 - N, 40 connected 102 900 - N → missed 1 10 abandoned_before_ringing 51=10; reached 900 agent 30 10 40 102=null
callerHistoryHours=24 | 0 enters 1 51 N @3600, 10 leaves 1 @3610, 30 calling 102 900 - N @3630, 40 connected 102 900 @3640 → missed 1 10 abandoned_before_ringing 51=10; reached 900 agent 30 3610 3640 102=null
callerHistoryHours=24 | 0 enters 1 51 N @3600, 10 leaves 1 @3610, 30 calling 102 - - N @3630, 40 connected 102 @3640 → missed 1 10 abandoned_before_ringing 51=10; reached agent 30 3610 3640 102=null
callerHistoryHours=24 | 0 enters 1 51 N @3600, 10 leaves 1 @3610, 30 calling 102 900 - N @3630, 40 connected 102 @3640 → missed 1 10 abandoned_before_ringing 51=10; reached 900 agent 30 3610 3640 102=null
callerHistoryHours=24 | 0 enters 1 51 N @3600, 10 leaves 1 @3610, 30 calling 102 900 @3630, 40 connected 102 900 - N @3640 → missed 1 10 abandoned_before_ringing 51=10; reached 900 agent 30 3610 3640 102=null
// … also before the call is known to be missed, but not on another line before that.
callerHistoryHours=24 | 0 enters 1 51 N, 10 leaves 1, 11 enters 2 51 N, 13 answered 2, 30 leaves 2, 30 enters 3 51 N, 30 answered 3, 60 - → answered 2 2 in time 51=2 101=null; missed 1 10 abandoned_before_ringing 51=10; reached 2 2 caller 3 10 13 in time 51=2 101=null; answered 3 0 in time 51=0 101=null; ended 2 2 in time 51=2 101=null
callerHistoryHours=24 | 0 enters 1 51 N, 10 leaves 1, 10 calling 102 - - N, 12 connected 102 - - N, 60 - → missed 1 10 abandoned_before_ringing 51=10; reached agent 2 10 12 102=null
callerHistoryHours=24 | 0 enters 1 51 N, 0 enters 2 52 N, 10 answered 1, 12 leaves 2 52, 60 - → answered 1 10 in time 51=10 101=null; missed 2 12 abandoned_before_ringing 52=12
// The provider's clock is set back by an hour: the calls under way last as long as they do.
| 0 enters 1, 10 answered 1 @-3590, 40 leaves 1 @-3560, 60 - → answered 1 10 in time 51=10 101=null; ended 1 10 in time 51=10 101=null
| 0 enters 1, 10 rings 1 51 101 @-3590, 20 answered 1 @-3580, 20 connected 101 1 51 @-3580, 40 leaves 1 @-3560, 60 - → answered 1 20 in time 51=20 101=null; ended 1 20 in time 51=20 101=null
| 0 enters 1, 10 leaves 1 @-3590, 12 enters 1 52 @-3588, 40 leaves 1 52 @-3560, 60 - → missed 1 40 abandoned_before_ringing 51=10 null=2 52=28
// … within the hours, also if an older call was never answered.
callerHistoryHours=1 | 0 enters 1 51 N, 10 leaves 1, 4000 enters 2 51 N, 4010 leaves 2, 4100 enters 3 51 N, 4105 answered 3 → missed 1 10 abandoned_before_ringing 51=10; missed 2 10 abandoned_before_ringing 51=10; reached 3 5 caller 95 4010 4105 in time 51=5 101=null; answered 3 5 in time 51=5 101=null
// Without the history, or after its hours, nobody is.
| 0 enters 1 51 N, 10 leaves 1, 16 enters 2 51 N, 16 answered 2 → missed 1 10 abandoned_before_ringing 51=10; answered 2 0 in time 51=0 101=null
callerHistoryHours=1 | 0 enters 1 51 N, 10 leaves 1, 4000 enters 2 51 N, 4000 answered 2 → missed 1 10 abandoned_before_ringing 51=10; answered 2 0 in time 51=0 101=null`;

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const options = given === '' ? [] : given.split(' ').map((one) => one.split('='));
	const live = scene(Object.fromEntries(options) as Record<string, unknown>);
	await live.play(steps.replaceAll(' N', ' +33612345678'));
	const second = (at: unknown) => (Date.parse(String(at)) - live.start) / 1000;
	const list = (of: unknown, name: string, value: string) =>
		((of ?? []) as Array<Record<string, unknown>>).map(
			(one) => `${String(one[name])}=${String(one[value])}`,
		);
	const items = live.items.map((item) =>
		[
			...[item.event, item.id_call, item.wait, item.missed_reason, item.by, item.after],
			...[item.missed_at, item.answered_at].map((at) => item.event === 'reached' && second(at)),
			...(item.within_service_level === true ? ['in time'] : []),
			...list(item.queue_waits, 'id_queue', 'wait'),
			...list(item.offered_to, 'agent', 'rang'),
		]
			.filter((part) => part !== undefined && part !== null && part !== false)
			.join(' '),
	);
	expect(items.join('; ')).toBe(expected);
});

it('waits add up to the whole wait, whatever the call went through', () => {
	const moment = fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined });
	const stay = fc.record({
		queue: fc.constantFrom('1', '2', '3'),
		enteredAt: moment,
		leftAt: moment,
		since: fc.constant(0),
	});
	fc.assert(
		fc.property(fc.array(stay), fc.integer({ min: 0, max: 1_000_000 }), (stays, until) => {
			const waits = queueWaits(stays, 0, until);
			expect(waits.reduce((sum, { wait }) => sum + wait, 0)).toBeCloseTo(until / 1000, 6);
			expect(new Set(waits.map(({ queue }) => queue)).size).toBe(waits.length);
		}),
	);
});

it.each([
	['52', 1],
	['51', 0],
])('a caller who was missed in queue 52 passes the filter %s: %i', async (queueIds, count) => {
	const live = new LiveScene(
		{
			mode: 'callOutcomes',
			outcomes: ['reached'],
			filters: { queueIds },
			options: { callerHistoryHours: 24 },
		},
		LOGIN,
	).open();
	const missed = '0 enters 1 52 N, 10 leaves 1 52, 20 -, ';
	await live.play(`${missed}30 enters 2 51 N, 35 answered 2`.replaceAll('N', '+33612345678'));
	await live.play('40 enters 3 52 N, 50 leaves 3 52, 60 -'.replaceAll('N', '+33612345678'));
	expect(live.items).toHaveLength(count);
	await live.play('70 calling 102 - - N, 80 connected 102'.replaceAll('N', '+33612345678'));
	expect(live.items.map(({ by }) => by)).toEqual(['caller', 'agent'].slice(0, 2 * count));
});

describe('an outcome', () => {
	it.each<[FeedStatus, object]>([
		[
			{ event: 'gap', from: 0, to: 1, reason: 'cut' },
			{ event: 'ended', reason: 'feed-gap' },
		],
		[
			{ event: 'disconnected', at: 0, reason: 'cut' },
			{ event: 'ended', reason: 'feed-gap' },
		],
		// A login that was rejected loses nothing by itself.
		[{ event: 'refused', at: 0, reason: 'no', first: true, retryAt: 1 }, { event: 'missed' }],
	])('after the status %j of the feed is %j', async (status, told) => {
		const live = await scene().play('60 enters 7');
		live.report(status);
		await live.play('80 leaves 7, 90 -');
		expect(live.items).toMatchObject([{ partial: 'reason' in told, ...told }]);
	});

	it('has the name of its queue if the user gave one, and is emitted if it is wanted, until the end', async () => {
		const queueNames = { queue: [{ id_queue: '51', name: 'Sales' }] };
		const live = await scene({ queueNames }, ['answered']).play('0 enters 7, 9 answered 7');
		await live.play('10 leaves 7, 20 enters 8, 30 answered 8 51 -, 31 leaves 8, 32 enters 9');
		live.close();
		await live.play('90 -');
		expect(live.items).toMatchObject([
			{ event: 'answered', queue: { id: '51', name: 'Sales' } },
			{ event: 'answered', id_call: '8' },
		]);
		expect(live.clock.pending).toBe(0);
	});
});

describe('the timeline', () => {
	it('contains what was seen of the call, in order, once', async () => {
		const live = scene({ includeTimeline: true });
		live.enters(7);
		await live.at(3);
		const ring = live.event('operator', 'status', {
			id_operator: 101,
			status: 'ringing',
			id_call: 7,
		});
		live.take(ring).take(ring);
		await live.at(9);
		live.answered(7);
		expect(live.items[0]?.timeline).toEqual([
			{
				at: new Date(live.start).toISOString(),
				seconds: 0,
				event: 'insert_call',
				id_queue: '51',
				id_trunk: null,
				agent: null,
				status: null,
			},
			{
				at: new Date(live.start + 3000).toISOString(),
				seconds: 3,
				event: 'status',
				id_queue: null,
				id_trunk: null,
				agent: '101',
				status: 'ringing',
			},
			{
				at: new Date(live.start + 9000).toISOString(),
				seconds: 9,
				event: 'connect_call',
				id_queue: '51',
				id_trunk: null,
				agent: '101',
				status: 'connected',
			},
		]);
		expect(scene().items).toEqual([]);
	});
});

describe('a caller', () => {
	const HISTORY = { callerHistoryHours: 24 };
	const from = (number: string | null) => ({ caller_id_num: number });

	it('is told where it is spoken to again, with who, when and since when', async () => {
		const live = scene(HISTORY, ['reached']);
		await miss(live, 2, 10, from('+33612345678'));
		live.enters(3, 51, from('+33612345678'));
		await live.at(20);
		live.answered(3);
		expect(live.items).toMatchObject([
			{
				type_notification: 'call',
				caller_id_num: '+33612345678',
				missed_at: new Date(live.start + 10_000).toISOString(),
				answered_at: new Date(live.start + 20_000).toISOString(),
				id_operator: '101',
			},
		]);
	});

	it('has a history of earlier calls, by number in whatever form', async () => {
		const live = scene(HISTORY);
		await miss(live, 1, 10, from('+33612345678'));
		live.enters(2, 51, from('0033612345678')).answered(2, 51, 102).leaves(2);
		await live.at(live.now + 10);
		await miss(live, 3, 10, from('06 12 34 56 78'));
		const histories = live.items
			.filter(({ event }) => event !== 'reached')
			.map((item) => item.caller_history);
		expect(histories).toMatchObject([
			{
				calls: 0,
				missed: 0,
				answered: 0,
				last_at: null,
				last_agent: null,
				since: new Date(live.start).toISOString(),
			},
			{ calls: 1, missed: 1, answered: 0, last_at: new Date(live.start).toISOString() },
			{ calls: 1, missed: 1, answered: 0 },
			{ calls: 2, missed: 1, answered: 1, last_agent: '102' },
		]);
	});

	it('without a number has none, and nobody has one unless it is requested', async () => {
		const live = scene(HISTORY);
		await miss(live, 1, 10, from('anonymous'));
		await miss(live, 2, 10, from(null));
		expect(live.items.map((item) => item.caller_history)).toEqual([null, null]);
		const without = scene();
		await miss(without, 1, 10);
		expect(without.items[0]).not.toHaveProperty('caller_history');
	});

	it('has the history from before a call, however long that lasts', async () => {
		const live = scene({ callerHistoryHours: 1 }, ['answered', 'ended']);
		await miss(live, 1, 10, from('+33612345678'));
		live.enters(2, 51, from('+33612345678')).answered(2);
		await live.at(7_300);
		live.leaves(2);
		await live.at(7_310);
		const [answered, ended] = live.items.map((item) => item.caller_history);
		expect(answered).toMatchObject({ calls: 1, missed: 1 });
		expect(ended).toEqual(answered);
	});

	it('who calls more often than is kept has a history with the time from which it is complete', async () => {
		const live = scene(HISTORY, ['missed']);
		for (let call = 1; call <= 60; call++) await miss(live, call, 10, from('+33612345678'));
		const { calls, since } = live.items.at(-1)?.caller_history as { calls: number; since: string };
		const ends = live.items.slice(0, -1).map(({ date }) => String(date));
		expect(calls).toBeGreaterThan(40);
		expect(ends.filter((date) => date >= since)).toHaveLength(calls);
	});
});
