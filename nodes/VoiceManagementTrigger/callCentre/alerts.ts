// Alerts: a caller waits too long, nobody is available, a service level is too low. Each begins and ends at its own
// moment, with one timer for all of them. If an interruption of the feed may have changed something, it is reported as
// unknown, not as over.

import type { AgentView } from './agents';
import { kindOf, type AlertKindName, type RowFields, type Watched } from './alertKinds';
import type { CallCentre, Observer } from './callCentre';
import { CALLS_DEFAULTS, type CallRef } from './callTracker';
import { WindowCounts } from './counts';
import { Deadlines, type Dated } from './deadlines';
import {
	compileCriteria,
	compileMatcher,
	NO_CRITERIA,
	NO_FILTER,
	type FilterSettings,
} from '../events/filter';
import type { Directory } from '../feed/types';
import { decidedTally, NO_CALLS, tenths, type FigureSettings, type Tally } from './figures';
import type { CallOutcome } from './outcomeTypes';
import { decidedAlike, type VisitFacts } from './queueVisits';
import { secondsBetween, wholeSecond } from './seconds';

/** One row of the settings. Durations in seconds unless stated otherwise. */
export interface Alert extends RowFields {
	when: AlertKindName;
	/** In the unit of its kind. */
	threshold: number;
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

/** An alert that begins, continues or ends. Moments in milliseconds since 1970 by our clock. */
export interface AlertChange {
	event: 'started' | 'repeated' | 'resolved' | 'unknown';
	alert: Alert;
	/** Compared with the threshold, in its unit. */
	value: number;
	since: number;
	at: number;
	subject: Subject;
	reason?: EndReason;
}

/** The subject of an alert, as far as it applies. */
export interface Subject {
	queue?: string;
	call?: string;
	caller?: string;
	agent?: string;
	pause?: string;
	group?: string;
}

export interface AlertOptions {
	alerts: readonly Alert[];
	filter: FilterSettings;
	figures: FigureSettings;
	/** Seconds; 0 = once. */
	repeatEvery: number;
	emitResolved: boolean;
}

/** A row of the settings, with everything it currently watches. */
interface Rule {
	readonly alert: Alert;
	readonly watched: Watched;
	/** It counts calls in a window. */
	readonly counts: boolean;
	/** By subject. */
	readonly watches: Map<string, Watch>;
	/** By queue: the counts of the row's window. */
	readonly windows: Map<string, QueueWindow>;
	/**
	 * Subjects whose alert was reported before an interruption and may have continued, with the time of that: not reported a
	 * second time.
	 */
	readonly reported: Map<string, number>;
}

/** Something that is true for a subject: an alert once it has lasted long enough. */
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
	value?: (() => number) | undefined;
}

/** A moving window: its contents change without an event. */
interface QueueWindow extends Dated {
	rule: Rule;
	queue: string;
	counts: WindowCounts<Tally>;
}

/** A caller who waits, and is late from a moment on. */
interface Lateness extends Dated {
	key: string;
	subject: Subject & { queue: string };
	since: number;
	late: boolean;
}

/** What changed in a queue. */
interface Touched {
	/** The call that changed it, and when. */
	subject: Subject;
	at: number;
	/** Its counts have changed: only that shows something about its windows. */
	recounted: boolean;
}

/**
 * How long after a caller left a queue it takes to know whether the call is over: a little longer than the calls
 * need.
 */
const WHEREABOUTS_MS = CALLS_DEFAULTS.graceMs + 1_000;

/** For so long after an interruption, callers of whom nothing was heard may still be there. */
const DOUBTFUL_MS = 15 * 60_000;

export class Alerts implements Observer {
	private readonly deadlines = new Deadlines<Watch | QueueWindow | Lateness>();
	private readonly rules: readonly Rule[];
	private readonly ofCaller: readonly Rule[];
	private readonly ofCall: readonly Rule[];
	private readonly ofAgent: readonly Rule[];
	private readonly ofQueue: readonly Rule[];
	private readonly ofAgents: readonly Rule[];
	private readonly matchesCall: ReturnType<typeof compileCriteria>;
	private readonly matchesLastingCall: ReturnType<typeof compileCriteria>;
	private readonly matchesQueue: (id: string) => boolean;
	private readonly matchesAgent: (id: string) => boolean;
	/** Callers who wait, or who have left without its being known where to. */
	private readonly lateness = new Map<string, Lateness>();
	private readonly lateIn = new Map<string, number>();
	/** By queue: callers who waited when the feed was interrupted, and of whom nothing was heard since. */
	private readonly doubtfulIn = new Map<string, number>();
	/** Queues to check once all changes of an event are known. */
	private readonly touched = new Map<string, Touched>();
	private readonly agents: AvailableAgents | undefined;
	private agentsTouched: number | undefined;
	private interruption = false;
	/** When counting started. */
	private readonly startedAt: number;

