// Which requests are accepted and which are refused: content types, redirects, logins, transports.

import { pathOf } from '../http/parts';
import type { Form, Question, Response } from './form';

const refusal = (
	status: number,
	message: string,
	headers: Record<string, string> = {},
): Response => ({
	status,
	headers,
	body: { status, err_code: 'REFUSED', err_msg: message },
});

const queryOf = ({ url }: Question) => new URLSearchParams(url.split('?')[1]);
const isLogin = ({ area }: Question) => area === 'login' || area === 'token';
const isOperation = (question: Question) => question.area === 'rest' || isLogin(question);

const redirect = (status: number, location: string): Response => ({
	status,
	headers: { location },
	body: '',
});

/** A form that responds to every login in the provider's place. */
const loginAnswer = (says: string, response: Response): Form => ({
	says,
	intercept: (question) => (isLogin(question) ? response : undefined),
});

const cookiesOf = (question: Question) => String(question.headers.cookie ?? '').split(/; */);

const sticky = 'SERVERID=node-2';
const affinity = 'AWSALB=affinity-1';

/** Sets a cookie at login, and refuses requests of the feed without it. */
const cookies = (says: string, handshakeToo: boolean): Form => ({
	says,
	reading: handshakeToo
		? { handshakeHeaders: { 'set-cookie': `${affinity}; Path=/; HttpOnly` } }
		: {},
	respond: (response, question) =>
		isLogin(question)
			? {
					...response,
					headers: { ...response.headers, 'set-cookie': `${sticky}; Path=/; HttpOnly` },
				}
			: response,
	intercept(question) {
		if (question.area !== 'feed') return undefined;
		const needed = [sticky, ...(handshakeToo && queryOf(question).has('sid') ? [affinity] : [])];
		const given = cookiesOf(question);
		return needed.every((cookie) => given.includes(cookie))
			? undefined
			: refusal(400, 'The request reached a server that does not know the session');
	},
});

/** A form in which the feed has a single transport. */
const onlyTransport = (transport: string, says: string): Form => ({
	says,
	intercept: (question) =>
		question.area === 'feed' && queryOf(question).get('transport') !== transport
			? { status: 400, headers: {}, body: { code: 0, message: 'Transport unknown' } }
			: undefined,
});

/** Forms of the logins, and how the feed is opened. */
export const loginForms = {
	'no-form-type': {
		says: 'a body of type application/x-www-form-urlencoded is refused with 415',
		intercept: (question) =>
			isOperation(question) && question.contentType === 'application/x-www-form-urlencoded'
				? refusal(415, 'The media type is not supported')
				: undefined,
	},
	'no-type-without-body': {
		says: 'any content type on a request without a body is refused with 415',
		intercept: (question) => {
			const length = Number(question.headers['content-length'] ?? 0);
			const bodiless = length === 0 && question.headers['transfer-encoding'] === undefined;
			return isOperation(question) && bodiless && question.contentType !== ''
				? refusal(415, 'There is no body of that type')
				: undefined;
		},
	},

	'redirect-slash': {
		says: 'a path without a last slash is redirected (308) to the one with it',
		intercept: (question) => {
			const [path = '', query] = question.url.split(/(?=\?)/);
			return isOperation(question) && !path.endsWith('/')
				? redirect(308, `${path}/${query ?? ''}`)
				: undefined;
		},
		rewrite: (url) => url.replace(/^(\/(?:vbapi|vm)\/[^?]*)\/(?=\?|$)/, '$1'),
	},
	'redirect-307': {
		says: 'number management and the logins are redirected (307) to a path below /live',
		intercept: (question) =>
			isOperation(question) && !question.url.startsWith('/live/')
				? redirect(307, `/live${question.url}`)
				: undefined,
		rewrite: (url) => url.replace(/^\/live(?=\/)/, ''),
	},
	'redirect-other-host': {
		says: 'number management and the logins are redirected (307) to another host',
		intercept: (question) =>
			isOperation(question) && String(question.headers.host).startsWith('127.')
				? redirect(307, `http://localhost:${question.port}${question.url}`)
				: undefined,
	},

	'count-type-only': {
		says: 'the login takes the account type as count_type only',
		options: { accountTypeKey: 'count_type' },
	},
	'account-type-only': {
		says: 'the login takes the account type as account_type only',
		options: { accountTypeKey: 'account_type' },
	},
	'login-retry-after': {
		says: 'the first login is answered with 503 and Retry-After: 1',
		intercept: (question, memory) =>
			isLogin(question) && memory.seen++ === 0
				? refusal(503, 'The service is starting', { 'retry-after': '1' })
				: undefined,
	},
	'login-404': loginAnswer('logins are answered with 404', refusal(404, 'There is no such page')),
	'login-html': loginAnswer('logins are answered with a web page', {
		status: 200,
		headers: { 'content-type': 'text/html' },
		body: '<!DOCTYPE html><html><head><title>Welcome</title></head><body>It works!</body></html>',
	}),
	'login-cookie': cookies("the login's cookie is demanded on every request of the feed", false),
	cookies: cookies(
		"the login's cookie and the handshake's are demanded on every request of the feed",
		true,
	),

	'websocket-only': onlyTransport('websocket', 'the feed refuses long polling'),
	'polling-only': onlyTransport('polling', 'the feed refuses WebSocket'),
	'eio4-refused': {
		says: 'the feed refuses EIO=4 in words of its own',
		intercept: (question) =>
			question.area === 'feed' && queryOf(question).get('EIO') === '4'
				? {
						status: 400,
						headers: { 'content-type': 'text/plain' },
						body: 'Version de protocole non prise en charge',
					}
				: undefined,
	},
	'path-without-slash': {
		says: 'the Socket.IO path has no last slash; with it, it is 404',
		intercept: (question) =>
			question.area === 'feed' && pathOf(question.url).endsWith('/')
				? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' }
				: undefined,
		rewrite: (url) => url.replace(/^(\/socket\.io)(?=\?)/, '$1/'),
	},
	'strict-addresses': {
		says: 'a token is bound to the very IP address: ::1 is not 127.0.0.1',
		reading: { strictAddresses: true },
	},
} satisfies Record<string, Form>;
