// `/vm/token`: the token of an API account, for the full event feed. Bound to the IP address in the request.

import type { FastifyRequest } from 'fastify';
import { matches, readBasic } from '../rest/basicAuth';
import { bodyOf } from '../http/respond';
import { isObject } from '../forms/form';
import type { ReceivedBody } from '../rest/body';
import { FeedLoginError } from '../rest/errors';
import type { Store } from '../store';
import { refuseSecond } from './login';
import { writeExpire } from './sessionInfo';
import { plainAddress } from './tokens';

const invalid = (message: string) => new FeedLoginError(400, 'INVALID_VARS', message);

/** A new token. Throws FeedLoginError. */
export function tokenLogin(request: FastifyRequest, store: Store) {
	if (!matches(readBasic(request.headers.authorization), store.accounts.api)) {
		throw new FeedLoginError(401, 'INVALID_LOGIN', 'Login or password is wrong');
	}
	const ip = readIp(bodyOf(request));
	const { token: form, strictAddresses } = store.forms.reading;
	const caller = plainAddress(request.socket.remoteAddress, strictAddresses);
	if (plainAddress(ip, strictAddresses) !== caller) {
		throw new FeedLoginError(
			403,
			'INVALID_IP',
			`The request comes from ${caller}, not from the address in "ip"`,
		);
	}
	refuseSecond(store, 'api');
	const token = store.tokens.issue(
		'api',
		store.accounts.api.clientId,
		caller,
		store.options.tokenLifetime,
		form,
	);
	store.countLogin('api');
	return { status: 200, id_session: token.idSession, expire: writeExpire(token.expiresAt) };
}

function readIp(body: ReceivedBody) {
	if (body.contentType !== 'application/json')
		throw invalid('Content-Type must be application/json');
	let value: unknown;
	try {
		value = JSON.parse(body.text);
	} catch {
		throw invalid('The body is not JSON');
	}
	if (!isObject(value)) throw invalid('The body must be a JSON object');
	const unknown = Object.keys(value).find((key) => !['ip', 'user_type'].includes(key));
	if (unknown) throw invalid(`"${unknown}" is not known`);
	if (value.user_type !== 'api') throw invalid('"user_type" must be "api"');
	if (typeof value.ip !== 'string' || value.ip === '') throw invalid('"ip" must be an address');
	return value.ip;
}
