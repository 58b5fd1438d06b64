// `/ws/`: the supervisor login. The credentials are in the header X-JSON, as a JSON object.

import type { FastifyRequest } from 'fastify';
import { bodyOf } from '../http/respond';
import { isObject } from '../forms/form';
import { FeedLoginError } from '../rest/errors';
import type { Store } from '../store';
import { sessionInformation } from './sessionInfo';
import { plainAddress } from './tokens';

const invalid = (message: string) => new FeedLoginError(400, 'INVALID_VARS', message);

/** Session information with a new token. Throws FeedLoginError. */
export function supervisorLogin(request: FastifyRequest, store: Store) {
	const body = bodyOf(request);
	if (body.parts || body.text !== '') throw invalid('This request takes no body');
	if (!['', 'application/json'].includes(body.contentType)) {
		throw new FeedLoginError(415, 'INVALID_TYPE', 'There is no body of that type');
	}
	const { login, password, accountType } = readHeader(request.headers['x-json'], store);
	const account = store.accounts.supervisor;
	if (login !== account.login || password !== account.password) {
		throw new FeedLoginError(401, 'INVALID_LOGIN', 'Login or password is wrong');
	}
	if (accountType !== 'supervisor') {
		throw new FeedLoginError(403, 'INVALID_ACCOUNT_TYPE', 'This is not an account of that type');
	}
	refuseSecond(store, 'supervisor');
	const { target, token: form, strictAddresses } = store.forms.reading;
	const token = store.tokens.issue(
		'supervisor',
		target === 'text' ? String(store.plan.target) : store.plan.target,
		plainAddress(request.socket.remoteAddress, strictAddresses),
		store.options.tokenLifetime,
		form,
	);
	store.countLogin('supervisor');
	return sessionInformation(store.plan, token);
}

/** Refuses a login while the account has a live connection, if only one session is allowed. */
export function refuseSecond(store: Store, kind: 'supervisor' | 'api') {
	if (store.options.secondLogin === 'refuse' && store.hub.isConnected(kind)) {
		throw new FeedLoginError(403, 'ALREADY_CONNECTED', 'This account is already connected');
	}
}

function readHeader(header: string | string[] | undefined, store: Store) {
	if (typeof header !== 'string' || header === '') throw invalid('Header X-JSON is missing');
	let value: unknown;
	try {
		value = JSON.parse(header);
	} catch {
		throw invalid('Header X-JSON is not JSON');
	}
	if (!isObject(value)) throw invalid('Header X-JSON must be a JSON object');
	if (value.requete !== 'init') throw invalid('"requete" must be "init"');
	if (!isObject(value.msg) || Object.keys(value.msg).length > 0) {
		throw invalid('"msg" must be an empty object');
	}
	if (!isObject(value.header)) throw invalid('"header" must be an object');
	const unknown = Object.keys(value).find((key) => !['requete', 'header', 'msg'].includes(key));
	if (unknown) throw invalid(`"${unknown}" is not known`);
	const keys = ['login', 'password', ...typeKeys(store)];
	const strange = Object.keys(value.header).find((key) => !keys.includes(key));
	if (strange) throw invalid(`"${strange}" is not known`);
	const { login, password } = value.header;
	if (typeof login !== 'string' || typeof password !== 'string') {
		throw invalid('"login" and "password" must be text');
	}
	return { login, password, accountType: readAccountType(value.header, store) };
}

/** The accepted spellings of the account type's key. */
function typeKeys({ options: { accountTypeKey } }: Store): string[] {
	return accountTypeKey === 'any' ? ['account_type', 'count_type'] : [accountTypeKey];
}

function readAccountType(header: Record<string, unknown>, store: Store) {
	const keys = typeKeys(store);
	const given = keys.flatMap((key) => (header[key] === undefined ? [] : [header[key]]));
	if (given.length === 0) throw invalid(`"${keys.join('" or "')}" is missing`);
	if (given.some((value) => value !== given[0])) throw invalid('The account types differ');
	return given[0];
}
