// Types of the feed's state machine: the state, the inputs and the effects.
import type { FeedState } from '../types';

/**
 * What the feed remembers between two decisions. Connections are identified by number; each has one login and one
 * socket.
 */
export interface State {
	readonly name: FeedState;
	/** Number given to the newest connection. */
	readonly newestId: number;
	/** The attempt under way; never more than one. */
	readonly attemptId?: number;
	/** The attempt under way has its session and is opening its socket. */
	readonly loggedIn: boolean;
	/** The open connection in use; of two, the newer one. */
	readonly current?: OpenConnection;
	/** In the overlap of a renewal: the connection from which `current` takes over. With two lines: the older one. */
	readonly previous?: OpenConnection;
	/** Both connections were seen to work, and both stay: two lines. A renewal replaces the older one. */
	readonly paired: boolean;
	/** With two lines: when the second one is opened at the earliest, in milliseconds since 1970. */
	readonly secondLineAt: number;
	/**
	 * How often in a row the operator seemed not to allow a second line. A loss that can have other causes counts as the
	 * fraction UNSTEADY of twoLines.ts.
	 */
	readonly secondRejections: number;
	/** Which one of two lines was lost last. */
	readonly lostSide?: 'older' | 'newer';
	/** Attempts in a row that failed or were not confirmed: the back-off counts these. */
	readonly failures: number;
	/** Attempts in a row without a connection: the `attempts` of a `connected` status. */
	readonly attempts: number;
	/** Refusals of the credentials since the last connection. */
	readonly refusals: number;
	/** Renewals in a row that failed. */
	readonly renewalFailures: number;
	/** The operator itself rejected the last renewal: only then can it help to close the open connection first. */
	readonly renewalRejected: boolean;
	/**
	 * No login before this moment, because of a `Retry-After` or because the operator has just refused a second line.
	 */
	readonly notBefore?: number;
	/** The one immediate attempt after a clean disconnect was used. */
	readonly immediateUsed: boolean;
	/**
	 * When the last connection ended, unless the operator ended it: the operator may still count that connection.
	 * `byUs`: the feed closed it.
	 */
	readonly lingering?: { readonly at: number; readonly byUs: boolean };
}

export interface OpenConnection {
	readonly id: number;
	readonly openedAt: number;
	readonly renewAt: number;
	readonly expiresAt: number;
	/** It delivered an event, or stayed open for CONFIRM_MS. */
	readonly confirmed: boolean;
}

/** Why an attempt ended. `refused`: the operator rejected the credentials. */
export interface Failure {
	readonly kind: 'refused' | 'failed';
	readonly reason: string;
	readonly statusCode?: number;
	/** `Retry-After` of the response. */
	readonly retryAfterMs?: number;
	/** Only the user can correct the cause: an activation fails at once. A running feed retries nevertheless. */
	readonly permanent?: boolean;
	/** The operator accepted the login and the connection, but ended the connection soon after `init`. */
	readonly rejected?: boolean;
}

/** What subscribers must know; feedStatus.ts converts it to status and outcome. */
export type Notification =
	/** `attempts`: failed ones since the last connection. */
	| { event: 'connected'; attempts: number }
	| { event: 'disconnected'; reason: string }
	/** One of two lines was lost, and the other one stays. */
	| { event: 'line_lost'; reason: string }
	| { event: 'refused'; failure: Failure; first: boolean; retryAt: number }
	/** For the log, and for the outcome of the first attempt. */
	| { event: 'retrying'; failure: Failure; retryAt: number; renewal: boolean };

export type Input =
	| { type: 'start' }
	/** A subscriber was added: somebody activates or tests a trigger now, which is a reason not to wait. */
	| { type: 'retryNow' }
	/** `behind`: with two lines, the newer one if it delivered none of the older one's last events. */
	| { type: 'loggedIn'; id: number; behind?: number }
	/** `init` was sent. */
	| { type: 'opened'; id: number; renewAt: number; expiresAt: number }
	| { type: 'failed'; id: number; failure: Failure }
	/**
	 * An open connection ended. `clean`: the operator ended it; `stale`: it delivered none of the other line's events.
	 */
	| { type: 'lost'; id: number; reason: string; clean: boolean; stale?: boolean }
	| { type: 'confirmed'; id: number }
	| { type: 'timer'; name: TimerName }
	/** The result of comparing the two connections of an overlap (overlapDecision.ts). `sound`: both of them work. */
	| { type: 'decided'; decision: 'wait' | 'switch' | 'revert'; sound?: boolean }
	| { type: 'close' };

export type TimerName = 'retry' | 'renew' | 'confirm' | 'silence' | 'overlap';

export type Effect =
	/** Log in and connect, under this number. */
	| { do: 'open'; id: number }
	/** Close and forget this connection, in whatever state it is. */
	| { do: 'drop'; id: number }
	| { do: 'timer'; name: TimerName; delayMs: number }
	| { do: 'cancel'; name: TimerName }
	| { do: 'notify'; notification: Notification }
	/** A connection is open, and none was before. */
	| { do: 'reconnected' }
	/** The only connection was lost. `renewing`: the attempt that replaces it is already under way. */
	| { do: 'interrupted'; id: number; reason: string; clean: boolean; renewing: boolean }
	/** Begin to compare both connections; `decide` requests the result. */
	| { do: 'overlap'; previousId: number; nextId: number }
	/** Decide about the overlap; `force`: it must end now. The result is dispatched as `decided`. */
	| { do: 'decide'; force: boolean }
	/**
	 * The next connection has taken over. `ended`: the feed replaced the previous one, or it ended by itself, cleanly
	 * or not.
	 */
	| { do: 'switched'; previousId: number; nextId: number; ended: 'replaced' | 'clean' | 'broken' }
	/**
	 * The next connection was given up or lost, and the previous one stays. `clean`: the operator ended the next one.
	 */
	| { do: 'reverted'; previousId: number; nextId: number; reason: string; clean: boolean }
	/** The overlap continues for as long as both connections last. */
	| { do: 'paired' }
	/** Check whether both lines deliver. If one does not, `lost` is dispatched. */
	| { do: 'compare' }
	/** One of two lines was lost. */
	| { do: 'lineLost'; id: number; clean: boolean }
	/** Mark this connection as silent for too long. */
	| { do: 'stale'; id: number };

/** The time, randomness and settings that a decision depends on. */
export interface Context {
	now: number;
	/** 0 to 1. */
	random: number;
	/** 0 = off. */
	silenceTimeoutMs: number;
	/** Two connections at all times. */
	twoLines?: boolean;
}

/** The next state, and the effects to run. */
export type Step = readonly [State, Effect[]];
