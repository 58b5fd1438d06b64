/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Random feeds, played by the trigger and by the second implementation, item by item and field by field; and the items
// of both judged by themselves. AUDIT_CALLS sets how many calls are played, AUDIT_SEED the first seed. A deviation is
// shown with the fewest steps that still lead to it, in the language of LiveScene.play.

import { readDirectory } from '../../../../../nodes/shared/directory';
import type { Clock } from '../../../../../nodes/VoiceManagementTrigger/feed/types';
import type { Plain } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';
import { trigger, type Implementation } from '../scene';
import * as judge from './judge';
import { oracleSelection } from './oracle';
import { asPlayed, Traffic, type Shape, type Step } from './traffic';

const CALLS = Number(process.env.AUDIT_CALLS ?? 1_500);
const CALLS_EACH = Number(process.env.AUDIT_CALLS_EACH ?? 250);
const FIRST_SEED = Number(process.env.AUDIT_SEED ?? 1);
const SEEDS = Array.from(
	{ length: Math.ceil(CALLS / CALLS_EACH) },
	(_, index) => FIRST_SEED + index,
);
/** A little before midnight in Paris, on the day before summer time ends. */
const START = Date.UTC(2026, 9, 24, 21, 33, 20, 400);

const oracle: Implementation = oracleSelection;

/** A clock that is turned, without a turn of the event loop. */
class TurnedClock implements Clock {
	private timers: Array<{ at: number; action: () => void }> = [];

	constructor(private time: number) {}

	now(): number {
		return this.time;
	}

	after(delayMs: number, action: () => void): () => void {
		const timer = { at: this.time + Math.max(0, delayMs), action };
		this.timers.push(timer);
		return () => {
			this.timers = this.timers.filter((one) => one !== timer);
		};
	}

	turnTo(time: number): void {
		for (;;) {
			let next: (typeof this.timers)[number] | undefined;
			for (const timer of this.timers)
				if (timer.at <= time && (!next || timer.at < next.at)) next = timer;
			if (!next) break;
			this.timers = this.timers.filter((one) => one !== next);
			this.time = Math.max(this.time, next.at);
			next.action();
		}
		this.time = Math.max(this.time, time);
	}
}

type Executions = Plain[][];

const loginOf = (agents: readonly number[]) =>
	readDirectory({ ops: agents.map((id) => ({ id, nom: `Agent ${id}`, groups: [id % 2] })) });

/** Plays steps to several triggers on one feed. */
function play(
	implementation: Implementation,
	all: readonly Plain[],
	steps: readonly Step[],
	shape: Shape,
): Executions[] {
	const clock = new TurnedClock(START);
	let directory = loginOf(shape.agents);
	const key = {};
	const executions = all.map((): Executions => []);
	const takers = all.map((parameters, index) =>
		implementation(
			parameters,
			() => directory,
			clock,
			(items) => executions[index]?.push([...items]),
			{ key, gaveUp: () => {} },
		),
	);
	const open = () =>
		takers.forEach((taker) => {
			taker.onStatus({
				...{ event: 'connected', at: clock.now(), attempts: 0, protocol: 4 },
				...{ transport: 'direct', continuous: null },
			});
		});
	open();
	for (const step of steps) {
		clock.turnTo(step.at);
		if (step.kind === 'event') {
			const { type, event, msg, ts, cpt } = step;
			const sent = { ...(ts === undefined ? {} : { ts }), ...(cpt === undefined ? {} : { cpt }) };
			const received = { type, event, msg, ...sent, raw: {}, receivedAt: step.at };
			for (const taker of takers) taker.onEvent(received);
		} else if (step.kind === 'up') open();
		else if (step.kind === 'login') directory = loginOf(step.agents);
		else
			for (const taker of takers)
				taker.onStatus(
					step.kind === 'gap'
						? { event: 'gap', from: step.from, to: step.to, reason: 'silence' }
						: { event: 'disconnected', at: step.at, reason: 'cut' },
				);
	}
	const until = (steps.at(-1)?.at ?? START) + 1_000_000;
	clock.turnTo(until + 1_000);
	for (const taker of takers) taker.close();
	// Of what is due at one moment, one may come a little later than the other.
	return executions.map((all) => all.filter(([first]) => Date.parse(String(first?.date)) < until));
}

