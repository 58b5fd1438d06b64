// Responses of a hostile operator: nothing is thrown except by a login, reading takes linear time, and texts for people
// contain neither markup nor the token.

import fc from 'fast-check';
import { keyReader } from '../../../nodes/VoiceManagement/transport/paging';
import { readDirectory, readingDirectory } from '../../../nodes/shared/directory';
import { readFailure } from '../../../nodes/shared/failure';
import { readHost } from '../../../nodes/shared/hosts';
import {
	boundCrossed,
	crossing,
	parseJson,
	readingJson,
	unpackingLongTexts,
} from '../../../nodes/shared/json';
import {
	decode,
	LOGIN_BYTES,
	oneLine,
	reading,
	readResponse,
	receive,
} from '../../../nodes/shared/response';
import { cleaning, secretsOf } from '../../../nodes/shared/secrets';
import {
	LoginFailed,
	LoginRefused,
	readingSupervisorLogin,
	readTokenLogin,
} from '../../../nodes/shared/loginResponse';
import { readSupervisorLogin } from '../../support/supervisorLogin';
import {
	ADDRESS_IDS,
	createdId,
	entriesOf,
	inDocumentNames,
	readingEntries,
	totalOf,
} from '../../../nodes/shared/shapes';
import { parsingXml } from '../../../nodes/shared/xml';

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
	),
});

