// The process whose CPU time is counted: the package's trigger, or what it is held against.
import { performance } from 'node:perf_hooks';
import type { INodeType, ITriggerResponse } from 'n8n-workflow';
import { io as openSocket } from 'socket.io-client';

import { serveCommands } from './commands';
import { triggerContext, type Settle } from './context';
import { END, FEED_END } from './frames';

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
	/** Connections of their feed: the stream has ended when it has on each of them. */
	lines?: number;
	/** Another call's triggers tell when a stream has ended. */
	quiet?: boolean;
}

serveCommands({
	/** A program that listens with socket.io-client and counts. */
	async openBare({ url, transports }: { url: string; transports: string[] }) {
		const socket = openSocket(url, { forceNew: true, transports });
		socket.on('update', () => arrived());
		socket.on(END, end);
		await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
		socket.emit('init', 'supervisor', 77, 'token-of-the-bench');
	},

	/** Triggers of one account. Gives how long each activation took (milliseconds). */
	async openTriggers({
		url,
		triggers,
		executions: wanted = 'end',
		quiet = false,
		lines = 1,
	}: TriggerOpening): Promise<number[]> {
		const trigger = loadTrigger();
		executions = wanted;
		const took: number[] = [];
		let ends = 0;
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
						if (quiet || index !== 0 || !line.includes(FEED_END)) return;
						if (++ends % lines === 0) end();
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
