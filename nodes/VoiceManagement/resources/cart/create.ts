import type { IDataObject } from 'n8n-workflow';
import { customFieldsField } from '../../fields/common';
import { isRecord } from '../../../shared/ids';
import { CART } from '../../../shared/answer/identifiers';
import { inDocumentNames } from '../../documentNames';
import { withCustomFields } from '../../input/customFields';
import { withKnown } from '../../identifiers';
import { compact, toText } from '../../input/values';
import type { Operation } from '../../operation';

export const createCart: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create cart',
	description: 'Create an empty cart for a new order. This buys nothing.',
	credential: 'voiceManagementApi',
	changes: true,
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
					description: 'Your own reference for the order',
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
	async run(context) {
		const { customerReference, description } = context.collection('additionalFields');
		const texts = {
			customerReference: toText(customerReference),
			description: toText(description),
		};
		const { response, known } = await context.create(
			CART,
			{
				method: 'PUT',
				path: '/vbapi/v1/ordering/cart',
				json: withCustomFields(context, compact(texts)).body,
			},
			[],
			{ deed: 'created', repeated: ['description'] },
		);
		const cart = isRecord(response.cart) ? inDocumentNames(response.cart as IDataObject) : response;
		return withKnown(known, cart);
	},
};
