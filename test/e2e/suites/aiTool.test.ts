// The action node as a tool of an AI agent, through n8n's own tool node type and tool executor: the values of a
// language model arrive as parameters, and the result is what the model would read. No model is needed for that.
import type { Execution } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { agentWith, operationNode } from '../support/workflows';
import { nth } from '../../support/present';

/** Without spaces: n8n makes the tool's name from the node's. */
const TOOL = 'postal_codes';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

/** Runs the tool with the values that a model would have chosen, as the editor's "Execute step" on a tool does. */
async function runTool(chosen: Record<string, unknown>): Promise<Execution> {
	const tool = {
		...operationNode('zipcode', 'getAll', {
			countryCodeA3: "={{ $fromAI('country', 'Country as ISO 3166-1 alpha-3', 'string') }}",
			limit: 2,
		}),
		name: TOOL,
		type: 'n8n-nodes-voice-management.voiceManagementTool',
	};
	const workflow = await bench.workflow(agentWith(tool));
	const id = await bench.client.runManually(workflow, 'Start', {
		destinationNode: { nodeName: TOOL, mode: 'inclusive' },
		// n8n 2.x expects each tool's values under its name, n8n 1.x the values of the one tool.
		agentRequest: { query: { [TOOL]: chosen }, tool: { name: TOOL } },
	});
	return await bench.client.waitForExecution(id);
}

test('a model gets a description of each operation, including that the checkout buys', async () => {
	const types = await bench.client.nodeTypes();
	const tool = types.find(({ name }) => name === 'n8n-nodes-voice-management.voiceManagementTool');
	const properties = tool?.properties as Array<{
		name: string;
		options?: Array<{ value: string; action?: string; description?: string }>;
	}>;
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options ?? []);
	expect(operations).toHaveLength(16);
	for (const operation of operations) expect(operation.description).toMatch(/\w+ \w+/);
	const checkout = operations.find(({ value }) => value === 'checkout');
	expect(`${checkout?.action} ${checkout?.description}`).toMatch(/buy|purchase/i);
});

test("the model's values reach the provider, and the response reaches the model", async () => {
	bench.provider.control.clearRequests();
	const execution = await runTool({ country: 'BEL' });
	expect(execution.data.resultData.error).toBeUndefined();
	expect(execution.status).toBe('success');
	const request = nth(
		bench.provider.control.requests().filter(({ path }) => path === '/vbapi/v1/regulation/zipcode'),
		0,
	);
	expect(request.query).toMatchObject({ countryCodeA3: 'BEL', pageSize: '2' });
	const answers = JSON.stringify(execution.data.resultData.runData[TOOL]);
	expect(answers).toContain('zipCode');
	expect(answers).not.toContain('numbers-secret');
});

test("a rejection reaches the model with the provider's own reason", async () => {
	bench.provider.control.clearRequests();
	const execution = await runTool({ country: 'XYZ' });
	expect(JSON.stringify(execution.data.resultData)).toMatch(/XYZ|country/i);
});
