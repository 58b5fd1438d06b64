// What a reading of the unseen operator can change. A form is data and small functions; the parts of the simulator consult
// them through `Forms` and know none by name.

import type { OperatorOptions } from '../options';

/** A request as forms see it, before any work is done for it. */
export interface Question {
	/** Part of the operator that it is for. */
	area: 'rest' | 'login' | 'token' | 'page' | 'feed' | 'other';
	method: string;
	/** As sent, with the query. */
	url: string;
	/** Names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** MIME type of the body without parameters; '' where there is none. */
	contentType: string;
	/** The body as text; '' where there is none or it is multipart. */
	text: string;
	/** Port that the operator listens on. */
	port: number;
}

/** A response before it is written. */
export interface Response {
	status: number;
	headers: Record<string, string>;
	/** Text and bytes leave as they are, everything else as JSON; bigint as a number. */
	body: unknown;
	/** The reason where it is a failure: the error's code, its text and the field that it names. */
	failure?: { code: string; message: string; field: string };
}

/** How lists are paged. */
export interface Paging {
	/** Number of the first page. */
	first: number;
	/** Largest `pageSize`. */
	largest: number;
	/** What a larger one brings. */
	tooLarge: 'error' | 'cap';
	/** Every page is the whole list. */
	ignored: boolean;
	/** What a page past the end is: error 13, or an answer of its own. */
	pastEnd: 'error' | 'notFound' | 'empty' | 'null' | 'last';
}

/** What the parts of the simulator ask for by name. */
export interface Reading {
	paging: Paging;
	/** How `target` is written, and the only type that `init` takes. */
	target: 'number' | 'text';
	/** How `id_session` is written, likewise. */
	token: 'text' | 'number';
	/** What "create address" takes. */
	create: 'multipart' | 'json';
	/** Whether `127.0.0.1` and `::1` are two addresses. */
	strictAddresses: boolean;
	/** Whether each event waits until the one before was acknowledged. */
	acknowledged: boolean;
	/** `init` of the account feed: what makes the usual three arguments of the ones that it takes. */
	accountInit: (args: unknown[], clientId: string) => unknown[] | undefined;
	/** How a refused `init` is told; undefined = the connection is ended. */
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

export interface Message {
	name: string;
	args: unknown[];
}

export interface Form {
	/** One line for people. */
	says: string;
	reading?: Partial<Omit<Reading, 'paging'>> & { paging?: Partial<Paging> };
	/** Settings of the operator that come with it. */
	options?: Partial<OperatorOptions>;
	/** Answers a request instead of the operator: a refusal or a redirect. */
	intercept?(question: Question, memory: { seen: number }): Response | undefined;
	/** The URL that the operator reads, of the one that was sent. */
	rewrite?(url: string): string;
	/** Changes a response of number management or of a login. */
	respond?(response: Response, question: Question): Response;
	/** The identifier in a path as the operator counts it, of the one that it gave out. */
	identifier?(id: string): string;
	/** Sends an event, changed, more than once or later. */
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
