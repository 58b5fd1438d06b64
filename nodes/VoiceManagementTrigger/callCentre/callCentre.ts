// The state of a call center (its calls, agents and queues), derived from the feed's events. Pure: events and times are
// passed in as values, observers are notified of changes. What events and logins do not contain stays unknown.

import { numberKey } from '../events/phoneNumbers';
import type { FeedEvent } from '../feed/types';
import { ByAge } from './byAge';
import { AgentTracker, type AgentView, type WrapUp } from './agents';
import type { CallOutcome } from './outcomeTypes';
import { CallTracker, CALLS_DEFAULTS, type CallRef, type CallsOptions } from './callTracker';
import { CallerBook, type Miss } from './callers';
import { ProviderClock } from './providerClock';
import type { VisitFacts } from './queueVisits';

/** Limit for the queues that are tracked. */
export const MOST_QUEUES = 2_000;

/** A missed caller was reached. Moments in milliseconds since 1970. */
export interface Reached {
	caller: string;
	/** The calls that were missed since the caller was last reached, the first one first. */
	missed: readonly Miss[];
	at: number;
	by: 'agent' | 'caller';
	callId?: string;
	agent?: string;
	/** The call in which it happened, if it was the caller who called again. */
	outcome?: CallOutcome;
}

type SpokenTo = Omit<Reached, 'missed'>;

/** By then it is known whether a call was missed, even if its caller calls again at once. */
const LATELY_MS = 2 * CALLS_DEFAULTS.graceMs;

/**
 * Is notified of what follows from events and from time passing. Durations in seconds, moments by our clock in
 * milliseconds.
 */
export interface Observer {
	/** @param nobodyAvailable every agent of the login is known not to have been available while a missed call waited */
	outcome?(outcome: CallOutcome, nobodyAvailable: boolean): void;
	reached?(reached: Reached): void;
	/** @param after undefined if a late event shows that there was no such stay */
	visit?(
		call: CallRef,
		index: number,
		before: VisitFacts | undefined,
		after: VisitFacts | undefined,
	): void;
	/** Someone has had the call since then; undefined: nobody has it any more, from `at` on. */
	talking?(call: CallRef, since: number | undefined, ended: boolean, at: number): void;
	agent?(after: AgentView, before: AgentView): void;
	/** @param sign -1 takes back what was reported before: a late event shows that it was not so */
	taken?(agent: string, at: number, sign: 1 | -1): void;
	notTaken?(agent: string, at: number, sign: 1 | -1): void;
	wrappedUp?(agent: string, wrapUp: WrapUp, sign: 1 | -1): void;
	/** The feed was interrupted. Called before anything that follows from it. */
	interrupted?(at: number): void;
	/** Called after everything that follows from one event, or from an interruption. */
	settled?(): void;
	/** Something had to be discarded, to stay within the limits. */
	gaveUp?(what: string): void;
}

/** The stays of the callers in a queue. */
export interface QueueState {
	readonly waiting: Set<VisitFacts>;
	readonly talking: Set<VisitFacts>;
}

export class CallCentre {
	readonly agents: AgentTracker;
	/** Undefined until it is requested. */
	private callers: CallerBook | undefined;
	/** In order of the last event. */
	readonly queues = new ByAge<QueueState>();
	private readonly calls: CallTracker;
	private readonly clock = new ProviderClock();
	private readonly observers = new Set<Observer>();
	private heardAt = 0;
	/** Callers who were reached recently, by number; `told`: as a missed caller. */
	private readonly lately = new ByAge<SpokenTo & { heardAt: number; told: boolean }>();

