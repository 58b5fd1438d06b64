// The trigger's errors that users see.

import { NodeOperationError, type INode } from 'n8n-workflow';
import { supervisorHint } from '../shared/errorHints';
import { withHelpLink, type HelpSection } from '../shared/help';
import { InputError } from '../shared/inputError';

/**
 * An error with exactly this text: n8n would replace messages that contain the code of a network error.
 * @param help the section of the documentation that its description links to
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

/** A mistake in the settings as n8n shows it; anything else is returned unchanged. */
export function asNodeError(node: INode, error: unknown): unknown {
	if (error instanceof InputError) {
		return nodeError(node, error.message, error.description, error.help);
	}
	return error;
}

/**
 * The operator does not accept the login.
 * @param further text to add after the advice
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

/** What to do about a rejected login, by the kind of login. */
const ADVICE = {
	account:
		'The credential needs the login of an API account, which the operator issues on request. Check login and password.',
	address:
		'Set "Machine IP Address" to the IP address from which the operator sees this n8n instance; the operator\'s message may name it.',
};

/** The operator responds, but not as required: trying again changes nothing. */
export function unusableError(node: INode, reason: string): NodeOperationError {
	return nodeError(
		node,
		reason,
		'Check the URL of this host in the credential, and the options of this node.',
		'service-not-reached',
	);
}
