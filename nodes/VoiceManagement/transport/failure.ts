// Decides whether an answer is a failure, and words it: the operator's own reason is the message, where it came
// from and what to do stand in the description. Pure: n8n's error classes come in errors.ts.

import type { HelpSection } from '../../shared/help';
import { asList, isHtml, isObject, pageTitle, type Answer } from './answer';
import { nextStep } from './nextSteps';
import { TOO_MANY } from './retry';

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
}

/**
 * The failure an answer stands for; undefined for a good one.
 * @param answer of the service or of what stands in front of it
 * @param urlField the credential's field that named the host, for the next step
 * @param needsData whether an empty body is a failure (reads) or simply nothing to tell (writes)
 */
export function readFailure(
	answer: Answer,
	urlField: string,
	needsData: boolean,
): Failure | undefined {
	const { statusCode, json, text } = answer;
	const check = `Check "${urlField}" in the credential: it may lead to a proxy or a login page, or want https instead of http.`;
	if (statusCode >= 300 && statusCode < 400) {
		return notTheService(answer, `The service sends on to another page${target(answer)}`, check);
	}
	if (isObject(json)) return readJsonFailure(answer, json);
	if (isHtml(answer)) {
		const title = pageTitle(answer);
		return notTheService(
			answer,
			`The service answered with a web page${title ? ` ("${title}")` : ''} instead of data`,
			statusCode >= 400 ? (nextStep(statusCode) ?? check) : check,
		);
	}
	if (statusCode >= 200 && statusCode < 300) {
		if (text.trim() === '' || json === '') {
			return needsData
				? notTheService(answer, 'The service answered with nothing', check)
				: undefined;
		}
		if (json !== undefined && !needsData) return undefined;
		return failure(
			answer,
			`The service answered with something that is no JSON object: ${excerpt(text)}`,
			check,
		);
	}
	// The vendor's service speaks XML too, and does so when a proxy drops the Accept header.
	const reason = /<apiErrorMessage>([^<]+)/.exec(text)?.[1] ?? excerpt(text);
	return failure(answer, reason || `The service answered with HTTP status ${statusCode}`);
}

/** Both error forms of "Common rules"; either may come with any status, and any key may be missing. */
function readJsonFailure(answer: Answer, body: Record<string, unknown>): Failure | undefined {
	const { statusCode } = answer;
	const errors = asList(body.errors);
	const failed = statusCode >= 400 || statusCode < 200;
	const otherForm = body.err_code !== undefined || body.err_msg !== undefined;
	if (!failed && errors.length === 0 && !otherForm) return undefined;
	const reasons = errors
		.map((error) => words(error.apiErrorMessage))
		.filter((reason) => reason !== '');
	const code = words(errors[0]?.apiErrorCode) || words(body.err_code);
	const module = words(body.apiModule);
	const reason =
		[...new Set(reasons)].join('; ') ||
		words(body.genericErrorMessage) ||
		words(body.err_msg) ||
		words(body.message) ||
		words(body.error);
	const stated = Number(words(body.httpStatusCode) || words(body.status));
	// A failure inside a 200 says its real status in the body.
	const status = failed || !(stated >= 400) ? statusCode : stated;
	return failure(
		{ ...answer, statusCode: status },
		reason ||
			(code
				? `The service refused with code ${code}`
				: `The service answered with HTTP status ${status}`),
		undefined,
		module || undefined,
		code || undefined,
	);
}

function failure(
	{ statusCode }: Answer,
	message: string,
	advice?: string,
	module?: string,
	code?: string,
): Failure {
	const origin = [module, code && `code ${code}`, `HTTP ${statusCode}`].filter(Boolean).join(', ');
	const step = advice ?? nextStep(statusCode, module, code);
	return {
		message,
		description: step ? `${origin}. ${step}` : origin,
		statusCode,
		module,
		code,
	};
}

/** An answer that is not the service's: something stands in front of it. */
function notTheService(answer: Answer, message: string, advice: string): Failure {
	return { ...failure(answer, message, advice), help: 'a-web-page-instead-of-data' };
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
function target({ headers }: Answer): string {
	const location = String(headers.location ?? '');
	if (!URL.canParse(location, 'http://relative.invalid')) return '';
	const url = new URL(location, 'http://relative.invalid');
	const host = url.host === 'relative.invalid' ? '' : url.host;
	return ` (${host}${url.pathname})`;
}

function excerpt(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function words(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
