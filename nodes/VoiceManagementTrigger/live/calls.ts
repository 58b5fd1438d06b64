// Follows each call from event to event, since the executions of a workflow share no memory, and says how it went:
// answered, missed, ended. Pure: times come in as values, `tick` tells that time has passed, `nextDue` when to.
// What was not seen is said (`partial` and `reason`), never guessed.

import {
	addCallEvent,
	earlier,
	idOf,
	isNamed,
	MOST_CALL_EVENTS,
	CallReader,
	queueWaits,
	type CallEvent,
	type CallSummary,
	type QueueWait,
	type Visit,
} from './callHistory';
import { ByAge } from './byAge';
import type { Criteria } from '../events/filter';
import { keptId, LONGEST_ID } from './keptId';
import { milliseconds } from '../events/simplify';
import { SET_BACK_MS } from '../feed/clock';
import type { FeedEvent } from '../feed/types';

export type OutcomeKind = 'answered' | 'missed' | 'ended';

/** Why an outcome is not the whole story. */
export type PartialReason =
	/** The call was under way when the feed opened (or its beginning never came). */
	| 'start-not-seen'
	/** The feed was interrupted during the call: things may have happened meanwhile. */
	| 'feed-gap'
	/** It was said to be connected under a status that the document doesn't list: nobody or somebody took it. */
	| 'status-not-known'
	/** Nothing was heard of the call for `maxAgeMs`. */
	| 'end-not-seen'
	/** More than `maxCalls` at once, or than `maxBytes`: the one that was silent longest was given up. */
	| 'too-many-calls'
	/** More events than one call's history holds. */
	| 'too-many-events';

/** How a call went. Durations in seconds, moments in milliseconds since 1970, identifiers as text. */
export interface CallOutcome {
	kind: OutcomeKind;
	callId: string;
	/** First news of it, by our clock; undefined for a call that was not followed. */
	since?: number;
	caller?: string;
	/** The number that was called, where the account gets `num` events. */
	service?: string;
	/** Undefined: it can't be known whether someone took the call. */
	answered?: boolean;
	/** Whoever had the call, in order: the first one took it. */
	agents: string[];
	queues: string[];
	trunks: string[];
	/** `queue:5` or `trunk:2`: where it was answered first, else where it was last. */
	place?: string;
	/** From the first queue to the first answer, or to the end of a missed call. Undefined where that was not seen. */
	wait?: number;
	/** From the first answer to the end, waiting after a transfer included. Undefined before the end. */
	talk?: number;
	transfers: number;
	recorded?: boolean;
	startedAt?: number;
	answeredAt?: number;
	endedAt?: number;
	reason?: PartialReason;
	/** How `wait` was divided among queues; undefined where `wait` is. */
	queueWaits?: QueueWait[];
	/** Each stay in a queue, in order. */
	visits: readonly Visit[];
	/** Each time that the call rang an agent, in order. */
	offers: Offer[];
	/** The operator raised `alert_op` for it: not enough agents. */
	alerted: boolean;
	/** What was seen of it, in order; undefined if nobody asked for it. */
	timeline?: TimelineEntry[];
}

/** The call rang at an agent. Moments by our clock. */
export interface Offer {
	agent: string;
	from: number;
	/** Undefined while it rings, and if its end was not seen. */
	to?: number;
	answered: boolean;
}

/** An event of a call, as the operator sent it. */
export interface TimelineEntry {
	/** Milliseconds since 1970 by the operator's clock. */
	at: number;
	cpt?: number;
	event: string;
	queue?: string;
	trunk?: string;
	agent?: string;
	status?: string;
}

/**
 * How a stay in a queue stands:
 * - `waiting`, `talking`: the caller is there;
 * - `left`: gone without an answer, and not known yet whether the call goes on elsewhere;
 * - `moved`: it went on elsewhere: this stay does not count;
 * - `over`: answered and ended, or abandoned;
 * - `unknown`: the feed was interrupted, or nothing tells whether it was answered.
 */
export type VisitState = 'waiting' | 'talking' | 'left' | 'moved' | 'over' | 'unknown';

