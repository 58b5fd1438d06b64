// All sixteen operations of the action node in one workflow in a real n8n: an address from its zip code to linked
// numbers, a cart to its checkout, the session operations.
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
import { nth } from '../../../simulator/present';

/** Numbers of the Belgian geographic group that the simulated customer owns from the start. */
const GROUP = 6003;
const ADDRESS = byId("={{ $('address create').item.json.addressId }}");
const CART = "={{ $('cart create').item.json.cartIdentifier }}";

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

	const definition = chain('All operations', [
		manualTriggerNode(),
		operationNode('zipcode', 'getAll', {
			countryCodeA3: 'BEL',
			returnAll: true,
			filters: { areaCode: '4' },
		}),
		operationNode('address', 'create', {
			salutation: 'MS',
			firstName: 'Zoé',
			lastName: 'Example',
			countryCodeA3: 'BEL',
			city: '={{ $json.cityName }}',
			zipCode: { __rl: true, mode: 'code', value: '={{ $json.zipCode }}' },
			streetName: "Rue de l'Exemple",
			buildingNumber: '12',
			didType: 'GEOGRAPHIC',
			destinationCountryCodeA3: 'BEL',
			additionalFields: { customerReference: 'all-operations', phoneNumber: '+3229010000' },
		}),
		operationNode('address', 'getAll', {
			returnAll: true,
			filters: { customerReference: 'all-operations' },
		}),
		operationNode('address', 'get', { addressId: ADDRESS }),
		setNode('Proof', { proof: 'Proof of address, with an é' }),
		textFileNode('Proof file', 'proof', 'proof.txt'),
		operationNode('address', 'uploadProof', { addressId: ADDRESS, binaryPropertyName: 'data' }),
		operationNode('address', 'requestVerification', { addressId: ADDRESS }),
		operationNode('address', 'validate', {
			addressId: ADDRESS,
			didType: 'GEOGRAPHIC',
			destinationCountryCodeA3: 'BEL',
		}),
		operationNode('address', 'link', { addressId: ADDRESS, didIds: didIds.join(', ') }),
		operationNode('address', 'unlink', { didIds: `={{ [${didIds.join(', ')}] }}` }),
		operationNode('address', 'delete', { addressId: ADDRESS }),
		operationNode('cart', 'create', { additionalFields: { customerReference: 'order-1' } }),
		operationNode('cart', 'addProduct', {
			cartIdentifier: CART,
			productType: 'didCartItem',
			didGroupId: String(GROUP),
			quantity: 2,
		}),
		operationNode('cart', 'checkout', { cartIdentifier: CART, confirmPurchase: true }),
		operationNode('session', 'getInfo', {}),
		operationNode('session', 'createToken', { ip: '127.0.0.1' }),
		operationNode('session', 'getTestPageUrl', { ip: '127.0.0.1' }),
	]);
	const workflow = await bench.workflow(definition);
	// The two token operations use the API account.
	const nodes = workflow.nodes.map((node) =>
		['session createToken', 'session getTestPageUrl'].includes(node.name)
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
});

