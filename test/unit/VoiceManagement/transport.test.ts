// The parts of the transport that only compute.

import fc from 'fast-check';
import {
	ExpressionError,
	isObjectEmpty,
	NodeOperationError,
	type INode,
	type INodeProperties,
} from 'n8n-workflow';
import { readFailure } from '../../../nodes/shared/failure';
import { describeLostRequest } from '../../../nodes/shared/lostRequest';
import { networkCodes } from '../../../nodes/shared/networkErrors';
import { errorHint, loginHint } from '../../../nodes/shared/errorHints';
import { fieldsNamedIn } from '../../../nodes/VoiceManagement/fieldNames';
import { resources } from '../../../nodes/VoiceManagement/resources';
import { createAddress } from '../../../nodes/VoiceManagement/resources/address/create';
import { parse } from '../../../nodes/shared/answer/parse';
import { toObject } from '../../../nodes/VoiceManagement/transport/apiClient';
import { itemError } from '../../../nodes/VoiceManagement/transport/errors';
import { MultipartBody, type Part } from '../../../nodes/VoiceManagement/transport/multipart';
import { readRetryAfter } from '../../../nodes/shared/retryAfter';
import { MAX_ATTEMPTS, retryDelay } from '../../../nodes/VoiceManagement/transport/rateLimit';

describe('the wait before a read is repeated', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');
	const delayOf = (attempt: number, header: unknown, random: number) =>
		retryDelay(attempt, readRetryAfter(header, now), random);

	test('doubles, with random jitter', () => {
		expect([1, 2, 3, 4].map((attempt) => delayOf(attempt, undefined, 0))).toEqual([
			1000, 2000, 4000, 8000,
		]);
		expect(delayOf(1, undefined, 1)).toBe(1500);
	});

	test('ends after the last attempt', () => {
		expect(delayOf(MAX_ATTEMPTS, '0', 0)).toBeUndefined();
	});

	test.each([
		['5', 5000],
		['0', 1000],
		['0.5', 500],
		['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
		['Wed, 31 Dec 2025 00:00:00 GMT', 1000],
		['60', 60_000],
		['61', undefined],
		[5, 5000],
		[' 0.25 ', 250],
		['soon', 1000],
		['-1', 1000],
		['+5', 1000],
		['5,5', 1000],
		['1'.repeat(101), 1000],
		[['5'], 1000],
		[null, 1000],
	])('Retry-After %j', (header, expected) => expect(delayOf(1, header, 0)).toEqual(expected));

	test('is spread over a quarter of a second if the provider gives the time', () => {
		expect([0, 0.5, 1].map((random) => delayOf(1, '5', random))).toEqual([5000, 5125, 5250]);
	});
});

test.each<[string, Record<string, unknown>, string, object]>([
	['an object', {}, '{"a":1}', { a: 1 }],
	['a list', {}, '[1]', { data: [1] }],
	['an identifier alone', {}, '4711', { data: 4711 }],
	['words', {}, 'Numbers linked', { success: true, message: 'Numbers linked' }],
	['nothing', {}, '', { success: true }],
	['null', {}, 'null', { success: true }],
	['an empty text', {}, '""', { success: true }],
	['where it is', { Location: '/a/7' }, '', { success: true, location: '/a/7' }],
	['where it is now', { 'content-location': '/a/7' }, '', { success: true, location: '/a/7' }],
	[
		'both',
		{ location: '/a/7', 'content-location': '/a/8' },
		'',
		{ success: true, location: '/a/7' },
	],
])('the output for a response of %s', (_what, headers, body, output) => {
	expect(toObject(parse({ statusCode: 200, headers, body }))).toEqual(output);
});

