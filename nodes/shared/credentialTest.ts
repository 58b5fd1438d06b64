// The credential tests of both nodes: n8n tests a credential through whichever node it finds first. n8n gives a test
// only its plain request helper, so the credential's own builder makes the header.

import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { basicAuthorization } from '../../credentials/VoiceManagementApi.credentials';
import {
	SPELLING_HEADER,
	supervisorHeader,
	type Spelling,
} from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { supervisorHint } from './errorHints';
import { helpFor, readFailure } from './failure';
import { withHelp, type HelpSection } from './help';
import { HOST_FIELDS, readHost } from './hosts';
import { InputError } from './inputError';
import { describeLostRequest } from './lostRequest';
import { NO_BODY } from './noBody';
import { followRedirects } from './redirects';
import {
	LOGIN_BYTES,
	LOGIN_VALUES,
	oneLine,
	readResponse,
	receive,
	type ParsedResponse,
	type HttpResponse,
} from './response';
import { LoginFailed, LoginRefused, sessionIn } from './loginResponse';
import { secretsOf, type Secrets } from './secrets';
import { supervisorLogin } from './supervisorLogin';
import { readStatus, reasonOf } from './responseStatus';
import { isRecord } from './ids';
import { ADDRESS_IDS, entriesOf, fieldOf, layersOf, totalOf } from './shapes';

const TIMEOUT_MS = 20_000;

const { baseUrl: BASE_URL, voiceUrl: VOICE_URL } = HOST_FIELDS;

/** The supervisor's login, for its hints. */
const LOGIN = { effect: 'login', urlField: VOICE_URL } as const;

/** Passes if the login is valid for number management, for the API account, or for both. */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await settle(async () => {
		const data = credential.data ?? {};
		const host = readHost(data.baseUrl, 'baseUrl');
		if (typeof data.voiceUrl === 'string' && data.voiceUrl.trim() !== '') {
			readHost(data.voiceUrl, 'voiceUrl');
		}
		const headers = { Authorization: basicAuthorization(data) };
		const secrets = secretsOf(data);
		// Read-only. The list may return an error if the account has no addresses.
		const numbers = await sendRequest(this, BASE_URL, secrets, {
			method: 'GET',
			url: `${host}/vbapi/v1/regulation/address?pageNumber=0&pageSize=1`,
			headers,
		});
		// Leaves out the two required fields, so that the operator checks the login but issues no token: a new session
		// may end the one that a running trigger uses.
		const token = await sendRequest(this, BASE_URL, secrets, {
			method: 'POST',
			url: `${host}/vm/token`,
			headers: { ...headers, 'Content-Type': 'application/json' },
			body: '{}',
		});
		const list = readResponse(numbers);
		const session = readResponse(token);
		// A host that returns an empty response to every request proves nothing about the login.
		if (list.statusCode === 204 && session.statusCode === 204) {
			return combine(NOTHING_SAID, NOTHING_SAID);
		}
		return combine(decide(list, 'list'), decide(session, 'token'));
	});
}

/** Logs in as the supervisor: passes only with a session token in the response. */
export async function testSupervisorCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await settle(async () => {
		const data: ICredentialDataDecryptedObject = credential.data ?? {};
		const host = readHost(data.voiceUrl, 'voiceUrl');
		const login = async ({ [SPELLING_HEADER]: spelling }: IDataObject) =>
			await sendRequest(this, VOICE_URL, secretsOf(data), {
				method: 'POST',
				url: `${host}/ws/`,
				headers: { 'X-JSON': supervisorHeader(data, spelling as Spelling | undefined) },
			});
		const received = await supervisorLogin(data.accountTypeKey, host, login).catch(
			(error: unknown) => {
				if (error instanceof LoginRefused || error instanceof LoginFailed) return error;
				throw error;
			},
		);
		if (received instanceof LoginFailed) return red(received.reason, 'a-web-page-instead-of-data');
		if (received instanceof LoginRefused) {
			const { reason, statusCode = 200 } = received;
			return red(`${reason} (HTTP ${statusCode}). ${supervisorHint(reason)}`, 'login-refused');
		}
		const response = readResponse(received);
		const failure = readFailure(response, LOGIN);
		if (failure) return red(`${failure.message}. ${failure.description}`, helpFor(failure));
		if (!sessionIn(response.data ?? response.text)) {
			return red(
				`The operator did not accept the login: its response has no session token (id_session). ${supervisorHint('')}`,
				'login-refused',
			);
		}
		return { status: 'OK', message: 'Logged in as the supervisor' };
	});
}

