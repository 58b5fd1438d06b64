// The package in n8n's editor, in a real browser: found, filled in, tested and run as a person does it. The pictures of
// the documentation are taken here (see editor.ts).
import type { Browser } from 'playwright-core';

import type { Workflow, WorkflowNode } from '../../../dev/n8n/client';
import {
	API_CREDENTIAL,
	SUPERVISOR_CREDENTIAL,
	credentialData,
	readDemo,
} from '../../../dev/setup';
import { helpUrl } from '../../../nodes/shared/help';
import { startBench, type OwnBench } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { triggerNode } from '../support/workflows';
import { VoiceManagementTrigger } from '../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import { Editor } from './editor';
import { nth } from '../../support/present';

const PACKAGE = 'n8n-nodes-voice-management';

let browser: Browser;
let bench: OwnBench;
let editor: Editor;
let workflow: Workflow;

interface Property {
	name: string;
	type: string;
	options?: Array<{ name: string; value: string; action?: string }>;
	displayOptions?: { show?: Record<string, unknown[]>; hide?: Record<string, unknown[]> };
}
let actionProperties: Property[];

beforeAll(async () => {
	browser = await launchChromium();
	bench = await startBench({ name: 'browser', editor: true });
	editor = await Editor.open(browser, bench.server.url);
	const { client } = bench;
	const node = (
		name: string,
		type: string,
		position: [number, number],
		parameters: Record<string, unknown>,
		credential: string,
	): WorkflowNode => ({
		id: name.toLowerCase(),
		name,
		type: `${PACKAGE}.${type}`,
		typeVersion: 1,
		position,
		parameters,
		credentials: { [credential]: { id: '', name: '' } },
	});
	workflow = await bench.workflow({
		name: 'In the browser',
		nodes: [
			node(
				'Trigger',
				'voiceManagementTrigger',
				[0, 0],
				{ filters: { agentIds: [], trunkIds: [], groupIds: [] }, options: {} },
				SUPERVISOR_CREDENTIAL,
			),
			node(
				'Action',
				'voiceManagement',
				[260, 0],
				{ resource: 'address', operation: 'get' },
				API_CREDENTIAL,
			),
		],
		connections: { Trigger: { main: [[{ node: 'Action', type: 'main', index: 0 }]] } },
	});
	actionProperties = (await client.nodeTypes()).find(
		({ name }) => name === `${PACKAGE}.voiceManagement`,
	)?.properties as Property[];
});

afterAll(async () => {
	await editor?.close();
	await browser?.close();
	await bench?.close();
});

afterEach(() => {
	// Errors in the page make the test fail, whatever it was about.
	expect(editor.problems.splice(0)).toEqual([]);
});

/** How many results a person sees without scrolling. */
const SEEN = 5;

describe('the node creator', () => {
	const triggers = (
		new VoiceManagementTrigger().description.properties.find(({ name }) => name === 'mode')
			?.options ?? []
	).map((option) => String('action' in option ? option.action : ''));

	beforeAll(async () => {
		await editor.openCanvas();
		await editor.page.keyboard.press('n');
		await editor.byId('node-creator-search-bar').waitFor();
	});

	test('finds the package, as builder.test.ts holds for many more words', async () => {
		await editor.byId('node-creator-search-bar').fill('missed call');
		const found = editor.byId('node-creator-item-name');
		await found.getByText('Voice Management', { exact: true }).first().waitFor();
		const names = await found.allInnerTexts();
		expect(names.map((name) => name.trim()).slice(0, SEEN)).toContain('Voice Management');
		await editor.picture('node-creator-search');
	});

	test('shows its triggers and all actions under one name, and opens the trigger for missed calls', async () => {
		await editor.byId('node-creator-search-bar').fill('missed call');
		await editor
			.byId('node-creator-item-name')
			.getByText('Voice Management', { exact: true })
			.first()
			.click();
		const { page } = editor;
		await page.getByText(`Triggers (${triggers.length})`).waitFor();
		for (const action of triggers) await page.getByText(action, { exact: true }).first().waitFor();
		const actions = actionProperties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options.map(({ action }) => String(action)));
		await page.getByText(`Actions (${actions.length})`).click();
		for (const action of actions) {
			await page.getByText(action, { exact: true }).first().scrollIntoViewIfNeeded();
		}
		await page.getByText(`Actions (${actions.length})`).scrollIntoViewIfNeeded();
		await editor.picture('node-creator-actions');

		await page.getByText('On missed, answered or ended call', { exact: true }).first().click();
		await editor.byId('node-parameters').waitFor();
		// The choice is set, and the credential of the account is selected.
		await editor.parameter('outcomes').first().waitFor();
		await editor.byId('trigger-execute-button').click();
		await bench.provider.control.waitForSockets(1);
		await bench.provider.control.play('missedCall', { queue: 301, agent: 501 });
		const output = editor.byId('output-panel');
		await output.getByText('1 item').first().waitFor();
		await editor.byId('radio-button-json', output).click();
		await output.getByText('missed', { exact: false }).first().waitFor();
		await bench.provider.control.waitForSockets(0);
	});
});

