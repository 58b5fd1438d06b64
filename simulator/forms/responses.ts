/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// How responses are written: success, failure, wrapping, lists, identifiers, reasons, character set.

import { isObject, renameIn, replaceIn, type Form, type Response } from './form';

/** A form that changes successful responses whose body is an object. */
export const success = (
	says: string,
	change: (body: Record<string, unknown>) => unknown,
): Form => ({
	says,
	respond: (response) =>
		response.failure || !isObject(response.body)
			? response
			: { ...response, body: change(response.body) },
});

type Failure = NonNullable<Response['failure']>;

/** A form that writes failures with status 200. */
export const failureIn200 = (
	says: string,
	body: (failure: Failure, response: Response) => unknown,
): Form => ({
	says,
	respond: (response) =>
		response.failure
			? { ...response, status: 200, body: body(response.failure, response) }
			: response,
});

/** A form that changes how the reason of a failure is written; the status stays. */
export const reason = (says: string, body: (failure: Failure) => unknown, type?: string): Form => ({
	says,
	respond: (response) =>
		response.failure
			? {
					...response,
					headers: { ...response.headers, ...(type ? { 'content-type': type } : {}) },
					body: body(response.failure),
				}
			: response,
});

const pagedNames = ['regulationAddresses', 'cityZipCodes'];
/** The name of the list in a body, if it is one of the paged lists. */
const pagedIn = (body: Record<string, unknown>) => pagedNames.find((name) => name in body);

/** A form that changes the paged lists. */
export const list = (
	says: string,
	change: (body: Record<string, unknown>, name: string) => unknown,
) =>
	success(says, (body) => {
		const name = pagedIn(body);
		return name === undefined ? body : change(body, name);
	});

const escapeXml = (text: string) => text.replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The response of a write that has nothing to report but its success. */
export const written = (
	says: string,
	response: Omit<Response, 'headers'> & { type: string },
): Form => ({
	says,
	respond: (given, { area, method }) => {
		const plain = isObject(given.body) && given.body.status === 'SUCCESS';
		if (area !== 'rest' || method === 'GET' || !plain || given.failure) return given;
		const { status, type, body } = response;
		return { status, headers: { ...given.headers, 'content-type': type }, body };
	},
});

/** Characters that are not in the character set are written as JSON escapes. */
const bytesOf = (body: unknown) =>
	Buffer.from(
		(typeof body === 'string' ? body : JSON.stringify(body)).replace(
			/[\u0100-\uffff]/g,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		),
		'latin1',
	);

/** A form that writes text in ISO-8859-1. */
export const latin1 = (says: string, type: string): Form => ({
	says,
	respond: (response) => ({
		...response,
		headers: { ...response.headers, 'content-type': type },
		body: bytesOf(response.body),
	}),
});

/** Added to every issued identifier: the sum is beyond 2^53 and odd, so that a double can't represent it. */
const farAway = 9_007_199_254_740_993n;
const identifiers = /^(addressId|cartIdentifier|orderReference)$/;

export const responseForms = {
	'err-code-ok': success('success carries err_code "OK"', (body) => ({
		...body,
		err_code: 'OK',
		err_msg: '',
	})),
	'err-code-null': success('success carries err_code null', (body) => ({
		...body,
		err_code: null,
		err_msg: null,
	})),

	'failure-status-error': failureIn200('failures are 200 with status "error"', ({ message }) => ({
		status: 'error',
		message,
	})),
	'failure-success-false': failureIn200('failures are 200 with success false', ({ message }) => ({
		success: false,
		message,
	})),
	'failure-err-code': failureIn200(
		'failures are 200 with err_code and err_msg',
		({ code, message }) => ({
			err_code: `E${code}`,
			err_msg: message,
		}),
	),

	'wrapped-data': success('success is wrapped in "data"', (data) => ({ data })),
	'wrapped-list': success('success is the one entry of a list', (body) => [body]),

	'list-bare': list('a list is the whole body', (body, name) => body[name]),
	'list-renamed': list('a list is called "addresses" or "zipCodes"', (body) =>
		renameIn(body, { regulationAddresses: 'addresses', cityZipCodes: 'zipCodes' }),
	),
	'list-nested': list(
		'a list stands one level deeper, as converters from XML write it',
		(body, name) => ({
			...body,
			[name]: { [name === 'cityZipCodes' ? 'cityZipCode' : 'regulationAddress']: body[name] },
		}),
	),
	'list-single-object': list('a list of one entry is that entry', (body, name) => {
		const entries = body[name] as unknown[];
		return { ...body, [name]: entries.length === 1 ? entries[0] : entries };
	}),
	'get-bare': {
		says: 'one address is the address itself, no list of one',
		respond: (response, { method, url }) => {
			const { body } = response;
			const one = method === 'GET' && /\/regulation\/address\/[^/?]+(\?|$)/.test(url);
			if (!one || response.failure || !isObject(body)) return response;
			const [address] = body.regulationAddresses as unknown[];
			return address === undefined ? response : { ...response, body: address };
		},
	},
	'id-long': success('an address is identified by regulationAddressId', (body) =>
		renameIn(body, { addressId: 'regulationAddressId' }),
	),
	'id-short': success('an address and a cart are identified by id', (body) =>
		renameIn(body, { addressId: 'id', cartIdentifier: 'id' }),
	),
	'ids-large': {
		...success('identifiers are numbers beyond 2^53', (body) =>
			replaceIn(body, identifiers, (value) =>
				typeof value === 'number' ? BigInt(value) + farAway : value,
			),
		),
		identifier: (id) => (/^\d+$/.test(id) ? String(BigInt(id) - farAway) : id),
	},
	'no-count': list('a list has no resultCount', ({ resultCount: _count, ...rest }) => rest),

	'write-text': written('a write that succeeded is answered with the text "200 OK"', {
		status: 200,
		type: 'text/plain',
		body: '200 OK',
	}),
	'write-empty': written('a write that succeeded is answered with 204 and no body', {
		status: 204,
		type: 'text/plain',
		body: '',
	}),

	'reason-errors-by-field': reason(
		'the reasons are lists of texts by field',
		({ field, message }) => ({
			errors: { [field]: [message] },
		}),
	),
	'reason-problem': reason(
		'the reason is the detail of an RFC 7807 problem',
		({ message }) => ({ type: 'about:blank', title: 'Bad Request', detail: message }),
		'application/problem+json',
	),
	'reason-text': reason('the reason is plain text', ({ message }) => message, 'text/plain'),
	'reason-xml': reason(
		'the reason is XML',
		({ message }) => `<error><message>${escapeXml(message)}</message></error>`,
		'application/xml',
	),

	latin1: latin1(
		'text is ISO-8859-1, named in the content type',
		'application/json; charset=iso-8859-1',
	),
	'json-bom': {
		says: 'JSON begins with a byte order mark',
		respond: (response) => ({ ...response, body: `\ufeff${JSON.stringify(response.body)}` }),
	},
} satisfies Record<string, Form>;
