// The faults of the network that the feed's cases need: a case would pass if its fault did not happen.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTcpProxy, type TcpProxy } from '../../../simulator/tcpProxy';

let server: Server;
let proxy: TcpProxy;
const open: Socket[] = [];
beforeEach(async () => {
	server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	proxy = await startTcpProxy((server.address() as AddressInfo).port);
});
afterEach(async () => {
	for (const socket of open.splice(0)) socket.destroy();
	await proxy.close();
	server.close();
});

/** A client and the server's end of its connection. */
async function pair() {
	const client = connect(proxy.port, '127.0.0.1');
	const [far] = (await once(server, 'connection')) as [Socket];
	for (const socket of [client, far]) open.push(socket.on('error', () => undefined));
	return { client, far };
}
const next = async (socket: Socket) => String(((await once(socket, 'data')) as [Buffer])[0]);

it('delays what passes both ways', async () => {
	const { client, far } = await pair();
	proxy.delay(60);
	const before = performance.now();
	client.write('up');
	expect(await next(far)).toBe('up');
	far.write('down');
	expect(await next(client)).toBe('down');
	expect(performance.now() - before).toBeGreaterThan(110);
});

it.each([
	['both', false, false],
	['up', false, true],
	['down', true, false],
] as const)('goes half-open (%s): nothing passes, and nobody is told', async (how, up, down) => {
	const { client, far } = await pair();
	const heard = { up: false, down: false };
	far.on('data', () => (heard.up = true));
	client.on('data', () => (heard.down = true));
	proxy.halfOpen(how);
	client.write('x');
	far.write('x');
	// What passes on a new connection shows that the rest had enough time.
	const passes = async () => {
		proxy.heal();
		const other = await pair();
		other.client.write('y');
		await next(other.far);
	};
	await passes();
	expect(heard).toEqual({ up, down });
	let told = false;
	far.on('close', () => (told = true));
	client.destroy();
	await passes();
	if (!up) expect(told).toBe(false);
});

it.each(['reset', 'end'] as const)('cuts (%s), and rejects new connections', async (how) => {
	const { client } = await pair();
	/** Whether it ended with an error. */
	const endOf = (socket: Socket) =>
		new Promise<boolean>((resolve) => {
			socket.on('error', () => undefined).on('close', resolve);
		});
	const end = endOf(client.resume());
	expect(proxy.cut(how)).toBe(1);
	expect(await end).toBe(how === 'reset');
	proxy.refuse();
	await endOf(connect(proxy.port, '127.0.0.1'));
	expect(proxy.counts()).toMatchObject({ refused: 1, open: 0 });
});
