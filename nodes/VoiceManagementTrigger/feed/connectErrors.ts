// Converts what an attempt to connect throws into a failure: its kind for transition.ts, and a reason that a user can
// act on.
import { ConnectError } from '../../shared/errors';
import type { AttemptFailure } from './state/types';

/** @param error what a step of the attempt threw */
export function connectFailureOf(error: unknown): AttemptFailure {
	if (error instanceof ConnectError)
		return { kind: 'failed', reason: error.message, permanent: error.permanent };
	const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	return { kind: 'failed', reason: `The connection failed: ${what.slice(0, 200)}` };
}
