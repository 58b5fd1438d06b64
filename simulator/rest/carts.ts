// Ordering: creates a cart, adds a product. The purchase itself is in checkout.ts.

import { common, ordering } from './errors';
import { onlyKeys, positiveInteger, readJson, type JsonObject } from './body';
import { isObject } from '../forms/form';
import { writeNumber } from './addresses';
import { creditPackages, zones } from './catalogue';
import type { RestOperation } from './operation';
import { readInteger, readQuery } from './paging';
import { writeDate, type Cart, type NumberState, type Product } from './state';

/** An open cart of this customer; ordering error 400. */
export function openCart(state: NumberState, id: string): Cart {
	const cart = state.carts.get(readInteger(id) ?? -1);
	if (!cart) throw ordering(400, 'The cart identifier is invalid');
	if (cart.checkedOut)
		throw ordering(400, 'The cart identifier is invalid: the cart was checked out');
	return cart;
}

const create: RestOperation = {
	method: 'PUT',
	path: '/ordering/cart',
	run({ state, query, body }) {
		readQuery(query, []);
		const request = readJson(body);
		onlyKeys(request, ['customerReference', 'description']);
		const customerReference = optionalText(request, 'customerReference');
		if (customerReference !== null && customerReference.length > 255) {
			throw ordering(416, 'The customer reference is longer than 255 characters');
		}
		const cart: Cart = {
			cartIdentifier: state.newCartIdentifier(),
			customerReference,
			description: optionalText(request, 'description'),
			dateAdded: writeDate(new Date()),
			products: [],
			checkedOut: false,
		};
		state.carts.set(cart.cartIdentifier, cart);
		const { cartIdentifier, description, dateAdded } = cart;
		return {
			cart: {
				cartIdentifier: writeNumber(state, cartIdentifier),
				customerReference,
				description,
				dateAdded,
				orderProducts: null,
			},
		};
	},
};

function optionalText(request: JsonObject, name: string): string | null {
	const value = request[name];
	if (value === undefined || value === null) return null;
	if (typeof value !== 'string') throw common(20, `Element "${name}" must be text`);
	return value;
}

const kinds = ['didCartItem', 'capacityCartItem', 'creditPackageCartItem', 'phoneNumbers'] as const;

const addProduct: RestOperation = {
	method: 'POST',
	path: '/ordering/cart/:id/product',
	run({ state, id, query, body }) {
		readQuery(query, []);
		const cart = openCart(state, id);
		const request = readJson(body);
		onlyKeys(request, kinds);
		const [kind, ...more] = kinds.filter((name) => Object.hasOwn(request, name));
		if (kind === undefined) throw ordering(401, 'There is no product in the request');
		if (more.length > 0) throw ordering(402, 'There is more than one product in the request');
		cart.products.push(readers[kind](state, request[kind]));
		return { status: 'SUCCESS' };
	},
};

const notPositive = () => ordering(405, 'The quantity must be a positive whole number');

function item(value: unknown, name: string, keys: readonly string[]): JsonObject {
	if (!isObject(value)) throw common(20, `Element "${name}" must be an object`);
	onlyKeys(value, keys, `${name}.`);
	for (const key of keys) {
		if (value[key] === undefined || value[key] === null || value[key] === '') {
			throw common(16, `Required element "${name}.${key}" is missing`);
		}
	}
	return value;
}

const readers: Record<(typeof kinds)[number], (state: NumberState, value: unknown) => Product> = {
	didCartItem(state, value) {
		const { didGroupId, quantity } = item(value, 'didCartItem', ['didGroupId', 'quantity']);
		const unknown = ordering(403, `DID group ${JSON.stringify(didGroupId)} is unknown`);
		const group = state.group(positiveInteger(didGroupId, unknown));
		if (!group) throw unknown;
		if (!group.orderable) throw ordering(404, `DID group ${group.didGroupId} is not orderable`);
		return {
			productType: 'DID',
			what: group.didGroupId,
			quantity: positiveInteger(quantity, notPositive()),
			phoneNumbers: [],
		};
	},
	capacityCartItem(_state, value) {
		const { zone, quantity } = item(value, 'capacityCartItem', ['zone', 'quantity']);
		if (typeof zone !== 'string' || !Object.hasOwn(zones, zone)) {
			throw common(14, `${JSON.stringify(zone)} is not a zone (${Object.keys(zones).join(', ')})`);
		}
		const message = 'The capacity quantity must be a positive multiple of 10';
		const count = positiveInteger(quantity, ordering(406, message));
		if (count % 10 !== 0) throw ordering(406, message);
		return { productType: 'CAPACITY', what: zone, quantity: count, phoneNumbers: [] };
	},
	creditPackageCartItem(_state, value) {
		const { creditPackageId, quantity } = item(value, 'creditPackageCartItem', [
			'creditPackageId',
			'quantity',
		]);
		const unknown = ordering(407, `Credit package ${JSON.stringify(creditPackageId)} is unknown`);
		const id = positiveInteger(creditPackageId, unknown);
		if (!Object.hasOwn(creditPackages, id)) throw unknown;
		return {
			productType: 'CREDIT_PACKAGE',
			what: id,
			quantity: positiveInteger(quantity, notPositive()),
			phoneNumbers: [],
		};
	},
	phoneNumbers(state, value) {
		if (!Array.isArray(value)) throw common(20, 'Element "phoneNumbers" must be a list');
		if (value.length === 0) throw ordering(401, 'There is no product in the request');
		const phoneNumbers = value.map((entry) => {
			const { phoneNumber } = item(entry, 'phoneNumbers', ['phoneNumber']);
			if (typeof phoneNumber !== 'string' || !/^\+?\d{6,15}$/.test(phoneNumber)) {
				throw common(14, `${JSON.stringify(phoneNumber)} is not a phone number`);
			}
			const e164 = phoneNumber.replace('+', '');
			if (!state.seller(e164)) throw ordering(404, `Number ${phoneNumber} is not orderable`);
			return e164;
		});
		if (new Set(phoneNumbers).size < phoneNumbers.length) {
			throw common(21, 'Duplicate element in "phoneNumbers"');
		}
		return { productType: 'DID', what: null, quantity: phoneNumbers.length, phoneNumbers };
	},
};

export const cartOperations: readonly RestOperation[] = [create, addProduct];