test('no response makes a reader throw, and a login throws only its own two errors', () => {
	fc.assert(
		fc.property(answer, (given) => {
			const response = readResponse(given);
			for (const effect of ['read', 'login', 'write', 'purchase'] as const) {
				const failure = readFailure(response, { effect, urlField: 'URL', successFlag: 'linked' });
				expect(`${failure?.message ?? ''}${failure?.description ?? ''}`).not.toMatch(
					/[<>\n\r\x1b]/,
				);
			}
			for (const read of [
				() => readSupervisorLogin(given, 0),
				() => readTokenLogin(given, '1', 0),
			]) {
				try {
					read();
				} catch (error) {
					expect(error instanceof LoginRefused || error instanceof LoginFailed).toBe(true);
					expect((error as Error).message).not.toMatch(/[<>\n\r\x1b]/);
				}
			}
			readDirectory(response.data);
			const entries = entriesOf(response.data, {
				names: ['regulationAddresses'],
				ids: ADDRESS_IDS,
			});
			entries?.forEach((entry) => inDocumentNames(entry));
			createdId(response.data, ADDRESS_IDS, ['address']);
			totalOf(response.data);
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
])('a text of the operator becomes one line without markup: %j', (words, shown) => {
	expect(oneLine(words)).toBe(shown);
});

describe('nesting', () => {
	const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

	it.each([
		[deep(500), false],
		[deep(501), true],
		[JSON.stringify('['.repeat(600)), false],
		[`"\\"${'['.repeat(600)}"`, false],
		[`"\\\\"${'['.repeat(600)}`, true],
		[`${'[],'.repeat(600)}`, false],
	])('of %#', (text, isDeeper) => {
		expect(boundCrossed(text)).toBe(isDeeper ? '500 levels' : undefined);
	});

	it('that is absurdly deep is not JSON', () => {
		expect(parseJson(deep(400))).toBeDefined();
		expect(() => parseJson(deep(100_000))).toThrow(SyntaxError);
	});
});

describe('a response', () => {
	const list = (entries: number) => JSON.stringify({ data: Array(entries).fill(0) });
	const named = (names: number) =>
		JSON.stringify(
			Object.fromEntries(Array.from({ length: names }, (_none, at) => [`k${at}`, {}])),
		);
	const elements = (count: number) => `<a>${'<b/>'.repeat(count)}</a>`;

	it.each([
		['500,000 values', list(499_998), true],
		['more', list(500_001), '500000 values'],
		['values in a text', JSON.stringify({ data: list(500_001) }), '500000 values'],
		['10,000 names', named(10_000), true],
		['more names', named(10_001), '10000 different names'],
		['501 levels', `${'['.repeat(501)}${']'.repeat(501)}`, '500 levels'],
		['500,000 tags', elements(499_998), true],
		['more tags', elements(500_001), '500000 values'],
		['more attributes', `<a>${'<b c="" d = \'\'/>'.repeat(170_000)}</a>`, '500000 values'],
		[
			'2,001 names of tags',
			`<a>${Array.from({ length: 2_001 }, (_n, at) => `<b${at}/>`).join('')}</a>`,
			false,
		],
	])('of %s is read, or exceeds a limit that the error names: %#', (_what, body, read) => {
		const response = readResponse({ statusCode: 200, headers: {}, body });
		expect(response.data !== undefined).toBe(read === true);
		if (read === true) return;
		const failure = readFailure(response, { effect: 'read', urlField: 'URL' });
		if (typeof read === 'string') {
			expect(failure).toMatchObject({
				message: `The response has more than ${read}`,
				description: 'HTTP 200. Ask for fewer entries: set a limit or a filter.',
			});
		} else expect(failure?.message).toMatch(/^The response is not a JSON object/);
		expect(failure?.message.length).toBeLessThan(250);
	});

	it('with the addresses of a large customer is read', () => {
		const fields = Object.fromEntries(
			Array.from({ length: 39 }, (_none, at) => [`f${at}`, 'a, b']),
		);
		const body = JSON.stringify({
			regulationAddresses: Array.from({ length: 5_000 }, (_none, id) => ({ id, ...fields })),
		});
		const { data } = readResponse({ statusCode: 200, headers: {}, body });
		const shape = { names: ['regulationAddresses'], ids: ADDRESS_IDS };
		expect(entriesOf(data, shape)).toHaveLength(5_000);
	});

	it('with its list as JSON in a long text is read, unless that is too complex', () => {
		const list = JSON.stringify(Array.from({ length: 90_000 }, (_none, id) => ({ id, x: '"' })));
		const entries = (data: unknown) => {
			const body = JSON.stringify({ result: { data } });
			return entriesOf(readResponse({ statusCode: 200, headers: {}, body }).data, {
				names: ['regulationAddresses'],
				ids: ADDRESS_IDS,
			});
		};
		expect(list.length).toBeGreaterThan(1_000_000);
		expect(entries(list)).toHaveLength(90_000);
		expect(entries(`${'['.repeat(60_000)}${']'.repeat(60_000)}`)).toBeUndefined();
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
		expect(readSupervisorLogin(given, 0).directory.agents.size).toBe(count);
	});

	it('to the login of a customer with 6,000 agents in XML is read', () => {
		const fields = '<nom>Ada</nom><email>a@b.c</email><groups>1</groups><groups>2</groups>';
		const ops = many(6_000, (id) => `<ops><id>${id}</id>${fields}</ops>`).join('');
		const body = `<r><id_session>abcdefgh12345678</id_session><target>7</target>${ops}</r>`;
		expect(readSupervisorLogin({ ...login({}), body }, 0).directory.agents.size).toBe(6_000);
	});

	it('to the login of a customer with 6,000 groups by identifier is read', () => {
		const groupes = Object.fromEntries(many(6_000, (id) => [`g${id}`, { id, nom: 'Sales' }]));
		expect(readSupervisorLogin(login({ groupes }), 0).directory.groups.size).toBe(6_000);
	});

	it('to a login with more values than any call centre has is rejected with a clear message', () => {
		// No advice about the URL: this many values come from the operator.
		expect(() => readSupervisorLogin(login({ ops: many(150_001, () => 0) }), 0)).toThrow(
			/^The response to the login request \(\/ws\/\) has more than 150000 values\.$/,
		);
		expect(() => readSupervisorLogin({ ...login({}), tooLarge: LOGIN_BYTES }, 0)).toThrow(
			/ is larger than 1 MB\. Check "Voice Management URL" in the credential\.$/,
		);
	});
});

/** With half of it V8 may take a tenth of the time per character, which shows nothing about the reader. */
const SHORT = 200_000;
/**
 * How much longer the text of the second measurement is, and how much longer reading may take; quadratic time would be
 * 64 times as long.
 */
const LONGER = 8;

test.each<[string, (length: number) => string]>([
	['blanks', (length) => ' '.repeat(length)],
	['slashes', (length) => '/'.repeat(length)],
	['brackets', (length) => '<'.repeat(length)],
	['tags', (length) => '<a '.repeat(length / 3)],
	['quotes', (length) => '"\\"'.repeat(length / 3)],
	['lines', (length) => '{}\n'.repeat(length / 3)],
	['broken lines', (length) => `${'[1]\n'.repeat(length / 4)}x`],
	['fields', (length) => 'a=1&'.repeat(length / 4)],
	['digits', (length) => '1'.repeat(length)],
	['long integers', (length) => `[${'1234567890123456789,'.repeat(length / 20)}0]`],
	['digits in text', (length) => `["${'1'.repeat(length)}.",1234567890123456789]`],
	['layers', (length) => `{"data":[${'{"a":{}},'.repeat(length / 9)}0]}`],
	['names', (length) => `[${'{"Err-Msg":1},'.repeat(length / 14)}0]`],
])('reading %s takes time linear in their number', (_what, make) => {
	const cost = (length: number) => {
		const given = { statusCode: 200, headers: {}, body: make(length) };
		const times = [0, 1].map(() => {
			const start = process.cpuUsage();
			readFailure(readResponse(given), { effect: 'write', urlField: 'URL' });
			const { user, system } = process.cpuUsage(start);
			return user + system;
		});
		return Math.min(...times);
	};
	const short = Math.max(cost(SHORT), 2_000);
	expect(cost(SHORT * LONGER)).toBeLessThan(short * LONGER * 4);
});

describe('n8n gets a turn', () => {
	const many = <T>(count: number, entry: (at: number) => T) =>
		Array.from({ length: count }, (_none, at) => entry(at));
	const body = (value: unknown) => Buffer.from(JSON.stringify(value));
	const given = (value: unknown) => ({ statusCode: 200, headers: {}, body: body(value) });
	const login = { id_session: 'abcdefgh12345678', target: 7 };
	const turnsOf = (work: Iterator<void>) => {
		let turns = 0;
		while (!work.next().done) turns++;
		return turns;
	};
	const MANY = 40_000;
	const people = many(MANY, (id) => ({ id, nom: 'Ada' }));
	const list = JSON.stringify(many(MANY, () => 'some text'));
	const shape = { names: ['a'], ids: ADDRESS_IDS };

	it.each<[string, () => Iterator<void>]>([
		['limits are checked', () => crossing(' '.repeat(2_000_000))],
		['JSON is read', () => readingJson(list)],
		['JSON in a text is read', () => unpackingLongTexts({ a: list })],
		['JSON lines are read', () => readingJson('{"a":1}\n'.repeat(MANY))],
		['a long text is read', () => readingJson(JSON.stringify({ a: 'é\n"'.repeat(MANY * 10) }))],
		['XML is read', () => parsingXml(`<r>${'<a/>'.repeat(MANY)}</r>`)],
		['bytes become text', () => decode(Buffer.alloc(8_000_000, 'a'), 'text/plain')],
		['entries are cleaned', () => cleaning(many(MANY, String), /x/g)],
		['fields are cleaned', () => cleaning(Object.fromEntries(many(MANY, (at) => [at, ''])), /x/g)],
		['agents are read', () => readingDirectory({ ops: people })],
		['groups are read', () => readingDirectory({ groupes: people })],
		['groups of an agent are read', () => readingDirectory({ ops: [{ id: 1, groups: people }] })],
		['entries are found', () => readingEntries({ a: people }, shape)],
		['entries without a name are found', () => readingEntries({ x: { y: people } }, shape)],
		['entries are compared', () => keyReader(ADDRESS_IDS)(people)],
	])('while %s', (_what, work) => {
		expect(turnsOf(work())).toBeGreaterThan(8);
	});

	it('but not for a usual response or login, which is read at once', () => {
		const ops = many(90, (id) => ({ id, nom: 'Ada', groups: [1, 2] }));
		const response = { ...given({ ...login, ops }), secrets: secretsOf({ password: 'correct-1' }) };
		expect(turnsOf(reading(response))).toBe(0);
		expect(turnsOf(readingSupervisorLogin(response, 0))).toBe(0);
	});

	it('between the steps of reading a response', async () => {
		// Each slice is over as soon as it has begun, however fast the machine is.
		let time = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
		let [turns, ended] = [0, false];
		const turn = () => {
			turns++;
			if (!ended) setImmediate(turn);
		};
		setImmediate(turn);
		const bounds = { bytes: LOGIN_BYTES, timeoutMs: 60_000, secrets: secretsOf({}) };
		const { parsed } = await receive(given(many(MANY, String)), bounds);
		ended = true;
		clock.mockRestore();
		expect(parsed?.data).toHaveLength(MANY);
		expect(turns).toBeGreaterThan(8);
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
