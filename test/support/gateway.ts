/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// An HTTP gateway in front of a provider, as in real networks, for tests: it passes everything on except what its
// rules change: a rejection with its own text, a cookie that it expects back, an upgrade that it swallows.
import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface GatewayRules {
	/** Returns true if it has responded itself; the provider then does not get the request. */
	onRequest?(request: IncomingMessage, response: ServerResponse): boolean;
	/** `swallow`: accepted without ever responding; `refuse`: 403. */
	onUpgrade?(request: IncomingMessage): 'pass' | 'swallow' | 'refuse';
	/** Changes the headers of the provider's responses. */
	headers?(request: IncomingMessage): Record<string, string | string[]>;
}

export interface Gateway {
	url: string;
	/** Every request and upgrade, in order. */
	seen: IncomingMessage[];
	/** Connections open now. */
	open(): number;
	close(): Promise<void>;
}

export async function startGateway(port: number, rules: GatewayRules): Promise<Gateway> {
	const sockets = new Set<Duplex>();
	const seen: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		seen.push(request);
		if (rules.onRequest?.(request, response)) return;
		const { method, url, headers } = request;
		const onward = httpRequest(
			{ host: '127.0.0.1', port, method, path: url, headers, agent: false },
			(answer) => {
				response.writeHead(answer.statusCode ?? 502, {
					...answer.headers,
					...rules.headers?.(request),
				});
				answer.pipe(response);
			},
		);
		onward.on('error', () => response.destroy());
		response.on('close', () => onward.destroy());
		request.pipe(onward);
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
	});
	server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
		seen.push(request);
		const what = rules.onUpgrade?.(request) ?? 'pass';
		if (what === 'swallow') {
			// Read, so that its end is noticed.
			client.resume().on('end', () => client.destroy());
			return;
		}
		if (what === 'refuse') {
			client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
			return;
		}
		const onward = connect(port, '127.0.0.1', () => {
			const lines = [`${request.method} ${request.url} HTTP/1.1`];
			for (let at = 0; at < request.rawHeaders.length; at += 2) {
				lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
			}
			onward.write(`${lines.join('\r\n')}\r\n\r\n`);
			onward.write(head);
			client.pipe(onward).pipe(client);
		});
		onward.on('error', () => client.destroy());
		onward.on('close', () => client.destroy());
		client.on('close', () => onward.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		open: () => sockets.size,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
