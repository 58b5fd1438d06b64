// Alerts, made of the fold's changes: a caller waits too long, nobody is available, a service level is too low. Whoever
// can have one (candidates.ts) is looked at when something of it has changed, and when time alone makes a difference: each
// row that may be about it starts, repeats or ends its alert. One timer serves all of them. What an interruption of the
// feed may have changed is reported as unknown, not as over.

import { compileCriteria, compileMatcher, NO_FILTER, type FilterSettings } from '../events/filter';
import type { Directory } from '../feed/types';
import { kindOf, type Watched } from './alertKinds';
import { AvailableAgents } from './availableAgents';
import { dropOldest, makeNewest } from './byAge';
import { CallMarks, type CallMark } from './callMarks';
import {
	AgentCandidate,
	CallCandidate,
	Level,
	WaitingCallers,
	type Alert,
	type AlertRow,
	type AlertCandidate,
	type End,
	type EndReason,
	type Key,
	type Rule,
	type Subject,
} from './candidates';
import {
	wholeSeconds,
	type AgentView,
	type CallView,
	type Change,
	type Outcome,
	type Stay,
} from './changes';
import { Deadlines } from './deadlines';
import type { FigureSettings } from './figures';
import type { CallCentre } from './fold';
import { MOST_QUEUES } from './snapshots';
import { countsOf, Window } from './windows';

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

/** For so long an alert after an interruption may be the one before it. */
const SAME_ALERT_MS = 15 * 60_000;

export class Alerts {
	private readonly rules: readonly Rule[];
	private readonly ofCalls: readonly Rule[];
	private readonly ofAgents: readonly Rule[];
	private readonly ofQueues: ReadonlyMap<Rule, Map<Key, WaitingCallers>>;
	private readonly ofWindows: ReadonlyMap<Rule, Map<Key, Window>>;
	private readonly ofAvailable: readonly AvailableAgents[];
	// Most callers and agents change before there is anything to tell of them: all rows share one candidate for each.
	private readonly calls = new Map<Key, CallCandidate>();
	private readonly agents = new Map<Key, AgentCandidate>();
	/** Queues whose alert may go on since before an interruption. */
	private unsure: WaitingCallers[] = [];
	private readonly marks: CallMarks;
	/** Who was changed by an event, until all of its changes are known. */
	private readonly touched = new Set<AlertCandidate>();
	private readonly deadlines = new Deadlines<AlertCandidate>();
	private readonly repeatMs: number;
	/** The newest login that it has looked at. */
	private login: Directory | undefined;
	/** The moment that is being looked at. */
	private now: number;

	constructor(
		private readonly options: AlertOptions,
		private readonly centre: CallCentre,
		private readonly directory: () => Directory | undefined,
		private readonly startedAt: number,
		private readonly emit: (change: AlertChange) => void,
		/** Is called with what was dropped at a limit. */
		private readonly gaveUp: (what: string) => void,
	) {
		this.now = startedAt;
		this.login = directory();
		this.repeatMs = options.repeatEvery > 0 ? options.repeatEvery * 1000 : Infinity;
		const rows = new Map(options.alerts.map((row) => [JSON.stringify(row), row]));
		this.rules = [...rows.values()].map((row) => ruleOf(row, options.filter, directory));
		const those = (...kinds: Array<Watched['of']>) =>
			this.rules.filter(({ watched }) => kinds.includes(watched.of));
		this.ofCalls = those('caller', 'call');
		this.ofAgents = those('agent');
		this.ofQueues = new Map(those('queue').map((rule) => [rule, new Map()]));
		this.ofWindows = new Map(those('window').map((rule) => [rule, new Map()]));
		const { groupIds, agentIds } = options.filter;
		this.ofAvailable = those('agents').map((rule) => {
			const named = rule.row.groupIds.length + groupIds.length > 0 ? [] : agentIds;
			return new AvailableAgents(rule, this.login, named, centre.agents, startedAt);
		});
		this.marks = new CallMarks(options.figures, (mark) => this.mark(mark));
		// In the order in which they began: a number counts from when it was reached.
		const sinceOf = (change: Change) => (change.kind === 'stay' ? change.after.since : 0);
		this.take(
			centre.state().sort((a, b) => sinceOf(a) - sinceOf(b)),
			startedAt,
		);
		// If nothing was heard of them yet, there are too few from now on.
		for (const one of this.ofAvailable) this.look(one);
	}

