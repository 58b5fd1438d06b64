// The real Socket.IO servers of both generations on one HTTP server, each behind the hub's small Peer interface.

import type { Server as HttpServer } from 'node:http';
import type { Socket as TcpSocket } from 'node:net';
import { Server as Server4 } from 'socket.io';
import createServer2 from 'socket.io-2';
import type { OperatorOptions } from '../options';
import type { FeedHub, Peer } from './hub';

export interface SocketServer {
	close(): void;
}

/** Starts the generation that the options ask for. */
export function startSocketServer(
	http: HttpServer,
	hub: FeedHub,
	options: OperatorOptions,
): SocketServer {
	return options.socketio === 4 ? start4(http, hub, options) : start2(http, hub, options);
}

/** The longest payload that the service sends or takes, in bytes. */
const maxHttpBufferSize = 16 * 1024 * 1024;

function start4(http: HttpServer, hub: FeedHub, options: OperatorOptions): SocketServer {
	const server = new Server4(http, {
		path: options.socketPath,
		pingInterval: options.pingInterval,
		pingTimeout: options.pingTimeout,
		maxHttpBufferSize,
		serveClient: false,
		// The page of another host may listen too; the token decides.
		cors: { origin: '*' },
	});
	server.on('connection', (socket) => adopt(hub, socket));
	return { close: () => closeEngine(server.engine) };
}

function start2(http: HttpServer, hub: FeedHub, options: OperatorOptions): SocketServer {
	const server = createServer2(http, {
		path: options.socketPath.replace(/\/$/, ''),
		pingInterval: options.pingInterval,
		pingTimeout: options.pingTimeout,
		maxHttpBufferSize,
		serveClient: false,
		cookie: false,
	});
	server.on('connection', (socket) => adopt(hub, socket));
	return { close: () => closeEngine(server.engine) };
}

interface Emitter {
	on(name: string, handler: (...args: unknown[]) => void): unknown;
}

/** What the sockets of both generations have in common. */
interface AnySocket extends Emitter {
	id: string;
	handshake: { address: string };
	conn: Emitter & { transport: { name: string } };
	emit(name: string, ...args: unknown[]): unknown;
	disconnect(closeTransport: boolean): unknown;
}

function adopt(hub: FeedHub, socket: AnySocket) {
	const peer: Peer = {
		id: socket.id,
		remoteAddress: socket.handshake.address,
		transport: () => socket.conn.transport.name,
		emit: (name, args) => void socket.emit(name, ...args),
		disconnect: () => void socket.disconnect(true),
		destroy: () => destroyTransport(socket.conn.transport),
	};
	hub.open(peer);
	socket.conn.on('upgrade', () => hub.upgraded());
	socket.on('init', (...args) => hub.init(peer.id, args));
	socket.on('disconnect', () => hub.close(peer.id));
}

/** The TCP connection below a transport, which neither generation shows in its types. */
function destroyTransport(transport: unknown) {
	const { socket, req } = transport as {
		socket?: { _socket?: TcpSocket };
		req?: { socket?: TcpSocket } | null;
	};
	(socket?._socket ?? req?.socket)?.destroy();
}

/** What both engines have in common, as far as closing needs it. */
interface EngineClient {
	transport: { discard(): void; shouldClose?: (() => void) | null };
	onClose(reason: string): void;
}

/**
 * Ends every session of an engine at once. Its own close would wait up to 30 s for polling clients to come back for the
 * goodbye, and leave the timers of sessions that never said anything.
 */
function closeEngine(engine: unknown) {
	const { clients } = engine as { clients: Record<string, EngineClient> };
	for (const client of Object.values(clients)) {
		client.transport.discard();
		client.transport.shouldClose?.();
		client.onClose('forced close');
	}
}
