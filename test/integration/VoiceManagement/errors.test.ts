/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What a user sees if something goes wrong: the provider's own reason, its source and what to do, on the right item.

import { inspect } from 'node:util';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { startProvider, type Fault, type Provider } from '../../../simulator';
import { companyForm, itemWithFile } from './forms';
import { credentialsFor, runNode, type RunOptions } from './harness';
import { firstOf, nth } from '../../support/present';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const run = async (parameters: RunOptions['parameters'], options: Partial<RunOptions> = {}) =>
	await runNode({ credentials: credentialsFor(provider), parameters, ...options });

/** The error that a run ends with. */
const failure = async (parameters: RunOptions['parameters'], options: Partial<RunOptions> = {}) => {
	try {
		await run(parameters, options);
	} catch (error) {
		return error as NodeApiError;
	}
	throw new Error('The run did not fail');
};

const getAddress = { resource: 'address', operation: 'get', addressId: '1' };
const deleteAddress = { resource: 'address', operation: 'delete', addressId: '1' };
const listAddresses = { resource: 'address', operation: 'getAll' };

const newAddress = async () => nth((await run(companyForm)).items, 0).json.addressId as number;

const didsOf = (didGroupId: number) =>
	provider.control
		.numbers()
		.dids.filter((did) => did.didGroupId === didGroupId)
		.map(({ didId }) => didId);

describe("the provider's reason is the message, with a next step if the user can act on it", () => {
	test('508: an address with linked numbers cannot be deleted', async () => {
		const addressId = await newAddress();
		provider.control.reviewAddress(addressId, 'VERIFIED');
		await run({ resource: 'address', operation: 'link', addressId, didIds: didsOf(6003)[0] });
		const error = await failure({ ...deleteAddress, addressId });
		expect(error.message).toMatch(/linked/i);
		expect(error.description).toMatch(/^REGULATION, code 508, HTTP 400\. .*unlink/i);
		expect(error.httpCode).toBe('400');
	});

	test('513: numbers of two groups', async () => {
		const addressId = await newAddress();
		provider.control.reviewAddress(addressId, 'VERIFIED');
		const didIds = [didsOf(6003)[0], didsOf(6001)[0]] as never;
		const error = await failure({ resource: 'address', operation: 'link', addressId, didIds });
		expect(error.message).toBe('All DIDs must be of one DID group');
		expect(error.description).toContain('one DID group at a time');
	});

	test('516: an unknown DID', async () => {
		const addressId = await newAddress();
		const error = await failure({
			resource: 'address',
			operation: 'link',
			addressId,
			didIds: '77',
		});
		expect(error.description).toMatch(/code 516.*not the phone numbers/);
	});

	test('518: verification requested twice', async () => {
		const addressId = await newAddress();
		await run(
			{ resource: 'address', operation: 'uploadProof', addressId },
			{ items: [itemWithFile()] },
		);
		const request = { resource: 'address', operation: 'requestVerification', addressId };
		await run(request);
		expect((await failure(request)).description).toMatch(/code 51[28].*status/);
	});

	test.each([
		['403', { didGroupId: '1' }],
		['404', { didGroupId: '6006' }],
		['407', { productType: 'creditPackageCartItem', creditPackageId: '99' }],
	])('%s: a product that cannot be ordered', async (code, product) => {
		const { items } = await run({ resource: 'cart', operation: 'create' });
		const { cartIdentifier } = nth(items, 0).json;
		const error = await failure({
			resource: 'cart',
			operation: 'addProduct',
			cartIdentifier,
			productType: 'didCartItem',
			...product,
		});
		expect(error.description).toMatch(new RegExp(`^ORDERING, code ${code}, HTTP 400\\. \\w`));
	});

	test.each<[string, string, string | undefined, RegExp]>([
		['512', 'Verification pending', 'REGULATION', /pending\. Wait/],
		['16', 'Required element "x" is missing', 'COMMON', /Custom Fields/],
		['500', 'Field "x" is missing', 'REGULATION', /Custom Fields/],
		['406', 'Quantity must be a multiple', 'ORDERING', /multiple of ten/],
		['508', 'Linked', undefined, /^Code 508, HTTP 400\.? ?<a/],
		['429', 'Slow down', undefined, /Too many requests/],
	])('code %s', async (code, message, apiModule, step) => {
		const status = code === '429' ? 429 : 400;
		provider.control.fault({
			status,
			body: {
				httpStatusCode: status,
				...(apiModule ? { apiModule } : {}),
				errors: [{ apiErrorCode: code, apiErrorMessage: message }],
			},
		});
		const error = await failure(deleteAddress);
		expect(error.message).toBe(message);
		expect(error.description).toMatch(step);
	});
});

