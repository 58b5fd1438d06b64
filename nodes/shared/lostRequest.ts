// What it means for an operation that its request got no response. Pure.

import type { HelpSection } from './help';
import {
	describeNetworkError,
	failedToAgreeOnTls,
	needsPerson,
	proxyIn,
	wasNeverSent,
} from './networkErrors';
import type { Effect } from './answer/reason';

export const MAY_BE_MADE = 'the change may have been made';

/** What to do about a change that may have been made. */
export const HOW_TO_CHECK =
	"Check on the provider's side whether the change was made before you run this again.";

export const MAY_BE_PLACED = 'the order may have been placed';

/** What to do about an order that may have been placed. */
export const HOW_TO_FIND_OUT =
	"Don't run this again before you know. Look at the account's orders or balance at the provider.";

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
	const sent = isAnswered || !wasNeverSent(error);
	if (sent && effect === 'purchase') {
		return {
			message: `${message}: ${MAY_BE_PLACED}`,
			description: HOW_TO_FIND_OUT,
			help: 'the-order-may-have-been-placed',
		};
	}
	if (sent && effect === 'write') {
		return {
			message: `${message}: ${MAY_BE_MADE}`,
			description: HOW_TO_CHECK,
			help: 'service-not-reached',
		};
	}
	// A host that can't agree on TLS is up.
	const check =
		needsPerson(error) || proxyIn(error, url) !== undefined
			? ''
			: failedToAgreeOnTls(error)
				? `Check "${urlField}" in the credential.`
				: `Check "${urlField}" in the credential, and whether the provider's host is up.`;
	return {
		message,
		description: changes ? `Nothing was changed. ${check}`.trim() : check,
		help: 'service-not-reached',
	};
}
