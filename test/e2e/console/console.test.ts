// The provider's console in a real browser: what a person sees, and the effect of each button on the provider.
import type { Browser, Locator, Page } from 'playwright-core';
import { io, type Socket } from 'socket.io-client';

import { startProvider, type Provider } from '../../../simulator';
import {
	createAddress,
	createCart,
	restClient,
	supervisorHeader,
	xJson,
} from '../../integration/simulator/helpers';
import { launchChromium, picture } from '../support/chromium';

let browser: Browser;
let provider: Provider;
let page: Page;

beforeAll(async () => {
	browser = await launchChromium();
});

afterAll(async () => {
	await browser?.close();
});

beforeEach(async () => {
	provider = await startProvider();
	page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
	page.setDefaultTimeout(60_000);
	await page.goto(`${provider.url}/console`);
	await page.getByText('live', { exact: true }).waitFor();
});

afterEach(async () => {
	await page.close();
	await provider.close();
});

const panel = (name: string) => page.locator(`[data-panel=${name}]`);
const press = async (name: string, within: Page | Locator = page) =>
	await within.getByRole('button', { name, exact: true }).click();

/**
 * Notes each text that a part of the page has from now on, since a busy machine may be too late to see one that is soon
 * replaced. `shows` waits until there were texts like these, one after the other; a part that is gone has the text ''.
 */
async function noted(selector: string, having = '') {
	const notes = await page.evaluateHandle(
		([where, words]) => {
			const texts: string[] = [];
			const note = () => {
				const parts = [...document.querySelectorAll(where)].map(({ textContent }) => textContent);
				const text = parts.find((part) => part?.includes(words)) ?? '';
				if (text !== texts.at(-1)) texts.push(text);
			};
			const everything = { subtree: true, childList: true, characterData: true };
			new MutationObserver(note).observe(document.body, everything);
			note();
			return texts;
		},
		[selector, having] as const,
	);
	return {
		async shows(...patterns: RegExp[]): Promise<void> {
			const wanted = patterns.map(({ source }) => source);
			await page
				.waitForFunction(
					([texts, sources]) => {
						let found = 0;
						for (const text of texts) if (new RegExp(sources[found] ?? '(?!)').test(text)) found++;
						return found === sources.length;
					},
					[notes, wanted] as const,
				)
				.catch(async (error: unknown) => {
					const seen = JSON.stringify(await notes.jsonValue());
					throw new Error(`not one after the other in ${seen}: ${wanted.join()}`, { cause: error });
				});
		},
	};
}

/** Collects every message of the feed from now on, as "type event". */
function listen(): string[] {
	const heard: string[] = [];
	provider.onEvent((_name, [update]) => {
		const { event } = update as {
			event: { type_notification: string; event: string; msg: { status?: string } };
		};
		heard.push(`${event.type_notification} ${event.event} ${event.msg.status ?? ''}`.trim());
	});
	return heard;
}

const confirmed = async (text: string) =>
	await page.getByRole('status').getByText(text, { exact: true }).waitFor();

/** Connects to the feed as the trigger would. */
async function connectFeed(): Promise<Socket> {
	const answer = await fetch(`${provider.url}/ws/`, {
		method: 'POST',
		headers: { 'x-json': xJson(supervisorHeader(provider)) },
	});
	const { target, id_session } = (await answer.json()) as { target: number; id_session: string };
	const socket = io(provider.url, { reconnection: false, forceNew: true });
	socket.on('connect', () => socket.emit('init', 'supervisor', target, id_session));
	await provider.control.waitForSockets(1);
	return socket;
}

test('an answered call goes through the queue, the agent and the list of calls', async () => {
	const heard = listen();
	await panel('actions').getByLabel('Caller').fill('+33199000777');
	await panel('actions').getByLabel('Queue').selectOption({ label: 'Support' });
	await panel('actions').getByLabel('Agent').selectOption({ label: 'Elif Kaya' });
	const call = await noted('[data-panel=calls] tr', '+33199000777');
	const agent = await noted('[data-panel=agents] [data-agent="505"]');
	const inQueue = '[data-panel=queues] [data-queue="302"]';
	const waiting = await noted(`${inQueue} [data-label="Waiting"]`);
	const withAgent = await noted(`${inQueue} [data-label="With an agent"]`);
	await press('A call that is answered');

	await call.shows(/Support.*waiting/, /Support.*connected.*Elif Kaya/, /^$/);
	await agent.shows(/ringing/, /available/);
	await waiting.shows(/^0$/, /^1$/, /^0$/);
	await withAgent.shows(/^0$/, /^1$/, /^0$/);
	expect(heard).toEqual([
		'queue insert_call',
		'operator status ringing',
		'queue connect_call connected',
		'operator status connected',
		'queue delete_call',
		'operator status available',
	]);
});

