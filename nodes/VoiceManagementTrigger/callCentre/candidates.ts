// Who and what can have an alert: a call, an agent, or a number of one row. Each says since when it is as a row says, and
// why it is no more; alerts.ts knows when that is an alert.

import type { Criteria } from '../events/filter';
import type { AlertKindName, Watched, WindowCounts } from './alertKinds';
import { TURNS_UP_MS } from './callerWait';
import type { AgentState, AgentView, CallView } from './changes';
import type { Dated } from './deadlines';
import { besideLimit } from './figures';
import type { CallCentre } from './fold';

export type Of<Kind extends Watched['of']> = Extract<Watched, { of: Kind }>;

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

/** The subject of an alert: what applies, though it may not be known. */
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
	/** Nobody knows what became of the caller. */
	isUnclear?: boolean;
}

/** Whom an alert is about: a call itself, since identifiers are used again, or the identifier of a queue or an agent. */
export type Key = CallView | string;

/** An alert that goes on. */
export interface Alert {
	readonly rule: Rule;
	readonly one: AlertCandidate;
	readonly since: number;
	readonly openedAt: number;
	subject: Subject;
	/** When it is told again; Infinity: never. */
	repeatAt: number;
}

/** A row of the settings, and its alerts. */
export interface Rule<W extends Watched = Watched> {
	readonly row: AlertRow;
	readonly watched: W;
	/** How long what it is about lasts before the alert starts. */
	readonly startsAfterMs: number;
	/** Of a figure over a window: what it is made of. */
	readonly counts: ReadonlyArray<keyof WindowCounts>;
	readonly alerts: Map<Key, Alert>;
	/** Calls of which it has told: once each, unless an interruption left it open whether the alert is over. */
	readonly told: WeakMap<CallView, 'told' | 'lost'>;
	/** Alerts about queues and agents that may have gone on across an interruption, with its time. */
	readonly lost: Map<Key, Pick<Alert, 'since' | 'subject'> & { at: number }>;
	readonly matchesQueue: (id: string) => boolean;
	readonly matchesAgent: (id: string) => boolean;
	readonly matchesCall: (call: Criteria) => boolean;
}

/** Why something is not as a row says any more, and since when. */
export interface End {
	reason: EndReason;
	at: number;
	isUnclear?: boolean;
}

export abstract class AlertCandidate<K extends Key = Key> implements Dated {
	due: number | undefined = undefined;
	slot: number | undefined = undefined;

	constructor(
		readonly key: K,
		/** The rows that may be about it. */
		readonly rules: readonly Rule[],
		/** Where it is kept. */
		readonly among: { delete(key: Key): boolean },
		/** The moment of its last change. */
		public changedAt = 0,
	) {}

	/** Nothing more can be told of it, but the end of what was told. */
	abstract get isOver(): boolean;

	/** Since when it is as the row says, whoever it is; undefined: it is not. */
	abstract since(rule: Rule, now: number): number | undefined;

	/** What an alert says of it while it is so; undefined: the row is not about it. */
	abstract subject(rule: Rule): Subject | undefined;

	/** Why it is not so any more; until that is known, the moment at which to look again. */
	abstract endOf(rule: Rule, subject: Subject, now: number, centre: CallCentre): End | number;

	/** Whether it is certain that it is not so, although the feed was interrupted. */
	isContrary?(rule: Rule): boolean;

	/** Whether it is certain that it is not so since before the interruption. */
	isNew?(rule: Rule, before: Subject): boolean;

	/** When time alone changes it, whatever the rows say. */
	get changesAt(): number {
		return Infinity;
	}
}

/** A call, while it waits or an agent has it. */
export class CallCandidate extends AlertCandidate<CallView> {
	get isOver(): boolean {
		const { wait, talk } = this.key;
		return !talk && (!wait || wait.decidedAt !== undefined);
	}

	since({ watched }: Rule): number | undefined {
		const { wait, talk, answeredAt } = this.key;
		if (watched.of === 'call') return talk && answeredAt;
		return wait?.isKnown === true && wait.decidedAt === undefined ? wait.since : undefined;
	}

	subject({ watched, matchesQueue, matchesCall }: Rule): Subject | undefined {
		const { id: call, queues, wait, talk } = this.key;
		if (watched.of === 'caller') {
			const queue = this.key.waitingIn.findLast(matchesQueue);
			if (queue === undefined || !matchesCall(criteriaOf(this.key))) return undefined;
			return { queue, isElsewhereToo: wait?.isMoved, call };
		}
		// Nothing is said of a call that was in no queue.
		if (queues.length === 0 || !talk) return undefined;
		const { queue, agent } = talk;
		// A talk in no queue is in no row, and in no filter, that names some.
		const isInRow = matchesQueue(queue ?? '');
		// The filter is about the agent who has it now.
		const now = { ...criteriaOf(this.key), agentIds: agent === undefined ? [] : [agent] };
		return isInRow && matchesCall(now) ? { queue, call, agent } : undefined;
	}

	endOf({ watched }: Rule, _subject: Subject, now: number): End | number {
		const { wait, talk, waitingIn, isSomewhere } = this.key;
		const { changedAt } = this;
		if (watched.of === 'call')
			return { reason: talk || waitingIn.length > 0 ? 'left' : 'ended', at: changedAt };
		const { decidedAt: at = changedAt, knownAt = 0, result } = wait ?? {};
		if (result === 'answered') return { reason: 'answered', at };
		if (result !== 'abandoned') return { reason: 'left', at, isUnclear: result === 'unknown' };
		// It will soon be known whether the caller gave up, or is in another queue or elsewhere.
		const isKnownAt = knownAt + TURNS_UP_MS;
		if (now < isKnownAt) return isKnownAt;
		if (isSomewhere) return { reason: 'left', at };
		// Of a call that has left a trunk since, the record comes later.
		return this.key.isRecorded ? { reason: 'abandoned', at } : Infinity;
	}
}

