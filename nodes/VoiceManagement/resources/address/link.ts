import { addressIdField, customFieldsField, didIdsField } from '../../fields/common';
import { idsAsText, withKnown } from '../../identifiers';
import { toId } from '../../input/values';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';
import { asArray, readDidIds } from './didIds';

const WRONG_ADDRESS =
	'Choose an address that was created for numbers of this type and country, or create one.';

const LINKED_WORDS = ['NUMBERS_LINKED_AND_UNBLOCKED', 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION'];

export const link: Operation = {
	value: 'link',
	name: 'Link Numbers',
	action: 'Link numbers',
	description:
		'Link numbers to a regulatory address, which activates them once the address is verified. All numbers must be of one DID group.',
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'POST /vbapi/v1/regulation/address/<addressId>/link',
	output:
		'`addressId`, `didIds`, `status`: `NUMBERS_LINKED_AND_UNBLOCKED` or `NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION`',
	fields: [addressIdField, didIdsField, customFieldsField],
	advice: {
		503: WRONG_ADDRESS,
		505: WRONG_ADDRESS,
		520: 'These numbers work without an address. Leave them out.',
	},
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
			{ deed: 'linked', words: LINKED_WORDS, sent: asArray(body.didIds) },
		);
		return withKnown({ addressId: id, didIds: idsAsText(body).didIds }, response);
	},
};
