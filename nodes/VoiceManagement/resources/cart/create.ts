import { customFieldsField } from '../../fields/common';
import { mergeCustomFields, readCustomFields } from '../../input/customFields';
import { compact } from '../../input/values';
import type { Operation } from '../../operation';
import { isObject } from '../../../shared/shapes';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a cart',
	description: 'Open an empty cart for a new order. Nothing is bought by it.',
	credential: 'voiceManagementApi',
	endpoint: 'PUT /vbapi/v1/ordering/cart',
	output:
		"The cart's fields: `cartIdentifier`, `customerReference`, `description`, `dateAdded`, `orderProducts`",
	fields: [
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Customer Reference',
					name: 'customerReference',
					type: 'string',
					default: '',
					description: 'Your own reference of the order, 255 characters at most',
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					description: 'What the order is for',
				},
			],
		},
		customFieldsField,
	],
	async run(call) {
		const custom = readCustomFields(call.collection('options').customFields);
		const answer = await call.write({
			method: 'PUT',
			path: '/vbapi/v1/ordering/cart',
			json: mergeCustomFields(compact(call.collection('additionalFields')), custom),
		});
		return isObject(answer.cart) ? answer.cart : answer;
	},
};
