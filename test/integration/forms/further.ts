// Readings of the operator that no document lists and that the nodes should understand by principle. One row for each;
// the results are tested in further.test.ts.

import {
	isObject,
	renameIn,
	replaceIn,
	type Form,
	type Response,
} from '../../../simulator/forms/form';
import { paging, refusal } from '../../../simulator/forms/requests';
import {
	failureIn200,
	latin1,
	list,
	reason,
	success,
	written,
} from '../../../simulator/forms/responses';

/** Forms like those of the simulator; each is described by its name. */
const says = '';
const ok = success.bind(undefined, says);
const listed = list.bind(undefined, says);
const failed = failureIn200.bind(undefined, says);
const reasoned = reason.bind(undefined, says);
const wrote = written.bind(undefined, says);
const paged = paging.bind(undefined, says);

type Body = Record<string, unknown>;

const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

/** A form that changes the bytes of every response. */
const bytes = (change: (text: string) => string | Buffer, type?: string): Form => ({
	says,
	respond: (response) => ({
		...response,
		headers: { ...response.headers, ...(type ? { 'content-type': type } : {}) },
		body: change(text(response.body)),
	}),
});

const lists = ['regulationAddresses', 'cityZipCodes'];
const nameIn = (body: Body) => lists.find((name) => name in body) ?? '';
const single = (name: string) => (name === 'cityZipCodes' ? 'cityZipCode' : 'regulationAddress');

/** A form that changes the responses of the two logins. */
const login = (change: (body: Body) => unknown, type?: string): Form => ({
	says,
	respond: (response, { area }) =>
		(area === 'login' || area === 'token') && !response.failure && isObject(response.body)
			? {
					...response,
					headers: { ...response.headers, ...(type ? { 'content-type': type } : {}) },
					body: change(response.body),
				}
			: response,
});

/** The same for the token request alone. */
const token = (change: (body: Body) => unknown, type?: string): Form => ({
	says,
	respond: (response, question) =>
		question.area === 'token'
			? (login(change, type).respond?.(response, question) ?? response)
			: response,
});

/** JSON converted to XML. */
function xmlOf(value: unknown, name: string): string {
	if (Array.isArray(value)) return value.map((entry) => xmlOf(entry, name)).join('');
	const inner = isObject(value)
		? Object.entries(value)
				.map(([key, field]) => xmlOf(field, key))
				.join('')
		: String(value ?? '').replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	return `<${name}>${inner}</${name}>`;
}

const camelToSnake = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
/** A copy with every name rewritten. */
function named(value: unknown, write: (name: string) => string): unknown {
	if (Array.isArray(value)) return value.map((entry) => named(entry, write));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [write(key), named(entry, write)]),
	);
}
/** Only the responses of number management. */
const managed = (form: Form): Form => ({
	...form,
	respond: (response, question) =>
		question.area === 'rest' ? (form.respond?.(response, question) ?? response) : response,
});

