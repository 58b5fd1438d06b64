// The HTTP routes of the two logins, with the refusals and delays that the control API can switch on.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { faultBodies } from '../http/faults';
import { FeedLoginError } from '../rest/errors';
import { respond, sendFailure } from '../http/respond';
import type { Refusal, Store } from '../store';
import { supervisorLogin } from './login';
import { tokenLogin } from './token';

export function registerLogins(app: FastifyInstance, store: Store) {
	const route = (url: string, login: (request: FastifyRequest, store: Store) => unknown) => {
		app.post(url, (request, reply) => {
			if (store.refusal !== null) return refuse(reply, store, store.refusal);
			try {
				return respond(reply, store, 200, login(request, store));
			} catch (error) {
				return sendFailure(reply, store, error);
			}
		});
		app.route({
			method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
			url,
			exposeHeadRoute: false,
			handler(_request, reply) {
				reply.header('allow', 'POST');
				return sendFailure(
					reply,
					store,
					new FeedLoginError(405, 'METHOD_NOT_ALLOWED', 'Only POST is allowed here'),
				);
			},
		});
	};
	route('/ws/', supervisorLogin);
	route('/vm/token', tokenLogin);
}

function refuse(reply: FastifyReply, store: Store, how: Refusal) {
	switch (how) {
		case 401:
			return sendFailure(
				reply,
				store,
				new FeedLoginError(401, 'INVALID_LOGIN', 'Login or password is wrong'),
			);
		case 403:
			return sendFailure(
				reply,
				store,
				new FeedLoginError(403, 'FORBIDDEN', 'This account is closed'),
			);
		case 500:
			return sendFailure(
				reply,
				store,
				new FeedLoginError(500, 'INTERNAL_ERROR', 'The service has failed'),
			);
		case 'noSession':
			return respond(reply, store, 200, {
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
