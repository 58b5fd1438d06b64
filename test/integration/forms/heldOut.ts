// Responses in forms that no document shows, composed from how services of this decade name, wrap and state things. It
// knows nothing of the reader: each form has what the provider means, and what the user must get.

import type { IDataObject } from 'n8n-workflow';

type Body = Record<string, unknown>;

export interface HeldOut {
	name: string;
	operation:
		'list' | 'get' | 'createAddress' | 'createCart' | 'write' | 'checkout' | 'validate' | 'login';
	status: number;
	body: string;
	type: string;
	/** What the user gets: fields of the first item, or words of the error. */
	expected: { item: IDataObject } | { items: number } | { error: string };
}

const json = (body: unknown) => ({ body: JSON.stringify(body), type: 'application/json' });

/** Elements of XML, as a serializer of the same object writes them. */
function xml(value: unknown, name: string): string {
	if (Array.isArray(value)) return value.map((entry) => xml(entry, name)).join('');
	const inner =
		typeof value === 'object' && value !== null
			? Object.entries(value)
					.map(([key, field]) => xml(field, key))
					.join('')
			: String(value ?? '');
	return `<${name}>${inner}</${name}>`;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
const SPELLINGS: Record<string, (name: string) => string> = {
	asIs: (name) => name,
	snake,
	Pascal: (name) => name.charAt(0).toUpperCase() + name.slice(1),
	UPPER: (name) => snake(name).toUpperCase(),
	kebab: (name) => snake(name).replaceAll('_', '-'),
};

function spelled(value: unknown, spell: (name: string) => string): unknown {
	if (Array.isArray(value)) return value.map((entry) => spelled(entry, spell));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [spell(key), spelled(field, spell)]),
	);
}

const WRAPPERS: Record<string, (body: unknown) => unknown> = {
	bare: (body) => body,
	data: (data) => ({ data }),
	result: (result) => ({ status: 'OK', result }),
	reponse: (reponse) => ({ code: 0, reponse }),
	payload: (payload) => ({ success: true, payload, timestamp: '2026-11-25T10:00:00Z' }),
	meta: (data) => ({ meta: { requestId: 'r-17', durationMs: 12 }, data }),
	soap: (body) => ({ Envelope: { Header: '', Body: { operationResponse: { return: body } } } }),
	graph: (regulation) => ({ data: { regulation } }),
	list: (body) => [body],
};

const combine = <T>(
	values: Record<string, T>,
	wrappers: string[],
	spellings: string[],
	build: (name: string, value: T, write: (body: unknown) => unknown) => HeldOut[],
): HeldOut[] =>
	Object.entries(values).flatMap(([name, value]) =>
		wrappers.flatMap((wrapper) =>
			spellings.flatMap((spelling) =>
				build(`${name}, ${wrapper}, ${spelling}`, value, (body) =>
					WRAPPERS[wrapper]!(spelled(body, SPELLINGS[spelling]!)),
				),
			),
		),
	);

// ── lists ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const TWO = [
	{ addressId: 101, city: 'Liège', zipCode: '4000', status: 'VERIFIED' },
	{ addressId: 102, city: 'Namur', zipCode: '5000', status: 'REJECTED' },
];

const LISTS: Record<string, (list: unknown[]) => unknown> = {
	documented: (list) => ({ regulationAddresses: list, resultCount: 2 }),
	adresses: (list) => ({ adresses: list, nombre: 2 }),
	localAddresses: (list) => ({ localAddresses: list, total: 2 }),
	addressList: (list) => ({ addressList: list }),
	records: (list) => ({ records: list, totalRecords: 2 }),
	'content of a page': (list) => ({ content: list, totalElements: 2, last: true }),
	'rows beside columns': (list) => ({ columns: ['id', 'city'], rows: list }),
	'beside warnings': (list) => ({ warnings: [{ message: 'Slow' }], found: list }),
	'by identifier': (list) => ({
		addresses: Object.fromEntries(list.map((entry, at) => [`a${at}`, entry])),
	}),
	'of wrapped entries': (list) => ({ addresses: list.map((address) => ({ address })) }),
	'nested once more': (list) => ({ addresses: { address: list } }),
	docs: (list) => ({ response: { docs: list, numFound: 2 } }),
	edges: (list) => ({
		data: { addresses: { edges: list.map((node) => ({ cursor: 'x', node })) } },
	}),
	'beside links': (list) => ({ links: [{ rel: 'self' }, { rel: 'next' }], adresses: list }),
	'with pagination': (list) => ({ items: list, pagination: { page: 0, total: 2 } }),
};

