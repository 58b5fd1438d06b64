// The lists in the panel: events by the chosen types; agents, groups and trunks from a supervisor's login.

import {
	NodeOperationError,
	type INode,
	type ICredentialDataDecryptedObject,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { listOption } from '../../shared/listOption';
import { describeNetworkError } from '../../shared/networkErrors';
import { oneLine } from '../../shared/oneLine';
import type { Directory, FeedOptions } from '../feed/types';
import { httpOf } from '../life/context';
import { asNodeError, nodeError, refusedError } from '../life/errors';
import { eventChoices } from '../events/kinds';
import { CREDENTIAL_OF_FEED, feedOptions, readCredential } from '../life/account';
import { liveDirectory } from '../life/instances';
import { text, toList } from '../../shared/settingValues';

type List = 'agents' | 'groups' | 'trunks';

/** The events of the chosen event types. */
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
		const odd = directory.unread.get(list);
		if (odd !== undefined && directory[list].size === 0) {
			throw nodeError(
				this.getNode(),
				`The ${list} in the response to the login can't be read: it has ${odd}. Switch this field to Expression and enter their IDs, for example 501, 502`,
				undefined,
				'nothing-arrives',
			);
		}
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
				? 'The full account feed does not show which agents belong to a group: remove this filter, or choose a supervisor credential'
				: `The full account feed does not name its ${list}: switch this field to Expression and enter their IDs, for example 501, 502`,
			undefined,
			'the-full-account-feed',
		);
	}
	let credential: ICredentialDataDecryptedObject | undefined;
	try {
		const read = await readCredential(
			async () =>
				await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_OF_FEED.supervisor),
		);
		if (read.problem) throw notRead(node, list, read.problem.reason);
		({ credential } = read);
		const feed = feedOptions('supervisor', credential, httpOf(context));
		const live = liveDirectory(feed);
		if (live) return live;
		const { session, problem } = await loginOnce(feed);
		if (session) return session.directory;
		if (problem.kind === 'refused') throw refusedError(node, problem.reason, problem.statusCode);
		throw notRead(node, list, problem.reason);
	} catch (error) {
		const shown = asNodeError(node, error);
		if (shown instanceof NodeOperationError) throw shown;
		throw notRead(node, list, describeNetworkError(error, text(credential?.voiceUrl)));
	}
}

/** Those under way: filters that are opened together share one. */
const logins = new Map<string, ReturnType<FeedOptions['login']>>();

async function loginOnce(feed: FeedOptions): ReturnType<FeedOptions['login']> {
	const { key } = feed;
	const one =
		logins.get(key) ?? feed.login(undefined, Date.now()).finally(() => logins.delete(key));
	logins.set(key, one);
	return await one;
}

const notRead = (node: INode, list: List, reason: string): NodeOperationError =>
	nodeError(
		node,
		`The names of the ${list} could not be read: ${reason}`,
		undefined,
		'service-not-reached',
	);
