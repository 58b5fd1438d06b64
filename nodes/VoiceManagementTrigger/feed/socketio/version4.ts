// Socket.IO 3 and 4 (Engine.IO 4).
import { Engine4Polling, Engine4WebSocket, openSocketIo4 } from './clients';
import { errorText } from './errorText';
import type { RawSocket, SocketHandlers, SocketOptions } from './types';
import { PollingHttp } from './pollingHttp';

/** Long polling whose requests belong to one connection and end with it. */
function pollingOver(http: PollingHttp) {
	return class extends Engine4Polling {
		override doPoll() {
			http.request(this.uri()).then(
				(answer) => {
					if (answer.ok) this.onData(answer.text);
					else this.onError('the poll was answered with HTTP status', answer.status, null);
				},
				(error: Error) => this.onError('the poll failed', error, null),
			);
		}

		override doWrite(data: string, written: () => void) {
			http.request(this.uri(), data).then(
				(answer) => {
					if (answer.ok) written();
					else this.onError('the write was answered with HTTP status', answer.status, null);
				},
				(error: Error) => this.onError('the write failed', error, null),
			);
		}
	};
}

/** Opens a Socket.IO 4 connection; see {@link SocketHandlers} for what is called when. */
export function openVersion4(
	options: Required<SocketOptions>,
	handlers: SocketHandlers,
): RawSocket {
	const http = new PollingHttp();
	const transports = { polling: pollingOver(http), websocket: Engine4WebSocket };
	const socket = openSocketIo4(options.url, {
		path: options.path,
		transports: options.transports.map((name) => transports[name]),
		timeout: options.connectTimeoutMs,
		reconnection: false,
		forceNew: true,
	});
	socket.on('connect', () => handlers.connect());
	socket.on('disconnect', (reason) => handlers.disconnect(reason));
	socket.on('connect_error', (error) => handlers.connectError(errorText(error)));
	socket.io.on('ping', () => handlers.heartbeat?.());
	socket.onAny((name: string, ...args: unknown[]) => handlers.event(name, args));
	return {
		emit: (name, ...args) => void socket.emit(name, ...args),
		end: () => void socket.disconnect(),
		drop() {
			// A goodbye that the network never took keeps the engine "closing": ending its transport ends it.
			socket.io.engine?.transport?.close();
			http.abort();
		},
	};
}
