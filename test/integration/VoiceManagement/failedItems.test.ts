// Items that fail: what a workflow can read of them, and what it learns of the items that were done before.

import type { IDataObject, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { answerWith, type AnswerServer, type Given } from '../../support/answers';
import { credentialsAt } from '../../support/credentials';
import { nth } from '../../support/present';
import { companyForm, itemWithFile } from './forms';
import { runNode, type RunOptions } from './harness';

let server: AnswerServer;
let answers: Given[] = [];
beforeAll(async () => (server = await answerWith(() => answers.shift() ?? { body: {} })));
afterAll(async () => await server.close());

const run = async (options: Omit<RunOptions, 'credentials'>, ...given: Given[]) => {
	answers = given;
	server.asked.length = 0;
	return await runNode({ credentials: credentialsAt(server.url), ...options });
};

const failure = async (options: Omit<RunOptions, 'credentials'>, ...given: Given[]) =>
	await run(options, ...given).then(
		() => Promise.reject(new Error('It has not failed')),
		(error: unknown) => error as NodeApiError,
	);

const cart = (operation: string, more: IDataObject = {}) => ({
	...{ resource: 'cart', operation, cartIdentifier: '4179884', confirmPurchase: true },
	...more,
});
const product = cart('addProduct', {
	productType: 'didCartItem',
	didGroupId: '6001',
	quantity: 2,
});
const many = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, n) => ({ json: { n } }));
const REFUSED = { status: 402, body: { message: 'Balance too low' } };

test('a refused checkout says which cart, and has nothing of another one that was ordered', async () => {
	const ordered = { cartIdentifier: '4179883', status: 'SUCCESS', ordered: true, failed: [] };
	const items = [{ json: { ...ordered, productCheckoutList: [{ orderReference: 'ORD-1' }] } }];
	const { items: out } = await run(
		{ parameters: cart('checkout'), items, continueOnFail: true },
		REFUSED,
	);
	const { json } = nth(out, 0);
	expect(JSON.parse(JSON.stringify(json))).toEqual({
		cartIdentifier: '4179884',
		error: 'Balance too low',
		statusCode: 402,
		description: expect.stringMatching(/^Cart 4179884\./),
	});
});

test('a checkout that is not sent after a refused login has nothing of an order before it', async () => {
	const items = ['1', '2'].map((cartIdentifier) => ({ json: { cartIdentifier, ordered: true } }));
	const parameters = items.map(({ json }) => cart('checkout', json));
	const wrong = { status: 401, body: { message: 'Wrong login' } };
	const { items: out } = await run({ parameters, items, continueOnFail: true }, wrong);
	expect(server.asked).toHaveLength(1);
	expect(JSON.parse(JSON.stringify(nth(out, 1).json))).toEqual({
		cartIdentifier: '2',
		error: 'Not sent, since the login was refused: Wrong login',
		description: expect.stringContaining('#login-refused'),
	});
});

test('a cart whose expression fails is a failed item, and the order before it stays in the output', async () => {
	const message = "Referenced node doesn't exist";
	const fails = { parameter: 'cartIdentifier', item: 1, message };
	const { items: out } = await run(
		{ parameters: cart('checkout'), items: many(2), fails, continueOnFail: true },
		{ body: { status: 'SUCCESS', productCheckoutList: [{ status: 'SUCCESS' }] } },
	);
	expect(out.map(({ json }) => [json.ordered, json.error])).toEqual([
		[true, undefined],
		[undefined, message],
	]);
});

test('a product that is refused has nothing of what was added to another cart', async () => {
	const added = { cartIdentifier: '4179883', status: 'SUCCESS', addedProducts: [{ n: 1 }] };
	const { items: out } = await run(
		{ parameters: product, items: [{ json: { ...added, own: 1 } }], continueOnFail: true },
		REFUSED,
	);
	expect(JSON.parse(JSON.stringify(nth(out, 0).json))).toMatchObject({ own: 1 });
	expect(nth(out, 0).json).toMatchObject({ cartIdentifier: '4179884', status: undefined });
	expect(nth(out, 0).json.addedProducts).toBeUndefined();
});

