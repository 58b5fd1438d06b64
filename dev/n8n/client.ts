/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A typed client of n8n's own REST interface, which does what the editor does. It handles the differences between
// n8n's two release lines (activation through the publication service, more complete bodies for 1.x).
import { Agent } from 'node:http';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { parse as parseFlatted } from 'flatted';

import type { N8nRelease } from './releases';

/** n8n rejected a request; the message is n8n's own. */
export class N8nRequestError extends Error {
	override readonly name = 'N8nRequestError';

	constructor(
		message: string,
		/** HTTP status. */
		readonly status: number,
		readonly body: unknown,
	) {
		super(message);
	}
}

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[setting: string]: unknown;
}

export interface WorkflowDefinition {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

export interface Workflow extends WorkflowDefinition {
	id: string;
	active: boolean;
	versionId: string;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export type ExecutionStatus =
	'new' | 'running' | 'success' | 'error' | 'canceled' | 'crashed' | 'waiting' | 'unknown';

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	workflowName?: string;
	status: ExecutionStatus;
	mode: string;
	startedAt: string;
	stoppedAt?: string;
}

export interface NodeItem {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
}

export interface NodeRun {
	executionStatus?: string;
	error?: {
		message: string;
		description?: string | null;
		httpCode?: string | null;
		[key: string]: unknown;
	};
	hints?: unknown[];
	data?: { main?: Array<NodeItem[] | null> };
}

export interface Execution extends ExecutionSummary {
	data: {
		resultData: {
			runData: Record<string, NodeRun[]>;
			error?: { message: string; description?: string; [key: string]: unknown };
			lastNodeExecuted?: string;
		};
		[key: string]: unknown;
	};
}

/** The result of an activation: whether the triggers run, and n8n's message if one does not. */
export interface Activation {
	active: boolean;
	/** `published` etc. in n8n 2.40 and newer; `active`/`refused` in older ones. */
	status: string;
	error?: string;
}

/** The items that a node output in an execution, in all its runs; by default on its first output. */
export function itemsOf(execution: Execution, node: string, output = 0): NodeItem[] {
	const runs = execution.data.resultData.runData[node] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}

/** n8n 1.x writes the status of an execution a moment before its data; one that crashed may never get any. */
function isWhole({ status, data }: Execution): boolean {
	return data?.resultData !== undefined || status === 'crashed' || status === 'canceled';
}

export const owner = {
	email: 'owner@example.com',
	firstName: 'Olive',
	lastName: 'Owner',
	password: 'Owner-Password-1',
};

/** The default time limit of waits: n8n may be busy with other things. */
const PATIENCE_MS = 120_000;
const POLL_MS = 150;
/** n8n refuses larger pages. */
const MOST_EXECUTIONS_A_PAGE = 100;
const ENDED: readonly ExecutionStatus[] = ['success', 'error', 'canceled', 'crashed'];

export class N8nClient {
	/** What it has created and not deleted, by id. */
	readonly created = { workflows: new Set<string>(), credentials: new Set<string>() };

	private readonly http: AxiosInstance;

	private cookie = '';

	constructor(
		/** `http://127.0.0.1:<port>` */
		readonly url: string,
		private readonly release: N8nRelease,
	) {
		this.http = axios.create({
			// n8n closes idle connections after a while, which must not hit a request that is on its way.
			httpAgent: new Agent({ keepAlive: false }),
			baseURL: url,
			timeout: PATIENCE_MS,
			proxy: false,
			maxContentLength: Infinity,
			validateStatus: () => true,
		});
	}

	/** Creates the owner in a new n8n instance, or logs in if there is one. */
	async signIn(account: typeof owner = owner): Promise<void> {
		try {
			return await this.call('POST', '/rest/owner/setup', account);
		} catch (error) {
			// There is an owner already. Without its editor, n8n has no other way to report that.
			if (!(error instanceof N8nRequestError) || error.status !== 400) throw error;
		}
		await this.call('POST', '/rest/login', {
			emailOrLdapLoginId: account.email,
			password: account.password,
		});
	}

	// Credentials

	async createCredential(
		type: string,
		name: string,
		data: Record<string, unknown>,
	): Promise<Credential> {
		const body = { type, name, data, isGlobal: false };
		const credential = await this.call<Credential>('POST', '/rest/credentials', body);
		this.created.credentials.add(credential.id);
		return credential;
	}

	async updateCredential(credential: Credential, data: Record<string, unknown>): Promise<void> {
		await this.call('PATCH', `/rest/credentials/${credential.id}`, {
			type: credential.type,
			name: credential.name,
			data,
		});
	}

	/** Does what the Test button of the credential form does, with the given field values. */
	async testCredential(
		credential: Credential,
		data: Record<string, unknown>,
	): Promise<CredentialTestResult> {
		return await this.call('POST', '/rest/credentials/test', {
			credentials: { ...credential, data },
		});
	}

	async deleteCredential(id: string): Promise<void> {
		await this.call('DELETE', `/rest/credentials/${id}`);
		this.created.credentials.delete(id);
	}

	async listCredentials(): Promise<Credential[]> {
		return await this.call('GET', '/rest/credentials');
	}

