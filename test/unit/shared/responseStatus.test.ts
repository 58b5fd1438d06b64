// What a response reports about the request, as opposed to the fields of the requested object.

import { readStatus } from '../../../nodes/shared/responseStatus';

const toneOf = (data: unknown, effect: 'read' | 'write' = 'read') =>
	readStatus(data, { effect }).tone;

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
	expect(toneOf(data)).not.toBe('bad');
});

test.each<[unknown]>([
	[{ type: 'error', message: 'Not now' }],
	[{ data: null, level: 'FATAL', msg: 'Not now', code: 12, timestamp: 1_700_000_000 }],
	[{ response: { severity: 'Error', detail: 'Not now', requestId: 'a' } }],
])('the kind of a message is one: %j', (data) => {
	expect(toneOf(data)).toBe('bad');
});

test.each<[unknown]>([
	[{ result: -12.5 }],
	[{ resultat: -3, solde: -3 }],
	[{ result: -12.5, message: 'Your balance' }],
	[{ responseCode: 'E164' }],
])('a requested value may be below zero, or look like a code: %j', (data) => {
	expect(toneOf(data)).not.toBe('bad');
});

test.each<[unknown, 'read' | 'write']>([
	[{ result: -3, message: 'Not now' }, 'read'],
	[{ result: '-3' }, 'write'],
	[{ responseCode: 'E012' }, 'read'],
	[{ responseCode: 'E-12' }, 'read'],
])('a failure is recognised by its number: %j of a %s', (data, effect) => {
	expect(toneOf(data, effect)).toBe('bad');
});