/** What is known of a stay in a queue. Moments in milliseconds by our clock, durations in seconds. */
export interface VisitFacts {
	queue: string;
	state: VisitState;
	since: number;
	/** What it counts as, and from when; undefined while it counts as nothing. */
	result?: 'answered' | 'abandoned' | 'unknown';
	decidedAt?: number;
	/** Undefined if its beginning was not seen. */
	wait?: number;
	answeredSeen?: number;
	/** When the caller went from here without an answer. */
	leftSeen?: number;
	/** An answered or abandoned stay that is over. */
	endedAt?: number;
	talk?: number;
}

/** The call that something is told of. */
export interface CallRef {
	id: string;
	caller?: string;
	service?: string;
	agents: readonly string[];
	queues: readonly string[];
	trunks: readonly string[];
}

/** Hears how calls stand, beside their outcomes. */
export interface CallObserver {
	/** @param index of the stay among those of its call */
	visit(call: CallRef, index: number, before: VisitFacts | undefined, after: VisitFacts): void;
	/** Someone has the call since then, by our clock; undefined: nobody any more, from `at` on. */
	talking(call: CallRef, since: number | undefined, ended: boolean, at: number): void;
	/** An agent took a call. */
	taken(agent: string, at: number): void;
}

export interface CallsOptions {
	/** A call that left a queue may turn up in another within this time. */
	graceMs: number;
	/** How long an answer waits for a beginning that was overtaken on its way. */
	reorderMs: number;
	/** A call without any news leaves after this time. */
	maxAgeMs: number;
	maxCalls: number;
	/** Of what is kept of all calls' events. */
	maxBytes: number;
}

export const CALLS_DEFAULTS: CallsOptions = {
	graceMs: 5_000,
	reorderMs: 1_000,
	maxAgeMs: 12 * 60 * 60 * 1000,
	maxCalls: 20_000,
	maxBytes: 256 * 1024 * 1024,
};

/** What an event of a call takes beside its texts. */
const EVENT_BYTES = 200;

interface Call {
	id: string;
	events: CallEvent[];
	reader: CallReader;
	caller?: string;
	recorded?: boolean;
	answerTold: boolean;
	/** The feed was interrupted since the call was first seen. */
	cut: boolean;
	/** It came from a queue that it had entered before the feed opened. */
	waitedBefore: boolean;
	overfull: boolean;
	lastSeen: number;
	/** What the observer was told of it last. */
	visits: VisitFacts[];
	talkingSince?: number;
	taken: number;
}

/** Rings and other news kept for one call. */
const MOST_NOTES = 64;

const KIND_OF_EVENT: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	['insert_call', 'insert'],
	['connect_call', 'connect'],
	['delete_call', 'delete'],
	['alert_op', 'waits'],
	['alert_file', 'waits'],
]);

/**
 * What the status of a `connect_call` makes of it: only a call in progress is an answer. Any other status, also one that
 * the document lists for agents alone, leaves it open.
 */
const KIND_OF_CONNECTION: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	[undefined, 'connect'],
	['connected', 'connect'],
	['ringing', 'ringing'],
	['calling', 'ringing'],
	['available', 'ringing'],
	['unavailable', 'ringing'],
]);

/** Status changes of an agent that tell something about the call they name. */
const KIND_OF_STATUS: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	['connected', 'agentConnected'],
	['ringing', 'waits'],
	['transfert_start', 'transferStart'],
	['transfert_end', 'transferEnd'],
]);

/** The criteria that a trigger's filters are held against for an outcome. */
export function criteriaOf(outcome: CallOutcome): Criteria {
	return {
		agentIds: outcome.agents,
		queueIds: outcome.queues,
		trunkIds: outcome.trunks,
		callerNumber: outcome.caller,
		serviceNumber: outcome.service,
	};
}

