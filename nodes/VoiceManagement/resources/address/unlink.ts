import { customFieldsField, didIdsField } from '../../fields/common';
import { mergeCustomFields, readCustomFields } from '../../input/customFields';
import { toDidIds } from '../../input/values';
import type { Operation } from '../../operation';

export const unlink: Operation = {
	value: 'unlink',
	name: 'Unlink Numbers',
	action: 'Unlink numbers from their address',
	description:
		'Remove the address from numbers. This blocks the numbers: they take no calls until linked again.',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vbapi/v1/regulation/address/unlink',
	output: '`status`: `NUMBERS_UNLINKED_AND_BLOCKED`',
	fields: [
		{
			displayName:
				'Unlinking blocks the numbers: they take no calls until they are linked to an address again.',
			name: 'unlinkNotice',
			type: 'notice',
			default: '',
		},
		didIdsField,
		customFieldsField,
	],
	async run(call) {
		const didIds = toDidIds(call.parameter('didIds'));
		const custom = readCustomFields(call.collection('options').customFields);
		return await call.write({
			method: 'POST',
			path: '/vbapi/v1/regulation/address/unlink',
			json: mergeCustomFields({ didIds }, custom),
		});
	},
};