function stepsOf(seed: number, shape: Shape, calls: number): Step[] {
	const traffic = new Traffic(seed, START + 1, shape);
	const steps: Step[] = [];
	for (let at = START + 1000; traffic.calls < calls; at += 1000) steps.push(...traffic.until(at));
	return steps;
}

const FIELDS = ['numbered', 'timed', 'faults', 'wild'] as const;

/** One of several call centres: each with its faults, or without. */
function shapeOf(seed: number): Shape {
	const size = [
		{ queues: [51, 52], agents: [101, 102, 103], rate: 0.05 },
		{ queues: [51, 52, 53], agents: [101, 102, 103, 104, 105, 106, 107, 108], rate: 0.12 },
		{
			queues: [51, 52, 53, 54, 55],
			agents: Array.from({ length: 20 }, (_, id) => 101 + id),
			rate: 0.3,
		},
	][seed % 3] as Pick<Shape, 'queues' | 'agents' | 'rate'>;
	const bits = Math.floor(seed / 3) % 8;
	return {
		...size,
		...{ numbered: (bits & 1) === 0, timed: (bits & 2) === 0 || bits > 5 },
		...{ faults: (bits & 4) === 0, wild: seed % 5 > 0 },
	};
}

const ROWS = [
	{ when: 'callerWaiting', waitSeconds: 30 },
	{ when: 'callerWaiting', waitSeconds: 90, queueIds: ['51'] },
	{ when: 'callersWaiting', callers: 3, forSeconds: 0 },
	{ when: 'callersWaiting', callers: 2, forSeconds: 20 },
	{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 10 },
	{ when: 'agentOnBreak', breakSeconds: 60 },
	{ when: 'agentIdle', idleSeconds: 40 },
	{ when: 'agentRinging', ringSeconds: 8 },
	{ when: 'callLasting', callSeconds: 60 },
	{ when: 'missedCalls', calls: 3, windowMinutes: 10 },
	{ when: 'serviceLevelBelow', percent: 80, windowMinutes: 10, minimumCalls: 5 },
];

/** Every mode, with settings that differ from seed to seed. */
function parametersOf(seed: number): Plain[] {
	const options = [
		{ serviceLevelSeconds: 20, shortAbandonSeconds: 5 },
		{ serviceLevelSeconds: 10, shortAbandonSeconds: 0 },
		{ serviceLevelSeconds: 5, shortAbandonSeconds: 8 },
	][seed % 3] as Plain;
	const snapshots = { mode: 'snapshots', snapshotOf: [], onlyWhenChanged: false, options };
	return [
		{ mode: 'callOutcomes', outcomes: [], options },
		{
			mode: 'alerts',
			alerts: { alert: ROWS },
			options: { ...options, emitResolved: true, repeatEvery: 30 },
		},
		{ ...snapshots, snapshotWhen: 'interval', period: '5' },
		{ ...snapshots, snapshotWhen: 'interval', period: '60' },
		{ ...snapshots, every: 37, period: '5' },
		{ ...snapshots, every: 301, period: 'day' },
		{
			...{ ...snapshots, every: 13, period: '60', onlyWhenChanged: true },
			snapshotOf: [seed % 2 === 0 ? 'queues' : 'agents'],
		},
		// Without ends and repetitions there is less to tell, and little of it differs.
		...(seed % 4 === 0 ? [{ mode: 'alerts', alerts: { alert: ROWS }, options }] : []),
	];
}

// Comparison

const NEARLY: Record<string, number> = {
	...{
		talk_seconds: 1,
		ringing_seconds: 1,
		wrap_up_seconds: 1,
		available_seconds: 1,
		break_seconds: 1,
	},
	missed_seconds: 0.2,
};
/** Follow from the others, and are judged by the judge. */
const JUDGED = new Set(['occupancy', 'service_level', 'abandonment_rate', 'type_notification']);

const plainValue = (value: unknown): unknown =>
	Array.isArray(value)
		? value.map(plainValue)
		: typeof value === 'object' && value !== null && 'id' in value
			? value.id
			: (value ?? null);

