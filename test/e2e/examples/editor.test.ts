/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The examples in the editor right after their import: every node is known, and nothing is marked as wrong.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { owner } from '../../../dev/n8n/client';
import { projectRoot } from '../../../dev/n8n/package';
import { readExample } from '../../../dev/setup';
import { shareBench, type Bench } from '../support/bench';
import { launchChromium, picture } from '../support/chromium';

const STICKY = 'n8n-nodes-base.stickyNote';
const names = readdirSync(join(projectRoot, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace(/\.json$/, ''));

let bench: Bench;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	bench = await shareBench();
	browser = await launchChromium();
	page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
	page.setDefaultTimeout(60_000);
	const answer = await page.request.post(`${bench.client.url}/rest/login`, {
		data: { emailOrLdapLoginId: owner.email, password: owner.password },
	});
	expect(answer.status()).toBe(200);
});

afterAll(async () => {
	await browser?.close();
	await bench?.close();
});

test.each(names)('%s opens with all its nodes and without a warning', async (name) => {
	const definition = readExample(name);
	const workflow = await bench.workflow(definition);
	await page.goto(`${bench.client.url}/workflow/${workflow.id}`);
	const nodes = definition.nodes.filter(({ type }) => type !== STICKY);
	await page
		.locator('[data-test-id="canvas-node"]')
		.nth(nodes.length - 1)
		.waitFor();
	// The whole workflow in the window.
	await page.keyboard.press('1');
	for (const node of nodes) {
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${node.name}"]`).waitFor();
	}
	// The user has to choose which model an agent uses, and with which credential.
	const models = nodes.filter(({ type }) => type.startsWith('@n8n/n8n-nodes-langchain.lm'));
	expect(await page.locator('[data-test-id="node-issues"]').count()).toBe(models.length);
	await picture(page, `examples/${name}`);
});
