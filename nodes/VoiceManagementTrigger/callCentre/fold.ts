// The call centre: one fold over the feed's events (docs/items.md, "How calls are read"). Events and times go in, changes
// come out, in order; nothing goes back. Outcomes, alerts and snapshots are made of its changes alone, so that they can't
// contradict each other.

import { numberMatcher } from '../events/phoneNumbers';
import type { FeedEvent } from '../feed/types';
import { Agents } from './agents';
import { makeNewest } from './byAge';
import {
	keptId,
	partsOf,
	placeEvent,
	readCatchup,
	readRecorded,
	type PlaceEvent,
} from './callEvents';
import {
	unknownAgent,
	type CallView,
	type Change,
	type Moment,
	type OutcomeKind,
	type Talk,
} from './changes';
import { ONE_ANSWER_MS } from './callerWait';
import { Deadlines } from './deadlines';
import { Journey, type Break, type Surroundings } from './journey';
import { Lag } from './lag';

const MOST_CALLS = 20_000;
/** With all modes at once, at the limits of calls, agents and queues, at most 200 MB: measured. */
const MOST_WEIGHT = 400_000;

type Parts = ReturnType<typeof partsOf>;

/** Not a withheld one. */
const isNumber = numberMatcher(['*']);

export class CallCentre implements Surroundings {
	readonly agents = new Agents((change) => this.report(change));
	/** In order of the last event. */
	private readonly calls = new Map<string, Journey>();
	private readonly deadlines = new Deadlines<Journey>();
	/** The calls that each agent has, as far as no event has ended that. */
	private readonly callsOf = new Map<string, readonly Journey[]>();
	/** The call in which each agent's phone rings. */
	private readonly ringsIn = new Map<string, Journey>();
	private readonly lag = new Lag();
	private changes: Change[] = [];
	private weight = 0;
	/** The newest interruption. Calls learn of it when something is heard of them: thousands at once would take too long. */
	private lastBreak: Break = { at: Number.NEGATIVE_INFINITY, from: Number.NEGATIVE_INFINITY };
	/** Up to when time has passed. */
	private now = 0;
	/** How often an event has changed a call. */
	private turns = 0;
	/** The moment of the event that is being read. */
	private when: Moment = { at: 0, heardAt: 0 };
	/** The newest login. */
	private login: ReadonlyMap<string, unknown> | undefined;

	/** @param listed the agents of the newest login by identifier; undefined: it lists none */
	constructor(private readonly listed: () => ReadonlyMap<string, unknown> | undefined) {}

	/** Before this moment nothing happens any more, as far as events are concerned. */
	get moment(): number {
		return this.lag.newest;
	}

	call(id: string | undefined): CallView | undefined {
		return id === undefined ? undefined : this.calls.get(id);
	}

	/** An event of the feed. @returns what has changed since the last call of any method */
	onEvent(event: FeedEvent): Change[] {
		const now = event.receivedAt;
		this.passTime(now);
		this.when = { at: this.lag.momentOf(event), heardAt: now };
		this.followLogin();
		switch (event.type) {
			case 'operator':
				this.onStatus(event, partsOf(event));
				break;
			case 'UI':
				this.onPresence(event);
				break;
			case 'queue':
			case 'trunk':
				this.onPlace(event, event.type, partsOf(event));
				break;
			case 'num':
				this.noteService(event);
		}
		return this.taken();
	}

	/**
	 * The feed was interrupted, or may have missed something: whatever may have changed unseen is unknown.
	 * @param from since when, if that is found later
	 */
	onInterruption(now: number, from = now): Change[] {
		this.passTime(now);
		const at = this.lag.passed(now);
		this.when = { at, heardAt: now };
		this.followLogin();
		this.changes.push({ kind: 'interrupted', at });
		this.lastBreak = this.lastBreak.next = { at, from };
		this.agents.interrupted();
		return this.taken();
	}

