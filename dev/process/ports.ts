/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Ports on the loopback interface.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

// Below the ports that Linux, macOS and Windows use for outgoing connections, so that a program that starts slowly or
// restarts still finds its port free, however many connections were opened meanwhile.
const LOWEST = 15_000;
const HIGHEST = 30_000;

/** Whether this loopback port is free. */
export async function isPortFree(port: number): Promise<boolean> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
			else reject(error);
		});
		server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
	});
}

/**
 * Reserves a port number against other processes that ask here, for as long as this one runs: a program can take many
 * seconds until it listens. The UDP port of the same number, which nobody else uses, is the mark that the system itself
 * removes with the process.
 * @returns whether nobody else has reserved it
 */
async function reserve(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const mark = createSocket('udp4');
		mark.once('error', () => {
			mark.close();
			resolve(false);
		});
		mark.bind({ port, address: LOOPBACK, exclusive: true }, () => resolve(true));
		mark.unref();
	});
}

/**
 * `count` different free loopback ports, outside of the range from which the system picks ports by itself. None of them
 * is given to anybody else while this process runs.
 */
export async function freePorts(count: number): Promise<number[]> {
	const ports: number[] = [];
	while (ports.length < count) {
		const port = randomInt(LOWEST, HIGHEST);
		if ((await reserve(port)) && (await isPortFree(port))) ports.push(port);
	}
	return ports;
}
