/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Faults of the network that the feed's cases would not miss: each would pass with another one.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy';

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

it.each([
	['both', false, false],
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
		await once(other.far, 'data');
	};
	await passes();
	expect(heard).toEqual({ up, down });
	let told = false;
	far.on('close', () => (told = true));
	client.destroy();
	await passes();
	if (!up) expect(told).toBe(false);
});

it.each(['reset', 'end'] as const)('cuts (%s)', async (how) => {
	const { client } = await pair();
	const ended = new Promise<boolean>((resolve) => client.resume().on('close', resolve));
	expect(proxy.cut(how)).toBe(1);
	// Whether it ended with an error.
	expect(await ended).toBe(how === 'reset');
});
