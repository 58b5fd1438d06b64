/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Responses in forms that no document shows, composed from how services of this decade name, wrap and state things. It
// knows nothing of the reader: each form has what the provider means, and what the user must get.

import type { IDataObject } from 'n8n-workflow';

type Body = Record<string, unknown>;

export interface HeldOut {
	name: string;
	/** Resource and operation, as `operations` of forms.ts names them. */
	operation: string;
	status: number;
	body: string | Buffer;
	headers: Record<string, string>;
	/** What the user gets: fields of the first item, a number of addresses, or words of the error. */
	expected: { item: IDataObject } | { items: number } | { error: string };
}

/** Forms of an operation's response that mean the same: text is sent as it is, anything else as JSON. */
const forms =
	(operation: string, expected: HeldOut['expected'], status = 200) =>
	([name, body, type]: readonly [name: string, body: unknown, type?: string]): HeldOut => {
		const isText = typeof body === 'string' || Buffer.isBuffer(body);
		return {
			name: `${operation}: ${name}`,
			operation,
			status,
			expected,
			body: isText ? body : JSON.stringify(body),
			headers: { 'content-type': type ?? (isText ? 'text/plain' : 'application/json') },
		};
	};

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
	prefixed: (name) => `ns2:${name}`,
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
	graph: (regulation) => ({ data: { regulation }, errors: null }),
	list: (body) => [body],
	header: (body) => ({ header: { resultCode: '0000', resultMsg: 'OK' }, body }),
	twice: (data) => ({ response: { data } }),
	unknown: (regulation) => ({ regulation }),
	entity: (entity) => ({ status: 'SUCCESS', entity }),
	info: (info) => ({ code: 0, msg: '', info }),
	state: (data) => ({ status: { code: 200, message: 'OK' }, data }),
	d: (d) => ({ d }),
	rpc: (result) => ({ jsonrpc: '2.0', id: 1, result }),
	listed: (body) => ({ data: [body] }),
};

/** Each body in each of these wrappers and spellings. */
const combine = (bodies: Record<string, unknown>, wrappers: string[], spellings = ['asIs']) =>
	Object.entries(bodies).flatMap(([name, body]) =>
		wrappers.flatMap((wrapper) =>
			spellings.map((spelling): [string, unknown] => [
				`${name}, ${wrapper}, ${spelling}`,
				WRAPPERS[wrapper]!(spelled(body, SPELLINGS[spelling]!)),
			]),
		),
	);

// ── each operation ──────────────────────────────────────────────────────────────────────────────────────────────────

const TWO = [
	{ addressId: 101, city: 'Liège', zipCode: '4000', status: 'VERIFIED' },
	{ addressId: 102, city: 'Namur', zipCode: '5000', status: 'REJECTED' },
];
const LINKED = { item: { addressId: '7' } };
const TOKEN = 'abcdef0123456789';

/** What an operation answers by the documents, and what it gives the user. */
const DOCUMENTED: Array<[string, Body, HeldOut['expected']]> = [
	[
		'zipcode/getAll',
		{ cityZipCodes: [{ zipCode: '4000', cityName: 'Liège' }], resultCount: 1 },
		{ item: { zipCode: '4000', cityName: 'Liège' } },
	],
	['address/create', { addressId: 4711 }, { item: { addressId: '4711' } }],
	['address/getAll', { regulationAddresses: TWO, resultCount: 2 }, { items: 2 }],
	['address/get', { regulationAddresses: TWO.slice(0, 1) }, { item: { city: 'Liège' } }],
	['address/validate', { isValid: true }, { item: { isValid: true } }],
	['address/link', { status: 'SUCCESS' }, LINKED],
	['cart/create', { cart: { cartIdentifier: 'C-9' } }, { item: { cartIdentifier: 'C-9' } }],
	['session/getInfo', { id_session: TOKEN, target: 9001, ops: [] }, { item: { target: 9001 } }],
	['session/createToken', { id_session: TOKEN }, { item: { id_session: TOKEN } }],
];

