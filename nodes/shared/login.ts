// Reads the response to a login: `POST /ws/` of the supervisor (provider.md#supervisor-login) and `POST /vm/token` of the
// account feed (provider.md#account-token). One verdict for both; how they fail is not documented
// (provider.md#login-failures).
import { headerOf, type Answer } from './answer/parse';
import { echo, fieldOf, layersOf, type Echo, type Fields } from './answer/read';
import { reasonOf, withoutTokens } from './answer/reason';
import { statementOf } from './answer/verdict';
import { isBusy, isBusyPage, namesCredentials, saysNothing } from './answer/words';
import { readDirectory, type Directory } from './directory';
import { oneLine } from './oneLine';
import { shownTarget } from './redirects';
import { readRetryAfter } from './retryAfter';
import { typesIn } from './shown';

export type { Echo };

/** What an accepted login returned. */
export interface Session {
	/** The token: a secret, never logged. */
	idSession: Echo;
	/** The supervisor's account, second argument of `init`; undefined if the response has none, as of an account feed. */
	target: Echo | undefined;
	/** Milliseconds since 1970; two hours after the login unless the response has an earlier time. */
	expiresAt: number;
	/** Four empty lists for the account feed, whose login carries no session information. */
	directory: Directory;
	/** The object with the token. */
	record: Fields;
}

/** Why a login was not accepted. */
export interface LoginProblem {
	/** `refused`: by the provider, because of login, password or account. `failed`: anything else. */
	kind: 'refused' | 'failed';
	/** The provider's own words if it has any. */
	reason: string;
	statusCode?: number | undefined;
	/** Only a person can fix it: another host, a web page, nothing at that path. Everything else is tried again soon. */
	permanent?: boolean | undefined;
	/** The wait that the provider asks for, up to an hour. Milliseconds. */
	retryAfterMs?: number | undefined;
}

export type LoginVerdict = (
	{ session: Session; problem?: undefined } | { session?: undefined; problem: LoginProblem }
) & {
	/** As received; of a refusal without a response, empty. */
	headers: Record<string, unknown>;
};

/** Validity of a token: two hours (provider.md#token-validity). */
export const TOKEN_VALIDITY_MS = 2 * 60 * 60_000;

/** The longest `Retry-After` that is kept. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/** The two logins: what is asked for, and the credential's field that names the host. */
const LOGINS = {
	supervisor: { what: 'login request (/ws/)', field: 'Voice Management URL' },
	account: { what: 'token request (/vm/token)', field: 'Base URL' },
} as const;

export type LoginKind = keyof typeof LOGINS;

/**
 * Whether a login was accepted: by a response of 2xx with a token and without a failure.
 * @param now when the login was sent, or later; the token's validity is counted from here, milliseconds since 1970
 */
export function readLogin(answer: Answer, login: LoginKind, now: number): LoginVerdict {
	const { statusCode, headers, data } = answer;
	const isSuccess = statusCode >= 200 && statusCode < 300;
	const found = isSuccess ? sessionIn(data) : undefined;
	const layers = [...(found ? [found.record] : []), ...layersOf(data)];
	const first = (name: string) => layers.map((layer) => fieldOf(layer, name)).find(isGiven);
	const target = echo(first('target'));
	// A "token" alone may be one against forged requests, beside the provider's refusal.
	const isToken = login === 'account' || isGiven(first(TOKEN_NAME)) || target !== undefined;
	if (!found || !isToken) return { headers, problem: problemIn(answer, login, now) };
	const session = {
		...found,
		target,
		expiresAt: expiryOf(first('expire'), answer, now),
		directory: readDirectory(login === 'supervisor' ? data : undefined),
	};
	return { headers, session };
}

const isGiven = (value: unknown) => (value ?? '') !== '';

/** The documented name of the token, and common ones. */
const TOKEN_NAME = 'id_session';
const TOKEN_NAMES = [TOKEN_NAME, 'session_id', 'session_token', 'token', 'access_token'];

/**
 * The token in what a login returned, and the object that holds it; undefined if there is none, or if it stands beside
 * a failure.
 */
export function sessionIn(data: unknown): { idSession: Echo; record: Fields } | undefined {
	if (statementOf(data, { effect: 'login' }).outcome === 'failed') return undefined;
	for (const record of layersOf(data)) {
		const idSession = echo(fieldOf(record, ...TOKEN_NAMES));
		if (idSession === undefined || saysNothing(idSession) || idSession === -1) continue;
		return { idSession, record };
	}
	return undefined;
}

// ── its end ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Longer than any real date. */
const LONGEST_DATE = 64;

/**
 * Reads `expire` (provider.md#session-information): colons or hyphens in the time, `t`, `T` or a space before it, any or
 * no zone (GMT if none can be read).
 * @returns milliseconds since 1970, or undefined if it can't be read
 */
export function readExpire(value: unknown): number | undefined {
	if (typeof value !== 'string' || value.length > LONGEST_DATE) return undefined;
	const found =
		/^(\d{4})-(\d\d)-(\d\d)[t\s](\d\d)[:-](\d\d)[:-](\d\d)(?:\.\d{1,9})?(?:([+-]\d\d):?(\d\d)|\D*)$/i.exec(
			value.trim(),
		);
	if (!found) return undefined;
	const [, year, month, day, hour, minute, second, hours, minutes] = found;
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const date = `${year}-${month}-${day}`;
	const time = Date.parse(`${date}T${hour}:${minute}:${second}${zone}`);
	// Date.parse turns 31 February into a day in March: nobody sends such a date on purpose.
	const isDate = !Number.isNaN(time) && new Date(Date.parse(date)).toISOString().startsWith(date);
	return isDate ? time : undefined;
}