export class CallTracker {
	/** By the time of the last news: the first has been silent longest. */
	private readonly calls = new ByAge<Call>();
	/** Calls that left their last place, and when they count as over. */
	private readonly leaving = new ByAge<number>();
	/** Calls whose answer waits for their beginning, and until when. */
	private readonly heldAnswers = new ByAge<number>();
	/** Calls that a trunk took, and until when they may turn up in a queue, to wait there for an answer. */
	private readonly trunkAnswers = new ByAge<number>();
	/** Trunks that were seen to put callers into a queue: their answer alone says nothing before the call's end. */
	private readonly trunksOfQueues = new Set<string>();
	/** The last event of calls that are over: what comes late must not make a new call. */
	private readonly over = new ByAge<{ callEvent: CallEvent; at: number }>();
	/** Called numbers of calls, from `num` events. */
	private readonly services = new ByAge<string>();
	/** Each time that a call rang an agent, and calls with an `alert_op`: they can come before the call's first event. */
	private readonly offers = new ByAge<Offer[]>();
	private readonly alerted = new ByAge<true>();
	/** Events that tell nothing about the outcome, if a timeline was asked for. */
	private readonly notes = new ByAge<TimelineEntry[]>();
	/** What the events of all calls take, their notes included. */
	private bytes = 0;
	/** Keep what a timeline needs. */
	withTimeline = false;
	/**
	 * Nothing is due before this moment (milliseconds since 1970): what waits for its time is not looked through for each
	 * event.
	 */
	private dueAt = Number.POSITIVE_INFINITY;
	private tickedAt = Number.NEGATIVE_INFINITY;
	/** Just after the feed opened, a call that says that it has waited did so elsewhere. */
	private openedAt: number;

	/** @param openedAt when the feed opened, milliseconds since 1970 */
	constructor(
		openedAt: number,
		private readonly options: CallsOptions = CALLS_DEFAULTS,
		private readonly observer?: CallObserver,
	) {
		this.openedAt = openedAt;
	}

	/** Calls being followed. */
	get size(): number {
		return this.calls.size;
	}

	/** Tells an observer that comes later how the calls stand. */
	replay(observer: CallObserver): void {
		for (const { value: call } of this.calls) {
			const ref = this.refOf(call, summaryOf(call));
			for (const [index, facts] of call.visits.entries())
				observer.visit(ref, index, undefined, facts);
			if (call.talkingSince !== undefined)
				observer.talking(ref, call.talkingSince, false, call.talkingSince);
		}
	}

	/** Whether a call is being followed, or was until lately. */
	has(callId: string): boolean {
		return this.calls.has(callId) || this.over.has(callId);
	}

	/**
	 * Takes an event in; gives the outcomes that follow from it, and those whose time had come before it.
	 * @param seen when it happened by our clock, milliseconds since 1970
	 */
	onEvent(event: FeedEvent, seen = event.receivedAt): CallOutcome[] {
		const now = event.receivedAt;
		const outcomes = this.tick(now);
		const callId = keptId(event.msg.id_call);
		if (callId === undefined) return outcomes;
		if (event.type === 'num') {
			this.noteService(callId, event);
			return outcomes;
		}
		const known = this.calls.renew(callId);
		if (known) touch(known, event);
		const callEvent = readCallEvent(event, seen);
		if (!callEvent || callEvent.kind === 'waits') this.note(callId, event);
		// An alert or a ringing phone shows that the caller is still there: news only if that was in doubt.
		if (callEvent?.kind === 'waits' && !known?.cut) return outcomes;
		if (!callEvent || (!known && this.isLate(callId, callEvent))) return outcomes;
		// An agent's status alone makes no call: it may be one that the agent placed. Neither does an event that names no place.
		if (
			!known &&
			(callEvent.place === undefined || event.type === 'operator' || !isNamed(callEvent.place))
		)
			return outcomes;
		const call = known ?? this.begin(callId, event);
		const place = addCallEvent(call.events, callEvent);
		if (place === undefined) return outcomes;
		this.bytes += weightOf(callEvent);
		const isNewest = place === call.events.length - 1;
		if (call.events.length > MOST_CALL_EVENTS) {
			// The first event is the beginning; what goes is the oldest of the middle.
			for (const gone of call.events.splice(1, 1)) this.bytes -= weightOf(gone);
			call.overfull = true;
		}
		if (!isNewest || call.overfull) call.reader = new CallReader();
		this.update(call, now, outcomes);
		this.bound(outcomes);
		return outcomes;
	}

	/** The feed was interrupted: of every call under way, something may not have been seen. */
	onBreak(seen = 0): void {
		for (const { value: call } of this.calls) {
			if (call.cut && call.events.at(-1)?.kind === 'break') continue;
			call.cut = true;
			// In the order of what was seen: the operator's clock need not agree with ours.
			const interruption = { kind: 'break', at: call.events.at(-1)?.at ?? 0, seen } as const;
			call.events.push(interruption);
			this.bytes += weightOf(interruption);
			this.observe(call, summaryOf(call), undefined);
		}
		// A call that was over may go on unseen as well; its next event makes a call whose start was not seen.
		this.over.clear();
	}

