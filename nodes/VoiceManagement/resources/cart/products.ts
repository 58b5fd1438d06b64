// The contents of a cart, as far as this package knows them: the provider's interface can't read a cart, so "Add
// Product" outputs with each item what was added.

import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../../shared/ids';
import { asList } from '../../../shared/answer/read';
import { toText } from '../../input/values';
import type { OperationContext } from '../../operation';

/** What identifies the product of each type, and its label. */
export const PRODUCTS: Record<string, { id: string; label: string }> = {
	didCartItem: { id: 'didGroupId', label: 'DID Group ID' },
	capacityCartItem: { id: 'zone', label: 'Zone' },
	creditPackageCartItem: { id: 'creditPackageId', label: 'Credit Package ID' },
};

/** The panel's labels of the product identifiers. */
const LABEL_OF_ID = new Map(Object.values(PRODUCTS).map(({ id, label }) => [id, label]));

/**
 * The products that this workflow added to a cart, in this execution or, if a person runs a single step, in the one whose
 * items are the input: of these, the last one of a cart has them all.
 */
export function productsOf({ orders, inputs }: OperationContext, cart: string): IDataObject[] {
	if (Object.hasOwn(orders.products, cart)) return orders.products[cart] ?? [];
	const lists = inputs
		.filter(({ cartIdentifier }) => toText(cartIdentifier) === cart)
		.map(({ addedProducts }) => asList(addedProducts));
	return lists.reduce((most, list) => (list.length >= most.length ? list : most), []);
}

/** A product in the panel's words: `2 × DID Group ID 6001`, `phone numbers +33123456789, +33123456790`. */
export function describeProduct(product: IDataObject): string {
	const { phoneNumbers } = product;
	if (Array.isArray(phoneNumbers)) {
		return `phone numbers ${asList(phoneNumbers)
			.map(({ phoneNumber }) => toText(phoneNumber))
			.join(', ')}`;
	}
	return Object.entries(product)
		.map(([type, fields]) => {
			if (!isRecord(fields)) return `${type} ${toText(fields)}`;
			const { quantity, ...others } = fields;
			const what = Object.entries(others).map(
				([name, value]) => `${LABEL_OF_ID.get(name) ?? name} ${toText(value)}`,
			);
			return [quantity === undefined ? '' : `${toText(quantity)} ×`, ...what].join(' ').trim();
		})
		.join(', ');
}
