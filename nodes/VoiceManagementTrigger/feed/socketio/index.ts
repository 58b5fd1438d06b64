// One small interface over the bundled client, for servers of every version. A socket of this module is one connection:
// it never reconnects by itself, shares nothing with another one, and calls no handler after close().
import { systemClock } from '../clock';
import { Cookies } from './cookies';
import { PollingHttp, sendDirectly } from './pollingHttp';
import type { ConnectionNetwork } from './transports';
import type { FeedSocket, LeftOut, SocketHandlers, SocketOptions } from './types';
import { canOpenWebSockets, WebSockets } from './webSockets';

export { Cookies } from './cookies';
export type { FeedSocket, Resume, SendRequest, SocketHandlers, SocketOptions } from './types';

/**
 * Loads the client with the first connection: n8n loads every node when it starts, and the bundle takes longer to load
 * than all the other files together.
 */
const loadClient = () => require('./socket') as typeof import('./socket');

/** How long the client can take to close its connection properly, if the network does not respond. */
const GOODBYE_MS = 1_000;

/** Opens one connection; the handlers are called from the next turn of the event loop on. */
export function openSocket(options: SocketOptions, handlers: SocketHandlers): FeedSocket {
	const { openClient, errorText } = loadClient();
	let closed = false;
	let opened = false;
	/** Ends this connection because of an exception in the client or a handler. */
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
				ignoringErrors(() => broken(error));
			}
		};
	const cookies = options.cookies ?? new Cookies(options.url);
	const network: ConnectionNetwork = {
		http: new PollingHttp(options.send ?? sendDirectly, cookies, options.path),
		webSockets: new WebSockets(cookies, options.path),
		broken,
		leftOut: guarded((leftOut: LeftOut) => handlers.leftOut?.(leftOut)),
		heartbeat: guarded(() => handlers.heartbeat?.()),
	};
	const { transports = canOpenWebSockets() ? ['polling', 'websocket'] : ['polling'] } = options;
	const socket = openClient(
		{ ...options, transports },
		{
			connect: guarded((recovered) => {
				opened = true;
				handlers.connect(recovered);
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
		},
		network,
	);
	return {
		emit(name, ...args) {
			if (!closed) socket.emit(name, ...args);
		},
		resume: () => socket.resume(),
		close() {
			if (closed) return;
			closed = true;
			ignoringErrors(() => socket.end());
			systemClock.after(GOODBYE_MS, () => {
				// The network first: a client that sends its closing packet only now would open another connection.
				network.http.abort();
				network.webSockets.end();
				ignoringErrors(() => socket.drop());
			});
		},
	};
}

/** Runs something whose exceptions are ignored, because nobody is left to whom they could be reported. */
function ignoringErrors(goodbye: () => void): void {
	try {
		goodbye();
	} catch {
		// close() ends the network in any case.
	}
}
