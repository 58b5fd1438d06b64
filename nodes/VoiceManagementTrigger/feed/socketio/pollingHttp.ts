// The HTTP requests of long polling for one connection. Every request can be aborted (on a half-open
// network, a pending poll would otherwise outlive its connection by minutes), cookies and origin are sent along, and
// redirects within the host are followed.
import { readBounded } from '../../../shared/boundedBody';
import { redirectTarget } from '../../../shared/redirects';
import { systemClock } from '../clock';
import { browserHeaders, type Cookies } from './cookies';
import type { PollRequest, PollResponse, SendRequest } from './types';

/** The response to a poll or a write. */
export interface PollingAnswer {
	ok: boolean;
	status: number;
	contentType: string;
	body: Uint8Array;
	/** The URL of the response: the requested one, or the one to which it was redirected. */
	url: string;
}

/** One redirect can add a slash and one can rename the path; more in a row are taken for a loop. */
const MOST_REDIRECTS = 2;
/** The shortest time between two polls of which the first one returned nothing. */
const EMPTY_POLL_MS = 1_000;

export class PollingHttp {
	/**
	 * One for each request under way: the listeners that `fetch` adds to a signal stay until the signal is collected.
	 */
	private readonly pending = new Set<AbortController>();

	private ended = false;

	/** Whether any request got a response, of whatever status: the host can be reached. */
	answered = false;

	/** A request of the session was refused: it may have reached another server than the handshake did. */
	refused = false;

	/**
	 * @param path of the Socket.IO server, with or without a slash at its end, as the server expects it; the client's
	 *   URLs always have the slash
	 */
	constructor(
		private readonly send: SendRequest,
		private readonly cookies: Cookies,
		private readonly path?: string,
	) {}

	/**
	 * Sends a poll or a write. If a poll of a session returns nothing, it is sent again: a proxy may end polls that
	 * wait.
	 * @param url with Engine.IO's query
	 * @param body the encoded packets for a write; undefined for a poll
	 * @throws the network error of the HTTP client, or an AbortError after {@link abort}
	 */
	async request(url: string, body?: string): Promise<PollingAnswer> {
		const aborter = new AbortController();
		if (this.ended) aborter.abort();
		this.pending.add(aborter);
		try {
			return await this.untilFilled(atPath(url, this.path), body, aborter.signal);
		} finally {
			this.pending.delete(aborter);
		}
	}

	/** Ends every pending request; later ones fail at once. */
	abort(): void {
		this.ended = true;
		for (const aborter of this.pending) aborter.abort();
	}

	private async untilFilled(
		url: string,
		body: string | undefined,
		signal: AbortSignal,
	): Promise<PollingAnswer> {
		const inSession = new URL(url).searchParams.has('sid');
		for (;;) {
			const next = performance.now() + EMPTY_POLL_MS;
			const answer = await this.exchange(url, body, signal);
			// Engine.IO's status for an unknown session; other failures are temporary.
			if (inSession && answer.status === 400) this.refused = true;
			const isEmpty = answer.ok && answer.body.length === 0;
			if (!isEmpty || !inSession || body !== undefined) return answer;
			await new Promise<void>((resolve) => systemClock.after(next - performance.now(), resolve));
		}
	}

	private async exchange(
		url: string,
		body: string | undefined,
		signal: AbortSignal,
	): Promise<PollingAnswer> {
		let target = url;
		for (let redirects = 0; ; redirects++) {
			const answer = await this.once(target, body, signal);
			this.answered = true;
			const next = redirects < MOST_REDIRECTS ? redirected(target, answer, body) : undefined;
			if (next === undefined) return readAnswer(target, answer);
			target = next;
		}
	}

	private async once(url: string, body: string | undefined, signal: AbortSignal) {
		const headers = browserHeaders(url, this.cookies);
		if (body !== undefined) headers['content-type'] = 'text/plain;charset=UTF-8';
		const answer = await this.send({
			url,
			method: body === undefined ? 'GET' : 'POST',
			headers,
			body,
			signal,
		});
		this.cookies.keep(url, answer.headers);
		return answer;
	}
}

/** The same URL with the path that the server expects. */
export function atPath(url: string, path: string | undefined): string {
	if (path === undefined) return url;
	const target = new URL(url);
	target.pathname = path;
	return target.href;
}

function readAnswer(url: string, { statusCode, headers, body }: PollResponse): PollingAnswer {
	return {
		ok: statusCode >= 200 && statusCode < 300,
		status: statusCode,
		contentType: headerAsText(headers, 'content-type'),
		body,
		url,
	};
}

/** The URL of a redirect that is followed. If it has no query, it gets Engine.IO's query of the request. */
function redirected(
	url: string,
	answer: PollResponse,
	body: string | undefined,
): string | undefined {
	const location = redirectTarget(answer, body === undefined ? 'GET' : 'POST', url);
	if (location === undefined) return undefined;
	const target = new URL(location);
	if (target.search === '') target.search = new URL(url).search;
	return target.href === url ? undefined : target.href;
}

function headerAsText(headers: Record<string, unknown>, name: string): string {
	for (const [key, value] of Object.entries(headers)) {
		if (key.toLowerCase() === name && typeof value === 'string') return value;
	}
	return '';
}

/**
 * Limit for the response to a poll, which returns everything that waited since the last one, such as ten thousand events
 * of 400 bytes after a slow phase of the network. Anything longer is a mistake or malicious.
 */
export const LONGEST_POLL = 4 * 1024 * 1024;

/**
 * Sends a request with the runtime's own client: n8n's proxy, certificates and egress rules do not apply.
 * @throws the runtime's network error, an AbortError, or BodyTooLong
 */
export async function sendDirectly(request: PollRequest): Promise<PollResponse> {
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
