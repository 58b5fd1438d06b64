// n8n's editor as a person uses it: a signed-in page, the forms of its nodes, and the errors in it.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { owner, type Workflow } from '../../../dev/n8n/client';
import { pictureFile } from '../support/pictures';

/** The first load of the editor is slow: megabytes of scripts, on a machine with other work. */
const FIRST_LOAD_MS = 120_000;
const WAIT_MS = 60_000;
/** By then the node creator shows the actions of a node, or keeps them collapsed, unless the machine is busy. */
const UNFOLDED_MS = 3_000;

export class Editor {
	/** Errors in the page since the last check: from scripts and the console, and failed responses. */
	readonly problems: string[] = [];

	private constructor(
		readonly page: Page,
		private readonly context: BrowserContext,
		private readonly url: string,
	) {
		page.setDefaultTimeout(WAIT_MS);
		page.on('pageerror', (error) => this.problems.push(`script: ${error.message}`));
		page.on('console', (message) => {
			// The failed response itself is recorded below, with its URL.
			if (message.type() !== 'error' || /^Failed to load resource/.test(message.text())) return;
			this.problems.push(`console: ${message.text()}`);
		});
		page.on('response', (response) => {
			if (response.status() < 400) return;
			this.problems.push(`${response.status()} ${response.url().slice(url.length)}`);
		});
	}

	/** Signs in to the n8n instance at `url`. */
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
		return new Editor(await context.newPage(), context, url);
	}

	async close(): Promise<void> {
		await this.context.close();
	}

	/** Opens a page beside the editor; errors in it are not recorded. */
	async pageBeside(url: string): Promise<Page> {
		const page = await this.context.newPage();
		page.setDefaultTimeout(WAIT_MS);
		await page.goto(url);
		return page;
	}

	/** Clicks a link that opens another page, which is not loaded. Resolves with that page's URL. */
	async follow(link: Locator): Promise<string> {
		const known = new Set(this.context.pages());
		await this.context.route(
			(url) => url.hostname !== '127.0.0.1',
			async (route) => await route.fulfill({ contentType: 'text/html', body: 'Not fetched' }),
		);
		const opened = this.context.waitForEvent('page', (page) => !known.has(page));
		await link.click();
		const page = await opened;
		await page.getByText('Not fetched').waitFor();
		const url = page.url();
		await page.close();
		await this.context.unrouteAll();
		return url;
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

	/** Opens the form of a node of the workflow, from its canvas if that is open already. */
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

	/** Finds a node in the creator by words, and adds it, either by its name or by one of its actions. */
	async add(words: string, name: string, action?: string): Promise<void> {
		const panel = this.byId('ndv');
		if (await panel.isVisible()) {
			await this.byId('ndv-close-button').click();
			await panel.waitFor({ state: 'hidden' });
		}
		const first = this.byId('canvas-plus-button');
		if (await first.isVisible()) {
			await first.click();
		} else {
			await this.byId('zoom-to-fit').click();
			await this.byId('canvas-handle-plus').last().click();
		}
		await this.byId('node-creator-search-bar').fill(words);
		await this.byId('node-creator-item-name').getByText(name, { exact: true }).first().click();
		if (action !== undefined) {
			const entry = this.byId('node-creator-item-name').getByText(action, { exact: true });
			const actions = this.page.getByText(/^Actions \(\d+\)/);
			await actions.waitFor();
			const isShown = async () =>
				await entry.waitFor({ timeout: UNFOLDED_MS }).then(
					() => true,
					() => false,
				);
			// Collapsed if triggers are offered too. Where the entry was only late, a click has collapsed it: the next one
			// shows it again.
			for (let clicks = 0; clicks < 10 && !(await isShown()); clicks++) await actions.click();
			await entry.click();
		}
		await this.byId('node-parameters').waitFor();
	}

	/** Clicks "Execute step" in the open form. */
	async execute(): Promise<void> {
		await this.byId('ndv').getByRole('button', { name: 'Execute step' }).first().click();
	}

	/** Toggles a switch in the open form. */
	async toggle(name: string): Promise<void> {
		await this.parameter(name)
			.locator('.el-switch, [role=switch], input')
			.first()
			.click({ force: true });
	}

	/** Drags a field of the input onto a parameter, which becomes an expression. */
	async drag(field: string, parameter: string): Promise<void> {
		const target = this.parameter(parameter).first();
		await target.scrollIntoViewIfNeeded();
		const source = this.byId('ndv-input-panel').getByText(field, { exact: true }).first();
		const from = await source.boundingBox();
		const to = await target.boundingBox();
		if (!from || !to) throw new Error(`"${field}" or "${parameter}" is not on the screen`);
		const { mouse } = this.page;
		await mouse.move(from.x + 10, from.y + from.height / 2);
		await mouse.down();
		await mouse.move(from.x + 60, from.y + 20, { steps: 4 });
		await mouse.move(to.x + 60, to.y + to.height / 2, { steps: 8 });
		await mouse.up();
		await target.getByText('$json').first().waitFor();
	}

	/** A parameter in the open form, by its internal name. */
	parameter(name: string): Locator {
		return this.byId(`parameter-input-${name}`);
	}

	/** The entries of the open dropdown. */
	entries(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	/** Opens the dropdown of a parameter, once n8n has loaded its entries. */
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

	/** Chooses an entry of a list from which several can be chosen. */
	async pick(name: string, entry: RegExp): Promise<void> {
		const entries = await this.openDropdown(name);
		await entries.filter({ hasText: entry }).click();
		await this.page.keyboard.press('Escape');
		await entries.first().waitFor({ state: 'hidden' });
	}

	/** Opens the list of what can be added to the filters or options of the open form. */
	async addable(to: 'filters' | 'options'): Promise<Locator> {
		const add = this.byId('collection-parameter-add');
		await (to === 'filters' ? add.first() : add.last()).click();
		const options = this.page.locator('[data-test-id="collection-parameter-option"]:visible');
		await options.first().waitFor();
		return options;
	}

	/** Publishes the workflow of the open form, which is closed. */
	async publish(): Promise<void> {
		await this.byId('ndv-close-button').click();
		await this.page.getByRole('button', { name: 'Publish', exact: true }).click();
		await this.page
			.locator('[role=dialog], .el-dialog')
			.getByRole('button', { name: 'Publish', exact: true })
			.last()
			.click();
	}

	/** Follows the system's setting, as n8n does by default. */
	async theme(colorScheme: 'light' | 'dark'): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
	}

	/** Opens an execution of a workflow, and waits until its nodes are drawn. */
	async openExecution(workflow: Workflow, execution: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflow.id}/executions/${execution}`);
		await this.byId('canvas-node-status-success').first().waitFor();
	}

	/** Takes a picture for the documentation, of the whole page or a part of it. */
	async picture(name: string, part: Page | Locator = this.page): Promise<void> {
		await this.page.mouse.move(0, 0);
		await part.screenshot({
			path: pictureFile(`${name}.png`),
			animations: 'disabled',
			caret: 'hide',
			// Notifications must not be in a picture.
			style: '.el-notification { visibility: hidden; }',
		});
	}
}
