import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { cartIdentifierField, customFieldsField } from '../../fields/common';
import { isRecord } from '../../../shared/ids';
import { InputError } from '../../../shared/errors';
import { withCustomFields } from '../../input/customFields';
import { toId, toJsonId, toPhoneNumbers, toText } from '../../input/values';
import { idsAsText, withKnown } from '../../identifiers';
import type { OperationContext, Operation } from '../../operation';
import { path } from '../../transport/path';
import { PRODUCTS, productsOf } from './products';

/**
 * A text instead of n8n's own "required": with an expression in "Product Type" n8n shows, and would require, all
 * these fields.
 */
const REQUIRED_OF_PRODUCT = 'Required';

/** The provider sells channels in tens (provider.md#cart). */
const CHANNELS_STEP = 10;

export const addProduct: Operation = {
	value: 'addProduct',
	name: 'Add Product',
	action: 'Add product to cart',
	description:
		'Add numbers, channels or a credit package to a cart. Nothing is bought before the checkout.',
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'POST /vbapi/v1/ordering/cart/<cartIdentifier>/product',
	output:
		'`cartIdentifier`, `status`: `SUCCESS`, `addedProducts`: what was sent to the cart so far and not refused',
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
					description: 'Simultaneous calls for a zone',
				},
				{
					name: 'Credit Package',
					value: 'creditPackageCartItem',
					description: 'Prepaid credit',
				},
				{
					name: 'Numbers of a DID Group',
					value: 'didCartItem',
					description: 'A quantity of numbers that the provider chooses from a group',
				},
				{
					name: 'Specific Phone Numbers',
					value: 'phoneNumbers',
					description: 'Phone numbers that you choose, if the provider offers it',
				},
			],
			description: 'What to add to the cart',
		},
		shownFor('didCartItem', {
			displayName: 'DID Group ID',
			name: 'didGroupId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 6001',
			hint: "Required. It is in your provider's price list.",
			description:
				"The provider's identifier of a group of numbers (country, type, area). The provider's API cannot list them.",
		}),
		shownFor('capacityCartItem', {
			displayName: 'Zone',
			name: 'zone',
			type: 'string',
			default: '',
			placeholder: 'e.g. A',
			hint: REQUIRED_OF_PRODUCT,
			description: 'The zone that the channels are for',
		}),
		shownFor('creditPackageCartItem', {
			displayName: 'Credit Package ID',
			name: 'creditPackageId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3',
			hint: REQUIRED_OF_PRODUCT,
			description: 'The identifier of the credit package',
		}),
		shownFor('phoneNumbers', {
			displayName: 'Phone Numbers',
			name: 'phoneNumbers',
			type: 'string',
			default: '',
			placeholder: 'e.g. +33123456789, +33123456790',
			hint: REQUIRED_OF_PRODUCT,
			description:
				'The numbers with country code. Separate them with commas; an expression can also return a list.',
		}),
		{
			displayName: 'Quantity',
			name: 'quantity',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			required: true,
			displayOptions: { hide: { productType: ['phoneNumbers'] } },
			description:
				'The number of phone numbers, channels or packages. Most providers sell channels in multiples of 10: enter 20 for 20 channels.',
		},
		customFieldsField,
	],
	async run(context) {
		// The input may have what was added to another cart.
		context.ofFailed = { status: undefined, addedProducts: undefined };
		if (context.n8n.getNode().retryOnFail === true) {
			throw new InputError(
				'"Retry On Fail" is on: nothing was added',
				'Nothing was sent. Turn off "Retry On Fail" in the settings of this node: after a failure n8n would send all items again, and a checkout would order each product twice.',
				'orders',
			);
		}
		const cart = toId(context.parameter('cartIdentifier'), 'Cart Identifier');
		context.ofFailed.cartIdentifier = cart;
		const { body, custom } = withCustomFields(context, readProduct(context));
		const response = await context.write(
			{
				method: 'POST',
				path: path`/vbapi/v1/ordering/cart/${cart}/product`,
				json: body,
				successFlag: 'added',
			},
			checkProduct(body, custom),
			{ deed: 'added' },
		);
		const addedProducts = [...productsOf(context, cart), idsAsText(body)];
		context.orders.products[cart] = addedProducts;
		return { ...withKnown({ cartIdentifier: cart }, response), addedProducts };
	},
};

/** Exactly one product: the provider rejects bodies with unknown keys. */
function readProduct(context: OperationContext): IDataObject {
	const type = toText(context.parameter('productType'));
	if (type === 'phoneNumbers') {
		const numbers = toPhoneNumbers(context.parameter('phoneNumbers'));
		return { phoneNumbers: numbers.map((phoneNumber) => ({ phoneNumber })) };
	}
	const product = Object.hasOwn(PRODUCTS, type) ? PRODUCTS[type] : undefined;
	if (!product) {
		throw new InputError(
			`"Product Type" has an invalid value: ${JSON.stringify(context.parameter('productType'))}`,
			'Use one of didCartItem, capacityCartItem, creditPackageCartItem, phoneNumbers.',
		);
	}
	const id = context.text(product.id);
	return {
		[type]: {
			// A zone is a name, even if it consists of digits.
			[product.id]: product.id === 'zone' ? id : toJsonId(id),
			quantity: toJsonId(toText(context.parameter('quantity'))),
		},
	};
}

/**
 * Checks the product before it is sent.
 * @param custom the custom fields: the fields that they set are not checked
 * @returns sentences about what providers usually require instead
 * @throws InputError for an empty field, and for a quantity that would buy something other than intended
 */
function checkProduct(body: IDataObject, custom: IDataObject): string[] {
	const { phoneNumbers } = body;
	if (Array.isArray(phoneNumbers) && phoneNumbers.length === 0 && !('phoneNumbers' in custom)) {
		throw new InputError('"Phone Numbers" is empty', 'Enter at least one phone number.');
	}
	const hints: string[] = [];
	for (const [type, { id, label }] of Object.entries(PRODUCTS)) {
		const product = body[type];
		if (!isRecord(product)) continue;
		const own = isRecord(custom[type]) ? custom[type] : {};
		if (!(id in own) && toText(product[id]) === '') {
			throw new InputError(`"${label}" is empty`, `Set "${label}", or check the expression in it.`);
		}
		if ('quantity' in own) continue;
		const { quantity } = product;
		// Not "1.000" either, which is 1 or 1,000.
		if (typeof quantity !== 'number' || quantity < 1) {
			throw new InputError('"Quantity" is not a whole number above zero', 'Set it to 1 or more.');
		}
		if (type === 'capacityCartItem' && quantity % CHANNELS_STEP !== 0) {
			hints.push(
				`"Quantity" is ${quantity}: most providers sell channels in multiples of 10. Check the order before the checkout.`,
			);
		}
	}
	return hints;
}

/** Not marked as required: with an expression in "Product Type" n8n shows, and would require, all of them. */
function shownFor(productType: string, field: INodeProperties): INodeProperties {
	return { ...field, displayOptions: { show: { productType: [productType] } } };
}
