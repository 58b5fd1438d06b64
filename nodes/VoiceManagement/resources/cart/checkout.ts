// The checkout is a GET that places a paid order. Neither this file nor the code that it calls sends it twice: if its
// response is lost, the order may have been placed already. transport/errors.ts says so to the user.

import { NodeApiError, type IDataObject } from 'n8n-workflow';
import type { Answer } from '../../../shared/answer/parse';
import { entriesOf } from '../../../shared/answer/lists';
import { fieldOf } from '../../../shared/answer/read';
import { inDocumentNames } from '../../documentNames';
import { reasonOf } from '../../../shared/answer/reason';
import { isFine } from '../../../shared/answer/statements';
import type { Verdict } from '../../../shared/answer/verdict';
import { toneOf } from '../../../shared/answer/words';
import { withHelp } from '../../../shared/help';
import { InputError } from '../../../shared/inputError';
import { oneLine } from '../../../shared/oneLine';
import { cartIdentifierField } from '../../fields/common';
import { toId, toText } from '../../input/values';
import { idsAsText } from '../../identifiers';
import type { OperationContext, Operation } from '../../operation';
import { apiError } from '../../transport/errors';
import { path } from '../../transport/path';
import { toObject } from '../../transport/apiClient';
import { describeProduct, productsOf } from './products';

const BUYS =
	"This operation buys what is in the cart: it places a paid order that can't be taken back here.";

const CONFIRM = 'Confirm Purchase';

export const checkout: Operation = {
	value: 'checkout',
	name: 'Checkout',
	action: 'Check out cart (paid order)',
	description: BUYS,
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'GET /vbapi/v1/ordering/cart/<cartIdentifier>/checkout',
	output:
		'`cartIdentifier`, `status` (`SUCCESS`, `WARNING` or `PARTIAL`) and `productCheckoutList` with `productType`, `status`, `orderReference`, `message`. `ERROR` fails the node',
	fields: [
		{
			...cartIdentifierField,
			description: 'The cart to buy, by its cartIdentifier. Its content is ordered and charged.',
		},
		{
			displayName: `${BUYS} It places one order for each input item, also with "Execute step". The provider's interface shows neither the content nor the price of a cart: run this once with "${CONFIRM}" off to see what this workflow added. Leave "Retry On Fail" off in this node's settings, and have a person approve the orders of an AI agent.`,
			name: 'checkoutNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: CONFIRM,
			name: 'confirmPurchase',
			type: 'boolean',
			// Only a person can turn it on, not an expression or a model.
			noDataExpression: true,
			default: false,
			description:
				"Whether to place the paid order. While this is off, nothing is sent, and the error lists what this workflow added to the cart. An AI agent can't turn it on.",
		},
	],
	async run(context) {
		if (context.parameter('confirmPurchase') !== true) {
			throw new InputError(
				`"${CONFIRM}" is off: no order was placed`,
				`Nothing was sent. ${contentOf(context)} Turn on "${CONFIRM}" in this node to place the paid order.`,
				'orders',
			);
		}
		const cart = toId(context.parameter('cartIdentifier'), 'Cart Identifier');
		const request = {
			method: 'GET',
			path: path`/vbapi/v1/ordering/cart/${cart}/checkout`,
			effect: 'purchase',
		} as const;
		const { answer, verdict, refusal } = await context.client.tryRequest(request);
		// A refusal inside a 200 is that of the ordering itself, and is shown with its codes. What any other failure means
		// for the order, the error tells.
		const isRefused = verdict.outcome === 'failed' && answer.statusCode < 300;
		if (isRefused && verdict.statusCode < 500) throw orderFailed(context, answer, verdict);
		if (refusal) throw refusal.error;
		const result = orderResult(context, inDocumentNames(toObject(answer)), verdict);
		return { cartIdentifier: cart, ...idsAsText(result) };
	},
};

/** What this workflow put into the cart: the provider can't list its contents. */
function contentOf(context: OperationContext): string {
	const cart = toText(context.parameter('cartIdentifier'));
	const products = productsOf(context.input, cart);
	return products.length === 0
		? `The content of the cart is not known here: the input item has no "addedProducts" from "Add Product".`
		: `This workflow added to cart ${cart}: ${products.map(describeProduct).join('; ')}.`;
}

/** A status as the provider sent it. Some providers use true and false. */
const word = (status: unknown) => (typeof status === 'boolean' ? String(status) : toText(status));

/** The outcome inside a 200: a hint beside the output if the order is not a complete success. */
function orderResult(
	context: OperationContext,
	response: IDataObject,
	{ reason }: Verdict,
): IDataObject {
	const complaints = complaintsOf(response);
	const status = fieldOf(response, 'status', 'statut');
	if (complaints.length === 0 && reason !== '') complaints.push(reason);
	if (toneOf(word(status)) !== 'good' || complaints.length > 0) {
		context.hint(
			withHelp(
				`The checkout ended with ${oneLine(word(status) || 'no status')}${complaints.length > 0 ? `: ${complaints.join('; ')}` : ''}. Check what was ordered before you order again.`,
				'orders',
			),
		);
	} else {
		context.hint(
			withHelp(
				"The order is placed. This interface does not list ordered phone numbers: look in the provider's portal, or ask with the orderReference.",
				'orders',
			),
			'info',
		);
	}
	return response;
}

function complaintsOf(response: unknown): string[] {
	const products = entriesOf(response, {
		names: ['productCheckoutList', 'products', 'orderProducts'],
	});
	return (products ?? [])
		.filter(({ status, message }) => toneOf(word(status)) !== 'good' || !isFine(message, true))
		.map(describeComplaint);
}

function describeComplaint(product: IDataObject): string {
	const { productType, status, orderReference, message } = product;
	const name = [
		toText(productType) || 'product',
		orderReference && `order ${toText(orderReference)}`,
	]
		.filter(Boolean)
		.join(', ');
	return oneLine(
		`${name}: ${toText(message) || reasonOf(product).reason || word(status) || 'no status'}`,
	);
}

function orderFailed(
	context: OperationContext,
	{ statusCode, data }: Answer,
	{ reason, code }: Verdict,
): NodeApiError {
	const said = code === undefined ? 'status ERROR' : `code ${code}`;
	return apiError(context.n8n.getNode(), {
		message: complaintsOf(data).join('; ') || reason || 'The checkout failed',
		description: `ORDERING, ${said} (HTTP ${statusCode}). The provider reports the order as failed. Correct the cart, or create a new one, before you check out again.`,
		statusCode,
		module: 'ORDERING',
		code,
	});
}
