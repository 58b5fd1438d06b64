// Responses to changes that no form has: whatever is odd in one, the node is not silent about it
// (docs/dev/provider.md#quiet-changes).

import fc from 'fast-check';
import { restOf, type Expected } from '../../../nodes/VoiceManagement/outcome/understood';
import { parse } from '../../../nodes/shared/answer/parse';
import { judge } from '../../../nodes/shared/answer/verdict';

/** What each change of the node expects, and its documented response. */
const DOCUMENTED: Array<[Expected, object]> = [
	[{ deed: 'created', words: ['NOT_VERIFIED', 'VERIFIED'] }, { addressId: 7 }],
	[{ deed: 'deleted' }, { status: 'SUCCESS' }],
	[
		{
			deed: 'linked',
			words: ['NUMBERS_LINKED_AND_UNBLOCKED', 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION'],
			sent: [1, 2],
		},
		{ status: 'NUMBERS_LINKED_AND_UNBLOCKED' },
	],
	[
		{ deed: 'unlinked', words: ['NUMBERS_UNLINKED_AND_BLOCKED'], sent: [1, 2] },
		{ status: 'NUMBERS_UNLINKED_AND_BLOCKED' },
	],
	[{ deed: 'uploaded' }, { status: 'SUCCESS' }],
	[
		{ deed: 'requested', words: ['VERIFICATION_REQUESTED', 'VERIFICATION_NOT_REQUIRED'] },
		{ status: 'SUCCESS' },
	],
	[{ deed: 'added' }, { status: 'SUCCESS' }],
	[
		{ deed: 'created', repeated: ['description'] },
		{
			cart: {
				cartIdentifier: 4179883,
				customerReference: null,
				description: 'For July',
				dateAdded: '2026-07-01 10:00:00',
				orderProducts: null,
			},
		},
	],
];
const CHANGES: Expected[] = [{}, ...DOCUMENTED.map(([expected]) => expected)];

/** Whether the user gets the output alone: no error, no warning and no hint. */
function isQuiet(body: unknown, expected: Expected): boolean {
	return isQuietText(JSON.stringify(body), expected);
}

function isQuietText(body: string, expected: Expected): boolean {
	const headers = { 'content-type': 'application/json' };
	const answer = parse({ statusCode: 200, headers, body });
	const { outcome } = judge(answer, { effect: 'write', successFlag: expected.deed });
	return outcome === 'done' && restOf(answer, expected).length === 0;
}

const GOOD = [
	{},
	{ status: 'SUCCESS' },
	{ success: true },
	{ status: 'OK', data: { addressId: 7 } },
	{ err_code: 'OK', err_msg: '' },
	{ errorCode: 0, errors: null },
	{ errors: [], message: 'OK' },
];
const WRAPS: Array<(body: object) => object> = [
	(body) => body,
	(data) => ({ data }),
	(result) => ({ status: 'OK', result }),
	(body) => [body],
	(entity) => ({ code: 0, entity }),
	(body) => ({ Envelope: { Body: { response: body } } }),
];
const change = fc.constantFrom(...CHANGES);
const good = fc.constantFrom(...GOOD);
const wrap = fc.constantFrom(...WRAPS);

/** A name that is in no table. */
const name = fc.stringMatching(/^[a-z]{2,12}$/).map((letters) => `zz_${letters}`);
const value = fc.oneof(
	fc.boolean(),
	fc.integer(),
	fc.stringMatching(/^[A-Za-z_ ]{1,20}$/).filter((text) => text.trim() !== ''),
	fc.constantFrom('REFUSED', 'not linked', 'pending', 'No number of this account', -1, 0, false),
	fc.array(fc.integer(), { minLength: 1, maxLength: 3 }),
	fc.record({ inner: fc.constantFrom('no', 'yes', 7) }),
);

test('a field of an unknown name is shown, whatever its value and wherever it is', () => {
	fc.assert(
		fc.property(change, good, wrap, name, value, (expected, body, wrapped, odd, what) => {
			expect(isQuiet(wrapped({ ...body, [odd]: what }), expected)).toBe(false);
		}),
		{ numRuns: 1_000 },
	);
});

/** The texts that are good in the status of a change, in a field and around one. */
const wordsOf = ({ deed = '', words = [] }: Expected) => [
	...words,
	deed,
	'SUCCESS',
	'none',
	true,
	1,
];
const PLACES: Array<(text: unknown) => unknown> = [
	(text) => text,
	(text) => [text],
	(text) => [[text]],
	(message) => ({ message }),
	(status) => [{ status }],
	(errors) => ({ errors }),
	(text) => ({ reason: { text } }),
];
const COMPLAINTS =
	`error errors Error ERROR errorText error_message errorMessage errMsg err_msg err-code errorCode errorNumber erreur
	codeErreur apiErrorCode apiErrorMessage genericErrorMessage errorDescription hasErrors isError errno fault faults
	exception violations warning warnings Warning failed failure failures failedDidIds problem problems rejected
	rejectionReason refused skipped denied notLinked not_done`.split(/\s+/);

test.each(DOCUMENTED)(
	'what complains is shown beside the documented response, whatever its text: %j',
	(expected, body) => {
		const names = [
			...COMPLAINTS,
			...['Errors', '_failed', 'Warning'].map((end) => expected.deed + end),
		];
		for (const key of names) {
			for (const text of wordsOf(expected)) {
				for (const placed of PLACES) {
					const odd = { ...body, [key]: placed(text) };
					expect([odd, isQuiet(odd, expected)]).toEqual([odd, false]);
				}
			}
			for (const nothing of [null, '', [], {}, false, 0])
				expect(isQuiet({ ...body, [key]: nothing }, expected)).toBe(true);
		}
	},
);

test('what is good in an object of an unknown name is shown', () => {
	for (const [expected, body] of DOCUMENTED) {
		for (const key of ['pending', 'queued', 'unprocessed', 'later', `${expected.deed}Later`])
			for (const inner of [{ success: true }, [{ status: 'SUCCESS' }], { addressId: 7 }, true])
				expect(isQuiet({ ...body, [key]: inner }, expected)).toBe(false);
	}
});

test('a value that is not known as good is shown, whatever field states it', () => {
	const field = fc.constantFrom(
		...'status statut state result outcome success ok isSuccess done processed accepted'.split(' '),
		...'code statusCode returnCode resultCode errorCode err_code errno message reason'.split(' '),
		...'error errors hasErrors fault deed'.split(' '),
	);
	const bad = fc.oneof(
		fc.constantFrom('REFUSED', 'not linked', 'pending', 'E12', 'NOT_DONE', 'later', '409', 500, -3),
		fc.constantFrom('No number of this account', 'unknown', 'bad request', 'queued', 'ko', 17),
		fc.stringMatching(/^[qxz]{3,12}$/),
	);
	fc.assert(
		fc.property(change, good, wrap, field, bad, (expected, body, wrapped, key, what) => {
			const named = key === 'deed' ? (expected.deed ?? 'status') : key;
			expect(isQuiet(wrapped({ ...body, [named]: what }), expected)).toBe(false);
		}),
		{ numRuns: 1_000 },
	);
});

/** Refusals as services word them. What the node does not understand of one is shown beside a success, or is its error. */
const REFUSALS: object[] = [
	{ status: 'NOT_LINKED' },
	{ status: 'invalid_request' },
	{ status: '509 Later' },
	{ status: 'SUCCESS', state: 'Partially_Done' },
	{ data: { Status: 'Partially_Done', Message: 'Mind' } },
	{ status: 'ERROR', info: { more: { text: 'Deep' } } },
	{ status: 200, error_message: 'Locked' },
	{ status: 'OK', result: { errorText: 'Locked' } },
	{ status: 'SUCCESS', results: [{ status: 'OK' }, { status: 'ERROR', message: 'Second' }] },
	{ status: 'OK', data: '{"ok":false}' },
	{ result: { data: '{"ok":0}' } },
	{ data: '[ {"ok":0}]' },
	{ success: 'Cart not found' },
	{ success: 'Error 101' },
	{ success: 'Open', err_msg: 'Locked' },
	{ success: true, error_message: 'Delivered later' },
	{ ok: true, err_msg: 'Locked' },
	{ ok: true, code: 1, items: [{ ok: false }] },
	{ err_msg: 'No' },
	{ err_msg: 'Already linked' },
	{ addressId: 7, messageErreur: 'Adresse inconnue' },
	{ message: 'Cart not found' },
	{ message: 'Denied', info: 'See below' },
	{ type: 'error', message: 'Not now' },
	{ level: 'error', text: 'Not now' },
	{ data: null, level: 'FATAL', msg: 'Not now', code: 12, timestamp: 1_700_000_000 },
	{ response: { severity: 'Error', detail: 'Not now', requestId: 'a' } },
	{ title: 'Invalid', status: 422, 'invalid-params': [{ name: 'city', reason: 'is missing' }] },
	{ Envelope: { Body: { Fault: { faultcode: 'Client', faultstring: 'No' } } } },
	{ code: 'NUMBER_NOT_FOUND', message: 'No number' },
	{ code: -1, msg: 'No' },
	{ code: 12, message: 'Later' },
	{ code: 0, err_msg: 'Locked' },
	{ code: 0, products: [{ status: 'ERROR' }, { status: 'ERROR' }] },
	{ code: 0, dids: [{ status: 'ERROR' }, { status: 'ERROR' }] },
	{ code: 1, status: 'SUCCESS' },
	{ codeErreur: 12 },
	{ responseCode: 'E012' },
	{ result: -3, message: 'Not now' },
	...[1, '1', 2, 99, 400, -1, '7', 'E-7'].map((ret) => ({ ret })),
	{ valid: false },
	{ accepted: false },
	{ processed: 'no' },
	{ failed: 'true' },
	{ failed: [7], accepted: [8] },
	{ failedCount: 2 },
	{ failedCount: '1', linkedCount: '2' },
	{ failedDidIds: [1] },
	{ linked: [1], failed: [2] },
	{ results: [{ didId: 1, status: 'failed' }] },
	{ results: [{ didId: 2, linked: false }] },
	{ ip: ['is missing'] },
];
const SENTENCES = [
	'Numbers linked',
	'Done, 0 errors',
	'ERROR: address not found',
	'The numbers could not be linked: unable to lock',
	'La liaison n’a pas été effectuée',
	'"Cart not found"',
	'["ERROR","Taken"]',
];

test.each(REFUSALS)('%j is not quiet', (body) => {
	for (const expected of CHANGES) expect(isQuiet(body, expected)).toBe(false);
});

test.each(SENTENCES)('the text %s is not quiet', (text) => {
	for (const expected of CHANGES) expect(isQuietText(text, expected)).toBe(false);
});

test.each([false, 0, 'false', 'no', '0', null, []])('a deed that is %j is shown', (what) => {
	for (const expected of CHANGES) {
		const { deed } = expected;
		if (deed !== undefined) expect(isQuiet({ status: 'OK', [deed]: what }, expected)).toBe(false);
	}
});

test('what is documented is quiet', () => {
	for (const expected of CHANGES) {
		for (const body of GOOD) expect([body, isQuiet(body, expected)]).toEqual([body, true]);
		for (const status of expected.words ?? []) expect(isQuiet({ status }, expected)).toBe(true);
	}
	for (const [expected, body] of DOCUMENTED) expect(isQuiet(body, expected)).toBe(true);
	for (const empty of [null, [], {}]) expect(isQuiet(empty, {})).toBe(true);
});
