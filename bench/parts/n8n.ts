// Part 2: through a real n8n, from the operator's send to the end of Trigger → NoOp, against a bare trigger that emits
// each event as it comes (what peers do) and one that emits the same batches.
import { nth } from '../../simulator/present';
import { readFileSync } from 'node:fs';

import { itemsOf, type ExecutionSummary, type N8nClient } from '../../dev/n8n/client';
import { ensureN8n } from '../../dev/n8n/install';
import type { N8nRelease } from '../../dev/n8n/releases';
import type { Progress } from '../../dev/progress';
import {
	prepareN8n,
	type PreparedN8n,
	type RunningN8n,
	type Starter,
} from '../controller/benchN8n';
import type { Compiled } from '../controller/compile';
import { MeasuredProcess } from '../controller/measuredProcess';
import {
	goalCell,
	judge,
	megabytes,
	thousands,
	times,
	type Section,
	type Verdict,
} from '../controller/results';
import type { Runtime } from '../controller/runtimes';
import { median, percentile, ratio } from '../controller/statistics';

interface Subject extends Starter {
	/** Events sent at once. */
	events: number;
	/** How many such bursts, one after the other, in the same n8n (otherwise one). */
	bursts?: number;
	batchSize: number;
	goal?: number;
}

interface Sample {
	eventsPerSecond: number;
	/** Executions that succeeded, and those that failed or never came to an end. */
	executions: number;
	stuck: number;
	idleBytes: number;
	/** The most memory so far, after each burst. */
	peakBytes: number[];
}

interface LatencySample {
	batchSize: number;
	rate: number;
	/** From the first event sent to the end of the last execution. */
	eventsPerSecond: number;
	/** Milliseconds from the operator's send to the start of the event's execution. */
	latencies: number[];
}

const REFERENCE = 'bare trigger, one execution an event';
const REPEATED = 'batch size 100, eight bursts of a quarter';
/** Batches that grow while all executions are busy, beside one event an execution. */
const LATENCY = [100, 1];
const RATES = [10, 100, 500];
const POLL_MS = 250;
/** So long without a single end, nothing more will come. */
const STUCK_MS = 20_000;
/** Executions whose items are read for the latency at one rate, spread evenly. */
const MOST_READ = 100;
/** One event an execution is more than n8n can take at the higher rates: what piles up has to end too. */
const MOST_EXECUTIONS = 300;

function subjects(quick: boolean): Subject[] {
	const ours = {
		kind: 'ours',
		batchSize: 100,
		parameters: { options: { batchSize: 100 } },
	} as const;
	const all: Subject[] = [
		{ name: REFERENCE, kind: 'reference', parameters: { batchSize: 1 }, batchSize: 1, events: 400 },
		{ ...ours, name: 'batch size 1', parameters: {}, batchSize: 1, events: 400 },
		{ ...ours, name: 'batch size 100', events: 20_000, goal: 50 },
		{ ...ours, name: REPEATED, events: 5_000, bursts: 8 },
	];
	return quick ? all.map((subject) => ({ ...subject, events: subject.events / 4 })) : all;
}

export interface N8nAmount {
	rounds: number;
	quick: boolean;
}

export async function measureN8n(
	compiled: Compiled,
	release: N8nRelease,
	runtime: Runtime,
	serverRuntime: Runtime,
	{ rounds, quick }: N8nAmount,
	progress: Progress,
): Promise<Section> {
	const install = await ensureN8n(release, progress);
	const all = subjects(quick);
	const server = new MeasuredProcess(compiled.script('server'), serverRuntime.binary);
	let prepared: PreparedN8n | undefined;
	try {
		const port = await server.call<number>('listen');
		const url = `http://127.0.0.1:${port}`;
		await server.call('prepare', {
			count: Math.max(...all.map(({ events, bursts = 1 }) => events * bursts)),
			traffic: { kind: 'mixed' },
			polling: runtime.transport === 'polling',
		});
		const live: Starter[] = LATENCY.map((batchSize) => ({
			name: latencyName(batchSize),
			kind: 'ours',
			parameters: { options: { batchSize } },
		}));
		prepared = await prepareN8n(install, [...all, ...live], url);
		const samples = new Map<string, Sample[]>();
		const latencies: LatencySample[] = [];
		for (let round = 1; round <= rounds; round++) {
			for (const subject of all) {
				progress.log(`n8n ${release.version}: ${subject.name}, round ${round} of ${rounds}`);
				const transport = subject.kind === 'ours' ? runtime.transport : 'websocket';
				const sample = await burst(prepared, subject, server, transport);
				samples.set(subject.name, [...(samples.get(subject.name) ?? []), sample]);
			}
			progress.log(`n8n ${release.version}: latency, round ${round} of ${rounds}`);
			for (const batchSize of LATENCY) {
				latencies.push(
					...(await latency(prepared, server, runtime.transport, batchSize, quick ? 5 : 10)),
				);
			}
		}
		return section(release, runtime, all, samples, latencies);
	} finally {
		await prepared?.remove();
		await server.stop();
	}
}

