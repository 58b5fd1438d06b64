// Ports on the loopback interface.
import { randomInt } from 'node:crypto';
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

/** `count` different free loopback ports, outside of the range from which the system picks ports by itself. */
export async function freePorts(count: number): Promise<number[]> {
	const ports = new Set<number>();
	while (ports.size < count) {
		const port = randomInt(LOWEST, HIGHEST);
		if (await isPortFree(port)) ports.add(port);
	}
	return [...ports];
}