	/** The feed is open (again). */
	onOpened(at: number): void {
		this.openedAt = at;
	}

	/** Time has passed: outcomes of calls that count as over, and of those without an end. */
	tick(now: number): CallOutcome[] {
		const outcomes: CallOutcome[] = [];
		if (now < this.tickedAt - SET_BACK_MS) this.setBack(this.tickedAt - now);
		this.tickedAt = now;
		if (now < this.dueAt) return outcomes;
		for (const held of [this.heldAnswers, this.trunkAnswers]) {
			for (const { key: id, value: due } of held) {
				if (due > now) break;
				held.delete(id);
				const call = this.calls.get(id);
				if (call) this.tellAnswer(call, summaryOf(call), outcomes);
			}
		}
		for (const { key: id, value: due } of this.leaving) {
			if (due > now) break;
			const call = this.calls.get(id);
			if (call) this.finish(call, now, undefined, outcomes);
		}
		for (const { value: call } of this.calls) {
			if (call.lastSeen + this.options.maxAgeMs > now) break;
			this.finish(call, now, 'end-not-seen', outcomes);
		}
		for (const { key, value } of this.over) {
			if (value.at + this.options.maxAgeMs > now) break;
			this.over.delete(key);
		}
		this.dueAt = this.earliest();
		return outcomes;
	}

	/** The machine's clock was set back: what waits has as long to wait as before, and keeps nothing after it waiting. */
	private setBack(ms: number): void {
		for (const waiting of [this.heldAnswers, this.trunkAnswers, this.leaving]) {
			for (const entry of waiting) entry.value -= ms;
		}
		for (const { value } of this.calls) value.lastSeen -= ms;
		for (const { value } of this.over) value.at -= ms;
		this.openedAt -= ms;
		this.dueAt -= ms;
	}

	/** When `tick` may have something to do next (milliseconds since 1970); undefined when nothing is due. */
	nextDue(): number | undefined {
		return this.dueAt === Number.POSITIVE_INFINITY ? undefined : this.dueAt;
	}

	/** What has a time now is due then, or later. */
	private expect(due: number): number {
		this.dueAt = Math.min(this.dueAt, due);
		return due;
	}

	private earliest(): number {
		const oldest = this.calls.oldest();
		return Math.min(
			this.heldAnswers.oldest()?.value ?? Number.POSITIVE_INFINITY,
			this.trunkAnswers.oldest()?.value ?? Number.POSITIVE_INFINITY,
			this.leaving.oldest()?.value ?? Number.POSITIVE_INFINITY,
			oldest ? oldest.value.lastSeen + this.options.maxAgeMs : Number.POSITIVE_INFINITY,
		);
	}

	private begin(id: string, event: FeedEvent): Call {
		this.over.delete(id);
		const call: Call = {
			id,
			events: [],
			reader: new CallReader(),
			answerTold: false,
			cut: false,
			waitedBefore: this.waitedBefore(event),
			overfull: false,
			lastSeen: event.receivedAt,
			visits: [],
			taken: 0,
		};
		this.calls.set(id, call);
		touch(call, event);
		this.expect(call.lastSeen + this.options.maxAgeMs);
		return call;
	}

	/** A call entering a queue just after the feed opened, with waiting time behind it, came from another. */
	private waitedBefore({ event, msg, receivedAt }: FeedEvent): boolean {
		if (event !== 'insert_call' || receivedAt - this.openedAt > this.options.graceMs) return false;
		return Number(keptId(msg.duration_in_queue) ?? 0) > 0;
	}

	/** Signs of a call that is over, but for those sent after its end by which it begins anew. */
	private isLate(callId: string, callEvent: CallEvent): boolean {
		const end = this.over.get(callId);
		if (!end || end.at + this.options.maxAgeMs <= callEvent.seen) return false;
		return callEvent.kind !== 'insert' || !earlier(end.callEvent, callEvent);
	}

	private noteService(callId: string, { msg }: FeedEvent): void {
		const service = keptId(msg.service);
		if (service === undefined) return;
		keep(this.services, callId, service, this.options.maxCalls);
	}

