import type { Resource } from '../../operation';
import { getPostalCodes } from './getAll';

export const zipcode: Resource = {
	value: 'zipcode',
	name: 'Postal Code',
	operations: [getPostalCodes],
	begins: getPostalCodes,
};
