// Reads the responses to the two logins: `POST /ws/` on the voice host (supervisor) and `POST /vm/token` on the API
// host (account feed). Their errors are not documented (provider.md#login-failures).
import { emptyDirectory, readDirectory, type Directory } from './directory';
import { answerOf, headerOf, type Answer, type HttpResponse } from './answer/parse';
import { fieldOf, layersOf, recordsOf, scalarOf, type Echo } from './answer/read';
import { reasonOf, withoutTokens } from './answer/reason';
import { statementOf } from './answer/verdict';
import { complains } from './answer/words';
import { oneLine } from './oneLine';
import { shownTarget } from './redirects';
import { readRetryAfter } from './retryAfter';

export type { Echo };

/** One login, read from the response of `/ws/` or `/vm/token`. */
export interface Session {
	/** The token: a secret, never logged. */
	idSession: Echo;
	/** Second argument of `init`: the supervisor's `target`, or the client account identifier. */
	target: Echo;
	/** Milliseconds since 1970; two hours after the login unless the response has another time. */
	expiresAt: number;
	/** Empty maps for the account feed, whose login carries no session information. */
	directory: Directory;
}

/** Validity of a token: two hours (provider.md#token-validity). */
export const TOKEN_VALIDITY_MS = 2 * 60 * 60_000;

/** The longest `Retry-After` that is kept. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/** The provider rejected the credentials. Tried again, slowly. */
export class LoginRefused extends Error {
	override name = 'LoginRefused';

	constructor(
		/** The provider's own words if it gave any. */
		readonly reason: string,
		readonly statusCode?: number,
		/** The wait that the provider asks for, up to an hour. Milliseconds. */
		readonly retryAfterMs?: number,
	) {
		super(reason);
	}
}

/** The provider, or something in front of it, sent a response that is not about the credentials. */
export class LoginFailed extends Error {
	override name = 'LoginFailed';

	/** Only a person can fix it: another host, a web page, nothing at that path. Everything else is tried again soon. */
	readonly permanent: boolean;

	/** The wait that the provider asks for, up to an hour. Milliseconds. */
	readonly retryAfterMs?: number;

	constructor(
		readonly reason: string,
		readonly statusCode?: number,
		{ permanent = false, retryAfterMs }: { permanent?: boolean; retryAfterMs?: number } = {},
	) {
		super(reason);
		this.permanent = permanent;
		if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
	}
}

/** The two logins: what is asked for, and the credential's field that names the host. */
const SUPERVISOR = { what: 'login request (/ws/)', field: 'Voice Management URL' };
const TOKEN = { what: 'token request (/vm/token)', field: 'Base URL' };

type Login = typeof SUPERVISOR;

/** The names of the token and of the supervisor's account, the documented one first. */
const SESSION_NAMES =
	'id_session session_id sessionToken session_key token access_token auth_token id_token jeton sid session'.split(
		' ',
	);
const TARGET_NAMES = [
	'target',
	'target_id',
	'id_target',
	'supervisor_id',
	'id_superviseur',
	'cible',
	'id_supervisor',
	'supervisor',
];
const EXPIRE_NAMES = ['expire', 'expires', 'expire_at', 'expires_at', 'expiration', 'valid_until'];

/**
 * The session in the response of `/ws/`.
 *
 * @param now when the login was sent, or later; the session's validity is counted from here, milliseconds since 1970
 * @throws LoginRefused or LoginFailed
 */
export function readSupervisorLogin(response: HttpResponse | Answer, now: number): Session {
	const { data, fields, idSession } = readLogin(response, SUPERVISOR, now);
	const target = targetIn(data, fields);
	if (target === undefined) {
		throw new LoginFailed(
			'The login was accepted, but its response has no "target"',
			response.statusCode,
			{ permanent: true },
		);
	}
	return {
		idSession,
		target,
		expiresAt: expiryOf(fields, response, now),
		directory: readDirectory(data),
	};
}

/**
 * Whether the response of `/ws/` is an accepted login: one with a token, even if other fields are missing.
 * @throws LoginRefused or LoginFailed
 */
export function checkSupervisorLogin(response: HttpResponse | Answer, now: number): void {
	readLogin(response, SUPERVISOR, now);
}

/**
 * The session in the response of `/vm/token`, which is documented only as: it "carries an `id_session` value".
 *
 * @param target the client account identifier, second argument of `init`
 * @param now when the login was sent, or later; the session's validity is counted from here, milliseconds since 1970
 * @throws LoginRefused or LoginFailed
 */
export function readTokenLogin(
	response: HttpResponse | Answer,
	target: string,
	now: number,
): Session {
	const { fields, idSession } = readLogin(response, TOKEN, now);
	return {
		idSession,
		target,
		expiresAt: expiryOf(fields, response, now),
		directory: emptyDirectory(),
	};
}

/** The supervisor's account: beside the token, or under its own name anywhere. */
export function targetIn(data: unknown, fields: Array<Record<string, unknown>>): Echo | undefined {
	const near = fields
		.map((record) => TARGET_NAMES.map((name) => scalarOf(fieldOf(record, name))).find(isSet))
		.find(isSet);
	if (near !== undefined) return near;
	const names = TARGET_NAMES.slice(0, 3);
	return recordsOf(data)
		.map(({ record }) => scalarOf(fieldOf(record, ...names)))
		.find(isSet);
}

