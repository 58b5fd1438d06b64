// Reads the answers of the two logins: `POST {voice_url}/ws/` (supervisor) and `POST {api_url}/vm/token`
// (account feed). Their error answers are documented nowhere, so what counts as "refused" is a list, here.
import { emptyDirectory, readDirectory, type Directory } from './directory';
import { isRecord } from './ids';
import { readResponse, type HttpResponse } from './response';

/** The response to a login: `body` holds bytes or text. */
export type HttpAnswer = HttpResponse;

/**
 * What the operator hands out and wants back, with the type and the text it came with: a number stays a number, text is not
 * trimmed. (A number beyond 2^53 is text of the same digits: JavaScript has no closer form that JSON could carry.)
 */
export type Echo = string | number;

/** One login, read by session.ts from the answer of `/ws/` or `/vm/token`. */
export interface Session {
	/** The token: a secret, never logged. */
	idSession: Echo;
	/** Second argument of `init`: the supervisor's `target`, or the client account identifier. */
	target: Echo;
	/** Milliseconds since 1970; two hours after the login where the answer does not say otherwise. */
	expiresAt: number;
	/** Empty maps for the account feed, whose login carries no session information. */
	directory: Directory;
}

/** Validity of a token: "2 hours" (voice-notification-feed, "Limits"). */
export const TOKEN_VALIDITY_MS = 2 * 60 * 60_000;
/** A renewal starts this long before the end … */
const RENEW_AHEAD_MS = 10 * 60_000;
/** … or, where a token is valid for less than this, at this part of its validity. */
const SHORT_VALIDITY_MS = 50 * 60_000;
const SHORT_RENEWAL_PART = 0.8;

/** The service answered, and the answer means: not with these credentials. Tried again, slowly. */
export class LoginRefused extends Error {
	override name = 'LoginRefused';

	constructor(
		/** The operator's own words where it gave any. */
		readonly reason: string,
		readonly statusCode?: number,
	) {
		super(reason);
	}
}

/** The service answered with something that says nothing about the credentials. Tried again soon. */
export class LoginFailed extends Error {
	override name = 'LoginFailed';

	constructor(
		readonly reason: string,
		readonly statusCode?: number,
	) {
		super(reason);
	}
}

/**
 * The session in the answer of `/ws/`.
 *
 * @param now when the answer came, milliseconds since 1970
 * @throws LoginRefused or LoginFailed
 */
export function readSupervisorLogin(answer: HttpAnswer, now: number): Session {
	const { body, idSession } = readLogin(answer, 'X-JSON login at {voice_url}/ws/');
	const target = echo(body.target);
	if (target === undefined) {
		throw new LoginFailed(
			'The login was accepted but its answer has no "target"',
			answer.statusCode,
		);
	}
	return {
		idSession,
		target,
		expiresAt: expiryOf(body, answer, now),
		directory: readDirectory(body),
	};
}

/**
 * The session in the answer of `/vm/token`, which "carries an `id_session` value" and is not shown further.
 *
 * @param target the client account identifier, second argument of `init`
 * @param now when the answer came, milliseconds since 1970
 * @throws LoginRefused or LoginFailed
 */
export function readTokenLogin(answer: HttpAnswer, target: string, now: number): Session {
	const { body, idSession } = readLogin(answer, 'token request at {api_url}/vm/token');
	return {
		idSession,
		target,
		expiresAt: expiryOf(body, answer, now),
		directory: emptyDirectory(),
	};
}

/**
 * When to begin a renewal: ten minutes before the end, or at 80 % of a validity under 50 minutes.
 *
 * @returns milliseconds since 1970; at least a second after the login, whatever the token says
 */
export function renewalTime(loggedInAt: number, expiresAt: number): number {
	const validity = expiresAt - loggedInAt;
	const after =
		validity < SHORT_VALIDITY_MS ? validity * SHORT_RENEWAL_PART : validity - RENEW_AHEAD_MS;
	return loggedInAt + Math.max(1_000, Math.floor(after));
}

/**
 * Reads `expire` of the session information, shown as `yyyy-mm-ddthh-mm-ss.000000+GMT`: colons or hyphens in the
 * time, `t`, `T` or a space before it, any or no zone (GMT where none can be read).
 *
 * @returns milliseconds since 1970, or undefined where it can't be read
 */
