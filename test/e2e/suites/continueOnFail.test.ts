// Failed items in a real n8n with "On Error: Continue" and with the error output: it stays visible which item failed,
// and why.
import { itemsOf, type Execution } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { byId, chain, manualTriggerNode, operationNode } from '../support/workflows';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

/** Three postal codes, none of which is the identifier of an address. */
const run = async (onError: string): Promise<Execution> => {
	const definition = chain(onError, [
		manualTriggerNode(),
		operationNode('zipcode', 'getAll', { countryCodeA3: 'BEL', returnAll: true }),
		{ ...operationNode('address', 'get', { addressId: byId('={{ $json.zipCode }}') }), onError },
	]);
	const workflow = await bench.workflow(definition);
	return await bench.client.waitForExecution(await bench.client.runManually(workflow, 'Start'));
};

const outputOf = (execution: Execution, output: number) =>
	itemsOf(execution, 'address get', output).map(({ json }) => json);

const failed = (execution: Execution) =>
	itemsOf(execution, 'zipcode getAll').map(({ json }) => ({
		...json,
		error: 'The address id is invalid or not owned by this account',
		statusCode: 400,
		description: expect.stringMatching(/^REGULATION, code 507, HTTP 400\. /),
	}));

test('"Continue" outputs each failed item with its own fields, the error, its status and its description', async () => {
	const execution = await run('continueRegularOutput');
	expect(failed(execution)).toHaveLength(3);
	expect(outputOf(execution, 0)).toEqual(failed(execution));
});

test('the error output gets the same, and the success output nothing', async () => {
	const execution = await run('continueErrorOutput');
	expect(outputOf(execution, 0)).toEqual([]);
	expect(outputOf(execution, 1)).toEqual(failed(execution));
	expect(JSON.stringify(execution.data)).not.toMatch(/-secret-|Basic [A-Za-z0-9+/=]{8}/);
});
