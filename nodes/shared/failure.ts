// Describes the failure that a response reports: the provider's own reason is the message, its origin and what to do are
// the description. Pure: independent of n8n's error classes.

import { ANSWER_BYTES, headerOf, LOGIN_BYTES, type Answer } from './answer/parse';
import { identifierOf } from './answer/identifiers';
import { judge, type Intent, type Verdict } from './answer/verdict';
import { withoutTokens } from './answer/reason';
import { errorHint, isDocumented, type HintContext } from './errorHints';
import type { HelpSection } from './help';
import { isCompound } from './ids';
import { sessionIn } from './login';
import { HOW_TO_CHECK, MAY_BE_MADE } from './lostRequest';
import { oneLine } from './oneLine';
import { shownTarget } from './redirects';
import { TOO_MANY } from './retryAfter';
import { typesIn } from './shown';

export interface Failure {
	/** The provider's own reason, if the response has one. */
	message: string;
	/** Module, code and HTTP status, then what to do. */
	description: string;
	statusCode: number;
	module?: string;
	/** The first `apiErrorCode` (or `err_code`). */
	code?: string;
	/** The section of the documentation; undefined if module and status decide (`helpFor`). */
	help?: HelpSection;
}

/** What was requested, and what advice depends on. */
export type SentRequest = Intent & HintContext;

/** The failure that a response reports; undefined for a success. */
export function readFailure(answer: Answer, request: SentRequest): Failure | undefined {
	return describeFailure(answer, judge(answer, request), request);
}

/**
 * The failure in a response that has been judged; undefined for a success.
 * @param answer from the provider, or from a proxy in front of it
 */
export function describeFailure(
	answer: Answer,
	verdict: Verdict,
	request: SentRequest,
): Failure | undefined {
	const { outcome } = verdict;
	if (outcome === 'done' || outcome === 'partly') return undefined;
	if (answer.format === 'html' && answer.statusCode >= 400) return pageFailure(answer, request);
	return outcome === 'failed'
		? statedFailure(answer, verdict, request)
		: unclearFailure(answer, request);
}

function statedFailure(answer: Answer, verdict: Verdict, request: SentRequest): Failure {
	const { code, module, word, statusCode } = verdict;
	const shown = (words: string) => withoutTokensOf(request.effect, words);
	const message =
		shown(verdict.reason) ||
		(code ? `The provider refused the request with code ${code}` : '') ||
		(answer.statusCode < 300
			? 'The provider reported an error without a reason'
			: `The provider responded with HTTP status ${statusCode}`);
	const origin = shown(
		[
			module,
			code && `code ${code}`,
			!code && word && `Status ${oneLine(word)}`,
			`HTTP ${statusCode}`,
		]
			.filter(Boolean)
			.join(', '),
	);
	const made = createdIn(answer, request);
	const isUncertain =
		made !== undefined || (!isDocumented(module, code) && brokeOff(statusCode, request));
	const step = isUncertain
		? HOW_TO_CHECK
		: (errorHint(statusCode, request, module, code, message) ??
			(answer.statusCode < 300 && request.effect === 'write' ? HOW_TO_CHECK : ''));
	// Nothing in it was understood.
	const isShown = verdict.reason === '' && code === undefined && isCompound(answer.data);
	const shape = isShown ? `The response has ${typesIn(answer.data)}.` : '';
	const seen = made === undefined ? shape : `The response has ${made}.`;
	return {
		message: isUncertain ? `${message}: ${MAY_BE_MADE}` : message,
		description: sentences(origin.charAt(0).toUpperCase() + origin.slice(1), step, seen),
		statusCode,
		module,
		code,
	};
}

/** Any part of a login's response may be the token. */
const withoutTokensOf = (effect: SentRequest['effect'], words: string) =>
	effect === 'login' ? withoutTokens(words) : words;

/** `addressId 7`, if a success has the identifier of what was to be created. An `id` may be that of the request. */
function createdIn({ statusCode, data }: Answer, { creates }: SentRequest): string | undefined {
	if (creates === undefined || statusCode >= 300) return undefined;
	const id = identifierOf(data, { ...creates, ids: creates.ids.filter((name) => name !== 'id') });
	return id === undefined ? undefined : oneLine(`${creates.ids[0]} ${id}`);
}

/** The provider's word for a success in part, with its reason. */
export const describePart = ({ word = 'PARTIAL', reason }: Verdict) =>
	`The provider responded with ${word}${reason ? `: ${reason}` : ''}.`;

/** What to know of a response to a read that was carried out in part; undefined for any other. */
export const incomplete = (verdict: Verdict) =>
	verdict.outcome === 'partly'
		? `${describePart(verdict)} What it returned may be incomplete.`
		: undefined;

/**
 * A server in front of the provider got no answer in time, or the provider stopped halfway: nobody knows whether a
 * change was made. Only a documented code says that it was refused: any other may be that of what broke off.
 */
function brokeOff(statusCode: number, { effect }: SentRequest): boolean {
	return (
		effect === 'write' && (statusCode === 408 || statusCode >= 500) && !TOO_MANY.has(statusCode)
	);
}

