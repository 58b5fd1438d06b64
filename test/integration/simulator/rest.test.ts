/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What the number management interface refuses, and why: the second reading of the documents, against which the action
// node is tested. What it accepts, every suite of that node shows.

import axios, { type AxiosInstance } from 'axios';
import { connect } from 'node:net';
import { startProvider, type Provider } from '../../../simulator';
import {
	basic,
	createAddress,
	createCart,
	errorOf,
	filePart,
	formPart,
	multipart,
	multipartHeaders,
	parisForm,
	pdf,
	putAddress,
	putProof,
	restClient,
	withHeader,
} from './helpers';
import { firstOf, nth } from '../../support/present';

let provider: Provider;
let rest: AxiosInstance;
beforeEach(async () => {
	provider = await startProvider();
	rest = restClient(provider);
});
afterEach(() => provider.close());

type Row = [value: unknown, error: string];
const rows = (values: unknown[], error: string): Row[] => values.map((value) => [value, error]);
const without = (...names: string[]) => names.map((name) => ({ [name]: undefined }));

describe('who may ask, for what, and how', () => {
	const list = '/regulation/address?pageNumber=0&pageSize=1';

	it.each([
		null,
		'Bearer abc',
		'Basic ???',
		`Basic ${Buffer.from('numbers').toString('base64')}`,
		basic({ login: 'numbers', password: 'wrong' }),
		basic({ login: 'api', password: 'api-secret-é' }),
		`Basic ${Buffer.from('numbers:numbers-secret-é', 'latin1').toString('base64')}`,
	])('rejects the login %j with 401', async (authorization) => {
		const response = await restClient(provider, { Authorization: authorization }).get(list);
		expect(response.headers['www-authenticate']).toMatch(/^Basic/);
		expect(errorOf(response)).toBe('COMMON 401');
	});

	/** The status for a request line that is sent unchanged; HTTP clients normalise paths before they send them. */
	async function raw(method: string, path: string, login = basic(provider.accounts.numbers)) {
		const lines = [`Host: 127.0.0.1`, `Authorization: ${login}`, 'Accept: application/json'];
		const socket = connect(provider.port, '127.0.0.1');
		socket.write(
			[`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close\r\n\r\n'].join('\r\n'),
		);
		let response = '';
		for await (const piece of socket) response += String(piece);
		return Number(response.split(' ')[1]);
	}

	it.each([
		['GET', '/vbapi/v1/ordering/cart', 405],
		['POST', '/vbapi/v1/regulation/address', 405],
		['PATCH', '/vbapi/v1/regulation/address/1', 405],
		['DELETE', '/vbapi/v1/regulation/zipcode', 405],
		['POST', '/vbapi/v1/ordering/cart/1/checkout', 405],
		['GET', '/vbapi/v1/regulation/address/1/link', 405],
		// A HEAD must not buy.
		['HEAD', '/vbapi/v1/ordering/cart/1/checkout', 405],
		['GET', '/vbapi/v1/regulation/address/', 404],
		['GET', '/vbapi/v1/regulation/address/1/', 404],
		['GET', '/vbapi/v1/regulation/address/../address/1/x', 404],
		['GET', '/vbapi/v1/regulation/address/a/b', 404],
		['GET', '/vbapi/v1/inventory/did', 404],
		['GET', '/vbapi/v1/Regulation/address', 404],
		['GET', '/vbapi/v2/regulation/address', 404],
		['GET', '/vbapi/v1/regulation/address/%zz', 400],
	])('%s %s gets %i', async (method, path, status) => {
		expect(await raw(method, path)).toBe(status);
		// Without a login it does not reveal what is offered.
		if (path.startsWith('/vbapi/v1/re')) expect(await raw(method, path, 'x')).not.toBe(405);
	});

	it.each(['../../x', 'a/b', '%2e', 'é', '9'.repeat(400), 'ü'.repeat(10_000), ' ', '1.0', '-1'])(
		'treats an identifier such as %.20s as one segment',
		async (id) => {
			const response = await rest.get(`/regulation/address/${encodeURIComponent(id)}`);
			expect(errorOf(response)).toBe('REGULATION 507');
		},
	);

	it.each([undefined, '*/*', 'application/xml', 'text/html, */*;q=0.1'])(
		'rejects Accept: %s, for which the provider would return XML',
		async (accept) => {
			const response = await restClient(provider, { Accept: accept ?? null }).get(list);
			expect(errorOf(response)).toBe('COMMON 14');
		},
	);

	it.each([
		['{}', 'text/plain', 'COMMON 25'],
		['description=x', 'application/x-www-form-urlencoded', 'COMMON 25'],
		['', 'application/json', 'COMMON 26'],
		['{"description":', 'application/json', 'COMMON 20'],
		['[]', 'application/json', 'COMMON 25'],
		['null', 'application/json', 'COMMON 25'],
		['{"x":1}', 'application/json', 'COMMON 21'],
	])('rejects the body %j as %s', async (body, type, error) => {
		const response = await rest.put('/ordering/cart', body, {
			headers: { 'Content-Type': type },
			transformRequest: (data: unknown) => data,
		});
		expect(errorOf(response)).toBe(error);
	});

	it('rejects a body where none is allowed', async () => {
		const address = `/regulation/address/${await createAddress(rest)}`;
		expect(errorOf(await rest.put(`${address}/verification`, {}))).toBe('COMMON 25');
		expect(errorOf(await rest.delete(address, { data: { x: 1 } }))).toBe('COMMON 25');
	});

	it.each([
		['get', '/ordering/cart/1/checkout?x=1'],
		['put', '/ordering/cart?x=1'],
		['get', '/regulation/zipcode?countryCodeA3=FRA&pageNumber=0&pageSize=1&city=Paris'],
		['get', '/regulation/address?pageNumber=0&pageSize=1&pageSize=1'],
	] as const)('rejects parameters that are unknown or repeated: %s %s', async (method, url) => {
		expect(errorOf(await rest.request({ method, url }))).toBe('COMMON 21');
	});
});

describe('the create form', () => {
	const person = { salutation: 'MR', companyName: null, firstName: 'Jean', lastName: 'Exemple' };
	const italy = {
		countryCodeA3: 'ITA',
		destinationCountryCodeA3: 'ITA',
		city: 'Roma',
		zipCode: '00100',
	};
	const tryForm = async (changes: object) =>
		putAddress(rest, formPart({ ...parisForm, ...changes }));

	it.each([
		...rows(without('salutation', 'companyName', 'countryCodeA3', 'city'), 'REGULATION 500'),
		...rows(without('zipCode', 'streetName', 'buildingNumber'), 'REGULATION 500'),
		...rows(without('didType', 'destinationCountryCodeA3'), 'REGULATION 500'),
		...rows(without('identityDocumentProof'), 'REGULATION 500'),
		[{ companyName: '' }, 'REGULATION 500'],
		[{ ...person, firstName: undefined }, 'REGULATION 500'],
		[{ ...person, salutation: 'MS', lastName: '' }, 'REGULATION 500'],
		[{ ...italy, didType: 'NATIONAL', identityDocumentProof: undefined }, 'REGULATION 500'],
		[
			{ didType: 'MOBILE', destinationCountryCodeA3: 'ZAF', identityDocumentProof: undefined },
			'REGULATION 500',
		],
		[{ salutation: 'DR' }, 'COMMON 14'],
		[{ streetName: 'x'.repeat(256) }, 'REGULATION 501'],
		[{ customerReference: 'x'.repeat(256) }, 'REGULATION 501'],
		[{ buildingNumber: 12 }, 'REGULATION 503'],
		[{ countryCodeA3: 'FR' }, 'COMMON 14'],
		[{ destinationCountryCodeA3: 'fra' }, 'COMMON 14'],
		[{ countryCodeA3: 'XXX' }, 'COMMON 14'],
		[{ didType: 'LOCAL' }, 'COMMON 14'],
		[{ destinationCountryCodeA3: 'BEL' }, 'REGULATION 505'],
		[{ phoneNumber: '0033199000000' }, 'REGULATION 521'],
		[{ phoneNumber: '+12345678' }, 'REGULATION 521'],
		[{ phoneNumber: '+1234567890123456' }, 'REGULATION 521'],
		[{ zipCode: '75999' }, 'REGULATION 503'],
		[{ city: 'Lyon' }, 'REGULATION 503'],
		[{ extraFields: { 'Municipality Code': '1234' } }, 'REGULATION 502'],
		[{ extraFields: { constructor: 'x' } }, 'REGULATION 502'],
		[{ ...italy, extraFields: { 'Fiscal Code': 'x' } }, 'REGULATION 504'],
		[{ ...italy, extraFields: { 'Fiscal Code': 12345678901 } }, 'REGULATION 504'],
		[{ extraFields: [] }, 'REGULATION 503'],
		[{ country: 'FRA' }, 'COMMON 21'],
	] as Row[])('with %j gets %s', async (changes, error) => {
		expect(errorOf(await tryForm(changes as object))).toBe(error);
		expect(provider.control.numbers().addresses).toEqual([]);
	});

	it.each([
		[{ issuingAuthority: undefined }, 'REGULATION 500'],
		[{ birthDate: '2000-01-01' }, 'COMMON 21'],
		[{ nationality: 'French' }, 'COMMON 14'],
		[{ issuingDate: '2020-02-29T00:00:00Z' }, 'COMMON 10'],
		[{ issuingDate: '2020-02-29' }, 'COMMON 10'],
		[{ issuingDate: '2021-02-29 00:00:00' }, 'COMMON 19'],
		[{ identityDocumentNumber: 12 }, 'REGULATION 503'],
		[{ identityDocumentNumber: 'x'.repeat(256) }, 'REGULATION 501'],
	])('with an identity document with %j gets %s', async (changes, error) => {
		const identityDocumentProof = { ...parisForm.identityDocumentProof, ...changes };
		expect(errorOf(await tryForm({ identityDocumentProof }))).toBe(error);
	});
});

describe('multipart', () => {
	const form = formPart(parisForm);
	const disposition = (value: string) =>
		withHeader(filePart(), 'Content-Disposition', `form-data; ${value}`);
	const base64 = filePart('proofOfAddress', Buffer.from(pdf.toString('base64')));
	const empty = filePart('proofOfAddress', Buffer.alloc(0));
	const untyped = withHeader(filePart(), 'Content-Type');

	it.each([
		['no form part', [filePart()], 'COMMON 24'],
		['the form part without Content-ID', [withHeader(form, 'Content-ID')], 'COMMON 24'],
		['another Content-ID', [withHeader(form, 'Content-ID', 'x')], 'COMMON 24'],
		['the form part without a content type', [withHeader(form, 'Content-Type')], 'COMMON 25'],
		['the form part as text', [withHeader(form, 'Content-Type', 'text/plain')], 'COMMON 25'],
		['a form that is not JSON', [formPart('{')], 'COMMON 20'],
		['a form that is a list', [formPart([])], 'COMMON 25'],
		['an empty form', [formPart('')], 'COMMON 26'],
		['an unknown part', [form, filePart('file')], 'COMMON 21'],
		['the form twice', [form, form], 'COMMON 21'],
		['two proofs', [form, filePart(), filePart()], 'COMMON 21'],
		['an empty proof', [form, empty], 'COMMON 24'],
		['a proof without a file name', [form, disposition('name="proofOfAddress"')], 'COMMON 24'],
		['a proof without a content type', [form, untyped], 'COMMON 24'],
		[
			'a proof declared as base64',
			[form, withHeader(filePart(), 'Content-Transfer-Encoding', 'base64')],
			'COMMON 25',
		],
		['a proof that is base64 text', [form, base64], 'COMMON 25'],
	])('create address refuses %s', async (_what, parts, error) => {
		expect(errorOf(await putAddress(rest, ...parts))).toBe(error);
	});

	it.each([
		['JSON', 'application/json', JSON.stringify(parisForm), 'COMMON 25'],
		['no boundary', 'multipart/form-data', multipart(form), 'COMMON 25'],
		['a cut', multipartHeaders['Content-Type'], multipart(form).subarray(0, -30), 'COMMON 24'],
		['another form', multipartHeaders['Content-Type'], 'hello', 'COMMON 24'],
		['nothing', multipartHeaders['Content-Type'], '', 'COMMON 24'],
	])('create address refuses a body of %s', async (_what, type, body, error) => {
		const response = await rest.put('/regulation/address', body, {
			headers: { 'Content-Type': type },
			transformRequest: (data: unknown) => data,
		});
		expect(errorOf(response)).toBe(error);
	});

	it.each([
		['no part', [], 'COMMON 24'],
		['a field instead of a file', [disposition('name="x"')], 'COMMON 24'],
		['a file without Content-ID', [withHeader(filePart(), 'Content-ID')], 'COMMON 24'],
		['another Content-ID', [withHeader(filePart(), 'Content-ID', 'proof')], 'COMMON 24'],
		['a file without a content type', [untyped], 'COMMON 24'],
		['an empty file', [empty], 'COMMON 24'],
		['a file in base64', [base64], 'COMMON 25'],
	])('upload proof refuses %s', async (_what, parts, error) => {
		const id = await createAddress(rest);
		expect(errorOf(await putProof(rest, id, ...parts))).toBe(error);
		expect(provider.control.numbers().addresses).toMatchObject([{ internal: { proofs: [] } }]);
	});

	it('reads and records names as RFC 5987 defines them', async () => {
		const named = disposition(`name="proofOfAddress"; filename*=UTF-8''pr%C3%A9uve.pdf`);
		await putProof(rest, await createAddress(rest), named);
		expect(provider.control.requests().at(-1)?.parts).toMatchObject([{ filename: 'préuve.pdf' }]);
	});
});

describe('addresses', () => {
	const verify = (id: number) => rest.put(`/regulation/address/${id}/verification`);

	it.each([
		[false, 'NOT_VERIFIED', ['517'], 'REGULATION 517'],
		[true, 'VERIFICATION_REQUESTED', ['512'], undefined],
	])('with a proof: %j', async (isProven, status, reasons, refusal) => {
		const id = await createAddress(rest, {}, ...(isProven ? [filePart()] : []));
		const { data }: { data: unknown } = await rest.get(`/regulation/address/${id}`);
		expect(data).toMatchObject({ regulationAddresses: [{ status }] });
		const params = { didType: 'GEOGRAPHIC', destinationCountryCodeA3: 'FRA' };
		const validation = await rest.get(`/regulation/address/${id}/validation`, { params });
		expect(validation.data).toMatchObject({
			isValid: false,
			reasons: reasons.map((code) => ({ code })),
		});
		if (refusal) {
			const { didId } = nth(provider.control.numbers().dids, 0);
			const link = await rest.post(`/regulation/address/${id}/link`, { didIds: [didId] });
			expect(errorOf(link)).toBe(refusal);
			return;
		}
		expect(errorOf(await verify(id))).toBe('REGULATION 518');
		expect(errorOf(await putProof(rest, id, filePart()))).toBe('REGULATION 512');
		expect(errorOf(await rest.delete(`/regulation/address/${id}`))).toBe('REGULATION 512');
		provider.control.reviewAddress(id, 'VERIFIED');
		expect(errorOf(await verify(id))).toBe('REGULATION 518');
	});

	it('need no verification in some countries', async () => {
		const changes = { didType: 'NATIONAL', destinationCountryCodeA3: 'GBR' };
		expect(errorOf(await verify(await createAddress(rest, changes)))).toBe('REGULATION 520');
	});

	it('have ids and counts as text, and none for an unknown id, if that is set', async () => {
		provider.control.behave({ idsAsText: true, unknownAddress: 'emptyList' });
		expect((await putAddress(rest, formPart(parisForm))).data).toEqual({
			addressId: expect.stringMatching(/^\d+$/),
		});
		const unknown = await rest.get('/regulation/address/99');
		expect(unknown.data).toEqual({ regulationAddresses: [], resultCount: '0' });
	});

	it('are reviewed automatically after a time if that is set: verified with a proof, rejected without', async () => {
		provider.control.set({ reviewTime: 1 });
		await createAddress(rest, {}, filePart());
		await verify(await createAddress(rest));
		const states = () => provider.control.numbers().addresses.map(({ status }) => status);
		await provider.control.waitFor(() => !states().includes('VERIFICATION_REQUESTED'));
		expect(states()).toEqual(['VERIFIED', 'REJECTED']);
	});

	it.each([
		...rows(without('pageNumber', 'pageSize'), 'COMMON 16'),
		[{ pageSize: '' }, 'COMMON 16'],
		...rows([{ pageNumber: -1 }, { pageNumber: '1.5' }, { pageNumber: 'x' }], 'COMMON 11'),
		...rows([{ pageSize: 0 }, { pageSize: 5001 }], 'COMMON 12'),
		[{ pageNumber: 1 }, 'COMMON 13'],
		[{ regulationAddressId: 'x' }, 'COMMON 17'],
		...rows([{ status: 'verified' }, { countryCodeA3: 'FR' }], 'COMMON 14'),
		[{ linked: 'yes' }, 'COMMON 18'],
		[{ salutation: 'MR' }, 'COMMON 21'],
	])('are not listed by %j', async (query, error) => {
		const params = { pageNumber: 0, pageSize: 5000, ...(query as object) };
		expect(errorOf(await rest.get('/regulation/address', { params }))).toBe(error);
	});

	it.each([
		...rows(without('didType', 'destinationCountryCodeA3'), 'COMMON 16'),
		...rows([{ didType: 'LOCAL' }, { destinationCountryCodeA3: 'FR' }], 'COMMON 14'),
		[{ x: 1 }, 'COMMON 21'],
	])('are not validated by %j', async (query, error) => {
		const id = await createAddress(rest);
		const params = {
			didType: 'GEOGRAPHIC',
			destinationCountryCodeA3: 'FRA',
			...(query as object),
		};
		const response = await rest.get(`/regulation/address/${id}/validation`, { params });
		expect(errorOf(response)).toBe(error);
	});

	it.each([
		...rows([undefined, [], '900001'], 'COMMON 16'),
		...rows([[1], [null], ['+33199010000'], [900001.5]], 'REGULATION 516'),
		[[900001, '900001'], 'COMMON 21'],
		[[900001, 900011], 'REGULATION 513'],
		[[900011], 'REGULATION 503'],
		[[900021], 'REGULATION 505'],
		[[900031], 'REGULATION 520'],
	] as Row[])('are not linked to %j', async (didIds, error) => {
		const id = await createAddress(rest, {}, filePart());
		expect(errorOf(await rest.post(`/regulation/address/${id}/link`, { didIds }))).toBe(error);
	});

	it('are linked to numbers that are free, while they are not rejected, and unlinked from linked ones', async () => {
		const [one, other] = [
			await createAddress(rest, {}, filePart()),
			await createAddress(rest, {}, filePart()),
		];
		const [first, second] = firstOf(provider.control.numbers().dids, 2);
		const link = (id: number, ...dids: Array<typeof first>) =>
			rest.post(`/regulation/address/${id}/link`, { didIds: dids.map(({ didId }) => didId) });
		const unlink = (didIds: unknown[]) => rest.post('/regulation/address/unlink', { didIds });
		expect((await link(one, first)).status).toBe(200);
		expect(errorOf(await link(one, second, first))).toBe('REGULATION 514');
		expect(errorOf(await link(other, first))).toBe('REGULATION 514');
		provider.control.reviewAddress(other, 'REJECTED', ['x']);
		expect(errorOf(await link(other, second))).toBe('REGULATION 515');
		const { data }: { data: unknown } = await rest.get(`/regulation/address/${other}`);
		expect(data).toMatchObject({ regulationAddresses: [{ rejectionReasons: ['x'] }] });
		expect(errorOf(await link(1, second))).toBe('REGULATION 507');
		expect(errorOf(await unlink([second.didId]))).toBe('REGULATION 516');
		expect(errorOf(await unlink([]))).toBe('COMMON 16');
		// Numbers stay blocked until their address is verified.
		const linked = () => provider.control.numbers().dids[0];
		expect(linked()).toMatchObject({ addressId: one, blocked: true });
		provider.control.reviewAddress(one, 'VERIFIED');
		expect(linked()).toMatchObject({ addressId: one, blocked: false });
		await unlink([first.didId]);
		expect(linked()).toMatchObject({ addressId: null, blocked: true });
		await link(one, first);
		expect(linked()).toMatchObject({ addressId: one, blocked: false });
	});
});

it.each([
	[{ countryCodeA3: undefined }, 'COMMON 16'],
	[{ countryCodeA3: 'FR' }, 'COMMON 14'],
	[{ pageNumber: undefined }, 'COMMON 16'],
	[{ pageSize: 5001 }, 'COMMON 12'],
	[{ areaCode: 'x' }, 'COMMON 17'],
	// Hamburg's area has two full pages.
	[{ countryCodeA3: 'DEU', areaCode: '40', pageNumber: 2, pageSize: 1000 }, 'COMMON 13'],
])('postal codes are not listed by %j', async (query, error) => {
	const params = { countryCodeA3: 'FRA', pageNumber: 0, pageSize: 5000, ...query };
	expect(errorOf(await rest.get('/regulation/zipcode', { params }))).toBe(error);
});

describe('carts', () => {
	const add = async (product: unknown, cart?: number | string) =>
		rest.post(`/ordering/cart/${cart ?? (await createCart(rest))}/product`, product);
	const numbers = (quantity: unknown, didGroupId: unknown = 6001) => ({
		didCartItem: { didGroupId, quantity },
	});
	const channels = (quantity: unknown, zone = 'A') => ({ capacityCartItem: { zone, quantity } });
	const credit = (creditPackageId: unknown, quantity: number) => ({
		creditPackageCartItem: { creditPackageId, quantity },
	});
	const phones = (...list: string[]) => ({
		phoneNumbers: list.map((phoneNumber) => ({ phoneNumber })),
	});

	it.each([
		[{ customerReference: 'x'.repeat(256) }, 'ORDERING 416'],
		[{ customerReference: 1 }, 'COMMON 20'],
	])('are not created with %j', async (body, error) => {
		expect(errorOf(await rest.put('/ordering/cart', body))).toBe(error);
	});

	it.each([
		...rows([{}, { phoneNumbers: [] }], 'ORDERING 401'),
		[{ ...numbers(1), ...channels(10) }, 'ORDERING 402'],
		[{ ...numbers(1), phoneNumbers: null }, 'ORDERING 402'],
		...rows([numbers(1, 1), numbers(1, 'x')], 'ORDERING 403'),
		...rows([numbers(1, 6006), phones('+33199019999999'), phones('+33199010000')], 'ORDERING 404'),
		...rows(
			[0, -1, 1.5, 'x', '1.0', true].map((quantity) => numbers(quantity)),
			'ORDERING 405',
		),
		[credit(1, 0), 'ORDERING 405'],
		...rows(
			[0, 5, 15, -10, 'x'].map((quantity) => channels(quantity)),
			'ORDERING 406',
		),
		...rows([credit(9, 1), credit('constructor', 1)], 'ORDERING 407'),
		...rows([channels(10, 'Z'), phones('x')], 'COMMON 14'),
		[{ didCartItem: { didGroupId: 6001 } }, 'COMMON 16'],
		...rows([{ didCartItem: null }, { phoneNumbers: ['+33199010500'] }], 'COMMON 20'),
		[{ phoneNumbers: '+33199010500' }, 'COMMON 20'],
		[{ didCartItem: { didGroupId: 6001, quantity: 1, zone: 'A' } }, 'COMMON 21'],
		...rows([phones('+33199010500', '33199010500'), { product: {} }], 'COMMON 21'),
	])('do not take %j', async (product, error) => {
		expect(errorOf(await add(product))).toBe(error);
	});

	it.each(['1', 'x', '4179883x'])('do not include cart %s', async (cart) => {
		expect(errorOf(await add(numbers(1), cart))).toBe('ORDERING 400');
		expect(errorOf(await rest.get(`/ordering/cart/${cart}/checkout`))).toBe('ORDERING 400');
	});

	/** Fills a cart and checks it out. */
	async function buy(...products: object[]) {
		const cart = await createCart(rest);
		for (const product of products) expect((await add(product, cart)).status).toBe(200);
		const response = await rest.get<unknown>(`/ordering/cart/${cart}/checkout`);
		return { cart, response };
	}
	const balance = () => provider.control.numbers().balance;

	it('are bought once, for what they cost', async () => {
		expect(errorOf((await buy()).response)).toBe('ORDERING 401');
		const { cart, response } = await buy(phones('+33199010011'), numbers(3), channels(20));
		expect(response.data).toMatchObject({ status: 'SUCCESS' });
		expect(balance()).toBe(1000 - 3 - 40 - 1);
		expect(errorOf(await rest.get(`/ordering/cart/${cart}/checkout`))).toBe('ORDERING 400');
		expect(errorOf(await add(numbers(1), cart))).toBe('ORDERING 400');
		expect(errorOf(await add(phones('+33199010011')))).toBe('ORDERING 404');
		expect(provider.control.numbers().orders).toHaveLength(3);
	});

	it('are bought in part if the balance or the stock is short', async () => {
		provider.control.setBalance(10);
		const short = await buy(numbers(2), channels(10));
		expect(short.response.data).toMatchObject({
			status: 'PARTIAL',
			productCheckoutList: [{ status: 'SUCCESS' }, { status: 'ERROR' }],
		});
		expect(balance()).toBe(8);
		provider.control.setBalance(100);
		provider.control.setStock(6005, 2);
		expect((await buy(numbers(5, 6005))).response.data).toMatchObject({
			status: 'WARNING',
			productCheckoutList: [{ status: 'WARNING', message: 'Only 2 of 5 were in stock' }],
		});
		expect((await buy(numbers(1, 6005))).response.data).toMatchObject({ status: 'ERROR' });
	});
});

it('keeps the data of one provider from the others', async () => {
	const other = await startProvider();
	await createAddress(restClient(other));
	expect(provider.control.numbers().addresses).toEqual([]);
	expect(provider.control.requests()).toEqual([]);
	expect((await axios.get(other.url, { validateStatus: () => true })).status).toBe(404);
	await other.close();
});
