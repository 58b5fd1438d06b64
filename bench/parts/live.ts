// Part 4: conditions and snapshots beside plain events, in a call centre with 5,000 calls under way and 500 events a second;
// twenty triggers that share one state of it; and what a week leaves on the heap.
import type { Compiled } from '../controller/compile';
import { MeasuredProcess } from '../controller/measuredProcess';
import { goalCell, judge, megabytes, sharp, times, type Section } from '../controller/results';
import type { Runtime } from '../controller/runtimes';
import { median, ratio } from '../controller/statistics';
import type { Measurement } from '../measured/feedClient';
import type { Traffic } from '../measured/events';
import { nth } from '../../simulator/present';

const CALLS = 5_000;
const RATE = 500;
/**
 * Events before the measurement: the calls that come in, and then four minutes of traffic. In life a process runs for days:
 * all that it does has been compiled, and what it remembers of calls that are over has reached its bound.
 */
const WARM_UP = CALLS + 120_000;
const BEGIN = WARM_UP + RATE * 8;
/** Processor time of a live mode, against plain simplified events. */
const GOAL = 1.5;
/** The heap after the last day of a week, against the fourth: by then 50,000 callers have called, more than are kept. */
const GROWTH = 1.1;
const WEEK = { days: 7, rate: 1, open: 1_000 };

export interface LiveAmount {
	rounds: number;
	/** How long each is measured. */
	seconds: number;
}

type Parameters = Record<string, unknown>;

const IN_BATCHES = { batchSize: 100 };
const conditions = (queues: string): Parameters => ({
	mode: 'conditions',
	conditions: {
		condition: [
			{ when: 'callerWaiting', threshold: 20 },
			{ when: 'callerWaiting', threshold: 60 },
			{ when: 'callersWaiting', threshold: 5 },
			{ when: 'agentsAvailableBelow', threshold: 5, forSeconds: 10 },
			{ when: 'agentOnBreak', threshold: 60 },
			{ when: 'agentIdle', threshold: 60 },
			{ when: 'agentRinging', threshold: 10 },
			{ when: 'callLasting', threshold: 300 },
			{ when: 'missedCalls', threshold: 10 },
			{ when: 'serviceLevelBelow', threshold: 80 },
		],
	},
	filters: { queueIds: queues },
	options: IN_BATCHES,
});
const snapshots = (queues: string): Parameters => ({
	mode: 'snapshots',
	every: 5,
	filters: { queueIds: queues },
});
const PLAIN = 'simplified, all events';
const SUBJECTS: ReadonlyArray<{ name: string; goal?: number; triggers: Parameters[] }> = [
	{ name: PLAIN, triggers: [{ output: 'simplified', options: IN_BATCHES }] },
	{ name: 'conditions of every kind', goal: GOAL, triggers: [conditions('')] },
	{ name: 'snapshots every 5 seconds', goal: GOAL, triggers: [snapshots('')] },
	{
		name: '20 triggers, conditions and snapshots of one queue each',
		triggers: Array.from({ length: 20 }, (_, index) =>
			(index % 2 === 0 ? conditions : snapshots)(String(1 + (index >> 1))),
		),
	},
];

/** CPU time of an event in microseconds: one process that follows so many calls, then hears so many seconds. */
async function sample(
	triggers: Parameters[],
	compiled: Compiled,
	{ binary, transport }: Runtime,
	server: MeasuredProcess,
	url: string,
	seconds: number,
): Promise<number> {
	const client = new MeasuredProcess(compiled.script('feedClient'), binary, ['--expose-gc']);
	try {
		await client.call('openTriggers', { url, triggers });
		await server.call('ready', { transport });
		await client.call('begin');
		await server.call('stream', { from: 0, to: WARM_UP });
		await client.call('finish');
		// What the rush left to be decided is decided by then.
		await client.call('begin');
		await server.call('stream', { from: WARM_UP, to: BEGIN, rate: RATE });
		await client.call('finish');
		// Nor is the garbage of the rush a cost of what is measured.
		await client.call('memory');
		await client.call('begin');
		await server.call('stream', { from: BEGIN, to: BEGIN + RATE * seconds, rate: RATE });
		const { cpuMicros } = await client.call<Measurement>('finish');
		return cpuMicros / (RATE * seconds);
	} finally {
		await client.stop();
		await server.call('drop');
	}
}

/** Bytes on the heap after each day of a week. */
async function week(compiled: Compiled, { binary }: Runtime): Promise<number[]> {
	const process = new MeasuredProcess(compiled.script('week'), binary, ['--expose-gc']);
	try {
		const outcomes = {
			mode: 'callOutcomes',
			options: { callerHistoryHours: 24, includeTimeline: true },
		};
		const triggers = [conditions(''), { ...snapshots(''), every: 60 }, outcomes];
		const { heap } = await process.call<{ heap: number[] }>('week', { ...WEEK, triggers });
		return heap;
	} finally {
		await process.stop();
	}
}

export async function measureLive(
	compiled: Compiled,
	runtime: Runtime,
	serverRuntime: Runtime,
	{ rounds, seconds }: LiveAmount,
	progress: (line: string) => void,
): Promise<Section> {
	const traffic: Traffic = { kind: 'centre', open: CALLS, rate: RATE };
	const server = new MeasuredProcess(compiled.script('server'), serverRuntime.binary);
	const samples = new Map<string, number[]>(SUBJECTS.map(({ name }) => [name, []]));
	try {
		const url = `http://127.0.0.1:${await server.call<number>('listen')}`;
		await server.call('prepare', {
			count: BEGIN + RATE * seconds,
			traffic,
			polling: runtime.transport === 'polling',
		});
		for (let round = 1; round <= rounds; round++) {
			progress(`${runtime.name}: live state, round ${round} of ${rounds}`);
			for (const { name, triggers } of round % 2 === 1 ? SUBJECTS : SUBJECTS.toReversed())
				samples.get(name)!.push(await sample(triggers, compiled, runtime, server, url, seconds));
		}
	} finally {
		await server.stop();
	}
	progress(`${runtime.name}: a week`);
	const heap = await week(compiled, runtime);
	const flat = judge(
		'heap after a week, against the fourth day',
		sharp(nth(heap, -1) / nth(heap, 3)),
		'at most',
		GROWTH,
	);
	const plain = samples.get(PLAIN)!;
	const verdicts = [flat];
	const rows = SUBJECTS.map(({ name, goal }) => {
		const measured = samples.get(name)!;
		const against = ratio(measured, plain);
		const verdict =
			goal === undefined ? undefined : judge(`CPU per event, ${name}`, against, 'at most', goal);
		if (verdict) verdicts.push(verdict);
		return [
			name,
			median(measured).toFixed(1),
			name === PLAIN ? '' : times(against),
			verdict ? goalCell(verdict) : '',
		];
	});
	return {
		part: 'live',
		title: `Conditions and snapshots, ${runtime.name}`,
		columns: ['', 'CPU µs/event', 'CPU ratio', 'goal'],
		rows,
		notes: [
			`${CALLS.toLocaleString('en')} calls under way, ${RATE} events a second, for ${seconds} seconds; half of the events change a call.`,
			`Heap after each day of a week, all three modes at once, in MB: ${heap.map(megabytes).join(', ')} (the last against the fourth: ${goalCell(flat)}).`,
		],
		verdicts,
		data: { cpuMicrosPerEvent: Object.fromEntries(samples), heapBytes: heap },
	};
}