test('an item that the login may not have is no refused login: those after it are sent', async () => {
	const parameters = { resource: 'address', operation: 'get', addressId: '7' };
	const errors = [{ apiErrorCode: '507', apiErrorMessage: 'Unknown address' }];
	const unknown = { status: 404, body: { apiModule: 'REGULATION', errors } };
	const { items } = await run(
		{ parameters, items: many(3), continueOnFail: true },
		unknown,
		{ status: 401, body: { message: 'Not yours' } },
		unknown,
	);
	expect(items.map(({ json }) => json.error)).toEqual([
		'Unknown address',
		'Not yours',
		'Unknown address',
	]);
});

test.each<Given>([
	{ status: 404 },
	{ status: 400, body: { message: 'Bad request' } },
	{ status: 413, body: '<html><title>Too large</title></html>' },
])('a login is refused, whatever was in front of the provider before: %j', async (first) => {
	const parameters = { resource: 'address', operation: 'get', addressId: '7' };
	const wrong = { status: 401, body: { message: 'Wrong login' } };
	await run({ parameters, items: many(4), continueOnFail: true }, first, wrong, wrong, wrong);
	expect(server.asked).toHaveLength(2);
});

test('a code of ordering that looks like the status of a refused login is none', async () => {
	const errors = [{ code: '401', message: 'No product' }];
	const refused = { body: { apiModule: 'ORDERING', errors } };
	const { items } = await run(
		{ parameters: product, items: many(2), continueOnFail: true },
		refused,
		refused,
	);
	for (const { json } of items) {
		expect(json).toMatchObject({ error: 'No product', statusCode: 200 });
		expect(json.description).toMatch(/^ORDERING, code 401, HTTP 200\. Add a product/);
	}
});

test('what may have been done before an execution was cancelled is in its error', async () => {
	const controller = new AbortController();
	const lost = { status: 500, body: { message: 'Oops' } };
	let requests = 0;
	answers = [lost, lost];
	const { description } = await failure(
		{
			parameters: ['1', '2'].map((cartIdentifier) => cart('checkout', { cartIdentifier })),
			items: many(2),
			continueOnFail: true,
			signal: controller.signal,
			now: () => {
				// Before each item.
				if (requests++ === 1) controller.abort();
				return 0;
			},
		},
		lost,
	);
	expect(description).toMatch(
		/^Before this error: cartIdentifier 1: Oops: the order may have been placed\. Check on the provider's side what was done\./,
	);
});

test('of many items that were done before an error, the first twenty are named', async () => {
	const created = Array.from({ length: 25 }, (_, n) => ({ body: { addressId: 100 + n } }));
	const { description } = await failure({ parameters: companyForm, items: many(26) }, ...created, {
		...{ status: 500, body: { message: 'Oops' } },
	});
	expect(description).toContain('25 of the items (addressId 100,');
	expect(description).toContain('addressId 119, …)');
});

test('a product in the preview of a cart is shown without markup', async () => {
	const addedProducts = [{ didCartItem: { didGroupId: '<a href="https://example.com">1</a>' } }];
	const { description } = await failure({
		parameters: cart('checkout', { confirmPurchase: false }),
		items: [{ json: { cartIdentifier: '4179884', addedProducts } }],
	});
	expect(description).toContain('This workflow added to cart 4179884: DID Group ID 1.');
	expect(description).not.toContain('example.com">');
});

test("a file's field, which a stranger may have named, is shown without markup", async () => {
	const { description } = await failure({
		parameters: {
			resource: 'address',
			operation: 'uploadProof',
			addressId: '7',
			binaryPropertyName: 'x',
		},
		items: [itemWithFile('<a href="https://example.com">Help</a>')],
	});
	expect(description).toContain('It has: "Help".');
	expect(description).not.toContain('example.com');
});

test('a failed item keeps its files', async () => {
	const { items } = await run(
		{
			parameters: { resource: 'address', operation: 'uploadProof', addressId: '7' },
			items: [itemWithFile()],
			continueOnFail: true,
		},
		{ status: 400, body: { message: 'No' } },
	);
	expect(nth(items, 0)).toMatchObject({
		json: { error: 'No' },
		binary: itemWithFile().binary ?? {},
	});
});

