// Opens the runtime's WebSockets for one connection. Sends cookies with the upgrade, closes all that were opened, and
// catches exceptions of a client's handlers, which the runtime would report as uncaught exceptions of n8n.
import type { Cookies } from './cookies';
import { LONGEST_POLL } from './http';
import { atPath } from './pollingHttp';
import { lengthOf, Turns, type Message } from './turns';

/** Node.js 22 and newer has a WebSocket. */
export const canOpenWebSockets = (): boolean => typeof WebSocket !== 'undefined';

/** The part of a message's event that the clients read. */
interface Brought {
	data: Message;
}

type Handler<E> = ((event: E) => void) | null;

/** The part of a WebSocket that the Socket.IO clients use. */
export class GuardedWebSocket {
	constructor(
		private readonly socket: WebSocket,
		private readonly broken: (error: unknown) => void,
	) {}

	private message: Handler<Brought> = null;

	/** Passes on messages in order, and the end of the connection after them. */
	private readonly turns = new Turns((data) => {
		this.attempt(() => {
			// The runtime has already assembled the message, but the client does not get it.
			if (lengthOf(data) > LONGEST_POLL)
				throw new Error('the operator sent a message larger than 4 MB');
			this.message?.({ data });
		});
	});

	get binaryType(): BinaryType {
		return this.socket.binaryType;
	}

	set binaryType(type: BinaryType) {
		this.socket.binaryType = type;
	}

	set onopen(handler: Handler<Event>) {
		this.socket.onopen = this.inTurn(handler);
	}

	set onmessage(handler: Handler<Brought>) {
		this.message = handler;
		this.socket.onmessage = (event: MessageEvent<Message>) => this.turns.take(event.data);
	}

	set onclose(handler: Handler<CloseEvent>) {
		this.socket.onclose = this.inTurn(handler);
	}

	set onerror(handler: Handler<Event>) {
		this.socket.onerror = this.inTurn(handler);
	}

	send(data: string | ArrayBuffer): void {
		this.socket.send(data);
	}

	close(): void {
		this.socket.close();
	}

	private inTurn<E>(handler: Handler<E>): Handler<E> {
		return handler && ((event) => this.turns.take(() => this.attempt(() => handler(event))));
	}

	private attempt(action: () => void): void {
		try {
			action();
		} catch (error) {
			this.broken(error);
		}
	}
}

export class WebSockets {
	private readonly open = new Set<WebSocket>();

	private ended = false;

	/** @param broken called with an exception of a client's handler, after which the connection is unusable */
	constructor(
		private readonly cookies: Cookies,
		private readonly path: string | undefined,
		private readonly broken: (error: unknown) => void,
	) {}

	/** @throws if the runtime has none, or after {@link end} */
	connect(url: string): GuardedWebSocket {
		if (this.ended) throw new Error('The connection was closed');
		const target = atPath(url, this.path);
		// Node.js accepts headers in place of the subprotocols, but its types have only the browser's signature.
		const options = { headers: this.cookies.headers(target.replace(/^ws/, 'http')) };
		const socket = new WebSocket(target, options as unknown as string[]);
		this.open.add(socket);
		socket.addEventListener('close', () => this.open.delete(socket), { once: true });
		return new GuardedWebSocket(socket, this.broken);
	}

	/** Closes all that are open, including those whose upgrade got no response. */
	end(): void {
		this.ended = true;
		for (const socket of this.open) socket.close();
		this.open.clear();
	}
}