/** Values that providers send in place of a missing token. */
const NO_TOKEN = /^\s*(0|-1?|null|nil|none|undefined|false|error|ko)\s*$/i;

/** A response that is nothing but a token: one word with digits, too long to be a word of a language. */
const BARE_TOKEN = /^[\w.~+/=:-]{16,1000}$/;

/**
 * The token in what a login returned, and the object that holds it; undefined if there is none.
 * @param data JSON, or XML as the same kind of value
 */
export function sessionIn(
	data: unknown,
): { idSession: Echo; record: Record<string, unknown> } | undefined {
	if (typeof data === 'string') {
		const bare = data.trim();
		if (!BARE_TOKEN.test(bare) || !/\d/.test(bare)) return undefined;
		return { idSession: bare, record: { id_session: bare } };
	}
	const layers = layersOf(data);
	// `id_session` is searched at any depth; a deeper field called "token" may be something else.
	const places = [
		{ names: SESSION_NAMES.slice(0, 3), records: recordsOf(data).map(({ record }) => record) },
		{ names: SESSION_NAMES, records: layers },
	];
	for (const { names, records } of places) {
		for (const name of names) {
			for (const record of records) {
				const idSession = scalarOf(fieldOf(record, name));
				if (idSession !== undefined && !NO_TOKEN.test(String(idSession))) {
					// A record that reports a failure is not a session.
					const { outcome } = statementOf(record, { effect: 'login' });
					return outcome === 'failed' ? undefined : { idSession, record };
				}
			}
		}
	}
	// `{ "status": "OK", "data": "…" }`
	const whole = layers.map((layer) => fieldOf(layer, 'data', 'result', 'response', 'value'));
	return whole
		.map((value) => (typeof value === 'string' ? sessionIn(value) : undefined))
		.find(isSet);
}

const isSet = <T>(value: T | undefined): value is T => value !== undefined;

/** Longer than any real date. */
const LONGEST_DATE = 64;

/**
 * Reads `expire` of the session information, shown as `yyyy-mm-ddthh-mm-ss.000000+GMT`: colons or hyphens in the
 * time, `t`, `T` or a space before it, any or no zone (GMT if none can be read).
 *
 * @returns milliseconds since 1970, or undefined if it can't be read
 */
