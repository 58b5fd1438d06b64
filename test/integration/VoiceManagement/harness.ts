// Runs the action node against a real HTTP server without n8n, in a context whose helpers behave like n8n's.

import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
	NodeHelpers,
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunctions,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeTypeDescription,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { VoiceManagementApi } from '../../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import { properties } from '../../../nodes/VoiceManagement/description';
import { runItems } from '../../../nodes/VoiceManagement/operation';
import { resources } from '../../../nodes/VoiceManagement/resources';
import type { Timing } from '../../../nodes/VoiceManagement/transport/apiClient';
import type { Operator } from '../../../simulator';
import { httpRequestWithAuthentication, legacyRequest } from '../../support/n8nHttp';
import { nth, present } from '../../support/present';

const credentialTypes: Record<string, ICredentialType> = {
	voiceManagementApi: new VoiceManagementApi(),
	voiceManagementSupervisorApi: new VoiceManagementSupervisorApi(),
};

const description = { properties: properties(resources) } as INodeTypeDescription;

export type Credentials = Record<string, ICredentialDataDecryptedObject>;

/** The credentials of an operator's number management and supervisor accounts. */
export function credentialsFor({ url, accounts }: Operator): Credentials {
	return {
		voiceManagementApi: {
			baseUrl: url,
			...accounts.numbers,
			voiceUrl: url,
			idClient: accounts.api.clientId,
			ip: '127.0.0.1',
		},
		voiceManagementSupervisorApi: {
			voiceUrl: url,
			...accounts.supervisor,
			accountTypeKey: 'account_type',
		},
	};
}

/** The same with the API account's login. */
export function apiCredentialsFor(operator: Operator): Credentials {
	const { login, password } = operator.accounts.api;
	const all = credentialsFor(operator);
	return { ...all, voiceManagementApi: { ...all.voiceManagementApi, login, password } };
}

export interface RunOptions {
	credentials: Credentials;
	/** Parameters for all items, or for each item. */
	parameters: IDataObject | IDataObject[];
	items?: INodeExecutionData[];
	continueOnFail?: boolean;
	/** Binary id to file path, as in n8n's store on disk. */
	store?: Record<string, string>;
	/** The size that n8n's metadata gives for a file there, if that is not its size. */
	storedSize?: number;
	/** Streams that were opened on that store. */
	streams?: ReadStream[];
	signal?: AbortSignal;
	/** The times passed to sleep, in milliseconds. */
	slept?: number[];
	now?: () => number;
}

export interface RunResult {
	items: INodeExecutionData[];
	hints: NodeExecutionHint[];
}

/** Runs the node with its items. Throws what the node throws. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const hints: NodeExecutionHint[] = [];
	const timing: Timing = {
		sleep: async (milliseconds) => void options.slept?.push(milliseconds),
		now: options.now ?? Date.now,
		random: () => 0,
	};
	const outputs = await runItems(executeContext(options, hints), resources, timing);
	return { items: nth(outputs, 0), hints };
}

export function executeContext(
	options: RunOptions,
	hints: NodeExecutionHint[] = [],
): IExecuteFunctions {
	const items = options.items ?? [{ json: {} }];
	const node = nodeWith(nth([options.parameters].flat(), 0));
	const all = [options.parameters].flat().map(complete);
	const parametersOf = (index: number) => nth(all, all.length > 1 ? index : 0);
	const context = {
		...base(node, options.credentials, options.signal),
		getInputData: () => items,
		getNodeParameter: (name: string, index: number, fallback?: unknown) => {
			const value = parametersOf(index)[name] ?? fallback;
			if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
			return value;
		},
		continueOnFail: () => options.continueOnFail ?? false,
		getExecutionCancelSignal: () => options.signal,
		addExecutionHints: (...given: NodeExecutionHint[]) => void hints.push(...given),
	};
	Object.assign(context.helpers, {
		getBinaryDataBuffer: async (index: number, name: string) =>
			Buffer.from(binary(items, index, name).data, 'base64'),
		getBinaryMetadata: async (id: string) => ({
			fileSize: options.storedSize ?? (await stat(pathOf(options, id))).size,
			fileName: 'stored.txt',
			mimeType: 'text/plain',
		}),
		getBinaryStream: async (id: string, chunkSize?: number) => {
			const stream = createReadStream(pathOf(options, id), { highWaterMark: chunkSize });
			options.streams?.push(stream);
			return stream;
		},
	});
	return context as unknown as IExecuteFunctions;
}

/** The context for the lists of the node's parameters. */
export function listContext(
	credentials: Credentials,
	current: IDataObject = {},
): ILoadOptionsFunctions {
	return {
		...base(nodeWith(current), credentials),
		getCurrentNodeParameter: (name: string) => current[name],
	} as unknown as ILoadOptionsFunctions;
}

/** The context of a credential test, which only has the old request helper. */
export function credentialTestContext(): ICredentialTestFunctions {
	return { helpers: { request: legacyRequest } } as unknown as ICredentialTestFunctions;
}

function base(node: INode, credentials: Credentials, signal?: AbortSignal) {
	return {
		getNode: () => node,
		getCredentials: async (type: string) => {
			if (!credentials[type])
				throw new Error(`Node does not have any credentials of type "${type}" set`);
			return credentials[type];
		},
		helpers: {
			httpRequestWithAuthentication: async (type: string, options: IHttpRequestOptions) =>
				await httpRequestWithAuthentication(
					node,
					present(credentialTypes[type]),
					present(credentials[type]),
					{
						...options,
						abortSignal: signal,
					},
				),
		},
	};
}

function nodeWith(parameters: IDataObject): INode {
	return {
		id: '1',
		name: 'Voice Management',
		type: 'n8n-nodes-voice-management.voiceManagement',
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
	};
}

/** The parameters with n8n's own defaults; hidden ones are absent. */
function complete(parameters: IDataObject): IDataObject {
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters as INode['parameters'],
			true,
			false,
			nodeWith(parameters),
			description,
		) ?? {}
	);
}

function binary(items: INodeExecutionData[], index: number, name: string): IBinaryData {
	const data = nth(items, index).binary?.[name];
	if (!data) throw new Error(`No binary field ${name}`);
	return data;
}

function pathOf({ store }: RunOptions, id: string): string {
	const path = store?.[id];
	if (!path) throw new Error(`No file with the id ${id}`);
	return path;
}
