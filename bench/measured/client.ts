/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The process whose CPU time is counted: the package's triggers, or the program that they are compared with. Plays one
// measurement, which is its argument, and prints what it found, both as JSON.
import { performance } from 'node:perf_hooks';
import type { IHttpRequestOptions, INodeType, IRun, ITriggerFunctions } from 'n8n-workflow';
import { io } from 'socket.io-client';

import { nth } from '../../test/support/present';
import { createDeferredPromise } from '../../test/support/n8n';
import { END } from '../controller/events';
import type { BenchServer } from '../controller/server';

export interface Measurement {
	/** Of the server. */
	url: string;
	transport: string;
	/** Parameters of each trigger. Without any, a program listens with socket.io-client and counts. */
	triggers?: ReadonlyArray<Record<string, unknown>>;
	/** Connections of the triggers' feed. */
	connections?: number;
	/** n8n can't start executions. */
	stalled?: boolean;
	/** Events that come as fast as they are taken: memory is read before and after, and the garbage is collected. */
	rush: number;
	/** Then events that warm it up, and those whose cost counts: so many a second, if there is a rate. */
	warmUp: number;
	events: number;
	rate?: number;
}

export interface Found {
	/** Events, or items of executions that n8n could start. */
	received: number;
	/** CPU time of the whole process until the end of the stream. */
	cpuMicros: number;
	/** From the first event to the end of the stream. */
	wallMillis: number;
	/** The rush. */
	before: NodeJS.MemoryUsage;
	after: NodeJS.MemoryUsage;
}

let received = 0;
let firstAt = 0;
/** Called when a connection has brought the end of a stream. */
let ended = () => {};

function arrived(count: number): void {
	if (received === 0) firstAt = performance.now();
	received += count;
}

async function openBare({ url, transport }: Measurement): Promise<void> {
	const socket = io(url, { transports: [transport] });
	socket.on('update', () => arrived(1));
	socket.on(END, () => ended());
	await new Promise<void>((resolve) => socket.once('connect', resolve));
	socket.emit('init', 'supervisor', 77, 'token-of-the-bench');
}

async function httpRequest({ method, url, abortSignal }: IHttpRequestOptions) {
	const answer = await fetch(url, { method, signal: abortSignal as AbortSignal | undefined });
	const headers = Object.fromEntries(answer.headers);
	return { statusCode: answer.status, headers, body: await answer.text() };
}

/** Activates the trigger as it ships. */
async function openTriggers({
	url,
	triggers = [],
	connections,
	stalled,
}: Measurement): Promise<void> {
	const { VoiceManagementTrigger } =
		require('n8n-nodes-voice-management/dist/nodes/VoiceManagementTrigger/VoiceManagementTrigger.node.js') as {
			VoiceManagementTrigger: new () => INodeType;
		};
	const trigger = new VoiceManagementTrigger();
	const emit: ITriggerFunctions['emit'] = (data, _response, done, _key) => {
		// As n8n 2.41 does, which reads both at once.
		const { resolve, reject } = done ?? {};
		if (stalled) return reject?.(new Error('connect ECONNREFUSED 127.0.0.1:5432'));
		arrived(nth(data, 0).length);
		resolve?.({ status: 'success' } as IRun);
	};
	for (const [index, parameters] of triggers.entries()) {
		const id = `workflow-${index}`;
		const staticData = {};
		// The feed logs an event that is not in the document, our end mark, through one of its triggers.
		const onLog = (line: string) => {
			if (line.includes(`${END}-`)) ended();
		};
		/** The least of n8n that the trigger runs in. */
		const context = {
			getMode: () => 'trigger',
			getActivationMode: () => 'activate',
			getNode: () => ({ id, name: 'Trigger', type: 'trigger', typeVersion: 1, parameters }),
			getWorkflow: () => ({ id, name: id, active: true }),
			getWorkflowSettings: () => ({}),
			getWorkflowStaticData: () => staticData,
			getTimezone: () => 'Europe/Paris',
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getCredentials: async () => ({
				voiceUrl: url,
				login: 'bench',
				password: 'bench',
				customConnection: true,
				redundantConnection: connections === 2,
			}),
			// Not at debug, where the payload follows in a line of its own.
			logger: { debug: () => {}, info: onLog, warn: onLog, error: onLog },
			helpers: {
				createDeferredPromise,
				httpRequest,
				httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) =>
					await httpRequest(options),
			},
			emit,
		};
		await trigger.trigger!.call(context as unknown as ITriggerFunctions);
	}
}

/** Has the server send a stream, and waits for its end. */
async function hear({ url, transport, connections = 1 }: Measurement, count: number, rate = 0) {
	received = 0;
	const cpu = process.cpuUsage();
	const end = new Promise<Pick<Found, 'cpuMicros' | 'wallMillis'>>((resolve) => {
		let missing = connections;
		ended = () => {
			if (--missing > 0) return;
			// What the last events set off goes on in microtasks.
			setImmediate(() => {
				const { user, system } = process.cpuUsage(cpu);
				resolve({ cpuMicros: user + system, wallMillis: performance.now() - firstAt });
			});
		};
	});
	const stream: Parameters<BenchServer['stream']> = [count, transport, connections, rate];
	const answer = await fetch(`${url}/stream?of=${encodeURIComponent(JSON.stringify(stream))}`);
	if (!answer.ok) throw new Error(await answer.text());
	return { ...(await end), received };
}

/** Memory after a garbage collection. */
function collected(): NodeJS.MemoryUsage {
	// One pass leaves what only finalisers let go of.
	for (let pass = 0; pass < 3; pass++) global.gc?.();
	return process.memoryUsage();
}

async function measure(wanted: Measurement): Promise<Found> {
	const { triggers, rush, warmUp, events, rate } = wanted;
	await (triggers ? openTriggers(wanted) : openBare(wanted));
	// An empty stream ends when all connections are there.
	await hear(wanted, 0);
	const before = collected();
	await hear(wanted, rush);
	const after = collected();
	await hear(wanted, warmUp, rate);
	// What a rush leaves behind is no cost of what is measured. Once: after several collections in a row V8 believes that a
	// program is short of memory, and soon collects everything again, which in life it does not.
	if (rush > 0) global.gc?.();
	return { ...(await hear(wanted, events, rate)), before, after };
}

// Node.js 20 may see nothing left to do while a login is under way: the process must outlive that, as n8n's does.
setInterval(() => {}, 60_000);
void measure(JSON.parse(nth(process.argv, 2)) as Measurement).then((found) => {
	process.stdout.write(JSON.stringify(found), () => process.exit());
});
