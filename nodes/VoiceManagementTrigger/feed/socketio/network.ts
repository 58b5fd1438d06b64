// What the client of either version gets of the network.
import type { PollingHttp } from './pollingHttp';
import type { LeftOut } from './types';
import type { WebSockets } from './webSockets';

/** The network of one connection. */
export interface ConnectionNetwork {
	http: PollingHttp;
	webSockets: WebSockets;
	/** An exception came out of the client: the connection is of no further use. */
	broken: (error: unknown) => void;
	leftOut: (leftOut: LeftOut) => void;
}
