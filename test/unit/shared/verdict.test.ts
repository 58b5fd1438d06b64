// What a response reports about the request, as opposed to the fields of the requested object.

import { parse } from '../../../nodes/shared/answer/parse';
import { ADDRESS, createdId } from '../../../nodes/shared/answer/identifiers';
import { judge, statementOf, type Intent } from '../../../nodes/shared/answer/verdict';
import { reasonOf } from '../../../nodes/shared/answer/reason';

const VALIDATION: Intent = { effect: 'read', asksValidity: true };

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
	[{ type: 'https://op/errors/none', status: 200 }],
	[{ type: 'error' }],
	[{ type: 'denied', message: 'Calls from here' }],
])('the kind of an object is not a failure: %j', (data) => {
	expect(outcomeOf(data)).not.toBe('failed');
});

test.each<[unknown]>([
	[{ type: 'error', message: 'Not now' }],
	[{ data: null, level: 'FATAL', msg: 'Not now', code: 12, timestamp: 1_700_000_000 }],
	[{ response: { severity: 'Error', detail: 'Not now', requestId: 'a' } }],
])('the kind of a message is one: %j', (data) => {
	expect(outcomeOf(data)).toBe('failed');
});

test.each<[unknown]>([
	[{ result: -12.5 }],
	[{ resultat: -3, solde: -3 }],
	[{ result: -12.5, message: 'Your balance' }],
	[{ responseCode: 'E164' }],
])('a requested value may be below zero, or look like a code: %j', (data) => {
	expect(outcomeOf(data)).not.toBe('failed');
});

test.each<[unknown, 'read' | 'write']>([
	[{ result: -3, message: 'Not now' }, 'read'],
	[{ result: '-3' }, 'write'],
	[{ responseCode: 'E012' }, 'read'],
	[{ responseCode: 'E-12' }, 'read'],
])('a failure is recognised by its number: %j of a %s', (data, effect) => {
	expect(outcomeOf(data, effect)).toBe('failed');
});

test.each([true, 1, '1', 'yes', 'OK'])(
	'a flag that is %j outweighs a text beside it',
	(success) => {
		const text = { error_message: 'Delivered later' };
		expect(outcomeOf(text)).toBe('failed');
		expect(outcomeOf({ ...text, success })).toBe('done');
	},
);

