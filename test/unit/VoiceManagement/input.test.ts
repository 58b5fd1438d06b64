// Parameter values as users and expressions give them.

import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { OperationContext, type NodeRun } from '../../../nodes/VoiceManagement/operation';
import { getAddresses } from '../../../nodes/VoiceManagement/resources/address/getAll';
import {
	checkAddress,
	addressFromFields,
} from '../../../nodes/VoiceManagement/resources/address/addressForm';
import {
	mergeCustomFields,
	readCustomFields,
} from '../../../nodes/VoiceManagement/input/customFields';
import {
	compact,
	toDidIds,
	toId,
	toJsonId,
	toPhoneNumbers,
	toSingleText,
	toText,
	withTexts,
} from '../../../nodes/VoiceManagement/input/values';

describe('identifiers', () => {
	test.each([
		[12, '12'],
		['12', '12'],
		[' 12 ', '12'],
		[0, '0'],
		['a b', 'a b'],
	])('%j is %j', (value, expected) => expect(toId(value, 'ID')).toBe(expected));

	test.each([[undefined], [null], [''], ['  '], [true], [[1]], [{ a: 1 }]])(
		'%j counts as empty',
		(value) => {
			expect(() => toId(value, 'The field')).toThrow(/^"The field" is /);
		},
	);

	test.each([
		['12', 12],
		['0', 0],
		['012', '012'],
		['9007199254740991', 9007199254740991],
		['9007199254740993', '9007199254740993'],
		['A', 'A'],
		['1e3', '1e3'],
		['-1', '-1'],
	])('%j goes into JSON as %j', (text, expected) => expect(toJsonId(text)).toBe(expected));

	test.each([2 ** 53, -1e21, Infinity, NaN])('%d has lost its digits', (number) => {
		const lost = /^"The field" has a number that can't be sent: .*/;
		expect(() => toId(number, 'The field')).toThrow(lost);
		expect(() => toSingleText(number, 'The field')).toThrow(lost);
		for (const ids of [number, [1, number]])
			expect(() => toDidIds(ids)).toThrow(/^"DID IDs" has a number/);
		expect(() => readCustomFields({ deep: [number] })).toThrow(/^"Custom Fields" has a number/);
	});

	test('what is no number is not advised to be quoted', () => {
		const description = 'Set "ID", or check the expression in it.';
		expect(() => toId(NaN, 'ID')).toThrow(expect.objectContaining({ description }) as Error);
	});

	test('custom fields keep the digits that they are written with', () => {
		expect(readCustomFields('{"id": 12345678901234567890}')).toEqual({
			id: '12345678901234567890',
		});
	});

	test("n8n's dates are text", () => {
		// As luxon's DateTime, which an expression returns.
		const date = { c: {}, toJSON: () => '2026-02-03T00:00:00.000+01:00' };
		expect(toSingleText(date, 'Date')).toBe('2026-02-03T00:00:00.000+01:00');
		const fields = [{ displayName: 'Date', name: 'date', type: 'dateTime' as const, default: '' }];
		expect(withTexts({ date }, fields)).toEqual({ date: date.toJSON() });
		expect(() => withTexts({ date: [date] as never }, fields)).toThrow('"Date" is a list');
		expect(toSingleText(new Date(0), 'Date')).toBe('1970-01-01T00:00:00.000Z');
	});

	test('an invalid date is nothing, and never left out', () => {
		const date = { toJSON: () => null };
		expect(() => toSingleText(date, 'Date')).toThrow('"Date" is empty');
		const n8n = { getNodeParameter: () => ({ city: date }) } as unknown as IExecuteFunctions;
		const run = { orders: undefined } as unknown as NodeRun;
		const context = new OperationContext(n8n, 0, getAddresses, run);
		expect(() => context.filters()).toThrow('"City" is empty');
	});

	test('values that are not text become text', () => {
		expect([toText(undefined), toText(null), toText({}), toText(5n), toText(' a ')]).toEqual([
			'',
			'',
			'',
			'5',
			'a',
		]);
	});
});

