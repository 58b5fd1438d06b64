// Alerts and snapshots beside plain events, in a call center with 5,000 calls under way and 500 events a second;
// twenty triggers that share one state of it; and what a week leaves on the heap.
import { nth } from '../../test/support/present';
import { judge, megabytes, thousands, times, type Row, type Section } from '../controller/report';
import { run, sample, takeTurns, type Bench, type Subject } from '../controller/sample';
import { estimate, median, ratio } from '../controller/statistics';

const CALLS = 5_000;
const RATE = 500;
const TRAFFIC = { open: CALLS, rate: RATE };
/**
 * The calls that come in, and then four minutes of traffic. In life a process runs for days: what it does has been
 * compiled, and what it remembers of calls that are over has reached its bound. V8 goes on compiling for a minute of the
 * measured traffic; a warm-up of 70 seconds changed no ratio beyond the noise.
 */
const RUSH = CALLS + 120_000;
/** Then what the rush left to be decided is decided. */
const WARM_UP_S = 8;
/** A whole number of snapshots of each subject: in ten seconds one every 30 seconds would come or not, by chance. */
const MEASURED_S = 30;
/** Processor time of a live mode, against plain simplified events. */
const GOAL = 1.5;
/** The heap after the last day of a week, against the fourth. */
const GROWTH = 1.1;
/** The longest time for which an interruption with 20,000 calls may hold n8n up. */
const TURN_MS = 50;

const IN_BATCHES = { batchSize: 100 };
const alerts = {
	mode: 'alerts',
	alerts: {
		alert: [
			{ when: 'callerWaiting', waitSeconds: 20 },
			{ when: 'callerWaiting', waitSeconds: 60 },
			{ when: 'callersWaiting', callers: 5 },
			{ when: 'agentsAvailableBelow', agents: 5, belowForSeconds: 10 },
			{ when: 'agentOnBreak', breakSeconds: 60 },
			{ when: 'agentIdle', idleSeconds: 60 },
			{ when: 'agentRinging', ringSeconds: 10 },
			{ when: 'callLasting', callSeconds: 300 },
			{ when: 'missedCalls', calls: 10 },
			{ when: 'serviceLevelBelow', percent: 80 },
		],
	},
	options: { ...IN_BATCHES, emitResolved: true },
};
const snapshots = (every: number) => ({ mode: 'snapshots', snapshotOf: [], every });

const PLAIN = 'simplified, all events';
const SUBJECTS: readonly Subject[] = [
	{ name: PLAIN, triggers: [{ output: 'simplified', options: IN_BATCHES }] },
	{ name: 'alerts of every kind', goal: GOAL, triggers: [alerts] },
	{ name: 'snapshots, as the panel begins', goal: GOAL, triggers: [{ mode: 'snapshots' }] },
	{
		name: 'snapshots with 3,000 agents every 5 seconds',
		goal: GOAL,
		triggers: [snapshots(5)],
	},
];
const OF_ALL_MODES = [alerts, snapshots(60), { mode: 'callOutcomes', outcomes: [] }];

export async function measureCallCentre(bench: Bench): Promise<Section> {
	const { node, quick, progress } = bench;
	const seconds = quick ? 5 : MEASURED_S;
	const events = seconds * RATE;
	const course = { traffic: TRAFFIC, rush: RUSH, warmUp: WARM_UP_S * RATE, events, rate: RATE };
	const subjects = SUBJECTS.map((subject) => ({ ...subject, ...course }));
	const samples = await takeTurns(bench, subjects, sample);
	progress.log(`${node}: a week`);
	const heap = await run<number[]>(bench, 'week', OF_ALL_MODES);
	progress.log(`${node}: interruptions`);
	const turns: number[] = [];
	for (let round = 0; round < bench.rounds; round++)
		turns.push(await run<number>(bench, 'interruption', OF_ALL_MODES));
	const grown = nth(heap, -1) / nth(heap, 3);
	const cpu = (name: string) => samples(name, ({ cpuMicros }) => cpuMicros / events);
	const rows: Row[] = SUBJECTS.map(({ name, goal }) => {
		const against = ratio(cpu(name), cpu(PLAIN));
		const cells = [median(cpu(name)).toFixed(1), name === PLAIN ? '' : times(against)];
		return { name, cells, verdict: judge(against, 'at most', goal) };
	});
	rows.push({
		name: 'heap after a week, against the fourth day',
		cells: ['', grown.toFixed(2)],
		verdict: judge(estimate([grown]), 'at most', GROWTH),
	});
	rows.push({
		name: 'longest turn of an interruption with 20,000 calls',
		cells: ['', `${median(turns).toFixed(0)} ms`],
		verdict: judge(estimate(turns), 'at most', TURN_MS, ' ms'),
	});
	return {
		title: `Alerts and snapshots, ${node}`,
		columns: ['CPU µs/event', 'CPU ratio'],
		rows,
		notes: [
			`${thousands(CALLS)} calls under way, ${RATE} events a second, for ${seconds} seconds; half of the events change a call.`,
			`Heap after each day of a week, all three modes at once, in MB: ${heap.map(megabytes).join(', ')}.`,
		],
	};
}