/** What one of the two responses shows about the login; `accepted` is undefined if it shows nothing. */
interface Decision {
	accepted: boolean | undefined;
	reason: string;
}

const NOTHING_SAID: Decision = {
	accepted: undefined,
	reason: 'unknown (the response is empty, HTTP 204)',
};

const FULL_FEED = 'Full account feed (API account)';

function combine(numbers: Decision, token: Decision): INodeCredentialTestResult {
	const feed = 'the full account feed (API account)';
	if (numbers.accepted && token.accepted) {
		return { status: 'OK', message: `Accepted for number management and for ${feed}` };
	}
	if (numbers.accepted) {
		return {
			status: 'OK',
			message: `Accepted for number management. ${FULL_FEED}: ${token.reason}`,
		};
	}
	if (token.accepted) {
		return {
			status: 'OK',
			message: `Accepted for ${feed}. Number management: ${numbers.reason}`,
		};
	}
	const said = `Number management: ${numbers.reason}. ${FULL_FEED}: ${token.reason}.`;
	if (numbers.accepted === undefined && token.accepted === undefined) {
		return red(
			`The login could not be checked. ${said} Check "${BASE_URL}"`,
			'service-not-reached',
		);
	}
	return red(
		`The login was not accepted. ${said} Check "Login", "Password" and "${BASE_URL}". A supervisor's login belongs in "Voice Management Supervisor API"`,
		'login-refused',
	);
}

/** An error about the login … */
const ABOUT_LOGIN =
	/log-?_?in\b|passw|mot de passe|identifiant|credential|authenti|authori[sz]|unauth|\bauth\b|_auth|auth_|access.?denied|forbidden|denied|refus|locked|suspended|blocked|(user|account|compte)\b.{0,20}\b(unknown|not found|closed|disabled|inactive|expired|inconnu)|(unknown|invalid|wrong|disabled|inactive) (user|account)\b/i;
/** … and an error about a field that our request leaves out, which the operator checks only after the login. */
const ABOUT_REQUEST =
	/\bip\b|ip_|_ip\b|user_?type|param|missing|required|mandatory|obligatoire|manqu|field|element|\bvars?\b|body|json|page|validation|empty|illegal value/i;

/**
 * Whether the operator accepted the login. Both requests may fail for other reasons: the token request leaves out
 * `ip` and `user_type`, and the list may be empty.
 */
