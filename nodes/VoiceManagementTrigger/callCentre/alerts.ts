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
import { kindOf, type AlertKindName, type Watched } from './alertKinds';
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
import { CallMarks, type CallMark } from './callMarks';
import type { FigureSettings } from './figures';
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
	/** The caller has waited in other queues, or between them, too. */
	isElsewhereToo?: boolean | undefined;
	call?: string | undefined;
	caller?: string | undefined;
	agent?: string | undefined;
	pause?: string | undefined;
	/** The call made the figure lower. */
	isLower?: boolean;
}

/** An alert that starts, lasts or ends. Moments in milliseconds since 1970. */
export interface AlertChange {
	event: 'started' | 'repeated' | 'resolved' | 'unknown';
	row: AlertRow;
	/** Compared with the threshold, in its unit; null: no call is left in the window. */
	value: number | null;
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

/** What an alert is about: a call itself, since identifiers are used again, or the identifier of a queue or an agent. */
type Key = CallView | string;
type Of<Kind extends Watched['of']> = Extract<Watched, { of: Kind }>;

/** A row of the settings, with everything that it watches now. */
interface Rule<W extends Watched = Watched> {
	readonly row: AlertRow;
	readonly watched: W;
	readonly watches: Map<Key, Watch>;
	/** Calls of which it has told: once each. */
	readonly told: WeakSet<CallView>;
	/** Whose alert may have gone on across an interruption: since when it was, and the time of that. */
	readonly cut: Map<Key, { since: number; at: number; call: string | undefined }>;
	readonly windows: ByAge<QueueWindow>;
	readonly matchesQueue: (id: string) => boolean;
	readonly matchesAgent: (id: string) => boolean;
	readonly matchesCall: (call: Criteria) => boolean;
}

/** Something that is true for a subject: an alert, or one once it has lasted long enough. */
interface Watch extends Dated {
	readonly is: 'watch';
	readonly rule: Rule;
	readonly key: Key;
	subject: Subject;
	since: number;
	isOpen: boolean;
	openedAt: number;
	/** The caller is in no queue any more since then, and it is not known yet what became of them. */
	leftAt: number | undefined;
	/** If omitted, the seconds since it began. */
	value: (() => number | null) | undefined;
}

// Most callers and agents change before there is anything to tell of them. So a row has no watch for each of them: they
// are looked at when one of the rows may have something to tell.

/** A caller, as the last changes left them. */
interface Caller extends Dated {
	readonly is: 'caller';
	readonly call: CallView;
	wait: Wait | undefined;
	/** The queues in which the caller waits. */
	queues: readonly string[];
	/** When the caller entered or left a queue last. */
	movedAt: number | undefined;
	talk: Talk | undefined;
	isTouched: boolean;
}

/** An agent, as the last change left them. */
interface WatchedAgent extends Dated {
	readonly is: 'agent';
	/** Undefined: dropped. */
	view: AgentView | undefined;
	isTouched: boolean;
}

/** By then it is known whether a caller who left is in another queue. */
const WHEREABOUTS_MS = 5_000;
/** For so long an alert after an interruption may be the one before it. */
const SAME_ALERT_MS = 15 * 60_000;

export class Alerts {
	private readonly deadlines = new Deadlines<Watch | QueueWindow | Caller | WatchedAgent>();
	private readonly marks: CallMarks;
	// The rows, by what they watch.
	private readonly rules: readonly Rule[];
	private readonly ofCalls: ReadonlyArray<Rule<Of<'caller' | 'call'>>>;
	private readonly ofAgents: ReadonlyArray<Rule<Of<'agent'>>>;
	private readonly ofQueues: ReadonlyArray<Rule<Of<'queue'>>>;
	private readonly ofWindows: ReadonlyArray<Rule<Of<'window'>>>;
	private readonly ofAvailable: ReadonlyArray<{ rule: Rule; agents: AvailableAgents }>;
	private readonly callers = new Map<CallView, Caller>();
	private readonly agents = new Map<string, WatchedAgent>();
	private readonly waitingIn = new Map<string, number>();
	// What an event has changed, until all of its changes are known.
	private readonly touched: Array<Caller | WatchedAgent> = [];
	/** Queues in which others wait now, and since when. */
	private readonly touchedQueues = new Map<string, number>();
	/** Queues of whose windows the counts are others now. */
	private readonly touchedWindows = new Map<
		string,
		{ at: number; call: RecordedCall; isLower: boolean }
	>();
	private now: number;
	/** The moment that is being looked at: when something was due, or now. */
	private at: number;

