// The service that the measured clients connect to: real Socket.IO servers for the handshake, then frames that were
// encoded beforehand, straight to the connection.
import { nth } from '../../simulator/present';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket as TcpSocket } from 'node:net';
import { Server } from 'socket.io';

import { serveCommands } from './commands';
import { eventNumber, sessionInformation, type Traffic } from './events';
import { encode, endMarks, frameOf, type Encoded } from './frames';

/** What we use of a transport of Engine.IO. */
interface Transport {
	name: string;
	writable: boolean;
	/** Under the WebSocket of the `ws` package. */
	socket?: { _socket: TcpSocket };
	write(payload: string, options: object): void;
	once(event: 'ready', listener: () => void): void;
}

interface Connection {
	conn: { transport: Transport };
	emit(name: string, payload: object): unknown;
	disconnect(close: boolean): unknown;
}

/** Frames that go to a connection in one write. */
const FRAMES_A_WRITE = 200;
/** Packets in one answer to a poll: what a busy service collects between two polls. */
const PACKETS_A_POLL = 500;
/** How often encoded events are sent that have a rate (milliseconds): as a service writes what came together. */
const WRITE_EVERY_MS = 20;
/** How often events are sent that have a rate (milliseconds). */
const TICK_MS = 2;

const listening: Connection[] = [];
let login: object = sessionInformation({ kind: 'mixed' });
let encoded: Encoded = { frames: Buffer.alloc(0), frameAt: new Float64Array(1), packets: [] };

const http = createServer(answerLogin);

/** Whatever the login and password: this is no test of those. */
function answerLogin(request: IncomingMessage, response: ServerResponse): void {
	const known = request.method === 'POST' && request.url === '/ws/';
	response.writeHead(known ? 200 : 404, { 'Content-Type': 'application/json' });
	response.end(JSON.stringify(known ? login : {}));
}

function adopt(socket: Connection & { on(event: string, listener: () => void): unknown }): void {
	socket.on('init', () => listening.push(socket));
	socket.on('disconnect', () => {
		const index = listening.indexOf(socket);
		if (index >= 0) listening.splice(index, 1);
	});
}

/**
 * Sends packets or frames from `from` to `to` (0-based, end excluded), then the end mark. Each part goes to every
 * connection before the next one does, as a service writes an event to all who listen: none runs ahead of another.
 */
async function sendAll(from: number, to: number, rate?: number): Promise<void> {
	const most = listening.some(isPolling) ? PACKETS_A_POLL : FRAMES_A_WRITE;
	const started = Date.now();
	/** The end of what goes next, waiting until something is due. */
	const next = async (at: number): Promise<number> => {
		if (rate === undefined) return Math.min(to, at + most);
		for (;;) {
			const due = from + Math.floor(((Date.now() - started) / 1000) * rate);
			if (due > at) return Math.min(to, due);
			await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
		}
	};
	for (let at = from, end = at; at < to; at = end) {
		end = await next(at);
		await Promise.all(listening.map((connection) => sendPart(connection, at, end)));
	}
	for (const connection of listening) {
		if (isPolling(connection)) await answerPoll(connection, endMarks());
		else tcpOf(connection).write(Buffer.concat(endMarks().map(frameOf)));
	}
}

const isPolling = ({ conn }: Connection) => conn.transport.name === 'polling';
const tcpOf = ({ conn }: Connection) => conn.transport.socket!._socket;

async function sendPart(connection: Connection, from: number, to: number): Promise<void> {
	if (isPolling(connection)) {
		await answerPoll(connection, encoded.packets.slice(from, to));
		return;
	}
	const tcp = tcpOf(connection);
	const bytes = encoded.frames.subarray(encoded.frameAt[from], encoded.frameAt[to]);
	if (!tcp.write(bytes)) await once(tcp, 'drain');
}

async function answerPoll({ conn }: Connection, packets: string[]): Promise<void> {
	// An answer of the engine's own (a ping) may have taken the poll: then the next one is ours.
	while (!conn.transport.writable) {
		await new Promise<void>((resolve) => conn.transport.once('ready', resolve));
	}
	conn.transport.writable = false;
	conn.transport.write(packets.join('\u001e'), { compress: false });
}

serveCommands({
	/** Starts to serve; gives the port. */
	async listen(): Promise<number> {
		const settings = { path: '/socket.io', serveClient: false, perMessageDeflate: false };
		new Server(http, settings).on('connection', (socket) =>
			adopt(socket as unknown as Parameters<typeof adopt>[0]),
		);
		http.listen(0, '127.0.0.1');
		await once(http, 'listening');
		return (http.address() as AddressInfo).port;
	},

	/** Encodes the events of the next streams. Gives the average size of an event in bytes. */
	prepare({ count, traffic, polling }: { count: number; traffic: Traffic; polling: boolean }) {
		login = sessionInformation(traffic);
		encoded = encode(count, traffic, polling);
		return nth(encoded.frameAt, count) / count;
	},

	/** Waits for so many connections on this transport. */
	async ready({ transport, lines = 1 }: { transport: string; lines?: number }): Promise<void> {
		const deadline = Date.now() + 20_000;
		const isReady = () =>
			listening.length === lines &&
			listening.every(({ conn }) => conn.transport.name === transport);
		while (!isReady()) {
			if (Date.now() > deadline) {
				const names = listening.map(({ conn }) => conn.transport.name).join(', ');
				throw new Error(`Not ${lines} of ${transport}, but: ${names || 'none'}`);
			}
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
	},

	/** Lets go of every listener: one that polled and was killed would be missed only after its ping timeout. */
	drop(): void {
		for (const connection of listening.splice(0)) connection.disconnect(true);
	},

	/** Sends events as fast as the connection takes them, or so many a second. Gives the CPU time that they cost here (µs). */
	async stream({ from, to, rate }: { from: number; to: number; rate?: number }) {
		const before = process.cpuUsage();
		await sendAll(from, to, rate);
		const { user, system } = process.cpuUsage(before);
		return { cpuMicros: user + system };
	},

	/**
	 * Sends live events at a rate, as a service does: by its Socket.IO server. Each holds the moment of its sending,
	 * `msg.sent` (milliseconds since 1970).
	 */
	async pace({ rate, count, first }: { rate: number; count: number; first: number }) {
		const started = Date.now();
		for (let sent = 0; sent < count;) {
			const due = Math.min(count, Math.floor(((Date.now() - started) / 1000) * rate) + 1);
			for (; sent < due; sent++) {
				const event = eventNumber(first + sent, { kind: 'mixed' }) as {
					event: { msg: Record<string, unknown> };
				};
				event.event.msg.sent = Date.now();
				for (const connection of listening) connection.emit('update', event);
			}
			await new Promise((resolve) => setTimeout(resolve, TICK_MS));
		}
	},
});