test('a waiting caller is answered by a free agent and hangs up, with the buttons of the call', async () => {
	provider.control.send('UI', 'login', { id_operator: 503 });
	provider.control.send('queue', 'insert_call', {
		id_call: 7,
		id_queue: 302,
		caller_id_num: '+337',
	});
	const heard = listen();
	const call = panel('calls').getByRole('row').filter({ hasText: '+337' });
	await press('Answer', call);
	await call.getByText('Chloé Petit').waitFor();
	await press('Hang up', call);
	await call.waitFor({ state: 'detached' });
	await panel('agents').locator('[data-agent="503"]').getByText('available').waitFor();
	expect(heard).toEqual([
		'queue connect_call connected',
		'operator status connected',
		'queue delete_call',
		'operator status available',
	]);
});

test('an alert is about the caller who waits longest', async () => {
	provider.control.send('queue', 'insert_call', {
		id_call: 5,
		id_queue: 301,
		caller_id_num: '+331',
	});
	provider.control.send('queue', 'insert_call', {
		id_call: 6,
		id_queue: 301,
		caller_id_num: '+332',
	});
	await panel('calls').getByText('+332').waitFor();
	const alerts: unknown[] = [];
	provider.onEvent((_name, [update]) => alerts.push((update as { event: unknown }).event));
	await press("Provider's alert: waits too long");
	await panel('queues').getByText('waits too long').waitFor();
	await press("Provider's alert: no agent");
	await panel('queues').getByText('no agent').waitFor();
	expect(alerts).toEqual([
		expect.objectContaining({
			event: 'alert_file',
			msg: expect.objectContaining({ id_call: 5, id_queue: 301 }),
		}),
		expect.objectContaining({
			event: 'alert_op',
			msg: expect.objectContaining({ id_call: 5, id_queue: 301 }),
		}),
	]);
});

test('an agent logs in, takes the chosen break, ends it and logs out', async () => {
	const heard = listen();
	const agent = panel('agents').locator('[data-agent="501"]');
	await press('Log in', agent);
	await confirmed('Ada Martin is logged in and available.');
	await agent.getByText('available').waitFor();
	await panel('agents').getByLabel('Break').selectOption({ label: 'Coffee' });
	await press('Break', agent);
	await agent.getByText('Coffee').waitFor();
	await press('End break', agent);
	await agent.getByText('available').waitFor();
	await press('Log out', agent);
	await agent.getByText('logged out').waitFor();
	expect(heard).toEqual([
		'UI login',
		'operator status available',
		'UI pause',
		'UI unpause',
		'operator status available',
		'UI logout',
	]);
});

test('cutting the feed ends a listener, and logins stay rejected until they are accepted', async () => {
	const socket = await connectFeed();
	await panel('feed').getByText('gets events').waitFor();
	const gone = new Promise<string>((resolve) => socket.on('disconnect', resolve));
	await panel('feed').getByText('1 connected, 1 login, 1 token', { exact: true }).waitFor();
	await press('Cut the feed');
	await confirmed('1 connection cut.');
	expect(await gone).toMatch(/transport/);
	await panel('feed').getByText('Nobody is connected').waitFor();

	await panel('feed').getByLabel('How').selectOption({ label: 'with status 403' });
	await press('Refuse logins');
	await page.getByText('Logins are refused (403)').waitFor();
	const login = async () => (await fetch(`${provider.url}/ws/`, { method: 'POST' })).status;
	expect(await login()).toBe(403);
	await press('Accept logins again');
	await page.getByRole('button', { name: 'Refuse logins' }).waitFor();
	(await connectFeed()).close();
});

test('"Down" takes the provider down, shows that, and it comes back by itself', async () => {
	const socket = await connectFeed();
	const gone = new Promise<string>((resolve) => socket.on('disconnect', resolve));
	const state = await noted('#provider');
	await press('Down for 10 seconds');
	await gone;
	await state.shows(/^live$/, /^the provider is down$/, /^live$/);
});

