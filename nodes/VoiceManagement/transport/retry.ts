// How long to wait before a read is repeated. Only for reads: a write that was refused with 429 may still have
// been counted somewhere, and the user decides about repeating it.

import { readRetryAfter } from '../../shared/retryAfter';

/** Requests for one read. */
export const MAX_ATTEMPTS = 5;

/** Longer than this is for the workflow to wait, not for a node: milliseconds. */
const MAX_WAIT_MS = 60_000;

/**
 * Milliseconds until the next attempt, or undefined if waiting is no use.
 * @param attempt 1 for the first response
 * @param retryAfter the `Retry-After` header: seconds or an HTTP date
 * @param now milliseconds since 1970
 * @param random 0 to 1: spreads the nodes that were refused together
 */
export function retryDelay(
	attempt: number,
	retryAfter: unknown,
	now: number,
	random: number,
): number | undefined {
	if (attempt >= MAX_ATTEMPTS) return undefined;
	const backOff = 500 * 2 ** attempt * (1 + random / 2);
	const asked = readRetryAfter(retryAfter, now);
	if (asked === undefined) return backOff;
	return asked > MAX_WAIT_MS ? undefined : asked + random * 250;
}