/** Activates the workflow of this name and waits until it listens. */
async function activate(
	n8n: RunningN8n,
	name: string,
	server: MeasuredProcess,
	transport: string,
): Promise<string> {
	const id = n8n.workflow(name);
	const { active, error } = await n8n.client.activate(id);
	if (!active) throw new Error(`n8n did not activate "${name}": ${error}`);
	await server.call('ready', { transport });
	return id;
}

async function burst(
	prepared: PreparedN8n,
	{ name, events, batchSize, bursts = 1 }: Subject,
	server: MeasuredProcess,
	transport: string,
): Promise<Sample> {
	const n8n = await prepared.start();
	try {
		const id = await activate(n8n, name, server, transport);
		const idleBytes = residentMemory(n8n.server.pid);
		const peakBytes: number[] = [];
		let ended = { succeeded: 0, stuck: 0 };
		let millis = 0;
		for (let index = 0; index < bursts; index++) {
			const started = Date.now();
			await server.call('stream', { from: index * events, to: (index + 1) * events });
			ended = await allEnded(n8n.client, id, Math.floor(((index + 1) * events) / batchSize));
			const newest = await n8n.client.listExecutions({ workflowId: id }, 100);
			const ends = newest.flatMap(({ stoppedAt }) => (stoppedAt ? [Date.parse(stoppedAt)] : []));
			millis += Math.max(...ends) - started;
			peakBytes.push(n8n.server.peakMemory());
		}
		const done = Math.min(events * bursts, ended.succeeded * batchSize);
		return {
			eventsPerSecond: (done / millis) * 1000,
			executions: ended.succeeded,
			stuck: ended.stuck,
			idleBytes,
			peakBytes,
		};
	} finally {
		await n8n.stop();
	}
}

/**
 * Waits until nothing runs any more, or nothing has ended for so long that what runs never will (n8n gives up writing
 * to its database when too many executions want to at once, and leaves them "running").
 */
