/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A test bench: a real n8n with the packed package in it, a simulated provider, and both credentials.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	N8nClient,
	type Activation,
	type Credential,
	type Workflow,
	type WorkflowDefinition,
} from '../../../dev/n8n/client';
import { ensureN8n } from '../../../dev/n8n/install';
import { installTarball, projectRoot } from '../../../dev/n8n/package';
import type { N8nRelease } from '../../../dev/n8n/releases';
import { N8nServer } from '../../../dev/n8n/server';
import { prepareUserFolder } from '../../../dev/n8n/userFolder';
import { createProgress } from '../../../dev/progress';
import {
	API_CREDENTIAL,
	SUPERVISOR_CREDENTIAL,
	credentialData,
	withCredentials,
} from '../../../dev/setup';
import { startProvider, type Provider, type ProviderOptions } from '../../../simulator';
import { chosenRelease, sharedN8nUrl, tarballUnderTest } from './environment';

export interface N8nOptions {
	/** Name of the suite and of its log. */
	name: string;
	release?: N8nRelease;
	/** Whether it serves the editor as well. */
	editor?: boolean;
	/** Whether it runs Code nodes. */
	codeNodes?: boolean;
	/** Additional settings of n8n. */
	environment?: Readonly<Record<string, string>>;
	/** The package; by default the one under test. */
	tarball?: string;
}

export interface BenchOptions extends N8nOptions {
	provider?: Partial<ProviderOptions>;
}

export interface Bench {
	release: N8nRelease;
	provider: Provider;
	client: N8nClient;
	numbers: Credential;
	supervisor: Credential;
	/** Creates a workflow whose nodes get the credentials of the bench, and these. */
	workflow(definition: WorkflowDefinition, ...more: Credential[]): Promise<Workflow>;
	/** Deactivates the workflows that it has created, so that the feed is closed when the next test begins. */
	quiet(): Promise<void>;
	/** Ends the provider, and n8n or what was created in it. */
	close(): Promise<void>;
}

/** A bench whose n8n instance serves nobody else: it may be stopped, and started empty. */
export interface OwnBench extends Bench {
	server: N8nServer;
	userFolder: string;
	/** Stops n8n and starts it again. */
	restart(): Promise<void>;
}

/** A running n8n instance with the package in it. */
export interface RunningN8n {
	server: N8nServer;
	userFolder: string;
	/** Stops it and removes its folder. */
	end: () => Promise<void>;
}

/** A fresh log file below test/e2e/artifacts; the logs of the last run stay there, whatever its result. */
export function logFileFor(name: string, release: N8nRelease): string {
	const folder = join(projectRoot, 'test/e2e/artifacts');
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${name}-n8n-${release.version}.log`);
	rmSync(file, { force: true });
	return file;
}

/** Starts n8n with the package in it. If that fails, nothing is left running. */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const release = options.release ?? chosenRelease();
	const progress = createProgress();
	const install = await ensureN8n(release, progress);
	const userFolder = mkdtempSync(join(tmpdir(), `voice-management-${options.name}-`));
	const server = new N8nServer({
		install,
		userFolder,
		logFile: logFileFor(options.name, release),
		editor: options.editor,
		codeNodes: options.codeNodes,
		environment: options.environment,
	});
	// Killed: only some suites test how n8n stops, and that takes longer than a second.
	const end = async () => {
		await server.crash();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		// Another database starts empty.
		if (!options.environment?.DB_TYPE) await prepareUserFolder(userFolder, install, progress);
		await installTarball(options.tarball ?? tarballUnderTest(), userFolder);
		await server.start();
	} catch (error) {
		await end();
		throw error;
	}
	return { server, userFolder, end };
}

/** Creates the credential of one of a provider's accounts. */
export async function addCredential(
	client: N8nClient,
	provider: Provider,
	account: Parameters<typeof credentialData>[1],
	changes: Record<string, unknown> = {},
): Promise<Credential> {
	const type = account === 'supervisor' ? SUPERVISOR_CREDENTIAL : API_CREDENTIAL;
	const data = { ...credentialData(provider, account), ...changes };
	return await client.createCredential(type, `Voice Management ${account}`, data);
}

/**
 * What an activation that must fail says. The trigger decides within ten seconds; where the machine stood still for
 * longer than that, it is asked again.
 */
export async function refusalOf(
	client: N8nClient,
	{ id }: Workflow,
	first: Activation,
): Promise<Activation> {
	let said = first;
	for (let tries = 1; said.active && tries < 3; tries++) {
		await client.deactivate(id);
		said = await client.activate(id);
	}
	return said;
}

/** Adds a provider and its credentials to a running n8n instance. */
async function furnish(
	client: N8nClient,
	release: N8nRelease,
	providerOptions: Partial<ProviderOptions> = {},
): Promise<Bench> {
	await client.signIn();
	const provider = await startProvider(providerOptions);
	try {
		const numbers = await addCredential(client, provider, 'numbers');
		const supervisor = await addCredential(client, provider, 'supervisor');
		return {
			release,
			provider,
			client,
			numbers,
			supervisor,
			async workflow(definition, ...more) {
				const credentials = [numbers, supervisor, ...more];
				return await client.createWorkflow(withCredentials(definition, credentials));
			},
			async quiet() {
				for (const { id, active } of await client.listWorkflows()) {
					if (active && client.created.workflows.has(id)) await client.deactivate(id);
				}
			},
			async close() {
				await provider.close();
			},
		};
	} catch (error) {
		await provider.close();
		throw error;
	}
}

/** A bench with its own n8n instance. If that fails, nothing is left running. */
export async function startBench(options: BenchOptions): Promise<OwnBench> {
	const release = options.release ?? chosenRelease();
	const { server, userFolder, end } = await startN8n(options);
	try {
		const client = new N8nClient(server.url, release);
		const bench = await furnish(client, release, options.provider);
		return {
			...bench,
			server,
			userFolder,
			async restart() {
				await server.restart();
				await client.signIn();
			},
			async close() {
				await end();
				await bench.close();
			},
		};
	} catch (error) {
		await end();
		throw error;
	}
}

/**
 * A bench in the n8n instance that the suites of this run share (sharedN8n.ts). Other suites leave executions and tables
 * there; those that run at the same time also have workflows and credentials.
 */
export async function shareBench(options: Pick<BenchOptions, 'provider'> = {}): Promise<Bench> {
	const release = chosenRelease();
	const client = new N8nClient(sharedN8nUrl(), release);
	const bench = await furnish(client, release, options.provider);
	return {
		...bench,
		async close() {
			try {
				await bench.quiet();
				for (const id of client.created.workflows) await client.deleteWorkflow(id);
				for (const id of client.created.credentials) await client.deleteCredential(id);
			} finally {
				await bench.close();
			}
		},
	};
}