	/** What the call's newest event means. */
	private update(call: Call, now: number, outcomes: CallOutcome[]): void {
		const summary = summaryOf(call);
		this.observe(call, summary, undefined);
		if (summary.left) {
			if (!this.leaving.has(call.id))
				this.leaving.set(call.id, this.expect(now + this.options.graceMs));
		} else {
			this.leaving.delete(call.id);
		}
		if (summary.answeredAt === undefined) {
			// A trunk's answer, told or not, was none: the caller waits in a queue.
			if (call.answerTold || this.trunkAnswers.delete(call.id)) this.learnTrunks(summary);
			call.answerTold = false;
			return;
		}
		if (call.answerTold) return;
		if (summary.answeredByTrunk) {
			if (summary.trunks.some((trunk) => this.trunksOfQueues.has(trunk))) return;
			if (!this.trunkAnswers.has(call.id))
				this.trunkAnswers.set(call.id, this.expect(now + this.options.graceMs));
		} else if (summary.startedAt !== undefined) {
			this.tellAnswer(call, summary, outcomes);
		} else if (!this.heldAnswers.has(call.id)) {
			this.heldAnswers.set(call.id, this.expect(now + this.options.reorderMs));
		}
	}

	private learnTrunks({ trunks }: CallSummary): void {
		if (this.trunksOfQueues.size >= this.options.maxCalls) this.trunksOfQueues.clear();
		for (const trunk of trunks) this.trunksOfQueues.add(trunk);
	}

	private tellAnswer(call: Call, summary: CallSummary, outcomes: CallOutcome[]): void {
		this.heldAnswers.delete(call.id);
		this.trunkAnswers.delete(call.id);
		if (call.answerTold) return;
		call.answerTold = true;
		const outcome = this.describe('answered', call, summary, reasonOf(call, summary));
		// What came after the answer (out of order) is the end's to tell.
		outcome.agents = summary.agents.slice(0, 1);
		outcome.transfers = 0;
		outcome.talk = undefined;
		outcome.endedAt = undefined;
		outcomes.push(outcome);
	}

	private finish(
		call: Call,
		now: number,
		failure: PartialReason | undefined,
		outcomes: CallOutcome[],
	): void {
		const summary = summaryOf(call);
		if (summary.answeredAt !== undefined) this.tellAnswer(call, summary, outcomes);
		const reason = failure ?? reasonOf(call, summary);
		// Not seen to be answered is only missed where everything was seen.
		const unsure = summary.answeredAt === undefined && reason !== undefined;
		const kind = summary.answeredAt === undefined && !unsure ? 'missed' : 'ended';
		const outcome = this.describe(kind, call, summary, reason);
		if (unsure) {
			outcome.answered = undefined;
			outcome.wait = undefined;
			outcome.queueWaits = undefined;
			outcome.talk = undefined;
		}
		if (failure) {
			outcome.endedAt = undefined;
			outcome.talk = undefined;
		}
		outcomes.push(outcome);
		this.observe(call, summary, {
			missed: !unsure && kind === 'missed',
			sure: reason === undefined,
			at: now,
		});
		this.forget(call, now);
	}

	/** Gives up the calls that were silent longest, as long as there are too many or they take too much. */
	private bound(outcomes: CallOutcome[]): void {
		const { maxCalls, maxBytes } = this.options;
		while (this.calls.size > maxCalls || this.bytes > maxBytes) {
			const oldest = this.calls.oldest()?.value;
			if (!oldest) break;
			this.finish(oldest, oldest.lastSeen, 'too-many-calls', outcomes);
		}
	}

	private forget(call: Call, now: number): void {
		this.calls.delete(call.id);
		this.leaving.delete(call.id);
		this.heldAnswers.delete(call.id);
		this.trunkAnswers.delete(call.id);
		this.services.delete(call.id);
		this.offers.delete(call.id);
		this.alerted.delete(call.id);
		this.forgetNotes(call.id);
		for (const callEvent of call.events) this.bytes -= weightOf(callEvent);
		const callEvent = call.events.at(-1);
		if (callEvent) keep(this.over, call.id, { callEvent, at: now }, this.options.maxCalls);
	}

