// The test page of the feed document, as much of it as the operation that returns its URL needs: who may open it.

import type { FastifyInstance } from 'fastify';
import { faultBodies } from '../http/faults';
import type { Store } from '../store';

export function registerTestPage(app: FastifyInstance, store: Store) {
	app.get('/labo/index.htm', (request, reply) => {
		const { id_client, id_session } = request.query as Record<string, unknown>;
		const isOpen = id_client === store.accounts.api.clientId && store.tokens.has(id_session);
		return reply
			.code(isOpen ? 200 : 403)
			.header('content-type', 'text/html; charset=utf-8')
			.send(isOpen ? '<!DOCTYPE html><title>Account events</title>' : faultBodies.refusedPage);
	});
}
