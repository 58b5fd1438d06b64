// All requests to the provider go through here: one at a time, through n8n's helper, so that proxies, certificates
// and the credential's own authentication apply. Every failure becomes an error that n8n can show.

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	NodeApiError,
} from 'n8n-workflow';
import {
	ANSWER_BYTES,
	headerOf,
	LOGIN_BYTES,
	RAW_RESPONSE,
	receive,
	type Answer,
} from '../../shared/answer/parse';
import { isObject, unwrapped } from '../../shared/answer/read';
import { judge, type Intent, type Verdict } from '../../shared/answer/verdict';
import { withDeadline } from '../../shared/deadline';
import { describeFailure, sourceOf, type Failure } from '../../shared/failure';
import { HOST_FIELDS, readHost, type HostField } from '../../shared/hosts';
import { NO_BODY } from '../../shared/noBody';
import { oneLine } from '../../shared/oneLine';
import { followRedirects } from '../../shared/redirects';
import type { HintContext } from '../../shared/errorHints';
import { readRetryAfter, TOO_MANY } from '../../shared/retryAfter';
import { secretsOf } from '../../shared/secrets';
import { apiError, lostRequestError } from './errors';
import type { MultipartBody } from './multipart';
import { shapeWithReason } from '../../shared/shown';
import { serverTime } from '../../shared/login';
import { retryDelay } from './rateLimit';

export type CredentialName = 'voiceManagementApi' | 'voiceManagementSupervisorApi';

/** With its effect at the provider: only reads are repeated after exceeding the rate limit. */
export interface ApiRequest extends Intent {
	method: IHttpRequestMethods;
	/** Built with path``. */
	path: string;
	query?: IDataObject;
	headers?: IDataObject;
	/** Sent as JSON. */
	json?: IDataObject;
	multipart?: MultipartBody;
	/** Sent as JSON if the provider does not accept multipart: it returns 415 before it processes the body. */
	jsonInstead?: IDataObject;
	/** Sentences about what providers usually require: added to a rejection. */
	hints?: string[];
}

/** A failure that the provider reported, and the error to throw for it. */
export interface ReportedFailure {
	failure: Failure;
	error: NodeApiError;
}

/** Statuses of rejections that have nothing to do with the body. */
const NOT_ABOUT_THE_BODY = new Set([401, 403, 408, 415, ...TOO_MANY]);

/** Time and randomness, replaced in tests. */
export interface Timing {
	sleep(milliseconds: number): Promise<void>;
	now(): number;
	random(): number;
	/** Aborts when the execution is cancelled. */
	cancelled?: AbortSignal;
}

/** A response and what it says, judged once. */
export interface Reply {
	answer: Answer;
	verdict: Verdict;
}

/** Limits for a request, from its first byte to the last one of its response; uploads get the second. Milliseconds. */
const REQUEST_TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

export class ApiClient {
	/**
	 * @param credential which login to use
	 * @param hostField the credential's field that names the host
	 * @param panel what the advice about a failure needs to know of the operation
	 */
	constructor(
		private readonly context: IExecuteFunctions | ILoadOptionsFunctions,
		private readonly credential: CredentialName,
		private readonly hostField: HostField,
		private readonly timing: Timing,
		private readonly panel: Pick<HintContext, 'advice' | 'fieldsIn'> = {},
	) {}

	/** The label of the credential's field for the host. */
	get urlField(): string {
		return HOST_FIELDS[this.hostField];
	}

	/**
	 * Sends a request.
	 * @returns the response, which is no failure
	 * @throws NodeApiError with the provider's reason
	 */
	async request(request: ApiRequest): Promise<Reply> {
		const { refusal, ...reply } = await this.tryRequest(request);
		if (refusal) throw refusal.error;
		return reply;
	}

	/**
	 * The same, but returns the provider's refusal instead of throwing it. A purchase is sent once, whatever happens.
	 * @throws NodeApiError if no response came
	 */
	async tryRequest(request: ApiRequest): Promise<Reply & { refusal?: ReportedFailure }> {
		for (let attempt = 1; ; attempt++) {
			const answer = await this.send(request);
			const reply = this.read(answer, request);
			if (!reply.refusal) return reply;
			const { statusCode } = reply.refusal.failure;
			if (answer.statusCode === 415 && request.effect === 'write' && !request.json) {
				const { jsonInstead, multipart, ...rest } = request;
				// Nothing was done: the content type is judged before the body. Some providers want a body of every write.
				const json = multipart ? jsonInstead : {};
				if (json) return await this.tryRequest({ ...rest, json });
			}
			const wait =
				request.effect === 'read' && TOO_MANY.has(statusCode)
					? retryDelay(attempt, this.askedToWait(answer), this.timing.random())
					: undefined;
			if (wait === undefined) return reply;
			await this.timing.sleep(wait);
		}
	}

	/** Milliseconds; undefined if the provider names no time. */
	private askedToWait({ headers }: Answer): number | undefined {
		const now = serverTime(headers) ?? this.timing.now();
		return readRetryAfter(headerOf(headers, 'retry-after'), now);
	}

