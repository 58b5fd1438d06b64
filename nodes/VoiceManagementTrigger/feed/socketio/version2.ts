// Socket.IO 1 and 2 (Engine.IO 3).
import { openSocketIo2 } from './clients';
import { errorText } from './errorText';
import type { RawSocket, SocketHandlers, SocketOptions } from './types';
import { PollingHttp } from './pollingHttp';

/** Opens a Socket.IO 2 connection; see {@link SocketHandlers} for what is called when. */
export function openVersion2(
	options: Required<SocketOptions>,
	handlers: SocketHandlers,
): RawSocket {
	const http = new PollingHttp();
	const socket = openSocketIo2(options.url, {
		path: options.path,
		transports: options.transports,
		timeout: options.connectTimeoutMs,
		reconnection: false,
		forceNew: true,
		jsonp: false,
		// Long polling finds its HTTP client here: xmlHttpRequest.ts.
		agent: http,
	});
	socket.on('connect', () => handlers.connect());
	socket.on('disconnect', (reason) => handlers.disconnect(String(reason)));
	for (const event of ['connect_error', 'connect_timeout', 'error']) {
		socket.on(event, (error) => handlers.connectError(errorText(error)));
	}
	socket.on('pong', () => handlers.heartbeat?.());
	socket.onevent = ({ data = [] }) => handlers.event(String(data[0]), data.slice(1));
	return {
		emit: (name, ...args) => void socket.emit(name, ...args),
		end: () => void socket.disconnect(),
		drop() {
			const engine = socket.io.engine;
			if (engine && engine.readyState !== 'closed') engine.onClose('forced close');
			http.abort();
		},
	};
}
