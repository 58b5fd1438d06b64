// What a response reports about the request, as opposed to the fields of the requested object.

import { ADDRESS, createdId } from '../../../nodes/shared/answer/read';
import { judge, reasonOf, statementOf, type Intent } from '../../../nodes/shared/answer/verdict';

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
])('a failure is recognized by its number: %j of a %s', (data, effect) => {
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

describe('decided otherwise than the reader before it, with which it was compared', () => {
	const judged = (data: unknown, intent: Intent) =>
		judge({ statusCode: 200, headers: {}, data, text: '', format: 'json' }, intent);

	test.each<[unknown, Intent, string]>([
		[{ success: 'Cart not found' }, { effect: 'purchase' }, 'failed'],
		[{ success: 'WARNING' }, { effect: 'write' }, 'partly'],
		[{ code: false }, { effect: 'read' }, 'failed'],
		[{ status: 'INVALID' }, VALIDATION, 'done'],
		[{ isValid: false, resultCode: 'not linked' }, VALIDATION, 'done'],
		[{ valid: false }, { effect: 'write' }, 'failed'],
		['T0sgbGlua2Vk', { effect: 'write' }, 'unclear'],
	])('%j: %j', (data, intent, outcome) => {
		expect(judged(data, intent).outcome).toBe(outcome);
	});

	test.each<[unknown, string]>([
		[{ title: 'Invalid', statusMessage: 'City is missing' }, 'City is missing'],
		[{ errors: [{ title: 'Taken', detail: 'By you' }] }, 'Taken: By you'],
		[{ message: 'No', details: { city: ['is missing'] } }, 'city: is missing'],
		[{ entity: 'Invalid city' }, 'Invalid city'],
	])('%j: %j', (data, reason) => {
		expect(reasonOf(data).reason).toBe(reason);
	});

	test.each<[unknown, unknown]>([
		[{ status: 'OK', balance: 4711 }, undefined],
		[{ message: '4711' }, undefined],
		[{ addressNo: 4711, url: 'https://example.com/2' }, 4711],
		[{ status: 'OK', data: 4711 }, 4711],
	])('the identifier in %j: %j', (data, id) => {
		expect(createdId(data, ADDRESS)).toBe(id);
	});
});
