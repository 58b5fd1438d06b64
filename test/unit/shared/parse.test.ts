import fc from 'fast-check';
import { Readable } from 'node:stream';
import { parse, receive } from '../../../nodes/shared/answer/parse';
import { secretsOf } from '../../../nodes/shared/secrets';
import { parseXml } from '../../../nodes/shared/answer/xml';

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
		['with an unknown character set', Buffer.from(text), 'application/json; charset=x-y'],
	])('%s', (_how, body, type) => {
		expect(read(body, type)).toMatchObject({ data: { name: 'Zoé' }, format: 'json' });
	});

	test('as the XML declaration says', () => {
		const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><a><name>Zoé</name></a>';
		expect(read(Buffer.from(xml, 'latin1'), 'text/xml').data).toEqual({ a: { name: 'Zoé' } });
	});
});

test.each<[string, string, string]>([
	['<!DOCTYPE html><html></html>', 'application/json', 'html'],
	['<p>Sorry</p>', 'text/html', 'html'],
	['<?xml version="1.0"?><a/>', 'text/html', 'xml'],
	['<a><b>1</b></a>', 'text/plain', 'xml'],
	['<a><b>1</a>', 'text/plain', 'unreadable'],
	['{"status":"SUC', 'application/json', 'unreadable'],
	['{', 'application/json', 'unreadable'],
	['\0\0\0', 'text/plain', 'unreadable'],
	['a=1&b=2', 'text/plain', 'form'],
	['OK', 'text/plain', 'text'],
	[' \n', 'text/plain', 'empty'],
	['7', 'text/plain', 'json'],
])('%j as %s is %s', (body, type, format) => {
	expect(read(body, type).format).toBe(format);
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
		const response = await receive(given([Buffer.from('{"a"'), Buffer.from(':1}')]), bounds);
		expect(response.data).toEqual({ a: 1 });
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

describe('XML', () => {
	test.each<[string, unknown]>([
		['<a>1</a>', { a: '1' }],
		['<a x="1" y=\'2>\'/>', { a: { x: '1', y: '2>' } }],
		['<n:a xmlns:n="u"><n:b>1</n:b><n:b>2</n:b><c/></n:a>', { a: { b: ['1', '2'], c: '' } }],
		['<a><![CDATA[<b>]]> &amp; &#233;&#x41;<!-- no --></a>', { a: '<b> & éA' }],
		['<a id="1">text</a>', { a: { id: '1', value: 'text' } }],
		['<a><b xsi:nil="true"/><c xsi:nil="true"></c></a>', { a: { b: null, c: null } }],
		['<a><__proto__>1</__proto__><b/></a>', { a: { b: '' } }],
	])('%s', (text, value) => expect(parseXml(text)).toEqual(value));

	test.each(['', 'x', '<a>', '<a></b>', '<a/><b/>', 'x<a/>', '<a', '<!-- x'])(
		'%j is not XML',
		(text) => {
			expect(parseXml(text)).toBeUndefined();
		},
	);

	test('no text makes it throw', () => {
		const part = fc.constantFrom(
			'<a>',
			'</a>',
			'<b x="1"',
			'/>',
			'<![CDATA[',
			']]>',
			'&amp;',
			'&#0;',
			'<?',
			'?>',
			'"',
			'x',
		);
		fc.assert(fc.property(fc.array(part), (parts) => void parseXml(parts.join(''))));
	});
});
