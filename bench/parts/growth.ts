// Part 3: what the package costs as its use grows: more workflows on one account, more calls followed at once, a full
// buffer; and what it costs to begin and to end.
import { nth } from '../../simulator/present';
import type { Compiled } from '../controller/compile';
import { MeasuredProcess } from '../controller/measuredProcess';
import {
	goalCell,
	judge,
	megabytes,
	sharp,
	thousands,
	type Section,
	type Verdict,
} from '../controller/results';
import type { Runtime } from '../controller/runtimes';
import { estimate, median } from '../controller/statistics';
import type { Measurement } from '../measured/feedClient';
import type { Traffic } from '../measured/events';

const WORKFLOWS = [1, 10, 100];
const FOLLOWED = [0, 1_000, 10_000];
const BUFFER = 50_000;
/** What the package may weigh, and how much longer n8n may take to start because of it. */
const TARBALL_KB = 170;
const LOAD_MS = 60;
/** How much the process may grow while a whole buffer of events waits for n8n's database. */
const HELD_MB = 100;
/** Fresh processes that load the files: one takes a moment only. */
const LOADS = 15;
/** A close has to end within this, whatever the network does (FeedSubscription.close). */
const CLOSE_MS = 2_000;

export interface GrowthAmount {
	rounds: number;
	events: number;
}

interface Memory {
	heapUsed: number;
	rss: number;
}

/** A server and a client process around one measurement. */
async function withClient<T>(
	{ compiled, runtime, serverRuntime }: Environment,
	{ count, traffic }: { count: number; traffic: Traffic },
	work: (client: MeasuredProcess, server: MeasuredProcess, url: string) => Promise<T>,
): Promise<T> {
	const server = new MeasuredProcess(compiled.script('server'), serverRuntime.binary);
	const client = new MeasuredProcess(compiled.script('feedClient'), runtime.binary, [
		'--expose-gc',
	]);
	try {
		const port = await server.call<number>('listen');
		const polling = runtime.transport === 'polling';
		await server.call('prepare', { count, traffic, polling });
		return await work(client, server, `http://127.0.0.1:${port}`);
	} finally {
		await client.stop();
		await server.stop();
	}
}

interface Environment {
	compiled: Compiled;
	runtime: Runtime;
	serverRuntime: Runtime;
}

/** CPU time of an event, in microseconds. */
async function stream(
	client: MeasuredProcess,
	server: MeasuredProcess,
	from: number,
	to: number,
): Promise<number> {
	await client.call('begin');
	await server.call('stream', { from, to });
	const { cpuMicros } = await client.call<Measurement>('finish');
	return cpuMicros / (to - from);
}

interface WorkflowsSample {
	cpuMicros: number;
	activateFirst: number;
	activateFurther: number;
	closeMillis: number;
	bytesEach: number;
}

/** Workflows with different filters on one account; each gets one event in a hundred. */
async function workflows(
	environment: Environment,
	count: number,
	events: number,
): Promise<WorkflowsSample> {
	const traffic: Traffic = { kind: 'mixed' };
	return await withClient(
		environment,
		{ count: events * 2, traffic },
		async (client, server, url) => {
			const trigger = (index: number) => ({
				output: 'simplified',
				filters: { agentIds: [String(1 + (index % 100))] },
				options: { batchSize: 100, batchInterval: 0 },
			});
			const [activateFirst] = await client.call<[number]>('openTriggers', {
				url,
				triggers: [trigger(0)],
			});
			const before = await client.call<Memory>('memory');
			const further = await client.call<number[]>('openTriggers', {
				url,
				triggers: Array.from({ length: count - 1 }, (_, index) => trigger(index + 1)),
				quiet: true,
			});
			const after = await client.call<Memory>('memory');
			await server.call('ready', { transport: environment.runtime.transport });
			await stream(client, server, 0, events);
			const cpuMicros = await stream(client, server, events, events * 2);
			const { millis } = await client.call<{ millis: number }>('closeTriggers');
			return {
				cpuMicros,
				activateFirst,
				activateFurther: further.length > 0 ? median(further) : 0,
				closeMillis: millis,
				bytesEach: count > 1 ? (after.heapUsed - before.heapUsed) / (count - 1) : 0,
			};
		},
	);
}

