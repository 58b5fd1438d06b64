// What the trigger costs beside a program that listens with socket.io-client over the same transport.
import { judge, thousands, times, type Section } from '../controller/report';
import { sample, takeTurns, type Bench, type Subject } from '../controller/sample';
import { median, ratio } from '../controller/statistics';

interface FeedSubject extends Subject {
	/** So many events a second; as fast as they are taken if not given. */
	rate?: number;
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
const forAgent = (agent: number) => ({
	output: 'simplified',
	filters: { agentIds: [String(agent)] },
	options: IN_BATCHES,
});

const BARE = 'bare socket.io-client';
const SIMPLIFIED = 'simplified, all events';
const AT_RATE = `${thousands(BUSY)} events a second`;
const twoLines = {
	goal: 2.1,
	lines: 2,
	triggers: all('simplified', { ...IN_BATCHES, redundantConnection: true }),
};
const SUBJECTS: readonly FeedSubject[] = [
	{ name: BARE },
	{ name: 'raw, all events', goal: 1.1, triggers: all('raw') },
	{ name: SIMPLIFIED, goal: 1.35, triggers: all('simplified') },
	{
		name: 'simplified with names, all events',
		triggers: all('simplified', { ...IN_BATCHES, resolveNames: true }),
	},
	{ name: 'simplified, all events, one an execution', triggers: all('simplified', {}) },
	{ name: `${SIMPLIFIED}, two lines`, beside: SIMPLIFIED, ...twoLines },
	{ name: '1 % of the events', goal: 1.05, share: 0.01, triggers: [forAgent(7)] },
	{
		name: '20 triggers, each another 1 %',
		goal: 1.3,
		share: 0.2,
		triggers: Array.from({ length: 20 }, (_, index) => forAgent(index + 1)),
	},
	{ name: `${BARE}, ${AT_RATE}`, rate: BUSY },
	{
		name: `${SIMPLIFIED}, ${AT_RATE}`,
		rate: BUSY,
		beside: `${BARE}, ${AT_RATE}`,
		triggers: all('simplified'),
	},
	{
		name: `${SIMPLIFIED}, ${AT_RATE}, two lines`,
		rate: BUSY,
		beside: `${SIMPLIFIED}, ${AT_RATE}`,
		...twoLines,
	},
];

export async function measureFeed(bench: Bench): Promise<Section> {
	const { runtime, quick } = bench;
	const samples = await takeTurns(bench, SUBJECTS, async (subject) => {
		const { rate = 0 } = subject;
		const [warmUp, events] = quick || rate > 0 ? [20_000, 60_000] : [40_000, 160_000];
		const course = { traffic: { kind: 'mixed' }, rush: 0, warmUp, events, rate } as const;
		const found = await sample(bench, subject, course);
		// When the stream ends, the last batch may still be filling, and executions of the last events be under way.
		const expected = events * (subject.share ?? 1);
		if (Math.abs(found.received - expected) > Math.max(IN_BATCHES.batchSize, events * 0.01)) {
			throw new Error(`"${subject.name}" handed on ${found.received} of ${expected} events`);
		}
		return { ...found, events };
	});
	const cpu = (name: string) => samples.of(name, ({ cpuMicros, events }) => cpuMicros / events);
	const rate = (name: string) =>
		samples.of(name, ({ wallMillis, events }) => (events / wallMillis) * 1000);
	return {
		title: `Feed overhead, ${runtime.name} (both listen over ${runtime.transport})`,
		columns: ['events/s', 'CPU µs/event', 'events/s ratio', 'CPU ratio'],
		rows: SUBJECTS.map(({ name, goal, triggers, beside = BARE }) => ({
			name,
			cells: [
				thousands(median(rate(name))),
				median(cpu(name)).toFixed(2),
				...[rate, cpu].map((of) => (triggers ? times(ratio(of(name), of(beside))) : '')),
			],
			verdict: judge(ratio(cpu(name), cpu(beside)), 'at most', goal),
		})),
		plot: {
			title: `CPU time of an event, times that of the bare client (${runtime.name})`,
			axis: 'times the bare client (line: goal)',
			bars: SUBJECTS.filter(({ triggers, beside }) => triggers && !beside).map(({ name, goal }) => {
				const { median: value, noise } = ratio(cpu(name), cpu(BARE));
				return { name, value, noise, goal };
			}),
		},
		data: samples.all,
	};
}