	/** When something is due, although nothing changes; Infinity: nothing. */
	nextDue(): number {
		return Math.min(this.deadlines.next(), this.marks.nextDue());
	}

	/** What an event, an interruption or time has changed: it is looked at together. */
	take(changes: readonly Change[], now: number): void {
		this.now = now;
		for (const change of changes) {
			switch (change.kind) {
				case 'interrupted':
					this.interrupted();
					break;
				case 'stay':
					this.followStay(change.call, change.before, change.after);
					break;
				case 'gone':
					for (const one of this.unsure)
						if (change.queues.includes(one.key) && one.rulesOut(change.call)) this.touch(one);
					break;
				case 'wait':
					this.touchCall(change.call);
					break;
				case 'named':
					this.touchCall(change.call, this.centre.moment);
					break;
				case 'talk':
					this.touchCall(change.call, change.after.endedAt);
					break;
				case 'outcome':
					if (change.of !== 'answered') this.followRecord(change.call, change.outcome);
					break;
				case 'back':
					this.marks.back(change.call, change.at);
					break;
				case 'agent':
					this.followAgent(change.before.id, change.after, change.at);
					break;
				default:
			}
		}
		this.followLogin();
		this.lookAtTouched();
		this.tick();
	}

	/** A login may list other agents, and have them in other groups, though none of them does anything. */
	private followLogin(): void {
		const login = this.directory();
		if (login === this.login) return;
		this.login = login;
		for (const one of this.ofAvailable) {
			one.list(login);
			this.touch(one, this.centre.moment);
		}
		for (const one of this.agents.values()) this.touch(one);
		for (const one of this.calls.values())
			if (!this.touched.has(one)) this.touch(one, this.centre.moment);
	}

	/** Does what is due by now, each at its moment. */
	private tick(): void {
		const { now } = this;
		for (let at = this.nextDue(); at <= now; at = this.nextDue()) {
			this.now = at;
			this.marks.tick(at);
			this.lookAtTouched();
			const one = this.deadlines.take(at);
			if (!one) continue;
			one.changedAt = at;
			this.look(one);
		}
		this.now = now;
	}

	// ---- What changes ----

	private followStay(call: CallView, before: Stay | undefined, after: Stay): void {
		const { queue, decidedAt } = after;
		const at = decidedAt ?? after.since;
		this.touchCall(call, at);
		const waits = decidedAt === undefined;
		// A stay that is told once it is over shows that the caller does not wait there.
		if (!before || waits !== (before.decidedAt === undefined))
			for (const [rule, all] of this.ofQueues) {
				if (!rule.matchesQueue(queue)) continue;
				const waiting = all.get(queue) ?? new WaitingCallers(queue, [rule], all);
				if (waiting.isOver) all.set(queue, waiting);
				waiting.changed(call, waits, at);
				this.touch(waiting, at);
			}
		if (this.ofWindows.size > 0) this.marks.stay(call, before, after, this.now, this.centre.moment);
	}

	/** What became of a caller is certain now. */
	private followRecord(call: CallView, outcome: () => Outcome): void {
		const waited = this.calls.get(call);
		if (waited) this.touch(waited);
		// Of a caller who was answered, no window has anything to count.
		const isLost = call.wait?.result !== 'answered';
		if (isLost && this.ofWindows.size > 0) this.marks.record(call, outcome());
		// Of two calls at one moment, the first one may have started an alert, and ended one that would be repeated.
		this.lookAtTouched();
		this.tick();
	}

	private followAgent(id: string, view: AgentView | undefined, at: number): void {
		for (const available of this.ofAvailable) {
			available.changed(id, view);
			this.touch(available, at);
		}
		if (this.ofAgents.length === 0) return;
		const agent = this.agents.get(id) ?? new AgentCandidate(id, this.ofAgents, this.agents);
		this.agents.set(id, agent);
		agent.view = view;
		this.touch(agent, at);
		// Whoever is dropped, and heard of again, is another one.
		if (!view) this.lookAtTouched();
	}

