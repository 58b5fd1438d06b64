// A supervisor's feed at its worst: 20,000 events at once. Nothing is lost, nothing is out of order, n8n's memory is
// bounded, and the rate is what n8n itself can run: it is compared with the simplest possible trigger in the same n8n
// instance.
import { join } from 'node:path';
import axios from 'axios';

import { freePorts } from '../../../dev/process/ports';
import { startBench, type OwnBench } from '../support/bench';
import { startSink, type Sink } from '../support/sink';
import { chain, reportNode, triggerNode } from '../support/workflows';
import { nth } from '../../support/present';

const EVENTS = 20_000;
const BATCH = 100;
/** Enough to measure the rate of one event per execution, which is slow: that is the point. */
const SINGLE_EVENTS = 300;
const ROUNDS = 3;
const MEMORY_LIMIT = 1.5e9;
const DONE_MS = 180_000;

let bench: OwnBench;
let sink: Sink;

beforeAll(async () => {
	sink = await startSink();
	bench = await startBench({
		name: 'burst',
		environment: { N8N_CUSTOM_EXTENSIONS: join(__dirname, 'bare') },
	});
});

afterAll(async () => {
	await bench?.close();
	await sink?.close();
});

afterEach(async () => {
	await bench.quiet();
	await bench.operator.control.waitForSockets(0);
	sink.clear();
});

const SAVE_NONE = {
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
	saveExecutionProgress: false,
	saveManualExecutions: false,
};

/** The sequence numbers of each execution's items, in the order of the reports. */
function numbers(): number[][] {
	return sink.reports.map(({ items }) => items.map(({ cpt }) => Number(cpt)));
}

async function activeFeed(options: Record<string, unknown>) {
	const workflow = await bench.workflow(
		chain(
			'Feed',
			[triggerNode({ notificationTypes: ['queue'], options }), reportNode(sink.url)],
			SAVE_NONE,
		),
	);
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	await bench.operator.control.waitForSockets(1);
	return workflow;
}

interface Rate {
	/** Events per second from the first event sent to the last execution's report. */
	perSecond: number;
	/** The same per second of n8n's own processor time, which other programs on this machine do not affect. */
	perCpuSecond: number;
}

/** The best of some rounds, for each figure separately. */
function best(rates: readonly Rate[]): Rate {
	return {
		perSecond: Math.max(...rates.map(({ perSecond }) => perSecond)),
		perCpuSecond: Math.max(...rates.map(({ perCpuSecond }) => perCpuSecond)),
	};
}

function stopwatch(): (count: number) => Rate {
	const startedAt = performance.now();
	const cpuBefore = bench.server.cpuSeconds();
	return (count) => ({
		perSecond: count / ((performance.now() - startedAt) / 1000),
		perCpuSecond: count / (bench.server.cpuSeconds() - cpuBefore),
	});
}

/** Sends a burst; checks that all events arrived, in order. */
async function feedRate(count: number): Promise<Rate> {
	sink.clear();
	const stop = stopwatch();
	const { first, last } = await bench.operator.control.pushBurst({ count });
	await sink.waitForItems(count, DONE_MS);
	const rate = stop(count);
	// Executions that run at once report as they end, so only the run of events inside each is checked.
	const inOrder = numbers()
		.sort((one, other) => nth(one, 0) - nth(other, 0))
		.flat();
	expect(inOrder).toEqual(Array.from({ length: count }, (_, index) => first + index));
	expect(inOrder.at(-1)).toBe(last);
	return rate;
}

async function bareRate(count: number): Promise<Rate> {
	sink.clear();
	const [port] = await freePorts(1);
	const workflow = await bench.client.createWorkflow(
		chain(
			'Bare',
			[
				{
					id: 'bare',
					name: 'Bare',
					type: 'CUSTOM.bareTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: { port, events: count, batchSize: BATCH, inFlight: 10 },
				},
				reportNode(sink.url),
			],
			SAVE_NONE,
		),
	);
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	const stop = stopwatch();
	await axios.get(`http://127.0.0.1:${port}`, { proxy: false });
	await sink.waitForItems(count, DONE_MS);
	const rate = stop(count);
	await bench.client.deactivate(workflow.id);
	return rate;
}

test(`${EVENTS} events at once in batches of ${BATCH}: nothing lost, order kept, memory limited, as fast as n8n can`, async () => {
	const workflow = await activeFeed({ batchSize: BATCH });
	const ours: Rate[] = [];
	const bare: Rate[] = [];
	// In turns, so that other load on this machine affects both.
	for (let round = 0; round < ROUNDS; round++) {
		ours.push(await feedRate(EVENTS));
		bare.push(await bareRate(EVENTS));
	}
	await bench.client.deactivate(workflow.id);

	await activeFeed({ batchSize: 1 });
	const single = await feedRate(SINGLE_EVENTS);

	const memory = bench.server.peakMemory();
	const [feed, ceiling] = [best(ours), best(bare)];
	const ratio = (of: keyof Rate) => (feed[of] / ceiling[of]).toFixed(2);
	process.stderr.write(
		`batches of ${BATCH}: ${Math.round(feed.perSecond)} events/s, ratio to a bare trigger ${ratio('perSecond')} ` +
			`(by n8n's processor time ${ratio('perCpuSecond')}); one an execution: ${Math.round(single.perSecond)} events/s; ` +
			`n8n's peak memory ${Math.round(memory / 1e6)} MB\n`,
	);
	expect(feed.perCpuSecond / ceiling.perCpuSecond).toBeGreaterThanOrEqual(0.9);
	expect(feed.perSecond / single.perSecond).toBeGreaterThanOrEqual(50);
	expect(memory).toBeLessThan(MEMORY_LIMIT);
}, 900_000);

test('with one execution at a time, the executions are in the order of the feed', async () => {
	await activeFeed({ batchSize: 50, maxInFlight: 1 });
	await feedRate(2_000);
	const arrived = numbers().flat();
	expect(arrived).toEqual([...arrived].sort((one, other) => one - other));
});
