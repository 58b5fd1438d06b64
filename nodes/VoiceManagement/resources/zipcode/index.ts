import type { Resource } from '../../operation';
import { getAll } from './getAll';

export const zipcode: Resource = {
	value: 'zipcode',
	name: 'Postal Code',
	operations: [getAll],
	begins: getAll,
};