	// Workflows

	async createWorkflow(definition: WorkflowDefinition): Promise<Workflow> {
		const workflow = await this.call<Workflow>('POST', '/rest/workflows', {
			settings: { executionOrder: 'v1' },
			active: false,
			...definition,
		});
		this.created.workflows.add(workflow.id);
		return workflow;
	}

	async getWorkflow(id: string): Promise<Workflow> {
		return await this.call('GET', `/rest/workflows/${id}`);
	}

	async listWorkflows(): Promise<Workflow[]> {
		return await this.call('GET', '/rest/workflows');
	}

	/** Saves changed nodes; in n8n 2.x nothing restarts before the next activation. */
	async updateWorkflow(id: string, changes: Partial<WorkflowDefinition>): Promise<Workflow> {
		return await this.call('PATCH', `/rest/workflows/${id}`, changes);
	}

	async deleteWorkflow(id: string): Promise<void> {
		if (this.release.activation === 'update')
			await this.call('POST', `/rest/workflows/${id}/archive`);
		else await this.call('POST', `/rest/workflows/${id}/archive`, {});
		await this.call('DELETE', `/rest/workflows/${id}`);
		this.created.workflows.delete(id);
	}

	/**
	 * Activates a workflow and waits until its triggers run or n8n has given them up. A refusal is a result, not an
	 * exception: it is what the user would read.
	 * @throws Error if n8n has not decided within `timeoutMs`.
	 */
	async activate(id: string, timeoutMs = PATIENCE_MS): Promise<Activation> {
		const { versionId } = await this.getWorkflow(id);
		if (this.release.activation === 'update') {
			try {
				const { active } = await this.call<Workflow>('PATCH', `/rest/workflows/${id}`, {
					active: true,
					versionId,
				});
				return { active, status: active ? 'active' : 'refused' };
			} catch (error) {
				if (!(error instanceof N8nRequestError)) throw error;
				return { active: false, status: 'refused', error: error.message };
			}
		}
		try {
			await this.call('POST', `/rest/workflows/${id}/activate`, { versionId });
		} catch (error) {
			if (!(error instanceof N8nRequestError)) throw error;
			return { active: false, status: 'refused', error: error.message };
		}
		if (this.release.activation === 'request') return { active: true, status: 'active' };
		return await this.publication(id, timeoutMs);
	}

	/** Waits until n8n 2.x has decided about a workflow's triggers. */
	private async publication(id: string, timeoutMs: number): Promise<Activation> {
		let last = '';
		return await poll(
			async () => {
				const { status, triggers } = await this.publicationStatus(id);
				last = status;
				if (!['published', 'failed', 'partial'].includes(status)) return undefined;
				const error = triggers.find(({ errorMessage }) => errorMessage)?.errorMessage ?? undefined;
				return status === 'published' ? { active: true, status } : { active: false, status, error };
			},
			timeoutMs,
			() => `Workflow ${id} is "${last}"`,
		);
	}

	private async publicationStatus(id: string): Promise<{
		status: string;
		triggers: Array<{ status: string; errorMessage?: string | null }>;
	}> {
		return await this.call('GET', `/rest/workflows/${id}/publication-status`);
	}

	/**
	 * Deactivates a workflow and waits until n8n has closed its triggers (2.x responds before that).
	 * @throws Error if it has not within `timeoutMs`.
	 */
	async deactivate(id: string, timeoutMs = PATIENCE_MS): Promise<void> {
		if (this.release.activation === 'update') {
			const { versionId } = await this.getWorkflow(id);
			await this.call('PATCH', `/rest/workflows/${id}`, { active: false, versionId });
			return;
		}
		await this.call('POST', `/rest/workflows/${id}/deactivate`, {});
		if (this.release.activation === 'request') return;
		let last = '';
		await poll(
			async () => {
				last = (await this.publicationStatus(id)).status;
				return last === 'not_published' || undefined;
			},
			timeoutMs,
			() => `Deactivated workflow ${id} is still "${last}"`,
		);
	}

	// Executions

	/** Executions, newest first. */
	async listExecutions(
		filter: { workflowId?: string; status?: ExecutionStatus[] } = {},
		limit = 50,
	): Promise<ExecutionSummary[]> {
		const found: ExecutionSummary[] = [];
		// Where the next page begins: n8n 2.41 returns a cursor and accepts nothing else, n8n 1.x requires the last
		// identifier.
		let next: Record<string, string> = {};
		for (;;) {
			const pageSize = Math.min(MOST_EXECUTIONS_A_PAGE, limit - found.length);
			const query = { filter: JSON.stringify(filter), limit: String(pageSize), ...next };
			const { results, nextCursor } = await this.call<{
				results: ExecutionSummary[];
				nextCursor?: string | null;
			}>('GET', '/rest/executions', undefined, query);
			found.push(...results);
			const lastId = results.at(-1)?.id;
			const full = results.length >= pageSize && found.length < limit;
			if (nextCursor === null || lastId === undefined || !full) return found;
			next = nextCursor === undefined ? { lastId } : { cursor: nextCursor };
		}
	}

