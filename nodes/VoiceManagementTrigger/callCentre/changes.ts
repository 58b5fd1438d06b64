// What the fold reports, in the order in which it happened. Moments are in milliseconds since 1970 by the trigger's
// clock. A change that has `before` replaces what was reported: both are whole and immutable, so a consumer takes the
// one back and counts the other. Each has all of its fields from the beginning: V8 gives each copy that gains some a
// hidden class of its own.

/** When something happened. */
export interface Moment {
	readonly at: number;
	/** The arrival of the event that showed it: what waits for more counts from that. */
	readonly heardAt: number;
}

/** What filters and items see of a call. It belongs to the fold and changes with later events. */
export interface CallView {
	readonly id: string;
	readonly caller: string | undefined;
	/** The called number, if the account gets `num` events. */
	readonly service: string | undefined;
	/** Each queue and trunk that it was in, and each agent who had it, in order. */
	readonly queues: readonly string[];
	readonly trunks: readonly string[];
	readonly agents: readonly string[];
	/** The queues in which it waits now, the last entered one at the end. */
	readonly waitingIn: readonly string[];
	/** The newest wait, decided or not. */
	readonly wait: Wait | undefined;
	/** When an agent took it first. */
	readonly answeredAt: number | undefined;
	/** An agent has it. */
	readonly talk: Talk | undefined;
	/** It is in a queue or a trunk. */
	readonly isSomewhere: boolean;
	/** Its record was told, and the call has not come back. */
	readonly isRecorded: boolean;
}

/** A caller's stay in one queue, until it is decided what became of it there. */
export interface Stay {
	readonly queue: string;
	readonly since: number;
	/** Its entry was seen, and nothing hid it since: otherwise its wait is not known, and it counts as unknown. */
	readonly isSeen: boolean;
	readonly decidedAt: number | undefined;
	/** Arrival of the event that decided it. */
	readonly knownAt: number | undefined;
	readonly result: 'answered' | 'abandoned' | 'overflowed' | 'unknown' | undefined;
}

/** The caller's wait over all queues: of the totals, of the outcome, and of the alert about a waiting caller. */
export interface Wait {
	readonly since: number;
	readonly isSeen: boolean;
	/** Its beginning was seen, also if an interruption came since. */
	readonly isKnown: boolean;
	/** When it was seen again after an interruption: that counts as another wait. */
	readonly seenAgain: number | undefined;
	readonly decidedAt: number | undefined;
	/** Arrival of the event that decided it. */
	readonly knownAt: number | undefined;
	readonly result: 'answered' | 'abandoned' | 'unknown' | undefined;
	/** In which it has been. */
	readonly queues: readonly string[];
	/** The caller has been in another queue too, or in none, also before an interruption. */
	readonly isMoved: boolean;
	/** When the caller was in no queue, and came back. */
	readonly pauses: ReadonlyArray<{ readonly from: number; readonly to: number }>;
}

/** An agent has the call. */
export interface Talk {
	/** Undefined: nothing says who. */
	readonly agent: string | undefined;
	/** The queue of the answer; undefined if the call was in none. */
	readonly queue: string | undefined;
	/** Where the caller had waited before it; none if an agent took the call from a trunk, which is in no figure. */
	readonly waitedIn: readonly string[];
	readonly since: number;
	readonly endedAt: number | undefined;
	/** It counts as none, or nobody knows how long it was. */
	readonly isVoid: boolean | undefined;
}

export type AgentState =
	| 'available'
	| 'ringing'
	| 'talking'
	| 'calling'
	| 'transferring'
	| 'wrap_up'
	| 'on_break'
	| 'logged_out';

/** An agent at a moment. */
export interface AgentView {
	readonly id: string;
	/** Null: not known. */
	readonly state: AgentState | null;
	/** Since when; undefined while the state is not known. */
	readonly since: number | undefined;
	/** Its beginning was seen: otherwise it may have lasted before. */
	readonly isBegun: boolean;
	/** Since when it is certain that the agent is not available, in whatever states, known or not. */
	readonly awaySince?: number | undefined;
	/** The break that is open, shown or not, by its identifier or name; '' if the event has none. */
	readonly pause?: string | undefined;
	/** Since when that break has been shown; undefined: it has not been yet. */
	readonly breakSince?: number | undefined;
	/** Since when the phone rings; undefined: it does not, though no event of the agent may have said so yet. */
	readonly ringsSince?: number | undefined;
	readonly callId?: string | undefined;
	readonly queueId?: string | undefined;
	readonly caller?: string | undefined;
	/** When the wrap-up ends if no event ends it sooner, and what the agent is then. */
	readonly wrapUp?: { readonly until: number; readonly then: AgentState | null } | undefined;
}

