// The provider decides: values that only break third-party rules are sent, and the rule is shown beside the result or
// the rejection. Values are sent as the provider and the user write them.

import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { answerWith, type AnswerServer, type Given } from '../../support/answers';
import { companyForm, itemWithFile } from './forms';
import { credentialsAt } from '../../support/credentials';
import { runNode, type RunOptions } from './harness';
import { nth } from '../../support/present';

let provider: AnswerServer;
let answer: (request: AnswerServer['asked'][number]) => Given;

beforeEach(async () => {
	answer = () => ({ body: { status: 'SUCCESS' } });
	provider = await answerWith((request) => answer(request));
});

afterEach(async () => await provider.close());

const credentials = () => credentialsAt(provider.url);

const run = async (parameters: IDataObject, options: Partial<RunOptions> = {}) => {
	const { items, hints } = await runNode({ credentials: credentials(), parameters, ...options });
	return { json: items.map(({ json }) => json), hints: hints.map(({ message }) => message) };
};

const sentJson = () => JSON.parse(provider.asked.at(-1)!.body) as IDataObject;

/** The JSON part of a multipart body. */
const sentAddress = () =>
	JSON.parse(nth(/\r\n\r\n(\{.*?\})\r\n--/s.exec(provider.asked.at(-1)!.body)!, 1)) as IDataObject;

const refusal: Given = {
	status: 400,
	body: { apiModule: 'REGULATION', errors: [{ apiErrorCode: '599', apiErrorMessage: 'Not so' }] },
};

const addProduct = { resource: 'cart', operation: 'addProduct', cartIdentifier: '7' };
const NOT_WHOLE = '"Quantity" is not a whole number above zero';
const addNumbers = { ...addProduct, productType: 'didCartItem' };
const addChannels = { ...addProduct, productType: 'capacityCartItem' };
const checkout = {
	resource: 'cart',
	operation: 'checkout',
	cartIdentifier: '5',
	confirmPurchase: true,
};
const link = { resource: 'address', operation: 'link', addressId: '7' };

describe('third-party rules alone prevent nothing', () => {
	const cases: Array<[string, IDataObject, RegExp]> = [
		[
			'no identity document for France',
			{ ...companyForm, countryCodeA3: 'FRA', destinationCountryCodeA3: 'FRA' },
			/geographic numbers in France, .*"Identity Document"/,
		],
		[
			'an address of another country',
			{ ...companyForm, destinationCountryCodeA3: 'NLD' },
			/"Destination Country" is NLD/,
		],
		[
			'a telephone number in the national form',
			{ ...companyForm, additionalFields: { phoneNumber: '04 234 56 78' } },
			/"Phone Number" is "04 234 56 78"/,
		],
		[
			'an unknown salutation',
			{ ...companyForm, salutation: 'DR', firstName: 'A' },
			/"Salutation" is "DR"/,
		],
		['DID IDs with letters', { ...link, didIds: 'did-a, did-b' }, /"DID IDs" contains "did-a"/],
		[
			'telephone numbers as DID IDs',
			{ resource: 'address', operation: 'unlink', didIds: ['+33123'] },
			/"DID IDs"/,
		],
		[
			'channels that are not in tens',
			{ ...addChannels, zone: 'A', quantity: 15 },
			/"Quantity" is 15: .*multiples of 10/,
		],
	];

	test.each(cases)('%s: sent, with a hint beside the success', async (_what, parameters, doubt) => {
		const { hints } = await run(parameters);
		expect(provider.asked).toHaveLength(1);
		expect(hints.join('\n')).toMatch(doubt);
	});

	test.each(cases)(
		'%s: the rule is shown beside the rejection',
		async (_what, parameters, doubt) => {
			answer = () => refusal;
			await expect(run(parameters)).rejects.toMatchObject({
				message: 'Not so',
				description: expect.stringMatching(
					new RegExp(`^REGULATION, code 599, HTTP 400\\. .*${doubt.source}`),
				),
			});
		},
	);

	test.each<[string, IDataObject]>([
		['channels in tens', { productType: 'capacityCartItem', zone: 'A', quantity: 20 }],
		['any number of a group', { productType: 'didCartItem', didGroupId: '1', quantity: 15 }],
	])('%s: no doubt', async (_what, product) => {
		expect((await run({ ...addProduct, ...product })).hints).toEqual([]);
	});

	test('a token for a host name can be requested', async () => {
		answer = () => ({ body: { id_session: 's' } });
		const named = credentials();
		named.voiceManagementApi.ip = 'n8n.example.com';
		const createToken = { resource: 'session', operation: 'createToken' };
		await run(createToken, { credentials: named });
		expect(sentJson()).toEqual({ ip: 'n8n.example.com', user_type: 'api' });
		answer = () => refusal;
		await expect(run(createToken, { credentials: named })).rejects.toMatchObject({
			description: expect.stringContaining('"Machine IP Address"'),
		});
	});

	test.each([
		['a wrong login', 401],
		["a provider's fault", 500],
	])('%s is not explained by the form', async (_what, status) => {
		answer = () => ({ status, body: { message: 'Who?' } });
		await expect(run({ ...link, didIds: 'did-a' })).rejects.toMatchObject({
			description: expect.not.stringContaining('DID IDs'),
		});
	});
});

