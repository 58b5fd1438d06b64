// HTTP requests of the feed by the runtime's own client: n8n's proxy, certificates and egress rules do not apply.
import { readBounded } from '../../../shared/boundedBody';
import type { HttpRequest, HttpResponse } from './types';

/**
 * The longest answer of one poll, and the longest message of a WebSocket. It holds what waited since the last poll: some ten
 * thousand events of 400 bytes while the network was slow. What is longer is a mistake or malice, and reading it would hold
 * n8n up.
 */
export const LONGEST_POLL = 4 * 1024 * 1024;

/** @throws the runtime's network error, an AbortError, or BodyTooLong; any status is an answer */
export async function sendDirectly(request: HttpRequest): Promise<HttpResponse> {
	const { url, method, headers, body, signal } = request;
	const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
	return {
		statusCode: response.status,
		headers: {
			...Object.fromEntries(response.headers),
			'set-cookie': response.headers.getSetCookie(),
		},
		body: await readBounded(response.body, LONGEST_POLL),
	};
}
