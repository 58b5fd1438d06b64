// Converts the outcome of a call to the JSON of an item. Every outcome has every field, in the same order, so that a
// workflow's expressions always work; null means that something was not seen or does not apply.

import { idOf } from './callHistory';
import type { CallerHistory } from './callers';
import type { CallOutcome, TimelineEntry } from './outcomeTypes';
import { agentNamed, named, type Names, type Plain } from '../events/simplify';
import type { Directory } from '../feed/types';
import type { Returned } from './liveState';
import { secondsBetween } from './seconds';

/** Data for the item besides the outcome. Durations in seconds. */
export interface OutcomeContext {
	answerWithinSeconds: number;
	shortAbandonSeconds: number;
	/** Every agent of the login is known not to have been available while the caller waited. */
	nobodyAvailable: boolean;
	/** Undefined: not requested; null: the caller has no number. */
	history?: CallerHistory | null;
	/** Add the timeline. */
	timeline: boolean;
}

export type MissedReason =
	'short_abandoned' | 'no_available_agent' | 'agents_did_not_answer' | 'abandoned_waiting';

export const OUTCOME_DEFAULTS: OutcomeContext = {
	answerWithinSeconds: 20,
	shortAbandonSeconds: 5,
	nobodyAvailable: false,
	timeline: false,
};

/**
 * The item of an outcome, with the operator's field names if they exist.
 * @param at when the outcome became known, milliseconds since 1970
 * @param names session information for `agent` and `trunk`; without it neither is added
 * @param queueNames names for `queue`; without them it is not added
 */
export function outcomeItem(
	outcome: CallOutcome,
	at: number,
	names?: Directory,
	queueNames?: Names,
	context: OutcomeContext = OUTCOME_DEFAULTS,
): Plain {
	return itemOf(outcome.kind, outcome, at, names, queueNames, context);
}

/** The item of a missed caller who was reached: the outcome of that call, if there is one, and when it was missed. */
export function returnedItem(
	{ caller, missedAt, at, by, callId, agent, outcome }: Returned,
	now: number,
	names?: Directory,
	queueNames?: Names,
	context: OutcomeContext = OUTCOME_DEFAULTS,
): Plain {
	const call: CallOutcome = outcome ?? {
		kind: 'answered',
		callId: callId ?? '',
		caller,
		answered: true,
		agents: agent === undefined ? [] : [agent],
		queues: [],
		trunks: [],
		transfers: 0,
		answeredAt: at,
		visits: [],
		offers: [],
		alerted: false,
	};
	const { partial, reason, date, ...item } = itemOf(
		'returned',
		call,
		now,
		names,
		queueNames,
		context,
	);
	return {
		...item,
		id_call: callId ?? null,
		// In a call that an agent places, nobody waits.
		...(by === 'agent' ? { within_service_level: null } : {}),
		missed_at: iso(missedAt),
		after: secondsBetween(missedAt, at),
		by,
		partial,
		reason,
		date,
	};
}

function itemOf(
	event: string,
	outcome: CallOutcome,
	at: number,
	names: Directory | undefined,
	queueNames: Names | undefined,
	context: OutcomeContext,
): Plain {
	const [agent] = outcome.agents;
	const { place } = outcome;
	const trunk = place?.startsWith('trunk:') ? idOf(place) : undefined;
	const queue = place?.startsWith('queue:') ? idOf(place) : undefined;
	const item: Plain = {
		type_notification: 'call',
		event,
		id_call: outcome.callId,
		caller_id_num: outcome.caller ?? null,
		service: outcome.service ?? null,
		answered: outcome.answered ?? null,
		wait: outcome.wait ?? null,
		talk: outcome.talk ?? null,
		id_operator: agent ?? null,
		id_queue: queue ?? null,
		id_trunk: trunk ?? null,
		agents: [...outcome.agents],
		queues: [...outcome.queues],
		trunks: [...outcome.trunks],
		transfers: outcome.transfers,
		recorded: outcome.recorded ?? null,
		missed_reason: missedReason(outcome, context) ?? null,
		within_service_level: withinServiceLevel(outcome, context.answerWithinSeconds) ?? null,
		offered_to: offeredTo(outcome),
		queue_waits: outcome.queueWaits?.map(({ queue: id, wait }) => ({ id_queue: id, wait })) ?? null,
		started: iso(outcome.startedAt),
		answered_at: iso(outcome.answeredAt),
		ended: iso(outcome.endedAt),
		partial: outcome.reason !== undefined,
		reason: outcome.reason ?? null,
		date: iso(at),
	};
	if (context.history !== undefined)
		item.caller_history = context.history && historyItem(context.history);
	if (context.timeline) item.timeline = timelineItems(outcome.timeline ?? []);
	if (names) {
		item.agent = agent === undefined ? null : agentNamed(agent, names);
		item.trunk = trunk === undefined ? null : named(trunk, names.trunks);
	}
	if (queueNames) item.queue = queue === undefined ? null : named(queue, queueNames);
	return item;
}

/** Why nobody took a missed call; undefined for other outcomes, and if the feed does not show it. */
function missedReason(
	{ kind, wait, queues, offers, alerted }: CallOutcome,
	{ shortAbandonSeconds, nobodyAvailable }: OutcomeContext,
): MissedReason | undefined {
	if (kind !== 'missed') return undefined;
	if (wait !== undefined && wait < shortAbandonSeconds) return 'short_abandoned';
	if (alerted || nobodyAvailable) return 'no_available_agent';
	if (offers.length > 0) return 'agents_did_not_answer';
	// Agents are rung from queues: for a call that was only routed, the feed does not show whom it rang.
	return queues.length > 0 ? 'abandoned_waiting' : undefined;
}

function withinServiceLevel(
	{ answered, wait }: CallOutcome,
	answerWithinSeconds: number,
): boolean | undefined {
	if (answered === false) return false;
	return answered === true && wait !== undefined ? wait <= answerWithinSeconds : undefined;
}

/** Every phone that rang, and agents who took the call without being seen to ring. */
function offeredTo({ offers, agents }: CallOutcome): Plain[] {
	const rung = new Set(offers.map(({ agent }) => agent));
	return [
		...offers.map(({ agent, from, to }) => ({
			agent,
			rang: to === undefined ? null : secondsBetween(from, to),
		})),
		...agents.filter((agent) => !rung.has(agent)).map((agent) => ({ agent, rang: null })),
	];
}

function historyItem({ calls, missed, answered, lastAt, lastAgent, since }: CallerHistory): Plain {
	return {
		calls,
		missed,
		answered,
		last_at: iso(lastAt),
		last_agent: lastAgent ?? null,
		since: iso(since),
	};
}

function timelineItems(entries: readonly TimelineEntry[]): Plain[] {
	return entries.map(({ at, event, queue, trunk, agent, status }) => ({
		at: iso(at),
		seconds: secondsBetween(entries[0]?.at ?? at, at),
		event,
		id_queue: queue ?? null,
		id_trunk: trunk ?? null,
		agent: agent ?? null,
		status: status ?? null,
	}));
}

function iso(at: number | undefined): string | null {
	if (at === undefined) return null;
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
