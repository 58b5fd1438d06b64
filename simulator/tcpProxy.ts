// A TCP proxy for tests: it stands in front of an operator and misbehaves as networks do. It delays, cuts, goes
// half-open (the connection stays but nothing passes), refuses connections, drops WebSocket upgrades, and recovers.

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { reset } from './http/reset';

/** `both`, or only what the client (`up`) or the server (`down`) sends. */
export type Direction = 'both' | 'up' | 'down';

export interface TcpProxy {
	url: string;
	port: number;
	/** Connections: open now (as clients see it), accepted and refused since the start, WebSocket upgrades dropped. */
	counts(): { open: number; accepted: number; refused: number; upgradesDropped: number };
	/** Delay of everything in each direction, in milliseconds; 0 = none. */
	delay(ms: number): void;
	/** Ends the open connections: with RST, or with FIN. Returns how many. */
	cut(how?: 'reset' | 'end'): number;
	/** Keeps present and new connections open, but passes nothing on; held-back data is lost. */
	halfOpen(direction?: Direction): void;
	/** Ends new connections at once (RST); open ones stay. */
	refuse(): void;
	/** Responds to WebSocket upgrade requests with 400, like a proxy that does not support them. */
	dropUpgrades(drop?: boolean): void;
	/** Lets everything pass again on new connections: half-open ones stay as they are until they are cut. */
	heal(): void;
	/** Resolves when that many connections are open; rejects after `timeoutMs`. */
	waitForOpen(count: number, timeoutMs?: number): Promise<void>;
	close(): Promise<void>;
}

interface Pair {
	client: Socket;
	server: Socket;
	/** Directions in which nothing is passed on any more. */
	dead: { up: boolean; down: boolean };
}

/** Starts a proxy on a free port of this machine in front of `targetPort`. */
export async function startTcpProxy(
	targetPort: number,
	targetHost = '127.0.0.1',
): Promise<TcpProxy> {
	const pairs = new Set<Pair>();
	const watchers = new Set<() => void>();
	const timers = new Set<NodeJS.Timeout>();
	const counts = { accepted: 0, refused: 0, upgradesDropped: 0 };
	let delayMs = 0;
	let refusing = false;
	let dropping = false;
	let dead = { up: false, down: false };
	const openNow = () => [...pairs].filter(({ client }) => !client.destroyed).length;
	const changed = () => [...watchers].forEach((look) => look());

	/** Runs something after the delay; the order is kept, since everything waits equally long. */
	const later = (act: () => void) => {
		if (delayMs === 0) return act();
		const timer = setTimeout(() => {
			timers.delete(timer);
			act();
		}, delayMs);
		timers.add(timer);
	};

	const passOn = (pair: Pair, from: Socket, to: Socket, direction: 'up' | 'down') => {
		let first = true;
		from.on('data', (chunk: Buffer) => {
			if (pair.dead[direction]) return;
			if (first && direction === 'up' && dropping && isUpgrade(chunk)) {
				counts.upgradesDropped++;
				from.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
				to.destroy();
				return;
			}
			first = false;
			later(() => {
				if (!to.writable || to.write(chunk)) return;
				from.pause();
				to.once('drain', () => from.resume());
			});
		});
		from.on('end', () => {
			if (!pair.dead[direction]) later(() => to.end());
			// In a half-open connection, the other side does not notice that this one has gone.
			else from.destroy();
		});
		from.on('close', () => {
			if (!pair.dead[direction]) later(() => to.destroySoon());
			if (pair.client.destroyed && pair.server.destroyed) pairs.delete(pair);
			changed();
		});
		from.on('error', () => undefined);
	};

	const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		client.on('error', () => undefined);
		if (refusing) {
			counts.refused++;
			reset(client);
			return changed();
		}
		counts.accepted++;
		const target = connect({
			port: targetPort,
			host: targetHost,
			allowHalfOpen: true,
			noDelay: true,
		});
		const pair: Pair = { client, server: target, dead: { ...dead } };
		pairs.add(pair);
		target.once('error', () => reset(client));
		passOn(pair, client, target, 'up');
		passOn(pair, target, client, 'down');
		changed();
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;

	const cut = (how: 'reset' | 'end' = 'reset') => {
		const all = [...pairs];
		for (const { client, server: target } of all) {
			for (const socket of [client, target]) {
				if (how === 'reset') reset(socket);
				else socket.destroySoon();
			}
		}
		return all.length;
	};

	return {
		url: `http://127.0.0.1:${port}`,
		port,
		counts: () => ({ open: openNow(), ...counts }),
		delay(ms) {
			delayMs = ms;
		},
		cut,
		halfOpen(direction = 'both') {
			const now = { up: direction !== 'down', down: direction !== 'up' };
			dead = now;
			for (const pair of pairs) {
				pair.dead = { up: pair.dead.up || now.up, down: pair.dead.down || now.down };
			}
		},
		refuse() {
			refusing = true;
		},
		dropUpgrades(drop = true) {
			dropping = drop;
		},
		heal() {
			delayMs = 0;
			refusing = false;
			dropping = false;
			dead = { up: false, down: false };
		},
		waitForOpen(count, timeoutMs = 120_000) {
			return new Promise((resolve, reject) => {
				const stop = () => {
					watchers.delete(look);
					clearTimeout(timer);
				};
				const look = () => {
					if (openNow() !== count) return;
					stop();
					resolve();
				};
				const timer = setTimeout(() => {
					stop();
					reject(
						new Error(`Timed out after ${timeoutMs} ms waiting for ${count} open connections.`),
					);
				}, timeoutMs);
				watchers.add(look);
				look();
			});
		},
		async close() {
			for (const timer of timers) clearTimeout(timer);
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			cut();
			await closed;
		},
	};
}

/** Whether an HTTP request asks for WebSocket. Clients send the head of a request in one piece. */
function isUpgrade(chunk: Buffer) {
	return /^GET [^\r\n]+\r\n(?:[^\r\n]+\r\n)*upgrade: *websocket\r\n/i.test(
		chunk.subarray(0, 16 * 1024).toString('latin1'),
	);
}
