// Ports on the loopback interface.
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

async function tryPort(port: number): Promise<number | undefined> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
			else reject(error);
		});
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
		});
	});
}

/** Whether nobody listens on this loopback port. */
export async function isPortFree(port: number): Promise<boolean> {
	return (await tryPort(port)) !== undefined;
}

/** `count` different free loopback ports, held all at once while they are chosen. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(
		Array.from(
			{ length: count },
			async () =>
				await new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
					const server = createServer().once('error', reject);
					server.listen(0, LOOPBACK, () => resolve(server));
				}),
		),
	);
	const ports = servers.map((server) => (server.address() as { port: number }).port);
	await Promise.all(
		servers.map(async (server) => await new Promise((resolve) => server.close(resolve))),
	);
	return ports;
}
