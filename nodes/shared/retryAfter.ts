// "Try again later": the statuses that mean it, and the header that gives the time.

/** Over its rate limit the provider responds with one of these (provider.md#rate-limit). */
export const TOO_MANY = new Set([429, 509]);

/** These say nothing about the request itself: they are about the login, a proxy or the moment. */
export const UNRELATED = new Set([401, 403, 407, 408, 425, ...TOO_MANY]);

/**
 * The `Retry-After` header.
 * @param value seconds, or an HTTP date
 * @param now milliseconds since 1970
 * @returns milliseconds from now, zero at least; undefined for anything else
 */
export function readRetryAfter(value: unknown, now: number): number | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text.length > 100) return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	// A date contains letters; Date.parse would read "-1" as a year.
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
