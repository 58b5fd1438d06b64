// A real n8n for the bench: prepared once (packages, owner, credential, workflows), then every measurement starts a
// copy of that, so that nobody inherits another's executions or memory.
import { cp, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

import { N8nClient, type WorkflowDefinition } from '../../dev/n8n/client';
import type { N8nInstall } from '../../dev/n8n/install';
import { installTarball, packToTemporary, projectRoot } from '../../dev/n8n/package';
import { N8nServer } from '../../dev/n8n/server';

const REFERENCE = join(projectRoot, 'bench/reference');
const REFERENCE_NAME = 'n8n-nodes-bench-reference';

export interface RunningN8n {
	client: N8nClient;
	server: N8nServer;
	/** The workflow of this name. */
	workflow(name: string): string;
	stop(): Promise<void>;
}

export interface PreparedN8n {
	start(): Promise<RunningN8n>;
	remove(): Promise<void>;
}

/** Node that starts the workflow: the package's trigger, or the reference. */
export interface Starter {
	name: string;
	/** `ours`: parameters of the trigger. `reference`: those of the bare one, but for its URL. */
	kind: 'ours' | 'reference';
	parameters: Record<string, unknown>;
}

/** @param url of the bench's server: it is part of the workflows, so it has to stay */
export async function prepareN8n(
	install: N8nInstall,
	starters: readonly Starter[],
	url: string,
): Promise<PreparedN8n> {
	const root = await mkdtemp(join(tmpdir(), 'voice-management-bench-'));
	const template = join(root, 'template');
	const remove = async () => await rm(root, { recursive: true, force: true });
	try {
		const { tarball, remove: removeTarball } = await packToTemporary();
		await installTarball(tarball, template);
		await removeTarball();
		await installReference(template);
		const server = new N8nServer({ install, userFolder: template });
		const workflows = new Map<string, string>();
		await server.start();
		try {
			const client = new N8nClient(server.url, install.release);
			await client.signIn();
			const credential = await client.createCredential('voiceManagementSupervisorApi', 'Bench', {
				voiceUrl: url,
				login: 'bench',
				password: 'bench',
				accountTypeKey: 'account_type',
			});
			for (const starter of starters) {
				const { id } = await client.createWorkflow(definition(starter, credential, url));
				workflows.set(starter.name, id);
			}
		} finally {
			await server.stop();
		}
		let started = 0;
		return {
			remove,
			async start() {
				const userFolder = join(root, `run-${++started}`);
				await cp(template, userFolder, { recursive: true });
				const running = new N8nServer({ install, userFolder });
				await running.start();
				const client = new N8nClient(running.url, install.release);
				await client.signIn();
				return {
					client,
					server: running,
					workflow: (name) => workflows.get(name)!,
					async stop() {
						await running.stop();
						await rm(userFolder, { recursive: true, force: true });
					},
				};
			},
		};
	} catch (error) {
		await remove();
		throw error;
	}
}

/** Beside what the tarball put there. */
async function installReference(userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n/nodes');
	const target = join(nodes, 'node_modules', REFERENCE_NAME);
	await mkdir(target, { recursive: true });
	await copyFile(join(REFERENCE, 'package.json'), join(target, 'package.json'));
	await build({
		entryPoints: [join(REFERENCE, 'BareTrigger.node.ts')],
		outdir: join(target, 'dist'),
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		external: ['n8n-workflow', 'bufferutil', 'utf-8-validate'],
		logLevel: 'error',
	});
	const manifest = join(nodes, 'package.json');
	const content = JSON.parse(await readFile(manifest, 'utf8')) as {
		dependencies: Record<string, string>;
	};
	content.dependencies[REFERENCE_NAME] = '1.0.0';
	await writeFile(manifest, JSON.stringify(content, null, 2));
}

function definition(
	{ name, kind, parameters }: Starter,
	credential: { id: string; name: string },
	url: string,
): WorkflowDefinition {
	const ours = kind === 'ours';
	return {
		name,
		nodes: [
			{
				name: 'Start',
				type: ours
					? 'n8n-nodes-voice-management.voiceManagementTrigger'
					: `${REFERENCE_NAME}.bareTrigger`,
				typeVersion: 1,
				position: [0, 0],
				parameters: ours ? parameters : { ...parameters, url },
				...(ours && {
					credentials: {
						voiceManagementSupervisorApi: { id: credential.id, name: credential.name },
					},
				}),
			},
			{
				name: 'End',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		],
		connections: { Start: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
	};
}
