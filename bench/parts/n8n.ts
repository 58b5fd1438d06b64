/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Through a real n8n, from the provider's send to the end of Trigger → NoOp, against a bare trigger that emits each event
// as it comes (what peers do).
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { itemsOf, N8nClient, type ExecutionStatus } from '../../dev/n8n/client';
import { projectRoot } from '../../dev/n8n/package';
import { SUPERVISOR_CREDENTIAL, withCredentials } from '../../dev/setup';
import { present } from '../../test/support/present';
import { startN8n } from '../../test/e2e/support/bench';
import { chain, noOpNode, triggerNode } from '../../test/e2e/support/workflows';
import { HUNDRED_AGENTS } from '../controller/events';
import { judge, megabytes, thousands, times, type Section } from '../controller/report';
import { takeTurns, type Bench } from '../controller/sample';
import { median, percentile, ratio } from '../controller/statistics';

interface Subject {
	name: string;
	/** Of the package's trigger; the bare one has none. */
	batchSize?: number;
	/** Sent at once, or so many a second. */
	events: number;
	rate?: number;
	goal?: number;
}

const BARE = 'bare trigger, one execution an event';
const SUBJECTS: readonly Subject[] = [
	{ name: BARE, events: 400 },
	{ name: 'batch size 1', batchSize: 1, events: 400 },
	{ name: 'batch size 100', batchSize: 100, events: 20_000, goal: 50 },
	...[1, 100].flatMap((batchSize) =>
		[10, 100, 500].map((rate) => ({
			name: `batch size ${batchSize}, ${rate} a second`,
			batchSize,
			rate,
			// Ten seconds; of one event an execution no more than 300, since what piles up has to end too.
			events: Math.min(rate * 10, batchSize * 300),
		})),
	),
];
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

/** Each measurement has an n8n of its own, so that nobody inherits another's executions or memory. */
async function measure(bench: Bench, { batchSize, events, rate }: Subject) {
	const { server: provider, release, tarball } = bench;
	const warmUp = rate ? WARM_UP : 0;
	provider.prepare(HUNDRED_AGENTS, warmUp + events);
	const environment = { N8N_CUSTOM_EXTENSIONS: join(projectRoot, 'bench/reference') };
	const { server, end } = await startN8n({ name: 'bench', release, tarball, environment });
	try {
		const client = new N8nClient(server.url, release);
		await client.signIn();
		const credential = await client.createCredential(SUPERVISOR_CREDENTIAL, 'Bench', {
			voiceUrl: provider.url,
			login: 'bench',
			password: 'bench',
			accountTypeKey: 'account_type',
		});
		const bare = { type: 'CUSTOM.bareTrigger', parameters: { url: provider.url } };
		const ours = triggerNode({ options: { batchSize } });
		const start = batchSize ? ours : { ...noOpNode('Start'), ...bare };
		const workflow = withCredentials(chain('Bench', [start, noOpNode()]), [credential]);
		const { id: workflowId } = await client.createWorkflow(workflow);
		const { active, error } = await client.activate(workflowId);
		if (!active) throw new Error(`n8n did not activate the workflow: ${error}`);

		const transport = batchSize ? bench.transport : 'websocket';
		const size = batchSize ?? 1;
		await provider.stream(warmUp, transport, 1, WARM_UP_RATE);
		const { length: earlier } = await ended(client, workflowId, Math.ceil(warmUp / size));
		const started = Date.now();
		const sent = await provider.stream(events, transport, 1, rate);
		const all = await ended(client, workflowId, earlier + Math.ceil(events / size));
		const peakBytes = server.peakMemory();
		const fresh = all.slice(0, all.length - earlier);
		const succeeded = fresh.filter(({ status }) => status === 'success');
		const done = Math.min(events, succeeded.length * size);
		const last = Math.max(...succeeded.map(({ stoppedAt }) => Date.parse(stoppedAt ?? '')));
		/** Milliseconds from the provider's send to the start of the event's execution. */
		const latencies: number[] = [];
		const every = Math.ceil(succeeded.length / MOST_READ);
		for (const { id, startedAt } of succeeded.filter((_, place) => place % every === 0)) {
			for (const { json } of itemsOf(present(await client.getExecution(id)), 'End')) {
				const { at } = present(sent.find(({ to }) => Number(json.cpt) <= to));
				latencies.push(Date.parse(startedAt) - at);
			}
		}
		return { eventsPerSecond: (done / (last - started)) * 1000, peakBytes, latencies };
	} finally {
		await end();
		provider.drop();
	}
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
	const { node, release, quick } = bench;
	const subjects = SUBJECTS.map((subject) =>
		quick ? { ...subject, events: subject.events / 4 } : subject,
	);
	const samples = await takeTurns(bench, subjects, measure);
	const rate = (name: string) => samples(name, ({ eventsPerSecond }) => eventsPerSecond);
	return {
		title: `Through n8n ${release.version}, ${node}: to the end of Trigger → NoOp`,
		columns: ['events', 'events/s', '× bare', 'p50 ms', 'p99 ms', 'peak MB'],
		rows: subjects.map(({ name, events, rate: paced, goal }) => {
			const against = ratio(rate(name), rate(BARE));
			const latencies = samples(name, (found) => found.latencies).flat();
			return {
				name,
				cells: [
					thousands(events),
					thousands(median(rate(name))),
					name === BARE || paced ? '' : times(against),
					...[0.5, 0.99].map((share) => thousands(percentile(latencies, share))),
					megabytes(median(samples(name, ({ peakBytes }) => peakBytes))),
				],
				verdict: judge(against, 'at least', goal),
			};
		}),
		notes: ["p50 and p99: from the provider's send to the start of the execution."],
	};
}
