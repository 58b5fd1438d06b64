// Postal codes, carts and the purchase.

import type { AxiosInstance, AxiosResponse } from 'axios';
import { startOperator, type Operator } from '../../../simulator';
import { createCart, errorOf, restClient } from './helpers';
import { nth } from '../../support/present';

let operator: Operator;
let rest: AxiosInstance;
beforeEach(async () => {
	operator = await startOperator();
	rest = restClient(operator);
});
afterEach(() => operator.close());

describe('postal codes', () => {
	const codes = (query: object) =>
		rest.get<unknown>('/regulation/zipcode', {
			params: { countryCodeA3: 'FRA', pageNumber: 0, pageSize: 5000, ...query },
		});

	it('contain city and code, narrowed by area code', async () => {
		const { data }: { data: unknown } = await codes({ areaCode: '2' });
		expect(data).toEqual({
			cityZipCodes: [{ cityName: 'Rennes', zipCode: '35000' }],
			resultCount: 1,
		});
		expect(((await codes({})).data as { resultCount: number }).resultCount).toBeGreaterThan(40);
	});

	it('fill more than two pages for one country', async () => {
		const pages = await Promise.all(
			[0, 1, 2].map(
				async (pageNumber) =>
					(await codes({ countryCodeA3: 'DEU', pageNumber })).data as {
						cityZipCodes: { zipCode: string }[];
						resultCount: number;
					},
			),
		);
		const seen = pages.flatMap(({ cityZipCodes }) => cityZipCodes.map(({ zipCode }) => zipCode));
		expect(new Set(seen).size).toBe(nth(pages, 0).resultCount);
		expect(errorOf(await codes({ countryCodeA3: 'DEU', pageNumber: 3 }))).toBe('COMMON 13');
	});

	it('are empty if no codes are enforced', async () => {
		expect((await codes({ countryCodeA3: 'GBR' })).data).toEqual({
			cityZipCodes: [],
			resultCount: 0,
		});
	});

	it.each([
		[{ countryCodeA3: undefined }, 'COMMON 16'],
		[{ countryCodeA3: 'FR' }, 'COMMON 14'],
		[{ pageNumber: undefined }, 'COMMON 16'],
		[{ pageSize: 5001 }, 'COMMON 12'],
		[{ areaCode: 'x' }, 'COMMON 17'],
	])('refuses %j', async (query, error) => {
		expect(errorOf(await codes(query))).toBe(error);
	});
});

