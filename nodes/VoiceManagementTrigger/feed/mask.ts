// Masks what leaves a feed: its log, its status and its errors. A provider may repeat the login or a token in any
// text, also those of the connection before, which can still be valid.
import { LONGEST_TOKEN, MASK, tokenPattern, type Secrets } from '../../shared/secrets';

/** Characters of the provider's text that are shown. */
const SHOWN_CHARACTERS = 200;

/** Logins and secrets of closed connections that are remembered: the provider may accept or repeat them for hours. */
const MOST_MASKED_LOGINS = 4;
const MOST_PAST = 40;
/** Of one of them: its token comes first, and a provider can set 50 cookies. */
const MOST_OF_ONE = 8;
const MOST_PATTERNS = 500;

/**
 * Characters of the provider's text that are searched for secrets, and the longest beginning by which one is recognized,
 * escaped up to nine times as long.
 */
const SEARCHED = 2_000;
const LONGEST_BEGINNING = 300;

/** A cut secret that shows less than this is not masked. */
const SHORTEST_CUT = 8;

export class Mask {
	/** Of the latest logins, by what they match. */
	private readonly logins = new Map<string, RegExp>();

	/** Of the open connections. Asked each time, since a response can set another cookie. */
	private readonly open = new Set<() => readonly string[]>();

	/** Of each closed connection, the newest last. */
	private past: Array<readonly string[]> = [];

	/** By secret: to make them takes longer than to search with them. */
	private readonly patterns = new Map<string, RegExp>();

	/** Masks the login of a credential from now on. */
	addLogin({ inText }: Secrets): void {
		this.logins.delete(inText.source);
		this.logins.set(inText.source, inText);
		for (const oldest of this.logins.keys()) {
			if (this.logins.size > MOST_MASKED_LOGINS) this.logins.delete(oldest);
		}
	}

	/**
	 * Masks the token and the cookies of a connection, in this order, from now on.
	 * @returns to be called when the connection is closed
	 */
	addConnection(secrets: () => readonly string[]): () => void {
		this.open.add(secrets);
		return () => {
			if (!this.open.delete(secrets)) return;
			this.past = [...this.past, secrets().slice(0, MOST_OF_ONE)].slice(-MOST_PAST);
		};
	}

	/** A text without the secrets, in whatever form they are written. */
	text(text: string): string {
		let clean = text;
		for (const login of this.logins.values()) clean = clean.replace(login, MASK);
		const secrets = new Set([...this.past, ...[...this.open].map((ask) => ask())].flat());
		for (const secret of secrets) clean = clean.replace(this.patternOf(secret), MASK);
		return withoutCut(clean, secrets);
	}

	private patternOf(secret: string): RegExp {
		const known = this.patterns.get(secret) ?? tokenPattern(secret);
		if (this.patterns.size >= MOST_PATTERNS) this.patterns.clear();
		this.patterns.set(secret, known);
		return known;
	}

	/** A text of the provider, masked, on one line and shortened. */
	line(foreign: string): string {
		const isCut = foreign.length > SEARCHED;
		const clean = this.text(foreign.slice(0, SEARCHED));
		// At its end, there may be the beginning of a secret.
		const text = (isCut ? clean.slice(0, -LONGEST_BEGINNING) : clean).replace(/[\s\p{Cc}]+/gu, ' ');
		return isCut || text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
	}

	/** The beginning of a payload, masked. */
	payload(args: unknown[]): string {
		let text: string;
		try {
			text = JSON.stringify(args) ?? '';
		} catch {
			text = '[nested too deeply]';
		}
		return this.line(text);
	}
}

/**
 * Masks the beginning of a secret in front of an ellipsis: the text was shortened before it got here. By a longer one, the
 * secret is recognized.
 */
function withoutCut(text: string, secrets: ReadonlySet<string>): string {
	const parts = text.split('…');
	return parts
		.map((part, index) => {
			if (index === parts.length - 1 || part.length < SHORTEST_CUT) return part;
			for (const secret of secrets) {
				const longest = Math.min(secret.length - 1, part.length, LONGEST_TOKEN);
				for (let end = longest; end >= SHORTEST_CUT; end--)
					if (part.endsWith(secret.slice(0, end))) return `${part.slice(0, -end)}${MASK}`;
			}
			return part;
		})
		.join('…');
}