/**
 * Two hours from now, or sooner if `expire` says so. The provider's clock may be wrong by minutes, so the
 * validity is counted on that clock if the response has a `Date` header.
 */
function expiryOf(given: unknown, { headers }: Answer, now: number): number {
	const expire = readExpire(given);
	const validity = expire === undefined ? Infinity : expire - (serverTime(headers) ?? now);
	// A new token can't have expired already: such an `expire` is ignored.
	return now + (validity > 0 ? Math.min(validity, TOKEN_VALIDITY_MS) : TOKEN_VALIDITY_MS);
}

/** The provider's clock, milliseconds since 1970; undefined if the response does not tell it. */
export function serverTime(headers: Record<string, unknown>): number | undefined {
	const value = headerOf(headers, 'date');
	const time = value === undefined ? Number.NaN : Date.parse(value.slice(0, 100));
	return Number.isFinite(time) ? time : undefined;
}

// ── its failures ────────────────────────────────────────────────────────────────────────────────────────────

const REFUSING = new Set([401, 403, 407]);
const BUSY_STATUSES = new Set([408, 409, 423, 425, 429]);

function problemIn(answer: Answer, login: LoginKind, now: number): LoginProblem {
	const { statusCode } = answer;
	const wait = readRetryAfter(
		headerOf(answer.headers, 'retry-after'),
		serverTime(answer.headers) ?? now,
	);
	const retryAfterMs = wait === undefined ? undefined : Math.min(wait, LONGEST_RETRY_AFTER_MS);
	const isSuccess = statusCode >= 200 && statusCode < 300;
	const said = isSuccess ? inBody(answer, login) : byStatus(answer, login);
	return { ...said, statusCode, retryAfterMs };
}

type Said = Pick<LoginProblem, 'kind' | 'reason' | 'permanent'>;
const refused = (reason: string): Said => ({ kind: 'refused', reason });
const failed = (reason: string, permanent: boolean): Said => ({
	kind: 'failed',
	reason,
	permanent,
});

function byStatus(answer: Answer, login: LoginKind): Said {
	const { statusCode } = answer;
	const { reason, words } = wordsOf(answer);
	const isPage = answer.format === 'html';
	if (REFUSING.has(statusCode) && !isBusy(words) && !(isPage && isBusyPage(answer.text)))
		return refused(
			words || (isPage && statusCode !== 401 ? 'a web page' : 'wrong login or password'),
		);
	const passes =
		REFUSING.has(statusCode) ||
		BUSY_STATUSES.has(statusCode) ||
		(statusCode >= 500 && statusCode !== 501);
	const mayRefuse = statusCode >= 400 && statusCode !== 404 && !passes;
	if (mayRefuse && namesCredentials(words)) return refused(words);
	return failed(describeStatus(answer, reason, login), !passes);
}

/** A success without a token. */
function inBody(answer: Answer, login: LoginKind): Said {
	const { format, text, data } = answer;
	const { what, field } = LOGINS[login];
	const check = `Check "${field}" in the credential.`;
	if (format === 'tooLarge')
		return failed(`The response to the ${what} is larger than 1 MB. ${check}`, true);
	if (format === 'html' || format === 'markup' || format === 'unreadable') {
		// A login page, a captive portal or another host; or the provider's maintenance page.
		const kind = format === 'html' ? 'a web page instead of data' : 'something that is not JSON';
		return failed(`The ${what} returned ${kind}. ${check}`, !isBusyPage(text));
	}
	const { words } = wordsOf(answer);
	if (isBusy(words)) return failed(words, false);
	if (format === 'text' && !namesCredentials(words))
		return failed(
			`The ${what} returned text that is not JSON${words && `: ${words}`}. ${check}`,
			true,
		);
	return refused(words || `the response has no session token (id_session), but ${typesIn(data)}`);
}

/** The provider's own words, '' if there are none. A text without a blank may be the token. */
function wordsOf({ data, format, text }: Answer): { reason: string; words: string } {
	if (format !== 'text' && format !== 'markup' && typeof data !== 'string') {
		const { reason, code = '' } = reasonOf(data, { effect: 'login' });
		return { reason, words: reason || code };
	}
	const line = oneLine(typeof data === 'string' ? data : text);
	const reason = line.includes(' ') ? withoutTokens(line) : '';
	return { reason, words: reason };
}

function describeStatus(answer: Answer, reason: string, login: LoginKind): string {
	const { statusCode } = answer;
	const { what, field } = LOGINS[login];
	const check = `Check "${field}" in the credential.`;
	const because = reason && `: ${reason}`;
	if (statusCode >= 300 && statusCode < 400) {
		return `The ${what} was redirected to another URL${shownTarget(answer)} (HTTP ${statusCode}), where the login is not sent. ${check}`;
	}
	if (statusCode === 404)
		return `The server does not know the ${what} (HTTP 404)${because}. ${check}`;
	return `The ${what} failed with HTTP ${statusCode}${because}`;
}
