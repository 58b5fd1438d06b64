// The trigger's errors that users see.

import { NodeOperationError, type INode } from 'n8n-workflow';
import { isAboutAddress, supervisorHint } from '../../shared/errorHints';
import { withHelpLink, type HelpSection } from '../../shared/help';
import { InputError } from '../../shared/errors';
import { withoutTried } from '../../shared/supervisorLogin';
import { kindOf } from '../callCentre/alertKinds';
import type { AlertRow } from '../callCentre/candidates';
import type { Directory, FirstOutcome } from '../feed/types';
import type { TriggerSettings } from '../panel/settings';

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

/**
 * A mistake in the settings as n8n shows it; anything else is returned unchanged.
 * @param shown of a failed publication, n8n shows no more than the title, so that says what to do as well
 */
export function asNodeError(
	node: INode,
	error: unknown,
	shown: 'whole' | 'title' = 'whole',
): unknown {
	if (!(error instanceof InputError)) return error;
	const { message, description, help } = error;
	const title = shown === 'whole' || !description ? message : `${message}. ${description}`;
	return nodeError(node, title, description, help);
}

/**
 * The provider does not accept the login.
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
	const aboutAddress = account && (statusCode === 403 || isAboutAddress(reason));
	const advice = aboutAddress ? ADVICE.address : account ? ADVICE.account : supervisorHint(reason);
	// n8n shows no more than the title of what failed a publication.
	const [first = ''] = advice.split(/[:;]/);
	return nodeError(
		node,
		`The provider refused the login: ${withoutTried(reason).replace(/\.$/, '')}. ${first}`,
		`${status}${advice} ${further}`,
		aboutAddress ? 'the-full-account-feed' : 'login-refused',
	);
}

/** What to do about a rejected login, by the kind of login. */
const ADVICE = {
	account:
		'Check "Login" and "Password" in the credential: it needs the login of an API account, which the provider issues on request.',
	address:
		'Set "Machine IP Address" in the credential to the IP address from which the provider sees this n8n instance; the provider\'s message may name it.',
};

/** @returns undefined if the first attempt has connected, or another one may */
export function firstAttemptError(
	node: INode,
	outcome: FirstOutcome | undefined,
): NodeOperationError | undefined {
	if (outcome?.kind === 'refused') return refusedError(node, outcome.reason, outcome.statusCode);
	return outcome?.kind === 'unusable' ? unusableError(node, outcome.reason) : undefined;
}

/** The provider responds, but not as required: trying again changes nothing. */
function unusableError(node: INode, reason: string): NodeOperationError {
	if (node.parameters.feed === 'account' && isAboutAddress(reason))
		return nodeError(node, reason, ADVICE.address, 'the-full-account-feed');
	return nodeError(
		node,
		reason,
		'Check the URL of this host in the credential, and what it says under "Change How the Feed Connects".',
		'service-not-reached',
	);
}

/**
 * Why a filter by group lets nothing through.
 * @param directory of the login; undefined before it
 * @returns undefined if some agent belongs to one of the groups; `wrong`: the login has no such group, or does not say
 *   who belongs to one
 */
export function groupProblem(
	{ filter, callCentre }: TriggerSettings,
	directory: Directory | undefined,
): { error: InputError; wrong: boolean } | undefined {
	if (!directory) return undefined;
	const agents = [...directory.agents.values()];
	const isOf = (agent: (typeof agents)[number], groupIds: readonly string[]) =>
		groupIds.length === 0 || agent.groups.some((id) => groupIds.includes(id));
	const { agentIds } = filter;
	const passing = agents.filter(
		(one) => isOf(one, filter.groupIds) && (agentIds.length === 0 || agentIds.includes(one.id)),
	);
	const isEmpty = ({ groupIds }: Pick<AlertRow, 'groupIds'>) =>
		groupIds.length > 0 && !passing.some((agent) => isOf(agent, groupIds));
	// Both hold: a row's groups, and what the filters let through.
	const row = callCentre.alerts.findIndex(isEmpty);
	const alert = callCentre.alerts[row];
	const { groupIds } = alert ?? filter;
	if (!alert && !isEmpty(filter)) return undefined;
	const isNarrowed = agentIds.length > 0 || (alert !== undefined && filter.groupIds.length > 0);
	const of = alert ? ` of alert ${row + 1} (${kindOf(alert.when).name})` : '';
	const because = (
		why: string,
		wrong: boolean,
		advice = alert ? 'Choose other groups' : 'Use "Agent Names or IDs" instead',
	) => ({
		error: new InputError(
			`"Group Names or IDs"${of} lets nothing through: ${why}`,
			advice,
			'nothing-arrives',
		),
		// An alert of a row that nobody is in would never start.
		wrong: wrong || alert !== undefined,
	});
	const odd = directory.unread.get('agents');
	if (odd !== undefined && agents.length === 0)
		return because(`the agents in the response to the login can't be read: it has ${odd}`, true);
	if (agents.every(({ groups }) => groups.length === 0))
		return because('the response to the login names no group of any agent', true);
	const isListed = groupIds.some((id) => directory.groups.has(id));
	return isListed || directory.groups.size === 0
		? because(
				`no agent${isNarrowed ? ' of the filters' : ''} belongs to ${groupIds.join(', ')}`,
				false,
			)
		: because(
				`the login has no group ${groupIds.join(', ')}`,
				true,
				'Choose the groups from the list, which has those of this login',
			);
}

/** Chosen agents and trunks that the login does not list, so that perhaps nothing passes: a sentence for each filter. */
export function unlisted({ filter }: TriggerSettings, directory: Directory | undefined): string[] {
	const lists = [
		['Agent Names or IDs', filter.agentIds, directory?.agents],
		['Trunk Names or IDs', filter.trunkIds, directory?.trunks],
	] as const;
	return lists.flatMap(([label, chosen, listed]) => {
		if (!listed || listed.size === 0) return [];
		const unknown = chosen.filter((id) => !listed.has(id));
		return unknown.length === 0
			? []
			: [`"${label}" has ${unknown.join(', ')}, which the login does not list`];
	});
}
