/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A server that responds as a test specifies, for forms that the simulated provider does not have.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
	method: string;
	/** Including the query. */
	url: string;
	query: Record<string, string>;
	headers: IncomingMessage['headers'];
	body: string;
}

export interface Given {
	status?: number;
	headers?: Record<string, string>;
	/** Text and bytes are sent unchanged, anything else as JSON; undefined sends no body. */
	body?: unknown;
}

export interface AnswerServer {
	url: string;
	asked: Asked[];
	close: () => Promise<void>;
}

/** Listens on a free port of 127.0.0.1 until it is closed. */
export async function answerWith(answer: (request: Asked) => Given): Promise<AnswerServer> {
	const asked: Asked[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
			const body = Buffer.concat(chunks).toString('utf8');
			const one = { method, url, query, headers, body };
			asked.push(one);
			const given = answer(one);
			const isWhole = typeof given.body === 'string' || Buffer.isBuffer(given.body);
			response.writeHead(given.status ?? 200, {
				...(given.body !== undefined && !isWhole ? { 'content-type': 'application/json' } : {}),
				...given.headers,
			});
			response.end(isWhole ? given.body : JSON.stringify(given.body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
