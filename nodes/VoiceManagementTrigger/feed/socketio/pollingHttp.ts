// The HTTP requests of long polling for one connection, for both Socket.IO clients. Every request can be aborted (on a
// half-open network, a pending poll would otherwise outlive its connection by minutes), cookies are sent along, and
// redirects within the host are followed.
import { redirectTarget } from '../../../shared/redirects';
import { decode } from '../../../shared/response';
import type { Sliced } from '../../../shared/slices';
import { systemClock } from '../clock';
import type { Cookies } from './cookies';
import { Pieces } from './pieces';
import type { HttpResponse, SendRequest } from './types';

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
	/** The contents of responses that the client has not read yet. */
	readonly pieces = new Pieces();

	/**
	 * One for each request under way: the listeners that `fetch` adds to a signal stay until the signal is collected.
	 */
	private readonly pending = new Set<AbortController>();

	private ended = false;

	/** Whether any request got a response, of whatever status: the host can be reached. */
	answered = false;

	/** The error of the last request that got no response. */
	failure?: unknown;

	/** A request of the session was refused: it may have reached another server than the handshake did. */
	refused = false;

	/**
	 * @param path of the Socket.IO server, with or without a slash at its end, as the server expects it; the clients'
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
		const exchange = this.untilFilled(atPath(url, this.path), body, aborter.signal);
		exchange.catch((error: unknown) => {
			if (!this.ended) this.failure = error;
		});
		try {
			const succeeded = await exchange.then(
				({ ok }) => ok,
				() => false,
			);
			// The client must get everything that has arrived before it learns that the connection has ended.
			if (!succeeded) await this.pieces.handedOn();
			return await exchange;
		} finally {
			this.pending.delete(aborter);
		}
	}

	/** Ends every pending request; later ones fail at once. */
	abort(): void {
		this.ended = true;
		this.pieces.end();
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
		const headers = this.cookies.headers(url);
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

/** Decodes a text payload in any character set, without what a server or a proxy put before it. */
export function* payloadText({ body, contentType }: PollingAnswer): Sliced<string> {
	const text = Buffer.from(body).toString('utf8');
	// trimStart() also removes a byte order mark.
	return (text.includes('\ufffd') ? yield* decode(body, contentType) : text).trimStart();
}

/** Engine.IO 3's binary framing begins with 0 (text) or 1 (bytes), its text framing with a digit. */
export function isBinary({ body: [first] }: PollingAnswer): boolean {
	return first === 0 || first === 1;
}

function readAnswer(url: string, { statusCode, headers, body }: HttpResponse): PollingAnswer {
	return {
		ok: statusCode >= 200 && statusCode < 300,
		status: statusCode,
		contentType: headerText(headers, 'content-type'),
		body,
		url,
	};
}

/** The URL of a redirect that is followed. If it has no query, it gets Engine.IO's query of the request. */
function redirected(
	url: string,
	answer: HttpResponse,
	body: string | undefined,
): string | undefined {
	const location = redirectTarget(answer, body === undefined ? 'GET' : 'POST', url);
	if (location === undefined) return undefined;
	const target = new URL(location);
	if (target.search === '') target.search = new URL(url).search;
	return target.href === url ? undefined : target.href;
}

function headerText(headers: Record<string, unknown>, name: string): string {
	for (const [key, value] of Object.entries(headers)) {
		if (key.toLowerCase() === name && typeof value === 'string') return value;
	}
	return '';
}
