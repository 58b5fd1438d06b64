/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The result of "Test" on a credential, which changes nothing at the provider.

import { startProvider, type Provider } from '../../../simulator';
import { apiCredentialsFor, credentialsFor, credentialTest } from './harness';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const { api: testApi, supervisor: testSupervisor } = credentialTest;
const numbers = () => credentialsFor(provider).voiceManagementApi;
const api = () => apiCredentialsFor(provider).voiceManagementApi;
const supervisor = () => credentialsFor(provider).voiceManagementSupervisorApi;

describe('voiceManagementApi', () => {
	test('the number management account is recognized', async () => {
		expect(await testApi(numbers())).toEqual({
			status: 'OK',
			message:
				'Accepted for number management. Full account feed (API account): rejected (Login or password is wrong)',
		});
	});

	test('the API account is recognized', async () => {
		expect(await testApi(api())).toEqual({
			status: 'OK',
			message:
				'Accepted for the full account feed (API account). Number management: rejected (Login or password is wrong)',
		});
	});

	test('one account may be both', async () => {
		provider.accounts.api.login = provider.accounts.numbers.login;
		provider.accounts.api.password = provider.accounts.numbers.password;
		expect(await testApi(numbers())).toEqual({
			status: 'OK',
			message: 'Accepted for number management and for the full account feed (API account)',
		});
	});

	test("a wrong login is neither, and the provider's reason is shown", async () => {
		const { status, message } = await testApi({ ...numbers(), password: 'wrong' });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login was not accepted\. Number management: rejected \(Login or password is wrong\)\. Full/,
		);
	});

	test('a login at a provider with too many requests is checked by another test later', async () => {
		provider.control.fault({ path: '/vbapi/', status: 429, body: { message: 'Slow down' } });
		const { status, message } = await testApi(numbers());
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login could not be checked\. .*Slow down.*rejected \(.*\)\. Too many requests\. Try again later\. Help/,
		);
		expect(message).not.toMatch(/Base URL|Password/);
		expect((await testApi(numbers())).status).toBe('OK');
	});

	test('too many requests of one kind do not hide that the login is right for the other', async () => {
		provider.control.fault({ path: '/vbapi/', status: 429, body: { message: 'Slow down' } });
		const { status, message } = await testApi(api());
		expect([status, message]).toEqual([
			'OK',
			'Accepted for the full account feed (API account). Number management: unknown (Slow down, HTTP 429)',
		]);
	});

	test.each([
		['/vbapi/', '/vm/token'],
		['/vm/token', '/vbapi/'],
	])('a login that %s refuses is not accepted where there is no %s', async (path, missing) => {
		provider.control.fault({ path, status: 401, body: { message: 'Unauthorized' } });
		provider.control.fault({ path: missing, status: 404, body: '<html>Not found</html>' });
		const { status, message } = await testApi(numbers());
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login was not accepted\. .*rejected \(Unauthorized\).*#login-refused/,
		);
	});

	test('a login that is refused for one use and not judged for the other could not be checked', async () => {
		provider.control.fault({ path: '/vbapi/', status: 500, body: { message: 'Down' } });
		provider.control.fault({ path: '/vm/token', status: 401, body: { message: 'Wrong' } });
		const { status, message } = await testApi(numbers());
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login could not be checked\. Number management: unknown \(Down, HTTP 500\)\. Full .*: rejected \(Wrong\)\. Check "Login", "Password" and "Base URL"\. Help.*#login-refused/,
		);
	});

	test('what may be a token in a rejection is not shown', async () => {
		const token = '0f1e2d3c4b5a69788796a5b4c3d2e1f001234567';
		for (const path of ['/vbapi/', '/vm/token'])
			provider.control.fault({ path, status: 401, body: { message: `Not with ${token}` } });
		const { message } = await testApi(numbers());
		expect(message).toMatch(/Number management: rejected \(Not with \*\*\*\)\. Full/);
		expect(message).not.toContain('0f1e2d3c');
	});

	test("a supervisor's login is an error that names the right credential", async () => {
		const { login, password } = supervisor();
		const { status, message } = await testApi({ ...numbers(), login, password });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/A supervisor's login belongs in "Voice Management Supervisor API"\. Help/,
		);
	});

	test('it reads one address and requests no token: nothing is bought, created or changed', async () => {
		const before = provider.control.numbers();
		await testApi(numbers());
		await testApi(api());
		expect(provider.control.numbers()).toEqual(before);
		expect(provider.control.logins()).toBe(0);
		expect(provider.control.counts().tokens).toBe(0);
		const read = {
			method: 'GET',
			url: '/vbapi/v1/regulation/address?pageNumber=0&pageSize=1',
			body: null,
		};
		const token = { method: 'POST', url: '/vm/token', body: {} };
		expect(
			provider.control.requests().map(({ method, url, body }) => ({ method, url, body })),
			// The last one with a login that does not exist: what the API account got proves nothing by itself.
		).toEqual([read, token, read, token, token]);
	});

	test('an account is accepted even if its list fails', async () => {
		provider.control.fault({
			path: '/vbapi/',
			status: 400,
			body: { apiModule: 'COMMON', errors: [{ apiErrorCode: '13', apiErrorMessage: 'No page' }] },
		});
		expect((await testApi(numbers())).message).toMatch(/^Accepted for number management/);
	});

	test('half a provider: what cannot be determined is named', async () => {
		provider.control.fault({ path: '/vm/token', status: 404, body: '<html>Not found</html>' });
		const { status, message } = await testApi(numbers());
		expect(status).toBe('OK');
		expect(message).toMatch(
			/^Accepted for number management\. Full account feed .*: there is no \/vm\/token at this URL \(HTTP 404\)$/,
		);
	});

	test('a login page does not count as acceptance', async () => {
		const headers = { location: 'https://login.example.com/' };
		provider.control.fault({ path: '/vbapi/', status: 302, headers });
		provider.control.fault({ path: '/vm/token', status: 200, body: '<html>Sign in</html>' });
		expect((await testApi(numbers())).status).toBe('Error');
		expect(provider.control.requests()).toHaveLength(2);
	});

	test.each([
		['', /^"Base URL" in the credential is empty\. Open the credential/],
		['nonsense', /^"Base URL" in the credential is not a URL/],
	])('base URL %j', async (baseUrl, message) => {
		expect(await testApi({ ...numbers(), baseUrl })).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	test('a wrong second URL is noticed too', async () => {
		const { message } = await testApi({ ...numbers(), voiceUrl: 'nonsense' });
		expect(message).toMatch(
			/^"Voice Management URL" has no scheme: write https:\/\/nonsense\. Correct "Voice Management URL"/,
		);
	});

	test('a connection field that cannot work is noticed before anything is sent', async () => {
		const connection = { customConnection: true, socketPath: '/?' };
		const { status, message } = await testApi({ ...numbers(), ...connection });
		expect([status, message]).toEqual([
			'Error',
			expect.stringMatching(/^"Socket Path" in the credential must be a path/),
		]);
		expect(
			(await testSupervisor({ ...supervisor(), ...connection, customConnection: false })).status,
		).toBe('OK');
	});

	test('nobody there', async () => {
		await provider.control.goAway();
		expect(await testApi(numbers())).toEqual({
			status: 'Error',
			message: expect.stringMatching(/refused the connection.*\(ECONNREFUSED\)\. Check "Base URL"/),
		});
	});
});