describe('decided after a comparison with the reader before it', () => {
	const LINK: Intent = { effect: 'write', successFlag: 'linked' };
	const BUY: Intent = { effect: 'purchase' };
	const judged = (data: unknown, intent: Intent) =>
		judge({ statusCode: 200, headers: {}, data, text: '', format: 'json' }, intent);

	test.each<[string, unknown, Intent, string]>([
		['words in a flag count', { success: 'Cart not found' }, { effect: 'purchase' }, 'failed'],
		['a warning in a flag counts', { success: 'WARNING' }, { effect: 'write' }, 'partly'],
		['false is no code of a success', { code: false }, { effect: 'read' }, 'failed'],
		['INVALID answers a validation', { status: 'INVALID' }, VALIDATION, 'done'],
		[
			'an odd code beside the answer',
			{ isValid: false, resultCode: 'not linked' },
			VALIDATION,
			'done',
		],
		['not valid is a failure of a change', { valid: false }, { effect: 'write' }, 'failed'],
		['an unknown word confirms no change', 'T0sgbGlua2Vk', { effect: 'write' }, 'unclear'],
		['any name of a status', { statut: '507' }, { effect: 'write' }, 'failed'],
		['a bad level', { level: 'error', text: 'Not now' }, { effect: 'write' }, 'failed'],
		['a code 1 of unknown meaning', { ret: 1 }, { effect: 'write' }, 'partly'],
		['a flag in words', { failed: 'true' }, { effect: 'purchase' }, 'failed'],
		['N is no error', { err_code: 'N' }, { effect: 'write' }, 'done'],
		[
			'the state of a thing',
			{ addressRef: 'A-77', status: 'REJECTED' },
			{ effect: 'read' },
			'done',
		],
		[
			'a failure in a good envelope',
			{ status: 'OK', result: { errorText: 'Locked' } },
			{ effect: 'write' },
			'failed',
		],
		[
			'a failure in a good envelope in another',
			{ foo: { code: 0, result: { isError: true } }, bar: 2 },
			LINK,
			'failed',
		],
		[
			'a 200 beside a failure',
			{ status: 200, error_message: 'Locked' },
			{ effect: 'purchase' },
			'failed',
		],
		['a code 0 beside a text', { code: 0, err_msg: 'Locked' }, { effect: 'write' }, 'done'],
		['the same of a link', { code: 0, err_msg: 'Locked' }, LINK, 'partly'],
		['a success beside a text, of a purchase', { ok: true, err_msg: 'Locked' }, BUY, 'partly'],
		['a complaint with a good word', { err_msg: 'Already linked' }, BUY, 'failed'],
		[
			'failed parts under a code 0',
			{ code: 0, products: [{ status: 'ERROR' }, { status: 'ERROR' }] },
			{ effect: 'purchase' },
			'partly',
		],
		[
			'the same of a link',
			{ code: 0, dids: [{ status: 'ERROR' }, { status: 'ERROR' }] },
			LINK,
			'failed',
		],
	])('%s: %j', (_why, data, intent, outcome) => {
		expect(judged(data, intent).outcome).toBe(outcome);
	});

	test.each<[string, string | Buffer, string, number, Intent['effect'], string]>([
		['truncated JSON', '{"status":"SUCC', 'application/json', 200, 'write', 'unclear'],
		['truncated XML', '<a><status>OK</sta', 'text/xml', 200, 'purchase', 'unclear'],
		['bytes', Buffer.from([31, 139, 8, 0, 7]), 'application/json', 200, 'write', 'unclear'],
		['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), '', 200, 'write', 'unclear'],
		['a protocol switch', '{"status":"OK"}', 'application/json', 101, 'write', 'unclear'],
		['text around JSON', 'done({"ret":99})', 'text/javascript', 200, 'write', 'unclear'],
		['JSON as text', '{"data":"{\\"ok\\":false}"}', 'application/json', 200, 'write', 'unclear'],
		['the same in a list', '{"data":"[{\\"ok\\":0}]"}', '', 200, 'purchase', 'unclear'],
		['a word of a read', '"refused"', 'application/json', 200, 'read', 'unclear'],
		['a flag in a text', 'success: false', 'text/plain', 200, 'write', 'unclear'],
		['a sentence', 'The numbers could not be linked', 'text/plain', 200, 'write', 'failed'],
		['a French one', 'La liaison n’a pas été effectuée', 'text/plain', 200, 'write', 'failed'],
		['a word of a change', '"refused"', 'application/json', 200, 'write', 'failed'],
		['a problem', '{"title":"Taken"}', 'application/problem+json', 200, 'write', 'failed'],
	])('%s', (_what, body, type, statusCode, effect, outcome) => {
		const answer = parse({ statusCode, headers: { 'content-type': type }, body });
		expect(judge(answer, { effect }).outcome).toBe(outcome);
	});

	test.each<[string, unknown, string]>([
		[
			'a message before a title',
			{ title: 'Invalid', statusMessage: 'City is missing' },
			'City is missing',
		],
		[
			'a title with its detail',
			{ errors: [{ title: 'Taken', detail: 'By you' }] },
			'Taken: By you',
		],
		[
			'a field before a general sentence',
			{ message: 'No', details: { city: ['is missing'] } },
			'city: is missing',
		],
		['a sentence without the name of its field', { entity: 'Invalid city' }, 'Invalid city'],
		['a field that is wrong', { violations: { path: 'city', message: 'Taken' } }, 'city: Taken'],
		['a reason once', { errors: { error: [{ text: 'Taken' }] } }, 'Taken'],
		['OK is no reason', { head: { msg: 'OK' }, body: { parts: [{ msg: 'Taken' }] } }, 'Taken'],
		['a field is no reason', { items: 'Number taken', city: 'Le Havre', errno: 7 }, ''],
	])('%s: %j', (_why, data, reason) => {
		expect(reasonOf(data).reason).toBe(reason);
	});

	test.each<[unknown, string]>([
		[{ ret: -1, msg: 'Not now' }, '-1'],
		[{ errorType: 'business', errorId: 'a7', errorCode: '507' }, '507'],
	])('the code in %j', (data, code) => {
		expect(reasonOf(data).code).toBe(code);
	});

	test.each<[string, unknown, unknown]>([
		['a response with any number', { status: 'OK', balance: 4711 }, undefined],
		['a message is none', { message: '4711' }, undefined],
		[
			'a number that identifies an address',
			{ addressNo: 4711, url: 'https://example.com/2' },
			4711,
		],
		['the only thing in the response', { status: 'OK', data: 4711 }, 4711],
	])('the identifier in %s: %j', (_what, data, id) => {
		expect(createdId(data, ADDRESS)).toBe(id);
	});
});