describe('carts', () => {
	it('are created with the given values, null for the rest', async () => {
		const { data }: { data: unknown } = await rest.put('/ordering/cart', { description: 'spring' });
		expect(data).toEqual({
			cart: {
				cartIdentifier: expect.any(Number),
				customerReference: null,
				description: 'spring',
				dateAdded: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
				orderProducts: null,
			},
		});
	});

	it.each([
		[{ customerReference: 'x'.repeat(256) }, 'ORDERING 416'],
		[{ customerReference: 1 }, 'COMMON 20'],
		[{ reference: 'x' }, 'COMMON 21'],
	])('refuses %j', async (body, error) => {
		expect(errorOf(await rest.put('/ordering/cart', body))).toBe(error);
	});

	const add = async (product: object, cart?: number | string) =>
		rest.post(`/ordering/cart/${cart ?? (await createCart(rest))}/product`, product);

	it.each([
		[{ didCartItem: { didGroupId: 6001, quantity: 2 } }],
		[{ didCartItem: { didGroupId: '6001', quantity: '2' } }],
		[{ capacityCartItem: { zone: 'A', quantity: 30 } }],
		[{ creditPackageCartItem: { creditPackageId: 1, quantity: 1 } }],
		[{ phoneNumbers: [{ phoneNumber: '+33199010500' }, { phoneNumber: '33199010501' }] }],
	])('takes %j', async (product) => {
		expect((await add(product)).data).toEqual({ status: 'SUCCESS' });
	});

	it.each([
		[{}, 'ORDERING 401'],
		[{ phoneNumbers: [] }, 'ORDERING 401'],
		[
			{
				didCartItem: { didGroupId: 6001, quantity: 1 },
				capacityCartItem: { zone: 'A', quantity: 10 },
			},
			'ORDERING 402',
		],
		[{ didCartItem: { didGroupId: 6001, quantity: 1 }, phoneNumbers: null }, 'ORDERING 402'],
		[{ didCartItem: { didGroupId: 1, quantity: 1 } }, 'ORDERING 403'],
		[{ didCartItem: { didGroupId: 'x', quantity: 1 } }, 'ORDERING 403'],
		[{ didCartItem: { didGroupId: 6006, quantity: 1 } }, 'ORDERING 404'],
		[{ phoneNumbers: [{ phoneNumber: '+33199019999999' }] }, 'ORDERING 404'],
		[{ phoneNumbers: [{ phoneNumber: '+33199010000' }] }, 'ORDERING 404'],
		...[0, -1, 1.5, 'x', '1.0', true].map((quantity): [object, string] => [
			{ didCartItem: { didGroupId: 6001, quantity } },
			'ORDERING 405',
		]),
		[{ creditPackageCartItem: { creditPackageId: 1, quantity: 0 } }, 'ORDERING 405'],
		...[0, 5, 15, -10, 'x'].map((quantity): [object, string] => [
			{ capacityCartItem: { zone: 'A', quantity } },
			'ORDERING 406',
		]),
		[{ creditPackageCartItem: { creditPackageId: 9, quantity: 1 } }, 'ORDERING 407'],
		[{ creditPackageCartItem: { creditPackageId: 'constructor', quantity: 1 } }, 'ORDERING 407'],
		[{ capacityCartItem: { zone: 'Z', quantity: 10 } }, 'COMMON 14'],
		[{ phoneNumbers: [{ phoneNumber: 'x' }] }, 'COMMON 14'],
		[{ didCartItem: { didGroupId: 6001 } }, 'COMMON 16'],
		[{ didCartItem: null }, 'COMMON 20'],
		[{ phoneNumbers: ['+33199010500'] }, 'COMMON 20'],
		[{ phoneNumbers: '+33199010500' }, 'COMMON 20'],
		[{ didCartItem: { didGroupId: 6001, quantity: 1, zone: 'A' } }, 'COMMON 21'],
		[
			{ phoneNumbers: [{ phoneNumber: '+33199010500' }, { phoneNumber: '33199010500' }] },
			'COMMON 21',
		],
		[{ product: {} }, 'COMMON 21'],
	])('refuses %j', async (product, error) => {
		expect(errorOf(await add(product))).toBe(error);
	});

	it.each(['1', 'x', '4179883x'])('do not include cart %s', async (cart) => {
		expect(errorOf(await add({ didCartItem: { didGroupId: 6001, quantity: 1 } }, cart))).toBe(
			'ORDERING 400',
		);
		expect(errorOf(await rest.get(`/ordering/cart/${cart}/checkout`))).toBe('ORDERING 400');
	});
});

