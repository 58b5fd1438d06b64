// The network of a company that lets n8n reach one registry and nothing else: an HTTP proxy that leads tunnels to one
// host into a server of this test, and rejects every other.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
	/** The value for HTTPS_PROXY and HTTP_PROXY. */
	url: string;
	/** Hosts for which tunnels were requested and rejected. */
	refused: string[];
	close(): Promise<void>;
}

/** Starts a proxy that leads `host:443` to a port of this machine. */
export async function startProxy(host: string, localPort: number): Promise<Proxy> {
	const refused: string[] = [];
	const open = new Set<Socket>();
	const track = (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
		// Either end may break off; the other is ended then.
		socket.on('error', () => undefined);
	};
	const server = createServer((request, response) => {
		refused.push(String(request.headers.host));
		response.writeHead(403).end();
	});
	server.on('connection', track);
	server.on('connect', (request, client: Socket, head) => {
		if (request.url !== `${host}:443`) {
			refused.push(String(request.url).replace(/:443$/, ''));
			client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		const upstream = connect(localPort, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			upstream.write(head);
			upstream.pipe(client).pipe(upstream);
		});
		track(upstream);
		upstream.once('close', () => client.destroy());
		client.once('close', () => upstream.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		refused,
		async close() {
			const closed = once(server, 'close');
			server.close();
			for (const socket of open) socket.destroy();
			await closed;
		},
	};
}
