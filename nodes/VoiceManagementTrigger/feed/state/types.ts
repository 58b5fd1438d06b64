// What the feed's decisions are made of: the state, what can happen, and what is to be done about it. Types only.
import type { FeedState } from '../types';

/** Everything a decision depends on. Connections are known by number; each is one login and one socket. */
export interface State {
	readonly name: FeedState;
	/** Number given to the newest connection. */
	readonly newestId: number;
	/** The attempt under way; never more than one. */
	readonly attemptId?: number;
	/** The attempt under way has its session and is opening its socket. */
	readonly loggedIn: boolean;
	/** The open connection that counts. */
	readonly current?: OpenConnection;
	/** During a renewal's overlap: the connection that `current` takes over from. Of two lines: the older one. */
	readonly previous?: OpenConnection;
	/** Both connections were seen to work and stay: two lines. Their renewal is the replacement of the older one. */
	readonly paired: boolean;
	/** With two lines: not before this is a second one tried, in milliseconds since 1970. */
	readonly secondLineAt: number;
	/** Second lines in a row that the operator did not let be, or may not have let be (UNSTEADY of twoLines.ts). */
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
	/** The operator itself rejected the last renewal: only then breaking before making can help. */
	readonly renewalRejected: boolean;
	/** When the operator wants the next login at the earliest (`Retry-After`). */
	readonly notBefore?: number;
	/** The one immediate attempt after a clean disconnect was used. */
	readonly immediateUsed: boolean;
	/** When the last connection ended without the operator having ended it, and whether the feed ended it. */
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
	/** `Retry-After` of the answer. */
	readonly retryAfterMs?: number;
	/** Only the user can correct it. It is tried again all the same, and fails an activation at once. */
	readonly permanent?: boolean;
	/** The operator took the login and the connection, and ended it soon after `init`. */
	readonly rejected?: boolean;
}

/** What subscribers are to know; notifications.ts makes status and outcome of it. */
export type Notification =
	/** `attempts`: failed ones since the last connection. */
	| { event: 'connected'; attempts: number }
	| { event: 'disconnected'; reason: string }
	/** One of two lines is gone, and the other one goes on. */
	| { event: 'line_lost'; reason: string }
	| { event: 'refused'; failure: Failure; first: boolean; retryAt: number }
	/** For the log, and for whoever waits for the first attempt. */
	| { event: 'retrying'; failure: Failure; retryAt: number; renewal: boolean };

export type Input =
	| { type: 'start' }
	/** A new subscriber: a user acts, which is a reason to try now. */
	| { type: 'retryNow' }
	/** `behind`: of two lines, the newer one if it brought nothing of what the older one did. */
	| { type: 'loggedIn'; id: number; behind?: number }
	/** `init` was sent. */
	| { type: 'opened'; id: number; renewAt: number; expiresAt: number }
	| { type: 'failed'; id: number; failure: Failure }
	/** An open connection ended. `clean`: the operator ended it; `stale`: it brought nothing of what the other line did. */
	| { type: 'lost'; id: number; reason: string; clean: boolean; stale?: boolean }
	| { type: 'confirmed'; id: number }
	| { type: 'timer'; name: TimerName }
	/** What watching both connections of an overlap came to (overlap.ts). `sound`: both of them work. */
	| { type: 'decided'; decision: 'wait' | 'switch' | 'revert'; sound?: boolean }
	| { type: 'close' };

export type TimerName = 'retry' | 'renew' | 'confirm' | 'silence' | 'overlap';

export type Effect =
	/** Log in and connect, under this number. */
	| { do: 'open'; id: number }
	/** Let go of this connection, whatever it is doing. */
	| { do: 'drop'; id: number }
	| { do: 'timer'; name: TimerName; delayMs: number }
	| { do: 'cancel'; name: TimerName }
	| { do: 'notify'; notification: Notification }
	/** There is a connection, and there was none before. */
	| { do: 'reconnected' }
	/** The only connection is gone. `renewing`: its successor is under way already. */
	| { do: 'interrupted'; id: number; reason: string; clean: boolean; renewing: boolean }
	/** Watch both connections; `decide` asks for the result. */
	| { do: 'overlap'; previousId: number; nextId: number }
	/** Compare them; `force`: the overlap must end. Reported as `decided`. */
	| { do: 'decide'; force: boolean }
	/** The overlap is over. `ended`: which of the two is gone, and whether cleanly. */
	| { do: 'switched'; previousId: number; nextId: number; ended: 'replaced' | 'clean' | 'broken' }
	/** The overlap is over, and the next connection is gone. `clean`: the operator ended it. */
	| { do: 'reverted'; previousId: number; nextId: number; reason: string; clean: boolean }
	/** The overlap goes on for as long as both connections last. */
	| { do: 'paired' }
	/** Find out whether both of two lines deliver. Reported as `lost` if one does not. */
	| { do: 'compare' }
	/** One of two lines is gone. */
	| { do: 'lineLost'; id: number; clean: boolean }
	/** It is being replaced because it was silent for too long. */
	| { do: 'stale'; id: number };

/** Silence, the chance and the time, which a decision may need. */
export interface Context {
	now: number;
	/** 0 to 1. */
	random: number;
	/** 0 = off. */
	silenceTimeoutMs: number;
	/** Two connections at all times. */
	twoLines?: boolean;
}

/** The next state, and what is to be done. */
export type Step = readonly [State, Effect[]];
