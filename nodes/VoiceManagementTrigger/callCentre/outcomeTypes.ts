// The outcome of a call, as reported to workflows: its types, and what filters see of it. callTracker.ts decides it.
import type { Criteria } from '../events/filter';
import type { QueueWait, Visit } from './callHistory';

export type OutcomeKind = 'answered' | 'missed' | 'ended';

/** Why an outcome is incomplete. */
export type PartialReason =
	/** The call was under way when the feed opened (or its beginning never came). */
	| 'start-not-seen'
	/** The feed was interrupted during the call: things may have happened meanwhile. */
	| 'feed-gap'
	/**
	 * It was connected under a status that the document doesn't list, so that it is unknown whether somebody took it.
	 */
	| 'status-not-known'
	/** There was no event of the call for `maxAgeMs`. */
	| 'end-not-seen'
	/** More than `maxCalls` at once, or than `maxBytes`: the call that was silent longest was given up. */
	| 'too-many-calls'
	/** More events than are stored for one call. */
	| 'too-many-events';

/** The outcome of a call. Durations in seconds, moments in milliseconds since 1970, identifiers as text. */
export interface CallOutcome {
	kind: OutcomeKind;
	callId: string;
	/** Its first event, by our clock; undefined for a call that was not followed. */
	since?: number;
	caller?: string;
	/** The called number, if the account gets `num` events. */
	service?: string;
	/** Undefined: it is unknown whether someone took the call. */
	answered?: boolean;
	/** All agents who had the call, in order: the first one took it. */
	agents: string[];
	queues: string[];
	trunks: string[];
	/** `queue:5` or `trunk:2`: the place of the first answer, else the last place. */
	place?: string;
	/** From the first queue to the first answer, or to the end of a missed call. Undefined if that was not seen. */
	wait?: number;
	/** How long someone had the call; waiting after a transfer is no talk. Undefined before the end. */
	talk?: number;
	/** Wrap-up of its agents, as the provider announced it. Undefined if it did not. */
	wrapUp?: number;
	transfers: number;
	recorded?: boolean;
	startedAt?: number;
	answeredAt?: number;
	endedAt?: number;
	reason?: PartialReason;
	/** How `wait` was divided among queues; undefined if `wait` is. */
	queueWaits?: QueueWait[];
	/** Each stay in a queue, in order. */
	visits: readonly Visit[];
	/** Each time that the call rang an agent, in order. */
	offers: Offer[];
	/** The provider raised `alert_op` for it: not enough agents. */
	alerted: boolean;
	/** The events of the call that were seen, in order; undefined if not requested. */
	timeline?: TimelineEntry[];
}

/** The call rang an agent. Moments by our clock. */
export interface Offer {
	agent: string;
	from: number;
	/** Undefined while it rings, and if its end was not seen. */
	to?: number;
	answered: boolean;
}

/** An event of a call, as the provider sent it. */
export interface TimelineEntry {
	/** Milliseconds since 1970 by the provider's clock. */
	at: number;
	cpt?: number;
	event: string;
	queue?: string;
	trunk?: string;
	agent?: string;
	status?: string;
}

/** The values of an outcome that a trigger's filters are compared with. */
export function criteriaOf(outcome: CallOutcome): Criteria {
	return {
		agentIds: outcome.agents,
		queueIds: outcome.queues,
		trunkIds: outcome.trunks,
		callerNumber: outcome.caller,
		serviceNumber: outcome.service,
	};
}
