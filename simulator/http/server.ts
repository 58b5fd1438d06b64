/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The one HTTP server of a provider: logging, injected faults, the routes of both documents, the control API.

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { plainAddress } from '../feed/tokens';
import {
	areaOf,
	intercept,
	questionOf,
	rewriteUrl,
	sendFailure,
	sendJson,
	sentUrl,
	write,
	writeRaw,
} from './respond';
import { pathOf } from './parts';
import { registerLogins } from '../feed/routes';
import { registerTestPage } from '../feed/testPage';
import { receiveBody, type ReceivedBody } from '../rest/body';
import { common } from '../rest/errors';
import { refuseUnknown, registerRest, restPrefix } from '../rest/service';
import type { Store } from '../store';
import type { Certificates } from './certificates';
import { answerFault, faultBodies, type Fault } from './faults';
import type { RecordedRequest } from './requestLog';

declare module 'fastify' {
	interface FastifyRequest {
		/** For the control API, the console or the chat, which are not part of the provider. */
		own?: true;
		recorded?: RecordedRequest;
		lostAnswer?: Fault;
	}
}

/** Long enough for identifiers of 10,000 characters, percent-encoded. */
const maxHeaderSize = 512 * 1024;

/**
 * Builds the server without listening: the provider passes connections to it, so that it can go away and come back.
 */
