/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// n8n's HTTP helpers without n8n, for every test that runs a node's code against a real HTTP server.
//
// Taken over from n8n 1.123 (n8n-core: request-helper-functions, axios-config, axios-utils) and n8n 2.41
// (@n8n/backend-network: http/axios), which send and give the same for everything that this package does:
// - axios with n8n's defaults: no content type for a request without a body, five minutes, no proxy, query lists as
//   `name[0]`; JSON text without a content type of its own leaves as `application/x-www-form-urlencoded`;
// - a body for GET is left out, and so is an object without keys, for any method;
// - answers are parsed as JSON whatever their content type says, unless `encoding` is `text` or `arraybuffer` (a Buffer);
//   no body is '' or an empty Buffer; text is read as UTF-8;
// - redirects are followed as follow-redirects does, with the login, unless `disableFollowRedirect`;
// - a status outside 200 to 299 is thrown as an axios error, which has the request's headers, unless
//   `ignoreHttpStatusErrors`;
// - agents are made for each request, so that no connection is used twice;
// - with authentication, a thrown 401 is tried once more, and every thrown error becomes the cause of a NodeApiError.

import axios, { AxiosError, type AxiosRequestConfig } from 'axios';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import {
	isObjectEmpty,
	NodeApiError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

const client = axios.create({
	timeout: 300_000,
	proxy: false,
	maxBodyLength: Infinity,
	maxContentLength: Infinity,
	paramsSerializer: { serialize: serializeQuery },
});
client.defaults.headers.post = {};
client.defaults.headers.put = {};
client.defaults.headers.patch = {};
client.interceptors.request.use((config) => {
	if (config.data === undefined) config.headers.setContentType(false, false);
	return config;
});

/** `helpers.httpRequest`. */
export async function httpRequest(options: IHttpRequestOptions): Promise<unknown> {
	const response = await client.request<unknown>(toAxios(options));
	if (!options.returnFullResponse) return response.data;
	const { data, headers, status, statusText } = response;
	return { body: data, headers, statusCode: status, statusMessage: statusText };
}

/** `helpers.httpRequestWithAuthentication`, with the credential's own `authenticate`. */
export async function httpRequestWithAuthentication(
	node: INode,
	{ authenticate }: ICredentialType,
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): Promise<unknown> {
	if (typeof authenticate !== 'function') throw new Error('The credential has no authenticate()');
	const attempt = async () => await httpRequest(await authenticate(credentials, options));
	try {
		return await attempt().catch(async (error: unknown) => {
			if (error instanceof AxiosError && error.response?.status === 401) return await attempt();
			throw error;
		});
	} catch (error) {
		throw new NodeApiError(node, error as JsonObject);
	}
}

/** `helpers.request`, the only helper in a credential test. Only GET and HEAD follow redirects. */
export async function legacyRequest(options: IDataObject): Promise<unknown> {
	const { method, url, headers, body, timeout, json } = options;
	const follows =
		options.followRedirect !== false && ['GET', 'HEAD', undefined].includes(method as string);
	const given = Object.keys((headers ?? {}) as object).map((name) => name.toLowerCase());
	const config: AxiosRequestConfig = {
		method: method as string | undefined,
		url: url as string,
		params: options.qs,
		headers: {
			...(given.includes('accept') ? {} : { accept: json === true ? 'application/json' : '*/*' }),
			...(json !== false && body !== undefined && body !== '' && !given.includes('content-type')
				? { 'content-type': 'application/json' }
				: {}),
			'User-Agent': 'n8n',
			...(headers as Record<string, string>),
		},
		data: body,
		timeout: timeout as number | undefined,
		...(follows ? {} : { maxRedirects: 0 }),
		// Without `json` the body stays unchanged; `encoding: null` returns a Buffer.
		...(json === true ? {} : { transformResponse: (text: unknown) => text }),
		...(options.encoding === null ? { responseType: 'arraybuffer' as const } : {}),
		...(options.useStream === true ? { responseType: 'stream' as const } : {}),
		...(options.simple === false ? { validateStatus: () => true } : {}),
		...agents(),
	};
	const response = await client.request<unknown>(config);
	const read = response.data === '' ? undefined : response.data;
	if (!options.resolveWithFullResponse) return read;
	const { headers: answered, status, statusText } = response;
	return { body: read, headers: answered, statusCode: status, statusMessage: statusText };
}

function toAxios(options: IHttpRequestOptions): AxiosRequestConfig {
	const { method, url, baseURL, qs, timeout, encoding, abortSignal } = options;
	const headers: Record<string, unknown> = { ...options.headers };
	const has = (name: string) => Object.keys(headers).some((key) => key.toLowerCase() === name);
	if (options.json && !has('accept')) headers.Accept = 'application/json';
	if (!has('user-agent')) headers['User-Agent'] = 'n8n';
	const body = method === undefined || method === 'GET' ? undefined : readBody(options.body);
	return {
		method,
		url,
		params: qs,
		headers: headers as AxiosRequestConfig['headers'],
		timeout,
		...(body === undefined ? {} : { data: body }),
		...(baseURL === undefined ? {} : { baseURL }),
		...(abortSignal ? { signal: abortSignal } : {}),
		...(encoding === undefined ? {} : { responseType: encoding }),
		...(options.disableFollowRedirect ? { maxRedirects: 0 } : {}),
		...(options.ignoreHttpStatusErrors ? { validateStatus: () => true } : {}),
		...agents(),
	};
}

/** An empty text and an object without keys do not count as a body. */
function readBody(body: IHttpRequestOptions['body']): unknown {
	if (!body) return undefined;
	return typeof body === 'string' || !isObjectEmpty(body as object) ? body : undefined;
}

/** Like qs with `arrayFormat: 'indices'`: spaces as %20, null as empty, undefined left out. */
function serializeQuery(query: Record<string, unknown>): string {
	const pairs = Object.entries(query).flatMap(([name, value]): Array<[string, unknown]> =>
		Array.isArray(value)
			? value.map((entry, index) => [`${name}[${index}]`, entry])
			: [[name, value]],
	);
	return pairs
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${encode(name)}=${encode(value === null ? '' : String(value))}`)
		.join('&');
}

const encode = (text: string) =>
	encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);

const agents = () => ({ httpAgent: new Agent(), httpsAgent: new TlsAgent() });
