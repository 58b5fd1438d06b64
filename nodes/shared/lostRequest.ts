// A request that got no response: what that means for what was asked, by the code of Node.js or axios. Pure.

import type { HelpSection } from './help';
import type { Effect } from './responseStatus';

/** What to do about an order that may have been placed. */
export const HOW_TO_FIND_OUT =
	"Don't run this again before you know. Look at the account's orders or balance at the operator.";

/** Codes of Node and of axios that mean: nothing has been sent. */
const NOT_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'ERR_INVALID_URL',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'CERT_HAS_EXPIRED',
]);

const REASONS: Record<string, string> = {
	ECONNREFUSED: 'refused the connection',
	ENOTFOUND: 'is not a known host name',
	EAI_AGAIN: 'could not be looked up (name service)',
	EHOSTUNREACH: "can't be reached from here",
	ENETUNREACH: "can't be reached from here",
	ETIMEDOUT: 'did not answer in time',
	ECONNABORTED: 'did not answer in time',
	ECONNRESET: 'closed the connection before it answered',
	EPIPE: 'closed the connection before it answered',
	ERR_CANCELED: 'was not waited for: the execution was cancelled',
};

/** The wording for a request that got no response. */
export function describeLostRequest(
	code: string | undefined,
	host: string,
	urlField: string,
	effect: Effect,
): { message: string; description: string; help: HelpSection } {
	const message = `${host} ${REASONS[code ?? ''] ?? `gave no answer${code ? ` (${code})` : ''}`}`;
	const sent = code === undefined || !NOT_SENT.has(code);
	if (sent && effect === 'purchase') {
		return {
			message: `${message}: the order may have been placed`,
			description: HOW_TO_FIND_OUT,
			help: 'the-order-may-have-been-placed',
		};
	}
	if (sent && effect === 'write') {
		return {
			message: `${message}: the change may have been made`,
			description: 'Look at the service before you run this again.',
			help: 'service-not-reached',
		};
	}
	const check = `Check "${urlField}" in the credential and whether the service is up.`;
	return {
		message,
		// A login may have opened a session that nobody knows of; it ends by itself.
		description: sent && effect === 'login' ? check : `Nothing was changed. ${check}`,
		help: 'service-not-reached',
	};
}

/** The network code on whatever n8n's helper threw: on the error, or on the causes below it. */
export function networkCode(error: unknown): string | undefined {
	let current = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		const { code, cause } = current as { code?: unknown; cause?: unknown };
		if (typeof code === 'string') return code;
		current = cause;
	}
	return undefined;
}
