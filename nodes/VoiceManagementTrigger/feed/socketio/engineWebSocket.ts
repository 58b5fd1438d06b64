// What engine.io-client 3 finds when it looks for `WebSocket`: the build injects it under that name. The client hands on
// one value of ours to it, in the place of the subprotocols: the connection's network, which opens the real one.
import type { ConnectionNetwork } from './network';
import type { GuardedWebSocket } from './webSockets';

function EngineWebSocket(url: string, network: ConnectionNetwork): GuardedWebSocket {
	return network.webSockets.connect(url);
}

export { EngineWebSocket as WebSocket };