describe('the hint of an error', () => {
	test.each<[number, string | undefined, string | undefined, RegExp | undefined]>([
		[400, 'REGULATION', '508', /Unlink/],
		[400, 'regulation', '508', /Unlink/],
		[400, 'ORDERING', '508', undefined],
		[400, 'ORDERING', '404', /DID group/],
		[400, 'COMMON', '16', /Fill in/],
		[400, undefined, '16', /Fill in/],
		// Codes from 100 on look like HTTP statuses.
		[200, undefined, '401', undefined],
		[200, undefined, '404', undefined],
		[400, undefined, '508', undefined],
		[401, undefined, '403', /"Login" and "Password"/],
		[401, 'GATEWAY', '403', /"Login" and "Password"/],
		[404, undefined, '404', /identifier/],
		[401, 'COMMON', '401', /credential/],
		[400, 'ORDERING', '401', /product/],
		[400, undefined, undefined, undefined],
		[503, undefined, undefined, /later/],
		[429, undefined, undefined, /Too many/],
		[400, 'REGULATION', 'INVALID_VARS', undefined],
	])('HTTP %i, module %s, code %s', (status, module, code, expected) => {
		const step = errorHint(status, { effect: 'read', urlField: 'Base URL' }, module, code);
		if (expected) expect(step).toMatch(expected);
		else expect(step).toBeUndefined();
	});
});

describe('the hint fits the operation that failed', () => {
	/** The codes that the third-party shapes have for each operation. */
	const codes: Record<string, number[]> = {
		'address.create': [10, 14, 16, 19, 21, 24, 25, 500, 501, 502, 503, 504, 505, 521],
		'address.getAll': [14, 17, 18],
		'address.get': [15, 507],
		'address.delete': [507, 508, 512],
		'address.uploadProof': [24, 25, 507, 512],
		'address.validate': [14, 16, 505, 507],
		'address.requestVerification': [507, 512, 518],
		'address.link': [16, 21, 503, 505, 507, 513, 514, 515, 516, 517, 520],
		'address.unlink': [16, 21, 516],
		'zipcode.getAll': [14, 16],
		'cart.create': [416],
		'cart.addProduct': [400, 402, 403, 404, 405, 406, 407],
		'cart.checkout': [400, 401],
	};
	const labelsOf = (fields: INodeProperties[]): string[] =>
		fields.flatMap(({ displayName, options = [] }) => [
			displayName,
			...labelsOf(options.filter((option) => 'type' in option)),
		]);
	/** Not labels: operations, a choice in a list, and the collection that not every operation has. */
	const others = [
		...resources.flatMap(({ operations }) => operations.map(({ name }) => name)),
		'Custom Fields',
	];

	test.each(Object.entries(codes))('%s: it names no field that this panel lacks', (name, all) => {
		const [resource, value] = name.split('.');
		const { advice, fields } = resources
			.find((one) => one.value === resource)!
			.operations.find((one) => one.value === value)!;
		const known = new Set([...labelsOf(fields), ...others]);
		const module = resource === 'cart' ? 'ORDERING' : 'REGULATION';
		const context = { effect: 'write', urlField: 'Base URL', advice } as const;
		const foreign = all.flatMap((code) =>
			[...(errorHint(400, context, module, String(code)) ?? '').matchAll(/"([A-Z][^"]*)"/g)]
				.map(([, label = '']) => label)
				.filter((label) => !known.has(label))
				.map((label) => [code, label]),
		);
		expect(foreign).toEqual([]);
	});

	test.each([
		[undefined, '503', /internal error/],
		['REGULATION', '503', /^Choose an address/],
	])(
		'%s, code %s: the advice of an operation is about the codes of its module',
		(module, code, expected) => {
			const { advice } = resources[0]!.operations.find(({ value }) => value === 'link')!;
			const context = { effect: 'write', urlField: 'Base URL', advice } as const;
			expect(errorHint(503, context, module, code)).toMatch(expected);
		},
	);

	test.each(resources.flatMap(({ operations }) => operations))(
		'$action: it speaks of countries if the panel has one',
		({ advice, fields }) => {
			const context = { effect: 'write', urlField: 'Base URL', advice } as const;
			const hasCountry = labelsOf(fields).some((label) => label.endsWith('Country'));
			expect(/three-letter/.test(errorHint(400, context, 'COMMON', '14') ?? '')).toBe(hasCountry);
		},
	);

	test.each([
		['500', 'Field "zipCode" is missing', /^Fill in "Postal Code": the postal code/],
		['500', 'Field zip_code is missing', /^Fill in "Postal Code"/],
		[
			'500',
			'Field "identityDocumentProof.issuingDate" is missing',
			/^Fill in "Issuing Date" of "Identity Document": /,
		],
		['503', 'Field "city" is invalid: 75001 belongs to Paris', /^Correct "City": /],
		[
			'501',
			'customerReference too long',
			/^Shorten "Customer Reference" \(under "Additional Fields"\)/,
		],
		['24', 'Part "proofOfAddress" needs a file name', /^Try the upload again/],
		['500', 'Field "vatNumber" is missing', /"Custom Fields"/],
		['UNHEARD_OF', 'buildingNumber?', /^Check "Building Number": /],
	])('code %s, %s', (code, message, expected) => {
		const fieldsIn = (text: string) => fieldsNamedIn(createAddress.fields, text);
		const context = { effect: 'write', urlField: 'Base URL', fieldsIn } as const;
		expect(errorHint(400, context, 'REGULATION', code, message)).toMatch(expected);
	});
});

