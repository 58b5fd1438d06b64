// Alerts: each kind starts at its moment, is told once for each row and subject, and ends once with its reason. What
// becomes of the callers of real calls is in realCalls.test.ts.

import {
	ALERT_KIND_NAMES,
	kindOf,
	type AlertKindName,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import { LiveScene } from './scene';

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

/** The parameters of alerts; `threshold` stands for the field of its kind. Ends are told. */
function alerts(...rows: Array<Record<string, unknown>>): Record<string, unknown> {
	const alert = rows.map(({ threshold, ...row }) => ({
		...row,
		[kindOf(row.when as AlertKindName).threshold.name]: threshold,
	}));
	return { mode: 'alerts', alerts: { alert }, options: { emitResolved: true } };
}

const scene = (...rows: Array<Record<string, unknown>>) =>
	new LiveScene(alerts(...rows), LOGIN).open();

const WAITING = { when: 'callerWaiting', threshold: 30 };

const told = (live: LiveScene) =>
	live.items.map(({ event, threshold, value, reason }) =>
		[event, threshold, value, reason].filter((part) => part !== undefined),
	);

/**
 * Rows with their thresholds and fields (`agentIds` is a filter), what happens, and what is told: second, event,
 * threshold, value, reason, call, queue, agent.
 */
const CASES = `
callerWaiting 30 | 0 enters 7, 42 answered 7, 300 leaves 7, 400 - → 30 started 30 30 7 51; 42 resolved 30 42 answered 7 51
callersWaiting 2 forSeconds=10 | 0 enters 7, 5 enters 8, 5 enters 9 52, 20 answered 7 → 15 started 2 2 51; 20 resolved 2 1 below 51
agentsAvailableBelow 1 belowForSeconds=0 groupIds=11 | 0 pause 101, 0 pause 103, 1 connected 102 7, 9 available 102 → 1 started 1 0; 9 resolved 1 1 above
agentOnBreak 60 | 0 pause 101 2, 90 unpause 101 2 → 60 started 60 60 101; 90 resolved 60 90 back 101
agentIdle 60 | 0 available 101, 30 available 101, 70 ringing 101 7 → 60 started 60 60 101; 70 resolved 60 70 ended 101
agentRinging 10 | 0 enters 7, 0 ringing 101 7 51, 12 connected 101 7 → 10 started 10 10 7 51 101; 12 resolved 10 12 answered 7 51 101
agentRinging 5 | 10 ringing 101, 20 connected 101 → 15 started 5 5 101; 20 resolved 5 10 answered 101
agentRinging 5 | 10 ringing 101, 20 available 101 → 15 started 5 5 101; 20 resolved 5 10 left 101
agentRinging 5 | 0 calling 101 9, 1 ringing 102 9, 10 connected 102 9 → 6 started 5 5 9 102; 10 resolved 5 9 answered 9 102
callLasting 60 | 0 enters 7, 20 answered 7, 100 leaves 7 → 80 started 60 60 7 51 101; 100 resolved 60 80 ended 7 51 101
missedCalls 2 | 10 enters 7, 20 leaves 7, 30 enters 8, 40 leaves 8, 400 - → 45 started 2 2 51; 320.001 resolved 2 1 below 51
serviceLevelBelow 75 minimumCalls=2 | 0 enters 1, 2 answered 1, 2 enters 2, 6 leaves 2, 16 enters 3, 56 leaves 3, 57 enters 4, 58 answered 4, 58 enters 5, 59 answered 5 → 26.001 started 75 50 3 51; 59 resolved 75 75 above 3 51

// A row has queues of its own: 7 waits in another one, and comes to it with the whole wait.
callersWaiting 1 queueIds=52 | 0 enters 7, 5 enters 8 52, 20 - → 5 started 1 1 52
callerWaiting 30 queueIds=52 + callerWaiting 60 | 0 enters 7, 40 enters 7 52, 70 - → 40 started 30 40 7 52; 60 started 60 60 7 52

// Who moves on has left the row when the event says so, however late it is.
callerWaiting 30 queueIds=51 | 0 enters 7, 0 enters 7 52, 40 leaves 7 51 @34 → 30 started 30 30 7 51; 34 resolved 30 34 left 7 51
// What is due in one run of the timer happens in its order: somebody was free before it was too late.
agentsAvailableBelow 1 belowForSeconds=10 groupIds=11 | 0 pause 102, 0 available 101 none none none 9.95, 0 available 103 none none none 9.9, 20 - →
// At one moment, what time ends goes before what it starts.
agentsAvailableBelow 1 belowForSeconds=10 groupIds=11 | 0 pause 102, 0 available 101 none none none 10, 20 - →

// Equal rows are one; of several levels each tells.
callerWaiting 60 + callerWaiting 30 + callerWaiting 30 + callerWaiting 60 | 0 enters 7, 200 - → 30 started 30 30 7 51; 60 started 60 60 7 51
// Whether the caller gave up is known five seconds after the last queue, unless the call is still somewhere.
callerWaiting 30 | 0 enters 7, 40 leaves 7, 44 - → 30 started 30 30 7 51
callerWaiting 30 | 0 enters 7, 40 leaves 7, 50 - → 30 started 30 30 7 51; 40 resolved 30 40 abandoned 7 51
callerWaiting 30 | 0 trunkIn 7, 0 enters 7, 40 leaves 7, 60 - → 30 started 30 30 7 51; 40 resolved 30 40 left 7 51
// An interruption hides the end of what is, not of what was counted.
callerWaiting 30 | 0 enters 7, 0 enters 8, 35 cut, 100 alert_file 7, 101 - → 30 started 30 30 7 51; 30 started 30 30 8 51; 35 unknown 30 35 feed-gap 7 51; 35 unknown 30 35 feed-gap 8 51; 100 started 30 100 7 51
callersWaiting 2 | 0 enters 7, 0 enters 8, 0 enters 9, 0 cut, 100 - → 0 started 2 2 51; 0 unknown 2 3 feed-gap 51
agentsAvailableBelow 1 belowForSeconds=0 agentIds=101 | 0 pause 101, 0 cut, 50 pause 101 → 0 started 1 0; 0 unknown 1 0 feed-gap; 50 started 1 0
agentOnBreak 10 | 0 pause 101, 11 cut, 100 - → 10 started 10 10 101; 11 unknown 10 11 feed-gap 101
agentIdle 10 | 0 available 101, 11 cut, 100 - → 10 started 10 10 101; 11 unknown 10 11 feed-gap 101
// Who was dropped meanwhile and is back begins anew.
agentIdle 10 | 0 available 101, 11 cut, 20 lists 102 103, 30 available 101, 50 - → 10 started 10 10 101; 11 unknown 10 11 feed-gap 101; 40 started 10 10 101
agentRinging 10 | 0 ringing 101 7, 11 cut, 100 - → 10 started 10 10 7 101; 11 unknown 10 11 feed-gap 7 101
callLasting 60 | 0 enters 7, 0 answered 7, 61 cut → 60 started 60 60 7 51 101; 61 unknown 60 61 feed-gap 7 51 101
missedCalls 2 | 10 enters 7, 20 leaves 7, 30 enters 8, 40 leaves 8, 46 cut, 50 enters 9, 60 leaves 9, 65 - → 45 started 2 2 51
serviceLevelBelow 75 minimumCalls=1 | 0 enters 1, 30 answered 1, 30 cut → 10.001 started 75 0 1 51
// Too few agents only if that is certain: nothing was received about 103 before, who could be free.
callersWaiting 2 forSeconds=10 | 0 enters 7, 0 enters 8, 9 answered 8, 100 - →
agentsAvailableBelow 1 belowForSeconds=0 | 0 available 101, 0 pause 102, 0 logout 101, 10 ringing 103 7, 20 unpause 102 → 10 started 1 0; 20 resolved 1 1 above
agentIdle 60 | 0 available 101, 30 available 101, 70 logout 101 → 60 started 60 60 101; 70 resolved 60 70 logged_out 101
agentRinging 10 | 0 ringing 101 7, 6 ringing 101 8, 20 ringing 101 9, 30 - → 16 started 10 10 8 101; 20 resolved 10 14 left 8 101; 30 started 10 10 9 101
callLasting 60 | 0 enters 7, 0 answered 7, 70 enters 7 52, 70 leaves 7 → 60 started 60 60 7 51 101; 70 resolved 60 70 left 7 51 101
callLasting 60 agentIds=102 | 0 enters 7, 0 answered 7, 30 answered 7 51 102, 70 leaves 7 → 60 started 60 60 7 51 102; 70 resolved 60 70 ended 7 51 102
// It is about whoever has the call now.
callLasting 60 agentIds=101 | 0 enters 7, 0 answered 7, 30 answered 7 51 102, 70 leaves 7 →
callLasting 60 agentIds=101 | 0 enters 7, 0 answered 7, 70 answered 7 51 102, 90 leaves 7 → 60 started 60 60 7 51 101; 70 resolved 60 70 left 7 51 101
callLasting 60 | 0 enters 7, 0 leaves 7, 0 enters 7 52, 5 leaves 7 52, 5 enters 7, 10 answered 7, 71 - → 70 started 60 60 7 51 101
// A call that comes back was not missed.
missedCalls 1 | 0 enters 7, 10 leaves 7, 30 enters 7 52, 40 answered 7 52 → 15 started 1 1 51; 30 resolved 1 0 below 51
// Whoever was late stays late; the exact figure is compared, and shown as finely as it takes; over when no decided call is left.
serviceLevelBelow 75 minimumCalls=4 | 0 enters 1, 2 answered 1, 2 enters 2, 4 answered 2, 4 enters 3, 34 answered 3, 34 enters 4, 65 answered 4, 65 enters 5, 66 answered 5, 66 enters 6, 67 answered 6, 67 enters 7, 68 answered 7, 68 enters 8, 69 answered 8 → 44.001 started 75 50 4 51; 69 resolved 75 75 above 4 51
serviceLevelBelow 66.7 minimumCalls=1 | 0 enters 1, 2 answered 1, 2 enters 2, 4 answered 2, 4 enters 3, 60 - → 14.001 started 66.7 66.67 3 51
serviceLevelBelow 75 minimumCalls=1 | 0 enters 1, 30 answered 1, 400 - → 10.001 started 75 0 1 51; 310.002 resolved 75 above 1 51
// An end that is reported seconds late has the moment at which it happened, but is never before the beginning.
callerWaiting 30 | 0 enters 7, 73 answered 7 @70, 90 - → 30 started 30 30 7 51; 70 resolved 30 70 answered 7 51
callerWaiting 30 | 0 enters 7, 73 leaves 7 @70, 90 - → 30 started 30 30 7 51; 70 resolved 30 70 abandoned 7 51
callersWaiting 1 | 0 enters 7, 73 leaves 7 @70, 90 - → 0 started 1 1 51; 70 resolved 1 0 below 51
callLasting 30 | 0 enters 7, 0 answered 7, 73 leaves 7 @70, 90 - → 30 started 30 30 7 51 101; 70 resolved 30 70 ended 7 51 101
agentOnBreak 30 | 0 pause 101, 73 unpause 101 @70, 90 - → 30 started 30 30 101; 70 resolved 30 70 back 101
agentsAvailableBelow 1 agentIds=101 | 0 pause 101, 73 unpause 101 @70, 90 - → 30 started 1 0; 70 resolved 1 1 above
callerWaiting 30 | 0 enters 7, 31 answered 7 @29 → 30 started 30 30 7 51; 30 resolved 30 30 answered 7 51`;

it('has a case of each kind', () => {
	for (const when of ALERT_KIND_NAMES) expect(CASES).toContain(`\n${when} `);
});

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (rows = '', steps = '', expected = '') => {
	const filters: Record<string, unknown> = {};
	const list = rows.split(' + ').map((row) => {
		const [when, threshold, ...more] = row.split(' ');
		const fields = Object.fromEntries(more.map((one) => one.split('='))) as Record<string, string>;
		const { agentIds, ...own } = fields;
		if (agentIds !== undefined) filters.agentIds = [agentIds];
		return { when, threshold, windowMinutes: 5, ...own };
	});
	const options = { emitResolved: true, serviceLevelSeconds: 10 };
	const live = new LiveScene({ ...alerts(...list), options, filters }, LOGIN).open();
	await live.play(steps);
	const items = live.items.map((item) =>
		[
			(Date.parse(String(item.date)) - live.start) / 1000,
			...[item.event, item.threshold, item.value, item.reason],
			...[item.id_call, item.id_queue, (item.agent as { id?: string } | undefined)?.id],
		]
			.filter((part) => part !== undefined && part !== null)
			.join(' '),
	);
	expect(items.join('; ')).toBe(expected);
});

