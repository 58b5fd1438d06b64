/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A TCP proxy for tests: it stands in front of a provider and misbehaves as networks do. It delays, cuts, goes
// half-open (the connection stays but nothing passes), refuses connections, and recovers.

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Arrivals } from './arrivals';

export interface TcpProxy {
	url: string;
	port: number;
	/** Connections: open now (as clients see it), accepted and refused since the start. */
	counts(): { open: number; accepted: number; refused: number };
	/** Delay of everything in each direction, in milliseconds; 0 = none. */
	delay(ms: number): void;
	/** Ends the open connections: with RST, or with FIN. Returns how many. */
	cut(how?: 'reset' | 'end'): number;
	/** Keeps present and new connections open, but passes nothing on, or nothing of the server (`down`). */
	halfOpen(direction?: 'both' | 'down'): void;
	/** Ends new connections at once (RST); open ones stay. */
	refuse(): void;
	/** Lets everything pass again on new connections: half-open ones stay as they are until they are cut. */
	heal(): void;
	/** Resolves when that many connections are open; rejects if that takes too long. */
	waitForOpen(count: number): Promise<void>;
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
	const arrivals = new Arrivals();
	const timers = new Set<NodeJS.Timeout>();
	const counts = { accepted: 0, refused: 0 };
	let delayMs = 0;
	let refusing = false;
	let dead = { up: false, down: false };
	const openNow = () => [...pairs].filter(({ client }) => !client.destroyed).length;

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
		from.on('data', (chunk: Buffer) => {
			if (pair.dead[direction]) return;
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
			arrivals.changed();
		});
		from.on('error', () => undefined);
	};

	const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		client.on('error', () => undefined);
		if (refusing) {
			counts.refused++;
			reset(client);
			return arrivals.changed();
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
		arrivals.changed();
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
			const now = { up: direction === 'both', down: true };
			dead = now;
			for (const pair of pairs) {
				pair.dead = { up: pair.dead.up || now.up, down: true };
			}
		},
		refuse() {
			refusing = true;
		},
		heal() {
			delayMs = 0;
			refusing = false;
			dead = { up: false, down: false };
		},
		waitForOpen: async (count) =>
			await arrivals.until(
				() => openNow() === count,
				() => `${count} open connections`,
			),
		async close() {
			for (const timer of timers) clearTimeout(timer);
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			cut();
			await closed;
		},
	};
}

/**
 * Ends a TCP connection with RST, at once. A connection that is already closing is destroyed without RST: Node.js
 * fails to reset it, forgets it and keeps its handle open for ever, and with it the process.
 */
function reset(socket: Socket): void {
	if (socket.writableEnded) socket.destroy();
	else socket.resetAndDestroy();
}
