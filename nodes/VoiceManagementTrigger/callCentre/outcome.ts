// What became of a call: the record that outcomes are made from.

import type { CallView, Stay } from './changes';

/** A call as it was then. */
export type RecordedCall = Pick<
	CallView,
	'id' | 'caller' | 'service' | 'queues' | 'trunks' | 'agents'
>;

export type OutcomeKind = 'answered' | 'missed' | 'ended';

/** Why a record is incomplete. */
export type PartialReason =
	/** The call was in progress when it was first heard of. */
	| 'start-not-seen'
	/** The feed was interrupted during the call: things may have happened meanwhile. */
	| 'feed-gap'
	/** A `connect_call` had a status that is not documented: it may have been an answer. */
	| 'status-not-known'
	/** Its agent was seen without it, or nothing was heard of it for twelve hours. */
	| 'end-not-seen'
	/** There is more than can be kept: the call that was silent longest was given up. */
	| 'too-many-calls';

/** Moments in milliseconds since 1970 by the trigger's clock, durations in milliseconds. */
export interface Outcome {
	kind: OutcomeKind;
	/** When it became known. */
	knownAt: number;
	call: RecordedCall;
	/** Undefined: not known. */
	answered: boolean | undefined;
	/** Of the first answer, otherwise the last one; undefined for a call that was in no queue. */
	queue: string | undefined;
	trunk: string | undefined;
	/** Of the first wait: from the first queue to the answer, or to the end. Undefined: not known. */
	wait: number | undefined;
	/** Each stay in a queue. Undefined: not known, or it goes on. */
	stays: ReadonlyArray<{ queue: string; wait: number | undefined }>;
	/** Each talk. Undefined: not known, or it goes on. */
	talks: ReadonlyArray<{ agent: string | undefined; talk: number | undefined }>;
	/** Each ring of an agent's phone; `isNotAnswered`: it stopped while the caller waited on. */
	rings: ReadonlyArray<{ agent: string; rang: number | undefined; isNotAnswered: boolean }>;
	/** Seconds of wrap-up of its agents, as announced. */
	wrapUp: number | undefined;
	recorded: boolean | undefined;
	startedAt: number | undefined;
	answeredAt: number | undefined;
	endedAt: number | undefined;
	/** When the caller left the last queue, or was last with an agent. */
	leftAt: number | undefined;
	/** The stay that the caller ended by leaving. */
	abandoned: Stay | undefined;
	/** There was an `alert_op` for it, or no agent of the login was available during its whole wait. */
	nobodyAvailable: boolean;
	/** Some agent's status was heard by then: otherwise nothing says whom the call rang. */
	agentsHeard: boolean;
	/** Of an answered call: the caller waited again, and left. */
	gaveUp: boolean;
	/** What was recorded of the call before it came back. */
	after: readonly OutcomeKind[];
	reason: PartialReason | undefined;
}