it('without ends, is told once for a jam that goes on across an interruption', async () => {
	const live = new LiveScene(
		{ mode: 'alerts', alerts: { alert: [{ when: 'callersWaiting', callers: 3 }] } },
		LOGIN,
	).open();
	await live.play('0 enters 1, 1 enters 2, 2 enters 3, 10 cut, 20 alert_file 1, 25 alert_file 2');
	await live.play('30 alert_file 3, 40 answered 1, 40 answered 2, 50 answered 3');
	expect(live.items).toHaveLength(1);
	await live.play('60 enters 4, 61 enters 5, 62 enters 6, 63 -');
	expect(live.items).toHaveLength(2);
});

it.each([
	['callersWaiting', { callers: 2, forSeconds: 60 }, '0 enters 1, 50 enters 2', 110],
	// Whoever was heard of last need not be the one who came last.
	[
		'callersWaiting',
		{ callers: 2, forSeconds: 60 },
		'0 enters 1, 30 enters 2, 40 alert_file 1',
		90,
	],
	[
		'callersWaiting',
		{ callers: 2, forSeconds: 60 },
		'0 enters 1, 10 enters 2, 20 alert_file 1, 40 enters 3',
		70,
	],
	[
		'agentsAvailableBelow',
		{ agents: 1, belowForSeconds: 60 },
		'0 available 101, 0 pause 102, 0 pause 103, 100 connected 101 7, 110 available 102',
		160,
	],
	[
		'agentsAvailableBelow',
		{ agents: 2, belowForSeconds: 60 },
		'0 available 101, 0 available 102, 0 pause 103, 50 ringing 102 8, 80 ringing 101 7, 100 connected 102 8',
		110,
	],
	[
		'agentsAvailableBelow',
		{ agents: 1, belowForSeconds: 30 },
		'0 pause 101, 0 pause 103, 100 pause 102, 104 -',
		130,
	],
])(
	'%s that joins later counts its seconds from when it became true',
	async (when, row, steps, at) => {
		const settings = { mode: 'alerts', alerts: { alert: [{ when, ...row }] } };
		const first = await new LiveScene(settings, LOGIN).open().play(steps);
		await first.at(first.now + 5);
		const joined = first.join(settings, LOGIN).open();
		await first.at(at - 1);
		expect(joined.items).toEqual([]);
		await first.at(at + 1);
		expect(joined.items).toHaveLength(1);
		expect(joined.items).toEqual(first.items);
	},
);