/** A response from something in front of the provider, or one that can't be read as an answer to the request. */
function unclearFailure(answer: Answer, request: SentRequest): Failure | undefined {
	const { statusCode, format, data, text } = answer;
	const { effect } = request;
	const isSuccess = statusCode >= 200 && statusCode < 300;
	if (isSuccess && effect === 'login' && sessionIn(data ?? text)) return undefined;
	if (statusCode >= 300) {
		const message = `The request was redirected to another page${shownTarget(answer)}`;
		// "Found" and "See Other" also answer a change that was made.
		const isMade = effect === 'write' && (statusCode === 302 || statusCode === 303);
		return isMade
			? foreign(answer, `${message}: ${MAY_BE_MADE}`, HOW_TO_CHECK, checkOf(request))
			: foreign(answer, message, checkOf(request));
	}
	if (isSuccess && format === 'html') return pageFailure(answer, request);
	if (isSuccess && format === 'empty')
		return foreign(answer, 'The response is empty', checkOf(request));
	const { message, step } = whatIsUnreadable(answer, request);
	const isWrite = effect === 'write';
	return {
		message: isWrite ? `${message}: ${MAY_BE_MADE}` : message,
		description: sentences(sourceOf(answer), isWrite ? HOW_TO_CHECK : step),
		statusCode,
	};
}

/** @returns what is wrong with the response, and what to do about it if nothing can have been changed */
function whatIsUnreadable(answer: Answer, request: SentRequest): { message: string; step: string } {
	const { statusCode, format, data, text } = answer;
	const { effect, urlField } = request;
	if (format === 'tooLarge') {
		const limit = effect === 'login' ? LOGIN_BYTES : ANSWER_BYTES;
		return {
			message: `The response is larger than ${limit / 1_000_000} MB`,
			step: effect === 'read' ? 'Ask for fewer entries: set a limit or a filter.' : '',
		};
	}
	if (statusCode < 200) {
		return {
			message: `The provider responded with HTTP status ${statusCode}`,
			step: checkOf(request),
		};
	}
	const step = `Check "${urlField}" in the credential.`;
	if (format === 'unreadable') return { message: 'The response is damaged or incomplete', step };
	const expected = effect === 'write' ? 'a known answer' : 'a JSON object';
	// A text without a blank in the response to a login may be the token, and so may any word of its XML.
	const shown = oneLine(effect === 'login' && typeof data === 'string' ? data : text);
	const mayBeToken = effect === 'login' && (format === 'markup' || !shown.includes(' '));
	const quote = shown === '' || mayBeToken ? '' : `: ${withoutTokensOf(effect, shown)}`;
	return { message: `The response is not ${expected}${quote}`, step };
}

function pageFailure(answer: Answer, request: SentRequest): Failure {
	const title = /<title[^<>]{0,200}>([^<]{1,200})/i.exec(answer.text)?.[1] ?? '';
	const named = oneLine(title) === '' ? '' : ` ("${oneLine(title)}")`;
	const isSuccess = answer.statusCode < 300;
	const isChange =
		(isSuccess && request.effect === 'write') || brokeOff(answer.statusCode, request);
	return foreign(
		answer,
		`The response is a web page${named} instead of data${isChange ? `: ${MAY_BE_MADE}` : ''}`,
		isChange ? HOW_TO_CHECK : '',
		(isSuccess || isChange ? undefined : errorHint(answer.statusCode, request)) ?? checkOf(request),
	);
}

const checkOf = ({ urlField }: SentRequest) =>
	`Check "${urlField}" in the credential: it may lead to a proxy or a login page, or need https instead of http.`;

/** The failure for a response that comes from something in front of the provider. */
function foreign(answer: Answer, message: string, ...advice: string[]): Failure {
	return {
		message,
		description: sentences(sourceOf(answer), ...advice),
		statusCode: answer.statusCode,
		help: 'a-web-page-instead-of-data',
	};
}

/** Status and content type of what is not understood: `HTTP 200, text/plain` (provider.md#not-understood). */
export function sourceOf({ statusCode, headers }: Answer): string {
	const [type] = /^[a-z]+\/[\w.+-]{1,60}/i.exec(headerOf(headers, 'content-type') ?? '') ?? [];
	return type === undefined ? `HTTP ${statusCode}` : `HTTP ${statusCode}, ${type}`;
}

const sentences = (origin: string, ...advice: string[]) =>
	[origin, advice.filter((part) => part !== '').join(' ')].filter((part) => part !== '').join('. ');

/** The section of the documentation about a failure. */
export function helpFor({ help, statusCode, module }: Failure): HelpSection {
	const isLogin = statusCode === 401 || statusCode === 403;
	if (help && !(isLogin && help === 'a-web-page-instead-of-data')) return help;
	if (isLogin) return 'login-refused';
	if (TOO_MANY.has(statusCode)) return 'too-many-requests';
	if (module?.toUpperCase() === 'ORDERING') return 'orders';
	if (module?.toUpperCase() === 'REGULATION') return 'addresses-and-numbers';
	return 'refused-for-another-reason';
}
