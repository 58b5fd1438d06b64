// The number management interface as a whole: who may use it, what a request has to look like, what it offers.

import axios from 'axios';
import { request } from 'node:http';
import { startOperator, type Operator } from '../../../simulator';
import { basic, createAddress, createCart, errorOf, restClient } from './helpers';

let operator: Operator;
beforeAll(async () => {
	operator = await startOperator();
});
afterAll(() => operator.close());

/** Sends a path unchanged; HTTP clients normalise paths before they send them. */
const raw = (method: string, path: string) =>
	new Promise<{ status: number; body: string }>((resolve, reject) => {
		const headers = {
			Authorization: basic(operator.accounts.numbers),
			Accept: 'application/json',
		};
		request({ port: operator.port, host: '127.0.0.1', method, path, headers }, (response) => {
			let body = '';
			response.on('data', (chunk: Buffer) => (body += chunk.toString()));
			response.on('end', () => resolve({ status: response.statusCode!, body }));
		})
			.on('error', reject)
			.end();
	});

describe('authentication', () => {
	const list = '/regulation/address?pageNumber=0&pageSize=1';

	it.each([
		['no login', null],
		['another scheme', 'Bearer abc'],
		['text that is not base64', 'Basic ???'],
		['a pair without a colon', `Basic ${Buffer.from('numbers').toString('base64')}`],
		['a wrong password', basic({ login: 'numbers', password: 'wrong' })],
		['the API account', basic({ login: 'api', password: 'api-secret-é' })],
		[
			'the password in Latin-1',
			`Basic ${Buffer.from('numbers:numbers-secret-é', 'latin1').toString('base64')}`,
		],
	])('rejects %s with 401', async (_what, authorization) => {
		const response = await restClient(operator, { Authorization: authorization }).get(list);
		expect(response.status).toBe(401);
		expect(response.headers['www-authenticate']).toMatch(/^Basic/);
		expect(errorOf(response)).toBe('COMMON 401');
	});

	it('accepts login and password in UTF-8', async () => {
		expect((await restClient(operator).get(list)).status).toBe(200);
	});

	it('requires a login before it reveals what is offered', async () => {
		const response = await axios.get(`${operator.url}/vbapi/v1/nothing`, {
			validateStatus: () => true,
		});
		expect(response.status).toBe(401);
	});
});

describe('what is offered', () => {
	it.each([
		['GET', '/vbapi/v1/ordering/cart'],
		['POST', '/vbapi/v1/regulation/address'],
		['PATCH', '/vbapi/v1/regulation/address/1'],
		['DELETE', '/vbapi/v1/regulation/zipcode'],
		['POST', '/vbapi/v1/ordering/cart/1/checkout'],
		['GET', '/vbapi/v1/regulation/address/1/link'],
	])('rejects %s %s: 405, code 23', async (method, path) => {
		const answer = await raw(method, path);
		expect(answer.status).toBe(405);
		expect(JSON.parse(answer.body)).toMatchObject({
			apiModule: 'COMMON',
			errors: [{ apiErrorCode: '23' }],
		});
	});

	it.each([
		'/vbapi/v1/regulation/address/',
		'/vbapi/v1/regulation/address/1/',
		'/vbapi/v1/regulation/address/../address/1/x',
		'/vbapi/v1/regulation/address/a/b',
		'/vbapi/v1/inventory/did',
		'/vbapi/v1/Regulation/address',
		'/vbapi/v2/regulation/address',
	])('has no %s: 404, not a redirect, not another operation', async (path) => {
		const answer = await raw('GET', path);
		expect(answer.status).toBe(404);
		JSON.parse(answer.body);
	});

	it('does not buy on HEAD', async () => {
		const rest = restClient(operator);
		const cart = await createCart(rest);
		await rest.post(`/ordering/cart/${cart}/product`, {
			creditPackageCartItem: { creditPackageId: 1, quantity: 1 },
		});
		expect((await raw('HEAD', `/vbapi/v1/ordering/cart/${cart}/checkout`)).status).toBe(405);
		expect(operator.control.numbers().orders).toEqual([]);
	});

	it('reports a URL that cannot be decoded', async () => {
		const answer = await raw('GET', '/vbapi/v1/regulation/address/%zz');
		expect(answer.status).toBe(400);
		expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ apiErrorCode: '20' }] });
	});

	it.each([
		'../../x',
		'a/b',
		'%2e',
		'é',
		'9'.repeat(400),
		'ü'.repeat(10_000),
		' ',
		'1.0',
		'-1',
		'0x1',
	])('treats an identifier such as %.20s as one segment: 507', async (id) => {
		const response = await restClient(operator).get(
			`/regulation/address/${encodeURIComponent(id)}`,
		);
		expect(errorOf(response)).toBe('REGULATION 507');
	});
});