describe('custom fields replace any field, including required ones', () => {
	const customFields = (fields: IDataObject) => ({
		options: { customFields: JSON.stringify(fields) },
	});

	test.each<[string, IDataObject, IDataObject]>([
		[
			'a city',
			{ ...companyForm, city: '', ...customFields({ city: 'Lüttich' }) },
			{ city: 'Lüttich' },
		],
		['DID IDs', { ...link, didIds: '', ...customFields({ didIds: 'all' }) }, { didIds: 'all' }],
		[
			'a group and its quantity',
			{
				...addNumbers,
				didGroupId: '',
				quantity: 0,
				...customFields({ didCartItem: { didGroupId: 'G', quantity: 0.5 } }),
			},
			{ didCartItem: { didGroupId: 'G', quantity: 0.5 } },
		],
		[
			'the numbers',
			{
				...addProduct,
				productType: 'phoneNumbers',
				phoneNumbers: '',
				...customFields({ phoneNumbers: [] }),
			},
			{ phoneNumbers: [] },
		],
		[
			'another product',
			{ ...addNumbers, ...customFields({ didCartItem: null, sms: { quantity: 1 } }) },
			{ sms: { quantity: 1 } },
		],
	])('%s', async (_what, parameters, body) => {
		await run(parameters);
		const sent = parameters.operation === 'create' ? sentAddress() : sentJson();
		expect(sent).toMatchObject(body);
	});

	test('an IP address', async () => {
		answer = () => ({ body: { id_session: 's' } });
		await run({
			resource: 'session',
			operation: 'createToken',
			...customFields({ ip: ['192.0.2.1'] }),
		});
		expect(sentJson()).toEqual({ ip: ['192.0.2.1'], user_type: 'api' });
	});

	test('they change the body and nothing else', async () => {
		const fields = {
			method: 'DELETE',
			path: '/x',
			url: 'http://127.0.0.1:1/',
			headers: { Authorization: 'x', 'X-Evil': '1' },
			qs: { a: 1 },
			auth: { username: 'x' },
			effect: 'read',
			timeout: 1,
		};
		await run({ ...link, didIds: '1', ...customFields(fields) });
		const { method, url, headers, body } = nth(provider.asked, 0);
		expect([method, url]).toEqual(['POST', '/vbapi/v1/regulation/address/7/link']);
		expect(headers).not.toHaveProperty('x-evil');
		expect(headers.authorization).toMatch(/^Basic /);
		expect(JSON.parse(body)).toEqual({ didIds: [1], ...fields });
	});

	test.each<[string, IDataObject, string]>([
		['a company', { ...companyForm, companyName: ' ' }, '"Company Name" is empty'],
		['DID IDs', { ...link, didIds: ' , ' }, '"DID IDs" is empty'],
		['a group', { ...addNumbers, didGroupId: '' }, '"DID Group ID" is empty'],
		['a zone', { ...addChannels, zone: '' }, '"Zone" is empty'],
		[
			'the cart of a product',
			{ ...addProduct, cartIdentifier: ' ', didGroupId: '1' },
			'"Cart Identifier" is empty',
		],
		['the cart to buy', { ...checkout, cartIdentifier: '' }, '"Cart Identifier" is empty'],
		['numbers', { ...addProduct, productType: 'phoneNumbers' }, '"Phone Numbers" is empty'],
		['no quantity', { ...addNumbers, didGroupId: '1', quantity: 0 }, NOT_WHOLE],
		['a number with a separator', { ...addNumbers, didGroupId: '1', quantity: '1.000' }, NOT_WHOLE],
		['a number in another form', { ...addNumbers, didGroupId: '1', quantity: '1e3' }, NOT_WHOLE],
		['half a number', { ...addNumbers, didGroupId: '1', quantity: 1.5 }, NOT_WHOLE],
		[
			'an unknown product',
			{ ...addProduct, productType: 'toString' },
			'"Product Type" has an invalid value',
		],
	])(
		'empty values, and those that would buy the wrong thing, are rejected before sending: %s',
		async (_what, parameters, message) => {
			await expect(run(parameters)).rejects.toThrow(message);
			expect(provider.asked).toEqual([]);
		},
	);
});

