// What a response reports about the request, as opposed to the fields of the requested object.

import { parse } from '../../../nodes/shared/answer/parse';
import { judge, statementOf, validityOf, type Intent } from '../../../nodes/shared/answer/verdict';
import { reasonOf, withoutTokens } from '../../../nodes/shared/answer/reason';

const READ: Intent = { effect: 'read' };
const WRITE: Intent = { effect: 'write' };
const LOGIN: Intent = { effect: 'login' };
const BUY: Intent = { effect: 'purchase' };
const LINK: Intent = { effect: 'write', successFlag: 'linked' };

const outcomeOf = (data: unknown, effect: 'read' | 'write' = 'read') =>
	statementOf(data, { effect }).outcome;

test.each<[unknown]>([
	[{ number: '+3312', type: 'unknown' }],
	[{ data: { didGroupId: 6001, type: 'UNKNOWN' } }],
	[{ data: [{ didGroupId: 6001, type: 'unknown' }] }],
	[[{ name: 'x', type: 'Invalid' }]],
	[{ didGroupId: 1, level: 'missing' }],
	[{ didGroupId: 1, level: 'error', message: 'Not reachable' }],
	[{ status: 'pending', type: 'error_report' }],
	[{ type: 'error_report', message: 'Ready' }],
	[{ type: 'report_error', message: 'Ready' }],
	[{ type: 'https://op/errors/none', status: 200 }],
	[{ type: 'error' }],
	[{ type: 'denied', message: 'Calls from here' }],
])('the kind of an object is not a failure: %j', (data) => {
	expect(outcomeOf(data)).not.toBe('failed');
});

test.each<[unknown]>([
	[{ result: -12.5 }],
	[{ resultat: -3, solde: -3 }],
	[{ result: -12.5, message: 'Your balance' }],
	[{ responseCode: 'E164' }],
])('a requested value may be below zero, or look like a code: %j', (data) => {
	expect(outcomeOf(data)).not.toBe('failed');
});

test.each<[unknown, 'read' | 'write']>([[{ result: '-3' }, 'write']])(
	'a failure is recognised by its number: %j of a %s',
	(data, effect) => {
		expect(outcomeOf(data, effect)).toBe('failed');
	},
);

test('a name is exact, whatever its case and separators', () => {
	expect(outcomeOf({ codeErreur: 12 })).toBe('failed');
	expect(outcomeOf({ Code_Erreur: 12 })).toBe('failed');
	expect(outcomeOf({ monCodeErreur: 12 })).toBe('done');
});

test('a text beside it is no failure, and is for the caller to show', () => {
	expect(outcomeOf({ errorMessage: 'Delivered later' }, 'write')).toBe('done');
});

