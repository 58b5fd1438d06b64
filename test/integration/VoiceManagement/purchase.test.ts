/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What the node says about an order, for every kind of response to a checkout: each checkout is sent once, nobody is
// advised to order again without looking first, and every order reference of the response is shown.

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { answerWith, type AnswerServer, type Given } from '../../support/answers';
import { credentialsAt } from '../../support/credentials';
import { nth } from '../../support/present';
import { runItems } from '../../../nodes/VoiceManagement/operation';
import { resources } from '../../../nodes/VoiceManagement/resources';
import { executeContext, runNode, type RunOptions } from './harness';

/** `true`, `partly` and `null` are the item's `ordered`; the others are errors. */
type Verdict = 'true' | 'partly' | 'null' | 'refused' | 'may have been placed';

interface Row {
	what: string;
	given: Given;
	verdict: Verdict;
	/** The order references that the user must see. */
	references: string[];
	/** The reasons that the user must see, in an error, a hint or `failed`. */
	says: string[];
}

const row = (
	what: string,
	given: Given,
	verdict: Verdict,
	references: string[] = [],
	...says: string[]
): Row => ({ what, given, verdict, references, says });

const rows = (
	verdict: Verdict,
	references: string[],
	...all: Array<[body: unknown, ...says: string[]]>
): Row[] =>
	all.map(([body, ...says]) =>
		row(JSON.stringify(body), { body: body }, verdict, references, ...says),
	);

const ok = (orderReference: string | null = 'ORD-7', more: IDataObject = {}): IDataObject => ({
	productType: 'DID',
	status: 'SUCCESS',
	orderReference,
	message: null,
	...more,
});
const bad = (more: IDataObject = {}): IDataObject => ({
	productType: 'CAPACITY',
	status: 'ERROR',
	orderReference: null,
	message: 'Not enough DIDs',
	...more,
});
const list = (status: string | undefined, ...productCheckoutList: IDataObject[]): IDataObject => ({
	...(status === undefined ? {} : { status }),
	productCheckoutList,
});
const coded = (apiErrorCode: string | number, apiModule?: string): IDataObject => ({
	...(apiModule === undefined ? {} : { apiModule }),
	errors: [{ apiErrorCode, apiErrorMessage: 'Said no' }],
});
const success = list('SUCCESS', ok());

/** What complains: of these alone, an order with references is not taken for a whole one. */
const COMPLAINTS: Array<[IDataObject, string]> = [
	[{ errors: 'none found' }, 'errors: none found'],
	[{ errorCode: 17 }, 'errorCode: 17'],
	[{ error: { message: 'The confirmation mail failed' } }, 'The confirmation mail failed'],
	[{ rejected: [3] }, 'rejected: [3]'],
	[{ failedCount: 1 }, 'failedCount: 1'],
	[{ erreur: 'oui' }, 'erreur: oui'],
	[{ payment: { status: 'FAILED' } }, 'FAILED'],
	[{ errors: [{ id: 5 }] }, 'errors.id: 5'],
];
const UNKNOWN: Array<[IDataObject, string]> = [
	[{ returnCode: 1000 }, 'returnCode: 1000'],
	[{ problems: [{ text: 'Mail' }] }, 'Mail'],
	[{ processed: false }, 'processed: false'],
	[{ code: 1 }, 'code: 1'],
	[{ warnings: ['Late'] }, 'Late'],
	[{ success: false }, 'success: false'],
	[{ result: -1 }, 'result: -1'],
	[{ cart: { status: 'HELD' } }, 'HELD'],
];
const DOUBTS = [...COMPLAINTS, ...UNKNOWN];

const CONFIRMED = [
	'Your order was submitted',
	'Order was confirmed',
	'Payment was validated',
	'The cart is now closed',
	'Cart was checked out',
	'Votre commande a été validée',
];

