// Logs in as the supervisor with the spelling of the account type that the operator accepts: its document lists
// `count_type` but shows `account_type` in the example. With "auto" in the credential both are tried, and the
// accepted one is remembered. Shared by the trigger, its lists, Get Info and the credential's test.

import type { IDataObject } from 'n8n-workflow';
import {
	SPELLING_HEADER,
	type Spelling,
} from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { LOGIN_VALUES, readResponse, type HttpResponse } from './response';
import { checkSupervisorLogin, LoginFailed, LoginRefused } from './loginResponse';

/** In the order in which they are tried: the document's example comes first. */
const SPELLINGS: readonly Spelling[] = ['account_type', 'count_type'];

/** The accepted spelling of each host, for as long as this process lives. */
const accepted = new Map<string, Spelling>();
const MOST_HOSTS = 100;

/** Statuses with which an operator may respond to a header that it can't read. */
const MAY_BE_SPELLING = new Set([200, 400, 406, 409, 412, 422, 500]);

/**
 * Logs in as the supervisor.
 * @param accountTypeKey the credential's field
 * @param host the voice management host, the key of what is remembered
 * @param sendLogin sends the login request with these headers, which the credential's `authenticate` removes again;
 *   resolves with any status and the body as bytes or text
 * @returns the response to read; accepted, or a failure that another spelling would not fix
 * @throws LoginRefused or LoginFailed that names what was tried
 */
export async function supervisorLogin(
	accountTypeKey: unknown,
	host: string,
	sendLogin: (headers: IDataObject) => Promise<HttpResponse>,
): Promise<HttpResponse> {
	if (!isAuto(accountTypeKey)) return await sendLogin({});
	const known = accepted.get(host);
	const tried: Array<{ spelling: Spelling; error: LoginRefused | LoginFailed }> = [];
	for (const spelling of known === undefined ? SPELLINGS : [known]) {
		const response = await sendLogin({ [SPELLING_HEADER]: spelling });
		const error = problemOf(response);
		if (!error) {
			if (accepted.size >= MOST_HOSTS) accepted.clear();
			accepted.set(host, spelling);
			return response;
		}
		const { format } = readResponse(response, LOGIN_VALUES);
		const mayBeSpelling =
			error instanceof LoginRefused ||
			(MAY_BE_SPELLING.has(response.statusCode) && format !== 'html' && format !== 'text');
		if (!mayBeSpelling) return response;
		tried.push({ spelling, error });
	}
	// The next login tries both again: the operator may accept the other spelling by then.
	accepted.delete(host);
	throw bothFailed(tried);
}

/**
 * Whether Auto chose the spellings of a rejected login, as its reason shows; the user's own choice would then change
 * nothing.
 */
export const triedByAuto = (reason: string): boolean =>
	SPELLINGS.some((spelling) => reason.includes(`with ${spelling}`));

/** Whether the spelling is chosen automatically; also if the credential was saved before it had the field. */
function isAuto(accountTypeKey: unknown): boolean {
	return !['account_type', 'both', 'count_type'].includes(String(accountTypeKey));
}

function problemOf(response: HttpResponse): LoginRefused | LoginFailed | undefined {
	try {
		checkSupervisorLogin(response, Date.now());
		return undefined;
	} catch (error) {
		// `checkSupervisorLogin` throws nothing else.
		return error as LoginRefused | LoginFailed;
	}
}

function bothFailed(
	tried: Array<{ spelling: Spelling; error: LoginRefused | LoginFailed }>,
): LoginRefused | LoginFailed {
	const errors = tried.map(({ error }) => error);
	// A temporary failure says nothing about the other rejection.
	const passing = errors.find((error) => error instanceof LoginFailed && !error.permanent);
	const reasons = [...new Set(errors.map(({ reason }) => reason))];
	const reason =
		reasons.length === 1
			? `${reasons.join('')} (tried with ${tried.map(({ spelling }) => spelling).join(' and ')})`
			: tried.map(({ spelling, error }) => `${error.reason} (with ${spelling})`).join('; ');
	const { statusCode, retryAfterMs } = passing ?? errors[0] ?? {};
	return passing || errors.every((error) => error instanceof LoginFailed)
		? new LoginFailed(reason, statusCode, { permanent: !passing, retryAfterMs })
		: new LoginRefused(reason, statusCode, retryAfterMs);
}
