// Part 1: what the trigger costs beside a program that listens with socket.io-client, in the same run. One process for
// each subject, one round after the other, so that what disturbs the machine disturbs all of them alike.
import { nth } from '../../simulator/present';
import type { Compiled } from '../controller/compile';
import { MeasuredProcess } from '../controller/measuredProcess';
import {
	goalCell,
	judge,
	thousands,
	times,
	type Section,
	type Verdict,
} from '../controller/results';
import type { Runtime } from '../controller/runtimes';
import { median, ratio } from '../controller/statistics';
import type { Measurement } from '../measured/feedClient';

export interface Amount {
	rounds: number;
	/** Events that warm a process up before it is measured, and those measured. */
	warmUp: number;
	events: number;
}

interface Subject {
	name: string;
	/** What the ratio is to; nothing for the references themselves. */
	reference?: string;
	goal?: number;
	generation?: 4 | 2;
	transport: 'websocket' | 'polling';
	/** Share of the events that it hands on: a check that it did the work. */
	share: number;
	open(client: MeasuredProcess, url: string): Promise<unknown>;
}

interface Sample extends Measurement {
	serverCpuMicros: number;
}

const BARE = 'bare socket.io-client';
const BARE_AGAIN = 'bare socket.io-client again';
const BARE_POLLING = 'bare socket.io-client, long polling';
const BARE_2 = 'bare socket.io-client 2';
/** Items of one execution: what a user sets who gets thousands of events a second. */
const IN_BATCHES = { batchSize: 100 };

function trigger(...triggers: Array<Record<string, unknown>>): Subject['open'] {
	return async (client, url) => await client.call('openTriggers', { url, triggers });
}

function bare(transports: string[], generation: 4 | 2 = 4): Subject['open'] {
	return async (client, url) => await client.call('openBare', { url, transports, generation });
}

const forAgent = (agent: number) => ({
	output: 'simplified',
	filters: { agentIds: [String(agent)] },
	options: { ...IN_BATCHES, batchInterval: 0 },
});

function subjects({ transport }: Runtime): Subject[] {
	const polls = transport === 'polling';
	const shared = { transport, reference: BARE, share: 1 };
	const own: Subject[] = [
		{
			...shared,
			name: 'the bundled client alone',
			open: async (client, url) => await client.call('openBundled', { url }),
		},
		{
			...shared,
			name: 'raw, all events',
			goal: 1.1,
			open: trigger({ output: 'raw', options: IN_BATCHES }),
		},
		{
			...shared,
			name: 'simplified, all events',
			goal: 1.35,
			open: trigger({ output: 'simplified', options: IN_BATCHES }),
		},
		{
			...shared,
			name: 'simplified with names, all events',
			open: trigger({ output: 'simplified', options: { ...IN_BATCHES, resolveNames: true } }),
		},
		{
			...shared,
			name: 'simplified, all events, one an execution',
			open: trigger({ output: 'simplified' }),
		},
		{ ...shared, name: '1 % of the events', goal: 1.05, share: 0.01, open: trigger(forAgent(7)) },
		{
			...shared,
			name: '20 triggers, each another 1 %',
			goal: 1.3,
			share: 0.2,
			open: trigger(...Array.from({ length: 20 }, (_, index) => forAgent(index + 1))),
		},
	];
	const references: Subject[] = [
		{
			name: 'frames and JSON alone (ws)',
			transport: 'websocket',
			reference: BARE,
			share: 1,
			open: async (client, url) => await client.call('openWebSocket', { url }),
		},
		{ name: BARE, transport: 'websocket', share: 1, open: bare(['websocket']) },
		{
			name: BARE_AGAIN,
			transport: 'websocket',
			reference: BARE,
			share: 1,
			open: bare(['websocket']),
		},
	];
	if (polls) {
		references.push({
			name: BARE_POLLING,
			transport: 'polling',
			reference: BARE,
			share: 1,
			open: bare(['polling']),
		});
		own.push(
			...own
				.filter(({ goal }) => goal !== undefined)
				.map((subject) => ({
					...subject,
					name: `${subject.name} (to polling)`,
					reference: BARE_POLLING,
				})),
		);
	}
	const old: Subject[] = [
		{
			name: BARE_2,
			generation: 2,
			transport: 'websocket',
			share: 1,
			open: bare(['websocket'], 2),
		},
		{
			...nth(own, 1),
			name: 'raw, all events, Socket.IO 2',
			goal: undefined,
			generation: 2,
			reference: BARE_2,
		},
	];
	return [...references, ...own, ...(polls ? [] : old)];
}

