// Each agent's state, from status events and from what agents do in their interface. The newest events of an agent
// are stored and read in the order in which they were sent, so that late and repeated ones change nothing.

import { keptId } from './keptId';
import type { FeedEvent } from '../feed/types';
import { ByAge } from './byAge';
import type { Offer } from './outcomeTypes';

/** What an agent does; null in {@link AgentView}: unknown. */
export type AgentState =
	'available' | 'ringing' | 'talking' | 'calling' | 'transferring' | 'on_break' | 'logged_out';

/** What is known about an agent. Moments in milliseconds since 1970 by our clock. */
export interface AgentView {
	readonly id: string;
	readonly state: AgentState | null;
	/** From when; undefined while the state is unknown. */
	readonly since?: number;
	/** Identifier (or name) of the break, as the operator sent it. */
	readonly pause?: string;
	readonly callId?: string;
	readonly queueId?: string;
	readonly caller?: string;
}

interface AgentEvent {
	state: AgentState | null;
	seen: number;
	cpt?: number;
	pause?: string;
	callId?: string;
	queueId?: string;
	caller?: string;
}

interface Agent {
	/** The state after the events that are no longer stored. */
	base: AgentView;
	events: AgentEvent[];
	view: AgentView;
	/** The time of the newest event that is no longer stored. */
	read?: number;
}

/** Limit for the events stored per agent: an event that arrives after that many newer ones is ignored. */
const MOST_EVENTS = 12;
export const MOST_AGENTS = 10_000;

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
	/** A call that the agent placed is in progress. */
	reached(agent: AgentView): void;
	/** There are more agents than can be followed: the one that was silent longest is forgotten. */
	forgotten(agent: string): void;
}

export class AgentTracker {
	/** In order of the last event: the first one has been silent longest. */
	private readonly agents = new ByAge<Agent>();

	constructor(
		private readonly observer: AgentObserver,
		private readonly most = MOST_AGENTS,
	) {}

	/** Agents with at least one event. */
	ids(): IterableIterator<string> {
		return this.agents.keys();
	}

	get(id: string): AgentView {
		return this.agents.get(id)?.view ?? { id, state: null };
	}

	/** @param seen when it happened by our clock, milliseconds since 1970 */
	onEvent(event: FeedEvent, seen: number): void {
		const id = keptId(event.msg.id_operator);
		if (id === undefined) return;
		const agentEvent = readAgentEvent(event, seen);
		if (!agentEvent) return;
		let agent = this.agents.renew(id);
		if (!agent) {
			agent = { base: { id, state: null }, events: [], view: { id, state: null } };
			this.agents.set(id, agent);
			this.bound();
		}
		this.add(id, agent, agentEvent);
	}

	/** The feed was interrupted: the state of any agent may have changed unseen. */
	onBreak(): void {
		for (const { key: id, value: agent } of this.agents) {
			const before = agent.view;
			agent.base = { id, state: null };
			agent.view = agent.base;
			agent.events = [];
			if (before.state !== null) this.observer.changed(agent.view, before);
		}
	}

	/**
	 * Whether an agent is known not to have been available at any moment between two moments of our clock. False also
	 * if that is unknown.
	 */
	notAvailable(id: string, from: number, until: number): boolean {
		const agent = this.agents.get(id);
		if (!agent) return false;
		let { state, since } = agent.base;
		for (const event of [...agent.events, undefined]) {
			const begins = since ?? Number.NEGATIVE_INFINITY;
			const ends = event?.seen ?? Number.POSITIVE_INFINITY;
			const touches = begins < until && ends > from;
			if (touches && (state === null || state === 'available')) return false;
			if (event) ({ state, seen: since } = event);
		}
		return true;
	}

	private bound(): void {
		const oldest = this.agents.trim(this.most);
		if (!oldest) return;
		const { key: id, value } = oldest;
		if (value.view.state !== null) this.observer.changed({ id, state: null }, value.view);
		this.observer.forgotten(id);
	}

	private add(id: string, agent: Agent, event: AgentEvent): void {
		const { events } = agent;
		// An event older than all stored ones can't be put in order any more.
		if (agent.read !== undefined && event.seen < agent.read) return;
		let index = events.length;
		while (isBefore(event, events[index - 1])) index--;
		for (let at = index - 1; ; at--) {
			const known = events[at];
			if (known?.seen !== event.seen) break;
			if (same(known, event)) return;
		}
		const before = agent.view;
		// Usually events arrive in order: then only the new event is read.
		const isNewest = index === events.length;
		if (isNewest) events.push(event);
		else events.splice(index, 0, event);
		agent.view = isNewest ? next(before, event) : events.reduce(next, agent.base);
		this.tellRings(id, agent, index);
		this.tellReached(agent, index);
		if (events.length > MOST_EVENTS) {
			const oldest = events.shift() as AgentEvent;
			agent.base = next(agent.base, oldest);
			agent.read = oldest.seen;
		}
		if (!sameView(agent.view, before)) this.observer.changed(agent.view, before);
	}

	/**
	 * Reports that a call which the agent placed is in progress; the new event shows that, or shows that the agent
	 * placed it.
	 */
	private tellReached({ base, events }: Agent, index: number): void {
		for (const at of [index, index + 1]) {
			const event = events[at];
			if (event?.state !== 'talking' || !calledBefore(events, at)) continue;
			const calling = events.slice(0, at).reduce(next, base);
			const talking = next(calling, event);
			this.observer.reached({ ...talking, caller: talking.caller ?? calling.caller });
		}
	}

	/** Reports the rings around a new event: it may have begun one, ended one, or both. */
	private tellRings(id: string, { events }: Agent, index: number): void {
		const around = events.slice(Math.max(0, index - 1), index + 2);
		for (const [at, { state, callId }] of around.entries()) {
			if (state !== 'ringing' || callId === undefined) continue;
			if (around.findIndex((one) => one.state === state && one.callId === callId) < at) continue;
			this.observer.rang(callId, id, events[0]?.seen ?? 0, ringsOf(events, id, callId));
		}
	}
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
			ringing = { agent, from: event.seen, answered: false };
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
function next(before: AgentView, event: AgentEvent): AgentView {
	const { state } = event;
	const { id } = before;
	if (state === null) return { id, state };
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
		since: goesOn ? before.since : event.seen,
		pause,
		callId,
		queueId,
		caller,
	};
}

/** What an event shows about its agent; undefined if nothing. */
function readAgentEvent(
	{ type, event, msg, cpt }: FeedEvent,
	seen: number,
): AgentEvent | undefined {
	if (type === 'UI') {
		const state = STATE_OF_ACTION.get(event);
		if (state === undefined) return undefined;
		return { state, seen, cpt, pause: state === 'on_break' ? keptId(msg.supp) : undefined };
	}
	if (type !== 'operator') return undefined;
	const state = STATE_OF_STATUS.get(keptId(msg.status ?? msg.statut)?.toLowerCase());
	if (state === undefined) return undefined;
	return {
		state,
		seen,
		cpt,
		callId: keptId(msg.id_call),
		queueId: keptId(msg.id_queue),
		caller: keptId(msg.caller_id_num),
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