describe('DID IDs', () => {
	test.each<[unknown, Array<number | string>]>([
		['1, 2,3', [1, 2, 3]],
		['1;2, 3\n4', [1, 2, 3, 4]],
		['[1, 2]', [1, 2]],
		['["A1", "2"]', ['A1', 2]],
		['["1,2"]', [1, 2]],
		['["1, 2"]', [1, 2]],
		[7, [7]],
		[
			[1, '2', ' 3 '],
			[1, 2, 3],
		],
		['1,1,2', [1, 2]],
		['1,', [1]],
		['99999999999999999999', ['99999999999999999999']],
	])('%j', (value, expected) => expect(toDidIds(value)).toEqual(expected));

	test.each<[unknown, Array<number | string>]>([
		['did-7, 8', ['did-7', 8]],
		[
			['A1', 2],
			['A1', 2],
		],
		['007', ['007']],
		[-1, ['-1']],
		[1.5, ['1.5']],
	])('%j: the provider knows what its identifiers look like', (value, expected) =>
		expect(toDidIds(value)).toEqual(expected),
	);

	test.each([[[1, null]], [[1, '']], [[{ id: 1 }]], [[true]]])(
		'%j contains something that is neither text nor a number',
		(value) =>
			expect(() => toDidIds(value)).toThrow(
				/^"DID IDs" contains .*, which is neither text nor a number$/,
			),
	);

	test.each([['900 001'], ['1, 2 3'], [['1 2']], ['1\t2']])(
		'%j may be one identifier or several',
		(value) =>
			expect(() => toDidIds(value)).toThrow(
				/^"DID IDs" contains .*, which may be one identifier or several$/,
			),
	);

	test.each([[{}], [{ id: 1 }], [true]])('%j is no list', (value) => {
		expect(() => toDidIds(value)).toThrow(/^"DID IDs" is (?:an object|true), not one text$/);
	});

	test.each([[''], [' , '], [[]], [undefined], [null]])('%j is empty', (value) => {
		expect(toDidIds(value)).toEqual([]);
	});

	test('any mixture of separators yields each identifier once, in order', () => {
		fc.assert(
			fc.property(
				fc.array(fc.nat(), { minLength: 1 }),
				fc.constantFrom(',', ', ', ';', '\n'),
				(numbers, separator) => {
					expect(toDidIds(numbers.join(separator))).toEqual([...new Set(numbers)]);
					expect(toDidIds(numbers)).toEqual([...new Set(numbers)]);
				},
			),
		);
	});
});

test('phone numbers from text or a list, each once', () => {
	expect(toPhoneNumbers('+331, +332\n+331')).toEqual(['+331', '+332']);
	expect(toPhoneNumbers(['+331', 332])).toEqual(['+331', '332']);
	expect(toPhoneNumbers(' , ')).toEqual([]);
	expect(toPhoneNumbers('["+33 1", "+332"]')).toEqual(['+33 1', '+332']);
	// Left out, one number fewer would be ordered than the workflow asked for.
	expect(() => toPhoneNumbers(['+331', { phoneNumber: '+332' }])).toThrow(
		'"Phone Numbers" contains {"phoneNumber":"+332"}',
	);
	expect(() => toPhoneNumbers('[{"phoneNumber":"+332"}]')).toThrow(
		'"Phone Numbers" contains {"phoneNumber":"+332"}',
	);
});

test('compact keeps set values, including false and zero', () => {
	expect(compact({ a: '', b: null, c: undefined, d: false, e: 0, f: 'x' })).toEqual({
		d: false,
		e: 0,
		f: 'x',
	});
});

