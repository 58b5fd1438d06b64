// Socket.IO over engine.io-client: joins the first namespace, and reads what the server sends in it. Servers of versions
// 1 and 2 join it unasked.
import { Decoder, Engine, PacketType } from './clients';
import { transportsOver, type ConnectionNetwork } from './transports';
import type { RawSocket, SocketHandlers, SocketOptions } from './types';

/** Limit for the events that wait: more than any server keeps of two minutes. */
const MOST_EARLY = 100_000;

/** Opens a connection; see {@link SocketHandlers} for what is called when. */
export function openClient(
	options: SocketOptions & Required<Pick<SocketOptions, 'transports'>>,
	handlers: SocketHandlers,
	network: ConnectionNetwork,
): RawSocket {
	const { protocol, resume } = options;
	let joined = false;
	/** Known if the server keeps a history. */
	let pid: string | undefined;
	let offset: string | undefined;
	/** A server that continues a connection sends what came meanwhile before it lets the client join. */
	const early: unknown[][] = [];
	const onEvent = (event: unknown[], asksForReply = false) => {
		if (!joined) {
			if (early.push(event) > MOST_EARLY) throw new Error('too many events before it joined');
			return;
		}
		const [name, ...args] = event;
		// The server adds the position in its history, unless it waits for an acknowledgement.
		if (pid !== undefined && !asksForReply && args.length > 1 && typeof args.at(-1) === 'string') {
			offset = args.pop() as string;
		}
		handlers.event(String(name), args);
	};
	const join = (given: unknown) => {
		joined = true;
		({ pid } = (given ?? {}) as { pid?: string });
		const recovered = pid !== undefined && pid === resume?.pid;
		if (recovered) offset = resume?.offset;
		handlers.connect(recovered);
		for (const event of early.splice(0)) onEvent(event);
	};

	const transports = transportsOver(network, protocol === 4 ? 4 : 3, onEvent);
	const engine = new Engine(options.url, {
		path: options.path,
		transports: options.transports.map((name) => transports[name]),
	});
	let over = false;
	const end = (report: () => void) => {
		if (over) return;
		over = true;
		report();
		engine.close();
	};
	const failed = (error: unknown) => end(() => handlers.connectError(errorText(error)));
	const ended = (reason: string) => end(() => handlers.disconnect(reason));
	const decoder = new Decoder();
	engine.on('open', () => {
		if (protocol === 4) engine.write(`0${resume ? JSON.stringify(resume) : ''}`);
	});
	engine.on('data', (data) => {
		try {
			decoder.add(data);
		} catch {
			ended('parse error');
		}
	});
	engine.on('error', (error) => {
		if (joined) ended(`transport error: ${errorText(error)}`);
		else failed(error);
	});
	engine.on('close', (reason) => ended(reason));
	decoder.on('decoded', ({ type, nsp, id, ...packet }) => {
		if (nsp !== '/' || over) return;
		const data: unknown = packet.data;
		if (type === PacketType.EVENT) {
			if (id !== undefined) engine.write(`3${id}[]`);
			onEvent(data as unknown[], id !== undefined);
		} else if (type === PacketType.CONNECT && !joined) {
			if (protocol === 4 && data === undefined) failed(OTHER_VERSION);
			else join(data);
		} else if (type === PacketType.DISCONNECT) {
			ended('io server disconnect');
		} else if (type === PacketType.CONNECT_ERROR) {
			failed(data);
		}
	});
	return {
		emit: (...event) => void engine.write(`2${JSON.stringify(event)}`),
		resume: () => (pid === undefined || offset === undefined ? undefined : { pid, offset }),
		end() {
			over = true;
			if (joined) engine.write('1');
			engine.close();
		},
		// If the network never took the closing packet, the engine stays in "closing" until its transport is closed.
		drop: () => void engine.transport.close(),
	};
}

/** A Socket.IO 4 server tells its number with this packet. */
const OTHER_VERSION = 'the server speaks Socket.IO 2';

/** How far a chain of causes is followed. */
const DEEPEST_CAUSE = 4;

/**
 * Converts a connection error to one line: its message, then its causes (an HTTP status, a network error). The URL is
 * never included, because its query contains the connection's identifier.
 * @param error an Error with `description`, an HTTP status, text, or what the server gives as its reason
 */
export function errorText(error: unknown): string {
	const parts: string[] = [];
	let current = error;
	for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
		const part = partOf(current);
		if (part && !parts.includes(part)) parts.push(part);
		current = causeOf(current);
	}
	return parts.join(': ') || 'unknown error';
}

function partOf(value: unknown): string {
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	if (typeof value !== 'object' || value === null) return '';
	const { message, code } = value as { message?: unknown; code?: unknown };
	if (typeof message === 'string' && message !== '') return message;
	return typeof code === 'string' ? code : '';
}

function causeOf(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	const { description, cause } = value as { description?: unknown; cause?: unknown };
	return description ?? cause;
}
