// n8n itself goes away, or a service at the end of the workflow: what that gets afterwards, and what the workflow is told
// about the rest.
import type { Workflow } from '../../../dev/n8n/client';
import { startBench, type OwnBench } from '../support/bench';
import { startSink, type Sink } from '../support/sink';
import { eventually } from '../examples/support';
import { accountFor, statusesIn, type Account } from './account';
import {
	EACH_ONCE_OR_TOLD,
	noteSent,
	openStream,
	pause,
	print,
	type Site,
	type Stream,
} from './drill';
import { nth } from '../../support/present';

const MEANWHILE = 30;
const DOWN_MS = 15_000;
const READY_MS = 60_000;
const QUIET_MS = 20_000;

/** Each wait has its own limit; beside other n8n instances all of them together take long. */
jest.setTimeout(600_000);

let bench: OwnBench;
let site: Site;
let sink: Sink;
let sent: ReturnType<typeof noteSent>;
let workflow: Workflow;

const STREAM: Stream = {
	title: 'batch size 1',
	event: 'insert_call',
	rate: 10,
	options: { batchSize: 1 },
	everyEvent: true,
};

beforeAll(async () => {
	bench = await startBench({
		name: 'outage-restart',
		// Executions that run when n8n is stopped may finish.
		environment: { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '20' },
	});
	site = { ...bench, credentials: [bench.supervisor] };
});

afterAll(async () => {
	await bench?.close();
});

beforeEach(async () => {
	sink = await startSink();
	sent = noteSent(bench.provider);
	workflow = await openStream(site, sink, STREAM);
	await bench.provider.control.waitForSockets(1);
});

afterEach(async () => {
	sent.end();
	await bench.client.deactivate(workflow.id);
	await bench.client.deleteWorkflow(workflow.id);
	await bench.provider.control.waitForSockets(0);
	await sink.close();
});

async function send(count: number, rate?: number): Promise<void> {
	await bench.provider.control.pushBurst({
		event: STREAM.event,
		count,
		rate,
		firstCall: sent.of(STREAM.event).length + 1,
	});
}

const account = (): Account => accountFor(sent.of(STREAM.event), sink.reports, 10);

const statuses = () => statusesIn(sink.reports);

/**
 * Waits until n8n has saved how far the workflow has got: up to the newest event, however long a busy machine needs. From
 * there a restart tells what is missing.
 */
async function positionSaved(): Promise<void> {
	const newest = nth(sent.of(STREAM.event).slice(-1), 0).cpt;
	await eventually('the position is saved', async () => {
		const { staticData } = (await bench.client.getWorkflow(workflow.id)) as Workflow & {
			staticData?: Record<string, { position?: { cpt?: number } }> | null;
		};
		return Object.values(staticData ?? {}).some(({ position }) => position?.cpt === newest);
	});
}

/** Starts n8n again and waits until its feed is live. */
async function startAgain(): Promise<void> {
	await bench.server.start();
	await bench.client.signIn();
	await bench.provider.control.waitForSockets(1, READY_MS);
	await sink.settled(
		() => statuses().filter(({ event }) => event === 'connected').length > 1,
		30_000,
	);
}

async function settle(): Promise<Account> {
	await sink.settled(() => {
		const { arrived, toldMissing, sent: all } = account();
		return arrived + toldMissing === all;
	}, QUIET_MS);
	return account();
}

test('n8n killed and started again 15 s later: one gap covers the events in between', async () => {
	await send(40, 40);
	await sink.settled(() => account().arrived === 40, QUIET_MS);
	await positionSaved();
	await bench.server.crash();
	await bench.provider.control.waitForSockets(0);
	const startedAt = Date.now();
	await send(MEANWHILE, 10);
	await pause(Math.max(0, DOWN_MS - (Date.now() - startedAt)));
	await startAgain();
	await send(20, 10);
	const result = await settle();
	print('n8n killed, started again 15 s later', result);
	const gaps = statuses().filter(({ event }) => event === 'gap');
	expect(gaps).toHaveLength(1);
	expect(gaps[0]).toMatchObject({ reason: 'n8n was not running' });
	expect(nth(gaps, 0).missed).toBe(MEANWHILE);
	expect(result).toMatchObject({ twice: 0, toldMissing: MEANWHILE, lost: 0 });
});

test('n8n stopped in the middle of a burst and started again: each event arrives once or is reported as missing', async () => {
	const burst = send(200, 40);
	await sink.settled(() => account().arrived >= 30, QUIET_MS);
	await bench.server.stop();
	await burst;
	await startAgain();
	await send(20, 10);
	const result = await settle();
	print('n8n stopped (SIGTERM) in a burst, started again', result);
	expect(result).toMatchObject(EACH_ONCE_OR_TOLD);
	expect(result.arrived + result.toldMissing).toBe(result.sent);
});

test('n8n stopped and started again while nothing happened: nothing is reported as missing', async () => {
	await send(40, 40);
	await sink.settled(() => account().arrived === 40, QUIET_MS);
	await positionSaved();
	await bench.server.stop();
	await startAgain();
	await send(20, 10);
	const result = await settle();
	print('n8n stopped and started again, no event meanwhile', result);
	expect(result).toMatchObject({ arrived: 60, twice: 0, lost: 0 });
	expect(statuses().filter(({ event }) => event === 'gap')).toEqual([]);
});

test('a service that answers 500 gets every event once when it is back, with Retry Failed', async () => {
	const options = { batchSize: 1, retryFailed: 10, emitFeedStatus: false };
	const stream: Stream = { title: '', event: 'connect_call', rate: 10, options };
	const second = await openStream(site, sink, stream);
	const arrived = () =>
		sink.reports
			.filter(({ from }) => from === stream.event)
			.flatMap(({ items }) => items.map(({ id_call: id }) => Number(id)));
	sink.refuse(true);
	await bench.provider.control.pushBurst({ event: stream.event, count: 10 });
	await bench.client.waitForExecutions(second.id, 10, (execution) => execution.status === 'error');
	sink.refuse(false);
	// Half a minute after it failed, an execution is repeated.
	await sink.settled(() => arrived().length >= 10, READY_MS);
	await bench.client.deactivate(second.id);
	await bench.client.deleteWorkflow(second.id);
	expect(arrived().sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
});
