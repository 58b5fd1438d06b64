// One small interface over both generations of Socket.IO clients. A socket of this module is one connection: it never
// reconnects by itself, shares nothing with another, and after close() its handlers hear nothing more.
import { systemClock } from '../clock';
import type { FeedSocket, RawSocket, SocketHandlers, SocketOptions } from './types';

export type { FeedSocket, SocketHandlers, SocketOptions } from './types';

/**
 * Loaded with the first connection: n8n loads every node when it starts, and the bundled clients take longer than all
 * the other files together (Node.js gets its own WebSocket ready when somebody looks at it).
 */
function openerOf(
	protocol: 2 | 4,
): (options: Required<SocketOptions>, handlers: SocketHandlers) => RawSocket {
	return protocol === 4
		? (require('./version4') as typeof import('./version4')).openVersion4
		: (require('./version2') as typeof import('./version2')).openVersion2;
}

/** How long a goodbye may wait for a network that does not answer. */
const GOODBYE_MS = 1_000;

/** Opens one connection; the handlers are called from the next turn of the event loop on. */
export function openSocket(options: SocketOptions, handlers: SocketHandlers): FeedSocket {
	let closed = false;
	const unlessClosed =
		<A extends unknown[]>(handler: (...args: A) => void) =>
		(...args: A) => {
			if (!closed) handler(...args);
		};
	const open = openerOf(options.protocol);
	const socket = open(
		{ transports: ['polling', 'websocket'], ...options },
		{
			connect: unlessClosed(() => handlers.connect()),
			disconnect: unlessClosed((reason) => handlers.disconnect(reason)),
			connectError: unlessClosed((message) => handlers.connectError(message)),
			event: unlessClosed((name, args) => handlers.event(name, args)),
			heartbeat: unlessClosed(() => handlers.heartbeat?.()),
		},
	);
	return {
		emit(name, ...args) {
			if (!closed) socket.emit(name, ...args);
		},
		close() {
			if (closed) return;
			closed = true;
			socket.end();
			systemClock.after(GOODBYE_MS, () => socket.drop());
		},
	};
}
