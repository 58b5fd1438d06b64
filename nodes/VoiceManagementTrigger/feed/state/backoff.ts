// Computes how long to wait before the next attempt. Pure: randomness is passed in as a number.

/** A connection is confirmed by an event, or by staying open this long. */
export const CONFIRM_MS = 30_000;
/**
 * A connection that ends sooner than this does not count as confirmed, even if it delivered events; if the provider ended
 * it, it counts as rejected.
 */
export const REJECTED_MS = 10_000;

/** The shortest and the longest wait after a failed attempt, in milliseconds. */
const BACKOFF_MIN_MS = 1_000;
export const BACKOFF_MAX_MS = 60_000;
/** Retrying refused credentials often does not help, and can lock an account. */
const REFUSED_MIN_MS = 5 * 60_000;
const REFUSED_MAX_MS = 30 * 60_000;

/**
 * Exponential back-off with equal jitter: half of the wait is fixed and half is random, so that the clients of a
 * provider that restarts do not all reconnect at the same time.
 *
 * @param failures failed attempts since the last confirmed connection, whose loss counts as one unless the provider
 *   ended it properly; 1 for the first
 * @param random 0 (inclusive) to 1 (exclusive)
 * @returns milliseconds: 1 to 2 s after the first failure, doubling, at most 30 to 60 s
 */
export function backoffDelay(failures: number, random: number): number {
	return jitteredDelay(2 * BACKOFF_MIN_MS, BACKOFF_MAX_MS, failures, random);
}

/**
 * The wait after credentials were refused.
 *
 * @param refusals refusals in this outage; 1 for the first
 * @returns milliseconds: 5 min after the first refusal, doubling to 30 min, plus a random part of up to a tenth
 */
export function refusedDelay(refusals: number, random: number): number {
	const delay = Math.min(REFUSED_MAX_MS, REFUSED_MIN_MS * 2 ** exponent(refusals));
	return Math.round(delay * (1 + random / 10));
}

/**
 * A wait that doubles from `first` to `max` with each failure; half of it is fixed and half is random.
 *
 * @param failures 1 for the first failure
 * @param random 0 (inclusive) to 1 (exclusive)
 * @returns milliseconds
 */
export function jitteredDelay(
	first: number,
	max: number,
	failures: number,
	random: number,
): number {
	const ceiling = Math.min(max, first * 2 ** exponent(failures));
	return Math.round(ceiling / 2 + (random * ceiling) / 2);
}

/** Limited, so that months of failures do not result in Infinity. */
function exponent(count: number): number {
	return Math.min(20, Math.max(0, count - 1));
}