it('a service level that joins later counts what snapshots count: from then on', async () => {
	const first = await new LiveScene({ mode: 'snapshots' }, LOGIN)
		.open()
		.play('0 enters 1, 50 answered 1');
	await first.at(60);
	const alert = [{ when: 'serviceLevelBelow', percent: 80, minimumCalls: 1 }];
	const joined = first.join({ mode: 'alerts', alerts: { alert } }, LOGIN).open();
	await first.play('70 leaves 1, 100 -');
	expect(joined.items).toEqual([]);
});

it('a trigger that ends takes no names with it: the others follow the next login', async () => {
	const first = await new LiveScene({ mode: 'snapshots' }, LOGIN).open().play('0 enters 1');
	const outcomes = { mode: 'callOutcomes', outcomes: ['answered'], filters: { groupIds: ['11'] } };
	const other = first.join(outcomes, LOGIN).open();
	first.close();
	other.logsIn({ ...LOGIN, ops: [...LOGIN.ops, { id: 109, nom: 'Eve', groups: [11] }] });
	await other.play('5 answered 1 51 109, 6 -');
	expect(other.items).toMatchObject([{ event: 'answered', agents: ['109'] }]);
});

it('too few agents are of the newest login that has a list, also for a trigger that joins after one without', async () => {
	const alert = [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 5 }];
	const settings = { mode: 'alerts', alerts: { alert } };
	const first = await new LiveScene(settings, LOGIN).open().play('1 available 101');
	await first.logsIn({ ops: [] }).play('2 available 102, 3 available 103, 10 -');
	const joined = first.join(settings, { ops: [] }).open();
	await first.play('20 pause 101, 21 pause 102, 22 pause 103, 30 -');
	expect(first.items).toHaveLength(1);
	expect(joined.items).toEqual(first.items);
});