describe('checkout', () => {
	const numbers = (quantity: number, didGroupId = 6001) => ({
		didCartItem: { didGroupId, quantity },
	});
	const channels = (quantity: number) => ({ capacityCartItem: { zone: 'A', quantity } });

	/** Fills a cart and checks it out. */
	async function buy(...products: object[]): Promise<AxiosResponse<unknown>> {
		const cart = await createCart(rest);
		for (const product of products) {
			expect((await rest.post(`/ordering/cart/${cart}/product`, product)).status).toBe(200);
		}
		return rest.get(`/ordering/cart/${cart}/checkout`);
	}
	const bought = (group: number) =>
		operator.control.numbers().dids.filter(({ didGroupId }) => didGroupId === group);

	it('delivers the numbers, charges the account and closes the cart', async () => {
		const before = bought(6001).length;
		const cart = await createCart(rest);
		await rest.post(`/ordering/cart/${cart}/product`, numbers(3));
		await rest.post(`/ordering/cart/${cart}/product`, channels(20));
		const { data }: { data: unknown } = await rest.get(`/ordering/cart/${cart}/checkout`);
		expect(data).toEqual({
			status: 'SUCCESS',
			productCheckoutList: [
				{ productType: 'DID', status: 'SUCCESS', orderReference: 'ORD-000001', message: null },
				{ productType: 'CAPACITY', status: 'SUCCESS', orderReference: 'ORD-000002', message: null },
			],
		});
		expect(bought(6001)).toHaveLength(before + 3);
		expect(new Set(bought(6001).map(({ e164 }) => e164)).size).toBe(before + 3);
		expect(bought(6001).at(-1)).toMatchObject({ addressId: null, blocked: true });
		expect(operator.control.numbers()).toMatchObject({
			balance: 1000 - 3 - 40,
			orders: [
				{ cartIdentifier: cart, cost: 3 },
				{ cartIdentifier: cart, cost: 40 },
			],
		});
		// A second checkout buys nothing.
		expect(errorOf(await rest.get(`/ordering/cart/${cart}/checkout`))).toBe('ORDERING 400');
		expect(errorOf(await rest.post(`/ordering/cart/${cart}/product`, numbers(1)))).toBe(
			'ORDERING 400',
		);
		expect(operator.control.numbers().orders).toHaveLength(2);
	});

	it('rejects an empty cart', async () => {
		expect(errorOf(await buy())).toBe('ORDERING 401');
	});

	it('delivers particular numbers, once', async () => {
		const phoneNumbers = [{ phoneNumber: '+33199010011' }];
		expect((await buy({ phoneNumbers })).data).toMatchObject({ status: 'SUCCESS' });
		expect(bought(6001).at(-1)).toMatchObject({ e164: '33199010011' });
		const cart = await createCart(rest);
		expect(errorOf(await rest.post(`/ordering/cart/${cart}/product`, { phoneNumbers }))).toBe(
			'ORDERING 404',
		);
		await buy(numbers(5));
		expect(bought(6001).filter(({ e164 }) => e164 === '33199010011')).toHaveLength(1);
	});

	it('fails with ERROR in a status 200 if the balance is too low; the cart stays open', async () => {
		operator.control.setBalance(1);
		const cart = await createCart(rest);
		await rest.post(`/ordering/cart/${cart}/product`, numbers(2));
		const response = await rest.get(`/ordering/cart/${cart}/checkout`);
		expect(response.status).toBe(200);
		expect(response.data).toEqual({
			status: 'ERROR',
			productCheckoutList: [
				{
					productType: 'DID',
					status: 'ERROR',
					orderReference: null,
					message: 'The balance of the account is not sufficient',
				},
			],
		});
		operator.control.setBalance(2);
		expect((await rest.get(`/ordering/cart/${cart}/checkout`)).data).toMatchObject({
			status: 'SUCCESS',
		});
		expect(operator.control.numbers().balance).toBe(0);
	});

	it('buys a part with PARTIAL if the balance is too low for the rest', async () => {
		operator.control.setBalance(10);
		const { data }: { data: unknown } = await buy(numbers(2), channels(10));
		expect(data).toMatchObject({
			status: 'PARTIAL',
			productCheckoutList: [{ status: 'SUCCESS' }, { status: 'ERROR' }],
		});
		expect(operator.control.numbers().balance).toBe(8);
	});

	it('warns if the stock is short, and fails if it is empty', async () => {
		operator.control.setStock(6005, 2);
		const { data }: { data: unknown } = await buy(numbers(5, 6005));
		expect(data).toMatchObject({
			status: 'WARNING',
			productCheckoutList: [{ status: 'WARNING', message: 'Only 2 of 5 were in stock' }],
		});
		expect(bought(6005)).toHaveLength(2);
		expect((await buy(numbers(1, 6005))).data).toMatchObject({
			status: 'ERROR',
			productCheckoutList: [{ message: 'No number left in stock' }],
		});
	});

	it.each(['SUCCESS', 'WARNING', 'ERROR', 'PARTIAL'] as const)(
		'returns %s if that is set',
		async (checkoutStatus) => {
			operator.control.behave({ checkoutStatus, checkoutMessage: 'Told so' });
			const { data }: { data: unknown } = await buy(numbers(1), channels(10));
			const { productCheckoutList } = data as { productCheckoutList: { message: string | null }[] };
			expect(data).toMatchObject({ status: checkoutStatus });
			expect(productCheckoutList.some(({ message }) => message === 'Told so')).toBe(
				checkoutStatus !== 'SUCCESS',
			);
			const orders = { SUCCESS: 2, WARNING: 2, ERROR: 0, PARTIAL: 1 }[checkoutStatus];
			expect(operator.control.numbers().orders).toHaveLength(orders);
		},
	);

	it('can leave the list of products out', async () => {
		operator.control.behave({ omitProductCheckoutList: true });
		expect((await buy(numbers(1))).data).toEqual({ status: 'SUCCESS' });
	});
});