/** The parameters of a resource and operation according to the node's description. */
function expectedParameters(resource: string, operation: string): string[] {
	const chosen: Record<string, string> = { resource, operation };
	return actionProperties
		.filter(({ type, displayOptions }) => {
			if (['collection', 'fixedCollection', 'notice', 'hidden', 'callout'].includes(type))
				return false;
			const { show = {}, hide } = displayOptions ?? {};
			return (
				!hide &&
				Object.keys(show).every((name) => name in chosen) &&
				Object.entries(show).every(([name, values]) => values.includes(chosen[name]))
			);
		})
		.map(({ name }) => name)
		.filter((name) => !(name in chosen));
}

describe('the action node', () => {
	const operationsOf = (resource: string) =>
		actionProperties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		)?.options ?? [];

	test('shows the parameters of its description for every resource and operation', async () => {
		await editor.openNode(workflow, 'Action');
		const resources = actionProperties.find(({ name }) => name === 'resource')?.options ?? [];
		for (const resource of resources) {
			await editor.choose('resource', resource.name);
			for (const operation of operationsOf(resource.value)) {
				await editor.choose('operation', operation.name);
				for (const name of expectedParameters(resource.value, operation.value)) {
					await editor.parameter(name).first().waitFor();
				}
				expect(editor.problems).toEqual([]);
				if (resource.value === 'address' && operation.value === 'create') {
					await editor.picture('action-create-address');
				}
			}
		}
	});

	test('lists the addresses of the account to choose from', async () => {
		const { client } = bench;
		const example = readDemo('number-management-run');
		const created = await bench.workflow({
			...example,
			nodes: example.nodes.filter(({ name }) => name !== 'Delete it'),
			connections: Object.fromEntries(
				Object.entries(example.connections).filter(([from]) => from !== 'Check it'),
			),
		});
		await client.waitForExecution(await client.runManually(created, 'Run now'));
		const address = nth(bench.provider.control.numbers().addresses, 0);

		await editor.openNode(workflow, 'Action');
		await editor.choose('resource', 'Address');
		await editor.choose('operation', 'Get');
		await editor.byId('rlc-input').click();
		await editor.page
			.getByText(new RegExp(String(address.addressId)))
			.first()
			.waitFor();
		await editor.picture('action-address-list');
	});
});

describe('the credential form', () => {
	const cases = [
		{
			node: 'Action',
			title: 'Voice Management API',
			account: 'numbers',
			picture: 'credential-api',
		},
		{
			node: 'Trigger',
			title: 'Voice Management Supervisor API',
			account: 'supervisor',
			picture: 'credential-supervisor',
		},
	] as const;

	test.each(cases)('$title: its test fails with a reason, then passes', async (given) => {
		const { page } = editor;
		await editor.openNode(workflow, given.node);
		await editor.byId('credential-edit-button').click();
		const form = editor.byId('editCredential-modal');
		const password = editor.byId('parameter-input-password', form).locator('input');
		// n8n tests a stored credential when its form opens; a late response to that would replace the requested one.
		const accepted = editor.byId('credentials-config-container-test-success', form);
		await accepted.waitFor();

		await password.fill('not-this-one');
		await editor.byId('credential-save-button', form).click();
		await form.getByText('Couldn’t connect with these settings').waitFor();
		await form.getByText('More details').click();
		const reason = form.getByText(/not accepted|wrong/i).first();
		await reason.waitFor();
		expect(await form.innerText()).not.toContain('not-this-one');
		await editor.picture(`${given.picture}-refused`);

		await password.fill(bench.provider.accounts[given.account].password);
		await editor.byId('credential-save-button', form).click();
		await accepted.waitFor();
		await editor.picture(given.picture);
		await page.keyboard.press('Escape');
		await form.waitFor({ state: 'hidden' });
		// The form's node loaded its lists with the wrong password, and n8n reports a rejected login like this.
		const refusedLists = '500 /rest/dynamic-node-parameters/options';
		const others = editor.problems.splice(0).filter((problem) => problem !== refusedLists);
		expect(others).toEqual([]);
	});
});