describe('voiceManagementSupervisorApi', () => {
	test('passes with a token in the response', async () => {
		expect(await testSupervisor(supervisor())).toEqual({
			status: 'OK',
			message: 'Logged in as the supervisor',
		});
	});

	test.each(['account_type', 'count_type'] as const)(
		'the spelling %s reaches the provider',
		async (key) => {
			// A provider that accepts both spellings may be sent both; one that accepts only one rejects unknown
			// fields.
			expect((await testSupervisor({ ...supervisor(), accountTypeKey: 'both' })).status).toBe('OK');
			provider.control.set({ accountTypeKey: key });
			expect((await testSupervisor({ ...supervisor(), accountTypeKey: key })).status).toBe('OK');
			const other = key === 'count_type' ? 'account_type' : 'count_type';
			expect((await testSupervisor({ ...supervisor(), accountTypeKey: other })).status).toBe(
				'Error',
			);
		},
	);

	test("a wrong password fails with the provider's reason, and is not repeated", async () => {
		const { status, message } = await testSupervisor({ ...supervisor(), password: 'wrong-s3cret' });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^Login or password is wrong \(HTTP 401\): the login was not accepted\. .*"Account Type Key"/,
		);
		expect(message).not.toContain('s3cret');
	});

	test.each(['numbers', 'api'] as const)(
		'the login of %s is an error that names the right credential',
		async (account) => {
			const { login, password } = provider.accounts[account];
			const { status, message } = await testSupervisor({ ...supervisor(), login, password });
			expect(status).toBe('Error');
			expect(message).toMatch(
				/Logins for number management or an API account go into a "Voice Management API" credential/,
			);
		},
	);

	test('after Auto, the error does not advise changing the type key, since both were tried', async () => {
		const wrong = { ...supervisor(), accountTypeKey: 'auto', password: 'wrong' };
		const { message } = await testSupervisor(wrong);
		expect(message).not.toMatch(/account_type|count_type/);
		expect(message).not.toContain('Account Type Key');
		// Once a spelling was accepted, Auto keeps it.
		expect((await testSupervisor({ ...wrong, password: supervisor().password })).status).toBe('OK');
		expect((await testSupervisor(wrong)).message).not.toContain('Account Type Key');
	});

	test('a connection field that cannot work is noticed before anything is sent', async () => {
		const connection = { customConnection: true, socketPath: '/?' };
		const { status, message } = await testSupervisor({ ...supervisor(), ...connection });
		expect([status, message]).toEqual([
			'Error',
			expect.stringMatching(/^"Socket Path" in the credential must be a path/),
		]);
		expect(
			(await testSupervisor({ ...supervisor(), ...connection, customConnection: false })).status,
		).toBe('OK');
	});

	test('nobody there', async () => {
		await provider.control.goAway();
		expect((await testSupervisor(supervisor())).message).toMatch(
			/refused the connection.*Check "Voice Management URL"/,
		);
	});
});

