// The `WebSocket` of engine.io-client 3: the build injects it under that name. In place of the subprotocols, the client
// passes it the connection's network, which opens the real WebSocket.
import type { ConnectionNetwork } from './network';
import type { GuardedWebSocket } from './webSockets';

function EngineWebSocket(url: string, network: ConnectionNetwork): GuardedWebSocket {
	return network.webSockets.connect(url);
}

export { EngineWebSocket as WebSocket };
