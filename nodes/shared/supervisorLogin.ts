// Logs in as the supervisor with the spelling of the account type that the provider accepts (provider.md#supervisor-login).
// With "auto" in the credential both are tried, and the accepted one is remembered. Shared by the trigger, its lists,
// Get Info and the credential's test.

import { createHash } from 'crypto';

import type { IDataObject } from 'n8n-workflow';
import {
	SPELLING_HEADER,
	type Spelling,
} from '../../credentials/VoiceManagementSupervisorApi.credentials';
import type { Answer } from './answer/parse';
import { isBusy } from './answer/words';
import { text } from './settingValues';
import { readLogin, type LoginProblem, type LoginVerdict } from './login';

const TRIED = ' (tried with ';

/** In the order in which they are tried: the one of the documented example comes first. */
const SPELLINGS: readonly Spelling[] = ['account_type', 'count_type'];

/** Otherwise it is chosen automatically; also if the credential was saved before it had the field. */
const PRESCRIBED = new Set(['account_type', 'both', 'count_type']);

/** What the provider said about a spelling. */
interface Refusal {
	spelling: Spelling;
	problem: LoginProblem;
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
 *   resolves with any status
 * @param now when it is sent, milliseconds since 1970
 * @returns the verdict; a problem that another spelling may fix names the spellings that were sent
 */
export async function supervisorLogin(
	credential: IDataObject,
	sendLogin: (headers: IDataObject) => Promise<Answer>,
	now: number,
): Promise<LoginVerdict> {
	const chosen = text(credential.accountTypeKey);
	if (PRESCRIBED.has(chosen)) return await prescribedLogin(chosen, sendLogin, now);
	const key = loginKeyOf(credential);
	let { open, refused } = knownLogins.get(key) ?? { open: SPELLINGS, refused: [] };
	for (const spelling of open) {
		const answer = await sendLogin({ [SPELLING_HEADER]: spelling });
		const verdict = readLogin(answer, 'supervisor', now);
		const { headers, problem } = verdict;
		if (!problem) {
			remember(key, { open: [spelling], refused: [] });
			return verdict;
		}
		if (!isAboutSpelling(problem, answer))
			return refused.length === 0
				? verdict
				: { headers, problem: undecided({ spelling, problem }, refused) };
		refused = [...refused, { spelling, problem }];
		open = open.filter((other) => other !== spelling);
		remember(key, { open, refused });
	}
	// The next login tries all again, and begins with the one that was accepted once.
	const again = new Set([...refused.map(({ spelling }) => spelling), ...SPELLINGS]);
	remember(key, { open: [...again], refused: [] });
	return { headers: {}, problem: allRefused(refused) };
}

/** With the spelling that the user chose. */
async function prescribedLogin(
	accountTypeKey: string,
	sendLogin: (headers: IDataObject) => Promise<Answer>,
	now: number,
): Promise<LoginVerdict> {
	const answer = await sendLogin({});
	const verdict = readLogin(answer, 'supervisor', now);
	const { headers, problem } = verdict;
	// The advice about a refused login names the field too.
	if (problem?.kind !== 'failed' || !isAboutSpelling(problem, answer)) return verdict;
	const reason = `${problem.reason}; "Account Type Key" in the credential is ${accountTypeKey}`;
	return { headers, problem: { ...problem, reason } };
}

/** Equal for the same login at the same host. */
export function loginKeyOf({ voiceUrl, login, password }: IDataObject): string {
	return createHash('sha256')
		.update(JSON.stringify([voiceUrl, login, password]))
		.digest('hex');
}

/** Equal for the same login at the same host that is sent in the same way. */
export const sentLoginKeyOf = (credential: IDataObject): string =>
	`${loginKeyOf(credential)} ${text(credential.accountTypeKey)}`;

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

/** The provider's words alone, for a title: which spellings were tried is for the log. */
export const withoutTried = (reason: string): string => reason.split(TRIED, 1).join('');

/** Whether another spelling may be accepted. A provider that is busy, or counts logins, has not looked at this one. */
function isAboutSpelling({ kind, reason }: LoginProblem, { statusCode, format }: Answer): boolean {
	if (statusCode !== 500 && isBusy(reason)) return false;
	const isData = format === 'json' || format === 'markup' || format === 'empty';
	return kind === 'refused' || (MAY_BE_SPELLING.has(statusCode) && isData);
}

const said = ({ spelling, problem }: Refusal) => `${problem.reason} (with ${spelling})`;

/** One spelling failed in passing, and the others were refused. */
function undecided(last: Refusal, refused: readonly Refusal[]): LoginProblem {
	const reason = `${[last, ...refused].map(said).join('; ')}. "Account Type Key" in the credential decides which one is sent`;
	return { ...last.problem, reason };
}

function allRefused(refused: readonly Refusal[]): LoginProblem {
	const problems = refused.map(({ problem }) => problem);
	// A temporary failure says nothing about the other refusal.
	const passing = problems.find(({ kind, permanent }) => kind === 'failed' && !permanent);
	const reasons = [...new Set(problems.map(({ reason }) => reason))];
	const reason =
		reasons.length === 1
			? `${reasons.join('')}${TRIED}${refused.map(({ spelling }) => spelling).join(' and ')})`
			: refused.map(said).join('; ');
	const first = passing ?? problems.find(({ kind }) => kind === 'refused') ?? problems[0];
	const waits = problems.flatMap(({ retryAfterMs = [] }) => retryAfterMs);
	const retryAfterMs = waits.length > 0 ? Math.max(...waits) : undefined;
	return { kind: 'failed', permanent: true, ...first, reason, retryAfterMs };
}