export function readExpire(value: unknown): number | undefined {
	if (typeof value !== 'string' || value.length > LONGEST_DATE) return undefined;
	const found =
		/^(\d{4})-(\d{1,2})-(\d{1,2})[t\s]\s{0,9}(\d{1,2})[:-](\d{1,2})[:-](\d{1,2})(?:[.,]\d{1,9})?(.*)$/is.exec(
			value.trim(),
		);
	if (!found) return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
		.slice(1, 7)
		.map(Number);
	const time = Date.UTC(year, month - 1, day, hour, minute, second);
	// Date.UTC turns 31 February into a day in March: nobody sends such a date on purpose.
	const date = new Date(time);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	if (hour > 24 || minute > 59 || second > 60) return undefined;
	const zone = /^([+-])(\d{2}):?(\d{2})$/.exec((found[7] ?? '').trim());
	if (!zone) return time;
	const offset = (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
	return zone[1] === '+' ? time - offset : time + offset;
}

/**
 * Two hours from now, or sooner if `expire` says so. The provider's clock may be wrong by minutes, so the
 * validity is counted on that clock if the response has a `Date` header.
 */
function expiryOf(
	fields: Array<Record<string, unknown>>,
	{ headers }: HttpResponse | Answer,
	now: number,
): number {
	const expire = fields.map((record) => readExpire(fieldOf(record, ...EXPIRE_NAMES))).find(isSet);
	if (expire === undefined) return now + TOKEN_VALIDITY_MS;
	const validity = expire - (serverTime(headers) ?? now);
	// A new token can't have expired already: such an `expire` is ignored.
	if (validity <= 0 || validity > TOKEN_VALIDITY_MS) return now + TOKEN_VALIDITY_MS;
	return now + validity;
}

function serverTime(headers: Record<string, unknown> | undefined): number | undefined {
	const value = headerOf(headers ?? {}, 'date');
	const time = typeof value === 'string' ? Date.parse(value.slice(0, 100)) : Number.NaN;
	return Number.isFinite(time) ? time : undefined;
}

/** Statuses that reject the credentials. */
const REFUSING_STATUS = new Set([401, 403, 407]);
const BUSY_STATUS = new Set([408, 409, 423, 425, 429]);
/** Words of an error that are about the credentials … */
const REFUSING_WORDS =
	/log-?_?in|password|passwd|mot de passe|credential|identif|auth|forbidden|denied|account|compte|user|utilisateur|token|not allowed|\bip\b|disabled|locked|blocked|suspended|refus/i;
/** … and words that are about the service, which take precedence. */
export const BUSY_WORDS =
	/unavailable|maintenance|overload|too many|rate limit|timed? ?out|try (again|later)|temporar|internal|server error|busy|database/i;

/** Whether the words of an error are about login, password or account, and not about a service that is busy. */
function namesCredentials(words: string): boolean {
	return REFUSING_WORDS.test(words) && !BUSY_WORDS.test(words);
}

interface LoggedIn {
	data: unknown;
	/** The objects that may have more about the session. */
	fields: Array<Record<string, unknown>>;
	idSession: Echo;
}

function readLogin(received: HttpResponse | Answer, login: Login, now: number): LoggedIn {
	const response = answerOf(received);
	const session = acceptedIn(response);
	if (session) return session;
	throw problemIn(response, login, retryAfterOf(response, now));
}

function acceptedIn({ statusCode, data, format, text }: Answer): LoggedIn | undefined {
	if (statusCode < 200 || statusCode >= 300) return undefined;
	const content = format === 'text' ? text : data;
	if (statementOf(data, { effect: 'login' }).outcome === 'failed') return undefined;
	const session = sessionIn(content);
	if (!session) return undefined;
	const { record, idSession } = session;
	return { data: content, fields: [record, ...layersOf(data)], idSession };
}

/** Why a response is not an accepted login. */
function problemIn(response: Answer, login: Login, retryAfterMs?: number): LoginProblem {
	const { statusCode } = response;
	const said = statedReason(response);
	const { kind, why } =
		statusCode >= 200 && statusCode < 300
			? problemInBody(response, login, said)
			: problemByStatus(response, login, said);
	return kind === 'refused'
		? new LoginRefused(why, statusCode, retryAfterMs)
		: new LoginFailed(why, statusCode, { permanent: kind === 'permanent', retryAfterMs });
}

type LoginProblem = LoginRefused | LoginFailed;

/** `permanent` and `passing` are failures that are not about the credentials. */
interface Problem {
	kind: 'refused' | 'permanent' | 'passing';
	why: string;
}

function problemByStatus(response: Answer, login: Login, { reason, code, words }: Said): Problem {
	const { statusCode } = response;
	if (REFUSING_STATUS.has(statusCode))
		return { kind: 'refused', why: reason || code || 'wrong login or password' };
	const isBusy = BUSY_STATUS.has(statusCode) || (statusCode >= 500 && statusCode !== 501);
	const mayRefuse = statusCode >= 400 && statusCode < 500 && statusCode !== 404;
	if (mayRefuse && !isBusy && namesCredentials(words))
		return { kind: 'refused', why: reason || words };
	return { kind: isBusy ? 'passing' : 'permanent', why: failure(response, reason, login) };
}

function problemInBody({ format, text }: Answer, login: Login, said: Said): Problem {
	const { reason, code, words } = said;
	const check = `Check "${login.field}" in the credential.`;
	if (format === 'tooLarge') {
		// It may be another host's page.
		const why = `The response to the ${login.what} is larger than 1 MB. ${check}`;
		return { kind: 'permanent', why };
	}
	if (format === 'html' || format === 'unreadable' || (format === 'text' && reason === '')) {
		// A login page, a captive portal or another host; or the provider's maintenance page.
		const what = format === 'html' ? 'a web page instead of data' : 'something that is not JSON';
		const isBusy = BUSY_WORDS.test(text.slice(0, 20_000));
		const why = `The ${login.what} returned ${what}. ${check}`;
		return { kind: isBusy ? 'passing' : 'permanent', why };
	}
	if (BUSY_WORDS.test(words)) return { kind: 'passing', why: reason || words };
	if (format === 'text' && !namesCredentials(words)) return { kind: 'permanent', why: reason };
	const why = reason || code || 'the response has no session token (id_session)';
	return { kind: 'refused', why };
}

type Said = ReturnType<typeof statedReason>;

/** The provider's own words for a failure, '' if there are none; `words` has its code as well. */
function statedReason({ data, format, text }: Answer) {
	const { reason: stated, code } = reasonOf(data, 'login');
	const inWords = format === 'text' && complains(text);
	const reason = stated || (inWords ? withoutTokens(oneLine(text)) : '');
	return { reason, code, words: [reason, code].filter((part) => part).join(' ') };
}

function retryAfterOf({ headers }: Answer, now: number): number | undefined {
	const wait = readRetryAfter(headerOf(headers, 'retry-after'), serverTime(headers) ?? now);
	return wait === undefined ? undefined : Math.min(wait, LONGEST_RETRY_AFTER_MS);
}

function failure(response: Answer, reason: string, { what, field }: Login): string {
	const { statusCode } = response;
	const check = `Check "${field}" in the credential.`;
	if (statusCode >= 300 && statusCode < 400) {
		return `The ${what} was redirected to another URL${shownTarget(response)} (HTTP ${statusCode}), where the login is not sent. ${check}`;
	}
	if (statusCode === 404) {
		return `The server does not know the ${what} (HTTP 404)${reason ? `: ${reason}` : ''}. ${check}`;
	}
	return `The ${what} failed with HTTP ${statusCode}${reason ? `: ${reason}` : ''}`;
}
