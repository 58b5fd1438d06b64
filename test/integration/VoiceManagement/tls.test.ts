/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Hosts with which no encrypted connection comes about, or lasts: what the user is advised to do. The error is the same
// whether the request was sent before or not, so a change may have been made.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import tls, { type TlsOptions } from 'node:tls';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { makeCertificates, type Certificates } from '../../../simulator/http/certificates';
import { credentialsAt } from '../../support/credentials';
import { runNode } from './harness';

let certificates: Certificates;
beforeAll(() => {
	certificates = makeCertificates();
	// The server's certificate is not what is tested, and its authority can only be set before the process starts.
	const original = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
	jest
		.spyOn(tls, 'connect')
		.mockImplementation(((options: tls.ConnectionOptions) =>
			original({ ...options, rejectUnauthorized: false })) as typeof tls.connect);
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
		const { message, description } = await failureAt(start(), parameters);
		if (parameters.operation !== 'getAll') {
			expect(message).toMatch(/encrypted connection to .* broke \(.*\): the .* may have been/);
			expect(`${message} ${description}`).not.toMatch(/http:\/\/|Nothing was changed/);
		} else if (isPlain) expect(message).toMatch(/responded, but not with TLS: write http:\/\//);
		else expect(message).toMatch(/could not agree on TLS \((?:EPROTO|ERR_SSL_\w+)\)/);
	});
});

/** In front of a server with TLS: responds in clear as soon as that has received a request. */
function interrupted(maxVersion: tls.SecureVersion): Server {
	const { key, cert } = certificates;
	return createServer((front) => {
		const inner = tls.createServer({ key, cert, maxVersion }, (socket) =>
			socket
				.on('error', () => undefined)
				.once('data', () => front.end('HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 0\r\n\r\n')),
		);
		inner.listen(0, '127.0.0.1', () => {
			const back = connect((inner.address() as AddressInfo).port, '127.0.0.1');
			back.on('error', () => undefined).on('data', (chunk) => void front.write(chunk));
			front
				.on('error', () => undefined)
				.on('data', (chunk) => void back.write(chunk))
				.on('close', () => {
					back.destroy();
					inner.close();
				});
		});
	});
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
	'an order that the provider has received may have been placed, whatever ends the connection: %s',
	async (version) => {
		const { message, description } = await failureAt(
			interrupted(version),
			OPERATIONS.map(([, parameters]) => parameters)[0]!,
		);
		expect(message).toMatch(/: the order may have been placed$/);
		expect(description).not.toContain('Nothing was changed');
	},
);

/** What the node says about a request to a server that is closed afterwards. */
async function failureAt(server: Server, parameters: IDataObject): Promise<NodeApiError> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const credentials = credentialsAt(`https://127.0.0.1:${port}`);
	const error = await runNode({ credentials, parameters }).then(
		() => {
			throw new Error('It succeeded');
		},
		(thrown: NodeApiError) => thrown,
	);
	server.close();
	return error;
}