describe('every form of an error', () => {
	const page = (inner: string) => `<!DOCTYPE html><html>${inner}</html>`;
	const given = (status: number, body?: unknown): Fault => ({ status, body });
	const other = { err_code: 'INVALID_VARS', err_msg: 'No such thing' };
	const xml = '<?xml version="1.0"?><e><apiErrorMessage>In XML</apiErrorMessage></e>';
	const twice = [
		{ apiErrorCode: '500', apiErrorMessage: 'City is missing' },
		{ apiErrorCode: '501', apiErrorMessage: 'Street is too long' },
	];
	const own = [{ apiErrorCode: '507', apiErrorMessage: 'Not yours' }];
	const elsewhere = { location: 'https://login.example.com/sso?ticket=s3cret' };

	test.each<[fault: Fault, message: RegExp, description: RegExp]>([
		[
			given(400, { apiModule: 'REGULATION', errors: twice }),
			/^City is missing; Street is too long$/,
			/^REGULATION, code 500, HTTP 400/,
		],
		[given(400, {}), /HTTP status 400/, /^HTTP 400/],
		[
			given(500, { genericErrorMessage: 'Internal trouble' }),
			/^Internal trouble$/,
			/HTTP 500.*later/,
		],
		[given(400, { errors: [{ apiErrorCode: 17 }] }), /code 17/, /Code 17, HTTP 400/],
		[given(400, { status: 400, ...other }), /^No such thing$/, /Code INVALID_VARS, HTTP 400/],
		[given(200, { status: 403, ...other }), /^No such thing$/, /Code INVALID_VARS, HTTP 403/],
		[
			given(200, { errors: own, apiModule: 'REGULATION' }),
			/^Not yours$/,
			/REGULATION, code 507, HTTP 200/,
		],
		[
			given(502, page('<head><title>502 Bad Gateway</title></head>')),
			/^The response is a web page \("502 Bad Gateway"\) instead of data$/,
			/HTTP 502/,
		],
		[given(200, page('Sign in')), /web page instead of data/, /HTTP 200.*"Base URL"/],
		[given(503, 'upstream\n  is   away'), /^upstream is away$/, /HTTP 503/],
		[given(500), /^The provider responded with HTTP status 500$/, /HTTP 500/],
		[given(200), /^The response is empty$/, /HTTP 200/],
		[given(200, 'hello'), /not a JSON object: hello/, /HTTP 200/],
		[
			{ ...given(302, '<html></html>'), headers: elsewhere },
			/^The request was redirected to another page \(login\.example\.com\/sso\)$/,
			/HTTP 302.*"Base URL"/,
		],
		[
			{ ...given(400, xml), headers: { 'content-type': 'application/xml' } },
			/^In XML$/,
			/HTTP 400/,
		],
		[given(400, 42), /^42$/, /HTTP 400/],
	])('%j', async (fault, message, description) => {
		provider.control.fault(fault);
		const error = await failure(getAddress);
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(description);
		expect(error.description).toContain(`HTTP ${error.httpCode}`);
		expect(provider.control.requests()).toHaveLength(1);
	});

	test.each(['"text"', '7', 'null'])('JSON that is not an object: %s', async (body) => {
		provider.control.fault({ status: 200, body, times: 2 });
		expect((await failure(listAddresses)).message).toBe(
			`The response is not a JSON object: ${body}`,
		);
	});

	test.each<[string, IDataObject]>([
		['address: delete', deleteAddress],
		['address: unlink', { resource: 'address', operation: 'unlink', didIds: '1' }],
		[
			'cart: addProduct',
			{ resource: 'cart', operation: 'addProduct', cartIdentifier: '1', didGroupId: '1' },
		],
	])('a 200 with the status ERROR is not a success of %s', async (_operation, parameters) => {
		provider.control.fault({
			status: 200,
			body: { status: 'ERROR', message: 'Half of it failed' },
		});
		expect(await failure(parameters)).toMatchObject({
			message: 'Half of it failed',
			description: expect.stringMatching(/^Status ERROR, HTTP 200/),
		});
		provider.control.fault({ status: 200, body: { status: 'ERROR' } });
		expect((await failure(parameters)).message).toBe(
			'The provider reported an error without a reason',
		);
	});

	test.each(['WARNING', 'PARTIAL'])(
		'a 200 with the status %s is data with a hint',
		async (status) => {
			provider.control.fault({ status: 200, body: { status, message: 'Mind the gap' } });
			const { items, hints } = await run({ resource: 'address', operation: 'unlink', didIds: '1' });
			expect(nth(items, 0).json).toEqual({ didIds: ['1'], status, message: 'Mind the gap' });
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringContaining(
					`The provider responded with ${status}: Mind the gap. <a href="https:`,
				),
			]);
		},
	);

	test('messages of the provider that look like network errors stay unchanged', async () => {
		provider.control.fault({
			status: 400,
			body: { errors: [{ apiErrorMessage: 'EPERM: ECONNRESET of number' }] },
		});
		expect((await failure(getAddress)).message).toBe('EPERM: ECONNRESET of number');
	});

	test('an empty response to a write is a success', async () => {
		provider.control.fault({ status: 204 });
		const { items } = await run({ resource: 'address', operation: 'unlink', didIds: '1' });
		expect(nth(items, 0).json).toEqual({ didIds: ['1'], success: true });
		provider.control.fault({ status: 204 });
		expect(nth((await run(deleteAddress)).items, 0).json).toEqual({ deleted: true });
	});
});