test('an error names what the items before it have created, which n8n does not output', async () => {
	const created = (addressId: number) => ({ body: { addressId } });
	const { description } = await failure(
		{ parameters: companyForm, items: many(3) },
		created(123456),
		created(123457),
		{ status: 500, body: { message: 'Oops' } },
	);
	expect(description).toMatch(
		/^Done before this error, and not output by n8n: 2 of the items \(addressId 123456, addressId 123457\)\. A second run would do that again\./,
	);
});

test('"Add Product" sends nothing while "Retry On Fail" is on: n8n would add what is in the cart again', async () => {
	const options = { parameters: product, items: many(3), node: { retryOnFail: true } };
	const error = await failure(options);
	expect(`${error.message} ${error.description}`).toMatch(
		/^"Retry On Fail" is on: nothing was added Nothing was sent\. Turn off "Retry On Fail" in the settings/,
	);
	expect(server.asked).toEqual([]);
	const { items } = await run({ parameters: product }, { body: { status: 'SUCCESS' } });
	expect(items).toHaveLength(1);
});

test.each(['300', 'Thu, 01 Jan 2026 00:05:00 GMT'])(
	'an error says for how long the provider asks to wait: Retry-After %s',
	async (retryAfter) => {
		const headers = { 'retry-after': retryAfter, date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
		const { description } = await failure(
			{ parameters: { resource: 'address', operation: 'get', addressId: '7' } },
			{ status: 429, headers, body: { message: 'Slow down' } },
		);
		expect(description).toContain('The provider asks to wait 300 seconds.');
		expect(server.asked).toHaveLength(1);
	},
);

test('a filter with nothing but blanks is refused: the list would have what was to be left out', async () => {
	const parameters = {
		...{ resource: 'address', operation: 'getAll', returnAll: true },
		filters: { city: '   ' },
	};
	expect((await failure({ parameters })).message).toBe('"City" is empty');
	expect(server.asked).toEqual([]);
	const { items } = await run(
		{ parameters: { ...parameters, filters: { city: '' } } },
		{ body: { regulationAddresses: [] } },
	);
	expect(items).toEqual([]);
});

test.each([
	[{ returnAll: null }, '"Return All" has an invalid value'],
	[{ limit: null }, '"Limit" is not a whole number above zero'],
])('an expression without a value is no limit: %j', async (given, message) => {
	const list = { resource: 'address', operation: 'getAll', returnAll: false, limit: 7 };
	const parameters = { ...list, ...given } as IDataObject;
	expect((await failure({ parameters })).message).toBe(message);
	expect(server.asked).toEqual([]);
});

test('"Return All" that is refused in the middle of the list is an error, not a part of it', async () => {
	const page = Array.from({ length: 1000 }, (_, index) => ({ addressId: index + 1 }));
	const parameters = { resource: 'address', operation: 'getAll', returnAll: true };
	const { message } = await failure(
		{ parameters },
		{ body: { resultCount: 3000, regulationAddresses: page } },
		{ status: 400, body: { message: 'Not now' } },
	);
	expect(message).toBe('Not now');
});

test.each(['addressID', 'order_id', 'didIDs', 'offer_identifier', 'customerReference'])(
	'the identifier %s is text, as in every other output',
	async (name) => {
		const { items } = await run(
			{ parameters: { resource: 'address', operation: 'get', addressId: '7', simplify: false } },
			{ body: { regulationAddresses: [{ addressId: 7, [name]: 17, preferences: 17 }] } },
		);
		expect(nth(items, 0).json).toMatchObject({ [name]: '17', preferences: 17 });
	},
);

test('a cart that is named with underscores has its identifier as text', async () => {
	const { items } = await run(
		{ parameters: { resource: 'cart', operation: 'create' } },
		{ body: { cart: { cart_identifier: 4179883, customer_reference: 17 } } },
	);
	expect(nth(items, 0).json).toMatchObject({ cartIdentifier: '4179883', customerReference: '17' });
});

test('a hint that all items have is shown once', async () => {
	const skipped = { body: { status: 'SUCCESS', skipped: [2] } };
	const { hints } = await run({ parameters: product, items: many(3) }, skipped, skipped, skipped);
	expect(hints).toHaveLength(1);
});
