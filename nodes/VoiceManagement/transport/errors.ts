// n8n's errors, built from plain values only: the errors of n8n's HTTP helper contain the request with its login
// header, and everything attached to an error ends up in the execution data.

import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { withHelpLink } from '../../shared/help';
import { InputError } from '../../shared/inputError';
import { helpFor, type Failure } from '../../shared/failure';
import { describeLostRequest, HOW_TO_FIND_OUT } from '../../shared/lostRequest';
import { networkCodes } from '../../shared/networkErrors';
import { TOO_MANY } from '../../shared/retryAfter';
import type { Effect } from '../../shared/answer/verdict';

/** The error for a failure response. */
export function apiError(node: INode, failure: Failure): NodeApiError {
	const { message, statusCode, module, code } = failure;
	const description = withHelpLink(failure.description, helpFor(failure));
	return withOwnWords(
		new NodeApiError(
			node,
			{ message },
			{ message, description, httpCode: statusCode ? String(statusCode) : undefined },
		),
		message,
		description,
		{ module, code },
	);
}

/**
 * The same failure of a checkout, with what remains uncertain. "Rejected" is an ordering code (digits), or a request
 * that was stopped earlier: a wrong login, the rate limit. A redirect often follows a successful purchase.
 */
export function checkoutFailure(failure: Failure): Failure {
	const { statusCode, code } = failure;
	if (TOO_MANY.has(statusCode)) {
		// The usual advice recommends "Retry On Fail", which could buy twice.
		return {
			...failure,
			description: `HTTP ${statusCode}. Too many requests. Wait a moment, then run the checkout again by hand.`,
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

/** The error for a request that got no response. */
export function lostRequestError(
	node: INode,
	thrown: unknown,
	url: string,
	urlField: string,
	effect: Effect,
): NodeApiError {
	const [code] = networkCodes(thrown);
	const lost = describeLostRequest(thrown, url, urlField, effect);
	const { message } = lost;
	const description = withHelpLink(lost.description, lost.help);
	return withOwnWords(
		new NodeApiError(node, { message }, { message, description }),
		message,
		description,
		{ code },
	);
}

/** Any error of an item as one of n8n's errors, with the item's index. */
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
		error instanceof InputError ? withHelpLink(error.description, error.help) : undefined;
	return withOwnWords(
		new NodeOperationError(node, message, { description, itemIndex }),
		message,
		description,
	);
}

/** n8n rewords messages that happen to contain words such as EPERM; this keeps the provider's own words. */
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