describe('the hint of a rejected login names fields of the credential that was used', () => {
	const numbers = { effect: 'read', urlField: 'Base URL' } as const;
	const api = { effect: 'login', urlField: 'Base URL' } as const;
	const supervisor = { effect: 'login', urlField: 'Voice Management URL' } as const;

	test.each([
		['number management', 401, numbers, /"Login" and "Password".*number management login/],
		['number management', 403, numbers, /number management login/],
		['a token', 401, api, /"Login" and "Password".*API account/],
		['a token', 403, api, /"Machine IP Address" in the credential/],
		['the supervisor', 401, supervisor, /supervisor-type login.*"Account Type Key"/],
		['the supervisor', 403, supervisor, /supervisor-type login.*"Account Type Key"/],
	] as const)('%s, HTTP %i', (_what, status, context, expected) => {
		const hint = errorHint(status, context, 'COMMON', 'INVALID_LOGIN') ?? '';
		expect(hint).toMatch(expected);
		if (context !== supervisor) expect(hint).not.toMatch(/Account Type Key|supervisor/i);
		else expect(hint).not.toMatch(/Base URL|IP Address/);
	});

	test.each([
		['IP address 203.0.113.7 is not allowed', /^Set "Machine IP Address" in the credential/],
		['Wrong password. Try a shorter one.', /^Check "Login" and "Password"/],
	])('a token that is refused with "%s"', (reason, expected) => {
		for (const status of [200, 401]) expect(loginHint(status, api, reason)).toMatch(expected);
	});

	test.each([
		['a login', api, 'Check "Base URL" in the credential.'],
		['the supervisor login', supervisor, 'Check "Voice Management URL" in the credential.'],
	])('%s has no identifier that could be wrong', (_what, context, expected) => {
		expect(errorHint(404, context)).toBe(expected);
	});
});

test('a status that cannot be converted to a number is ignored', () => {
	const body = JSON.stringify({ err_code: 'X', err_msg: 'no', status: [{ toString: 0 }] });
	const answer = parse({ statusCode: 500, headers: {}, body });
	expect(readFailure(answer, { effect: 'read', urlField: 'Base URL' })).toMatchObject({
		message: 'no',
		statusCode: 500,
	});
});

describe('errors of the network', () => {
	test('the code is found on the error or on its causes, and a circular cause ends the search', () => {
		expect(networkCodes({ code: 'ECONNRESET' })).toEqual(['ECONNRESET']);
		expect(
			networkCodes(new Error('x', { cause: new Error('y', { cause: { code: 'EPIPE' } }) })),
		).toEqual(['EPIPE']);
		const round: { cause?: unknown } = {};
		round.cause = round;
		expect(networkCodes(round)).toEqual([]);
		expect(networkCodes('text')).toEqual([]);
	});

	test.each([
		['ENOTFOUND', 'purchase', false],
		['ECONNREFUSED', 'purchase', false],
		['CERT_HAS_EXPIRED', 'write', false],
		['ECONNRESET', 'purchase', true],
		['ETIMEDOUT', 'purchase', true],
		['SOMETHING_NEW', 'purchase', true],
		[undefined, 'purchase', true],
		['ECONNABORTED', 'write', true],
		['ECONNRESET', 'read', false],
		['ECONNREFUSED', 'login', false],
	] as const)(
		'%s during a %s: whether it is uncertain that the request was carried out: %s',
		(code, effect, open) => {
			const { message, description } = describeLostRequest(
				{ code },
				'https://api.example.com/vbapi?secret',
				'Base URL',
				effect,
			);
			expect(/may have been/.test(message)).toBe(open);
			const changes = effect === 'write' || effect === 'purchase';
			expect(/Nothing was changed/.test(description)).toBe(changes && !open);
			expect(message).toContain('api.example.com');
			expect(message).not.toContain('secret');
		},
	);

	test("a host that n8n blocks was not contacted, and only n8n's own remedy is shown", () => {
		const { message, description } = describeLostRequest(
			Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' }),
			'https://api.example.com',
			'Base URL',
			'purchase',
		);
		expect(message).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(description).toBe('Nothing was changed.');
	});
});