	/** A call of a queue is decided, or not any more. */
	private mark(mark: CallMark): void {
		if (mark.at < this.startedAt) return;
		for (const [rule, windows] of this.ofWindows) {
			const { counts, matchesQueue } = rule;
			if (!counts.includes(mark.name) || !matchesQueue(mark.queue)) continue;
			const window = makeNewest(windows, mark.queue) ?? new Window(mark.queue, [rule], windows);
			if (window.isOver) windows.set(mark.queue, window);
			window.add(mark);
			this.touch(window, mark.knownAt);
			const oldest = dropOldest(windows, MOST_QUEUES);
			if (oldest) this.drop(oldest);
		}
	}

	private drop(window: Window): void {
		this.deadlines.set(window, undefined);
		const alert = window.rule.alerts.get(window.key);
		if (alert) this.end(alert, { reason: 'left', at: this.now });
		this.gaveUp('a queue');
	}

	private touchCall(call: CallView, at?: number): void {
		if (this.ofCalls.length === 0) return;
		let one = this.calls.get(call);
		if (!one) this.calls.set(call, (one = new CallCandidate(call, this.ofCalls, this.calls)));
		this.touch(one, at);
	}

	private touch(one: AlertCandidate, at = one.changedAt): void {
		one.changedAt = at;
		this.touched.add(one);
	}

	private lookAtTouched(): void {
		for (const one of this.touched) this.look(one);
		this.touched.clear();
	}

	// ---- What a row has to tell ----

	private look(one: AlertCandidate): void {
		let due = Infinity;
		for (const rule of one.rules) due = Math.min(due, this.lookFor(rule, one));
		if (one.isOver && !one.rules.some(({ alerts }) => alerts.has(one.key))) {
			one.among.delete(one.key);
			this.deadlines.set(one, undefined);
			return;
		}
		this.deadlines.setIfSooner(one, Math.min(due, one.changesAt));
	}

	/** @returns when the row may have more to tell */
	private lookFor(rule: Rule, one: AlertCandidate): number {
		const { now } = this;
		const since = one.since(rule, now);
		const alert = rule.alerts.get(one.key);
		if (alert) {
			const subject = since === undefined ? undefined : one.subject(rule);
			// Each ring of a phone is a subject of its own.
			if (subject && subject.call === alert.subject.call) return this.goesOn(alert, subject);
			const end = one.endOf(rule, alert.subject, now, this.centre);
			if (typeof end === 'number') return end;
			this.end(alert, end);
		}
		const lost = rule.lost.size === 0 ? undefined : this.lostOf(rule, one, since);
		if (since === undefined) return Infinity;
		const from = Math.min(since, lost?.since ?? since);
		const startsAt = from + rule.startsAfterMs;
		if (startsAt > now) return startsAt;
		return this.start(rule, one, from, lost !== undefined);
	}

	/** The alert that may have gone on across an interruption, unless it is certain that it has not. */
	private lostOf(rule: Rule, one: AlertCandidate, since: number | undefined) {
		const lost = rule.lost.get(one.key);
		if (!lost) return undefined;
		const isOver = since === undefined ? one.isContrary?.(rule) : one.isNew?.(rule, lost.subject);
		if (!isOver && this.now - lost.at < SAME_ALERT_MS) return lost;
		rule.lost.delete(one.key);
		return undefined;
	}

	/** @param isLost it may have been told before an interruption */
	private start(rule: Rule, one: AlertCandidate, since: number, isLost: boolean): number {
		const { now, repeatMs } = this;
		const { key } = one;
		const before = typeof key === 'string' ? undefined : rule.told.get(key);
		const subject = before === 'told' ? undefined : one.subject(rule);
		if (!subject) return Infinity;
		const alert = { rule, one, subject, since, openedAt: now, repeatAt: now + repeatMs };
		rule.alerts.set(key, alert);
		rule.lost.delete(key);
		if (typeof key !== 'string') rule.told.set(key, 'told');
		const isAgain = isLost || before === 'lost';
		// Without ends, nobody was told that it may be over.
		if (!isAgain || this.options.emitResolved) this.tell(alert, 'started', now);
		return alert.repeatAt;
	}

