// The two logins on HTTP, with the refusals and delays that the control API can switch on.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { faultBodies } from '../http/faults';
import { FeedLoginError } from '../rest/errors';
import { sendJson } from '../rest/service';
import type { Refusal, Store } from '../store';
import { supervisorLogin } from './login';
import { tokenLogin } from './token';

export function registerLogins(app: FastifyInstance, store: Store) {
	const route = (url: string, login: (request: FastifyRequest, store: Store) => unknown) => {
		app.post(url, async (request, reply) => {
			if (store.loginDelay > 0) {
				await new Promise<void>((resolve) => store.later(store.loginDelay, resolve));
			}
			if (store.refusal !== null) return refuse(reply, store.refusal);
			try {
				return sendJson(reply, 200, login(request, store));
			} catch (error) {
				if (error instanceof FeedLoginError) return sendJson(reply, error.httpStatus, error.body());
				throw error;
			}
		});
		app.route({
			method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
			url,
			exposeHeadRoute: false,
			handler(_request, reply) {
				reply.header('allow', 'POST');
				return send(
					reply,
					new FeedLoginError(405, 'METHOD_NOT_ALLOWED', 'Only POST is allowed here'),
				);
			},
		});
	};
	route('/ws/', supervisorLogin);
	route('/vm/token', tokenLogin);
}

function refuse(reply: FastifyReply, how: Refusal) {
	switch (how) {
		case 401:
			return send(reply, new FeedLoginError(401, 'INVALID_LOGIN', 'Login or password is wrong'));
		case 403:
			return send(reply, new FeedLoginError(403, 'FORBIDDEN', 'This account is closed'));
		case 500:
			return send(reply, new FeedLoginError(500, 'INTERNAL_ERROR', 'The service has failed'));
		case 'noSession':
			return sendJson(reply, 200, {
				status: 200,
				err_code: 'NO_SESSION',
				err_msg: 'Not logged in',
			});
		case 'html':
			return reply.code(200).header('content-type', 'text/html').send(faultBodies.loginPage);
		case 'destroy':
			reply.hijack();
			reply.raw.socket?.destroy();
			return reply;
		case 'hang':
			return reply.hijack();
	}
}

const send = (reply: FastifyReply, error: FeedLoginError) =>
	sendJson(reply, error.httpStatus, error.body());