	/**
	 * @param openedAt when listening starts, milliseconds since 1970
	 * @param agentsOfLogin identifiers of the agents that the newest login listed
	 */
	constructor(
		openedAt: number,
		private readonly agentsOfLogin: () => Iterable<string>,
		options: CallsOptions = CALLS_DEFAULTS,
	) {
		this.calls = new CallTracker(openedAt, options, {
			visit: (call, index, before, after) => this.visit(call, index, before, after),
			talking: (...change) => this.tell((observer) => observer.talking?.(...change)),
			taken: (...change) => this.tell((observer) => observer.taken?.(...change)),
		});
		this.agents = new AgentTracker({
			changed: (after, before) => this.tell((observer) => observer.agent?.(after, before)),
			rang: (...rings) => this.calls.offered(...rings),
			notTaken: (...ring) => this.tell((observer) => observer.notTaken?.(...ring)),
			wrappedUp: (agent, wrapUp, sign) => {
				const { callId, seconds } = wrapUp;
				if (callId !== undefined) this.calls.wrappedUp(callId, seconds * sign);
				this.tell((observer) => observer.wrappedUp?.(agent, wrapUp, sign));
			},
			reached: (agent) => this.agentReached(agent),
			forgotten: (agent) =>
				this.tell((observer) =>
					observer.gaveUp?.(`agent ${agent}: the limit for agents is reached`),
				),
		});
	}

	/** @returns a function that stops the notifications */
	watch(observer: Observer): () => void {
		this.observers.add(observer);
		return () => void this.observers.delete(observer);
	}

	/** Number of calls being followed. */
	get size(): number {
		return this.calls.size;
	}

	/** From now on, stores what the timelines of calls need. */
	keepTimelines(): void {
		this.calls.withTimeline = true;
	}

	/** From now on, remembers the calls of each number, and who was missed. @param now milliseconds since 1970 */
	keepCallers(now: number): CallerBook {
		return (this.callers ??= new CallerBook(now));
	}

	onEvent(event: FeedEvent): void {
		const seen = this.clock.momentOf(event);
		this.agents.tick(event.receivedAt);
		this.heardAt = Math.max(this.heardAt, event.receivedAt);
		if (event.type === 'operator' || event.type === 'UI') this.agents.onEvent(event, seen);
		this.give(this.calls.onEvent(event, seen), event.receivedAt);
		this.tell((observer) => observer.settled?.());
	}

	/** The feed was interrupted. @param at by our clock */
	onBreak(at: number): void {
		// What was certain by then stays so.
		this.tick(at);
		this.tell((observer) => observer.interrupted?.(at));
		this.calls.onBreak(at);
		this.agents.onBreak(at);
		this.tell((observer) => observer.settled?.());
	}

	/** The feed is open, or open again. */
	onOpened(at: number): void {
		this.calls.onOpened(at);
	}

	/** Time has passed. */
	tick(now: number): void {
		this.agents.tick(now);
		this.give(this.calls.tick(now), now);
		this.tell((observer) => observer.settled?.());
	}

	/** Notifies an observer that joins later of the current state, as if it had just come about. */
	replay(observer: Observer): void {
		this.calls.replay({
			visit: (call, index, before, after) => observer.visit?.(call, index, before, after),
			talking: (...change) => observer.talking?.(...change),
			taken: () => {},
		});
		for (const id of this.agents.ids()) {
			const view = this.agents.get(id);
			if (view.state !== null) observer.agent?.(view, { id, state: null });
		}
		observer.settled?.();
	}

	/** When `tick` has something to do next; undefined if nothing is due. */
	nextDue(): number | undefined {
		const due = Math.min(this.calls.nextDue() ?? Infinity, this.agents.nextDue() ?? Infinity);
		return due === Infinity ? undefined : due;
	}

	private give(outcomes: readonly CallOutcome[], now: number): void {
		for (const outcome of outcomes) {
			if (outcome.kind === 'answered') this.callerReached(outcome);
			else this.callers?.ended(outcome, now);
			if (outcome.reason === 'too-many-calls')
				this.tell((observer) =>
					observer.gaveUp?.(`call ${outcome.callId}: the limit for calls is reached`),
				);
			const nobody = outcome.kind === 'missed' && this.nobodyAvailable(outcome);
			this.tell((observer) => observer.outcome?.(outcome, nobody));
			if (outcome.kind === 'missed') this.reachedBefore(outcome);
		}
	}

