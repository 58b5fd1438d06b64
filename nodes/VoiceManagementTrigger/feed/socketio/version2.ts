// Opens connections to servers of Socket.IO 1 and 2 (Engine.IO 3).
import { openSocketIo2, type Engine3Transport } from './clients';
import { errorText } from './errorText';
import { admit } from './handshake';
import type { ConnectionNetwork } from './network';
import type { RawSocket, SocketHandlers, SocketOptions } from './types';

/** Opens a Socket.IO 2 connection; see {@link SocketHandlers} for what is called when. */
export function openVersion2(
	options: SocketOptions & Required<Pick<SocketOptions, 'transports'>>,
	handlers: SocketHandlers,
	network: ConnectionNetwork,
): RawSocket {
	const socket = openSocketIo2(options.url, {
		path: options.path,
		transports: options.transports,
		timeout: options.connectTimeoutMs,
		reconnection: false,
		forceNew: true,
		jsonp: false,
		// Long polling passes this on to its HTTP client (xmlHttpRequest.ts) …
		agent: network,
		// … and this, in place of the subprotocols, to its WebSocket (engineWebSocket.ts).
		transportOptions: { websocket: { protocols: network } },
	});
	const { engine } = socket.io;
	if (engine?.transport) {
		const { transport } = engine;
		const guarded = (one: Engine3Transport) =>
			guard(one, () => engine.readyState === 'open', network);
		guarded(transport);
		engine.on('upgrading', guarded);
		network.http.pieces.isLast = () => transport.readyState === 'pausing';
	}
	socket.on('connect', () => handlers.connect());
	socket.on('disconnect', (reason) => handlers.disconnect(String(reason)));
	for (const event of ['connect_error', 'connect_timeout', 'error']) {
		socket.on(event, (error) => {
			const { failure } = network.http;
			const cause = failure === undefined ? '' : `: ${errorText(failure)}`;
			handlers.connectError(`${errorText(error)}${cause}`);
		});
	}
	socket.on('pong', () => handlers.heartbeat?.());
	socket.onevent = ({ id, data = [] }) => {
		if (id !== undefined && id !== null) socket.ack(id)();
		handlers.event(String(data[0]), data.slice(1));
	};
	return {
		emit: (name, ...args) => void socket.emit(name, ...args),
		end: () => void socket.disconnect(),
		drop() {
			if (engine && engine.readyState !== 'closed') engine.onClose('forced close');
		},
	};
}

/** Checks the packets of a transport before the client reads them. */
function guard(
	transport: Engine3Transport,
	isOpen: () => boolean,
	{ leftOut }: ConnectionNetwork,
): void {
	const pass = transport.onPacket.bind(transport);
	transport.onPacket = (packet) => {
		const admission = admit(packet, isOpen());
		if (admission.kind === 'packet') pass(admission.packet);
		else if (admission.kind === 'leftOut') leftOut(admission.leftOut);
		else if (admission.kind === 'broken') transport.onError(admission.reason);
	};
}