	constructor(
		private readonly options: AlertOptions,
		private readonly centre: CallCentre,
		directory: () => Directory | undefined,
		private readonly now: () => number,
		private readonly emit: (change: AlertChange) => void,
	) {
		this.startedAt = wholeSecond(now());
		const { filter } = options;
		const { queueIds, callerNumbers, serviceNumbers, agentIds, groupIds } = filter;
		const ofCall = { queueIds, callerNumbers, serviceNumbers };
		const compile = (part: Partial<FilterSettings>) =>
			compileCriteria({ ...NO_FILTER, ...part }, directory);
		this.matchesCall = compile(ofCall);
		this.matchesLastingCall = compile({ ...ofCall, agentIds, groupIds });
		this.matchesQueue = compileMatcher('queueIds', { queueIds });
		this.matchesAgent = compileMatcher('agentIds', { agentIds, groupIds }, directory);
		this.rules = distinct(options.alerts).map((alert) => ({
			alert,
			watched: kindOf(alert.when).watched,
			counts: kindOf(alert.when).further?.windowMinutes !== undefined,
			watches: new Map(),
			windows: new Map(),
			reported: new Map(),
		}));
		const rulesOf = (what: Watched['of']) =>
			this.rules.filter(({ watched }) => watched.of === what);
		this.ofCaller = rulesOf('caller');
		this.ofCall = rulesOf('call');
		this.ofAgent = rulesOf('agent');
		this.ofQueue = rulesOf('queue');
		this.ofAgents = rulesOf('agents');
		if (this.ofAgents.length > 0) {
			const named = groupIds.length === 0 ? agentIds : [];
			this.agents = new AvailableAgents(directory, named, this.matchesAgent, () =>
				[...centre.agents.ids()].map((id) => centre.agents.get(id)),
			);
		}
		centre.replay(this);
		// If nothing was heard of them yet, there are too few from now on.
		this.lookAtAgents(now());
		this.tick(now());
	}

	/** When `tick` has something to do next; undefined if nothing is due. */
	nextDue(): number | undefined {
		return this.deadlines.next();
	}

	/** Time has passed. What changes at one moment is looked at together. */
	tick(now: number): void {
		while ((this.deadlines.next() ?? Infinity) <= now) {
			const watches: Watch[] = [];
			const changed = new Map<string, Subject>();
			for (let due = this.deadlines.take(now); due; due = this.deadlines.take(now)) {
				if ('late' in due) changed.set(due.subject.queue, this.becomesLate(due));
				else if ('counts' in due) changed.set(due.queue, changed.get(due.queue) ?? {});
				else watches.push(due);
			}
			for (const [queue, subject] of changed)
				for (const rule of this.ofQueue) this.lookAtQueue(rule, queue, subject, now);
			for (const watch of watches) {
				if (watch.rule.watches.get(watch.key) !== watch) continue;
				if (watch.overAt === undefined) this.fire(watch, now);
				else this.end(watch, 'left', watch.overAt);
			}
		}
	}

	visit(
		call: CallRef,
		index: number,
		before: VisitFacts | undefined,
		after: VisitFacts | undefined,
	): void {
		const queue = after?.queue ?? before?.queue;
		if (queue === undefined) return;
		const left = before && before.queue !== queue ? before.queue : undefined;
		if (!this.matchesQueue(queue) && (left === undefined || !this.matchesQueue(left))) return;
		const waits = mayWait(before) || mayWait(after);
		const counts = !before || !after || !countAlike(before, after);
		if (!waits && !counts) return;
		if (isDoubtful(before)) countIn(this.doubtfulIn, before.queue, -1);
		if (isDoubtful(after)) countIn(this.doubtfulIn, queue, 1);
		const subject = { queue, call: call.id, caller: call.caller };
		const at = after?.decidedAt ?? after?.since;
		if (left !== undefined) this.touch(left, { ...subject, queue: left }, at);
		this.touch(queue, subject, at);
		if (waits) {
			const key = `${call.id}/${index}`;
			this.callerWaits(call, key, subject, after);
			this.watchLateness(key, subject, after);
		}
		if (!counts) return;
		if (before) this.count(before, -1);
		if (after) this.count(after, 1);
	}

