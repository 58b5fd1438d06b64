// Tokens: who may open a connection, from where, until when.

import { randomBytes, randomInt } from 'node:crypto';
import type { Reading } from '../forms/form';

export type FeedKind = 'supervisor' | 'api';

export interface Token {
	idSession: string | number;
	kind: FeedKind;
	/** Second argument of `init`: the supervisor's `target` or the client account. */
	target: string | number;
	/** The only address that may use it, in its plain form. */
	address: string;
	/** Milliseconds since 1970. */
	expiresAt: number;
	expired: boolean;
}

export class Tokens {
	private readonly tokens = new Map<unknown, Token>();
	private readonly timers = new Set<NodeJS.Timeout>();

	/** `ended` is called once for every token, when its time is over or `expire` is called. */
	constructor(private readonly ended: (token: Token) => void) {}

	issue(
		kind: FeedKind,
		target: string | number,
		address: string,
		lifetimeSeconds: number,
		form: Reading['token'],
	): Token {
		const token: Token = {
			idSession: form === 'text' ? randomBytes(20).toString('hex') : randomInt(1e12, 2 ** 47),
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
		const token = this.tokens.get(idSession);
		if (!token || token.kind !== kind || token.address !== address) return undefined;
		// The supervisor's target goes back as it was given. The client account was never given as a value: number or text.
		const given = kind === 'api' && typeof target === 'number' ? String(target) : target;
		return given === token.target ? token : undefined;
	}

	/** Whether a token is valid; in a URL it is text whatever it was. */
	has(idSession: unknown) {
		return [...this.tokens.keys()].some((token) => String(token) === idSession);
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

/** One form for one address: `::1` and `::ffff:127.0.0.1` are this machine like `127.0.0.1`; if `strict`, `::1` is not. */
export function plainAddress(address: string | undefined, strict = false) {
	const plain = (address ?? '')
		.trim()
		.toLowerCase()
		.replace(/^::ffff:(?=\d+\.)/, '');
	return plain === '::1' && !strict ? '127.0.0.1' : plain;
}
