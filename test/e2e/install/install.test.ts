/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The package through n8n's own installation of community packages, from a registry on loopback, including the upgrade
// from an earlier version while a workflow is active, and the rollback.
import { execFile } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as tar from 'tar';

import { N8nClient, itemsOf, type Credential, type Workflow } from '../../../dev/n8n/client';
import { ensureN8n } from '../../../dev/n8n/install';
import { projectRoot } from '../../../dev/n8n/package';
import { N8nServer } from '../../../dev/n8n/server';
import { createProgress } from '../../../dev/progress';
import { credentialData, readDemo, withCredentials } from '../../../dev/setup';
import { startProvider, type Provider } from '../../../simulator';
import { addCredential, logFileFor } from '../support/bench';
import { chosenRelease, tarballUnderTest } from '../support/environment';
import { startRegistry, type Registry } from './registry';
import { repackAs } from './versions';
import { nth } from '../../support/present';

const PACKAGE = 'n8n-nodes-voice-management';
const EARLIER = '0.0.1';
const LATER = '0.0.2';

interface CommunityPackage {
	packageName: string;
	installedVersion: string;
	updateAvailable?: string;
	failedLoading?: boolean;
	installedNodes: Array<{ type: string; name: string }>;
}

const release = chosenRelease();
const folder = mkdtempSync(join(tmpdir(), 'voice-management-install-'));
const userFolder = join(folder, 'user');
const nodesFolder = join(userFolder, '.n8n/nodes');

let registry: Registry;
let provider: Provider;
let server: N8nServer;
let client: N8nClient;
let supervisor: Credential;
let workflow: Workflow;

beforeAll(async () => {
	const install = await ensureN8n(release, createProgress());
	registry = await startRegistry(install, join(folder, 'registry'));
	const earlier = join(folder, 'earlier.tgz');
	await repackAs(tarballUnderTest(), EARLIER, earlier);
	await registry.publish(earlier);
	provider = await startProvider();
	server = new N8nServer({
		install,
		userFolder,
		logFile: logFileFor('install', release),
		editor: true,
		environment: registry.environment,
	});
	await server.start();
	client = new N8nClient(server.url, release);
	await client.signIn();
});

afterAll(async () => {
	await server?.stop();
	await provider?.close();
	await registry?.stop();
	rmSync(folder, { recursive: true, force: true });
});

async function installed(): Promise<CommunityPackage> {
	const packages = await client.call<CommunityPackage[]>('GET', '/rest/community-packages');
	expect(packages).toHaveLength(1);
	return nth(packages, 0);
}

async function ourNodeTypes(): Promise<string[]> {
	const types = await client.nodeTypes();
	return types.map(({ name }) => name).filter((name) => name.startsWith(`${PACKAGE}.`));
}

