// The trigger's modes of the call centre in a real n8n: alerts of every kind, an interruption in the middle of each,
// outcomes with reasons, and a test run of each mode.
import { itemsOf } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { startSink, type Sink } from '../support/sink';
import { chain, noOpNode, reportNode, TRIGGER, triggerNode } from '../support/workflows';

/** How long a person in the editor would wait, on a busy machine: half as long as a test run that shows nothing. */
const SECONDS_MS = 60_000;

type Item = Record<string, unknown>;

let bench: Bench;
let sink: Sink;

beforeAll(async () => {
	bench = await shareBench();
	sink = await startSink();
});

afterAll(async () => {
	await bench?.close();
	await sink?.close();
});

async function rest(): Promise<void> {
	await bench.quiet();
	await bench.provider.control.waitForSockets(0);
	sink.clear();
}

/** Publishes a workflow that reports what its trigger emits. */
async function listenWith(parameters: Item): Promise<void> {
	const { client, provider } = bench;
	const workflow = await bench.workflow(
		chain(`Live: ${String(parameters.mode)}`, [triggerNode(parameters), reportNode(sink.url)]),
	);
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await provider.control.waitForSockets(1);
}

const items = (): Item[] => sink.reports.flatMap((report) => report.items);

/** Waits until the items so far satisfy a condition; fails with the items if they never do. */
async function until(enough: (items: Item[]) => boolean): Promise<void> {
	if (await sink.settled(() => enough(items()), 30_000)) return;
	throw new Error(`not among these: ${JSON.stringify(items(), undefined, ' ')}`);
}

const queue = (event: string, call: number, id: number, more: Item = {}) =>
	bench.provider.control.send('queue', event, { id_call: call, id_queue: id, ...more });
const enters = (call: number, id: number) =>
	queue('insert_call', call, id, { caller_id_num: `+33199000${call}` });
const answered = (call: number, id: number, agent: number) =>
	queue('connect_call', call, id, { id_operator: agent, status: 'connected' });
const leaves = (call: number, id: number) => queue('delete_call', call, id);
const status = (agent: number, state: string, more: Item = {}) =>
	bench.provider.control.send('operator', 'status', {
		id_operator: agent,
		status: state,
		...more,
	});
const does = (agent: number, action: string, supp: unknown = null) =>
	bench.provider.control.send('UI', action, { id_operator: agent, supp });

/** Logs the other agents out. */
function othersLeave(...staying: number[]): void {
	for (const { id } of bench.provider.plan.agents) if (!staying.includes(id)) does(id, 'logout');
}

describe('alerts', () => {
	// Every kind in one workflow, with thresholds of a second or two, so that each test takes about as long.
	const ROWS = [
		{ when: 'callerWaiting', waitSeconds: 1 },
		{ when: 'callerWaiting', waitSeconds: 2 },
		{ when: 'callersWaiting', callers: 3 },
		{ when: 'agentsAvailableBelow', agents: 2, belowForSeconds: 0 },
		{ when: 'agentOnBreak', breakSeconds: 1 },
		{ when: 'agentIdle', idleSeconds: 1 },
		{ when: 'agentRinging', ringSeconds: 1 },
		{ when: 'callLasting', callSeconds: 1 },
		{ when: 'missedCalls', calls: 2, windowMinutes: 5 },
		{
			when: 'serviceLevelBelow',
			percent: 60,
			windowMinutes: 5,
			minimumCalls: 2,
		},
	];
	const KINDS = [...new Set(ROWS.map(({ when }) => when))];
	/** The others are about what was counted, which an interruption does not change. */
	const ABOUT_NOW = KINDS.filter((kind) => !['missedCalls', 'serviceLevelBelow'].includes(kind));

	beforeAll(async () => {
		await listenWith({
			mode: 'alerts',
			alerts: { alert: ROWS },
			options: { emitResolved: true, serviceLevelSeconds: 1, shortAbandonSeconds: 0 },
		});
	});

	afterAll(rest);

	beforeEach(() => {
		sink.clear();
	});

	test('callerWaiting: both levels, at their second, until the caller is answered', async () => {
		/** In a fixed order, since simultaneous executions report in any order. */
		const told = () =>
			items()
				.filter(({ when }) => when === 'callerWaiting')
				.map(({ event, threshold, reason }) => [event, threshold, reason].join(' '))
				.sort();
		enters(1, 301);
		await until(() => told().length >= 2);
		answered(1, 301, 501);
		await until(() => told().length >= 4);
		expect(told()).toEqual([
			'resolved 1 answered',
			'resolved 2 answered',
			'started 1 ',
			'started 2 ',
		]);
		const started = (level: number) =>
			items().find(
				({ when, event, threshold }) =>
					when === 'callerWaiting' && event === 'started' && threshold === level,
			);
		expect(started(1)).toMatchObject({
			type_notification: 'alert',
			id_call: '1',
			id_queue: '301',
			caller_id_num: '+331990001',
		});
		expect(started(2)).toMatchObject({ id_call: '1' });
		// On a busy machine it is reported some seconds late, with the value of that time; with a fake clock, at its
		// second.
		for (const level of [1, 2]) expect(started(level)?.value).toBeGreaterThanOrEqual(level);
		leaves(1, 301);
	});

	test('an interruption in the middle of each makes it unknown, and it is not reported as over', async () => {
		for (const call of [11, 12]) {
			enters(call, 302);
			leaves(call, 302);
		}
		for (const call of [71, 72, 73]) enters(call, 301);
		// Too late for the service level of their queue.
		for (const call of [77, 78]) enters(call, 303);
		await until((all) => all.some(({ threshold, id_call: id }) => threshold === 2 && id === '78'));
		for (const call of [77, 78]) answered(call, 303, 501);
		othersLeave(501, 502, 503, 504);
		status(501, 'connected', { id_call: 78, id_queue: 303 });
		does(502, 'pause', 1);
		status(503, 'available');
		status(504, 'ringing', { id_call: 73, id_queue: 301 });
		await until((all) =>
			KINDS.every((kind) => all.some(({ when, event }) => when === kind && event === 'started')),
		);
		expect(items().find(({ when }) => when === 'agentOnBreak')).toHaveProperty('agent.name');
		// The ends of what both callers who were answered had started, at both levels: none of them is on its way any more.
		const over = () =>
			items().filter(({ event, reason }) => event === 'resolved' && reason === 'answered');
		await until(() => over().length >= 4);
		sink.clear();
		bench.provider.control.cutTcp();
		await until((all) =>
			ABOUT_NOW.every((kind) =>
				all.some(({ when, event }) => when === kind && event === 'unknown'),
			),
		);
		const ends = items().filter(({ event }) => event !== 'started');
		expect([...new Set(ends.map(({ when }) => when))].sort()).toEqual([...ABOUT_NOW].sort());
		for (const item of ends) expect(item).toMatchObject({ event: 'unknown', reason: 'feed-gap' });
		await bench.provider.control.waitForSockets(1);
	});
});

