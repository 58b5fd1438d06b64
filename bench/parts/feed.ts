// Part 1: what the trigger costs beside a program that listens with socket.io-client over the same transport, in the
// same run. One process for each subject, one round after the other, so that what disturbs the machine disturbs all of
// them alike.
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
	goal?: number;
	/** Share of the events that it hands on: a check that it did the work. */
	share: number;
	/** Connections of the feed, and what {@link goal} compares it with, if that is not the reference. */
	lines?: number;
	beside?: string;
	/** Triggers of one account; the reference has none. */
	triggers?: Array<Record<string, unknown>>;
}

interface Sample extends Measurement {
	serverCpuMicros: number;
}

/** Items of one execution: what a user sets who gets thousands of events a second. */
const IN_BATCHES = { batchSize: 100 };

const all = (output: string, options: object = IN_BATCHES) => [{ output, options }];
const forAgent = (agent: number) => ({
	output: 'simplified',
	filters: { agentIds: [String(agent)] },
	options: IN_BATCHES,
});

const BARE: Subject = { name: 'bare socket.io-client', share: 1 };
const SUBJECTS: readonly Subject[] = [
	BARE,
	{ name: 'raw, all events', goal: 1.1, share: 1, triggers: all('raw') },
	{ name: 'simplified, all events', goal: 1.35, share: 1, triggers: all('simplified') },
	{
		name: 'simplified with names, all events',
		share: 1,
		triggers: all('simplified', { ...IN_BATCHES, resolveNames: true }),
	},
	{
		name: 'simplified, all events, one an execution',
		share: 1,
		triggers: all('simplified', {}),
	},
	{
		name: 'simplified, all events, two lines',
		goal: 2.1,
		share: 1,
		lines: 2,
		beside: 'simplified, all events',
		triggers: all('simplified', { ...IN_BATCHES, redundantConnection: true }),
	},
	{ name: '1 % of the events', goal: 1.05, share: 0.01, triggers: [forAgent(7)] },
	{
		name: '20 triggers, each another 1 %',
		goal: 1.3,
		share: 0.2,
		triggers: Array.from({ length: 20 }, (_, index) => forAgent(index + 1)),
	},
];

/** One process, warmed up, measured once. */
async function sample(
	{ name, triggers, share, lines = 1 }: Subject,
	compiled: Compiled,
	{ binary, transport }: Runtime,
	server: MeasuredProcess,
	url: string,
	{ warmUp, events }: Amount,
): Promise<Sample> {
	const client = new MeasuredProcess(compiled.script('feedClient'), binary);
	try {
		if (triggers) await client.call('openTriggers', { url, triggers, lines });
		else await client.call('openBare', { url, transports: [transport] });
		await server.call('ready', { transport, lines });
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
		const expected = events * share;
		if (Math.abs(measured.received - expected) > Math.max(IN_BATCHES.batchSize, events * 0.01)) {
			throw new Error(`"${name}" handed on ${measured.received} of ${expected} events`);
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
	const server = new MeasuredProcess(compiled.script('server'), serverRuntime.binary);
	const samples = new Map<string, Sample[]>(SUBJECTS.map(({ name }) => [name, []]));
	try {
		const url = `http://127.0.0.1:${await server.call<number>('listen')}`;
		const eventBytes = await server.call<number>('prepare', {
			count: amount.warmUp + amount.events,
			traffic: { kind: 'mixed' },
			polling: runtime.transport === 'polling',
		});
		for (let round = 1; round <= amount.rounds; round++) {
			progress(`${runtime.name}: feed, round ${round} of ${amount.rounds}`);
			// Every other round backwards: nobody is always the one after the same neighbour.
			for (const subject of round % 2 === 1 ? SUBJECTS : SUBJECTS.toReversed()) {
				samples
					.get(subject.name)!
					.push(await sample(subject, compiled, runtime, server, url, amount));
			}
		}
		return section(runtime, amount, samples, eventBytes);
	} finally {
		await server.stop();
	}
}

function section(
	runtime: Runtime,
	{ events }: Amount,
	samples: ReadonlyMap<string, Sample[]>,
	eventBytes: number,
): Section {
	const verdicts: Verdict[] = [];
	const rows: string[][] = [];
	const data: Record<string, unknown> = {};
	const of = ({ name }: Subject, read: (one: Sample) => number) => samples.get(name)!.map(read);
	const cpu = (one: Sample) => one.cpuMicros / events;
	const rate = (one: Sample) => (events / one.wallMillis) * 1000;
	for (const subject of SUBJECTS) {
		const { name, goal } = subject;
		const cpuRatio = ratio(of(subject, cpu), of(BARE, cpu));
		const beside = SUBJECTS.find((other) => other.name === subject.beside) ?? BARE;
		const judged = ratio(of(subject, cpu), of(beside, cpu));
		const rateRatio = ratio(of(subject, rate), of(BARE, rate));
		const verdict =
			goal === undefined ? undefined : judge(`CPU per event, ${name}`, judged, 'at most', goal);
		if (verdict) verdicts.push(verdict);
		rows.push([
			name,
			thousands(median(of(subject, rate))),
			median(of(subject, cpu)).toFixed(2),
			subject === BARE ? '' : times(rateRatio),
			subject === BARE ? '' : times(cpuRatio),
			verdict ? goalCell(verdict) : '',
		]);
		data[name] = {
			eventsPerSecond: of(subject, rate),
			cpuMicrosPerEvent: of(subject, cpu),
			cpuRatio,
			rateRatio,
			goal,
		};
	}
	const serverCost = median(of(BARE, (one) => one.serverCpuMicros / events));
	return {
		part: 'feed',
		title: `Feed overhead, ${runtime.name} (both listen over ${runtime.transport})`,
		columns: ['', 'events/s', 'CPU µs/event', 'events/s ratio', 'CPU ratio', 'goal'],
		rows,
		notes: [
			`Events of ${Math.round(eventBytes)} bytes on the wire. The server spends ${serverCost.toFixed(2)} µs of its CPU on each.`,
		],
		verdicts,
		data: { subjects: data, eventBytes },
	};
}
