import type { Resource } from '../../operation';
import { addProduct } from './addProduct';
import { checkout } from './checkout';
import { create } from './create';

export const cart: Resource = {
	value: 'cart',
	name: 'Cart',
	operations: [addProduct, checkout, create],
	begins: create,
};
