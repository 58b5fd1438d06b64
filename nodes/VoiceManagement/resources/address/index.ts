import type { Resource } from '../../operation';
import { createAddress } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAddresses } from './getAll';
import { link } from './link';
import { requestVerification } from './requestVerification';
import { unlink } from './unlink';
import { uploadProof } from './uploadProof';
import { validate } from './validate';

export const address: Resource = {
	value: 'address',
	name: 'Address',
	operations: [
		createAddress,
		remove,
		get,
		getAddresses,
		link,
		requestVerification,
		unlink,
		uploadProof,
		validate,
	],
	begins: getAddresses,
};