function decide(response: ParsedResponse, request: 'list' | 'token'): Decision {
	const { statusCode, data, format } = response;
	const failure = readFailure(response, {
		effect: request === 'list' ? 'read' : 'login',
		urlField: BASE_URL,
	});
	if (!failure) {
		if (request === 'list' ? isOfNumbers(response) : sessionIn(data ?? response.text))
			return { accepted: true, reason: '' };
		const missing = request === 'list' ? 'list of addresses' : 'session token';
		return { accepted: undefined, reason: `unknown (the response has no ${missing})` };
	}
	const status = failure.message.includes('HTTP') ? '' : `, HTTP ${statusCode}`;
	const unknown = {
		accepted: undefined,
		reason: `unknown (${failure.message}${status})`,
	};
	const refused = { accepted: false, reason: `rejected (${failure.message})` };
	const readable = format !== 'text' && format !== 'html' && typeof data === 'object';
	const { reason, code } = reasonOf(data, 'login');
	const words = readable ? `${reason} ${code ?? ''}` : oneLine(response.text);
	const aboutLogin = ABOUT_LOGIN.test(words);
	const aboutRequest = ABOUT_REQUEST.test(words);
	if (statusCode === 404 && reason === '') {
		const path = request === 'list' ? '/vbapi/v1/' : '/vm/token';
		return { accepted: undefined, reason: `there is no ${path} at this URL (HTTP 404)` };
	}
	if (statusCode === 401 || statusCode === 407) return refused;
	// "There is none": the list is empty.
	const isNone = statusCode === 204 || (failure.stated && /^0{0,5}15$/.test(failure.code ?? ''));
	if (request === 'list' && isNone) return { accepted: true, reason: '' };
	// A valid login gets "not from this IP address" for a token request that contains no IP address.
	if (statusCode === 403 || failure.statusCode === 403) {
		const aboutIp = request === 'token' && /\bip\b|ip_|_ip\b|user_?type/i.test(words);
		return aboutIp && !/login|passw|credential/i.test(words)
			? { accepted: true, reason: '' }
			: refused;
	}
	if (!readable) {
		const complaint =
			format !== 'html' && (statusCode < 300 || statusCode === 400 || statusCode === 422);
		return complaint && aboutRequest && !aboutLogin ? { accepted: true, reason: '' } : unknown;
	}
	if (failure.statusCode === 401) return refused;
	if (statusCode === 400 || statusCode === 422 || (statusCode >= 200 && statusCode < 300)) {
		if (aboutLogin) return refused;
		const decided = statusCode >= 400 || aboutRequest;
		return decided ? { accepted: true, reason: '' } : unknown;
	}
	return unknown;
}

/** Reasons that operators give for an empty list. */
const NOTHING_FOUND =
	/\b(?:no|0|zero|aucune?)\b.{0,20}\b(?:records?|results?|r[eé]sultats?|entr(?:y|ies)|data|items?|rows?)\b|nothing found/i;

/** Whether the response comes from number management: other services return JSON too. */
function isOfNumbers({ data, text }: ParsedResponse): boolean {
	return (
		entriesOf(data, { names: ['regulationAddresses'], ids: ADDRESS_IDS.slice(0, -5) }) !==
			undefined ||
		totalOf(data) !== undefined ||
		(isRecord(data) && Object.keys(data).length === 0) ||
		readStatus(data, { effect: 'read' }).tone === 'good' ||
		layersOf(data).some((layer) => /^(?:0|200)$/.test(String(fieldOf(layer, 'code', 'status')))) ||
		/ad+ress/i.test(text) ||
		NOTHING_FOUND.test(text.slice(0, 1_000))
	);
}

interface TestRequest {
	method: 'GET' | 'POST';
	url: string;
	headers: Record<string, string>;
	body?: string;
}

/** One request; any status is a response. @throws InputError in plain words if no response came */
async function sendRequest(
	{ helpers }: ICredentialTestFunctions,
	urlField: string,
	secrets: Secrets,
	{ headers, ...request }: TestRequest,
): Promise<HttpResponse> {
	try {
		return await followRedirects(request.method, request.url, async (url) => {
			const response: unknown = await helpers.request({
				...request,
				url,
				headers: {
					Accept: 'application/json',
					...(request.body === undefined ? NO_BODY : {}),
					...headers,
				},
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
				// As a stream, so that its size can be limited.
				useStream: true,
				timeout: TIMEOUT_MS,
			});
			return await receive(response, {
				bytes: LOGIN_BYTES,
				values: LOGIN_VALUES,
				timeoutMs: TIMEOUT_MS,
				secrets,
			});
		});
	} catch (error) {
		return lost(describeLostRequest(error, request.url, urlField, 'read'));
	}
}

function lost({ message, description, help }: ReturnType<typeof describeLostRequest>): never {
	throw new InputError(message, description, help);
}

/** A failed test, with the section of the documentation about it. */
function red(message: string, help: HelpSection): INodeCredentialTestResult {
	return { status: 'Error', message: withHelp(message, help) };
}

/** n8n shows the error that a test throws as it is, so only our own messages must get there. */
async function settle(
	test: () => Promise<INodeCredentialTestResult>,
): Promise<INodeCredentialTestResult> {
	try {
		return await test();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		if (!(error instanceof InputError)) return { status: 'Error', message };
		return red([message, error.description].filter(Boolean).join('. '), error.help);
	}
}