	private describe(
		kind: OutcomeKind,
		call: Call,
		summary: CallSummary,
		reason: PartialReason | undefined,
	): CallOutcome {
		const { answeredAt, answeredIn, leftAt } = summary;
		const startedAt = startUnseen(call, summary) ? undefined : summary.startedAt;
		const waitedUntil = answeredAt ?? leftAt;
		const wait = seconds(startedAt, waitedUntil);
		return {
			kind,
			callId: call.id,
			since: call.events[0]?.seen,
			caller: call.caller,
			service: this.services.get(call.id),
			answered: answeredAt !== undefined,
			agents: [...summary.agents],
			queues: [...summary.queues],
			trunks: [...summary.trunks],
			place: answeredIn ?? call.events.findLast(({ place }) => place && isNamed(place))?.place,
			wait,
			talk: answeredAt === undefined ? 0 : seconds(answeredAt, leftAt),
			transfers: summary.transfers,
			recorded: call.recorded,
			startedAt,
			answeredAt,
			endedAt: leftAt,
			reason,
			...(wait === undefined
				? {}
				: { queueWaits: queueWaits(call.events, startedAt as number, waitedUntil as number) }),
			visits: summary.visits.map((visit) => ({ ...visit })),
			offers: this.offersOf(call),
			alerted: this.alerted.has(call.id),
			...(this.withTimeline ? { timeline: this.timeline(call) } : {}),
		};
	}

	/**
	 * An agent's phone rang for a call: the rings since `from` replace those known of the same agent since then.
	 * @param from moment by our clock
	 */
	offered(callId: string, agent: string, from: number, rings: readonly Offer[]): void {
		if (this.over.has(callId)) return;
		const known = this.offers.get(callId);
		const kept = known?.filter((offer) => offer.agent !== agent || offer.from < from) ?? [];
		kept.push(...rings);
		if (kept.length > 1) kept.sort((a, b) => a.from - b.from).splice(MOST_NOTES);
		keep(this.offers, callId, kept, this.options.maxCalls);
	}

	/** Every agent that the call rang. A `connect_call` that only rings tells of some without any event of the agent's. */
	private offersOf({ id, events }: Call): Offer[] {
		const offers = [...(this.offers.get(id) ?? [])];
		for (const { kind, status, agent, seen } of events) {
			if (kind !== 'ringing' || status !== 'ringing' || agent === undefined) continue;
			if (!offers.some((offer) => offer.agent === agent))
				offers.push({ agent, from: seen, answered: false });
		}
		return offers.length > 1 ? offers.sort((a, b) => a.from - b.from) : offers;
	}

	/** Keeps what an event tells that has no part in the outcome. */
	private note(callId: string, event: FeedEvent): void {
		const alerts = event.type === 'queue' && event.event === 'alert_op';
		if ((!alerts && !this.withTimeline) || this.over.has(callId)) return;
		if (alerts) keep(this.alerted, callId, true, this.options.maxCalls);
		if (!this.withTimeline) return;
		const entry = timelineEntry(event);
		const known = this.notes.get(callId) ?? [];
		if (known.length >= MOST_NOTES || known.some((one) => sameEntry(one, entry))) return;
		this.bytes += weightOf(entry);
		this.notes.set(callId, [...known, entry]);
		// They can come before their call, and without one.
		while (this.notes.size > this.options.maxCalls || this.bytes > this.options.maxBytes) {
			const oldest = this.notes.oldest();
			if (!oldest) break;
			this.forgetNotes(oldest.key);
		}
	}

	private forgetNotes(callId: string): void {
		for (const note of this.notes.get(callId) ?? []) this.bytes -= weightOf(note);
		this.notes.delete(callId);
	}

	private timeline(call: Call): TimelineEntry[] {
		const entries = call.events
			.filter(({ kind }) => kind !== 'break' && kind !== 'waits')
			.map(({ at, cpt, name, place, agent, status }) => ({
				at,
				...(cpt === undefined ? {} : { cpt }),
				event: name ?? '',
				...(place === undefined || !isNamed(place)
					? {}
					: { [place.startsWith('queue:') ? 'queue' : 'trunk']: idOf(place) }),
				...(agent === undefined ? {} : { agent }),
				...(status === undefined ? {} : { status }),
			}));
		return [...entries, ...(this.notes.get(call.id) ?? [])].sort(
			(a, b) => a.at - b.at || (a.cpt ?? 0) - (b.cpt ?? 0),
		);
	}

	private refOf({ id, caller }: Call, { agents, queues, trunks }: CallSummary): CallRef {
		return { id, caller, service: this.services.get(id), agents, queues, trunks };
	}