export class AgentCandidate extends AlertCandidate<string> {
	/** Undefined: dropped. */
	view: AgentView | undefined;

	get isOver(): boolean {
		return this.view === undefined;
	}

	/** An alert goes on although a login changes the groups. */
	since({ watched, alerts, matchesAgent }: Rule<Of<'agent'>>): number | undefined {
		const since = this.shownSince(watched.state);
		if (since === undefined) return undefined;
		return alerts.has(this.key) || matchesAgent(this.key) ? since : undefined;
	}

	subject({ watched }: Rule<Of<'agent'>>): Subject {
		const { pause, queueId: queue, callId: call, caller } = this.view ?? {};
		const agent = this.key;
		if (watched.state === 'on_break') return { agent, pause };
		return watched.state === 'ringing' ? { queue, call, caller, agent } : { agent };
	}

	endOf(
		{ watched: { state } }: Rule<Of<'agent'>>,
		{ call }: Subject,
		_now: number,
		centre: CallCentre,
	): End {
		const reason = (): EndReason => {
			if (!this.view) return 'left';
			if (this.view.state === 'logged_out') return 'logged_out';
			if (state === 'on_break') return 'back';
			if (state === 'available') return 'ended';
			const { state: now, callId } = this.view;
			const isTaken = call === undefined ? now === 'talking' : now !== 'ringing';
			if (isTaken && callId === call) return 'answered';
			const { talk, wait } = centre.call(call) ?? {};
			if (talk?.agent === this.key) return 'answered';
			return wait?.result === 'abandoned' ? 'abandoned' : 'left';
		};
		return { reason: reason(), at: this.changedAt };
	}

	override isContrary({ watched }: Rule<Of<'agent'>>): boolean {
		return this.view?.state !== null && this.shownSince(watched.state) === undefined;
	}

	/** Each ring of a phone is a subject of its own. */
	override isNew(rule: Rule<Of<'agent'>>, before: Subject): boolean {
		return this.view?.isBegun === true || this.subject(rule).call !== before.call;
	}

	/** A break goes on through the agent's own calls. */
	private shownSince(state: AgentState): number | undefined {
		if (state === 'on_break') return this.view?.breakSince;
		if (state === 'ringing') return this.view?.ringsSince;
		return this.view?.state === state ? this.view.since : undefined;
	}
}

/** A number that is compared with the threshold of one row. */
export abstract class Level<
	W extends Of<'agents' | 'queue' | 'window'> = Of<'agents' | 'queue' | 'window'>,
> extends AlertCandidate<string> {
	/** Since when it is beyond the threshold. */
	protected heldSince: number | undefined;

	/** Null: there is none. */
	abstract get value(): number | null;

	/** The value, as an alert tells it. */
	get shown(): number | null {
		const { value, rule } = this;
		return value === null ? null : besideLimit(value, rule.row.threshold);
	}

	get rule(): Rule<W> {
		return this.rules[0] as Rule<W>;
	}

	/** Otherwise no alert starts: what is not known, or missing, could make the difference. */
	protected get isCertain(): boolean {
		return true;
	}

	protected get isBeyond(): boolean {
		const { value, rule } = this;
		const { threshold } = rule.row;
		return value !== null && (rule.watched.is === 'below' ? value < threshold : value >= threshold);
	}

	/** What only time has changed. */
	protected refresh?(now: number): void;

	since({ alerts }: Rule, now: number): number | undefined {
		this.refresh?.(now);
		const holds = this.isBeyond && (this.isCertain || alerts.has(this.key));
		this.heldSince = holds ? (this.heldSince ?? this.changedAt) : undefined;
		return this.heldSince;
	}

	subject(): Subject {
		return { queue: this.key };
	}

	endOf(): End {
		return { reason: this.rule.watched.is === 'below' ? 'above' : 'below', at: this.changedAt };
	}
}

/** The callers who wait in a queue. */
export class WaitingCallers extends Level<Of<'queue'>> {
	private callers = new Set<CallView>();
	/** Who waited before an interruption, and may wait on. */
	private perhaps = new Set<CallView>();

	get value(): number {
		return this.callers.size;
	}

	get isOver(): boolean {
		return this.callers.size + this.perhaps.size === 0;
	}

	override isContrary({ row }: Rule): boolean {
		return this.callers.size + this.perhaps.size < row.threshold;
	}

	changed(call: CallView, waits: boolean, at: number): void {
		this.perhaps.delete(call);
		if (waits) this.callers.add(call);
		else this.callers.delete(call);
		// Of several that are looked at together, one has reached the threshold.
		if (this.isBeyond) this.heldSince ??= at;
	}

	/** It is certain that a call does not wait here. @returns whether it might have */
	rulesOut(call: CallView): boolean {
		return this.perhaps.delete(call);
	}

	interrupted(): void {
		this.heldSince = undefined;
		// Thousands may wait, and an interruption may follow another one: the fewer ones are moved.
		const { callers, perhaps } = this;
		const [fewer, more] = callers.size < perhaps.size ? [callers, perhaps] : [perhaps, callers];
		for (const call of fewer) more.add(call);
		this.perhaps = more;
		this.callers = new Set();
	}
}

/** What filters compare of a call. */
export function criteriaOf({ agents, queues, trunks, caller, service }: CallView): Criteria {
	return {
		agentIds: agents,
		queueIds: queues,
		trunkIds: trunks,
		callerNumber: caller,
		serviceNumber: service,
	};
}