	constructor(
		private readonly options: AlertOptions,
		private readonly centre: CallCentre,
		directory: () => Directory | undefined,
		private readonly startedAt: number,
		private readonly emit: (change: AlertChange) => void,
		/** Is called with what was dropped at a limit. */
		private readonly gaveUp: (what: string) => void,
	) {
		this.now = startedAt;
		this.at = startedAt;
		const rows = new Map(options.alerts.map((row) => [JSON.stringify(row), row]));
		this.rules = [...rows.values()].map((row) => ruleOf(row, options.filter, directory));
		const those = <Kind extends Watched['of']>(...kinds: Kind[]) =>
			this.rules.filter((rule): rule is Rule<Of<Kind>> =>
				(kinds as string[]).includes(rule.watched.of),
			);
		this.ofCalls = those('caller', 'call');
		this.ofAgents = those('agent');
		this.ofQueues = those('queue');
		this.ofWindows = those('window');
		this.ofAvailable = those('agents').map((rule) => {
			const { groupIds, agentIds } = options.filter;
			const named = rule.row.groupIds.length + groupIds.length > 0 ? [] : agentIds;
			return { rule, agents: new AvailableAgents(directory, named, rule.matchesAgent) };
		});
		this.marks = new CallMarks(options.figures, (mark) => this.mark(mark));
		this.take(centre.state(), startedAt);
		// If nothing was heard of them yet, there are too few from now on.
		this.lookAtAvailable(startedAt);
		this.tick();
	}

	/** When something is due, although nothing changes; undefined: nothing. */
	nextDue(): number | undefined {
		const due = Math.min(this.deadlines.next() ?? Infinity, this.marks.nextDue() ?? Infinity);
		return due === Infinity ? undefined : due;
	}

	/** What an event, an interruption or time has changed: it is looked at together. */
	take(changes: readonly Change[], now: number): void {
		this.now = now;
		this.at = now;
		let agentsAt: number | undefined;
		for (const change of changes) {
			switch (change.kind) {
				case 'interrupted':
					this.interrupted(change.at);
					break;
				case 'stay':
					this.callerOf(change.call).movedAt = change.after.decidedAt ?? change.after.since;
					this.followStay(change.call, change.before, change.after);
					break;
				case 'wait':
					this.callerOf(change.call).wait = change.after;
					break;
				case 'talk':
					this.callerOf(change.call).talk = change.after;
					break;
				case 'outcome':
					if (change.of !== 'answered') this.followRecord(change.call, change.outcome);
					break;
				case 'back':
					this.marks.back(change.call, change.at);
					break;
				case 'agent':
					this.followAgent(change.before, change.after, change.at);
					agentsAt = change.at;
					break;
				case 'taken':
				case 'notAnswered':
				case 'wrapUp':
				case 'gaveUp':
			}
		}
		this.lookAtTouched();
		if (agentsAt !== undefined) this.lookAtAvailable(agentsAt);
		this.tick();
	}

	/** Does what is due by now. What changes at one moment is looked at together. */
	private tick(): void {
		for (let at = this.nextDue(); at !== undefined && at <= this.now; at = this.nextDue()) {
			this.at = at;
			this.marks.tick(at, () => this.lookAtTouchedQueues());
			const due = this.deadlines.take(at);
			if (due instanceof QueueWindow) this.lookAtWindow(due.rule, due.queue, at);
			else if (due?.is === 'caller' || due?.is === 'agent') this.lookAt(due, at);
			else if (due?.leftAt !== undefined) this.staysAway(due);
			else if (due) this.fire(due, at);
		}
	}

