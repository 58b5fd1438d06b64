/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
import { Readable } from 'node:stream';
import { parse, receive } from '../../../nodes/shared/answer/parse';
import { secretsOf } from '../../../nodes/shared/secrets';

const read = (body: unknown, type = 'application/json') =>
	parse({ statusCode: 200, headers: { 'Content-Type': type }, body });

describe('a response is decoded', () => {
	const text = '{"name":"Zoé"}';
	test.each<[string, Buffer, string]>([
		['as UTF-8', Buffer.from(text), 'application/json'],
		['with a byte order mark', Buffer.from(`\uFEFF${text}`), 'application/json'],
		[
			'as ISO-8859-1, declared',
			Buffer.from(text, 'latin1'),
			'application/json; charset=ISO-8859-1',
		],
		['as Windows-1252, undeclared', Buffer.from(text, 'latin1'), 'application/json'],
		[
			'as ISO-8859-1, declared as UTF-8',
			Buffer.from(text, 'latin1'),
			'application/json; charset=utf-8',
		],
		['as UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'application/json'],
		[
			'as UTF-16 of the other order',
			Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
			'application/json',
		],
		['as UTF-16, declared', Buffer.from(text, 'utf16le'), 'application/json; charset="UTF-16LE"'],
		['with an unknown character set', Buffer.from(text), 'application/json; charset=x-y'],
	])('%s', (_how, body, type) => {
		expect(read(body, type)).toMatchObject({ data: { name: 'Zoé' }, format: 'json' });
	});

	test.each<[string, number, string, string]>([
		['ISO-8859-2', 0xb1, 'text/plain; charset=ISO-8859-2', 'ą'],
		['Windows-1252, undeclared', 0x80, 'text/plain', '€'],
	])('as %s', (_charset, byte, type, letter) => {
		expect(read(Buffer.from([byte]), type).text).toBe(letter);
	});
});

test.each<[string, string, string]>([
	['<!DOCTYPE html><html></html>', 'application/json', 'html'],
	['<p>Sorry</p>', 'text/html', 'html'],
	['<?xml version="1.0"?><a/>', 'text/html', 'markup'],
	['<a><b>1</b></a>', 'text/plain', 'markup'],
	['<a><b>1</a>', 'text/plain', 'markup'],
	['{"status":"SUC', 'application/json', 'unreadable'],
	['{', 'application/json', 'unreadable'],
	['\0\0\0', 'text/plain', 'unreadable'],
	['a=1&b=2', 'text/plain', 'text'],
	['OK', 'text/plain', 'text'],
	[' \n', 'text/plain', 'empty'],
	['7', 'text/plain', 'json'],
	['"{\\"a\\":1}"', 'text/plain', 'json'],
	['"truncated', 'text/plain', 'unreadable'],
	['done({ "ret":1})', 'text/javascript', 'unreadable'],
	['<?xml version="1.0"?>\n\n<!DOCTYPE html><html></html>', 'application/xhtml+xml', 'html'],
	['<HTML lang="fr"><body></body></HTML>', 'text/plain', 'html'],
	['a=1&b=', 'application/x-www-form-urlencoded', 'text'],
	['a b=1', 'text/plain', 'text'],
	['a=1&b=2 and more', 'text/plain', 'text'],
	['status=OK&code=12&id=', 'text/plain', 'text'],
	['OK', 'text/html', 'text'],
	['Order [5] placed', 'text/plain', 'text'],
	['Linked: "A-7"', 'text/plain', 'text'],
	['"A-7" is linked', 'text/plain', 'text'],
	['"see {a}"', 'text/plain', 'json'],
])('%j as %s is %s', (body, type, format) => {
	expect(read(body, type).format).toBe(format);
});

test('JSON that was encoded twice is read as what it is', () => {
	expect(read('" {\\"a\\":1}"').data).toEqual({ a: 1 });
});

test.each<[string, number, string]>([
	['levels', 500, 'json'],
	['levels', 501, 'unreadable'],
	['fields', 10_000, 'json'],
	['fields', 10_001, 'unreadable'],
	['entries', 10_001, 'json'],
])('data of %s: %i are %s', (what, count, format) => {
	const fields = () => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));
	const body =
		what === 'levels'
			? `${'['.repeat(count)}${']'.repeat(count)}`
			: JSON.stringify(what === 'fields' ? { list: [fields()] } : Array(count).fill(1));
	expect(read(body).format).toBe(format);
});

test.each<[string, Record<string, unknown>, string]>([
	['nothing was announced', {}, 'empty'],
	['nothing was announced as long', { 'Content-Length': '0' }, 'empty'],
	['nothing is encoded', { 'content-encoding': 'identity' }, 'empty'],
	['a length was announced', { 'Content-Length': 12 }, 'unreadable'],
	['an encoding was announced', { 'Content-Encoding': ['gzip', 'identity'] }, 'unreadable'],
])('no body, and %s: %j is %s', (_what, headers, format) => {
	expect(parse({ statusCode: 200, headers, body: Buffer.from('') }).format).toBe(format);
});

describe('a body in pieces', () => {
	const secrets = secretsOf({ login: 'someone', password: 'nothing-of-it' });
	const bounds = { bytes: 10, signal: AbortSignal.timeout(60_000), secrets };
	const given = (pieces: unknown[]) => ({
		statusCode: 200,
		headers: {},
		body: Readable.from(pieces),
	});

	test('is put together', async () => {
		const pieces = given([Buffer.from('{"a"'), Buffer.from(':1}')]);
		expect(await receive({ ...pieces, headers: { etag: '7' } }, bounds)).toMatchObject({
			data: { a: 1 },
			headers: { etag: '7' },
		});
	});

	test.each<[unknown, string, unknown]>([
		[Buffer.from('{"a":1}'), 'json', { a: 1 }],
		[{ a: 1 }, 'json', { a: 1 }],
		[null, 'empty', undefined],
	])('that n8n has put together already, %j, is read as it is', async (body, format, data) => {
		expect(await receive({ statusCode: 200, body }, bounds)).toMatchObject({ format, data });
	});

	test('is not read after its time', async () => {
		const body = new Readable({ read() {} });
		await expect(
			receive({ statusCode: 200, headers: {}, body }, { ...bounds, signal: AbortSignal.abort() }),
		).rejects.toMatchObject({ name: 'AbortError' });
	});

	test('is kept without the secrets that it repeats, and only its beginning', async () => {
		const text = `${'x'.repeat(19_995)}nothing-of-it ${'y'.repeat(100_000)}`;
		const kept = (await receive(given([Buffer.from(text)]), { ...bounds, bytes: 1e6 })).text;
		expect(kept).toHaveLength(20_000);
		expect(kept).not.toContain('nothi');
	});

	test('is not read beyond its limit', async () => {
		let sent = 0;
		const endless = Readable.from(
			(function* () {
				for (;;) {
					sent++;
					yield Buffer.from('xxxx');
				}
			})(),
		);
		const response = await receive({ statusCode: 200, headers: {}, body: endless }, bounds);
		expect(response).toMatchObject({ statusCode: 200, format: 'tooLarge', data: undefined });
		expect(endless.destroyed).toBe(true);
		expect(sent).toBeLessThan(100);
	});

	test('that does not end in time is a network error', async () => {
		const body = new Readable({ read() {} });
		await expect(
			receive(
				{ statusCode: 200, headers: {}, body },
				{ ...bounds, signal: AbortSignal.timeout(5) },
			),
		).rejects.toMatchObject({ name: 'TimeoutError' });
	});
});