test('a wrong login names the credential', async () => {
	const credentials = credentialsFor(provider);
	credentials.voiceManagementApi = { ...credentials.voiceManagementApi, password: 'wrong' };
	const error = await failure(listAddresses, { credentials });
	expect(error.message).toBe('Login or password is wrong');
	expect(error.description).toMatch(
		/HTTP 401.*"Login" and "Password" in the credential.*number management login/,
	);
	expect(provider.control.requests()).toHaveLength(1);
});

test('a rejected supervisor login shows the reason; a response without a token does not count as a login', async () => {
	const getInfo = { resource: 'session', operation: 'getInfo' };
	const credentials = credentialsFor(provider);
	credentials.voiceManagementSupervisorApi = {
		...credentials.voiceManagementSupervisorApi,
		password: 'x',
	};
	const refused = await failure(getInfo, { credentials });
	expect(refused.message).toBe('Login or password is wrong');
	expect(refused.description).toMatch(/HTTP 401\. .*supervisor-type login.*"Account Type Key"/);
	for (const body of [{}, { id_session: '' }, { id_session: null, message: 'No seat left' }]) {
		provider.control.fault({ path: '/ws/', status: 200, body });
		const error = await failure(getInfo);
		expect(error.message).toMatch(/no session token|No seat left/);
		expect(error.description).toMatch(
			/^HTTP 200\. Check "Login" and "Password".*supervisor-type login/,
		);
	}
});