/** Successes: the user gets the same as from the usual operator. */
export const furtherSuccesses: Record<string, Form> = {
	'wrapped-body': ok((body) => ({
		header: { resultCode: '0000', resultMsg: 'OK' },
		body,
	})),
	'wrapped-twice': ok((data) => ({ response: { data } })),
	'wrapped-unknown-alone': ok((regulation) => ({ regulation })),
	'wrapped-unknown-beside': ok((entity) => ({ status: 'SUCCESS', entity })),
	'wrapped-unknown-code': ok((info) => ({ code: 0, msg: '', info })),
	'wrapped-status-object': ok((data) => ({ status: { code: 200, message: 'OK' }, data })),
	'wrapped-d': ok((d) => ({ d })),
	'wrapped-list-data': ok((body) => ({ data: [body] })),
	'json-rpc': ok((result) => ({ jsonrpc: '2.0', id: 1, result })),
	'soap-like': ok((body) => ({
		Envelope: { Body: { processResponse: { return: body } } },
	})),
	'graphql-like': ok((body) => ({ data: { voiceManagement: body }, errors: null })),
	hal: ok((body) => ({ ...body, _links: { self: { href: '/x' } } })),
	'double-json': bytes((body) => JSON.stringify(body)),
	'error-object-ok': ok((body) => ({ error: { code: 0, message: 'OK' }, ...body })),
	'error-none': ok((body) => ({ error: 'none', ...body })),
	'errors-empty-object': ok((body) => ({ errors: {}, warnings: [], ...body })),
	'is-error-n': ok((body) => ({ isError: 'N', ...body })),
	'has-errors-zero': ok((body) => ({ hasErrors: 0, ...body })),
	'status-200-ok': ok((body) => ({ statusCode: '200 OK', ...body })),
	'return-code-00': ok((body) => ({ return_code: '00', return_msg: 'Success', ...body })),
	'result-one': ok((body) => ({ result: 1, ...body })),
	'success-one': ok((body) => ({ success: 1, ...body })),
	'success-text-one': ok((body) => ({ success: '1', ...body })),
	'success-y': ok((body) => ({ success: 'Y', ...body })),
	'ack-success': ok((body) => ({ Ack: 'Success', ...body })),
	'state-completed': ok((body) => ({ state: 'completed', ...body })),
	'err-code-no-error': ok((body) => ({ err_code: 'NO_ERROR', ...body })),
	'err-code-success': ok((body) => ({ err_code: 'SUCCESS', err_msg: 'Success', ...body })),
	'err-code-no-err': ok((body) => ({ err_code: 'NO_ERR', ...body })),
	'err-code-minus': ok((body) => ({ err_code: '', err_msg: null, ...body })),
	'err-code-false': ok((body) => ({ err_code: false, ...body })),
	'err-code-200': ok((body) => ({ err_code: 200, ...body })),
	'api-error-code-zero': ok((body) => ({
		apiErrorCode: 0,
		apiErrorMessage: 'No error',
		...body,
	})),
	'http-status-in-body': ok((body) => ({ httpStatusCode: 200, errors: [], ...body })),
	'message-no-errors': ok((body) => ({ message: 'Completed without errors', ...body })),
	'timestamps-beside': ok((body) => ({
		timestamp: 1_700_000_000_000,
		requestId: 'a',
		took: 12,
		...body,
	})),
	'status-accepted': {
		says,
		respond: (r, { area }) => (area === 'rest' && r.status === 200 ? { ...r, status: 202 } : r),
	},
	'status-created': {
		says,
		respond: (r, { area }) => (area === 'rest' && r.status === 200 ? { ...r, status: 201 } : r),
	},

	'names-snake': managed(ok((body) => named(body, camelToSnake))),
	'names-upper': managed(
		ok((body) => named(body, (name) => name.charAt(0).toUpperCase() + name.slice(1))),
	),
	'names-kebab': managed(
		ok((body) => named(body, (name) => camelToSnake(name).replaceAll('_', '-'))),
	),
	'names-prefixed': managed(ok((body) => named(body, (name) => `ns2:${name}`))),
	'login-names-camel': login(({ id_session: idSession, target, ...rest }) => ({
		idSession,
		target,
		...rest,
	})),
	'login-names-upper': login((body) => named(body, (name) => name.toUpperCase())),
	'all-xml': {
		says,
		respond: (r) => ({
			...r,
			headers: { ...r.headers, 'content-type': 'application/xml' },
			body: `<?xml version="1.0" encoding="UTF-8"?>${xmlOf(r.body, 'response')}`,
		}),
	},
	'all-xml-as-json': {
		says,
		respond: (r) => ({
			...r,
			body: `<?xml version="1.0"?>\n<ns:reply xmlns:ns="urn:x">${xmlOf(r.body, 'answer')}</ns:reply>`,
		}),
	},

	'list-empty-wrapper': listed((body, name) => ({ [name]: { items: body[name], page: 0 } })),
	'list-by-id': listed((body, name) => ({
		...body,
		[name]: Object.fromEntries(
			(body[name] as Body[]).map((entry, at) => [String(at + 100), entry]),
		),
	})),
	'list-entries-wrapped': listed((body, name) => ({
		...body,
		[name]: (body[name] as Body[]).map((entry) => ({ [single(name)]: entry })),
	})),
	'list-edges': listed((body, name) => ({
		[name]: {
			edges: (body[name] as Body[]).map((node) => ({ cursor: 'x', node })),
			totalCount: body.resultCount,
		},
	})),
	'list-attributes': listed((body, name) => ({
		data: (body[name] as Body[]).map(({ addressId, ...attributes }) => ({
			type: single(name),
			id: String(addressId),
			attributes,
		})),
		meta: { total: body.resultCount },
	})),
	'list-results-page': listed((body, name) => ({
		results: body[name],
		page: { number: 0, size: 10, totalElements: body.resultCount },
	})),
	'list-embedded': listed((body, name) => ({
		_embedded: { [name]: body[name] },
		page: { totalElements: body.resultCount },
	})),
	'list-of-one-list': listed((body, name) => [body[name]]),
	'list-singular': listed((body, name) => ({
		[single(name)]: body[name],
		resultCount: body.resultCount,
	})),
	'list-unknown-name': listed((body, name) => ({
		lieux: body[name],
		nb: (body[name] as unknown[]).length,
	})),
	'list-beside-others': listed((body, name) => ({
		columns: ['a', 'b'],
		lieux: body[name],
		warnings: [],
	})),
	'count-text': listed(({ resultCount, ...body }) => ({
		...body,
		resultCount: String(resultCount),
	})),
	'count-nested': listed(({ resultCount, ...body }) => ({
		...body,
		pagination: { total: resultCount },
	})),
	'count-total-count': listed(({ resultCount, ...body }) => ({
		...body,
		TotalCount: resultCount,
	})),
	'count-of-page': listed((body, name) => ({
		...body,
		resultCount: (body[name] as unknown[]).length,
	})),
	'count-minus-one': listed((body) => ({ ...body, resultCount: -1 })),
	'count-zero': listed((body) => ({ ...body, resultCount: 0 })),
	'count-spaced': listed(({ resultCount, ...body }) => ({
		...body,
		resultCount: `${String(resultCount)} entries`,
	})),
	'count-pages': listed(({ resultCount, ...body }) => ({
		...body,
		totalPages: Number(resultCount) > 0 ? 2 : 0,
	})),
	'count-range': listed(({ resultCount, ...body }) => ({
		...body,
		range: `0-49/${String(resultCount)}`,
	})),

	'id-uuid': {
		...success('', (body) =>
			replaceIn(body, /^(addressId|cartIdentifier)$/, (id) =>
				typeof id === 'number' ? `a-${String(id)}-b` : id,
			),
		),
		identifier: (id) => /^a-(\d+)-b$/.exec(id)?.[1] ?? id,
	},
	'id-with-slash': {
		...success('', (body) =>
			replaceIn(body, /^(addressId|cartIdentifier)$/, (id) =>
				typeof id === 'number' ? `FR/${String(id)} é` : id,
			),
		),
		identifier: (id) => /^FR\/(\d+) é$/.exec(id)?.[1] ?? id,
	},
	'id-padded-text': {
		...success('', (body) =>
			replaceIn(body, /^(addressId|cartIdentifier)$/, (id) =>
				typeof id === 'number' ? `000${String(id)}` : id,
			),
		),
		identifier: (id) => id.replace(/^000/, ''),
	},
	'id-snake': managed(
		ok((body) => renameIn(body, { addressId: 'address_id', cartIdentifier: 'cart_id' })),
	),
	'id-prefixed': managed(
		ok((body) => renameIn(body, { addressId: 'id_address', cartIdentifier: 'id_cart' })),
	),
	'id-reference': managed(
		ok((body) => renameIn(body, { addressId: 'reference', cartIdentifier: 'reference' })),
	),
	'id-french': managed(
		ok((body) => renameIn(body, { addressId: 'idAdresse', cartIdentifier: 'idPanier' })),
	),
	'create-bare-number': managed({
		says,
		respond: (r) =>
			isObject(r.body) && !r.failure && Object.keys(r.body).join() === 'addressId'
				? { ...r, body: String(r.body.addressId) }
				: r,
	}),
	'create-bare-text': managed({
		says,
		respond: (r) =>
			isObject(r.body) && !r.failure && Object.keys(r.body).join() === 'addressId'
				? { ...r, body: JSON.stringify(String(r.body.addressId)) }
				: r,
	}),
	'create-plain-text': managed({
		says,
		respond: (r) =>
			isObject(r.body) && !r.failure && Object.keys(r.body).join() === 'addressId'
				? { ...r, headers: { 'content-type': 'text/plain' }, body: `${String(r.body.addressId)}\n` }
				: r,
	}),
	'create-result-number': managed(
		ok((body) =>
			Object.keys(body).join() === 'addressId'
				? { status: 'SUCCESS', result: body.addressId }
				: body,
		),
	),
	'create-whole-address': managed(
		ok((body) =>
			Object.keys(body).join() === 'addressId'
				? { regulationAddress: { id: body.addressId, city: 'Liège', status: 'NEW' } }
				: body,
		),
	),
	'create-list': managed(
		ok((body) =>
			Object.keys(body).join() === 'addressId'
				? { regulationAddresses: [{ ...body, status: 'REJECTED' }] }
				: body,
		),
	),
	'create-location': managed({
		says,
		respond: (r, { url }) =>
			isObject(r.body) && !r.failure && Object.keys(r.body).join() === 'addressId'
				? { status: 201, headers: { location: `${url}/${String(r.body.addressId)}` }, body: '' }
				: r,
	}),
	'create-self-link': managed(
		ok((body) =>
			Object.keys(body).join() === 'addressId'
				? { _links: { self: { href: `/vbapi/v1/regulation/address/${String(body.addressId)}` } } }
				: body,
		),
	),
	'create-content-location': managed({
		says,
		respond: (r, { url }) =>
			isObject(r.body) && !r.failure && Object.keys(r.body).join() === 'addressId'
				? {
						status: 204,
						headers: { 'content-location': `${url}/${String(r.body.addressId)}` },
						body: '',
					}
				: r,
	}),
	'cart-flat': ok((body) => (isObject(body.cart) ? body.cart : body)),
	'cart-list': ok((body) => (isObject(body.cart) ? { cart: [body.cart] } : body)),
	'cart-number': ok((body) => (isObject(body.cart) ? { cart: body.cart.cartIdentifier } : body)),
	'cart-order': ok((body) =>
		isObject(body.cart) ? { shoppingCart: { id: body.cart.cartIdentifier } } : body,
	),
	'cart-result-text': ok((body) =>
		isObject(body.cart) ? { result: String(body.cart.cartIdentifier) } : body,
	),
	'valid-text': ok((body) =>
		'isValid' in body ? { ...body, isValid: body.isValid ? 'true' : 'false' } : body,
	),
	'valid-letter': ok((body) =>
		'isValid' in body ? { ...body, isValid: body.isValid ? 'Y' : 'N' } : body,
	),
	'valid-code': ok((body) => ('isValid' in body ? { ...body, code: 515 } : body)),
	'valid-renamed': ok(({ isValid, ...body }) =>
		isValid === undefined ? body : { valid: isValid, ...body },
	),

	'write-true': wrote({ status: 200, type: 'application/json', body: true }),
	'write-done': wrote({ status: 200, type: 'application/json', body: '"DONE"' }),
	'write-one': wrote({ status: 200, type: 'application/json', body: 1 }),
	'write-ok-text': wrote({ status: 200, type: 'text/html', body: 'OK' }),
	'write-french': wrote({ status: 200, type: 'text/plain', body: 'Opération effectuée' }),
	'write-null': wrote({ status: 200, type: 'application/json', body: 'null' }),
	'write-empty-list': wrote({ status: 200, type: 'application/json', body: '[]' }),
	'write-empty-object': wrote({ status: 200, type: 'application/json', body: '{}' }),
	'write-xml-bare': wrote({ status: 200, type: 'text/xml', body: '<status>OK</status>' }),
	'write-xml-attribute': wrote({
		status: 200,
		type: 'text/xml',
		body: '<?xml version="1.0"?><rsp stat="ok"/>',
	}),

	'json-blanks': bytes((body) => `\r\n\r\n  ${body}\r\n`),
	'bom-and-latin1': bytes(
		(body) => Buffer.from(`\ufeff${body}`, 'utf8'),
		'application/json; charset=iso-8859-1',
	),
	'utf8-as-latin1': bytes(
		(body) => Buffer.from(body, 'utf8'),
		'application/json; charset=ISO-8859-1',
	),
	utf16: bytes((body) => Buffer.from(`\ufeff${body}`, 'utf16le'), 'application/json'),
	'utf16-unmarked': bytes(
		(body) => Buffer.from(body, 'utf16le'),
		'application/json; charset=utf-16le',
	),
	'charset-unknown': bytes((body) => body, 'application/json; charset=x-klingon'),
	'charset-quoted': latin1('', "application/json; charset='windows-1252'"),
	'type-missing-word': bytes((body) => body, 'json'),
	'type-text': bytes((body) => body, 'text/plain; charset=us-ascii'),
	'type-octets': bytes((body) => body, 'application/octet-stream'),

	'page-ignored-size-kept': paged({ first: 0, largest: 7, tooLarge: 'cap' }),
	'page-size-100-cap-one': paged({
		first: 1,
		largest: 20,
		tooLarge: 'cap',
		pastEnd: 'notFound',
	}),
	'page-one-last': paged({ first: 1, largest: 50, tooLarge: 'error', pastEnd: 'last' }),
	'page-one-null': paged({ first: 1, largest: 50, tooLarge: 'cap', pastEnd: 'null' }),

	'login-session-object': login(({ id_session: id, target, ...rest }) => ({
		session: { id, target },
		...rest,
	})),
	'login-user-object': login(({ id_session, target, ...rest }) => ({
		auth: { id_session },
		user: { target },
		...rest,
	})),
	'login-token-name': login(({ id_session: token, ...rest }) => ({ token, ...rest })),
	'login-access-token': login(({ id_session: access_token, ...rest }) => ({
		access_token,
		token_type: 'bearer',
		...rest,
	})),
	'login-sid': login(({ id_session: sid, ...rest }) => ({ sid, ...rest })),
	'login-session-id': login(({ id_session: sessionId, ...rest }) => ({ sessionId, ...rest })),
	'login-values': login(({ id_session, target, ...rest }) => ({
		id_session: { value: id_session },
		target: target === undefined ? undefined : { value: target },
		...rest,
	})),
	'login-target-french': login(({ target, ...rest }) => ({
		...rest,
		...(target === undefined ? {} : { id_superviseur: target }),
	})),
	'login-target-object': login(({ target, ...rest }) => ({
		...rest,
		...(target === undefined ? {} : { target: { id: target, name: 'x' } }),
	})),
	'login-requete': login((msg) => ({ requete: 'init', status: 'ok', msg })),
	'login-header-msg': login(({ id_session, ...msg }) => ({
		header: { id_session, err_code: 0 },
		msg,
	})),
	'login-ops-nested': login(({ ops, ...rest }) => ({
		...rest,
		...(ops ? { ops: { op: ops } } : {}),
	})),
	'login-ops-by-id': login(({ ops, ...rest }) => ({
		...rest,
		...(ops
			? { ops: Object.fromEntries((ops as Body[]).map(({ id, ...op }) => [String(id), op])) }
			: {}),
	})),
	'login-agents': login(({ ops, ...rest }) => ({ ...rest, ...(ops ? { agents: ops } : {}) })),
	'login-operators-below': login(({ ops, ...rest }) => ({
		...rest,
		...(ops ? { lists: { operators: ops } } : {}),
	})),
	'login-text-json': login((body) => JSON.stringify(JSON.stringify(body)), 'text/plain'),
	'token-bare-text': token(({ id_session }) => String(id_session), 'text/plain'),
	'token-bare-json': token(({ id_session }) => JSON.stringify(String(id_session))),
	'token-form': token(
		({ id_session }) => `id_session=${encodeURIComponent(String(id_session))}&expires_in=7200`,
		'application/x-www-form-urlencoded',
	),
	'token-xml': token(
		({ id_session }) => `<?xml version="1.0"?><token id_session="${String(id_session)}"/>`,
		'text/xml',
	),
	'token-data': token(({ id_session: data }) => ({ status: 'OK', data })),
	'token-list': token(({ id_session }) => [{ id_session }]),
	'login-header-cookie': login((body) => body),
};

