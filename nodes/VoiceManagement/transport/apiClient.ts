// All requests to the operator go through here: one at a time, through n8n's helper, so that proxies, certificates
// and the credential's own authentication apply. Every failure becomes an error that n8n can show.

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	NodeApiError,
} from 'n8n-workflow';
import { HOST_FIELDS, readHost, type HostField } from '../../shared/hosts';
import { NO_BODY } from '../../shared/noBody';
import { followRedirects } from '../../shared/redirects';
import { readFailure, type Failure } from '../../shared/failure';
import {
	LOGIN_BYTES,
	LOGIN_VALUES,
	headerOf,
	oneLine,
	RAW_RESPONSE,
	readResponse,
	receive,
	RESPONSE_BYTES,
	type ParsedResponse,
	type HttpResponse,
} from '../../shared/response';
import { TOO_MANY } from '../../shared/retryAfter';
import { secretsOf, type Secrets } from '../../shared/secrets';
import { isObject } from '../../shared/shapes';
import type { Effect } from '../../shared/responseStatus';
import { lostRequestError, apiError, checkoutFailure } from './errors';
import type { MultipartBody } from './multipart';
import { retryDelay } from './rateLimit';

export type CredentialName = 'voiceManagementApi' | 'voiceManagementSupervisorApi';

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Built with path``. */
	path: string;
	query?: IDataObject;
	headers?: IDataObject;
	/** Sent as JSON. */
	json?: IDataObject;
	multipart?: MultipartBody;
	/** Sent as JSON if the operator does not accept multipart: it returns 415 before it processes the body. */
	jsonInstead?: IDataObject;
	/** Its effect at the operator: only reads are repeated after exceeding the rate limit. */
	effect: Effect;
	/** The response's field that reports whether it was done: with `linked: false` nothing was linked. */
	successFlag?: string;
	/** Sentences about what operators usually require: added to a rejection. */
	hints?: string[];
}

/** A failure that the operator reported, and the error to throw for it. */
export interface Refusal {
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
}

/** Time limits; uploads take longer and get the second one. Milliseconds. */
const TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

export class ApiClient {
	/**
	 * @param credential which login to use
	 * @param hostField the credential's field that names the host
	 */
	constructor(
		private readonly context: IExecuteFunctions | ILoadOptionsFunctions,
		private readonly credential: CredentialName,
		private readonly hostField: HostField,
		private readonly timing: Timing,
		private readonly itemIndex?: number,
	) {}

	/** The label of the credential's field for the host. */
	get urlField(): string {
		return HOST_FIELDS[this.hostField];
	}

	/**
	 * Sends a request.
	 * @returns the response's JSON object; `{ success: true }` for an empty response to a write
	 * @throws NodeApiError with the operator's reason
	 */
	async send(request: ApiRequest): Promise<IDataObject> {
		return toObject(await this.request(request));
	}

	/**
	 * Sends a request.
	 * @returns the response, parsed; never a failure
	 * @throws NodeApiError with the operator's reason
	 */
	async request(request: ApiRequest): Promise<ParsedResponse> {
		const { response, refusal } = await this.tryRequest(request);
		if (refusal) throw refusal.error;
		return response;
	}

	/**
	 * The same, but returns the operator's rejection instead of throwing it. @throws NodeApiError if no response came
	 */
	async tryRequest(request: ApiRequest): Promise<{ response: ParsedResponse; refusal?: Refusal }> {
		const credentials = await this.context.getCredentials(this.credential);
		const host = readHost(credentials[this.hostField], this.hostField);
		const secrets = secretsOf(credentials);
		for (let attempt = 1; ; attempt++) {
			const response = readResponse(await this.once(host, request, secrets));
			const failure = this.failureIn(response, request);
			if (!failure) return { response };
			const { jsonInstead, multipart, ...rest } = request;
			if (multipart && jsonInstead && failure.statusCode === 415) {
				return await this.tryRequest({ ...rest, json: jsonInstead });
			}
			const wait =
				request.effect === 'read' && TOO_MANY.has(failure.statusCode)
					? retryDelay(
							attempt,
							headerOf(response.headers, 'retry-after'),
							this.timing.now(),
							this.timing.random(),
						)
					: undefined;
			if (wait === undefined) {
				return { response, refusal: { failure, error: this.error(failure, request) } };
			}
			await this.timing.sleep(wait);
		}
	}