	/** Time has passed. */
	tick(now: number): Change[] {
		this.passTime(now);
		return this.taken();
	}

	/** Since when the first of the records is due that somebody wants and that is not told yet. */
	untoldSince(isWanted: (of: OutcomeKind, call: CallView) => boolean): number | undefined {
		let first = Infinity;
		for (const call of this.calls.values()) {
			const { untold } = call;
			if (untold && untold.since < first && isWanted(untold.of, call)) first = untold.since;
		}
		return first === Infinity ? undefined : first;
	}

	/** When time alone changes something next; Infinity: not before the next event. */
	nextDue(): number {
		return Math.min(this.deadlines.next(), this.agents.nextDue());
	}

	/** What is going on, for somebody who joins later: as if it had just begun. */
	state(): Change[] {
		const changes: Change[] = [];
		for (const call of this.calls.values()) changes.push(...this.knowing(call).state());
		for (const after of this.agents.views()) {
			const before = unknownAgent(after.id);
			if (after.state !== null)
				changes.push({ kind: 'agent', before, after, at: after.since ?? 0, byTime: false });
		}
		return changes;
	}

	private taken(): Change[] {
		const { changes } = this;
		this.changes = [];
		return changes;
	}

	// ---- What a call tells ----

	report(change: Change): void {
		// Whoever was dropped meanwhile has no figures any more.
		const isAbout = change.kind !== 'notAnswered' || this.agents.has(change.agent);
		if (isAbout) this.changes.push(change);
	}

	takes(agent: string, call: Journey, talk: Talk): void {
		this.agents.meet(agent, this.when.at).lastTalk = { call, talk };
		const calls = this.callsOf.get(agent) ?? [];
		if (!calls.includes(call)) this.callsOf.set(agent, [...calls, call]);
		this.agents.rests(agent, call.id, this.when.at);
		this.agents.answersFor(agent, call.id, talk.queue, this.when.at);
	}

	releases(agent: string, call: Journey): void {
		const others = this.callsOf.get(agent)?.filter((one) => one !== call) ?? [];
		if (others.length > 0) this.callsOf.set(agent, others);
		else this.callsOf.delete(agent);
	}

	rests(agent: string, call: Journey): void {
		if (this.ringsIn.get(agent) !== call) return;
		this.ringsIn.delete(agent);
		// Time may end it, without an event, which says nothing of the moment of the next one.
		this.agents.rests(agent, call.id, this.when.heardAt === this.now ? this.when.at : this.now);
	}

	// ---- Time ----

	/** What is due by now has happened before what arrives now. */
	private passTime(now: number): void {
		this.now = now;
		this.agents.tick(now);
		for (let call = this.deadlines.take(now); call; call = this.deadlines.take(now)) {
			this.knowing(call);
			if (call.tick(now, () => this.lag.passed(now))) this.forget(call);
			else this.settle(call, call.turn);
		}
	}

	private followLogin(): void {
		const listed = this.listed();
		if (listed === this.login) return;
		this.login = listed;
		this.agents.onLogin(listed?.keys() ?? [], this.when.at);
		// Of whoever was dropped, no status will show that a talk is over.
		for (const agent of [...this.callsOf.keys()])
			if (!this.agents.has(agent) && listed?.has(agent) !== true)
				for (const call of this.callsOf.get(agent) ?? []) {
					this.knowing(call).endCutTalk(this.when);
					this.settle(call);
				}
	}

	// ---- Calls ----

	private onPlace(event: FeedEvent, kind: 'queue' | 'trunk', parts: Parts): void {
		const meaning = placeEvent(event.event, parts.status);
		if (meaning === undefined) return;
		const call = this.callOfPlace(event, kind, meaning, parts);
		if (!call) return;
		this.about(call, event, parts.caller);
		const isAnswer = meaning === 'answered' && kind === 'queue';
		if (!call.isOwn && (isAnswer || meaning === 'enters' || meaning === 'leaves'))
			noteOrder(call, event, meaning === 'leaves');
		if (event.event === 'alert_op') call.isAlerted = true;
		if (kind === 'trunk') this.onTrunk(call, meaning, parts.trunk);
		else if (!call.isOwn || meaning === 'leaves') this.onQueue(call, meaning, event, parts);
		this.settle(call);
	}