const lists = combine(
	LISTS,
	['bare', 'data', 'result', 'meta', 'graph'],
	Object.keys(SPELLINGS),
	(name, make, write) => [
		{
			name: `list: ${name}`,
			operation: 'list',
			status: 200,
			...json(write(make(TWO))),
			expected: { items: 2 },
		},
	],
);

const xmlLists: HeldOut[] = Object.entries(LISTS)
	.filter(([name]) => !/identifier|wrapped|edges/.test(name))
	.map(([name, make]) => ({
		name: `list: ${name}, XML`,
		operation: 'list',
		status: 200,
		body: `<?xml version="1.0" encoding="UTF-8"?>${xml(make(TWO), 'answer')}`,
		type: 'application/xml',
		expected: { items: 2 },
	}));

const IDS = [
	'addressId',
	'regulationAddressId',
	'idAddress',
	'adresseId',
	'addressRef',
	'addressNumber',
	'id',
	'identifier',
	'uuid',
	'reference',
];
const single = IDS.flatMap((id) =>
	['bare', 'data', 'result', 'list'].map((wrapper): HeldOut => {
		const address = { [id]: 'A-77', city: 'Liège', status: 'REJECTED', rejectionReasons: [] };
		return {
			name: `get: ${id}, ${wrapper}`,
			operation: 'get',
			status: 200,
			...json(WRAPPERS[wrapper]!(address)),
			expected: { item: { addressId: 'A-77', city: 'Liège' } },
		};
	}),
);

// ── identifiers of new things ────────────────────────────────────────────────────────────────────────────────────────────

const created = [
	...IDS.flatMap((id) =>
		['bare', 'data', 'payload', 'soap'].map((wrapper): [string, unknown] => [
			`${id}, ${wrapper}`,
			WRAPPERS[wrapper]!({ [id]: 4711 }),
		]),
	),
	['in the address', { address: { id: 4711, city: 'Liège', status: 'NEW' } }],
	['in the address beside another id', { id: 'req-9', regulationAddress: { id: 4711 } }],
	['as a link', { status: 'CREATED', _links: { self: { href: '/v1/regulation/address/4711' } } }],
	['as a location', { location: 'https://api.example.com/address/4711?v=1' }],
	['as what was created', { created: { id: 4711 } }],
	['as a new one', { newAddressId: 4711 }],
	['as an inserted one', { ok: 1, insertId: 4711 }],
	['as a number', 4711],
	['as the result', { status: 'SUCCESS', result: 4711 }],
	['as the data', { ok: true, data: '4711' }],
].map(([name, body]): HeldOut => ({
	name: `new address: ${String(name)}`,
	operation: 'createAddress',
	status: 201,
	...json(body),
	expected: { item: { addressId: '4711' } },
}));

const CART_IDS = [
	'cartIdentifier',
	'cartId',
	'idCart',
	'cart_number',
	'basketId',
	'shoppingCartId',
	'panierId',
	'idPanier',
	'orderCartRef',
	'id',
	'identifier',
	'uuid',
];
const carts = [
	...CART_IDS.flatMap((id) => [
		[`${id} in the cart`, { cart: { [id]: 'C-9', description: null } }],
		[`${id} flat`, { [id]: 'C-9', dateAdded: '2026-11-25' }],
		[`${id} wrapped`, { statut: 'ok', reponse: { cart: { [id]: 'C-9' } } }],
	]),
	['as a bare text', { cart: 'C-9' }],
	['in a basket', { basket: { id: 'C-9' } }],
].map(([name, body]): HeldOut => ({
	name: `new cart: ${String(name)}`,
	operation: 'createCart',
	status: 200,
	...json(body),
	expected: { item: { cartIdentifier: 'C-9' } },
}));

// ── what a response states ───────────────────────────────────────────────────────────────────────────────────────────────

