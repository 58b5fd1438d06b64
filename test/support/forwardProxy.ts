/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A company's forward proxy for tests: HTTP CONNECT, and requests with an absolute URI. Only the proxy can resolve the
// given host names, so a client that bypasses it finds nothing.

import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ForwardProxy {
	/** The value for `HTTP_PROXY` and `HTTPS_PROXY`. */
	url: string;
	port: number;
	/** Tunnels and plain requests accepted since the start; connections open now. */
	counts(): { tunnels: number; requests: number; open: number };
	/** The hosts of requests and tunnels that were rejected. */
	refused: readonly string[];
	/** Stops listening and ends every connection, as in a restart of the proxy. */
	stop(): Promise<void>;
	/** Listens on the same port again. */
	start(): Promise<void>;
	/** Ends every open connection abruptly. Returns how many. */
	cut(): number;
	close(): Promise<void>;
}

export interface ForwardProxyOptions {
	/** Host name to port on this machine, whatever port the client names. Other hosts get a 502. */
	hosts: Record<string, number>;
}

/** Starts a proxy on a free port of this machine. */
export async function startForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
	const sockets = new Set<Duplex>();
	const counts = { tunnels: 0, requests: 0 };
	const refused: string[] = [];

	const portOf = (host: string) =>
		Object.hasOwn(options.hosts, host) ? options.hosts[host] : undefined;

	const keep = <T extends Duplex>(socket: T): T => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		return socket;
	};

	const pass = (request: IncomingMessage, response: ServerResponse) => {
		const target = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
		const onwardPort = portOf(target?.hostname ?? '');
		if (onwardPort === undefined || !target) {
			refused.push(target?.hostname ?? '');
			response.writeHead(502, { 'content-type': 'text/plain' });
			response.end('refused by the proxy');
			return;
		}
		counts.requests++;
		const { 'proxy-connection': _connection, ...headers } = request.headers;
		const onward = httpRequest(
			{
				host: '127.0.0.1',
				port: onwardPort,
				method: request.method,
				path: target.pathname + target.search,
				headers: { ...headers, host: target.host },
				agent: false,
			},
			(answer) => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(response);
			},
		);
		onward.on('error', () => response.destroy());
		response.on('close', () => onward.destroy());
		request.pipe(onward);
	};

	const server = createServer(pass);
	server.on('connection', keep);
	server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
		const host = (request.url ?? '').replace(/:\d+$/, '');
		const onwardPort = portOf(host);
		if (onwardPort === undefined) {
			refused.push(host);
			client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
			return;
		}
		counts.tunnels++;
		const target = keep(connect(onwardPort, '127.0.0.1'));
		target.once('connect', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.write(head);
			client.pipe(target).pipe(client);
		});
		target.on('close', () => client.destroy());
		client.on('close', () => target.destroy());
	});

	let port = 0;
	const start = async () => {
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, '127.0.0.1', resolve);
		});
		({ port } = server.address() as AddressInfo);
	};
	const cut = () => {
		const all = [...sockets];
		for (const socket of all) socket.destroy();
		return all.length;
	};
	const stop = async () => {
		if (!server.listening) return;
		const closed = new Promise((resolve) => server.close(resolve));
		cut();
		await closed;
	};
	await start();
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		counts: () => ({ ...counts, open: sockets.size }),
		refused,
		start,
		stop,
		cut,
		close: stop,
	};
}
