// Each agent's state, from status events and from what agents do in their interface. The newest events of an agent
// are stored and read in the order in which they were sent, so that late and repeated ones change nothing.

import { AgentTimes, type StateSeconds } from './agentTimes';
import { ByAge } from './byAge';
import { Deadlines, type Dated } from './deadlines';
import { keptId } from './keptId';
import type { FeedEvent } from '../feed/types';
import type { Offer } from './outcomeTypes';

/** What an agent does; null in {@link AgentView}: unknown. */
export type AgentState =
	| 'available'
	| 'ringing'
	| 'talking'
	| 'calling'
	| 'transferring'
	| 'wrap_up'
	| 'on_break'
	| 'logged_out';

/** What is known about an agent. Moments in milliseconds since 1970 by our clock. */
export interface AgentView {
	readonly id: string;
	readonly state: AgentState | null;
	/** From when; undefined while the state is unknown. */
	readonly since?: number;
	/** When wrap-up is over, if no event comes before. */
	readonly until?: number;
	/** Identifier (or name) of the break, as the provider sent it. */
	readonly pause?: string;
	readonly callId?: string;
	readonly queueId?: string;
	readonly caller?: string;
}

/** An agent has finished a call. */
export interface WrapUp {
	readonly at: number;
	/** As the provider announced it with the end of the call; 0 if it announced none. */
	readonly seconds: number;
	readonly callId?: string;
	readonly queueId?: string;
}

interface AgentEvent {
	state: AgentState | null;
	seen: number;
	cpt?: number;
	pause?: string;
	callId?: string;
	queueId?: string;
	caller?: string;
	/** Seconds. */
	catchup?: number;
	/** The state that follows from it and all before it. */
	after: AgentView;
	/** What it was last reported to show: the agent let it ring, or finished a call. */
	notTaken?: boolean;
	wrapUp?: WrapUp | undefined;
}

interface Agent extends Dated {
	readonly id: string;
	/** The state after the events that are no longer stored. */
	base: AgentView;
	events: AgentEvent[];
	view: AgentView;
	/** The time of the newest event that is no longer stored. */
	read?: number;
	/** What arrives after an interruption shows the time after it. */
	notBefore: number;
	/** What was known before it. */
	beforeBreak?: Pick<Agent, 'base' | 'events'>;
	/** Undefined unless requested. */
	times?: AgentTimes | undefined;
}

/** Limit for the events stored per agent: an event that arrives after that many newer ones is ignored. */
const MOST_EVENTS = 12;
export const MOST_AGENTS = 10_000;
/** Limit for the stored changes of all agents, of which their times in states are computed. */
const MOST_CHANGES = 500_000;
/** Longer than any wrap-up: such a value is in another unit, or means something else. */
const LONGEST_WRAP_UP_S = 3_600;

const STATE_OF_STATUS: ReadonlyMap<unknown, AgentState | null> = new Map([
	['available', 'available'],
	['ringing', 'ringing'],
	['connected', 'talking'],
	['calling', 'calling'],
	['transfert_start', 'transferring'],
	['transfert_end', 'talking'],
	['unavailable', null],
]);

const STATE_OF_ACTION: ReadonlyMap<string, AgentState | null> = new Map([
	['login', null],
	['logout', 'logged_out'],
	['pause', 'on_break'],
	['unpause', 'available'],
]);

/** States in which an agent deals with a call. */
const WITH_CALL: ReadonlySet<AgentState | null> = new Set<AgentState | null>([
	'ringing',
	'talking',
	'calling',
	'transferring',
]);

/** Is notified of what agents do. */
export interface AgentObserver {
	changed(after: AgentView, before: AgentView): void;
	/** Phones that rang for a call; replaces what was reported for this agent and call since `from`. */
	rang(callId: string, agent: string, from: number, rings: readonly Offer[]): void;
	/** The agent let it ring. @param sign -1: a late event shows that it was not so */
	notTaken(agent: string, at: number, sign: 1 | -1): void;
	wrappedUp(agent: string, wrapUp: WrapUp, sign: 1 | -1): void;
	/** A call that the agent placed is in progress. */
	reached(agent: AgentView): void;
	/** There are more agents than can be followed: the one that was silent longest is forgotten. */
	forgotten(agent: string): void;
}

export class AgentTracker {
	/** In order of the last event: the first one has been silent longest. */
	private readonly agents = new ByAge<Agent>();
	/** The ends of wrap-ups. */
	private readonly deadlines = new Deadlines<Agent>();
	/** How far back the times in states are kept, in milliseconds; 0 = not at all. */
	private keepMs = 0;
	/** Stored changes of all agents. */
	private changes = 0;

