// What is special about each operation, at the simulated provider: the request that it received, and the items. The
// rest follows from the operation's own description: schema.test.ts, requests.test.ts, test/integration/forms.

import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider, type RecordedRequest } from '../../../simulator';
import { companyForm, itemWithFile, pdf, personForm } from './forms';
import { apiCredentialsFor, credentialsFor, runNode, type RunOptions } from './harness';
import { nth, present } from '../../support/present';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const run = async (parameters: IDataObject, options: Partial<RunOptions> = {}) =>
	await runNode({ credentials: credentialsFor(provider), parameters, ...options });

/** The items' JSON. */
const json = async (parameters: IDataObject, options: Partial<RunOptions> = {}) =>
	(await run(parameters, options)).items.map((item) => item.json);

const lastRequest = () => provider.control.requests().at(-1) as RecordedRequest;

const newAddress = async (form: IDataObject = companyForm) =>
	nth(await json(form), 0).addressId as number;

/** A product as an item: identifiers are text. */
const asText = (product: IDataObject) =>
	JSON.parse(JSON.stringify(product).replace(/(Id":)(\d+)/g, '$1"$2"')) as IDataObject;

/** The customer's numbers of a group. */
const didsOf = (didGroupId: number) =>
	provider.control
		.numbers()
		.dids.filter((did) => did.didGroupId === didGroupId)
		.map(({ didId }) => didId);

const partOf = (request: RecordedRequest, name: string) => {
	const part = request.parts?.find((candidate) => candidate.name === name);
	if (!part) throw new Error(`The request has no part ${name}`);
	return part;
};

const jsonPart = (request: RecordedRequest) =>
	JSON.parse(
		partOf(request, 'createRegulationAddressRequest').content!.toString('utf8'),
	) as IDataObject;

describe('address: create', () => {
	test('sends the form as a JSON part with its Content-ID and returns the new ID', async () => {
		const [created] = await json({
			...companyForm,
			additionalFields: {
				customerReference: 'A-17',
				phoneNumber: '+3242345678',
				buildingLetter: '',
			},
		});
		expect(created).toEqual({ addressId: '123456' });
		const request = lastRequest();
		expect(request).toMatchObject({
			method: 'PUT',
			url: '/vbapi/v1/regulation/address',
			status: 200,
		});
		expect(request.parts).toHaveLength(1);
		expect(nth(request.parts!, 0).headers).toEqual({
			'content-disposition': 'form-data; name="createRegulationAddressRequest"',
			'content-id': 'createRegulationAddressRequest',
			'content-type': 'application/json',
		});
		expect(jsonPart(request)).toEqual({
			salutation: 'COMPANY',
			companyName: 'Exemple & Fils SA',
			countryCodeA3: 'BEL',
			city: 'Liège',
			zipCode: '4000',
			streetName: 'Rue de l’Été',
			buildingNumber: '12',
			didType: 'GEOGRAPHIC',
			destinationCountryCodeA3: 'BEL',
			customerReference: 'A-17',
			phoneNumber: '+3242345678',
		});
	});

	test("sends a person with an identity document, with the date in the provider's format", async () => {
		await run(personForm);
		expect(jsonPart(lastRequest())).toMatchObject({
			salutation: 'MS',
			firstName: 'Ada',
			lastName: 'Exemple',
			identityDocumentProof: {
				nationality: 'FRA',
				identityDocumentType: 'PASSPORT',
				identityDocumentNumber: '12AB34567',
				issuingAuthority: 'Préfecture',
				issuingDate: '2021-03-04 00:00:00',
			},
		});
		expect(jsonPart(lastRequest())).not.toHaveProperty('companyName');
	});

	test('sends extra fields under their display names', async () => {
		await run({
			...companyForm,
			countryCodeA3: 'CHE',
			destinationCountryCodeA3: 'CHE',
			zipCode: '8000',
			city: 'Zürich',
			additionalFields: {
				extraFields: { field: [{ name: 'Municipality Code', value: '0261' }] },
			},
		});
		expect(jsonPart(lastRequest()).extraFields).toEqual({ 'Municipality Code': '0261' });
	});

	test('sends both files as parts of their own and starts the verification', async () => {
		const item = {
			json: {},
			binary: {
				...itemWithFile('proof', { fileName: 'Nachweis "Ä".pdf' }).binary,
				...itemWithFile('passport', {
					content: Buffer.from('pass\x00port'),
					mimeType: 'image/png',
					fileName: 'p.png',
				}).binary,
			},
		};
		const { addressId } = nth(
			await json(
				{
					...companyForm,
					additionalFields: {
						proofBinaryPropertyName: 'proof',
						identityDocumentProof: {
							document: { identityDocumentBinaryPropertyName: 'passport' },
						},
					},
				},
				{ items: [item] },
			),
			0,
		);
		const request = lastRequest();
		expect(request.parts!.map(({ name }) => name)).toEqual([
			'createRegulationAddressRequest',
			'proofOfAddress',
			'proofOfIdentityDocument',
		]);
		expect(partOf(request, 'proofOfAddress')).toMatchObject({
			filename: 'Nachweis "Ä".pdf',
			headers: { 'content-id': 'proofOfAddress', 'content-type': 'application/pdf' },
			content: pdf,
		});
		expect(partOf(request, 'proofOfIdentityDocument')).toMatchObject({
			filename: 'p.png',
			headers: { 'content-id': 'proofOfIdentityDocument', 'content-type': 'image/png' },
			content: Buffer.from('pass\x00port'),
		});
		const address = nth(await json({ resource: 'address', operation: 'get', addressId }), 0);
		expect(address.status).toBe('VERIFICATION_REQUESTED');
	});

	test('takes the zip code from a resource locator, and IDs and numbers as text or number', async () => {
		await run({
			...companyForm,
			zipCode: { __rl: true, mode: 'list', value: 4000, cachedResultName: '4000 Liège' },
			buildingNumber: 12,
		});
		expect(jsonPart(lastRequest())).toMatchObject({ zipCode: '4000', buildingNumber: '12' });
	});

	test('merges custom fields into the form; null removes a field', async () => {
		await run({
			...companyForm,
			additionalFields: { customerReference: 'A-17' },
			options: { customFields: '{"companyDescription": "Bakery", "customerReference": null}' },
		});
		expect(jsonPart(lastRequest())).toMatchObject({ companyDescription: 'Bakery' });
		expect(jsonPart(lastRequest())).not.toHaveProperty('customerReference');
	});
});

describe('address: lists', () => {
	test('getAll returns one item for each address, with every filter in the query', async () => {
		const addressId = await newAddress();
		await newAddress(personForm);
		const found = await json({
			resource: 'address',
			operation: 'getAll',
			returnAll: true,
			filters: {
				regulationAddressId: addressId,
				companyName: 'Exemple & Fils SA',
				countryCodeA3: 'BEL',
				city: 'Liège',
				zipCode: '4000',
				streetName: 'Rue de l’Été',
				buildingNumber: '12',
				status: 'NOT_VERIFIED',
				linked: false,
				firstName: '',
			},
		});
		expect(found.map((address) => address.addressId)).toEqual([addressId]);
		expect(lastRequest().query).toEqual({
			regulationAddressId: String(addressId),
			companyName: 'Exemple & Fils SA',
			countryCodeA3: 'BEL',
			city: 'Liège',
			zipCode: '4000',
			streetName: 'Rue de l’Été',
			buildingNumber: '12',
			status: 'NOT_VERIFIED',
			linked: 'false',
			pageNumber: '0',
			pageSize: '1000',
		});
	});

	test('getAll of nothing returns no items', async () => {
		expect(await json({ resource: 'address', operation: 'getAll' })).toEqual([]);
	});
});

describe('address: proof, link', () => {
	test('uploadProof sends the file unchanged, with name, type and Content-ID', async () => {
		const addressId = await newAddress();
		const result = await json(
			{ resource: 'address', operation: 'uploadProof', addressId },
			{ items: [itemWithFile()] },
		);
		expect(result).toEqual([{ addressId, status: 'SUCCESS' }]);
		const request = lastRequest();
		expect(request).toMatchObject({
			method: 'PUT',
			url: `/vbapi/v1/regulation/address/${addressId}/proof`,
		});
		expect(request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(Number(request.headers['content-length'])).toBeGreaterThan(pdf.length);
		expect(request.parts).toEqual([
			expect.objectContaining({
				name: 'proofOfAddress',
				filename: 'proof.pdf',
				headers: {
					'content-disposition': 'form-data; name="proofOfAddress"; filename="proof.pdf"',
					'content-id': 'proofOfAddress',
					'content-type': 'application/pdf',
				},
				sha256: createHash('sha256').update(pdf).digest('hex'),
			}),
		]);
	});

	test.each([
		['comma-separated text', (ids: number[]) => ids.join(', ')],
		['a list of numbers', (ids: number[]) => ids],
		['a list of texts', (ids: number[]) => ids.map(String)],
		['a JSON list as text', (ids: number[]) => JSON.stringify(ids)],
	])('link and unlink take DID IDs as %s', async (_form, write) => {
		const addressId = await newAddress();
		provider.control.reviewAddress(addressId, 'VERIFIED');
		const dids = didsOf(6003).slice(0, 2);
		const didIds = write(dids) as never;
		expect(await json({ resource: 'address', operation: 'link', addressId, didIds })).toEqual([
			{ addressId, didIds: dids.map(String), status: 'NUMBERS_LINKED_AND_UNBLOCKED' },
		]);
		expect(lastRequest()).toMatchObject({
			method: 'POST',
			url: `/vbapi/v1/regulation/address/${addressId}/link`,
			body: { didIds: dids },
		});
		expect(await json({ resource: 'address', operation: 'unlink', didIds })).toEqual([
			{ didIds: dids.map(String), status: 'NUMBERS_UNLINKED_AND_BLOCKED' },
		]);
		expect(lastRequest()).toMatchObject({
			method: 'POST',
			url: '/vbapi/v1/regulation/address/unlink',
			body: { didIds: dids },
		});
	});

	test('link accepts one number, and reports if the validation is still pending', async () => {
		const addressId = await newAddress();
		provider.control.reviewAddress(addressId, 'VERIFICATION_REQUESTED');
		const [didIds] = didsOf(6003);
		expect(await json({ resource: 'address', operation: 'link', addressId, didIds })).toEqual([
			{ addressId, didIds: [String(didIds)], status: 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION' },
		]);
	});
});

test('zipcode: getAll returns city and code for the country, narrowed by the area', async () => {
	const codes = await json({
		resource: 'zipcode',
		operation: 'getAll',
		countryCodeA3: 'BEL',
		filters: { areaCode: '4' },
	});
	expect(codes).toEqual([{ cityName: 'Liège', zipCode: '4000' }]);
	expect(lastRequest()).toMatchObject({
		method: 'GET',
		path: '/vbapi/v1/regulation/zipcode',
		query: { countryCodeA3: 'BEL', areaCode: '4', pageNumber: '0', pageSize: '50' },
	});
});

test.each<[IDataObject, string]>([
	[{}, 'for ESP: it accepts any postal code there.'],
	[{ areaCode: '9' }, 'for ESP in the area 9.'],
])('zipcode: an empty list with the filters %j says what that means', async (filters, meaning) => {
	const list = { resource: 'zipcode', operation: 'getAll', countryCodeA3: 'ESP', filters };
	const { items, hints } = await run(list);
	expect(items).toEqual([]);
	expect(hints.map(({ message }) => message)).toEqual([
		`The provider lists no postal codes ${meaning}`,
	]);
});

describe('cart', () => {
	const create = async (additionalFields: IDataObject = {}, customFields = '') =>
		nth(
			await json({
				resource: 'cart',
				operation: 'create',
				additionalFields,
				options: { customFields },
			}),
			0,
		);

	test('create sends an empty object if nothing is set, and returns the fields of the cart', async () => {
		const cart = await create();
		expect(lastRequest()).toMatchObject({
			method: 'PUT',
			url: '/vbapi/v1/ordering/cart',
			body: {},
		});
		expect(lastRequest().headers).toMatchObject({
			'content-type': 'application/json',
			'content-length': '2',
		});
		expect(cart).toEqual({
			cartIdentifier: '4179883',
			customerReference: null,
			description: null,
			dateAdded: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
			orderProducts: null,
		});
	});

	test('create sends reference and description, custom fields on top', async () => {
		const cart = await create(
			{ customerReference: 'R-1', description: 'Zürich' },
			'{"customerReference":"R-2"}',
		);
		expect(lastRequest().body).toEqual({ customerReference: 'R-2', description: 'Zürich' });
		expect(cart).toMatchObject({ customerReference: 'R-2', description: 'Zürich' });
	});

	test.each<[string, IDataObject, IDataObject]>([
		[
			'numbers of a group',
			{ productType: 'didCartItem', didGroupId: '6001', quantity: 2 },
			{ didCartItem: { didGroupId: 6001, quantity: 2 } },
		],
		[
			'a group ID as a number',
			{ productType: 'didCartItem', didGroupId: 6001, quantity: '1' },
			{ didCartItem: { didGroupId: 6001, quantity: 1 } },
		],
		[
			'channels',
			{ productType: 'capacityCartItem', zone: 'A', quantity: 20 },
			{ capacityCartItem: { zone: 'A', quantity: 20 } },
		],
		[
			'a credit package',
			{ productType: 'creditPackageCartItem', creditPackageId: '1' },
			{ creditPackageCartItem: { creditPackageId: 1, quantity: 1 } },
		],
		[
			'particular numbers',
			{ productType: 'phoneNumbers', phoneNumbers: '+33199010500, +33199010501' },
			{ phoneNumbers: [{ phoneNumber: '+33199010500' }, { phoneNumber: '+33199010501' }] },
		],
	])('addProduct puts %s into the cart, and nothing else', async (_what, parameters, body) => {
		const { cartIdentifier } = await create();
		const result = await json({
			resource: 'cart',
			operation: 'addProduct',
			cartIdentifier,
			...parameters,
		});
		expect(result).toEqual([{ cartIdentifier, status: 'SUCCESS', addedProducts: [asText(body)] }]);
		expect(lastRequest()).toMatchObject({
			method: 'POST',
			url: `/vbapi/v1/ordering/cart/${String(cartIdentifier)}/product`,
		});
		expect(lastRequest().body).toEqual(body);
	});

	test('checkout buys with one GET without a body and returns the order', async () => {
		const { cartIdentifier } = await create();
		await run({
			resource: 'cart',
			operation: 'addProduct',
			cartIdentifier,
			productType: 'didCartItem',
			didGroupId: 6001,
		});
		provider.control.clearRequests();
		const { items, hints } = await run({
			resource: 'cart',
			operation: 'checkout',
			cartIdentifier,
			confirmPurchase: true,
		});
		expect(nth(items, 0).json).toEqual({
			cartIdentifier,
			ordered: true,
			failed: [],
			status: 'SUCCESS',
			productCheckoutList: [
				{ productType: 'DID', status: 'SUCCESS', orderReference: 'ORD-000001', message: null },
			],
		});
		expect(hints).toMatchObject([{ message: expect.stringContaining('The order is placed') }]);
		expect(provider.control.requests()).toHaveLength(1);
		expect(lastRequest()).toMatchObject({
			method: 'GET',
			url: `/vbapi/v1/ordering/cart/${String(cartIdentifier)}/checkout`,
			body: null,
		});
		expect(provider.control.numbers().orders).toHaveLength(1);
	});
});

describe('session', () => {
	test('getInfo logs in with X-JSON in ASCII and returns the directory without the token', async () => {
		const [info] = await json({ resource: 'session', operation: 'getInfo' });
		const request = lastRequest();
		expect(request).toMatchObject({ method: 'POST', url: '/ws/', body: null });
		expect(request.headers['x-json']).toMatch(/^[\x20-\x7e]+$/);
		expect(JSON.parse(present(request.headers['x-json']))).toEqual({
			requete: 'init',
			header: { ...provider.accounts.supervisor, account_type: 'supervisor' },
			msg: {},
		});
		expect(info).toMatchObject({
			ops: expect.arrayContaining([expect.objectContaining({ groups: expect.any(Array) })]),
			groupes: expect.any(Array),
			trunks: expect.any(Array),
			pauses: expect.any(Array),
			target: String(provider.plan.target),
		});
		expect(JSON.stringify(info)).not.toContain('id_session');
	});

	test('getInfo returns each entry in one spelling: id as text, name, groups', async () => {
		const [info] = await json({ resource: 'session', operation: 'getInfo' });
		const entry = { id: expect.stringMatching(/^\d+$/), name: expect.any(String) };
		const agents = info?.ops as IDataObject[];
		expect(agents.length).toBeGreaterThan(2);
		for (const agent of agents) {
			expect(agent).toEqual({ ...entry, groups: expect.any(Array) });
			for (const group of agent.groups as unknown[]) expect(group).toMatch(/^\d+$/);
		}
		for (const list of ['groupes', 'trunks', 'pauses']) {
			const entries = info?.[list] as IDataObject[];
			expect(entries.length).toBeGreaterThan(0);
			for (const one of entries) expect(one).toEqual(entry);
		}
	});

	test('getInfo returns the lists as received with "Output: Raw"', async () => {
		const [info] = await json({
			resource: 'session',
			operation: 'getInfo',
			options: { output: 'raw' },
		});
		const names = (info?.ops as IDataObject[]).map((agent) => Object.keys(agent));
		// The simulated provider mixes its two spellings on purpose.
		expect(names.some((keys) => keys.includes('nom'))).toBe(true);
		expect(names.some((keys) => keys.includes('name'))).toBe(true);
		expect(JSON.stringify(info)).not.toContain('id_session');
	});

	test('getInfo returns the token only on request', async () => {
		const info = nth(
			await json({
				resource: 'session',
				operation: 'getInfo',
				options: { includeToken: 'true' },
			}),
			0,
		);
		expect(info.id_session).toEqual(expect.stringMatching(/.+/));
		const without = { resource: 'session', operation: 'getInfo', options: { includeToken: '' } };
		expect(nth(await json(without), 0)).not.toHaveProperty('id_session');
	});

	test('getTestPageUrl returns a URL that opens the page', async () => {
		const { url } = nth(
			await json(
				{ resource: 'session', operation: 'getTestPageUrl' },
				{ credentials: apiCredentialsFor(provider) },
			),
			0,
		);
		const page = new URL(String(url));
		expect(`${page.origin}${page.pathname}`).toBe(`${provider.url}/labo/index.htm`);
		expect(page.searchParams.get('id_client')).toBe(provider.accounts.api.clientId);
		expect((await fetch(page)).status).toBe(200);
		page.searchParams.set('id_session', 'another');
		expect((await fetch(page)).status).toBe(403);
	});

	test.each([
		['idClient', 'The test page needs the "Client Account ID" in the credential'],
		['ip', 'The token needs the "Machine IP Address" in the credential'],
	])(
		'getTestPageUrl says that the credential lacks %s, before a token is created',
		async (field, message) => {
			const credentials = apiCredentialsFor(provider);
			credentials.voiceManagementApi = { ...credentials.voiceManagementApi, [field]: '' };
			await expect(
				run({ resource: 'session', operation: 'getTestPageUrl' }, { credentials }),
			).rejects.toThrow(message);
			expect(provider.control.requests()).toEqual([]);
		},
	);
});
