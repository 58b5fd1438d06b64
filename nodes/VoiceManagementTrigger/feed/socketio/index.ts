// One small interface over both bundled Socket.IO clients, 4 and 2. A socket of this module is one connection: it never
// reconnects by itself, shares nothing with another one, and calls no handler after close().
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
 * Loads a client with the first connection that needs it: n8n loads every node when it starts, and the bundled clients
 * take longer to load than all the other files together.
 */
function openerOf(protocol: 2 | 4): Opener {
	return protocol === 4
		? (require('./version4') as typeof import('./version4')).openVersion4
		: (require('./version2') as typeof import('./version2')).openVersion2;
}

/** How long a client can take to close its connection properly, if the network does not respond. */
const GOODBYE_MS = 1_000;

/** Opens one connection; the handlers are called from the next turn of the event loop on. */
export function openSocket(options: SocketOptions, handlers: SocketHandlers): FeedSocket {
	let closed = false;
	let opened = false;
	/** Ends this connection because of an exception in a client or a handler. */
	const broken = (error: unknown) => {
		if (closed) return;
		const reason = `the client failed: ${errorText(error)}`;
		if (opened) handlers.disconnect(reason);
		else handlers.connectError(reason);
	};
	/** Wraps a handler: catches its exceptions, and does not call it after close(). */
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
				// The network first: a client that sends its closing packet only now would open another connection.
				network.http.abort();
				network.webSockets.end();
				attempt(() => socket.drop());
			});
		},
	};
}

/** Runs something whose exceptions are ignored, because nobody is left to whom they could be reported. */
function attempt(goodbye: () => void): void {
	try {
		goodbye();
	} catch {
		// close() ends the network in any case.
	}
}