/** Of whom nothing is known. */
export function unknownAgent(id: string): AgentView {
	return { id, state: null, since: undefined, isBegun: false };
}

export type OutcomeKind = 'answered' | 'missed' | 'ended';

/** Why a record is incomplete. */
export type PartialReason =
	/** The call was in progress when it was first heard of, or an entry into a queue was not seen. */
	| 'start-not-seen'
	/** The feed was interrupted during the call: things may have happened meanwhile. */
	| 'feed-gap'
	/** A `connect_call` had a status that is not documented: it may have been an answer. */
	| 'status-not-known'
	/** Its agent was seen without it, or nothing was heard of it for too long. */
	| 'end-not-seen'
	/** There is more than can be kept: the call that was silent longest was given up. */
	| 'too-many-calls';

/** What became of a call: the record that outcomes are made from. Durations in milliseconds. */
export interface Outcome {
	kind: OutcomeKind;
	/** When it became known. */
	knownAt: number;
	call: CallView;
	/** Undefined: not known. */
	answered: boolean | undefined;
	/** Of the first answer, otherwise the one that it left last; undefined for a call that was in no queue. */
	queue: string | undefined;
	/** Of the first wait: from the first queue to the answer, or to the end. Undefined: not known. */
	wait: number | undefined;
	/** How much of it the caller was in no queue; in no trunk, if no queue had the call. */
	away: number;
	/** Each stay in a queue; `isLater`: it began after the first answer. Undefined: not known, or it goes on. */
	stays: ReadonlyArray<{ queue: string; wait: number | undefined; isLater: boolean }>;
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
	/** After its last queue it was in a trunk: nobody knows whether the caller gave up. */
	isPassedOn: boolean;
	/** Its newest record, if the call has come back since. */
	after: OutcomeKind | undefined;
	reason: PartialReason | undefined;
	/** The feed was interrupted during the first wait. */
	isWaitCut: boolean;
}

export type MissedReason =
	| 'short_abandoned'
	| 'agents_did_not_answer'
	| 'abandoned_while_ringing'
	| 'no_available_agent'
	| 'abandoned_before_ringing';

export type Change =
	| { kind: 'stay'; call: CallView; before?: Stay; after: Stay }
	| { kind: 'wait'; call: CallView; before?: Wait; after: Wait }
	/** The caller's number, or the called one, has come with a later event. */
	| { kind: 'named'; call: CallView }
	/** A caller who may have waited on in these queues, after an interruption, is seen not to, or is given up. */
	| { kind: 'gone'; call: CallView; queues: readonly string[] }
	| { kind: 'talk'; call: CallView; before?: Talk; after: Talk }
	/** `byTime`: a wrap-up is over without an event. `after` is undefined if the agent is dropped. */
	| { kind: 'agent'; before: AgentView; after: AgentView | undefined; at: number; byTime: boolean }
	/** An agent took a waiting caller; or let the phone ring. */
	| { kind: 'taken' | 'notAnswered'; agent: string; at: number }
	/** An announced wrap-up, after the agent's last talk. */
	| { kind: 'wrapUp'; talk: Talk; seconds: number; at: number }
	/** `outcome` is made for whoever asks, before the next event. `answered` comes again with what another report fills. */
	| { kind: 'outcome'; call: CallView; of: OutcomeKind; outcome: () => Outcome }
	/** A call that the caller left is not certain any more: it is back. Its record is void for what is counted. */
	| { kind: 'back'; call: CallView; at: number }
	/**
	 * The feed was interrupted: what goes on is over for good, for all calls and agents at once. Stays and waits have ended
	 * as unknown, talks have ended, and nothing is known of any agent.
	 */
	| { kind: 'interrupted'; at: number }
	/** Something was given up to stay within the limits. */
	| { kind: 'gaveUp'; what: string };

/** Seconds of a wait or a talk as items show and sum them: rounded once. */
export function wholeSeconds(ms: number): number {
	return Math.round(ms / 1000);
}

/** The moment at which a wait passes a level; undefined if it does not, as far as is known at `now`. */
export function lateAt(facts: Stay | Wait, levelSeconds: number, now: number): number | undefined {
	if (!facts.isSeen) return undefined;
	// Whoever is answered after exactly so many seconds is in time.
	let at = facts.since + levelSeconds * 1000 + 1;
	// Nothing passes while the caller is in no queue: it has passed with the next entry.
	if ('pauses' in facts) for (const { from, to } of facts.pauses) if (at > from && at < to) at = to;
	return at <= (facts.decidedAt ?? now) ? at : undefined;
}