/** Failures inside a 200, and reasons: an error with the operator's own reason, whatever was requested. */
export const furtherFailures: Record<string, Form> = {
	'ok-false': failed(({ message }) => ({ ok: false, message })),
	'success-0': failed(({ message }) => ({ success: 0, message })),
	'success-text-false': failed(({ message }) => ({ Success: 'False', Message: message })),
	'success-no': failed(({ message }) => ({ success: 'N', message })),
	'status-ko': failed(({ message }) => ({ status: 'KO', msg: message })),
	'status-nok': failed(({ message }) => ({ status: 'NOK', raison: message })),
	'status-failed': failed(({ message }) => ({
		Status: 'Failed',
		StatusMessage: message,
	})),
	'status-not-ok': failed(({ message }) => ({ status: 'not ok', text: message })),
	'status-refused': failed(({ message }) => ({ state: 'REFUSED', explanation: message })),
	'status-object': failed(({ message, code }) => ({
		status: { code: Number(code) || 7, success: false, message },
	})),
	'error-true': failed(({ message }) => ({ error: true, message })),
	'error-one': failed(({ message }) => ({ error: 1, message })),
	'error-text': failed(({ message }) => ({ error: message })),
	'error-nested': failed(({ message }) => ({ error: { inner: { reason: message } } })),
	erreur: failed(({ message }) => ({ erreur: { code: 12, libelle: message } })),
	'err-msg-only': failed(({ message }) => ({ err_msg: message })),
	errno: failed(({ message }) => ({ errno: 5, errmsg: message })),
	'ret-negative': failed(({ message }) => ({ ret: -1, msg: message })),
	retcode: failed(({ message }) => ({ retcode: 17, retmsg: message })),
	'code-retour': failed(({ message }) => ({ code_retour: 12, libelle_retour: message })),
	'code-retour-text': failed(({ message }) => ({ codeRetour: 'E012', libelleRetour: message })),
	'reussi-false': failed(({ message }) => ({ reussi: false, message })),
	'result-negative': failed(({ message }) => ({ result: -3, message })),
	'type-error': failed(({ message }) => ({ type: 'error', message })),
	'severity-error': failed(({ message }) => ({ severity: 'ERROR', message })),
	'status-fatal': failed(({ message }) => ({ status: 'FATAL', message })),
	'status-bad-request': failed(({ message }) => ({ status: 'BAD_REQUEST', message })),
	'ack-nok': failed(({ message }) => ({ ack: 'NOK', details: message })),
	'exception-type': failed(({ message }) => ({
		Message: message,
		ExceptionType: 'System.Exception',
	})),
	'list-field-error': failed(({ message, field }) => [{ field, error: message }]),
	'result-code': failed(({ message }) => ({
		header: { resultCode: '1201', resultMsg: message },
		body: null,
	})),
	'result-error': failed(({ message }) => ({ result: { error: message } })),
	'json-rpc-error': failed(({ message }) => ({
		jsonrpc: '2.0',
		id: 1,
		error: { code: -32602, message },
	})),
	'wrapped-error': failed(({ message }) => ({ data: { status: 'ERROR', message } })),
	'wrapped-errors-list': failed(({ message }) => ({
		response: { errors: [{ detail: message }] },
	})),
	'list-of-errors': failed(({ message }) => [{ errorCode: 'X12', message }]),
	'list-parts': failed(({ message }) => ({ results: [{ id: 1, success: false, error: message }] })),
	'list-status': failed(({ message }) => [{ status: 'ERROR', message }]),
	'data-null-errors': failed(({ message }) => ({
		data: null,
		errors: [{ message, path: ['link'] }],
	})),
	exception: failed(({ message }) => ({
		exception: 'java.lang.IllegalStateException',
		message,
	})),
	fault: failed(({ message }) => ({
		Envelope: { Body: { Fault: { faultcode: 'Server', faultstring: message } } },
	})),
	'ack-failure': failed(({ message }) => ({
		Ack: 'Failure',
		Errors: [{ LongMessage: message }],
	})),
	'flag-has-error': failed(({ message }) => ({ hasError: true, errorMessage: message })),
	violations: failed(({ message, field }) => ({
		violations: [{ propertyPath: field, message }],
	})),
	'status-http-text': failed(({ message }, { status }) => ({
		statusCode: `${status} Bad`,
		message,
	})),
	'code-text': failed(({ message }) => ({ code: 'INVALID_ARGUMENT', message })),
	'code-name': failed(({ message }) => ({ code: 'E_NOT_FOUND', text: message })),
	'xml-200': failed(
		({ message }) =>
			`<?xml version="1.0"?><response><status>ERROR</status><reason>${message.replace(/[<>&"]/g, ' ')}</reason></response>`,
	),
	'xml-stat': failed(
		({ message }) =>
			`<rsp stat="fail"><err code="1" msg="${message.replace(/[<>&"]/g, '&quot;')}"/></rsp>`,
	),
	'text-200': failed(({ message }) => `ERROR: ${message}`),
	'tuple-200': failed(({ message }) => ['ERROR', message]),
	'reason-name-unknown': reasoned(({ message }) => ({ statut: 'KO', commentaire: message })),
	'reason-text-login': reasoned(({ message }) => `KO: ${message}`),
	'reason-messages-list': reasoned(({ message }) => ({
		messages: [{ text: message, severity: 'ERROR' }],
	})),
	'reason-nested-twice': reasoned(({ message }) => ({
		response: { error: { detail: { message } } },
	})),
	'reason-errors-map': reasoned(({ message }) => ({ errors: { 0: { message } } })),
	'reason-list-root': reasoned(({ message }) => [message]),
	'reason-list-objects': reasoned(({ message, field }) => [{ property: field, message }]),
	'reason-json-text': reasoned(({ message }) => JSON.stringify(message)),
	'reason-invalid-params': reasoned(({ message, field }) => ({
		title: 'Invalid',
		'invalid-params': [{ name: field, reason: message }],
	})),
	'reason-bom': reasoned(({ message }) => `\ufeff${JSON.stringify({ message })}`),
	'reason-html-p': reasoned(({ message }) => ({ message: `<p>${message}</p>` })),
	'reason-odata': reasoned(({ message }) => ({
		'odata.error': { code: '', message: { lang: 'en', value: message } },
	})),
	'reason-fields-flat': reasoned(({ message, field }) => ({ [field]: [message] })),
	'reason-utf8-as-latin1': reasoned(
		({ message }) => ({ message }),
		'application/json; charset=iso-8859-1',
	),
};

