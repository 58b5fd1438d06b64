import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { cartIdentifierField, customFieldsField } from '../../fields/common';
import { mergeCustomFields, readCustomFields } from '../../input/customFields';
import { InputError } from '../../../shared/inputError';
import { toId, toJsonId, toPhoneNumbers, toQuantity } from '../../input/values';
import type { Call, Operation } from '../../operation';
import { path } from '../../transport/path';

/** Channels are sold in tens ("add product" of the third-party shapes). */
const CHANNELS_STEP = 10;

export const addProduct: Operation = {
	value: 'addProduct',
	name: 'Add Product',
	action: 'Add a product to a cart',
	description:
		'Put numbers, channels or a credit package into a cart. Nothing is bought before the checkout.',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vbapi/v1/ordering/cart/<cartIdentifier>/product',
	output: '`status`: `SUCCESS`',
	fields: [
		cartIdentifierField,
		{
			displayName: 'Product Type',
			name: 'productType',
			type: 'options',
			default: 'didCartItem',
			required: true,
			options: [
				{
					name: 'Channels (Capacity)',
					value: 'capacityCartItem',
					description: 'Simultaneous calls for a zone, in tens',
				},
				{
					name: 'Credit Package',
					value: 'creditPackageCartItem',
					description: 'Prepaid credit',
				},
				{
					name: 'Numbers of a DID Group',
					value: 'didCartItem',
					description: 'A quantity of numbers that the operator picks from a group',
				},
				{
					name: 'Particular Phone Numbers',
					value: 'phoneNumbers',
					description: 'Phone numbers chosen one by one, where the operator offers it',
				},
			],
			description: 'What to put into the cart',
		},
		shownFor('didCartItem', {
			displayName: 'DID Group ID',
			name: 'didGroupId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1210',
			description: 'The identifier of the group of numbers',
		}),
		shownFor('capacityCartItem', {
			displayName: 'Zone',
			name: 'zone',
			type: 'string',
			default: '',
			placeholder: 'e.g. A',
			description: 'The zone that the channels are for',
		}),
		shownFor('creditPackageCartItem', {
			displayName: 'Credit Package ID',
			name: 'creditPackageId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3',
			description: 'The identifier of the credit package',
		}),
		shownFor('phoneNumbers', {
			displayName: 'Phone Numbers',
			name: 'phoneNumbers',
			type: 'string',
			default: '',
			placeholder: 'e.g. +33123456789, +33123456790',
			description:
				'The numbers with country code, with commas between them. An expression may give a list.',
		}),
		{
			displayName: 'Quantity',
			name: 'quantity',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			required: true,
			displayOptions: { hide: { productType: ['phoneNumbers'] } },
			description: 'How many; channels are sold in tens, so a multiple of 10 there',
		},
		customFieldsField,
	],
	async run(call) {
		const custom = readCustomFields(call.collection('options').customFields);
		const cart = toId(call.parameter('cartIdentifier'), 'Cart Identifier');
		return await call.write({
			method: 'POST',
			path: path`/vbapi/v1/ordering/cart/${cart}/product`,
			json: mergeCustomFields(readProduct(call), custom),
		});
	},
};

/** Exactly one product: the service refuses bodies with a key it did not ask for. */
function readProduct(call: Call): IDataObject {
	const id = (name: string, label: string) => toJsonId(toId(call.parameter(name), label));
	const quantity = (step = 1) => toQuantity(call.parameter('quantity'), step);
	const type = call.parameter('productType');
	switch (type) {
		case 'didCartItem':
			return {
				didCartItem: { didGroupId: id('didGroupId', 'DID Group ID'), quantity: quantity() },
			};
		case 'capacityCartItem':
			return {
				capacityCartItem: { zone: id('zone', 'Zone'), quantity: quantity(CHANNELS_STEP) },
			};
		case 'creditPackageCartItem':
			return {
				creditPackageCartItem: {
					creditPackageId: id('creditPackageId', 'Credit Package ID'),
					quantity: quantity(),
				},
			};
		case 'phoneNumbers':
			return {
				phoneNumbers: toPhoneNumbers(call.parameter('phoneNumbers')).map((phoneNumber) => ({
					phoneNumber,
				})),
			};
		default:
			throw new InputError(
				`"Product Type" is ${JSON.stringify(type)}, which is none`,
				'Use one of didCartItem, capacityCartItem, creditPackageCartItem, phoneNumbers.',
			);
	}
}

/** Not marked as required: with an expression in "Product Type" n8n shows all of them, and would ask for all. */
function shownFor(productType: string, field: INodeProperties): INodeProperties {
	return { ...field, displayOptions: { show: { productType: [productType] } } };
}