const GOOD: Record<string, unknown> = {
	'status word': { status: 'SUCCESS' },
	'status in French': { statut: 'réussi' },
	accepted: { status: 'accepted' },
	'state done': { state: 'DONE' },
	'outcome ok': { outcome: 'ok' },
	'return code': { returnCode: 0, returnMessage: 'OK' },
	'result code': { resultCode: '0000', resultMessage: 'Traitement effectué' },
	'error code 0': { errorCode: 0, errorMessage: null },
	'error none': { error: null, message: 'Linked' },
	'errors empty': { errors: [], linked: 1 },
	'success flag': { success: true },
	'ok flag as text': { ok: 'true' },
	'flag Y': { success: 'Y' },
	'an object': { didId: 1, address: { addressId: 7 } },
	nothing: {},
	'no errors': { message: 'Processed without errors' },
	'http status': { httpStatus: 200, title: 'OK' },
};
const good = combine(
	GOOD,
	['bare', 'data', 'soap', 'list'],
	['asIs', 'snake', 'Pascal'],
	(name, body, write) => [
		{
			name: `link done: ${name}`,
			operation: 'write',
			status: 200,
			...json(write(body)),
			expected: { item: { addressId: '7' } },
		},
	],
);
const words: HeldOut[] = [
	'OK',
	'200 OK',
	'Done.',
	'Numbers linked',
	'Opération effectuée',
	'"SUCCESS"',
	'true',
	'1',
	'null',
	'[]',
	'',
].map((body) => ({
	name: `link done: the text ${JSON.stringify(body)}`,
	operation: 'write',
	status: 200,
	body,
	type: 'text/plain',
	expected: { item: { addressId: '7' } },
}));

const WHY = 'Number 1 is not yours';
const BAD: Record<string, Body> = {
	'status word': { status: 'ERROR', message: WHY },
	'status in French': { statut: 'refusé', libelle: WHY },
	'state refused': { state: 'REFUSED', reason: WHY },
	'result failed': { result: 'failed', description: WHY },
	'outcome rejected': { outcome: 'rejected', detail: WHY },
	'code 409': { code: 409, message: WHY },
	'code 422 as text': { statusCode: '422', message: WHY },
	'return code': { returnCode: 17, returnMessage: WHY },
	'negative result': { result: -4, msg: WHY },
	'error code': { errorCode: 'DID_NOT_OWNED', errorMessage: WHY },
	'error number': { errno: 31, errorText: WHY },
	'err in French': { codeErreur: 31, messageErreur: WHY },
	'error text': { error: WHY },
	'error object': { error: { code: 'X1', message: WHY } },
	'error with details': {
		error: { type: 'business', details: [{ issue: 'x', description: WHY }] },
	},
	'errors of texts': { errors: [WHY] },
	'errors of objects': { errors: [{ code: 31, detail: WHY }] },
	'errors of the third party': { errors: [{ apiErrorCode: '516', apiErrorMessage: WHY }] },
	'success false': { success: false, message: WHY },
	'success no': { success: 'no', info: WHY },
	'ok 0': { ok: 0, explanation: WHY },
	'error flag': { isError: true, message: WHY },
	'has errors': { hasErrors: 'true', messages: [WHY] },
	exception: { exception: 'java.lang.IllegalStateException', message: WHY },
	fault: { fault: { faultcode: 'Client', faultstring: WHY } },
	problem: { type: 'https://example.com/p', title: 'Refused', detail: WHY },
	violation: { violations: [{ propertyPath: 'didIds', message: WHY }] },
	severity: { severity: 'ERROR', message: WHY },
	'result in French': { resultat: 'échec', motif: WHY },
	'returned object': { return: { code: '12', libelle: WHY } },
	'status 0 with an error': { status: 0, error: WHY },
	'failure without data': { status: 'failure', data: null, message: WHY },
	'errors by field': { success: false, errors: { didIds: WHY } },
	'errors of XML': { errors: { error: [{ code: 1, text: WHY }] } },
	'error messages': { errorMessages: [WHY] },
	'messages by kind': { messages: { error: [WHY] } },
	'messages with a level': { messages: [{ level: 'error', text: WHY }] },
	'status object': { status: { code: 'KO', label: WHY } },
	'result object': { result: { success: false, message: WHY } },
	'a code of words': { code: 'ERR_NOT_OWNER', message: WHY },
	'JSON:API': { errors: [{ status: '409', code: 'x', title: 'Conflict', detail: WHY }] },
	'errors of an RPC': { error: { errors: [{ reason: 'notOwner', message: WHY }], code: 403 } },
	'response code': { responseCode: '99', responseDescription: WHY },
	'reason phrase': { isSuccess: false, reasonPhrase: WHY },
};
const bad = combine(
	BAD,
	['bare', 'data', 'soap', 'list'],
	['asIs', 'snake', 'Pascal'],
	(name, body, write) => [
		{
			name: `link refused in a 200: ${name}`,
			operation: 'write',
			status: 200,
			...json(write(body)),
			expected: { error: WHY },
		},
	],
);
const refused = combine(
	BAD,
	['bare', 'data', 'reponse'],
	['asIs', 'UPPER'],
	(name, body, write) => [
		{
			name: `list refused with 400: ${name}`,
			operation: 'list',
			status: 400,
			...json(write(body)),
			expected: { error: WHY },
		},
	],
);
const orders = combine(BAD, ['bare', 'data'], ['asIs'], (name, body, write) => [
	{
		name: `checkout refused in a 200: ${name}`,
		operation: 'checkout',
		status: 200,
		...json(write({ ...body, orderReference: null })),
		expected: { error: WHY },
	},
]);
const byField: HeldOut[] = [
	{ message: 'Validation failed', errors: { didIds: [WHY] } },
	{ message: 'Validation failed', fieldErrors: [{ field: 'didIds', message: WHY }] },
	{
		error: 'Bad Request',
		message: 'Validation failed',
		details: [{ field: 'didIds', message: WHY }],
	},
	{ title: 'Invalid', status: 422, 'invalid-params': [{ name: 'didIds', reason: WHY }] },
	{ status: 'error', message: 'See the fields', fields: { didIds: WHY } },
	{ code: 'VALIDATION', errors: [{ source: { pointer: '/didIds' }, detail: WHY }] },
	{ didIds: [WHY] },
].map((body, at) => ({
	name: `link refused by its field: ${at}`,
	operation: 'write',
	status: 422,
	...json(body),
	expected: { error: WHY },
}));

