/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The control API over HTTP, for tests in other processes: POST /control/<method> with the arguments as a JSON list.

import type { FastifyInstance } from 'fastify';
import { ProviderError } from '../options';
import type { ReceivedBody } from '../rest/body';
import { sendJson } from '../http/respond';
import { Control } from './control';

/** Methods that can be called with JSON arguments: all except the one that takes a function. */
export type RemoteMethod = Exclude<keyof Control, 'waitFor'>;

const remoteMethods = Object.getOwnPropertyNames(Control.prototype).filter(
	(name): name is RemoteMethod => !['constructor', 'waitFor'].includes(name),
);

/** These end the caller's own connection, so the response is sent first. */
const afterAnswer: readonly string[] = ['cutTcp', 'goAway'];

export function registerControl(app: FastifyInstance, control: () => Control) {
	app.get('/control', (_request, reply) => sendJson(reply, 200, { methods: remoteMethods }));
	app.post('/control/:method', async (request, reply) => {
		const { method } = request.params as { method: string };
		if (!(remoteMethods as string[]).includes(method)) {
			return sendJson(reply, 404, { error: `There is no control method "${method}".` });
		}
		let args: unknown;
		try {
			args = JSON.parse((request.body as ReceivedBody | undefined)?.text || '[]');
		} catch {
			return sendJson(reply, 400, { error: 'The body must be JSON: a list of arguments.' });
		}
		if (!Array.isArray(args)) args = [args];
		const call = () =>
			(control()[method as RemoteMethod] as (...given: unknown[]) => unknown).apply(
				control(),
				args as unknown[],
			);
		if (afterAnswer.includes(method)) {
			reply.raw.once('finish', () => void call());
			return sendJson(reply, 200, { result: null });
		}
		try {
			return sendJson(reply, 200, { result: (await call()) ?? null });
		} catch (error) {
			if (!(error instanceof ProviderError)) throw error;
			return sendJson(reply, 400, { error: error.message });
		}
	});
}
