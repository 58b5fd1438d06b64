// Snapshots of what goes on, with the figures of the period so far. The figures of real calls are in realCalls.test.ts.

import { periodOf } from '../../../../nodes/VoiceManagementTrigger/callCentre/calendar';
import { LiveScene } from './scene';

const LOGIN = {
	ops: [
		{ id: 101, nom: 'Ada', groups: [11] },
		{ id: 102, nom: 'Ben', groups: [12] },
	],
	pauses: [{ id: 2, value: 'Coffee' }],
};

const snapshots = (more: Record<string, unknown> = {}) => ({
	mode: 'snapshots',
	snapshotOf: [],
	every: 10,
	...more,
});
const scene = (more: Record<string, unknown> = {}) => new LiveScene(snapshots(more), LOGIN).open();
describe('a snapshot', () => {
	it('is emitted as soon as the feed has opened, with null for what is still unknown', () => {
		const live = scene();
		expect(live.executions).toHaveLength(1);
		expect(live.items.map(({ event }) => event)).toEqual(['agent', 'agent', 'totals']);
		const opened = new Date(live.start).toISOString();
		// The day began at midnight in Paris, thirteen hours before.
		const period = {
			from: new Date(live.start - 13 * 3_600_000).toISOString(),
			counted_since: opened,
			complete: false,
			missed_seconds: 46_800,
		};
		expect(live.items[0]).toEqual({
			type_notification: 'snapshot',
			event: 'agent',
			date: opened,
			agent: { id: '101', name: 'Ada', groups: [{ id: '11', name: null }] },
			state: null,
			pause: null,
			since: null,
			seconds: null,
			id_call: null,
			id_queue: null,
			answered: 0,
			not_answered: 0,
			talk_seconds: null,
			ringing_seconds: null,
			wrap_up_seconds: null,
			available_seconds: null,
			break_seconds: null,
			occupancy: null,
			...period,
		});
		expect(live.items[2]).toMatchObject({
			agents_unknown: 2,
			agents_available: 0,
			agents_talk_seconds: null,
			service_level: null,
			wrap_up_seconds: null,
			...period,
		});
	});

	it('has the seconds of an agent whose state is known since this moment: none yet', async () => {
		const live = new LiveScene(snapshots({ snapshotOf: ['agents'] })).open();
		await live.play('1 available 101, 2 -');
		expect(live.items).toMatchObject([
			{ state: 'available', seconds: 0, available_seconds: 0, break_seconds: 0, occupancy: null },
		]);
	});

	it('takes back what it counted late, if the caller comes back in the same period', async () => {
		const live = scene({ snapshotOf: ['queues'], period: '5' });
		// That the caller left before the period began is known when the one before was told.
		await live.play('200 enters 7, 305 leaves 7 51 @298, 307 enters 7 52');
		await live.at(310);
		const [sales, support] = live.executions.at(-1) ?? [];
		expect(sales).toMatchObject({ waiting_before: 1, abandoned: 0, overflowed: 1, waiting: 0 });
		expect(support).toMatchObject({ offered: 1, waiting: 1 });
	});

	it('counts for its agent a caller whose wait an interruption hid', async () => {
		const live = scene({ snapshotOf: ['agents'] });
		await live.play(
			'0 enters 7 52, 10 cut, 20 leaves 7, 20 answered 7 - none, 21 connected 101 7 51',
		);
		await live.at(30);
		expect(live.executions.at(-1)?.[0]).toMatchObject({ state: 'talking', answered: 1 });
	});

	it.each([
		['0 ringing 101 7 51, 4 enters 7', { offered: 1, waiting: 1 }],
		// The caller was there already: who waited before still does.
		['0 ringing 101 7 51, 20 enters 7', { offered: 0, waiting_before: 1, waiting: 1 }],
		['0 enters 7, 5 cut, 9 ringing 101 7 51, 10 enters 7', { offered: 2, unknown: 1, waiting: 1 }],
		// Said again at the answer, it is no other stay.
		['0 enters 7, 9 answered 7, 10 enters 7', { offered: 1, answered: 1, talking: 1 }],
	])('sees an entry behind the first ring: %s', async (steps, expected) => {
		const live = scene({ snapshotOf: ['queues'] });
		await live.play(steps);
		await live.at(30);
		expect(live.executions.at(-1)?.[0]).toMatchObject(expected);
	});

	it.each([
		[
			'280 enters 7, 299.9 leaves 7, 300.1 answered 7, 320 -',
			{ offered: 1, waiting: 1, abandoned: 0 },
		],
		[
			'0 enters 7, 10 answered 7, 290 cut, 305 answered 7, 320 -',
			{ offered: 1, waiting: 0, talking: 1, talks: 0 },
		],
	])('shows what was when the period ended, as it was known soon after: %s', async (steps, row) => {
		const live = scene({ snapshotOf: ['queues'], snapshotWhen: 'interval', period: '5' });
		await live.play(steps);
		expect(live.items[0]).toMatchObject(row);
		expect(live.items[0]?.waiting_before).toBeUndefined();
	});

	it('of a trigger that joins later counts nobody late who was before', async () => {
		const live = scene({ snapshotOf: ['queues'] });
		await live.play('0 enters 7, 30 -');
		const joined = live.join(snapshots({ snapshotOf: ['queues'] }), LOGIN).open();
		expect(joined.items.at(-1)).toMatchObject({ waiting: 1, waiting_before: 1, late: 0 });
	});

	it('measures a talk that two interruptions cut, from where the last period was told', async () => {
		const live = scene({ snapshotOf: ['queues'], period: '5' });
		const seen = 'connected 101 7 51';
		await live.play(
			`0 enters 7, 0 answered 7, 0 ${seen}, 290 cut, 310 ${seen}, 320 cut, 330 ${seen}`,
		);
		await live.at(340);
		expect(live.executions.at(-1)?.[0]).toMatchObject({ talks: 0, talk_seconds: 0, talking: 1 });
		await live.play('350 leaves 7');
		await live.at(370);
		expect(live.executions.at(-1)?.[0]).toMatchObject({ talks: 1, talk_seconds: 60 });
	});

	it('is only emitted if something other than times has changed', async () => {
		const live = scene();
		live.enters(7);
		await live.at(10);
		expect(live.executions).toHaveLength(2);
		// After 20 seconds the caller is late.
		await live.at(60);
		expect(live.executions).toHaveLength(3);
		live.leaves(7);
		await live.at(70);
		expect(live.executions).toHaveLength(4);
		const each = scene({ onlyWhenChanged: false });
		await each.at(60);
		expect(each.executions).toHaveLength(7);
		each.close();
		expect(each.clock.pending).toBe(0);
	});

	it('of agents alone is not emitted for a call, nor for a login that lists the same ones', async () => {
		const live = scene({ snapshotOf: ['agents'] });
		await live.play('10 enters 1, 30 leaves 1, 50 -');
		live.logsIn({ ...LOGIN });
		await live.at(100);
		expect(live.executions).toHaveLength(1);
	});

	it('of queues alone is not emitted for what agents do', async () => {
		const live = scene({ snapshotOf: ['queues'] });
		await live.play('0 enters 7, 5 available 101, 15 pause 101, 25 unpause 101, 60 -');
		// The second one: the caller is late.
		expect(live.items.map(({ late }) => late)).toEqual([0, 1]);
	});

	it('is not emitted again while nothing happens', async () => {
		const live = scene();
		await live.at(60);
		expect(live.executions).toHaveLength(1);
	});

	it('shows what was requested, for the queues and agents of the filters', async () => {
		const live = scene({ snapshotOf: ['queues'], filters: { queueIds: '51' } });
		expect(live.items).toMatchObject([{ event: 'queue', id_queue: '51', waiting: 0 }]);
		live.enters(7, 52).enters(8, 51);
		await live.at(10);
		expect(live.executions.at(-1)).toMatchObject([{ id_queue: '51', waiting: 1 }]);
		const agents = scene({ snapshotOf: ['agents'], filters: { agentIds: ['102'] } });
		expect(agents.items).toMatchObject([{ agent: { id: '102' } }]);
	});

	it('shows the agents of the newest login', async () => {
		const live = scene({ snapshotOf: ['agents'] });
		await live.logsIn({ ops: [{ id: 103, nom: 'Cy' }] }).at(10);
		expect(live.executions.at(-1)).toMatchObject([{ agent: { id: '103', name: 'Cy' } }]);
	});

	it('of a group follows its agents also while a login has them in another one', async () => {
		const live = scene({ snapshotOf: ['agents'], filters: { groupIds: ['11'] } });
		const [ada, ben] = LOGIN.ops;
		await live.play('0 available 101, 0 pause 102, 15 -');
		live.logsIn({ ops: [{ ...ada, groups: [12] }, ben] });
		await live.play('20 logout 101, 25 -');
		live.logsIn({ ops: LOGIN.ops.map((op) => ({ ...op, groups: [11] })) });
		await live.play('30 -');
		expect(live.executions.at(-1)).toMatchObject([
			{ agent: { id: '101' }, state: 'logged_out', available_seconds: 20 },
			{ agent: { id: '102' }, state: 'on_break', break_seconds: 30 },
		]);
	});

	it('counts of a period what was in it, though none was told for hours', async () => {
		const live = scene({
			snapshotOf: ['agents'],
			every: 1800,
			period: '5',
			onlyWhenChanged: false,
		});
		await live.play('0 available 101');
		await live.at(3600);
		for (const item of live.items) {
			const age = (Date.parse(String(item.date)) - Date.parse(String(item.from))) / 1000;
			expect(age).toBeLessThan(300);
			expect(item.available_seconds ?? 0).toBeLessThanOrEqual(age);
		}
		expect(live.executions).toHaveLength(3);
	});

	it.each([
		// The ring counts as not answered two seconds after it stopped.
		['a ring', '0 enters 7, 2 ringing 101 7 51, 10 available 101, 11 lists 102, 11 enters 8, 40 -'],
		[
			'a talk',
			'0 enters 7, 2 answered 7, 2 connected 101 7 51, 10 leaves 7, 11 lists 102, 11 enters 8, 40 -',
		],
	])(
		'has no row of an agent whom a login does not list any more: after %s',
		async (_what, steps) => {
			const live = await scene({ snapshotOf: ['agents'], every: 1 }).play(steps);
			expect(live.executions.at(-1)).toMatchObject([{ agent: { id: '102' } }]);
		},
	);

	it('waits for the first queue if there is nothing else to show', () => {
		const live = scene({ snapshotOf: ['queues'] });
		expect(live.executions).toEqual([]);
		live.enters(7);
		expect(live.executions).toMatchObject([[{ id_queue: '51', waiting: 1 }]]);
	});
});

