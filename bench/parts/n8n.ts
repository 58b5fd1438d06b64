// Through a real n8n, from the operator's send to the end of Trigger → NoOp, against a bare trigger that emits each event
// as it comes (what peers do).
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import {
	itemsOf,
	N8nClient,
	type ExecutionStatus,
	type ExecutionSummary,
} from '../../dev/n8n/client';
import { projectRoot } from '../../dev/n8n/package';
import type { N8nServer } from '../../dev/n8n/server';
import { SUPERVISOR_CREDENTIAL, withCredentials } from '../../dev/setup';
import { nth, present } from '../../simulator/present';
import { startN8n } from '../../test/e2e/support/bench';
import { chain, noOpNode, triggerNode } from '../../test/e2e/support/workflows';
import { judge, megabytes, thousands, times, type Section } from '../controller/report';
import { takeTurns, type Bench } from '../controller/sample';
import type { Sent } from '../controller/server';
import { median, percentile, ratio } from '../controller/statistics';

interface Subject {
	name: string;
	/** Of the package's trigger; the bare one has none. */
	batchSize?: number;
	/** Sent at once, or so many a second. */
	events: number;
	rate?: number;
	/** So often, one after the other (otherwise once). */
	bursts?: number;
	goal?: number;
}

const BARE = 'bare trigger, one execution an event';
const REPEATED = 'batch size 100, eight bursts of a quarter';
const BURSTS: readonly Subject[] = [
	{ name: BARE, events: 400 },
	{ name: 'batch size 1', batchSize: 1, events: 400 },
	{ name: 'batch size 100', batchSize: 100, events: 20_000, goal: 50 },
	{ name: REPEATED, batchSize: 100, events: 5_000, bursts: 8 },
];
/** Ten seconds; of one event an execution no more than 300, since what piles up has to end too. */
const PACED: readonly Subject[] = [1, 100].flatMap((batchSize) =>
	[10, 100, 500].map((rate) => ({
		name: `batch size ${batchSize}, ${rate} a second`,
		batchSize,
		rate,
		events: Math.min(rate * 10, batchSize * 300),
	})),
);
const MIXED = { kind: 'mixed' } as const;
/** The first executions compile and load what all others find ready. A burst meets a fresh n8n: that is part of it. */
const WARM_UP = 30;
const WARM_UP_RATE = 10;
const ENDED: ExecutionStatus[] = ['success', 'error', 'crashed', 'canceled'];
const RUNNING: ExecutionStatus[] = ['new', 'running'];
const POLL_MS = 250;
/** So long without a single end, nothing more will come. */
const STUCK_MS = 20_000;
/** Executions whose items are read for the latency, spread evenly. */
const MOST_READ = 100;

type Found = Awaited<ReturnType<typeof send>>;

/** Each measurement has an n8n of its own, so that nobody inherits another's executions or memory. */
async function measure(bench: Bench, subject: Subject): Promise<Found> {
	const { server: operator, runtime, tarball } = bench;
	operator.prepare(MIXED, 40_000);
	const { server, end } = await startN8n({
		name: 'bench',
		release: runtime.release,
		tarball,
		environment: { N8N_CUSTOM_EXTENSIONS: join(projectRoot, 'bench/reference') },
	});
	try {
		const client = new N8nClient(server.url, runtime.release);
		await client.signIn();
		const credential = await client.createCredential(SUPERVISOR_CREDENTIAL, 'Bench', {
			voiceUrl: operator.url,
			login: 'bench',
			password: 'bench',
			accountTypeKey: 'account_type',
		});
		const { batchSize } = subject;
		const ours = triggerNode({ options: { batchSize } });
		const bare = { type: 'CUSTOM.bareTrigger', parameters: { url: operator.url } };
		const start = batchSize ? ours : { ...ours, ...bare, credentials: undefined };
		const workflow = withCredentials(chain('Bench', [start, noOpNode()]), [credential]);
		const { id } = await client.createWorkflow(workflow);
		const { active, error } = await client.activate(id);
		if (!active) throw new Error(`n8n did not activate the workflow: ${error}`);
		return await send(bench, subject, server, client, id);
	} finally {
		await end();
		operator.drop();
	}
}

