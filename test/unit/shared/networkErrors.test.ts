/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What a user reads if the way to the provider is wrong, with the errors of the real HTTP client.

import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import axios from 'axios';
import { describeLostRequest } from '../../../nodes/shared/lostRequest';
import { describeNetworkError, isWrongUrl } from '../../../nodes/shared/networkErrors';

async function portOf(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as { port: number }).port;
}

async function closedPort(): Promise<number> {
	const server = createServer();
	const port = await portOf(server);
	await new Promise((resolve) => server.close(resolve));
	return port;
}

const errorOf = async (url: string, options: object = {}): Promise<unknown> =>
	await axios.get(url, { proxy: false, ...options }).then(
		() => {
			throw new Error('it was answered');
		},
		(error: unknown) => error,
	);

it('names a dead proxy of n8n instead of the provider', async () => {
	const port = await closedPort();
	const url = 'http://voice.example.com/ws/';
	const error = await errorOf(url, { proxy: { host: '127.0.0.1', port, protocol: 'http' } });
	const said = describeNetworkError(error, url);
	expect(said).toContain(`The proxy that n8n uses, 127.0.0.1:${port}, can't be reached`);
	expect(said).toContain('HTTP_PROXY');
	expect(describeLostRequest(error, url, 'Voice Management URL', 'read').description).toBe('');
});

it('names the port of the provider if that is closed, and no proxy', async () => {
	const url = `http://127.0.0.1:${await closedPort()}/ws/`;
	const error = await errorOf(url);
	expect(describeNetworkError(error, url)).toMatch(/refused the connection: .* the port is wrong/);
	expect(isWrongUrl(error)).toBe(false);
});

it('names http on a port that speaks TLS, and TLS on a port that speaks http', async () => {
	const tls = createTlsServer();
	const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
	const [tlsPort, plainPort] = [await portOf(tls), await portOf(plain)];
	try {
		const http = `http://127.0.0.1:${tlsPort}/ws/`;
		expect(describeNetworkError(await errorOf(http), http)).toContain('write https:// in the URL');
		const https = `https://127.0.0.1:${plainPort}/ws/`;
		const error = await errorOf(https);
		expect(describeNetworkError(error, https)).toContain('write http:// in the URL');
		expect(isWrongUrl(error)).toBe(true);
	} finally {
		tls.close();
		plain.close();
	}
});

it('takes a host that does not exist for a wrong URL', () => {
	const error = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'voice.example.com' };
	expect(isWrongUrl(error)).toBe(true);
	expect(describeNetworkError(error, 'https://voice.example.com/ws/')).toContain('was not found');
	expect(describeNetworkError(error, 'https://other.example.com/ws/')).toContain('The proxy');
});
