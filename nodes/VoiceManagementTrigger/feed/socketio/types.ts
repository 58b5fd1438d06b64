// What the clients' modules and the rest of the feed agree on about a socket.
import type { Cookies } from './cookies';

/** One HTTP request of the feed. */
export interface HttpRequest {
	url: string;
	method: 'GET' | 'POST';
	headers: Record<string, string>;
	body?: string;
	signal?: AbortSignal;
}

export interface HttpResponse {
	statusCode: number;
	/** `set-cookie` as a list or a text. */
	headers: Record<string, unknown>;
	body: Uint8Array;
}

/** Resolves with any status, follows no redirect, rejects only when no answer came. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>;

export interface SocketHandlers {
	/** The namespace is joined: `init` can be sent. */
	connect(): void;
	/** An open connection ended; `reason` is Socket.IO's own word (`io server disconnect`, `ping timeout`, …). */
	disconnect(reason: string): void;
	/**
	 * The connection could not be opened; the socket is of no further use.
	 * @param unreached no request had any answer: the host is out of reach, or not there
	 */
	connectError(message: string, unreached?: boolean): void;
	/** A request of long polling was refused that belongs to a session: right before the end of the connection. */
	pollRefused?(): void;
	/** Every event of the server, whatever its name. */
	event(name: string, args: unknown[]): void;
	/** An event of the server came that is beyond the bounds: the connection goes on without it. */
	leftOut?(leftOut: LeftOut): void;
	/** A ping or its answer came from the server: the connection carries, in that direction at least. */
	heartbeat?(): void;
}

export interface SocketOptions {
	/** Scheme, host and port of the voice service. */
	url: string;
	/** `/socket.io/` on the operator's service, with or without its last slash. */
	path: string;
	protocol: 2 | 4;
	/** Defaults to polling that upgrades to websocket if the runtime and the network allow it. */
	transports?: Array<'polling' | 'websocket'>;
	/** How long the connection may take to open. */
	connectTimeoutMs: number;
	/** Of the login and of what came before; none unless given. */
	cookies?: Cookies;
	/** Who sends the requests of long polling; the runtime's own client unless given. */
	send?: SendRequest;
}

export interface FeedSocket {
	emit(name: string, ...args: unknown[]): void;
	/** Tells the server if the connection still carries it, and lets go of the connection within a second. */
	close(): void;
}

/** An event that is handed on to nobody. */
export interface LeftOut {
	/** What was wrong with it, as the end of a sentence. */
	what: string;
	/** It had the name of the operator's notifications. */
	isUpdate: boolean;
}

/** What a version's module gives: `end` says goodbye, `drop` lets go of whatever the client still holds. */
export interface RawSocket {
	emit(name: string, ...args: unknown[]): void;
	end(): void;
	drop(): void;
}
