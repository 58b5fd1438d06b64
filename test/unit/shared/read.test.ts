import fc from 'fast-check';
import { ADDRESS, CART, createdId, identifierOf } from '../../../nodes/shared/answer/identifiers';
import { entriesOf, totalOf } from '../../../nodes/shared/answer/lists';
import { fieldOf } from '../../../nodes/shared/answer/read';

const addresses = { names: ['regulationAddresses', 'addresses'], thing: ADDRESS };
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
		['of XML', { regulationAddresses: { regulationAddress: two } }, two],
		['of one in XML', { regulationAddresses: { regulationAddress: two[0] } }, [two[0]]],
		['by identifier', { regulationAddresses: { 1: two[0], 2: two[1] } }, two],
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
		['as JSON in a text', { data: JSON.stringify(two) }, undefined],
		['that is not there', { something: 'else' }, undefined],
	])('%s', (_where, data, entries) => {
		expect(entriesOf(data, addresses)).toEqual(entries);
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
		[{ cart: 5 }, 5],
		[{ data: { cart: { identifier: 'a b' } } }, 'a b'],
		[[{ result: { cartIdentifier: 5 } }], 5],
		[5, 5],
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
	[{ total_count: 3 }, 3],
	[{ TotalElements: 3, size: 1 }, 3],
	[{ meta: { pagination: { total: 3 } } }, 3],
	[{ total: { value: 3 } }, 3],
	[{ resultCount: -1 }, undefined],
	[{ resultCount: 'many' }, undefined],
	[[], undefined],
	[{ resultCount: 1 }, undefined],
	[{ resultCount: 2 }, 2],
	[{ count: 2 }, undefined],
])('the total beside two entries of a page of at most three, %j, is %j', (data, total) => {
	expect(totalOf(data, 2, 3)).toBe(total);
});

test('no value makes the search throw', () => {
	fc.assert(
		fc.property(fc.anything(), (data) => {
			entriesOf(data, addresses);
			identifierOf(data, CART);
			totalOf(data, 0, 1);
		}),
	);
});

describe('the identifier of a created object', () => {
	test.each<[unknown, unknown]>([
		[{ success: true, addressNo: 4711, url: 'https://op.example/help/address' }, 4711],
		[{ success: true, addressNo: 4711, href: 'https://op.example/help2/address' }, 4711],
		[{ _links: { self: { href: '/regulation/address/7' } } }, '7'],
		[{ success: true, url: 'https://op.example/help' }, undefined],
		[{ location: '/address/main' }, 'main'],
	])('%j', (data, id) => expect(createdId(data, ADDRESS)).toBe(id));
});

test('an object with very many fields is read in any spelling of the first', () => {
	const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, at]));
	expect(fieldOf({ Result_Count: 3, ...many }, 'resultCount')).toBe(3);
});
