import type { Resource } from '../../operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { link } from './link';
import { requestVerification } from './requestVerification';
import { unlink } from './unlink';
import { uploadProof } from './uploadProof';
import { validate } from './validate';

export const address: Resource = {
	value: 'address',
	name: 'Address',
	operations: [
		create,
		remove,
		get,
		getAll,
		link,
		requestVerification,
		unlink,
		uploadProof,
		validate,
	],
	begins: getAll,
};
