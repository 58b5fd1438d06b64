// Requests as they are sent: no invented content type, and redirects within the same origin are followed without
// changing the request.

import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { companyForm, itemWithFile } from './forms';
import {
	apiCredentialsFor,
	credentialsFor,
	credentialTest,
	runNode,
	type RunOptions,
} from './harness';
import { nth } from '../../support/present';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const run = async (parameters: IDataObject, options: Partial<RunOptions> = {}) =>
	(await runNode({ credentials: credentialsFor(provider), parameters, ...options })).items.map(
		({ json }) => json,
	);

const newAddress = async () => nth(await run(companyForm), 0).addressId as number;

const sent = () =>
	provider.control.requests().map(({ method, path, status }) => `${method} ${path} ${status}`);

describe('a field that holds one text', () => {
	test.each([
		['"Customer Reference" is a list', { additionalFields: { customerReference: ['A-17'] } }],
		['"Phone Number" is an object', { additionalFields: { phoneNumber: { number: '+33' } } }],
		['"City" is a list', { city: ['Lille'] }],
		[
			'"Value" is a list',
			{ additionalFields: { extraFields: { field: [{ name: 'a', value: ['x'] }] } } },
		],
	])('is not left out if an expression returns something else: %s', async (message, fields) => {
		await expect(run({ ...companyForm, ...fields })).rejects.toThrow(message);
		expect(sent()).toEqual([]);
	});

	test('takes a boolean as text', async () => {
		const form = { ...companyForm, additionalFields: { customerReference: true } };
		const addressId = nth(await run(form), 0).addressId as number;
		const [address] = await run({ resource: 'address', operation: 'get', addressId });
		expect(address).toMatchObject({ customerReference: 'true' });
	});

	test('that narrows a question is not replaced by another answer', async () => {
		const addressId = await newAddress();
		const question = {
			resource: 'address',
			operation: 'validate',
			addressId,
			didType: 'GEOGRAPHIC',
		};
		await expect(run({ ...question, destinationCountryCodeA3: ['FRA'] })).rejects.toThrow(
			'"Destination Country" is a list',
		);
	});

	const none = { proofBinaryPropertyName: null };
	test.each<[string, IDataObject]>([
		['"City"', { operation: 'getAll', filters: { city: ' ' } }],
		['"Proof of Address Binary Field"', { ...companyForm, additionalFields: none }],
	])('is not left out if its expression finds nothing: %s', async (label, fields) => {
		await expect(run({ resource: 'address', ...fields })).rejects.toThrow(`${label} is empty`);
		expect(sent()).toEqual([]);
	});

	test.each<IDataObject>([
		{ destinationCountryCodeA3: null },
		{ options: { bodyFormat: '' } },
		{ options: { bodyFormat: null } },
	])('that is optional may be empty: %j', async (fields) => {
		const addressId = nth(await run({ ...companyForm, ...fields }), 0).addressId as number;
		const question = { resource: 'address', operation: 'validate', addressId, ...fields };
		expect(await run({ ...question, didType: 'GEOGRAPHIC' })).toEqual([
			expect.objectContaining({ isValid: expect.any(Boolean) as boolean }),
		]);
	});

	test('of a choice takes no other value', async () => {
		const form = { ...companyForm, options: { bodyFormat: 'JSON' } };
		await expect(run(form)).rejects.toThrow('"Body Format" has an invalid value');
	});
});

describe('a request without a body has no content type', () => {
	test('address: requestVerification', async () => {
		const addressId = await newAddress();
		await run(
			{ resource: 'address', operation: 'uploadProof', addressId },
			{ items: [itemWithFile()] },
		);
		await run({ resource: 'address', operation: 'requestVerification', addressId });
		expect(provider.control.requests().at(-1)!.headers).not.toHaveProperty('content-type');
	});

	test('the supervisor login, in the node and in the test of the credential', async () => {
		await run({ resource: 'session', operation: 'getInfo' });
		const data = credentialsFor(provider).voiceManagementSupervisorApi;
		await credentialTest.supervisor(data);
		const logins = provider.control.requests({ area: 'login' });
		expect(logins).toHaveLength(2);
		for (const { headers } of logins) expect(headers).not.toHaveProperty('content-type');
	});
});