describe('the form of a request', () => {
	it.each([undefined, '*/*', 'application/xml', 'text/html, */*;q=0.1'])(
		'rejects Accept: %s with code 14, where the operator would return XML',
		async (accept) => {
			const response = await restClient(operator, { Accept: accept ?? null }).get(
				'/regulation/address?pageNumber=0&pageSize=1',
			);
			expect(errorOf(response)).toBe('COMMON 14');
		},
	);

	it.each(['application/json', 'text/plain, application/json;q=0.9'])(
		'accepts Accept: %s',
		async (accept) => {
			const rest = restClient(operator, { Accept: accept });
			expect((await rest.put('/ordering/cart', {})).status).toBe(200);
		},
	);

	it.each([
		['another content type', '{}', 'text/plain', 'COMMON 25'],
		['a form', 'description=x', 'application/x-www-form-urlencoded', 'COMMON 25'],
		['an empty body', '', 'application/json', 'COMMON 26'],
		['text that is not JSON', '{"description":', 'application/json', 'COMMON 20'],
		['a list', '[]', 'application/json', 'COMMON 25'],
		['null', 'null', 'application/json', 'COMMON 25'],
		['an unknown key', '{"x":1}', 'application/json', 'COMMON 21'],
	])('refuses %s', async (_what, body, type, error) => {
		const response = await restClient(operator).put('/ordering/cart', body, {
			headers: { 'Content-Type': type },
			transformRequest: (data: unknown) => data,
		});
		expect(response.status).toBe(400);
		expect(errorOf(response)).toBe(error);
	});

	it('rejects a body where none is allowed', async () => {
		const rest = restClient(operator);
		const id = await createAddress(rest);
		expect(errorOf(await rest.put(`/regulation/address/${id}/verification`, {}))).toBe('COMMON 25');
		expect(errorOf(await rest.delete(`/regulation/address/${id}`, { data: { x: 1 } }))).toBe(
			'COMMON 25',
		);
	});

	it.each([
		['get', '/ordering/cart/1/checkout?x=1'],
		['put', '/ordering/cart?x=1'],
		['get', '/regulation/zipcode?countryCodeA3=FRA&pageNumber=0&pageSize=1&city=Paris'],
		['get', '/regulation/address?pageNumber=0&pageSize=1&pageSize=1'],
	] as const)('rejects parameters that are unknown or repeated: %s %s', async (method, path) => {
		expect(errorOf(await restClient(operator).request({ method, url: path }))).toBe('COMMON 21');
	});
});

it('keeps the data of one operator from the others', async () => {
	const other = await startOperator();
	await createAddress(restClient(other));
	expect(other.control.numbers().addresses).toHaveLength(1);
	await restClient(other).put('/ordering/cart', { description: 'only here' });
	const mine = operator.control.requests({ path: '/vbapi/v1/ordering/cart', method: 'PUT' });
	expect(mine.map(({ body }) => body)).not.toContainEqual({ description: 'only here' });
	await other.close();
});
