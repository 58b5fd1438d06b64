import { customFieldsField, didIdsField } from '../../fields/common';
import { idsAsText, withKnown } from '../../identifiers';
import type { Operation } from '../../operation';
import { asArray, readDidIds } from './didIds';

const UNLINKED_WORDS = ['NUMBERS_UNLINKED_AND_BLOCKED'];

export const unlink: Operation = {
	value: 'unlink',
	name: 'Unlink Numbers',
	action: 'Unlink numbers',
	description:
		'Remove the address from numbers. This blocks them: they receive no calls until they are linked again.',
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'POST /vbapi/v1/regulation/address/unlink',
	output: '`didIds`, `status`: `NUMBERS_UNLINKED_AND_BLOCKED`',
	fields: [
		{
			displayName:
				'Unlinking blocks the numbers: they receive no calls until they are linked to an address again.',
			name: 'unlinkNotice',
			type: 'notice',
			default: '',
		},
		didIdsField,
		customFieldsField,
	],
	async run(context) {
		const { body, hints } = readDidIds(context);
		const response = await context.write(
			{
				method: 'POST',
				path: '/vbapi/v1/regulation/address/unlink',
				json: body,
				successFlag: 'unlinked',
			},
			hints,
			{ deed: 'unlinked', words: UNLINKED_WORDS, sent: asArray(body.didIds) },
		);
		return withKnown({ didIds: idsAsText(body).didIds }, response);
	},
};
