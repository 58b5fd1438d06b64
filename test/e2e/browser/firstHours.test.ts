// From an empty workflow to the first alert, and from a login to an ordered number, by somebody who has read nothing:
// clicks, and text typed into what is on the screen. Each mistake on the way leads to the next step.
import type { Browser, Page } from 'playwright-core';

import { helpUrl } from '../../../nodes/shared/help';
import { nth } from '../../support/present';
import { startBench, type OwnBench } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { TRIGGER, chain, noOpNode, triggerNode } from '../support/workflows';
import { Editor } from './editor';

const NODE = 'Voice Management';
/** Longer than a test run listens, plus the time that n8n takes to notice its end. */
const TEST_RUN_MS = 180_000;

let browser: Browser;
let bench: OwnBench;
let editor: Editor;
/** The provider's console, where calls are made, with the chat that alerts are sent to. */
let desk: Page;
/** A test run that nothing can match; it waits while the other tests run. */
let unmatched: string;

beforeAll(async () => {
	browser = await launchChromium();
	bench = await startBench({ name: 'first-hours', editor: true });
	const { client, provider } = bench;
	const workflow = await bench.workflow(
		chain('Nothing matches', [
			triggerNode({
				mode: 'callOutcomes',
				outcomes: ['answered'],
				filters: { queueIds: 'Sales' },
				options: { queueNames: { queue: [{ id_queue: '301', name: 'Sales' }] } },
			}),
			noOpNode(),
		]),
	);
	unmatched = await client.runManually(workflow, TRIGGER);
	await provider.control.waitForSockets(1);
	await provider.control.play('missedCall', { queue: 301 });
	// At first there are no credentials.
	for (const { id } of [bench.numbers, bench.supervisor]) {
		await client.deleteCredential(id);
	}
	editor = await Editor.open(browser, bench.server.url);
	await editor.openCanvas();
	desk = await editor.pageBeside(`${provider.url}/console`);
});

afterAll(async () => {
	await editor?.close();
	await browser?.close();
	await bench?.close();
});

afterEach(() => {
	expect(editor.problems.splice(0)).toEqual([]);
});

const inForm = (field: string) => {
	const form = editor.byId('editCredential-modal');
	return editor.byId(`parameter-input-${field}`, form).locator('input');
};

/** Saves the form of a wrong credential until n8n shows this message; returns its whole text. */
async function refusal(says: RegExp, picture?: string): Promise<string> {
	const form = editor.byId('editCredential-modal');
	await editor.byId('credential-save-button', form).click();
	const text = form.getByText(says);
	const details = form.getByText('More details');
	await text.or(details).first().waitFor();
	if (await details.isVisible()) await details.click();
	await text.waitFor().catch(async (error: unknown) => {
		throw new Error(`${String(says)} is not in: ${await form.innerText()}`, { cause: error });
	});
	if (picture !== undefined) await editor.picture(`errors/${picture}`, form);
	return await text.innerText();
}

async function accepted(): Promise<void> {
	const form = editor.byId('editCredential-modal');
	await editor.byId('credential-save-button', form).click();
	// n8n closes the form of a new credential that works.
	await form.waitFor({ state: 'hidden' });
}

const output = () => editor.byId('output-panel');
/** The title of an error in the node's form. */
const failure = () => editor.byId('node-error-message');

async function missACall(): Promise<void> {
	await desk.getByRole('button', { name: 'A call that gives up', exact: true }).click();
}