function isSame(field: string, event: unknown, one: unknown, other: unknown): boolean {
	if (one === other) return true;
	const [a, b] = [plainValue(one), plainValue(other)];
	const isOptional = ['overflowed', 'unknown', 'waiting_before'].includes(field);
	if (isOptional) return (a ?? 0) === (b ?? 0);
	const ofAgents = event === 'agent' || field.startsWith('agents_');
	const slack = ofAgents || field === 'missed_seconds' ? NEARLY[field.replace('agents_', '')] : 0;
	if (slack && typeof a === 'number' && typeof b === 'number')
		return Math.abs(a - b) <= (field.startsWith('agents_') ? 20 : slack);
	return JSON.stringify(a) === JSON.stringify(b);
}

/** The call that tipped the service level is told by whoever is first, if several left at one moment. */
const callOf = ({ when, id_call }: Plain) => (when === 'serviceLevelBelow' ? undefined : id_call);

/** The same in both implementations, whatever happens at one moment. */
function keyOf(item: Plain): string {
	const agent = (item.agent as { id?: string } | undefined)?.id;
	const about =
		item.type_notification === 'call'
			? [item.id_call, item.event]
			: item.type_notification === 'alert'
				? [item.when, item.threshold, item.event, item.id_queue, agent, callOf(item)]
				: [item.event, item.id_queue, agent];
	return [item.date, ...about].map(String).join(' ');
}

interface Deviation {
	what: string;
	/** The same of what differs in the same way. */
	kind: string;
	mode: number;
}

/** The first difference, by date. */
function compare(shown: Executions, expected: Executions, mode: number): Deviation | undefined {
	const sorted = (all: Executions) =>
		all
			.flat()
			.map((item) => ({ item, key: keyOf(item) }))
			.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
	const [items, others] = [sorted(shown), sorted(expected)];
	for (let index = 0; index < Math.max(items.length, others.length); index++) {
		const { item, key } = items[index] ?? {};
		const { item: other, key: otherKey } = others[index] ?? {};
		const about = { mode };
		if (!other || (key !== undefined && key < (otherKey as string)))
			return { ...about, kind: `more ${String(item?.event)}`, what: `not expected: ${key}` };
		if (!item || key !== otherKey)
			return { ...about, kind: `less ${String(other.event)}`, what: `missing: ${otherKey}` };
		for (const [field, value] of Object.entries(other))
			if (
				!JUDGED.has(field) &&
				field !== 'tied' &&
				!isSame(field, other.event, item[field], value) &&
				!(field === 'id_call' && (other.tied as unknown[] | undefined)?.includes(item[field]))
			)
				return {
					...about,
					kind: `${String(other.event)} ${field}`,
					what: `${key}: ${field} is ${JSON.stringify(item[field])} instead of ${JSON.stringify(value)}`,
				};
	}
	return undefined;
}

function deviationOf(steps: readonly Step[], all: readonly Plain[], shape: Shape) {
	const shown = play(trigger, all, steps, shape);
	const expected = play(oracle, all, steps, shape);
	for (const index of all.keys()) {
		const found = compare(shown[index] as Executions, expected[index] as Executions, index);
		if (found) return found;
	}
	return undefined;
}

/** The fewest steps that still deviate. */
function shrink(
	given: readonly Step[],
	parameters: Plain,
	shape: Shape,
	kind: string,
): readonly Step[] {
	let steps = given;
	let tries = Number(process.env.AUDIT_TRIES ?? 600);
	for (
		let size = Math.ceil(steps.length / 2);
		size >= 1 && tries > 0;
		size = Math.floor(size / 2)
	) {
		for (let from = steps.length - size; from > -size && tries > 0; from -= size) {
			const fewer = [...steps.slice(0, Math.max(0, from)), ...steps.slice(from + size)];
			tries--;
			if (fewer.length > 0 && deviationOf(fewer, [parameters], shape)?.kind === kind) steps = fewer;
		}
	}
	return steps;
}

it('plays every shape of a call centre', () => {
	const shapes = Array.from({ length: 120 }, (_, seed) => shapeOf(seed));
	for (const field of FIELDS)
		expect(new Set(shapes.map((shape) => shape[field]))).toEqual(new Set([true, false]));
});