/** How bytes may be written, and what is said about them. */
const ENCODINGS: Array<[string, (text: string) => string | Buffer, string]> = [
	['as JSON in JSON', (text) => JSON.stringify(text), 'application/json'],
	['between blanks', (text) => `\r\n\r\n  ${text}\r\n`, 'application/json'],
	['behind a mark', (text) => `\ufeff${text}`, 'application/json; charset=iso-8859-1'],
	['in UTF-8, said to be Latin 1', (text) => text, 'application/json; charset=ISO-8859-1'],
	['in UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'application/json'],
	['in UTF-16, unmarked', (text) => Buffer.from(text, 'utf16le'), 'text/plain; charset=utf-16le'],
	['in Latin 1', (text) => Buffer.from(text, 'latin1'), "text/json; charset='windows-1252'"],
	['in no known charset', (text) => text, 'application/json; charset=x-klingon'],
	['with half a type', (text) => text, 'json'],
	['as text', (text) => text, 'text/plain; charset=us-ascii'],
	['as octets', (text) => text, 'application/octet-stream'],
	[
		'in XML',
		(text) => `<?xml version="1.0" encoding="UTF-8"?>${xml(JSON.parse(text), 'response')}`,
		'application/xml',
	],
	[
		'in XML that is said to be JSON',
		(text) =>
			`<?xml version="1.0"?>\n<ns:reply xmlns:ns="urn:x">${xml(JSON.parse(text), 'answer')}</ns:reply>`,
		'application/json',
	],
];

const documented = DOCUMENTED.flatMap(([operation, body, expected]) =>
	[
		...combine({ documented: body }, Object.keys(WRAPPERS)),
		...combine({ documented: body }, ['bare'], Object.keys(SPELLINGS).slice(1)),
		...ENCODINGS.map(([how, write, type]) => [how, write(JSON.stringify(body)), type] as const),
		['with links', { ...body, _links: { self: { href: '/x' } } }] as const,
	].map(forms(operation, expected)),
);

// ── lists ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const LISTS: Record<string, (list: typeof TWO) => unknown> = {
	adresses: (list) => ({ adresses: list, nombre: 2 }),
	localAddresses: (list) => ({ localAddresses: list, total: 2 }),
	addressList: (list) => ({ addressList: list }),
	records: (list) => ({ records: list, totalRecords: 2 }),
	'content of a page': (list) => ({ content: list, totalElements: 2, last: true }),
	'rows beside columns': (list) => ({ columns: ['id', 'city'], rows: list }),
	'beside warnings': (list) => ({ warnings: [{ message: 'Slow' }], found: list }),
	'of wrapped entries': (list) => ({ addresses: list.map((address) => ({ address })) }),
	'nested once more': (list) => ({ addresses: { address: list } }),
	docs: (list) => ({ response: { docs: list, numFound: 2 } }),
	'beside links': (list) => ({ links: [{ rel: 'self' }, { rel: 'next' }], adresses: list }),
	'with pagination': (list) => ({ items: list, pagination: { page: 0, total: 2 } }),
	'a page in its name': (list) => ({ regulationAddresses: { items: list, page: 0 } }),
	attributes: (list) => ({
		data: list.map(({ addressId: id, ...attributes }) => ({ type: 'address', id, attributes })),
		meta: { total: 2 },
	}),
	singular: (list) => ({ regulationAddress: list, resultCount: 2 }),
	bare: (list) => list,
	'nested under its own name': (list) => ({ regulationAddresses: { regulationAddress: list } }),
	'of an unknown name': (list) => ({ lieux: list, nb: list.length }),
	...Object.fromEntries(
		[
			{ resultCount: -1 },
			{ resultCount: 0 },
			{ resultCount: '2 entries' },
			{ totalPages: 1 },
			{ range: '0-49/2' },
		].map((count) => [
			`with ${JSON.stringify(count)}`,
			(list: unknown) => ({ regulationAddresses: list, ...count }),
		]),
	),
};
const written = Object.fromEntries(Object.entries(LISTS).map(([name, make]) => [name, make(TWO)]));
const lists = [
	...combine(written, ['bare', 'data', 'result', 'meta', 'graph']),
	...combine(written, ['bare'], Object.keys(SPELLINGS).slice(1)),
	...Object.entries(written)
		.filter(([name]) => !/wrapped/.test(name))
		.map(([name, body]) => [`${name}, XML`, xml(body, 'answer'), 'application/xml'] as const),
].map(forms('address/getAll', { items: 2 }));
const ofOne = combine({ 'the one entry itself': { regulationAddresses: TWO[0] } }, [
	'bare',
	'data',
]).map(forms('address/getAll', { items: 1 }));

