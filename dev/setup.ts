/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Creates credentials and example workflows in an n8n instance, as a user does by hand in the editor.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Accounts } from '../simulator';
import type { Credential, N8nClient, Workflow, WorkflowDefinition } from './n8n/client';
import { projectRoot } from './n8n/package';

export const API_CREDENTIAL = 'voiceManagementApi';
export const SUPERVISOR_CREDENTIAL = 'voiceManagementSupervisorApi';

/**
 * n8n's name for a user's first credential of each type: n8n finds the credentials of an imported workflow by these
 * names.
 */
export const CREDENTIAL_NAMES = {
	[API_CREDENTIAL]: 'Voice Management account',
	[SUPERVISOR_CREDENTIAL]: 'Voice Management Supervisor account',
} as const;

/** The fields of both credentials for a provider at this URL. */
export function credentialData(
	provider: { url: string; accounts: Accounts },
	account: 'numbers' | 'api' | 'supervisor',
): Record<string, unknown> {
	const { url, accounts } = provider;
	const { login, password } = accounts[account];
	if (account === 'supervisor') {
		return { voiceUrl: url, login, password, accountTypeKey: 'account_type' };
	}
	return {
		baseUrl: url,
		login,
		password,
		voiceUrl: url,
		idClient: accounts.api.clientId,
		// n8n and the simulator run on the same machine.
		ip: '127.0.0.1',
	};
}

/** Reads `examples/<name>.json`. */
export const readExample = (name: string) => readWorkflow('examples', name);

/** Reads one of the workflows that `npm start` runs: they create real things on a schedule, so they are no examples. */
export const readDemo = (name: (typeof DEMOS)[number]) => readWorkflow('dev/workflows', name);

export const DEMOS = ['calls-from-the-feed', 'number-management-run'] as const;

function readWorkflow(folder: string, name: string): WorkflowDefinition {
	return JSON.parse(
		readFileSync(join(projectRoot, folder, `${name}.json`), 'utf8'),
	) as WorkflowDefinition;
}

/**
 * A copy of a workflow whose nodes use these credentials: an exported workflow refers to its credentials by name, and
 * their identifiers differ between n8n instances.
 */
export function withCredentials<T extends WorkflowDefinition>(
	definition: T,
	credentials: readonly Credential[],
): T {
	return {
		...definition,
		nodes: definition.nodes.map((node) => {
			if (!node.credentials) return node;
			const bound = Object.keys(node.credentials).map((type) => {
				const credential = credentials.find((candidate) => candidate.type === type);
				if (!credential) throw new Error(`No credential of type ${type} for "${node.name}"`);
				return [type, { id: credential.id, name: credential.name }] as const;
			});
			return { ...node, credentials: Object.fromEntries(bound) };
		}),
	};
}

/** The credential with this name and these fields; created if it is missing. */
export async function ensureCredential(
	client: N8nClient,
	type: string,
	name: string,
	data: Record<string, unknown>,
): Promise<Credential> {
	const existing = (await client.listCredentials()).find(
		(credential) => credential.name === name && credential.type === type,
	);
	if (!existing) return await client.createCredential(type, name, data);
	await client.updateCredential(existing, data);
	return existing;
}

/** The workflow with this name in n8n; imported if it is missing, so that a user's changes to it stay. */
export async function ensureWorkflow(
	client: N8nClient,
	definition: WorkflowDefinition,
	credentials: readonly Credential[],
): Promise<Workflow> {
	const existing = (await client.listWorkflows()).find(({ name }) => name === definition.name);
	if (existing) return await client.getWorkflow(existing.id);
	return await client.createWorkflow(withCredentials(definition, credentials));
}
