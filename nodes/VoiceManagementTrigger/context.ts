// What the trigger needs of n8n's context, in one place: HTTP with the credential, the log, and the errors that a
// person gets to see.

import {
	NodeOperationError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type ITriggerFunctions,
} from 'n8n-workflow';
import { supervisorHint } from '../shared/errorHints';
import { withHelpLink, type HelpSection } from '../shared/help';
import { InputError } from '../shared/inputError';
import type { Clock, FeedLogger } from './feed/types';
import type { Http } from './login';

/** n8n's helpers as the login uses them. */
export function httpOf(context: ITriggerFunctions | ILoadOptionsFunctions): Http {
	return {
		authenticated: async (credential, request): Promise<unknown> =>
			await context.helpers.httpRequestWithAuthentication.call(
				context as unknown as IExecuteFunctions,
				credential,
				request,
			),
		plain: async (request): Promise<unknown> => await context.helpers.httpRequest(request),
	};
}

/** n8n's logger, with workflow and node in front of each line. */
export function loggerOf(context: ITriggerFunctions): FeedLogger {
	const { id, name } = context.getWorkflow();
	const node = context.getNode().name;
	// Whatever the operator's words hold: one line, and nothing that a terminal takes for a command.
	const line = (message: string) =>
		`Voice feed, workflow "${name ?? id ?? ''}", node "${node}": ${message}`.replace(
			/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu,
			' ',
		);
	const meta = { workflowId: id, nodeName: node };
	return {
		debug: (message) => context.logger.debug(line(message), meta),
		info: (message) => context.logger.info(line(message), meta),
		warn: (message) => context.logger.warn(line(message), meta),
		error: (message) => context.logger.error(line(message), meta),
	};
}

/**
 * An error in exactly these words: n8n would replace messages that name a network error by words of its own.
 * @param help the section of the documentation that its description leads to
 */
export function nodeError(
	node: INode,
	message: string,
	description: string | undefined,
	help: HelpSection,
): NodeOperationError {
	const error = new NodeOperationError(node, message, {
		description: withHelpLink(description, help),
	});
	error.message = message;
	return error;
}

/** A mistake in the settings as n8n shows it; anything else is passed on as it is. */
export function asNodeError(node: INode, error: unknown): unknown {
	if (error instanceof InputError) {
		return nodeError(node, error.message, error.description, error.help);
	}
	return error;
}

/**
 * The operator does not accept the login.
 * @param further what is said after the advice
 */
export function refusedError(
	node: INode,
	reason: string,
	statusCode?: number,
	further = '',
): NodeOperationError {
	const status = statusCode === undefined ? '' : `HTTP ${statusCode}. `;
	const account = node.parameters.feed === 'account';
	const aboutAddress = account && (statusCode === 403 || /\bip\b/i.test(reason));
	return nodeError(
		node,
		`The operator refused the login: ${reason}`,
		`${status}${aboutAddress ? ADVICE.address : account ? ADVICE.account : supervisorHint(reason)} ${further}`,
		aboutAddress ? 'the-full-account-feed' : 'login-refused',
	);
}

/** What helps with a refused login, by what the feed logs in with. */
const ADVICE = {
	account:
		'The credential needs the login of an API account, which the operator issues on request. Check login and password.',
	address:
		'Set "Machine IP Address" to the IP address from which the operator sees this n8n instance; the operator\'s message may name it.',
};

/** The operator answers, but not as it must: trying again changes nothing. */
export function unusableError(node: INode, reason: string): NodeOperationError {
	return nodeError(
		node,
		reason,
		'Check "Voice Management URL" in the credential and the options of this node.',
		'service-not-reached',
	);
}

/** What a promise settles with, or undefined where that takes longer. */
export async function within<T>(
	promise: Promise<T>,
	waitMs: number,
	clock: Clock,
): Promise<T | undefined> {
	let cancel = () => {};
	const timeout = new Promise<undefined>((resolve) => {
		cancel = clock.after(waitMs, () => resolve(undefined));
	});
	const settled = await Promise.race([promise, timeout]);
	cancel();
	return settled;
}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
