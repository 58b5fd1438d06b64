// n8n's editor as a person uses it: a signed-in page, the panels of its nodes, and whatever goes wrong in it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { owner, type Workflow } from '../../../dev/n8n/client';
import { projectRoot } from '../../../dev/n8n/package';

/** The first load of the editor is the slow one: megabytes of scripts, on a machine with other work. */
const FIRST_LOAD_MS = 120_000;
const WAIT_MS = 30_000;

/**
 * Pictures for the documentation are taken in every run, and so can always be taken; they replace those in
 * docs/images where VOICE_MANAGEMENT_PICTURES is set, since every run draws them a little differently.
 */
export const pictures = join(
	projectRoot,
	process.env.VOICE_MANAGEMENT_PICTURES ? 'docs/images' : 'test/e2e/artifacts/images',
);

export class Editor {
	/** What went wrong in the page since the last look: errors of scripts and console, failed answers. */
	readonly problems: string[] = [];

	private constructor(
		readonly page: Page,
		private readonly context: BrowserContext,
		private readonly url: string,
	) {
		page.setDefaultTimeout(WAIT_MS);
		page.on('pageerror', (error) => this.problems.push(`script: ${error.message}`));
		page.on('console', (message) => {
			// The failed answer itself is noted below, with its address.
			if (message.type() !== 'error' || /^Failed to load resource/.test(message.text())) return;
			this.problems.push(`console: ${message.text()}`);
		});
		page.on('response', (response) => {
			if (response.status() < 400) return;
			this.problems.push(`${response.status()} ${response.url().slice(url.length)}`);
		});
	}

	/** Signs in to the n8n at `url`. */
	static async open(browser: Browser, url: string): Promise<Editor> {
		const context = await browser.newContext({
			viewport: { width: 1200, height: 760 },
			colorScheme: 'light',
			reducedMotion: 'reduce',
		});
		await context.request.post(`${url}/rest/login`, {
			data: { emailOrLdapLoginId: owner.email, password: owner.password },
			failOnStatusCode: true,
		});
		mkdirSync(pictures, { recursive: true });
		return new Editor(await context.newPage(), context, url);
	}

	async close(): Promise<void> {
		await this.context.close();
	}

	byId(id: string, within: Page | Locator = this.page): Locator {
		return within.locator(`[data-test-id="${id}"]`);
	}

	/** Opens a workflow, or an empty one, and waits for its canvas. */
	async openCanvas(workflow?: Workflow): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflow?.id ?? 'new'}`, {
			timeout: FIRST_LOAD_MS,
		});
		await this.byId(workflow ? 'canvas-node' : 'canvas-plus-button')
			.first()
			.waitFor({ timeout: FIRST_LOAD_MS });
	}

	/** Opens the panel of a node of the workflow, from its canvas where that is open already. */
	async openNode(workflow: Workflow, name: string): Promise<Locator> {
		const panel = this.byId('ndv');
		if (!this.page.url().includes(`/workflow/${workflow.id}`)) await this.openCanvas(workflow);
		if (await panel.isVisible()) {
			await this.byId('ndv-close-button').click();
			await panel.waitFor({ state: 'hidden' });
		}
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.byId('node-parameters').waitFor();
		return panel;
	}

	/** A parameter of the open panel, by its internal name. */
	parameter(name: string): Locator {
		return this.byId(`parameter-input-${name}`);
	}

	/** Entries of the dropdown that is open. */
	entries(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	/** Opens the dropdown of a parameter, once n8n has loaded what it offers. */
	async openDropdown(name: string): Promise<Locator> {
		const input = this.parameter(name).locator('input:enabled').first();
		await input.click();
		await this.entries().first().waitFor();
		return this.entries();
	}

	/** Chooses an entry by its exact name. */
	async choose(name: string, entry: string): Promise<void> {
		const entries = await this.openDropdown(name);
		await entries
			.filter({ has: this.page.getByText(entry, { exact: true }) })
			.first()
			.click();
		await this.entries().first().waitFor({ state: 'hidden' });
	}

	/** Follows the system's setting, as n8n does unless told otherwise. */
	async theme(colorScheme: 'light' | 'dark'): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
	}

	/** Opens what a run of a workflow did, and waits until its nodes are drawn. */
	async openExecution(workflow: Workflow, execution: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflow.id}/executions/${execution}`);
		await this.byId('canvas-node-status-success').first().waitFor();
	}

	/** Takes a picture for the documentation, of the whole page. */
	async picture(name: string): Promise<void> {
		await this.clear();
		await this.page.screenshot({
			path: join(pictures, `${name}.png`),
			animations: 'disabled',
			caret: 'hide',
		});
	}

	/** Takes away what belongs to no picture. */
	async clear(): Promise<void> {
		// Messages that come and go, and the pointer's tooltips, belong to no picture.
		await this.page.mouse.move(0, 0);
		for (const toast of await this.page.locator('.el-notification__closeBtn').all()) {
			await toast.click({ timeout: 1_000 }).catch(() => undefined);
		}
		await this.page.locator('.el-notification').first().waitFor({ state: 'hidden' });
	}
}
