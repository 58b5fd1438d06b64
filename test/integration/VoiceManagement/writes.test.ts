/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A change is quiet only if every field of its response is understood as good: otherwise a hint shows the rest, and no
// field of the item claims more than the provider said.

import { gzipSync } from 'node:zlib';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { answerWith, type AnswerServer, type Given } from '../../support/answers';
import { credentialsAt } from '../../support/credentials';
import { nth } from '../../support/present';
import { companyForm, itemWithFile, knownAs, operations } from './forms';
import { runNode } from './harness';

let server: AnswerServer;
let given: Given;
beforeAll(async () => (server = await answerWith(() => given)));
afterAll(async () => await server.close());

const run = async (parameters: IDataObject, next: Given) => {
	given = next;
	server.asked.length = 0;
	const { items, hints } = await runNode({
		credentials: credentialsAt(server.url),
		parameters,
		items: [itemWithFile()],
	});
	return { json: nth(items, 0).json, hint: hints.map(({ message }) => message).join(' ') };
};

const remove = { resource: 'address', operation: 'delete', addressId: '7' };
const verify = { resource: 'address', operation: 'requestVerification', addressId: '7' };
const link = { resource: 'address', operation: 'link', addressId: '7', didIds: '1,2' };
const unlink = { resource: 'address', operation: 'unlink', didIds: '1,2' };

test.each<[string, IDataObject, Given, boolean]>([
	['a change', remove, { body: { deleted: true } }, true],
	['a change that failed', remove, { status: 400, body: { message: 'No' } }, false],
	[
		'a list',
		{ resource: 'zipcode', operation: 'getAll', countryCodeA3: 'FRA', returnAll: false, limit: 1 },
		{ body: { zipCodes: [] } },
		false,
	],
])('%s: the advice to pin its output', async (_what, parameters, next, advises) => {
	given = next;
	const credentials = credentialsAt(server.url);
	const { advisesToPin } = await runNode({ credentials, parameters, continueOnFail: true });
	expect(advisesToPin).toBe(advises);
});

