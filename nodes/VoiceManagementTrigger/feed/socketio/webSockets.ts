// The runtime's WebSocket for one connection: cookies go along with the upgrade, nothing that was opened stays open, and
// no exception of a client's handler reaches the runtime, which would take it for an uncaught one of n8n.
import type { Cookies } from './cookies';
import { LONGEST_POLL } from './http';
import { atPath } from './pollingHttp';
import { lengthOf, Turns, type Message } from './turns';

/** Node.js 22 and newer has a WebSocket. */
export const canOpenWebSockets = (): boolean => typeof WebSocket !== 'undefined';

/** What the clients read of a message's event. */
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

	/** Messages in their order, and the end of the connection behind them. */
	private readonly turns = new Turns((data) => {
		this.attempt(() => {
			// The runtime has put it together already: it goes no further.
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
