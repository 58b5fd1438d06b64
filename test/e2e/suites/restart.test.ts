/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What a real n8n keeps for the trigger: a restart after the node was renamed, an import with another account's
// credential.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { itemsOf, type Credential, type Execution, type Workflow } from '../../../dev/n8n/client';
import { ensureN8n } from '../../../dev/n8n/install';
import { createProgress } from '../../../dev/progress';
import { startProvider, type Provider } from '../../../simulator';
import { addCredential, startBench, type OwnBench } from '../support/bench';
import { chain, noOpNode, triggerNode } from '../support/workflows';
import { nth } from '../../support/present';

const READY_MS = 60_000;

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
	await bench.provider.control.waitForSockets(0);
});

const feedNode = (options: object) => triggerNode({ notificationTypes: ['queue'], options });

async function published(nodes: Parameters<typeof chain>[1], name: string): Promise<Workflow> {
	const workflow = await bench.workflow(chain(name, nodes));
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	await bench.provider.control.waitForSockets(1);
	return workflow;
}

function call({ control }: Provider): string {
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

async function kill({ control }: Provider): Promise<void> {
	// The simulator notices only later that a polling client is gone, and would send it the next event.
	await control.waitFor(() =>
		control.sockets().every(({ transport }) => transport === 'websocket'),
	);
	await bench.server.crash();
}

async function startAgain(): Promise<void> {
	await bench.server.start();
	await bench.client.signIn();
}

test('the node was renamed, and n8n restarted before an event: the gap is reported', async () => {
	const { client, provider } = bench;
	const workflow = await published([feedNode({ emitFeedStatus: true }), noOpNode()], 'Renamed');
	await client.waitForExecutions(workflow.id, 1, isOf(call(provider)));
	const renamed = chain('Renamed', [{ ...nth(workflow.nodes, 0), name: 'Other name' }, noOpNode()]);
	await client.updateWorkflow(workflow.id, renamed);
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await provider.control.waitForSockets(1);
	await kill(provider);
	await startAgain();
	await provider.control.waitForSockets(1, READY_MS);
	expect(await gapsUntil(workflow, call(provider))).toMatchObject([
		{ reason: 'n8n was not running', missed: null },
	]);
});

test("exported and imported with another account's credential: nothing is reported about that account", async () => {
	const { client, provider, release, userFolder } = bench;
	const other = await startProvider();
	try {
		const credential: Credential = await addCredential(client, other, 'supervisor');
		const workflow = await published([feedNode({ emitFeedStatus: true }), noOpNode()], 'Imported');
		for (let sent = 0; sent < 20; sent++) {
			await client.waitForExecutions(workflow.id, 1, isOf(call(provider)));
		}
		const exported = await client.getWorkflow(workflow.id);
		expect(JSON.stringify(exported)).toContain('"position"');
		const { id, name, type } = credential;
		nth(exported.nodes, 0).credentials = { [type]: { id, name } };
		const file = join(userFolder, 'exported.json');
		writeFileSync(file, JSON.stringify([exported]));
		const { node, script } = await ensureN8n(release, createProgress());
		await kill(provider);
		const { status, stdout, stderr } = spawnSync(
			node.binary,
			[script, 'import:workflow', `--input=${file}`],
			{
				encoding: 'utf8',
				env: {
					...{ PATH: process.env.PATH, HOME: process.env.HOME },
					...{ N8N_USER_FOLDER: userFolder, N8N_DIAGNOSTICS_ENABLED: 'false' },
					...{ N8N_ENCRYPTION_KEY: 'throwaway-instance-without-secrets' },
					...release.environment,
				},
			},
		);
		expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ');
		await startAgain();
		expect(await client.activate(workflow.id)).toMatchObject({ active: true });
		await other.control.waitForSockets(1, READY_MS);
		for (let sent = 0; sent < 40; sent++) call(other);
		expect(await gapsUntil(workflow, call(other))).toEqual([]);
		await bench.quiet();
	} finally {
		await other.close();
	}
});
