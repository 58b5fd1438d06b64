// The settings of a simulated provider, their defaults, and the check of every value.

import { formNamed, forms, type Form } from './forms';

/** Settings of one provider. All optional for the caller of `startProvider`. */
export interface ProviderOptions {
	/** Host name or IP address to listen on. */
	host: string;
	/** 0 = any free port. */
	port: number;
	/** https, with a certificate signed by a private authority (`caFile` of the provider). */
	tls: boolean;
	/** Version of the Socket.IO server: 4 (Engine.IO 4), 2 or 1 (both Engine.IO 3). */
	socketio: 4 | 2 | 1;
	/**
	 * Milliseconds for which the Socket.IO server keeps what it sends to a connection that broke (its "connection state
	 * recovery"); 0: it keeps nothing. Version 4 only.
	 */
	recovery: number;
	/** Path of the Socket.IO endpoint. The feed document says `/socket.io/`. */
	socketPath: string;
	/** The same seed generates the same traffic. */
	seed: number;
	/** Generated events per second, on average; 0 = silent. */
	rate: number;
	/** Include `num` and `input` events, which the provider delivers on request only. */
	numEvents: boolean;
	/** Seconds that a token is valid; the feed document says 2 hours. */
	tokenLifetime: number;
	/** What happens to a connection when its token ends. The feed document leaves it open. */
	onExpiry: 'disconnect' | 'silence' | 'nothing';
	/** A newer `init` of an account cuts its older connection. */
	singleSession: boolean;
	/** Whether an account may log in again while it has a live connection. */
	secondLogin: 'allow' | 'refuse';
	/** Milliseconds between the protocol's pings. */
	pingInterval: number;
	/** Milliseconds without a reply to a ping before the server gives the connection up. */
	pingTimeout: number;
	/** Milliseconds from a request for verification to its result; 0: a person decides (control API). */
	reviewTime: number;
	/** The spelling of the account type key that `/ws/` accepts; the feed document shows both. */
	accountTypeKey: 'any' | 'account_type' | 'count_type';
	/** Variants of the undocumented behaviour of the provider: by name (simulator/forms), or a form of one's own. */
	forms: Array<string | Form>;
	/** The customer's money, in the provider's currency; a checkout takes the prices from it. */
	balance: number;
}

export const defaultOptions: Readonly<ProviderOptions> = {
	host: '127.0.0.1',
	port: 0,
	tls: false,
	socketio: 4,
	recovery: 0,
	socketPath: '/socket.io/',
	seed: 1,
	rate: 0,
	numEvents: false,
	tokenLifetime: 7200,
	onExpiry: 'disconnect',
	singleSession: false,
	secondLogin: 'allow',
	pingInterval: 25_000,
	pingTimeout: 20_000,
	reviewTime: 0,
	accountTypeKey: 'any',
	forms: [],
	balance: 1000,
};

/** An invalid setting, or a host that can't be listened on: one sentence for the user. */
export class ProviderError extends Error {
	override name = 'ProviderError';
}

interface Rule {
	test: (value: unknown) => boolean;
	says: string;
}

const integer = (from: number, to: number): Rule => ({
	test: (value) => Number.isInteger(value) && (value as number) >= from && (value as number) <= to,
	says: `a whole number from ${from} to ${to}`,
});
const number = (from: number, to: number): Rule => ({
	test: (value) => typeof value === 'number' && value >= from && value <= to,
	says: `a number from ${from} to ${to}`,
});
const oneOf = (...choices: unknown[]): Rule => ({
	test: (value) => choices.includes(value),
	says: choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`,
});
const boolean: Rule = { test: (value) => typeof value === 'boolean', says: 'true or false' };
/** Above this value, Node's timers fire after 1 ms. */
const longestTimer = 2_147_483_647;

const rules: Record<keyof ProviderOptions, Rule> = {
	host: {
		test: (value) => typeof value === 'string' && value !== '',
		says: 'a host name or address',
	},
	port: integer(0, 65_535),
	tls: boolean,
	socketio: oneOf(4, 2, 1),
	recovery: integer(0, longestTimer),
	socketPath: {
		test: (value) => typeof value === 'string' && /^\/[\w./-]*\/$/.test(value),
		says: 'a path that starts and ends with a slash',
	},
	seed: integer(0, 4_294_967_295),
	rate: number(0, 100_000),
	numEvents: boolean,
	tokenLifetime: number(0.001, longestTimer / 1000),
	onExpiry: oneOf('disconnect', 'silence', 'nothing'),
	singleSession: boolean,
	secondLogin: oneOf('allow', 'refuse'),
	pingInterval: integer(1, longestTimer),
	pingTimeout: integer(1, longestTimer),
	reviewTime: integer(0, longestTimer),
	accountTypeKey: oneOf('any', 'account_type', 'count_type'),
	forms: {
		test: (value) =>
			Array.isArray(value) &&
			value.every((form) => typeof form === 'object' || Object.hasOwn(forms, form as string)),
		says: 'a list of forms (`npm run simulator -- --help` names them)',
	},
	balance: number(0, Number.MAX_SAFE_INTEGER),
};

/**
 * A sentence about a value that a setting doesn't accept, or undefined if it does.
 * `label` is the user's name for the setting (an option name, a flag).
 */
export function complaint(name: keyof ProviderOptions, value: unknown, label: string = name) {
	const rule = rules[name];
	if (rule.test(value)) return undefined;
	return `${label} must be ${rule.says}, but is ${JSON.stringify(value) ?? String(value)}.`;
}

/** Fills in the defaults and checks every value. Throws ProviderError. */
export function completeOptions(given: Partial<ProviderOptions>): ProviderOptions {
	const options = { ...defaultOptions } as Record<string, unknown>;
	for (const [name, value] of Object.entries(given)) {
		if (value === undefined) continue;
		if (!(name in rules)) throw new ProviderError(`There is no provider option "${name}".`);
		const reason = complaint(name as keyof ProviderOptions, value);
		if (reason) throw new ProviderError(reason);
		options[name] = value;
	}
	for (const form of options.forms as ProviderOptions['forms']) {
		Object.assign(options, formNamed(form).options);
	}
	return options as unknown as ProviderOptions;
}
