// The live connections of the notification feed: who has said `init`, who gets the events, who is cut.

import type { OperatorOptions } from '../options';
import { plainAddress, type FeedKind, type Token, type Tokens } from './tokens';

/** What the servers of both Socket.IO generations give to the hub for each connection. */
export interface Peer {
	id: string;
	remoteAddress: string | undefined;
	transport(): string;
	emit(name: string, args: unknown[]): void;
	/** A clean disconnect, told to the client. */
	disconnect(): void;
	/** Ends the TCP connection without a word. */
	destroy(): void;
}

/** One connection as tests see it. */
export interface SocketView {
	id: string;
	/** `websocket` or `polling`, as it is now. */
	transport: string;
	initialised: boolean;
	kind: FeedKind | null;
	target: string | null;
	/** False where the service went silent (token over, or told to). */
	receiving: boolean;
	/** Milliseconds since 1970. */
	connectedAt: number;
	/** Events sent to it. */
	sent: number;
	remoteAddress: string;
}

interface Connection {
	peer: Peer;
	token?: Token;
	silent: boolean;
	connectedAt: number;
	sent: number;
}

/** Which connections are meant: all that are initialised, those of a feed, or one by its id. */
export type Audience = 'all' | FeedKind | { socket: string };

export class FeedHub {
	private readonly connections = new Map<string, Connection>();
	private connected = 0;
	private inits = 0;
	private refusedInits = 0;

	constructor(
		private readonly options: OperatorOptions,
		private readonly tokens: Tokens,
		private readonly changed: () => void,
	) {}

	open(peer: Peer) {
		this.connected++;
		this.connections.set(peer.id, { peer, silent: false, connectedAt: Date.now(), sent: 0 });
		this.changed();
	}

	/** A connection went over from long polling to websocket: who waits for that looks again. */
	upgraded() {
		this.changed();
	}

	close(id: string) {
		if (this.connections.delete(id)) this.changed();
	}

	/**
	 * `init` of the feed document: account type, target, token. What a wrong one brings is not shown there; here the
	 * connection is ended cleanly.
	 */
	init(id: string, args: unknown[]) {
		const connection = this.connections.get(id);
		if (!connection) return;
		const [kind, target, idSession] = args;
		const address = plainAddress(connection.peer.remoteAddress);
		const token =
			args.length === 3 && (kind === 'supervisor' || kind === 'api')
				? this.tokens.find(idSession, kind, target, address)
				: undefined;
		if (!token) {
			this.refusedInits++;
			this.changed();
			connection.peer.disconnect();
			return;
		}
		if (this.options.singleSession) {
			for (const [otherId, other] of this.connections) {
				if (otherId !== id && other.token && sameAccount(other.token, token))
					other.peer.disconnect();
			}
		}
		connection.token = token;
		connection.silent = false;
		this.inits++;
		this.changed();
	}

	/** Sends one Socket.IO message; gives how many connections it went to. */
	send(name: string, args: unknown[], audience: Audience = 'all'): number {
		let reached = 0;
		for (const connection of this.connections.values()) {
			if (!connection.token || connection.silent || !isMeant(connection, audience)) continue;
			connection.peer.emit(name, args);
			connection.sent++;
			reached++;
		}
		return reached;
	}

	/** What the end of a token does to the connections that were opened with it. */
	tokenEnded(token: Token) {
		for (const connection of [...this.connections.values()]) {
			if (connection.token !== token) continue;
			if (this.options.onExpiry === 'disconnect') connection.peer.disconnect();
			if (this.options.onExpiry === 'silence') connection.silent = true;
		}
		this.changed();
	}

	/** Keeps connections open but sends them nothing more: a subscription that the service forgot. */
	silence(audience: Audience = 'all') {
		return this.each(audience, (connection) => {
			connection.silent = true;
		});
	}

	disconnect(audience: Audience = 'all') {
		return this.each(audience, (connection) => connection.peer.disconnect());
	}

	destroy(audience: Audience = 'all') {
		return this.each(audience, (connection) => connection.peer.destroy());
	}

	/** Whether an account has a live connection. */
	isConnected(kind: FeedKind) {
		return [...this.connections.values()].some(({ token }) => token?.kind === kind);
	}

	views(): SocketView[] {
		return [...this.connections.values()].map((connection) => ({
			id: connection.peer.id,
			transport: connection.peer.transport(),
			initialised: connection.token !== undefined,
			kind: connection.token?.kind ?? null,
			target: connection.token?.target ?? null,
			receiving: connection.token !== undefined && !connection.silent,
			connectedAt: connection.connectedAt,
			sent: connection.sent,
			remoteAddress: plainAddress(connection.peer.remoteAddress),
		}));
	}

	/** Totals since the operator was started. */
	counts() {
		return { connected: this.connected, inits: this.inits, refusedInits: this.refusedInits };
	}

	private each(audience: Audience, act: (connection: Connection) => void) {
		const meant = [...this.connections.values()].filter(
			(connection) => audience === 'all' || isMeant(connection, audience),
		);
		meant.forEach(act);
		this.changed();
		return meant.length;
	}
}

const sameAccount = (one: Token, other: Token) =>
	one.kind === other.kind && one.target === other.target;

function isMeant(connection: Connection, audience: Audience) {
	if (audience === 'all') return true;
	if (typeof audience === 'string') return connection.token?.kind === audience;
	return connection.peer.id === audience.socket;
}