describe('the trigger and the second implementation', () => {
	it.each(SEEDS)(
		'agree on seed %d',
		(seed) => {
			const shape = shapeOf(seed);
			const all = parametersOf(seed);
			const steps = stepsOf(seed, shape, CALLS_EACH);
			const found = deviationOf(steps, all, shape);
			if (!found) return;
			const parameters = all[found.mode] as Plain;
			const fewest = shrink(steps, parameters, shape, found.kind);
			const again = deviationOf(fewest, [parameters], shape);
			throw new Error(
				[
					`Seed ${seed}: ${found.what}`,
					`With fewer steps: ${again?.what}`,
					`Parameters: ${JSON.stringify(parameters)}`,
					`From ${new Date(START).toISOString()}: ${fewest.map((step) => asPlayed(step, START)).join(', ')}`,
				].join('\n'),
			);
		},
		3_600_000,
	);
});

/** Snapshots of one day in Paris that follow each other. */
function daysOf(snapshots: Executions): Array<[Plain[], Plain[]]> {
	const dayOf = (items: Plain[]) =>
		new Date(String(items[0]?.date)).toLocaleDateString('en', { timeZone: 'Europe/Paris' });
	return snapshots
		.slice(1)
		.map((items, index): [Plain[], Plain[]] => [snapshots[index] as Plain[], items])
		.filter(([before, after]) => dayOf(before) === dayOf(after));
}

describe.each<[string, Implementation]>([
	['the trigger', trigger],
	['the second implementation', oracle],
])('the items of %s', (name, implementation) => {
	const judged = SEEDS.slice(0, Math.max(12, Math.floor(SEEDS.length / 4)));

	it.each(judged)(
		'are right by themselves on seed %d',
		(seed) => {
			const shape = shapeOf(seed);
			const steps = stepsOf(seed, shape, CALLS_EACH);
			const [outcomes = [], alerts = [], ...records] = play(
				implementation,
				parametersOf(seed),
				steps,
				shape,
			);
			const [fives = [], hours = [], short = [], long = [], changed = []] = records;
			const wrong = [
				...[...fives, ...hours, ...short, ...long].flatMap(judge.judgeSnapshot),
				...judge.judgeChain(fives),
				...judge.judgeChain(hours),
				...daysOf(long).flatMap(judge.judgeNext),
				// A login changes names, which only the trigger's items have.
				...(name === 'the trigger' ? judge.judgeChanges(changed) : []),
				...judge.judgeOutcomes(outcomes.flat()),
				...judge.judgeAlerts(alerts.flat()),
			];
			expect(wrong.slice(0, 10)).toEqual([]);
		},
		3_600_000,
	);

	it.each(judged.slice(0, 6))(
		'are right second by second on seed %d',
		(seed) => {
			const shape = shapeOf(seed);
			const all = [
				{ mode: 'snapshots', snapshotOf: [], onlyWhenChanged: false, every: 1, period: 'day' },
			];
			const [seconds = []] = play(implementation, all, stepsOf(seed, shape, 40), shape);
			expect(seconds.flatMap(judge.judgeSnapshot).slice(0, 10)).toEqual([]);
		},
		3_600_000,
	);

	it.each(judged)(
		'add up to an hour and a day, and agree with outcomes, on seed %d',
		(seed) => {
			// What becomes known after a period was told is in another one; of an orderly call centre nothing does.
			const shape = { ...shapeOf(seed), faults: false, wild: false };
			const steps = stepsOf(seed, shape, CALLS_EACH);
			const snapshots = { mode: 'snapshots', snapshotOf: [], onlyWhenChanged: false };
			const all = [
				{ mode: 'callOutcomes', outcomes: [] },
				...['5', '15', '60'].map((period) => ({ ...snapshots, snapshotWhen: 'interval', period })),
				{ ...snapshots, every: 100, period: 'day' },
			];
			const [outcomes = [], fives = [], quarters = [], hours = []] = play(
				implementation,
				all,
				[...steps, { at: (steps.at(-1)?.at ?? START) + 5 * 3_600_000, kind: 'up' }],
				shape,
			);
			const until = Date.parse(String(hours.at(-1)?.[0]?.to));
			const upTo = (records: Executions) =>
				records.filter(([first]) => Date.parse(String(first?.to)) <= until);
			expect(hours.length).toBeGreaterThan(1);
			expect(judge.judgeSum(upTo(fives), upTo(quarters)).slice(0, 5)).toEqual([]);
			expect(judge.judgeSum(upTo(quarters), hours).slice(0, 5)).toEqual([]);
			const totals = judge.addUp(hours).get('totals') as Plain;
			expect(judge.judgeTogether(outcomes.flat(), totals)).toEqual([]);
		},
		3_600_000,
	);
});
