// Types of a socket, for its modules and the rest of the feed.
import type { Cookies } from './cookies';

/** One HTTP request of the feed. */
export interface PollRequest {
	url: string;
	method: 'GET' | 'POST';
	headers: Record<string, string>;
	body?: string;
	signal?: AbortSignal;
}

export interface PollResponse {
	statusCode: number;
	/** `set-cookie` as a list or a text. */
	headers: Record<string, unknown>;
	body: Uint8Array;
}

/** Resolves with any status and follows no redirect. Rejects if there is no response, or if it is too long. */
export type SendRequest = (request: PollRequest) => Promise<PollResponse>;

export interface SocketHandlers {
	/**
	 * The namespace is joined: `init` can be sent.
	 * @param recovered the server continues the connection of `resume`: what it sent since then follows
	 */
	connect(recovered: boolean): void;
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
	/** The cookies of the login and of earlier requests; none by default. */
	cookies?: Cookies;
	/** What to continue. */
	resume?: Resume;
	/** Sends the requests of long polling; by default, the runtime's own client does. */
	send?: SendRequest;
}

/** Where a server with Socket.IO's connection state recovery can continue a connection that has ended. */
export interface Resume {
	/** The connection's private identifier. */
	pid: string;
	/** The last event that arrived. */
	offset: string;
}

export interface FeedSocket {
	/** Once it has joined. */
	emit(name: string, ...args: unknown[]): void;
	/** Undefined if the server keeps no history, or has sent no event yet. */
	resume(): Resume | undefined;
	/** Notifies the server if the connection still works, and closes the connection within about a second. */
	close(): void;
}

/** An event, or a cookie, that was dropped because it exceeds a limit. */
export interface LeftOut {
	/** Completes "the provider sent …". */
	what: string;
	/** Whether it was an `update`, so that events are missing. */
	isUpdate: boolean;
}

/** What socket.ts returns: `end` closes the connection properly, `drop` releases what the client still keeps open. */
export interface RawSocket extends Pick<FeedSocket, 'emit' | 'resume'> {
	end(): void;
	drop(): void;
}