describe('the trigger node', () => {
	test('offers agents, groups and trunks by name', async () => {
		const { plan } = bench.provider;
		await editor.openNode(workflow, 'Trigger');
		for (const [parameter, names] of [
			['trunkIds', plan.trunks.map(({ name }) => name)],
			['groupIds', plan.groups.map(({ name }) => name)],
			['agentIds', plan.agents.map(({ name }) => name)],
		] as const) {
			const entries = await editor.openDropdown(parameter);
			const texts = (await entries.allInnerTexts()).join('\n');
			for (const name of names) expect(texts).toContain(name);
			if (parameter === 'agentIds') await editor.picture('trigger-agent-list');
			await editor.page.keyboard.press('Escape');
			await entries.first().waitFor({ state: 'hidden' });
		}
	});

	test('warns beside the output, before it runs, about filters that can never match', async () => {
		const never = {
			'No agent': {
				parameters: { mode: 'callOutcomes', outcomes: ['missed'], filters: { agentIds: ['501'] } },
				says: /A missed call has no agent/,
			},
			'No queue': {
				parameters: { notificationTypes: ['UI'], filters: { queueIds: '301' } },
				says: /None of the selected events has a queue, so the filter Queue IDs never matches/,
			},
			'No such event': {
				parameters: { notificationTypes: ['UI'], events: ['insert_call'] },
				says: /None of the chosen events belongs to one of the chosen event types/,
			},
			'No called number': {
				parameters: { mode: 'callOutcomes', filters: { serviceNumber: '+33199010000' } },
				says: /Only Incoming Call events include the called number/,
			},
		};
		const hinted = await bench.workflow({
			name: 'Never',
			nodes: Object.entries(never).map(([name, { parameters }], index) => ({
				...triggerNode(parameters),
				name,
				position: [0, index * 160],
			})),
			connections: {},
		});
		for (const [name, { says }] of Object.entries(never)) {
			await editor.openNode(hinted, name);
			await editor.byId('output-panel').getByText(says).waitFor();
		}
	});

	test("the full account feed offers no filter that it cannot apply, and an error about the machine's IP address names its field", async () => {
		const { client, provider } = bench;
		const account = await client.createCredential(API_CREDENTIAL, 'API account', {
			...credentialData(provider, 'api'),
			ip: '203.0.113.9',
		});
		const node = {
			...triggerNode({ feed: 'account' }),
			credentials: { [API_CREDENTIAL]: { id: account.id, name: account.name } },
		};
		const full = await client.createWorkflow({ name: 'Full', nodes: [node], connections: {} });
		await editor.openNode(full, node.name);
		const { page } = editor;
		await editor.byId('collection-parameter-add').first().click();
		await page.getByText('Queue IDs', { exact: true }).first().waitFor();
		expect(await page.getByText('Group Names or IDs').count()).toBe(0);
		await page.keyboard.press('Escape');

		await editor.execute();
		const output = editor.byId('output-panel');
		await editor
			.byId('node-error-message')
			.getByText(/The provider refused the login: .*"ip"/)
			.waitFor();
		await editor
			.byId('node-error-description')
			.getByText(/Set "Machine IP Address" in the credential to the IP address/)
			.waitFor();
		await editor.picture('errors/machine-ip');
		const help = output.getByRole('link', { name: 'Help', exact: true });
		expect(await editor.follow(help)).toBe(helpUrl('the-full-account-feed'));
	});

	test('a test run waits for the feed, shows the event, and leaves no connection', async () => {
		const { provider } = bench;
		const panel = await editor.openNode(workflow, 'Trigger');
		await editor.byId('trigger-execute-button').click();
		await panel.getByText('Stop Listening').first().waitFor();
		await provider.control.waitForSockets(1);
		await editor.picture('trigger-listening');
		provider.control.send('queue', 'connect_call', {
			status: 'connected',
			call_duration: 9,
			caller_id_num: '+33199000123',
			step: 1,
			id_queue: 301,
			id_call: 77,
			id_operator: nth(provider.plan.agents, 0).id,
			id_client: provider.plan.clientId,
		});
		const output = editor.byId('output-panel');
		await output.getByText('1 item').first().waitFor();
		await editor.byId('radio-button-json', output).click();
		await output.getByText('+33199000123').first().waitFor();
		await output.getByText(nth(provider.plan.agents, 0).name).first().waitFor();
		await provider.control.waitForSockets(0);
		await editor.picture('trigger-event');
	});
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
	afterAll(async () => {
		await editor.theme('light');
	});

	test('both nodes show their own icon', async () => {
		const { page } = editor;
		await editor.theme(theme);
		await editor.openCanvas(workflow);
		const suffix = theme === 'dark' ? '.dark.svg' : '.svg';
		for (const type of ['voiceManagement', 'voiceManagementTrigger']) {
			const icon = page.locator(`[data-test-id="canvas"] img[src$="/${type}${suffix}"]`).first();
			await icon.waitFor();
			// Loaded and drawn, not only requested.
			expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
				0,
			);
		}
		await editor.picture(`workflow-${theme}`);
		await editor.openNode(workflow, 'Trigger');
		await editor.picture(`trigger-${theme}`);
	});
});