	outcome(outcome: CallOutcome): void {
		const { kind, place, callId, caller } = outcome;
		if (kind !== 'missed' || !place?.startsWith('queue:')) return;
		const queue = place.slice('queue:'.length);
		if (!this.matchesQueue(queue)) return;
		const at = outcome.visits.at(-1)?.leftSeen ?? this.now();
		this.touch(queue, { queue, call: callId, caller }, at);
		this.add(queue, at, { missed: 1 }, 1);
	}

	talking(call: CallRef, since: number | undefined, ended: boolean, at: number): void {
		for (const rule of this.ofCall) {
			if (since === undefined) {
				if (!this.interruption) this.over(rule, call.id, ended ? 'ended' : 'left', at);
				continue;
			}
			const { agents, queues: queueIds, trunks: trunkIds } = call;
			const matches = this.matchesLastingCall({
				agentIds: agents,
				queueIds,
				trunkIds,
				callerNumber: call.caller,
				serviceNumber: call.service,
			});
			if (!matches) continue;
			const subject: Subject = {
				queue: call.talkingIn,
				call: call.id,
				caller: call.caller,
				agent: call.agent,
			};
			this.begin(rule, call.id, subject, since, rule.alert.threshold);
		}
	}

	agent(after: AgentView, before: AgentView): void {
		if (!this.matchesAgent(after.id)) return;
		for (const rule of this.ofAgent) {
			if (rule.watched.of !== 'agent') continue;
			const { state } = rule.watched;
			if (after.state !== state) {
				if (!this.interruption) this.over(rule, after.id, endOf(state, after), after.since);
				continue;
			}
			if (before.state === state && after.callId !== before.callId)
				this.over(rule, after.id, 'ended', after.since);
			if (after.since === undefined) continue;
			const { id: agent, pause, queueId: queue, callId: call, caller } = after;
			const subject: Subject = { queue, call, caller, agent, pause };
			this.begin(rule, after.id, subject, after.since, rule.alert.threshold);
		}
		if (!this.agents) return;
		this.agents.changed(after);
		const since = after.since ?? this.now();
		this.agentsTouched = Math.max(this.agentsTouched ?? since, since);
	}

	interrupted(): void {
		this.interruption = true;
		for (const rule of this.rules) {
			for (const watch of [...rule.watches.values()]) {
				if (watch.open && !this.options.emitResolved) rule.reported.set(watch.key, this.now());
				this.end(watch, 'feed-gap');
			}
		}
	}

	settled(): void {
		const { interruption } = this;
		this.interruption = false;
		if (!interruption) {
			const now = this.now();
			for (const [queue, { subject, at, recounted }] of this.touched)
				for (const rule of this.ofQueue)
					if (recounted || !rule.counts) this.lookAtQueue(rule, queue, subject, now, at);
			if (this.agentsTouched !== undefined) this.lookAtAgents(this.agentsTouched);
		}
		// Clearing a map allocates a new table even if it is empty: for most events that would be most of the work.
		if (this.touched.size > 0) this.touched.clear();
		this.agentsTouched = undefined;
		this.tick(this.now());
	}

	private touch(queue: string, subject: Subject, at = this.now()): void {
		if (this.ofQueue.length === 0) return;
		const before = this.touched.get(queue);
		// Of several callers, as when an alert begins in the middle of the day, the last change counts.
		const newest = Math.max(at, before?.at ?? at);
		this.touched.set(queue, { subject, at: newest, recounted: before?.recounted === true });
	}

	private recount(queue: string): void {
		const touched = this.touched.get(queue);
		if (touched) touched.recounted = true;
	}

	private callerWaits(
		call: CallRef,
		key: string,
		subject: Subject & { queue: string },
		after: VisitFacts | undefined,
	): void {
		const waits =
			this.ofCaller.length > 0 &&
			after?.state === 'waiting' &&
			this.matchesCall({
				...NO_CRITERIA,
				queueIds: [subject.queue],
				callerNumber: call.caller,
				serviceNumber: call.service,
			});
		for (const rule of this.ofCaller) {
			const known = rule.watches.get(key);
			if (after?.state === 'waiting') {
				if (waits) this.begin(rule, key, subject, after.since, rule.alert.threshold);
			} else if (known?.open && after?.state === 'left') {
				// It will soon be known whether the caller gave up or continues elsewhere.
				known.overAt ??= after.decidedAt ?? this.now();
				this.deadlines.set(known, this.now() + WHEREABOUTS_MS);
			} else if (after?.state !== 'unknown' || known) {
				this.over(rule, key, leftAs(after), after?.decidedAt ?? known?.overAt);
			}
		}
	}