	/** The call that an event of a place is about; undefined if it is none that is followed, or the event is too old. */
	private callOfPlace(
		event: FeedEvent,
		kind: 'queue' | 'trunk',
		meaning: PlaceEvent,
		{ callId, caller, queue, trunk }: Parts,
	): Journey | undefined {
		if (callId === undefined) return undefined;
		const known = this.known(callId, caller);
		// When a call ends, all of its places lose it at once: no deletion is too late for another one.
		const newest = meaning === 'leaves' ? known?.newestStart : known?.newest;
		if (isOld(newest, event)) return undefined;
		// The queue's report of an answer may come after the agent's.
		const { connectedAt = -Infinity } = known ?? {};
		const isReport = meaning === 'answered' && this.now - connectedAt <= ONE_ANSWER_MS;
		// In a queue, an agent's own call becomes a caller's.
		const isCallers = meaning === 'enters' || (isReport && queue !== undefined);
		const isVoid = known?.isOwn === true && kind === 'queue' && isCallers;
		if (known && !isVoid) return known;
		if (known) this.forget(known);
		// What nothing has had is no call.
		const place = kind === 'queue' ? queue : trunk;
		if (place === undefined && meaning !== 'answered' && meaning !== 'leaves') return undefined;
		const call = this.begin(callId);
		// Nor is what begins with its end, but that says which events were sent before it.
		if (meaning === 'leaves') call.endsUntold(this.when);
		if (isVoid && !isReport) call.startedBy = known.startedBy;
		return call;
	}

	private onQueue(
		call: Journey,
		meaning: PlaceEvent,
		event: FeedEvent,
		{ queue, agent }: Parts,
	): void {
		const { when } = this;
		switch (meaning) {
			case 'enters':
				if (queue !== undefined) call.enterQueue(queue, when);
				break;
			case 'answered':
				call.answered(queue, agent, when);
				break;
			case 'leaves':
				call.leave('queue', queue, when);
				break;
			case 'waits':
			case 'rings':
				call.waits(queue, when.at);
				if (agent === undefined || meaning === 'waits') break;
				if (this.endsAbsence(agent, isNewRing(call, agent, queue), event))
					this.agents.queueRings(agent, when.at);
				this.rings(agent, call, queue);
				break;
			case 'mayBeAnswered':
				call.waits(queue, when.at);
				call.mayBeAnswered();
		}
	}

	private onTrunk(call: Journey, meaning: PlaceEvent, trunk: string | undefined): void {
		if (meaning === 'leaves') call.leave('trunk', trunk, this.when);
		if (trunk === undefined) return;
		if (meaning === 'enters') call.enterTrunk(trunk, this.when.at);
		else if (meaning === 'answered' || meaning === 'mayBeAnswered')
			call.trunkAnswers(trunk, this.when.at, meaning === 'answered');
	}

	private onStatus(event: FeedEvent, parts: Parts): void {
		const { agent, queue, status } = parts;
		// Whoever calls from a caller's call, calls somebody else: a colleague, to transfer it.
		const caller = status === 'calling' ? undefined : parts.caller;
		// A status without a call is about the one that the agent has.
		const id = parts.callId ?? (agent === undefined ? undefined : this.agents.get(agent).callId);
		const known = id === undefined ? undefined : this.known(id, caller);
		// A phone that stops ringing says nothing of a call that a colleague has.
		const isOfCall = parts.callId !== undefined || known?.agent === agent;
		if (this.isTooLate(event, agent, isOfCall ? known : undefined, status)) return;
		const call = id === undefined ? undefined : this.callOfStatus(id, known, parts);
		if (call) this.about(call, event, caller);
		// The phone rings in the queue in which the ring shows that the caller waits.
		if (status === 'ringing' && call?.isOwn === false) call.waits(queue, this.when.at);
		if (agent !== undefined) this.onStatusOfAgent(agent, id, call, event, parts);
		if (!call) return;
		if (call.isOwn) this.onStatusOfOwnCall(call, agent, status);
		else this.onStatusOfCall(call, event, parts);
		this.settle(call);
	}