describe('redirects of the same origin', () => {
	test('a read is sent again to the new location', async () => {
		const addressId = await newAddress();
		const path = `/vbapi/v1/regulation/address/${addressId}`;
		provider.control.clearRequests();
		provider.control.fault({ path: '/vbapi/', status: 302, headers: { location: path } });
		expect(await run({ resource: 'address', operation: 'get', addressId: '999' })).toEqual([
			expect.objectContaining({ addressId }),
		]);
		expect(sent()).toEqual(['GET /vbapi/v1/regulation/address/999 302', `GET ${path} 200`]);
		for (const { headers } of provider.control.requests())
			expect(headers.accept).toBe('application/json');
	});

	test('a location without a query keeps the query of the request', async () => {
		const addressId = await newAddress();
		const location = `/vbapi/v1/regulation/address/${addressId}/validation`;
		provider.control.fault({ path: '/vbapi/', status: 308, headers: { location } });
		const [validation] = await run({
			resource: 'address',
			operation: 'validate',
			addressId: '999',
			didType: 'GEOGRAPHIC',
			destinationCountryCodeA3: 'BEL',
		});
		expect(validation).toHaveProperty('isValid');
	});

	test.each([307, 308])('%i keeps the method and the body, files included', async (status) => {
		const addressId = await newAddress();
		const path = `/vbapi/v1/regulation/address/${addressId}/proof`;
		provider.control.fault({ path: '/vbapi/', status, headers: { location: path } });
		provider.control.clearRequests();
		await run(
			{ resource: 'address', operation: 'uploadProof', addressId: '999' },
			{ items: [itemWithFile()] },
		);
		expect(sent()).toEqual([
			`PUT /vbapi/v1/regulation/address/999/proof ${status}`,
			`PUT ${path} 200`,
		]);
		expect(provider.control.requests().at(-1)!.parts).toHaveLength(1);
	});

	test.each([301, 302, 303])('a write is never sent as another request (%i)', async (status) => {
		provider.control.fault({ path: '/vbapi/', status, headers: { location: '/done' } });
		await expect(run({ resource: 'address', operation: 'unlink', didIds: '1' })).rejects.toThrow(
			/another page \(\/done\)/,
		);
		expect(sent()).toHaveLength(1);
	});

	test('a login is sent again to the same origin, and never to another', async () => {
		const token = { resource: 'session', operation: 'createToken', ip: '127.0.0.1' };
		const credentials = apiCredentialsFor(provider);
		provider.control.fault({
			path: '/vm/',
			status: 307,
			headers: { location: '/vm/token' + '?a=1' },
		});
		await run(token, { credentials });
		expect(provider.control.requests().map(({ url }) => url)).toEqual([
			'/vm/token',
			'/vm/token?a=1',
		]);
		const stranger = await startProvider();
		provider.control.fault({
			path: '/vm/',
			status: 307,
			headers: { location: `${stranger.url}/vm/token` },
		});
		await expect(run(token, { credentials })).rejects.toThrow(/redirected to another URL/);
		provider.control.fault({
			path: '/ws/',
			status: 301,
			headers: { location: `${stranger.url}/ws/` },
		});
		await expect(run({ resource: 'session', operation: 'getInfo' })).rejects.toThrow(
			/redirected to another URL/,
		);
		const data = credentials.voiceManagementApi;
		provider.control.fault({
			path: '/vbapi/',
			status: 307,
			headers: { location: `${stranger.url}/` },
		});
		await credentialTest.api(data);
		expect(stranger.control.requests()).toEqual([]);
		await stranger.close();
	});

	test('a circle of redirects ends with an error that names the provider', async () => {
		for (const next of ['/a', '/b', '/a', '/b', '/a']) {
			provider.control.fault({ status: 302, headers: { location: next } });
		}
		await expect(run({ resource: 'address', operation: 'getAll' })).rejects.toThrow(/another page/);
		expect(sent()).toHaveLength(4);
	});
});
