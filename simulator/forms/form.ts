// What a variant of the provider's undocumented behaviour can change. A form consists of data and small functions;
// the parts of the simulator call them through `Forms` and know none by name.

import type { ProviderOptions } from '../options';

/** A request as passed to forms, before it is processed. */
export interface Question {
	/** The part of the provider that it is for. */
	area: 'rest' | 'login' | 'token' | 'page' | 'feed' | 'other';
	method: string;
	/** As sent, with the query. */
	url: string;
	/** Names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** MIME type of the body without parameters; '' if there is none. */
	contentType: string;
	/** The body as text; '' if there is none or it is multipart. */
	text: string;
	/** The port on which the provider listens. */
	port: number;
}

/** A response before it is written. */
export interface Response {
	status: number;
	headers: Record<string, string>;
	/** Text is sent unchanged, everything else as JSON. */
	body: unknown;
}

/** Settings that the parts of the simulator read by name. */
export interface Reading {
	/** The type of `target`, and the only one that `init` accepts. */
	target: 'number' | 'text';
	/** The type of `id_session`, likewise. */
	token: 'text' | 'number';
	/** Whether `127.0.0.1` and `::1` are two addresses. */
	strictAddresses: boolean;
	/** Whether each event waits until the previous one is acknowledged. */
	acknowledged: boolean;
	/** `init` of the account feed: converts the accepted arguments to the usual three. */
	accountInit: (args: unknown[], clientId: string) => unknown[] | undefined;
	/** How a refused `init` is reported; undefined: the connection is ended. */
	refusal?: { name: string; args: unknown[] };
	/** Headers of the response to a Socket.IO handshake. */
	handshakeHeaders: Record<string, string>;
}

/** What a form remembers of one connection. */
export interface Memory {
	/** Counts the connections from 0. */
	connection: number;
	/** Events sent to it. */
	cpt: number;
	/** Events that wait for the next one. */
	held: object[];
}

export interface Form {
	/** One line for people. */
	says: string;
	reading?: Partial<Reading>;
	/** Settings of the provider that come with it. */
	options?: Partial<ProviderOptions>;
	/** Responds in the provider's place: a refusal or a redirect. */
	intercept?(question: Question, memory: { seen: number }): Response | undefined;
	/** Rewrites the URL of a request before the provider reads it. */
	rewrite?(url: string): string;
	/** Changes a response of a login. */
	respond?(response: Response, question: Question): Response;
	/** Sends an event: changed, more than once, or later. */
	update?(event: Record<string, unknown>, memory: Memory, send: (...args: unknown[]) => void): void;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy with every value of these keys, at any depth, replaced. */
export function replaceIn(
	value: unknown,
	keys: RegExp,
	replace: (value: unknown, key: string) => unknown,
): unknown {
	if (Array.isArray(value)) return value.map((entry) => replaceIn(entry, keys, replace));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [
			key,
			keys.test(key) ? replace(entry, key) : replaceIn(entry, keys, replace),
		]),
	);
}

/** A copy with keys renamed, at any depth. */
export function renameIn(value: unknown, names: Readonly<Record<string, string>>): unknown {
	if (Array.isArray(value)) return value.map((entry) => renameIn(entry, names));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [names[key] ?? key, renameIn(entry, names)]),
	);
}
