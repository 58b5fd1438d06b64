/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A server that workflows call and that responds when the test says so: it holds executions in the middle of their run,
// so that tests can check what runs at once without depending on timing.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Arrivals } from '../../support/arrivals';

export interface Gate {
	/** The workflow requests `<url>/<anything>`; the test finds the last part in `passed`. */
	url: string;
	/** The requests that are being held, oldest first. */
	held(): string[];
	/** The requests that were let through since the gate was last shut, in order. */
	passed: string[];
	/** The most requests held at once since the gate was last shut. */
	highest(): number;
	/** Waits until exactly this many are held. */
	waitForHeld(count: number): Promise<void>;
	/** Lets the oldest one through. */
	releaseOne(): void;
	/** Lets everything through from now on. */
	open(): void;
	/** Holds everything from now on, and resets its counts. */
	shut(): void;
	close(): Promise<void>;
}

/** Starts a shut gate. */
export async function startGate(): Promise<Gate> {
	const held = new Map<ServerResponse, string>();
	const passed: string[] = [];
	const arrivals = new Arrivals();
	let isOpen = false;
	let highest = 0;
	const release = (response: ServerResponse) => {
		passed.push(held.get(response)!);
		held.delete(response);
		response.setHeader('content-type', 'application/json').end('{"ok":true}');
	};
	const server = createServer((request, response) => {
		request.resume();
		held.set(response, (request.url ?? '').slice(1));
		highest = Math.max(highest, held.size);
		// The request of a caller that died is not held any more.
		response.once('close', () => {
			if (held.delete(response)) arrivals.changed();
		});
		if (isOpen) release(response);
		arrivals.changed();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		held: () => [...held.values()],
		passed,
		highest: () => highest,
		async waitForHeld(count) {
			await arrivals.until(
				() => held.size === count,
				() => `${count} at the gate, which holds ${held.size}`,
			);
		},
		releaseOne() {
			const [oldest] = held.keys();
			if (oldest) release(oldest);
		},
		open() {
			isOpen = true;
			for (const response of [...held.keys()]) release(response);
		},
		shut() {
			isOpen = false;
			highest = 0;
			passed.length = 0;
		},
		async close() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}
