// The checkout at the provider: what it says about its result, and what it would buy. What it says about every kind of
// response: purchase.test.ts.

import type { IDataObject, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { resources } from '../../../nodes/VoiceManagement/resources';
import { credentialsFor, runNode, type RunOptions } from './harness';
import { nth } from '../../support/present';

let provider: Provider;
let cartIdentifier: unknown;

const run = async (parameters: Record<string, unknown>, options: Partial<RunOptions> = {}) =>
	await runNode({
		credentials: credentialsFor(provider),
		parameters: parameters as never,
		...options,
	});

beforeEach(async () => {
	provider = await startProvider();
	const { items } = await run({ resource: 'cart', operation: 'create' });
	({ cartIdentifier } = nth(items, 0).json);
	for (const didGroupId of [6001, 6002]) {
		await run({
			resource: 'cart',
			operation: 'addProduct',
			cartIdentifier,
			productType: 'didCartItem',
			didGroupId,
		});
	}
	provider.control.clearRequests();
});

afterEach(async () => await provider.close());

const checkout = async (options: Partial<RunOptions> = {}) =>
	await run(
		{ resource: 'cart', operation: 'checkout', cartIdentifier, confirmPurchase: true },
		options,
	);

const failure = async (options: Partial<RunOptions> = {}) =>
	await checkout(options).then(
		() => {
			throw new Error('The checkout did not fail');
		},
		(error: NodeApiError) => error,
	);

const sentCheckouts = () =>
	provider.control.requests().filter(({ path }) => path.endsWith('/checkout'));

test('ERROR inside a 200 fails with the message of each product', async () => {
	provider.control.setBalance(0);
	const error = await failure();
	expect(error.message).toBe(
		'DID: The balance of the account is not sufficient; DID: The balance of the account is not sufficient',
	);
	expect(error.description).toMatch(
		/^Cart 4179883\. Status ERROR, HTTP 200\. The provider reports each product as not ordered\. Look at the account's orders/,
	);
	expect(error.context.itemIndex).toBe(0);
	const { items } = await checkout({ continueOnFail: true });
	expect(nth(items, 0).json.statusCode).toBe(200);
});

test('a code inside a 200 is shown, and can be read by the next node', async () => {
	provider.control.fault({
		status: 200,
		body: { status: 'ERROR', errors: [{ apiErrorCode: '405', apiErrorMessage: 'Sold out' }] },
	});
	const error = await failure();
	expect(error.message).toBe('Sold out');
	expect(error.description).toMatch(/^Cart 4179883\. Code 405, HTTP 200\./);
	expect(error.context).toMatchObject({ module: 'ORDERING', code: '405' });
});

test.each(['WARNING', 'PARTIAL'] as const)(
	'%s is output as data, with a hint beside it',
	async (status) => {
		provider.control.behave({ checkoutStatus: status, checkoutMessage: 'Short in stock' });
		const { items, hints } = await checkout();
		expect(nth(items, 0).json).toMatchObject({
			status,
			ordered: 'partly',
			failed: status === 'PARTIAL' ? [{ message: 'Short in stock' }] : [],
			productCheckoutList: expect.any(Array),
		});
		expect(hints).toEqual([
			{
				message: expect.stringMatching(
					new RegExp(
						`^Only a part of the order is placed \\(order ORD-.*status: ${status}.*Short in stock.*before you order anything again`,
					),
				),
				location: 'outputPane',
				type: 'warning',
			},
		]);
	},
);

test('SUCCESS without a list of products does not say what was ordered', async () => {
	provider.control.behave({ omitProductCheckoutList: true });
	const { items, hints } = await checkout();
	expect(nth(items, 0).json).toEqual({
		cartIdentifier,
		status: 'SUCCESS',
		ordered: null,
		failed: [],
	});
	expect(hints).toMatchObject([
		{ message: expect.stringMatching(/^The provider does not say yet/), type: 'warning' },
	]);
});

test('a success says where the ordered numbers are found, since no response contains them', async () => {
	const { hints } = await checkout();
	expect(hints).toEqual([
		{
			message: expect.stringMatching(
				/^The order is placed\. .*provider's portal.*orderReference\. Help: .*#orders$/,
			),
			location: 'outputPane',
			type: 'info',
		},
	]);
});

describe('if the response is lost, the error says so, and how to find out', () => {
	test('the connection is lost after the order was placed', async () => {
		provider.control.fault({ processed: true, destroy: true });
		const error = await failure();
		expect(provider.control.numbers().orders).toHaveLength(2);
		expect(error.message).toMatch(
			/closed the connection before it responded \(ECONNRESET\): the order may have been placed$/,
		);
		expect(error.description).toMatch(
			/Don't run this again before you know\. Look at .*orders or balance/,
		);
		expect(sentCheckouts()).toHaveLength(1);
	});

	test('a cancelled execution', async () => {
		provider.control.fault({ processed: true, hang: true });
		const controller = new AbortController();
		const running = failure({ signal: controller.signal });
		await provider.control.waitFor((control) => control.numbers().orders.length === 2);
		controller.abort();
		expect((await running).message).toMatch(/was canceled .*: the order may have been placed/);
	});
});

test('a provider that is down got no order', async () => {
	await provider.control.goAway();
	const error = await failure();
	expect(error.message).toMatch(/refused the connection: the server is down/);
	expect(error.description).not.toContain('may have been placed');
});

test('a checkout over the rate limit is not advised to retry', async () => {
	provider.control.fault({ status: 429, body: { errors: [{ apiErrorMessage: 'Slow' }] } });
	const { description } = await failure();
	expect(description).toMatch(/Too many requests\. .*by hand/);
	expect(description).not.toContain('Retry On Fail');
});

test.each([[false], [undefined], ['true'], [1]])(
	'without the confirmation (%j) nothing is sent, and the error says what to do',
	async (confirmPurchase) => {
		const error = await run({
			resource: 'cart',
			operation: 'checkout',
			cartIdentifier,
			confirmPurchase,
		}).catch((thrown: NodeApiError) => thrown);
		expect(error).toMatchObject({
			message: '"Confirm Purchase" is off: no order was placed',
			description: expect.stringMatching(
				/^Nothing was sent\. .*Turn on "Confirm Purchase" .*#orders"/,
			),
		});
		expect(provider.control.requests()).toEqual([]);
	},
);

describe('what a checkout would buy', () => {
	const preview = async (items: INodeExecutionData[], options: Partial<RunOptions> = {}) => {
		const error = await run(
			{ resource: 'cart', operation: 'checkout', cartIdentifier },
			{ items, ...options },
		).catch((thrown: NodeApiError) => thrown);
		return (error as NodeApiError).description ?? '';
	};
	const add = async (parameters: IDataObject, items?: INodeExecutionData[]) => {
		const product = { resource: 'cart', operation: 'addProduct', cartIdentifier, ...parameters };
		return (await run(product, { items })).items;
	};

	test('is listed from what earlier items added to this cart, and nothing is sent', async () => {
		const first = await add({ productType: 'didCartItem', didGroupId: '6001', quantity: 2 });
		const both = await add({ productType: 'capacityCartItem', zone: 'A', quantity: 10 }, first);
		expect(both[0]?.json.addedProducts).toEqual([
			{ didCartItem: { didGroupId: '6001', quantity: 2 } },
			{ capacityCartItem: { zone: 'A', quantity: 10 } },
		]);
		provider.control.clearRequests();
		expect(await preview(both)).toContain(
			`This workflow added to cart ${String(cartIdentifier)}: 2 × DID Group ID 6001; 10 × Zone A.`,
		);
		expect(provider.control.requests()).toEqual([]);
	});

	test('is listed as a whole if several items went into one cart', async () => {
		const flow = {};
		const product = (didGroupId: string): IDataObject => ({
			resource: 'cart',
			operation: 'addProduct',
			cartIdentifier: String(cartIdentifier),
			productType: 'didCartItem',
			didGroupId,
		});
		const addTo = async (parameters: IDataObject | IDataObject[]) =>
			(
				await runNode({
					credentials: credentialsFor(provider),
					parameters,
					items: [{ json: {} }, { json: {} }],
					flow,
				})
			).items;
		await addTo([product('6001'), product('6003')]);
		const items = await addTo(product('6001'));
		const all = [6001, 6003, 6001, 6001].map((id) => `1 × DID Group ID ${id}`).join('; ');
		expect(await preview([{ json: {} }], { flow })).toContain(`${all}.`);
		// A single step has the items alone, in whatever order.
		for (const one of [items, [...items].reverse()])
			expect(await preview(one)).toContain(`${all}.`);
	});

	test('is listed in words, whatever custom fields added', async () => {
		const addedProducts = [
			{ phoneNumbers: [{ phoneNumber: '+33199010500' }, { phoneNumber: '+33199010501' }] },
			{ creditPackageCartItem: { creditPackageId: '3', quantity: 1 }, promotion: 'SPRING' },
			{ sms: { code: 7 } },
		];
		const json = { cartIdentifier: String(cartIdentifier), addedProducts };
		expect(await preview([{ json }])).toContain(
			': phone numbers +33199010500, +33199010501; 1 × Credit Package ID 3, promotion SPRING; code 7.',
		);
	});

	test('is not known without such items, and products of another cart are not listed', async () => {
		expect(await preview([{ json: {} }])).toContain('not known');
		const added = [{ didCartItem: { didGroupId: 6001, quantity: 2 } }];
		const other = { json: { cartIdentifier: 'another', addedProducts: added } };
		expect(await preview([other])).toContain('not known');
	});
});

test.each(["={{ $fromAI('confirm', 'whether to buy', 'boolean') }}", '={{ true }}'])(
	'neither an expression nor a model can confirm a purchase: %s',
	async (confirmPurchase) => {
		// As if n8n resolved both: the parameter is true.
		const parameters = { resource: 'cart', operation: 'checkout', cartIdentifier, confirmPurchase };
		expect((await failure({ node: { parameters } as never })).message).toBe(
			'"Confirm Purchase" is off: no order was placed',
		);
		expect(provider.control.requests()).toEqual([]);
		const field = resources
			.flatMap(({ operations }) => operations)
			.find(({ value }) => value === 'checkout')!
			.fields.find(({ name }) => name === 'confirmPurchase');
		expect(field).toMatchObject({ type: 'boolean', noDataExpression: true, default: false });
	},
);

test('two calls side by side in one execution check a cart out once', async () => {
	const flow = {};
	const both = await Promise.all([checkout({ flow }), checkout({ flow })]);
	expect(sentCheckouts()).toHaveLength(1);
	for (const { items } of both) expect(nth(items, 0).json).toMatchObject({ ordered: true });
});

test('an empty cart is rejected with a next step', async () => {
	const { items } = await run({ resource: 'cart', operation: 'create' });
	cartIdentifier = nth(items, 0).json.cartIdentifier;
	const error = await failure();
	expect(error.description).toMatch(/ORDERING, code 401, HTTP 400\. Add a product/);
});

test("the node's parameters, the operation and the name that an AI agent reads all say that it buys", () => {
	const checkoutOperation = resources
		.flatMap(({ operations }) => operations)
		.find(({ value }) => value === 'checkout')!;
	const notice = checkoutOperation.fields.find(({ type }) => type === 'notice');
	expect(notice?.displayName).toMatch(/buys.*paid order/);
	expect(checkoutOperation.description).toMatch(/buys.*paid order/);
	expect(checkoutOperation.action).toMatch(/paid order/);
});
