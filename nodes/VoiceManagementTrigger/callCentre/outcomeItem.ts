// Converts the outcome of a call to the JSON of an item. Every outcome has every field, so that a workflow's expressions
// always work; null means that something was not seen or does not apply. What people map comes first, since n8n's table
// shows the first fields; identifiers and what few need come last.

import { idOf } from './callHistory';
import type { Reached } from './callCentre';
import type { CallerHistory } from './callers';
import type { FigureSettings } from './figures';
import type { Naming } from './naming';
import type { CallOutcome, TimelineEntry } from './outcomeTypes';
import { agentNamed, named, type Plain } from '../events/simplify';
import { secondsBetween } from './seconds';
import { outcomeSummary, reachedSummary } from './summaries';

/** Data for the item besides the outcome. Durations in seconds. */
export interface OutcomeContext {
	figures: FigureSettings;
	/** Every agent of the login is known not to have been available while the caller waited. */
	nobodyAvailable: boolean;
	/** Undefined: not requested; null: the caller has no number. */
	history?: CallerHistory | null;
	/** Add the timeline. */
	timeline: boolean;
}

export type MissedReason =
	'short_abandoned' | 'no_available_agent' | 'agents_did_not_answer' | 'abandoned_before_ringing';

/**
 * The item of an outcome, with the provider's field names if they exist.
 * @param at when the outcome became known, by our clock
 */
export function outcomeItem(
	outcome: CallOutcome,
	at: number,
	naming: Naming,
	context: OutcomeContext,
): Plain {
	const summary = outcomeSummary(outcome, missedReason(outcome, context), naming);
	return itemOf(outcome.kind, summary, outcome, at, naming, context);
}

/**
 * The item of a missed caller who was reached: the outcome of that call, if there is one, and when the caller was missed.
 */
export function reachedItem(
	reached: Reached,
	missedAt: number,
	now: number,
	naming: Naming,
	context: OutcomeContext,
): Plain {
	const { caller, at, by, callId, agent, outcome } = reached;
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
	const summary = reachedSummary(reached, missedAt, naming);
	const { event, caller_id_num, ...item } = itemOf('reached', summary, call, now, naming, context);
	return {
		event,
		summary,
		caller_id_num,
		by,
		missed_at: naming.machineIso(missedAt),
		after: secondsBetween(missedAt, at),
		...item,
		id_call: callId ?? null,
		// In a call that an agent places, nobody waits.
		...(by === 'agent' ? { within_service_level: null } : {}),
	};
}

function itemOf(
	event: string,
	summary: string,
	outcome: CallOutcome,
	at: number,
	naming: Naming,
	context: OutcomeContext,
): Plain {
	const [agent] = outcome.agents;
	const { place } = outcome;
	const trunk = place?.startsWith('trunk:') ? idOf(place) : undefined;
	const queue = place?.startsWith('queue:') ? idOf(place) : undefined;
	const directory = naming.directory();
	const { history } = context;
	return {
		event,
		summary,
		caller_id_num: outcome.caller ?? null,
		...naming.queueField(queue ?? null),
		...(directory && { agent: agent === undefined ? null : agentNamed(agent, directory) }),
		wait: outcome.wait ?? null,
		missed_reason: missedReason(outcome, context) ?? null,
		talk: outcome.talk ?? null,
		wrap_up: outcome.wrapUp ?? null,
		started: naming.machineIso(outcome.startedAt),
		answered_at: naming.machineIso(outcome.answeredAt),
		ended: naming.machineIso(outcome.endedAt),
		date: naming.iso(at),
		within_service_level: withinServiceLevel(outcome, context.figures) ?? null,
		offered_to: offeredTo(outcome),
		queue_waits: outcome.queueWaits?.map(({ queue: id, wait }) => ({ id_queue: id, wait })) ?? null,
		...(history !== undefined && { caller_history: history && historyItem(history, naming) }),
		...(context.timeline && { timeline: timelineItems(outcome.timeline ?? [], naming) }),
		service: outcome.service ?? null,
		...(directory && { trunk: trunk === undefined ? null : named(trunk, directory.trunks) }),
		agents: [...outcome.agents],
		queues: [...outcome.queues],
		trunks: [...outcome.trunks],
		transfers: outcome.transfers,
		recorded: outcome.recorded ?? null,
		answered: outcome.answered ?? null,
		id_operator: agent ?? null,
		id_queue: queue ?? null,
		id_trunk: trunk ?? null,
		id_call: outcome.callId,
		partial: outcome.reason !== undefined,
		reason: outcome.reason ?? null,
		type_notification: 'call',
	};
}

/** Why nobody took a missed call; undefined for other outcomes, and if the feed does not show it. */
function missedReason(
	{ kind, wait, queues, offers, alerted }: CallOutcome,
	{ figures, nobodyAvailable }: OutcomeContext,
): MissedReason | undefined {
	if (kind !== 'missed') return undefined;
	if (wait !== undefined && wait < figures.shortAbandonSeconds) return 'short_abandoned';
	if (alerted || nobodyAvailable) return 'no_available_agent';
	if (offers.length > 0) return 'agents_did_not_answer';
	// Agents are rung from queues: for a call that was only routed, the feed does not show whom it rang.
	return queues.length > 0 ? 'abandoned_before_ringing' : undefined;
}

/** In the sense of the chosen formula: whether the call was in time. */
function withinServiceLevel(
	{ answered, wait }: CallOutcome,
	{ serviceLevelSeconds, serviceLevelFormula }: FigureSettings,
): boolean | undefined {
	const inTime = wait === undefined ? undefined : wait <= serviceLevelSeconds;
	if (answered === false) return serviceLevelFormula === 'earlyAbandonsInTime' && inTime === true;
	return answered === true ? inTime : undefined;
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

function historyItem(
	{ calls, missed, answered, lastAt, lastAgent, since }: CallerHistory,
	naming: Naming,
): Plain {
	return {
		calls,
		missed,
		answered,
		last_at: naming.machineIso(lastAt),
		last_agent: lastAgent ?? null,
		since: naming.iso(since),
	};
}

function timelineItems(entries: readonly TimelineEntry[], naming: Naming): Plain[] {
	return entries.map(({ at, event, queue, trunk, agent, status }) => ({
		at: naming.machineIso(at),
		seconds: secondsBetween(entries[0]?.at ?? at, at),
		event,
		id_queue: queue ?? null,
		id_trunk: trunk ?? null,
		agent: agent ?? null,
		status: status ?? null,
	}));
}
