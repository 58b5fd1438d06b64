// The result of "Test" on a credential, which changes nothing at the operator.

import type { ICredentialsDecrypted } from 'n8n-workflow';
import { testApiCredential, testSupervisorCredential } from '../../../nodes/shared/credentialTest';
import { startOperator, type Operator } from '../../../simulator';
import { apiCredentialsFor, credentialsFor, credentialTestContext } from './harness';

let operator: Operator;

beforeEach(async () => {
	operator = await startOperator();
});

afterEach(async () => await operator.close());

type Data = ICredentialsDecrypted['data'];

const testApi = async (data: Data) =>
	await testApiCredential.call(credentialTestContext(), { data } as ICredentialsDecrypted);
const testSupervisor = async (data: Data) =>
	await testSupervisorCredential.call(credentialTestContext(), { data } as ICredentialsDecrypted);

const numbers = (): NonNullable<Data> => ({ ...credentialsFor(operator).voiceManagementApi });
const api = (): NonNullable<Data> => ({ ...apiCredentialsFor(operator).voiceManagementApi });
const supervisor = (): NonNullable<Data> => ({
	...credentialsFor(operator).voiceManagementSupervisorApi,
});

describe('voiceManagementApi', () => {
	test('the number management account is recognised', async () => {
		expect(await testApi(numbers())).toEqual({
			status: 'OK',
			message:
				'Accepted for number management. Full account feed (API account): rejected (Login or password is wrong)',
		});
	});

	test('the API account is recognised', async () => {
		expect(await testApi(api())).toEqual({
			status: 'OK',
			message:
				'Accepted for the full account feed (API account). Number management: rejected (Login or password is wrong)',
		});
	});

	test('one account may be both', async () => {
		operator.accounts.api.login = operator.accounts.numbers.login;
		operator.accounts.api.password = operator.accounts.numbers.password;
		expect(await testApi(numbers())).toEqual({
			status: 'OK',
			message: 'Accepted for number management and for the full account feed (API account)',
		});
	});

	test("a wrong login is neither, and the operator's reason is shown", async () => {
		const { status, message } = await testApi({ ...numbers(), password: 'wrong' });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login was not accepted\. Number management: rejected \(Login or password is wrong\)\. Full/,
		);
	});

	test("a supervisor's login is an error that names the right credential", async () => {
		const { login = '', password = '' } = supervisor();
		const { status, message } = await testApi({ ...numbers(), login, password });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/A supervisor's login belongs in "Voice Management Supervisor API"\. Help/,
		);
	});

	test('it reads one address and requests no token: nothing is bought, created or changed', async () => {
		const before = operator.control.numbers();
		await testApi(numbers());
		await testApi(api());
		expect(operator.control.numbers()).toEqual(before);
		expect(operator.control.logins()).toBe(0);
		expect(operator.control.counts().tokens).toBe(0);
		expect(
			operator.control.requests().map(({ method, url, body }) => ({ method, url, body })),
		).toEqual(
			[numbers, api].flatMap(() => [
				{ method: 'GET', url: '/vbapi/v1/regulation/address?pageNumber=0&pageSize=1', body: null },
				{ method: 'POST', url: '/vm/token', body: {} },
			]),
		);
	});

	test('an account is accepted even if its list fails', async () => {
		operator.control.fault({
			path: '/vbapi/',
			status: 400,
			body: { apiModule: 'COMMON', errors: [{ apiErrorCode: '13', apiErrorMessage: 'No page' }] },
		});
		expect((await testApi(numbers())).message).toMatch(/^Accepted for number management/);
	});

	test('half an operator: what cannot be determined is named', async () => {
		operator.control.faultHtml('/vm/token', 404);
		const { status, message } = await testApi(numbers());
		expect(status).toBe('OK');
		expect(message).toMatch(
			/^Accepted for number management\. Full account feed .*: there is no \/vm\/token at this URL \(HTTP 404\)$/,
		);
	});

	test('a login page does not count as acceptance', async () => {
		operator.control.faultRedirect('/vbapi/', 'https://login.example.com/');
		operator.control.faultHtml('/vm/token', 200);
		expect((await testApi(numbers())).status).toBe('Error');
		expect(operator.control.requests()).toHaveLength(2);
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

	test('nobody there', async () => {
		await operator.control.goAway();
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
		'the spelling %s reaches the operator',
		async (key) => {
			// An operator that accepts both spellings may be sent both; one that accepts only one rejects unknown
			// fields.
			expect((await testSupervisor({ ...supervisor(), accountTypeKey: 'both' })).status).toBe('OK');
			operator.control.set({ accountTypeKey: key });
			expect((await testSupervisor({ ...supervisor(), accountTypeKey: key })).status).toBe('OK');
			const other = key === 'count_type' ? 'account_type' : 'count_type';
			expect((await testSupervisor({ ...supervisor(), accountTypeKey: other })).status).toBe(
				'Error',
			);
		},
	);

	test("a wrong password fails with the operator's reason, and is not repeated", async () => {
		const { status, message } = await testSupervisor({ ...supervisor(), password: 'wrong-s3cret' });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^Login or password is wrong\. Code INVALID_LOGIN, HTTP 401\. .*"Account Type Key"/,
		);
		expect(message).not.toContain('s3cret');
	});

	test.each(['numbers', 'api'] as const)(
		'the login of %s is an error that names the right credential',
		async (account) => {
			const { login, password } = operator.accounts[account];
			const { status, message } = await testSupervisor({ ...supervisor(), login, password });
			expect(status).toBe('Error');
			expect(message).toMatch(
				/One for number management or for the full account feed belongs in "Voice Management API"/,
			);
		},
	);

	test('after Auto, the error does not advise changing the type key, since both were tried', async () => {
		const wrong = { ...supervisor(), accountTypeKey: 'auto', password: 'wrong' };
		const { message } = await testSupervisor(wrong);
		expect(message).toMatch(/tried with account_type and count_type/);
		expect(message).not.toContain('Account Type Key');
		// Once a spelling was accepted, Auto keeps it.
		expect((await testSupervisor({ ...wrong, password: supervisor().password ?? '' })).status).toBe(
			'OK',
		);
		expect((await testSupervisor(wrong)).message).not.toContain('Account Type Key');
	});

	test.each([
		{},
		{ id_session: '' },
		{ id_session: null },
		{ id_session: -1 },
		{ id_session: 'undefined' },
		{ target: 1 },
	])('HTTP 200 with %j is not a login', async (body) => {
		operator.control.fault({ path: '/ws/', status: 200, body });
		const { status, message } = await testSupervisor(supervisor());
		expect(status).toBe('Error');
		expect(message).toMatch(/no session token/);
	});

	test.each([
		['a web page', { status: 200, body: '<html></html>' }, /web page/],
		[
			'a redirect',
			{ status: 302, headers: { location: 'https://sso.example.com/?x=1' } },
			/sso\.example\.com\//,
		],
		['nothing', { status: 200 }, /is empty/],
		['a fault', { status: 500 }, /HTTP status 500/],
	])('%s is not a login', async (_what, fault, message) => {
		operator.control.fault({ path: '/ws/', ...fault });
		const result = await testSupervisor(supervisor());
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	test('nobody there', async () => {
		await operator.control.goAway();
		expect((await testSupervisor(supervisor())).message).toMatch(
			/refused the connection.*Check "Voice Management URL"/,
		);
	});
});

describe('each form of a rejection and of a success', () => {
	const list = { path: '/vbapi/v1/regulation/address' };
	const token = { path: '/vm/token' };
	const gone = { status: 404, body: 'Not found' };

	test.each<[string, number, unknown]>([
		['INVALID_AUTH', 400, { err_code: 'INVALID_AUTH' }],
		['a wrong password with 422', 422, { errors: [{ apiErrorMessage: 'Wrong password' }] }],
		['a failure in a 200', 200, { status: 'error', message: 'Login unknown' }],
		['a failure by its flag', 200, { success: false, error: { message: 'Bad credentials' } }],
		['a locked account', 403, { message: 'Account locked' }],
		['another service with JSON', 200, { status: 'UP', components: ['a', 'b'] }],
		['a response without a list', 200, { accepted: false, reason: 'Not now' }],
	])('red: %s', async (_form, status, body) => {
		operator.control.fault({ ...list, status, body: body });
		operator.control.fault({ ...token, status, body: body });
		expect((await testApi(numbers())).status).toBe('Error');
	});

	test('another server is not called a rejected login: the URL is what to check', async () => {
		operator.control.fault({ ...list, ...gone });
		operator.control.fault({ ...token, ...gone });
		const { status, message } = await testApi(numbers());
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^The login could not be checked\. Number management: there is no \/vbapi\/v1\/ at this URL \(HTTP 404\)\. .*Check "Base URL"\. Help/,
		);
		expect(message).not.toMatch(/"Login"|"Password"|Supervisor/);
	});

	test("a 404 with the operator's own reason does not mean a wrong URL", async () => {
		const body = { message: 'Nothing to show' };
		operator.control.fault({ ...list, status: 404, body });
		operator.control.fault({ ...token, status: 404, body });
		const { message } = await testApi(numbers());
		expect(message).toMatch(/Number management: unknown \(Nothing to show, HTTP 404\)/);
	});

	test.each<[string, number, unknown]>([
		['403 about ip', 403, { err_code: 'IP_MISSING', err_msg: 'ip is missing' }],
		[
			'400 about its parameters',
			400,
			{ err_code: 'INVALID_VARS', err_msg: 'user_type is required' },
		],
		['a 400 about the type of the user', 400, { err_msg: 'Unknown user_type' }],
		[
			'a failure in a 200 about its parameters',
			200,
			{ status: 'ERROR', message: 'Missing parameter ip' },
		],
	])('passes: the token request is answered with %s', async (_form, status, body) => {
		operator.control.fault({ ...list, ...gone });
		operator.control.fault({ ...token, status, body: body });
		expect((await testApi(numbers())).status).toBe('OK');
	});

	test.each<[string, unknown]>([
		['empty', { regulationAddresses: [], resultCount: 0 }],
		['null', { regulationAddresses: null }],
		['without a name', []],
		['nothing at all', {}],
		['a success without data', { status: 'SUCCESS', data: null }],
		['said in words', { message: 'No address found' }],
		['said in words without addresses', { message: 'No records found' }],
		['a code of success', { code: 200, message: 'OK' }],
	])('passes: the list of an account without addresses is %s', async (_form, body) => {
		operator.control.fault({ ...list, status: 200, body: body });
		operator.control.fault({ ...token, ...gone });
		expect((await testApi(numbers())).status).toBe('OK');
	});

	test('passes: the other spelling is found automatically', async () => {
		operator.control.set({ accountTypeKey: 'count_type' });
		expect((await testSupervisor({ ...supervisor(), accountTypeKey: 'auto' })).status).toBe('OK');
	});

	test.each<[string, unknown]>([
		['wrapped', { status: 'OK', data: { id_session: 'abc', target: 1 } }],
		['in a list', [{ id_session: 'abc', target: 1 }]],
		['with err_code OK', { err_code: 'OK', id_session: 'abc', target: 1 }],
		['with a number', { id_session: 77, target: 1 }],
	])('passes: a session %s', async (_form, body) => {
		operator.control.fault({ path: '/ws/', status: 200, body: body });
		expect((await testSupervisor(supervisor())).status).toBe('OK');
	});

	test.each<[string, unknown]>([
		['an empty session in a wrapper', { data: { id_session: '' } }],
		['a session of zero with an error', { id_session: 0, err_code: 'INVALID_LOGIN' }],
		['an error beside a session', { id_session: 'abc', status: 'error', message: 'No' }],
	])('red: %s', async (_form, body) => {
		operator.control.fault({ path: '/ws/', status: 200, body: body });
		expect((await testSupervisor(supervisor())).status).toBe('Error');
	});
});
