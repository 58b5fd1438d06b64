import type { Resource } from '../../operation';
import { addProduct } from './addProduct';
import { checkout } from './checkout';
import { createCart } from './create';

export const cart: Resource = {
	value: 'cart',
	name: 'Cart',
	operations: [addProduct, checkout, createCart],
	begins: createCart,
};
