// Alerts, made of the fold's changes: a caller waits too long, nobody is available, a service level is too low. Each
// starts and ends at its own moment, with one timer for all of them. What an interruption of the feed may have changed is
// reported as unknown, not as over.

import {
	compileCriteria,
	compileMatcher,
	NO_FILTER,
	type Criteria,
	type FilterSettings,
} from '../events/filter';
import type { Directory } from '../feed/types';
import { kindOf, type AlertKindName, type Watched, type WindowCounts } from './alertKinds';
import { AvailableAgents } from './availableAgents';
import { ByAge } from './byAge';
import {
	wholeSeconds,
	type AgentView,
	type CallView,
	type Change,
	type Outcome,
	type RecordedCall,
	type Stay,
	type Talk,
	type Wait,
} from './changes';
import { Deadlines, type Dated } from './deadlines';
import { decidedStep, lateStep, type FigureSettings } from './figures';
import type { CallCentre } from './fold';
import { MOST_QUEUES } from './snapshots';
import { Window } from './windows';

/** One row of the settings. Durations in seconds unless stated otherwise. */
export interface AlertRow {
	when: AlertKindName;
	/** In the unit of its kind. */
	threshold: number;
	hold: number;
	windowMinutes: number;
	minimumCalls: number;
	/** Whom it is about; empty: everybody whom the filters let through. */
	queueIds: readonly string[];
	groupIds: readonly string[];
}

export type EndReason =
	| 'answered'
	| 'abandoned'
	| 'ended'
	| 'back'
	| 'logged_out'
	| 'below'
	| 'above'
	| 'left'
	| 'feed-gap';

/** The subject of an alert, as far as it applies. */
export interface Subject {
	queue?: string | undefined;
	/** The caller has waited in other queues too. */
	isElsewhereToo?: boolean;
	call?: string | undefined;
	caller?: string | undefined;
	agent?: string | undefined;
	pause?: string | undefined;
	group?: string | undefined;
	/** The call made the figure lower. */
	isLower?: boolean;
}

/** An alert that starts, lasts or ends. Moments in milliseconds since 1970. */
export interface AlertChange {
	event: 'started' | 'repeated' | 'resolved' | 'unknown';
	row: AlertRow;
	/** Compared with the threshold, in its unit. */
	value: number;
	since: number;
	at: number;
	subject: Subject;
	reason?: EndReason | undefined;
}

export interface AlertOptions {
	alerts: readonly AlertRow[];
	filter: FilterSettings;
	figures: FigureSettings;
	/** Seconds; 0 = once. */
	repeatEvery: number;
	emitResolved: boolean;
}

/** What a watch is about: a call itself, since identifiers are used again, or the identifier of a queue or an agent. */
type Key = CallView | string;

/** What an event has changed, until all of its changes are known. */
interface Touched {
	readonly calls: Set<CallView>;
	readonly talks: Map<CallView, Talk | 'lost'>;
	/** Queues in which others wait now, and since when. */
	readonly queues: Map<string, number>;
	/** Queues of whose windows the counts are others now. */
	readonly windows: Map<string, { at: number; call: RecordedCall; isLower: boolean }>;
}

/** A row of the settings, with everything that it watches now. */
interface Rule {
	readonly row: AlertRow;
	readonly watched: Watched;
	readonly watches: Map<Key, Watch>;
	/** Calls of which it has told: once each. */
	readonly told: WeakSet<CallView>;
	/** Whose alert may have gone on across an interruption: since when it was, and the time of that. */
	readonly cut: Map<Key, { since: number; at: number; call: string | undefined }>;
	readonly windows: ByAge<QueueWindow>;
	readonly matchesQueue: (id: string) => boolean;
	readonly matchesAgent: (id: string) => boolean;
	readonly matchesCall: (call: Criteria) => boolean;
	readonly agents: AvailableAgents | undefined;
}

