// Follows each call from event to event, since the executions of a workflow share no memory, and says how it went:
// answered, missed, ended. Pure: times come in as values, `tick` tells that time has passed, `nextDue` when to.
// What was not seen is said (`partial` and `reason`), never guessed.

import {
	addCallEvent,
	earlier,
	isNamed,
	MOST_CALL_EVENTS,
	summarise,
	type CallEvent,
	type CallSummary,
} from './callHistory';
import type { Criteria } from '../events/filter';
import { idText } from '../../shared/ids';
import { milliseconds } from '../events/simplify';
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
	/** More than `maxCalls` at once: the one that was silent longest was given up. */
	| 'too-many-calls'
	/** More events than one call's history holds. */
	| 'too-many-events';

/** How a call went. Durations in seconds, moments in milliseconds since 1970, identifiers as text. */
export interface CallOutcome {
	kind: OutcomeKind;
	callId: string;
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
}

export interface CallsOptions {
	/** A call that left a queue may turn up in another within this time. */
	graceMs: number;
	/** How long an answer waits for a beginning that was overtaken on its way. */
	reorderMs: number;
	/** A call without any news leaves after this time. */
	maxAgeMs: number;
	maxCalls: number;
}

export const CALLS_DEFAULTS: CallsOptions = {
	graceMs: 5_000,
	reorderMs: 1_000,
	maxAgeMs: 12 * 60 * 60 * 1000,
	maxCalls: 20_000,
};

interface Call {
	id: string;
	events: CallEvent[];
	caller?: string;
	recorded?: boolean;
	answerTold: boolean;
	/** The feed was interrupted since the call was first seen. */
	cut: boolean;
	/** It came from a queue that it had entered before the feed opened. */
	waitedBefore: boolean;
	overfull: boolean;
	lastSeen: number;
}