export async function buildServer(
	store: Store,
	registerControl: (app: FastifyInstance) => void,
	certificates?: Certificates,
) {
	let http!: Server;
	const app = Fastify({
		routerOptions: { maxParamLength: maxHeaderSize },
		bodyLimit: Number.MAX_SAFE_INTEGER,
		serverFactory(handler) {
			const settings = { maxHeaderSize, keepAliveTimeout: 60_000 };
			http = certificates
				? createTlsServer({ ...settings, key: certificates.key, cert: certificates.cert }, handler)
				: createServer(settings, handler);
			return http;
		},
		frameworkErrors(_error, request, reply) {
			record(request, store);
			sendFailure(reply, store, common(20, 'The URL cannot be read', 400));
		},
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (request, payload, done) => {
		receiveBody(payload, request.headers['content-type']).then(
			(body) => done(null, body),
			(error: Error) => done(error),
		);
	});
	app.addHook('preHandler', async (request, reply) => {
		// Neither recorded nor faulted.
		if (request.own) return;
		record(request, store);
		applyFault(request, reply, store);
		if (reply.sent) return reply;
		const response = intercept(request, store);
		return response ? write(reply, response) : undefined;
	});
	app.addHook('onSend', async (request, reply, payload) => loseAnswer(request, reply, payload));
	app.addHook('onResponse', async (request, reply) => {
		if (request.recorded) request.recorded.status = reply.statusCode;
		store.changed();
	});
	app.setNotFoundHandler((request, reply) => {
		if (request.url.startsWith(`${restPrefix}/`)) return refuseUnknown(request, reply, store);
		return sendJson(reply, 404, {
			status: 404,
			err_code: 'NOT_FOUND',
			err_msg: 'There is no such page',
		});
	});
	app.setErrorHandler((error, _request, reply) => sendFailure(reply, store, error));
	registerRest(app, store);
	registerLogins(app, store);
	registerTestPage(app, store);
	// In a scope of their own: the route that answers decides, however its path is written.
	await app.register(async (scope) => {
		scope.addHook('onRequest', async (request, reply) => {
			request.own = true;
			if (comesFromHere(request, store.options.host)) return undefined;
			return await sendJson(reply, 403, {
				error:
					'The control API and the console are for this machine: another Host or Origin is refused.',
			});
		});
		registerControl(scope);
		await Promise.resolve();
	});
	await app.ready();
	return { app, http };
}

/**
 * Whether a page or program on this machine makes the request. The control API has no login, and a web page from
 * elsewhere can make a browser send requests to it: through its own name for this IP address (another `Host`), or
 * across origins.
 */
function comesFromHere({ headers }: FastifyRequest, host: string): boolean {
	const origin = typeof headers.origin === 'string' ? headers.origin : undefined;
	const asked = `http://${headers.host ?? ''}`;
	// Nothing but a host: `evil.example@127.0.0.1` would be read as a name and one.
	if (/[@/?#\\]/.test(headers.host ?? '') || !URL.canParse(asked)) return false;
	const { hostname, host: asIs } = new URL(asked);
	const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
	if (!isAddress && hostname !== 'localhost' && hostname !== host) return false;
	return origin === undefined || (URL.canParse(origin) && new URL(origin).host === asIs);
}

function headersOf(request: IncomingMessage) {
	return Object.fromEntries(
		Object.entries(request.headersDistinct).map(([name, values]) => [
			name,
			(values ?? []).join(', '),
		]),
	);
}

function record(request: FastifyRequest, store: Store) {
	const body = request.body as ReceivedBody | undefined;
	request.recorded = store.requests.add({
		at: Date.now(),
		area: areaOf(request.raw.url ?? '', store),
		method: request.method,
		url: sentUrl(request.raw),
		headers: headersOf(request.raw),
		body: readForLog(body),
		...(body?.parts ? { parts: body.parts } : {}),
		remoteAddress: plainAddress(request.socket.remoteAddress),
	});
}

function readForLog(body: ReceivedBody | undefined): unknown {
	if (!body || body.parts || body.text === '') return null;
	try {
		return JSON.parse(body.text);
	} catch {
		return body.text;
	}
}

function applyFault(request: FastifyRequest, reply: FastifyReply, store: Store) {
	const fault = store.faults.take(request.method, pathOf(request.raw.url));
	if (!fault) return;
	if (fault.processed) request.lostAnswer = fault;
	else answerFault(reply, fault);
}

/** A fault that applies after the provider has processed the request: its response is replaced or lost. */
function loseAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
	const fault = request.lostAnswer;
	if (!fault) return payload;
	delete request.lostAnswer;
	if (fault.destroy || fault.hang) {
		answerFault(reply, fault);
		return new Promise(() => undefined);
	}
	reply.code(fault.status ?? 500).headers(fault.headers ?? {});
	return typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? '');
}

/** A target that is a whole URL, and a second `Host`: each names another host than the one that is checked. */
const isAmbiguous = ({ url = '', headersDistinct }: IncomingMessage) =>
	!url.startsWith('/') || (headersDistinct.host ?? []).length > 1;

/** The whole response to what the HTTP server does not see. */
const refusal = (status: number) =>
	`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/** Logs requests and rejects handshakes before the Socket.IO server, which responds on its path by itself. */
export function guardFeedPath(http: Server, store: Store) {
	const requests = http.listeners('request') as ((
		req: IncomingMessage,
		res: ServerResponse,
	) => void)[];
	http.removeAllListeners('request');
	http.on('request', (request, response) => {
		if (isAmbiguous(request)) return void response.socket?.end(refusal(400));
		rewriteUrl(request, store);
		if (isFeed(request, store)) {
			const recorded = recordFeed(request, store);
			response.on('finish', () => (recorded.status = response.statusCode));
			if (store.handshakeRefusal !== null) return refuseHandshake(response, store);
			const given = store.forms.intercept(questionOf(request, store));
			if (given) return writeRaw(response, given);
			if (!/[?&]sid=/.test(request.url ?? '')) {
				const { handshakeHeaders } = store.forms.reading;
				for (const [name, value] of Object.entries(handshakeHeaders))
					response.setHeader(name, value);
			}
		}
		for (const listener of requests) listener.call(http, request, response);
	});
	const upgrades = http.listeners('upgrade') as ((
		req: IncomingMessage,
		socket: Duplex,
		head: Buffer,
	) => void)[];
	http.removeAllListeners('upgrade');
	http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		if (isAmbiguous(request)) return void socket.end(refusal(400));
		rewriteUrl(request, store);
		if (isFeed(request, store)) recordFeed(request, store);
		if (store.handshakeRefusal === 'hang') return;
		if (store.handshakeRefusal !== null) {
			return void socket.end(store.handshakeRefusal === 'destroy' ? undefined : refusal(503));
		}
		const given = store.forms.intercept(questionOf(request, store));
		if (given) return void socket.end(refusal(given.status));
		for (const listener of upgrades) listener.call(http, request, socket, head);
	});
}

const isFeed = (request: IncomingMessage, store: Store) =>
	(request.url ?? '').startsWith(store.options.socketPath);

function recordFeed(request: IncomingMessage, store: Store) {
	return store.requests.add({
		at: Date.now(),
		area: 'feed',
		method: request.method ?? '',
		url: sentUrl(request),
		headers: headersOf(request),
		body: null,
		remoteAddress: plainAddress(request.socket.remoteAddress),
	});
}

function refuseHandshake(response: ServerResponse, store: Store) {
	const how = store.handshakeRefusal;
	if (how === 'hang') return;
	if (how === 'destroy') {
		response.socket?.destroy();
		return;
	}
	response.writeHead(how === 'html' ? 200 : (how ?? 503), { 'content-type': 'text/html' });
	response.end(faultBodies.htmlPage);
}
