import { addressIdField } from '../../fields/common';
import { withKnown } from '../../identifiers';
import { toId } from '../../input/values';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';

export const requestVerification: Operation = {
	value: 'requestVerification',
	name: 'Request Verification',
	action: 'Request verification',
	description:
		"Ask the provider to review an address, for example after uploading a proof. The review is done by people, so check the address's status later.",
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'PUT /vbapi/v1/regulation/address/<addressId>/verification',
	output:
		'`addressId`, `status`: `SUCCESS`, which means that the request was accepted, not that the address is verified',
	fields: [addressIdField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const response = await context.write(
			{ method: 'PUT', path: path`/vbapi/v1/regulation/address/${id}/verification` },
			[],
			{ deed: 'requested', words: ['VERIFICATION_REQUESTED', 'VERIFICATION_NOT_REQUIRED'] },
		);
		return withKnown({ addressId: id }, response);
	},
};
