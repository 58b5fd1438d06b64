// The credential tests of both nodes: n8n tests a credential through whichever node it finds first. n8n gives a test
// only its plain request helper, so the credential's own builder makes the header.

import { randomUUID } from 'crypto';
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
import { readConnection } from './connectionFields';
import { withDeadline } from './deadline';
import { supervisorHint } from './errorHints';
import { readFailure, type Failure } from './failure';
import { withHelp, type HelpSection } from './help';
import { HOST_FIELDS, readHost } from './hosts';
import { InputError } from './errors';
import { describeLostRequest } from './lostRequest';
import { NO_BODY } from './noBody';
import { followRedirects } from './redirects';
import { LOGIN_BYTES, receive, type Answer } from './answer/parse';
import { oneLine } from './oneLine';
import { sessionIn } from './login';
import { TOO_MANY } from './retryAfter';
import { secretsOf, type Secrets } from './secrets';
import { isInUse } from './openLogins';
import { sentLoginKeyOf, supervisorLogin, withoutTried } from './supervisorLogin';
import { reasonOf, withoutTokens } from './answer/reason';
import { fieldOf, layersOf } from './answer/read';
import { judge } from './answer/verdict';
import { namesCredentials } from './answer/words';

/** The longest that a test takes, with all its requests. */
const TIMEOUT_MS = 20_000;

const { baseUrl: BASE_URL, voiceUrl: VOICE_URL } = HOST_FIELDS;

/** Passes if the login is valid for number management, for the API account, or for both. */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await settle(async () => {
		const data = credential.data ?? {};
		const signal = AbortSignal.timeout(TIMEOUT_MS);
		const host = readHost(data.baseUrl, 'baseUrl');
		if (typeof data.voiceUrl === 'string' && data.voiceUrl.trim() !== '') {
			readHost(data.voiceUrl, 'voiceUrl');
		}
		readConnection(data);
		const ask = async ({ path, ...request }: CheckedRequest, login: Login) =>
			await sendRequest(this, BASE_URL, secretsOf(data), {
				...request,
				url: host + path,
				headers: { ...request.headers, Authorization: basicAuthorization(login) },
				signal,
			});
		const numbers = await decide(NUMBERS, data, ask);
		// A login that has been proven is valid, whatever happens to the other request.
		const token = await decide(TOKEN, data, ask).catch((error: unknown) => {
			if (numbers.accepted && error instanceof InputError) return unknown(error.message);
			throw error;
		});
		return combine(numbers, token);
	});
}

/** Logs in as the supervisor: passes only with a session token in the response. */
export async function testSupervisorCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await settle(async () => {
		const data: ICredentialDataDecryptedObject = credential.data ?? {};
		const signal = AbortSignal.timeout(TIMEOUT_MS);
		const host = readHost(data.voiceUrl, 'voiceUrl');
		readConnection(data);
		if (isInUse(sentLoginKeyOf(data)))
			return {
				status: 'OK',
				message: 'Already connected: the login is right, since a published workflow is using it',
			};
		const login = async ({ [SPELLING_HEADER]: spelling }: IDataObject) =>
			await sendRequest(this, VOICE_URL, secretsOf(data), {
				method: 'POST',
				url: `${host}/ws/`,
				headers: { 'X-JSON': supervisorHeader(data, spelling as Spelling | undefined) },
				signal,
			});
		const { problem } = await supervisorLogin(data, login, Date.now());
		if (!problem) return { status: 'OK', message: 'Logged in as the supervisor' };
		const { kind, reason, statusCode = 200, permanent } = problem;
		if (kind === 'refused') {
			const said = `${withoutTried(reason)} (HTTP ${statusCode}): the login was not accepted`;
			return red(`${said}. ${supervisorHint(reason)}`, 'login-refused');
		}
		return red(reason, permanent ? 'a-web-page-instead-of-data' : 'service-not-reached');
	});
}

/** A request that the provider only carries out, or complains about, after it has checked the login. */
interface CheckedRequest {
	method: 'GET' | 'POST';
	path: string;
	headers?: Record<string, string>;
	body?: string;
	effect: 'read' | 'login';
	/** Whether a response proves by itself that the login was accepted. */
	isProof(data: unknown): boolean;
}

/** Read-only. An account without addresses may get an error. */
const NUMBERS: CheckedRequest = {
	method: 'GET',
	path: '/vbapi/v1/regulation/address?pageNumber=0&pageSize=1',
	effect: 'read',
	isProof: (data) =>
		layersOf(data).some(
			(layer) => fieldOf(layer, 'regulationAddresses', 'resultCount') !== undefined,
		),
};

/**
 * Leaves out the two required fields, so that the provider checks the login but issues no token: a new session may end
 * the one that a running trigger uses.
 */
const TOKEN: CheckedRequest = {
	method: 'POST',
	path: '/vm/token',
	headers: { 'Content-Type': 'application/json' },
	body: '{}',
	effect: 'login',
	isProof: (data) => sessionIn(data) !== undefined,
};

/** What a response shows about the login; `accepted` is undefined if it shows nothing. */
interface Decision {
	accepted: boolean | undefined;
	reason: string;
	/** Of a response that may be another one later. */
	statusCode?: number;
}

const ACCEPTED: Decision = { accepted: true, reason: '' };
const unknown = (why: string): Decision => ({ accepted: undefined, reason: `unknown (${why})` });

/** An error about a field that the token request leaves out. */
const ABOUT_LEFT_OUT = /\bip\b|ip_|_ip\b|user_?type/i;
/** The codes of parameters (provider.md#error-codes). */
const ABOUT_REQUEST = /^(?:1\d|2[0-6])$/;

type Login = ICredentialDataDecryptedObject;
type Ask = (request: CheckedRequest, login: Login) => Promise<Answer>;

