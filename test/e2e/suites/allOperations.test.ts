// All operations of the action node in one workflow in a real n8n: an address from its zip code to linked numbers, a
// cart to its checkout, the session operations.
import { itemsOf, type Credential, type Execution } from '../../../dev/n8n/client';
import { API_CREDENTIAL, credentialData } from '../../../dev/setup';
import { shareBench, type Bench } from '../support/bench';
import {
	byId,
	chain,
	manualTriggerNode,
	operationNode,
	setNode,
	textFileNode,
} from '../support/workflows';
import { knownBy, operations, requestOf, schemaOf } from '../../integration/VoiceManagement/forms';
import { nth, present } from '../../support/present';

/** Numbers of the Belgian geographic group that the simulated customer owns from the start. */
const GROUP = 6003;

/** The node that outputs an identifier first. */
const sourceOf = (identifier: string) => {
	const found = operations.find(({ name }) => identifier in (schemaOf(name).properties ?? {}));
	const { resource, value } = present(found);
	return `${resource} ${value}`;
};
/** It, in the form that its fields have. */
const referenceTo = (identifier: string) => {
	const expression = `={{ $('${sourceOf(identifier)}').item.json.${identifier} }}`;
	const field = operations.flatMap(({ fields }) => fields).find(({ name }) => name === identifier);
	return present(field).type === 'resourceLocator' ? byId(expression) : expression;
};

/** What a workflow maps from item to item. */
const SPECIAL: Record<string, object> = {
	'zipcode/getAll': { returnAll: true, filters: { areaCode: '4' } },
	'address/create': {
		salutation: 'MS',
		firstName: 'Zoé',
		lastName: 'Example',
		city: '={{ $json.cityName }}',
		zipCode: { __rl: true, mode: 'code', value: '={{ $json.zipCode }}' },
		additionalFields: { customerReference: 'all-operations', phoneNumber: '+3229010000' },
	},
	'address/getAll': { returnAll: true, filters: { customerReference: 'all-operations' } },
	'address/unlink': { didIds: '={{ $json.didIds }}' },
	'cart/create': { additionalFields: { customerReference: 'order-1' } },
	'cart/addProduct': { didGroupId: String(GROUP), quantity: 2 },
};
const TOKEN_NODES = operations
	.filter(({ isToken }) => isToken)
	.map(({ resource, value }) => `${resource} ${value}`);

let bench: Bench;
let account: Credential;
let execution: Execution;
let didIds: number[];

beforeAll(async () => {
	// The review of an address is done by a person; here it is done a moment after it was requested.
	bench = await shareBench({ operator: { reviewTime: 1 } });
	const { client, operator } = bench;
	account = await client.createCredential(
		API_CREDENTIAL,
		'API account',
		credentialData(operator, 'api'),
	);
	didIds = operator.control
		.numbers()
		.dids.filter(({ didGroupId }) => didGroupId === GROUP)
		.slice(0, 2)
		.map(({ didId }) => didId);

	const known = { ...knownBy(referenceTo), didIds: didIds.join(', ') };
	const definition = chain('All operations', [
		manualTriggerNode(),
		...operations.flatMap(({ name, resource, value, parameters }) => {
			const node = operationNode(resource, value, { ...parameters(known), ...SPECIAL[name] });
			return name === 'address/uploadProof'
				? [
						setNode('Proof', { proof: 'Proof of address, with an é' }),
						textFileNode('Proof file', 'proof', 'proof.txt'),
						node,
					]
				: [node];
		}),
	]);
	const workflow = await bench.workflow(definition);
	// The token operations use the API account.
	const nodes = workflow.nodes.map((node) =>
		TOKEN_NODES.includes(node.name)
			? { ...node, credentials: { [API_CREDENTIAL]: { id: account.id, name: account.name } } }
			: node,
	);
	const ready = await client.updateWorkflow(workflow.id, { ...workflow, nodes });
	operator.control.clearRequests();
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

test('the operator received each request once, including the purchase', () => {
	const control = bench.operator.control;
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
