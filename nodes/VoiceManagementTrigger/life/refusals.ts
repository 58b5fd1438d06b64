// n8n (2.40 and later) activates a trigger that failed four more times, after 1, 2, 4 and 8 seconds, whatever the error.
// A provider can lock an account after a few refused logins, so these get the same error without another login.

import type { NodeOperationError } from 'n8n-workflow';
import type { Clock } from '../feed/types';

const REPEATS = 4;
const FIRST_REPETITION_MS = 1_000;
/** The most by which a repetition is late: a person is slower. */
const REPETITION_LATE_MS = 1_500;

interface RefusedActivation {
	/** Of the feed: account and password. */
	feedKey: string;
	error: NodeOperationError;
	repeats: number;
	/** By then n8n repeats it. */
	until: number;
}

/** By workflow and node. Module state, since n8n's calls have nothing else in common. */
const refusals = new Map<string, RefusedActivation>();

const repeatedBy = (repeats: number, clock: Clock) =>
	clock.now() + FIRST_REPETITION_MS * 2 ** repeats + REPETITION_LATE_MS;

/** A login was refused while a person waits for the activation. */
export function noteRefusal(
	key: string,
	feedKey: string,
	error: NodeOperationError,
	clock: Clock,
): void {
	refusals.set(key, { feedKey, error, repeats: 0, until: repeatedBy(0, clock) });
}

/** The error of the same activation, if this is n8n's repetition of it; otherwise undefined. */
export function repeatedRefusal(
	key: string,
	feedKey: string,
	clock: Clock,
): NodeOperationError | undefined {
	const refusal = refusals.get(key);
	refusals.delete(key);
	if (refusal?.feedKey !== feedKey || clock.now() > refusal.until) return undefined;
	const repeats = refusal.repeats + 1;
	if (repeats < REPEATS)
		refusals.set(key, { ...refusal, repeats, until: repeatedBy(repeats, clock) });
	return refusal.error;
}
