// Faults that tests inject into answers: what the next requests to a path get instead of the operator's own answer.

import type { FastifyReply } from 'fastify';

export interface Fault {
	/** Only this method; any where it is left out. */
	method?: string;
	/** Start of the path (undecoded); any path of the operator where it is left out. */
	path?: string;
	/** How many requests get it; 1 where it is left out. */
	times?: number;
	/** Requests that pass before it applies. */
	after?: number;
	/** Whether the operator does its work first: then the work is done and only the answer is lost. */
	processed?: boolean;
	/** Milliseconds to wait before the answer. */
	delayMs?: number;
	/** Only wait, then answer as usual. */
	onlyDelay?: boolean;
	/** End the connection instead of answering. */
	destroy?: boolean;
	/** Never answer. */
	hang?: boolean;
	status?: number;
	headers?: Record<string, string>;
	/** Text as it is, anything else as JSON; no body where it is left out. */
	body?: unknown;
}

/** Ready-made answers of things that stand in front of a service. */
export const faultBodies = {
	htmlPage:
		'<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
	refusedPage:
		'<!DOCTYPE html><html><head><title>Refused</title></head><body><p>id_client and id_session are missing or over.</p></body></html>',
	loginPage:
		'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form method="post"><input name="user"><input name="password" type="password"></form></body></html>',
};

export class Faults {
	private faults: (Fault & { left: number; toPass: number })[] = [];

	add(fault: Fault) {
		this.faults.push({ ...fault, left: fault.times ?? 1, toPass: fault.after ?? 0 });
	}

	clear() {
		this.faults = [];
	}

	pending() {
		return this.faults.reduce((sum, fault) => sum + fault.left, 0);
	}

	/** The fault for a request, which is used up by it. */
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

/** Answers as a fault says. */
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