	/** The caller was reached before it was known that this call was missed. */
	private reachedBefore({ caller, endedAt }: CallOutcome): void {
		if (!this.callers) return;
		const key = caller === undefined ? undefined : numberKey(caller);
		const spoken = key === undefined ? undefined : this.lately.get(key);
		if (!spoken || endedAt === undefined || spoken.at <= endedAt) return;
		const missed = this.callers.reached(caller);
		if (missed.length === 0 || spoken.told) return;
		spoken.told = true;
		this.tell((observer) => observer.reached?.({ ...spoken, missed }));
	}

	private spokenTo(spoken: SpokenTo): void {
		if (!this.callers) return;
		const missed = this.callers.reached(spoken.caller);
		const told = missed.length > 0;
		if (told) this.tell((observer) => observer.reached?.({ ...spoken, missed }));
		const key = numberKey(spoken.caller);
		if (key === undefined) return;
		this.lately.set(key, { ...spoken, heardAt: this.heardAt, told });
		for (const { key: number, value } of this.lately) {
			if (value.heardAt + LATELY_MS > this.heardAt) break;
			this.lately.delete(number);
		}
	}

	private callerReached(outcome: CallOutcome): void {
		const { caller, callId, agents, answeredAt } = outcome;
		if (caller === undefined || answeredAt === undefined) return;
		const [agent] = agents as Array<string | undefined>;
		const spoken: SpokenTo = { caller, at: answeredAt, by: 'caller', callId, outcome };
		if (agent !== undefined) spoken.agent = agent;
		this.spokenTo(spoken);
	}

	/** An agent has called someone who answers: perhaps a missed caller. */
	private agentReached({ id, caller, callId, since }: AgentView): void {
		if (caller === undefined || (callId !== undefined && this.calls.has(callId))) return;
		const at = this.clock.providerTime(since ?? this.heardAt);
		const spoken: SpokenTo = { caller, at, by: 'agent', agent: id };
		if (callId !== undefined) spoken.callId = callId;
		this.spokenTo(spoken);
	}

	/** Called only for calls that rang nobody: an agent who rings for a call is not available, but was offered it. */
	private nobodyAvailable({ offers, alerted, visits }: CallOutcome): boolean {
		if (alerted || offers.length > 0) return false;
		const [first] = visits;
		const last = visits.at(-1);
		if (first === undefined || last === undefined) return false;
		let any = false;
		for (const id of this.agentsOfLogin()) {
			any = true;
			if (!this.agents.notAvailable(id, first.since, last.leftSeen ?? first.since)) return false;
		}
		return any;
	}

	private visit(
		call: CallRef,
		index: number,
		before: VisitFacts | undefined,
		after: VisitFacts | undefined,
	): void {
		if (before) this.ofState(before)?.delete(before);
		if (after) this.ofState(after)?.add(after);
		this.tell((observer) => observer.visit?.(call, index, before, after));
	}

	private ofState({ queue, state }: VisitFacts): Set<VisitFacts> | undefined {
		const { waiting, talking } = this.queue(queue);
		if (state === 'waiting') return waiting;
		return state === 'talking' ? talking : undefined;
	}

	private queue(id: string): QueueState {
		const known = this.queues.renew(id);
		if (known) return known;
		const queue: QueueState = { waiting: new Set(), talking: new Set() };
		this.queues.set(id, queue);
		const oldest = this.queues.trim(MOST_QUEUES);
		if (oldest)
			this.tell((observer) =>
				observer.gaveUp?.(`queue ${oldest.key}: the limit for queues is reached`),
			);
		return queue;
	}

	/** If one observer throws, the others are still notified. */
	private tell(hear: (observer: Observer) => void): void {
		let errors: unknown[] | undefined;
		for (const observer of this.observers) {
			try {
				hear(observer);
			} catch (error) {
				errors = [...(errors ?? []), error];
			}
		}
		if (errors) throw new AggregateError(errors, 'a watcher of the call center failed');
	}
}
