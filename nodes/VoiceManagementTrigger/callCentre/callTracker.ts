// Follows each call from event to event, since the executions of a workflow share no memory, and reports its outcome:
// answered, missed, ended. Pure: times are passed in as values, `tick` advances the time, `nextDue` returns the next
// time for it. What was not seen is reported as such (`partial` and `reason`), never guessed.

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
	type Sent,
} from './callHistory';
import type { CallOutcome, Offer, OutcomeKind, PartialReason } from './outcomeTypes';
import { CallNotes, timelineOf, weightOf } from './callTimeline';
import { Deadlines, type Dated } from './deadlines';
import { keptId } from './keptId';
import { factsOf, goesOn, sameFacts, type CallEnd, type VisitFacts } from './queueVisits';
import { exactSeconds } from './seconds';

/** The call that a notification is about. */
export interface CallRef {
	id: string;
	caller?: string;
	service?: string;
	agents: readonly string[];
	queues: readonly string[];
	trunks: readonly string[];
	/** Who has it, and the queue in which they do. */
	agent?: string;
	talkingIn?: string;
}

/** Is notified of the state of calls, in addition to their outcomes. */
export interface CallObserver {
	/**
	 * @param index the position of the stay among those of its call
	 * @param after undefined if a late event shows that there was no such stay
	 */
	visit(
		call: CallRef,
		index: number,
		before: VisitFacts | undefined,
		after: VisitFacts | undefined,
	): void;
	/**
	 * Someone has had the call since then, by our clock, or somebody else has it now; undefined: nobody has it any more,
	 * from `at` on.
	 */
	talking(call: CallRef, since: number | undefined, ended: boolean, at: number): void;
	/** An agent took a call. @param sign -1: a late event shows that it was at another time, or not at all */
	taken(agent: string, at: number, sign: 1 | -1): void;
}

export interface CallsOptions {
	/** A call that left a queue may reappear in another within this time. */
	graceMs: number;
	/** How long an answer waits for a beginning that arrives late. */
	reorderMs: number;
	/** A call without any event is given up after this time. */
	maxAgeMs: number;
	maxCalls: number;
	/** Limit for the stored events of all calls. */
	maxBytes: number;
}

export const CALLS_DEFAULTS: CallsOptions = {
	graceMs: 5_000,
	reorderMs: 1_000,
	maxAgeMs: 12 * 60 * 60 * 1000,
	maxCalls: 20_000,
	maxBytes: 256 * 1024 * 1024,
};

/** Limit for the rings stored per call. */
const MOST_OFFERS = 64;

/** What is known of a call besides its events. It can arrive before the first of them. */
interface About {
	/** The called number, from a `num` event. */
	service: string | undefined;
	/** Each ring of an agent. */
	offers: Offer[];
	/** There was an `alert_op`. */
	alerted: boolean;
	/** Seconds of wrap-up. */
	wrapUp: number | undefined;
}

const NOBODY = { agents: [], agentsSince: [] };

interface Call extends Dated {
	readonly id: string;
	readonly about: About;
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
	/** The visits as last reported to the observer. */
	visits: VisitFacts[];
	talkingSince?: number;
	/** Who has it, and where, as last reported. */
	talking: Pick<CallRef, 'agent' | 'talkingIn'>;
	/** Who took it, and when, as last reported. */
	taken: Pick<CallSummary, 'agents' | 'agentsSince'>;
	/** It left its last place: when it counts as ended. */
	endsAt?: number | undefined;
	/** Until when its answer waits: for its beginning, or for the queue in which a trunk may still put it. */
	answersAt?: number | undefined;
}

export class CallTracker {
	/** Ordered by the last event: the first one has been silent longest. */
	private readonly calls = new ByAge<Call>();
	private readonly deadlines = new Deadlines<Call>();
	/** Trunks that have put callers into a queue: their answer proves nothing before the call's end. */
	private readonly trunksOfQueues = new Set<string>();
	/** The last event of calls that are over, and until when a late event does not create a new call. */
	private readonly over = new ByAge<Sent & { until: number }>();
	/** Calls without an event so far. */
	private readonly early = new ByAge<About>();
	/** Events that don't affect the outcome, if a timeline was requested. */
	private readonly notes = new CallNotes();
	/** Size of the events of all calls. */
	private bytes = 0;
	/** Store what a timeline needs. */
	withTimeline = false;
	/** A call that enters a queue just after this moment with waiting time behind it has waited elsewhere. */
	private openedAt: number;