const ROWS: Row[] = [
	// Placed.
	...rows(
		'true',
		['ORD-7'],
		[success],
		[list(undefined, ok())],
		[{ status: 'SUCCESS', orderReference: 'ORD-7' }],
		[{ orderReference: 'ORD-7' }],
		[{ success: true, order: { reference: 'ORD-7' } }],
		[{ code: 0, status: 'OK', orderId: 'ORD-7' }],
		[{ data: success }],
		[{ statut: 'OK', products: [ok()] }],
		[list('SUCCESS', ok('ORD-7', { message: 'Two of three' })), 'Two of three'],
		[{ ...success, message: 'Thank you' }, 'Thank you'],
		[{ ...success, message: 'Do not send a duplicate order' }, 'duplicate order'],
	),
	...rows('true', ['4711'], [{ status: 'SUCCESS', order: { id: 4711 } }]),
	...rows('true', ['A1', 'A2'], [list('SUCCESS', ok('A1'), ok('A2'))]),
	...rows('true', ['A1', 'A2'], [{ status: 'SUCCESS', orderReferences: ['A1', 'A2'] }]),
	...[
		...UNKNOWN,
		...[{ tax: 0 }, { pending: false }, { error: 'none' }, { message: 'No errors' }].map(
			(more): [IDataObject, string] => [more, String(Object.values(more)[0])],
		),
		[{ cart: { cartIdentifier: 7, description: 'No parking zone' } }, 'No parking zone'] as const,
	].map(([more, said]) =>
		row(`references beside ${said}`, { body: { ...success, ...more } }, 'true', ['ORD-7'], said),
	),
	...rows(
		'true',
		['ORD-7'],
		[list('SUCCESS', ok(), ok(null, { message: 'Not billed until activation' })), 'Not billed'],
		[{ ...list('SUCCESS', ok(null, { message: 'It could be longer' })), orderReference: 'ORD-7' }],
	),
	...CONFIRMED.flatMap((message) => [
		...rows('true', [], [{ message, ...list('SUCCESS', ok(null)) }, message]),
		...rows('null', [], [{ message, status: 'SUCCESS' }, message]),
		...rows('partly', ['ORD-7'], [{ message, ...list('WARNING', ok(), bad()) }, message]),
	]),
	// Placed in part.
	...rows(
		'partly',
		['ORD-7'],
		[{ message: 'One was already ordered', ...list('WARNING', ok(), bad()) }, 'Not enough DIDs'],
		[list('ERROR', ok(), bad()), 'Not enough DIDs'],
		[list('WARNING', ok(), bad({ message: 'Duplicate item in cart' })), 'Duplicate item'],
		[list('PARTIAL', ok(), bad()), 'Not enough DIDs'],
		[list('SUCCESS', ok(), bad()), 'Not enough DIDs'],
		[list('FAILED', bad(), ok()), 'Not enough DIDs'],
		[list('WARNING', ok('ORD-7', { status: 'WARNING', message: 'Only 2 of 5' })), 'Only 2 of 5'],
		[{ status: 'PARTIAL', orderReference: 'ORD-7' }, 'PARTIAL'],
		[{ status: 'ERROR', orderReference: 'ORD-7', message: 'The mail failed' }, 'The mail failed'],
		[
			list('ERROR', ok('ORD-7', { status: 'ERROR', message: 'The mail failed' })),
			'The mail failed',
		],
	),
	row('402 with a part', { status: 402, body: list('ERROR', ok(), bad()) }, 'partly', ['ORD-7']),
	...rows(
		'partly',
		['ORD-7'],
		[{ status: 'ERROR', results: [ok(), bad()] }, 'Not enough DIDs'],
		[[ok(), bad()], 'Not enough DIDs'],
		[{ status: 200, data: list('ERROR', ok(), bad()) }, 'Not enough DIDs'],
	),
	// Not decided.
	...COMPLAINTS.map(([more, said]) =>
		row(`references beside ${said}`, { body: { ...success, ...more } }, 'null', ['ORD-7'], said),
	),
	...rows(
		'null',
		['ORD-7'],
		[list('SUCCESS', ok(), ok(null, { errors: [{ apiErrorMessage: 'Quantity' }] })), 'Quantity'],
		[list('SUCCESS', ok(), ok(null, { message: 'Not enough capacity' })), 'Not enough capacity'],
		[{ ...success, ...coded('404', 'ORDERING') }, 'Said no'],
		...['WARNING', 'PARTIAL', 'ERROR'].map((word): [unknown, string] => [list(word, ok()), word]),
	),
	...rows('null', ['REQ-5'], [{ status: 'SUCCESS', reference: 'REQ-5' }]),
	row('202, each product', { status: 202, body: list('SUCCESS', ok(null)) }, 'null'),
	...rows(
		'null',
		[],
		[{ status: 'SUCCESS' }],
		[list('SUCCESS')],
		[{ status: 'SUCCESS', productCheckoutList: null }],
		[{ status: 'SUCCESS', message: 'Thank you for your order' }, 'Thank you'],
		[{ status: 'PENDING' }, 'PENDING'],
		[list('SUCCESS', ok(null, { status: 'PENDING' })), 'PENDING'],
		[list('PENDING', ok(null, { status: 'IN_PROGRESS' })), 'PENDING'],
		[{ status: true }],
		[{ success: true }],
	),
	...rows(
		'null',
		['ORD-7'],
		[list('SUCCESS', ok(), ok(null, { status: 'PENDING' })), 'PENDING'],
		[list('SUCCESS', ok('ORD-7', { status: 'PENDING' })), 'PENDING'],
		[{ status: 'TIMEOUT', orderReference: 'ORD-7' }, 'TIMEOUT'],
		[{ status: 'UNKNOWN', orderReference: 'ORD-7' }, 'UNKNOWN'],
		[list('SUCCESS', ok(), { productType: 'CREDIT' }), 'CREDIT'],
	),
	row('202', { status: 202, body: { status: 'QUEUED' } }, 'null', [], 'QUEUED'),
	// Refused, as documented.
	...[400, 401, 402, 403, 404, 429].flatMap((status) => [
		row(
			`${status} with a reason`,
			{ status, body: { message: 'No money' } },
			'refused',
			[],
			'No money',
		),
		row(`${status} without a body`, { status }, 'refused'),
	]),
	row(
		'400 with code 401',
		{ status: 400, body: coded('401', 'ORDERING') },
		'refused',
		[],
		'Said no',
	),
	row('404 as a page', { status: 404, body: '<html><title>Not found</title></html>' }, 'refused'),
	row(
		'the other form',
		{ status: 400, body: { status: 400, err_code: 'INVALID', err_msg: 'Bad cart' } },
		'refused',
		[],
		'Bad cart',
	),
	...['400', '405', '409', '416', 15, '26'].map((code) =>
		row(
			`code ${code} in a 200`,
			{ body: { status: 'ERROR', ...coded(code) } },
			'refused',
			[],
			'Said no',
		),
	),
	...[200, 405, 409, 422].map((status) =>
		row(
			`${status} with code 409 of ORDERING and its own status`,
			{ status, body: { httpStatusCode: 409, ...coded('409', 'ORDERING') } },
			'refused',
			[],
			'Said no',
		),
	),
	...rows(
		'refused',
		[],
		[{ status: 400, err_code: 'INVALID_VARS', err_msg: 'Bad cart' }, 'Bad cart'],
		[{ httpStatusCode: 400, apiModule: 'ORDERING', genericErrorMessage: 'Bad cart' }, 'Bad cart'],
	),
	...[
		'Your account is closed',
		'Your account has not been confirmed',
		'The order was refused: address is validated only for FRA',
		'Order validation failed: address is validated only for FRA',
		'Your address is validated only for MOBILE',
		'No cart or order exists',
		'No such order exists',
		'The cart has not been validated',
		'Number is bought by another customer',
		'Ordering is closed',
	].flatMap((message) => [
		row(message, { status: 404, body: { message } }, 'refused', [], message),
		...rows('refused', [], [list('ERROR', bad({ message })), message]),
		row(
			`409: ${message}`,
			{ status: 400, body: { ...coded('409', 'ORDERING'), message } },
			'refused',
		),
	]),
	row(
		'a documented code, whatever its words',
		{
			status: 400,
			body: {
				apiModule: 'ORDERING',
				errors: [{ apiErrorCode: '21', apiErrorMessage: 'Unknown or duplicate element' }],
			},
		},
		'refused',
		[],
		'duplicate element',
	),
	row('code 404 of ORDERING with 422', { status: 422, body: coded('404', 'ORDERING') }, 'refused'),
	...rows(
		'refused',
		[],
		[list('ERROR', bad()), 'Not enough DIDs'],
		[list('ERROR', bad(), bad({ message: 'No credit' })), 'Not enough DIDs', 'No credit'],
	),
	// Everything else.
	...rows(
		'may have been placed',
		[],
		[{ status: 'ERROR' }],
		[{ status: 'ERROR', message: 'Oops' }, 'Oops'],
		[{ status: 'TIMEOUT' }, 'TIMEOUT'],
		[{ status: 'UNKNOWN' }, 'UNKNOWN'],
		[{ status: 'SOMETHING' }, 'SOMETHING'],
		[{ status: 'ERROR', message: 'Cart already checked out' }, 'already checked out'],
		[{ status: 'ERROR', ...coded('400'), message: 'ALREADY_CHECKED_OUT' }],
		[list('SUCCESS', bad()), 'Not enough DIDs'],
		[list('ERROR', bad({ status: 'TIMEOUT' }))],
		[list('ERROR', ok(null))],
		[list('SUCCESS', ok(null, { status: 'FOO' }))],
		[{ status: 'ERROR', ...coded('999') }, 'Said no'],
		[{ status: 'ERROR', ...coded('405', 'REGULATION') }, 'Said no'],
		[{ code: 1 }, 'code: 1'],
		[{ code: 405, message: 'No' }, 'No'],
		[{ status: 500, message: 'Oops' }, 'Oops'],
		[{ status: 409, message: 'Oops' }, 'Oops'],
		[{ status: [400, 400] }],
		[{ status: 'SUCCESS', message: 'Cart was already checked out' }, 'already checked out'],
		[{ httpStatusCode: 500, ...coded('405', 'ORDERING') }],
		[{ status: 'ERROR', orderReference: 'PENDING', message: 'Oops' }],
		[{ status: 200, data: { status: 'ERROR', message: 'Oops' } }, 'Oops'],
		[{ status: 'ERROR', ordered: true, ...coded('405') }],
		[{}],
		[[]],
		['4711'],
		[{ foo: 'bar' }, 'bar'],
		...DOUBTS.map(([more, said]): [unknown, string] => [{ status: 'SUCCESS', ...more }, said]),
		[{ ...list('SUCCESS', ok(null)), processed: false }, 'processed: false'],
	),
	...rows(
		'may have been placed',
		['ORD-7'],
		[{ status: 'ERROR', message: 'Cart already checked out', orderReference: 'ORD-7' }],
		...['SUCCESS', 'WARNING', 'PARTIAL', 'ERROR'].map((status): [unknown, string] => [
			{ message: 'Cart already checked out', ...list(status, ok()) },
			'already checked out',
		]),
	),
	...['Duplicate order', 'Panier déjà validé'].map((message) =>
		row(
			`SUCCESS: ${message}`,
			{ body: { message, ...list('SUCCESS', ok(null)) } },
			'may have been placed',
			[],
			message,
		),
	),
	...rows(
		'may have been placed',
		['REQ-5'],
		[{ status: 'ERROR', message: 'No', reference: 'REQ-5' }],
	),
	...['Order ORD-77 was placed, the mail failed', 'The mail for order number 77 failed'].map(
		(message) =>
			row(`400: ${message}`, { status: 400, body: { message } }, 'may have been placed', ['77']),
	),
	...[
		'Cart has been paid',
		'Cart was confirmed',
		'The order is submitted',
		'Cart was finalized',
		'Invalid cart state: ORDERED',
		'Cart is closed',
		'Cart is no longer open',
		'Order exists for this cart',
		'This cart was bought',
		'Le panier a été validé',
		'The cart has been closed',
		'It has been processed',
	].map((message) => row(message, { status: 400, body: { message } }, 'may have been placed')),
	...[200, 400].map((status) =>
		row(
			`${status} with 404 of ORDERING, already checked out`,
			{ status, body: { ...coded('404', 'ORDERING'), message: 'Cart already checked out' } },
			'may have been placed',
		),
	),
	row(
		'400 of ORDERING, already checked out',
		{ status: 400, body: { ...coded('400', 'ORDERING'), message: 'Cart was checked out' } },
		'may have been placed',
	),
	...[400, 401, 403, 404, 409, 410, 422].map((status) =>
		row(
			`${status}, already checked out`,
			{ status, body: { message: 'Cart was already checked out' } },
			'may have been placed',
		),
	),
	...[
		405, 406, 408, 409, 410, 415, 421, 423, 425, 444, 449, 451, 460, 499, 500, 502, 503, 504, 507,
		509, 520, 524, 598,
	].map((status) =>
		row(`${status}`, { status, body: { message: 'Stop' } }, 'may have been placed', [], 'Stop'),
	),
	row('503 with code 14', { status: 503, body: { code: 14 } }, 'may have been placed'),
	row('500 with a code', { status: 500, body: { apiErrorCode: 500 } }, 'may have been placed'),
	row(
		'500 with a code of ORDERING',
		{ status: 500, body: coded('409', 'ORDERING') },
		'may have been placed',
	),
	row(
		'409 with a code that is its status',
		{ status: 409, body: coded('409') },
		'may have been placed',
	),
	row(
		'500 with references',
		{ status: 500, body: list('ERROR', ok('A1'), ok('A2'), bad()) },
		'may have been placed',
		['A1', 'A2'],
	),
	row(
		'409 with a reference',
		{ status: 409, body: { orderReference: 'ORD-7' } },
		'may have been placed',
		['ORD-7'],
	),
	row(
		'400 with a reference',
		{ status: 400, body: { message: 'Mail', orderReference: 'ORD-7' } },
		'may have been placed',
		['ORD-7'],
	),
	row('400 that is pending', { status: 400, body: { status: 'PENDING' } }, 'may have been placed'),
	row('400 that timed out', { status: 400, body: { status: 'TIMEOUT' } }, 'may have been placed'),
	row('400 that is cut', { status: 400, body: '{"message":"No' }, 'may have been placed'),
	row(
		'cut JSON',
		{ body: JSON.stringify(list('ERROR', ok('A1'), ok('A2'), bad())).slice(0, -9) },
		'may have been placed',
		['A1', 'A2'],
	),
	row(
		'XML, which is not requested',
		{ body: '<r><status>SUCCESS</status><orderReference>X9</orderReference></r>' },
		'may have been placed',
		['X9'],
	),
	row('cut XML', { body: '<r><orderReference>X9</orderReference><sta' }, 'may have been placed', [
		'X9',
	]),
	row(
		'a page about the order',
		{ body: '<html><p>Order number: 4711</p></html>' },
		'may have been placed',
		['4711'],
	),
	...[
		[301, ''],
		[302, 'http://example.com/'],
		[303, '/orders/1'],
		[307, '/x/'],
		[308, '?again=1'],
	].map(([status, location]) =>
		row(
			`${status} to "${location}"`,
			{ status: Number(status), headers: { location: String(location) } },
			'may have been placed',
		),
	),
	row(
		'the page of a gateway',
		{ status: 504, body: '<html><title>504 Gateway Time-out</title></html>' },
		'may have been placed',
	),
	row('304', { status: 304 }, 'may have been placed'),
	row('nothing', {}, 'may have been placed'),
	row('204', { status: 204 }, 'may have been placed'),
	row('text', { body: 'ok' }, 'may have been placed'),
	row('null', { body: 'null' }, 'may have been placed'),
];

