import { ADDRESS, CART, createdId, identifierOf } from '../../../nodes/shared/answer/identifiers';
import { entriesOf, totalOf } from '../../../nodes/shared/answer/lists';
import { fieldOf } from '../../../nodes/shared/answer/read';

const addresses = { names: ['regulationAddresses', 'addresses'], thing: ADDRESS };
const line = { at: 1, text: 'x' };
const two = [
	{ addressId: 1, city: 'Oslo' },
	{ addressId: 2, city: 'Rome' },
];

describe('a list', () => {
	test.each<[string, unknown, unknown]>([
		['under its name', { regulationAddresses: two, resultCount: 2 }, two],
		['in another case', { RegulationAddresses: two }, two],
		['in snake case', { regulation_addresses: two }, two],
		['under another name', { addresses: two }, two],
		['renamed', { liste_adresses: two, took: 3 }, two],
		['bare', two, two],
		['wrapped', { status: 'OK', data: { regulationAddresses: two } }, two],
		['as the wrapper', { status: 'OK', data: two }, two],
		['nested', { _embedded: { adr: two } }, two],
		['one level deeper', { regulationAddresses: { regulationAddress: two } }, two],
		['of one, one level deeper', { regulationAddresses: { regulationAddress: two[0] } }, [two[0]]],
		['of wrapped entries', { regulationAddresses: two.map((address) => ({ address })) }, two],
		['of one entry', { regulationAddresses: [two[0]] }, [two[0]]],
		['that is empty', { regulationAddresses: [], errors: [] }, []],
		['that is null', { regulationAddresses: null }, []],
		['that is an empty array', [], []],
		['beside other lists', { warnings: [{ message: 'x' }], found: two }, two],
		['of a bare entry', two[0], [two[0]]],
		[
			'of a bare entry with reasons',
			{ addressId: 1, rejectionReasons: [{ code: 1 }] },
			[{ addressId: 1, rejectionReasons: [{ code: 1 }] }],
		],
		[
			'of a bare entry with a list',
			{ addressId: 1, lines: [line, line] },
			[{ addressId: 1, lines: [line, line] }],
		],
		['beside errors with several fields', { errors: [line], found: two }, two],
		['beside an empty one', { groups: [], found: two }, two],
		['beside another, but named like a list', { categories: [line], items: two }, two],
		[
			'in the fields of its name',
			{ regulationAddresses: { list: { all: { entries: two } } } },
			two,
		],
		['beside others under its name', { regulationAddresses: { lines: [line], items: two } }, two],
		[
			'of one entry with parts',
			{ regulationAddresses: { addressId: 1, a: line, b: line } },
			[{ addressId: 1, a: line, b: line }],
		],
		[
			'of an entry with an owner',
			{ regulationAddresses: [{ addressId: 1, owner: line }] },
			[{ addressId: 1, owner: line }],
		],
		['with a text between', { regulationAddresses: ['x', ...two] }, two],
		['that is an empty text', { regulationAddresses: '' }, []],
		['that is null, under another name', { status: 'OK', items: null }, []],
		['that has null only', { regulationAddresses: [null, null] }, []],
		['that is counted as empty', { resultCount: 0 }, []],
		['that is counted only', { resultCount: 3 }, undefined],
		['of words', { regulationAddresses: ['x', 'y'] }, undefined],
		['as JSON in a text', { data: JSON.stringify(two) }, undefined],
		['that is not there', { something: 'else' }, undefined],
	])('%s', (_where, data, entries) => {
		expect(entriesOf(data, addresses)).toEqual(entries);
	});

	// The list would otherwise be taken for an empty one.
	test.each<[string, unknown]>([
		['by identifier', { regulationAddresses: { 1: two[0], 2: two[1] } }],
		['by identifier and bare', { 1: two[0], 2: two[1] }],
		['in a list of one', { regulationAddresses: [two] }],
		['of entries without an identifier', { groups: [], found: [{ city: 'Oslo' }] }],
		['of an entry with another identifier', { reference: 'A-1', city: 'Oslo' }],
		['of another name that is empty', { found: [] }],
	])('%s can not be read, and the caller shows what there is', (_what, data) => {
		expect(entriesOf(data, addresses)).toBeUndefined();
	});

	test('of objects rather than of the texts beside them', () => {
		const shape = { names: ['cityZipCodes'], scalar: 'zipCode' };
		const codes = ['1000', '1020'].map((zipCode) => ({ zipCode, cityName: 'Brussels' }));
		for (const data of [
			{ items: ['zip', 'city'], found: codes },
			{ found: codes, items: ['zip', 'city'] },
			{ cityZipCodes: { count: '2', cityZipCode: codes } },
		])
			expect([data, entriesOf(data, shape)]).toEqual([data, codes]);
	});

	test('of bare texts', () => {
		expect(
			entriesOf({ cityZipCodes: ['1000', 2000] }, { names: ['cityZipCodes'], scalar: 'zipCode' }),
		).toEqual([{ zipCode: '1000' }, { zipCode: 2000 }]);
	});
});