	constructor(
		private readonly observer: AgentObserver,
		private readonly most = MOST_AGENTS,
	) {}

	/** Agents with at least one event. */
	ids(): IterableIterator<string> {
		return this.agents.keys();
	}

	get size(): number {
		return this.agents.size;
	}

	get(id: string): AgentView {
		return this.agents.get(id)?.view ?? { id, state: null };
	}

	/** The state at a moment of the last minute, by our clock. */
	at(id: string, moment: number): AgentView {
		const agent = this.agents.get(id);
		if (!agent) return { id, state: null };
		const { view, beforeBreak, notBefore } = agent;
		const { events, base } = moment < notBefore && beforeBreak ? beforeBreak : agent;
		// The view may show later events, or that a wrap-up has ended since.
		const newest = Math.max(view.since ?? 0, events.at(-1)?.seen ?? 0);
		if (events === agent.events && newest <= moment) return view;
		return asOf(events.findLast(({ seen }) => seen <= moment)?.after ?? base, moment);
	}

	/** From now on, keeps how long agents are in each state, at least that far back. */
	keepTimes(ms: number): void {
		this.keepMs = Math.max(this.keepMs, ms);
		for (const { value } of this.agents) value.times ??= timesOf(value);
	}

	/** How long an agent was in each state between two moments by our clock. */
	seconds(id: string, from: number, until: number): StateSeconds | undefined {
		return this.agents.get(id)?.times?.between(from, until);
	}

	/** When `tick` has something to do next; undefined if nothing is due. */
	nextDue(): number | undefined {
		return this.deadlines.next();
	}

	/** Time has passed: wrap-ups are over. */
	tick(now: number): void {
		for (let agent = this.deadlines.take(now); agent; agent = this.deadlines.take(now))
			this.show(agent, asOf(agent.view, now));
	}

	/** @param seen when it happened by our clock, milliseconds since 1970 */
	onEvent(event: FeedEvent, seen: number): void {
		const id = keptId(event.msg.id_operator);
		if (id === undefined) return;
		const agentEvent = readAgentEvent(event, seen);
		if (!agentEvent) return;
		const agent = this.agents.renew(id) ?? this.begin(id);
		// A repetition of what came before an interruption shows nothing about the time after it.
		if (agent.beforeBreak?.events.some((known) => same(known, agentEvent))) return;
		agentEvent.seen = Math.max(agentEvent.seen, agent.notBefore);
		this.add(agent, agentEvent, event.receivedAt);
	}

	/** The feed was interrupted: the state of any agent may have changed unseen. @param at by our clock */
	onBreak(at: number): void {
		for (const { value: agent } of this.agents) {
			const { events, base } = agent;
			agent.beforeBreak = { base, events };
			agent.base = { id: agent.id, state: null };
			agent.events = [];
			agent.notBefore = at;
			agent.times?.interrupted(at);
			this.show(agent, agent.base);
		}
	}

	/**
	 * Whether an agent is known not to have been available at any moment between two moments of our clock. False also
	 * if that is unknown.
	 */
	notAvailable(id: string, from: number, until: number): boolean {
		const agent = this.agents.get(id);
		// What came before the oldest event that is stored is not known any more.
		if (!agent || (agent.base.since ?? 0) > from) return false;
		let view = agent.base;
		for (const event of [...agent.events, undefined]) {
			const ends = event?.seen ?? Number.POSITIVE_INFINITY;
			const begins = view.since ?? Number.NEGATIVE_INFINITY;
			const { state } = asOf(view, Math.min(until, ends) - 1);
			const free = state === null || state === 'available';
			if (begins < until && ends > from && free) return false;
			if (event) view = event.after;
		}
		return true;
	}

	private begin(id: string): Agent {
		const nothing = { id, state: null };
		const agent: Agent = { id, base: nothing, events: [], view: nothing, notBefore: 0 };
		if (this.keepMs > 0) agent.times = new AgentTimes();
		this.agents.set(id, agent);
		const oldest = this.agents.trim(this.most);
		if (oldest) {
			this.show(oldest.value, { id: oldest.key, state: null });
			this.observer.forgotten(oldest.key);
		}
		return agent;
	}