it('too few agents of a group follow its members with each login', async () => {
	const row = { when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 0, groupIds: ['11'] };
	const live = new LiveScene({ mode: 'alerts', alerts: { alert: [row] } }, LOGIN).open();
	await live.play('0 available 101, 0 pause 102, 0 pause 103, 1 -');
	live.logsIn({
		...LOGIN,
		ops: LOGIN.ops.map((op) => ({ ...op, groups: op.id === 101 ? [] : [11] })),
	});
	await live.play('10 unpause 103, 11 pause 103, 12 -');
	expect(live.items).toMatchObject([{ group: { id: '11', name: 'Sales' } }]);
});

it.each([
	['agentOnBreak', { breakSeconds: 60 }, '0 pause 101'],
	['agentIdle', { idleSeconds: 60 }, '0 available 101'],
	['callLasting', { callSeconds: 60 }, '0 enters 7, 0 answered 7, 0 connected 101 7 51'],
])('%s follows the groups of a login, though nobody does anything', async (when, row, steps) => {
	const settings = { mode: 'alerts', alerts: { alert: [{ when, ...row }] } };
	const filters = { groupIds: ['12'] };
	const live = await new LiveScene({ ...settings, filters }, LOGIN).open().play(steps);
	await live.at(90);
	live.logsIn({ ...LOGIN, ops: [{ id: 101, nom: 'Ada', groups: [12] }, ...LOGIN.ops.slice(1)] });
	expect(live.items).toEqual([]);
	// The next event of anybody.
	await live.play('91 pause 102, 92 -');
	expect(live.items).toMatchObject([{ event: 'started', when, agent: { id: '101' }, seconds: 91 }]);
});

