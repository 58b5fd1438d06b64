// Converts what an attempt to connect throws into a failure: its kind for transition.ts, and a reason that a user can
// act on.
import { ProbeFailed } from './findEndpoint';
import type { AttemptFailure } from './state/types';

/** A step of the attempt took too long. */
export class TimedOut extends Error {}

/** The login request got no response; the message is for the user. */
export class LoginUnanswered extends Error {
	constructor(
		message: string,
		/** True if only the user can correct the cause. */
		readonly permanent: boolean,
	) {
		super(message);
	}
}

/** @param error what a step of the attempt threw */
export function connectFailureOf(error: unknown): AttemptFailure {
	if (error instanceof ProbeFailed || error instanceof LoginUnanswered) {
		return { kind: 'failed', reason: error.message, permanent: error.permanent };
	}
	if (error instanceof TimedOut) return { kind: 'failed', reason: error.message };
	const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	return { kind: 'failed', reason: `The connection failed: ${what.slice(0, 200)}` };
}