describe('values are sent as they are written', () => {
	test('a zone and references are text', async () => {
		await run({ ...addChannels, zone: '1', quantity: 10 });
		expect(sentJson()).toEqual({ capacityCartItem: { zone: '1', quantity: 10 } });
		await run({
			resource: 'cart',
			operation: 'create',
			additionalFields: { customerReference: 4711, description: 12 },
		});
		expect(sentJson()).toEqual({ customerReference: '4711', description: '12' });
		await run({ ...companyForm, additionalFields: { customerReference: 4711 } });
		expect(sentAddress()).toMatchObject({ customerReference: '4711' });
	});

	test('DID IDs are numbers if they are digits, text otherwise', async () => {
		await run({ ...link, didIds: ['1', 2, '007', 'A-3', '9007199254740993'] });
		expect(sentJson()).toEqual({ didIds: [1, 2, '007', 'A-3', '9007199254740993'] });
	});
});

describe('address: create in the body format that the provider accepts', () => {
	const takesJson = (request: { headers: { 'content-type'?: string } }): Given =>
		request.headers['content-type'] === 'application/json'
			? { body: { addressId: 5 } }
			: { status: 415, body: { message: 'JSON please' } };
	const withFile = { ...companyForm, additionalFields: { proofBinaryPropertyName: 'data' } };

	test('auto: JSON after a 415, with the same fields', async () => {
		answer = takesJson;
		const { json } = await run(companyForm);
		expect(json).toEqual([{ addressId: '5' }]);
		expect(provider.asked.map(({ headers }) => headers['content-type']?.split(';')[0])).toEqual([
			'multipart/form-data',
			'application/json',
		]);
		expect(sentJson()).toMatchObject({ salutation: 'COMPANY', city: 'Liège' });
	});

	test('auto: a file cannot be sent as JSON', async () => {
		answer = takesJson;
		await expect(run(withFile, { items: [itemWithFile()] })).rejects.toThrow('JSON please');
		expect(provider.asked).toHaveLength(1);
	});

	test('multipart stays multipart, and another rejection does not lead to a second request', async () => {
		answer = takesJson;
		await expect(run({ ...companyForm, options: { bodyFormat: 'multipart' } })).rejects.toThrow(
			'JSON please',
		);
		answer = () => refusal;
		await expect(run(companyForm)).rejects.toThrow('Not so');
		expect(provider.asked).toHaveLength(2);
	});

	test('json is sent at once, and a file leads to an error that says what to do', async () => {
		answer = takesJson;
		await run({ ...companyForm, options: { bodyFormat: 'json' } });
		expect(provider.asked).toHaveLength(1);
		await expect(
			run({ ...withFile, options: { bodyFormat: 'json' } }, { items: [itemWithFile()] }),
		).rejects.toThrow('"Body Format" is JSON, which can\'t contain a file');
		expect(provider.asked).toHaveLength(1);
	});
});

describe('a change without a body', () => {
	const verification = { resource: 'address', operation: 'requestVerification', addressId: '7' };

	test.each([
		['a verification', verification],
		['a deletion', { ...verification, operation: 'delete' }],
	])('%s is sent with an empty object after a 415', async (_what, parameters) => {
		answer = ({ headers }) =>
			headers['content-type'] === 'application/json' ? {} : { status: 415 };
		await run(parameters);
		expect(provider.asked.map(({ body, headers }) => [headers['content-type'], body])).toEqual([
			[undefined, ''],
			['application/json', '{}'],
		]);
	});

	test.each<[string, Given]>([
		['a 415 again', { status: 415, body: { message: 'Not that either' } }],
		['a 415 for its own reasons', { body: { code: 415, message: 'Not that either' } }],
	])('is not sent a third time, nor if it may have been done: %s', async (_what, given) => {
		answer = () => given;
		await expect(run(verification)).rejects.toThrow('Not that either');
		expect(provider.asked).toHaveLength(given.status === 415 ? 2 : 1);
	});

	test('a checkout is sent once, whatever its answer', async () => {
		answer = () => ({ status: 415, body: { message: 'JSON please' } });
		await expect(run(checkout)).rejects.toThrow('JSON please');
		expect(provider.asked).toHaveLength(1);
	});
});