/** A trigger on call outcomes with so many calls that stay open. */
async function followed(
	environment: Environment,
	open: number,
	events: number,
): Promise<{ cpuMicros: number; bytesEach: number }> {
	const traffic: Traffic = { kind: 'calls', open };
	const count = open + events * 2;
	return await withClient(environment, { count, traffic }, async (client, server, url) => {
		await client.call('openTriggers', {
			url,
			triggers: [{ mode: 'callOutcomes', options: { batchSize: 100 } }],
		});
		await server.call('ready', { transport: environment.runtime.transport });
		const before = await client.call<Memory>('memory');
		if (open > 0) await stream(client, server, 0, open);
		const after = await client.call<Memory>('memory');
		await stream(client, server, open, open + events);
		const cpuMicros = await stream(client, server, open + events, count);
		return { cpuMicros, bytesEach: open > 0 ? (after.heapUsed - before.heapUsed) / open : 0 };
	});
}

interface BufferSample {
	bytes: number;
	fullCpuMicros: number;
	emptyMillis: number;
}

/** Executions that do not end: the buffer fills, overflows, and is handed over once they do. */
async function buffer(environment: Environment, events: number): Promise<BufferSample> {
	const count = BUFFER + 1_000 + events;
	const traffic: Traffic = { kind: 'mixed' };
	return await withClient(environment, { count, traffic }, async (client, server, url) => {
		const options = { batchSize: 100, maxInFlight: 1, bufferLimit: BUFFER };
		await client.call('openTriggers', { url, triggers: [{ options }], executions: 'run' });
		await server.call('ready', { transport: environment.runtime.transport });
		const before = await client.call<Memory>('memory');
		await stream(client, server, 0, BUFFER + 1_000);
		const after = await client.call<Memory>('memory');
		const fullCpuMicros = await stream(client, server, BUFFER + 1_000, count);
		const emptyMillis = await client.call<number>('release', { expected: BUFFER });
		return { bytes: after.heapUsed - before.heapUsed, fullCpuMicros, emptyMillis };
	});
}

/** n8n can't start executions: what 50,000 events cost that wait for it. Bytes of the whole process. */
async function held(environment: Environment): Promise<number> {
	const traffic: Traffic = { kind: 'mixed' };
	return await withClient(environment, { count: BUFFER, traffic }, async (client, server, url) => {
		const options = { bufferLimit: BUFFER, emitFeedStatus: true };
		const triggers = [{ options }];
		await client.call('openTriggers', { url, triggers, executions: 'do not start' });
		await server.call('ready', { transport: environment.runtime.transport });
		const before = await client.call<Memory>('memory');
		await stream(client, server, 0, BUFFER);
		const after = await client.call<Memory>('memory');
		return after.rss - before.rss;
	});
}

async function loadTime({
	compiled,
	runtime,
}: Environment): Promise<{ millis: number; cpuMillis: number }> {
	const fresh = new MeasuredProcess(compiled.script('loadTime'), runtime.binary);
	try {
		return await fresh.call('load');
	} finally {
		await fresh.stop();
	}
}

/** Calls the measurement once a round. */
async function repeated<T>(rounds: number, measure: () => Promise<T>): Promise<T[]> {
	const samples: T[] = [];
	for (let round = 0; round < rounds; round++) samples.push(await measure());
	return samples;
}

