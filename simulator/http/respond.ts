/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Writes the provider's responses in the chosen forms. The control API and the console send plain JSON.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Question, Response } from '../forms';
import { noBody, type ReceivedBody } from '../rest/body';
import { common, FeedLoginError, RestError } from '../rest/errors';
import type { Store } from '../store';
import { mediaType } from './parts';
import type { Area } from './requestLog';

/** The URL as sent, if a form has rewritten it. */
const sent = new WeakMap<IncomingMessage, string>();

/** The URL of a request as it was sent. */
export const sentUrl = (request: IncomingMessage) => sent.get(request) ?? request.url ?? '';

/** Replaces the request's URL by the one that the forms make of it. */
export function rewriteUrl(request: IncomingMessage, store: Store) {
	sent.set(request, request.url ?? '');
	request.url = store.forms.rewrite(request.url ?? '');
}

/** The part of the provider that a request is for, by its rewritten URL. */
export function areaOf(url: string, store: Store): Area {
	if (url.startsWith('/vbapi/')) return 'rest';
	if (url.startsWith('/ws')) return 'login';
	if (url.startsWith('/vm/')) return 'token';
	if (url.startsWith('/labo/')) return 'page';
	return url.startsWith(store.options.socketPath) ? 'feed' : 'other';
}

const typeOf = (request: IncomingMessage) => mediaType(request.headers['content-type']);

/** The body of a request; if it has none, its content type is still read. */
export const bodyOf = (request: FastifyRequest): ReceivedBody =>
	(request.body as ReceivedBody | undefined) ?? { ...noBody, contentType: typeOf(request.raw) };

/** A request in the form that forms receive. */
export function questionOf(request: IncomingMessage, store: Store, text = ''): Question {
	return {
		area: areaOf(request.url ?? '', store),
		method: request.method ?? '',
		url: sentUrl(request),
		headers: request.headers,
		contentType: typeOf(request),
		text,
		port: request.socket.localPort ?? 0,
	};
}

/** The response of a form that responds in the provider's place. */
export function intercept(request: FastifyRequest, store: Store): Response | undefined {
	const question = questionOf(request.raw, store, bodyOf(request).text);
	return store.forms.intercept(question);
}

/** Sends a response in the chosen forms. */
export function respond(reply: FastifyReply, store: Store, status: number, body: unknown) {
	const response = { status, headers: {}, body };
	return write(reply, store.forms.respond(response, questionOf(reply.request.raw, store)));
}

/** Responds with what an operation or a login has thrown. */
export function sendFailure(reply: FastifyReply, store: Store, error: unknown) {
	const told =
		error instanceof RestError || error instanceof FeedLoginError
			? error
			: common(20, `Unexpected failure of the simulator: ${String(error)}`, 500);
	if (told.httpStatus === 401 && told instanceof RestError) {
		reply.header('www-authenticate', 'Basic realm="number management"');
	}
	return respond(reply, store, told.httpStatus, told.body());
}

/** Sends a response unchanged. */
export function write(reply: FastifyReply, { status, headers, body }: Response) {
	return reply
		.code(status)
		.header('content-type', 'application/json; charset=utf-8')
		.headers(headers)
		.send(written(body));
}

/** The same for a request that Fastify does not see. */
export function writeRaw(reply: ServerResponse, { status, headers, body }: Response) {
	reply.writeHead(status, { 'content-type': 'application/json', ...headers });
	reply.end(written(body));
}

/** Plain JSON: the control API and the console. */
export const sendJson = (reply: FastifyReply, status: number, body: unknown) =>
	write(reply, { status, headers: {}, body });

/** Text unchanged, everything else as JSON. */
const written = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));
