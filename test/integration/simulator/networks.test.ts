// What may be between n8n and an operator in a company: a private certificate authority and a forward proxy.

import axios from 'axios';
import { readFileSync } from 'node:fs';
import { request, Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { startOperator, type Operator } from '../../../simulator';
import { startForwardProxy, type ForwardProxy } from '../../support/forwardProxy';
import { FeedClient, supervisorHeader, xJson } from './helpers';
import { nth } from '../../../simulator/present';

let operator: Operator;
let proxy: ForwardProxy | undefined;
afterEach(async () => {
	await proxy?.close();
	proxy = undefined;
	await operator.close();
});

it.each([4, 2, 1] as const)(
	'serves https with a private authority (Socket.IO %i)',
	async (socketio) => {
		operator = await startOperator({ tls: true, socketio });
		expect(operator.url).toMatch(/^https:/);
		const ca = readFileSync(operator.caFile!);
		await expect(axios.post(`${operator.url}/ws/`)).rejects.toThrow(/certificate/);
		const { data } = await axios.post<{ target: number; id_session: string }>(
			`${operator.url}/ws/`,
			undefined,
			{
				headers: { 'X-JSON': xJson(supervisorHeader(operator)), 'Content-Type': false },
				httpsAgent: new Agent({ ca }),
			},
		);
		for (const transport of ['websocket', 'polling']) {
			const client = new FeedClient(socketio, operator.url, [transport], undefined, { ca });
			await client.until(() => client.connected);
			client.emit('init', 'supervisor', data.target, data.id_session);
			await operator.control.waitForSockets(1);
			expect(nth(operator.control.sockets(), 0).remoteAddress).toBe('127.0.0.1');
			operator.control.send('queue', 'insert_call', { id_call: 7 });
			await client.until(() => client.updates.length > 0);
			await client.close();
			await operator.control.waitForSockets(0);
		}
	},
);

describe('the forward proxy', () => {
	const host = 'operator.example.com';

	/** Status and text of a request through the proxy, as a client with HTTP_PROXY sends it. */
	const get = (url: string) =>
		axios.get<string>(url, {
			proxy: { protocol: 'http', host: '127.0.0.1', port: proxy!.port },
			httpAgent: new HttpAgent(),
			validateStatus: () => true,
			responseType: 'text',
		});

	const tunnel = (authority: string, headers: Record<string, string> = {}) =>
		new Promise<{ status: number; socket: Socket }>((resolve, reject) => {
			request({ host: '127.0.0.1', port: proxy!.port, method: 'CONNECT', path: authority, headers })
				.on('connect', (response, socket) => resolve({ status: response.statusCode!, socket }))
				.on('error', reject)
				.end();
		});

	it("is the only one that can resolve the operator's name, and ends its tunnels when it restarts", async () => {
		operator = await startOperator();
		proxy = await startForwardProxy({ hosts: { [host]: operator.port } });
		const page = `http://${host}/socket.io/?EIO=4&transport=polling`;
		expect((await get(page)).data).toMatch(/^0\{/);
		expect((await get('http://other.example.com/')).status).toBe(502);
		expect(proxy.counts()).toMatchObject({ requests: 1, refused: 1, tunnels: 0 });
		const { socket } = await tunnel(`${host}:80`);
		const ended = new Promise((resolve) => socket.on('close', resolve));
		await proxy.stop();
		await ended;
		await expect(get(page)).rejects.toThrow(/ECONNREFUSED/);
		await proxy.start();
		expect((await get(page)).status).toBe(200);
	});

	it('tunnels https', async () => {
		operator = await startOperator({ tls: true });
		proxy = await startForwardProxy({ hosts: { [host]: operator.port } });
		const { status, socket } = await tunnel(`${host}:443`);
		expect(status).toBe(200);
		const secure = await new Promise<TLSSocket>((resolve, reject) => {
			const ca = readFileSync(operator.caFile!);
			const made = tlsConnect({ socket, servername: host, ca }, () => resolve(made));
			made.on('error', reject);
		});
		expect(secure.authorized).toBe(true);
		secure.destroy();
		expect((await tunnel('other.example.com:443')).status).toBe(502);
	});

	it('requires a login if that is set', async () => {
		operator = await startOperator();
		const login = { user: 'staff', password: 'secret' };
		proxy = await startForwardProxy({ hosts: { [host]: operator.port }, login });
		expect((await tunnel(`${host}:80`)).status).toBe(407);
		const basic = Buffer.from('staff:secret').toString('base64');
		const { status, socket } = await tunnel(`${host}:80`, {
			'Proxy-Authorization': `Basic ${basic}`,
		});
		expect(status).toBe(200);
		socket.destroy();
	});
});
