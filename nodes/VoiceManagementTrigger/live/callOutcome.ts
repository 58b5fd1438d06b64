// How a call went, as workflows are told of it.
import type { Criteria } from '../events/filter';
import type { QueueWait, Visit } from './callHistory';

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
