/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Queue mode: the trigger runs in the main process, the executions run on the workers. Running executions are held at a
// gate, so that the tests see them whatever the speed of the machine.
import { join } from 'node:path';

import {
	itemsOf,
	type Credential,
	type Execution,
	type Workflow,
	type WorkflowNode,
} from '../../../dev/n8n/client';
import { SUPERVISOR_CREDENTIAL } from '../../../dev/setup';
import { startProvider, type Provider } from '../../../simulator';
import { addCredential } from '../support/bench';
import { chosenRelease } from '../support/environment';
import { startSink } from '../support/sink';
import { eventually } from '../examples/support';
import { accountFor, type Account } from '../outage/account';
import { noteSent, openStream } from '../outage/drill';
import { ensureN8n } from '../../../dev/n8n/install';
import { silentProgress } from '../../../dev/progress';
import { WORKER_CONCURRENCY, startCluster, type Cluster, type Worker } from '../support/cluster';
import { startGate, type Gate } from './gate';
import { firstOf, nth } from '../../support/present';

/** More than one worker runs at once, and less than both. */
const MAX_IN_FLIGHT = 8;

let provider: Provider;
let gate: Gate;
let cluster: Cluster;
let supervisor: Credential;
let canary: Workflow;
let canaries = 0;

/** A workflow with the trigger and one node after it, activated. */
async function activeWorkflow(
	name: string,
	parameters: Record<string, unknown>,
	next: Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters'>,
): Promise<Workflow> {
	const trigger: WorkflowNode = {
		id: 'trigger',
		name: 'Trigger',
		type: 'n8n-nodes-voice-management.voiceManagementTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [SUPERVISOR_CREDENTIAL]: supervisor },
	};
	const workflow = await cluster.client.createWorkflow({
		name,
		nodes: [trigger, { id: 'next', name: 'Next', position: [240, 0], ...next }],
		connections: { Trigger: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	});
	expect(await cluster.client.activate(workflow.id)).toMatchObject({ active: true });
	return workflow;
}

/** A workflow whose executions stay at the gate while it is shut. */
async function gatedWorkflow(): Promise<Workflow> {
	gate.shut();
	return await activeWorkflow(
		'Held at the gate',
		{
			notificationTypes: ['queue'],
			events: ['insert_call'],
			options: { maxInFlight: MAX_IN_FLIGHT },
		},
		{
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `={{ '${gate.url}/' + $json.id_call }}`, options: {} },
		},
	);
}

