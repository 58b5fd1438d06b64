/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The examples about numbers: people fill in the forms in a real browser, and the provider's side shows the results.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import type { Workflow } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { eventually, exampleWith, failuresOf, nodeOf, startSink, type Sink } from './support';
import { startScriptedModel, type ScriptedModel, type Turn } from './scriptedModel';
import { nth } from '../../support/present';

/** A DID group of the simulated provider: Belgian geographic numbers, at 1 each. */
const GROUP = 6003;

let bench: Bench;
let sink: Sink;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	bench = await shareBench();
	browser = await launchChromium();
});

afterAll(async () => {
	await browser?.close();
	await bench?.close();
});

beforeEach(async () => {
	sink = await startSink();
	page = await browser.newPage();
	page.setDefaultTimeout(60_000);
});

afterEach(async () => {
	await page.close();
	await bench.quiet();
	await sink.close();
});

async function activate(...definition: Parameters<Bench['workflow']>): Promise<Workflow> {
	const workflow = await bench.workflow(...definition);
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	return workflow;
}

/** Sends a request to a workflow's webhook; resolves with the first message that results from it. */
async function ask(path: string, body: object): Promise<string> {
	const answer = await fetch(`${bench.client.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(answer.status).toBe(200);
	return nth(await sink.waitFor(1), 0);
}

/** Where the examples with an approval send what. */
const settings = () => ({
	'Your settings': { approver_url: `${sink.url}/approver`, message_url: `${sink.url}/team` },
});

/** Fills in an n8n form by its labels: text fields are typed into, dropdowns chosen from. */
async function fill(values: Record<string, string>): Promise<void> {
	for (const [label, value] of Object.entries(values)) {
		const field = page.getByLabel(label, { exact: false }).first();
		await field.waitFor();
		const kind = await field.evaluate((element) => element.tagName);
		if (kind === 'SELECT') await field.selectOption({ label: value });
		else await field.fill(value);
	}
}

const ordered = () => bench.provider.control.numbers().orders.length;
const checkouts = () =>
	bench.provider.control.requests({ area: 'rest' }).filter(({ path }) => path.endsWith('/checkout'))
		.length;

/**
 * The form on which somebody decides, once n8n has put the execution to sleep: before that, a visitor gets no response.
 */
async function decisionForm(workflow: Workflow, text: string): Promise<string> {
	await eventually('the execution waits', async () => {
		const waiting = await bench.client.listExecutions({
			workflowId: workflow.id,
			status: ['waiting'],
		});
		return waiting.length === 1;
	});
	return /http\S+$/.exec(text)![0];
}

async function decide(url: string, decision: string): Promise<void> {
	await page.goto(url);
	await fill({ Decision: decision, 'Your name': 'Grace' });
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('your decision was noted').waitFor();
}

describe('activate-a-number', () => {
	let folder: string;
	let proof: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'voice-management-proof-'));
		proof = join(folder, 'invoice.pdf');
		writeFileSync(proof, '%PDF-1.4 an invoice');
	});

	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** Fills in both pages of the form, up to its last page. */
	async function fillIn(
		numbers: readonly number[],
		place: string,
		{ country = 'BEL', leavesEarly = false, beforeSend = async () => {} } = {},
	): Promise<Workflow> {
		const definition = exampleWith('activate-a-number', {
			'Your settings': { message_url: sink.url, look_every_minutes: 0.02 },
		});
		// Once this is over, n8n goes on without the last page, which a browser on a busy machine would not get any more.
		if (!leavesEarly) nodeOf(definition, 'Show confirmation').parameters.resumeAmount = 60;
		const workflow = await activate(definition);
		await page.goto(`${bench.client.url}/form/activate-a-number`);
		await fill({ Country: country, 'Type of number': 'GEOGRAPHIC', 'DID IDs': numbers.join(', ') });
		await page.getByRole('button', { name: 'Next' }).click();
		await fill({
			Company: 'Example Company',
			...(country === 'BEL'
				? { 'Postal code and city': place }
				: { 'Postal code': '1000', City: place }),
			Street: "Rue de l'Exemple",
			'Building number': '1',
		});
		await page.locator('input[type=file]').setInputFiles(proof);
		await beforeSend();
		await page.getByRole('button', { name: 'Send to the provider' }).click();
		return workflow;
	}

	/** Two numbers of the group that wait for an address. */
	const blockedNumbers = () =>
		bench.provider.control
			.numbers()
			.dids.filter(
				({ didGroupId, blocked, addressId }) =>
					didGroupId === GROUP && blocked && addressId === null,
			)
			.slice(0, 2)
			.map(({ didId }) => didId);

	const newestAddress = () => bench.provider.control.numbers().addresses.at(-1)!;

	test('from the form to numbers that can be called, once people have verified the address', async () => {
		const { provider, client } = bench;
		const numbers = blockedNumbers();
		const workflow = await fillIn(numbers, '4000 – Liège');
		await page.getByText('Sent to the provider').waitFor();

		const address = newestAddress();
		expect(address).toMatchObject({
			companyName: 'Example Company',
			zipCode: '4000',
			city: 'Liège',
			status: 'VERIFICATION_REQUESTED',
			internal: { proofs: [expect.objectContaining({ filename: 'invoice.pdf' })] },
		});
		// The workflow has checked at least twice without a result before somebody decides.
		const path = `/vbapi/v1/regulation/address/${address.addressId}`;
		await provider.control.waitForRequests({ method: 'GET', path }, 2);
		expect(sink.messages).toEqual([]);
		provider.control.reviewAddress(address.addressId, 'VERIFIED');

		const [text] = await sink.waitFor(1);
		expect(text).toBe(
			`Active: the numbers ${numbers.join(', ')} are linked to address ${address.addressId} (NUMBERS_LINKED_AND_UNBLOCKED).`,
		);
		expect(provider.control.numbers().dids.filter(({ didId }) => numbers.includes(didId))).toEqual(
			numbers.map(() => expect.objectContaining({ addressId: address.addressId, blocked: false })),
		);
		const execution = nth(await client.waitForExecutions(workflow.id, 1), 0);
		expect(execution.status).toBe('success');
	});

	test('somebody who closes the page early, and a look that fails, change nothing', async () => {
		const { provider } = bench;
		const numbers = blockedNumbers();
		const path = '/vbapi/v1/regulation/address/';
		provider.control.fault({ method: 'GET', path, status: 503, times: 3 });
		// The browser never gets to the last page.
		await fillIn(numbers, '4000 – Liège', {
			leavesEarly: true,
			beforeSend: async () => {
				await page.route('**/form-waiting/**', async (route) =>
					route.request().method() === 'GET' ? await route.abort() : await route.continue(),
				);
			},
		});
		await eventually(
			'the provider is asked to verify the address',
			() => newestAddress()?.status === 'VERIFICATION_REQUESTED',
		);
		provider.control.reviewAddress(newestAddress().addressId, 'VERIFIED');
		expect((await sink.waitFor(1))[0]).toMatch(/^Active: the numbers /);
	}, 180_000);

	test('where no verification is needed, the workflow goes on to the link', async () => {
		await fillIn(blockedNumbers(), 'London', { country: 'GBR' });
		await page.getByText('Sent to the provider').waitFor();
		const { addressId, status } = newestAddress();
		expect(status).toBe('VERIFICATION_NOT_REQUIRED');
		// The free numbers of the simulated provider are Belgian.
		expect((await sink.waitFor(1))[0]).toMatch(
			new RegExp(
				`^Address ${addressId} needs no further check, but the numbers .* could not be linked: `,
			),
		);
	});

	test('a login that is refused is reported, and nobody looks any more', async () => {
		const { provider } = bench;
		provider.control.fault({
			...{ method: 'GET', path: '/vbapi/v1/regulation/address/', status: 401, times: 3 },
		});
		await fillIn(blockedNumbers(), '4000 – Liège');
		await page.getByText('Sent to the provider').waitFor();
		expect((await sink.waitFor(1))[0]).toMatch(
			new RegExp(`^Nobody looks any more for address ${newestAddress().addressId}: \\S`),
		);
	});

	test('a proof that is refused: the form says why, and there is no address that a second try would double', async () => {
		const { provider } = bench;
		const before = provider.control.numbers().addresses.length;
		provider.control.fault({
			...{ method: 'PUT', path: '/vbapi/v1/regulation/address', status: 400 },
			body: {
				...{ httpStatusCode: 400, apiModule: 'REGULATION' },
				errors: [{ apiErrorCode: '25', apiErrorMessage: 'The file can not be read' }],
			},
		});
		await fillIn(blockedNumbers(), '2000 – Antwerpen');
		await page.getByText('The provider did not accept this').waitFor();
		await page.getByText('The file can not be read').waitFor();
		expect(provider.control.numbers().addresses).toHaveLength(before);
		expect(sink.messages).toEqual([]);
	});

	test("a rejected address is reported with the provider's reasons, and nothing is linked", async () => {
		const { provider } = bench;
		const numbers = blockedNumbers();
		await fillIn(numbers, '1000 – Bruxelles');
		await page.getByText('Sent to the provider').waitFor();
		const address = newestAddress();
		provider.control.reviewAddress(address.addressId, 'REJECTED', ['The invoice is too old']);
		const [text] = await sink.waitFor(1);
		expect(text).toBe(`The provider rejected address ${address.addressId}: The invoice is too old`);
		expect(blockedNumbers()).toEqual(numbers);
	});

	test("an address that the provider does not accept ends the form with the provider's reason", async () => {
		const { provider } = bench;
		const before = provider.control.numbers().addresses.length;
		provider.control.fault({
			method: 'PUT',
			path: '/vbapi/v1/regulation/address',
			status: 400,
			body: {
				httpStatusCode: 400,
				apiModule: 'REGULATION',
				errors: [{ apiErrorCode: '503', apiErrorMessage: 'This street does not exist' }],
			},
		});
		await fillIn(blockedNumbers(), '2000 – Antwerpen');
		await page.getByText('The provider did not accept this').waitFor();
		await page.getByText('This street does not exist').waitFor();
		expect(provider.control.numbers().addresses).toHaveLength(before);
		expect(sink.messages).toEqual([]);
	});
});

describe('order-numbers-with-approval', () => {
	/** Makes a request; returns the first message that results from it. */
	async function request(
		group: number,
		quantity: number,
	): Promise<{ workflow: Workflow; text: string }> {
		bench.provider.control.clearRequests();
		const workflow = await activate(exampleWith('order-numbers-with-approval', settings()));
		const wanted = { name: 'Ada', did_group: group, quantity, reason: 'the new office' };
		return { workflow, text: await ask('order-numbers', wanted) };
	}

	test('opening the link buys nothing; "Approve and buy" does, once', async () => {
		const { client } = bench;
		const before = ordered();
		const { workflow, text } = await request(GROUP, 3);
		expect(text).toMatch(
			/^Ada wants 3 numbers of group 6003: the new office\nApprove or reject here: http\S+$/,
		);
		const form = await decisionForm(workflow, text);
		// What a mail program may do with a link, more than once.
		for (let visit = 0; visit < 3; visit++) expect((await fetch(form)).status).toBe(200);
		expect(checkouts()).toBe(0);

		await decide(form, 'Approve and buy');
		const texts = await sink.waitFor(2);
		expect(texts[1]).toMatch(
			/^Ordered for Ada \(SUCCESS\): DID SUCCESS ORD-\d+\. Approved by Grace\.$/,
		);
		expect(nth(sink.messages, 1).path).toBe('/team');
		expect(checkouts()).toBe(1);
		expect(ordered()).toBe(before + 1);

		const execution = nth(await client.waitForExecutions(workflow.id, 1), 0);
		expect(execution.status).toBe('success');
		// The link cannot be used again.
		await fetch(form, { method: 'POST' });
		expect(checkouts()).toBe(1);
	});

	test('"Reject" buys nothing and reports who rejected it', async () => {
		const before = ordered();
		const { workflow, text } = await request(GROUP, 2);
		await decide(await decisionForm(workflow, text), 'Reject');
		const texts = await sink.waitFor(2);
		expect(texts[1]).toBe('Not ordered: the request of Ada for 2 numbers was rejected by Grace.');
		expect(checkouts()).toBe(0);
		expect(ordered()).toBe(before);
		expect(await failuresOf(bench.client, workflow.id)).toEqual([]);
	});

	test('a lost response is reported, and the order is not sent again', async () => {
		const before = ordered();
		const { workflow, text } = await request(GROUP, 1);
		const cart = nth(bench.provider.control.numbers().carts.slice(-1), 0);
		bench.provider.control.fault({
			path: `/vbapi/v1/ordering/cart/${cart.cartIdentifier}/checkout`,
			processed: true,
			destroy: true,
		});
		await decide(await decisionForm(workflow, text), 'Approve and buy');
		const texts = await sink.waitFor(2);
		expect(texts[1]).toMatch(
			/^The order for Ada \(cart \d+\) got an error: .*may have been placed.* Look at your orders before anybody tries again\.$/s,
		);
		expect(checkouts()).toBe(1);
		await eventually('it was placed', () => ordered() === before + 1);
	});

	test('a group that cannot be ordered never reaches the person who decides', async () => {
		const { text } = await request(6006, 1);
		expect(text).toMatch(/^The request of Ada cannot be ordered: \S/);
		expect(sink.messages.map(({ path }) => path)).toEqual(['/team']);
		expect(checkouts()).toBe(0);
	});
});

describe('assistant-prepares-an-order', () => {
	const WISH = "Two numbers of DID group 6003 for Example Company, Rue de l'Exemple 1, Liège";
	/** The model requests what a person may ask for, and tries to buy it as well. */
	const SCRIPT: readonly Turn[] = [
		{ tool: 'postal_codes', input: { country: 'BEL', area_code: '' } },
		{
			tool: 'prepare_address',
			input: {
				company: 'Example Company',
				country: 'BEL',
				city: 'Liège',
				postal_code: '4000',
				street: "Rue de l'Exemple",
				building: '1',
			},
		},
		{ tool: 'put_into_cart', input: { did_group: String(GROUP), quantity: 2 } },
		{ tool: 'check_out', input: {} },
		{ says: 'An address in Liège and two numbers are prepared.' },
	];
	let model: ScriptedModel;

	beforeEach(async () => {
		model = await startScriptedModel(SCRIPT);
	});

	afterEach(async () => {
		await model.close();
	});

	async function wish(): Promise<{ workflow: Workflow; text: string }> {
		const { client, provider } = bench;
		provider.control.clearRequests();
		const definition = exampleWith('assistant-prepares-an-order', settings());
		// The only node for which a user has to choose a credential of another service.
		nodeOf(definition, 'Model').credentials = { openAiApi: { id: '', name: '' } };
		const credential = await client.createCredential('openAiApi', 'Model', {
			apiKey: 'made-up',
			url: model.url,
		});
		const workflow = await activate(definition, credential);
		const wanted = { name: 'Ada', wish: WISH };
		return { workflow, text: await ask('order-assistant', wanted) };
	}

	test('the model prepares, its purchase is rejected, and a person buys', async () => {
		const before = ordered();
		const { workflow, text } = await wish();
		expect([...model.offered].sort()).toEqual(
			['check_out', 'postal_codes', 'prepare_address', 'put_into_cart'].sort(),
		);
		const [codes, address, cart, purchase] = model.observations;
		expect(codes).toContain('4000');
		expect(address).toMatch(/addressId/);
		expect(cart).toMatch(/addedProducts/);
		expect(purchase).toMatch(/Confirm Purchase/);
		expect(checkouts()).toBe(0);
		expect(bench.provider.control.numbers().addresses.at(-1)).toMatchObject({ city: 'Liège' });

		// The person sees what the tools did, beside the model's own summary.
		expect(text.replace(/http\S+$/, 'LINK').split('\n')).toEqual([
			`Ada asks for: ${WISH}`,
			'The assistant says: An address in Liège and two numbers are prepared.',
			'What it did:',
			"Address: Example Company, Rue de l'Exemple 1, 4000 Liège, BEL (done)",
			'Cart: 2 numbers of DID group 6003 (done)',
			'Approve or reject here: LINK',
		]);
		await decide(await decisionForm(workflow, text), 'Approve and buy');
		const texts = await sink.waitFor(2);
		expect(texts[1]).toBe('Ordered for Ada (SUCCESS). Approved by Grace.');
		expect(checkouts()).toBe(1);
		expect(ordered()).toBe(before + 1);
		expect(await failuresOf(bench.client, workflow.id)).toEqual([]);
	});

	test('a model that does not respond is reported, and nothing is bought', async () => {
		await model.close();
		const { text } = await wish();
		expect(text).toMatch(/^The request of Ada was not prepared: \S/);
		expect(checkouts()).toBe(0);
	});
});