describe('custom fields', () => {
	test.each([['{"a": 1}'], [{ a: 1 }]])('%j', (value) =>
		expect(readCustomFields(value)).toEqual({ a: 1 }),
	);
	test.each([[''], [undefined], [null], ['{}'], [{}]])('%j counts as empty', (value) => {
		expect(readCustomFields(value)).toEqual({});
	});
	test.each([['{'], ['[1]'], ['"a"'], ['7'], ['null'], [[1]], [7]])('%j is rejected', (value) => {
		expect(() => readCustomFields(value)).toThrow('"Custom Fields" is not a JSON object');
	});

	test("that contain themselves, are nested without end, or hold what JSON can't, are rejected", () => {
		const cyclic: IDataObject = {};
		cyclic.a = { cyclic };
		const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
		for (const value of [cyclic, deep]) {
			expect(() => readCustomFields(value)).toThrow(/^"Custom Fields" has more than 100 levels/);
		}
		expect(() => readCustomFields('{"a":[1e999]}')).toThrow("can't be sent");
	});

	test.each(['__proto__', 'constructor', 'prototype'])(
		'a field named %s is rejected at any depth',
		(name) => {
			for (const text of [`{"${name}": {"x": 1}}`, `{"a": [{"b": {"${name}": 1}}]}`]) {
				expect(() => readCustomFields(text)).toThrow(`can't have a field named "${name}"`);
			}
			expect(({} as IDataObject).x).toBeUndefined();
		},
	);

	test('are merged field by field; null removes a field; lists are replaced', () => {
		const body = { a: 1, deep: { b: 2, c: 3 }, list: [1, 2] };
		const custom = { deep: { c: null, d: 4 }, list: [9], a: null, neu: { e: 5 } };
		expect(mergeCustomFields(body, custom)).toEqual({
			deep: { b: 2, d: 4 },
			list: [9],
			neu: { e: 5 },
		});
		expect(body).toEqual({ a: 1, deep: { b: 2, c: 3 }, list: [1, 2] });
	});
});

// With an expression in "Salutation", the panel shows the names of all forms.
test.each([
	['COMPANY', ['companyName']],
	['MR', ['firstName', 'lastName']],
	['DR', ['companyName', 'firstName', 'lastName']],
])('of all names, an address with the salutation %s has %j', (salutation, names) => {
	const form: IDataObject = { salutation, companyName: 'A', firstName: 'B', lastName: 'C' };
	const value = (name: string) => form[name];
	const context = { parameter: value, text: value, collection: () => ({}) };
	const address = addressFromFields(context as unknown as OperationContext);
	expect(Object.keys(address)).toEqual(['salutation', ...names]);
});

describe('checks of an address before it is sent', () => {
	const address = {
		salutation: 'COMPANY',
		companyName: 'Example Ltd',
		countryCodeA3: 'BEL',
		city: 'Liège',
		zipCode: '4000',
		streetName: 'Rue',
		buildingNumber: '1',
		didType: 'GEOGRAPHIC',
		destinationCountryCodeA3: 'BEL',
	};

	test('find nothing if it is complete', () => expect(checkAddress(address, {})).toEqual([]));

	test.each<[IDataObject, string]>([
		[{ salutation: 'MS' }, '"First Name", "Last Name" are empty'],
		[{ city: ' ' }, '"City" is empty'],
		[{ salutation: '' }, '"Salutation" is empty'],
		[{ city: '', zipCode: '' }, '"City", "Postal Code" are empty'],
	])('reject %j', (change, message) => {
		expect(() => checkAddress({ ...address, ...change }, {})).toThrow(message);
	});

	test.each<[IDataObject, RegExp]>([
		[
			{ countryCodeA3: 'ITA', destinationCountryCodeA3: 'ITA' },
			/Numbers in Italy .*"Identity Document"/,
		],
		[{ didType: 'MOBILE', destinationCountryCodeA3: 'ZAF' }, /Numbers in .*South Africa/],
		[
			{ identityDocumentProof: { nationality: 'FRA' } },
			/"Document Type" of "Identity Document" is empty/,
		],
		[
			{
				identityDocumentProof: {
					nationality: 'FRA',
					identityDocumentType: 'ID',
					identityDocumentNumber: '1',
					issuingAuthority: 'X',
					issuingDate: '04/03/2021',
				},
			},
			/"Issuing Date" is "04\/03\/2021"/,
		],
	])('only warn about %j', (change, doubt) => {
		expect(checkAddress({ ...address, ...change }, {}).join(' ')).toMatch(doubt);
	});

	test('other number types may have their address elsewhere, and France requires documents only for geographic numbers', () => {
		expect(
			checkAddress({ ...address, didType: 'NATIONAL', destinationCountryCodeA3: 'FRA' }, {}),
		).toEqual([]);
	});

	test('a field that is set as a custom field is not checked', () => {
		const italian = { ...address, countryCodeA3: 'ITA', destinationCountryCodeA3: 'ITA' };
		expect(checkAddress(italian, { identityDocumentProof: null })).toEqual([]);
		const { companyName, ...nameless } = address;
		expect(companyName).toBeDefined();
		expect(checkAddress(nameless, { companyName: null })).toEqual([]);
	});
});