	// ---- Callers and agents ----

	private lookAtTouched(): void {
		for (const one of this.touched) {
			one.isTouched = false;
			if (one.is === 'caller') one.queues = one.call.waitingIn;
			this.lookAt(one, this.at);
		}
		this.touched.length = 0;
		this.lookAtTouchedQueues();
	}

	private touch(one: Caller | WatchedAgent): void {
		if (!one.isTouched) this.touched.push(one);
		one.isTouched = true;
	}

	/** Starts what the rows have to tell by then, and notes when they may have more. */
	private lookAt(one: Caller | WatchedAgent, at: number): void {
		const due = one.is === 'caller' ? this.lookAtCaller(one, at) : this.lookAtAgent(one, at);
		// Whoever is looked at too early is looked at again: that costs less than to put off what changes each time.
		if (due === undefined || due < (one.due ?? Infinity)) this.deadlines.set(one, due);
	}

	private callerOf(call: CallView): Caller {
		let one = this.callers.get(call);
		if (!one) {
			one = {
				is: 'caller',
				call,
				wait: call.wait,
				queues: [],
				movedAt: undefined,
				talk: undefined,
				isTouched: false,
				due: undefined,
				slot: undefined,
			};
			this.callers.set(call, one);
		}
		this.touch(one);
		return one;
	}

	/** @returns undefined if no row has anything to say of the call any more */
	private lookAtCaller(one: Caller, at: number): number | undefined {
		const { call } = one;
		let due = Infinity;
		for (const rule of this.ofCalls) {
			const watch = rule.watches.get(call);
			const since = rule.watched.of === 'caller' ? waitsSince(one) : talksSince(one);
			const dueAt = since === undefined ? Infinity : since + rule.row.threshold * 1000;
			if (!watch && dueAt > at) {
				due = Math.min(due, dueAt);
				continue;
			}
			const subject = since === undefined ? undefined : subjectOfCaller(rule, one);
			if (!watch) {
				if (subject && !rule.told.has(call)) this.start(rule, call, subject, since ?? at, at);
			} else if (subject) this.goesOn(watch, subject);
			else if (rule.watched.of === 'caller') this.leavesRow(watch, one);
			else if (since === undefined) this.endOfTalk(watch, one);
		}
		if (waitsSince(one) !== undefined || talksSince(one) !== undefined) return due;
		this.callers.delete(call);
		return undefined;
	}

	private leavesRow(watch: Watch, { wait, movedAt }: Caller): void {
		const { decidedAt, result } = wait ?? {};
		if (result === 'answered') this.end(watch, 'answered', decidedAt);
		else if (result !== 'abandoned') this.end(watch, 'left', decidedAt ?? movedAt);
		else {
			// It will soon be known whether the caller gave up or is in another queue.
			watch.leftAt = decidedAt;
			this.deadlines.set(watch, this.now + WHEREABOUTS_MS);
		}
	}

	/** The caller came to no other queue. If the call is nowhere, its record will tell. */
	private staysAway(watch: Watch): void {
		const isSomewhere = typeof watch.key !== 'string' && watch.key.isSomewhere;
		if (isSomewhere) this.end(watch, 'left', watch.leftAt);
	}

	private endOfTalk(watch: Watch, { talk, queues }: Caller): void {
		this.end(watch, queues.length > 0 ? 'left' : 'ended', talk?.endedAt);
	}

	/** What became of a caller is certain now. */
	private followRecord(call: CallView, outcome: () => Outcome): void {
		if (this.ofWindows.length > 0) this.marks.record(call, outcome());
		for (const rule of this.ofCalls) {
			const watch = rule.watched.of === 'caller' && rule.watches.get(call);
			if (watch) this.end(watch, 'abandoned', watch.leftAt);
		}
		// Of two calls at one moment, the first one may have started an alert, and ended one that would be repeated.
		this.lookAtTouched();
		this.tick();
	}

