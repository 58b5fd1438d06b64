/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The bundled client with real servers of both versions: the basis of the rest of the feed.
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Server as Server4 } from 'socket.io';
import { closeEngine, endAtOnce } from '../../../simulator/feed/socketServer';
import { startTcpProxy } from '../../support/tcpProxy';
import {
	openSocket,
	type SocketHandlers,
	type SocketOptions,
} from '../../../nodes/VoiceManagementTrigger/feed/socketio';
import { nth } from '../../support/present';

// Socket.IO 2 ships no types; its server is only used through the calls below.
const createServer2 = createRequire(__filename)('socket.io-2') as (
	http: Server,
	options: object,
) => ServerLike;

interface ServerLike {
	engine: unknown;
	on(event: 'connection', handler: (socket: SocketLike) => void): unknown;
	close(): unknown;
}

interface SocketLike {
	conn: Parameters<typeof endAtOnce>[0]['conn'];
	on(event: string, handler: (...args: unknown[]) => void): unknown;
	emit(event: string, ...args: unknown[]): unknown;
	disconnect(close?: boolean): unknown;
}

/** The Engine.IO side of a server's socket. */
interface EngineLike {
	transport: { name: string };
	once(event: 'upgrade', handler: () => void): unknown;
}

type Transports = Array<'polling' | 'websocket'>;
const runtimes: Transports[] =
	typeof WebSocket === 'undefined'
		? [['polling']]
		: [['polling'], ['websocket'], ['polling', 'websocket']];

// Many pings in a short time, without a stall of this machine ending a connection.
const pings = { pingInterval: 200, pingTimeout: 600_000 };

/** Keeps the process busy, like a workflow that follows calls does for each event. */
function workFor(ms: number): void {
	const until = performance.now() + ms;
	while (performance.now() < until);
}

