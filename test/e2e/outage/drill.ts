/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// One drill: events are sent at a fixed rate to workflows that report each execution to a sink outside n8n, something
// goes away in the meantime, and in the end every event is accounted for.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	N8nRequestError,
	type Credential,
	type N8nClient,
	type Workflow,
} from '../../../dev/n8n/client';
import { projectRoot } from '../../../dev/n8n/package';
import { withCredentials } from '../../../dev/setup';
import type { Provider } from '../../../simulator';
import { chosenRelease } from '../support/environment';
import { startSink, type Sink } from '../support/sink';
import { chain, reportNodes, triggerNode } from '../support/workflows';
import { accountFor, accountRow, type Account, type Sent } from './account';
import { nth } from '../../support/present';

/** The place of an outage: an n8n instance (or a cluster), and the provider that sends the events. */
export interface Site {
	client: N8nClient;
	provider: Provider;
	credentials: readonly Credential[];
}

/** Events of one kind, and the workflow that receives them. */
export interface Stream {
	/** Its name in the table. */
	title: string;
	/** `event` of a queue event, which distinguishes the streams of a drill. */
	event: 'insert_call' | 'connect_call' | 'delete_call';
	/** Events per second. */
	rate: number;
	/** Options of the trigger. */
	options: { batchSize: number; maxInFlight?: number; [option: string]: unknown };
	/** Settings of the workflow. */
	settings?: Record<string, unknown>;
	/** Its workflow wants every event of the feed, not only those of the stream. */
	everyEvent?: boolean;
	/** Nothing bounds how many of its executions run at once, and so how many may pass each other. */
	unbounded?: boolean;
}

export interface Drill {
	/** How long events are sent before something goes away, while it is away, and afterwards (milliseconds). */
	leadMs?: number;
	awayMs: number;
	tailMs?: number;
	leave(): Promise<void> | void;
	comeBack(): Promise<void> | void;
	streams: readonly Stream[];
}

const DEFAULT_IN_FLIGHT = 10;
const LEAD_MS = 2_000;
const TAIL_MS = 3_000;
/**
 * After so long without an arrival the rest counts as lost: it is longer than the two minutes for which an execution
 * whose end n8n never reports keeps its slot, and than a slow machine needs. Nobody waits for it if all arrives.
 */
const QUIET_MS = 240_000;
const LATE_MS = 10_000;
/** How long n8n may take to find its database again. */
const READY_MS = 180_000;

const SAVE_NONE = {
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'all',
	saveExecutionProgress: false,
};

export async function pause(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Creates and activates the workflow of a stream. */
export async function openStream(site: Site, sink: Sink, stream: Stream): Promise<Workflow> {
	const definition = chain(
		stream.event,
		[
			triggerNode({
				...(stream.everyEvent ? {} : { notificationTypes: ['queue'], events: [stream.event] }),
				options: { emitFeedStatus: true, ...stream.options },
			}),
			...reportNodes(`${sink.url}/${stream.event}`),
		],
		{ ...SAVE_NONE, ...stream.settings },
	);
	const workflow = await site.client.createWorkflow(withCredentials(definition, site.credentials));
	expect(await site.client.activate(workflow.id)).toMatchObject({ active: true });
	return workflow;
}

/** Records what the provider sends, whether or not somebody listens. */
export function noteSent(provider: Provider): { of(event: string): Sent[]; end(): void } {
	const sent = new Map<string, Sent[]>();
	const end = provider.onEvent((_name, [envelope], _reached, at) => {
		const { cpt, event: inner } = envelope as {
			cpt: number;
			event: { event: string; msg?: { id_call?: number } };
		};
		const { event, msg } = inner;
		if (!sent.has(event)) sent.set(event, []);
		sent.get(event)!.push({ call: String(msg?.id_call), cpt, at });
	});
	return { of: (event) => sent.get(event) ?? [], end };
}

/**
 * Runs a drill from its first event to the last report, and prints the result.
 * @returns what became of the events of each stream
 */
export async function runDrill(title: string, site: Site, drill: Drill): Promise<Account[]> {
	const { leadMs = LEAD_MS, tailMs = TAIL_MS, awayMs, streams } = drill;
	const sink = await startSink();
	const sent = noteSent(site.provider);
	try {
		for (const stream of streams) await openStream(site, sink, stream);
		await site.provider.control.waitForSockets(1);
		const seconds = (leadMs + awayMs + tailMs) / 1000;
		const bursts = streams.map(
			async ({ event, rate }) =>
				await site.provider.control.pushBurst({ event, rate, count: Math.round(rate * seconds) }),
		);
		await pause(leadMs);
		await drill.leave();
		await pause(awayMs);
		await drill.comeBack();
		await Promise.all(bursts);
		const account = ({ event, options, unbounded }: Stream) => {
			const inFlight = unbounded ? Infinity : (options.maxInFlight ?? DEFAULT_IN_FLIGHT);
			const reports = sink.reports.filter(({ from }) => from === event);
			return accountFor(sent.of(event), reports, inFlight);
		};
		const arrived = () => streams.map(account).every((one) => one.arrived === one.sent);
		const explained = () => streams.map(account).every(({ lost }) => lost === 0);
		await sink.settled(() => arrived() || explained(), QUIET_MS);
		// A gap may cover events that do arrive.
		await sink.settled(arrived, LATE_MS);
		// Nor does "resumed" come before the events that were held: it may be the last report.
		const resumed = () =>
			streams.map(account).every(({ told }) => (told.held ?? 0) === (told.resumed ?? 0));
		await sink.settled(resumed, LATE_MS);
		const accounts = streams.map(account);
		accounts.forEach((one, index) => print(`${title}, ${nth(streams, index).title}`, one));
		return accounts;
	} finally {
		sent.end();
		try {
			for (const { id, active } of await listOnceReady(site.client)) {
				if (active) await site.client.deactivate(id);
			}
			await site.provider.control.waitForSockets(0);
		} finally {
			await sink.close();
		}
	}
}

/** The workflows, as soon as n8n responds, which it does not before it has its database again. */
async function listOnceReady(client: N8nClient): Promise<Workflow[]> {
	const deadline = Date.now() + READY_MS;
	for (;;) {
		try {
			return await client.listWorkflows();
		} catch (error) {
			const notYet = error instanceof N8nRequestError && error.status >= 500;
			if (!notYet || Date.now() > deadline) throw error;
			await pause(500);
		}
	}
}

/** Adds a row to the table of this run, which is stored below test/e2e/artifacts. */
export function print(title: string, account: Account): void {
	const { version } = chosenRelease();
	const row = accountRow(`${title} (n8n ${version})`, account);
	process.stderr.write(`${row}\n`);
	appendFileSync(join(projectRoot, `test/e2e/artifacts/outage-n8n-${version}.md`), `${row}\n`);
}

/**
 * Every event arrived, once. The order is not promised during an outage: of the executions under way, one that n8n
 * could not start comes after those that it had started.
 */
export const EACH_ONCE = { twice: 0, toldMissing: 0, lost: 0 };
/** Events that did not arrive were reported to the workflow. */
export const EACH_ONCE_OR_TOLD = { twice: 0, lost: 0 };
