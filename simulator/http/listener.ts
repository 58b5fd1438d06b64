/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The listening port, separate from the HTTP server: it passes connections on. So a provider can stop listening and
// come back on the same port while everything else goes on.

import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import { ProviderError } from '../options';

export class Listener {
	private tcp: TcpServer | undefined;
	private readonly sockets = new Set<Socket>();
	private accepted = 0;
	private closed = false;

	/** `port` 0 becomes the port that the first `listen` gets. */
	constructor(
		private readonly http: HttpServer,
		private readonly host: string,
		public port: number,
		private readonly changed: () => void,
	) {}

	/** Starts to listen. Throws ProviderError if the address is in use or does not belong to this machine. */
	async listen() {
		if (this.tcp || this.closed) return;
		const tcp = createServer({ noDelay: true }, (socket) => this.accept(socket));
		await new Promise<void>((resolve, reject) => {
			tcp.once('error', (error: NodeJS.ErrnoException) => reject(this.explain(error)));
			tcp.listen(this.port, this.host, resolve);
		});
		this.port = (tcp.address() as AddressInfo).port;
		if (this.closed) tcp.close();
		else this.tcp = tcp;
	}

	/** Accepts no new connections; open ones stay. */
	async stop() {
		const tcp = this.tcp;
		this.tcp = undefined;
		if (!tcp) return;
		// The callback comes only when the last connection is closed; the port itself is free at once.
		tcp.close();
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** Stops for good, even while a `listen` is under way. */
	async close() {
		this.closed = true;
		await this.stop();
		this.cut();
	}

	get listening() {
		return this.tcp !== undefined;
	}

	/** TCP connections: open now, and accepted since the start. */
	counts() {
		return { open: this.sockets.size, accepted: this.accepted };
	}

	/** Ends every TCP connection. Returns how many. */
	cut() {
		const all = [...this.sockets];
		for (const socket of all) socket.destroy();
		return all.length;
	}

	private accept(socket: Socket) {
		this.accepted++;
		this.sockets.add(socket);
		this.changed();
		socket.on('close', () => {
			this.sockets.delete(socket);
			this.changed();
		});
		socket.on('error', () => undefined);
		this.http.emit('connection', socket);
	}

	private explain(error: NodeJS.ErrnoException) {
		const where = `${this.host}:${this.port}`;
		const reasons: Record<string, string> = {
			EADDRINUSE: `Port ${this.port} on ${this.host} is in use: stop what runs there or choose another port.`,
			EACCES: `Port ${this.port} may not be used by this user: choose one above 1023.`,
			EADDRNOTAVAIL: `${this.host} is not an address of this machine: choose another host.`,
			ENOTFOUND: `The host name ${this.host} is not known: choose another host.`,
		};
		return new ProviderError(
			reasons[error.code ?? ''] ?? `The provider cannot listen on ${where}: ${error.message}.`,
		);
	}
}
