/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The credentials are for this package's nodes. The checkout is a GET, so any node that can send a request with the
// credential could buy, without the confirmation that this package asks for.
import { join } from 'node:path';

import {
	N8nRequestError,
	type WorkflowDefinition,
	type WorkflowNode,
} from '../../../dev/n8n/client';
import { API_CREDENTIAL, SUPERVISOR_CREDENTIAL, withCredentials } from '../../../dev/setup';
import { startBench, type OwnBench } from '../support/bench';
import { agentWith, chain, manualTriggerNode, noOpNode } from '../support/workflows';

/** Without spaces: n8n makes a tool's name from it. */
const OTHER = 'another_node';

let bench: OwnBench;

beforeAll(async () => {
	bench = await startBench({ name: 'credential-lock' });
});

afterAll(async () => {
	await bench?.close();
});

/** A node of n8n that would send a request with a credential of this type. */
function otherNode(type: string, credential: string): WorkflowNode {
	const url = `${bench.provider.url}/vbapi/v1/order/cart/7/checkout`;
	return {
		id: '1',
		name: OTHER,
		type,
		typeVersion: type.includes('graphql') ? 1.1 : type.includes('httpRequest') ? 4.2 : 1.1,
		position: [220, 220],
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential,
			url,
			endpoint: url,
			query: '{ checkout }',
			toolDescription: 'Buys',
		},
		credentials: { [credential]: { id: '', name: '' } },
	};
}

const TOOLS = ['n8n-nodes-base.httpRequestTool', '@n8n/n8n-nodes-langchain.toolHttpRequest'];
const NODES = ['n8n-nodes-base.httpRequest', 'n8n-nodes-base.graphql'];
const CREDENTIALS = [API_CREDENTIAL, SUPERVISOR_CREDENTIAL];

/** Start, then the node; a tool hangs on an agent. */
const workflowWith = (other: WorkflowNode): WorkflowDefinition =>
	TOOLS.includes(other.type) ? agentWith(other) : chain('Locked', [manualTriggerNode(), other]);

const cases = CREDENTIALS.flatMap((credential) =>
	[...NODES, ...TOOLS].map((type) => [credential, type] as const),
);

test.each(cases)('saving %s in %s is refused', async (credential, type) => {
	const refused = await bench
		.workflow(workflowWith(otherNode(type, credential)))
		.catch((error: unknown) => error);
	expect(refused).toBeInstanceOf(N8nRequestError);
	expect(String(refused)).toContain(`cannot use credential type "${credential}"`);
});

/** Puts a workflow into n8n's database, as one that an n8n without this rule has saved. */
async function saveUnchecked(definition: WorkflowDefinition): Promise<string> {
	const { id } = await bench.workflow(chain('Locked', [manualTriggerNode(), noOpNode()]));
	const { nodes, connections } = withCredentials(definition, [bench.numbers, bench.supervisor]);
	const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as unknown as Sqlite;
	const database = new DatabaseSync(join(bench.userFolder, '.n8n/database.sqlite'), {
		timeout: 30_000,
	});
	const update = 'UPDATE workflow_entity SET nodes = ?, connections = ? WHERE id = ?';
	database.prepare(update).run(JSON.stringify(nodes), JSON.stringify(connections), id);
	database.close();
	return id;
}

/** Node.js has it since 22; the types are those of an older one. */
interface Sqlite {
	DatabaseSync: new (
		file: string,
		options: { timeout: number },
	) => {
		prepare(sql: string): { run(...values: string[]): unknown };
		close(): void;
	};
}

async function run(id: string, isTool: boolean): Promise<void> {
	const { client } = bench;
	const execution = await client.runManually(await client.getWorkflow(id), 'Start', {
		destinationNode: { nodeName: OTHER, mode: 'inclusive' },
		...(isTool ? { agentRequest: { query: { [OTHER]: {} }, tool: { name: OTHER } } } : {}),
	});
	await client.waitForExecution(execution);
}

test.each(cases)('running with %s in %s spends nothing', async (credential, type) => {
	const id = await saveUnchecked(workflowWith(otherNode(type, credential)));
	bench.provider.control.clearRequests();
	await run(id, TOOLS.includes(type));
	const sent = bench.provider.control.requests();
	expect(sent.filter(({ headers }) => headers.authorization ?? headers['x-json'])).toEqual([]);
});
