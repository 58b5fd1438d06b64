// The trigger's form in the editor. Filters: each mode shows those that it can use, and what is chosen there is saved and
// applies; a queue by name works with "Queue Names", and is refused without, in a test run and at publishing, in every
// mode. Alerts: each row has the defaults of its kind.
import type { Browser } from 'playwright-core';

import { itemsOf, type Execution, type Workflow } from '../../../dev/n8n/client';
import {
	ALERT_KIND_NAMES,
	fieldsOf,
	kindOf,
	type AlertKindName,
} from '../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import { readSettings } from '../../../nodes/VoiceManagementTrigger/panel/settings';
import { nth, present } from '../../support/present';
import { eventually } from '../examples/support';
import { startBench, type OwnBench } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { TRIGGER, triggerNode } from '../support/workflows';
import { Editor } from './editor';

let bench: OwnBench;
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	browser = await launchChromium();
	bench = await startBench({ name: 'trigger-form', editor: true });
	editor = await Editor.open(browser, bench.server.url);
});

afterAll(async () => {
	await editor?.close();
	await browser?.close();
	await bench?.close();
});

async function opened(parameters: Record<string, unknown>): Promise<Workflow> {
	const workflow = await bench.workflow({
		name: 'Filters',
		nodes: [triggerNode(parameters)],
		connections: {},
	});
	await editor.openNode(workflow, TRIGGER);
	return workflow;
}

