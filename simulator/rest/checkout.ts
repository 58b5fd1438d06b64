// Checkout: a GET that buys. Pays each product from the balance and delivers it; a shortage is reported product by
// product.

import { ordering } from './errors';
import { openCart } from './carts';
import { creditPackages, zones } from './catalogue';
import type { RestOperation } from './operation';
import { readQuery } from './paging';
import type { Cart, CheckoutStatus, NumberState, Product, ProductType } from './state';

interface ProductResult {
	productType: ProductType;
	status: 'SUCCESS' | 'WARNING' | 'ERROR';
	orderReference: string | null;
	message: string | null;
}

const checkout: RestOperation = {
	method: 'GET',
	path: '/ordering/cart/:id/checkout',
	run({ state, id, query }) {
		readQuery(query, []);
		const cart = openCart(state, id);
		if (cart.products.length === 0) throw ordering(401, 'There is no product in the cart');
		const forced = state.behaviour.checkoutStatus;
		const results = cart.products.map((product, index) =>
			forced ? force(state, cart, product, index, forced) : buy(state, cart, product),
		);
		const status = forced ?? summary(results);
		// A cart stays open if nothing in it was bought; otherwise it can't be bought a second time.
		cart.checkedOut = status !== 'ERROR';
		return state.behaviour.omitProductCheckoutList
			? { status }
			: { status, productCheckoutList: results };
	},
};

export const checkoutOperations: readonly RestOperation[] = [checkout];

function summary(results: ProductResult[]): CheckoutStatus {
	const failed = results.filter((result) => result.status === 'ERROR').length;
	if (failed === results.length) return 'ERROR';
	if (failed > 0) return 'PARTIAL';
	return results.some((result) => result.status === 'WARNING') ? 'WARNING' : 'SUCCESS';
}

/** The result that was set through the control API. PARTIAL: every second product fails. */
function force(
	state: NumberState,
	cart: Cart,
	product: Product,
	index: number,
	outcome: CheckoutStatus,
): ProductResult {
	const status = outcome === 'PARTIAL' ? (index % 2 === 0 ? 'SUCCESS' : 'ERROR') : outcome;
	const text = state.behaviour.checkoutMessage ?? `Simulated ${status.toLowerCase()}`;
	if (status === 'ERROR') return failure(product, text);
	return { ...buy(state, cart, product), status, message: status === 'SUCCESS' ? null : text };
}

const failure = (product: Product, message: string): ProductResult => ({
	productType: product.productType,
	status: 'ERROR',
	orderReference: null,
	message,
});

function buy(state: NumberState, cart: Cart, product: Product): ProductResult {
	const delivery = plan(state, product);
	if (delivery.quantity === 0) return failure(product, 'No number left in stock');
	if (delivery.cost > state.balance) {
		return failure(product, 'The balance of the account is not sufficient');
	}
	state.balance -= delivery.cost;
	delivery.deliver();
	const orderReference = state.newOrderReference();
	const { cartIdentifier } = cart;
	state.orders.push({ cartIdentifier, orderReference, product, cost: delivery.cost });
	const short = delivery.quantity < product.quantity;
	return {
		productType: product.productType,
		status: short ? 'WARNING' : 'SUCCESS',
		orderReference,
		message: short ? `Only ${delivery.quantity} of ${product.quantity} were in stock` : null,
	};
}

/** How much of a product can be delivered, and at what price. */
function plan(state: NumberState, product: Product) {
	if (product.productType === 'CAPACITY') {
		const cost = (zones[product.what as string]! * product.quantity) / 10;
		return { quantity: product.quantity, cost, deliver: () => undefined };
	}
	if (product.productType === 'CREDIT_PACKAGE') {
		const cost = creditPackages[product.what as number]! * product.quantity;
		return { quantity: product.quantity, cost, deliver: () => undefined };
	}
	if (product.what === null) {
		const numbers = product.phoneNumbers.flatMap((e164) => {
			const group = state.seller(e164);
			return group ? [{ e164, group }] : [];
		});
		return {
			quantity: numbers.length,
			cost: numbers.reduce((sum, { group }) => sum + group.price, 0),
			deliver: () => numbers.forEach(({ e164, group }) => state.add(group, e164)),
		};
	}
	const group = state.group(product.what as number)!;
	const quantity = Math.min(product.quantity, [...state.inStock(group)].length);
	return { quantity, cost: quantity * group.price, deliver: () => state.deliver(group, quantity) };
}
