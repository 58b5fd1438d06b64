/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Every form in which a provider may report that a request succeeded or failed. The documents show two.

import fc from 'fast-check';
import { parse } from '../../../nodes/shared/answer/parse';
import type { Effect } from '../../../nodes/shared/answer/reason';
import { judge } from '../../../nodes/shared/answer/verdict';
import { readFailure, type Failure } from '../../../nodes/shared/failure';
import { nth } from '../../support/present';

const EFFECTS: Effect[] = ['read', 'login', 'write', 'purchase'];

const respond = (body: unknown, statusCode = 200, type = 'application/json') =>
	parse({
		statusCode,
		headers: { 'content-type': type },
		body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
	});

const failureOf = (
	body: unknown,
	effect: Effect = 'write',
	{
		status = 200,
		type = 'application/json',
		successFlag,
	}: { status?: number; type?: string; successFlag?: string } = {},
): Failure | undefined =>
	readFailure(respond(body, status, type), { effect, urlField: 'Base URL', successFlag });

const SUCCESSES: object[] = [
	{ status: 'SUCCESS' },
	...['OK', 'ok', 'Ok', null, 0, '0', '', 'SUCCESS', 'success', 'none', 'NO_ERROR', '00', 200].map(
		(code) => ({ err_code: code, id: 1 }),
	),
	{ err_code: 'OK', err_msg: 'Everything is fine' },
	{ err_msg: 'OK' },
	{ errors: [], id: 1 },
	{ errors: {}, id: 1 },
	{ error: false, id: 1 },
	{ error: null },
	{ code: 200, message: 'Done' },
	{ code: '0' },
	{ status: 200 },
	{ status: 'ok' },
	{ success: true, message: 'Linked' },
	{ success: 1 },
	{ ok: true },
	{ result: 'OK' },
	{ status: 'NUMBERS_LINKED_AND_UNBLOCKED' },
	{ status: 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION' },
	{ status: 'NUMBERS_UNLINKED_AND_BLOCKED' },
	{ status: 'NO_ERROR' },
	{ statut: 'succès' },
];

const FAILURES: Array<[unknown, string | RegExp]> = [
	[{ errors: [{ apiErrorCode: '507', apiErrorMessage: 'Not yours' }] }, 'Not yours'],
	[{ err_code: 'INVALID_VARS', err_msg: 'No such thing' }, 'No such thing'],
	...[
		'error',
		'ERROR',
		'Error',
		'FAILURE',
		'failed',
		'FAIL',
		'ko',
		'KO',
		'nok',
		'REJECTED',
		'denied',
	].map((status): [unknown, string] => [{ status, message: 'The reason' }, 'The reason']),
	[{ status: 'ERROR' }, /error/i],
	[{ statut: 'erreur', libelle: 'Numéro inconnu' }, 'Numéro inconnu'],
	[{ code: 409, message: 'Taken' }, 'Taken'],
	[{ code: '409', message: 'Taken' }, 'Taken'],
	[{ status: 400, message: 'Bad' }, 'Bad'],
	[{ success: false, message: 'No' }, 'No'],
	[{ success: 'false', reason: 'No' }, 'No'],
	[{ success: 0, detail: 'No' }, 'No'],
	[{ Success: 'FALSE', Message: 'No' }, 'No'],
	[{ IsSuccess: false, ErrorMessage: 'No' }, 'No'],
	[{ result: 'error', msg: 'No' }, 'No'],
	[{ result: false, msg: 'No' }, 'No'],
	[{ ok: false, description: 'No' }, 'No'],
	[{ error: true, message: 'No' }, 'No'],
	[{ error: 'true', message: 'No' }, 'No'],
	[{ error: 'Cart is empty' }, 'Cart is empty'],
	[{ error: { message: 'Cart is empty', code: 12 } }, 'Cart is empty'],
	[{ error: 'invalid_grant', error_description: 'Wrong pair' }, 'Wrong pair'],
	[{ errors: ['First', 'Second'] }, 'First; Second'],
	[{ errors: 'First' }, 'First'],
	[{ errors: { city: ['is missing'], zip: ['is long'] } }, 'city: is missing; zip: is long'],
	[{ errors: { password: ['is too short'] } }, 'password: is too short'],
	[{ errors: [{ field: 'city', message: 'is missing' }] }, 'city: is missing'],
	[{ errors: ['Number already linked'] }, 'Number already linked'],
	[{ status: 'SUCCESS', errors: [{ message: 'No' }] }, 'No'],
	[{ type: 'about:blank', title: 'Conflict', status: 409, detail: 'Taken' }, 'Conflict: Taken'],
	[{ type: 'https://example.com/p', title: 'Conflict', detail: 'Taken' }, 'Conflict: Taken'],
	[{ error_code: 17, error_message: 'No' }, 'No'],
	[{ errorCode: 'E17', errorMessage: 'No' }, 'No'],
	[{ ERR_CODE: 'E17', ERR_MSG: 'No' }, 'No'],
	[{ status: { code: 409, message: 'Taken' } }, 'Taken'],
	['false', /./],
];

describe('a success', () => {
	describe.each(EFFECTS)('of a %s', (effect) => {
		test.each(SUCCESSES)('%j', (body) => {
			expect(failureOf(body, effect)).toBeUndefined();
		});
	});

	test.each<[unknown, Effect]>([
		[{ addressId: 1, status: 'REJECTED' }, 'read'],
		[{ data: [{ regulationAddressId: 1, status: 'REJECTED' }] }, 'read'],
		[{ regulationAddresses: [{ addressId: 1, status: 'REJECTED' }], resultCount: 1 }, 'read'],
		[{ addressId: 1, status: 'NOT_VERIFIED', linked: false }, 'write'],
		[{ isValid: false, reasons: [{ code: '507', message: 'No' }] }, 'read'],
		[{ valid: false, errors: ['City is missing'] }, 'read'],
		[[{ zipCode: '1' }], 'read'],
		[[], 'read'],
		[[], 'write'],
		[{}, 'write'],
	])('is %j of a %s', (body, effect) => {
		expect(failureOf(body, effect)).toBeUndefined();
	});

	test.each<[string, string]>([
		['200 OK', 'text/plain'],
		['', 'text/plain'],
		[' \n', 'text/plain'],
	])('of a write is %j as %s', (body, type) => {
		expect(failureOf(body, 'write', { type })).toBeUndefined();
	});
});

describe('a failure', () => {
	describe.each(EFFECTS)('of a %s', (effect) => {
		test.each(FAILURES)('%j', (body, reason) => {
			const failure = failureOf(body, effect);
			if (typeof reason === 'string') expect(failure?.message).toBe(reason);
			else expect(failure?.message).toMatch(reason);
		});
	});

	// XML is not requested (provider.md#requests).
	test.each<[number, string, string]>([
		[400, '<r><message>Not yours</message></r>', 'Not yours'],
		[
			200,
			'<?xml version="1.0"?><r><status>SUCCESS</status></r>',
			'The response is not a known answer: SUCCESS: the change may have been made',
		],
		[
			200,
			'<r><status>ERROR</status>\n<message>No</message></r>',
			'The response is not a known answer: ERROR No: the change may have been made',
		],
	])('of a write is status %i with %j', (status, body, reason) => {
		expect(failureOf(body, 'write', { status, type: 'application/xml' })?.message).toBe(reason);
	});

	test.each<[unknown]>([
		[{ linked: false }],
		[{ linked: 0 }],
		[{ linked: 'no' }],
		[{ linked: [] }],
		[[{ didId: 1, status: 'ERROR', message: 'No' }]],
		[{ status: 'SUCCESS', dids: [{ id: 1, status: 'ERROR' }] }],
		[{ linked: [], failed: [1, 2] }],
		[{ addressId: 1, status: 'REJECTED' }],
	])('of a link is %j', (body) => {
		expect(failureOf(body, 'write', { successFlag: 'linked' })).toBeDefined();
	});

	test('has the HTTP status, module and code of the body', () => {
		expect(
			failureOf({
				httpStatusCode: 404,
				apiModule: 'REGULATION',
				errors: [{ apiErrorCode: '507', apiErrorMessage: 'No' }],
			}),
		).toMatchObject({ statusCode: 404, module: 'REGULATION', code: '507' });
		expect(failureOf({ code: 409, message: 'Taken' })).toMatchObject({ statusCode: 409 });
		expect(failureOf({ error: { code: 'E1', message: 'No' } })).toMatchObject({ code: 'E1' });
		const ofModule = { apiModule: 'ORDERING', errors: [{ code: '404', message: 'No' }] };
		expect(failureOf(ofModule, 'write', { status: 400 })).toMatchObject({ code: '404' });
		// It only repeats the status.
		expect(failureOf(ofModule, 'write', { status: 404 })?.code).toBeUndefined();
	});

	test('by its HTTP status has the reason, wherever that is', () => {
		for (const [body, reason] of FAILURES) {
			if (typeof reason !== 'string') continue;
			expect([body, failureOf(body, 'read', { status: 400 })?.message]).toEqual([body, reason]);
		}
	});

	test.each<[string, unknown, number]>([
		['its status', { status: 'error', message: 'TOKEN' }, 200],
		['its code', { err_code: 'TOKEN', message: 'no' }, 401],
		['its module', { apiModule: 'TOKEN', errors: [{ apiErrorCode: '7' }] }, 401],
		['truncated JSON', '{"id_session":"TOKEN', 401],
	])('of a login never repeats a token in %s', (_where, body, status) => {
		const token = '0f1e2d3c4b5a69788796a5b4c3d2e1f001234567';
		const text = JSON.stringify(body).replace('TOKEN', token);
		const failure = failureOf(JSON.parse(text), 'login', { status });
		expect(failure).toBeDefined();
		expect(JSON.stringify([failure?.message, failure?.description])).not.toContain('0f1e2d3c');
	});

	test('of a login never repeats what was returned as text', () => {
		expect(failureOf('tok-s3cret-1', 'login', { type: 'text/plain' })?.message).not.toContain(
			's3cret',
		);
		expect(failureOf('"tok-s3cret-1"', 'login')?.message).not.toContain('s3cret');
		expect(
			failureOf({ status: 'error', message: 'tok-s3cret is used up', token: 'tok-s3cret' }, 'login')
				?.message,
		).toBe('*** is used up');
	});

	test.each<[string, string, string]>([
		['hello', 'text/plain; charset=utf-8', 'HTTP 200, text/plain. '],
		['<a>1</a>', 'application/xml', 'HTTP 200, application/xml. '],
		['{"a":', 'application/json', 'HTTP 200, application/json. '],
		['hello', '', 'HTTP 200. '],
		['hello', '<b>x</b>/y', 'HTTP 200. '],
	])('that %s as %s is not understood has status and content type', (body, type, source) => {
		const { description = '' } = failureOf(body, 'write', { type }) ?? {};
		expect(description.startsWith(source)).toBe(true);
	});

	test('is a response that is too large', () => {
		const answer = {
			statusCode: 200,
			headers: {},
			data: undefined,
			text: '',
			format: 'tooLarge',
		} as const;
		expect(readFailure(answer, { effect: 'write', urlField: 'Base URL' })).toMatchObject({
			message: 'The response is larger than 4 MB: the change may have been made',
			description: expect.stringContaining('whether the change was made'),
		});
	});
});

test('a purchase with text as its response is not known to have succeeded', () => {
	expect(failureOf('ok', 'purchase', { type: 'text/plain' })).toBeDefined();
	expect(failureOf('', 'purchase')).toBeDefined();
	expect(failureOf('[]', 'purchase')).toBeDefined();
	expect(
		failureOf('<r><status>SUCCESS</status></r>', 'purchase', { type: 'text/xml' }),
	).toBeDefined();
});

describe('a warning', () => {
	const warningOf = (body: unknown) => {
		const { outcome, word, reason } = judge(respond(body), { effect: 'write' });
		return outcome === 'partly' ? { word, reason } : undefined;
	};

	test.each<[unknown, string, string]>([
		[{ status: 'WARNING', message: 'Mind' }, 'WARNING', 'Mind'],
		[{ status: 'partial', message: 'Mind' }, 'partial', 'Mind'],
	])('%j', (body, word, reason) => {
		expect(failureOf(body)).toBeUndefined();
		expect(warningOf(body)).toEqual({ word, reason });
	});

	test('is absent for a success', () => {
		for (const body of SUCCESSES) expect([body, warningOf(body)]).toEqual([body, undefined]);
	});
});

describe('a write that a server in front of the provider, or the provider itself, broke off', () => {
	test.each([
		[504, '<html><title>504 Gateway Time-out</title></html>', 'text/html'],
		[502, '', 'text/plain'],
		[408, '', 'text/plain'],
		[524, 'error code: 524', 'text/plain'],
		[503, '{"message":"upstream request timeout"}', 'application/json'],
		[500, '{"status":500,"err_code":"DB_TIMEOUT","err_msg":"No answer"}', 'application/json'],
		[200, '{"status":500,"err_code":"DB_TIMEOUT","err_msg":"No answer"}', 'application/json'],
		[504, '{"code":"GATEWAY_TIMEOUT"}', 'application/json'],
		[500, '{"apiModule":"REGULATION","errors":[{"apiErrorCode":"1"}]}', 'application/json'],
		[500, '{"apiModule":"REGULATION","errors":[{"code":500}]}', 'application/json'],
		[503, '{"apiModule":"REGULATION","errors":[{"code":"503"}]}', 'application/json'],
		[504, '{"apiModule":"REGULATION","errors":[{"code":502}]}', 'application/json'],
		[503, '{"apiErrorCode":"503"}', 'application/json'],
	])('with %i %s may have been done', (status, body, type) => {
		const failure = failureOf(body, 'write', { status, type });
		expect(failure?.message).toMatch(/: the change may have been made$/);
		expect(failure?.description).toMatch(
			/Check on the provider's side whether the change was made/,
		);
		expect(failureOf(body, 'read', { status, type })?.message).not.toMatch(/may have been/);
	});

	test.each([
		[500, { apiModule: 'REGULATION', errors: [{ apiErrorCode: '507' }] }],
		[500, { apiModule: 'COMMON', errors: [{ apiErrorCode: '16' }] }],
		[500, { apiModule: 'REGULATION', errors: [{ apiErrorCode: '525' }] }],
		[503, { apiModule: 'ORDERING', errors: [{ apiErrorCode: '409' }] }],
		[503, { apiModule: 'REGULATION', errors: [{ apiErrorCode: '17' }] }],
		[509, { message: 'Too many requests' }],
		[400, { message: 'No' }],
	])('was refused with %i %j', (status, body) => {
		const failure = failureOf(body, 'write', { status });
		expect(failure?.message).not.toMatch(/may have been/);
		expect(failure?.description).not.toContain('internal error');
	});
});

describe('whatever the form', () => {
	const wrapper = fc.constantFrom<(body: unknown) => unknown>(
		(body) => ({ data: body }),
		(body) => ({ result: body, requestId: 'r1' }),
		(body) => ({ Response: body }),
		(body) => ({ PAYLOAD: body, took: 12 }),
		(body) => ({ return: body }),
		(body) => [body],
		(body) => ({ linkNumbersResponse: body }),
	);
	const spelling = fc.constantFrom<(key: string) => string>(
		(key) => key,
		(key) => key.toUpperCase(),
		(key) => key.toLowerCase(),
		(key) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		(key) => key.replace(/([A-Z])/g, '_$1').toLowerCase(),
		(key) => nth(key, 0).toUpperCase() + key.slice(1),
		(key) => `ns:${key}`,
	);
	const objects = FAILURES.filter(([body]) => typeof body === 'object');
	const effect = fc.constantFrom(...EFFECTS);

	function renamed(value: unknown, spell: (key: string) => string): unknown {
		if (Array.isArray(value)) return value.map((entry) => renamed(entry, spell));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, field]) => [spell(key), renamed(field, spell)]),
		);
	}

	test('a failure wrapped once or twice more is still the same failure', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...objects),
				fc.array(wrapper, { minLength: 1, maxLength: 2 }),
				effect,
				([body], wraps, asked) => {
					const wrapped = wraps.reduce((inner, wrap) => wrap(inner), body);
					expect(failureOf(wrapped, asked)?.message).toBe(failureOf(body, asked)?.message);
				},
			),
			{ numRuns: 500 },
		);
	});

	test('a failure stays one under any spelling of its names', () => {
		fc.assert(
			fc.property(fc.constantFrom(...objects), spelling, effect, ([body], spell, asked) => {
				expect(failureOf(renamed(body, spell), asked)).toBeDefined();
			}),
			{ numRuns: 500 },
		);
	});

	test('a success wrapped once more is still one', () => {
		fc.assert(
			fc.property(fc.constantFrom(...SUCCESSES), wrapper, effect, (body, wrap, asked) => {
				expect(failureOf(wrap(body), asked)).toBeUndefined();
			}),
			{ numRuns: 300 },
		);
	});

	test('a response that reports a failure is never a success if money or a link is concerned, whatever else it contains', () => {
		const said = objects.filter(([body]) =>
			/^(status|code|success|errors?|ok|result|err_code)$/i.test(
				Object.keys(body as object)[0] ?? '',
			),
		);
		const beside = fc.constantFrom(
			{},
			{ orderReference: 'A1' },
			{ cartIdentifier: 5 },
			{ addressId: 7 },
			{ accepted: true },
			{ message: 'OK' },
			{ productCheckoutList: [{ status: 'SUCCESS' }] },
		);
		fc.assert(
			fc.property(fc.constantFrom(...said), beside, fc.boolean(), ([body], more, money) => {
				const merged = { ...more, ...(body as object) };
				const failure = money
					? failureOf(merged, 'purchase')
					: failureOf(merged, 'write', { successFlag: 'linked' });
				expect(failure).toBeDefined();
			}),
			{ numRuns: 500 },
		);
	});
});
