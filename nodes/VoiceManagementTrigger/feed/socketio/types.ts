// What the generations' modules and the rest of the feed agree on about a socket.

export interface SocketHandlers {
	/** The namespace is joined: `init` can be sent. */
	connect(): void;
	/** An open connection ended; `reason` is Socket.IO's own word (`io server disconnect`, `ping timeout`, …). */
	disconnect(reason: string): void;
	/** The connection could not be opened; the socket is of no further use. */
	connectError(message: string): void;
	/** Every event of the server, whatever its name. */
	event(name: string, args: unknown[]): void;
	/** A ping or its answer came from the server: the connection carries, in that direction at least. */
	heartbeat?(): void;
}

export interface SocketOptions {
	/** Scheme, host and port of the voice service. */
	url: string;
	/** `/socket.io/` on the operator's service. */
	path: string;
	protocol: 2 | 4;
	/** Defaults to polling that upgrades to websocket where the runtime and the network allow it. */
	transports?: Array<'polling' | 'websocket'>;
	/** How long the connection may take to open. */
	connectTimeoutMs: number;
}

export interface FeedSocket {
	emit(name: string, ...args: unknown[]): void;
	/** Tells the server where the connection still carries it, and lets go of the connection within a second. */
	close(): void;
}

/** What a generation's module gives: `end` says goodbye, `drop` lets go of whatever is still there. */
export interface RawSocket {
	emit(name: string, ...args: unknown[]): void;
	end(): void;
	drop(): void;
}
