// The HTTP side of long polling for one connection, whichever client sends its requests: every request can be aborted (a
// pending poll would otherwise outlive its connection by minutes on a half-open network), cookies go along, and a
// redirect within the host is followed.
import { redirectTarget } from '../../../shared/redirects';
import { decode } from '../../../shared/response';
import type { Sliced } from '../../../shared/slices';
import { systemClock } from '../clock';
import type { Cookies } from './cookies';
import { Pieces } from './pieces';
import type { HttpResponse, SendRequest } from './types';

/** What a poll or a write brought back. */
export interface PollingAnswer {
	ok: boolean;
	status: number;
	contentType: string;
	body: Uint8Array;
	/** Where the answer came from: the URL asked for, or the one it was redirected to. */
	url: string;
}

/** A slash added, a path renamed: more than two in a row go in circles. */
const MOST_REDIRECTS = 2;
/** Polls that bring nothing follow each other no sooner. */
const EMPTY_POLL_MS = 1_000;

export class PollingHttp {
	/** What polls brought, on its way to the client. */
	readonly pieces = new Pieces();

	/** One for each request under way: what `fetch` attaches to a signal stays until the signal is collected. */
	private readonly pending = new Set<AbortController>();

	private ended = false;

	/** Whether anything answered: the host can be reached, whatever it said. */
	answered = false;

	/** The last request that brought no answer. */
	failure?: unknown;

	/** A request of the session was refused: it may have come to another server than the handshake. */
	refused = false;

	/**
	 * @param path of the Socket.IO server, with or without a slash at its end, as that server wants it: the clients
	 *   always write one
	 */
	constructor(
		private readonly send: SendRequest,
		private readonly cookies: Cookies,
		private readonly path?: string,
	) {}

	/**
	 * A poll of a session that is answered with nothing is sent again: something in between ends polls that wait.
	 * @param url with the engine's own query
	 * @param body the encoded packets for a write; undefined for a poll
	 * @throws the network error of the client that sends, or an AbortError after {@link abort}
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
			// The end of the connection comes behind what the connection brought.
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
			// Engine.IO's word for a session that it does not know; other failures are of the moment.
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

/** The same URL at the path that the server wants. */
export function atPath(url: string, path: string | undefined): string {
	if (path === undefined) return url;
	const target = new URL(url);
	target.pathname = path;
	return target.href;
}

/** A payload of text in whatever character set, without what a server or a proxy puts before it. */
export function* payloadText({ body, contentType }: PollingAnswer): Sliced<string> {
	const text = Buffer.from(body).toString('utf8');
	// trimStart() takes a byte order mark as well.
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

/** Where to ask instead. A location without a query leaves the engine's own where it was. */
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
