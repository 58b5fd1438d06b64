/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { promisify } from 'node:util';

import { freePorts, isPortFree } from '../../../dev/process/ports';

async function listen(port: number): Promise<Server> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

const portOf = (server: Server): number => (server.address() as { port: number }).port;

async function close(...servers: Server[]): Promise<void> {
	await Promise.all(
		servers.map(async (server) => await new Promise((resolve) => server.close(resolve))),
	);
}

test('chosen ports are free and different', async () => {
	const ports = await freePorts(20);
	expect(new Set(ports).size).toBe(20);
	expect(await Promise.all(ports.map(isPortFree))).not.toContain(false);
});

test('a port in use is not free', async () => {
	const [port = 0] = await freePorts(1);
	const server = await listen(port);
	expect(await isPortFree(port)).toBe(false);
	await close(server);
	expect(await isPortFree(port)).toBe(true);
});

// n8n takes many seconds to listen, and is stopped and started again: its port must not go to another process in that
// time.
test('a process that asks the system for any port gets none of the chosen ones', async () => {
	const chosen = await freePorts(20);
	const lent = await Promise.all(Array.from({ length: 200 }, async () => await listen(0)));
	const lowest = Math.min(...lent.map(portOf));
	await close(...lent);
	expect(Math.max(...chosen)).toBeLessThan(lowest);
});

// Several suites start n8n side by side, and each n8n listens only seconds after its port was chosen.
test('a chosen port is not chosen again, by this process or another one, before anybody listens on it', async () => {
	const [taken = 0] = await freePorts(1);
	const [free = 0] = await freePorts(1);
	expect(free).not.toBe(taken);
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--require',
		'tsx/cjs',
		'--eval',
		`const crypto = require('node:crypto');
		const { randomInt } = crypto;
		const candidates = [${taken}, ${free}];
		crypto.randomInt = (low, high) => candidates.shift() ?? randomInt(low, high);
		require('./dev/process/ports').freePorts(1).then(([port]) => console.log(port));`,
	]);
	expect(Number(stdout)).toBeGreaterThan(0);
	expect([taken, free]).not.toContain(Number(stdout));
});