/** Something that is true for a subject: an alert once it has lasted long enough. */
interface Watch extends Dated {
	readonly rule: Rule;
	readonly key: Key;
	subject: Subject;
	since: number;
	isOpen: boolean;
	openedAt: number;
	/** The caller is in no queue any more since then, and it is not known yet what became of them. */
	leftAt: number | undefined;
	/** If omitted, the seconds since it began. */
	value: (() => number) | undefined;
}

/** A seen stay that is not late yet, or was late when it went on. */
interface Lateness extends Dated {
	readonly stay: Stay;
	readonly call: CallView;
	isLate: boolean;
	readonly order: number;
}

/** By then it is known whether a caller who left is in another queue. */
const WHEREABOUTS_MS = 5_000;
/** For so long an alert after an interruption may be the one before it. */
const SAME_ALERT_MS = 15 * 60_000;

export class Alerts {
	private readonly deadlines = new Deadlines<Watch | QueueWindow>();
	/** When each stay passes the level. */
	private readonly levels = new Deadlines<Lateness>();
	private readonly rules: readonly Rule[];
	private readonly lateness = new Map<Stay, Lateness>();
	private readonly touched: Touched = {
		calls: new Set(),
		talks: new Map(),
		queues: new Map(),
		windows: new Map(),
	};
	private readonly waitingIn = new Map<string, number>();
	private readonly startedAt: number;
	private readonly watchesWindows: boolean;
	private order = 0;
	/** The moment that is being looked at: when something was due, or now. */
	private at: number;

	constructor(
		private readonly options: AlertOptions,
		private readonly centre: CallCentre,
		directory: () => Directory | undefined,
		private readonly now: () => number,
		private readonly emit: (change: AlertChange) => void,
		/** Is called with what was dropped at a limit. */
		private readonly gaveUp: (what: string) => void,
	) {
		this.startedAt = now();
		this.at = this.startedAt;
		const rows = new Map(options.alerts.map((row) => [JSON.stringify(row), row]));
		this.rules = [...rows.values()].map((row) => ruleOf(row, options.filter, directory));
		this.watchesWindows = this.rules.some(({ watched }) => watched.of === 'window');
		this.take(centre.state());
		// If nothing was heard of them yet, there are too few from now on.
		this.lookAtAgents(now());
		this.tick(now());
	}

	/** When {@link tick} has something to do next; undefined: not before the next change. */
	nextDue(): number | undefined {
		const due = Math.min(this.deadlines.next() ?? Infinity, this.levels.next() ?? Infinity);
		return due === Infinity ? undefined : due;
	}

	/** What an event, an interruption or time has changed: it is looked at together. */
	take(changes: readonly Change[]): void {
		const { calls, talks } = this.touched;
		// What was due by now has started before what the changes end.
		this.tick(this.now());
		this.at = this.now();
		let agentsAt: number | undefined;
		for (const change of changes) {
			switch (change.kind) {
				case 'interrupted':
					this.interrupted(change.at);
					break;
				case 'stay':
					this.followStay(change.call, change.before, change.after);
					break;
				case 'wait':
					calls.add(change.call);
					break;
				case 'talk':
					talks.set(change.call, change.after ?? 'lost');
					break;
				case 'outcome':
					this.followRecord(change.call, change.outcome);
					break;
				case 'back':
					this.countRecord(change.outcome, -1, change.at);
					break;
				case 'agent':
					this.followAgent(change.before, change.after, change.at);
					agentsAt = change.at;
					// The end of a wrap-up, which the event that shows it may follow by moments.
					if (change.byTime) this.lookAtAgents(change.at);
					break;
				case 'taken':
				case 'notAnswered':
				case 'wrapUp':
				case 'gaveUp':
			}
		}
		if (calls.size > 0) for (const call of calls) this.lookAtCaller(call);
		if (talks.size > 0) for (const [call, talk] of talks) this.lookAtTalk(call, talk);
		this.lookAtTouchedQueues();
		if (agentsAt !== undefined) this.lookAtAgents(agentsAt);
		if (calls.size > 0) calls.clear();
		if (talks.size > 0) talks.clear();
		this.tick(this.now());
	}

