/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The service that the measured clients connect to: a real Socket.IO server for the handshake, then events that were
// encoded beforehand, straight to the connection.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as TcpSocket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Server, type Socket } from 'socket.io';

import { END, eventNumber, HUNDRED_AGENTS, sessionInformation, type Traffic } from './events';

/** Frames that go to a connection in one write. */
const FRAMES_A_WRITE = 200;
/** Packets in one answer to a poll: what a busy service collects between two polls. */
const PACKETS_A_POLL = 500;
/** How often events are sent that have a rate (milliseconds): as a service writes what came together. */
const WRITE_EVERY_MS = 20;
/** Clients connect within this. */
const READY_MS = 20_000;

export class BenchServer {
	private traffic = HUNDRED_AGENTS;
	/** The events as text, and as WebSocket frames. */
	private packets: string[] = [];
	private frames: Buffer[] = [];
	/** Events that have been sent, and streams. */
	private at = 0;
	private streams = 0;
	private readonly listening = new Set<Socket>();

	private readonly http = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', this.url);
		const answer = (status: number, body: object) =>
			response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
		// Whatever the login and password: this is no test of those.
		if (pathname !== '/stream') return void answer(200, sessionInformation(this.traffic));
		const stream = JSON.parse(searchParams.get('of') ?? '') as Parameters<BenchServer['stream']>;
		this.stream(...stream).then(
			(sent) => answer(200, sent),
			(error: unknown) => answer(500, { error: String(error) }),
		);
	});

	private readonly io = new Server(this.http, {
		serveClient: false,
		perMessageDeflate: false,
		connectionStateRecovery: {},
	});

	async start(): Promise<this> {
		this.io.on('connection', (socket) => {
			socket.on('init', () => this.listening.add(socket));
			socket.on('disconnect', () => this.listening.delete(socket));
		});
		this.http.listen(0, '127.0.0.1');
		await once(this.http, 'listening');
		return this;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
	}

	/** Encodes the events of the next streams, unless it has them. */
	prepare(traffic: Traffic, count: number): void {
		this.at = 0;
		if (traffic === this.traffic && count === this.packets.length) return;
		this.traffic = traffic;
		this.packets = Array.from({ length: count }, (_, index) =>
			packetOf('update', eventNumber(index + 1, traffic), traffic.kept && (index + 1).toString(36)),
		);
		this.frames = this.packets.map(frameOf);
	}

	/**
	 * Waits for the connections and sends them so many of the prepared events, those that follow the stream before, then the
	 * end marks.
	 * @param rate events a second; 0: as fast as the connections take them
	 * @returns when the parts were sent: up to which event, and milliseconds since 1970
	 */
	async stream(count: number, transport: string, connections = 1, rate = 0) {
		const ready = () =>
			this.listening.size === connections &&
			[...this.listening].every(({ conn }) => conn.transport.name === transport);
		for (const deadline = Date.now() + READY_MS; !ready(); await pause(10)) {
			if (Date.now() > deadline) throw new Error(`No ${connections} connections over ${transport}`);
		}
		const started = Date.now();
		const from = this.at;
		const sent: Array<{ to: number; at: number }> = [];
		while (this.at < from + count) {
			let to = this.at + (transport === 'polling' ? PACKETS_A_POLL : FRAMES_A_WRITE);
			if (rate > 0) {
				await pause(WRITE_EVERY_MS);
				to = from + Math.floor(((Date.now() - started) / 1000) * rate);
				if (to <= this.at) continue;
			}
			to = Math.min(to, from + count);
			sent.push({ to, at: Date.now() });
			await this.sendToAll(this.packets.slice(this.at, to), this.frames.slice(this.at, to));
			this.at = to;
		}
		// A feed logs an unknown name once for each shape, in which all numbers are alike: each stream ends with a word of its
		// own on each connection.
		const stream = inLetters(++this.streams);
		await Promise.all(
			[...this.listening].map(async (socket, index) => {
				const marks = [packetOf(END), packetOf(`${END}-${stream}-${inLetters(index)}`)];
				await send(socket, marks, Buffer.concat(marks.map(frameOf)));
			}),
		);
		return sent;
	}

	/** Lets go of every listener: one that polled and was killed would be missed only after its ping timeout. */
	drop(): void {
		this.io.disconnectSockets(true);
	}

	stop(): void {
		void this.io.close();
	}

	/** A part goes to every connection before the next one does, as a service writes an event to all who listen. */
	private async sendToAll(packets: string[], frames: Buffer[]): Promise<void> {
		const bytes = Buffer.concat(frames);
		await Promise.all(
			[...this.listening].map(async (socket) => await send(socket, packets, bytes)),
		);
	}
}

const inLetters = (count: number) =>
	String(count).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

async function send({ conn }: Socket, packets: string[], frames: Buffer): Promise<void> {
	const { transport } = conn;
	// What no type tells: the socket below that of the `ws` package, and how a poll is answered.
	const wire = transport as unknown as {
		socket: { _socket: TcpSocket };
		write(payload: string, options: object): void;
	};
	if (transport.name === 'websocket') {
		const tcp = wire.socket._socket;
		if (!tcp.write(frames)) await once(tcp, 'drain');
		return;
	}
	// An answer of the engine's own (a ping) may have taken the poll: then the next one is ours.
	while (!transport.writable) await once(transport, 'ready');
	transport.writable = false;
	wire.write(packets.join('\u001e'), { compress: false });
}

/** A Socket.IO event inside an Engine.IO message, in the protocols of generation 4. */
function packetOf(name: string, payload: object | null = null, offset?: string): string {
	return `42${JSON.stringify(offset === undefined ? [name, payload] : [name, payload, offset])}`;
}

/** An unmasked WebSocket text frame (RFC 6455, 5.2) of less than 64 KB. */
function frameOf(text: string): Buffer {
	const payload = Buffer.from(text);
	const { length } = payload;
	const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
	return Buffer.concat([Buffer.from(head), payload]);
}
