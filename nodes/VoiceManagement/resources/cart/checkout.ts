// The checkout is a GET that places a paid order. Nothing here or below sends it twice.

import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { withHelp } from '../../../shared/help';
import { cartIdentifierField } from '../../fields/common';
import { toId } from '../../input/values';
import type { Call, Operation } from '../../operation';
import { asList } from '../../transport/answer';
import { serviceError } from '../../transport/errors';
import { path } from '../../transport/path';

const BUYS =
	"This operation buys what is in the cart: it places a paid order that can't be taken back here.";

export const checkout: Operation = {
	value: 'checkout',
	name: 'Checkout',
	action: 'Check out a cart (places a paid order)',
	description: BUYS,
	credential: 'voiceManagementApi',
	endpoint: 'GET /vbapi/v1/ordering/cart/<cartIdentifier>/checkout',
	output:
		'`status` (`SUCCESS`, `WARNING` or `PARTIAL`) and `productCheckoutList` with `productType`, `status`, `orderReference`, `message`. `ERROR` fails the node',
	fields: [
		{
			displayName: `${BUYS} Leave "Retry on Fail" off in this node's settings.`,
			name: 'checkoutNotice',
			type: 'notice',
			default: '',
		},
		{
			...cartIdentifierField,
			description: 'The cart to buy (cartIdentifier). What it holds is ordered and charged.',
		},
	],
	async run(call) {
		const cart = toId(call.parameter('cartIdentifier'), 'Cart Identifier');
		const answer = await call.service.send({
			method: 'GET',
			path: path`/vbapi/v1/ordering/cart/${cart}/checkout`,
			effect: 'purchase',
		});
		return judge(call, answer);
	},
};

/**
 * The outcome inside a 200.
 * @throws NodeApiError when the order as a whole failed
 */
function judge(call: Call, answer: IDataObject): IDataObject {
	const products = asList(answer.productCheckoutList);
	const complaints = products
		.filter((product) => product.status !== 'SUCCESS' || product.message)
		.map(describeProduct);
	if (answer.status === 'ERROR') throw orderFailed(call, complaints);
	if (answer.status !== 'SUCCESS' || complaints.length > 0) {
		const status = String(answer.status ?? 'no status');
		call.hint(
			withHelp(
				`The checkout ended with ${status}${complaints.length > 0 ? `: ${complaints.join('; ')}` : ''}. Check what was ordered before you order again.`,
				'orders',
			),
		);
	}
	return answer;
}

function describeProduct({ productType, status, orderReference, message }: IDataObject): string {
	const name = [productType ?? 'product', orderReference && `order ${String(orderReference)}`]
		.filter(Boolean)
		.join(', ');
	return `${name}: ${String(message ?? status ?? 'no status')}`;
}

function orderFailed(call: Call, complaints: string[]): NodeApiError {
	return serviceError(
		call.context.getNode(),
		{
			message: complaints.length > 0 ? complaints.join('; ') : 'The checkout failed',
			description:
				'ORDERING, status ERROR (HTTP 200). The operator reports the order as failed. Put the cart right, or make a new one, before you check out again.',
			statusCode: 200,
			module: 'ORDERING',
		},
		call.itemIndex,
	);
}
