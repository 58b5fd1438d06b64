import { addressIdField } from '../../fields/common';
import { toId } from '../../input/values';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';

export const requestVerification: Operation = {
	value: 'requestVerification',
	name: 'Request Verification',
	action: 'Request the verification of an address',
	description:
		"Ask the operator to review an address after a proof was uploaded or something changed. People do it: read the address's status later.",
	credential: 'voiceManagementApi',
	endpoint: 'PUT /vbapi/v1/regulation/address/<regulationAddressId>/verification',
	output:
		'`status`: `SUCCESS`, which means that the request was taken, not that the address is verified',
	fields: [addressIdField],
	async run(call) {
		const id = toId(call.located('addressId'), 'Address');
		return await call.write({
			method: 'PUT',
			path: path`/vbapi/v1/regulation/address/${id}/verification`,
		});
	},
};