export function readExpire(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const found =
		/^\s*(\d{4})-(\d{1,2})-(\d{1,2})[t\s]+(\d{1,2})[:-](\d{1,2})[:-](\d{1,2})(?:[.,]\d+)?\s*(.*?)\s*$/i.exec(
			value,
		);
	if (!found) return undefined;
	const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
	const time = Date.UTC(year, month - 1, day, hour, minute, second);
	// Date.UTC turns a 31st of February into March: not a date that anybody wrote.
	const date = new Date(time);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	if (hour > 24 || minute > 59 || second > 60) return undefined;
	const zone = /^([+-])(\d{2}):?(\d{2})$/.exec(found[7]);
	if (!zone) return time;
	const offset = (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
	return zone[1] === '+' ? time - offset : time + offset;
}

/**
 * Two hours from now, or sooner where `expire` says so. The operator's clock may be wrong by minutes, so the
 * validity is counted on that clock wherever the answer has a `Date` header.
 */
function expiryOf(body: Record<string, unknown>, answer: HttpAnswer, now: number): number {
	const expire = readExpire(body.expire);
	if (expire === undefined) return now + TOKEN_VALIDITY_MS;
	const validity = expire - (serverTime(answer.headers) ?? now);
	// A token that has just been issued has not ended: such an `expire` can't be used.
	if (validity <= 0 || validity > TOKEN_VALIDITY_MS) return now + TOKEN_VALIDITY_MS;
	return now + validity;
}

function serverTime(headers: Record<string, unknown>): number | undefined {
	for (const [name, value] of Object.entries(headers ?? {})) {
		if (name.toLowerCase() !== 'date' || typeof value !== 'string') continue;
		const time = Date.parse(value);
		if (Number.isFinite(time)) return time;
	}
	return undefined;
}

/** Statuses that name the credentials, and the two that say "try later" about anything. */
const REFUSING_STATUS = new Set([401, 403, 407]);
const BUSY_STATUS = new Set([408, 425, 429]);
/** Words of an error body that are about the credentials … */
const REFUSING_WORDS =
	/log-?_?in|password|passwd|credential|identif|authenti|authori[sz]|unauthori|forbidden|denied|account|user|token|not allowed|\bip\b|disabled|locked|blocked|suspended/i;
/** … and words that are about the service, which win. */
const BUSY_WORDS =
	/unavailable|maintenance|overload|too many|rate limit|timed? ?out|try (again|later)|temporar|internal|server error|busy|database/i;

function readLogin(
	answer: HttpAnswer,
	what: string,
): { body: Record<string, unknown>; idSession: Echo } {
	const { statusCode, json, text } = readResponse(answer);
	const parsed = json ?? text;
	const reason = reasonOf(parsed);
	if (REFUSING_STATUS.has(statusCode)) {
		throw new LoginRefused(
			reason ?? `The service refused the login and password (status ${statusCode})`,
			statusCode,
		);
	}
	if (statusCode < 200 || statusCode >= 300) {
		const byReason =
			reason !== undefined &&
			statusCode < 500 &&
			statusCode !== 404 &&
			!BUSY_STATUS.has(statusCode) &&
			REFUSING_WORDS.test(reason) &&
			!BUSY_WORDS.test(reason);
		if (byReason) throw new LoginRefused(reason, statusCode);
		throw new LoginFailed(failure(statusCode, reason, what), statusCode);
	}
	const body = withSession(parsed, 0);
	if (body) return { body, idSession: echo(body.id_session) as Echo };
	if (typeof parsed === 'string' && parsed.trim() !== '') {
		// A maintenance page, a captive portal: nobody looked at the credentials.
		throw new LoginFailed(
			`The ${what} was answered with something that is not JSON: is this the right host?`,
			statusCode,
		);
	}
	if (reason !== undefined && BUSY_WORDS.test(reason)) throw new LoginFailed(reason, statusCode);
	throw new LoginRefused(reason ?? 'The service gave no session for this login', statusCode);
}

function failure(statusCode: number, reason: string | undefined, what: string): string {
	if (statusCode >= 300 && statusCode < 400) {
		return `The ${what} was redirected to another address (status ${statusCode}), where the login is not sent: is this the right host?`;
	}
	if (statusCode === 404) {
		return `There is no ${what} (status 404): is this the right host?${reason ? ` ${reason}` : ''}`;
	}
	return `The ${what} failed with status ${statusCode}${reason ? `: ${reason}` : ''}`;
}

/** A value that can be handed back; undefined for nothing, blank text and everything that is neither text nor a number. */
function echo(value: unknown): Echo | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The object that carries a non-empty `id_session`: the answer itself, or one inside it. */
function withSession(value: unknown, depth: number): Record<string, unknown> | undefined {
	if (!isRecord(value) || depth > 2) return undefined;
	if (echo(value.id_session) !== undefined) return value;
	for (const inner of Object.values(value)) {
		const found = withSession(inner, depth + 1);
		if (found) return found;
	}
	return undefined;
}

/**
 * The operator's own words: the error forms of third-party-shapes and the common ones. Cut to one line, since it
 * ends in logs and items; only fields meant for people are looked at, so that nothing secret comes along.
 */
function reasonOf(body: unknown): string | undefined {
	if (!isRecord(body)) return undefined;
	const errors = Array.isArray(body.errors) ? (body.errors as unknown[]).find(isRecord) : undefined;
	const candidates = [
		body.err_msg,
		errors?.apiErrorMessage,
		body.genericErrorMessage,
		body.error_description,
		isRecord(body.error) ? body.error.message : body.error,
		body.message,
		body.reason,
		body.msg,
		body.err_code,
	];
	for (const candidate of candidates) {
		if (typeof candidate !== 'string') continue;
		const line = oneLine(candidate);
		if (line !== '') return line;
	}
	return undefined;
}

function oneLine(text: string): string {
	const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
	return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
