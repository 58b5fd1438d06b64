/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Serves the test page of the feed document, and the Socket.IO client that it needs, from this machine.

import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { faultBodies } from '../http/faults';
import type { OperatorOptions } from '../options';
import type { Store } from '../store';

export function registerPage(app: FastifyInstance, store: Store) {
	app.get('/labo/index.htm', async (request, reply) => {
		const { id_client, id_session } = request.query as Record<string, unknown>;
		if (id_client !== store.accounts.api.clientId || !store.tokens.has(id_session)) {
			return reply
				.code(403)
				.header('content-type', 'text/html; charset=utf-8')
				.send(faultBodies.refusedPage);
		}
		const page = await readFile(join(__dirname, 'index.htm'), 'utf8');
		return reply
			.header('content-type', 'text/html; charset=utf-8')
			.send(page.replaceAll('{{socketPath}}', store.options.socketPath));
	});
	app.get('/labo/page.js', async (_request, reply) => {
		const script = await readFile(join(__dirname, 'page.js'), 'utf8');
		return reply.header('content-type', 'text/javascript; charset=utf-8').send(script);
	});
	app.get('/labo/socket.io.js', async (_request, reply) => {
		const script = await readFile(clientFile(store.options.socketio), 'utf8');
		return reply.header('content-type', 'text/javascript; charset=utf-8').send(script);
	});
}

/** The browser client of the same protocol version as the server. */
function clientFile(generation: OperatorOptions['socketio']) {
	if (generation === 1) {
		// The server's package contains the client, so no extra package is needed.
		const folder = dirname(require.resolve('socket.io-1/package.json'));
		const client = require.resolve('socket.io-client/package.json', { paths: [folder] });
		return join(dirname(client), 'dist', 'socket.io.js');
	}
	return generation === 4
		? join(dirname(require.resolve('socket.io/package.json')), 'client-dist', 'socket.io.min.js')
		: join(dirname(require.resolve('socket.io-client-2/package.json')), 'dist', 'socket.io.js');
}
