// The process whose CPU time is counted: the package's trigger, or what it is held against.
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { INodeType, ITriggerResponse } from 'n8n-workflow';
import { io as openSocket4 } from 'socket.io-client';
import openSocket2 from 'socket.io-client-2';
import WebSocket from 'ws';

import { serveCommands } from './commands';
import { triggerContext, type Settle } from './context';
import { END, FEED_END } from './frames';

type Opening = { url: string; transports?: Array<'polling' | 'websocket'> };

/** Events or items that arrived since the mark, and what they cost. */
export interface Measurement {
	received: number;
	/** CPU time of the whole process from the mark to the end of the stream. */
	cpuMicros: number;
	/** From the first event to the end of the stream. */
	wallMillis: number;
}

let received = 0;
let firstAt: number | undefined;
let mark: NodeJS.CpuUsage = process.cpuUsage();
let ended: (result: Omit<Measurement, 'received'>) => void = () => {};
let measurement: Promise<Omit<Measurement, 'received'>> | undefined;

function arrived(count = 1): void {
	firstAt ??= performance.now();
	received += count;
}

function end(): void {
	const { user, system } = process.cpuUsage(mark);
	ended({
		cpuMicros: user + system,
		wallMillis: performance.now() - (firstAt ?? performance.now()),
	});
}

/** The trigger class of the package as it ships. */
function loadTrigger(): INodeType {
	const { VoiceManagementTrigger } =
		require('n8n-nodes-voice-management/dist/nodes/VoiceManagementTrigger/VoiceManagementTrigger.node.js') as {
			VoiceManagementTrigger: new () => INodeType;
		};
	return new VoiceManagementTrigger();
}

type Executions = 'end' | 'run' | 'do not start';

/** Executions that have not ended: only while they `run`. */
const running: Settle[] = [];
let executions: Executions = 'end';
const open: Array<ITriggerResponse | undefined> = [];

interface TriggerOpening {
	url: string;
	/** Parameters of each trigger, in the order in which they are activated. */
	triggers: Array<Record<string, unknown>>;
	/** What becomes of executions: unless told, they end at once; those that `run` do not end before `release`. */
	executions?: Executions;
	/** Another call's triggers tell when a stream has ended. */
	quiet?: boolean;
}

serveCommands({
	/** Counts bytes and throws them away: how fast the server can be. */
	async openTcp({ url, bytes }: Opening & { bytes: number[] }) {
		const socket = await joinByHand(url);
		const tcp = (socket as unknown as { _socket: import('node:net').Socket })._socket;
		tcp.removeAllListeners('data');
		let expected = bytes.shift() ?? 0;
		let seen = 0;
		tcp.on('data', (chunk: Buffer) => {
			firstAt ??= performance.now();
			seen += chunk.length;
			if (seen < expected) return;
			seen -= expected;
			expected = bytes.shift() ?? 0;
			end();
		});
	},

	/** Frames and JSON, nothing else: no client of any kind can be cheaper. */
	async openWebSocket({ url }: Opening) {
		const socket = await joinByHand(url);
		socket.on('message', (data: Buffer) => {
			const text = data.toString();
			if (!text.startsWith('42')) return;
			const [name] = JSON.parse(text.slice(2)) as [string];
			if (name === END) end();
			else if (name === 'update') arrived();
		});
	},

	/** A program that listens with socket.io-client and counts. */
	async openBare({ url, transports, generation }: Opening & { generation: 4 | 2 }) {
		const options = { forceNew: true, ...(transports && { transports }) };
		const socket = (
			generation === 4 ? openSocket4(url, options) : openSocket2(url, options)
		) as ReturnType<typeof openSocket4>;
		socket.on('update', () => arrived());
		socket.on(END, end);
		await new Promise<void>((resolve) => socket.once('connect', resolve));
		socket.emit('init', 'supervisor', 77, 'token-of-the-bench');
	},

	/** The package's own client without the feed around it. */
	async openBundled({ url }: Opening) {
		const { openSocket } =
			require('n8n-nodes-voice-management/dist/nodes/VoiceManagementTrigger/feed/socketio/index.js') as typeof import('../../nodes/VoiceManagementTrigger/feed/socketio');
		await new Promise<void>((resolve, reject) => {
			const socket = openSocket(
				{ url, path: '/socket.io/', protocol: 4, connectTimeoutMs: 10_000 },
				{
					connect() {
						socket.emit('init', 'supervisor', 77, 'token-of-the-bench');
						resolve();
					},
					disconnect: () => {},
					connectError: (message) => reject(new Error(message)),
					event: (name) => {
						if (name === END) end();
						else if (name === 'update') arrived();
					},
				},
			);
		});
	},

	/** Triggers of one account. Gives how long each activation took (milliseconds). */
	async openTriggers({
		url,
		triggers,
		executions: wanted = 'end',
		quiet = false,
	}: TriggerOpening): Promise<number[]> {
		const trigger = loadTrigger();
		executions = wanted;
		const took: number[] = [];
		for (const [index, parameters] of triggers.entries()) {
			const started = performance.now();
			const response = await trigger.trigger!.call(
				triggerContext({
					id: `workflow-${open.length}`,
					url,
					parameters,
					onItems(items, done) {
						if (executions === 'do not start') return done.notStarted();
						arrived(items.length);
						if (executions === 'run') running.push(done);
						else done.ended();
					},
					// The feed tells its log about a message that is none of the document's: our end mark.
					onLog: (line) => {
						if (!quiet && index === 0 && line.includes(FEED_END)) end();
					},
				}),
			);
			open.push(response);
			took.push(performance.now() - started);
		}
		return took;
	},

	/** Ends every execution that runs and all that follow. */
	async release({ expected }: { expected: number }) {
		const started = performance.now();
		executions = 'end';
		for (const done of running.splice(0)) done.ended();
		while (received < expected) await new Promise((resolve) => setImmediate(resolve));
		return performance.now() - started;
	},

	/** Closes all triggers at once; gives how long that took (milliseconds) and what has been handed over by then. */
	async closeTriggers() {
		const started = performance.now();
		await Promise.all(open.splice(0).map(async (response) => await response?.closeFunction?.()));
		return { millis: performance.now() - started, received };
	},

	/** The measurement begins here. */
	begin() {
		received = 0;
		firstAt = undefined;
		measurement = new Promise((resolve) => {
			ended = resolve;
		});
		mark = process.cpuUsage();
	},

	/** Waits for the end of the stream. */
	async finish(): Promise<Measurement> {
		const result = await measurement!;
		return { received, ...result };
	},

	/** Memory after a garbage collection, in bytes. */
	memory() {
		// One pass leaves what only finalisers let go of.
		for (let pass = 0; pass < 3; pass++) global.gc?.();
		const { heapUsed, rss, external } = process.memoryUsage();
		return { heapUsed, rss, external };
	},
});

/** A Socket.IO connection without a client: handshake, namespace and `init`, then nothing is answered. */
async function joinByHand(url: string): Promise<WebSocket> {
	const endpoint = url.replace(/^http/, 'ws');
	const socket = new WebSocket(`${endpoint}/socket.io/?EIO=4&transport=websocket`);
	await once(socket, 'message');
	socket.send('40');
	await once(socket, 'message');
	socket.send(`42${JSON.stringify(['init', 'supervisor', 77, 'token-of-the-bench'])}`);
	return socket;
}