	/** @param openedAt when the feed opened, milliseconds since 1970 */
	constructor(
		openedAt: number,
		private readonly options: CallsOptions = CALLS_DEFAULTS,
		private readonly observer?: CallObserver,
	) {
		this.openedAt = openedAt;
	}

	/** Number of calls being followed. */
	get size(): number {
		return this.calls.size;
	}

	/** Reports the current state of the calls to an observer that joins later. */
	replay(observer: CallObserver): void {
		for (const { value: call } of this.calls) {
			const ref = refOf(call, summaryOf(call));
			for (const [index, facts] of call.visits.entries())
				observer.visit(ref, index, undefined, facts);
			if (call.talkingSince !== undefined)
				observer.talking(ref, call.talkingSince, false, call.talkingSince);
		}
	}

	/** Whether a call is being followed, or was until recently. */
	has(callId: string): boolean {
		return this.calls.has(callId) || this.over.has(callId);
	}

	/**
	 * Processes an event; returns the outcomes that follow from it, and those that were due before it.
	 * @param seen when it happened by our clock, milliseconds since 1970
	 */
	onEvent(event: FeedEvent, seen = event.receivedAt): CallOutcome[] {
		const now = event.receivedAt;
		const outcomes = this.tick(now);
		const callId = keptId(event.msg.id_call);
		if (callId === undefined) return outcomes;
		if (event.type === 'num') {
			const about = this.about(callId);
			about.service = keptId(event.msg.service) ?? about.service;
			return outcomes;
		}
		const known = this.calls.renew(callId);
		if (known) touch(known, event);
		const callEvent = readCallEvent(event, seen);
		if (!callEvent || callEvent.kind === 'waits') this.note(callId, event);
		// An alert or a ringing phone proves that the caller is still there, which matters only after an interruption.
		if (callEvent?.kind === 'waits' && !known?.cut) return outcomes;
		if (!callEvent || (!known && this.isLate(callId, callEvent))) return outcomes;
		// An agent's status alone does not create a call: the agent may have placed it. Nor does an event without a
		// place.
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
			// The first event is the beginning of the call, so the oldest one after it is dropped.
			for (const gone of call.events.splice(1, 1)) this.bytes -= weightOf(gone);
			call.overfull = true;
		}
		if (!isNewest || call.overfull) call.reader = new CallReader();
		this.update(call, now, outcomes);
		this.bound(outcomes);
		return outcomes;
	}

	/** The feed was interrupted: events of every current call may be missing. */
	onBreak(seen = 0): void {
		for (const { value: call } of this.calls) {
			if (call.cut && call.events.at(-1)?.kind === 'break') continue;
			call.cut = true;
			// In the order of arrival, since the provider's clock need not agree with ours: right after what was sent last.
			const { at = 0, cpt } = call.events.at(-1) ?? {};
			const interruption = { kind: 'break', at, cpt, seen } as const;
			call.events.push(interruption);
			this.bytes += weightOf(interruption);
			this.observe(call, summaryOf(call), undefined);
		}
		// A call that was over may also have continued unseen; its next event creates a call whose start was not seen.
		this.over.clear();
	}

	/** The feed is open, or open again. */
	onOpened(at: number): void {
		this.openedAt = at;
	}

	/** Time has passed: returns the outcomes of calls that count as over, and of those without an end. */
	tick(now: number): CallOutcome[] {
		const outcomes: CallOutcome[] = [];
		for (let call = this.deadlines.take(now); call; call = this.deadlines.take(now)) {
			if ((call.answersAt ?? Infinity) <= now) this.tellAnswer(call, summaryOf(call), outcomes);
			if ((call.endsAt ?? Infinity) <= now) this.conclude(call, now, undefined, outcomes);
			else if (this.silentUntil(call) <= now) this.conclude(call, now, 'end-not-seen', outcomes);
			else this.schedule(call);
		}
		return outcomes;
	}

	/** When `tick` may have something to do next (milliseconds since 1970); undefined if nothing is due. */
	nextDue(): number | undefined {
		return this.deadlines.next();
	}

	/** One that is postponed, as most are, is only noticed when it is due. */
	private schedule(call: Call): void {
		const { answersAt = Infinity, endsAt = Infinity } = call;
		const due = Math.min(answersAt, endsAt, this.silentUntil(call));
		if (due < (call.due ?? Infinity)) this.deadlines.set(call, due);
	}

	/** A call without an event until then is given up. */
	private silentUntil({ lastSeen }: Call): number {
		return lastSeen + this.options.maxAgeMs;
	}

	private begin(id: string, event: FeedEvent): Call {
		this.over.delete(id);
		const call: Call = {
			id,
			about: this.early.get(id) ?? nothing(),
			events: [],
			reader: new CallReader(),
			caller: undefined,
			recorded: undefined,
			answerTold: false,
			cut: false,
			waitedBefore: this.waitedBefore(event),
			overfull: false,
			lastSeen: event.receivedAt,
			visits: [],
			talkingSince: undefined,
			talking: {},
			taken: NOBODY,
			endsAt: undefined,
			answersAt: undefined,
			due: undefined,
			slot: undefined,
		};
		this.early.delete(id);
		this.calls.set(id, call);
		touch(call, event);
		this.schedule(call);
		return call;
	}

	/** A call that enters a queue just after the feed opened, with waiting time behind it, came from another queue. */
	private waitedBefore({ event, msg, receivedAt }: FeedEvent): boolean {
		if (event !== 'insert_call' || receivedAt - this.openedAt > this.options.graceMs) return false;
		return Number(keptId(msg.duration_in_queue) ?? 0) > 0;
	}

	/**
	 * Whether the event belongs to a call that is over. An entry or an answer that was sent after its end begins the call
	 * again.
	 */
	private isLate(callId: string, callEvent: CallEvent): boolean {
		const end = this.over.get(callId);
		if (!end || end.until <= callEvent.seen) return false;
		if (callEvent.kind === 'connect') return callEvent.at <= end.at;
		return callEvent.kind !== 'insert' || !earlier(end, callEvent);
	}

	private about(callId: string): About {
		const known = this.calls.get(callId)?.about ?? this.early.renew(callId);
		if (known) return known;
		const about = nothing();
		keep(this.early, callId, about, this.options.maxCalls);
		return about;
	}

	/** Processes the call's newest event. */
	private update(call: Call, now: number, outcomes: CallOutcome[]): void {
		const summary = summaryOf(call);
		this.observe(call, summary, undefined);
		call.endsAt = summary.left ? (call.endsAt ?? now + this.options.graceMs) : undefined;
		if (summary.answeredAt === undefined) {
			// The trunk's answer, reported or not, was not a real one: the caller waits in a queue.
			if (call.answerTold || call.answersAt !== undefined) this.learnTrunks(summary);
			call.answerTold = false;
			call.answersAt = undefined;
		} else if (!call.answerTold) {
			this.answer(call, summary, now, outcomes);
		}
		this.schedule(call);
	}

	/** Reports an answer, or waits for what may show that it is none. */
	private answer(call: Call, summary: CallSummary, now: number, outcomes: CallOutcome[]): void {
		const { graceMs, reorderMs } = this.options;
		if (summary.answeredByTrunk) {
			if (summary.trunks.some((trunk) => this.trunksOfQueues.has(trunk))) return;
			call.answersAt ??= now + graceMs;
		} else if (summary.startedAt === undefined) {
			call.answersAt ??= now + reorderMs;
		} else {
			this.tellAnswer(call, summary, outcomes);
		}
	}

	private learnTrunks({ trunks }: CallSummary): void {
		if (this.trunksOfQueues.size >= this.options.maxCalls) this.trunksOfQueues.clear();
		for (const trunk of trunks) this.trunksOfQueues.add(trunk);
	}

	private tellAnswer(call: Call, summary: CallSummary, outcomes: CallOutcome[]): void {
		call.answersAt = undefined;
		if (call.answerTold) return;
		call.answerTold = true;
		const outcome = this.describe('answered', call, summary, reasonOf(call, summary));
		// The final outcome reports what came after the answer (out of order).
		outcome.agents = summary.agents.slice(0, 1);
		outcome.transfers = 0;
		outcome.talk = undefined;
		outcome.wrapUp = undefined;
		outcome.endedAt = undefined;
		outcomes.push(outcome);
	}

	private conclude(
		call: Call,
		now: number,
		failure: PartialReason | undefined,
		outcomes: CallOutcome[],
	): void {
		const summary = summaryOf(call);
		if (summary.answeredAt !== undefined) this.tellAnswer(call, summary, outcomes);
		const reason = failure ?? reasonOf(call, summary);
		// Without an answer a call counts as missed only if everything was seen.
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

	/** Gives up the calls that were silent longest while there are too many or they take too much memory. */
	private bound(outcomes: CallOutcome[]): void {
		const { maxCalls, maxBytes } = this.options;
		while (this.calls.size > maxCalls || this.bytes + this.notes.bytes > maxBytes) {
			const oldest = this.calls.oldest()?.value;
			if (!oldest) break;
			this.conclude(oldest, oldest.lastSeen, 'too-many-calls', outcomes);
		}
	}

	private forget(call: Call, now: number): void {
		this.calls.delete(call.id);
		this.deadlines.set(call, undefined);
		this.notes.forget(call.id);
		for (const callEvent of call.events) this.bytes -= weightOf(callEvent);
		const { maxAgeMs, maxCalls } = this.options;
		const last = call.events.at(-1);
		if (!last) return;
		const { at, cpt } = last;
		keep(this.over, call.id, { at, cpt, until: now + maxAgeMs }, maxCalls);
	}

	private describe(
		kind: OutcomeKind,
		call: Call,
		summary: CallSummary,
		reason: PartialReason | undefined,
	): CallOutcome {
		const { answeredAt, answeredIn, leftAt } = summary;
		// A call that was answered before the first entry that was seen had begun before that.
		const isLater = (summary.startedAt ?? 0) > (answeredAt ?? Infinity);
		const startedAt = isLater || startUnseen(call, summary) ? undefined : summary.startedAt;
		const waitedUntil = answeredAt ?? leftAt;
		const wait = exactSeconds(startedAt, waitedUntil);
		return {
			kind,
			callId: call.id,
			since: call.events[0]?.seen,
			caller: call.caller,
			service: call.about.service,
			answered: answeredAt !== undefined,
			agents: [...summary.agents],
			queues: [...summary.queues],
			trunks: [...summary.trunks],
			place: answeredIn ?? lastPlaceOf(call, summary),
			wait,
			talk: answeredAt === undefined ? 0 : summary.talked,
			wrapUp: call.about.wrapUp,
			transfers: summary.transfers,
			recorded: call.recorded,
			startedAt,
			answeredAt,
			endedAt: leftAt,
			reason: reason ?? (isLater ? 'start-not-seen' : undefined),
			...(wait === undefined
				? {}
				: { queueWaits: queueWaits(summary.visits, startedAt as number, waitedUntil as number) }),
			visits: summary.visits.map((visit) => ({ ...visit })),
			offers: offersOf(call),
			alerted: call.about.alerted,
			...(this.withTimeline ? { timeline: timelineOf(call.events, this.notes.of(call.id)) } : {}),
		};
	}

	/**
	 * An agent's phone rang for a call: these rings replace the known ones of the same agent since `from`.
	 * @param from moment by our clock
	 */
	offered(callId: string, agent: string, from: number, rings: readonly Offer[]): void {
		if (this.over.has(callId)) return;
		const about = this.about(callId);
		const kept = about.offers.filter((offer) => offer.agent !== agent || offer.from < from);
		about.offers = inOrder([...kept, ...rings]).slice(0, MOST_OFFERS);
	}

	/** An agent wraps up after a call. @param seconds to be added; negative takes back what was reported before */
	wrappedUp(callId: string, seconds: number): void {
		if (this.over.has(callId)) return;
		const about = this.about(callId);
		about.wrapUp = (about.wrapUp ?? 0) + seconds;
	}

	/** Stores an event that does not affect the outcome. */
	private note(callId: string, event: FeedEvent): void {
		const alerts = event.type === 'queue' && event.event === 'alert_op';
		if ((!alerts && !this.withTimeline) || this.over.has(callId)) return;
		const { maxCalls, maxBytes } = this.options;
		if (alerts) this.about(callId).alerted = true;
		if (!this.withTimeline) return;
		this.notes.add(callId, event);
		// They can arrive before their call, and without one.
		while (this.notes.size > maxCalls || this.bytes + this.notes.bytes > maxBytes) {
			if (!this.notes.forgetOldest()) break;
		}
	}

	private tellTaken(call: Call, after: CallSummary, observer: CallObserver): void {
		const before = call.taken;
		if (before.agents === after.agents) return;
		const { agents, agentsSince } = after;
		call.taken = { agents, agentsSince };
		const tell = (list: Call['taken'], other: Call['taken'], sign: 1 | -1) => {
			list.agents.forEach((agent, index) => {
				const at = list.agentsSince[index] ?? 0;
				if (other.agents[index] !== agent || other.agentsSince[index] !== at)
					observer.taken(agent, at, sign);
			});
		};
		tell(before, after, -1);
		tell(after, before, 1);
	}

	/** Reports changes to the observer. @param end how the call ended, if it is over */
	private observe(call: Call, summary: CallSummary, end: CallEnd | undefined): void {
		const { observer } = this;
		if (!observer) return;
		const ref = refOf(call, summary);
		const newest = call.events.at(-1)?.seen ?? 0;
		this.tellTaken(call, summary, observer);
		const sure = reasonOf(call, summary) === undefined;
		summary.visits.forEach((visit, index) => {
			const before = call.visits.at(index);
			const after = factsOf(visit, index, summary, end, sure);
			if (before && sameFacts(before, after)) return;
			call.visits[index] = after;
			observer.visit(ref, index, before, after);
		});
		// Late events can show that there were fewer.
		while (call.visits.length > summary.visits.length) {
			const before = call.visits.pop() as VisitFacts;
			observer.visit(ref, call.visits.length, before, undefined);
		}
		const byFeedingTrunk =
			summary.answeredByTrunk && summary.trunks.some((trunk) => this.trunksOfQueues.has(trunk));
		const since = end || byFeedingTrunk ? undefined : summary.talkingSince;
		const { agent, talkingIn } = ref;
		const { talking } = call;
		const isSame = talking.agent === agent && talking.talkingIn === talkingIn;
		if (since === call.talkingSince && (since === undefined || isSame)) return;
		call.talkingSince = since;
		if (!isSame) call.talking = { agent, talkingIn };
		observer.talking(ref, since, summary.left || end !== undefined, end?.at ?? newest);
	}
}

