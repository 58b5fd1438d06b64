// Types of a socket, shared by the clients' modules and the rest of the feed.
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

/** Resolves with any status and follows no redirect. Rejects if there is no response, or if it is too long. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>;

export interface SocketHandlers {
	/** The namespace is joined: `init` can be sent. */
	connect(): void;
	/** An open connection ended; `reason` is Socket.IO's own (`io server disconnect`, `ping timeout`, …). */
	disconnect(reason: string): void;
	/**
	 * The connection could not be opened; the socket is unusable.
	 * @param unreached no request got a response: the host is unreachable or does not exist
	 */
	connectError(message: string, unreached?: boolean): void;
	/** The server refused a long polling request of an existing session. Called right before the connection ends. */
	pollRefused?(): void;
	/** Every event of the server, whatever its name. */
	event(name: string, args: unknown[]): void;
	/** An event of the server exceeded a limit and was dropped; the connection stays open. */
	leftOut?(leftOut: LeftOut): void;
	/** A ping or a pong came from the server: the connection works, at least in that direction. */
	heartbeat?(): void;
}

export interface SocketOptions {
	/** Scheme, host and port of the voice host. */
	url: string;
	/** The path of the Socket.IO server, such as `/socket.io/`, with or without its last slash. */
	path: string;
	protocol: 2 | 4;
	/** Defaults to polling that upgrades to websocket if the runtime and the network allow it. */
	transports?: Array<'polling' | 'websocket'>;
	/** How long opening the connection can take. */
	connectTimeoutMs: number;
	/** The cookies of the login and of earlier requests; none by default. */
	cookies?: Cookies;
	/** Sends the requests of long polling; by default, the runtime's own client does. */
	send?: SendRequest;
}

export interface FeedSocket {
	emit(name: string, ...args: unknown[]): void;
	/** Notifies the server if the connection still works, and closes the connection within about a second. */
	close(): void;
}

/** An event, or a cookie, that was dropped because it exceeds a limit. */
export interface LeftOut {
	/** Completes "the operator sent …". */
	what: string;
	/** Whether it was an `update`, so that events are missing. */
	isUpdate: boolean;
}

/**
 * What version2.ts and version4.ts return: `end` closes the connection properly, `drop` releases what the client still
 * keeps open.
 */
export interface RawSocket {
	emit(name: string, ...args: unknown[]): void;
	end(): void;
	drop(): void;
}