	// ---- Agents ----

	private followAgent(before: AgentView, after: AgentView | undefined, at: number): void {
		const { id } = before;
		for (const { agents } of this.ofAvailable) agents.changed(id, after?.state);
		if (this.ofAgents.length === 0) return;
		for (const rule of this.ofAgents) {
			const { state } = rule.watched;
			const watch = rule.watches.get(id);
			const subject = after && subjectOfAgent(state, after);
			// Each ring is a subject of its own.
			if (watch && subject && watch.subject.call === subject.call) watch.subject = subject;
			else if (watch) this.end(watch, this.endOfState(state, before, after), at);
			// It is certain that what was told before an interruption is over.
			const cut = rule.cut.get(id);
			if (cut && after?.state !== null && (!subject || cut.call !== subject.call))
				rule.cut.delete(id);
		}
		const one: WatchedAgent = this.agents.get(id) ?? {
			is: 'agent',
			view: after,
			isTouched: false,
			due: undefined,
			slot: undefined,
		};
		one.view = after;
		if (after) this.agents.set(id, one);
		else this.agents.delete(id);
		this.touch(one);
	}

	private lookAtAgent({ view }: WatchedAgent, at: number): number | undefined {
		if (!view) return undefined;
		let due = Infinity;
		for (const rule of this.ofAgents) {
			const { state } = rule.watched;
			const since = stateSince(state, view);
			if (since === undefined || rule.watches.has(view.id) || !rule.matchesAgent(view.id)) continue;
			const dueAt = this.sinceOf(rule, view.id, since) + rule.row.threshold * 1000;
			const subject = dueAt > at ? undefined : subjectOfAgent(state, view);
			if (subject) this.start(rule, view.id, subject, since, at);
			else due = Math.min(due, dueAt);
		}
		return due;
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

	private lookAtAvailable(at: number): void {
		for (const { rule, agents } of this.ofAvailable) {
			const { row, watches } = rule;
			const { available, unknown } = agents.counts();
			const watch = watches.get('');
			if (available >= row.threshold) {
				rule.cut.delete('');
				if (watch) this.end(watch, 'above', at);
			} else if (available + unknown < row.threshold) {
				if (!watch) this.holdOn(rule, '', {}, at, () => agents.counts().available);
			} else if (watch && !watch.isOpen) {
				// Agents who may be available could make the difference.
				this.end(watch, 'above', at);
			}
		}
	}

	// ---- Queues ----

	private followStay(call: CallView, before: Stay | undefined, after: Stay): void {
		const { queue, decidedAt } = after;
		const waited = before && before.decidedAt === undefined ? 1 : 0;
		const waits = decidedAt === undefined ? 1 : 0;
		if (waits !== waited) {
			const count = (this.waitingIn.get(queue) ?? 0) + waits - waited;
			if (count > 0) this.waitingIn.set(queue, count);
			else this.waitingIn.delete(queue);
			this.touchedQueues.set(queue, decidedAt ?? after.since);
		}
		if (this.ofWindows.length > 0) this.marks.stay(call, before, after, this.at);
	}

	private lookAtQueue(queue: string, at: number): void {
		for (const rule of this.ofQueues) {
			if (!rule.matchesQueue(queue)) continue;
			const value = () => this.waitingIn.get(queue) ?? 0;
			const watch = rule.watches.get(queue);
			if (value() < rule.row.threshold) {
				if (watch) this.end(watch, 'below', at);
			} else if (!watch) {
				this.holdOn(rule, queue, { queue }, at, value);
			}
		}
	}

	private lookAtTouchedQueues(): void {
		const { touchedQueues: queues, touchedWindows: windows } = this;
		// Clearing a map allocates a new table even if it is empty: for most events that would be most of the work.
		if (queues.size > 0) {
			for (const [queue, at] of queues) this.lookAtQueue(queue, at);
			queues.clear();
		}
		if (windows.size > 0) {
			for (const [queue, { at, call, isLower }] of windows)
				for (const rule of this.ofWindows) this.lookAtWindow(rule, queue, at, call, isLower);
			windows.clear();
		}
	}

	// ---- Windows ----

	/** @param call what has changed the figure, if it was a call */
	private lookAtWindow(
		rule: Rule<Of<'window'>>,
		queue: string,
		at: number,
		call?: RecordedCall,
		isLower = false,
	): void {
		const window = rule.windows.get(queue);
		if (!window) return;
		window.forget(this.now);
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
		this.holdOn(rule, queue, { queue, ...tipped }, at, () => figure(window.counts).value);
	}

	private mark({ queue, at, name, sign, call, knownAt }: CallMark): void {
		if (at < this.startedAt) return;
		const isLower = (name === 'inTime') === (sign === -1);
		this.touchedWindows.set(queue, { at: knownAt, call, isLower });
		let dropped = false;
		for (const rule of this.ofWindows) {
			if (!rule.watched.counts.includes(name) || !rule.matchesQueue(queue)) continue;
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

	/** Something becomes true for a subject: an alert once it has been for the seconds of the row. */
	private holdOn(
		rule: Rule,
		key: string,
		subject: Subject,
		since: number,
		value: () => number | null,
	): void {
		const watch = this.begin(rule, key, subject, since, value);
		this.deadlines.set(watch, Math.max(watch.since + rule.row.hold * 1000, this.at));
	}

	/** Something has been true for a subject for long enough. */
	private start(rule: Rule, key: Key, subject: Subject, since: number, at: number): void {
		this.fire(this.begin(rule, key, subject, since), at);
	}

	private begin(
		rule: Rule,
		key: Key,
		subject: Subject,
		since: number,
		value?: () => number | null,
	): Watch {
		const watch: Watch = {
			is: 'watch',
			rule,
			key,
			subject,
			since: this.sinceOf(rule, key, since),
			value,
			isOpen: false,
			openedAt: since,
			leftAt: undefined,
			due: undefined,
			slot: undefined,
		};
		rule.watches.set(key, watch);
		return watch;
	}

	/** Since when an alert is, which may have gone on across an interruption. */
	private sinceOf({ cut }: Rule, key: Key, since: number): number {
		const before = cut.size === 0 ? undefined : cut.get(key);
		if (!before || this.now - before.at >= SAME_ALERT_MS) return since;
		return Math.min(before.since, since);
	}

	private goesOn(watch: Watch, subject: Subject): void {
		watch.subject = subject;
		if (watch.leftAt === undefined) return;
		watch.leftAt = undefined;
		this.deadlines.set(watch, this.nextRepeat(watch, this.at));
	}

	private fire(watch: Watch, now: number): void {
		const { rule, key, isOpen } = watch;
		const window = typeof key === 'string' ? rule.windows.get(key) : undefined;
		if (window) {
			// A call may leave the window at this moment.
			this.lookAtWindow(window.rule, window.queue, now);
			if (rule.watches.get(key) !== watch) return;
		}
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
	private end(watch: Watch, reason: EndReason, at = this.now): void {
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
		this.callers.clear();
		this.agents.clear();
		this.touched.length = 0;
		for (const rule of this.rules) {
			if (rule.watched.of === 'window') this.resume(rule, at);
			else this.lose(rule);
		}
		for (const { agents } of this.ofAvailable) agents.forget();
		this.waitingIn.clear();
		this.marks.interrupted(at);
	}

	private resume({ windows, watches }: Rule, at: number): void {
		for (const { value } of windows) this.deadlines.set(value, value.nextDue());
		for (const watch of watches.values()) this.deadlines.set(watch, this.nextRepeat(watch, at));
	}

	private lose(rule: Rule): void {
		const { now, options } = this;
		const { watches, cut, told } = rule;
		for (const [key, { at }] of cut) if (now - at >= SAME_ALERT_MS) cut.delete(key);
		for (const watch of watches.values()) {
			if (!watch.isOpen) continue;
			if (options.emitResolved) this.tell(watch, 'unknown', now, 'feed-gap');
			if (typeof watch.key === 'string') {
				const { since, subject } = watch;
				cut.set(watch.key, { since, at: now, call: subject.call });
			} else if (options.emitResolved) told.delete(watch.key);
		}
		watches.clear();
	}

	private tell(watch: Watch, event: AlertChange['event'], at: number, reason?: EndReason): void {
		const { rule, key, since, value } = watch;
		const seconds = wholeSeconds(at - since);
		// The caller's number may have come with a later event.
		const subject =
			typeof key === 'string' ? watch.subject : { ...watch.subject, caller: key.caller };
		const shown = value ? value() : seconds;
		this.emit({ event, row: rule.row, value: shown, since, at, subject, reason });
	}
}

/** Since when the caller waits; undefined: not now, or nobody knows. */
function waitsSince({ wait }: Caller): number | undefined {
	return wait?.decidedAt === undefined && wait?.isKnown === true ? wait.since : undefined;
}

/** Since when agents have had the call; undefined: none has it now. */
function talksSince({ call, talk }: Caller): number | undefined {
	return talk && talk.endedAt === undefined ? (call.answeredAt ?? talk.since) : undefined;
}

/** What an alert of the row would say of a caller; undefined: the row is not about them. */
function subjectOfCaller(
	{ row, watched, matchesQueue, matchesCall }: Rule,
	{ call, wait, queues, talk }: Caller,
): Subject | undefined {
	if (watched.of === 'caller') {
		const queue = queues.findLast(matchesQueue);
		if (queue === undefined || !matchesCall(criteriaOf(call, [queue]))) return undefined;
		return {
			queue,
			isElsewhereToo: wait && wait.queues.length + wait.pauses.length > 1,
			call: call.id,
		};
	}
	// Nothing is said of a call that was in no queue.
	if (!talk || call.queues.length === 0) return undefined;
	const { queue, agent } = talk;
	const isInRow = queue === undefined ? row.queueIds.length === 0 : matchesQueue(queue);
	return isInRow && matchesCall(criteriaOf(call)) ? { queue, call: call.id, agent } : undefined;
}

/** Since when an agent is in a state; undefined: not now. A break goes on through the agent's own calls. */
function stateSince(state: AgentView['state'], view: AgentView): number | undefined {
	if (state === 'on_break') return view.breakSince;
	return view.state === state ? view.since : undefined;
}

function subjectOfAgent(state: AgentView['state'], view: AgentView): Subject | undefined {
	if (stateSince(state, view) === undefined) return undefined;
	const { id: agent, pause, queueId: queue, callId, caller } = view;
	if (state === 'on_break') return { agent, pause };
	return { queue, call: state === 'ringing' ? callId : undefined, caller, agent };
}

/** A window of a queue's calls, with its row. */
class QueueWindow extends Window {
	constructor(
		readonly rule: Rule<Of<'window'>>,
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
	const ofTalk = watched.of === 'call' ? { agentIds, groupIds } : {};
	return {
		row,
		watched,
		watches: new Map(),
		told: new WeakSet(),
		cut: new Map(),
		windows: new ByAge(),
		matchesQueue: both('queueIds', { queueIds: row.queueIds }, { queueIds }),
		matchesAgent: both('agentIds', { groupIds: row.groupIds }, { agentIds, groupIds }),
		matchesCall: compile({ queueIds, callerNumbers, serviceNumbers, ...ofTalk }),
	};
}

/** The group of a row that has exactly one. */
export function groupOf({ groupIds: [group, ...others] }: AlertRow): string | undefined {
	return others.length === 0 ? group : undefined;
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