/** One process, warmed up, measured once. */
async function sample(
	subject: Subject,
	compiled: Compiled,
	runtime: Runtime,
	server: MeasuredProcess,
	url: string,
	{ warmUp, events }: Amount,
): Promise<Sample> {
	const client = new MeasuredProcess(compiled.script('feedClient'), runtime.binary);
	try {
		await subject.open(client, url);
		await server.call('ready', { transport: subject.transport });
		await client.call('begin');
		await server.call('stream', { from: 0, to: warmUp });
		await client.call('finish');
		await client.call('begin');
		const { cpuMicros } = await server.call<{ cpuMicros: number }>('stream', {
			from: warmUp,
			to: warmUp + events,
		});
		const measured = await client.call<Measurement>('finish');
		// When the stream ends, the last batch may still be filling, and executions of the last events be under way.
		const expected = events * subject.share;
		if (Math.abs(measured.received - expected) > Math.max(IN_BATCHES.batchSize, events * 0.01)) {
			throw new Error(`"${subject.name}" handed on ${measured.received} of ${expected} events`);
		}
		return { ...measured, serverCpuMicros: cpuMicros };
	} finally {
		await client.stop();
		await server.call('drop');
	}
}

export async function measureFeed(
	compiled: Compiled,
	runtime: Runtime,
	serverRuntime: Runtime,
	amount: Amount,
	progress: (line: string) => void,
): Promise<Section> {
	const servers = new Map<4 | 2, { process: MeasuredProcess; url: string }>();
	const samples = new Map<string, Sample[]>();
	const all = subjects(runtime);
	let eventBytes = 0;
	try {
		for (const generation of new Set(all.map((subject) => subject.generation ?? 4))) {
			const process = new MeasuredProcess(compiled.script('server'), serverRuntime.binary);
			servers.set(generation, { process, url: '' });
			const port = await process.call<number>('listen', { generation });
			eventBytes = await process.call<number>('prepare', {
				count: amount.warmUp + amount.events,
				traffic: { kind: 'mixed' },
				polling: runtime.transport === 'polling',
			});
			servers.set(generation, { process, url: `http://127.0.0.1:${port}` });
		}
		for (let round = 1; round <= amount.rounds; round++) {
			progress(`${runtime.name}: feed, round ${round} of ${amount.rounds}`);
			const measuredNow = new Map<string, Sample>();
			// Every other round backwards: nobody is always the one after the same neighbour.
			for (const subject of round % 2 === 1 ? all : [...all].reverse()) {
				// The same measurement held against a second reference.
				const twin = all.find((other) => other.open === subject.open && other !== subject);
				const known = twin && measuredNow.get(twin.name);
				const { process, url } = servers.get(subject.generation ?? 4)!;
				const now =
					known && (twin.generation ?? 4) === (subject.generation ?? 4)
						? known
						: await sample(subject, compiled, runtime, process, url, amount);
				measuredNow.set(subject.name, now);
				samples.set(subject.name, [...(samples.get(subject.name) ?? []), now]);
			}
		}
		const limit = await serverLimit(compiled, serverRuntime, servers.get(4)!, amount);
		return section(runtime, amount, all, samples, limit, eventBytes);
	} finally {
		for (const { process } of servers.values()) await process.stop();
	}
}

