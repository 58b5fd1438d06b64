// Logs in as the supervisor with the spelling of the account type that the provider accepts: its document lists
// `count_type` but shows `account_type` in the example. With "auto" in the credential both are tried, and the
// accepted one is remembered. Shared by the trigger, its lists, Get Info and the credential's test.

import { createHash } from 'crypto';

import type { IDataObject } from 'n8n-workflow';
import {
	SPELLING_HEADER,
	type Spelling,
} from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { answerOf, type Answer, type HttpResponse } from './answer/parse';
import { BUSY_WORDS, checkSupervisorLogin, LoginFailed, LoginRefused } from './loginResponse';

/** In the order in which they are tried: the documented example comes first (provider.md#supervisor-login). */
const SPELLINGS: readonly Spelling[] = ['account_type', 'count_type'];

type LoginProblem = LoginRefused | LoginFailed;

/** What the provider said about a spelling. */
interface Refusal {
	spelling: Spelling;
	error: LoginProblem;
}

/** What is known of one login. */
interface Known {
	/** The spellings to try, in this order: the accepted one alone, or those that have had no answer yet. */
	open: readonly Spelling[];
	/** The others. */
	refused: readonly Refusal[];
}

/** For as long as this process lives. */
const knownLogins = new Map<string, Known>();
const MOST_LOGINS = 100;

/** Statuses with which a provider may respond to a header that it can't read. */
const MAY_BE_SPELLING = new Set([200, 400, 406, 409, 412, 422, 500]);

/**
 * Logs in as the supervisor. A spelling that was refused is not sent again before the other one has got an answer, even
 * if that takes several calls: a provider that allows one login in a while would otherwise never see the other one.
 * @param credential what is remembered belongs to its host, login and password
 * @param sendLogin sends the login request with these headers, which the credential's `authenticate` removes again;
 *   resolves with any status and the body as bytes or text
 * @returns the response to read; accepted, or a failure that another spelling would not fix
 * @throws LoginRefused or LoginFailed that names what was tried
 */
export async function supervisorLogin(
	credential: IDataObject,
	sendLogin: (headers: IDataObject) => Promise<HttpResponse | Answer>,
): Promise<HttpResponse | Answer> {
	if (!isAuto(credential.accountTypeKey)) return await sendLogin({});
	const key = keyOf(credential);
	let { open, refused } = knownLogins.get(key) ?? { open: SPELLINGS, refused: [] };
	for (const spelling of open) {
		const response = await sendLogin({ [SPELLING_HEADER]: spelling });
		const error = problemOf(response);
		if (!error) {
			remember(key, { open: [spelling], refused: [] });
			return response;
		}
		if (!isAboutSpelling(error, response)) {
			if (refused.length === 0) return response;
			throw undecided({ spelling, error }, refused);
		}
		refused = [...refused, { spelling, error }];
		open = open.filter((other) => other !== spelling);
		remember(key, { open, refused });
	}
	// The next login tries all again, and begins with the one that was accepted once.
	const again = new Set([...refused.map(({ spelling }) => spelling), ...SPELLINGS]);
	remember(key, { open: [...again], refused: [] });
	throw allRefused(refused);
}

function keyOf({ voiceUrl, login, password }: IDataObject): string {
	return createHash('sha256')
		.update(JSON.stringify([voiceUrl, login, password]))
		.digest('hex');
}

function remember(key: string, known: Known): void {
	if (knownLogins.size >= MOST_LOGINS) knownLogins.clear();
	knownLogins.set(key, known);
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

function problemOf(response: HttpResponse | Answer): LoginProblem | undefined {
	try {
		checkSupervisorLogin(response, Date.now());
		return undefined;
	} catch (error) {
		// `checkSupervisorLogin` throws nothing else.
		return error as LoginProblem;
	}
}

/** Whether another spelling may be accepted. A provider that is busy, or counts logins, has not looked at this one. */
function isAboutSpelling(error: LoginProblem, response: HttpResponse | Answer): boolean {
	if (response.statusCode !== 500 && BUSY_WORDS.test(error.reason)) return false;
	if (error instanceof LoginRefused) return true;
	const isData = !['html', 'text', 'unreadable'].includes(answerOf(response).format);
	return MAY_BE_SPELLING.has(response.statusCode) && isData;
}

const said = ({ spelling, error }: Refusal) => `${error.reason} (with ${spelling})`;

/** One spelling failed in passing, and the others were refused. */
function undecided(last: Refusal, refused: readonly Refusal[]): LoginProblem {
	const { error } = last;
	const reason = `${[last, ...refused].map(said).join('; ')}. "Account Type Key" in the credential decides which one is sent`;
	const { statusCode, retryAfterMs } = error;
	return error instanceof LoginFailed
		? new LoginFailed(reason, statusCode, { permanent: error.permanent, retryAfterMs })
		: new LoginRefused(reason, statusCode, retryAfterMs);
}

function allRefused(refused: readonly Refusal[]): LoginProblem {
	const errors = refused.map(({ error }) => error);
	// A temporary failure says nothing about the other refusal.
	const passing = errors.find((error) => error instanceof LoginFailed && !error.permanent);
	const reasons = [...new Set(errors.map(({ reason }) => reason))];
	const reason =
		reasons.length === 1
			? `${reasons.join('')} (tried with ${refused.map(({ spelling }) => spelling).join(' and ')})`
			: refused.map(said).join('; ');
	const { statusCode, retryAfterMs } = passing ?? errors[0] ?? {};
	return passing || errors.every((error) => error instanceof LoginFailed)
		? new LoginFailed(reason, statusCode, { permanent: !passing, retryAfterMs })
		: new LoginRefused(reason, statusCode, retryAfterMs);
}
