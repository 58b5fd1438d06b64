/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Real Socket.IO servers of three versions on one HTTP server, each behind the hub's small Peer interface.

import type { Server as HttpServer } from 'node:http';
import type { Socket as TcpSocket } from 'node:net';
import type { ProviderOptions } from '../options';
import type { FeedHub, Peer } from './hub';

export interface SocketServer {
	close(): void;
}

/** The longest payload that the provider sends or accepts, in bytes. */
const maxHttpBufferSize = 16 * 1024 * 1024;

/** Starts the version in the options; only that one is loaded. */
export async function startSocketServer(
	http: HttpServer,
	hub: FeedHub,
	options: ProviderOptions,
): Promise<SocketServer> {
	const common = {
		pingInterval: options.pingInterval,
		pingTimeout: options.pingTimeout,
		maxHttpBufferSize,
		serveClient: false,
	};
	const legacy = { ...common, path: options.socketPath.replace(/\/$/, ''), cookie: false };
	const start = {
		4: async () => {
			const { Server } = await import('socket.io');
			const recovers = { connectionStateRecovery: { maxDisconnectionDuration: options.recovery } };
			return new Server(http, {
				...common,
				...(options.recovery > 0 ? recovers : {}),
				path: options.socketPath,
				// Pages of other hosts may listen too; the token decides.
				cors: { origin: '*' },
			});
		},
		2: async () => (await import('socket.io-2')).default(http, legacy) as AnyServer,
		1: async () => (await import('socket.io-1')).default(http, legacy) as AnyServer,
	}[options.socketio];
	const server: AnyServer = await start();
	server.on('connection', (socket) => adopt(hub, socket, options.recovery));
	return { close: () => closeEngine(server.engine) };
}

interface AnyServer {
	on(name: 'connection', handler: (socket: AnySocket) => void): unknown;
	engine: unknown;
}

interface Emitter {
	on(name: string, handler: (...args: unknown[]) => void): unknown;
}

/** What the sockets of all versions have in common. */
interface AnySocket extends Emitter {
	id: string;
	handshake: { address: string };
	conn: Emitter & { transport: { name: string; shouldClose?: (() => void) | null } };
	emit(name: string, ...args: unknown[]): unknown;
	disconnect(closeTransport: boolean): unknown;
	/** Only version 4: it continues one that broke. */
	recovered?: boolean;
	/** Only servers before 4. */
	error?(reason: unknown): unknown;
}

/** One side ended the connection on purpose: Socket.IO keeps nothing for it. */
const ON_PURPOSE = /namespace disconnect$/;

function adopt(hub: FeedHub, socket: AnySocket, recovery: number) {
	const peer: Peer = {
		id: socket.id,
		remoteAddress: socket.handshake.address,
		transport: () => socket.conn.transport.name,
		emit(name, args, acknowledged) {
			// Servers before version 4 reserve this name and have a packet of their own for it.
			if (name === 'error' && socket.error) socket.error(args[0]);
			else socket.emit(name, ...args, ...(acknowledged ? [acknowledged] : []));
		},
		disconnect: () => void socket.disconnect(true),
		destroy: () => destroyTransport(socket.conn.transport),
	};
	hub.open(peer, socket.recovered);
	socket.conn.on('upgrade', () => hub.upgraded());
	endAtOnce(socket);
	socket.on('init', (...args) => hub.init(peer.id, args));
	socket.on('disconnect', (reason) => {
		if (recovery > 0 && !ON_PURPOSE.test(String(reason))) hub.broke(peer.id, recovery);
		else hub.close(peer.id);
	});
}

/**
 * After a session has ended, the engine would still wait 30 s for a polling client to fetch the goodbye, even if the
 * client has upgraded to WebSocket meanwhile.
 */
export function endAtOnce({ conn }: Pick<AnySocket, 'conn'>): void {
	const first = conn.transport;
	conn.on('close', () => [first, conn.transport].forEach(({ shouldClose }) => shouldClose?.()));
}

/** Destroys the TCP connection of a transport, which no version has in its types. */
function destroyTransport(transport: unknown) {
	const { socket, req } = transport as {
		socket?: { _socket?: TcpSocket };
		req?: { socket?: TcpSocket } | null;
	};
	(socket?._socket ?? req?.socket)?.destroy();
}

/** What all engines have in common, as far as it is needed for closing. */
interface EngineClient {
	transport: { discard(): void; shouldClose?: (() => void) | null };
	onClose(reason: string): void;
}

/**
 * Ends every session of an engine at once. Its own close would wait up to 30 s for polling clients to fetch the
 * goodbye, and leave the timers of sessions that never sent anything.
 */
export function closeEngine(engine: unknown) {
	const { clients } = engine as { clients: Record<string, EngineClient> };
	for (const client of Object.values(clients)) {
		client.transport.discard();
		client.transport.shouldClose?.();
		client.onClose('forced close');
	}
}