	/** Whether a status was sent before the agent's newest one, or before the newest of the calls that it speaks of. */
	private isTooLate(
		event: FeedEvent,
		agent: string | undefined,
		call: Journey | undefined,
		status: string | undefined,
	): boolean {
		// Hardly any is: the agent's calls need not be looked through for the others.
		if (event.isLate !== true) return false;
		if (agent === undefined) return isOld(call?.newest, event);
		if (isOld(this.agents.newest(agent, 'activity'), event)) return true;
		// What the call shows too is news of the agent alone: who has it is connected, who has not is available.
		const hasCall = call?.talk?.agent === agent;
		const isShown = hasCall ? status === 'connected' : status === 'available';
		if (!isShown && isOld(call?.newest, event)) return true;
		// It would end the agent's other calls.
		const others = this.callsOf.get(agent)?.filter((one) => one !== call) ?? [];
		return others.some((one) => isOld(this.knowing(one).newest, event));
	}

	private onStatusOfAgent(
		agent: string,
		callId: string | undefined,
		call: Journey | undefined,
		event: FeedEvent,
		{ queue, caller, status }: Parts,
	): void {
		const { state } = this.agents.get(agent);
		if (status === 'transfert_end' && state !== 'transferring') return;
		const talk = call?.talk?.agent === agent ? call.talk : undefined;
		const queueId = talk?.queue ?? queue ?? call?.waitingIn.at(-1);
		const catchup = status === 'available' ? readCatchup(event.msg.catchup) : 0;
		const isQueueRing = status === 'ringing' && (call ? isNewRing(call, agent, queue) : !!queue);
		const endsAbsence = this.endsAbsence(agent, isQueueRing, event);
		const said = { status, callId, queueId, caller, catchup, endsAbsence };
		const announced = this.agents.onStatus(agent, said, this.when.at, event.cpt);
		this.leaveOthers(agent, status, call);
		if (catchup > 0) this.wrapUp(agent, announced);
	}

	private onStatusOfOwnCall(
		call: Journey,
		agent: string | undefined,
		status: string | undefined,
	): void {
		if (status === 'available') call.endsUntold(this.when);
		// Without a caller the wrap-up that follows is that of the agent's own call.
		else if (agent !== undefined && status !== 'ringing') {
			const hasCaller = this.callsOf.get(agent)?.some((one) => this.knowing(one).talk) === true;
			if (!hasCaller) this.agents.meet(agent, this.when.at).lastTalk = undefined;
		}
	}

	private onStatusOfCall(call: Journey, event: FeedEvent, { queue, agent, status }: Parts): void {
		if (status === 'ringing') {
			if (agent !== undefined) this.rings(agent, call, queue);
			return;
		}
		if (isStarter(call, agent)) return;
		if (status === 'connected') {
			noteOrder(call, event, false);
			call.answered(queue, agent, this.when, true);
		} else if (status === 'transfert_start' && agent !== undefined) {
			call.seenWith(queue, agent, this.when);
		}
	}