/** Responses that the paged lists may get for a page size that is too large, and for a page past the end. */
export const furtherPaging: Record<string, Form> = {
	'size-422-fields': sizeRefused(422, { errors: { pageSize: ['must be 50 at most'] } }),
	'size-400-limit': sizeRefused(400, { message: 'limit exceeds the maximum of 50' }),
	'size-400-perpage': sizeRefused(400, { error: 'per_page too large' }),
	'size-200-error': sizeRefused(200, { status: 'ERROR', message: 'Page size must not exceed 50' }),
	'size-400-french': sizeRefused(400, {
		message: 'La taille de page ne doit pas dépasser 50',
	}),
	'size-413': sizeRefused(413, { message: 'Too many entries requested' }),
	'size-code-12': sizeRefused(400, { err_code: '12', err_msg: 'refused' }),
	'end-data-null': endRefused(200, { status: 'SUCCESS', data: null }),
	'end-200-words': endRefused(200, { message: 'No data' }),
	'end-204': endRefused(204, ''),
	'end-416': endRefused(416, { message: 'Out of range' }),
	'end-400-french': endRefused(400, { message: 'Aucune page de ce numéro' }),
	'end-200-error': endRefused(200, { status: 'ERROR', message: 'No more results' }),
	'end-200-text': endRefused(200, { success: false, message: 'nothing found' }),
	'end-404-html': endRefused(404, '<html><head><title>404</title></head></html>'),
	'end-empty-object': endRefused(200, {}),
	'end-list-missing': endRefused(200, { resultCount: 120 }),
	'end-code-13': endRefused(400, { errors: [{ apiErrorCode: '13', apiErrorMessage: 'refused' }] }),
};

const query = (url: string) => new URLSearchParams(url.split('?')[1]);

function sizeRefused(status: number, body: unknown): Form {
	return {
		says,
		intercept: ({ method, area, url }) =>
			area === 'rest' && method === 'GET' && Number(query(url).get('pageSize') ?? 0) > 50
				? { ...refusal(status, ''), body, failure: undefined }
				: undefined,
	};
}

function endRefused(status: number, body: unknown): Form {
	return {
		says,
		reading: { paging: { largest: 50, tooLarge: 'cap', pastEnd: 'empty' } },
		respond: (response: Response, { method, url }) => {
			const given = isObject(response.body) ? response.body[nameIn(response.body)] : undefined;
			const past =
				Array.isArray(given) && given.length === 0 && Number(query(url).get('pageNumber')) > 0;
			if (method !== 'GET') return response;
			if (past)
				return {
					...response,
					status,
					body,
					...(typeof body === 'string' ? { headers: { 'content-type': 'text/html' } } : {}),
				};
			if (!Array.isArray(given) || !isObject(response.body)) return response;
			const { resultCount: _count, ...rest } = response.body;
			return { ...response, body: rest };
		},
	};
}
