// Decides whether an answer is a failure, and words it: the operator's own reason is the message, where it came
// from and what to do stand in the description. Pure: n8n's error classes know nothing of it.

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
import { sessionIn } from './session';
import { complains } from './words';

export interface Failure {
	/** The operator's own reason, where the answer gives one. */
	message: string;
	/** Module, code and HTTP status, then the next step. */
	description: string;
	statusCode: number;
	module?: string;
	/** The first `apiErrorCode` (or `err_code`). */
	code?: string;
	/** Where the documentation says more; undefined where module and status decide (`helpFor`). */
	help?: HelpSection;
	/** The operator itself says that it failed; without it, something else answered, or nothing that can be read. */
	stated?: boolean;
}

/** What was asked, and how the credential's field that named the host is called. */
export interface SentRequest extends Intent {
	urlField: string;
}

/**
 * The failure an answer stands for; undefined for a good one. Reads need data; a write may be answered with nothing, with
 * text or with XML that does not complain; a purchase with an answer that can be read.
 * @param answer of the operator or of what stands in front of it
 */
export function readFailure(response: ParsedResponse, request: SentRequest): Failure | undefined {
	const { statusCode, data, format, text } = response;
	const { effect, urlField } = request;
	const check = `Check "${urlField}" in the credential: it may lead to a proxy or a login page, or want https instead of http.`;
	const ok = statusCode >= 200 && statusCode < 300;
	if (statusCode >= 300 && statusCode < 400) {
		return notTheOperator(
			response,
			`The service sends on to another page${target(response)}`,
			check,
		);
	}
	if (response.tooLarge !== undefined) {
		const size = `${Math.round(response.tooLarge / 1_000_000)} MB`;
		return failure(
			response,
			`The response is larger than ${size}`,
			ok ? changed(request) : undefined,
		);
	}
	if (format === 'html') {
		const title = pageTitle(response);
		return notTheOperator(
			response,
			`The service answered with a web page${title ? ` ("${title}")` : ''} instead of data`,
			[ok ? changed(request) : '', statusCode >= 400 ? (errorHint(statusCode) ?? check) : check]
				.filter((part) => part !== '')
				.join(' '),
		);
	}
	if (!ok) return failedStatus(response, effect === 'login');
	const empty = format === 'empty' || data === '' || (data === null && effect === 'write');
	if (effect === 'write') {
		if (empty) return undefined;
		if (format === 'text') {
			return complains(text) ? { ...failure(response, oneLine(text)), stated: true } : undefined;
		}
		return statedFailure(response, request);
	}
	if (empty) return notTheOperator(response, 'The service answered with nothing', check);
	const stated = format === 'text' ? undefined : statedFailure(response, request);
	if (stated) return stated;
	// An empty list says nothing about an order.
	const saysNothing = effect === 'purchase' && Array.isArray(data) && data.length === 0;
	if (typeof data === 'object' && data !== null && !saysNothing) return undefined;
	if (effect === 'login' && sessionIn(format === 'text' ? text : data)) return undefined;
	if (effect === 'purchase' && complains(text)) {
		return { ...failure(response, oneLine(text)), stated: true };
	}
	// The text of a login's answer may be its token.
	const what =
		effect !== 'login'
			? `: ${oneLine(text)}`
			: complains(text)
				? `: ${withoutTokens(oneLine(text))}`
				: '';
	return failure(
		response,
		`The service answered with something that is no JSON object${what}`,
		check,
	);
}

/** The word and the reason of a change that was made in part, or made with a warning. */
export function readWarning(
	response: ParsedResponse,
	intent: Intent,
): { word: string; reason: string } | undefined {
	const { tone, word, reason } = readStatus(response.data, intent);
	return tone === 'mixed' ? { word: word ?? 'PARTIAL', reason } : undefined;
}

/** A failure that stands in an answer with a good status. */
function statedFailure(response: ParsedResponse, request: SentRequest): Failure | undefined {
	const said = readStatus(response.data, request);
	const problem = /problem\+(json|xml)/i.test(
		String(headerOf(response.headers, 'content-type') ?? ''),
	);
	if (said.tone !== 'bad' && !problem) return undefined;
	const { code, statusCode } = said;
	const message =
		said.reason ||
		(code
			? `The service refused with code ${code}`
			: 'The service reports an error without a reason');
	// A failure inside a 200 says its real status in the body.
	const status = statusCode ?? response.statusCode;
	return {
		...worded(status, message, { ...said, reason: message }, changed(request)),
		stated: true,
	};
}

/** A failure by its HTTP status, in the operator's words if it has any. */
function failedStatus(response: ParsedResponse, isLogin: boolean): Failure {
	const { statusCode, data, format, text } = response;
	const said = data === undefined ? { reason: '' } : reasonOf(data, isLogin ? 'login' : undefined);
	const plain = format === 'text' || typeof data !== 'object';
	// The text of a login's answer may be its token, unless the status refuses it.
	const mayHoldToken = isLogin && statusCode < 400;
	const message =
		said.reason ||
		(plain && !mayHoldToken ? oneLine(text) : '') ||
		(said.code
			? `The service refused with code ${said.code}`
			: `The service answered with HTTP status ${statusCode}`);
	return { ...worded(statusCode, message, said), stated: said.reason !== '' };
}

function failure(response: ParsedResponse, message: string, advice?: string): Failure {
	return worded(response.statusCode, message, { reason: message }, advice);
}

function worded(
	statusCode: number,
	message: string,
	{ module, code, word }: Omit<ResponseStatus, 'tone'>,
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
	const step = errorHint(statusCode, module, code) ?? advice;
	return {
		message,
		description: step ? `${origin}. ${step}` : origin,
		statusCode,
		module,
		code,
	};
}

/** What a write whose answer is odd leaves open. */
function changed({ effect }: Intent): string {
	return effect === 'write'
		? "Check on the operator's side whether the change was made before you run this again."
		: '';
}

/** An answer that is not the operator's: something stands in front of it. */
function notTheOperator(response: ParsedResponse, message: string, advice: string): Failure {
	const { statusCode } = response;
	return {
		message,
		description: `HTTP ${statusCode}. ${advice}`,
		statusCode,
		help: 'a-web-page-instead-of-data',
	};
}

/** The section of the documentation that resolves a failure. */
export function helpFor({ help, statusCode, module }: Failure): HelpSection {
	if (statusCode === 401 || statusCode === 403) return 'login-refused';
	if (help) return help;
	if (TOO_MANY.has(statusCode)) return 'too-many-requests';
	if (module?.toUpperCase() === 'ORDERING') return 'orders';
	if (module?.toUpperCase() === 'REGULATION') return 'addresses-and-numbers';
	return 'refused-for-another-reason';
}

/** Where a redirect leads, without its query: tokens travel in queries. */
function target({ headers }: ParsedResponse): string {
	const location = String(headerOf(headers, 'location') ?? '').slice(0, 2_000);
	if (location === '' || !URL.canParse(location, 'http://relative.invalid')) return '';
	const url = new URL(location, 'http://relative.invalid');
	const host = url.host === 'relative.invalid' ? '' : url.host;
	return ` (${oneLine(`${host}${url.pathname}`)})`;
}
