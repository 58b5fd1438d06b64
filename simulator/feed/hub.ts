/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The live connections of the notification feed: which have sent `init`, which get the events, which are cut.

import type { Memory, Reading } from '../forms';
import type { ProviderOptions } from '../options';
import { plainAddress, type FeedKind, type Token, type Tokens } from './tokens';

/** A connection of any Socket.IO server version, as the hub sees it. */
export interface Peer {
	id: string;
	remoteAddress: string | undefined;
	transport(): string;
	/** `acknowledged` is called when the client has acknowledged it; without it, no acknowledgement is requested. */
	emit(name: string, args: unknown[], acknowledged?: () => void): void;
	/** A clean disconnect, announced to the client. */
	disconnect(): void;
	/** Ends the TCP connection without a goodbye. */
	destroy(): void;
}

/** One connection as tests see it. */
export interface SocketView {
	id: string;
	/** `websocket` or `polling`: the current one. */
	transport: string;
	initialised: boolean;
	kind: FeedKind | null;
	target: string | null;
	/** False if the provider sends nothing more (the token has expired, or the control API silenced it). */
	receiving: boolean;
	/** Milliseconds since 1970. */
	connectedAt: number;
	/** Number of events sent to it. */
	sent: number;
	remoteAddress: string;
}

interface Connection {
	peer: Peer;
	token?: Token;
	silent: boolean;
	/** It ended, and the server keeps what is sent to it; or it is open again, and may send another `init`. */
	broken?: boolean;
	recovered?: boolean;
	connectedAt: number;
	sent: number;
	memory: Memory;
	/** Events that wait for an acknowledgement; the first one has been sent. */
	unacknowledged: unknown[][];
}

/** The connections to address: all that are initialised, those of a feed, or one by its id. */
export type Audience = 'all' | FeedKind | { socket: string };

export class FeedHub {
	private readonly connections = new Map<string, Connection>();
	private connected = 0;
	private inits = 0;
	private refusedInits = 0;

	constructor(
		private readonly options: ProviderOptions,
		private readonly reading: Reading,
		private readonly tokens: Tokens,
		private readonly changed: () => void,
		/** Sends the arguments of an `update` in the chosen forms. */
		private readonly update: (
			args: unknown[],
			memory: Memory,
			send: (...args: unknown[]) => void,
		) => void,
		private readonly clientId: string,
	) {}

	/** @param recovered the server continues a connection of the same id */
	open(peer: Peer, recovered = false) {
		const before = this.connections.get(peer.id);
		if (recovered && before) {
			Object.assign(before, { peer, broken: false, recovered });
			this.changed();
			return;
		}
		this.connections.set(peer.id, {
			peer,
			silent: false,
			connectedAt: Date.now(),
			sent: 0,
			memory: { connection: this.connected++, cpt: 0, held: [] },
			unacknowledged: [],
		});
		this.changed();
	}

	/** A connection switched from long polling to websocket: waiting tests check again. */
	upgraded() {
		this.changed();
	}

	/** A connection broke, and can be continued for this long. */
	broke(id: string, forMs: number) {
		const connection = this.connections.get(id);
		if (!connection) return;
		connection.broken = true;
		this.changed();
		setTimeout(() => connection.broken && this.close(id), forMs).unref();
	}

	close(id: string) {
		if (this.connections.delete(id)) this.changed();
	}

	/**
	 * `init` of the feed document: account type, target, token, once. The document does not show what happens if it is
	 * wrong; here the connection is ended cleanly unless a form decides otherwise.
	 */
	init(id: string, args: unknown[]) {
		const connection = this.connections.get(id);
		if (!connection) return;
		const given =
			args[0] === 'supervisor' ? args : (this.reading.accountInit(args, this.clientId) ?? []);
		const [kind, target, idSession] = given;
		const address = plainAddress(connection.peer.remoteAddress, this.reading.strictAddresses);
		const token =
			(!connection.token || connection.recovered) &&
			given.length === 3 &&
			(kind === 'supervisor' || kind === 'api')
				? this.tokens.find(idSession, kind, target, address)
				: undefined;
		if (!token) {
			this.refusedInits++;
			this.changed();
			const { refusal } = this.reading;
			if (refusal) connection.peer.emit(refusal.name, refusal.args);
			else connection.peer.disconnect();
			return;
		}
		if (this.options.singleSession) {
			for (const [otherId, other] of this.connections) {
				if (otherId !== id && other.token && sameAccount(other.token, token))
					other.peer.disconnect();
			}
		}
		connection.token = token;
		connection.recovered = false;
		connection.silent = false;
		this.inits++;
		this.changed();
	}

	/** Sends one Socket.IO message; returns the number of recipients. */
	send(name: string, args: unknown[], audience: Audience = 'all'): number {
		let reached = 0;
		for (const connection of this.connections.values()) {
			if (!connection.token || connection.silent || !isMeant(connection, audience)) continue;
			if (name === 'update') {
				this.update(args, connection.memory, (...written) => this.deliver(connection, written));
			} else connection.peer.emit(name, args);
			connection.sent++;
			reached++;
		}
		return reached;
	}

	/** Sends one `update` to one connection; at once, or when the previous ones are acknowledged. */
	private deliver(connection: Connection, args: unknown[]) {
		if (!this.reading.acknowledged) return connection.peer.emit('update', args);
		const { unacknowledged, peer } = connection;
		const next = () => {
			const [oldest] = unacknowledged;
			if (!oldest) return;
			peer.emit('update', oldest, () => {
				unacknowledged.shift();
				next();
			});
		};
		if (unacknowledged.push(args) === 1) next();
	}

	/** Ends or silences the connections of a token that has expired. */
	tokenEnded(token: Token) {
		for (const connection of [...this.connections.values()]) {
			if (connection.token !== token) continue;
			if (this.options.onExpiry === 'disconnect') connection.peer.disconnect();
			if (this.options.onExpiry === 'silence') connection.silent = true;
		}
		this.changed();
	}

	/** Keeps connections open but sends nothing more on them, as if the provider had forgotten the subscription. */
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
		return this.unbroken.some(({ token }) => token?.kind === kind);
	}

	views(): SocketView[] {
		return this.unbroken.map((connection) => ({
			id: connection.peer.id,
			transport: connection.peer.transport(),
			initialised: connection.token !== undefined,
			kind: connection.token?.kind ?? null,
			target: connection.token ? String(connection.token.target) : null,
			receiving: connection.token !== undefined && !connection.silent,
			connectedAt: connection.connectedAt,
			sent: connection.sent,
			remoteAddress: plainAddress(connection.peer.remoteAddress),
		}));
	}

	/** Totals since the provider was started. */
	counts() {
		return { connected: this.connected, inits: this.inits, refusedInits: this.refusedInits };
	}

	private get unbroken(): Connection[] {
		return [...this.connections.values()].filter(({ broken }) => !broken);
	}

	private each(audience: Audience, act: (connection: Connection) => void) {
		const meant = this.unbroken.filter(
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