test.each([{ added: false }, { status: 'SUCCESS', added: 0 }, { addedCount: 0 }, { added: [] }])(
	'a product is not in the cart if the response is %j',
	async (body) => {
		answer = () => ({ body });
		await expect(run({ ...addProduct, didGroupId: '1' })).rejects.toThrow(/error/);
	},
);

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
	'an error code that is called %s has no advice of its own',
	async (code) => {
		for (const module of ['REGULATION', 'ORDERING', undefined, code]) {
			const body = `{"apiModule":${JSON.stringify(module ?? null)},"errors":[{"apiErrorCode":"${code}","apiErrorMessage":"The city is odd"}]}`;
			answer = () => ({ status: 400, body });
			for (const parameters of [
				companyForm,
				{ ...link, didIds: '1' },
				{ ...addProduct, didGroupId: '1' },
			]) {
				const { message, description } = await run(parameters).then(
					() => ({ message: 'done', description: '' }),
					(error: NodeApiError) => error,
				);
				expect(message).toBe('The city is odd');
				expect(description).toContain(`ode ${code}, HTTP 400`);
				expect(description).not.toMatch(/native code|function|object Object|undefined/);
			}
		}
	},
);

describe('identifiers are output under the name that the next node expects', () => {
	test.each<[string, unknown]>([
		['the other name', { regulationAddressId: 12 }],
		['both names', { addressId: 12, regulationAddressId: 12 }],
		['wrapped', { data: { addressId: 12 } }],
		['in an object of its own', { regulationAddress: { regulationAddressId: 12, city: 'X' } }],
	])('a new address: %s', async (_form, body) => {
		answer = () => ({ body });
		const [item] = (await run(companyForm)).json;
		const { data, ...whole } = JSON.parse(
			JSON.stringify(body).replaceAll(':12', ':"12"'),
		) as IDataObject;
		expect(item).toMatchObject({ ...(data as IDataObject), ...whole, addressId: '12' });
	});

	test.each<[string, unknown]>([
		['the shape of the third party', { cart: { cartIdentifier: 'C-1' } }],
		['bare', { cartIdentifier: 'C-1' }],
		['the other name', { cart: { cartId: 'C-1' } }],
		['wrapped', { result: { cart: { cartIdentifier: 'C-1' } } }],
	])('a new cart: %s', async (_form, body) => {
		answer = () => ({ body });
		const [item] = (await run({ resource: 'cart', operation: 'create' })).json;
		expect(item).toMatchObject({ cartIdentifier: 'C-1' });
	});

	test('a new cart without an identifier gets none', async () => {
		const create = { resource: 'cart', operation: 'create' };
		expect((await run(create)).json).toEqual([{ status: 'SUCCESS' }]);
	});

	test('writes output what they worked on, as text', async () => {
		const address = { resource: 'address', addressId: { __rl: true, mode: 'id', value: 7 } };
		expect((await run({ ...address, operation: 'requestVerification' })).json).toEqual([
			{ addressId: '7', status: 'SUCCESS' },
		]);
		expect((await run({ ...link, didIds: '5,6' })).json).toEqual([
			{ addressId: '7', didIds: ['5', '6'], status: 'SUCCESS' },
		]);
		expect((await run(checkout)).json).toEqual([
			{ cartIdentifier: '5', status: 'SUCCESS', ordered: null, failed: [] },
		]);
	});
});

describe('simplify', () => {
	const address = {
		regulationAddressId: 12,
		status: 'VERIFIED',
		linked: true,
		companyName: null,
		firstName: 'Ada',
		lastName: 'Exemple',
		streetName: 'Rue',
		buildingNumber: '1',
		buildingLetter: 'B',
		zipCode: '4000',
		city: 'Liège',
		countryCodeA3: 'BEL',
		extraFields: { x: 'y' },
		rejectionReasons: [],
	};

	test.each<[string, IDataObject]>([
		['get', { resource: 'address', operation: 'get', addressId: '12' }],
		['getAll', { resource: 'address', operation: 'getAll' }],
	])('%s: ten fields, or all', async (_operation, parameters) => {
		answer = () => ({ body: { regulationAddresses: [address], resultCount: 1 } });
		expect((await run(parameters)).json).toEqual([
			{ ...address, addressId: '12', regulationAddressId: '12' },
		]);
		expect((await run({ ...parameters, simplify: true })).json).toEqual([
			{
				addressId: '12',
				status: 'VERIFIED',
				linked: true,
				name: 'Ada Exemple',
				street: '1 B Rue',
				zipCode: '4000',
				city: 'Liège',
				countryCodeA3: 'BEL',
				customerReference: null,
				rejectionReasons: [],
			},
		]);
	});
});
