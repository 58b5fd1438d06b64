// What it means for an operation that its request got no response. Pure.

import type { HelpSection } from './help';
import {
	describeNetworkError,
	failedToAgreeOnTls,
	needsPerson,
	networkCodes,
	proxyIn,
} from './networkErrors';
import type { Effect } from './answer/reason';

/** What to do about an order that may have been placed. */
export const HOW_TO_FIND_OUT =
	"Don't run this again before you know. Look at the account's orders or balance at the provider.";

/** Codes of Node.js and of axios that mean that nothing has been sent. */
const NOT_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'ERR_INVALID_URL',
]);

/**
 * The wording for a request that got no response.
 * @param error what n8n's helper threw
 * @param url where the request went; only its host is shown
 * @param urlField the credential's field that names the host
 * @param isAnswered whether a response had begun: then the request was sent, whatever the error
 */
export function describeLostRequest(
	error: unknown,
	url: string,
	urlField: string,
	effect: Effect,
	isAnswered = false,
): { message: string; description: string; help: HelpSection } {
	const changes = effect === 'write' || effect === 'purchase';
	const message = describeNetworkError(error, url, !changes);
	// n8n forbids the host, or the certificate was not accepted: then nothing has been sent either.
	const isTls = failedToAgreeOnTls(error);
	const isUnsent =
		needsPerson(error) || isTls || networkCodes(error).some((code) => NOT_SENT.has(code));
	const sent = isAnswered || !isUnsent;
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
			description:
				"Check on the provider's side whether the change was made before you run this again.",
			help: 'service-not-reached',
		};
	}
	// A host that can't agree on TLS is up.
	const check =
		needsPerson(error) || proxyIn(error, url) !== undefined
			? ''
			: isTls
				? `Check "${urlField}" in the credential.`
				: `Check "${urlField}" in the credential, and whether the provider's host is up.`;
	return {
		message,
		description: changes ? `Nothing was changed. ${check}`.trim() : check,
		help: 'service-not-reached',
	};
}