export async function measureGrowth(
	environment: Environment,
	{ rounds, events }: GrowthAmount,
	progress: (line: string) => void,
): Promise<Section> {
	const { runtime, compiled } = environment;
	const tell = (what: string) => progress(`${runtime.name}: ${what}`);
	tell('load time');
	const loads = await repeated(LOADS, async () => await loadTime(environment));
	const byWorkflows: WorkflowsSample[][] = [];
	for (const count of WORKFLOWS) {
		tell(`${count} workflows on one account`);
		byWorkflows.push(
			await repeated(rounds, async () => await workflows(environment, count, events)),
		);
	}
	const byFollowed: Array<Array<{ cpuMicros: number; bytesEach: number }>> = [];
	for (const open of FOLLOWED) {
		tell(`${open} calls followed`);
		byFollowed.push(await repeated(rounds, async () => await followed(environment, open, events)));
	}
	tell('a full buffer');
	const full = await repeated(rounds, async () => await buffer(environment, events));
	tell("events that n8n can't take");
	const heldBytes = await repeated(rounds, async () => await held(environment));

	const load = judge(
		'load time of all files',
		estimate(loads.map(({ millis }) => millis)),
		'at most',
		LOAD_MS,
		'ms',
	);
	const size = judge(
		'size of the tarball',
		sharp(compiled.tarballBytes / 1024),
		'at most',
		TARBALL_KB,
		'KB',
	);
	const closes = nth(byWorkflows, -1).map(({ closeMillis }) => closeMillis);
	const close = judge('closing 100 triggers', estimate(closes), 'at most', CLOSE_MS, 'ms');
	const holding = judge(
		`${thousands(BUFFER)} held events`,
		estimate(heldBytes.map((bytes) => bytes / 1e6)),
		'at most',
		HELD_MB,
		'MB',
	);
	const verdicts: Verdict[] = [size, load, close, holding];
	const of = <T>(samples: readonly T[], read: (sample: T) => number) => median(samples.map(read));
	const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
	const rows: string[][] = [
		['tarball', `${(compiled.tarballBytes / 1024).toFixed(1)} KB`, goalCell(size)],
		[
			'loading all files, n8n-workflow being there',
			`${of(loads, (one) => one.millis).toFixed(0)} ms`,
			goalCell(load),
		],
		['the same in CPU time', `${of(loads, (one) => one.cpuMillis).toFixed(0)} ms`, ''],
		...WORKFLOWS.map((count, index) => [
			`${count} workflow${count > 1 ? 's' : ''} on one account: CPU per event`,
			`${of(nth(byWorkflows, index), (one) => one.cpuMicros).toFixed(2)} µs`,
			'',
		]),
		[
			'memory of a trigger on an open account',
			`${kilobytes(of(nth(byWorkflows, 2), (one) => one.bytesEach))} KB`,
			'',
		],
		[
			'activating the first trigger (login, probe, connection)',
			`${of(nth(byWorkflows, 0), (one) => one.activateFirst).toFixed(0)} ms`,
			'',
		],
		[
			'activating a further one',
			`${of(nth(byWorkflows, 2), (one) => one.activateFurther).toFixed(2)} ms`,
			'',
		],
		['closing 1 trigger', `${of(nth(byWorkflows, 0), (one) => one.closeMillis).toFixed(1)} ms`, ''],
		['closing 100 at once', `${median(closes).toFixed(1)} ms`, goalCell(close)],
		...FOLLOWED.map((open, index) => [
			`${thousands(open)} calls open: CPU per event of the follower`,
			`${of(nth(byFollowed, index), (one) => one.cpuMicros).toFixed(2)} µs`,
			'',
		]),
		[
			'memory of a followed call',
			`${kilobytes(of(nth(byFollowed, 2), (one) => one.bytesEach))} KB`,
			'',
		],
		[
			`${thousands(BUFFER)} events in the buffer: memory`,
			`${megabytes(of(full, (one) => one.bytes))} MB`,
			'',
		],
		[
			`${thousands(BUFFER)} events held while n8n can't start executions: memory of the process`,
			`${megabytes(median(heldBytes))} MB`,
			goalCell(holding),
		],
		[
			'an event that pushes another out of the full buffer',
			`${of(full, (one) => one.fullCpuMicros).toFixed(2)} µs`,
			'',
		],
		[
			'handing the full buffer over, in batches of 100',
			`${of(full, (one) => one.emptyMillis).toFixed(0)} ms`,
			'',
		],
	];
	return {
		part: 'growth',
		title: `As it grows, ${runtime.name}`,
		columns: ['', 'measured', 'goal'],
		rows,
		notes: [
			'CPU per event is that of the whole process: receiving, JSON, and what the trigger adds.',
		],
		verdicts,
		data: {
			tarballBytes: compiled.tarballBytes,
			loadMillis: loads,
			workflows: Object.fromEntries(WORKFLOWS.map((count, index) => [count, byWorkflows[index]])),
			followed: Object.fromEntries(FOLLOWED.map((open, index) => [open, byFollowed[index]])),
			buffer: full,
			heldBytes,
		},
	};
}