	/** Time has passed. What changes at one moment is looked at together. */
	tick(now: number): void {
		for (let at = this.nextDue(); at !== undefined && at <= now; at = this.nextDue()) {
			this.at = at;
			const late: Lateness[] = [];
			for (let one = this.levels.take(at); one; one = this.levels.take(at)) late.push(one);
			// In the order in which they came, so that the last one is the one that tipped a figure.
			for (const waits of late.sort((a, b) => a.order - b.order)) this.becomesLate(waits, at);
			this.lookAtTouchedQueues();
			const due = this.deadlines.take(at);
			if (due instanceof QueueWindow) this.lookAtWindow(due.rule, due.queue, at);
			else if (due?.leftAt !== undefined) this.staysAway(due);
			else if (due) this.fire(due, at);
		}
	}

	// ---- Callers and calls ----

	private followStay(call: CallView, before: Stay | undefined, after: Stay): void {
		const { queue, decidedAt } = after;
		const waited = before && before.decidedAt === undefined ? 1 : 0;
		const waits = decidedAt === undefined ? 1 : 0;
		if (waits !== waited) {
			const count = (this.waitingIn.get(queue) ?? 0) + waits - waited;
			if (count > 0) this.waitingIn.set(queue, count);
			else this.waitingIn.delete(queue);
			this.touched.queues.set(queue, decidedAt ?? after.since);
		}
		this.touched.calls.add(call);
		if (this.watchesWindows) this.countStay(call, before, after);
	}

	private lookAtCaller(call: CallView): void {
		const { wait } = call;
		if (!wait) return;
		for (const rule of this.rules) {
			if (rule.watched.of !== 'caller') continue;
			const watch = rule.watches.get(call);
			const isWaiting = wait.decidedAt === undefined;
			const queue = isWaiting ? call.waitingIn.findLast(rule.matchesQueue) : undefined;
			if (queue !== undefined && wait.isKnown && rule.matchesCall(criteriaOf(call, [queue]))) {
				const isElsewhereToo = wait.queues.length > 1;
				const subject = { queue, isElsewhereToo, call: call.id };
				this.begin(rule, call, subject, wait.since, rule.row.threshold);
			} else if (watch) {
				this.leavesRow(watch, wait);
			}
		}
	}

	private leavesRow(watch: Watch, { decidedAt, result }: Wait): void {
		if (result === 'answered') this.end(watch, 'answered', decidedAt);
		else if (result !== 'abandoned') this.end(watch, 'left', decidedAt);
		else if (!watch.isOpen) this.end(watch, 'abandoned');
		else {
			// It will soon be known whether the caller gave up or is in another queue.
			watch.leftAt = decidedAt;
			this.deadlines.set(watch, this.now() + WHEREABOUTS_MS);
		}
	}

	/** The caller came to no other queue. If the call is nowhere, its record will tell. */
	private staysAway(watch: Watch): void {
		const isSomewhere = typeof watch.key !== 'string' && watch.key.isSomewhere;
		if (isSomewhere) this.end(watch, 'left', watch.leftAt);
	}

	/** What became of a caller is certain now. */
	private followRecord(call: CallView, outcome: Outcome): void {
		if (outcome.kind === 'answered') return;
		this.at = outcome.knownAt;
		this.countRecord(outcome, 1, outcome.knownAt);
		for (const rule of this.rules) {
			const watch = rule.watched.of === 'caller' && rule.watches.get(call);
			if (watch) this.end(watch, 'abandoned', watch.leftAt);
		}
		this.lookAtTouchedQueues();
		this.tick(this.at);
	}

	/**
	 * @param sign -1 if the caller came back
	 * @param seenAt when that was
	 */
	private countRecord(outcome: Outcome, sign: 1 | -1, seenAt: number): void {
		const { kind, call, queue, wait = Infinity, leftAt, abandoned } = outcome;
		if (leftAt === undefined || !this.watchesWindows) return;
		const { figures } = this.options;
		const decided = abandoned && decidedStep(abandoned, figures);
		if (decided?.counts.abandonedInTime === 1)
			this.mark(abandoned?.queue, decided.at, 'abandonedInTime', sign, call, seenAt);
		if (kind === 'missed' && wait >= figures.shortAbandonSeconds * 1000)
			this.mark(queue, leftAt, 'missed', sign, call, seenAt);
	}

