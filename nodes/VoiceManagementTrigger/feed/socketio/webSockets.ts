// The runtime's WebSocket for one connection: cookies go along with the upgrade, nothing that was opened stays open, and
// no exception of a client's handler reaches the runtime, which would take it for an uncaught one of n8n.
import type { Cookies } from './cookies';
import { LONGEST_POLL } from './http';
import { atPath } from './pollingHttp';
import { Turns } from './turns';

/** Node.js 22 and newer has a WebSocket. */
export const canOpenWebSockets = (): boolean => typeof WebSocket !== 'undefined';

type Handler<E> = ((event: E) => void) | null;

/** The part of a WebSocket that the Socket.IO clients use. */
export class GuardedWebSocket {
	constructor(
		private readonly socket: WebSocket,
		private readonly broken: (error: unknown) => void,
	) {}

	/** Messages in their order, and the end of the connection behind them. */
	private readonly turns = new Turns();

	get binaryType(): BinaryType {
		return this.socket.binaryType;
	}

	set binaryType(type: BinaryType) {
		this.socket.binaryType = type;
	}

	set onopen(handler: Handler<Event>) {
		this.socket.onopen = this.guarded(handler);
	}

	set onmessage(handler: Handler<MessageEvent>) {
		this.socket.onmessage = this.guarded(
			handler &&
				((event) => {
					// The runtime has put it together already: it goes no further.
					if (sizeOf(event) > LONGEST_POLL)
						throw new Error('the operator sent a message larger than 4 MB');
					handler(event);
				}),
			sizeOf,
		);
	}

	set onclose(handler: Handler<CloseEvent>) {
		this.socket.onclose = this.guarded(handler);
	}

	set onerror(handler: Handler<Event>) {
		this.socket.onerror = this.guarded(handler);
	}

	send(data: string | ArrayBuffer): void {
		this.socket.send(data);
	}

	close(): void {
		this.socket.close();
	}

	private guarded<E>(handler: Handler<E>, size: (event: E) => number = () => 0): Handler<E> {
		if (!handler) return null;
		return (event) =>
			this.turns.take(size(event), () => {
				try {
					handler(event);
				} catch (error) {
					this.broken(error);
				}
			});
	}
}

function sizeOf({ data }: MessageEvent): number {
	return typeof data === 'string' ? data.length : Buffer.byteLength(data as ArrayBuffer);
}

export class WebSockets {
	private readonly open = new Set<WebSocket>();

	private ended = false;

	/** @param broken told of an exception in a client's handler: the connection is of no further use */
	constructor(
		private readonly cookies: Cookies,
		private readonly path: string | undefined,
		private readonly broken: (error: unknown) => void,
	) {}

	/** @throws if the runtime has none, or after {@link end} */
	connect(url: string): GuardedWebSocket {
		if (this.ended) throw new Error('The connection was closed');
		const target = atPath(url, this.path);
		// Node.js takes headers in the place of the subprotocols; its types know the browser's form alone.
		const options = { headers: this.cookies.headers(target.replace(/^ws/, 'http')) };
		const socket = new WebSocket(target, options as unknown as string[]);
		this.open.add(socket);
		socket.addEventListener('close', () => this.open.delete(socket), { once: true });
		return new GuardedWebSocket(socket, this.broken);
	}

	/** Closes whatever is still there, an upgrade that was never answered included. */
	end(): void {
		this.ended = true;
		for (const socket of this.open) socket.close();
		this.open.clear();
	}
}
