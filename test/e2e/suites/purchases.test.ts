// Carts and their checkout in a real n8n: several carts, several items of one cart, "Retry On Fail", and a retried
// execution. What was sent, and what the execution shows.

import { itemsOf, type Execution } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { chain, manualTriggerNode, operationNode, setNode } from '../support/workflows';
import { nth, present } from '../../support/present';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

beforeEach(() => bench.provider.control.clearRequests());

const CHECKOUT = 'cart checkout';

/** New carts, each with these numbers of products; 0 products make the provider refuse the checkout. */
async function cartsWith(...products: number[]): Promise<string[]> {
	const { provider } = bench;
	const { login, password } = provider.accounts.numbers;
	const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
	const send = async (method: string, path: string, body: object) => {
		const response = await fetch(`${provider.url}/vbapi/v1/ordering/cart${path}`, {
			method,
			headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return (await response.json()) as { cart: { cartIdentifier: number | string } };
	};
	const carts: string[] = [];
	for (const count of products) {
		const cart = String((await send('PUT', '', {})).cart.cartIdentifier);
		for (let added = 0; added < count; added++) {
			await send('POST', `/${cart}/product`, { didCartItem: { didGroupId: 6003, quantity: 1 } });
		}
		carts.push(cart);
	}
	provider.control.clearRequests();
	return carts;
}

/** A workflow whose checkout gets one item for each of these carts. */
const workflowFor = async (name: string, carts: string[], settings: object = {}) => {
	const node = setNode('Carts', {});
	const all = {
		...node,
		parameters: {
			assignments: {
				assignments: [{ id: 'carts', name: 'carts', type: 'array', value: JSON.stringify(carts) }],
			},
			options: {},
		},
	};
	const each = {
		...setNode('Each', {}),
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'carts', options: {} },
	};
	const checkout = operationNode('cart', 'checkout', {
		cartIdentifier: '={{ $json.carts }}',
		confirmPurchase: true,
	});
	return await bench.workflow(
		chain(name, [manualTriggerNode(), all, each, { ...checkout, ...settings }]),
	);
};

const run = async (name: string, carts: string[], settings: object = {}): Promise<Execution> => {
	const workflow = await workflowFor(name, carts, settings);
	return await bench.client.waitForExecution(await bench.client.runManually(workflow, 'Start'));
};

const sent = () =>
	bench.provider.control
		.requests()
		.filter(({ path }) => path.endsWith('/checkout'))
		.map(({ path }) => path.split('/').at(-2));

const errorOf = ({ data }: Execution) => {
	const { message, description } = present(data.resultData.error) as {
		message: string;
		description?: string;
	};
	return `${message} ${description ?? ''}`;
};

const referencesOf = (cart: string) =>
	bench.provider.control
		.numbers()
		.orders.filter(({ cartIdentifier }) => String(cartIdentifier) === cart)
		.map(({ orderReference }) => orderReference);

test('two carts of which the second is refused: the error names the order of the first', async () => {
	const carts = await cartsWith(1, 0);
	const [first = ''] = carts;
	const execution = await run('Two carts', carts);
	expect(execution.status).toBe('error');
	expect(sent()).toEqual(carts);
	const [reference = ''] = referencesOf(first);
	expect(reference).toMatch(/^ORD-/);
	expect(errorOf(execution)).toContain(`cart ${first} (order ${reference})`);
	expect(errorOf(execution)).toContain("Don't order them again");
});

test('the same execution retried does not buy the first cart again', async () => {
	const carts = await cartsWith(1, 0);
	const execution = await run('Two carts, retried', carts);
	bench.provider.control.clearRequests();
	await bench.client.call('POST', `/rest/executions/${execution.id}/retry`, {
		loadWorkflow: false,
	});
	expect(sent()).toEqual(carts.slice(1));
	expect(referencesOf(nth(carts, 0))).toHaveLength(1);
});

test('three items of one cart: one checkout, and each item gets its result', async () => {
	const [cart = ''] = await cartsWith(2);
	const execution = await run('One cart', [cart, cart, cart]);
	expect(execution.status).toBe('success');
	expect(sent()).toEqual([cart]);
	const items = itemsOf(execution, CHECKOUT);
	expect(items).toHaveLength(3);
	for (const { json } of items) {
		expect(json).toMatchObject({ cartIdentifier: cart, ordered: true, failed: [] });
		expect(JSON.stringify(json)).toContain(nth(referencesOf(cart), 0));
	}
});

test('what a model decides in "Confirm Purchase" of an imported workflow: nothing is sent', async () => {
	const carts = await cartsWith(1);
	const { parameters } = operationNode('cart', 'checkout', {
		cartIdentifier: '={{ $json.carts }}',
		confirmPurchase: "={{ $fromAI('confirm', 'whether to buy', 'boolean', true) }}",
	});
	const execution = await run('Confirmed by a model', carts, { parameters });
	expect(errorOf(execution)).toContain('"Confirm Purchase" is off: no order was placed');
	expect(sent()).toEqual([]);
});

test('"Retry On Fail": nothing is sent, and the error names the setting', async () => {
	const carts = await cartsWith(1, 1);
	const execution = await run('Retry On Fail', carts, {
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 0,
	});
	expect(execution.status).toBe('error');
	expect(errorOf(execution)).toMatch(
		/^"Retry On Fail" is on: no order was placed Nothing was sent/,
	);
	expect(sent()).toEqual([]);
});