	private lookAtTalk(call: CallView, talk: Talk | 'lost'): void {
		const isOver = talk === 'lost' || talk.endedAt !== undefined;
		const since = call.answeredAt ?? this.now();
		for (const rule of this.rules) {
			// Nothing is said of a call that was in no queue.
			if (rule.watched.of !== 'call' || call.queues.length === 0) continue;
			const watch = rule.watches.get(call);
			const { queue } = talk === 'lost' ? { queue: undefined } : talk;
			const isInRow =
				queue === undefined ? rule.row.queueIds.length === 0 : rule.matchesQueue(queue);
			if (isOver) {
				const reason = call.waitingIn.length > 0 || talk === 'lost' ? 'left' : 'ended';
				if (watch) this.end(watch, reason, talk === 'lost' ? undefined : talk.endedAt);
			} else if (isInRow && rule.matchesCall(criteriaOf(call))) {
				const subject = { queue, call: call.id, agent: talk.agent };
				this.begin(rule, call, subject, since, rule.row.threshold);
			}
		}
	}

	// ---- Agents ----

	private followAgent(before: AgentView, after: AgentView | undefined, at: number): void {
		for (const rule of this.rules) {
			rule.agents?.changed(before.id, after?.state);
			if (rule.watched.of !== 'agent' || !rule.matchesAgent(before.id)) continue;
			this.lookAtAgent(rule, rule.watched.state, before, after, at);
		}
	}

	private lookAtAgent(
		rule: Rule,
		state: AgentView['state'],
		before: AgentView,
		after: AgentView | undefined,
		at: number,
	): void {
		const { id: agent } = before;
		const watch = rule.watches.get(agent);
		// A break goes on through the agent's own calls.
		const isOnBreak = state === 'on_break' && watch !== undefined && after?.pause !== undefined;
		// Each ring is a subject of its own.
		const call = state === 'ringing' ? after?.callId : undefined;
		const isSubject = (one: { call?: string | undefined } | undefined) =>
			(after?.state === state || isOnBreak) && (!one || one.call === call);
		if (watch && !isSubject(watch.subject))
			this.end(watch, this.endOfState(state, before, after), at);
		// It is certain that what was told before an interruption is over.
		if (after && after.state !== null && !isSubject(rule.cut.get(agent))) rule.cut.delete(agent);
		if (!after || after.since === undefined || !isSubject(undefined)) return;
		const { queueId: queue, caller, pause } = after;
		const subject = state === 'on_break' ? { agent, pause } : { queue, call, caller, agent };
		this.begin(rule, agent, subject, after.since, rule.row.threshold);
	}

	private endOfState(
		state: AgentView['state'],
		before: AgentView,
		after: AgentView | undefined,
	): EndReason {
		if (!after) return 'left';
		if (after.state === 'logged_out') return 'logged_out';
		if (state === 'on_break') return 'back';
		if (state === 'available') return 'ended';
		if (after.callId !== undefined && after.callId === before.callId) return 'answered';
		return before.callId !== undefined && this.centre.hasLeft(before.callId) ? 'abandoned' : 'left';
	}

	private lookAtAgents(at: number): void {
		for (const rule of this.rules) {
			const { agents, row, watches } = rule;
			if (!agents) continue;
			const { available, unknown } = agents.counts();
			const watch = watches.get('');
			const groups = row.groupIds.length > 0 ? row.groupIds : this.options.filter.groupIds;
			if (available >= row.threshold) {
				rule.cut.delete('');
				if (watch) this.end(watch, 'above', at);
			} else if (available + unknown < row.threshold) {
				const subject = groups.length === 1 ? { group: groups[0] } : {};
				if (!watch) this.begin(rule, '', subject, at, row.hold, () => agents.counts().available);
			} else if (watch && !watch.isOpen) {
				// Agents who may be available could make the difference.
				this.end(watch, 'above', at);
			}
		}
	}

