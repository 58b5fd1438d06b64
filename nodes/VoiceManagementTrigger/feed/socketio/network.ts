// The network access that the clients of both versions get.
import type { PollingHttp } from './pollingHttp';
import type { LeftOut } from './types';
import type { WebSockets } from './webSockets';

/** The network of one connection. */
export interface ConnectionNetwork {
	http: PollingHttp;
	webSockets: WebSockets;
	/** Called with an exception of the client, after which the connection is unusable. */
	broken: (error: unknown) => void;
	leftOut: (leftOut: LeftOut) => void;
}
