/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Runs the action node against a real HTTP server without n8n, in a context whose helpers behave like n8n's.

import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
	NodeHelpers,
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeTypeDescription,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { testApiCredential, testSupervisorCredential } from '../../../nodes/shared/credentialTest';
import { actionProperties } from '../../../nodes/VoiceManagement/description';
import { runItems } from '../../../nodes/VoiceManagement/operation';
import { resources } from '../../../nodes/VoiceManagement/resources';
import type { Timing } from '../../../nodes/VoiceManagement/transport/apiClient';
import type { Provider } from '../../../simulator';
import { credentialsFor, credentialTypes } from '../../support/credentials';
import { httpRequestWithAuthentication, legacyRequest } from '../../support/n8nHttp';
import { nth, present } from '../../support/present';

const description = { properties: actionProperties(resources) } as INodeTypeDescription;

export type Credentials = Record<string, ICredentialDataDecryptedObject>;

export { credentialsFor };

/** The same with the API account's login. */
export const apiCredentialsFor = (provider: Provider) => credentialsFor(provider, 'api');

export interface RunOptions {
	credentials: Credentials;
	/** Parameters for all items, or for each item. */
	parameters: IDataObject | IDataObject[];
	items?: INodeExecutionData[];
	continueOnFail?: boolean;
	/** An expression of one item that fails. */
	fails?: { parameter: string; item: number; message: string };
	/** Settings of the node beside its parameters. */
	node?: Partial<INode>;
	/** The data that all nodes of the execution share; without it, there is no such data. */
	flow?: IDataObject;
	executionId?: string;
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
	/** Without the advice to pin the output. */
	hints: NodeExecutionHint[];
	advisesToPin: boolean;
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
	const isPin = ({ message }: NodeExecutionHint) => message.startsWith('Pin this output');
	return {
		items: nth(outputs, 0),
		hints: hints.filter((hint) => !isPin(hint)),
		advisesToPin: hints.some(isPin),
	};
}

export function executeContext(
	options: RunOptions,
	hints: NodeExecutionHint[] = [],
): IExecuteFunctions {
	const items = options.items ?? [{ json: {} }];
	const node = { ...nodeWith(nth([options.parameters].flat(), 0)), ...options.node };
	const all = [options.parameters].flat().map(complete);
	const parametersOf = (index: number) => nth(all, all.length > 1 ? index : 0);
	const context = {
		...base(node, options.credentials, options.signal),
		getInputData: () => items,
		getNodeParameter: (name: string, index: number, fallback?: unknown) => {
			const { fails } = options;
			if (fails?.parameter === name && fails.item === index) throw new Error(fails.message);
			const found = parametersOf(index);
			const value = name in found ? found[name] : fallback;
			if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
			return value;
		},
		getContext: (type: string) => {
			if (type !== 'flow' || !options.flow) throw new Error('`executionData` is not initialized');
			return options.flow;
		},
		getExecutionId: () => options.executionId ?? '1',
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

/** The context of a credential test. */
export const testContext = {
	// The only helper there.
	helpers: { request: legacyRequest },
} as unknown as ICredentialTestFunctions;

/** "Test" of each credential with these fields, as n8n shows its result. */
export const credentialTest = {
	api: async (data: object) =>
		await testApiCredential.call(testContext, { data } as unknown as ICredentialsDecrypted),
	supervisor: async (data: object) =>
		await testSupervisorCredential.call(testContext, { data } as unknown as ICredentialsDecrypted),
};

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

/**
 * The parameters with n8n's own defaults; hidden ones are absent. What an expression did not find stays (null; in a
 * collection also undefined), as n8n resolves it later.
 */
function complete(parameters: IDataObject): IDataObject {
	const completed =
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters as INode['parameters'],
			true,
			false,
			nodeWith(parameters),
			description,
		) ?? {};
	for (const [name, value] of Object.entries(parameters)) {
		if (value === null && name in completed) completed[name] = value;
		if (!(name in completed) || typeof value !== 'object' || Array.isArray(value)) continue;
		for (const [inner, found] of Object.entries((value ?? {}) as IDataObject))
			if (found === null || found === undefined) (completed[name] as IDataObject)[inner] = found;
	}
	return completed;
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