	/** A response with its verdict, and the error to throw if it is a failure. */
	read(answer: Answer, request: ApiRequest): Reply & { refusal?: ReportedFailure } {
		const verdict = judge(answer, request);
		const sent = { ...this.panel, ...request, urlField: this.urlField };
		const failure = describeFailure(answer, verdict, sent);
		if (!failure) return { answer, verdict };
		const asked = TOO_MANY.has(failure.statusCode) ? this.askedToWait(answer) : undefined;
		if (asked)
			failure.description += ` The provider asks to wait ${Math.ceil(asked / 1000)} seconds.`;
		const error = apiError(this.context.getNode(), withHints(failure, request.hints));
		return { answer, verdict, refusal: { failure, error } };
	}

	/** The error for a successful response that lacks the requested data. @param what it lacks, and what it has */
	unreadableResponse(what: string, answer: Answer): NodeApiError {
		const { data, text, statusCode } = answer;
		const shown = shapeWithReason(data ?? text);
		return apiError(this.context.getNode(), {
			message: `The provider's response has ${what}, but ${shown}`,
			description: `${sourceOf(answer)}. Check "${this.urlField}" in the credential; if it is right, the provider's response has a form that this node does not understand.`,
			statusCode,
		});
	}

	/**
	 * Sends a request and returns any response.
	 * @throws NodeApiError if no response came
	 */
	async send(request: ApiRequest): Promise<Answer> {
		const { context, timing } = this;
		const credentials = await context.getCredentials(this.credential);
		const host = readHost(credentials[this.hostField], this.hostField);
		const secrets = secretsOf(credentials);
		let isAnswered = false;
		const limits = [
			AbortSignal.timeout(request.multipart ? UPLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS),
		];
		const signal = AbortSignal.any(timing.cancelled ? [...limits, timing.cancelled] : limits);
		const send = async (url: string) => {
			const response = await this.once(url, request);
			isAnswered = true;
			const bytes = request.effect === 'login' ? LOGIN_BYTES : ANSWER_BYTES;
			const keepsPart = request.effect === 'purchase';
			return await receive(response, { bytes, signal, secrets, keepsPart });
		};
		const url = `${host}${request.path}`;
		try {
			// After a redirect it is unknown whether the order was placed: a purchase is never sent a second time.
			return await withDeadline(
				signal,
				request.effect === 'purchase' ? send(url) : followRedirects(request.method, url, send),
			);
		} catch (error) {
			if (request.multipart?.problem) throw request.multipart.problem;
			const node = context.getNode();
			throw lostRequestError(node, error, host, this.urlField, request.effect, isAnswered);
		} finally {
			request.multipart?.release();
		}
	}

	private async once(url: string, request: ApiRequest): Promise<unknown> {
		const { context, credential } = this;
		return await context.helpers.httpRequestWithAuthentication.call(
			context,
			credential,
			// n8n replaces a signal in these options by its own.
			toOptions(url, request),
		);
	}
}

/** The output of an operation: the object in the response, or that it succeeded. */
export function toObject(answer: Answer): IDataObject {
	const { data, format, text } = answer;
	if (format === 'text') return { success: true, message: oneLine(text) };
	if (data === undefined || data === null || data === '') {
		const location = locationOf(answer);
		return { success: true, ...(location === undefined ? {} : { location }) };
	}
	const whole = unwrapped(data);
	return isObject(whole) ? whole : { data: whole as IDataObject };
}

/** After a create request, the path in this header may be the only source of the new identifier. */
export const locationOf = ({ headers }: Answer) =>
	headerOf(headers, 'location') ?? headerOf(headers, 'content-location');

function withHints(failure: Failure, hints: string[] = []): Failure {
	const { description, statusCode } = failure;
	if (hints.length === 0 || statusCode >= 500 || NOT_ABOUT_THE_BODY.has(statusCode)) return failure;
	const stop = /[.!?]$/.test(description) ? '' : '.';
	return { ...failure, description: `${description}${stop} ${hints.join(' ')}` };
}

function toOptions(url: string, request: ApiRequest): IHttpRequestOptions {
	const { method, query, json, multipart } = request;
	const headers: IDataObject = { Accept: 'application/json', ...NO_BODY, ...request.headers };
	// axios reads a truncated gzip as an empty response, which would count as a success.
	if (request.effect === 'write' || request.effect === 'purchase')
		headers['Accept-Encoding'] = 'identity';
	if (json) headers['Content-Type'] = 'application/json';
	if (multipart) headers['Content-Type'] = multipart.type;
	return {
		method,
		url,
		// The URL of a redirect contains its whole query; without a query it gets that of the request.
		qs: url.includes('?') ? undefined : query,
		headers,
		// As text: n8n omits an empty object, and the provider requires the `{}` of an empty cart.
		body: json ? JSON.stringify(json) : multipart,
		// `followRedirects` follows redirects: n8n would keep the whole body in memory and turn a redirected POST into a
		// GET.
		...RAW_RESPONSE,
		timeout: multipart ? UPLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
	};
}