	/** The call that a status is about; undefined if it is none that is followed. */
	private callOfStatus(
		id: string,
		known: Journey | undefined,
		{ agent, queue, status }: Parts,
	): Journey | undefined {
		const isCalling = status === 'calling' && (known?.mayBeOwn(this.now) ?? true);
		const isNew = known?.wasHad !== true && known?.isOwn !== true;
		const isNobodys = status === 'connected' && queue === undefined && isNew;
		if (isCalling || isNobodys) {
			if (known) this.forget(known);
			const own = this.begin(id);
			own.isOwn = true;
			own.startedBy = agent;
			if (!isCalling) own.connectedAt = this.now;
			return own;
		}
		if (known) return known;
		return status === 'connected' || status === 'ringing' ? this.begin(id) : undefined;
	}

	private rings(agent: string, call: Journey, queue: string | undefined): void {
		this.agents.meet(agent, this.when.at);
		// What is offered to whoever began it may be answered by them.
		if (isStarter(call, agent)) call.startedBy = undefined;
		this.stopsRinging(agent, call);
		this.ringsIn.set(agent, call);
		call.ring(agent, queue, this.when.at);
	}

	/** An agent's phone does not ring any more, unless in that call. */
	private stopsRinging(agent: string, unless: Journey | undefined): void {
		const call = this.ringsIn.get(agent);
		if (!call || call === unless) return;
		this.ringsIn.delete(agent);
		this.knowing(call).rings.stops(agent, this.when);
		this.settle(call);
	}

	/** An agent's status shows which calls the agent does not have any more. */
	private leaveOthers(agent: string, status: string | undefined, call: Journey | undefined): void {
		this.stopsRinging(agent, status === 'ringing' ? call : undefined);
		// Who is connected in an own call may consult somebody.
		const isOwn = call?.isOwn === true || isStarter(call, agent);
		if (WITH_CALL.has(status) || (status === 'connected' && isOwn)) return;
		const isWithout = status === 'available';
		// A ring of the call may be reported behind the answer.
		const isInCall = status === 'connected' || status === 'ringing';
		for (const one of this.callsOf.get(agent) ?? []) {
			if (one === call && isInCall) continue;
			this.knowing(one).agentLeft(isWithout, this.when, this.stillIn(one));
			this.settle(one);
		}
	}

	/** A queue's ring shows that its agent is back, unless the agent left or logged out after it was sent. */
	private endsAbsence(agent: string, isQueueRing: boolean, event: FeedEvent): boolean {
		return isQueueRing && !isOld(this.agents.newest(agent, 'presence'), event);
	}

	/** Who else has a call that its agent has left: in a conference, or after a consultation. */
	private stillIn(call: Journey): string | undefined {
		return call.seenAgents.find((id) => {
			const { state, callId } = this.agents.get(id);
			return callId === call.id && (state === 'talking' || state === 'transferring');
		});
	}

	private onPresence(event: FeedEvent): void {
		const agent = keptId(event.msg.id_operator);
		if (agent === undefined || isOld(this.agents.newest(agent, 'presence'), event)) return;
		this.agents.onPresence(agent, event.event, keptId(event.msg.supp), this.when.at, event.cpt);
		if (event.event === 'logout') this.leaveOthers(agent, 'available', undefined);
	}

	private wrapUp(agent: string, seconds: number): void {
		const last = this.agents.meet(agent, this.when.at).lastTalk;
		if (!last) return;
		last.call.wrapsUp(seconds);
		this.changes.push({ kind: 'wrapUp', talk: last.talk, seconds, at: this.when.at });
	}

	private noteService(event: FeedEvent): void {
		const { callId, caller } = partsOf(event);
		const service = keptId(event.msg.service);
		if (callId === undefined || service === undefined) return;
		const call = this.known(callId, caller) ?? this.begin(callId);
		this.about(call, event, caller);
		if (call.service === undefined) {
			call.service = service;
			this.named(call);
		}
		this.settle(call);
	}

	/** Filters compare the numbers of a call. */
	private named(call: Journey): void {
		if (call.wasHad) this.changes.push({ kind: 'named', call });
	}

