// Tokens: who may open a connection, from where, until when.

import { randomBytes } from 'node:crypto';

export type FeedKind = 'supervisor' | 'api';

export interface Token {
	idSession: string;
	kind: FeedKind;
	/** Second argument of `init`: the supervisor's `target` or the client account. */
	target: string;
	/** The only address that may use it, in its plain form. */
	address: string;
	/** Milliseconds since 1970. */
	expiresAt: number;
	expired: boolean;
}

export class Tokens {
	private readonly tokens = new Map<string, Token>();
	private readonly timers = new Set<NodeJS.Timeout>();

	/** `ended` is called once for every token, when its time is over or `expire` is called. */
	constructor(private readonly ended: (token: Token) => void) {}

	issue(kind: FeedKind, target: string, address: string, lifetimeSeconds: number): Token {
		const token: Token = {
			idSession: randomBytes(20).toString('hex'),
			kind,
			target,
			address,
			expiresAt: Date.now() + lifetimeSeconds * 1000,
			expired: false,
		};
		this.tokens.set(token.idSession, token);
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			this.end(token);
		}, lifetimeSeconds * 1000);
		timer.unref();
		this.timers.add(timer);
		return token;
	}

	/** The token that opens a connection, or undefined where there is none that may. */
	find(idSession: unknown, kind: FeedKind, target: unknown, address: string): Token | undefined {
		const token = typeof idSession === 'string' ? this.tokens.get(idSession) : undefined;
		if (!token || token.kind !== kind || token.address !== address) return undefined;
		// An identifier may arrive as number or text.
		if (typeof target !== 'string' && typeof target !== 'number') return undefined;
		return String(target) === token.target ? token : undefined;
	}

	/** Ends every token now; gives how many. */
	expire() {
		const all = [...this.tokens.values()];
		for (const token of all) this.end(token);
		return all.length;
	}

	count() {
		return this.tokens.size;
	}

	stop() {
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
	}

	private end(token: Token) {
		if (token.expired) return;
		token.expired = true;
		this.tokens.delete(token.idSession);
		this.ended(token);
	}
}

/** One form for one address: `::1` and `::ffff:127.0.0.1` are this machine like `127.0.0.1`. */
export function plainAddress(address: string | undefined) {
	const plain = (address ?? '')
		.trim()
		.toLowerCase()
		.replace(/^::ffff:(?=\d+\.)/, '');
	return plain === '::1' ? '127.0.0.1' : plain;
}