	/** Tells the observer what has changed. @param end how the call ended, if it is over */
	private observe(call: Call, summary: CallSummary, end: CallEnd | undefined): void {
		const { observer } = this;
		if (!observer) return;
		const ref = this.refOf(call, summary);
		const newest = call.events.at(-1)?.seen ?? 0;
		if (summary.agents.length > call.taken) {
			for (const agent of summary.agents.slice(call.taken)) observer.taken(agent, newest);
		}
		call.taken = summary.agents.length;
		for (const [index, visit] of summary.visits.entries()) {
			const before = call.visits.at(index);
			const after = factsOf(visit, index, summary, end);
			if (before && sameFacts(before, after)) continue;
			call.visits[index] = after;
			observer.visit(ref, index, before, after);
		}
		// Events that came late can show that there were fewer.
		while (call.visits.length > summary.visits.length) {
			const before = call.visits.pop() as VisitFacts;
			const { queue, since } = before;
			observer.visit(ref, call.visits.length, before, { queue, since, state: 'moved' });
		}
		const byFeedingTrunk =
			summary.answeredByTrunk && summary.trunks.some((trunk) => this.trunksOfQueues.has(trunk));
		const since = end || byFeedingTrunk ? undefined : summary.talkingSince;
		if (since === call.talkingSince) return;
		call.talkingSince = since;
		observer.talking(ref, since, summary.left || end !== undefined, end?.at ?? newest);
	}
}

/** How a call ended, as far as its stays in queues are concerned. */
interface CallEnd {
	missed: boolean;
	/** All of it was seen. */
	sure: boolean;
	/** By our clock. */
	at: number;
}

/** What a stay counts as. Only what is certain counts as abandoned; a stay that went on elsewhere counts as nothing. */
function factsOf(
	visit: Visit,
	index: number,
	summary: CallSummary,
	end: CallEnd | undefined,
): VisitFacts {
	const { queue, since, enteredAt, answeredAt, answeredSeen, leftAt, leftSeen, doubtSince } = visit;
	if (answeredSeen !== undefined) {
		const facts = {
			queue,
			since,
			result: 'answered',
			decidedAt: answeredSeen,
			answeredSeen,
			wait: seconds(enteredAt, answeredAt),
		} as const;
		if (leftAt === undefined && !end)
			return { ...facts, state: doubtSince === undefined ? 'talking' : 'unknown' };
		return { ...facts, state: 'over', endedAt: leftSeen, talk: seconds(answeredAt, leftAt) };
	}
	const goesOn = index < summary.visits.length - 1;
	if (doubtSince !== undefined)
		return { queue, since, state: 'unknown', result: 'unknown', decidedAt: doubtSince };
	if (leftAt === undefined) {
		if (end) return { queue, since, state: 'unknown', result: 'unknown', decidedAt: end.at };
		// In two queues at once, the caller waits in the newer one.
		if (!goesOn) return { queue, since, state: 'waiting' };
		return { queue, since, state: 'moved', leftSeen: summary.visits[index + 1]?.since };
	}
	if (goesOn) return { queue, since, state: 'moved', leftSeen };
	const wait = seconds(enteredAt, leftAt);
	if (!end) return { queue, since, state: 'left', leftSeen, wait };
	if (end.missed || (end.sure && summary.answeredAt !== undefined && passedOn(visit, summary)))
		return {
			queue,
			since,
			state: 'over',
			result: 'abandoned',
			decidedAt: leftSeen,
			wait,
			endedAt: leftSeen,
		};
	if (end.sure) return { queue, since, state: 'moved' };
	return { queue, since, state: 'unknown', result: 'unknown', decidedAt: leftSeen };
}

/** Whether an answered call was passed on into this queue: then its caller has left this one unanswered. */
function passedOn({ enteredAt }: Visit, { answeredAt }: CallSummary): boolean {
	return enteredAt !== undefined && answeredAt !== undefined && enteredAt >= answeredAt;
}

function sameFacts(a: VisitFacts, b: VisitFacts): boolean {
	return (
		a.queue === b.queue &&
		a.state === b.state &&
		a.since === b.since &&
		a.result === b.result &&
		a.decidedAt === b.decidedAt &&
		a.wait === b.wait &&
		a.endedAt === b.endedAt &&
		a.talk === b.talk
	);
}