describe('call outcomes', () => {
	afterAll(rest);

	test('contain whom a call rang, how long it waited in each queue, and why it was missed', async () => {
		const { control } = bench.provider;
		await listenWith({
			mode: 'callOutcomes',
			outcomes: [],
			options: { shortAbandonSeconds: 0 },
		});
		const about = { queue: 301, agent: 501 };
		await control.play('unansweredRing', { ...about, stepMs: 10, caller: '+33199000901' });
		// Slowly enough that the first call counts as missed before the second one.
		await control.play('callsAgain', { ...about, stepMs: 300, caller: '+33199000902' });
		const of = (caller: string, event: string) =>
			items().filter((item) => item.caller_id_num === caller && item.event === event);
		await until(() => of('+33199000901', 'ended').length > 0);
		await until(() => ['missed', 'ended'].every((event) => of('+33199000902', event).length > 0));
		const [ended] = of('+33199000901', 'ended');
		expect(ended).toMatchObject({
			answered: true,
			missed_reason: null,
			within_service_level: true,
			offered_to: [{ agent: '501' }, { agent: expect.any(String) }],
			queue_waits: [{ id_queue: '301', wait: ended?.wait }],
			talks: [{ agent: ended?.id_operator, talk: ended?.talk }],
		});
		expect(of('+33199000902', 'missed')).toMatchObject([
			{ missed_reason: 'abandoned_before_ringing' },
		]);
	});
});

describe('a test run shows something within seconds', () => {
	afterEach(rest);

	const ALERTS = { alert: [{ when: 'callersWaiting', callers: 1 }] };
	test.each([
		['snapshots', { snapshotOf: [] }, () => {}, 'totals'],
		['alerts', { alerts: ALERTS }, () => enters(81, 302), 'started'],
		['callOutcomes', { outcomes: ['answered'] }, () => enters(82, 302), 'answered'],
		['events', { notificationTypes: ['queue'] }, () => enters(83, 302), 'insert_call'],
	] as const)('%s', async (mode, parameters, happens, event) => {
		const { client, provider } = bench;
		const workflow = await bench.workflow(
			chain(`Test run: ${mode}`, [triggerNode({ mode, ...parameters }), noOpNode()]),
		);
		const id = await client.runManually(workflow, TRIGGER);
		if (mode !== 'snapshots') {
			await provider.control.waitForSockets(1);
			happens();
			if (mode === 'callOutcomes') answered(82, 302, 501);
		}
		const execution = await client.waitForExecution(id, SECONDS_MS);
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, TRIGGER).at(-1)?.json).toMatchObject({ event });
	});
});