/** Parameters and options, what happens, and what the last snapshot says of queues, agents and the totals. */
const CASES = `
// Who waits and talks where, and what each agent does, for how long.
| 1 enters 7, 1 enters 8, 1 enters 9 52, 1 pause 102 2, 5 ringing 101 7 51, 8 answered 7, 8 connected 101 7 51, 10 - → q51 waiting=1 longest_wait=9 longest_wait_of_period=9 talking=1 offered=2 answered=1 answered_in_time=1 abandoned=0 service_level=100 average_speed_of_answer=7 average_talk=null; q52 waiting=1 offered=1 service_level=null; a101 state=talking seconds=2 id_call=7 id_queue=51 answered=1 not_answered=0 ringing_seconds=3 talk_seconds=2; a102 state=on_break pause={"id":"2","name":"Coffee"} seconds=9 break_seconds=9; totals agents_talking=1 agents_on_break=1 waiting=2 offered=3
| 1 pause 102 2, 21 pause 102 3, 30 - → a102 state=on_break pause={"id":"3","name":null} seconds=29
// A caller who has left counts at once, as short or not.
every=1 shortAbandonSeconds=5 | 0 enters 7, 0 enters 8, 4 leaves 7, 6 leaves 8, 7 - → q51 offered=2 abandoned=1 abandoned_in_time=1 short_abandoned=1 waiting=0 service_level=0 abandonment_rate=100 abandon_wait_seconds=10
every=1 | 0 enters 1, 0 answered 1, 0 enters 2, 20 - → q51 late=0 service_level=100
every=1 | 0 enters 1, 0 answered 1, 0 enters 2, 21 - → q51 late=1 service_level=50
// Talk, wrap-up and handle time, without the second wait; wrap-up until its end, or until the next event.
| 0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 leaves 7, 40 enters 7 52, 40 available 101 7 51 - 8, 45 answered 7 52 102, 45 connected 102 7 52, 50 leaves 7 52, 50 available 102 7 52, 60 - → q51 average_speed_of_answer=10 talks=1 talk_seconds=30 wrap_up_seconds=8 average_handle_time=38; q52 average_talk=5 wrap_up_seconds=0 average_handle_time=5; a101 talk_seconds=30 wrap_up_seconds=8 available_seconds=12 occupancy=76; a102 talk_seconds=5 wrap_up_seconds=0 available_seconds=10 occupancy=33.3; totals average_talk=17.5 wrap_up_seconds=8 average_handle_time=21.5 agents_talk_seconds=35 agents_available_seconds=22 occupancy=66.2
every=1 | 0 connected 101 7, 5 available 101 7 - - 10, 14 - → a101 state=wrap_up; totals agents_wrap_up=1
every=1 | 0 connected 101 7, 5 available 101 7 - - 10, 16 - → a101 state=available; totals agents_available=1
every=1 | 0 connected 101 7, 4 available 101 7 - - 10, 6 available 101, 7 - → a101 state=available
// The connection stood still: what arrives at once still happened in its order.
| 70 connected 101 7 51 - @50, 70 available 101 @61, 80 - → a101 state=available
// … and over the end of a period: who was answered in time was not late before.
period=5 serviceLevelSeconds=5 | 0 available 101, 302.5 enters 7 51 - @294, 302.5 answered 7 51 101 @295, 310 - → q51 answered_in_time=1 late=0 service_level=100
// Of a dropped agent the last talk is forgotten: a wrap-up that is announced later is of no queue.
| 0 enters 7, 2 answered 7, 2 connected 101 7 51, 10 leaves 7, 11 lists 102, 20 available 101 none none none 8, 30 - → q51 talks=1 talk_seconds=8 wrap_up_seconds=0
// A status that no document lists: what the agent did before is over.
every=1 | 0 available 101, 5 held 101, 7 - → a101 state=null since=null available_seconds=5; totals agents_available=0`;

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const {
		every = 10,
		period = 'day',
		...options
	} = Object.fromEntries(
		given === '' ? [] : given.split(' ').map((one) => one.split('=')),
	) as Record<string, string>;
	const live = await scene({ every, period, options }).play(steps);
	const shown = (live.executions.at(-1) ?? []).map((item): [string, typeof item] => {
		const { id } = (item.agent ?? {}) as { id?: string };
		const names: Record<string, string> = { queue: `q${item.id_queue as string}`, agent: `a${id}` };
		return [names[String(item.event)] ?? String(item.event), item];
	});
	const items = new Map(shown);
	const told = expected.split('; ').map((part) => {
		const [name = '', ...fields] = part.split(' ');
		const values = fields.map((field) => {
			const [key = ''] = field.split('=');
			const value = items.get(name)?.[key];
			return `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
		});
		return [name, ...values].join(' ');
	});
	expect(told.join('; ')).toBe(expected);
});

describe('a day', () => {
	it.each<[string, string, string, number]>([
		['of 24 hours', '2026-01-15T12:00:00Z', 'Europe/Paris', 24],
		['on which summer time begins', '2026-03-29T12:00:00Z', 'Europe/Paris', 23],
		['on which it ends', '2026-10-25T12:00:00Z', 'Europe/Paris', 25],
		['that begins at one o’clock', '2024-09-08T15:00:00Z', 'America/Santiago', 23],
		['half an hour off', '2026-01-15T12:00:00Z', 'Asia/Kolkata', 24],
	])('%s', (_name, at, zone, hours) => {
		const { from, until } = periodOf(Date.parse(at), 'day', zone);
		expect((until - from) / 3_600_000).toBe(hours);
		expect(from).toBeLessThanOrEqual(Date.parse(at));
		// Its first and last moments belong to it.
		expect(periodOf(from, 'day', zone)).toEqual({ from, until });
		expect(periodOf(until - 1, 'day', zone)).toEqual({ from, until });
		expect(periodOf(until, 'day', zone).from).toBe(until);
	});
});
