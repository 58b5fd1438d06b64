// One small interface over both generations of Socket.IO clients. A socket of this module is one connection: it never
// reconnects by itself, shares nothing with another, and after close() its handlers hear nothing more.
import { systemClock } from '../clock';
import { Cookies } from './cookies';
import { errorText } from './errorText';
import { sendDirectly } from './http';
import type { ConnectionNetwork } from './network';
import { PollingHttp } from './pollingHttp';
import type { LeftOut, FeedSocket, RawSocket, SocketHandlers, SocketOptions } from './types';
import { canOpenWebSockets, WebSockets } from './webSockets';

export { Cookies } from './cookies';
export type { FeedSocket, SendRequest, SocketHandlers, SocketOptions } from './types';

type Opener = (
	options: SocketOptions & Required<Pick<SocketOptions, 'transports'>>,
	handlers: SocketHandlers,
	network: ConnectionNetwork,
) => RawSocket;

/**
 * Loaded with the first connection: n8n loads every node when it starts, and the bundled clients take longer than all
 * the other files together.
 */
function openerOf(protocol: 2 | 4): Opener {
	return protocol === 4
		? (require('./version4') as typeof import('./version4')).openVersion4
		: (require('./version2') as typeof import('./version2')).openVersion2;
}

/** How long a goodbye may wait for a network that does not answer. */
const GOODBYE_MS = 1_000;

/** Opens one connection; the handlers are called from the next turn of the event loop on. */
export function openSocket(options: SocketOptions, handlers: SocketHandlers): FeedSocket {
	let closed = false;
	let opened = false;
	/** What a client or a handler throws ends this connection, and goes no further. */
	const broken = (error: unknown) => {
		if (closed) return;
		const reason = `the client failed: ${errorText(error)}`;
		if (opened) handlers.disconnect(reason);
		else handlers.connectError(reason);
	};
	/** A border that no exception crosses, and nothing after the end. */
	const guarded =
		<A extends unknown[]>(handler: (...args: A) => void) =>
		(...args: A) => {
			if (closed) return;
			try {
				handler(...args);
			} catch (error) {
				attempt(() => broken(error));
			}
		};
	const cookies = options.cookies ?? new Cookies(options.url);
	const network: ConnectionNetwork = {
		http: new PollingHttp(options.send ?? sendDirectly, cookies, options.path),
		webSockets: new WebSockets(cookies, options.path, broken),
		broken,
		leftOut: guarded((leftOut: LeftOut) => handlers.leftOut?.(leftOut)),
	};
	const { transports = canOpenWebSockets() ? ['polling', 'websocket'] : ['polling'], protocol } =
		options;
	const socket = openerOf(protocol)(
		{ ...options, transports },
		{
			connect: guarded(() => {
				opened = true;
				handlers.connect();
			}),
			disconnect: guarded((reason) => {
				if (network.http.refused) handlers.pollRefused?.();
				handlers.disconnect(reason);
			}),
			connectError: guarded((message) => {
				if (network.http.refused) handlers.pollRefused?.();
				handlers.connectError(message, transports.includes('polling') && !network.http.answered);
			}),
			event: guarded((name, args) => handlers.event(name, args)),
			heartbeat: guarded(() => handlers.heartbeat?.()),
		},
		network,
	);
	return {
		emit(name, ...args) {
			if (!closed) socket.emit(name, ...args);
		},
		close() {
			if (closed) return;
			closed = true;
			attempt(() => socket.end());
			systemClock.after(GOODBYE_MS, () => {
				// First the network: a goodbye that the client sends now would open another connection.
				network.http.abort();
				network.webSockets.end();
				attempt(() => socket.drop());
			});
		},
	};
}

/** Nobody is left who could be told of what goes wrong while a connection is let go. */
function attempt(goodbye: () => void): void {
	try {
		goodbye();
	} catch {
		// The network below it is ended all the same.
	}
}