	// ---- Queues ----

	private lookAtQueue(queue: string, at: number): void {
		for (const rule of this.rules) {
			if (rule.watched.of !== 'queue' || !rule.matchesQueue(queue)) continue;
			const value = () => this.waitingIn.get(queue) ?? 0;
			const watch = rule.watches.get(queue);
			if (value() < rule.row.threshold) {
				if (watch) this.end(watch, 'below', at);
			} else if (!watch) {
				this.begin(rule, queue, { queue }, at, rule.row.hold, value);
			}
		}
	}

	private lookAtTouchedQueues(): void {
		const { queues, windows } = this.touched;
		// Clearing a map allocates a new table even if it is empty: for most events that would be most of the work.
		if (queues.size > 0) {
			for (const [queue, at] of queues) this.lookAtQueue(queue, at);
			queues.clear();
		}
		if (windows.size > 0) {
			for (const [queue, { at, call, isLower }] of windows)
				for (const rule of this.rules) this.lookAtWindow(rule, queue, at, call, isLower);
			windows.clear();
		}
	}

	/** @param call what has changed the figure, if it was a call */
	private lookAtWindow(
		rule: Rule,
		queue: string,
		at: number,
		call?: RecordedCall,
		isLower = false,
	): void {
		const window = rule.windows.get(queue);
		if (rule.watched.of !== 'window' || !window) return;
		window.forget(this.now());
		this.deadlines.set(window, window.nextDue());
		const { figure, is } = rule.watched;
		const { threshold, minimumCalls } = rule.row;
		const { value, calls } = figure(window.counts);
		const isCrossed = value !== null && (is === 'below' ? value < threshold : value >= threshold);
		const watch = rule.watches.get(queue);
		if (watch && !isCrossed) this.end(watch, is === 'below' ? 'above' : 'below', at);
		if (window.nextDue() === undefined) rule.windows.delete(queue);
		if (watch || !isCrossed || calls < minimumCalls) return;
		const tipped = is === 'below' && call ? { call: call.id, caller: call.caller, isLower } : {};
		const current = () => figure(window.counts).value ?? 0;
		this.begin(rule, queue, { queue, ...tipped }, at, 0, current, at);
	}

	/** A call is decided once for the service level. */
	private countStay(call: CallView, before: Stay | undefined, after: Stay): void {
		const { figures } = this.options;
		const known = before && this.lateness.get(before);
		const isLate = known?.isLate ?? (before && lateStep(before, figures, 0) !== undefined);
		if (known) {
			this.levels.set(known, undefined);
			this.lateness.delete(known.stay);
		}
		if (!after.isSeen) return;
		const { queue, since, decidedAt } = after;
		const levelAt = since + figures.serviceLevelSeconds * 1000 + 1;
		if (decidedAt === undefined) {
			const order = known?.order ?? this.order++;
			const waits = {
				...{ stay: after, call, order, isLate: isLate === true },
				due: undefined,
				slot: undefined,
			};
			this.lateness.set(after, waits);
			if (!waits.isLate) this.levels.set(waits, Math.max(levelAt, this.at));
			return;
		}
		const late = lateStep(after, figures, decidedAt);
		// An answer that was held up on its way may have come in time, although the level has passed here.
		if (isLate === true && !late) this.mark(queue, levelAt, 'late', -1, call);
		if (isLate !== true && late) this.mark(queue, late.at, 'late', 1, call);
		const inTime = (stay: Stay | undefined) =>
			stay && decidedStep(stay, figures)?.counts.inTime === 1;
		if (before?.decidedAt !== undefined && inTime(before) === true)
			this.mark(queue, before.decidedAt, 'inTime', -1, call);
		if (inTime(after) === true) this.mark(queue, decidedAt, 'inTime', 1, call);
	}

