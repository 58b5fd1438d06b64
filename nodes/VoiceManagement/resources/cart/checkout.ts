// The checkout is a GET that places a paid order. Neither this file nor the code that it calls sends it twice: if its
// response is lost, the order may have been placed already. What a response means is in purchase.ts.

import { deepCopy, NodeApiError } from 'n8n-workflow';
import type { Answer } from '../../../shared/answer/parse';
import { withHelp, type HelpSection } from '../../../shared/help';
import { InputError } from '../../../shared/errors';
import { HOW_TO_FIND_OUT, MAY_BE_PLACED } from '../../../shared/lostRequest';
import { oneLine } from '../../../shared/oneLine';
import { inDocumentNames } from '../../documentNames';
import { cartIdentifierField } from '../../fields/common';
import { toId, toText } from '../../input/values';
import { idsAsText, withKnown } from '../../identifiers';
import type { OperationContext, Operation } from '../../operation';
import type { CheckedOut } from '../../outcome/orders';
import { toObject, type ApiRequest } from '../../transport/apiClient';
import { apiError, fromPlain, toPlain } from '../../transport/errors';
import { path } from '../../transport/path';
import { describeProduct, productsOf } from './products';
import { readPurchase, reasonFor, type Purchase } from './purchase';

const BUYS =
	"This operation buys what is in the cart: it places a paid order that can't be taken back here.";

/** A cart ends with its checkout, so an unknown one may have been bought before. */
const UNKNOWN_CART =
	'Check "Cart Identifier". A cart ends with its checkout: if this one was checked out before, look at the account\'s orders at the provider first.';

const NOTHING_ORDERED =
	"The provider reports each product as not ordered. Look at the account's orders at the provider before you check this cart out again.";

const NOT_AGAIN =
	'Not sent again, since each cart is checked out once in an execution: this is the error from before. ';

/** What to do about a refusal that names no code. */
const CHECKOUT_ADVICE: Readonly<Record<number, string>> = {
	404: UNKNOWN_CART,
	// The usual advice recommends "Retry On Fail".
	429: 'Too many requests. Wait a moment, then run the checkout again by hand.',
};

/** The third party's name for what sells. */
const ORDERING_MODULE = 'ORDERING';

const CONFIRM = 'Confirm Purchase';

export const checkout: Operation = {
	value: 'checkout',
	name: 'Checkout',
	action: 'Check out cart (paid order)',
	description: BUYS,
	credential: 'voiceManagementApi',
	changes: true,
	advice: { 15: UNKNOWN_CART, 400: UNKNOWN_CART },
	endpoint: 'GET /vbapi/v1/ordering/cart/<cartIdentifier>/checkout',
	output:
		'`cartIdentifier`; `ordered`: `true` (every product), `"partly"`, or null (the provider does not say yet); `failed`: the products that were not ordered, with `reason`; `status` and `productCheckoutList` with `productType`, `status`, `orderReference`, `message`. A refused order is an error, and so is one that may have been placed',
	fields: [
		{
			...cartIdentifierField,
			description: 'The cart to buy, by its cartIdentifier. Its content is ordered and charged.',
		},
		{
			displayName: `${BUYS} It checks out each cart once in an execution, also with "Execute step". The provider's interface shows neither the content nor the price of a cart: run this once with "${CONFIRM}" off to see what this workflow added. It refuses while "Retry On Fail" is on in this node's settings, which could buy twice. Have a person approve the orders of an AI agent.`,
			name: 'checkoutNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: CONFIRM,
			name: 'confirmPurchase',
			type: 'boolean',
			// The editor offers no expression; `run` looks at what stands in the workflow.
			noDataExpression: true,
			default: false,
			description:
				"Whether to place the paid order. While this is off, nothing is sent, and the error lists what this workflow added to the cart. An AI agent can't turn it on.",
		},
	],
	async run(context) {
		// The input may have what became of another cart that was ordered.
		context.ofFailed = {
			ordered: undefined,
			failed: undefined,
			status: undefined,
			productCheckoutList: undefined,
		};
		const node = context.n8n.getNode();
		// Only a person can turn it on: of an imported workflow n8n resolves `$fromAI` here, which a model decides.
		if (node.parameters.confirmPurchase !== true) {
			throw new InputError(
				`"${CONFIRM}" is off: no order was placed`,
				`Nothing was sent. ${cartContent(context)} Turn on "${CONFIRM}" in this node to place the paid order.`,
				'orders',
			);
		}
		if (node.retryOnFail === true) {
			throw new InputError(
				'"Retry On Fail" is on: no order was placed',
				'Nothing was sent. Turn off "Retry On Fail" in the settings of this node: n8n would send the checkout again after a failure, and could buy twice.',
				'orders',
			);
		}
		const cart = toId(context.parameter('cartIdentifier'), 'Cart Identifier');
		context.ofFailed.cartIdentifier = cart;
		const { orders } = context;
		const { item, error, isRepeated } = await orders.once(cart, () => checkOut(context, cart));
		if (error) {
			const origin = `${isRepeated ? NOT_AGAIN : ''}${oneLine(`Cart ${cart}`)}. `;
			throw fromPlain(node, { ...error, description: origin + error.description });
		}
		return deepCopy(item ?? {});
	},
};

