// When the login of a connection is renewed. Pure.

/** How long before the end of its token a connection is renewed. */
const RENEW_AHEAD_MS = 10 * 60_000;
/** A token that is valid for less than this is renewed after a part of its validity. */
const SHORT_VALIDITY_MS = 50 * 60_000;
const SHORT_RENEWAL_PART = 0.8;

/**
 * When to begin a renewal: ten minutes before the end, or at 80% of a validity under 50 minutes.
 *
 * @returns milliseconds since 1970; at least a second after the login, whatever the token says
 */
export function renewalTime(loggedInAt: number, expiresAt: number): number {
	const validity = expiresAt - loggedInAt;
	const after =
		validity < SHORT_VALIDITY_MS ? validity * SHORT_RENEWAL_PART : validity - RENEW_AHEAD_MS;
	return loggedInAt + Math.max(1_000, Math.floor(after));
}
