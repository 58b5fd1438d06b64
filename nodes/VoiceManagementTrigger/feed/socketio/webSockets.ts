// Opens the runtime's WebSockets for one connection, with its cookies, and closes all that were opened. Also finds out
// whether a server that refuses long polling accepts a WebSocket, and which version it speaks.
import { browserHeaders, type Cookies } from './cookies';
import { readHandshake } from './packets';
import { atPath } from './pollingHttp';

/** Node.js 22 and newer has a WebSocket. */
export const canOpenWebSockets = (): boolean => typeof WebSocket !== 'undefined';

export class WebSockets {
	private readonly open = new Set<WebSocket>();

	private ended = false;

	constructor(
		private readonly cookies: Cookies,
		private readonly path?: string,
	) {}

	/** @throws if the runtime has none, or after {@link end} */
	connect(url: string): WebSocket {
		if (this.ended) throw new Error('The connection was closed');
		const target = atPath(url, this.path);
		// Node.js accepts headers in place of the subprotocols, but its types have only the browser's signature.
		const options = { headers: browserHeaders(target.replace(/^ws/, 'http'), this.cookies) };
		const socket = new WebSocket(target, options as unknown as string[]);
		socket.binaryType = 'arraybuffer';
		this.open.add(socket);
		socket.addEventListener('close', () => this.open.delete(socket), { once: true });
		return socket;
	}

	/** Closes all that are open, including those whose upgrade got no response. */
	end(): void {
		this.ended = true;
		for (const socket of this.open) socket.close();
		this.open.clear();
	}
}

/**
 * @param url `wss:` or `ws:`, with the Socket.IO path
 * @param version to request
 * @returns the version that the server speaks, which can be an older one; undefined if it accepts no WebSocket there
 */
export type WebSocketHandshake = (
	url: string,
	version: 2 | 4,
	cookies: Cookies,
	signal?: AbortSignal,
) => Promise<2 | 4 | undefined>;

/** A version 2 server joins the first namespace unasked, right after its handshake: how long to wait for that. */
const JOINS_WITHIN_MS = 1_000;

const handshake: WebSocketHandshake = async (url, version, cookies, signal) => {
	const sockets = new WebSockets(cookies);
	try {
		return await new Promise((resolve) => {
			const none = () => resolve(undefined);
			signal?.addEventListener('abort', none, { once: true });
			const socket = sockets.connect(`${url}?transport=websocket&EIO=${version === 4 ? 4 : 3}`);
			socket.onclose = none;
			socket.onerror = none;
			socket.onmessage = ({ data }: MessageEvent<unknown>) => {
				if (typeof data !== 'string') return;
				if (data.startsWith('40')) return resolve(2);
				if (!data.startsWith('0')) return;
				const found = readHandshake(data.slice(1));
				if (!found) return none();
				if (version === 2) return resolve(2);
				// Only Engine.IO 4 sends it. Without it, this may be an old server that ignored the requested version.
				if (found.maxPayload !== undefined) return resolve(4);
				AbortSignal.timeout(JOINS_WITHIN_MS).addEventListener('abort', () => resolve(4), {
					once: true,
				});
			};
		});
	} finally {
		sockets.end();
	}
};

/** Undefined if the runtime has no WebSocket. */
export const webSocketHandshake: WebSocketHandshake | undefined = canOpenWebSockets()
	? handshake
	: undefined;
