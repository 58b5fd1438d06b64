// The misbehaving proxy itself: each fault has its described effect, seen from both ends.

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { startOperator } from '../../../simulator';
import { reset } from '../../../simulator/http/reset';
import { startTcpProxy, type TcpProxy } from '../../../simulator/tcpProxy';
import { connectSupervisor, FeedClient } from './helpers';

describe('between two sockets', () => {
	let server: Server;
	let proxy: TcpProxy;
	let accepted: Socket[];
	const open: Socket[] = [];
	beforeEach(async () => {
		accepted = [];
		server = createServer((socket) => {
			socket.on('error', () => undefined);
			accepted.push(socket);
			server.emit('accepted');
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		proxy = await startTcpProxy((server.address() as AddressInfo).port);
	});
	afterEach(async () => {
		for (const socket of [...open.splice(0), ...accepted]) socket.destroy();
		await proxy.close();
		server.close();
	});

	/** A client and the server's end of its connection. */
	async function pair() {
		const arrived = once(server, 'accepted');
		const client = connect(proxy.port, '127.0.0.1');
		client.on('error', () => undefined);
		open.push(client);
		await arrived;
		return { client, server: accepted.at(-1)! };
	}
	/** Whether the connection ended with an error. */
	const closeOf = (socket: Socket) =>
		new Promise<boolean>((resolve) => socket.once('close', (failed) => resolve(failed)));
	const next = async (socket: Socket) => String(((await once(socket, 'data')) as [Buffer])[0]);

	it('resets a connection that says goodbye, and leaves no handle that keeps the process alive', async () => {
		const handles = () =>
			process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
		const { client, server: end } = await pair();
		const before = handles();
		const closed = [once(client, 'close'), once(end.resume(), 'close')];
		client.end();
		reset(client);
		await Promise.all(closed);
		await proxy.waitForOpen(0);
		await new Promise((resolve) => setImmediate(resolve));
		expect(handles()).toBeLessThanOrEqual(before - 2);
	});

	it('passes data both ways and counts it', async () => {
		const { client, server: far } = await pair();
		client.write('up');
		expect(await next(far)).toBe('up');
		far.write('down');
		expect(await next(client)).toBe('down');
		expect(proxy.counts()).toEqual({ open: 1, accepted: 1, refused: 0, upgradesDropped: 0 });
		client.end();
		await once(far, 'end');
		await proxy.waitForOpen(0);
	});

	it('delays', async () => {
		const { client, server: far } = await pair();
		proxy.delay(120);
		const before = performance.now();
		client.write('a');
		expect(await next(far)).toBe('a');
		far.write('b');
		await next(client);
		expect(performance.now() - before).toBeGreaterThan(230);
	});

	it('cuts with RST or FIN', async () => {
		const first = await pair();
		const failed = closeOf(first.client);
		expect(proxy.cut()).toBe(1);
		expect(await failed).toBe(true);
		const second = await pair();
		const ended = once(second.client, 'end');
		second.client.resume();
		proxy.cut('end');
		await ended;
	});

	it.each([
		['both', false, false],
		['up', false, true],
		['down', true, false],
	] as const)(
		'goes half-open (%s): the connection stays, nothing passes',
		async (direction, up, down) => {
			const { client, server: far } = await pair();
			const heard = { up: false, down: false };
			far.on('data', () => (heard.up = true));
			client.on('data', () => (heard.down = true));
			proxy.halfOpen(direction);
			client.write('x');
			far.write('x');
			// Data that does pass shows that the rest had enough time; if both directions are dead, a new connection
			// shows it.
			proxy.heal();
			const other = await pair();
			other.client.write('y');
			await next(other.server);
			expect(heard).toEqual({ up, down });
			expect([client.destroyed, far.destroyed]).toEqual([false, false]);
		},
	);

	it('does not tell the other end that one has gone', async () => {
		const { client, server: far } = await pair();
		let told = false;
		far.on('close', () => (told = true));
		far.resume();
		proxy.halfOpen('both');
		client.destroy();
		await proxy.waitForOpen(0);
		// By the time that another connection has passed data, the other end would have been told.
		proxy.heal();
		const other = await pair();
		other.client.write('y');
		await next(other.server);
		expect(told).toBe(false);
		proxy.cut();
		await closeOf(far);
	});

	it('rejects new connections, keeps open ones, and recovers', async () => {
		const { client, server: far } = await pair();
		proxy.refuse();
		const late = connect(proxy.port, '127.0.0.1');
		late.on('error', () => undefined);
		await closeOf(late);
		expect(proxy.counts()).toMatchObject({ refused: 1, open: 1 });
		client.write('still');
		expect(await next(far)).toBe('still');
		proxy.heal();
		await pair();
	});

	it('rejects connections if nothing listens behind it', async () => {
		server.close();
		await once(server, 'close');
		const client = connect(proxy.port, '127.0.0.1');
		client.on('error', () => undefined);
		await closeOf(client);
		await proxy.waitForOpen(0);
	});

	it('rejects a wait when its time is over', async () => {
		await expect(proxy.waitForOpen(3, 20)).rejects.toThrow('3 open connections');
	});
});

describe.each([4, 2] as const)('in front of an operator with Socket.IO %i', (generation) => {
	it('lets a half-open connection only be noticed by pings', async () => {
		const operator = await startOperator({
			socketio: generation,
			pingInterval: 100,
			pingTimeout: 2_000,
		});
		const proxy = await startTcpProxy(operator.port);
		const { client } = await connectSupervisor(operator, generation, proxy.url);
		proxy.halfOpen();
		await client.until(() => client.reasons.length > 0);
		expect(client.reasons).toEqual(['ping timeout']);
		await operator.control.waitForSockets(0);
		await proxy.close();
		await operator.close();
	});

	it('drops upgrades to websocket but passes polling', async () => {
		const operator = await startOperator({ socketio: generation });
		const proxy = await startTcpProxy(operator.port);
		proxy.dropUpgrades();
		const refused = new FeedClient(generation, proxy.url, ['websocket']);
		await refused.until(() => refused.reasons.length > 0);
		expect(refused.reasons).toEqual(['connect_error']);
		expect(proxy.counts().upgradesDropped).toBe(1);
		const polling = new FeedClient(generation, proxy.url, ['polling']);
		await polling.until(() => polling.connected);
		proxy.dropUpgrades(false);
		const taken = new FeedClient(generation, proxy.url, ['websocket']);
		await taken.until(() => taken.connected);
		await Promise.all([refused, polling, taken].map((client) => client.close()));
		await proxy.close();
		await operator.close();
	});
});
