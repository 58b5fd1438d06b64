// How long to wait before a read is repeated that the provider rejected with 429. Writes are never repeated: the
// provider may have carried one out all the same, so the user decides.

/** Limit for the requests of one read. */
export const MAX_ATTEMPTS = 5;

/** A longer wait belongs in the workflow, not in the node: milliseconds. */
const MAX_WAIT_MS = 60_000;

/**
 * Milliseconds until the next attempt, or undefined if waiting is pointless.
 * @param attempt 1 for the first response
 * @param asked milliseconds that the provider asks to wait, if it does; 0 is no answer
 * @param random 0 to 1: spreads out nodes that were rejected at the same time
 */
export function retryDelay(
	attempt: number,
	asked: number | undefined,
	random: number,
): number | undefined {
	if (attempt >= MAX_ATTEMPTS) return undefined;
	const backOff = 500 * 2 ** attempt * (1 + random / 2);
	// Also of a time that has passed: without a wait, it would only be refused again.
	if (!asked) return backOff;
	return asked > MAX_WAIT_MS ? undefined : asked + random * 250;
}