/** News of a call, of whatever kind. */
function touch(call: Call, { msg, receivedAt }: FeedEvent): void {
	call.lastSeen = receivedAt;
	call.caller ??= keptId(msg.caller_id_num);
	if (call.recorded !== true) call.recorded = readRecorded(msg.rec) ?? call.recorded;
}

/** Sets an entry as the newest of a map that holds so many at most. */
function keep<T>(map: ByAge<T>, key: string, value: T, most: number): void {
	map.set(key, value);
	map.trim(most);
}

function timelineEntry({ event, ts, receivedAt, cpt, type, msg }: FeedEvent): TimelineEntry {
	const queue = keptId(msg.id_queue);
	const trunk = keptId(msg.id_trunk);
	const agent = keptId(msg.id_operator);
	const status = keptId(msg.status ?? msg.statut);
	return {
		at: ts === undefined ? receivedAt : milliseconds(ts),
		...(cpt === undefined ? {} : { cpt }),
		event: event.length > LONGEST_ID ? type : event || type,
		...(queue === undefined ? {} : { queue }),
		...(trunk === undefined ? {} : { trunk }),
		...(agent === undefined ? {} : { agent }),
		...(status === undefined ? {} : { status }),
	};
}

function sameEntry(a: TimelineEntry, b: TimelineEntry): boolean {
	return a.at === b.at && a.event === b.event && a.agent === b.agent && a.status === b.status;
}

/** Roughly how many bytes an event takes that is kept of a call. */
function weightOf(kept: CallEvent | TimelineEntry): number {
	const { agent = '', status = '' } = kept;
	const { place = '', name = '' } = 'kind' in kept ? kept : { name: kept.event };
	return EVENT_BYTES + agent.length + status.length + place.length + name.length;
}

/** What its events add up to so far. */
function summaryOf({ reader, events }: Call): CallSummary {
	return reader.summarise(events);
}

function startUnseen(call: Call, summary: CallSummary): boolean {
	return call.waitedBefore || summary.startUnseen || summary.startedAt === undefined;
}

function reasonOf(call: Call, summary: CallSummary): PartialReason | undefined {
	if (call.cut) return 'feed-gap';
	if (startUnseen(call, summary)) return 'start-not-seen';
	if (summary.unclear) return 'status-not-known';
	return call.overfull ? 'too-many-events' : undefined;
}

function seconds(from: number | undefined, to: number | undefined): number | undefined {
	return from === undefined || to === undefined ? undefined : Math.max(0, to - from) / 1000;
}

/** What an event says about a call; undefined where it says nothing that matters here. */
function readCallEvent(event: FeedEvent, seen: number): CallEvent | undefined {
	const { type, msg, cpt } = event;
	const status = keptId(msg.status ?? msg.statut);
	const kind =
		type === 'queue' || type === 'trunk'
			? kindOfPlaceEvent(event.event, status)
			: type === 'operator'
				? KIND_OF_STATUS.get(status)
				: undefined;
	if (kind === undefined) return undefined;
	const placeKind = type === 'trunk' ? 'trunk' : 'queue';
	const placeId = keptId(type === 'trunk' ? msg.id_trunk : msg.id_queue);
	// What a call enters has to be known by name; it leaves where it is.
	if (placeId === undefined && kind === 'insert') return undefined;
	const place =
		placeId === undefined && type === 'operator' ? undefined : `${placeKind}:${placeId ?? ''}`;
	return {
		kind,
		place,
		agent: keptId(msg.id_operator),
		at: event.ts === undefined ? event.receivedAt : milliseconds(event.ts),
		cpt,
		seen,
		name: event.event.length > LONGEST_ID ? type : event.event,
		status,
	};
}

function kindOfPlaceEvent(
	event: string,
	status: string | undefined,
): CallEvent['kind'] | undefined {
	const kind = KIND_OF_EVENT.get(event);
	return kind === 'connect' ? (KIND_OF_CONNECTION.get(status) ?? 'unclear') : kind;
}

/** `rec`: 1 in the document's example; text and booleans are taken alike. Undefined where it says nothing. */
function readRecorded(rec: unknown): boolean | undefined {
	const text = typeof rec === 'boolean' ? String(Number(rec)) : keptId(rec);
	if (text === undefined) return undefined;
	return text !== '0' && text !== 'false';
}
