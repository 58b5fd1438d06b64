import { addressIdField, customFieldsField, didIdsField } from '../../fields/common';
import { asGiven, toId } from '../../input/values';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';
import { readDidIds } from './didIds';

export const link: Operation = {
	value: 'link',
	name: 'Link Numbers',
	action: 'Link numbers to address',
	description:
		'Link numbers to a regulatory address, which activates them. All numbers must be of one DID group.',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vbapi/v1/regulation/address/<regulationAddressId>/link',
	output:
		'`addressId`, `didIds`, `status`: `NUMBERS_LINKED_AND_UNBLOCKED` or `NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION`',
	fields: [addressIdField, didIdsField, customFieldsField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const { body, hints } = readDidIds(context);
		const response = await context.write(
			{
				method: 'POST',
				path: path`/vbapi/v1/regulation/address/${id}/link`,
				json: body,
				successFlag: 'linked',
			},
			hints,
		);
		return {
			addressId: asGiven(context.locatorValue('addressId')),
			didIds: body.didIds,
			...response,
		};
	},
};
