// Conditions: a caller waits too long, nobody is available, too many calls are missed. Each begins and ends at its
// own moment, with one timer for all of them. If an interruption of the feed may have changed something, it is
// reported as unknown, not as over.

import type { AgentView } from './agents';
import type { CallOutcome } from './outcomeTypes';
import { CALLS_DEFAULTS, type CallRef } from './callTracker';
import { MovingCounts, type Counted } from './counts';
import { Deadlines, type Dated } from './deadlines';
import {
	compileCriteria,
	compileMatcher,
	NO_CRITERIA,
	NO_FILTER,
	type FilterSettings,
} from '../events/filter';
import type { Directory } from '../feed/types';
import type { LiveObserver, LiveState } from './liveState';
import type { VisitFacts } from './queueVisits';
import { secondsBetween } from './seconds';

export const CONDITION_KINDS = [
	'callerWaiting',
	'callersWaiting',
	'agentsAvailableBelow',
	'agentOnBreak',
	'agentIdle',
	'agentRinging',
	'callLasting',
	'missedCalls',
	'serviceLevelBelow',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** One row of the settings. Durations in seconds unless stated otherwise. */
export interface Condition {
	when: ConditionKind;
	threshold: number;
	forSeconds: number;
	windowMinutes: number;
	answerWithinSeconds: number;
	minimumCalls: number;
}

export type EndReason =
	| 'answered'
	| 'abandoned'
	| 'left'
	| 'ended'
	| 'back'
	| 'logged_out'
	| 'below'
	| 'above'
	| 'feed-gap';

/** A condition that begins, continues or ends. Moments in milliseconds since 1970 by our clock. */
export interface ConditionChange {
	event: 'started' | 'repeated' | 'resolved' | 'unknown';
	condition: Condition;
	/** Compared with the threshold: seconds, a number, or percent. */
	value: number;
	since: number;
	at: number;
	subject: Subject;
	reason?: EndReason;
}

/** The subject of a condition, as far as it applies. */
export interface Subject {
	queue?: string;
	call?: string;
	caller?: string;
	agent?: string;
	pause?: string;
}

export interface ConditionOptions {
	conditions: readonly Condition[];
	filter: FilterSettings;
	/** Seconds; 0 = once. */
	repeatEvery: number;
	emitResolved: boolean;
}

/** A row of the settings, with everything it currently watches. */
interface Rule {
	readonly condition: Condition;
	/** By subject. */
	readonly watches: Map<string, Watch>;
	/** By queue. */
	readonly windows: Map<string, MovingWindow>;
}

/** A condition that holds for a subject, or will hold once it has lasted long enough. */
interface Watch extends Dated {
	rule: Rule;
	key: string;
	subject: Subject;
	since: number;
	open: boolean;
	/** When it was last reported. */
	toldAt?: number;
	/** It ended at this time, for a reason that is not known yet. */
	overAt?: number;
	/** If omitted, the number of seconds since the beginning. */
	value?: ((now: number) => number) | undefined;
}

/** A moving window: its contents change without an event. */
interface MovingWindow extends Dated {
	rule: Rule;
	queue: string;
	counts: MovingCounts;
}

/** Conditions on how long an agent has been in a state: the threshold is a duration. */
const OF_AGENT = {
	agentOnBreak: 'on_break',
	agentIdle: 'available',
	agentRinging: 'ringing',
} as const;
const KINDS_OF_AGENT = Object.entries(OF_AGENT) as Array<
	[keyof typeof OF_AGENT, AgentView['state']]
>;

/**
 * How long after a caller left a queue it takes to know whether the call is over: a little longer than the calls
 * need.
 */
const WHEREABOUTS_MS = CALLS_DEFAULTS.graceMs + 1_000;

/** A caller who gives up sooner is not the queue's failure: service levels leave these out. */
const SHORT_ABANDON_SECONDS = 5;

export class Conditions implements LiveObserver {
	private readonly deadlines = new Deadlines<Watch | MovingWindow>();
	private readonly rules = new Map<ConditionKind, Rule[]>();
	private readonly matchesCall: ReturnType<typeof compileCriteria>;
	private readonly matchesLastingCall: ReturnType<typeof compileCriteria>;
	private readonly matchesQueue: (id: string) => boolean;
	private readonly matchesAgent: (id: string) => boolean;
	/** Queues to check once all changes of an event are known, with the call that changed them. */
	private readonly touched = new Map<string, { subject: Subject; at: number | undefined }>();
	private readonly touchedWindows = new Map<MovingWindow, Subject>();
	private readonly agents: AvailableAgents | undefined;
	private agentsTouched: number | undefined;
	private interruption = false;

	constructor(
		private readonly options: ConditionOptions,
		private readonly state: LiveState,
		directory: () => Directory | undefined,
		private readonly now: () => number,
		private readonly emit: (change: ConditionChange) => void,
	) {
		const { filter } = options;
		const { queueIds, callerNumbers, agentIds, groupIds } = filter;
		const compile = (part: Partial<FilterSettings>) =>
			compileCriteria({ ...NO_FILTER, ...part }, directory);
		this.matchesCall = compile({ queueIds, callerNumbers });
		this.matchesLastingCall = compile({ queueIds, callerNumbers, agentIds, groupIds });
		this.matchesQueue = compileMatcher('queueIds', { queueIds });
		this.matchesAgent = compileMatcher('agentIds', { agentIds, groupIds }, directory);
		for (const condition of distinct(options.conditions)) {
			const rule: Rule = { condition, watches: new Map(), windows: new Map() };
			this.rules.set(condition.when, [...this.of(condition.when), rule]);
		}
		if (this.of('agentsAvailableBelow').length > 0) {
			const named = groupIds.length === 0 ? agentIds : [];
			this.agents = new AvailableAgents(directory, named, this.matchesAgent);
			this.agentsTouched = now();
		}
		state.replay(this);
	}

	/** When `tick` has something to do next; undefined if nothing is due. */
	nextDue(): number | undefined {
		return this.deadlines.next();
	}

	/** Time has passed. */
	tick(now: number): void {
		for (let due = this.deadlines.take(now); due; due = this.deadlines.take(now)) {
			if ('counts' in due) this.look(due, now, {});
			else if (due.overAt !== undefined) this.end(due, 'left', due.overAt);
			else this.fire(due, now);
		}
	}

	visit(call: CallRef, index: number, before: VisitFacts | undefined, after: VisitFacts): void {
		const left = before && before.queue !== after.queue ? before.queue : undefined;
		if (!this.matchesQueue(after.queue) && (left === undefined || !this.matchesQueue(left))) return;
		const subject: Subject = { queue: after.queue, call: call.id, caller: call.caller };
		this.callerWaits(call, index, subject, after);
		const at = after.answeredSeen ?? after.leftSeen ?? after.endedAt;
		if (left !== undefined) this.touched.set(left, { subject: { ...subject, queue: left }, at });
		this.touched.set(after.queue, { subject, at });
		for (const rule of this.of('serviceLevelBelow')) {
			if (before) this.count(rule, before, -1, subject);
			this.count(rule, after, 1, subject);
		}
	}

	outcome(outcome: CallOutcome): void {
		const { kind, place, callId, caller } = outcome;
		if (kind !== 'missed' || !place?.startsWith('queue:')) return;
		const queue = place.slice('queue:'.length);
		const subject: Subject = { queue, call: callId, caller };
		const at = outcome.visits.at(-1)?.leftSeen ?? this.now();
		for (const rule of this.of('missedCalls'))
			this.countIn(rule, queue, at, { missed: 1 }, 1, subject);
	}

	talking(call: CallRef, since: number | undefined, ended: boolean, at: number): void {
		for (const rule of this.of('callLasting')) {
			const known = rule.watches.get(call.id);
			if (since === undefined) {
				if (known) this.end(known, ended ? 'ended' : 'left', at);
				continue;
			}
			const { agents, queues: queueIds, trunks: trunkIds } = call;
			const matches = this.matchesLastingCall({
				agentIds: agents,
				queueIds,
				trunkIds,
				callerNumber: call.caller,
			});
			if (!matches) continue;
			const subject: Subject = {
				queue: queueIds.at(-1),
				call: call.id,
				caller: call.caller,
				agent: agents.at(-1),
			};
			this.begin(rule, call.id, subject, since, rule.condition.threshold);
		}
	}

	agent(after: AgentView, before: AgentView): void {
		if (!this.matchesAgent(after.id)) return;
		for (const [kind, state] of KINDS_OF_AGENT) {
			if (after.state !== state && before.state !== state) continue;
			for (const rule of this.of(kind)) {
				const known = rule.watches.get(after.id);
				const another = after.state !== state || (known && after.callId !== before.callId);
				if (known && another) this.end(known, endOf(kind, after), after.since);
				if (after.state !== state || after.since === undefined) continue;
				const { id: agent, pause, queueId: queue, callId: call, caller } = after;
				const subject: Subject = { queue, call, caller, agent, pause };
				this.begin(rule, after.id, subject, after.since, rule.condition.threshold);
			}
		}
		if (!this.agents) return;
		this.agents.changed(after);
		this.agentsTouched = after.since ?? this.now();
	}

	interrupted(): void {
		this.interruption = true;
		for (const { watches } of [...this.rules.values()].flat()) {
			for (const watch of watches.values()) this.end(watch, 'feed-gap');
		}
	}

	settled(): void {
		const { interruption } = this;
		this.interruption = false;
		if (!interruption) {
			for (const [queue, { subject, at }] of this.touched) this.lookAtQueue(queue, subject, at);
			const now = this.now();
			for (const [window, subject] of this.touchedWindows) this.look(window, now, subject);
			if (this.agentsTouched !== undefined) this.lookAtAgents(this.agentsTouched);
		}
		// Clearing a map allocates a new table even if it is empty: for most events that would be most of the work.
		if (this.touched.size > 0) this.touched.clear();
		if (this.touchedWindows.size > 0) this.touchedWindows.clear();
		this.agentsTouched = undefined;
		this.tick(this.now());
	}

	private of(kind: ConditionKind): readonly Rule[] {
		return this.rules.get(kind) ?? [];
	}

	private callerWaits(call: CallRef, index: number, subject: Subject, after: VisitFacts): void {
		const rules = this.of('callerWaiting');
		if (rules.length === 0) return;
		const key = `${call.id}/${index}`;
		const waits =
			after.state === 'waiting' &&
			this.matchesCall({
				...NO_CRITERIA,
				queueIds: [after.queue],
				callerNumber: call.caller,
			});
		for (const rule of rules) {
			const known = rule.watches.get(key);
			if (after.state === 'waiting') {
				if (waits) this.begin(rule, key, subject, after.since, rule.condition.threshold);
			} else if (known && after.state === 'left' && known.open) {
				// It will soon be known whether the caller gave up or continues elsewhere.
				known.overAt ??= after.leftSeen ?? this.now();
				this.deadlines.set(known, this.now() + WHEREABOUTS_MS);
			} else if (known) {
				this.end(known, leftAs(after), after.answeredSeen ?? after.leftSeen ?? known.overAt);
			}
		}
	}

	/** Something has held for a subject since then; the condition begins when it has held for its threshold. */
	private begin(
		rule: Rule,
		key: string,
		subject: Subject,
		since: number,
		seconds: number,
		value?: Watch['value'],
	): void {
		const { watches } = rule;
		const known = watches.get(key);
		if (known) {
			known.subject = subject;
			if (known.overAt !== undefined) {
				known.overAt = undefined;
				this.deadlines.set(known, this.nextRepeat(this.now()));
			}
			if (known.since === since) return;
			known.since = since;
			known.value = value;
			if (!known.open) this.deadlines.set(known, since + seconds * 1000);
			return;
		}
		const watch: Watch = {
			rule,
			key,
			subject,
			since,
			open: false,
			value,
			due: undefined,
			place: undefined,
		};
		watches.set(key, watch);
		this.deadlines.set(watch, since + seconds * 1000);
	}

	private fire(watch: Watch, now: number): void {
		this.tell(watch, watch.open ? 'repeated' : 'started', now);
		watch.open = true;
		watch.toldAt = now;
		this.deadlines.set(watch, this.nextRepeat(now));
	}

	private nextRepeat(now: number): number | undefined {
		const { repeatEvery } = this.options;
		return repeatEvery > 0 ? now + repeatEvery * 1000 : undefined;
	}

	/** @param at when it ended, if that was before now; reports that were already sent can't be taken back */
	private end(watch: Watch, reason: EndReason, at = this.now()): void {
		this.deadlines.set(watch, undefined);
		watch.rule.watches.delete(watch.key);
		if (!watch.open || !this.options.emitResolved) return;
		const told = Math.max(at, watch.toldAt ?? at);
		this.tell(watch, reason === 'feed-gap' ? 'unknown' : 'resolved', told, reason);
	}

	private tell(
		watch: Watch,
		event: ConditionChange['event'],
		at: number,
		reason?: EndReason,
	): void {
		const { rule, since, subject } = watch;
		this.emit({
			event,
			condition: rule.condition,
			value: watch.value?.(at) ?? secondsBetween(since, at),
			since,
			at,
			subject,
			reason,
		});
	}

	private lookAtQueue(queue: string, { call, caller }: Subject, at: number | undefined): void {
		if (!this.matchesQueue(queue)) return;
		const waiting = () => this.state.queues.get(queue)?.waiting.size ?? 0;
		for (const rule of this.of('callersWaiting')) {
			const { condition, watches } = rule;
			const known = watches.get(queue);
			if (waiting() < condition.threshold) {
				if (known) this.end(known, 'below', at);
			} else if (!known) {
				const callers = this.state.queues.get(queue)?.waiting ?? [];
				const newest = Math.max(...[...callers].map(({ since }) => since));
				const subject: Subject = { queue, call, caller };
				this.begin(rule, queue, subject, newest, condition.forSeconds, waiting);
			}
		}
	}

	private lookAtAgents(since: number): void {
		const { agents } = this;
		if (!agents) return;
		for (const rule of this.of('agentsAvailableBelow')) {
			const { condition, watches } = rule;
			const known = watches.get('');
			const { available, unknown } = agents.counts();
			if (available >= condition.threshold) {
				if (known) this.end(known, 'above', since);
			} else if (available + unknown < condition.threshold) {
				// Agents in an unknown state could be available: it is certain only if even with them there would be too few.
				if (!known)
					this.begin(rule, '', {}, since, condition.forSeconds, () => agents.counts().available);
			} else if (known && !known.open) {
				this.end(known, 'above');
			}
		}
	}

	/** Counts a stay in a queue towards a service level. */
	private count(rule: Rule, facts: VisitFacts, sign: 1 | -1, subject: Subject): void {
		const { decidedAt, queue } = facts;
		if (decidedAt === undefined) return;
		const { answerWithinSeconds } = rule.condition;
		const counted = decidedCounts(facts, answerWithinSeconds, SHORT_ABANDON_SECONDS);
		this.countIn(rule, queue, decidedAt, counted, sign, subject);
	}

	private countIn(
		rule: Rule,
		queue: string,
		at: number,
		counted: Counted,
		sign: 1 | -1,
		subject: Subject,
	): void {
		if (!this.matchesQueue(queue)) return;
		const { windows } = rule;
		const window = windows.get(queue) ?? { rule, queue, counts: new MovingCounts() };
		windows.set(queue, window);
		window.counts.add(at, counted, sign);
		this.touchedWindows.set(window, { ...subject, queue });
	}

	/** Checks whether a window's counts make their condition hold now. */
	private look(window: MovingWindow, now: number, subject: Subject): void {
		const { rule, queue, counts } = window;
		const { condition } = rule;
		const windowMs = condition.windowMinutes * 60_000;
		counts.forget(now - windowMs);
		const oldest = counts.oldest();
		this.deadlines.set(window, oldest === undefined ? undefined : oldest + windowMs + 1);
		if (oldest === undefined) rule.windows.delete(queue);
		const known = rule.watches.get(queue);
		const { totals } = counts;
		const value = () => (condition.when === 'missedCalls' ? totals.missed : (levelOf(totals) ?? 0));
		if (holds(condition, totals)) {
			if (!known) this.begin(rule, queue, { queue, ...subject }, now, 0, value);
		} else if (known) {
			this.end(known, endOfWindow(condition, totals));
		}
	}
}

/** The counts of a stay in a queue, once they are final. */
export function decidedCounts(
	{ result, wait }: VisitFacts,
	answerWithinSeconds: number,
	shortAbandonSeconds: number,
): Counted {
	switch (result) {
		case 'answered':
			if (wait === undefined) return { answered: 1 };
			return { answered: 1, timed: 1, within: wait <= answerWithinSeconds ? 1 : 0 };
		case 'abandoned':
			return { abandoned: 1, short: wait !== undefined && wait < shortAbandonSeconds ? 1 : 0 };
		case 'unknown':
			return { unknown: 1 };
		case undefined:
			return {};
	}
}

type Level = { within: number; timed: number; abandoned: number; short: number };

/** Calls that a service level is calculated from. */
function offeredAndOver({ timed, abandoned, short }: Level): number {
	return timed + abandoned - short;
}

/** Percent of calls answered in time, to one decimal; undefined if there are none. */
export function levelOf(counts: Level): number | undefined {
	const over = offeredAndOver(counts);
	return over === 0 ? undefined : Math.round((counts.within / over) * 1000) / 10;
}

function holds(condition: Condition, totals: Level & { missed: number }): boolean {
	if (condition.when === 'missedCalls') return totals.missed >= condition.threshold;
	const over = offeredAndOver(totals);
	return (
		over >= Math.max(1, condition.minimumCalls) &&
		(totals.within / over) * 100 < condition.threshold
	);
}

/** With too few calls there is no service level: they have left the window. */
function endOfWindow(condition: Condition, totals: Level): EndReason {
	if (condition.when === 'missedCalls') return 'below';
	const over = offeredAndOver(totals);
	return over > 0 && (totals.within / over) * 100 >= condition.threshold ? 'above' : 'left';
}

function leftAs({ result }: VisitFacts): EndReason {
	return result === 'answered' || result === 'abandoned' ? result : 'left';
}

function endOf(kind: keyof typeof OF_AGENT, { state }: AgentView): EndReason {
	if (state === 'logged_out') return 'logged_out';
	if (kind === 'agentOnBreak' && state !== null) return 'back';
	if (kind === 'agentRinging' && state === 'talking') return 'answered';
	return 'ended';
}

/** Removes duplicate rows. */
function distinct(conditions: readonly Condition[]): Condition[] {
	const rows = new Map(conditions.map((row) => [JSON.stringify(row), row]));
	return [...rows.values()];
}

/** Counts the watched agents who are available, and those whose state is unknown. */
class AvailableAgents {
	private readonly known = new Map<string, boolean>();
	private available = 0;
	private directory: Directory | undefined;
	private listed: ReadonlySet<string> | undefined;
	/** Among the listed ones. */
	private unknown = 0;

	constructor(
		private readonly source: () => Directory | undefined,
		/** Agents that are watched even if the login does not list them. */
		private readonly named: readonly string[],
		private readonly isWatched: (id: string) => boolean,
	) {}

	changed({ id, state }: AgentView): void {
		const before = this.known.get(id);
		const listed = this.listed?.has(id) === true;
		if (before === true) this.available--;
		if (listed && before !== undefined) this.unknown++;
		this.known.delete(id);
		if (state === null) return;
		this.known.set(id, state === 'available');
		if (state === 'available') this.available++;
		if (listed) this.unknown--;
	}

	counts(): { available: number; unknown: number } {
		const directory = this.source();
		if (!this.listed || directory !== this.directory) {
			this.directory = directory;
			const watched = [...(directory?.agents.keys() ?? [])].filter(this.isWatched);
			this.listed = new Set([...watched, ...this.named]);
			this.unknown = [...this.listed].filter((id) => !this.known.has(id)).length;
		}
		// Without a list of agents, their number is unknown.
		const unknown = this.listed.size === 0 ? Number.POSITIVE_INFINITY : this.unknown;
		return { available: this.available, unknown };
	}
}
