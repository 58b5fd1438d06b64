// Types of the feed's state machine: the state, the inputs and the effects.

export type FeedState =
	'idle' | 'authenticating' | 'connecting' | 'live' | 'renewing' | 'waiting' | 'refused' | 'closed';

/**
 * What is remembered of one connection and its successor between two decisions. Connections are identified by number;
 * each has one login and one socket.
 */
export interface State {
	readonly name: FeedState;
	/** Number given to the newest connection. */
	readonly newestId: number;
	/** The attempt in progress; never more than one. */
	readonly attemptId?: number;
	/** The attempt in progress has its session and is opening its socket. */
	readonly loggedIn: boolean;
	/** The open connection. */
	readonly current?: OpenConnection;
	/** In a renewal: the connection that is to take over from `current`, open beside it. */
	readonly next?: OpenConnection;
	/** Attempts in a row that failed or were not confirmed: the back-off counts these. */
	readonly failures: number;
	/** Attempts in a row without a connection: the `attempts` of a `connected` status. */
	readonly attempts: number;
	/** Refusals of the credentials since the last connection. */
	readonly refusals: number;
	/** How many of these may have been due to the connection before, which the provider still counted. */
	readonly lingering: number;
	/** Renewals in a row that failed. */
	readonly renewalFailures: number;
	/** The provider itself rejected the last renewal: only then can it help to close the open connection first. */
	readonly renewalRejected: boolean;
	/** The one immediate attempt after a clean disconnect was used. */
	readonly immediateUsed: boolean;
	/** When the feed closed its only connection, to log in anew; none has opened since. */
	readonly closedAt?: number | undefined;
}

export interface OpenConnection {
	readonly id: number;
	readonly openedAt: number;
	readonly renewAt: number;
	readonly expiresAt: number;
	/** It delivered an event, or stayed open for CONFIRM_MS. */
	readonly confirmed: boolean;
}

/** Why an attempt ended. `refused`: the provider rejected the credentials. */
export interface AttemptFailure {
	readonly kind: 'refused' | 'failed';
	readonly reason: string;
	readonly statusCode?: number;
	/** `Retry-After` of the response. */
	readonly retryAfterMs?: number;
	/** Only the user can correct the cause: an activation fails at once. A running feed retries nevertheless. */
	readonly permanent?: boolean;
	/** The provider accepted the login and the connection, but ended the connection soon after `init`. */
	readonly rejected?: boolean;
	/** The login was not sent: n8n can't read the credential, or it names another feed now. */
	readonly credential?: 'unreadable' | 'changed';
}

/** How an open connection ended. */
export interface Loss {
	readonly reason: string;
	/** The provider ended it, and everything that it sent before has arrived. */
	readonly clean: boolean;
}

/** What subscribers and the log must know. */
export type Notification =
	/** `attempts`: failed ones since the last connection. */
	| { event: 'connected'; attempts: number }
	| { event: 'disconnected'; reason: string }
	/** The next connection has taken over. */
	| { event: 'renewed' }
	/** The next connection was given up or lost, and the current one stays. */
	| { event: 'reverted'; reason: string }
	| { event: 'refused'; failure: AttemptFailure; first: boolean; retryAt: number }
	/** For the log, and for the outcome of the first attempt. */
	| { event: 'retrying'; failure: AttemptFailure; retryAt: number; renewal: boolean };

export type Input =
	| { type: 'start' }
	/** Somebody activates or tests a trigger now, which is a reason not to wait. */
	| { type: 'retryNow' }
	| { type: 'loggedIn'; id: number }
	/** `init` was sent. */
	| { type: 'opened'; id: number; renewAt: number; expiresAt: number }
	| { type: 'failed'; id: number; failure: AttemptFailure }
	| ({ type: 'lost'; id: number } & Loss)
	| { type: 'confirmed'; id: number }
	| { type: 'timer'; name: TimerName }
	/** The result of comparing the two connections of a renewal (merge.ts). */
	| { type: 'compared'; decision: 'wait' | 'switch' | 'revert' }
	| { type: 'close' };

export type TimerName = 'retry' | 'renew' | 'confirm' | 'silence' | 'compare';

export type FeedAction =
	/** Log in and connect, under this number. */
	| { do: 'open'; id: number }
	/** Close and forget this connection. `reason`: the feed is interrupted by it. */
	| { do: 'drop'; id: number; reason?: string }
	| { do: 'timer'; name: TimerName; delayMs: number }
	| { do: 'cancel'; name: TimerName }
	| { do: 'notify'; notification: Notification }
	/** Compare the two connections of a renewal; `force`: it must end now. The result is dispatched as `compared`. */
	| { do: 'compare'; force: boolean };

/** The time, randomness and settings that a decision depends on. */
export interface Context {
	now: number;
	/** 0 to 1. */
	random: number;
	/** 0 = off. */
	silenceTimeoutMs: number;
	/** No login before this moment, because the provider asked for a wait (`Retry-After`). */
	notBefore: number;
	/** When a connection of the feed last broke: the provider may still count it. */
	brokeAt: number;
}

/** The next state, and the effects to run. */
export type Transition = readonly [State, FeedAction[]];