/**
 * Whether the provider accepted the login. The documents don't show how it reports a wrong one, and a service may check
 * the parameters first: so a response that says nothing about the login proves it only if a login that does not exist
 * gets another one, and not only in other words.
 */
async function decide(request: CheckedRequest, login: Login, ask: Ask): Promise<Decision> {
	const answer = await ask(request, login);
	const { statusCode, data, text } = answer;
	const failure = failureOf(answer, request);
	if (!failure && request.isProof(data ?? text)) return ACCEPTED;
	const { reason, code = '' } = reasonOf(data, { effect: 'login' });
	if (statusCode === 404 && reason === '' && code === '') {
		const path = request === NUMBERS ? '/vbapi/v1/' : '/vm/token';
		return { accepted: undefined, reason: `there is no ${path} at this URL (HTTP 404)` };
	}
	const said = withoutTokens(failure?.message ?? `HTTP ${statusCode}`);
	const words = typeof data === 'object' ? `${reason} ${code}` : oneLine(text);
	if (failure && isAboutLogin(failure, words, request))
		return { accepted: false, reason: `rejected (${said})` };
	const shown = said.includes('HTTP') ? said : `${said}, HTTP ${statusCode}`;
	const other = isOfService(answer) ? await askAsNobody(request, ask) : undefined;
	if (other === undefined) return { ...unknown(shown), statusCode };
	const logins = [login.login, NOBODYS_LOGIN].map((one) => (typeof one === 'string' ? one : ''));
	if (signature(answer, request, logins) === signature(other, request, logins))
		return unknown(`${shown}; a login that does not exist gets the same response`);
	// A service may refuse a wrong password in other words than a login that does not exist.
	const isSaid = words.trim() === '' || ABOUT_LEFT_OUT.test(words) || ABOUT_REQUEST.test(code);
	const isAlike = failure?.statusCode === failureOf(other, request)?.statusCode;
	const isFailed = judge(answer, request).outcome === 'failed';
	return isFailed && isAlike && !isSaid ? unknown(shown) : ACCEPTED;
}

/** Nobody's login. */
const NOBODYS_LOGIN = 'credential-test';

/** What the service says to a login that does not exist; undefined if something in front of it responds. */
async function askAsNobody(request: CheckedRequest, ask: Ask): Promise<Answer | undefined> {
	const nobody = { login: NOBODYS_LOGIN, password: randomUUID() };
	const answer = await ask(request, nobody).catch((error: unknown) => {
		if (error instanceof InputError) return undefined;
		throw error;
	});
	const isRefused = answer?.statusCode === 401 || answer?.statusCode === 407;
	return answer && (isRefused || isOfService(answer)) ? answer : undefined;
}

function failureOf(answer: Answer, { effect }: CheckedRequest): Failure | undefined {
	return readFailure(answer, { effect, urlField: BASE_URL });
}

/** @param statusCode of the failure: that in the body, if it has one */
function isAboutLogin({ statusCode }: Failure, words: string, request: CheckedRequest): boolean {
	if (statusCode === 401 || statusCode === 407) return true;
	const leavesOut =
		request === TOKEN && ABOUT_LEFT_OUT.test(words) && !/login|passw|credential/i.test(words);
	if (statusCode === 403) return !leavesOut;
	return statusCode < 500 && !leavesOut && namesCredentials(words);
}

/** Whether the service itself responded, and has looked at the request. */
function isOfService({ statusCode, format }: Answer): boolean {
	const isData = !['html', 'unreadable', 'tooLarge'].includes(format);
	const isAnswer =
		(statusCode >= 200 && statusCode < 300) || (statusCode >= 400 && statusCode < 500);
	return isData && isAnswer && !TOO_MANY.has(statusCode);
}

/** What a response says, without logins and what differs from one response to the next: numbers and identifiers. */
function signature(answer: Answer, request: CheckedRequest, logins: readonly string[]): string {
	const { message = '', code = '' } = failureOf(answer, request) ?? {};
	const anonymous = logins.reduce(
		(text, login) => (login === '' ? text : text.replaceAll(login, '')),
		message,
	);
	const words = anonymous.split(/\s+/).map((word) => (/\d/.test(word) ? '#' : word));
	return [answer.statusCode, code, ...words].join(' ');
}

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
	const isRefused = [numbers, token].some(({ accepted }) => accepted === false);
	const later = [numbers, token].map(({ statusCode = 0 }) => statusCode);
	const isTooMany = later.some((status) => TOO_MANY.has(status));
	if (!isRefused || isTooMany || later.some((status) => status >= 500)) {
		const fields = isRefused ? '"Login", "Password" and ' : '';
		const step = isTooMany ? 'Too many requests. Try again later' : `Check ${fields}"${BASE_URL}"`;
		return red(
			`The login could not be checked. ${said} ${step}`,
			isRefused ? 'login-refused' : 'service-not-reached',
		);
	}
	return red(
		`The login was not accepted. ${said} Check "Login", "Password" and "${BASE_URL}". A supervisor's login belongs in "Voice Management Supervisor API"`,
		'login-refused',
	);
}

interface TestRequest {
	method: 'GET' | 'POST';
	url: string;
	headers: Record<string, string>;
	body?: string;
	/** Ends the whole test. */
	signal: AbortSignal;
}

/** One request; any status is a response. @throws InputError in plain words if no response came */
async function sendRequest(
	{ helpers }: ICredentialTestFunctions,
	urlField: string,
	secrets: Secrets,
	{ headers, signal, ...request }: TestRequest,
): Promise<Answer> {
	try {
		const send = async (url: string) => {
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
			return await receive(response, { bytes: LOGIN_BYTES, signal, secrets });
		};
		return await withDeadline(signal, followRedirects(request.method, request.url, send));
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
