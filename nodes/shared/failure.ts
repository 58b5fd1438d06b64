// Decides whether a response is a failure, and describes it: the operator's own reason is the message, its origin and
// what to do are the description. Pure: independent of n8n's error classes.

import type { HelpSection } from './help';
import { errorHint } from './errorHints';
import { headerOf, oneLine, pageTitle, type ParsedResponse } from './response';
import { TOO_MANY } from './retryAfter';
import {
	reasonOf,
	readStatus,
	withoutTokens,
	type Intent,
	type ResponseStatus,
} from './responseStatus';
import { sessionIn } from './loginResponse';
import { complains } from './words';

export interface Failure {
	/** The operator's own reason, if the response has one. */
	message: string;
	/** Module, code and HTTP status, then what to do. */
	description: string;
	statusCode: number;
	module?: string;
	/** The first `apiErrorCode` (or `err_code`). */
	code?: string;
	/** The section of the documentation; undefined if module and status decide (`helpFor`). */
	help?: HelpSection;
	/** Set if the operator itself reports the failure, not something in front of it. */
	stated?: boolean;
}

/** What was requested, and the label of the credential's field for the host. */
export interface SentRequest extends Intent {
	urlField: string;
}

/**
 * The failure that a response reports; undefined for a success. Reads need data; the response to a write can be empty,
 * text or XML that does not complain; the response to a purchase has to be readable.
 * @param response from the operator, or from a proxy in front of it
 */
export function readFailure(response: ParsedResponse, request: SentRequest): Failure | undefined {
	const { statusCode, data, format, text } = response;
	const { effect, urlField } = request;
	const check = `Check "${urlField}" in the credential: it may lead to a proxy or a login page, or need https instead of http.`;
	const ok = statusCode >= 200 && statusCode < 300;
	if (statusCode >= 300 && statusCode < 400) {
		return notTheOperator(
			response,
			`The request was redirected to another page${target(response)}`,
			check,
		);
	}
	if (response.tooLarge !== undefined) {
		return failure(
			response,
			request,
			`The response ${response.tooLarge}`,
			ok ? changed(request) || narrower(request) : undefined,
		);
	}
	if (format === 'html') {
		const title = pageTitle(response);
		return notTheOperator(
			response,
			`The response is a web page${title ? ` ("${title}")` : ''} instead of data`,
			[
				ok ? changed(request) : '',
				statusCode >= 400 ? (errorHint(statusCode, request) ?? check) : check,
			]
				.filter((part) => part !== '')
				.join(' '),
		);
	}
	if (!ok) return failedStatus(response, request);
	const empty = format === 'empty' || data === '' || (data === null && effect === 'write');
	if (effect === 'write') {
		if (empty) return undefined;
		if (format === 'text') {
			return complains(text)
				? { ...failure(response, request, oneLine(text)), stated: true }
				: undefined;
		}
		return statedFailure(response, request);
	}
	if (empty) return notTheOperator(response, 'The response is empty', check);
	const stated = format === 'text' ? undefined : statedFailure(response, request);
	if (stated) return stated;
	// An empty list does not confirm an order.
	const saysNothing = effect === 'purchase' && Array.isArray(data) && data.length === 0;
	if (typeof data === 'object' && data !== null && !saysNothing) return undefined;
	if (effect === 'login' && sessionIn(format === 'text' ? text : data)) return undefined;
	if (effect === 'purchase' && complains(text)) {
		return { ...failure(response, request, oneLine(text)), stated: true };
	}
	// The text of a login's response may be the token.
	const what =
		effect !== 'login'
			? `: ${oneLine(text)}`
			: complains(text)
				? `: ${withoutTokens(oneLine(text))}`
				: '';
	return failure(response, request, `The response is not a JSON object${what}`, check);
}

/** The word and the reason of a change that was made only in part, with a warning, or with an unknown code. */
export function readWarning(
	response: ParsedResponse,
	intent: Intent,
): { word: string; reason: string } | undefined {
	const { tone, word, reason, unknownCode } = readStatus(response.data, intent);
	if (tone === 'none' && unknownCode !== undefined) {
		return { word: `code ${unknownCode}`, reason: 'it is not known whether this means success' };
	}
	return tone === 'mixed' ? { word: word ?? 'PARTIAL', reason } : undefined;
}