describe('an identifier', () => {
	test.each<[unknown, unknown]>([
		[{ cart: { cartIdentifier: 4179883 } }, 4179883],
		[{ cartIdentifier: '007' }, '007'],
		[{ cart_id: 5 }, 5],
		[{ CartId: 5 }, 5],
		[{ cart: { id: 5 }, id: 77 }, 5],
		[{ id: 5 }, 5],
		[[{ result: { cartIdentifier: 5 } }], 5],
		[{ cartId: 5, id: 9 }, 5],
		[{ id: 9, cartId: 5 }, 5],
		[{ id: 5, reference: 'R' }, 5],
		[{ cartId: 5, cartNumber: 6 }, 5],
		[{ cartId: null, id: 5 }, 5],
		[{ cartId: ' ', id: 5 }, 5],
		[{ cartId: Infinity, id: 5 }, 5],
		[{ 'ns:cart-ID': 5 }, 5],
		[{ customer: { id: 1 }, id: 5 }, 5],
		[{ order: { id: 5 }, status: 'OK' }, 5],
		[{ links: { id: 5 } }, 5],
		[{ cart: {} }, undefined],
		['OK', undefined],
	])('in %j is %j', (data, id) => {
		expect(identifierOf(data, CART)).toBe(id);
	});

	test.each<[unknown, unknown]>([
		[{ addressId: 1 }, 1],
		[{ regulationAddressId: '12' }, '12'],
		[{ regulation_address_id: 12 }, 12],
		[{ address: { id: 12 } }, 12],
	])('of an address in %j is %j', (data, id) => {
		expect(identifierOf(data, ADDRESS)).toBe(id);
	});
});

test.each<[unknown, unknown]>([
	[{ resultCount: 3 }, 3],
	[{ resultCount: '3' }, 3],
	[{ total_count: 3 }, undefined],
	[{ data: { resultCount: 3 } }, 3],
	[{ resultCount: 12 }, 12],
	[{ resultCount: ' 3 ' }, 3],
	[{ resultCount: '3 of 9' }, undefined],
	[{ resultCount: 'page 3' }, undefined],
	[{ resultCount: -1 }, undefined],
	[{ resultCount: 'many' }, undefined],
	[[], undefined],
	[{ resultCount: 1 }, undefined],
	[{ resultCount: 2 }, 2],
	[{ count: 2 }, undefined],
])('the total beside two entries of a page of at most three, %j, is %j', (data, total) => {
	expect(totalOf(data, 2, 3)).toBe(total);
});

test('the number of a full page may be that of the page alone', () => {
	expect(totalOf({ resultCount: 3 }, 3, 3)).toBeUndefined();
	expect(totalOf({ resultCount: 4 }, 3, 3)).toBe(4);
	expect(totalOf({}, 0, 3)).toBeUndefined();
});

describe('the identifier of a created object', () => {
	test.each<[unknown, unknown]>([
		[{ success: true, url: 'https://op.example/help' }, undefined],
		[{ location: '/address/main' }, 'main'],
		[{ location: '/address/7/?from=/9#top' }, '7'],
		[{ location: '/address/a%20b' }, 'a b'],
		[{ location: '/address/%E0%A4%A' }, '%E0%A4%A'],
		[{ location: '/regulation/addresses/7' }, '7'],
		[{ location: 'main' }, undefined],
		[{ location: '/login' }, undefined],
		[{ location: '/requests/81' }, undefined],
		[{ location: 'https://example.com/address' }, undefined],
		[{ data: 1 }, undefined],
		[{ data: 200 }, undefined],
		[{ data: '202' }, undefined],
		[{ data: 'A 7' }, undefined],
		[{ data: 'created' }, undefined],
		// Under another name it is not guessed, and the user is told to look for it.
		[{ success: true, addressNo: 4711, url: 'https://example.com/address/2' }, undefined],
		[{ _links: { self: { href: '/regulation/address/7' } } }, undefined],
		[{ self: '/address/7' }, undefined],
		[{ result: 4711 }, undefined],
		[{ response: 'A-7' }, undefined],
		[{ status: 'OK', data: 4711 }, undefined],
		[{ status: 'OK', balance: 4711 }, undefined],
		[{ message: '4711' }, undefined],
	])('%j', (data, id) => expect(createdId(data, ADDRESS)).toBe(id));
});

test('an object with very many fields is read in any spelling of the first', () => {
	const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, at]));
	expect(fieldOf({ Result_Count: 3, ...many }, 'resultCount')).toBe(3);
	expect(fieldOf({ Result_Count: 3, resultCount: 4 }, 'resultCount')).toBe(4);
});