	private goesOn(alert: Alert, subject: Subject): number {
		alert.subject = subject;
		if (alert.repeatAt === this.now) this.tell(alert, 'repeated', this.now);
		// What passes while a caller is in no queue is not made up for.
		while (alert.repeatAt <= this.now) alert.repeatAt += this.repeatMs;
		return alert.repeatAt;
	}

	private end(alert: Alert, { reason, at, isUnclear = false }: End): void {
		alert.rule.alerts.delete(alert.one.key);
		alert.subject = { ...alert.subject, isUnclear };
		// Its end is not reported as earlier than its start was.
		if (this.options.emitResolved)
			this.tell(alert, 'resolved', Math.max(at, alert.openedAt), reason);
	}

	/** Whatever is watched may have changed unseen; what was counted over a window has been counted. */
	private interrupted(): void {
		this.deadlines.clear();
		for (const rule of this.rules) if (rule.watched.of !== 'window') this.lose(rule);
		this.calls.clear();
		this.agents.clear();
		this.unsure = [];
		for (const [{ lost }, all] of this.ofQueues)
			for (const [queue, one] of all) {
				one.interrupted();
				if (lost.has(queue)) this.unsure.push(one);
				else all.delete(queue);
			}
		for (const available of this.ofAvailable) available.forget();
		this.marks.interrupted();
		for (const windows of this.ofWindows.values())
			for (const window of windows.values()) this.look(window);
	}

	private lose({ alerts, lost, told }: Rule): void {
		const { now, options } = this;
		for (const [key, { at }] of lost) if (now - at >= SAME_ALERT_MS) lost.delete(key);
		for (const [key, alert] of alerts) {
			if (options.emitResolved) this.tell(alert, 'unknown', now, 'feed-gap');
			const { since, subject } = alert;
			if (typeof key === 'string') lost.set(key, { since, subject, at: now });
			else told.set(key, 'lost');
		}
		alerts.clear();
	}

	private tell(alert: Alert, event: AlertChange['event'], at: number, reason?: EndReason): void {
		const { rule, one, since } = alert;
		const { key } = one;
		// The caller's number may have come with a later event.
		const ofAgent =
			one instanceof AgentCandidate ? this.centre.call(alert.subject.call) : undefined;
		const call = typeof key === 'string' ? ofAgent : key;
		const subject = call ? { ...alert.subject, caller: call.caller } : alert.subject;
		const value = one instanceof Level ? one.shown : wholeSeconds(at - since);
		this.emit({ event, row: rule.row, value, since, at, subject, reason });
	}
}

function ruleOf(
	row: AlertRow,
	filter: FilterSettings,
	directory: () => Directory | undefined,
): Rule {
	const { watched } = kindOf(row.when);
	const { queueIds, agentIds, groupIds, callerNumbers, serviceNumbers } = filter;
	const ofQueues = (ids: readonly string[]) => compileMatcher('queueIds', { queueIds: ids });
	const ofAgents = (of: Partial<FilterSettings>) => compileMatcher('agentIds', of, directory);
	const [inRow, inFilter] = [ofQueues(row.queueIds), ofQueues(queueIds)];
	const [isOfRow, isOfFilter] = [
		ofAgents({ groupIds: row.groupIds }),
		ofAgents({ agentIds, groupIds }),
	];
	const ofTalk = watched.of === 'call' ? { agentIds, groupIds } : {};
	const ofCall = { ...NO_FILTER, queueIds, callerNumbers, serviceNumbers, ...ofTalk };
	return {
		row,
		watched,
		counts: watched.of === 'window' ? countsOf(watched) : [],
		startsAfterMs: 1000 * ('is' in watched ? row.hold : row.threshold),
		alerts: new Map(),
		told: new WeakMap(),
		lost: new Map(),
		matchesQueue: (id) => inRow(id) && inFilter(id),
		matchesAgent: (id) => isOfRow(id) && isOfFilter(id),
		matchesCall: compileCriteria(ofCall, directory),
	};
}

/** The group of a row that has exactly one. */
export function groupOf({ groupIds: [group, ...others] }: AlertRow): string | undefined {
	return others.length === 0 ? group : undefined;
}
