// Sends the feed's HTTP requests with the runtime's own client: n8n's proxy, certificates and egress rules do not
// apply.
import { readBounded } from '../../../shared/boundedBody';
import type { HttpRequest, HttpResponse } from './types';

/**
 * Limit for the response to a poll, and for a WebSocket message. A poll returns everything that waited since the last
 * one, such as ten thousand events of 400 bytes after a slow phase of the network. Anything longer is a mistake or
 * malicious, and reading it would block n8n.
 */
export const LONGEST_POLL = 4 * 1024 * 1024;

/** Resolves with any status. @throws the runtime's network error, an AbortError, or BodyTooLong */
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