	/** One execution with the items of its nodes; undefined if n8n does not store it. */
	async getExecution(id: string): Promise<Execution | undefined> {
		try {
			const execution = await this.call<Omit<Execution, 'data'> & { data: string }>(
				'GET',
				`/rest/executions/${id}`,
			);
			return { ...execution, data: parseFlatted(execution.data) as Execution['data'] };
		} catch (error) {
			if (error instanceof N8nRequestError && error.status === 404) return undefined;
			throw error;
		}
	}

	/**
	 * Waits until an execution has ended.
	 * @throws Error if it has not within `timeoutMs`.
	 */
	async waitForExecution(id: string, timeoutMs = PATIENCE_MS): Promise<Execution> {
		let last: Execution | undefined;
		return await poll(
			async () => {
				last = await this.getExecution(id);
				return last && ENDED.includes(last.status) && isWhole(last) ? last : undefined;
			},
			timeoutMs,
			() => `Execution ${id} is "${last?.status}"`,
		);
	}

	/**
	 * Waits until a workflow has ended executions that `wanted` accepts, and returns them, oldest first.
	 * @throws Error if there are fewer than `count` within `timeoutMs`.
	 */
	async waitForExecutions(
		workflowId: string,
		count: number,
		wanted: (execution: Execution) => boolean = () => true,
		timeoutMs = PATIENCE_MS,
	): Promise<Execution[]> {
		const known = new Map<string, Execution>();
		const found = () =>
			[...known.values()].filter(wanted).sort((a, b) => Number(a.id) - Number(b.id));
		return await poll(
			async () => {
				for (const { id, status } of await this.listExecutions(
					{ workflowId },
					Math.max(50, count * 2),
				)) {
					if (known.has(id) || !ENDED.includes(status)) continue;
					const execution = await this.getExecution(id);
					if (execution && ENDED.includes(execution.status)) known.set(id, execution);
				}
				return found().length >= count ? found() : undefined;
			},
			timeoutMs,
			() =>
				`Workflow ${workflowId} has ${found().length} of ${count} executions wanted (${known.size} ended in all)`,
		);
	}

	/**
	 * Starts a test run from a trigger, as "Execute workflow" does; returns the execution's id.
	 * @param more further fields of the request, such as the node at which the run ends
	 */
	async runManually(workflow: Workflow, trigger: string, more: object = {}): Promise<string> {
		const { executionId } = await this.call<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			{
				workflowData: workflow,
				triggerToStartFrom: { name: trigger },
				startNodes: [],
				runData: {},
				...more,
			},
		);
		if (!executionId) throw new Error(`n8n did not start "${workflow.name}" from "${trigger}"`);
		return executionId;
	}

	/** Stops a running execution, as the Stop button does. */
	async stopExecution(id: string): Promise<void> {
		await this.call('POST', `/rest/executions/${id}/stop`, {});
	}

	// Node types

	/** Descriptions of n8n's node types, as the editor loads them. */
	async nodeTypes(): Promise<Array<Record<string, unknown> & { name: string }>> {
		return await this.raw('GET', '/types/nodes.json');
	}

	/** Packages in "Settings, Community nodes". */
	async communityPackages(): Promise<Array<{ packageName: string; installedVersion: string }>> {
		return await this.call('GET', '/rest/community-packages');
	}

	/** Calls n8n's REST interface and returns the response's `data`. */
	async call<T>(
		method: string,
		path: string,
		body?: unknown,
		query?: Record<string, string>,
	): Promise<T> {
		const answer = await this.raw<{ data: T }>(method, path, body, query);
		return answer?.data;
	}

	private async raw<T>(
		method: string,
		path: string,
		body?: unknown,
		query?: Record<string, string>,
	): Promise<T> {
		const answer = await this.onceReady(() =>
			this.http.request<T>({
				method,
				url: path,
				data: body,
				params: query,
				headers: { ...(this.cookie ? { cookie: this.cookie } : {}) },
			}),
		);
		for (const cookie of answer.headers['set-cookie'] ?? []) {
			if (cookie.startsWith('n8n-auth=')) this.cookie = cookie.split(';', 1).join('');
		}
		if (answer.status >= 400) {
			const message = (answer.data as { message?: string } | undefined)?.message;
			throw new N8nRequestError(
				message ?? `${method} ${path} answered ${answer.status}`,
				answer.status,
				answer.data,
			);
		}
		return answer.data;
	}

	/** On a busy machine n8n may believe that its database is away, and then rejects every request unseen. */
	private async onceReady<T>(
		ask: () => Promise<AxiosResponse<T>>,
		tries = 60,
	): Promise<AxiosResponse<T>> {
		for (let left = tries; ; left--) {
			const answer = await ask();
			if (answer.status !== 503 || left === 0) return answer;
			await delay(1_000);
		}
	}
}

/**
 * Looks again and again until there is something.
 * @throws Error with what `missing` says if there is nothing within `timeoutMs`.
 */
async function poll<T>(
	look: () => Promise<T | undefined>,
	timeoutMs: number,
	missing: () => string,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`${missing()} after ${timeoutMs} ms`);
		await delay(POLL_MS);
	}
}

async function delay(milliseconds: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
