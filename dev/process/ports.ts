// Ports on the loopback interface.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

// Below what Linux, macOS and Windows lend to outgoing connections: what starts slowly, or starts again, still finds
// its port free, however many connections were opened meanwhile.
const LOWEST = 15_000;
const HIGHEST = 30_000;

/** Whether nobody listens on this loopback port. */
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

/** `count` different free loopback ports, none of which the system gives to anybody who asks for any port. */
export async function freePorts(count: number): Promise<number[]> {
	const ports = new Set<number>();
	while (ports.size < count) {
		const port = randomInt(LOWEST, HIGHEST);
		if (await isPortFree(port)) ports.add(port);
	}
	return [...ports];
}