const IDS = ['addressId', 'regulationAddressId', 'id'];
const keyed = (names: string[], value: unknown, more: Body = {}) =>
	Object.fromEntries(names.map((name) => [name, { [name]: value, ...more }]));
const single = combine(
	keyed(IDS, 'A-77', { city: 'Liège', status: 'REJECTED', rejectionReasons: [] }),
	['bare', 'data', 'result', 'list'],
).map(forms('address/get', { item: { addressId: 'A-77', city: 'Liège' } }));

// ── identifiers of new things ────────────────────────────────────────────────────────────────────────────────────────────

const created = [
	...combine(keyed(IDS, 4711), ['bare', 'data', 'payload', 'soap']),
	['in the address', { address: { id: 4711, city: 'Liège', status: 'NEW' } }] as const,
	['beside another id', { id: 'req-9', regulationAddress: { id: 4711 } }] as const,
	['in a list', { regulationAddresses: [{ addressId: 4711, status: 'REJECTED' }] }] as const,
	[
		'as a link',
		{ status: 'CREATED', _links: { self: { href: '/v1/regulation/address/4711' } } },
	] as const,
	['as a location', { location: 'https://api.example.com/address/4711?v=1' }] as const,
	['as what was created', { created: { id: 4711 } }] as const,
	['as a new one', { newAddressId: 4711 }] as const,
	['as an inserted one', { ok: 1, insertId: 4711 }] as const,
	['as a number', 4711] as const,
	['as a text', '"4711"', 'application/json'] as const,
	['as a plain text', '4711\n'] as const,
	['as the result', { status: 'SUCCESS', result: 4711 }] as const,
	['as the data', { ok: true, data: '4711' }] as const,
].map(forms('address/create', { item: { addressId: '4711' } }, 201));
const large = [['beyond 2^53', '{"addressId":9007199254740993}', 'application/json'] as const].map(
	forms('address/create', { item: { addressId: '9007199254740993' } }),
);
const located = ['location', 'content-location'].map((name): HeldOut => {
	const form = forms(
		'address/create',
		{ item: { addressId: '4711' } },
		201,
	)([`${name} header`, '']);
	return { ...form, headers: { [name]: '/vbapi/v1/regulation/address/4711' } };
});

const CART_IDS = ['cartIdentifier', 'cartId', 'id'];
const carts = [
	...CART_IDS.flatMap((id) => [
		[`${id} in the cart`, { cart: { [id]: 'C-9', description: null } }] as const,
		[`${id} flat`, { [id]: 'C-9', dateAdded: '2026-11-25' }] as const,
		[`${id} wrapped`, { statut: 'ok', reponse: { cart: { [id]: 'C-9' } } }] as const,
	]),
	['as a bare text', { cart: 'C-9' }] as const,
	['in a basket', { basket: { id: 'C-9' } }] as const,
	['in a list', { cart: [{ cartIdentifier: 'C-9' }] }] as const,
	['in a named cart', { shoppingCart: { id: 'C-9' } }] as const,
	['as the result', { result: 'C-9' }] as const,
].map(forms('cart/create', { item: { cartIdentifier: 'C-9' } }));

// ── what a response states ───────────────────────────────────────────────────────────────────────────────────────────────

