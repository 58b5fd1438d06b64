// "Add Alert" in the editor: an added row, and one whose kind is changed, has the defaults of its own kind.
import type { Browser } from 'playwright-core';

import {
	ALERT_KIND_NAMES,
	fieldsOf,
	kindOf,
	type AlertKindName,
} from '../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import { readSettings } from '../../../nodes/VoiceManagementTrigger/panel/settings';
import type { Workflow } from '../../../dev/n8n/client';
import { present } from '../../support/present';
import { eventually } from '../examples/support';
import { startBench, type OwnBench } from '../support/bench';
import { launchChromium } from '../support/chromium';
import { triggerNode } from '../support/workflows';
import { Editor } from './editor';

type Row = { when: AlertKindName } & Record<string, unknown>;

let bench: OwnBench;
let browser: Browser;
let editor: Editor;
let workflow: Workflow;

beforeAll(async () => {
	browser = await launchChromium();
	bench = await startBench({ name: 'alerts', editor: true });
	editor = await Editor.open(browser, bench.server.url);
	workflow = await bench.workflow({
		name: 'Alerts',
		nodes: [triggerNode({ mode: 'alerts' })],
		connections: {},
	});
	await editor.openNode(workflow, triggerNode({}).name);
});

afterAll(async () => {
	await editor?.close();
	await browser?.close();
	await bench?.close();
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
async function saved(count: number, when: AlertKindName): Promise<Row[]> {
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

test.each(ALERT_KIND_NAMES)(
	'Add Alert, changed to %s, has the defaults of that kind',
	async (when) => {
		const kind = kindOf(when);
		await editor.byId('ndv').getByText('Add Alert', { exact: true }).last().click();
		rows++;
		if (when !== 'callerWaiting') await choose(when);
		for (const { name, default: value } of fieldsOf(kind)) {
			const shown = editor.parameter(name).last().locator('input').first();
			expect([name, await shown.inputValue()]).toEqual([name, String(value)]);
		}
		expect(readLast(await saved(rows, when))).toMatchObject({
			when,
			threshold: kind.threshold.default,
			hold: kind.hold?.default ?? 0,
			windowMinutes: kind.window?.default ?? 0,
			minimumCalls: kind.minimum?.default ?? 0,
		});
	},
);

test('a row that is changed from one kind to another has the defaults of the new one', async () => {
	for (const when of ['agentRinging', 'callLasting', 'callerWaiting'] as const) {
		await choose(when);
		expect(readLast(await saved(rows, when)).threshold).toBe(kindOf(when).threshold.default);
	}
});
