// The one way to the service: one request at a time through n8n's helper, so that proxies, certificates and the
// credential's own authentication apply; every failure comes out as an error that n8n can show.

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { HOST_FIELDS, readHost, type HostField } from '../../shared/hosts';
import { followRedirects, NO_BODY } from '../../shared/requests';
import { isObject, readAnswer, type Answer, type HttpResponse } from './answer';
import { lostRequestError, serviceError, checkoutFailure, type Effect } from './errors';
import { readFailure } from './failure';
import type { MultipartBody } from './multipart';
import { retryDelay, TOO_MANY } from './retry';

export type CredentialName = 'voiceManagementApi' | 'voiceManagementSupervisorApi';

export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Built with path``. */
	path: string;
	query?: IDataObject;
	/** Sent as JSON. */
	json?: IDataObject;
	multipart?: MultipartBody;
	/** What it does at the service: reads are asked again over the rate limit, nothing else ever is. */
	effect: Effect;
	/** An error code of the service that only means: there is nothing. It is answered with an empty object. */
	emptyOn?: string;
}

/** The waiting and the chance in it, so that tests need neither. */
export interface Timing {
	sleep(milliseconds: number): Promise<void>;
	now(): number;
	random(): number;
}

/** JSON answers within this, or not at all; an upload takes what it takes. Milliseconds. */
const TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

export class Service {
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

	/**
	 * Sends a request.
	 * @returns the answer's JSON object; `{ success: true }` for a write that was answered with nothing
	 * @throws NodeApiError with the operator's reason
	 */
	async send(request: ServiceRequest): Promise<IDataObject> {
		const { json } = await this.exchange(request);
		if (json === undefined || json === '') return { success: true };
		return isObject(json) ? json : { data: json as IDataObject };
	}

	private async exchange(request: ServiceRequest): Promise<Answer> {
		const credentials = await this.context.getCredentials(this.credential);
		const host = readHost(credentials[this.hostField], this.hostField);
		for (let attempt = 1; ; attempt++) {
			const answer = await this.once(host, request);
			const failure = readFailure(answer, HOST_FIELDS[this.hostField], request.effect !== 'write');
			if (!failure) return answer;
			if (failure.code !== undefined && failure.code === request.emptyOn) {
				return { ...answer, json: {} };
			}
			const wait =
				request.effect === 'read' && TOO_MANY.has(failure.statusCode)
					? retryDelay(
							attempt,
							answer.headers['retry-after'],
							this.timing.now(),
							this.timing.random(),
						)
					: undefined;
			if (wait === undefined) {
				throw serviceError(
					this.context.getNode(),
					request.effect === 'purchase' ? checkoutFailure(failure) : failure,
					this.itemIndex,
				);
			}
			await this.timing.sleep(wait);
		}
	}

	private async once(host: string, request: ServiceRequest): Promise<Answer> {
		const { context } = this;
		const send = async (url: string) => {
			try {
				return (await context.helpers.httpRequestWithAuthentication.call(
					context,
					this.credential,
					toOptions(url, request),
				)) as HttpResponse;
			} finally {
				request.multipart?.release();
			}
		};
		try {
			const url = `${host}${request.path}`;
			// A redirect can't tell whether the order was placed: a purchase is never sent a second time.
			const response =
				request.effect === 'purchase'
					? await send(url)
					: await followRedirects(request.method, url, send);
			return readAnswer(response);
		} catch (error) {
			throw lostRequestError(
				context.getNode(),
				error,
				new URL(host).host,
				HOST_FIELDS[this.hostField],
				request.effect,
				this.itemIndex,
			);
		}
	}
}

function toOptions(url: string, request: ServiceRequest): IHttpRequestOptions {
	const { method, query, json, multipart } = request;
	const headers: IDataObject = { Accept: 'application/json', ...NO_BODY };
	if (json) headers['Content-Type'] = 'application/json';
	if (multipart) headers['Content-Type'] = multipart.type;
	return {
		method,
		url,
		// A redirect names the whole query; a URL that has none gets the request's own.
		qs: url.includes('?') ? undefined : query,
		headers,
		// As text: n8n leaves an empty object out, and the service wants the `{}` of an empty cart.
		body: json ? JSON.stringify(json) : multipart,
		// As text, so that what is not JSON can be told from what is.
		encoding: 'text',
		returnFullResponse: true,
		// n8n repeats a request by itself after a thrown 401; a status that is not thrown is not repeated.
		ignoreHttpStatusErrors: true,
		// Followed by `followRedirects`: n8n's way keeps the whole body in memory and turns a redirected POST into a GET.
		disableFollowRedirect: true,
		timeout: multipart ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
	};
}
