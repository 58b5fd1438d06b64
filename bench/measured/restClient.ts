// The process whose time and memory is measured for the action node: the node as it ships over the HTTP client that
// n8n has, or a plain program with that client.
import { nth } from '../../simulator/present';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import axios from 'axios';
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

import { serveCommands } from './commands';

/** Time, CPU time and memory of one piece of work. */
export interface Work {
	millis: number;
	cpuMillis: number;
	/** The most memory that the process had beyond what it had before, in bytes. */
	grownBytes: number;
	results: number;
}

const BASIC = { username: 'bench', password: 'bench' };

function memory(field: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync('/proc/self/status', 'utf8');
	return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

async function measure(work: () => Promise<number>): Promise<Work> {
	global.gc?.();
	const before = memory('VmRSS');
	const cpu = process.cpuUsage();
	const started = performance.now();
	const results = await work();
	const { user, system } = process.cpuUsage(cpu);
	return {
		millis: performance.now() - started,
		cpuMillis: (user + system) / 1000,
		grownBytes: Math.max(0, memory('VmHWM') - before),
		results,
	};
}

/** n8n's request helper, as far as the node uses it. */
async function request({ method, url, qs, headers, body }: IHttpRequestOptions) {
	const answer = await axios.request<string>({
		method,
		url,
		params: qs,
		headers: headers as Record<string, string>,
		data: body,
		auth: BASIC,
		responseType: 'text',
		maxRedirects: 0,
		maxBodyLength: Infinity,
		maxContentLength: Infinity,
		validateStatus: () => true,
	});
	return { statusCode: answer.status, headers: answer.headers, body: answer.data };
}

/** The node as it ships; loading it (with n8n-workflow) is no part of what is measured here. */
function loadNode(): INodeType {
	const { VoiceManagement } =
		require('n8n-nodes-voice-management/dist/nodes/VoiceManagement/VoiceManagement.node.js') as {
			VoiceManagement: new () => INodeType;
		};
	return new VoiceManagement();
}

async function execute(
	node: INodeType,
	url: string,
	parameters: Record<string, unknown>,
	file?: string,
): Promise<number> {
	const binary = file && {
		data: { id: 'filesystem:proof', fileName: 'proof.pdf', mimeType: 'application/pdf', data: '' },
	};
	const context = {
		getInputData: () => [{ json: {}, binary }],
		getNode: () => ({ name: 'Node', type: 'voiceManagement', typeVersion: 1, parameters }),
		getNodeParameter: (name: string, _item: number, fallback?: unknown) =>
			parameters[name] ?? fallback,
		getCredentials: async () => ({ baseUrl: url }),
		continueOnFail: () => false,
		addExecutionHints: () => {},
		helpers: {
			httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) =>
				await request(options),
			getBinaryMetadata: async () => ({
				fileName: 'proof.pdf',
				mimeType: 'application/pdf',
				fileSize: statSync(file!).size,
			}),
			getBinaryStream: async (_id: string, chunk: number) =>
				createReadStream(file!, { highWaterMark: chunk }),
		},
	};
	const outputs = (await node.execute!.call(
		context as unknown as IExecuteFunctions,
	)) as unknown[][];
	return nth(outputs, 0).length;
}

serveCommands({
	/** All postal codes with the node. */
	async nodeList({ url }: { url: string }): Promise<Work> {
		const node = loadNode();
		return await measure(
			async () =>
				await execute(node, url, {
					resource: 'zipcode',
					operation: 'getAll',
					countryCodeA3: 'FRA',
					returnAll: true,
					filters: {},
				}),
		);
	},

	/** The same in a few lines with axios. */
	async bareList({ url, pageSize }: { url: string; pageSize: number }): Promise<Work> {
		return await measure(async () => {
			const all: Array<{ json: object }> = [];
			for (let pageNumber = 0, total = 1; all.length < total; pageNumber++) {
				const { data } = await axios.get<{ cityZipCodes: object[]; resultCount: number }>(
					`${url}/vbapi/v1/regulation/zipcode`,
					{ params: { countryCodeA3: 'FRA', pageNumber, pageSize }, auth: BASIC },
				);
				total = data.resultCount;
				for (const json of data.cityZipCodes) all.push({ json });
			}
			return all.length;
		});
	},

	/** A proof with the node. */
	async nodeProof({ url, file }: { url: string; file: string }): Promise<Work> {
		const parameters = {
			resource: 'address',
			operation: 'uploadProof',
			addressId: '123',
			binaryPropertyName: 'data',
		};
		const node = loadNode();
		return await measure(async () => await execute(node, url, parameters, file));
	},

	/** The same with axios and a form: the file is read, then sent. */
	async bareProof({ url, file }: { url: string; file: string }): Promise<Work> {
		return await measure(async () => {
			const form = new FormData();
			form.append('proofOfAddress', new Blob([await readFile(file)]), 'proof.pdf');
			await axios.put(`${url}/vbapi/v1/regulation/address/123/proof`, form, { auth: BASIC });
			return 1;
		});
	},
});