/** The trigger's parameters as n8n has saved them, once they are as wanted. */
async function saved(
	{ id }: Workflow,
	isSaved: (parameters: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
	await editor.page.keyboard.press('Control+s');
	return await eventually('the saved parameters', async () => {
		const { parameters } = present((await bench.client.getWorkflow(id)).nodes[0]);
		return isSaved(parameters) && parameters;
	});
}

const events = (execution: Execution) => itemsOf(execution, TRIGGER).map(({ json }) => json);

/** The first item of the trigger, which a test run that failed does not have. */
async function firstItem({ id }: Workflow): Promise<Record<string, unknown>> {
	const hasItems = (execution: Execution) => events(execution).length > 0;
	const [first] = await bench.client.waitForExecutions(id, 1, hasItems);
	return nth(events(present(first)), 0);
}

/** A caller who waits in a queue. */
function enters(queue: number, caller: string, call: number): void {
	bench.provider.control.send('queue', 'insert_call', {
		id_call: call,
		id_queue: queue,
		caller_id_num: caller,
	});
}

const EVERYWHERE = ['Agent Names or IDs', 'Group Names or IDs', 'Queue IDs'];
const NUMBERS = ['Caller Number', 'Service Number'];

/** One filter of each mode, set with clicks; what it leaves out comes first. */
const MODES = [
	{
		mode: 'Events',
		offers: [...EVERYWHERE, ...NUMBERS, 'Statuses', 'Trunk Names or IDs'],
		filter: 'Agent Names or IDs',
		set: async () => await editor.pick('agentIds', /\(502\)/),
		saves: { agentIds: ['502'] },
		happens: () => {
			for (const id of [501, 502])
				bench.provider.control.send('UI', 'login', { id_operator: id, id_client: 4242 });
		},
		gives: { event: 'login', id_operator: '502' },
	},
	{
		mode: 'Call Outcomes',
		offers: [...EVERYWHERE, ...NUMBERS, 'Trunk Names or IDs'],
		filter: 'Caller Number',
		set: async () => await editor.parameter('callerNumber').locator('input').fill('+4477*'),
		saves: { callerNumber: '+4477*' },
		happens: () => {
			for (const [call, caller] of ['+33199000111', '+447700900111'].entries()) {
				enters(301, caller, 900 + call);
				bench.provider.control.send('queue', 'delete_call', { id_call: 900 + call, id_queue: 301 });
			}
		},
		gives: { event: 'missed', caller_id_num: '+447700900111' },
	},
	{
		mode: 'Alerts',
		offers: [...EVERYWHERE, ...NUMBERS],
		filter: 'Queue IDs',
		set: async () => {
			await editor.parameter('waitSeconds').locator('input').fill('1');
			await editor.parameter('queueIds').last().locator('input').fill('302');
		},
		saves: { queueIds: '302' },
		happens: () => {
			for (const queue of [301, 302]) enters(queue, '+33199000222', 1000 + queue);
		},
		gives: { event: 'started', id_queue: '302' },
	},
	{
		mode: 'Snapshots',
		offers: EVERYWHERE,
		filter: 'Queue IDs',
		set: async () => await editor.parameter('queueIds').locator('input').fill('303'),
		saves: { queueIds: '303' },
		happens: () => {
			for (const queue of [301, 303]) enters(queue, '+33199000333', 2000 + queue);
		},
		gives: { event: 'queue', id_queue: '303' },
	},
];

test.each(MODES)(
	'$mode offers the filters that it can use; what is chosen there is saved and applies',
	async ({ mode, offers, filter, set, saves, happens, gives }) => {
		const workflow = await opened({});
		if (mode !== 'Events') await editor.choose('mode', mode);
		const options = await editor.addable('filters');
		expect((await options.allInnerTexts()).map((name) => name.trim()).sort()).toEqual(
			[...offers].sort(),
		);
		await options.filter({ hasText: filter }).click();
		await set();
		await saved(
			workflow,
			(parameters) => JSON.stringify(parameters.filters) === JSON.stringify(saves),
		);
		expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
		await bench.provider.control.waitForSockets(1);
		happens();
		expect(await firstItem(workflow)).toMatchObject(gives);
		await bench.client.deactivate(workflow.id);
	},
);

test('a filter that the next mode cannot use is gone with the mode', async () => {
	const workflow = await opened({ filters: { trunkIds: ['201'], queueIds: '301' } });
	await editor.choose('mode', 'Snapshots');
	const parameters = await saved(workflow, ({ mode }) => mode === 'snapshots');
	expect(parameters.filters).toEqual({ queueIds: '301' });
});

describe('a queue by name', () => {
	const NO_NAME = '"Queue IDs" has the queue Sales, which "Queue Names" does not have';
	const NEXT =
		'Enter the ID of the queue, which a test run shows as id_queue, or give it this name in the option "Queue Names"';

	test('without Queue Names is refused at publishing and in a test run, in every mode', async () => {
		const { client } = bench;
		const row = { when: 'callerWaiting', waitSeconds: 60 };
		const given = [
			{ mode: 'events', filters: { queueIds: 'Sales' } },
			{ mode: 'callOutcomes', filters: { queueIds: 'Sales' } },
			{ mode: 'alerts', alerts: { alert: [row] }, filters: { queueIds: 'Sales' } },
			{ mode: 'alerts', alerts: { alert: [{ ...row, queueIds: 'Sales' }] } },
			{ mode: 'snapshots', filters: { queueIds: 'Sales' } },
		];
		await Promise.all(
			given.map(async (parameters) => {
				const workflow = await bench.workflow({
					name: 'By name',
					nodes: [triggerNode(parameters)],
					connections: {},
				});
				const run = await client.waitForExecution(await client.runManually(workflow, TRIGGER));
				const { message, description } = present(run.data.resultData.error);
				const where = /"Queue IDs"( of alert 1 \(Caller Waits Too Long\))? has the queue Sales/;
				expect(message).toMatch(where);
				expect(description).toContain(NEXT);
				const { active, error } = await client.activate(workflow.id);
				expect(active).toBe(false);
				expect(error).toMatch(where);
				expect(error).toContain(NEXT);
				await client.deactivate(workflow.id);
			}),
		);
	});

	test('is refused in front of the user, who gives the name with clicks, and then it works', async () => {
		const workflow = await opened({ mode: 'callOutcomes' });
		const { page } = editor;
		const options = await editor.addable('filters');
		await options.filter({ hasText: 'Queue IDs' }).click();
		await editor.parameter('queueIds').locator('input').fill('Sales');
		await editor.execute();
		await editor.byId('node-error-message').getByText(NO_NAME).waitFor();
		await editor.byId('node-error-description').getByText(NEXT).waitFor();

		await (await editor.addable('options')).filter({ hasText: 'Queue Names' }).click();
		await page.getByText('Add Queue', { exact: true }).click();
		await editor.parameter('name').locator('input').fill('Sales');
		await editor.parameter('id_queue').locator('input').fill('301');
		const queue = [{ name: 'Sales', id_queue: '301' }];
		const { options: kept } = await saved(workflow, ({ options: now }) =>
			JSON.stringify(now).includes('301'),
		);
		expect(kept).toEqual({ queueNames: { queue } });

		await editor.publish();
		await page.getByRole('button', { name: 'Got it' }).click();
		await bench.provider.control.waitForSockets(1);
		for (const [call, id] of [302, 301].entries()) {
			enters(id, '+33199000444', 3000 + call);
			bench.provider.control.send('queue', 'delete_call', { id_call: 3000 + call, id_queue: id });
		}
		expect(await firstItem(workflow)).toMatchObject({
			event: 'missed',
			queue: { id: '301', name: 'Sales' },
		});
		await bench.client.deactivate(workflow.id);
	});
});

type Row = { when: AlertKindName } & Record<string, unknown>;

describe('an added alert, and one whose kind is changed, has the defaults of its own kind', () => {
	let workflow: Workflow;

	beforeAll(async () => {
		workflow = await opened({ mode: 'alerts' });
	});

	/** Chooses the kind of the newest row. */
	async function choose(when: AlertKindName): Promise<void> {
		await editor.parameter('when').last().locator('input').first().click();
		const { page } = editor;
		const name = page.getByText(kindOf(when).name, { exact: true });
		await editor.entries().filter({ has: name }).first().click();
		await editor.entries().first().waitFor({ state: 'hidden' });
	}

	/** The rows as n8n has saved them, once the newest one is of this kind. */
	async function savedRows(count: number, when: AlertKindName): Promise<Row[]> {
		await editor.page.keyboard.press('Control+s');
		return await eventually(`${count} rows, the last one ${when}`, async () => {
			const { nodes } = await bench.client.getWorkflow(workflow.id);
			const { alert = [] } = (present(nodes[0]).parameters.alerts ?? {}) as { alert?: Row[] };
			return alert.length === count && (alert.at(-1)?.when ?? 'callerWaiting') === when && alert;
		});
	}

	/** What the trigger makes of the newest row. */
	function readLast(rows: Row[]) {
		const parameters: Record<string, unknown> = { mode: 'alerts', alerts: { alert: rows } };
		const { alerts } = readSettings((name, fallback) => parameters[name] ?? fallback).callCentre;
		return present(alerts.at(-1));
	}

	let rows = 1;

	test.each(ALERT_KIND_NAMES)('Add Alert, changed to %s', async (when) => {
		const kind = kindOf(when);
		await editor.byId('ndv').getByText('Add Alert', { exact: true }).last().click();
		rows++;
		if (when !== 'callerWaiting') await choose(when);
		for (const { name, default: value } of fieldsOf(kind)) {
			const shown = editor.parameter(name).last().locator('input').first();
			expect([name, await shown.inputValue()]).toEqual([name, String(value)]);
		}
		expect(readLast(await savedRows(rows, when))).toMatchObject({
			when,
			threshold: kind.threshold.default,
			hold: kind.hold?.default ?? 0,
			windowMinutes: kind.window?.default ?? 0,
			minimumCalls: kind.minimum?.default ?? 0,
		});
	});

	test('a row that is changed from one kind to another', async () => {
		for (const when of ['agentRinging', 'callLasting', 'callerWaiting'] as const) {
			await choose(when);
			expect(readLast(await savedRows(rows, when)).threshold).toBe(kindOf(when).threshold.default);
		}
	});
});
