// The HTTP side of long polling for one connection: every request can be aborted (a pending poll would otherwise
// outlive its connection by minutes on a half-open network) and the cookies that load balancers use to keep a
// client on one server are sent back.

/** What a poll or a write brought back. */
export interface PollingAnswer {
	ok: boolean;
	status: number;
	text: string;
	contentType: string;
}

export class PollingHttp {
	/** One for each request under way: what `fetch` attaches to a signal stays until the signal is collected. */
	private readonly pending = new Set<AbortController>();

	private ended = false;

	private readonly cookies = new Map<string, string>();

	/**
	 * @param url with the engine's own query
	 * @param body the encoded packets for a write; undefined for a poll
	 * @throws the runtime's network error, or an AbortError after {@link abort}
	 */
	async request(url: string, body?: string): Promise<PollingAnswer> {
		const headers: Record<string, string> = {};
		if (body !== undefined) headers['content-type'] = 'text/plain;charset=UTF-8';
		if (this.cookies.size > 0) {
			headers.cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		}
		const aborter = new AbortController();
		if (this.ended) aborter.abort();
		this.pending.add(aborter);
		try {
			const response = await fetch(url, {
				method: body === undefined ? 'GET' : 'POST',
				headers,
				body,
				signal: aborter.signal,
				redirect: 'error',
			});
			this.keepCookies(response.headers.getSetCookie());
			return {
				ok: response.ok,
				status: response.status,
				text: await response.text(),
				contentType: response.headers.get('content-type') ?? '',
			};
		} finally {
			this.pending.delete(aborter);
		}
	}

	/** Ends every pending request; later ones fail at once. */
	abort(): void {
		this.ended = true;
		for (const aborter of this.pending) aborter.abort();
	}

	private keepCookies(lines: string[]): void {
		for (const line of lines) {
			const [pair, ...attributes] = line.split(';');
			const separator = pair.indexOf('=');
			if (separator < 1) continue;
			const name = pair.slice(0, separator).trim();
			const ended = attributes.some((attribute) =>
				/^\s*max-age\s*=\s*(0|-\d+)\s*$/i.test(attribute),
			);
			if (ended) this.cookies.delete(name);
			else this.cookies.set(name, pair.slice(separator + 1).trim());
		}
	}
}
