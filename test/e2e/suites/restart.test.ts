/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What a real n8n keeps for the trigger, and when it reports the end of an execution: a restart after the node was
// renamed, an import with another account's credential, a workflow that pauses.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { itemsOf, type Credential, type Execution, type Workflow } from '../../../dev/n8n/client';
import { ensureN8n } from '../../../dev/n8n/install';
import { createProgress } from '../../../dev/progress';
import { startOperator, type Operator } from '../../../simulator';
import { addCredential, startBench, type OwnBench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode, waitNode } from '../support/workflows';
import { nth } from '../../support/present';

const READY_MS = 60_000;
/** n8n looks for executions whose pause is over once a minute. */
const RESUMED_MS = 240_000;
/** An execution that pauses for at least 65 s leaves n8n's memory. */
const PAUSE_SECONDS = 66;

jest.setTimeout(600_000);

let bench: OwnBench;
let nextCall = 1;

beforeAll(async () => {
	bench = await startBench({ name: 'restart' });
});

afterAll(async () => {
	await bench?.close();
});

afterEach(async () => {
	await bench.quiet();
	await bench.operator.control.waitForSockets(0);
});

const feedNode = (options: object) => triggerNode({ notificationTypes: ['queue'], options });

async function published(nodes: Parameters<typeof chain>[1], name: string): Promise<Workflow> {
	const workflow = await bench.workflow(chain(name, nodes));
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	await bench.operator.control.waitForSockets(1);
	return workflow;
}

function call({ control }: Operator): string {
	const id = String(nextCall++);
	control.send('queue', 'insert_call', { id_call: Number(id), id_queue: 301 });
	return id;
}

const isOf = (id: string) => (execution: Execution) =>
	Object.keys(execution.data.resultData.runData).some((node) =>
		itemsOf(execution, node).some(({ json }) => json.id_call === id),
	);

/** The gaps that a workflow was told of, up to the event of this call. */
async function gapsUntil(workflow: Workflow, id: string): Promise<unknown[]> {
	const { client } = bench;
	await client.waitForExecutions(workflow.id, 1, isOf(id));
	const all = await client.waitForExecutions(workflow.id, 1);
	const items = all.flatMap((execution) =>
		Object.keys(execution.data.resultData.runData).flatMap((node) => itemsOf(execution, node)),
	);
	const gaps = items.map(({ json }) => json).filter(({ event }) => event === 'gap');
	// The trigger and the node behind it show the same item.
	return [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()];
}

async function killAndStart(operator: Operator, between: () => Promise<void> = async () => {}) {
	// The simulator notices only later that a polling client is gone, and would send it the next event.
	await operator.control.waitFor((control) =>
		control.sockets().every(({ transport }) => transport === 'websocket'),
	);
	await bench.server.crash();
	await between();
	await bench.server.start();
	await bench.client.signIn();
	await operator.control.waitForSockets(1, READY_MS);
}

test('the node was renamed, and n8n restarted before an event: the gap is reported', async () => {
	const { client, operator } = bench;
	const workflow = await published([feedNode({ emitFeedStatus: true }), noOpNode()], 'Renamed');
	await client.waitForExecutions(workflow.id, 1, isOf(call(operator)));
	const renamed = chain('Renamed', [{ ...nth(workflow.nodes, 0), name: 'Other name' }, noOpNode()]);
	await client.updateWorkflow(workflow.id, renamed);
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await operator.control.waitForSockets(1);
	await killAndStart(operator);
	expect(await gapsUntil(workflow, call(operator))).toMatchObject([
		{ reason: 'n8n was not running', missed: null },
	]);
});

test("exported and imported with another account's credential: nothing is reported about that account", async () => {
	const { client, operator, release, userFolder } = bench;
	const other = await startOperator();
	try {
		const credential: Credential = await addCredential(client, other, 'supervisor');
		const workflow = await published([feedNode({ emitFeedStatus: true }), noOpNode()], 'Imported');
		for (let sent = 0; sent < 20; sent++) {
			await client.waitForExecutions(workflow.id, 1, isOf(call(operator)));
		}
		const install = await ensureN8n(release, createProgress());
		const cli = (...args: string[]) => {
			const { status, stdout, stderr } = spawnSync(install.node.binary, [install.script, ...args], {
				encoding: 'utf8',
				env: {
					...{ PATH: process.env.PATH, HOME: process.env.HOME },
					...{ N8N_USER_FOLDER: userFolder, N8N_DIAGNOSTICS_ENABLED: 'false' },
					...{ N8N_ENCRYPTION_KEY: 'throwaway-instance-without-secrets' },
					...install.release.environment,
				},
			});
			expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ');
		};
		const file = join(userFolder, 'exported.json');
		await killAndStart(other, async () => {
			await Promise.resolve();
			cli('export:workflow', `--id=${workflow.id}`, `--output=${file}`);
			const [exported] = JSON.parse(readFileSync(file, 'utf8')) as [Workflow];
			expect(JSON.stringify(exported)).toContain('"position"');
			const { id, name, type } = credential;
			nth(exported.nodes, 0).credentials = { [type]: { id, name } };
			writeFileSync(file, JSON.stringify([exported]));
			cli('import:workflow', `--input=${file}`);
			cli('publish:workflow', `--id=${workflow.id}`);
		});
		for (let sent = 0; sent < 40; sent++) call(other);
		expect(await gapsUntil(workflow, call(other))).toEqual([]);
		await bench.quiet();
	} finally {
		await other.close();
	}
});

test('with one execution at a time, the next one waits until one that paused has ended', async () => {
	const { client, operator } = bench;
	const workflow = await published(
		[feedNode({ maxInFlight: 1 }), waitNode(PAUSE_SECONDS), noOpNode()],
		'Pauses',
	);
	const [first, second] = [call(operator), call(operator)];
	const ended = await client.waitForExecutions(workflow.id, 1, isOf(first), RESUMED_MS);
	const pauses = itemsOf(nth(ended, 0), TRIGGER);
	expect(pauses).toHaveLength(1);
	const all = await client.waitForExecutions(workflow.id, 2, () => true, RESUMED_MS);
	const [one, next] = [nth(all.filter(isOf(first)), 0), nth(all.filter(isOf(second)), 0)];
	expect(one.status).toBe('success');
	expect(Date.parse(next.startedAt)).toBeGreaterThanOrEqual(Date.parse(String(one.stoppedAt)));
});