test('each operation outputs its items', () => {
	const { addressId } = nth(jsonOf('address create'), 0);
	expect(addressId).toEqual(expect.any(Number));
	const address = {
		addressId,
		salutation: 'MS',
		firstName: 'Zoé',
		city: 'Liège',
		zipCode: '4000',
		customerReference: 'all-operations',
		status: 'NOT_VERIFIED',
		linked: false,
	};
	expect(jsonOf('zipcode getAll')).toEqual([{ cityName: 'Liège', zipCode: '4000' }]);
	expect(jsonOf('address getAll')).toEqual([expect.objectContaining(address)]);
	expect(jsonOf('address get')).toEqual([expect.objectContaining(address)]);
	expect(jsonOf('address uploadProof')).toEqual([{ addressId, status: 'SUCCESS' }]);
	expect(jsonOf('address requestVerification')).toEqual([{ addressId, status: 'SUCCESS' }]);
	expect(jsonOf('address validate')).toEqual([expect.objectContaining({ isValid: true })]);
	expect(jsonOf('address link')).toEqual([
		{ addressId, didIds, status: 'NUMBERS_LINKED_AND_UNBLOCKED' },
	]);
	expect(jsonOf('address unlink')).toEqual([{ didIds, status: 'NUMBERS_UNLINKED_AND_BLOCKED' }]);
	expect(jsonOf('address delete')).toEqual([{ deleted: true }]);
	expect(jsonOf('cart create')).toEqual([
		expect.objectContaining({
			cartIdentifier: expect.any(Number),
			customerReference: 'order-1',
		}),
	]);
	const { cartIdentifier } = nth(jsonOf('cart create'), 0);
	expect(jsonOf('cart addProduct')).toEqual([
		{
			cartIdentifier,
			status: 'SUCCESS',
			addedProducts: [{ didCartItem: { didGroupId: GROUP, quantity: 2 } }],
		},
	]);
	expect(jsonOf('cart checkout')).toEqual([
		{
			cartIdentifier,
			status: 'SUCCESS',
			productCheckoutList: [
				expect.objectContaining({ status: 'SUCCESS', orderReference: expect.any(String) }),
			],
		},
	]);
});

test('the session operations return agents, groups, trunks and breaks, a token and the URL of the test page', () => {
	const [info] = jsonOf('session getInfo');
	// One spelling of each name, whatever the operator's entries look like.
	const { agents, groups, trunks, pauses } = bench.operator.plan;
	expect(info).toMatchObject({
		ops: agents.map(({ id, name, groups: of }) => ({
			id: String(id),
			name,
			groups: of.map(String),
		})),
		groupes: groups.map(({ id, name }) => ({ id: String(id), name })),
		trunks: trunks.map(({ id, name }) => ({ id: String(id), name })),
		pauses: pauses.map(({ id, value }) => ({ id: String(id), name: value })),
		target: expect.anything(),
	});
	expect(info).not.toHaveProperty('id_session');
	expect(jsonOf('session createToken')).toEqual([
		expect.objectContaining({ id_session: expect.any(String) }),
	]);
	const { url } = nth(jsonOf('session getTestPageUrl'), 0);
	expect(url).toMatch(
		new RegExp(`^${bench.operator.url}/labo/index\\.htm\\?id_client=4242&id_session=.+`),
	);
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
	const { addressId } = nth(jsonOf('address create'), 0);
	const { cartIdentifier } = nth(jsonOf('cart create'), 0);
	const address = `/vbapi/v1/regulation/address/${String(addressId)}`;
	const cart = `/vbapi/v1/ordering/cart/${String(cartIdentifier)}`;
	expect(control.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
		'GET /vbapi/v1/regulation/zipcode',
		'PUT /vbapi/v1/regulation/address',
		'GET /vbapi/v1/regulation/address',
		`GET ${address}`,
		`PUT ${address}/proof`,
		`PUT ${address}/verification`,
		`GET ${address}/validation`,
		`POST ${address}/link`,
		'POST /vbapi/v1/regulation/address/unlink',
		`DELETE ${address}`,
		'PUT /vbapi/v1/ordering/cart',
		`POST ${cart}/product`,
		`GET ${cart}/checkout`,
		'POST /ws/',
		'POST /vm/token',
		'POST /vm/token',
	]);
	expect(control.numbers().orders).toHaveLength(1);
});

test('no secret is in what n8n stores of the run, except where an operation returns one', () => {
	const kept = JSON.stringify({
		...execution.data,
		resultData: {
			...execution.data.resultData,
			runData: Object.fromEntries(
				Object.entries(execution.data.resultData.runData).filter(
					([node]) => !['session createToken', 'session getTestPageUrl'].includes(node),
				),
			),
		},
	});
	expect(kept).not.toMatch(/id_session|-secret-/);
});