/** Sends the checkout. @throws only if nothing was sent: that is not kept, so a later item may send it */
async function checkOut(
	context: OperationContext,
	cart: string,
): Promise<Omit<CheckedOut, 'execution'>> {
	const request = {
		method: 'GET',
		path: path`/vbapi/v1/ordering/cart/${cart}/checkout`,
		effect: 'purchase',
	} as const;
	const answer = await context.client.send(request).catch(lostError);
	if (answer instanceof NodeApiError) return { error: toPlain(answer) };
	try {
		const purchase = readPurchase(answer);
		if (purchase.outcome !== 'placed') {
			return { error: toPlain(checkoutError(context, request, answer, purchase)) };
		}
		const { ordered, failed, references } = purchase;
		showResult(context, purchase);
		const unnamed = ordered === null ? 'not confirmed yet' : 'without an order reference';
		const order = references.length === 0 ? unnamed : `order ${references.map(oneLine).join(', ')}`;
		return {
			placed: `${oneLine(`cart ${cart}`)} (${order})`,
			item: {
				...withKnown({ cartIdentifier: cart }, idsAsText(inDocumentNames(toObject(answer)))),
				ordered,
				failed: failed.map((product) => ({
					...idsAsText(inDocumentNames(product)),
					reason: oneLine(reasonFor(product)),
				})),
			},
		};
	} catch {
		// Whatever went wrong, the checkout was sent.
		const error = apiError(context.n8n.getNode(), {
			message: `The response can't be read: ${MAY_BE_PLACED}`,
			description: `HTTP ${answer.statusCode}. ${HOW_TO_FIND_OUT}`,
			statusCode: answer.statusCode,
			help: 'the-order-may-have-been-placed',
		});
		return { error: toPlain(error) };
	}
}

/** Of a request whose response was lost. @throws the error of one that was never sent */
function lostError(error: unknown): NodeApiError {
	if (error instanceof NodeApiError && error.message.endsWith(MAY_BE_PLACED)) return error;
	throw error;
}

/** What this workflow put into the cart: the provider can't list its contents. */
function cartContent(context: OperationContext): string {
	const cart = toText(context.parameter('cartIdentifier'));
	const products = productsOf(context, cart);
	return products.length === 0
		? `The content of the cart is not known here: the input has no "addedProducts" from "Add Product".`
		: `This workflow added to cart ${oneLine(cart)}: ${products.map(describeProduct).map(oneLine).join('; ')}. There may be more in it: of a step that ran more than once, or whose response was lost.`;
}

type Placed = Extract<Purchase, { outcome: 'placed' }>;

/** A hint about an order that is placed, at least in part, or not decided. */
function showResult(context: OperationContext, purchase: Placed): void {
	const { ordered, failed, references, shown } = purchase;
	if (ordered === true && shown === '') {
		const known =
			references.length === 0 ? '' : ', and the provider knows them by the orderReference';
		const where = `The order is placed. This interface does not list ordered phone numbers: the provider's portal may show them${known}.`;
		context.hint(withHelp(where, 'orders'), 'info');
		return;
	}
	const state =
		ordered === true
			? 'The order is placed'
			: ordered === 'partly'
				? 'Only a part of the order is placed'
				: 'The provider does not say yet whether the whole order is placed';
	const sentences = [
		`${state}${orderInBrackets(references)}.`,
		failed.length > 0 ? `Not ordered: ${failed.map(reasonFor).map(oneLine).join('; ')}.` : '',
		shown === '' ? '' : `The response also has: ${oneLine(shown)}.`,
		"Look at the account's orders at the provider before you order anything again.",
	];
	context.hint(withHelp(sentences.filter(Boolean).join(' '), 'orders'));
}

const orderInBrackets = (references: string[]) =>
	references.length === 0 ? '' : ` (order ${references.map(oneLine).join(', ')})`;

/** The error for an order that was refused, or that may have been placed. */
function checkoutError(
	context: OperationContext,
	request: ApiRequest,
	answer: Answer,
	purchase: Exclude<Purchase, Placed>,
): NodeApiError {
	const { verdict, refusal } = context.client.read(answer, request);
	const { module, code, word } = verdict;
	const { statusCode } = answer;
	const origin = [
		module,
		code ? `code ${code}` : word && `status ${oneLine(word)}`,
		`HTTP ${statusCode}`,
	]
		.filter(Boolean)
		.join(', ');
	const of = (message: string, advice: string, help: HelpSection) =>
		apiError(context.n8n.getNode(), {
			message,
			description: `${origin.charAt(0).toUpperCase()}${origin.slice(1)}. ${advice}`,
			statusCode,
			module: module ?? ORDERING_MODULE,
			code,
			help,
		});
	if (purchase.outcome === 'mayBePlaced') {
		const { references, shown } = purchase;
		const what =
			refusal?.failure.message ?? `The response has ${shown || 'nothing about the order'}`;
		const seen =
			references.length === 0
				? ''
				: `Order references in the response: ${references.map(oneLine).join(', ')}. `;
		const rest = shown === '' ? '' : `The response has: ${oneLine(shown)}. `;
		return of(
			`${oneLine(what)}: ${MAY_BE_PLACED}`,
			`${seen}${rest}${HOW_TO_FIND_OUT}`,
			'the-order-may-have-been-placed',
		);
	}
	const { failed } = purchase;
	if (failed.length > 0) {
		const reasons = failed.map((product) => oneLine(reasonFor(product))).join('; ');
		return of(reasons, NOTHING_ORDERED, 'orders');
	}
	const advice =
		code === undefined && answer.format !== 'html' ? CHECKOUT_ADVICE[statusCode] : undefined;
	const failure = refusal?.failure;
	return failure && advice === undefined
		? apiError(context.n8n.getNode(), { ...failure, module: module ?? ORDERING_MODULE })
		: of(failure?.message ?? 'The provider refused the order', advice ?? NOTHING_ORDERED, 'orders');
}
