// The bundled clients against real servers of both generations: what the rest of the feed builds on.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as Server4 } from 'socket.io';
import { startTcpProxy } from '../../../simulator/tcpProxy';
import {
	openSocket,
	type SocketHandlers,
} from '../../../nodes/VoiceManagementTrigger/feed/socketio';

// Socket.IO 2 ships no types; its server is used through the few calls below.
const createServer2 = require('socket.io-2') as (http: Server, options: object) => ServerLike;

interface ServerLike {
	on(event: 'connection', handler: (socket: SocketLike) => void): unknown;
	close(): unknown;
}

interface SocketLike {
	on(event: string, handler: (...args: unknown[]) => void): unknown;
	emit(event: string, ...args: unknown[]): unknown;
	disconnect(close?: boolean): unknown;
}

type Transports = Array<'polling' | 'websocket'>;
const runtimes: Transports[] =
	typeof WebSocket === 'undefined'
		? [['polling']]
		: [['polling'], ['websocket'], ['polling', 'websocket']];

const pings = { pingInterval: 200, pingTimeout: 400 };

describe.each([4, 2] as const)('a bundled Socket.IO %i client', (protocol) => {
	let http: Server;
	let server: ServerLike;
	let url: string;

	beforeEach(async () => {
		http = createServer();
		server =
			protocol === 4
				? (new Server4(http, pings) as unknown as ServerLike)
				: createServer2(http, pings);
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
	});

	afterEach(async () => {
		server.close();
		http.closeAllConnections();
		await new Promise((resolve) => http.close(resolve));
	});

	/** Opens a socket and gives promises for what happens to it. */
	function open(options: { transports?: Transports; url?: string } = {}) {
		const heard: Array<{ name: string; args: unknown[] }> = [];
		const waiters: Array<() => void> = [];
		const settle: Partial<Record<keyof SocketHandlers, (value: string) => void>> = {};
		const happened = (what: 'connect' | 'disconnect' | 'connectError') =>
			new Promise<string>((resolve) => (settle[what] = resolve));
		const result = {
			connected: happened('connect'),
			disconnected: happened('disconnect'),
			failed: happened('connectError'),
			heard,
			async hears(count: number) {
				while (heard.length < count) await new Promise<void>((resolve) => waiters.push(resolve));
				return heard;
			},
		};
		const socket = openSocket(
			{ url, path: '/socket.io/', protocol, connectTimeoutMs: 5_000, ...options },
			{
				connect: () => settle.connect?.(''),
				disconnect: (reason) => settle.disconnect?.(reason),
				connectError: (message) => settle.connectError?.(message),
				event(name, args) {
					heard.push({ name, args });
					waiters.splice(0).forEach((wake) => wake());
				},
			},
		);
		return { socket, ...result };
	}

	it.each(runtimes)('connects, speaks and hears every event over %s', async (...transports) => {
		server.on('connection', (socket) => {
			socket.on('init', (...args) => {
				socket.emit('update', { cpt: 1, text: 'é€𝄞' });
				socket.emit('something else', args, 2);
			});
		});
		const client = open({ transports: transports.flat() as Transports });
		await client.connected;
		client.socket.emit('init', 'supervisor', '7', 'token');
		expect(await client.hears(2)).toEqual([
			{ name: 'update', args: [{ cpt: 1, text: 'é€𝄞' }] },
			{ name: 'something else', args: [['supervisor', '7', 'token'], 2] },
		]);
		client.socket.close();
	});

	it('outlives many pings', async () => {
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
		expect((await client.hears(1))[0].args).toEqual(['still here']);
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

	it('reports a server that is not there', async () => {
		const port = (http.address() as AddressInfo).port;
		await new Promise((resolve) => http.close(resolve));
		const client = open({ url: `http://127.0.0.1:${port}` });
		const message = await client.failed;
		expect(message).toMatch(protocol === 4 ? /ECONNREFUSED/ : /xhr poll error/);
		expect(message).not.toContain('sid');
		client.socket.close();
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	});

	it('tells the server when it is closed, and hears nothing more', async () => {
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

	it.each(runtimes.map((transports) => [transports]))(
		'keeps no connection open once it is closed, where the network takes nothing any more (%s)',
		async (transports) => {
			const proxy = await startTcpProxy((http.address() as AddressInfo).port);
			try {
				const client = open({ transports, url: proxy.url });
				await client.connected;
				expect(proxy.counts().open).toBeGreaterThan(0);
				proxy.halfOpen();
				client.socket.close();
				// The runtime keeps an idle connection for the next request for some seconds.
				await proxy.waitForOpen(0, 20_000);
			} finally {
				await proxy.close();
			}
		},
		30_000,
	);
});
