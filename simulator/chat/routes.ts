// A chat channel that accepts what the example workflows send, so that they run before a real chat service is
// configured. The console shows the messages.

import type { FastifyInstance } from 'fastify';
import { sendJson } from '../http/respond';
import type { ReceivedBody } from '../rest/body';
import type { Store } from '../store';

/** Messages that are kept. */
const MOST_MESSAGES = 50;

/** Takes `POST /chat` and `POST /chat/<channel>` with `{"text": "…"}`, as incoming webhooks of chat services do. */
export function registerChat(app: FastifyInstance, store: Store) {
	for (const path of ['/chat', '/chat/:channel']) {
		app.post(path, (request, reply) => {
			const text = textOf(request.body as ReceivedBody | undefined);
			if (text === undefined) {
				return sendJson(reply, 400, { ok: false, error: 'Send JSON with a "text".' });
			}
			store.chat.unshift({ at: Date.now(), path: request.url, text });
			store.chat.length = Math.min(store.chat.length, MOST_MESSAGES);
			return sendJson(reply, 200, { ok: true });
		});
	}
}

function textOf(body: ReceivedBody | undefined): string | undefined {
	try {
		const message = JSON.parse(body?.text ?? '') as { text?: unknown } | null;
		return typeof message?.text === 'string' ? message.text : undefined;
	} catch {
		return undefined;
	}
}