// ── validation, orders, logins ───────────────────────────────────────────────────────────────────────────────────────────

const VALIDITY: Array<[boolean, Body]> = [
	[true, { isValid: true }],
	[false, { isValid: false, reasons: [{ code: '507', message: 'City' }] }],
	[true, { valid: 'true' }],
	[false, { valid: 'N', errors: ['City'] }],
	[false, { status: 'INVALID', isValid: false }],
	[false, { status: 'INVALID', reasons: ['City'] }],
	[true, { status: 'VALID' }],
	[false, { status: 'NOT_VALID' }],
	[false, { validity: 0, message: 'City is missing' }],
	[true, { isValid: 1, code: 515 }],
	[false, { result: 'invalid' }],
	[true, { valide: 'oui' }],
];
const validations = VALIDITY.flatMap(([isValid, body], at) =>
	['bare', 'data', 'meta', 'list', 'soap'].map((wrapper): HeldOut => ({
		name: `validate: ${at}, ${wrapper}`,
		operation: 'validate',
		status: 200,
		...json(WRAPPERS[wrapper]!(body)),
		expected: { item: { isValid } },
	})),
);

const ORDERED: Record<string, Body> = {
	documented: {
		status: 'SUCCESS',
		productCheckoutList: [{ productType: 'DID', status: 'SUCCESS' }],
	},
	'without a list': { status: 'success', orderReference: 'O-1' },
	'with a code': { code: 0, status: 'OK', orderReference: 'O-1' },
	completed: { state: 'COMPLETED', orderId: 'O-1' },
	flag: { success: true, order: { reference: 'O-1' } },
};
const purchases = combine(
	ORDERED,
	['bare', 'data', 'payload'],
	['asIs', 'Pascal'],
	(name, body, write) => [
		{
			name: `checkout: ${name}`,
			operation: 'checkout',
			status: 200,
			...json(write(body)),
			expected: { item: { cartIdentifier: '5' } },
		},
	],
);

const TOKENS = [
	'id_session',
	'sessionId',
	'idSession',
	'session_token',
	'token',
	'access_token',
	'jeton',
	'sid',
];
const logins = TOKENS.flatMap((token) =>
	['bare', 'data', 'result', 'reponse', 'list'].map((wrapper): HeldOut => ({
		name: `login: ${token}, ${wrapper}`,
		operation: 'login',
		status: 200,
		...json(WRAPPERS[wrapper]!({ [token]: 'abcdef0123456789', target: 9001, ops: [] })),
		expected: { item: { target: 9001 } },
	})),
);

export const HELD_OUT: HeldOut[] = [
	...[...lists, ...xmlLists, ...single, ...created, ...carts],
	...[...good, ...words, ...bad, ...refused, ...orders, ...byField],
	...[...validations, ...purchases, ...logins],
];