describe('decided after a comparison with the reader before it', () => {
	const judged = (data: unknown, intent: Intent) =>
		judge({ statusCode: 200, headers: {}, data, text: '', format: 'json' }, intent);

	test.each<[string, unknown, Intent, string]>([
		['a warning in a flag counts', { success: 'WARNING' }, WRITE, 'partly'],
		['false is no code of a success', { code: false }, READ, 'failed'],
		['INVALID is a refusal', { status: 'INVALID' }, READ, 'failed'],
		['it is not valid is an answer', { isValid: false, status: 'INVALID' }, READ, 'done'],
		['it is valid, but an error', { isValid: true, errors: ['City'] }, READ, 'failed'],
		['it is valid, with a reason', { isValid: true, reasons: [{ code: '520' }] }, READ, 'done'],
		[
			'the same, wrapped',
			{ status: 'SUCCESS', data: { isValid: true, reasons: [{ code: '520' }] } },
			READ,
			'done',
		],
		['a change has no reasons', { isValid: true, reasons: [{ code: '520' }] }, WRITE, 'failed'],
		['an error around the answer', { code: 520, data: { isValid: true } }, READ, 'failed'],
		['an odd code beside the answer', { isValid: false, resultCode: 'not linked' }, READ, 'done'],
		['an unknown word confirms no change', 'T0sgbGlua2Vk', WRITE, 'unclear'],
		['any name of a status', { statut: '507' }, WRITE, 'failed'],
		['a return code in words', { ret: 'accepted' }, WRITE, 'done'],
		['a return code of 0 beside a text', { ret: 0, err_msg: 'Later' }, WRITE, 'done'],
		['a result of 0 is a number', { result: 0 }, WRITE, 'done'],
		['a true result', { result: true, err_msg: 'Later' }, WRITE, 'done'],
		['the flag of an order that is read', { processed: false }, READ, 'done'],
		['a number of what was processed', { processed: 0 }, WRITE, 'done'],
		['N is no error', { err_code: 'N' }, WRITE, 'done'],
		[
			'a failure in a good envelope in another',
			{ foo: { code: 0, result: { isError: true } }, bar: 2 },
			LINK,
			'failed',
		],
		['a code 0 beside a text', { code: 0, err_msg: 'Locked' }, WRITE, 'done'],
		[
			'failed parts of a list that is read',
			{ calls: [{ status: 'ERROR' }, { ok: 0 }] },
			READ,
			'done',
		],
		['the same of a login', { agents: [{ status: 'ERROR' }, { ok: 0 }] }, LOGIN, 'done'],
		['no failed parts', { failedCount: 0, linkedCount: 2 }, LINK, 'done'],
		['an empty list of failed parts', { failed: [], linked: [7] }, LINK, 'done'],
		['a flag that counts none', { linkedCount: 0 }, LINK, 'failed'],
		['a flag without a value', { linked: null }, LINK, 'failed'],
		[
			'the state of a created thing',
			{ address: { addressId: 7, status: 'REJECTED' } },
			WRITE,
			'done',
		],
		['an error beside what was created', { addressId: 7, status: 'ERROR' }, WRITE, 'failed'],
		['a state of a thing that is read', { addressId: 7, status: 'INVALID' }, READ, 'done'],
		['an error of a request with an id', { id: 'r-7', status: 'ERROR' }, READ, 'failed'],
		['the state of a thing with an id', { id: 7, status: 'REJECTED' }, READ, 'done'],
		[
			'the state of a cart that is bought',
			{ cartIdentifier: 7, status: 'REJECTED' },
			BUY,
			'failed',
		],
		['a good code in an error', { errors: { code: 0, text: '' } }, WRITE, 'done'],
		['a bad code beside it', { errors: [{ code: 0 }, { code: 5 }] }, WRITE, 'failed'],
		['words like a no in a flag', { success: 'Noted' }, WRITE, 'done'],
		['a number that ends with a no', { success: 'OK 10' }, WRITE, 'done'],
		['a problem', { type: '/quota', title: 'Quota', detail: 'Used up' }, WRITE, 'failed'],
		['a title without a detail', { type: '/quota', title: 'Quota' }, WRITE, 'done'],
		['failed parts under a code 1', { code: 1, items: [{ ok: false }] }, BUY, 'failed'],
		['a success around JSON as text', { status: 'OK', data: { a: '{}' } }, WRITE, 'done'],
		['a good message with a bad code', { code: 12, message: 'Done' }, WRITE, 'done'],
		['a value below zero beside a blank message', { result: -3, message: ' ' }, READ, 'done'],
		['a validation with other fields', { isValid: false, city: 'Oslo' }, READ, 'done'],
		['a refusal beside an address line', { address: 'Rue 1', status: 'REJECTED' }, READ, 'failed'],
	])('%s: %j', (_why, data, intent, outcome) => {
		expect(judged(data, intent).outcome).toBe(outcome);
	});

	test.each<[string, unknown[], string]>([
		['status', [0, 200, 399, 600, 'Order 500 accepted'], 'done'],
		['err_code', [0, 100, 200, 399, '200', null, false], 'done'],
		['err_code', [17, 99, 400, -1, '17', '404'], 'failed'],
	])('the numbers that may be in the field %s: %j are %s', (field, values, outcome) => {
		for (const value of values) {
			const data = { [field]: value };
			expect([value, judged(data, WRITE).outcome]).toEqual([value, outcome]);
		}
	});

	test.each<[string, object, boolean | undefined]>([
		['a flag', { isValid: true }, true],
		['a text', { isValid: 'false' }, false],
		['a word', { valid: 'yes' }, true],
		['anything else', { isValid: 'validating' }, undefined],
		['a status of the request', { status: 'VALID' }, undefined],
	])('whether something is valid, as %s: %j', (_form, layer, valid) => {
		expect(validityOf(layer as Record<string, unknown>)).toBe(valid);
	});

	test.each<[string, string, string, number, string]>([
		['a text', 'No such cart', 'text/plain', 404, 'No such cart'],
		['a text in JSON', '"No such cart"', 'application/json', 404, 'No such cart'],
		['truncated JSON', '{"truncated', 'application/json', 500, '{"truncated'],
		['a web page', '<html><p>Not found</p></html>', 'text/html', 404, ''],
		['data without words', '{"a":1}', 'application/json', 404, ''],
		['nothing', '', '', 404, ''],
	])('the words of a refusal in %s', (_what, body, type, statusCode, reason) => {
		const answer = parse({ statusCode, headers: { 'content-type': type }, body });
		expect(judge(answer, READ)).toMatchObject({ outcome: 'failed', reason });
	});

	test.each<[string, string | Buffer, string, number, Intent['effect'], string]>([
		['truncated JSON', '{"status":"SUCC', 'application/json', 200, 'write', 'unclear'],
		['truncated XML', '<a><status>OK</sta', 'text/xml', 200, 'purchase', 'unclear'],
		['bytes', Buffer.from([31, 139, 8, 0, 7]), 'application/json', 200, 'write', 'unclear'],
		['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), '', 200, 'write', 'unclear'],
		['a protocol switch', '{"status":"OK"}', 'application/json', 101, 'write', 'unclear'],
		['text around JSON', 'done({"ret":99})', 'text/javascript', 200, 'write', 'unclear'],
		['the same beside more', '{"data":"{}","id":"7"}', '', 200, 'write', 'done'],
		['a list of numbers as text', '{"data":"[1,2]"}', '', 200, 'write', 'done'],
		['a bare number of a change', '4711', 'application/json', 200, 'write', 'done'],
		['a no in a text', 'accepted: no', 'text/plain', 200, 'write', 'unclear'],
		['a word of a read', '"refused"', 'application/json', 200, 'read', 'unclear'],
		['a number of a change', ' "4711" ', 'application/json', 200, 'write', 'done'],
		['a number in a text', '" 4711 "', 'application/json', 200, 'write', 'done'],
		['a no of a purchase', 'false', 'application/json', 200, 'purchase', 'failed'],
		['a list of a purchase', '[{"a":"to {b}"}]', 'application/json', 200, 'purchase', 'done'],
		['a number of a purchase', '4711', 'application/json', 200, 'purchase', 'unclear'],
		['a number of a read', '4711', 'application/json', 200, 'read', 'unclear'],
		['an empty list of a change', '[]', 'application/json', 200, 'write', 'done'],
		['a login without data', '{}', 'application/json', 200, 'login', 'done'],
		['a good word of a change', 'OK', 'text/plain', 200, 'write', 'done'],
		['a good word of a purchase', 'OK', 'text/plain', 200, 'purchase', 'unclear'],
		['a flag that is no in a text', 'accepted:n', 'text/plain', 200, 'write', 'unclear'],
		['a choice', '{"status":"OK"}', 'application/json', 300, 'write', 'unclear'],
		[
			'the first status of a failure',
			'{"status":"OK"}',
			'application/json',
			400,
			'write',
			'failed',
		],
		['a flag in a text', 'success: false', 'text/plain', 200, 'write', 'unclear'],
		['a word of a change', '"refused"', 'application/json', 200, 'write', 'failed'],
		['a problem', '{"title":"Taken"}', 'application/problem+json', 200, 'write', 'failed'],
	])('%s', (_what, body, type, statusCode, effect, outcome) => {
		const answer = parse({ statusCode, headers: { 'content-type': type }, body });
		expect(judge(answer, { effect }).outcome).toBe(outcome);
	});

	test.each<[string, unknown, string]>([
		[
			'a title with its detail',
			{ errors: [{ title: 'Taken', detail: 'By you' }] },
			'Taken: By you',
		],
		['a sentence without the name of its field', { entity: 'Invalid city' }, 'Invalid city'],
		['OK is no reason', { head: { msg: 'OK' }, body: { parts: [{ msg: 'Taken' }] } }, 'Taken'],
		['a secret is none', { apiToken: 'my secret words' }, ''],
		['nor a word that was sent as one', { errors: { password: 'hunter2' } }, ''],
		['numbers by field are no reason', { ids: [1, 2] }, ''],
		['a list of what is wrong before a word', { error: 'E', errors: ['Taken'] }, 'Taken'],
		['an error text before a message', { message: 'No', err_msg: 'Taken' }, 'Taken'],
		['the first of two messages', { message: 'Taken', msg: 'Sorry' }, 'Taken'],
		['a label', { description: 'Taken' }, 'Taken'],
		['a label before the word of an error', { error: 'E', description: 'Taken' }, 'Taken'],
		['a flag in words is none', { error: 'true', parts: [{ msg: 'Taken' }] }, 'Taken'],
		['words alone', ['Taken', 'Gone'], 'Taken; Gone'],
		['an outcome alone', ['ERROR'], 'ERROR'],
		['by a name with a number', { errors: { line1: 'Taken' } }, 'line1: Taken'],
		['by the innermost name', { errors: { address: { city: 'Taken' } } }, 'city: Taken'],
		['ten at most', { errors: [...'abcdefghijkl'] }, 'a; b; c; d; e; f; g; h; i; j'],
		['a blank is none', { errors: [' ', 'Taken'] }, 'Taken'],
		['without a secret of the response', { message: 'Not tok-1', token: 'tok-1' }, 'Not ***'],
		['nor a number', { message: 'Not 4711', session: 4711 }, 'Not ***'],
		['nor one in a field', { message: 'Not tok-1', id_session: { value: 'tok-1' } }, 'Not ***'],
		['short words are no secret', { message: 'Not abc', token: 'abc' }, 'Not abc'],
	])('%s: %j', (_why, data, reason) => {
		expect(reasonOf(data, { effect: 'read' }).reason).toBe(reason);
	});

	test.each<[unknown, string | undefined]>([
		[{ ret: -1, msg: 'Not now' }, '-1'],
		[{ errorType: 'business', errorId: 'a7', errorCode: '507' }, '507'],
		[{ code: 'E2', errors: [{ code: 'E1' }, { code: 'E3' }] }, 'E1'],
		[{ errorCode: 'x'.repeat(61), code: 'E1' }, 'E1'],
		[{ code: 404, returnCode: 4040 }, '4040'],
		[{ code: 'OK', status: 'E1', text: 'E2' }, undefined],
	])('the code in %j', (data, code) => {
		expect(reasonOf(data, { effect: 'read' }).code).toBe(code);
	});

	test('a success has no reason, whatever message it has', () => {
		for (const data of [{ status: 'OK', message: 'Mind the gap' }, { message: 'Mind the gap' }])
			expect(judged(data, WRITE)).toMatchObject({ outcome: 'done', reason: '' });
	});

	test.each<[unknown, object]>([
		[
			{ apiModule: 'A', code: '409' },
			{ module: 'A', statusCode: 409 },
		],
		[{ modules: 'A', count: 409, httpStatus: 302 }, {}],
	])('the origin in %j', (data, origin) => {
		expect(reasonOf(data, { effect: 'read' })).toEqual({ reason: '', ...origin });
	});

	test.each<[string, string]>([
		['Not with 0f1e2d3c4b5a69788796a5b4 now', 'Not with *** now'],
		['Not with 0f1e2d3c4b5a69788796a5b now', 'Not with 0f1e2d3c4b5a69788796a5b now'],
		['id=AbCdEfGh+/AbCdEfGhAbCdEf1==', '***'],
		['Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahrtsgesellschaft'],
		['cut: 0f1e2d3c…', 'cut: ***…'],
		['cut: 0f1e2d3…', 'cut: 0f1e2d3…'],
		['cut: abcdefgh…', 'cut: abcdefgh…'],
	])('what may be a token in %j is not shown', (words, shown) => {
		expect(withoutTokens(words)).toBe(shown);
		expect(reasonOf({ message: words }, { effect: 'login' }).reason).toBe(shown);
		expect(reasonOf({ message: words }, { effect: 'read' }).reason).toBe(words);
	});
});
