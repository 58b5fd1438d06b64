// A test bench: a real n8n with the packed package in it, a simulated operator, both credentials.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	N8nClient,
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
import { startOperator, type Operator, type OperatorOptions } from '../../../simulator';
import { chosenRelease, tarballUnderTest } from './environment';

export interface BenchOptions {
	/** Name of the suite, and of its log. */
	name: string;
	release?: N8nRelease;
	operator?: Partial<OperatorOptions>;
	/** Settings of n8n beyond the usual. */
	environment?: Readonly<Record<string, string>>;
}

export interface Bench {
	release: N8nRelease;
	operator: Operator;
	server: N8nServer;
	client: N8nClient;
	numbers: Credential;
	supervisor: Credential;
	userFolder: string;
	/** Creates a workflow whose nodes get the credentials of the bench. */
	workflow(definition: WorkflowDefinition): Promise<Workflow>;
	/** Deactivates every workflow, so that the next test begins with a feed that nobody has open. */
	quiet(): Promise<void>;
	/** Stops n8n and starts it again. */
	restart(): Promise<void>;
	/** Ends n8n and the operator. */
	close(): Promise<void>;
}

/** A fresh log file below test/e2e/artifacts: the logs of the last run stay there, whatever became of it. */
export function logFileFor(name: string, release: N8nRelease): string {
	const folder = join(projectRoot, 'test/e2e/artifacts');
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${name}-n8n-${release.label}.log`);
	rmSync(file, { force: true });
	return file;
}

/** Sets everything up. Whatever fails here leaves nothing running. */
export async function startBench(options: BenchOptions): Promise<Bench> {
	const release = options.release ?? chosenRelease();
	const progress = createProgress();
	const install = await ensureN8n(release, progress);
	const userFolder = mkdtempSync(join(tmpdir(), `voice-management-${options.name}-`));
	const server = new N8nServer({
		install,
		userFolder,
		logFile: logFileFor(options.name, release),
		environment: options.environment,
	});
	let operator: Operator | undefined;
	const end = async () => {
		await server.stop();
		await operator?.close();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		operator = await startOperator(options.operator);
		// Another database begins empty.
		if (!options.environment?.DB_TYPE) await prepareUserFolder(userFolder, install, progress);
		await installTarball(tarballUnderTest(), userFolder);
		await server.start();
		const client = new N8nClient(server.url, release);
		await client.signIn();
		const numbers = await client.createCredential(
			API_CREDENTIAL,
			'Voice Management API',
			credentialData(operator, 'numbers'),
		);
		const supervisor = await client.createCredential(
			SUPERVISOR_CREDENTIAL,
			'Voice Management Supervisor API',
			credentialData(operator, 'supervisor'),
		);
		return {
			release,
			operator,
			server,
			client,
			numbers,
			supervisor,
			userFolder,
			async workflow(definition) {
				return await client.createWorkflow(withCredentials(definition, [numbers, supervisor]));
			},
			async quiet() {
				for (const { id, active } of await client.listWorkflows()) {
					if (active) await client.deactivate(id);
				}
			},
			async restart() {
				await server.stop();
				await server.start();
				await client.signIn();
			},
			close: end,
		};
	} catch (error) {
		await end();
		throw error;
	}
}