	/** A caller who has left stays what they were until it is known where to. */
	private watchLateness(
		key: string,
		subject: Subject & { queue: string },
		after: VisitFacts | undefined,
	): void {
		if (this.ofQueue.length === 0) return;
		const known = this.lateness.get(key);
		if (after?.state === 'waiting') {
			if (known?.since === after.since) return;
			if (known) this.notLate(known);
			const waits = {
				key,
				subject,
				since: after.since,
				late: false,
				due: undefined,
				slot: undefined,
			};
			this.lateness.set(key, waits);
			// In time is whoever waited that long, and late a moment later.
			const seconds = this.options.figures.serviceLevelSeconds;
			this.deadlines.set(waits, after.since + seconds * 1000 + 1);
		} else if (known && after?.state === 'left') {
			this.deadlines.set(known, undefined);
		} else if (known) {
			this.notLate(known);
		}
	}

	private becomesLate(waits: Lateness): Subject {
		const { queue } = waits.subject;
		waits.late = true;
		countIn(this.lateIn, queue, 1);
		return waits.subject;
	}

	private notLate(waits: Lateness): void {
		this.lateness.delete(waits.key);
		this.deadlines.set(waits, undefined);
		const { queue } = waits.subject;
		if (!waits.late) return;
		this.recount(queue);
		countIn(this.lateIn, queue, -1);
	}

	/** Something has been true for a subject since then: an alert once it has been for that many seconds. */
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
			toldAt: undefined,
			overAt: undefined,
			due: undefined,
			slot: undefined,
		};
		watches.set(key, watch);
		this.deadlines.set(watch, since + seconds * 1000);
	}

	private fire(watch: Watch, now: number): void {
		const { open, rule, key } = watch;
		const wasReported = !open && rule.reported.delete(key);
		if (!wasReported) this.tell(watch, open ? 'repeated' : 'started', now);
		watch.open = true;
		watch.toldAt = now;
		this.deadlines.set(watch, this.nextRepeat(now));
	}

	private nextRepeat(now: number): number | undefined {
		const { repeatEvery } = this.options;
		return repeatEvery > 0 ? now + repeatEvery * 1000 : undefined;
	}

	/** It is certain that something is not true for a subject any more. @param at when it ended */
	private over(rule: Rule, key: string, reason: EndReason, at?: number): void {
		rule.reported.delete(key);
		const watch = rule.watches.get(key);
		if (watch) this.end(watch, reason, at);
	}

	/** @param at when it ended, if that was before now; reports that were already sent can't be taken back */
	private end(watch: Watch, reason: EndReason, at = this.now()): void {
		this.deadlines.set(watch, undefined);
		watch.rule.watches.delete(watch.key);
		if (!watch.open || !this.options.emitResolved) return;
		const told = Math.max(at, watch.toldAt ?? at);
		this.tell(watch, reason === 'feed-gap' ? 'unknown' : 'resolved', told, reason);
	}

	private tell(watch: Watch, event: AlertChange['event'], at: number, reason?: EndReason): void {
		const { rule, since, subject, value } = watch;
		this.emit({
			event,
			alert: rule.alert,
			value: value ? (tenths(value()) ?? 0) : secondsBetween(since, at),
			since,
			at,
			subject,
			reason,
		});
	}

	private lookAtAgents(since: number): void {
		const { agents } = this;
		if (!agents) return;
		const { available, unknown } = agents.counts();
		const { groupIds } = this.options.filter;
		const subject: Subject = groupIds.length === 1 ? { group: groupIds[0] } : {};
		for (const rule of this.ofAgents) {
			const { alert, watches } = rule;
			const known = watches.get('');
			if (available >= alert.threshold) {
				this.over(rule, '', 'above', since);
			} else if (available + unknown < alert.threshold) {
				// Agents in an unknown state could be available: it is certain only if even with them there would be too few.
				if (!known)
					this.begin(rule, '', subject, since, alert.forSeconds, () => agents.counts().available);
			} else if (known && !known.open) {
				this.end(known, 'above');
			}
		}
	}

	/** Counts a stay in a queue in each window, once it is certain how it counts. */
	private count(facts: VisitFacts, sign: 1 | -1): void {
		const { decidedAt, queue, state } = facts;
		if (decidedAt === undefined || state === 'left') return;
		this.add(queue, decidedAt, decidedTally(facts, this.options.figures), sign);
	}

	private add(queue: string, at: number, counted: Partial<Tally>, sign: 1 | -1): void {
		// As in snapshots.
		if (at < this.startedAt) return;
		this.recount(queue);
		for (const rule of this.ofQueue) {
			if (!rule.counts) continue;
			let window = rule.windows.get(queue);
			if (!window)
				rule.windows.set(queue, (window = { rule, queue, counts: new WindowCounts(NO_CALLS) }));
			window.counts.add(at, counted, sign);
		}
	}

	/** What a row watches of a queue; undefined: it can't be told. @param more late callers in addition */
	private figure({ alert, watched, windows }: Rule, queue: string, more = 0): number | undefined {
		if (watched.of !== 'queue') return undefined;
		const load = {
			waiting: (this.centre.queues.get(queue)?.waiting.size ?? 0) + more,
			late: (this.lateIn.get(queue) ?? 0) + more,
			tally: windows.get(queue)?.counts.totals ?? NO_CALLS,
		};
		return watched.value(load, alert, this.options.figures);
	}

	/** Checks whether an alert of a queue begins or ends now. @param at when the change happened, if before now */
	private lookAtQueue(rule: Rule, queue: string, subject: Subject, now: number, at = now): void {
		const { alert, watched, windows } = rule;
		if (watched.of !== 'queue' || !this.matchesQueue(queue)) return;
		const window = windows.get(queue);
		if (window) {
			const windowMs = alert.windowMinutes * 60_000;
			window.counts.forget(now - windowMs);
			const oldest = window.counts.oldest();
			this.deadlines.set(window, oldest === undefined ? undefined : oldest + windowMs + 1);
			if (oldest === undefined) windows.delete(queue);
		}
		const current = this.figure(rule, queue);
		const below = watched.is === 'below';
		const holds = (value: number | undefined) =>
			value !== undefined && (below ? value < alert.threshold : value >= alert.threshold);
		if (!holds(current)) {
			const reason = !below ? 'below' : current === undefined ? 'left' : 'above';
			const reportedAt = rule.reported.get(queue) ?? -Infinity;
			this.over(rule, queue, reason, at);
			// After an interruption, the callers who wait on show themselves one by one.
			const doubtful = this.doubtfulIn.get(queue) ?? 0;
			const mayGoOn = doubtful > 0 && now - reportedAt < DOUBTFUL_MS;
			if (mayGoOn && holds(this.figure(rule, queue, doubtful)))
				rule.reported.set(queue, reportedAt);
		} else if (!rule.watches.has(queue)) {
			this.begin(
				rule,
				queue,
				{ queue, ...subject },
				at,
				alert.forSeconds,
				() => this.figure(rule, queue) ?? 0,
			);
		}
	}
}