	private add(agent: Agent, event: AgentEvent, now: number): void {
		const { id, events } = agent;
		const size = agent.times?.size ?? 0;
		// An event older than all stored ones can't be put in order any more.
		if (agent.read !== undefined && event.seen < agent.read) return;
		let index = events.length;
		while (isBefore(event, events[index - 1])) index--;
		for (let at = index - 1; ; at--) {
			const known = events[at];
			if (known?.seen !== event.seen) break;
			if (same(known, event)) return;
		}
		// Usually events arrive in order: then only the new event is read. The view may show that a wrap-up has ended since.
		const inOrder = index === events.length && (agent.view.since ?? 0) <= event.seen;
		let view = inOrder ? agent.view : (events[index - 1]?.after ?? agent.base);
		events.splice(index, 0, event);
		agent.times?.forget(event.seen);
		for (const one of events.slice(index)) {
			this.tellFacts(id, view, one);
			view = one.after = next(view, one);
			agent.times?.enters(one.seen, view);
		}
		this.tellRings(id, agent, index);
		this.tellReached(agent, index);
		if (events.length > MOST_EVENTS) {
			const oldest = events.shift() as AgentEvent;
			agent.base = oldest.after;
			agent.read = oldest.seen;
		}
		this.countChanges(agent, size, now);
		this.show(agent, asOf(view, now));
	}

	/** Keeps the stored changes within their limit: those of an agent who has more than a fair share are forgotten first. */
	private countChanges({ times }: Agent, before: number, now: number): void {
		if (!times) return;
		this.changes += times.size - before;
		const crowded = this.changes > MOST_CHANGES;
		const share = crowded ? Math.floor(MOST_CHANGES / this.agents.size) : Infinity;
		const { size } = times;
		times.prune(now - this.keepMs, share);
		this.changes += times.size - size;
	}

	private show(agent: Agent, view: AgentView): void {
		const before = agent.view;
		agent.view = view;
		this.deadlines.set(agent, view.until);
		if (!sameView(view, before)) this.observer.changed(view, before);
	}

	/** Reports what an event shows about what went before it, as far as that differs from the last report. */
	private tellFacts(id: string, before: AgentView, event: AgentEvent): void {
		const { seen } = event;
		const notTaken = letItRing(before, event);
		if (notTaken !== (event.notTaken ?? false)) this.observer.notTaken(id, seen, notTaken ? 1 : -1);
		event.notTaken = notTaken;
		const told = event.wrapUp;
		const wrapUp = wrapUpOf(before, event);
		if (
			told?.callId === wrapUp?.callId &&
			told?.queueId === wrapUp?.queueId &&
			(told === undefined) === (wrapUp === undefined)
		)
			return;
		event.wrapUp = wrapUp;
		if (told) this.observer.wrappedUp(id, told, -1);
		if (wrapUp) this.observer.wrappedUp(id, wrapUp, 1);
	}

	/**
	 * Reports that a call which the agent placed is in progress; the new event shows that, or shows that the agent
	 * placed it.
	 */
	private tellReached({ base, events }: Agent, index: number): void {
		for (const at of [index, index + 1]) {
			const event = events[at];
			if (event?.state !== 'talking' || !calledBefore(events, at)) continue;
			const calling = events[at - 1]?.after ?? base;
			const { after } = event;
			this.observer.reached({ ...after, caller: after.caller ?? calling.caller });
		}
	}

	/** Reports the rings around a new event: it may have begun one, ended one, or both. */
	private tellRings(id: string, { events }: Agent, index: number): void {
		for (const at of [index - 1, index, index + 1]) {
			const event = events[at];
			if (event?.state !== 'ringing' || event.callId === undefined) continue;
			const { callId } = event;
			this.observer.rang(callId, id, events[0]?.seen ?? 0, ringsOf(events, id, callId));
		}
	}
}

/** What is known of a view at a moment that is not before it: wrap-up ends by itself. */
function asOf(view: AgentView, moment: number): AgentView {
	const { id, until } = view;
	return until !== undefined && until <= moment ? { id, state: 'available', since: until } : view;
}

/** The times in states, from the stored events on. */
function timesOf({ events }: Agent): AgentTimes {
	const times = new AgentTimes();
	for (const { seen, after } of events) times.enters(seen, after);
	return times;
}

/** Whether the agent did not take the call that rang before this event. */
function letItRing({ state, callId }: AgentView, event: AgentEvent): boolean {
	if (state !== 'ringing' || callId === undefined) return false;
	const sameCall = event.callId === undefined || event.callId === callId;
	return !(sameCall && (event.state === 'talking' || event.state === 'ringing'));
}

/** The wrap-up that an event announces; undefined if it ends no call. */
function wrapUpOf(before: AgentView, event: AgentEvent): WrapUp | undefined {
	const { state, seen, catchup } = event;
	if (state !== 'available' && state !== 'wrap_up') return undefined;
	const talked = before.state === 'talking' || before.state === 'transferring';
	if (catchup === undefined && !talked) return undefined;
	const callId = event.callId ?? before.callId;
	const queueId =
		event.queueId ??
		(callId === undefined || callId === before.callId ? before.queueId : undefined);
	return { at: seen, seconds: catchup ?? 0, callId, queueId };
}