describe('Get Info for many items', () => {
	const getInfo = { resource: 'session', operation: 'getInfo' };
	const items = Array.from({ length: 20 }, (_, n) => ({ json: { n } }));

	test('logs in once: a provider may end the session before', async () => {
		const { items: out } = await run(getInfo, { items });
		expect(out.map(({ json }) => json.target)).toEqual(items.map(() => expect.any(String)));
		expect(provider.control.requests()).toHaveLength(1);
	});

	test.each([401, 200])(
		'sends a login that is refused with %i once in each spelling',
		async (status) => {
			const body = { message: 'Wrong password' };
			provider.control.fault({ path: '/ws/', status, body, times: 100 });
			const { items: out } = await run(getInfo, { items, continueOnFail: true });
			expect(provider.control.requests().length).toBeLessThanOrEqual(2);
			expect(out.map(({ json }) => json.error)).toEqual([
				'Wrong password',
				...items.slice(1).map(() => 'Not sent, since the login was refused: Wrong password'),
			]);
		},
	);

	test('sends it again after a login that failed in passing', async () => {
		provider.control.fault({ path: '/ws/', status: 503, body: { message: 'Busy' } });
		const { items: out } = await run(getInfo, { items, continueOnFail: true });
		expect(out.filter(({ json }) => json.error !== undefined)).toHaveLength(1);
		expect(provider.control.requests()).toHaveLength(2);
	});
});

test.each<[string, unknown]>([
	[
		'nested',
		{
			data: { id_session: 'tok-s3cret', target: 1, ops: [{ id: 1, session_token: 'tok-s3cret' }] },
		},
	],
	['in a list', [{ id_session: 'tok-s3cret', groupes: [{ id: 2, note: 'for tok-s3cret' }] }]],
	[
		'in a rejection',
		['x', { id_session: 'tok-s3cret', status: 'ERROR', message: 'tok-s3cret ended' }],
	],
])('Get Info outputs no token that is %s', async (_where, body) => {
	provider.control.fault({ path: '/ws/', status: 200, body: body });
	const getInfo = { resource: 'session', operation: 'getInfo' };
	const { items } = await run(getInfo, { continueOnFail: true });
	expect(JSON.stringify(items)).not.toContain('s3cret');
	expect(JSON.stringify(nth(items, 0).json)).toMatch(/ops|groupes|error/);
});

test('a login is read up to one megabyte, any other response up to four', async () => {
	const getInfo = { resource: 'session', operation: 'getInfo' };
	const pad = 'x'.repeat(1_000_000);
	provider.control.fault({ path: '/ws/', status: 200, body: { id_session: 'a', pad } });
	expect((await failure(getInfo)).message).toMatch(/larger than 1 MB/);
	provider.control.fault({ path: '/vbapi/', status: 200, body: { addressId: 1, pad } });
	expect(nth((await run(getAddress)).items, 0).json.addressId).toBe('1');
});

describe('get of an unknown address is an error', () => {
	test.each(['error', 'emptyList'] as const)('reported as %s', async (unknownAddress) => {
		provider.control.behave({ unknownAddress });
		const error = await failure({ ...getAddress, addressId: '999' });
		expect(error.message).toMatch(/address/);
		expect(error.description).toMatch(/REGULATION.*check "Address"/i);
	});

	test('a response without any of the known keys as well', async () => {
		provider.control.fault({ status: 200, body: { something: 'else' } });
		expect((await failure(getAddress)).message).toBe(
			"The provider's response has no address, but { something: text }",
		);
	});

	test('a bare address is understood', async () => {
		provider.control.fault({ status: 200, body: { addressId: '7', city: 'Oslo' } });
		expect(nth((await run(getAddress)).items, 0).json).toEqual({ addressId: '7', city: 'Oslo' });
	});
});

