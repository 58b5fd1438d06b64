// Derives from credential and settings what the feed needs to connect. The login requests go through n8n's helper
// with the credential, which builds the header itself: no password passes through here except into the hash below.

import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { readClientAccount } from '../shared/clientAccount';
import { readBounded } from '../shared/boundedBody';
import { LONGEST_POLL } from './feed/socketio/http';
import type { FeedOptions } from './feed/types';
import { readHost } from '../shared/hosts';
import { InputError } from '../shared/inputError';
import { NO_BODY } from '../shared/noBody';
import { followRedirects } from '../shared/redirects';
import {
	LOGIN_BYTES,
	LOGIN_VALUES,
	RAW_RESPONSE,
	receive,
	type HttpResponse,
} from '../shared/response';
import { secretsOf, type Secrets } from '../shared/secrets';
import { supervisorLogin } from '../shared/supervisorLogin';
import type { TriggerSettings } from './settings';

/** The longest wait for the response to a login or a probe. */
const ANSWER_WITHIN_MS = 30_000;

/** n8n's HTTP helpers, bound to the node's context. */
export interface Http {
	/** With the credential's authentication. */
	authenticated(credential: string, request: IHttpRequestOptions): Promise<unknown>;
	plain(request: IHttpRequestOptions): Promise<unknown>;
}

export const CREDENTIAL_OF_FEED = {
	supervisor: 'voiceManagementSupervisorApi',
	account: 'voiceManagementApi',
} as const;

/**
 * What the feed needs to connect.
 * @throws InputError naming the field or the option that is missing or invalid
 */
export function feedOptions(
	settings: TriggerSettings,
	credential: ICredentialDataDecryptedObject,
	http: Http,
): FeedOptions {
	const account = settings.feed === 'account';
	const voiceUrl = readHost(credential.voiceUrl, 'voiceUrl');
	const loginRequest: IHttpRequestOptions = account
		? tokenRequest(settings, credential)
		: { method: 'POST', url: `${voiceUrl}/ws/`, headers: { ...ACCEPT_JSON, ...NO_BODY } };
	const target = account
		? readClientAccount(credential.idClient, 'The full account feed')
		: undefined;
	const secrets = secretsOf(credential);
	// Everything that requires a separate connection; hashed, since keys appear in maps and logs.
	const key = createHash('sha256')
		.update(
			JSON.stringify([
				settings.feed,
				voiceUrl,
				loginRequest.url,
				loginRequest.body ?? null,
				credential.login ?? null,
				credential.password ?? null,
				credential.accountTypeKey ?? null,
				target ?? null,
				settings.initAccountType,
				settings.initArguments ?? null,
				settings.socketPath,
				settings.protocol,
				settings.transport,
				settings.silenceTimeoutMs,
				settings.redundantConnection,
			]),
		)
		.digest('hex');
	return {
		key,
		voiceUrl,
		initAccountType: settings.initAccountType,
		...(settings.initArguments ? { initArguments: settings.initArguments } : {}),
		socketPath: settings.socketPath,
		protocol: settings.protocol,
		transport: settings.transport,
		silenceTimeoutMs: settings.silenceTimeoutMs,
		twoLines: settings.redundantConnection,
		...(target === undefined ? {} : { target }),
		login: async (abortSignal) => {
			const ask = async (headers: IDataObject) =>
				await followRedirects(
					'POST',
					loginRequest.url,
					async (url) =>
						await answer(
							http.authenticated(CREDENTIAL_OF_FEED[settings.feed], {
								...loginRequest,
								...TOLERANT,
								headers: { ...loginRequest.headers, ...headers },
								url,
								abortSignal,
							}),
							secrets,
						),
				);
			return account
				? await ask({})
				: await supervisorLogin(credential.accountTypeKey, voiceUrl, ask);
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

const ACCEPT_JSON = { Accept: 'application/json' };

const TOLERANT = {
	...RAW_RESPONSE,
	timeout: ANSWER_WITHIN_MS,
} satisfies Partial<IHttpRequestOptions>;

/** `POST {api_url}/vm/token`: the body contains the IP address that the token will be bound to. */
function tokenRequest({ ip }: TriggerSettings, credential: IDataObject): IHttpRequestOptions {
	const baseUrl = readHost(credential.baseUrl, 'baseUrl');
	if (ip === '') {
		throw new InputError(
			'The full account feed needs the "Machine IP Address"',
			'Enter the IP address from which the operator sees this n8n instance',
			'the-full-account-feed',
		);
	}
	return {
		method: 'POST',
		url: `${baseUrl}/vm/token`,
		headers: ACCEPT_JSON,
		body: { ip, user_type: 'api' },
	};
}

async function answer(request: Promise<unknown>, secrets: Secrets): Promise<HttpResponse> {
	return await receive(await request, {
		bytes: LOGIN_BYTES,
		values: LOGIN_VALUES,
		timeoutMs: ANSWER_WITHIN_MS,
		secrets,
	});
}
