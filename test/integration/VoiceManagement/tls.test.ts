/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Hosts with which no encrypted connection comes about: what the user is advised to do, and that nothing was sent.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import tls, { type TlsOptions } from 'node:tls';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { makeCertificates, type Certificates } from '../../../simulator/http/certificates';
import { credentialsAt } from '../../support/credentials';
import { runNode } from './harness';

let certificates: Certificates;
beforeAll(() => {
	certificates = makeCertificates();
	// The server's certificate is not what is tested, and its authority can only be set before the process starts.
	const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
	jest
		.spyOn(tls, 'connect')
		.mockImplementation(((options: tls.ConnectionOptions) =>
			connect({ ...options, rejectUnauthorized: false })) as typeof tls.connect);
});
afterAll(() => {
	jest.restoreAllMocks();
	certificates.remove();
});

const withTls = (options: TlsOptions): Server => {
	const { key, cert, caFile } = certificates;
	return tls
		.createServer({ key, cert, ca: readFileSync(caFile), ...options }, (socket) =>
			socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
		)
		.on('tlsClientError', () => undefined);
};

const SERVERS: Array<[string, () => Server, isPlain: boolean]> = [
	['speaks plain HTTP', () => createHttpServer(), true],
	[
		'speaks TLS 1.1 only',
		() => withTls({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
		false,
	],
	[
		'has no common cipher',
		() => withTls({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }),
		false,
	],
	[
		'wants a client certificate (TLS 1.2)',
		() => withTls({ maxVersion: 'TLSv1.2', requestCert: true }),
		false,
	],
	[
		'wants a client certificate (TLS 1.3)',
		() => withTls({ minVersion: 'TLSv1.3', requestCert: true }),
		false,
	],
];

const OPERATIONS: Array<[string, IDataObject]> = [
	[
		'a purchase',
		{ resource: 'cart', operation: 'checkout', cartIdentifier: '7', confirmPurchase: true },
	],
	['a change', { resource: 'address', operation: 'delete', addressId: '7' }],
	['a read', { resource: 'address', operation: 'getAll' }],
];

describe.each(SERVERS)('a host that %s', (_what, start, isPlain) => {
	test.each(OPERATIONS)('%s', async (_name, parameters) => {
		const server = start().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const credentials = credentialsAt(`https://127.0.0.1:${port}`);
		const { message, description } = await runNode({ credentials, parameters }).then(
			() => {
				throw new Error('It succeeded');
			},
			(error: NodeApiError) => error,
		);
		server.close();
		const shown = `${message} ${description}`;
		if (isPlain) expect(message).toMatch(/responded, but not with TLS: write http:\/\//);
		else {
			expect(message).toMatch(/could not agree on TLS \((?:EPROTO|ERR_SSL_\w+)\)/);
			expect(shown).not.toContain('http://');
		}
		expect(shown).not.toContain('may have been');
		if (parameters.operation !== 'getAll')
			expect(description).toMatch(/^(Cart 7\. )?Nothing was changed/);
	});
});