describe('no answer', () => {
	test('nobody listens', async () => {
		await provider.control.goAway();
		const error = await failure(deleteAddress);
		expect(error.message).toMatch(
			new RegExp(`^127\\.0\\.0\\.1:${provider.port} refused the connection`),
		);
		expect(error.description).toMatch(/^Nothing was changed\. Check "Base URL"/);
	});

	test('a write whose response was lost reports that the change may have been made', async () => {
		provider.control.fault({ processed: true, destroy: true });
		const error = await failure(deleteAddress);
		expect(error.message).toMatch(
			/closed the connection before it responded \(ECONNRESET\): the change may have been made/,
		);
		expect(error.context).toMatchObject({ code: 'ECONNRESET', itemIndex: 0 });
		expect(provider.control.requests()).toHaveLength(1);
	});

	test('a read whose response was lost changed nothing', async () => {
		provider.control.fault({ destroy: true });
		expect((await failure(listAddresses)).description).toMatch(/^Check "Base URL"/);
		expect(provider.control.requests()).toHaveLength(1);
	});
});

describe('bad host addresses', () => {
	test.each([
		['', '"Base URL" in the credential is empty'],
		['https://user:pass@api.example.com', '"Base URL" in the credential contains more than a host'],
	])('%j', async (baseUrl, message) => {
		const credentials = credentialsFor(provider);
		credentials.voiceManagementApi = { ...credentials.voiceManagementApi, baseUrl };
		const error = await failure(listAddresses, { credentials });
		expect(error.message).toBe(message);
		expect(inspect(error, { depth: 10 })).not.toContain('user:pass');
	});

	test('trailing slashes, spaces and a leading path are accepted', async () => {
		const credentials = credentialsFor(provider);
		credentials.voiceManagementApi = {
			...credentials.voiceManagementApi,
			baseUrl: ` ${provider.url}/proxy// `,
		};
		await failure(listAddresses, { credentials });
		expect(nth(provider.control.requests(), 0).path).toBe('/proxy/vbapi/v1/regulation/address');
	});
});

describe('items', () => {
	const three: IDataObject[] = [
		{ resource: 'zipcode', operation: 'getAll', countryCodeA3: 'BEL' },
		{ resource: 'address', operation: 'get', addressId: '999' },
		{ resource: 'address', operation: 'unlink', didIds: '' },
	];
	const items = [{ json: {} }, { json: {} }, { json: {} }];

	test('an error knows its item', async () => {
		expect((await failure(three, { items })).context.itemIndex).toBe(1);
		const [first, , third] = firstOf(three, 3);
		expect((await failure([first, first, third], { items })).context.itemIndex).toBe(2);
	});

	test('"Continue on fail" outputs error, statusCode and description for the failed items and continues', async () => {
		const { items: out } = await run(three, { items, continueOnFail: true });
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 0 },
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(nth(out, 3).json).toEqual({
			error: 'The address id is invalid or not owned by this account',
			statusCode: 400,
			description: expect.stringMatching(/^REGULATION, code 507, HTTP 400\. /),
		});
		expect(nth(out, 4).json).toEqual({
			error: '"DID IDs" is empty',
			statusCode: undefined,
			description: expect.stringContaining('at least one DID identifier'),
		});
		// n8n replaces the fields of an item that has an `error` with its message.
		expect(out.filter(({ error }) => error)).toEqual([]);
	});

	test('a failed item keeps its input fields', async () => {
		const named = [{ json: { row: 1 } }, { json: { row: 2 } }];
		const { items: out } = await run(
			{ resource: 'address', operation: 'get', addressId: '999' },
			{ items: named, continueOnFail: true },
		);
		expect(out.map(({ json }) => json)).toEqual([
			{ row: 1, error: expect.any(String), statusCode: 400, description: expect.any(String) },
			{ row: 2, error: expect.any(String), statusCode: 400, description: expect.any(String) },
		]);
	});

	test('an operation that does not exist', async () => {
		const error = await failure({ resource: 'cart', operation: 'explode' });
		expect(error.message).toBe('There is no operation "explode" for "cart"');
	});
});