test('an address is verified or rejected with a reason, and a cart shows what was bought', async () => {
	const rest = restClient(provider);
	const addressId = await createAddress(rest);
	const row = panel('addresses').locator(`[data-address="${addressId}"]`);
	await row.getByText('NOT_VERIFIED').waitFor();
	await press('Verify', row);
	await confirmed(`Address ${addressId} is verified.`);
	await row.getByText('VERIFIED', { exact: true }).waitFor();
	expect(provider.control.numbers().addresses[0]).toMatchObject({ status: 'VERIFIED' });
	await panel('addresses').getByLabel('Reason of a rejection').fill('It is too old');
	await press('Reject', row);
	await row.getByText('It is too old').waitFor();
	expect(provider.control.numbers().addresses[0]).toMatchObject({
		status: 'REJECTED',
		rejectionReasons: ['It is too old'],
	});

	const cart = await createCart(rest);
	const cartRow = panel('carts').locator(`[data-cart="${cart}"]`);
	await cartRow.getByText('empty').waitFor();
	await rest.post(`/ordering/cart/${cart}/product`, {
		didCartItem: { didGroupId: 6003, quantity: 2 },
	});
	await cartRow.getByText('2 × DID 6003').waitFor();
	await rest.get(`/ordering/cart/${cart}/checkout`);
	await cartRow.getByText(/bought ORD-/).waitFor();
});

test('the catalogue and the own numbers are shown, and updated by orders and links', async () => {
	const catalogue = panel('catalogue');
	const group = catalogue.locator('[data-group="6001"]');
	expect(await group.locator('td').allInnerTexts()).toEqual([
		'6001',
		'FRA',
		'GEOGRAPHIC',
		'1',
		'990',
		'needed',
	]);
	await catalogue.locator('[data-group="6006"]').getByText('not for sale').waitFor();
	const did = catalogue.locator('[data-did="900001"]');
	await did.getByText('+33199010000').waitFor();

	const rest = restClient(provider);
	const address = await createAddress(rest);
	provider.control.reviewAddress(address, 'VERIFIED');
	await rest.post(`/regulation/address/${address}/link`, { didIds: [900001] });
	await did.getByText(`address ${address}`).waitFor();
});

test('shows a busy call centre', async () => {
	await createAddress(restClient(provider));
	const socket = await connectFeed();
	await provider.control.generate(300);
	const talking = provider.control.calls().filter(({ endedAt }) => endedAt === null);
	await panel('calls')
		.locator('header', { hasText: String(talking.length) })
		.waitFor();
	expect(await panel('calls').getByRole('row').count()).toBe(talking.length);
	await picture(page, 'console');
	socket.close();
});

test("the provider's error is shown, and the console leaves no trace in the request log", async () => {
	await createAddress(restClient(provider));
	provider.control.clearRequests();
	await page.route('**/control/reviewAddress', async (route) => {
		await route.continue({ postData: '[1, "VERIFIED"]' });
	});
	await press('Verify', panel('addresses'));
	await page.getByText('There is no address 1.').waitFor();
	expect(provider.control.requests()).toEqual([]);
});

test('every button confirms what has happened', async () => {
	await createAddress(restClient(provider));
	provider.control.send('UI', 'login', { id_operator: 501 });
	provider.control.send('queue', 'insert_call', { id_call: 5, id_queue: 301, caller_id_num: '+1' });
	await panel('calls').getByText('+1').waitFor();
	const names = await page.getByRole('button').allInnerTexts();
	const told: string[] = [];
	for (const name of new Set(names)) {
		// The last one takes the provider away.
		if (name.startsWith('Down')) continue;
		const before = (await page.getByRole('status').textContent()) ?? '';
		await page.getByRole('button', { name, exact: true }).first().click();
		await page.waitForFunction(
			(text) => document.querySelector('[role=status]')?.textContent !== text,
			before,
		);
		told.push((await page.getByRole('status').textContent()) ?? '');
	}
	expect(told.length).toBeGreaterThan(15);
	expect(told.filter((text) => !text.endsWith('.'))).toEqual([]);
});

test.each([400, 1280])('nothing is wider than a window of %i pixels', async (width) => {
	await createAddress(restClient(provider));
	await createCart(restClient(provider));
	const socket = await connectFeed();
	await provider.control.generate(300);
	await page.setViewportSize({ width, height: 900 });
	await panel('feed').getByText('gets events').waitFor();
	const tooWide = await page.evaluate(() =>
		[...document.querySelectorAll('body *')]
			.filter((element) => element.getBoundingClientRect().right > window.innerWidth)
			.map((element) => element.outerHTML.slice(0, 100)),
	);
	expect(tooWide).toEqual([]);
	socket.close();
});