test('a lost login claims neither that something was changed nor that nothing was', () => {
	const { message, description } = describeLostRequest(
		{ code: 'ECONNRESET' },
		'https://v.example.com',
		'X',
		'login',
	);
	expect(`${message} ${description}`).not.toMatch(/changed|may have been/);
	expect(description).toMatch(/^Check "X" in the credential/);
});

const openssl = (reason: string) => ({
	code: 'EPROTO',
	message: `write EPROTO 00A1B2C3:error:0A00010B:SSL routines:ssl3_get_record:${reason}:../deps/openssl/x.c:355:\n`,
});

test.each([
	{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
	{ code: 'ERR_SSL_PACKET_LENGTH_TOO_LONG' },
	{ code: 'ERR_SSL_HTTP_REQUEST' },
	openssl('wrong version number'),
	openssl('packet length too long'),
	openssl('http request'),
])('%j: a host that responds without TLS is up, so only its URL has to be checked', (error) => {
	const lost = describeLostRequest(error, 'https://v.example.com', 'Base URL', 'login');
	expect(lost.message).toMatch(/responded, but not with TLS: write http:\/\//);
	expect(lost.description).toBe('Check "Base URL" in the credential.');
});

test.each([
	[{ code: 'EPROTO' }, 'EPROTO'],
	[{ code: 'ERR_SSL_NO_SHARED_CIPHER' }, 'ERR_SSL_NO_SHARED_CIPHER'],
	[openssl('tlsv1 alert protocol version'), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
	[openssl('sslv3 alert handshake failure'), 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
])('%j: nobody is advised to send the password in clear', (error, reason) => {
	const lost = describeLostRequest(error, 'https://v.example.com', 'Base URL', 'read');
	expect(lost.message).toContain(`could not agree on TLS (${reason})`);
	expect(lost.description).toBe('Check "Base URL" in the credential.');
});

test.each([
	['a damaged record', { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }, false],
	['an error of TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false],
	["the host's alert", { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, false],
	['a route that is lost', { code: 'EHOSTUNREACH', syscall: 'read' }, false],
	[
		'the same, as the client of HTTP wraps it',
		{ code: 'ENETUNREACH', cause: { code: 'ENETUNREACH', syscall: 'write' } },
		false,
	],
	['a certificate after the response has begun', { code: 'CERT_HAS_EXPIRED' }, true],
])('%s can come after a purchase', (_what, error, isAnswered) => {
	const url = 'https://v.example.com';
	const lost = describeLostRequest(error, url, 'Base URL', 'purchase', isAnswered);
	expect(lost.message).toMatch(/: the order may have been placed$/);
	expect(lost.message).not.toContain('http://');
});

test.each([
	{ code: 'EHOSTUNREACH' },
	{ code: 'EHOSTUNREACH', syscall: 'connect' },
	{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'v.example.com' },
])('%j comes before a purchase is sent', (error) => {
	const lost = describeLostRequest(error, 'https://v.example.com', 'Base URL', 'purchase');
	expect(lost.description).toMatch(/^Nothing was changed\. /);
});

describe('errors of an item', () => {
	const node = { name: 'N', type: 't' } as INode;

	test('an error of n8n gets the index of its item if it has none', () => {
		expect(itemError(node, new NodeOperationError(node, 'x'), 2).context.itemIndex).toBe(2);
		expect(
			itemError(node, new NodeOperationError(node, 'x', { itemIndex: 0 }), 2).context.itemIndex,
		).toBe(0);
	});

	test("what n8n says about an expression stays, and its keys do not hide this node's words", () => {
		const error = new ExpressionError("Can't determine which item to use", {
			description: 'The node before has no paired items',
			descriptionKey: 'pairedItemNoInfo',
			functionality: 'pairedItem',
			messageTemplate: "Can't determine which item to use in %%PARAMETER%%",
			nodeCause: 'Set',
			parameter: 'addressId',
			type: 'paired_item_no_info',
		});
		const { message, description, context } = itemError(node, error, 3);
		expect([message, description]).toEqual([
			"Can't determine which item to use",
			'The node before has no paired items',
		]);
		expect(context).toMatchObject({
			itemIndex: 3,
			messageTemplate: "Can't determine which item to use in %%PARAMETER%%",
			nodeCause: 'Set',
			parameter: 'addressId',
			type: 'paired_item_no_info',
		});
		expect(context.descriptionKey).toBeUndefined();
	});

	test('anything thrown becomes an error', () => {
		expect(itemError(node, 'text', 0).message).toBe('text');
		expect(itemError(node, new TypeError('oops'), 0)).toMatchObject({
			message: 'oops',
			description: undefined,
		});
	});
});

describe('multipart', () => {
	const file = (content: string, fileName = 'a.pdf', mimeType = 'application/pdf') => ({
		fileName,
		mimeType,
		size: Buffer.byteLength(content),
		open: async () => [Buffer.from(content)],
		close: () => undefined,
	});
	const bytes = async (body: MultipartBody) => {
		const chunks: Uint8Array[] = [];
		const reader = body.stream().getReader();
		for (let next = await reader.read(); !next.done; next = await reader.read())
			chunks.push(next.value);
		return Buffer.concat(chunks);
	};

	test('looks exactly like this', async () => {
		const body = new MultipartBody([
			{ name: 'form', json: '{"é":1}' },
			{ name: 'proof', file: file('%PDF', 'Ä "x"\r\n.pdf') },
		]);
		const boundary = body.type.replace('multipart/form-data; boundary=', '');
		expect((await bytes(body)).toString('utf8')).toBe(
			[
				`--${boundary}`,
				'Content-Disposition: form-data; name="form"',
				'Content-ID: form',
				'Content-Type: application/json',
				'',
				'{"é":1}',
				`--${boundary}`,
				'Content-Disposition: form-data; name="proof"; filename="Ä %22x%22%0D%0A.pdf"',
				'Content-ID: proof',
				'Content-Type: application/pdf',
				'',
				'%PDF',
				`--${boundary}--`,
				'',
			].join('\r\n'),
		);
	});

	test('n8n and axios recognize it as what it is: a Blob with content', () => {
		const body = new MultipartBody([{ name: 'form', json: '{}' }]);
		expect(Object.prototype.toString.call(body)).toBe('[object Blob]');
		expect(isObjectEmpty(body)).toBe(false);
		expect(body.type).toBe(body.type.toLowerCase());
	});

	test.each([
		'text/html\r\nX-Evil: 1',
		'',
		'nonsense',
		'a/b; c',
		'a/b; c="\0\u202e"',
		`a/${'b'.repeat(1_000_000)}`,
		`a/b${'; c=d'.repeat(100)}`,
	])('the type %# cannot start another header, nor fill it', async (mimeType) => {
		const text = (
			await bytes(new MultipartBody([{ name: 'p', file: file('x', 'f', mimeType) }]))
		).toString();
		expect(text).toContain('Content-Type: application/octet-stream\r\n\r\nx');
	});

	test('the announced size is the real size, whatever the content', async () => {
		const part = fc.oneof(
			fc.string({ unit: 'binary' }).map((json): Part => ({ name: 'form', json })),
			fc
				.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), fc.string())
				.map(([content, name, type]): Part => ({ name: 'proof', file: file(content, name, type) })),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
				const body = new MultipartBody(parts);
				expect(body.size).toBe((await bytes(body)).length);
			}),
		);
	});

	test('two bodies have different boundaries', () => {
		expect(new MultipartBody([]).type).not.toBe(new MultipartBody([]).type);
	});
});