/** A failure inside a response with a good status. */
function statedFailure(response: ParsedResponse, request: SentRequest): Failure | undefined {
	const said = readStatus(response.data, request);
	const problem = /problem\+(json|xml)/i.test(headerOf(response.headers, 'content-type') ?? '');
	if (said.tone !== 'bad' && !problem) return undefined;
	const { code, statusCode } = said;
	const message =
		said.reason ||
		(code
			? `The operator refused the request with code ${code}`
			: 'The operator reported an error without a reason');
	// A failure inside a 200 may have its real status in the body.
	const status = statusCode ?? response.statusCode;
	return {
		...worded(status, message, { ...said, reason: message }, request, changed(request)),
		stated: true,
	};
}

/** A failure by its HTTP status, in the operator's words if there are any. */
function failedStatus(response: ParsedResponse, request: SentRequest): Failure {
	const { statusCode, data, format, text } = response;
	const said =
		data === undefined
			? { reason: '' }
			: reasonOf(data, request.effect === 'login' ? 'login' : undefined);
	const plain = format === 'text' || typeof data !== 'object';
	// The text of a login's response may be the token, unless the status rejects the login.
	const mayHoldToken = request.effect === 'login' && statusCode < 400;
	const message =
		said.reason ||
		(plain && !mayHoldToken ? oneLine(text) : '') ||
		(said.code
			? `The operator refused the request with code ${said.code}`
			: `The operator responded with HTTP status ${statusCode}`);
	return { ...worded(statusCode, message, said, request), stated: said.reason !== '' };
}

function failure(
	response: ParsedResponse,
	request: SentRequest,
	message: string,
	advice?: string,
): Failure {
	return worded(response.statusCode, message, { reason: message }, request, advice);
}

function worded(
	statusCode: number,
	message: string,
	{ module, code, word }: Omit<ResponseStatus, 'tone'>,
	request: SentRequest,
	advice?: string,
): Failure {
	const origin = [
		module,
		code && `code ${code}`,
		!code && word && `Status ${oneLine(word)}`,
		`HTTP ${statusCode}`,
	]
		.filter(Boolean)
		.join(', ');
	const step = errorHint(statusCode, request, module, code) ?? advice;
	return {
		message,
		description: `${origin.charAt(0).toUpperCase()}${origin.slice(1)}${step ? `. ${step}` : ''}`,
		statusCode,
		module,
		code,
	};
}

/** What remains uncertain after an unexpected response to a write. */
function changed({ effect }: Intent): string {
	return effect === 'write'
		? "Check on the operator's side whether the change was made before you run this again."
		: '';
}

/** Advice on how to get a smaller response. */
function narrower({ effect }: Intent): string {
	return effect === 'read' ? 'Ask for fewer entries: set a limit or a filter.' : '';
}

/** The failure for a response that comes from something in front of the operator. */
function notTheOperator(response: ParsedResponse, message: string, advice: string): Failure {
	const { statusCode } = response;
	return {
		message,
		description: `HTTP ${statusCode}. ${advice}`,
		statusCode,
		help: 'a-web-page-instead-of-data',
	};
}

/** The section of the documentation about a failure. */
export function helpFor({ help, statusCode, module }: Failure): HelpSection {
	if (statusCode === 401 || statusCode === 403) return 'login-refused';
	if (help) return help;
	if (TOO_MANY.has(statusCode)) return 'too-many-requests';
	if (module?.toUpperCase() === 'ORDERING') return 'orders';
	if (module?.toUpperCase() === 'REGULATION') return 'addresses-and-numbers';
	return 'refused-for-another-reason';
}

/** The target of a redirect without its query, which may contain a token. */
function target({ headers }: ParsedResponse): string {
	const location = (headerOf(headers, 'location') ?? '').slice(0, 2_000);
	if (location === '' || !URL.canParse(location, 'http://relative.invalid')) return '';
	const url = new URL(location, 'http://relative.invalid');
	const host = url.host === 'relative.invalid' ? '' : url.host;
	return ` (${oneLine(`${host}${url.pathname}`)})`;
}