	private becomesLate(waits: Lateness, now: number): void {
		const { stay, call } = waits;
		const late = lateStep(stay, this.options.figures, now);
		if (!late) return;
		waits.isLate = true;
		this.mark(stay.queue, late.at, 'late', 1, call);
	}

	private mark(
		queue: string | undefined,
		at: number,
		name: keyof WindowCounts,
		sign: 1 | -1,
		call: RecordedCall,
		knownAt = at,
	): void {
		if (queue === undefined || at < this.startedAt) return;
		const isLower = (name === 'inTime') === (sign === -1);
		this.touched.windows.set(queue, { at: knownAt, call, isLower });
		let dropped = false;
		for (const rule of this.rules) {
			if (rule.watched.of !== 'window' || !rule.matchesQueue(queue)) continue;
			let window = rule.windows.renew(queue);
			if (!window) {
				window = new QueueWindow(rule, queue);
				rule.windows.set(queue, window);
				const oldest = rule.windows.trim(MOST_QUEUES)?.value;
				if (oldest) this.dropWindow(oldest);
				dropped ||= oldest !== undefined;
			}
			if (sign === 1) window.add(at, name);
			else window.remove(at, name);
		}
		if (dropped) this.gaveUp('a queue');
	}

	private dropWindow(window: QueueWindow): void {
		this.deadlines.set(window, undefined);
		const watch = window.rule.watches.get(window.queue);
		if (watch) this.end(watch, 'left');
	}

	// ---- Watches ----

	/** Something has been true for a subject since then: an alert once it has been for that many seconds. */
	private begin(
		rule: Rule,
		key: Key,
		subject: Subject,
		since: number,
		seconds: number,
		value?: () => number,
		notBefore = this.at,
	): void {
		const known = rule.watches.get(key);
		if (known) {
			known.subject = subject;
			if (known.leftAt !== undefined) {
				known.leftAt = undefined;
				this.deadlines.set(known, this.nextRepeat(known, this.at));
			}
			return;
		}
		// Of each call, a row tells once.
		if (typeof key !== 'string' && rule.told.has(key)) return;
		const cut = rule.cut.get(key);
		const isSame = cut !== undefined && this.now() - cut.at < SAME_ALERT_MS;
		const watch: Watch = {
			rule,
			key,
			subject,
			since: isSame ? Math.min(cut.since, since) : since,
			isOpen: false,
			openedAt: since,
			leftAt: undefined,
			value,
			due: undefined,
			slot: undefined,
		};
		rule.watches.set(key, watch);
		this.deadlines.set(watch, Math.max(watch.since + seconds * 1000, notBefore));
	}

	private fire(watch: Watch, now: number): void {
		const { rule, key, isOpen } = watch;
		const cut = isOpen ? undefined : rule.cut.get(key);
		rule.cut.delete(key);
		// Without ends, nobody was told that it may be over.
		const isTold = cut && !this.options.emitResolved && now - cut.at < SAME_ALERT_MS;
		if (!isOpen) watch.openedAt = now;
		watch.isOpen = true;
		if (typeof key !== 'string') rule.told.add(key);
		this.deadlines.set(watch, this.nextRepeat(watch, now));
		if (!isTold) this.tell(watch, isOpen ? 'repeated' : 'started', now);
	}

	/** When it is told again. What passes while a caller is in no queue is not made up for. */
	private nextRepeat({ openedAt }: Watch, now: number): number | undefined {
		const every = this.options.repeatEvery * 1000;
		return every > 0 ? now + every - ((now - openedAt) % every) : undefined;
	}

	/** @param at when it ended, if that was before now */
	private end(watch: Watch, reason: EndReason, at = this.now()): void {
		this.deadlines.set(watch, undefined);
		watch.rule.watches.delete(watch.key);
		if (!watch.isOpen || !this.options.emitResolved) return;
		// Its end is not reported as earlier than its start was.
		this.tell(watch, 'resolved', Math.max(at, watch.openedAt), reason);
	}

