// What "Test" on a credential does. n8n gives a credential test nothing but its plain request helper, so the header
// comes from the credential's own builder.

import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { basicAuthorization } from '../../../credentials/VoiceManagementApi.credentials';
import { supervisorHeader } from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import { withHelp, type HelpSection } from '../../shared/help';
import { HOST_FIELDS, readHost } from '../../shared/hosts';
import { InputError } from '../../shared/inputError';
import { followRedirects, NO_BODY } from '../../shared/requests';
import { toText } from '../input/values';
import { isHtml, isObject, readAnswer, type Answer, type HttpResponse } from '../transport/answer';
import { describeLostRequest, networkCode } from '../transport/errors';
import { helpFor, readFailure } from '../transport/failure';

const TIMEOUT_MS = 20_000;

const { baseUrl: BASE_URL, voiceUrl: VOICE_URL } = HOST_FIELDS;

/** Says which of the two logins of the operator the pair is: number management, the API account, or both. */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await settle(async () => {
		const data = credential.data ?? {};
		const host = readHost(data.baseUrl, 'baseUrl');
		if (toText(data.voiceUrl) !== '') readHost(data.voiceUrl, 'voiceUrl');
		const headers = { Authorization: basicAuthorization(data) };
		// Reading one address changes nothing; an account without addresses may answer with an error of the list.
		const numbers = await ask(this, BASE_URL, {
			method: 'GET',
			url: `${host}/vbapi/v1/regulation/address?pageNumber=0&pageSize=1`,
			headers,
		});
		// A token request without its two required fields: the login is judged, and no token can come of it. A real one
		// would make a session, which may end the one that a running trigger uses.
		const token = await ask(this, BASE_URL, {
			method: 'POST',
			url: `${host}/vm/token`,
			headers: { ...headers, 'Content-Type': 'application/json' },
			body: '{}',
		});
		return verdict(numbers, token);
	});
}

/** Logs in as the supervisor: passes only with a session token in the answer. */
export async function testSupervisorCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await settle(async () => {
		const data: ICredentialDataDecryptedObject = credential.data ?? {};
		const host = readHost(data.voiceUrl, 'voiceUrl');
		const answer = await ask(this, VOICE_URL, {
			method: 'POST',
			url: `${host}/ws/`,
			headers: { 'X-JSON': supervisorHeader(data) },
		});
		const failure = readFailure(answer, VOICE_URL, true);
		if (failure) return red(`${failure.message}. ${failure.description}`, helpFor(failure));
		if (isObject(answer.json) && toText(answer.json.id_session) !== '') {
			return { status: 'OK', message: 'Logged in as the supervisor' };
		}
		return red(
			'The login was not accepted: the service gave no session token (id_session). Check login and password, and that it is a supervisor account; then try another "Account Type Key".',
			'login-refused',
		);
	});
}

type Judgement = { accepted: boolean | undefined; reason: string };

function verdict(numbersAnswer: Answer, tokenAnswer: Answer): INodeCredentialTestResult {
	const numbers = judge(numbersAnswer);
	const token = judge(tokenAnswer);
	const feed = 'the full event feed (API account)';
	if (numbers.accepted && token.accepted) {
		return { status: 'OK', message: `Accepted for number management and for ${feed}` };
	}
	if (numbers.accepted) {
		return {
			status: 'OK',
			message: `Accepted for number management. For ${feed}: ${token.reason}`,
		};
	}
	if (token.accepted) {
		return {
			status: 'OK',
			message: `Accepted for ${feed}. For number management: ${numbers.reason}`,
		};
	}
	return red(
		`Not accepted. Number management: ${numbers.reason}. ${feed[0].toUpperCase()}${feed.slice(1)}: ${token.reason}`,
		'login-refused',
	);
}

/** A login was judged by the service itself when the answer is data; 401 and 403 are its "no". */
function judge(answer: Answer): Judgement {
	const failure = readFailure(answer, BASE_URL, true);
	if (!failure) return { accepted: true, reason: '' };
	const { statusCode } = answer;
	if (statusCode === 401 || statusCode === 403) {
		return { accepted: false, reason: `refused: ${failure.message}` };
	}
	const complaint = isObject(answer.json) && !isHtml(answer);
	if (complaint && (statusCode === 400 || statusCode === 422))
		return { accepted: true, reason: '' };
	return { accepted: undefined, reason: `not known: ${failure.message} (HTTP ${statusCode})` };
}

interface TestRequest {
	method: 'GET' | 'POST';
	url: string;
	headers: Record<string, string>;
	body?: string;
}

/** One request; any status is an answer. @throws InputError in plain words when none came */
async function ask(
	{ helpers }: ICredentialTestFunctions,
	urlField: string,
	{ headers, ...request }: TestRequest,
): Promise<Answer> {
	try {
		const response = await followRedirects(
			request.method,
			request.url,
			async (url) =>
				(await helpers.request({
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
					timeout: TIMEOUT_MS,
				})) as HttpResponse,
		);
		return readAnswer(response);
	} catch (error) {
		const host = new URL(request.url).host;
		return lost(describeLostRequest(networkCode(error), host, urlField, 'read'));
	}
}

function lost({ message, description, help }: ReturnType<typeof describeLostRequest>): never {
	throw new InputError(message, description, help);
}

/** A test that failed, with the place of the documentation that helps. */
function red(message: string, help: HelpSection): INodeCredentialTestResult {
	return { status: 'Error', message: withHelp(message, help) };
}

/** n8n shows a thrown error of a test as it is: only our own sentences may reach the user. */
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