describe('from an empty workflow to a missed-call alert', () => {
	test('the trigger is found by its purpose, and asks for a login', async () => {
		await editor.add('missed call', NODE, 'On missed, answered or ended call');
		await editor.page.getByText('Connect to Voice Management Supervisor').click();
		await inForm('login').fill(bench.provider.accounts.supervisor.login);
		await inForm('password').fill('not-this-one');
	});

	test.each([
		{
			mistake: 'the address of another server',
			typed: () => bench.server.url,
			says: /^The server does not know the login request \(\/ws\/\) \(HTTP 404\).*Check "Voice Management URL" in the credential/,
			picture: 'web-page',
		},
		{
			mistake: 'https although the provider uses http',
			typed: () => bench.provider.url.replace('http:', 'https:'),
			says: /not with TLS: write http:\/\/ in the URL, or correct the port/,
			picture: 'not-tls',
		},
		{
			mistake: 'a host that does not exist',
			typed: () => 'https://voice.nowhere.invalid',
			says: /^The host voice\.nowhere\.invalid was not found.*Check "Voice Management URL"/,
			picture: 'unknown-host',
		},
		{
			mistake: 'a port on which nobody listens',
			typed: () => 'http://127.0.0.1:9',
			says: /^127\.0\.0\.1:9 refused the connection.*Check "Voice Management URL"/,
			picture: 'refused-connection',
		},
		{
			mistake: 'no scheme',
			typed: () => 'voice.example.com',
			says: /^"Voice Management URL" has no scheme: write https:\/\/voice\.example\.com/,
			picture: 'no-scheme',
		},
		{
			mistake: 'a path',
			typed: () => `${bench.provider.url}/console`,
			says: /^"Voice Management URL" has a path \(\/console\)/,
			picture: 'path',
		},
		{
			mistake: 'a wrong password',
			typed: () => bench.provider.url,
			says: /^Login or password is wrong.*supervisor-type login.*go into a "Voice Management API" credential/,
			picture: 'supervisor-login',
		},
	])('$mistake: the error names the field in front of the user', async (given) => {
		await inForm('voiceUrl').fill(given.typed());
		const text = await refusal(given.says, given.picture);
		// Nothing about the other credential.
		expect(text).not.toMatch(/Base URL|Client Account ID|IP Address|Account Type Key|not-this-one/);
	});

	test('a missed call becomes an item of the test run', async () => {
		await inForm('password').fill(bench.provider.accounts.supervisor.password);
		await accepted();
		const outcomes = await editor.openDropdown('outcomes');
		await outcomes.filter({ hasText: 'Missed' }).first().click();
		await editor.page.keyboard.press('Escape');
		await outcomes.first().waitFor({ state: 'hidden' });
		await editor.execute();
		// It may share the connection of the test run above, so that nothing tells when it has joined.
		const item = output().getByText('1 item').first();
		const comes = async () =>
			await item.waitFor({ timeout: 15_000 }).then(
				() => true,
				() => false,
			);
		do await missACall();
		while (!(await comes()));
		await output().getByText('missed', { exact: true }).first().waitFor();
	});

	test("the caller's number is dragged into a message, which is sent", async () => {
		await editor.add('http request', 'HTTP Request');
		await editor.choose('method', 'POST');
		await editor.parameter('url').locator('input').fill(`${bench.provider.url}/chat`);
		await editor.toggle('sendBody');
		await editor.parameter('name').locator('input').fill('text');
		await editor.drag('caller_id_num', 'value');
		await editor.picture('first-alert');
		await editor.execute();
		await output().getByText('true', { exact: true }).first().waitFor();
		await desk.locator('[data-panel=chat]').getByText('+33199012345').waitFor();
	});

	test('once published, it sends the next one by itself, and reports that it listens', async () => {
		const { page } = editor;
		await editor.publish();
		await page.getByText('Your workflow now listens to the voice feed').waitFor();
		await page.getByRole('button', { name: 'Got it' }).click();
		await missACall();
		const messages = desk.locator('[data-panel=chat]').getByText('+33199012345');
		await messages.nth(1).waitFor();
	});
});

