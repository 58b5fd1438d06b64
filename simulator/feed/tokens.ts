/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Tokens: who may open a connection, from which IP address, and until when.

import { randomBytes, randomInt } from 'node:crypto';
import type { Reading } from '../forms/form';

export type FeedKind = 'supervisor' | 'api';

export interface Token {
	idSession: string | number;
	kind: FeedKind;
	/** Second argument of `init`: the supervisor's `target` or the client account. */
	target: string | number;
	/** The only IP address that may use it, in its plain form. */
	address: string;
	/** Milliseconds since 1970. */
	expiresAt: number;
	expired: boolean;
}

export class Tokens {
	private readonly tokens = new Map<unknown, Token>();
	private readonly timers = new Set<NodeJS.Timeout>();

	/** @param ended called once for every token, when it expires or `expire` is called */
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

	/** The token for a connection, or undefined if none is valid for it. */
	find(idSession: unknown, kind: FeedKind, target: unknown, address: string): Token | undefined {
		const token = this.tokens.get(idSession);
		if (!token || token.kind !== kind || token.address !== address) return undefined;
		// The supervisor's target has to come back exactly as issued. The client account was never issued, so it may be a
		// number or text.
		const given = kind === 'api' && typeof target === 'number' ? String(target) : target;
		return given === token.target ? token : undefined;
	}

	/** Whether a token is valid; in a URL it is text, whatever its type was. */
	has(idSession: unknown) {
		return [...this.tokens.keys()].some((token) => String(token) === idSession);
	}

	/** Ends every token now; returns how many. */
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

/** A single form for an IP address: `::1` and `::ffff:127.0.0.1` become `127.0.0.1`; if `strict`, `::1` does not. */
export function plainAddress(address: string | undefined, strict = false) {
	const plain = (address ?? '')
		.trim()
		.toLowerCase()
		.replace(/^::ffff:(?=\d+\.)/, '');
	return plain === '::1' && !strict ? '127.0.0.1' : plain;
}
