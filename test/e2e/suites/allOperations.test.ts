// All operations of the action node in one workflow in a real n8n.
import { itemsOf, type Execution } from '../../../dev/n8n/client';
import { knownBy, operations, requestOf } from '../../integration/VoiceManagement/forms';
import { nth } from '../../support/present';
import { allOperations, sourceOf, TOKEN_NODES } from '../support/allOperations';
import { shareBench, type Bench } from '../support/bench';

let bench: Bench;
let execution: Execution;

beforeAll(async () => {
	// The review of an address is done by a person; here it is done a moment after it was requested.
	bench = await shareBench({ provider: { reviewTime: 1 } });
	const { client, provider } = bench;
	const ready = await allOperations(bench, async (definition) => await bench.workflow(definition));
	provider.control.clearRequests();
	execution = await client.waitForExecution(await client.runManually(ready, 'Start'));
});

afterAll(async () => {
	await bench?.close();
});

function jsonOf(node: string): Array<Record<string, unknown>> {
	return itemsOf(execution, node).map(({ json }) => json);
}

test('the whole run succeeds', () => {
	expect(execution.data.resultData.error).toBeUndefined();
	expect(execution.status).toBe('success');
	for (const { resource, value } of operations) {
		expect(jsonOf(`${resource} ${value}`)).not.toEqual([]);
	}
});

test('every item is paired with its input item', () => {
	for (const node of Object.keys(execution.data.resultData.runData)) {
		if (node === 'Start') continue;
		for (const item of itemsOf(execution, node)) {
			expect([node, item.pairedItem]).toEqual([node, { item: 0 }]);
		}
	}
});

test('the provider received each request once, including the purchase', () => {
	const control = bench.provider.control;
	const known = knownBy((identifier) => nth(jsonOf(sourceOf(identifier)), 0)[identifier]);
	expect(control.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(
		operations.map(({ endpoint }) => requestOf(endpoint, known)),
	);
	expect(control.numbers().orders).toHaveLength(1);
});

test('no secret is in what n8n stores of the run, except where an operation returns one', () => {
	const kept = JSON.stringify({
		...execution.data,
		resultData: {
			...execution.data.resultData,
			runData: Object.fromEntries(
				Object.entries(execution.data.resultData.runData).filter(
					([node]) => !TOKEN_NODES.includes(node),
				),
			),
		},
	});
	expect(kept).not.toMatch(/id_session|-secret-/);
});