describe('an alert', () => {
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

	it.each([
		['one that went on is not reported again', '0 pause 101, 11 cut, 12 pause 101, 40 -', 1],
		['a new one is', '0 pause 101, 11 cut, 12 unpause 101, 13 pause 101, 40 -', 2],
	])('after an interruption, without ends, %s', async (_what, steps, times) => {
		const breaks = { ...alerts({ when: 'agentOnBreak', threshold: 10 }), options: {} };
		const live = await new LiveScene(breaks, LOGIN).open().play(steps);
		expect(live.items.map(({ event }) => event)).toEqual(Array(times).fill('started'));
	});

	it('is only watched in the queues and for the numbers of the filters', async () => {
		const filters = { queueIds: '51', callerNumber: '+44207946007' };
		const live = new LiveScene({ ...alerts(WAITING), filters }, LOGIN).open();
		live.enters(7).enters(8).enters(9, 52, { caller_id_num: '+44207946007' });
		await live.at(60);
		expect(live.items.map(({ id_call: id }) => id)).toEqual(['7']);
	});

	it('is told at once if its number comes after its moment, and is one of the filters', async () => {
		const filters = { callerNumber: '+331' };
		const rows = alerts(WAITING, { when: 'callLasting', threshold: 30 });
		const live = new LiveScene({ ...rows, filters }, LOGIN).open();
		await live.play(
			'0 enters 7 51 none, 0 enters 8 51 none, 0 answered 8, 40 ringing 102 7 51 +331, 45 connected 101 8 51 +331, 60 leaves 7, 70 leaves 8, 80 -',
		);
		const items = live.items.map(({ event, value, id_call: id }) => [event, value, id]);
		expect(items).toEqual([
			['started', 40, '7'],
			['started', 45, '8'],
			['resolved', 60, '7'],
			['resolved', 70, '8'],
		]);
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

	it.each([
		[1, 'Agents: none available'],
		[2, 'Agents: fewer than 2 available'],
	])('of fewer than %i agents says "%s"', async (threshold, summary) => {
		const few = { when: 'agentsAvailableBelow', threshold, belowForSeconds: 0 };
		const filters = { agentIds: ['101', '102'] };
		const live = new LiveScene({ ...alerts(few), filters }, LOGIN).open();
		await live.play('0 available 101, 0 pause 102, 0 available 102, 5 pause 102, 9 pause 101');
		expect(live.items.map((item) => item.summary)).toContain(summary);
	});

	it('names the agent and the break, or why it is over', async () => {
		const live = scene({ when: 'agentOnBreak', threshold: 60 });
		await live.play('0 pause 101 2, 60 -');
		expect(live.items).toMatchObject([{ agent: { id: '101', name: 'Ada' }, pause: { id: '2' } }]);
		// A break goes on through the agent's own calls, also if another type is chosen meanwhile.
		await live.play('70 calling 101 9, 75 pause 101 3, 80 unpause 101');
		expect(live.items[1]).toMatchObject({ event: 'resolved', pause: { id: '3' } });
		const level = { when: 'serviceLevelBelow', threshold: 75, windowMinutes: 5, minimumCalls: 1 };
		const calls = await scene(level).play('0 enters 1, 30 answered 1, 400 -');
		expect(calls.items.at(-1)?.summary).toBe(
			'Service Level Too Low is over after 300 s: Queue 51: no calls in the window',
		);
	});
});

describe('triggers on one feed', () => {
	it('count an event once, also one of several that the feed still held back when one of them left', async () => {
		const first = new LiveScene({ mode: 'snapshots', every: 1 }, LOGIN).open();
		const leaving = first.join(alerts(WAITING), LOGIN).open();
		const enters = first.event('queue', 'insert_call', { id_call: 7, id_queue: 51 });
		const leaves = first.event('queue', 'delete_call', { id_call: 7, id_queue: 51 });
		leaving.take(enters).take(leaves).close();
		first.take(enters).take(leaves);
		await first.at(5);
		expect(first.items.at(-1)).toMatchObject({ offered: 1, short_abandoned: 1 });
	});

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
