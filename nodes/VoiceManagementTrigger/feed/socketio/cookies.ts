// Stores the cookies of one host: those that the login and the handshake set are sent with every request of the feed to
// that host, and to no other one. Load balancers use them to keep a client on one server, some providers to recognize
// the session.

/** No host should need more; cookies beyond these limits are not stored. */
const MOST_COOKIES = 50;
const LONGEST_PAIR = 4_096;
/**
 * Limit for all cookies together. Servers refuse header lines that are longer, usually than 8 KB, and then they would
 * refuse every request of the feed.
 */
const LONGEST_HEADER = 7_900;

/** Shorter values are found in any text by chance. */
const SHORTEST_SECRET = 4;

export class Cookies {
	private pairs: ReadonlyMap<string, string> = new Map();

	private readonly host: string;

	/**
	 * @param url any URL of the host that the cookies belong to
	 * @param leftOut called for each cookie that is not stored because there are too many, or because it is too long
	 */
	constructor(
		url: string,
		private readonly leftOut: () => void = () => undefined,
	) {
		this.host = new URL(url).hostname;
	}

	/**
	 * Stores the cookies that a response sets. Path and port are ignored: the whole host is the provider's.
	 * @param url of the request; cookies of another host are ignored
	 * @param headers of the response; `set-cookie` is a text or a list
	 */
	keep(url: string, headers: Record<string, unknown>): void {
		if (!this.isOwn(url)) return;
		for (const [name, value] of Object.entries(headers)) {
			if (name.toLowerCase() !== 'set-cookie') continue;
			for (const line of Array.isArray(value) ? (value as unknown[]) : [value]) {
				if (typeof line === 'string') this.keepLine(line);
			}
		}
	}

	/** The `cookie` header for a request to `url`; empty if there is nothing to send. */
	headers(url: string): Record<string, string> {
		return this.pairs.size === 0 || !this.isOwn(url) ? {} : { cookie: cookieHeaderOf(this.pairs) };
	}

	/**
	 * The values, without quotes around them, as they are sent and as the provider may say them. Some providers recognize
	 * the session by one: it is as secret as the token.
	 */
	get values(): string[] {
		return [...this.pairs.values()]
			.map((value) => value.replace(/^"|"$/g, ''))
			.flatMap((value) => [...new Set([value, decoded(value)])])
			.filter(({ length }) => length >= SHORTEST_SECRET);
	}

	private isOwn(url: string): boolean {
		return URL.canParse(url) && new URL(url).hostname === this.host;
	}

	private keepLine(line: string): void {
		const [pair = '', ...attributes] = line.split(';', 20);
		const separator = pair.indexOf('=');
		// Only characters that are valid in a header: others would make every request of the feed fail.
		if (separator < 1 || !/^[\x20-\x7e\t]*$/.test(pair)) return;
		const name = pair.slice(0, separator).trim();
		const kept = new Map(this.pairs);
		if (attributes.some(isOver)) kept.delete(name);
		else kept.set(name, pair.slice(separator + 1).trim());
		const fits = pair.length <= LONGEST_PAIR && cookieHeaderOf(kept).length <= LONGEST_HEADER;
		if (fits && kept.size <= MOST_COOKIES) this.pairs = kept;
		else this.leftOut();
	}
}

/**
 * What a browser sends along from a page of the host: its cookies, and its origin, without which some gateways refuse.
 * @param url of the request, `http:` or `https:`
 */
export function browserHeaders(url: string, cookies: Cookies): Record<string, string> {
	return { ...cookies.headers(url), origin: new URL(url).origin };
}

function cookieHeaderOf(pairs: ReadonlyMap<string, string>): string {
	return [...pairs].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Many servers encode the value of a cookie as in a URL. */
function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/** Whether an attribute deletes the cookie: `Max-Age=0`, or an `Expires` in the past. */
function isOver(attribute: string): boolean {
	const separator = attribute.indexOf('=');
	const name = attribute.slice(0, separator).trim().toLowerCase();
	const value = attribute.slice(separator + 1).trim();
	if (name === 'max-age') return Number(value) <= 0;
	return name === 'expires' && Date.parse(value) <= Date.now();
}