describe('"deleted" is what the provider says', () => {
	test.each<[unknown, Given]>([
		[false, { body: { deleted: false } }],
		[false, { body: { deleted: 'false' } }],
		[false, { body: { status: 'SUCCESS', deleted: 0 } }],
		[false, { body: { deletedCount: 0 } }],
		[false, { body: { affected: 0 } }],
		[false, { body: { affectedRows: '0' } }],
		[false, { body: { deleted: [] } }],
		[false, { body: { data: { deleted: false } } }],
		[null, { body: { status: 'PENDING' } }],
		[null, { status: 202, body: { status: 'QUEUED' } }],
		[null, { status: 202 }],
		[null, { body: { state: 'scheduled' } }],
		[null, { body: { status: 'SUCCESS', code: 1 } }],
		[null, { body: { message: 'Your request could not be handled at once' } }],
		[true, { body: { status: 'SUCCESS', note: 'Number 5 was kept' } }],
	])('%j: %j', async (deleted, next) => {
		const { json, hint } = await run(remove, next);
		expect(json.deleted).toBe(deleted);
		expect(hint).toMatch(/^The response also has: .*Check on the provider's side what was done/);
	});

	test.each<Given>([
		{},
		{ status: 204 },
		{ body: {} },
		{ body: [] },
		{ body: 'null' },
		{ body: { status: 'SUCCESS' } },
		{ body: { status: 'ok', message: null, errors: [] } },
		{ body: { deleted: true } },
		{ body: { deleted: 1 } },
		{ body: { deletedCount: 1, requestId: 'x-1' } },
		{ body: { status: 'deleted', addressId: 7 } },
		{ body: { code: 0, message: 'OK' } },
		{ body: { data: { success: true, error: null } } },
	])('quiet: %j', async (next) => {
		expect(await run(remove, next)).toEqual({ json: { deleted: true }, hint: '' });
	});
});

test.each<[string, IDataObject, Given, string]>([
	['a verification', verify, { body: { requested: false } }, 'requested: false'],
	['a verification', verify, { status: 202, body: { status: 'QUEUED' } }, 'status: QUEUED'],
	['a link', link, { body: { linked: 1, skipped: [2] } }, 'linked: 1; skipped: [2]'],
	['a link', link, { body: { status: 'SUCCESS', linked: [1] } }, 'linked: [1]'],
	['a link', link, { body: { status: 'SUCCESS', linkedCount: '1' } }, 'linkedCount: 1'],
	[
		'a link',
		link,
		{ body: { status: 'NUMBERS_UNLINKED_AND_BLOCKED' } },
		'NUMBERS_UNLINKED_AND_BLOCKED',
	],
	['an unlink', unlink, { body: { notUnlinked: [2] } }, 'notUnlinked: [2]'],
	['an unlink', unlink, { body: { unlinked: 1 } }, 'unlinked: 1'],
	['an unlink', unlink, { body: { status: 'SUCCESS', didIds: ['1'] } }, 'didIds: ["1"]'],
	[
		'an upload',
		{ resource: 'address', operation: 'uploadProof', addressId: '7' },
		{ body: { status: 'SCANNING' } },
		'status: SCANNING',
	],
	[
		'a product',
		{ resource: 'cart', operation: 'addProduct', cartIdentifier: '7', didGroupId: '1' },
		{ body: { status: 'SUCCESS', quantityAdded: 1 } },
		'quantityAdded: 1',
	],
])(
	'%s: what is not understood is output and shown (%#)',
	async (_what, parameters, next, shown) => {
		const { json, hint } = await run(parameters, next);
		expect(json).toMatchObject(typeof next.body === 'object' ? (next.body as object) : {});
		expect(hint).toContain(`${shown}`);
		expect(hint).toMatch(/Check on the provider's side what was done/);
	},
);

test.each<[string, IDataObject, Given]>([
	['link', link, { body: { status: 'NUMBERS_LINKED_AND_UNBLOCKED' } }],
	['link', link, { body: { status: 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION' } }],
	['link', link, { body: { linked: true } }],
	['link', link, { body: { linked: 2, skipped: [] } }],
	['link', link, { body: { linked: ['2', '1'], didIds: [1, 2] } }],
	['unlink', unlink, { body: { status: 'NUMBERS_UNLINKED_AND_BLOCKED', unlinkedCount: 2 } }],
	['verification', verify, { body: { status: 'VERIFICATION_REQUESTED' } }],
	['verification', verify, { body: { requested: true } }],
	[
		'a cart',
		{ resource: 'cart', operation: 'create' },
		{
			body: {
				cart: {
					cartIdentifier: 5,
					customerReference: 'Mine',
					description: 'New',
					dateAdded: '2026-01-01',
					orderProducts: [],
				},
			},
		},
	],
	[
		'an address',
		companyForm,
		{ body: { addressId: 7, status: 'NOT_VERIFIED', city: 'Ghent', linked: false } },
	],
])('quiet: %s (%#)', async (_what, parameters, next) => {
	expect((await run(parameters, next)).hint).toBe('');
});

const cart = { resource: 'cart', operation: 'create' };
const upload = { resource: 'address', operation: 'uploadProof', addressId: '7' };
const add = {
	resource: 'cart',
	operation: 'addProduct',
	cartIdentifier: '7',
	productType: 'didCartItem',
	didGroupId: '6001',
};

test.each<[string, IDataObject, unknown]>([
	['a link', link, [{ status: 'NUMBERS_LINKED_AND_UNBLOCKED' }]],
	['an unlink', unlink, { data: { status: 'NUMBERS_UNLINKED_AND_BLOCKED' } }],
	['a product', add, { result: [{ status: 'SUCCESS' }] }],
])('%s: what only wraps the response is not output', async (_what, parameters, body) => {
	const { json } = await run(parameters, { body });
	expect(json).toMatchObject({ status: expect.any(String) });
	for (const name of ['data', 'result']) expect(json).not.toHaveProperty(name);
});

test.each(['status', 'msg', 'header'])('%s of a response is output', async (name) => {
	const said = { [name]: { code: 0 } };
	expect((await run(link, { body: said })).json).toMatchObject(said);
});

test.each<[string, IDataObject]>([
	['a verification', verify],
	['a deletion', remove],
	['an upload', upload],
	['an address', companyForm],
	['a cart', cart],
])(
	'%s: an error beside an identifier is an error, that of the request or not',
	async (_what, parameters) => {
		for (const id of ['id', 'addressId', 'cartIdentifier'])
			for (const status of ['ERROR', 'FAILED', 500])
				await expect(
					run(parameters, { body: { [id]: 'a-7', status, message: 'It is locked' } }),
				).rejects.toThrow('It is locked');
	},
);

/** `PARTIAL` or `WARNING`, with the reasons in the documented form. */
const inPart = (status: string, apiModule: string, apiErrorMessage: string, more = {}) => ({
	status,
	apiModule,
	errors: [{ apiErrorCode: '516', apiErrorMessage }],
	...more,
});

test.each<[string, IDataObject, IDataObject, IDataObject]>([
	['a product', add, inPart('PARTIAL', 'ORDERING', 'Only 3'), { cartIdentifier: '7' }],
	['an unlink', unlink, inPart('PARTIAL', 'REGULATION', 'DID 2'), { didIds: ['1', '2'] }],
	['a link', link, inPart('PARTIAL', 'REGULATION', 'DID 2'), { didIds: ['1', '2'] }],
	[
		'an address',
		companyForm,
		inPart('WARNING', 'REGULATION', 'Unreadable', { addressId: 123 }),
		{ addressId: '123' },
	],
	[
		'a cart',
		cart,
		inPart('WARNING', 'ORDERING', 'Too long', { cart: { cartIdentifier: 5 } }),
		{ cartIdentifier: '5' },
	],
])('%s that is done in part is output, with the errors as its reasons', async (...row) => {
	const [, parameters, body, known] = row;
	const { json, hint } = await run(parameters, { body });
	expect(json).toMatchObject(known);
	const [{ apiErrorMessage }] = body.errors as [IDataObject];
	expect(hint).toContain(
		`The provider responded with ${String(body.status)}: ${String(apiErrorMessage)}.`,
	);
	expect(hint).toMatch(/Check on the provider's side what was done/);
});

test.each<[string, IDataObject, IDataObject, string]>([
	['an address', companyForm, { addressId: 123 }, 'addressId 123'],
	['a cart', cart, { cart: { cartIdentifier: 5 } }, 'cartIdentifier 5'],
])('%s that was created in spite of an error is named', async (_what, parameters, made, named) => {
	given = { body: { ...made, errors: [{ apiErrorMessage: 'Not readable' }] } };
	const items = [{ json: { addressId: '999', cartIdentifier: '999' } }];
	const credentials = credentialsAt(server.url);
	const { items: out } = await runNode({ credentials, parameters, items, continueOnFail: true });
	const { json } = nth(out, 0);
	expect(json.error).toBe('Not readable: the change may have been made');
	expect(json.description).toMatch(/Check on the provider's side whether .* before you run this/);
	expect(json.description).toContain(`The response has ${named}.`);
	// That of the input is another one.
	expect(json[named.split(' ')[0]!]).toBeUndefined();
});

test.each<[string, IDataObject, string, IDataObject]>([
	['an address', companyForm, '/vbapi/v1/regulation/address/77', { addressId: '77' }],
	['a cart', cart, '/vbapi/v1/ordering/cart/77', { cartIdentifier: '77' }],
])('%s whose identifier is in the header alone', async (_what, parameters, location, known) => {
	for (const body of [undefined, {}, { status: 'SUCCESS' }]) {
		const { json, hint } = await run(parameters, { status: 201, headers: { location }, body });
		expect(json).toMatchObject(known);
		expect(hint).toBe('');
	}
});

test.each<[string, IDataObject, IDataObject, IDataObject]>([
	['a verification', verify, { addressId: null }, { addressId: '7' }],
	['an upload', upload, { addressId: '' }, { addressId: '7' }],
	['a link', link, { addressId: null, didIds: null }, { addressId: '7', didIds: ['1', '2'] }],
	['an unlink', unlink, { didIds: null }, { didIds: ['1', '2'] }],
	['a product', add, { cartIdentifier: null }, { cartIdentifier: '7' }],
	['an address', companyForm, { addressId: null, id: 8 }, { addressId: '8' }],
	['a cart', cart, { cartIdentifier: null, cartId: 8 }, { cartIdentifier: '8' }],
])(
	'%s: a response without an identifier takes none away',
	async (_what, parameters, body, known) => {
		const { json } = await run(parameters, { body: { status: 'SUCCESS', ...body } });
		expect(json).toMatchObject(known);
	},
);

test.each([302, 303])('a change that is answered with a %d may have been made', async (status) => {
	const headers = { location: '/done' };
	await expect(run(remove, { status, headers })).rejects.toThrow('may have been made');
	await expect(
		run(remove, { status: 307, headers: { location: 'https://example.com/' } }),
	).rejects.toThrow(/another page \(example\.com\/\)$/);
});

const writes = operations.filter(
	({ name, changes, resource }) => changes && resource !== 'session' && name !== 'cart/checkout',
);

describe.each(writes)('$name', ({ parameters }) => {
	/** An error, or a hint. */
	const seen = async (next: Given) =>
		await run(parameters(knownAs('7')), next).then(
			({ hint }) => hint,
			({ message, description }: NodeApiError) => `${message} ${description ?? ''}`,
		);

	test.each<IDataObject>([
		{ status: -1 },
		{ status: 0 },
		{ success: 0 },
		{ code: 7 },
		{ code: 1 },
		{ status: 'SUCCESS', returnCode: 1000 },
		{ status: 'SUCCESS', problems: ['x'] },
		{ status: 'SUCCESS', errors: [{ id: 5 }] },
		{ status: 'SUCCESS', done: false },
		{ status: 'SUCCESS', result: { status: 'HELD' } },
		{ status: 'PENDING' },
		{ etat: 'en attente' },
		{ anything: 'else' },
		{ ignored: [1] },
	])('%j is never silent', async (body) => {
		expect(await seen({ body })).not.toBe('');
	});

	test.each<[string, Buffer, Record<string, string>]>([
		[
			'of which only the header came',
			gzipSync('{"status":"ERROR","message":"No"}').subarray(0, 10),
			{ 'content-encoding': 'gzip', 'content-type': 'application/json' },
		],
		[
			'of a known length',
			gzipSync('{"status":"ERROR","message":"No"}').subarray(0, 14),
			{ 'content-encoding': 'gzip', 'content-length': '14' },
		],
	])('a truncated gzip (%s) may have been done', async (_what, body, headers) => {
		expect(await seen({ body, headers })).toMatch(/may have been made/);
		expect(nth(server.asked, 0).headers['accept-encoding']).toBe('identity');
	});
});