describe.each([4, 2] as const)('a bundled Socket.IO %i client', (protocol) => {
	let http: Server;
	let server: ServerLike;
	let url: string;

	beforeEach(async () => {
		http = createServer();
		server = protocol === 4 ? new Server4(http, pings) : createServer2(http, pings);
		server.on('connection', endAtOnce);
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
	});

	afterEach(async () => {
		closeEngine(server.engine);
		server.close();
		http.closeAllConnections();
		await new Promise((resolve) => http.close(resolve));
	});

	/** Opens a socket and returns promises for what happens to it. */
	function open(
		options: Partial<Pick<SocketOptions, 'transports' | 'url' | 'send'>> = {},
		handle: () => void = () => undefined,
	) {
		const heard: Array<{ name: string; args: unknown[] }> = [];
		const leftOut: string[] = [];
		const waiters: Array<() => void> = [];
		const settle: Partial<Record<keyof SocketHandlers, (value: string) => void>> = {};
		const happened = (what: 'connect' | 'disconnect' | 'connectError') =>
			new Promise<string>((resolve) => (settle[what] = resolve));
		const result = {
			connected: happened('connect'),
			disconnected: happened('disconnect'),
			failed: happened('connectError'),
			heard,
			leftOut,
			async hears(count: number) {
				while (heard.length < count) await new Promise<void>((resolve) => waiters.push(resolve));
				return heard;
			},
		};
		const socket = openSocket(
			{ url, path: '/socket.io/', protocol, ...options },
			{
				connect: () => settle.connect?.(''),
				disconnect: (reason) => settle.disconnect?.(reason),
				connectError: (message) => settle.connectError?.(message),
				leftOut: ({ what }) => void leftOut.push(what),
				event(name, args) {
					heard.push({ name, args });
					handle();
					waiters.splice(0).forEach((wake) => wake());
				},
			},
		);
		return { socket, ...result };
	}

	it.each(runtimes)('connects, sends and receives every event over %s', async (...transports) => {
		server.on('connection', (socket) => {
			socket.on('init', (...args) => {
				socket.emit('update', { cpt: 1, text: 'é€𝄞' });
				socket.emit('something else', args, 2);
			});
		});
		const client = open({ transports: transports.flat() });
		await client.connected;
		client.socket.emit('init', 'supervisor', '7', 'token');
		expect(await client.hears(2)).toEqual([
			{ name: 'update', args: [{ cpt: 1, text: 'é€𝄞' }] },
			{ name: 'something else', args: [['supervisor', '7', 'token'], 2] },
		]);
		client.socket.close();
	});

	it('acknowledges an event whose server waits for that', async () => {
		let acknowledged = () => {};
		const done = new Promise<void>((resolve) => (acknowledged = resolve));
		server.on(
			'connection',
			(socket) => void socket.emit('update', { cpt: 1 }, () => acknowledged()),
		);
		const client = open();
		await done;
		expect(await client.hears(1)).toEqual([{ name: 'update', args: [{ cpt: 1 }] }]);
		client.socket.close();
	});

	it.each(runtimes)(
		'leaves out an event beyond the bounds and hears the next one over %s',
		async (...transports) => {
			server.on('connection', (socket) => {
				const { conn } = socket as unknown as { conn: EngineLike };
				const send = () => {
					socket.emit(
						'update',
						Array.from({ length: 10_001 }, () => 1),
					);
					socket.emit('update', 'next');
				};
				// After the upgrade if there is one.
				if (conn.transport.name === transports.at(-1)) send();
				else conn.once('upgrade', send);
			});
			const client = open({ transports });
			expect(await client.hears(1)).toEqual([{ name: 'update', args: ['next'] }]);
			expect(client.leftOut).toEqual(['a message with more than 10000 values']);
			client.socket.close();
		},
	);

	it.each(runtimes)(
		'gives n8n a turn while it passes on a burst over %s',
		async (...transports) => {
			const count = 400;
			server.on('connection', (socket) => {
				for (let index = 0; index < count; index++) socket.emit('update', index);
				socket.disconnect();
			});
			let turns = 0;
			const turn = () => {
				turns++;
				if (client.heard.length < count) setImmediate(turn);
			};
			// Twenty workflows that follow calls take about as long.
			const client = open({ transports }, () => {
				if (client.heard.length === 1) setImmediate(turn);
				workFor(0.5);
			});
			expect(await client.disconnected).toBe('io server disconnect');
			// All of them, in order, followed by the end of the connection.
			expect(client.heard.map(({ args }) => args[0])).toEqual(
				Array.from({ length: count }, (_, index) => index),
			);
			// 200 ms of work, in stretches of 8 to 40 ms.
			expect(turns).toBeGreaterThan(4);
			client.socket.close();
		},
	);

	it('passes on the content of a poll before it ends because of a failed request', async () => {
		const count = 400;
		const packets = [
			['0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}'],
			[protocol === 4 ? '40{"sid":"b"}' : '40'],
			Array.from({ length: count }, (_none, index) => `42["update",${index}]`),
		];
		const client = open(
			{
				async send({ method, body, signal }) {
					if (method === 'POST' && body?.includes('init')) throw new Error('the network is gone');
					const payload = method === 'POST' ? ['ok'] : packets.shift();
					if (!payload) return await rejectedBy(signal as AbortSignal);
					return { statusCode: 200, headers: {}, body: Buffer.from(encoded(payload)) };
				},
			},
			() => {
				if (client.heard.length === 1) client.socket.emit('init');
				workFor(0.1);
			},
		);
		expect(await client.disconnected).toMatch(/transport error/);
		expect(client.heard).toHaveLength(count);
		client.socket.close();

		function encoded(payload: string[]): string {
			if (protocol === 4) return payload.join('\x1e');
			return payload.map((packet) => `${packet.length}:${packet}`).join('');
		}
		async function rejectedBy(signal: AbortSignal): Promise<never> {
			return await new Promise((_resolve, reject) =>
				signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
			);
		}
	});

	it('survives many pings', async () => {
		let pinged = () => {};
		const third = new Promise<void>((resolve) => (pinged = resolve));
		server.on('connection', (socket) => {
			const { conn } = socket as unknown as {
				conn: { on(event: string, handler: (packet: { type: string }) => void): void };
			};
			let count = 0;
			conn.on('packet', (packet) => {
				if ((packet.type === 'ping' || packet.type === 'pong') && ++count === 3) {
					socket.emit('update', 'still here');
					pinged();
				}
			});
		});
		const client = open();
		await client.connected;
		if (protocol === 2) client.socket.emit('hello');
		await third;
		expect(nth(await client.hears(1), 0).args).toEqual(['still here']);
		client.socket.close();
	});

	it('reports a clean disconnect by the server and stays disconnected', async () => {
		let connections = 0;
		server.on('connection', (socket) => {
			connections += 1;
			socket.disconnect();
		});
		const client = open();
		await expect(client.disconnected).resolves.toBe('io server disconnect');
		expect(connections).toBe(1);
		client.socket.close();
	});

	it('reports a server that does not exist', async () => {
		const port = (http.address() as AddressInfo).port;
		await new Promise((resolve) => http.close(resolve));
		const client = open({ url: `http://127.0.0.1:${port}` });
		const message = await client.failed;
		expect(message).toMatch(/ECONNREFUSED/);
		expect(message).not.toContain('sid');
		client.socket.close();
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	});

	it('tells the server when it is closed, and receives nothing more', async () => {
		let gone = () => {};
		const left = new Promise<void>((resolve) => (gone = resolve));
		let emit: (() => void) | undefined;
		server.on('connection', (socket) => {
			emit = () => socket.emit('update', 1);
			socket.on('disconnect', () => gone());
		});
		const client = open();
		await client.connected;
		client.socket.close();
		emit?.();
		await left;
		expect(client.heard).toEqual([]);
	});

	// With an open WebSocket, the runtime waits for the other side's close frame; that one ends with the operating
	// system's time limit.
	it('keeps no polling connection open once it is closed, even if the network accepts nothing any more', async () => {
		const transports: Transports = ['polling'];
		// The runtime keeps an idle connection for the next request for as long as the server permits.
		http.keepAliveTimeout = 2_000;
		const proxy = await startTcpProxy((http.address() as AddressInfo).port);
		try {
			const client = open({ transports, url: proxy.url });
			await client.connected;
			expect(proxy.counts().open).toBeGreaterThan(0);
			proxy.halfOpen();
			client.socket.close();
			await proxy.waitForOpen(0);
		} finally {
			await proxy.close();
		}
	});
});