/** Records that there was an event of a call, of whatever kind. */
function touch(call: Call, { msg, receivedAt }: FeedEvent): void {
	call.lastSeen = receivedAt;
	call.caller ??= keptId(msg.caller_id_num);
	if (call.recorded !== true) call.recorded = readRecorded(msg.rec) ?? call.recorded;
}

/** Makes an entry the newest of a map that has at most that many. */
function keep<T>(map: ByAge<T>, key: string, value: T, most: number): void {
	map.set(key, value);
	map.trim(most);
}

/** The summary of its events so far. */
function summaryOf({ reader, events }: Call): CallSummary {
	return reader.summarise(events);
}

function nothing(): About {
	return { service: undefined, offers: [], alerted: false, wrapUp: undefined };
}

function refOf({ id, caller, about }: Call, summary: CallSummary): CallRef {
	const { agents, queues, trunks, agent, talkingIn } = summary;
	return { id, caller, service: about.service, agents, queues, trunks, agent, talkingIn };
}

/** Every agent that the call rang. A `connect_call` that only rings reports some for which the agent sends no event. */
function offersOf({ about, events }: Call): Offer[] {
	const offers = [...about.offers];
	for (const { kind, status, agent, seen } of events) {
		if (kind !== 'ringing' || status !== 'ringing' || agent === undefined) continue;
		if (!offers.some((offer) => offer.agent === agent))
			offers.push({ agent, from: seen, answered: false });
	}
	return inOrder(offers);
}

function inOrder(offers: Offer[]): Offer[] {
	return offers.sort((a, b) => a.from - b.from);
}

/** Where a call was until its end. The trunk by which it came into a queue may be left last. */
function lastPlaceOf({ events }: Call, summary: CallSummary): string | undefined {
	const last = summary.visits.findLast((visit, index) => !goesOn(visit, index, summary));
	if (last) return `queue:${last.queue}`;
	return summary.lastPlace ?? events.findLast(({ place }) => place && isNamed(place))?.place;
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
