/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run test:n8n -- --video`: the recording for n8n's reviewers, in one take, as a person uses the package: installed
// by n8n from a registry on this machine, a credential tested, every operation, the trigger on a call, an alert. Each step
// is asserted, so a recording that exists shows what works.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { N8nClient, itemsOf } from '../../../dev/n8n/client';
import { ensureN8n } from '../../../dev/n8n/install';
import { projectRoot } from '../../../dev/n8n/package';
import { N8nServer } from '../../../dev/n8n/server';
import { createProgress } from '../../../dev/progress';
import { withCredentials } from '../../../dev/setup';
import { startProvider, type Provider } from '../../../simulator';
import { operations } from '../../integration/VoiceManagement/forms';
import { nth } from '../../support/present';
import { Editor } from '../browser/editor';
import { startRegistry, type Registry } from '../install/registry';
import { allOperations } from '../support/allOperations';
import { addCredential, logFileFor } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { chosenRelease, tarballUnderTest } from '../support/environment';
import { pictureFile } from '../support/pictures';
import { caption, cut, Recording } from '../support/recording';
import { chain, triggerNode } from '../support/workflows';

const PACKAGE = 'n8n-nodes-voice-management';
const NODE = 'Voice Management';
const CALLER = '+33199012345';
/** n8n's limit. */
const MOST_SECONDS = 300;
/** Larger pictures load slowly on a phone. */
const MOST_BYTES = 1_500_000;
const ALERT_SECONDS = 5;

const folder = mkdtempSync(join(tmpdir(), 'voice-management-video-'));
const artifacts = join(projectRoot, 'test/e2e/artifacts');
const file = join(artifacts, 'video.mp4');

let browser: Browser;
let registry: Registry;
let provider: Provider;
let server: N8nServer;
let client: N8nClient;
let editor: Editor;
/** The provider's console, where calls are made, with the chat that the workflows write to. */
let desk: Page;
let recording: Recording;
/** Of the missed call, in the recording. */
const scene = { from: 0, to: 0 };

beforeAll(async () => {
	const release = chosenRelease();
	const install = await ensureN8n(release, createProgress());
	registry = await startRegistry(install, join(folder, 'registry'));
	await registry.publish(tarballUnderTest());
	// A person reviews an address; here it is done a moment after it was requested.
	provider = await startProvider({ reviewTime: 1 });
	server = new N8nServer({
		install,
		userFolder: join(folder, 'user'),
		logFile: logFileFor('video', release),
		editor: true,
		environment: registry.environment,
	});
	await server.start();
	client = new N8nClient(server.url, release);
	await client.signIn();
	browser = await launchChromium();
	editor = await Editor.open(browser, server.url);
	desk = await editor.pageBeside(`${provider.url}/console`);
	const others = ['actions', 'calls', 'chat'].map((name) => `:not([data-panel=${name}])`).join('');
	await desk.addStyleTag({ content: `section[data-panel]${others} { display: none }` });
	await editor.page.goto(`${server.url}/settings/community-nodes`, { timeout: 120_000 });
	mkdirSync(artifacts, { recursive: true });
	recording = await Recording.begin(file);
	await recording.show(editor.page);
});

afterAll(async () => {
	await editor?.close();
	await browser?.close();
	await server?.stop();
	await provider?.close();
	await registry?.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** A workflow that writes this text of each item to the chat of the console. */
const toChat = (name: string, parameters: Record<string, unknown>) =>
	chain(name, [
		triggerNode(parameters),
		{
			id: 'chat',
			name: 'Chat',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [0, 0],
			parameters: {
				method: 'POST',
				url: `${provider.url}/chat`,
				sendBody: true,
				bodyParameters: { parameters: [{ name: 'text', value: '={{ $json.summary }}' }] },
				options: {},
			},
		},
	]);

test('1. n8n installs the package by name', async () => {
	const { page } = editor;
	await caption(page, '1. Settings → Community nodes → Install');
	await page
		.getByRole('button', { name: /^Install/ })
		.first()
		.click();
	await page.locator('input[name=packageNameInput]').fill(PACKAGE);
	await editor.byId('user-agreement-checkbox').click();
	await editor.byId('install-community-package-button').click();
	await editor
		.byId('community-package-card')
		.getByText(PACKAGE)
		.first()
		.waitFor({ timeout: 120_000 });
	expect(registry.downloads().some((name) => name.startsWith(PACKAGE))).toBe(true);
});

test('2. the test of the credential is green', async () => {
	const { page } = editor;
	await editor.openCanvas();
	await caption(page, '2. The trigger, and its credential');
	await editor.add('missed call', NODE, 'On missed, answered or ended call');
	await page.getByText('Connect to Voice Management Supervisor').click();
	const form = editor.byId('editCredential-modal');
	const { login, password } = provider.accounts.supervisor;
	for (const [name, value] of Object.entries({ voiceUrl: provider.url, login, password }))
		await editor.byId(`parameter-input-${name}`, form).locator('input').fill(value);
	await editor.byId('credential-save-button', form).click();
	await form.waitFor({ state: 'hidden' });
	await editor.byId('credential-edit-button').click();
	await editor.byId('credentials-config-container-test-success', form).waitFor();
	await recording.hold(2);
	await page.keyboard.press('Escape');
	await form.waitFor({ state: 'hidden' });
});

test('3. every operation succeeds', async () => {
	const { page } = editor;
	const numbers = await addCredential(client, provider, 'numbers');
	const supervisor = nth(
		(await client.listCredentials()).filter(({ type }) => /Supervisor/.test(type)),
		0,
	);
	const workflow = await allOperations(
		{ client, provider },
		async (definition) =>
			await client.createWorkflow(withCredentials(definition, [numbers, supervisor])),
	);
	await editor.openCanvas(workflow);
	await editor.byId('zoom-to-fit').click();
	await caption(page, `3. All ${operations.length} operations of the action node`);
	await editor.byId('execute-workflow-button').click();
	const [started] = await client.waitForExecutions(workflow.id, 1);
	const execution = await client.waitForExecution(started!.id);
	expect(execution.status).toBe('success');
	for (const { resource, value } of operations)
		expect(itemsOf(execution, `${resource} ${value}`)).not.toEqual([]);
	await editor.byId('canvas-node-status-success').nth(operations.length).waitFor();
	await recording.hold(3);
});

test('4. the trigger fires on a call', async () => {
	const { page } = editor;
	const [supervisor] = (await client.listCredentials()).filter(({ type }) =>
		/Supervisor/.test(type),
	);
	const workflow = await client.createWorkflow(
		withCredentials(toChat('Missed call', { mode: 'callOutcomes', outcomes: ['missed'] }), [
			supervisor!,
		]),
	);
	await editor.openCanvas(workflow);
	await caption(page, '4. A missed call starts a workflow');
	scene.from = recording.seconds;
	await recording.hold(3);
	await page.getByRole('button', { name: 'Publish', exact: true }).click();
	await page
		.locator('[role=dialog], .el-dialog')
		.getByRole('button', { name: 'Publish', exact: true })
		.last()
		.click();
	await page.getByText('Your workflow now listens to the voice feed').waitFor();
	await page.getByRole('button', { name: 'Got it' }).click();
	await provider.control.waitForSockets(1);
	await recording.show(desk);
	await caption(desk, '4. The provider: a caller waits, and gives up');
	await desk.getByRole('button', { name: 'A call that gives up', exact: true }).click();
	await desk.locator('[data-panel=chat]').getByText(CALLER).waitFor({ timeout: 60_000 });
	await recording.hold(4);
	scene.to = recording.seconds;
	const execution = nth(await client.waitForExecutions(workflow.id, 1), 0);
	await recording.show(page);
	await editor.openExecution(workflow, execution.id);
	await caption(page, '4. What ran');
	expect(nth(itemsOf(execution, 'Feed'), 0).json).toMatchObject({ event: 'missed' });
	await recording.hold(3);
	await client.deactivate(workflow.id);
});

test('5. an alert about a caller who waits', async () => {
	const { page } = editor;
	const [supervisor] = (await client.listCredentials()).filter(({ type }) =>
		/Supervisor/.test(type),
	);
	const alerts = { alert: [{ when: 'callerWaiting', waitSeconds: ALERT_SECONDS }] };
	const workflow = await client.createWorkflow(
		withCredentials(toChat('Waiting caller', { mode: 'alerts', alerts }), [supervisor!]),
	);
	await editor.openNode(workflow, 'Feed');
	await caption(page, `5. An alert when a caller waits for ${ALERT_SECONDS} seconds`);
	await recording.hold(3);
	await client.activate(workflow.id);
	await provider.control.waitForSockets(1);
	await recording.show(desk);
	await caption(desk, '5. The provider: a caller waits');
	provider.control.send('queue', 'insert_call', {
		id_call: 42,
		id_queue: 301,
		caller_id_num: '+33199000123',
	});
	await desk
		.locator('[data-panel=chat]')
		.getByText(`+33199000123 has been waiting for ${ALERT_SECONDS} s`)
		.waitFor({ timeout: 60_000 });
	await recording.hold(3);
	const execution = nth(await client.waitForExecutions(workflow.id, 1), 0);
	expect(nth(itemsOf(execution, 'Feed'), 0).json).toMatchObject({
		event: 'started',
		when: 'callerWaiting',
	});
});

test('the recording is complete, and not longer than n8n allows', async () => {
	// The encoder may still have minutes of it to write.
	await recording.end();
	process.stderr.write(`${file}: ${recording.seconds.toFixed(0)} s\n`);
	expect(recording.seconds).toBeGreaterThan(30);
	expect(recording.seconds).toBeLessThanOrEqual(MOST_SECONDS);
	// n8n's own list of verified packages is on the internet, which this n8n can't reach.
	const others = editor.problems.filter((problem) => !problem.includes("Can't connect to n8n"));
	expect(others).toEqual([]);
}, 900_000);

test('the picture of the README is a part of it', async () => {
	const picture = pictureFile('missed-call.webp');
	await cut(file, scene.from, scene.to, picture);
	expect(scene.to - scene.from).toBeGreaterThan(10);
	expect(statSync(picture).size).toBeLessThan(MOST_BYTES);
});