/** Changes a count of a queue. */
function countIn(counts: Map<string, number>, queue: string, by: 1 | -1): void {
	const count = (counts.get(queue) ?? 0) + by;
	if (count > 0) counts.set(queue, count);
	else counts.delete(queue);
}

function isDoubtful(facts: VisitFacts | undefined): facts is VisitFacts {
	return facts?.state === 'unknown' && facts.result === 'unknown';
}

/** Someone waits there, or did when last seen. */
function mayWait(facts: VisitFacts | undefined): boolean {
	return facts !== undefined && facts.state !== 'talking' && facts.state !== 'over';
}

/** Whoever has left does not count yet. */
function countAlike(a: VisitFacts, b: VisitFacts): boolean {
	return (a.state === 'left') === (b.state === 'left') && decidedAlike(a, b);
}

function leftAs(facts: VisitFacts | undefined): EndReason {
	return facts?.result === 'answered' || facts?.result === 'abandoned' ? facts.result : 'left';
}

function endOf(state: AgentView['state'], after: AgentView): EndReason {
	if (after.state === 'logged_out') return 'logged_out';
	if (state === 'on_break' && after.state !== null) return 'back';
	if (state === 'ringing' && after.state === 'talking') return 'answered';
	return 'ended';
}

/** Removes duplicate rows. */
function distinct(alerts: readonly Alert[]): Alert[] {
	const rows = new Map(alerts.map((row) => [JSON.stringify(row), row]));
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
		private readonly views: () => AgentView[],
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
			// Groups may have other members now.
			this.known.clear();
			this.available = 0;
			this.unknown = this.listed.size;
			for (const view of this.views()) if (this.isWatched(view.id)) this.changed(view);
		}
		// Without a list of agents, their number is unknown.
		const unknown = this.listed.size === 0 ? Number.POSITIVE_INFINITY : this.unknown;
		return { available: this.available, unknown };
	}
}