/** Sends to an n8n in which this workflow is active. */
async function send(
	{ server: operator, runtime }: Bench,
	{ batchSize, events, rate, bursts = 1 }: Subject,
	server: N8nServer,
	client: N8nClient,
	workflowId: string,
) {
	const transport = batchSize ? runtime.transport : 'websocket';
	const size = batchSize ?? 1;
	const warmUp = rate ? WARM_UP : 0;
	await operator.stream(warmUp, transport, 1, WARM_UP_RATE);
	let all = await ended(client, workflowId, Math.ceil(warmUp / size));
	// The most memory so far: before the first burst, and after each.
	const idleBytes = server.peakMemory();
	const peakBytes: number[] = [];
	const latencies: number[] = [];
	let [done, millis, notEnded] = [0, 0, 0];
	while (peakBytes.length < bursts) {
		const seen = all.length;
		const started = Date.now();
		const sent = await operator.stream(events, transport, 1, rate);
		all = await ended(client, workflowId, seen + Math.ceil(events / size));
		peakBytes.push(server.peakMemory());
		const fresh = all.slice(0, all.length - seen);
		const succeeded = fresh.filter(({ status }) => status === 'success');
		notEnded += fresh.length - succeeded.length;
		done += Math.min(events, succeeded.length * size);
		millis += Math.max(...succeeded.map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''))) - started;
		if (rate) latencies.push(...(await latenciesOf(client, succeeded, sent)));
	}
	return { eventsPerSecond: (done / millis) * 1000, notEnded, idleBytes, peakBytes, latencies };
}

/** Milliseconds from the operator's send to the start of the event's execution, for some executions. */
async function latenciesOf(
	client: N8nClient,
	executions: readonly ExecutionSummary[],
	sent: Sent,
): Promise<number[]> {
	const every = Math.ceil(executions.length / MOST_READ);
	const latencies: number[] = [];
	for (const { id, startedAt } of executions.filter((_, place) => place % every === 0)) {
		const execution = present(await client.getExecution(id));
		for (const { json } of itemsOf(execution, 'End')) {
			const { at } = present(sent.find(({ to }) => Number(json.cpt) <= to));
			latencies.push(Date.parse(startedAt) - at);
		}
	}
	return latencies;
}

/**
 * All executions, newest first, once nothing runs any more, or nothing has ended for so long that what runs never will
 * (n8n gives up writing to its database when too many executions want to at once, and leaves them "running").
 */
async function ended(client: N8nClient, workflowId: string, atLeast: number) {
	const count = async (status: ExecutionStatus[]) => {
		const query = { filter: JSON.stringify({ workflowId, status }), limit: '1' };
		const path = '/rest/executions';
		return (await client.call<{ count: number }>('GET', path, undefined, query)).count;
	};
	let [before, lastChange] = [-1, Date.now()];
	while (Date.now() - lastChange < STUCK_MS) {
		const now = await count(ENDED);
		const running = await count(RUNNING);
		if (now === before && now >= atLeast && running === 0) break;
		if (now !== before) [before, lastChange] = [now, Date.now()];
		await pause(POLL_MS);
	}
	return await client.listExecutions({ workflowId, status: [...ENDED, ...RUNNING] }, Infinity);
}

export async function measureN8n(bench: Bench): Promise<Section> {
	const { runtime, quick } = bench;
	const subjects = [...BURSTS, ...PACED].map((subject) =>
		quick ? { ...subject, events: subject.events / 4 } : subject,
	);
	const samples = await takeTurns(
		bench,
		subjects,
		async (subject) => await measure(bench, subject),
	);
	const rate = (name: string) => samples.of(name, ({ eventsPerSecond }) => eventsPerSecond);
	const peak = ({ peakBytes }: Found) => nth(peakBytes, -1);
	const rows = subjects.map(({ name, events, rate: paced, goal }) => {
		const against = ratio(rate(name), rate(BARE));
		const latencies = samples.of(name, (found) => found.latencies).flat();
		return {
			name,
			cells: [
				thousands(events),
				thousands(median(rate(name))),
				name === BARE || paced ? '' : times(against),
				...[0.5, 0.99].map((share) => (paced ? thousands(percentile(latencies, share)) : '')),
				megabytes(median(samples.of(name, peak))),
				megabytes(median(samples.of(name, (found) => peak(found) - found.idleBytes))),
				thousands(median(samples.of(name, ({ notEnded }) => notEnded))),
			],
			verdict: judge(against, 'at least', goal),
		};
	});
	const peaks = samples.of(REPEATED, ({ peakBytes }) => peakBytes.map(megabytes).join(', '));
	return {
		title: `Through n8n ${runtime.release.version}, ${runtime.name}: to the end of Trigger → NoOp`,
		columns: [
			'events',
			'events/s',
			'× bare',
			'p50 ms',
			'p99 ms',
			'peak MB',
			'grown MB',
			'not ended',
		],
		rows,
		notes: [
			`Peak of batch size 100 after each of eight bursts: ${peaks.join('; ')} MB.`,
			"p50 and p99: from the operator's send to the start of the execution.",
		],
		plot: {
			title: `Events a second to the end of Trigger → NoOp (${runtime.name})`,
			axis: 'events a second, logarithmic',
			logarithmic: true,
			bars: BURSTS.map(({ name }) => ({ name, value: median(rate(name)) })),
		},
		data: samples.all,
	};
}