async function allEnded(
	client: N8nClient,
	workflowId: string,
	atLeast: number,
): Promise<{ succeeded: number; stuck: number }> {
	let lastChange = Date.now();
	for (let before = -1; ;) {
		const succeeded = await count(client, workflowId, ['success']);
		const failed = await count(client, workflowId, ['error', 'crashed', 'canceled']);
		const running = await count(client, workflowId, ['new', 'running']);
		if (succeeded + failed !== before) lastChange = Date.now();
		else if (succeeded >= atLeast && running === 0) return { succeeded, stuck: 0 };
		if (Date.now() - lastChange > STUCK_MS) return { succeeded, stuck: failed + running };
		before = succeeded + failed;
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

async function count(
	client: N8nClient,
	workflowId: string,
	status: ExecutionSummary['status'][],
): Promise<number> {
	const answer = await client.call<{ count: number }>('GET', '/rest/executions', undefined, {
		filter: JSON.stringify({ workflowId, status }),
		limit: '1',
	});
	return answer.count;
}

function latencyName(batchSize: number): string {
	return `latency, batch size ${batchSize}`;
}

async function latency(
	prepared: PreparedN8n,
	server: MeasuredProcess,
	transport: string,
	batchSize: number,
	seconds: number,
): Promise<LatencySample[]> {
	const n8n = await prepared.start();
	try {
		const id = await activate(n8n, latencyName(batchSize), server, transport);
		const samples: LatencySample[] = [];
		let first = 1;
		// The first executions compile and load what all others find ready.
		for (const [index, rate] of [10, ...RATES].entries()) {
			const events = index === 0 ? 30 : Math.min(rate * seconds, batchSize * MOST_EXECUTIONS);
			const before = new Set((await executionsOf(n8n.client, id)).map((one) => one.id));
			const started = Date.now();
			await server.call('pace', { rate, count: events, first });
			first += events;
			await allEnded(n8n.client, id, before.size + Math.ceil(events / batchSize));
			if (index === 0) continue;
			const fresh = (await executionsOf(n8n.client, id)).filter((one) => !before.has(one.id));
			const every = Math.max(1, Math.ceil(fresh.length / MOST_READ));
			const read = fresh.filter((_, place) => place % every === 0);
			const latencies: number[] = [];
			for (const { id: executionId, startedAt } of read) {
				const execution = await n8n.client.getExecution(executionId);
				for (const { json } of execution ? itemsOf(execution, 'End') : []) {
					latencies.push(Date.parse(startedAt) - Number(json.sent));
				}
			}
			const ends = fresh.flatMap(({ stoppedAt }) => (stoppedAt ? [Date.parse(stoppedAt)] : []));
			const eventsPerSecond = (events / (Math.max(...ends) - started)) * 1000;
			samples.push({ batchSize, rate, eventsPerSecond, latencies });
		}
		return samples;
	} finally {
		await n8n.stop();
	}
}

/** All executions, in n8n's pages. */
async function executionsOf(client: N8nClient, workflowId: string): Promise<ExecutionSummary[]> {
	const found: ExecutionSummary[] = [];
	for (let cursor: string | null | undefined; ;) {
		const page = await client.call<{ results: ExecutionSummary[]; nextCursor?: string | null }>(
			'GET',
			'/rest/executions',
			undefined,
			{ filter: JSON.stringify({ workflowId }), limit: '100', ...(cursor ? { cursor } : {}) },
		);
		found.push(...page.results);
		cursor = page.nextCursor;
		if (!cursor) return found;
	}
}

function residentMemory(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Beyond what n8n had before the first event. */
function grownBytes(samples: readonly Sample[]): number {
	return median(samples.map(({ peakBytes, idleBytes }) => peakBytes.at(-1)! - idleBytes));
}

/** Whether memory grows with what is sent. */
function memoryNotes(samples: ReadonlyMap<string, Sample[]>): string[] {
	const repeated = samples.get(REPEATED);
	if (!repeated) return [];
	const peaks = nth(repeated, 0).peakBytes.map((_, burst) =>
		megabytes(median(repeated.map(({ peakBytes }) => nth(peakBytes, burst)))),
	);
	return [`Peak of batch size 100 after each of eight bursts: ${peaks.join(', ')} MB.`];
}

function section(
	release: N8nRelease,
	runtime: Runtime,
	all: readonly Subject[],
	samples: ReadonlyMap<string, Sample[]>,
	latencies: readonly LatencySample[],
): Section {
	const of = (name: string, read: (sample: Sample) => number) => samples.get(name)!.map(read);
	const rate = (sample: Sample) => sample.eventsPerSecond;
	const verdicts: Verdict[] = [];
	const rows: string[][] = [];
	const data: Record<string, unknown> = {};
	for (const { name, events, goal } of all) {
		const against = ratio(of(name, rate), of(REFERENCE, rate));
		const verdict =
			goal === undefined
				? undefined
				: judge(`events a second against the bare trigger, ${name}`, against, 'at least', goal);
		if (verdict) verdicts.push(verdict);
		rows.push([
			name,
			thousands(events),
			thousands(median(of(name, rate))),
			name === REFERENCE ? '' : times(against),
			megabytes(median(of(name, ({ peakBytes }) => peakBytes.at(-1)!))),
			megabytes(grownBytes(samples.get(name)!)),
			thousands(median(of(name, ({ stuck }) => stuck))),
			verdict ? goalCell(verdict) : '',
		]);
		data[name] = { events, samples: samples.get(name), ratio: against, goal };
	}
	const measured = LATENCY.flatMap((batchSize) =>
		RATES.flatMap((each) => {
			const some = latencies.filter((one) => one.batchSize === batchSize && one.rate === each);
			const values = some.flatMap((one) => one.latencies);
			if (values.length === 0) return [];
			return {
				batchSize,
				rate: each,
				p50: percentile(values, 0.5),
				p99: percentile(values, 0.99),
				eventsPerSecond: median(some.map((one) => one.eventsPerSecond)),
			};
		}),
	);
	const latencyNotes = measured.map(
		({ batchSize, rate: each, p50, p99, eventsPerSecond }) =>
			`Batch size ${batchSize} at ${each} events/s: ${thousands(eventsPerSecond)} events/s end; from the operator's send to the start of the execution p50 ${p50} ms, p99 ${p99} ms.`,
	);
	return {
		part: 'n8n',
		title: `Through n8n ${release.version}, ${runtime.name}: a burst to the end of Trigger → NoOp`,
		columns: ['', 'burst', 'events/s', '× bare', 'peak MB', 'grown MB', 'not ended', 'goal'],
		rows,
		notes: [...memoryNotes(samples), ...latencyNotes],
		verdicts,
		data: {
			subjects: data,
			latencies: measured,
		},
	};
}