	/** Whatever is watched may have changed unseen; what was counted over a window has been counted. */
	private interrupted(at: number): void {
		// Thousands of deadlines are removed at once: one by one would take too long.
		this.deadlines.clear();
		this.levels.clear();
		for (const rule of this.rules) {
			if (rule.watched.of === 'window') this.resume(rule, at);
			else this.lose(rule);
		}
		this.waitingIn.clear();
		for (const waits of this.lateness.values()) if (!waits.isLate) this.becomesLate(waits, at);
		this.lateness.clear();
	}

	private resume({ windows, watches }: Rule, at: number): void {
		for (const { value } of windows) this.deadlines.set(value, value.nextDue());
		for (const watch of watches.values()) this.deadlines.set(watch, this.nextRepeat(watch, at));
	}

	private lose(rule: Rule): void {
		const { now, options } = this;
		const { watches, cut, told } = rule;
		for (const [key, { at }] of cut) if (now() - at >= SAME_ALERT_MS) cut.delete(key);
		for (const watch of watches.values()) {
			if (!watch.isOpen) continue;
			if (options.emitResolved) this.tell(watch, 'unknown', now(), 'feed-gap');
			if (typeof watch.key === 'string') {
				const { since, subject } = watch;
				cut.set(watch.key, { since, at: now(), call: subject.call });
			} else if (options.emitResolved) told.delete(watch.key);
		}
		watches.clear();
		rule.agents?.forget();
	}

	private tell(watch: Watch, event: AlertChange['event'], at: number, reason?: EndReason): void {
		const { rule, key, since, value } = watch;
		const seconds = wholeSeconds(at - since);
		// The caller's number may have come with a later event.
		const subject =
			typeof key === 'string' ? watch.subject : { ...watch.subject, caller: key.caller };
		this.emit({ event, row: rule.row, value: value?.() ?? seconds, since, at, subject, reason });
	}
}

/** A window of a queue's calls, with its row. */
class QueueWindow extends Window {
	constructor(
		readonly rule: Rule,
		readonly queue: string,
	) {
		super(rule.row.windowMinutes * 60_000);
	}
}

function ruleOf(
	row: AlertRow,
	filter: FilterSettings,
	directory: () => Directory | undefined,
): Rule {
	const { watched } = kindOf(row.when);
	const compile = (part: Partial<FilterSettings>) =>
		compileCriteria({ ...NO_FILTER, ...part }, directory);
	const both = (
		field: 'queueIds' | 'agentIds',
		ofRow: Partial<FilterSettings>,
		all: Partial<FilterSettings>,
	) => {
		const [one, other] = [
			compileMatcher(field, ofRow, directory),
			compileMatcher(field, all, directory),
		];
		return (id: string) => one(id) && other(id);
	};
	const { queueIds, agentIds, groupIds, callerNumbers, serviceNumbers } = filter;
	const matchesAgent = both('agentIds', { groupIds: row.groupIds }, { agentIds, groupIds });
	const ofTalk = watched.of === 'call' ? { agentIds, groupIds } : {};
	return {
		row,
		watched,
		watches: new Map(),
		told: new WeakSet(),
		cut: new Map(),
		windows: new ByAge(),
		matchesQueue: both('queueIds', { queueIds: row.queueIds }, { queueIds }),
		matchesAgent,
		matchesCall: compile({ queueIds, callerNumbers, serviceNumbers, ...ofTalk }),
		agents:
			watched.of === 'agents'
				? new AvailableAgents(
						directory,
						row.groupIds.length + groupIds.length > 0 ? [] : agentIds,
						matchesAgent,
					)
				: undefined,
	};
}

/** What filters compare of a call, in these of its queues. */
export function criteriaOf(call: RecordedCall, queueIds = call.queues): Criteria {
	const { agents, trunks, caller, service } = call;
	return {
		agentIds: agents,
		queueIds,
		trunkIds: trunks,
		callerNumber: caller,
		serviceNumber: service,
	};
}