describe('a response that shows nothing about the login', () => {
	const everywhere = (status: number, body: unknown) => {
		provider.control.fault({ path: '/vbapi/v1/regulation/address', status, body, times: 2 });
		provider.control.fault({ path: '/vm/token', status, body, times: 2 });
	};

	test('of another server: the URL is what to check, and the login is not called rejected', async () => {
		everywhere(404, 'Not found');
		const { status, message } = await testApi(numbers());
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login could not be checked\. Number management: there is no \/vbapi\/v1\/ at this URL \(HTTP 404\)\. .*Check "Base URL"\. Help/,
		);
		expect(message).not.toMatch(/"Login"|"Password"|Supervisor/);
	});

	test('is said with its reason', async () => {
		everywhere(503, { message: 'Closed for today' });
		const { message } = await testApi(numbers());
		expect(message).toMatch(/Number management: unknown \(Closed for today, HTTP 503\)/);
	});

	test('is said if everyone gets it, also with a login that is a word of it', async () => {
		everywhere(400, { message: 'user_type is missing for this api' });
		const { status, message } = await testApi({ ...numbers(), login: 'api' });
		expect(status).toBe('Error');
		expect(message).toMatch(/a login that does not exist gets the same response/);
	});

	test('is said if everyone gets it', async () => {
		everywhere(404, { message: 'Nothing to show' });
		const { message } = await testApi(numbers());
		expect(message).toMatch(
			/Number management: unknown \(Nothing to show, HTTP 404; a login that does not exist gets the same response\)/,
		);
	});
});
