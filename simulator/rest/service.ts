// The number management interface as a whole: authentication, the operations, errors.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../store';
import { bodyOf, respond, sendFailure } from '../http/respond';
import { mediaType, pathOf } from '../http/parts';
import { addressOperations } from './addresses';
import { matches, readBasic } from './basicAuth';
import { cartOperations } from './carts';
import { checkoutOperations } from './checkout';
import { common } from './errors';
import { linkOperations } from './links';
import type { RestOperation } from './operation';
import { zipcodeOperations } from './zipcodes';

export const restPrefix = '/vbapi/v1';

/** The operations of the number management document. */
const restOperations: readonly RestOperation[] = [
	...addressOperations,
	...linkOperations,
	...zipcodeOperations,
	...cartOperations,
	...checkoutOperations,
];

export function registerRest(app: FastifyInstance, store: Store) {
	for (const operation of restOperations) {
		app.route({
			method: operation.method,
			url: restPrefix + operation.path,
			// A HEAD on checkout must not buy.
			exposeHeadRoute: false,
			handler: (request, reply) => answer(request, reply, store, operation),
		});
	}
}

function answer(
	request: FastifyRequest,
	reply: FastifyReply,
	store: Store,
	operation: RestOperation,
) {
	try {
		checkLogin(request, store);
		checkAccept(request);
		const { id } = request.params as { id?: string };
		if (id === '') throw unknownPath();
		const question = request.url.indexOf('?');
		const result = operation.run({
			state: store.numbers,
			id: id ?? '',
			query: question < 0 ? '' : request.url.slice(question + 1),
			body: bodyOf(request),
			startReview: (addressId) => store.startReview(addressId),
		});
		store.changed();
		return respond(reply, store, 200, result);
	} catch (error) {
		return sendFailure(reply, store, error);
	}
}

/** Responds to a request that matches no operation: 405 if the path exists with another method, else 404. */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply, store: Store) {
	try {
		checkLogin(request, store);
		const path = pathOf(request.url).slice(restPrefix.length);
		const known = restOperations.some((operation) =>
			new RegExp(`^${operation.path.replace(':id', '[^/]+')}$`).test(path),
		);
		throw known ? common(23, `Method ${request.method} is not allowed here`, 405) : unknownPath();
	} catch (error) {
		return sendFailure(reply, store, error);
	}
}

const unknownPath = () => common(15, 'There is no such operation', 404);

function checkLogin(request: FastifyRequest, store: Store) {
	if (!matches(readBasic(request.headers.authorization), store.accounts.numbers)) {
		throw common(401, 'Login or password is wrong', 401);
	}
}

/**
 * The provider sends XML unless a request asks for JSON; here that is an error instead, so that a test notices it.
 */
function checkAccept(request: FastifyRequest) {
	const types = (request.headers.accept ?? '').split(',').map(mediaType);
	if (!types.includes('application/json')) {
		throw common(14, 'The request must say Accept: application/json');
	}
}
