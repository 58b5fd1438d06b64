// Derives from the credential what the feed needs to connect. The login requests go through n8n's helper
// with the credential, which builds the header itself: the password is read here only to mask it.

import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { readAccountField } from '../../shared/clientAccount';
import { readBounded } from '../../shared/boundedBody';
import { readConnection, type ConnectionSettings } from '../../shared/connectionFields';
import { withDeadline } from '../../shared/deadline';
import { isAnswer, reasonLine } from '../execution/starters/database';
import { CREDENTIAL_CHANGED } from '../feed/gap';
import { LONGEST_POLL } from '../feed/socketio/pollingHttp';
import type { FeedOptions } from '../feed/types';
import { readHost } from '../../shared/hosts';
import { NO_BODY } from '../../shared/noBody';
import { followRedirects } from '../../shared/redirects';
import {
	LOGIN_BYTES,
	RAW_RESPONSE,
	receive,
	type Answer,
	type HttpResponse,
} from '../../shared/answer/parse';
import { secretsOf, type Secrets } from '../../shared/secrets';
import { readLogin, type LoginProblem } from '../../shared/login';
import { sentLoginKeyOf, supervisorLogin } from '../../shared/supervisorLogin';

/** The longest wait for the response to a login or a probe. */
const ANSWER_WITHIN_MS = 30_000;

/** n8n's credentials and HTTP helpers, bound to the node's context. */
export interface Http {
	/** The decrypted fields that the node's credential has now. */
	credential(name: string): Promise<ICredentialDataDecryptedObject>;
	/** With the credential's authentication. */
	authenticated(credential: string, request: IHttpRequestOptions): Promise<unknown>;
	plain(request: IHttpRequestOptions): Promise<unknown>;
}

export const CREDENTIAL_OF_FEED = {
	supervisor: 'voiceManagementSupervisorApi',
	account: 'voiceManagementApi',
} as const;

type FeedKind = keyof typeof CREDENTIAL_OF_FEED;

/**
 * What the feed needs to connect.
 * @throws InputError naming the field of the credential that is missing or invalid
 */
export function feedOptions(
	feed: FeedKind,
	credential: ICredentialDataDecryptedObject,
	http: Http,
): FeedOptions {
	const { key, account, voiceUrl, target, loginRequest, connection } = accountOf(feed, credential);
	const name = CREDENTIAL_OF_FEED[feed];
	const secrets = secretsOf(credential);
	return {
		key,
		account,
		...(feed === 'supervisor' && { hostLoginKey: sentLoginKeyOf(credential) }),
		secrets,
		voiceUrl,
		initAccountType: INIT_ACCOUNT_TYPE[feed],
		...connection,
		...(target === undefined ? {} : { target }),
		login: async (abortSignal, askedAt) => {
			// n8n's helper takes the credential as it is now, so it must still name this feed.
			const read = await readCredential(async () => await http.credential(name));
			if (read.problem)
				return { headers: {}, problem: { ...read.problem, credential: 'unreadable' } };
			const current = read.credential;
			if (keyIn(feed, current) !== key)
				return {
					headers: {},
					problem: { kind: 'failed', reason: CREDENTIAL_CHANGED, credential: 'changed' },
				};
			const ask = async (headers: IDataObject) =>
				await followRedirects(
					'POST',
					loginRequest.url,
					async (url) =>
						await answer(
							http.authenticated(name, {
								...loginRequest,
								...TOLERANT,
								headers: { ...loginRequest.headers, ...headers },
								url,
								abortSignal,
							}),
							secrets,
						),
				);
			return feed === 'account'
				? readLogin(await ask({}), 'account', askedAt)
				: await supervisorLogin(current, ask, askedAt);
		},
		loginUrl: loginRequest.url,
		request: async ({ signal, ...request }) => {
			const { statusCode, headers, body } = (await http.plain({
				...request,
				...RAW_RESPONSE,
				abortSignal: signal,
			})) as HttpResponse;
			return { statusCode, headers, body: await readBounded(body, LONGEST_POLL) };
		},
	};
}

/**
 * The credential, or n8n's own reason why there is none: it was deleted, n8n can't decrypt it, its database is down. The
 * reason is a problem of the login, since n8n reads the credential for each.
 */
export async function readCredential<T>(
	read: () => Promise<T>,
): Promise<
	{ credential: T; problem?: undefined } | { credential?: undefined; problem: LoginProblem }
> {
	try {
		return { credential: await read() };
	} catch (error) {
		const reason = `n8n can't read the credential (${reasonLine(error)})`;
		return { problem: { kind: 'failed', reason, permanent: isAnswer(error) } };
	}
}

/** First argument of `init`. */
const INIT_ACCOUNT_TYPE = { supervisor: 'supervisor', account: 'api' } as const;

/** The account and how it is reached. */
interface Account {
	/** See {@link FeedOptions}. Hashes, since keys appear in maps. */
	key: string;
	account: string;
	voiceUrl: string;
	target: string | undefined;
	loginRequest: LoginRequest;
	connection: ConnectionSettings;
}

type LoginRequest = IHttpRequestOptions & { url: string };

/** @throws InputError naming the field that is missing or invalid */
function accountOf(feed: FeedKind, credential: ICredentialDataDecryptedObject): Account {
	const voiceUrl = readHost(credential.voiceUrl, 'voiceUrl');
	const loginRequest: LoginRequest =
		feed === 'account'
			? tokenRequest(credential)
			: { method: 'POST', url: `${voiceUrl}/ws/`, headers: { ...ACCEPT_JSON, ...NO_BODY } };
	const target =
		feed === 'account' ? readAccountField(credential, 'idClient', ACCOUNT_FEED) : undefined;
	const connection = readConnection(credential);
	const who = [feed, loginRequest.url, credential.login ?? null];
	const key = hashOf([
		...who,
		credential.password ?? null,
		credential.accountTypeKey ?? null,
		voiceUrl,
		loginRequest.body ?? null,
		target ?? null,
		connection,
	]);
	return {
		key,
		// Short, since n8n exports it with the workflow.
		account: hashOf([...who, target ?? null]).slice(0, 16),
		voiceUrl,
		target,
		loginRequest,
		connection,
	};
}

const hashOf = (values: readonly unknown[]): string =>
	createHash('sha256').update(JSON.stringify(values)).digest('hex');

/** @returns undefined if the credential can't be used */
function keyIn(feed: FeedKind, credential: ICredentialDataDecryptedObject) {
	try {
		return accountOf(feed, credential).key;
	} catch {
		return undefined;
	}
}

const ACCEPT_JSON = { Accept: 'application/json' };

const TOLERANT = {
	...RAW_RESPONSE,
	timeout: ANSWER_WITHIN_MS,
} satisfies Partial<IHttpRequestOptions>;

const ACCOUNT_FEED = 'The full account feed';

/** `POST {api_url}/vm/token`: the body contains the IP address that the token will be bound to. */
function tokenRequest(credential: IDataObject): LoginRequest {
	const baseUrl = readHost(credential.baseUrl, 'baseUrl');
	const ip = readAccountField(credential, 'ip', ACCOUNT_FEED);
	return {
		method: 'POST',
		url: `${baseUrl}/vm/token`,
		headers: ACCEPT_JSON,
		body: { ip, user_type: 'api' },
	};
}

async function answer(request: Promise<unknown>, secrets: Secrets): Promise<Answer> {
	const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
	const received = async () =>
		await receive(await request, { bytes: LOGIN_BYTES, signal, secrets });
	return await withDeadline(signal, received());
}
