// The lists in the panel: events by the chosen types; agents, groups and trunks from a supervisor's login.

import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { listOption } from '../../shared/listOption';
import { describeNetworkError } from '../../shared/networkErrors';
import { oneLine } from '../../shared/response';
import { LoginFailed, LoginRefused, readingSupervisorLogin } from '../../shared/loginResponse';
import { inSlices } from '../../shared/slices';
import type { Directory } from '../feed/types';
import { httpOf } from '../context';
import { asNodeError, nodeError, refusedError } from '../nodeErrors';
import { eventChoices } from '../events/kinds';
import { CREDENTIAL_OF_FEED, feedOptions } from '../feedOptions';
import { liveDirectory } from '../execution/activeTriggers';
import { readSettings, toList } from '../settings';
import { text } from '../settingValues';

type List = 'agents' | 'groups' | 'trunks';

/** The events of the chosen notification types. */
export function getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const types = toList(this.getCurrentNodeParameter('notificationTypes'));
	return Promise.resolve(eventChoices(types));
}

export const getAgents = listOf('agents');
export const getGroups = listOf('groups');
export const getTrunks = listOf('trunks');

function listOf(list: List) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const directory = await readNames(this, list);
		return [...directory[list].values()]
			.map(({ id, name }) =>
				listOption(name === id ? id : `${oneLine(name).slice(0, 150)} (${id})`, id),
			)
			.filter((option) => option !== undefined)
			.sort((a, b) => a.name.localeCompare(b.name));
	};
}

/** The names from a running feed with this login, or else from a new login. */
async function readNames(context: ILoadOptionsFunctions, list: List): Promise<Directory> {
	const node = context.getNode();
	if (context.getCurrentNodeParameter('feed') === 'account') {
		throw nodeError(
			node,
			list === 'groups'
				? 'The full account feed does not show which agents belong to a group: remove this filter, or choose the supervisor feed'
				: `The full account feed does not name its ${list}: switch this field to Expression and enter their IDs, for example 501, 502`,
			undefined,
			'the-full-account-feed',
		);
	}
	let credential: ICredentialDataDecryptedObject | undefined;
	try {
		// Only the node's parameters that are needed to connect; half-filled filters don't matter here.
		const settings = readSettings((name, fallback) =>
			name === 'options' ? (context.getCurrentNodeParameter(name) ?? fallback) : fallback,
		);
		credential = await context.getCredentials<ICredentialDataDecryptedObject>(
			CREDENTIAL_OF_FEED.supervisor,
		);
		const feed = feedOptions(settings, credential, httpOf(context));
		const live = liveDirectory(feed.key);
		if (live) return live;
		return (await inSlices(readingSupervisorLogin(await feed.login(), Date.now()))).directory;
	} catch (error) {
		const shown = asNodeError(node, error);
		if (shown instanceof NodeOperationError) throw shown;
		if (error instanceof LoginRefused) throw refusedError(node, error.reason, error.statusCode);
		const reason =
			error instanceof LoginFailed
				? error.reason
				: describeNetworkError(error, text(credential?.voiceUrl));
		throw nodeError(
			node,
			`The names of the ${list} could not be read: ${reason}`,
			undefined,
			'service-not-reached',
		);
	}
}
