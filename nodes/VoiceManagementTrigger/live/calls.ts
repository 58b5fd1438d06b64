// Follows each call from event to event, since the executions of a workflow share no memory, and says how it went:
// answered, missed, ended. Pure: times come in as values, `tick` tells that time has passed, `nextDue` when to.
// What was not seen is said (`partial` and `reason`), never guessed.

import { SET_BACK_MS } from '../feed/clock';
import type { FeedEvent } from '../feed/types';
import { ByAge } from './byAge';
import { readCallEvent, readRecorded } from './callEvents';
import {
	addCallEvent,
	earlier,
	isNamed,
	MOST_CALL_EVENTS,
	CallReader,
	queueWaits,
	type CallEvent,
	type CallSummary,
} from './callHistory';
import type { CallOutcome, Offer, OutcomeKind, PartialReason } from './callOutcome';
import { CallNotes, timelineOf, weightOf } from './callTimeline';
import { keptId } from './keptId';
import { factsOf, sameFacts, type CallEnd, type VisitFacts } from './queueVisits';
import { exactSeconds } from './seconds';

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

/** Rings kept of one call. */
const MOST_OFFERS = 64;

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
	private readonly notes = new CallNotes();
	/** What the events of all calls take. */
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
		while (this.calls.size > maxCalls || this.bytes + this.notes.bytes > maxBytes) {
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
		this.notes.forget(call.id);
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
		const wait = exactSeconds(startedAt, waitedUntil);
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
			talk: answeredAt === undefined ? 0 : exactSeconds(answeredAt, leftAt),
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
			...(this.withTimeline ? { timeline: timelineOf(call.events, this.notes.of(call.id)) } : {}),
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
		if (kept.length > 1) kept.sort((a, b) => a.from - b.from).splice(MOST_OFFERS);
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
		const { maxCalls, maxBytes } = this.options;
		if (alerts) keep(this.alerted, callId, true, maxCalls);
		if (!this.withTimeline) return;
		this.notes.add(callId, event);
		// They can come before their call, and without one.
		while (this.notes.size > maxCalls || this.bytes + this.notes.bytes > maxBytes) {
			if (!this.notes.forgetOldest()) break;
		}
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