function ringsOf(events: readonly AgentEvent[], agent: string, callId: string): Offer[] {
	const rings: Offer[] = [];
	let ringing: Offer | undefined;
	for (const event of events) {
		const forThisCall = event.state === 'ringing' && event.callId === callId;
		if (ringing && !forThisCall) {
			ringing.to = event.seen;
			ringing.answered =
				event.state === 'talking' && (event.callId === undefined || event.callId === callId);
			ringing = undefined;
		} else if (!ringing && forThisCall) {
			ringing = { agent, from: event.seen, to: undefined, answered: false };
			rings.push(ringing);
		}
	}
	return rings;
}

/** Whether the agent placed the call that is in progress now. */
function calledBefore(events: readonly AgentEvent[], index: number): boolean {
	const before = events[index - 1];
	const callId = events[index]?.callId;
	if (before?.state !== 'calling') return false;
	return callId === undefined || (before.callId ?? callId) === callId;
}

/** If the state stays the same, it began when it was first seen. */
function next(earlier: AgentView, event: AgentEvent): AgentView {
	const { state, seen, catchup } = event;
	const before = asOf(earlier, seen);
	const { id } = before;
	if (state === null) return { id, state };
	if (state === 'wrap_up') return { id, state, since: seen, until: seen + (catchup ?? 0) * 1000 };
	const sameCall = event.callId === undefined || event.callId === before.callId;
	const goesOn = before.state === state && (state !== 'ringing' || sameCall);
	const withCall = WITH_CALL.has(state);
	const callId = withCall
		? (event.callId ?? (WITH_CALL.has(before.state) ? before.callId : undefined))
		: undefined;
	const known = callId !== undefined && callId === before.callId ? before : undefined;
	const queueId = withCall ? (event.queueId ?? known?.queueId) : undefined;
	const caller = withCall ? (event.caller ?? known?.caller) : undefined;
	const pause =
		state === 'on_break' ? (event.pause ?? (goesOn ? before.pause : undefined)) : undefined;
	return {
		id,
		state,
		since: goesOn ? before.since : seen,
		pause,
		callId,
		queueId,
		caller,
	};
}

/** Until an event has its place among the others. */
const UNREAD: AgentView = { id: '', state: null };

/** What an event shows about its agent; undefined if nothing. */
function readAgentEvent(
	{ type, event, msg, cpt }: FeedEvent,
	seen: number,
): AgentEvent | undefined {
	if (type === 'UI') {
		const state = STATE_OF_ACTION.get(event);
		if (state === undefined) return undefined;
		const pause = state === 'on_break' ? keptId(msg.supp) : undefined;
		return { state, seen, cpt, pause, after: UNREAD };
	}
	if (type !== 'operator') return undefined;
	const status = keptId(msg.status)?.toLowerCase();
	if (status === undefined) return undefined;
	// A status that is not documented says that the agent does something else than before, but not what.
	const state = STATE_OF_STATUS.get(status) ?? null;
	const catchup = state === 'available' ? Number(keptId(msg.catchup) ?? 0) : 0;
	const wrapsUp = catchup > 0 && catchup <= LONGEST_WRAP_UP_S;
	return {
		state: wrapsUp ? 'wrap_up' : state,
		seen,
		cpt,
		callId: keptId(msg.id_call),
		queueId: keptId(msg.id_queue),
		caller: keptId(msg.caller_id_num),
		catchup: wrapsUp ? catchup : undefined,
		after: UNREAD,
		notTaken: undefined,
		wrapUp: undefined,
	};
}

/** Whether `a` was sent before `b`; false if there is no `b`. */
function isBefore(a: AgentEvent, b: AgentEvent | undefined): boolean {
	if (!b) return false;
	if (a.seen !== b.seen) return a.seen < b.seen;
	return a.cpt !== undefined && b.cpt !== undefined && a.cpt < b.cpt;
}

function same(a: AgentEvent, b: AgentEvent): boolean {
	return (
		a.seen === b.seen &&
		a.state === b.state &&
		a.callId === b.callId &&
		(a.cpt === b.cpt || a.cpt === undefined || b.cpt === undefined)
	);
}

function sameView(a: AgentView, b: AgentView): boolean {
	return (
		a.state === b.state &&
		a.since === b.since &&
		a.callId === b.callId &&
		a.queueId === b.queueId &&
		a.pause === b.pause
	);
}
