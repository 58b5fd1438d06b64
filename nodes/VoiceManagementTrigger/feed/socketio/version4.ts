// Opens connections to servers of Socket.IO 3 and 4 (Engine.IO 4).
import { Engine4Polling, Engine4WebSocket, openSocketIo4 } from './clients';
import { errorText } from './errorText';
import { admit } from './handshake';
import { framing, readPackets } from './payload4';
import type { PollingAnswer } from './pollingHttp';
import type { ConnectionNetwork } from './network';
import type { RawSocket, SocketHandlers, SocketOptions } from './types';

/** The client's two transports over one connection's network; an exception in either ends the connection. */
function transportsOver({ http, webSockets, broken, leftOut }: ConnectionNetwork) {
	const polling = class extends Engine4Polling {
		override doOpen() {
			http.pieces.isLast = () => this.readyState === 'pausing';
			super.doOpen();
		}

		override doPoll() {
			const next = http.pieces.next();
			if (next) {
				next.then((piece) => this.onData(piece)).catch(broken);
				return;
			}
			this.exchange(undefined, 'poll', async (answer) => {
				this.onData(await http.pieces.first(readPackets(answer), framing));
			});
		}

		override doWrite(data: string, written: () => void) {
			this.exchange(data, 'write', written);
		}

		override onPacket(packet: Parameters<Engine4Polling['onPacket']>[0]) {
			const admission = admit(packet, Boolean(this.query.sid));
			if (admission.kind === 'packet') super.onPacket(admission.packet as typeof packet);
			else if (admission.kind === 'leftOut') leftOut(admission.leftOut);
			else if (admission.kind === 'broken') this.onError(admission.reason, null, null);
		}

		private exchange(
			data: string | undefined,
			what: string,
			done: (answer: PollingAnswer) => void | Promise<void>,
		) {
			http
				.request(this.uri(), data)
				.then(
					async (answer) => {
						if (answer.ok) await done(answer);
						else this.onError(`the ${what} was answered with HTTP status`, answer.status, null);
					},
					(error: Error) => this.onError(`the ${what} failed`, error, null),
				)
				.catch(broken);
		}
	};
	const websocket = class extends Engine4WebSocket {
		override createSocket(uri: string) {
			return webSockets.connect(uri);
		}

		override onPacket(packet: Parameters<Engine4WebSocket['onPacket']>[0]) {
			const admission = admit(packet, Boolean(this.query.sid));
			if (admission.kind === 'packet') super.onPacket(admission.packet as typeof packet);
			else if (admission.kind === 'leftOut') leftOut(admission.leftOut);
			else if (admission.kind === 'broken') this.onError(admission.reason, null, null);
		}
	};
	return { polling, websocket };
}

/** Opens a Socket.IO 4 connection; see {@link SocketHandlers} for what is called when. */
export function openVersion4(
	options: SocketOptions & Required<Pick<SocketOptions, 'transports'>>,
	handlers: SocketHandlers,
	network: ConnectionNetwork,
): RawSocket {
	const transports = transportsOver(network);
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
	socket.onAny((name: unknown, ...args: unknown[]) => {
		const acknowledge = args.at(-1);
		if (typeof acknowledge === 'function') {
			args.pop();
			(acknowledge as () => void)();
		}
		handlers.event(String(name), args);
	});
	return {
		emit: (name, ...args) => void socket.emit(name, ...args),
		end: () => void socket.disconnect(),
		// If the network never took the closing packet, the engine stays in "closing" until its transport is closed.
		drop: () => void socket.io.engine?.transport?.close(),
	};
}
