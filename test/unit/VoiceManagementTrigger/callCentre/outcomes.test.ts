// Outcomes with their reasons: why a call was missed, offers, waits by queue, the timeline, the caller's history, and
// callers who were spoken to again.

import fc from 'fast-check';
import {
	queueWaits,
	type CallEvent,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/callHistory';
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

describe('why a call was missed', () => {
	it('the caller gave up at once, according to the setting', async () => {
		const live = scene({ shortAbandonSeconds: 8 });
		await miss(live, 7, 7);
		await miss(live, 8, 8);
		expect(live.items.map((item) => item.missed_reason)).toEqual([
			'short_abandoned',
			'abandoned_before_ringing',
		]);
	});

	it('agents let it ring: which ones, and for how long', async () => {
		const live = scene();
		live.enters(7);
		await live.at(2);
		live.agent(101, 'ringing', { id_call: 7, id_queue: 51 });
		await live.at(12);
		live.agent(101, 'available').agent(102, 'ringing', { id_call: 7, id_queue: 51 });
		await live.at(20);
		live.leaves(7);
		await live.at(30);
		expect(live.items).toMatchObject([
			{
				event: 'missed',
				missed_reason: 'agents_did_not_answer',
				offered_to: [
					{ agent: '101', rang: 10 },
					{ agent: '102', rang: null },
				],
				within_service_level: false,
			},
		]);
	});

	it("an agent let it ring who is only known from the queue's events", async () => {
		const live = scene();
		const rings = { id_call: 7, id_queue: 51, status: 'ringing' };
		live.enters(7).send('queue', 'connect_call', { ...rings, id_operator: 102 });
		await live.at(1);
		live.agent(101, 'ringing', { id_call: 7 });
		live.send('queue', 'connect_call', { ...rings, id_operator: 101 });
		await live.at(10);
		live.agent(101, 'available');
		await live.at(20);
		live.leaves(7);
		await live.at(30);
		expect(live.items).toMatchObject([
			{
				missed_reason: 'agents_did_not_answer',
				offered_to: [
					{ agent: '102', rang: null },
					{ agent: '101', rang: 9 },
				],
			},
		]);
	});

	it('the operator reported that there were not enough agents', async () => {
		const live = scene();
		live.enters(7).send('queue', 'alert_op', { id_call: 7, id_queue: 51 });
		await miss(live, 7, 20);
		expect(live.items).toMatchObject([{ missed_reason: 'no_available_agent' }]);
	});

	it('every agent of the login was unavailable all the time', async () => {
		const live = scene();
		live.does(101, 'pause').does(102, 'logout');
		await live.at(10);
		await miss(live, 7, 20);
		live.does(101, 'unpause');
		await live.at(live.now + 10);
		live.does(101, 'pause');
		await live.at(live.now + 10);
		await miss(live, 8, 20);
		live.enters(9);
		await live.at(live.now + 5);
		live.does(101, 'unpause').does(101, 'pause');
		await miss(live, 9, 20);
		expect(live.items.map((item) => item.missed_reason)).toEqual([
			'no_available_agent',
			'no_available_agent',
			'abandoned_before_ringing',
		]);
		const unknown = scene();
		unknown.does(101, 'pause');
		await unknown.at(5);
		await miss(unknown, 7, 20);
		expect(unknown.items).toMatchObject([{ missed_reason: 'abandoned_before_ringing' }]);
	});

	it('the feed does not report calls that are only routed', async () => {
		const live = scene();
		live.send('trunk', 'insert_call', { id_call: 7, id_trunk: 9 });
		await live.at(20);
		live.send('trunk', 'delete_call', { id_call: 7, id_trunk: 9 });
		await live.at(30);
		expect(live.items).toMatchObject([{ event: 'missed', missed_reason: null }]);
	});
});

describe('waits', () => {
	it('are divided among the queues', async () => {
		const live = scene({ serviceLevelSeconds: 30 });
		live.send('trunk', 'insert_call', { id_call: 7, id_trunk: 9 });
		await live.at(2);
		live.enters(7);
		await live.at(22);
		live.leaves(7).enters(7, 52);
		await live.at(30);
		live.answered(7, 52);
		expect(live.items).toMatchObject([
			{
				event: 'answered',
				wait: 30,
				within_service_level: true,
				missed_reason: null,
				queue_waits: [
					{ id_queue: null, wait: 2 },
					{ id_queue: '51', wait: 20 },
					{ id_queue: '52', wait: 8 },
				],
				offered_to: [{ agent: '101', rang: null }],
			},
		]);
	});

	it('are unknown, like the whole wait, if an interruption may have hidden the answer', async () => {
		const live = scene();
		live.enters(7);
		await live.at(10);
		live.cut();
		await live.at(30);
		live.leaves(7);
		await live.at(40);
		expect(live.items).toMatchObject([{ event: 'ended', wait: null, queue_waits: null }]);
	});

	it('add up to the whole wait, whatever the call went through', () => {
		const moves = fc.array(
			fc.record({ at: fc.integer({ min: 0, max: 1000 }), queue: fc.constantFrom('1', '2', '3') }),
			{ maxLength: 20 },
		);
		fc.assert(
			fc.property(moves, fc.integer({ min: 0, max: 1000 }), (list, until) => {
				const events = list
					.sort((a, b) => a.at - b.at)
					.map(({ at, queue }): CallEvent => ({
						kind: 'insert',
						place: `queue:${queue}`,
						at: at * 1000,
						seen: 0,
					}));
				const waits = queueWaits(events, 0, until * 1000);
				expect(waits.reduce((sum, { wait }) => sum + wait, 0)).toBeCloseTo(until, 6);
				expect(new Set(waits.map(({ queue }) => queue)).size).toBe(waits.length);
			}),
		);
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

	it('who missed an answer calls again and gets one: returned, once', async () => {
		const live = scene(HISTORY, ['reached']);
		await miss(live, 1, 10, from('+33612345678'));
		await miss(live, 2, 10, from('+33612345678'));
		await live.at(100);
		live.enters(3, 51, from('+33612345678'));
		await live.at(105);
		live.answered(3).leaves(3);
		await live.at(200);
		live.enters(4, 51, from('+33612345678')).answered(4);
		expect(live.items).toMatchObject([
			{
				type_notification: 'call',
				event: 'reached',
				id_call: '3',
				caller_id_num: '+33612345678',
				missed_at: new Date(live.start + 10_000).toISOString(),
				after: 95,
				by: 'caller',
				id_operator: '101',
			},
		]);
		expect(live.items).toHaveLength(1);
	});

	it('who was missed is called back and answers: returned by an agent', async () => {
		const live = scene(HISTORY, ['reached']);
		await miss(live, 1, 10, from('+33612345678'));
		const call = { id_call: 900, caller_id_num: '+33612345678' };
		live.agent(102, 'calling', call);
		await live.at(40);
		expect(live.items).toEqual([]);
		live.agent(102, 'connected', call);
		expect(live.items).toMatchObject([
			{ event: 'reached', by: 'agent', after: 30, id_operator: '102', id_call: '900', wait: null },
		]);
		live.agent(102, 'available').agent(102, 'calling', call).agent(102, 'connected', call);
		expect(live.items).toHaveLength(1);
	});

	it('is recognized as called back, whichever event of that call has the number, and whatever the clock shows', async () => {
		const hourAhead = 3_600;
		const number = { caller_id_num: '+33612345678' };
		for (const [calling, connected] of [
			[{ id_call: 900, ...number }, { id_call: 900 }],
			[{ ...number }, {}],
			[{ id_call: 900, ...number }, {}],
			[{ id_call: 900 }, { id_call: 900, ...number }],
		]) {
			const live = scene(HISTORY, ['reached']);
			const sends = (type: string, event: string, msg: Record<string, unknown>) =>
				live.send(type, event, msg, hourAhead + live.now);
			sends('queue', 'insert_call', { id_call: 1, id_queue: 51, ...number });
			await live.at(10);
			sends('queue', 'delete_call', { id_call: 1, id_queue: 51 });
			await live.at(30);
			sends('operator', 'status', { id_operator: 102, status: 'calling', ...calling });
			await live.at(40);
			sends('operator', 'status', { id_operator: 102, status: 'connected', ...connected });
			expect(live.items).toMatchObject([
				{
					by: 'agent',
					missed_at: new Date(live.start + (hourAhead + 10) * 1000).toISOString(),
					answered_at: new Date(live.start + (hourAhead + 40) * 1000).toISOString(),
					after: 30,
				},
			]);
		}
	});

	it('is spoken to before the call is known to be missed: returned, once', async () => {
		const number = from('+33612345678');
		const live = scene(HISTORY, ['missed', 'reached']);
		live.enters(1, 51, number);
		await live.at(10);
		live.leaves(1);
		await live.at(11);
		live.enters(2, 51, number);
		await live.at(13);
		live.answered(2);
		await live.at(30);
		live.leaves(2).enters(3, 51, number).answered(3);
		await live.at(60);
		const back = scene(HISTORY, ['missed', 'reached']);
		back.enters(1, 51, number);
		await back.at(10);
		back.leaves(1).agent(102, 'calling', number);
		await back.at(12);
		back.agent(102, 'connected', number);
		await back.at(60);
		const told = [live, back].map(({ items }) =>
			items.map(({ event, by, after }) => [event, by, after]),
		);
		expect(told).toEqual([
			[
				['missed', undefined, undefined],
				['reached', 'caller', 3],
			],
			[
				['missed', undefined, undefined],
				['reached', 'agent', 2],
			],
		]);
	});

	it('who was spoken to on one line before giving up on another one was not called back', async () => {
		const live = scene(HISTORY, ['missed', 'reached']);
		live.enters(1, 51, from('+33612345678')).enters(2, 52, from('+33612345678'));
		await live.at(10);
		live.answered(1);
		await live.at(12);
		live.leaves(2, 52);
		await live.at(60);
		expect(live.items.map(({ event }) => event)).toEqual(['missed']);
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

	it('is not reported as returned without the history, nor after its hours', async () => {
		const without = scene({}, ['reached']);
		await miss(without, 1, 10, from('+33612345678'));
		without.enters(2, 51, from('+33612345678')).answered(2);
		expect(without.items).toEqual([]);
		const late = scene({ callerHistoryHours: 1 }, ['reached']);
		await miss(late, 1, 10, from('+33612345678'));
		await late.at(4000);
		late.enters(2, 51, from('+33612345678')).answered(2);
		expect(late.items).toEqual([]);
	});
});
