/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Responses of a hostile provider: nothing is thrown except by a login, and texts for people contain neither markup nor
// the token. That reading takes linear time: linear.test.ts.

import fc from 'fast-check';
import { LOGIN_BYTES, parse } from '../../../nodes/shared/answer/parse';
import { ADDRESS, createdId } from '../../../nodes/shared/answer/identifiers';
import { entriesOf, totalOf } from '../../../nodes/shared/answer/lists';
import { inDocumentNames } from '../../../nodes/VoiceManagement/documentNames';
import { readDirectory } from '../../../nodes/shared/directory';
import { readFailure } from '../../../nodes/shared/failure';
import { readHost } from '../../../nodes/shared/hosts';
import { boundCrossed } from '../../../nodes/shared/json';
import { readLogin } from '../../../nodes/shared/login';
import { verdictOf } from '../../support/logins';
import { oneLine } from '../../../nodes/shared/oneLine';

const names = fc.constantFrom(
	...['status', 'errors', 'message', 'id_session', 'target', 'regulationAddresses', 'data', 'code'],
	...['__proto__', 'constructor', 'toString', 'ops', 'value', 'resultCount', 'location', 'x'],
);
const { value: foreign } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5 },
		fc.constantFrom<unknown>(
			null,
			true,
			0,
			-1,
			404,
			1e308,
			'ERROR',
			'<a href="//x">y</a>',
			'[1',
			'{}',
		),
		fc.string(),
		fc.dictionary(names, tie('value'), { maxKeys: 5 }),
		fc.array(tie('value'), { maxLength: 5 }),
	),
}));
const body = fc.oneof(
	foreign.map((value) => JSON.stringify(value)),
	foreign.map((value) => `)]}',\n${JSON.stringify(value)}`),
	foreign.map((value) => JSON.stringify(value).slice(0, -1)),
	fc.string({ unit: 'binary' }),
	fc
		.array(fc.constantFrom('<', '>', '/', 'a', '"', '=', ' ', '&#9;', '<![CDATA[', '<!--', ']]>'))
		.map((signs) => signs.join('')),
);
const answer = fc.record({
	statusCode: fc.constantFrom(200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 429, 500),
	headers: fc.dictionary(
		fc.constantFrom('location', 'content-type', 'retry-after', 'date'),
		fc.oneof(fc.string(), fc.constant('text/html; charset=utf-16')),
	),
	body: fc.oneof(
		body,
		body.map((text) => Buffer.from(text)),
		fc.uint8Array(),
		// As n8n may have read it.
		fc.anything(),
	),
});

test('no response makes a reader throw, and every error status is a failure with a message', () => {
	fc.assert(
		fc.property(answer, (given) => {
			const response = parse(given);
			for (const effect of ['read', 'login', 'write', 'purchase'] as const) {
				const failure = readFailure(response, { effect, urlField: 'URL', successFlag: 'linked' });
				if (given.statusCode >= 300) expect(failure).toBeDefined();
				expect(failure?.message).not.toBe('');
				if (failure) expect(failure.description).toMatch(/HTTP \d+/);
				expect(`${failure?.message ?? ''}${failure?.description ?? ''}`).not.toMatch(
					/[<>\n\r\x1b]/,
				);
			}
			for (const kind of ['supervisor', 'account'] as const)
				expect(readLogin(response, kind, 0).problem?.reason ?? '').not.toMatch(/[<>\n\r\x1b]/);
			readDirectory(response.data);
			const entries = entriesOf(response.data, {
				names: ['regulationAddresses'],
				thing: ADDRESS,
			});
			entries?.forEach((entry) => inDocumentNames(entry));
			createdId(response.data, ADDRESS);
			totalOf(response.data, 0, 1);
		}),
		{ numRuns: 1_000 },
	);
});