const GOOD: Record<string, Body> = {
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
	'no error flag': { isError: 'N' },
	'no errors flag': { hasErrors: 0 },
	'an error of a success': { error: { code: 0, message: 'OK' } },
	'no errors by name': { errors: {}, warnings: [] },
	'a status with words': { statusCode: '200 OK' },
	'a result of 1': { result: 1 },
	'success as text': { success: '1' },
	acknowledged: { Ack: 'Success' },
	'the code of no error': { err_code: 'NO_ERR' },
	'the code OK': { err_code: 'OK', err_msg: '' },
	'no code': { err_code: null, err_msg: null },
	'no error of the third party': { apiErrorCode: 0, apiErrorMessage: 'No error' },
};
const OF_GOOD = /^(?!an object|nothing)/;
const good = combine(GOOD, ['bare', 'data', 'soap', 'list'], ['asIs', 'snake', 'Pascal']).map(
	forms('address/link', LINKED),
);
/** The same beside what was requested. */
const beside = Object.entries(GOOD)
	.filter(([name]) => OF_GOOD.test(name))
	.map(([name, body]) => [`beside ${name}`, { ...body, regulationAddresses: TWO }] as const)
	.map(forms('address/getAll', { items: 2 }));
const words = [
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
	'<status>OK</status>',
	'<?xml version="1.0"?><rsp stat="ok"/>',
]
	.map((body) => [`the text ${JSON.stringify(body)}`, body] as const)
	.map(forms('address/link', LINKED, 202));

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
	'a code of a login': { err_code: 'E31', err_msg: WHY },
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
	'success N': { success: 'N', message: WHY },
	'status and raison': { status: 'NOK', raison: WHY },
	'status message': { status: 'Failed', statusMessage: WHY },
	'not ok': { status: 'not ok', text: WHY },
	'status fatal': { status: 'FATAL', message: WHY },
	'a request that is bad': { status: 'BAD_REQUEST', message: WHY },
	'status with words': { statusCode: '409 Bad', message: WHY },
	'status with a flag': { status: { code: 7, success: false, message: WHY } },
	'status and comment': { statut: 'KO', commentaire: WHY },
	'error 1': { error: 1, message: WHY },
	'error in an error': { error: { inner: { reason: WHY } } },
	'error of a result': { result: { error: WHY } },
	erreur: { erreur: { code: 12, libelle: WHY } },
	'message alone': { err_msg: WHY },
	'error number and message': { errno: 5, errmsg: WHY },
	'ret below 0': { ret: -1, msg: WHY },
	retcode: { retcode: 17, retmsg: WHY },
	code_retour: { code_retour: 12, libelle_retour: WHY },
	'codeRetour as text': { codeRetour: 'E012', libelleRetour: WHY },
	reussi: { reussi: false, message: WHY },
	'ack NOK': { ack: 'NOK', details: WHY },
	'ack failure': { Ack: 'Failure', Errors: [{ LongMessage: WHY }] },
	'kind of an exception': { Message: WHY, ExceptionType: 'System.Exception' },
	'a header with a code': { header: { resultCode: '1201', resultMsg: WHY }, body: null },
	'an RPC': { jsonrpc: '2.0', id: 1, error: { code: -32602, message: WHY } },
	'parts that failed': { results: [{ id: 1, success: false, error: WHY }] },
	'errors beside no data': { data: null, errors: [{ message: WHY, path: ['link'] }] },
	'errors with a detail': { errors: [{ detail: WHY }] },
	'errors by number': { errors: { 0: { message: WHY } } },
	'a code with a name': { code: 'E_NOT_FOUND', text: WHY },
	'a message in markup': { status: 'error', message: `<p>${WHY}</p>` },
	'an error with a language': {
		'odata.error': { code: '', message: { lang: 'en', value: WHY } },
	},
};
const bad = combine(BAD, ['bare', 'data', 'soap', 'list'], ['asIs', 'Pascal']).map(
	forms('address/link', { error: WHY }),
);
const badWords = [
	['words', `ERROR: ${WHY}`],
	['a pair', ['ERROR', WHY]],
	['XML', `<r><status>ERROR</status><reason>${WHY}</reason></r>`, 'text/xml'],
	['attributes', `<rsp stat="fail"><err code="1" msg="${WHY}"/></rsp>`, 'text/xml'],
] as const;
const refused = [
	...combine(BAD, ['bare', 'reponse'], ['asIs', 'UPPER']),
	...badWords,
	['a text', JSON.stringify(WHY), 'application/json'] as const,
	['texts', [WHY]] as const,
	['fields', [{ property: 'city', message: WHY }]] as const,
	['behind a mark', `\ufeff${JSON.stringify({ message: WHY })}`, 'application/json'] as const,
].map(forms('address/getAll', { error: WHY }, 400));
/** Whatever else was requested, with a status of a success. A list of messages is nothing that a read would doubt. */
const inSuccess = [
	'zipcode/getAll',
	'address/create',
	'address/get',
	'address/uploadProof',
	'address/requestVerification',
	'address/unlink',
	'address/delete',
	'cart/create',
	'cart/addProduct',
	'cart/checkout',
	'session/getInfo',
	'session/createToken',
].flatMap((operation) =>
	[...Object.entries(BAD), ...badWords]
		.filter(([name]) => name !== 'messages with a level')
		.map(forms(operation, { error: WHY })),
);
const byField = [
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
]
	.map((body, at) => [`refused by its field, ${at}`, body] as const)
	.map(forms('address/link', { error: WHY }, 422));