	/** Checks the response of `requestOnce`. @throws NodeApiError with the operator's reason if it is a failure */
	requireSuccess(response: ParsedResponse, request: ApiRequest): ParsedResponse {
		const failure = this.failureIn(response, request);
		if (failure) throw this.error(failure, request);
		return response;
	}

	/** The error for a successful response that lacks the requested data. */
	unreadableResponse(what: string): NodeApiError {
		return apiError(
			this.context.getNode(),
			{
				message: `The operator's response has ${what}`,
				description: `HTTP 200. Check "${this.urlField}" in the credential; if it is right, the operator's response has a form that this node does not know.`,
				statusCode: 200,
			},
			this.itemIndex,
		);
	}

	private failureIn(response: ParsedResponse, request: ApiRequest): Failure | undefined {
		return readFailure(response, { ...request, urlField: this.urlField });
	}

	private error(failure: Failure, { effect, hints }: ApiRequest): NodeApiError {
		return apiError(
			this.context.getNode(),
			effect === 'purchase' ? checkoutFailure(failure) : withHints(failure, hints),
			this.itemIndex,
		);
	}

	/**
	 * Sends a request once and returns any response.
	 * @throws NodeApiError if no response came
	 */
	async requestOnce(request: ApiRequest): Promise<HttpResponse> {
		const credentials = await this.context.getCredentials(this.credential);
		const host = readHost(credentials[this.hostField], this.hostField);
		return await this.once(host, request, secretsOf(credentials));
	}

	private async once(host: string, request: ApiRequest, secrets: Secrets): Promise<HttpResponse> {
		const { context } = this;
		const send = async (url: string) => {
			try {
				const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
					context,
					this.credential,
					toOptions(url, request),
				);
				return await receive(response, {
					bytes: request.effect === 'login' ? LOGIN_BYTES : RESPONSE_BYTES,
					values: request.effect === 'login' ? LOGIN_VALUES : undefined,
					timeoutMs: TIMEOUT_MS,
					secrets,
				});
			} finally {
				request.multipart?.release();
			}
		};
		try {
			const url = `${host}${request.path}`;
			// After a redirect it is unknown whether the order was placed: a purchase is never sent a second time.
			return request.effect === 'purchase'
				? await send(url)
				: await followRedirects(request.method, url, send);
		} catch (error) {
			throw lostRequestError(
				context.getNode(),
				error,
				host,
				this.urlField,
				request.effect,
				this.itemIndex,
			);
		}
	}
}

/** The output of an operation: the object in the response, or that it succeeded. */
export function toObject({ headers, data, format, text }: ParsedResponse): IDataObject {
	if (format === 'text') return { success: true, message: oneLine(text) };
	if (data === undefined || data === null || data === '') {
		// After a create request, the path in this header may be the only source of the new identifier.
		const location = headerOf(headers, 'location') ?? headerOf(headers, 'content-location');
		return { success: true, ...(typeof location === 'string' ? { location } : {}) };
	}
	return isObject(data) ? data : { data: data };
}

function withHints(failure: Failure, hints: string[] = []): Failure {
	const { description, statusCode } = failure;
	if (hints.length === 0 || statusCode >= 500 || NOT_ABOUT_THE_BODY.has(statusCode)) return failure;
	const stop = /[.!?]$/.test(description) ? '' : '.';
	return { ...failure, description: `${description}${stop} ${hints.join(' ')}` };
}

function toOptions(url: string, request: ApiRequest): IHttpRequestOptions {
	const { method, query, json, multipart } = request;
	const headers: IDataObject = { Accept: 'application/json', ...NO_BODY, ...request.headers };
	if (json) headers['Content-Type'] = 'application/json';
	if (multipart) headers['Content-Type'] = multipart.type;
	return {
		method,
		url,
		// The URL of a redirect contains its whole query; without a query it gets that of the request.
		qs: url.includes('?') ? undefined : query,
		headers,
		// As text: n8n omits an empty object, and the operator requires the `{}` of an empty cart.
		body: json ? JSON.stringify(json) : multipart,
		// `followRedirects` follows redirects: n8n would keep the whole body in memory and turn a redirected POST into a
		// GET.
		...RAW_RESPONSE,
		timeout: multipart ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
	};
}