function versionOnDisk(): string {
	const file = join(nodesFolder, 'node_modules', PACKAGE, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Makes a call enter a queue at the provider; returns the event's number. */
function callEnters(): number {
	const { cpt } = provider.control.send('queue', 'insert_call', {
		id_call: 1,
		id_queue: 301,
		caller_id_num: '+33199000123',
	}) as { cpt: number };
	return cpt;
}

/** Waits until each of these events has had its execution, and expects no other and no repetition. */
async function expectExactly(sent: readonly number[]): Promise<void> {
	const executions = await client.waitForExecutions(workflow.id, sent.length);
	const received = executions.map((execution) =>
		Number(nth(itemsOf(execution, 'Call in a queue'), 0).json.cpt),
	);
	expect(received.sort((a, b) => a - b)).toEqual(sent);
	expect(executions.map(({ status }) => status)).toEqual(sent.map(() => 'success'));
}

const sent: number[] = [];

test("n8n's installer installs both nodes and both credentials from the registry", async () => {
	const answer = await client.call<CommunityPackage>('POST', '/rest/community-packages', {
		name: PACKAGE,
	});
	expect(answer).toMatchObject({ packageName: PACKAGE, installedVersion: EARLIER });
	expect(answer.installedNodes.map(({ type, name }) => `${type} = ${name}`).sort()).toEqual([
		`${PACKAGE}.voiceManagement = Voice Management`,
		`${PACKAGE}.voiceManagementTrigger = Voice Management Trigger`,
	]);
	expect(registry.downloads()).toContain(`${PACKAGE}-${EARLIER}.tgz`);
	expect((await ourNodeTypes()).sort()).toEqual([
		`${PACKAGE}.voiceManagement`,
		`${PACKAGE}.voiceManagementTool`,
		`${PACKAGE}.voiceManagementTrigger`,
	]);
	supervisor = await addCredential(client, provider, 'supervisor');
	const numbers = await addCredential(client, provider, 'numbers');
	for (const [credential, account] of [
		[supervisor, 'supervisor'],
		[numbers, 'numbers'],
	] as const) {
		expect(
			await client.testCredential(credential, credentialData(provider, account)),
		).toMatchObject({ status: 'OK' });
	}
});

test('nothing else had to be installed with it', () => {
	expect(registry.downloads().every((name) => name.startsWith(`${PACKAGE}-`))).toBe(true);
	const target = join(nodesFolder, 'node_modules', PACKAGE);
	expect(readdirSync(target)).toEqual(expect.arrayContaining(['dist', 'index.js', 'LICENSE']));
	// n8n runs "npm install" in that folder: a package with dependencies would have created node_modules.
	const leftovers = existsSync(join(target, 'node_modules'))
		? readdirSync(join(target, 'node_modules')).filter((name) => !name.startsWith('.'))
		: [];
	expect(leftovers).toEqual([]);
});

test('a workflow with the nodes runs for the events of the feed', async () => {
	workflow = await client.createWorkflow(
		withCredentials(readDemo('calls-from-the-feed'), [supervisor]),
	);
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await provider.control.waitForSockets(1);
	sent.push(callEnters());
	await expectExactly(sent);
});

test('n8n announces a version that has been published since', async () => {
	expect(await installed()).not.toHaveProperty('updateAvailable');
	const later = join(folder, 'later.tgz');
	await repackAs(tarballUnderTest(), LATER, later);
	await registry.publish(later);
	expect(await installed()).toMatchObject({ installedVersion: EARLIER, updateAvailable: LATER });
});

test('an upgrade to a version that does not exist is rejected and changes nothing', async () => {
	await expect(
		client.call('PATCH', '/rest/community-packages', { name: PACKAGE, version: '9.9.9' }),
	).rejects.toThrow(/version/i);
	expect(versionOnDisk()).toBe(EARLIER);
	sent.push(callEnters());
	await expectExactly(sent);
});

test('the upgrade loses and repeats no event of the active workflow', async () => {
	let upgrading = true;
	const upgrade = client
		.call<CommunityPackage>('PATCH', '/rest/community-packages', { name: PACKAGE, version: LATER })
		.finally(() => (upgrading = false));
	while (upgrading) {
		sent.push(callEnters());
		// One event for each request to n8n: before, during and after the change of the code.
		await client.listExecutions({ workflowId: workflow.id }, 1);
	}
	expect(await upgrade).toMatchObject({ installedVersion: LATER });
	sent.push(callEnters());
	expect(versionOnDisk()).toBe(LATER);
	expect((await installed()).failedLoading).not.toBe(true);
	await expectExactly(sent);
	expect(provider.control.sockets().filter(({ initialised }) => initialised)).toHaveLength(1);
});

test('a change that is published after the upgrade moves the workflow to the new code, still with one trigger', async () => {
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Call in a queue'
			? { ...node, parameters: { ...node.parameters, events: ['insert_call'] } }
			: node,
	);
	await client.updateWorkflow(workflow.id, { nodes });
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await provider.control.waitForSockets(1);
	sent.push(callEnters());
	await expectExactly(sent);
});

test('after a restart of n8n the active workflow comes back by itself', async () => {
	await server.restart();
	await client.signIn();
	await provider.control.waitForSockets(1);
	expect(await installed()).toMatchObject({ installedVersion: LATER });
	expect(await ourNodeTypes()).toHaveLength(3);
	sent.push(callEnters());
	await expectExactly(sent);
});

test("n8n's scanner finds no problem in the published package", async () => {
	const scanned = join(folder, 'scanned');
	mkdirSync(scanned);
	const file = join(scanned, 'published.tgz');
	writeFileSync(file, registry.tarball(PACKAGE, LATER));
	await tar.extract({ file, cwd: scanned });
	// Jest cannot load this module, so it runs in a separate process.
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[
			'--input-type=module',
			'--eval',
			`import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';
			const result = await analyzePackage(process.argv[1], ['**/*.js', 'package.json']);
			console.log(JSON.stringify(result));`,
			join(scanned, 'package'),
		],
		{ cwd: projectRoot },
	);
	expect(JSON.parse(stdout)).toMatchObject({ passed: true });
});

test('rolled back to the version before, the active workflow loses and repeats no event', async () => {
	expect(
		await client.call<CommunityPackage>('PATCH', '/rest/community-packages', {
			name: PACKAGE,
			version: EARLIER,
		}),
	).toMatchObject({ installedVersion: EARLIER });
	expect(versionOnDisk()).toBe(EARLIER);
	sent.push(callEnters());
	await expectExactly(sent);
	expect(provider.control.sockets().filter(({ initialised }) => initialised)).toHaveLength(1);
});

test('once deactivated and removed, nothing of it is left', async () => {
	await client.deactivate(workflow.id);
	await provider.control.waitForSockets(0);
	await client.call('DELETE', '/rest/community-packages', undefined, { name: PACKAGE });
	expect(await client.communityPackages()).toEqual([]);
	expect(await ourNodeTypes()).toEqual([]);
	expect(existsSync(join(nodesFolder, 'node_modules', PACKAGE))).toBe(false);
});

test('apart from the registry and n8n’s own services, no host was contacted', () => {
	expect(registry.refusedHosts.filter((host) => !/(^|\.)n8n\.io$/.test(host))).toEqual([]);
});
