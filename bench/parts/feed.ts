// What the trigger costs beside a program that listens with socket.io-client over the same transport.
import { HUNDRED_AGENTS, type Traffic } from '../controller/events';
import { judge, thousands, times, type Section } from '../controller/report';
import { sample, takeTurns, type Bench, type Subject } from '../controller/sample';
import { median, ratio } from '../controller/statistics';

interface FeedSubject extends Subject {
	/** Goal for the first events of a process, in which code runs that is not compiled yet. */
	firstGoal?: number;
	/** So many events a second; as fast as they are taken if not given. */
	rate?: number;
	traffic?: Traffic;
	/** Share of the events that it hands on (otherwise all): a check that it did the work. */
	share?: number;
	/** What it is compared with, if that is not the bare client. */
	beside?: string;
}

/** What a user sets who gets thousands of events a second. */
const IN_BATCHES = { batchSize: 100 };

/** More than a large call center has; a burst can be seven times as fast. */
const BUSY = 10_000;

const all = (output: string, options: object = IN_BATCHES) => [{ output, options }];
/** Triggers that each want the events of another agent: one in a hundred. */
const forAgents = (count: number) => ({
	share: count / 100,
	triggers: Array.from({ length: count }, (_, index) => ({
		output: 'simplified',
		filters: { agentIds: [String(index + 1)] },
		options: IN_BATCHES,
	})),
});

const BARE = 'bare socket.io-client';
const SIMPLIFIED = 'simplified, all events';
const AT_RATE = `${SIMPLIFIED}, ${thousands(BUSY)} a second`;
const twoConnections = {
	goal: 2,
	connections: 2,
	triggers: all('simplified'),
};
/** On a server that keeps a history (Socket.IO's connection state recovery). */
const KEPT = { ...HUNDRED_AGENTS, kept: true } as const;
const SUBJECTS: readonly FeedSubject[] = [
	{ name: BARE },
	{ name: 'raw, all events', goal: 1.05, firstGoal: 1.25, triggers: all('raw') },
	{ name: SIMPLIFIED, goal: 1.15, firstGoal: 1.4, triggers: all('simplified') },
	{
		name: `${SIMPLIFIED}, one an execution`,
		goal: 1.8,
		firstGoal: 2.2,
		triggers: all('simplified', {}),
	},
	{ name: '1 % of the events', goal: 0.85, firstGoal: 1.15, ...forAgents(1) },
	{ name: '20 triggers, each another 1 %', goal: 1.3, ...forAgents(20) },
	{ name: '100 triggers, each another 1 %', ...forAgents(100) },
	{
		name: `${SIMPLIFIED}, with its place in a history`,
		beside: SIMPLIFIED,
		goal: 1.1,
		traffic: KEPT,
		triggers: all('simplified'),
	},
	{ name: `${SIMPLIFIED}, two connections`, beside: SIMPLIFIED, ...twoConnections },
	{ name: AT_RATE, rate: BUSY, beside: AT_RATE, triggers: all('simplified') },
	{ name: `${AT_RATE}, two connections`, rate: BUSY, beside: AT_RATE, ...twoConnections },
];

/** Those that are also measured from the first event on, and how many events. */
const AT_FIRST = SUBJECTS.filter(({ name, firstGoal }) => name === BARE || firstGoal !== undefined);
const FIRST = 100_000;

async function measureWarm(bench: Bench, subject: FeedSubject) {
	const isShort = bench.quick || subject.rate !== undefined;
	const [warmUp, events] = isShort ? [20_000, 60_000] : [40_000, 160_000];
	return await measure(bench, subject, warmUp, events);
}

async function measure(bench: Bench, subject: FeedSubject, warmUp: number, events: number) {
	const { share = 1, traffic = HUNDRED_AGENTS } = subject;
	const course = { traffic, rush: 0, warmUp, events };
	const found = await sample(bench, { ...subject, ...course });
	// When the stream ends, last batches may still be filling, and executions of the last events be under way.
	if (Math.abs(found.received - events * share) > (events * share) / 5) {
		throw new Error(`"${subject.name}" handed on ${found.received} of ${events * share} events`);
	}
	return { cpu: found.cpuMicros / events, rate: (events / found.wallMillis) * 1000 };
}

/** A feed that has just connected, in a process of its own: from the first event on. */
export async function measureFirst(bench: Bench): Promise<Section> {
	const samples = await takeTurns(
		bench,
		AT_FIRST,
		async (_, subject) => await measure(bench, subject, 0, FIRST),
	);
	const cpu = (name: string) => samples(name, (found) => found.cpu);
	return {
		title: `The first ${thousands(FIRST)} events of a process, ${bench.node}`,
		columns: ['CPU µs/event', 'CPU ratio'],
		rows: AT_FIRST.map(({ name, firstGoal }) => {
			const against = ratio(cpu(name), cpu(BARE));
			return {
				name,
				cells: [median(cpu(name)).toFixed(2), name === BARE ? '' : times(against)],
				verdict: judge(against, 'at most', firstGoal),
			};
		}),
	};
}

export async function measureFeed(bench: Bench): Promise<Section> {
	const { node, transport } = bench;
	const samples = await takeTurns(bench, SUBJECTS, measureWarm);
	const cpu = (name: string) => samples(name, (found) => found.cpu);
	const figures = SUBJECTS.map(({ name, goal, beside = BARE }) => {
		return { name, goal, beside, against: ratio(cpu(name), cpu(beside)) };
	});
	return {
		title: `Feed overhead, ${node} (both listen over ${transport})`,
		columns: ['events/s', 'CPU µs/event', 'CPU ratio'],
		rows: figures.map(({ name, goal, beside, against }) => ({
			name,
			cells: [
				thousands(median(samples(name, ({ rate }) => rate))),
				median(cpu(name)).toFixed(2),
				name === beside ? '' : times(against),
			],
			verdict: judge(against, 'at most', goal),
		})),
	};
}