const PARAMETERS = {
	resource: 'cart',
	operation: 'checkout',
	cartIdentifier: '7',
	confirmPurchase: true,
};

const run = async (url: string, options: Partial<RunOptions> = {}) =>
	await runNode({ credentials: credentialsAt(url), parameters: PARAMETERS, ...options });

/** Everything that a user sees of a run. */
async function seen(url: string, options: Partial<RunOptions> = {}) {
	return await run(url, options).then(
		({ items, hints }) => {
			const { ordered } = nth(items, 0).json;
			const hint = hints.map(({ message }) => message).join(' ');
			return { verdict: String(ordered), shown: `${hint} ${JSON.stringify(items)}`, hint, items };
		},
		({ message, description }: NodeApiError) => ({
			verdict: message.includes('the order may have been placed')
				? 'may have been placed'
				: 'refused',
			shown: `${message} ${description ?? ''}`,
			hint: '',
			items: [],
		}),
	);
}

/** Advice that leads to a second order. */
const ORDER_AGAIN =
	/try again later|run the checkout again|retry on fail|new one, before you check out/i;

describe('a response to a checkout', () => {
	let server: AnswerServer;
	let given: Given;
	beforeAll(async () => (server = await answerWith(() => given)));
	afterAll(async () => await server.close());

	test.each(ROWS)('$verdict: $what', async ({ given: next, verdict, references, says }) => {
		given = next;
		server.asked.length = 0;
		const result = await seen(server.url);
		expect(result).toMatchObject({ verdict });
		for (const one of [...references, ...says]) expect(result.shown).toContain(one);
		expect(server.asked).toHaveLength(1);
		if (verdict === 'refused') return;
		expect(result.shown).not.toMatch(ORDER_AGAIN);
		if (verdict === 'may have been placed') {
			expect(result.shown).toMatch(/Don't run this again before you know\. Look at the account/);
			expect(result.shown).toContain('#the-order-may-have-been-placed');
		} else if (verdict !== 'true') {
			expect(result.hint).toMatch(
				/Look at the account's orders .* before you order anything again/,
			);
		}
	});

	test('a response with very many values is read', async () => {
		const details = Array.from({ length: 130_000 }, () => ({ status: 'a' }));
		given = { body: { ...success, details } };
		expect(await seen(server.url)).toMatchObject({ verdict: 'true' });
	});

	test('a response with very many statuses is read in a moment', async () => {
		given = { body: { status: Array(60_000).fill(400), x: Array(150_000).fill(1) } };
		// Of the processor: what else runs on the machine does not count.
		const start = process.cpuUsage();
		expect(await seen(server.url)).toMatchObject({ verdict: 'may have been placed' });
		const { user, system } = process.cpuUsage(start);
		expect((user + system) / 1000).toBeLessThan(6_000);
	});

	test('without an order reference none is spoken of', async () => {
		given = { body: list('SUCCESS', ok(null)) };
		const { hint, verdict } = await seen(server.url);
		expect(verdict).toBe('true');
		expect(hint).toMatch(/^The order is placed\..*portal may show them\. Help/);
	});

	test('a response that is wrapped is output as the documented one', async () => {
		given = { body: { data: success } };
		const { items } = await run(server.url);
		expect(nth(items, 0).json).toMatchObject({ ...success, ordered: true });
	});

	test.each([[[ok()]], [[ok(), ok('ORD-8')]]])('a bare list of products is %j', async (data) => {
		given = { body: data };
		expect(nth((await run(server.url)).items, 0).json).toMatchObject({ data, ordered: true });
	});

	test('the products that were not ordered are output with their reasons', async () => {
		given = { body: list('ERROR', ok(), bad()) };
		const { items } = await run(server.url);
		expect(nth(items, 0).json).toMatchObject({
			ordered: 'partly',
			failed: [
				{
					productType: 'CAPACITY',
					message: 'Not enough DIDs',
					reason: 'CAPACITY: Not enough DIDs',
				},
			],
		});
	});

	test('a field of the provider does not take the place of "ordered" and "failed"', async () => {
		given = { body: { ...success, ordered: 0, failed: 'x' } };
		const { items } = await run(server.url);
		expect(nth(items, 0).json).toMatchObject({ ordered: null, failed: [] });
	});

	test('a cart that was checked out before is not advised to be created again', async () => {
		given = { status: 400, body: coded('400', 'ORDERING') };
		expect((await seen(server.url)).shown).toMatch(
			/checked out before, look at the account's orders/,
		);
	});
});

test('the references of a response that broke off are shown', async () => {
	const text = JSON.stringify(list('SUCCESS', ok('A1'), ok('A2')));
	let requests = 0;
	const server = createServer((socket) => {
		socket.on('error', () => undefined);
		socket.once('data', () => {
			requests++;
			const head =
				'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n';
			socket.end(`${head}${text.slice(0, -10)}`);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const result = await seen(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	server.close();
	expect(result.verdict).toBe('may have been placed');
	for (const reference of ['A1', 'A2']) expect(result.shown).toContain(reference);
	expect(requests).toBe(1);
});

describe('several carts in one execution', () => {
	let server: AnswerServer;
	let refused: string[];
	beforeEach(async () => {
		refused = [];
		server = await answerWith(({ url }) => {
			const cart = url.split('/').at(-2) ?? '';
			return refused.includes(cart)
				? { status: 402, body: { message: 'No money' } }
				: { body: list('SUCCESS', ok(`ORD-${cart}`)) };
		});
	});
	afterEach(async () => await server.close());

	const carts = (...all: unknown[]): Partial<RunOptions> => ({
		parameters: all.map((cartIdentifier) => ({ ...PARAMETERS, cartIdentifier }) as IDataObject),
		items: all.map(() => ({ json: {} })),
	});
	const NOT_AGAIN =
		/^Not sent again, since each cart is checked out once in an execution: this is the error from before\. Cart A\./;
	const sent = () => server.asked.map(({ url }) => url.split('/').at(-2));

	test('a cart is checked out once, and each of its items gets the result', async () => {
		const { items } = await run(server.url, carts('A', ' A ', 'B', 'A'));
		expect(items.map(({ json }) => [json.cartIdentifier, json.ordered])).toEqual([
			['A', true],
			['A', true],
			['B', true],
			['A', true],
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(sent()).toEqual(['A', 'B']);
	});

	test('the same cart as a number and as text is one cart', async () => {
		await run(server.url, carts(7, '7'));
		expect(sent()).toEqual(['7']);
	});

	test('a refused cart is not sent again for its other items, which get the same error', async () => {
		refused = ['A'];
		const { items } = await run(server.url, { ...carts('A', 'B', 'A'), continueOnFail: true });
		const [first, second, third] = items.map(({ json }) => json);
		expect(first).toMatchObject({ error: 'No money', statusCode: 402 });
		expect(third).toEqual({ ...first, description: expect.stringMatching(NOT_AGAIN) });
		expect(first?.description).not.toMatch(NOT_AGAIN);
		expect(second).toMatchObject({ ordered: true });
		expect(sent()).toEqual(['A', 'B']);
	});

	test('the error of a later item names what was ordered before it', async () => {
		refused = ['C'];
		const { shown } = await seen(server.url, carts('A', 'B', 'C', 'D'));
		expect(shown).toMatch(
			/^No money .*cart A \(order ORD-A\); cart B \(order ORD-B\)\. .*Don't order them again/,
		);
		expect(sent()).toEqual(['A', 'B', 'C']);
	});

	test('a mistake in a later item does so too, and an error without orders before it does not', async () => {
		expect((await seen(server.url, carts('A', ''))).shown).toContain('cart A (order ORD-A)');
		refused = ['A'];
		expect((await seen(server.url, carts('A', 'B'))).shown).not.toContain('Ordered before');
	});

	test('a later run of the same execution gets the result, and sends nothing', async () => {
		const flow = {};
		await run(server.url, { ...carts('A'), flow });
		const { items } = await run(server.url, { ...carts('A', 'B'), flow });
		expect(items.map(({ json }) => json.ordered)).toEqual([true, true]);
		expect(sent()).toEqual(['A', 'B']);
	});

	test('a later run of the same execution gets the error, and is told that nothing was sent', async () => {
		const flow = {};
		refused = ['A'];
		const before = await seen(server.url, { ...carts('A'), flow });
		const { shown } = await seen(server.url, { ...carts('A'), flow });
		expect(before.shown).toMatch(/^No money Cart A\./);
		expect(shown).toMatch(/^No money Not sent again, .* Cart A\./);
		expect(sent()).toEqual(['A']);
	});

	test('an execution that is retried sends what was refused, not what was ordered', async () => {
		const flow = {};
		refused = ['B'];
		const first = await seen(server.url, { ...carts('A', 'B'), flow, executionId: '1' });
		expect(first.shown).toContain('cart A (order ORD-A)');
		refused = [];
		const stored = JSON.parse(JSON.stringify(flow)) as IDataObject;
		await run(server.url, { ...carts('A', 'B'), flow: stored, executionId: '2' });
		expect(sent()).toEqual(['A', 'B', 'B']);
	});

	test('a cart that could not be sent is sent by a later run', async () => {
		const gone = await answerWith(() => ({}));
		await gone.close();
		const flow = {};
		const { shown } = await seen(gone.url, { ...carts('A'), flow });
		expect(shown).toMatch(/refused the connection.*Nothing was changed/);
		const { items } = await run(server.url, { ...carts('A'), flow });
		expect(nth(items, 0).json).toMatchObject({ ordered: true });
	});

	test('whatever goes wrong after a checkout was sent, it may have been placed and is not sent again', async () => {
		const options = { credentials: credentialsAt(server.url), ...carts('A', 'A') } as RunOptions;
		const n8n = executeContext({ ...options, continueOnFail: true });
		n8n.addExecutionHints = () => {
			throw new RangeError('Maximum call stack size exceeded');
		};
		const timing = { sleep: async () => undefined, now: Date.now, random: () => 0 };
		const [items = []] = await runItems(n8n, resources, timing);
		expect(items).toHaveLength(2);
		for (const { json } of items)
			expect(json).toMatchObject({
				error: "The response can't be read: the order may have been placed",
				description: expect.stringMatching(/Don't run this again before you know/),
			});
		expect(sent()).toEqual(['A']);
	});

	test('carts of two accounts with the same number are two carts', async () => {
		const flow = {};
		for (const id of ['1', '2']) {
			const node = { credentials: { voiceManagementApi: { id, name: 'Account' } } };
			await run(server.url, { ...carts('A'), flow, node });
		}
		expect(sent()).toEqual(['A', 'A']);
	});

	test('nothing is sent while "Retry On Fail" is on', async () => {
		const { shown } = await seen(server.url, { node: { retryOnFail: true } });
		expect(shown).toMatch(
			/^"Retry On Fail" is on: no order was placed Nothing was sent\. Turn off "Retry On Fail" in the settings/,
		);
		expect(sent()).toEqual([]);
	});
});
