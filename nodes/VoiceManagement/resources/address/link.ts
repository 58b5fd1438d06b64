import { addressIdField, customFieldsField, didIdsField } from '../../fields/common';
import { asGiven, toId } from '../../input/values';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';
import { readDidIds } from './didIds';

export const link: Operation = {
	value: 'link',
	name: 'Link Numbers',
	action: 'Link numbers to an address',
	description:
		'Link numbers to a regulatory address, which activates them. All must be of one DID group.',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vbapi/v1/regulation/address/<regulationAddressId>/link',
	output:
		'`addressId`, `didIds`, `status`: `NUMBERS_LINKED_AND_UNBLOCKED` or `NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION`',
	fields: [addressIdField, didIdsField, customFieldsField],
	async run(call) {
		const id = toId(call.located('addressId'), 'Address');
		const { body, doubts } = readDidIds(call);
		const response = await call.write(
			{
				method: 'POST',
				path: path`/vbapi/v1/regulation/address/${id}/link`,
				json: body,
				deed: 'linked',
			},
			doubts,
		);
		return { addressId: asGiven(call.located('addressId')), didIds: body.didIds, ...response };
	},
};
