// The cookies of one host: what its login and its handshake set goes back with every request of the feed to it, and to
// nobody else. Load balancers use them to keep a client on one server, some operators to know the session.

/** More than any host sets; what goes beyond is not kept. */
const MOST_COOKIES = 50;
const LONGEST_PAIR = 4_096;
/** All of them in one header. Servers refuse requests with longer lines, of 8 KB as a rule: each request of the feed, then. */
const LONGEST_HEADER = 7_900;

export class Cookies {
	private pairs: ReadonlyMap<string, string> = new Map();

	private readonly host: string;

	/**
	 * @param url any URL of the host that the cookies belong to
	 * @param leftOut hears of each cookie that is not kept because there are too many, or too long ones
	 */
	constructor(
		url: string,
		private readonly leftOut: () => void = () => undefined,
	) {
		this.host = new URL(url).hostname;
	}

	/**
	 * Keeps what a response set. Path and port are not looked at: the whole host is the operator's.
	 * @param url where the request went; the cookies of another host are not kept
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

	/** The header of a request to `url`; empty if there is nothing to send. */
	headers(url: string): Record<string, string> {
		return this.pairs.size === 0 || !this.isOwn(url) ? {} : { cookie: headerOf(this.pairs) };
	}

	private isOwn(url: string): boolean {
		return URL.canParse(url) && new URL(url).hostname === this.host;
	}

	private keepLine(line: string): void {
		const [pair = '', ...attributes] = line.split(';', 20);
		const separator = pair.indexOf('=');
		// Only what can stand in a header: anything else would make every request of the feed fail.
		if (separator < 1 || !/^[\x20-\x7e\t]*$/.test(pair)) return;
		const name = pair.slice(0, separator).trim();
		const kept = new Map(this.pairs);
		if (attributes.some(isOver)) kept.delete(name);
		else kept.set(name, pair.slice(separator + 1).trim());
		const fits = pair.length <= LONGEST_PAIR && headerOf(kept).length <= LONGEST_HEADER;
		if (fits && kept.size <= MOST_COOKIES) this.pairs = kept;
		else this.leftOut();
	}
}

function headerOf(pairs: ReadonlyMap<string, string>): string {
	return [...pairs].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** `Max-Age=0`, or an `Expires` in the past. */
function isOver(attribute: string): boolean {
	const separator = attribute.indexOf('=');
	const name = attribute.slice(0, separator).trim().toLowerCase();
	const value = attribute.slice(separator + 1).trim();
	if (name === 'max-age') return Number(value) <= 0;
	return name === 'expires' && Date.parse(value) <= Date.now();
}
