// n8n's errors, built from plain values only: the helper's own errors carry the request with its login header,
// and what hangs on an error ends up in the execution data.

import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { withHelp, type HelpSection } from '../../shared/help';
import { InputError } from '../../shared/inputError';
import { helpFor, type Failure } from './failure';
import { TOO_MANY } from './retry';

/** What a request does at the service, which decides what a lost answer means. */
export type Effect = 'read' | 'login' | 'write' | 'purchase';

/** The error for an answer that was a failure. */
export function serviceError(node: INode, failure: Failure, itemIndex?: number): NodeApiError {
	const { message, statusCode, module, code } = failure;
	const description = withHelp(failure.description, helpFor(failure));
	return withOwnWords(
		new NodeApiError(
			node,
			{ message },
			{ message, description, httpCode: statusCode ? String(statusCode) : undefined, itemIndex },
		),
		message,
		description,
		{ module, code },
	);
}

/**
 * The same failure of a checkout, said with what it leaves open. "Refused" is what the ordering itself says (a code of
 * digits), or what never got that far: a wrong login, the rate limit. A redirect is often what follows a purchase.
 */
export function checkoutFailure(failure: Failure): Failure {
	const { statusCode, code } = failure;
	if (TOO_MANY.has(statusCode)) {
		// The usual advice names "Retry on Fail", which could buy twice.
		return {
			...failure,
			description: `HTTP ${statusCode}. Too many requests. Wait a little, then run the checkout again by hand.`,
		};
	}
	const refused =
		/^\d+$/.test(code ?? '') || (statusCode >= 400 && statusCode < 500 && statusCode !== 408);
	if (refused) return failure;
	return {
		...failure,
		message: `${failure.message}: the order may have been placed`,
		description: `HTTP ${statusCode}. ${HOW_TO_FIND_OUT}`,
		help: 'the-order-may-have-been-placed',
	};
}

const HOW_TO_FIND_OUT =
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

/** The wording for a request that got no answer; pure, also used by the credential tests. */
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

/** The error for a request that got no answer. */
export function lostRequestError(
	node: INode,
	thrown: unknown,
	host: string,
	urlField: string,
	effect: Effect,
	itemIndex?: number,
): NodeApiError {
	const code = networkCode(thrown);
	const lost = describeLostRequest(code, host, urlField, effect);
	const { message } = lost;
	const description = withHelp(lost.description, lost.help);
	return withOwnWords(
		new NodeApiError(node, { message }, { message, description, itemIndex }),
		message,
		description,
		{ code },
	);
}

/** Whatever an item failed with, as one of n8n's errors that knows its item. */
export function itemError(
	node: INode,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const message = error instanceof Error ? error.message : String(error);
	const description =
		error instanceof InputError ? withHelp(error.description, error.help) : undefined;
	return withOwnWords(
		new NodeOperationError(node, message, { description, itemIndex }),
		message,
		description,
	);
}

/** n8n rewords messages that happen to contain words such as EPERM: the operator's own words stay. */
function withOwnWords<T extends NodeApiError | NodeOperationError>(
	error: T,
	message: string,
	description?: string,
	context: Record<string, string | undefined> = {},
): T {
	error.message = message;
	error.description = description;
	for (const [key, value] of Object.entries(context)) {
		if (value !== undefined) error.context[key] = value;
	}
	return error;
}
