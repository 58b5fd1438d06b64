// n8n's errors, built from plain values only: the errors of n8n's HTTP helper contain the request with its login
// header, and everything attached to an error ends up in the execution data.

import { ExpressionError, NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { withHelpLink } from '../../shared/help';
import { InputError } from '../../shared/errors';
import { helpFor, type Failure } from '../../shared/failure';
import { describeLostRequest } from '../../shared/lostRequest';
import type { Effect } from '../../shared/answer/reason';
import { networkCodes } from '../../shared/networkErrors';

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

/** The error for a request that got no response. */
export function lostRequestError(
	node: INode,
	thrown: unknown,
	url: string,
	urlField: string,
	effect: Effect,
	isAnswered = false,
): NodeApiError {
	const [code] = networkCodes(thrown);
	const lost = describeLostRequest(thrown, url, urlField, effect, isAnswered);
	const { message } = lost;
	const description = withHelpLink(lost.description, lost.help);
	return withOwnWords(
		new NodeApiError(node, { message }, { message, description }),
		message,
		description,
		{ code },
	);
}

/** An error as plain values that n8n can store. */
export type PlainError = Pick<NodeApiError, 'message'> & {
	description: string;
	httpCode: string | null;
	context: Record<string, string | undefined>;
};

export function toPlain({ message, description, httpCode, context }: NodeApiError): PlainError {
	const { module, code } = context as PlainError['context'];
	return { message, description: description ?? '', httpCode, context: { module, code } };
}

/** The same error for another item. */
export function fromPlain(node: INode, plain: PlainError): NodeApiError {
	const { message, description, httpCode, context } = plain;
	const error = new NodeApiError(
		node,
		{ message },
		{ message, description, httpCode: httpCode ?? undefined },
	);
	return withOwnWords(error, message, description, context);
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
	const isExpression = error instanceof ExpressionError;
	const description =
		error instanceof InputError
			? withHelpLink(error.description, error.help)
			: (isExpression && error.description) || undefined;
	const own = withOwnWords(
		new NodeOperationError(node, message, { description, itemIndex }),
		message,
		description,
	);
	// With these, n8n's panel names the parameter and the node. Its own descriptions would hide ours.
	const hidden = { descriptionKey: undefined, descriptionTemplate: undefined };
	if (isExpression) own.context = { ...error.context, ...hidden, ...own.context };
	return own;
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