const KIND_OF_EVENT: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	['insert_call', 'insert'],
	['connect_call', 'connect'],
	['delete_call', 'delete'],
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
	private readonly calls = new Map<string, Call>();
	/** Calls that left their last place, and when they count as over. */
	private readonly leaving = new Map<string, number>();
	/** Calls whose answer waits for their beginning, and until when. */
	private readonly heldAnswers = new Map<string, number>();
	/** Calls that a trunk took, and until when they may turn up in a queue, to wait there for an answer. */
	private readonly trunkAnswers = new Map<string, number>();
	/** Trunks that were seen to put callers into a queue: their answer alone says nothing before the call's end. */
	private readonly trunksOfQueues = new Set<string>();
	/** The last event of calls that are over: what comes late must not make a new call. */
	private readonly over = new Map<string, { callEvent: CallEvent; at: number }>();
	/** Called numbers of calls, from `num` events. */
	private readonly services = new Map<string, string>();
	/** Just after the feed opened, a call that says that it has waited did so elsewhere. */
	private openedAt: number;

	/** @param openedAt when the feed opened, milliseconds since 1970 */
	constructor(
		openedAt: number,
		private readonly options: CallsOptions = CALLS_DEFAULTS,
	) {
		this.openedAt = openedAt;
	}

	/** Calls being followed. */
	get size(): number {
		return this.calls.size;
	}

	/** Takes an event in; gives the outcomes that follow from it, and those whose time had come before it. */
	onEvent(event: FeedEvent): CallOutcome[] {
		const now = event.receivedAt;
		const outcomes = this.tick(now);
		const callId = idText(event.msg.id_call);
		if (callId === undefined) return outcomes;
		if (event.type === 'num') {
			this.noteService(callId, event);
			return outcomes;
		}
		const known = this.calls.get(callId);
		if (known) this.touch(known, event);
		const callEvent = readCallEvent(event);
		if (!callEvent || this.isLate(callId, callEvent)) return outcomes;
		// An agent's status alone makes no call: it may be one that the agent placed. Neither does an event that names no place.
		if (
			!known &&
			(callEvent.place === undefined || event.type === 'operator' || !isNamed(callEvent.place))
		)
			return outcomes;
		const call = known ?? this.begin(callId, event);
		if (!addCallEvent(call.events, callEvent)) return outcomes;
		if (call.events.length > MOST_CALL_EVENTS) {
			// The first event is the beginning; what goes is the oldest of the middle.
			call.events.splice(1, 1);
			call.overfull = true;
		}
		this.update(call, now, outcomes);
		if (this.calls.size > this.options.maxCalls) this.giveUpOldest('too-many-calls', outcomes);
		return outcomes;
	}

	/** The feed was interrupted: of every call under way, something may not have been seen. */
	onBreak(): void {
		for (const call of this.calls.values()) {
			if (call.cut && call.events.at(-1)?.kind === 'break') continue;
			call.cut = true;
			// In the order of what was seen: the operator's clock need not agree with ours.
			call.events.push({ kind: 'break', at: call.events.at(-1)?.at ?? 0 });
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
		for (const held of [this.heldAnswers, this.trunkAnswers]) {
			for (const [id, due] of held) {
				if (due > now) break;
				held.delete(id);
				const call = this.calls.get(id);
				if (call) this.tellAnswer(call, summarise(call.events), outcomes);
			}
		}
		for (const [id, due] of this.leaving) {
			if (due > now) break;
			const call = this.calls.get(id);
			if (call) this.finish(call, now, undefined, outcomes);
		}
		for (const call of this.calls.values()) {
			if (call.lastSeen + this.options.maxAgeMs > now) break;
			this.finish(call, now, 'end-not-seen', outcomes);
		}
		for (const [id, { at }] of this.over) {
			if (at + this.options.maxAgeMs > now && this.over.size <= this.options.maxCalls) break;
			this.over.delete(id);
		}
		return outcomes;
	}

	/** When `tick` has something to do next (milliseconds since 1970); undefined when nothing is due. */
	nextDue(): number | undefined {
		const [held] = this.heldAnswers.values();
		const [byTrunk] = this.trunkAnswers.values();
		const [leaving] = this.leaving.values();
		const [oldest] = this.calls.values();
		const dues = [held, byTrunk, leaving, oldest && oldest.lastSeen + this.options.maxAgeMs].filter(
			(due) => due !== undefined,
		);
		return dues.length === 0 ? undefined : Math.min(...dues);
	}

	/** News of a call, of whatever kind: it counts as the most recently heard of. */
	private touch(call: Call, { msg, receivedAt }: FeedEvent): void {
		this.calls.delete(call.id);
		this.calls.set(call.id, call);
		call.lastSeen = receivedAt;
		call.caller ??= idText(msg.caller_id_num);
		call.recorded = call.recorded === true ? true : (readRecorded(msg.rec) ?? call.recorded);
	}

	private begin(id: string, event: FeedEvent): Call {
		this.over.delete(id);
		const call: Call = {
			id,
			events: [],
			answerTold: false,
			cut: false,
			waitedBefore: this.waitedBefore(event),
			overfull: false,
			lastSeen: event.receivedAt,
		};
		this.touch(call, event);
		return call;
	}

	/** A call entering a queue just after the feed opened, with waiting time behind it, came from another. */
	private waitedBefore({ event, msg, receivedAt }: FeedEvent): boolean {
		if (event !== 'insert_call' || receivedAt - this.openedAt > this.options.graceMs) return false;
		return Number(idText(msg.duration_in_queue) ?? 0) > 0;
	}

	/** Signs of a call that is over, but for those sent after its end by which it begins anew. */
	private isLate(callId: string, callEvent: CallEvent): boolean {
		const end = this.over.get(callId);
		if (!end) return false;
		return callEvent.kind !== 'insert' || !earlier(end.callEvent, callEvent);
	}

	private noteService(callId: string, { msg }: FeedEvent): void {
		const service = idText(msg.service);
		if (service === undefined) return;
		this.services.set(callId, service);
		if (this.services.size <= this.options.maxCalls) return;
		const [oldest] = this.services.keys();
		if (oldest !== undefined) this.services.delete(oldest);
	}

	/** What the call's newest event means. */
	private update(call: Call, now: number, outcomes: CallOutcome[]): void {
		const summary = summarise(call.events);
		if (summary.left) {
			if (!this.leaving.has(call.id)) this.leaving.set(call.id, now + this.options.graceMs);
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
				this.trunkAnswers.set(call.id, now + this.options.graceMs);
		} else if (summary.startedAt !== undefined) {
			this.tellAnswer(call, summary, outcomes);
		} else if (!this.heldAnswers.has(call.id)) {
			this.heldAnswers.set(call.id, now + this.options.reorderMs);
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
		const summary = summarise(call.events);
		if (summary.answeredAt !== undefined) this.tellAnswer(call, summary, outcomes);
		const reason = failure ?? reasonOf(call, summary);
		// Not seen to be answered is only missed where everything was seen.
		const unsure = summary.answeredAt === undefined && reason !== undefined;
		const kind = summary.answeredAt === undefined && !unsure ? 'missed' : 'ended';
		const outcome = this.describe(kind, call, summary, reason);
		if (unsure) {
			outcome.answered = undefined;
			outcome.wait = undefined;
			outcome.talk = undefined;
		}
		if (failure) {
			outcome.endedAt = undefined;
			outcome.talk = undefined;
		}
		outcomes.push(outcome);
		this.forget(call, now);
	}

	private giveUpOldest(reason: PartialReason, outcomes: CallOutcome[]): void {
		const [oldest] = this.calls.values();
		if (oldest) this.finish(oldest, oldest.lastSeen, reason, outcomes);
	}

	private forget(call: Call, now: number): void {
		this.calls.delete(call.id);
		this.leaving.delete(call.id);
		this.heldAnswers.delete(call.id);
		this.trunkAnswers.delete(call.id);
		this.services.delete(call.id);
		const callEvent = call.events.at(-1);
		if (callEvent) this.over.set(call.id, { callEvent, at: now });
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
		return {
			kind,
			callId: call.id,
			caller: call.caller,
			service: this.services.get(call.id),
			answered: answeredAt !== undefined,
			agents: summary.agents,
			queues: summary.queues,
			trunks: summary.trunks,
			place: answeredIn ?? call.events.findLast(({ place }) => place && isNamed(place))?.place,
			wait: seconds(startedAt, waitedUntil),
			talk: answeredAt === undefined ? 0 : seconds(answeredAt, leftAt),
			transfers: summary.transfers,
			recorded: call.recorded,
			startedAt,
			answeredAt,
			endedAt: leftAt,
			reason,
		};
	}
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
function readCallEvent(event: FeedEvent): CallEvent | undefined {
	const { type, msg, cpt } = event;
	const status = idText(msg.status ?? msg.statut);
	const kind =
		type === 'queue' || type === 'trunk'
			? kindOfPlaceEvent(event.event, status)
			: type === 'operator'
				? KIND_OF_STATUS.get(status)
				: undefined;
	if (kind === undefined) return undefined;
	const placeKind = type === 'trunk' ? 'trunk' : 'queue';
	const placeId = idText(type === 'trunk' ? msg.id_trunk : msg.id_queue);
	// What a call enters has to be known by name; it leaves where it is.
	if (placeId === undefined && kind === 'insert') return undefined;
	const place =
		placeId === undefined && type === 'operator' ? undefined : `${placeKind}:${placeId ?? ''}`;
	return {
		kind,
		place,
		agent: idText(msg.id_operator),
		at: event.ts === undefined ? event.receivedAt : milliseconds(event.ts),
		cpt,
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
	const text = typeof rec === 'boolean' ? String(Number(rec)) : idText(rec);
	if (text === undefined) return undefined;
	return text !== '0' && text !== 'false';
}