test.each([
	['<a href="https://evil.example">Sign in</a>', 'Sign in'],
	['<img src=x onerror=alert(1)>no', 'no'],
	['a < b > c', 'a ‹ b › c'],
	['one\r\nINFO two\x1b[31m', 'one INFO two [31m'],
	['abc\u202Ecod', 'abc cod'],
])('a text of the provider becomes one line without markup: %j', (words, shown) => {
	expect(oneLine(words)).toBe(shown);
});

describe('nesting', () => {
	const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

	it.each([
		[deep(500), undefined],
		[deep(501), '500 levels'],
		[JSON.stringify('['.repeat(600)), undefined],
		[`"\\"${'['.repeat(600)}"`, undefined],
		[`"\\\\"${'['.repeat(600)}`, '500 levels'],
		[`${'[],'.repeat(600)}`, undefined],
		[`[${'1,'.repeat(10_001)}1]`, '10000 values'],
	])('of %#', (text, crossed) => {
		expect(boundCrossed(text, 10_000, 500)).toBe(crossed);
	});
});

describe('a response', () => {
	it('with the addresses of a large customer is read', () => {
		const fields = Object.fromEntries(
			Array.from({ length: 39 }, (_none, at) => [`f${at}`, 'a, b']),
		);
		const body = JSON.stringify({
			regulationAddresses: Array.from({ length: 5_000 }, (_none, id) => ({ id, ...fields })),
		});
		const { data } = parse({ statusCode: 200, headers: {}, body });
		const shape = { names: ['regulationAddresses'], thing: ADDRESS };
		expect(entriesOf(data, shape)).toHaveLength(5_000);
	});

	const login = (lists: object) => ({
		statusCode: 200,
		headers: {},
		body: JSON.stringify({ id_session: 'abcdefgh12345678', target: 7, ...lists }),
	});
	const many = <T>(count: number, entry: (id: number) => T) =>
		Array.from({ length: count }, (_none, id) => entry(id));
	const further = Object.fromEntries(many(10, (at) => [`field${at}`, 'some text']));

	it.each([
		[5_000, { groups: [1, 2] }],
		[2_000, { groups: [1, 2, 3], ...further }],
		[2_000, { groups: many(10, (id) => ({ id, nom: 'Sales' })) }],
	])('to the login of a customer with %i agents is read: %#', (count, fields) => {
		const given = login({ ops: many(count, (id) => ({ id, nom: 'Ada', ...fields })) });
		expect(given.body.length).toBeLessThan(LOGIN_BYTES);
		expect(verdictOf(given).session?.directory.agents.size).toBe(count);
	});

	it('to a login that is larger than any is refused with a clear message', () => {
		const tooLarge = { ...login({}), data: undefined, text: '', format: 'tooLarge' } as const;
		expect(readLogin(tooLarge, 'supervisor', 0).problem?.reason).toMatch(
			/ is larger than 1 MB\. Check "Voice Management URL" in the credential\.$/,
		);
	});
});

describe('the host that a login is sent to', () => {
	it.each([
		['https://api.example.com\\@evil.example', 'https://api.example.com/@evil.example'],
		['https:\\\\api.example.com', 'https://api.example.com'],
		['https://API.example.com.', 'https://api.example.com.'],
		['https://ａｐｉ.example.com', 'https://api.example.com'],
		['https://[::1]:8443///', 'https://[::1]:8443'],
		['https://0x7f.1', 'https://127.0.0.1'],
		['https://api.example.com/%2e%2e/x', 'https://api.example.com/x'],
	])('%s is %s, as URL parsers read it', (written, read) => {
		expect(readHost(written, 'baseUrl')).toBe(read);
	});

	it.each([
		'https://api.example.com@evil.example',
		'https://api.example.com#@evil.example',
		'https://api.example.com?@evil.example',
		'javascript:alert(1)',
		'file:///etc/passwd',
		'//api.example.com',
		'https://',
		'https://a b',
	])('%s is rejected', (written) => {
		expect(() => readHost(written, 'baseUrl')).toThrow(/Base URL/);
	});
});
