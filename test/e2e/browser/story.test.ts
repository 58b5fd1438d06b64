/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The first picture of the README, an animation: a caller gives up, and the team is told whom to call back. Nothing in
// it is drawn: the operator's console, n8n's editor and the message are from a real run.
import { statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

import { itemsOf } from '../../../dev/n8n/client';
import { nth } from '../../support/present';
import { exampleWith } from '../examples/support';
import { startBench, type OwnBench } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { Movie } from '../support/movie';
import { pictureFile } from '../support/pictures';
import { Editor } from './editor';

const CALLER = '+33199000123';
/** Larger files load slowly on a phone. */
const MOST_BYTES = 1_500_000;

let browser: Browser;
let bench: OwnBench;
let editor: Editor;

beforeAll(async () => {
	browser = await launchChromium();
	bench = await startBench({ name: 'story', editor: true, codeNodes: true });
	editor = await Editor.open(browser, bench.server.url);
});

afterAll(async () => {
	await editor?.close();
	await browser?.close();
	await bench?.close();
});

/** The console, reduced to the calls and the chat. */
async function openConsole(): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 800, height: 450 } });
	await page.goto(`${bench.operator.url}/console`);
	await page.getByText('live', { exact: true }).waitFor();
	const others = ['calls', 'chat'].map((name) => `:not([data-panel=${name}])`).join('');
	await page.addStyleTag({ content: `section[data-panel]${others} { display: none }` });
	return page;
}

test('a caller gives up, and the team is told whom to call back', async () => {
	const { operator, client } = bench;
	const workflow = await bench.workflow(
		exampleWith('missed-call-callback-list', {
			'Your settings': { message_url: `${operator.url}/chat` },
		}),
	);
	await client.activate(workflow.id);
	await operator.control.waitForSockets(1);
	const movie = await Movie.begin(browser);

	await editor.openCanvas(workflow);
	// n8n's suggestions of what else to set up, which cover the workflow.
	const close = editor.byId('suggested-actions-close');
	await close.click();
	await close.waitFor({ state: 'hidden' });
	await editor.page.keyboard.press('1');
	await editor.clear();
	await movie.show(editor.page, 'A workflow listens to your call center', 4_000);

	const board = await openConsole();
	const panel = (name: string) => board.locator(`[data-panel=${name}]`);
	operator.control.send('queue', 'insert_call', {
		id_call: 42,
		id_queue: 301,
		caller_id_num: CALLER,
	});
	const call = panel('calls').getByRole('row').filter({ hasText: CALLER });
	// Each picture shows a longer wait than the one before, however long the screenshot took.
	const waited = call.getByText(/^\d+:\d\d$/);
	let shown = '0:00';
	for (let picture = 1; picture <= 4; picture++) {
		await waited.filter({ hasNotText: shown }).waitFor();
		shown = await waited.innerText();
		await movie.show(board, 'A caller waits …', 1_000);
	}
	operator.control.send('queue', 'delete_call', { id_call: 42, id_queue: 301 });
	await call.waitFor({ state: 'detached' });
	await movie.show(board, '… and gives up', 3_000);

	const message = panel('chat').getByText(`Please call back ${CALLER}`);
	await message.waitFor();
	await message.evaluate((element) => (element.style.fontWeight = '700'));
	await movie.show(board, 'Seconds later the team knows whom to call back', 6_000);

	const execution = nth(await client.waitForExecutions(workflow.id, 1), 0);
	expect(nth(itemsOf(execution, 'Missed or answered call'), 0).json).toMatchObject({
		event: 'missed',
		caller_id_num: CALLER,
	});
	await editor.openExecution(workflow, execution.id);
	await editor.clear();
	await movie.show(editor.page, 'n8n shows what ran', 5_000);
	expect(editor.problems.splice(0)).toEqual([]);

	expect(movie.seconds).toBeGreaterThanOrEqual(20);
	expect(movie.seconds).toBeLessThanOrEqual(30);
	const file = pictureFile('missed-call.webp');
	await movie.write(file);
	expect(statSync(file).size).toBeLessThan(MOST_BYTES);
});

test("n8n's own dialog installs it by name", async () => {
	const { page } = editor;
	await page.goto(`${bench.server.url}/settings/community-nodes`);
	await page
		.getByRole('button', { name: /^Install/ })
		.first()
		.click();
	await page.locator('input[name=packageNameInput]').fill('n8n-nodes-voice-management');
	await editor.byId('user-agreement-checkbox').click();
	await editor.byId('install-community-package-button').waitFor();
	await editor.picture('install');
});