describe('from a login to an ordered number', () => {
	test('a cart is found by "order number", and a wrong login names the fields of its credential', async () => {
		await editor.openCanvas();
		await editor.add('order number', NODE, 'Create cart');
		await editor.page.getByText('Connect to Voice Management', { exact: false }).first().click();
		await inForm('baseUrl').fill(bench.provider.url);
		await inForm('login').fill(bench.provider.accounts.numbers.login);
		await inForm('password').fill('not-this-one');
		const says = /Number management: rejected.*Check "Login", "Password" and "Base URL"/;
		const text = await refusal(says);
		expect(text).not.toMatch(/Voice Management URL|Account Type Key|not-this-one/);
		await inForm('password').fill(bench.provider.accounts.numbers.password);
		await accepted();
		await editor.execute();
		await output().getByText('cartIdentifier', { exact: true }).first().waitFor();
	});

	test('what is missing is named, and the link in the error leads to its page', async () => {
		await editor.add('order number', NODE, 'Add product to cart');
		await editor.drag('cartIdentifier', 'cartIdentifier');
		await editor.execute();
		await failure().getByText('"DID Group ID" is empty').waitFor();
		await editor.picture('errors/parameter');
		const help = output().getByRole('link', { name: 'Help', exact: true });
		expect(await editor.follow(help)).toBe(helpUrl('a-parameter-is-wrong'));
	});

	test('what can be ordered is shown in the console, and is added', async () => {
		const group = desk.locator('[data-panel=catalogue] [data-group]').first();
		const [groupId = ''] = await group.locator('td').allInnerTexts();
		await editor.parameter('didGroupId').locator('input').fill(groupId);
		await editor.execute();
		await output().getByText('addedProducts', { exact: true }).first().waitFor();
	});

	test('nothing is bought before it is confirmed, and a preview is shown', async () => {
		await editor.add('cart', NODE, 'Check out cart (paid order)');
		await editor.drag('cartIdentifier', 'cartIdentifier');
		await editor.execute();
		await failure().getByText('"Confirm Purchase" is off: no order was placed').waitFor();
		await output().getByText('1 × DID Group ID 6001', { exact: false }).first().waitFor();
		await editor.picture('checkout-preview');
		expect(bench.provider.control.numbers().orders).toEqual([]);
		const help = output().getByRole('link', { name: 'Help', exact: true });
		expect(await editor.follow(help)).toBe(helpUrl('orders'));
	});

	test('once confirmed, it is ordered once, with the reference of the order', async () => {
		await editor.toggle('confirmPurchase');
		await editor.execute();
		const { control } = bench.provider;
		await output().getByText('orderReference', { exact: false }).first().waitFor();
		expect(control.numbers().orders).toHaveLength(1);
		const { orderReference } = nth(control.numbers().orders, 0) as { orderReference: string };
		await output().getByText(orderReference, { exact: false }).first().waitFor();
		await desk
			.locator('[data-panel=carts]')
			.getByText(/bought ORD-/)
			.waitFor();
	});
});

describe('an address', () => {
	test('whatever is missing is named by one error', async () => {
		await editor.openCanvas();
		await editor.add('regulatory address', NODE, 'Create address');
		await editor.execute();
		const missing =
			'"Company Name", "Country", "City", "Postal Code", "Street Name", "Building Number"';
		await failure().getByText(`${missing} are empty`).waitFor();
		await output().getByText('usually also need an identity document').first().waitFor();
	});

	test('an identity document shows all its fields once it is added', async () => {
		await editor.choose('countryCodeA3', 'France (FRA)');
		const form = editor.byId('node-parameters');
		await form.getByText('Numbers in Italy and South Africa').first().waitFor();
		await editor.byId('collection-parameter-add', form).first().click();
		await editor.page.getByText('Identity Document', { exact: true }).last().click();
		for (const name of ['identityDocumentNumber', 'issuingDate', 'nationality']) {
			await editor.parameter(name).first().waitFor();
		}
		await editor.parameter('identityDocumentBinaryPropertyName').first().waitFor();
	});

	test('once it is created, the node says to pin its output', async () => {
		await editor.choose('countryCodeA3', 'Belgium (BEL)');
		const values = {
			companyName: 'Exemple SA',
			city: 'Liège',
			zipCode: '4000',
			streetName: 'Rue Exemple',
			buildingNumber: '1',
		};
		for (const [name, value] of Object.entries(values)) {
			await editor.parameter(name).locator('input:not([readonly])').last().fill(value);
		}
		await editor.execute();
		await output().getByText('addressId', { exact: true }).first().waitFor();
		await output().getByText('Pin this output').first().waitFor();
		const [address] = bench.provider.control.numbers().addresses;
		expect(address).toMatchObject({ countryCodeA3: 'BEL', destinationCountryCodeA3: 'BEL' });
	});
});

test('a test run without a match lists the calls, and the values of the filter that it saw', async () => {
	const execution = await bench.client.waitForExecution(unmatched, TEST_RUN_MS);
	const { message, description } = execution.data.resultData.error ?? {};
	expect(message).toBe('No matching call outcome came within 2 minutes');
	expect(description).toMatch(
		/Calls meanwhile: missed: \d+; none matched the chosen outcomes and filters\./,
	);
	expect(description).toMatch(/Queues seen: 301 \(Sales\)\./);
	expect(description).toContain(helpUrl('nothing-arrives'));
}, 200_000);