/** Events a second that the server can send to somebody who throws them away. */
async function serverLimit(
	compiled: Compiled,
	runtime: Runtime,
	{ process: server, url }: { process: MeasuredProcess; url: string },
	{ rounds, warmUp, events }: Amount,
): Promise<number> {
	const rates: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const client = new MeasuredProcess(compiled.script('feedClient'), runtime.binary);
		try {
			const warm = await server.call<{ bytes: number }>('size', { from: 0, to: warmUp });
			const full = await server.call<{ bytes: number }>('size', {
				from: warmUp,
				to: warmUp + events,
			});
			await client.call('openTcp', { url, bytes: [warm.bytes, full.bytes] });
			await server.call('ready', { transport: 'websocket' });
			await client.call('begin');
			await server.call('stream', { from: 0, to: warmUp });
			await client.call('finish');
			await client.call('begin');
			await server.call('stream', { from: warmUp, to: warmUp + events });
			const { wallMillis } = await client.call<Measurement>('finish');
			rates.push((events / wallMillis) * 1000);
		} finally {
			await client.stop();
		}
	}
	return median(rates);
}

function section(
	runtime: Runtime,
	{ events }: Amount,
	all: readonly Subject[],
	samples: ReadonlyMap<string, Sample[]>,
	limit: number,
	eventBytes: number,
): Section {
	const verdicts: Verdict[] = [];
	const rows: string[][] = [];
	const data: Record<string, unknown> = {};
	const of = (name: string, read: (one: Sample) => number) => samples.get(name)!.map(read);
	const cpu = (one: Sample) => one.cpuMicros / events;
	const rate = (one: Sample) => (events / one.wallMillis) * 1000;
	const polling = samples.has(BARE_POLLING)
		? ratio(of(BARE_POLLING, cpu), of(BARE, cpu))
		: undefined;
	for (const { name, reference, goal } of all) {
		const cpuRatio = reference ? ratio(of(name, cpu), of(reference, cpu)) : undefined;
		const rateRatio = reference ? ratio(of(name, rate), of(reference, rate)) : undefined;
		const verdict =
			cpuRatio && goal !== undefined
				? judge(`CPU per event, ${name}`, cpuRatio, 'at most', goal)
				: undefined;
		// What long polling costs is Node's: over the same transport the goals stand as they are ("to polling").
		if (verdict && polling && reference === BARE && (verdict.beyond || verdict.doubtful)) {
			verdict.outOfReach = `over long polling the bare client itself takes ${times(polling)} ×`;
		}
		if (verdict) verdicts.push(verdict);
		rows.push([
			name,
			thousands(median(of(name, rate))),
			median(of(name, cpu)).toFixed(2),
			rateRatio ? times(rateRatio) : '',
			cpuRatio ? times(cpuRatio) : '',
			verdict ? goalCell(verdict) : '',
		]);
		data[name] = {
			eventsPerSecond: of(name, rate),
			cpuMicrosPerEvent: of(name, cpu),
			serverCpuMicrosPerEvent: of(name, (one) => one.serverCpuMicros / events),
			cpuRatio,
			rateRatio,
			goal,
		};
	}
	const serverCost = median(of(BARE, (one) => one.serverCpuMicros / events));
	return {
		part: 'feed',
		title: `Feed overhead, ${runtime.name} (the trigger listens over ${runtime.transport})`,
		columns: ['', 'events/s', 'CPU µs/event', 'events/s ratio', 'CPU ratio', 'goal'],
		rows,
		notes: [
			`Events of ${Math.round(eventBytes)} bytes on the wire. The server alone: ${thousands(limit)} events/s, ${serverCost.toFixed(2)} µs of its CPU for each.`,
		],
		verdicts,
		data: { subjects: data, serverLimit: limit, eventBytes },
	};
}
