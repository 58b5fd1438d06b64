// Faults that tests inject: what the next requests to a path get instead of the provider's own response.

import type { FastifyReply } from 'fastify';

export interface Fault {
	/** Only this method; any method if omitted. */
	method?: string;
	/** Start of the path (undecoded); any path of the provider if omitted. */
	path?: string;
	/** How many requests get it; 1 if omitted. */
	times?: number;
	/** Number of requests that pass before it applies. */
	after?: number;
	/** Whether the provider processes the request first, so that only the response is lost. */
	processed?: boolean;
	/** End the connection instead of responding. */
	destroy?: boolean;
	/** Never respond. */
	hang?: boolean;
	status?: number;
	headers?: Record<string, string>;
	/** Text as it is, anything else as JSON; no body if omitted. */
	body?: unknown;
}

/** Responses of typical proxies and gateways. */
export const faultBodies = {
	htmlPage:
		'<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
	refusedPage:
		'<!DOCTYPE html><html><head><title>Refused</title></head><body><p>id_client and id_session are missing or over.</p></body></html>',
	loginPage:
		'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form method="post"><input name="user"><input name="password" type="password"></form></body></html>',
};

export class Faults {
	private readonly faults: (Fault & { left: number; toPass: number })[] = [];

	add(fault: Fault) {
		this.faults.push({ ...fault, left: fault.times ?? 1, toPass: fault.after ?? 0 });
	}

	/** Returns the fault for a request and uses it up. */
	take(method: string, path: string): Fault | undefined {
		const fault = this.faults.find(
			(candidate) =>
				(candidate.method === undefined || candidate.method.toUpperCase() === method) &&
				(candidate.path === undefined || path.startsWith(candidate.path)),
		);
		if (!fault) return undefined;
		if (fault.toPass > 0) {
			fault.toPass--;
			return undefined;
		}
		fault.left--;
		if (fault.left === 0) this.faults.splice(this.faults.indexOf(fault), 1);
		return fault;
	}
}

/** Sends the response of a fault. */
export function answerFault(reply: FastifyReply, fault: Fault) {
	if (fault.destroy) {
		reply.hijack();
		reply.raw.socket?.destroy();
		return;
	}
	if (fault.hang) {
		reply.hijack();
		return;
	}
	const text = typeof fault.body === 'string' ? fault.body : undefined;
	const type = text?.trimStart().startsWith('<')
		? 'text/html'
		: text
			? 'text/plain'
			: 'application/json';
	reply.code(fault.status ?? 500);
	if (fault.body !== undefined) reply.header('content-type', `${type}; charset=utf-8`);
	reply.headers(fault.headers ?? {});
	reply.send(fault.body === undefined ? '' : (text ?? JSON.stringify(fault.body)));
}