beforeAll(async () => {
	gate = await startGate();
	provider = await startProvider();
	cluster = await startCluster(2);
	supervisor = await addCredential(cluster.client, provider, 'supervisor');
	canary = await activeWorkflow(
		'Canary',
		{ notificationTypes: ['UI'], events: ['login'] },
		{ type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
	);
});

afterEach(async () => {
	gate.open();
	for (const { id, active } of await cluster.client.listWorkflows()) {
		if (active && id !== canary.id) await cluster.client.deactivate(id);
	}
});

afterAll(async () => {
	await cluster?.close();
	await provider?.close();
	await gate?.close();
});

/** Sends numbered calls; returns their numbers as the gate sees them. */
async function burst(count: number): Promise<string[]> {
	await provider.control.pushBurst({ count, msg: { id_queue: 301 } });
	return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** Sends an event all the way through main, queue and a worker, behind everything that was sent before it. */
async function canaryPasses(): Promise<void> {
	provider.control.send('UI', 'login', { id_operator: 501 });
	canaries += 1;
	const executions = await cluster.client.waitForExecutions(canary.id, canaries);
	expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
}

const callOf = (execution: Execution) => String(itemsOf(execution, 'Trigger')[0]?.json.id_call);
const numerically = (texts: readonly string[]) => [...texts].sort((a, b) => Number(a) - Number(b));

/** The ids of all executions, ended or not. */
async function executionIds({ id }: Workflow): Promise<string[]> {
	return (await cluster.client.listExecutions({ workflowId: id }, 100)).map((found) => found.id);
}

/** The ids of those that this worker began. */
async function begunBy(worker: Worker, workflow: Workflow): Promise<string[]> {
	return (await executionIds(workflow)).filter((id) => worker.started.has(id));
}

/** Waits until each of these calls has had a successful execution, and expects no other. */
async function expectAllServed(workflow: Workflow, calls: readonly string[]): Promise<Execution[]> {
	const executions = await cluster.client.waitForExecutions(workflow.id, calls.length);
	expect(executions.map(({ status }) => status)).toEqual(calls.map(() => 'success'));
	expect(numerically(executions.map(callOf))).toEqual(calls);
	expect(numerically(gate.passed)).toEqual(calls);
	return executions;
}

test('executions run on both workers, and none on main', async () => {
	const workflow = await gatedWorkflow();
	const calls = await burst(30);
	// One worker alone could not run as many.
	await gate.waitForHeld(MAX_IN_FLIGHT);
	gate.open();
	const executions = await expectAllServed(workflow, calls);
	const [one, other] = firstOf(cluster.workers, 2);
	for (const { id } of executions) expect(one.started.has(id)).not.toBe(other.started.has(id));
	const least = MAX_IN_FLIGHT - WORKER_CONCURRENCY;
	expect((await begunBy(one, workflow)).length).toBeGreaterThanOrEqual(least);
	expect((await begunBy(other, workflow)).length).toBeGreaterThanOrEqual(least);
});

test('one connection in main serves every workflow, and no worker opens one', async () => {
	await gatedWorkflow();
	await canaryPasses();
	expect(provider.control.sockets()).toHaveLength(1);
	expect(provider.control.logins('supervisor')).toBe(1);
});

test('maxInFlight limits what runs on all workers together', async () => {
	const workflow = await gatedWorkflow();
	const calls = await burst(24);
	await gate.waitForHeld(MAX_IN_FLIGHT);
	// Two slots are free on the workers, and the canary gets one: if the trigger had handed over more of the burst,
	// that would have been first.
	await canaryPasses();
	expect(gate.held()).toHaveLength(MAX_IN_FLIGHT);
	expect(await executionIds(workflow)).toHaveLength(MAX_IN_FLIGHT);

	// A slot that becomes free is filled by exactly one execution.
	gate.releaseOne();
	await gate.waitForHeld(MAX_IN_FLIGHT);
	await canaryPasses();
	expect(await executionIds(workflow)).toHaveLength(MAX_IN_FLIGHT + 1);

	gate.open();
	await expectAllServed(workflow, calls);
	expect(gate.highest()).toBe(MAX_IN_FLIGHT);
});

test('a worker that is stopped in the middle of a burst finishes its executions', async () => {
	const workflow = await gatedWorkflow();
	const calls = await burst(24);
	await gate.waitForHeld(MAX_IN_FLIGHT);
	const worker = nth(cluster.workers, 0);
	expect((await begunBy(worker, workflow)).length).toBeGreaterThan(0);
	const draining = new Promise<void>((resolve) => {
		worker.server.onLine((line) => {
			if (/Waiting for \d+ active executions to finish/.test(line)) resolve();
		});
	});
	const stopped = worker.server.stop();
	await draining;
	gate.open();
	await stopped;
	await expectAllServed(workflow, calls);
	await worker.start();
});

describe('a worker that is killed in the middle of a burst', () => {
	test('fails only the executions that it was running, which n8n records', async () => {
		const workflow = await gatedWorkflow();
		const calls = await burst(40);
		await gate.waitForHeld(MAX_IN_FLIGHT);
		const worker = nth(cluster.workers, 1);
		const inHand = await begunBy(worker, workflow);
		expect(inHand.length).toBeGreaterThanOrEqual(MAX_IN_FLIGHT - WORKER_CONCURRENCY);
		await worker.server.crash();
		await gate.waitForHeld(MAX_IN_FLIGHT - inHand.length);
		gate.open();

		// Every call gets an execution, and the slots of those that died become free: locks expire after 20 s and are
		// checked every 3 s, and n8n then gives the execution 30 s more to reappear.
		const { client } = cluster;
		const executions = await client.waitForExecutions(workflow.id, calls.length);
		const failed = executions.filter(({ status }) => status !== 'success');
		const served = executions.filter(({ status }) => status === 'success').map(callOf);
		// n8n does not repeat an execution whose worker died, since it cannot know how far that got.
		expect(failed.map(({ id }) => id).sort()).toEqual([...inHand].sort());
		expect(new Set(served).size).toBe(calls.length - inHand.length);
		expect(numerically(gate.passed)).toEqual(numerically(served));
	});

	test('takes its share again when it is back', async () => {
		const worker = nth(cluster.workers, 1);
		await worker.start();
		const workflow = await gatedWorkflow();
		const calls = await burst(16);
		await gate.waitForHeld(MAX_IN_FLIGHT);
		expect((await begunBy(worker, workflow)).length).toBeGreaterThanOrEqual(
			MAX_IN_FLIGHT - WORKER_CONCURRENCY,
		);
		gate.open();
		await expectAllServed(workflow, calls);
	});
});

test('main killed and started again: one connection, and each event reaches a worker once', async () => {
	const workflow = await gatedWorkflow();
	gate.open();
	await cluster.main.crash();
	await provider.control.waitForSockets(0);
	await cluster.main.start();
	await cluster.client.signIn();
	await provider.control.waitForSockets(1);
	// The two workflows share a connection and join it one after the other, so calls are sent until one is answered.
	let probes = 0;
	while ((await executionIds(workflow)).length === 0) {
		provider.control.send('queue', 'insert_call', { id_call: 0, id_queue: 301 });
		probes += 1;
	}
	const calls = await burst(10);
	const all = await cluster.client.waitForExecutions(
		workflow.id,
		calls.length,
		(execution) => callOf(execution) !== '0',
	);
	expect(numerically(all.map(callOf))).toEqual(calls);
	expect(gate.passed.filter((call) => call === '0').length).toBeLessThanOrEqual(probes);
	expect(provider.control.sockets()).toHaveLength(1);
});

describe('n8n listens too late for the end of executions, and so loses it (n8n issue 30392)', () => {
	const EVENTS = 1_200;
	const QUIET_MS = 60_000;
	const STREAM = {
		title: 'late',
		event: 'insert_call',
		rate: 200,
		options: { batchSize: 20, maxInFlight: 10 },
	} as const;
	/** The line names the setting that avoids the loss. */
	const CAUSE = /N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED=1000/;
	const outputOf = (pattern: RegExp) =>
		cluster.main
			.output()
			.split('\n')
			.filter((line) => pattern.test(line));

	/** Starts main with these settings, and sends events; `seen` gets what became of them, and of how many executions. */
	async function play(
		settings: Record<string, string>,
		seen: (account: Account, executions: number) => Promise<void>,
	): Promise<void> {
		const { main, client } = cluster;
		const { folder } = await ensureN8n(chosenRelease(), silentProgress);
		await main.crash();
		await provider.control.waitForSockets(0);
		await main.start({
			NODE_OPTIONS: `--require ${join(__dirname, 'slowFinished.cjs')}`,
			TEST_N8N_FOLDER: folder,
			...settings,
		});
		await client.signIn();
		await provider.control.waitForSockets(1);
		const sink = await startSink();
		const sent = noteSent(provider);
		try {
			await openStream({ client, provider, credentials: [supervisor] }, sink, STREAM);
			const account = () => accountFor(sent.of(STREAM.event), sink.reports, 10);
			await provider.control.pushBurst({ event: STREAM.event, count: EVENTS, rate: STREAM.rate });
			await sink.settled(() => account().arrived === EVENTS, QUIET_MS);
			await seen(account(), sink.reports.length);
		} finally {
			sent.end();
			await sink.close();
		}
	}

	const EACH_ONCE = { arrived: EVENTS, twice: 0, toldMissing: 0, lost: 0 };

	test('of every second one: each event arrives once, and the log names the cause once', async () => {
		await play({ TEST_LATE_EVERY: '2' }, async (account) => {
			expect(account).toMatchObject(EACH_ONCE);
			// It is logged when the end has not been reported for half a minute.
			await eventually('the cause is logged', () => outputOf(CAUSE).length > 0, QUIET_MS);
			expect(outputOf(CAUSE)).toHaveLength(1);
		});
	});

	test('with the setting that the line names, n8n reports every end', async () => {
		const settings = { TEST_LATE_EVERY: '1', N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: '1000' };
		await play(settings, async (account, executions) => {
			expect(account).toMatchObject(EACH_ONCE);
			const reported = () => outputOf(/n8n was late, and has the end/).length;
			await eventually('each end is reported', () => reported() >= executions, QUIET_MS);
			expect(outputOf(CAUSE)).toEqual([]);
		});
	});
});