// ── validation, orders, logins ───────────────────────────────────────────────────────────────────────────────────────────

const VALIDITY: Array<[boolean, Body]> = [
	[true, { isValid: true }],
	[false, { isValid: false, reasons: [{ code: '507', message: 'City' }] }],
	[true, { isValid: true, reasons: [{ code: '520', message: 'No verification is needed' }] }],
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
	combine({ [at]: body }, ['bare', 'data', 'meta', 'list', 'soap']).map(
		forms('address/validate', { item: { isValid } }),
	),
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
const purchases = combine(ORDERED, ['bare', 'data', 'payload'], ['asIs', 'Pascal']).map(
	forms('cart/checkout', { item: { cartIdentifier: '7' } }),
);

const TOKENS = ['id_session', 'sessionId', 'session_token', 'token', 'access_token'];
const SESSIONS: Record<string, Body> = {
	...keyed(TOKENS, TOKEN, { target: 9001, ops: [] }),
	'in a session': { session: { id: TOKEN, target: 9001 }, ops: [] },
	'beside a user': { auth: { id_session: TOKEN }, user: { target: 9001 } },
	'as values': { id_session: { value: TOKEN }, target: { value: 9001 } },
	'of a supervisor': { id_session: TOKEN, id_superviseur: 9001 },
	'of an object': { id_session: TOKEN, target: { id: 9001, name: 'x' } },
	'of a request': { requete: 'init', status: 'ok', msg: { id_session: TOKEN, target: 9001 } },
	'in a header': { header: { id_session: TOKEN, err_code: 0 }, msg: { target: 9001 } },
};
const logins = combine(SESSIONS, ['bare', 'data', 'result', 'reponse', 'list']).map(
	forms('session/getInfo', { item: { target: 9001 } }),
);
const tokens = [
	...combine(keyed(TOKENS, TOKEN), ['bare', 'data']),
	['as text', TOKEN] as const,
	['as JSON text', JSON.stringify(TOKEN), 'application/json'] as const,
	['as a form', `id_session=${TOKEN}&expires_in=7200`] as const,
	['as an attribute', `<?xml version="1.0"?><token id_session="${TOKEN}"/>`, 'text/xml'] as const,
	['as the data', { status: 'OK', data: TOKEN }] as const,
].map(forms('session/createToken', { item: { id_session: TOKEN } }));

export const HELD_OUT: HeldOut[] = [
	...[...documented, ...lists, ...ofOne, ...large, ...single, ...created, ...located, ...carts],
	...[...good, ...beside, ...words, ...bad, ...refused, ...inSuccess, ...byField],
	...[...validations, ...purchases, ...logins, ...tokens],
];