	/** @param caller of the event: if it is another one, another call has the identifier now */
	private known(id: string, caller = ''): Journey | undefined {
		const kept = makeNewest(this.calls, id);
		const call = kept && this.knowing(kept);
		if (!call?.isRecorded) return call;
		const { caller: before = '' } = call;
		if (!isNumber(before) || !isNumber(caller) || numberMatcher([before])(caller)) return call;
		this.forget(call);
		return undefined;
	}

	private begin(id: string): Journey {
		const call = new Journey(id, this.now, this, this.lastBreak);
		this.calls.set(id, call);
		return call;
	}

	/** The call, as the interruptions since it was last heard of have left it. */
	private knowing(call: Journey): Journey {
		const { next } = call.lastBreak;
		// Of several, the first one hid what followed.
		if (next) call.interrupted(next);
		call.lastBreak = this.lastBreak;
		return call;
	}

	/** What every event of a call says of it. The first caller's number stays: it may change from leg to leg. */
	private about(call: Journey, { msg }: FeedEvent, caller: string | undefined): void {
		call.heardAt = this.now;
		if (call.caller === undefined && caller !== undefined) {
			call.caller = caller;
			this.named(call);
		}
		const recorded = readRecorded(msg.rec);
		if (recorded !== undefined) call.recorded = recorded || call.recorded === true;
	}

	/** Notes when the call changes by itself, and keeps all calls within their limits. */
	private settle(call: Journey, turn = ++this.turns): void {
		if (this.calls.get(call.id) !== call) return;
		call.turn = turn;
		this.weight += call.weight - call.weighed;
		call.weighed = call.weight;
		this.deadlines.setIfSooner(call, call.nextDue());
		while (this.calls.size > MOST_CALLS || this.weight > MOST_WEIGHT) {
			const [oldest] = this.calls.values();
			if (!oldest) return;
			this.knowing(oldest).giveUp('too-many-calls', this.lag.passed(this.now), this.now);
			this.forget(oldest);
			this.changes.push({ kind: 'gaveUp', what: 'a call' });
		}
	}

	private forget(call: Journey): void {
		this.deadlines.set(call, undefined);
		this.weight -= call.weighed;
		this.calls.delete(call.id);
		if (call.agent !== undefined) this.releases(call.agent, call);
		for (const agent of call.rings.agents)
			if (this.ringsIn.get(agent) === call) this.ringsIn.delete(agent);
	}
}

/** Whether an event that is late was sent before the newest one of its call, or of a condition of its agent. */
function isOld(newest: number | undefined, { isLate, cpt = Infinity }: FeedEvent): boolean {
	return isLate === true && newest !== undefined && cpt < newest;
}

/** An entry, an answer or a deletion: what was sent before it is too late. */
function noteOrder(call: Journey, event: FeedEvent, isDeletion: boolean): void {
	const { cpt } = event;
	if (cpt === undefined) return;
	if (!isOld(call.newest, event)) call.newest = cpt;
	if (!isDeletion && !isOld(call.newestStart, event)) call.newestStart = cpt;
}

/**
 * Whether a queue lets the call ring at an agent, and has not before: a ring that is reported again does not end the
 * break that was asked for meanwhile. A caller who was answered rings at a colleague for a transfer, whatever queue the
 * event names.
 */
function isNewRing(call: Journey, agent: string, queue: string | undefined): boolean {
	const isInQueue = queue !== undefined || call.waitingIn.length > 0;
	return isInQueue && call.wait?.result !== 'answered' && !call.rings.agents.includes(agent);
}

/** Whoever began a call is its caller, or gave it to the queue: only the queue can say that they answer it. */
function isStarter(call: Journey | undefined, agent: string | undefined): boolean {
	return agent !== undefined && call?.startedBy === agent && !call.agents.includes(agent);
}

/** An agent can have a caller meanwhile: a transfer, or a consultation. */
const WITH_CALL: ReadonlySet<string | undefined> = new Set([
	'transfert_start',
	'transfert_end',
	'calling',
]);
