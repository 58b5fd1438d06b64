// A response of the operator as both nodes, the credential tests and the logins of the feed read it. The operator's
// documents show hardly any response, and what stands in front of it (proxies, login pages) responds in its own ways: so
// bytes are asked for, and character set and format are found out here.

import { parseJson } from './json';

/** What n8n's HTTP helpers give when they are asked for the full response. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	/** Bytes or text; a stream where RAW_RESPONSE was asked for; a value if somebody parsed it already. */
	body: unknown;
}

/** A response as read. */
export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	/** The parsed JSON value; undefined for everything that is not JSON, the empty body included. */
	json: unknown;
	/** The body as text. */
	text: string;
}

/**
 * Reads a response. Never throws: what can't be parsed has no `json`.
 * @param response with the body as bytes or text (see `receive`)
 */
export function readResponse(response: HttpResponse): Answer {
	const { statusCode, headers, body } = response;
	const given = { statusCode, headers: headers ?? {} };
	if (typeof body !== 'string' && !isBytes(body)) {
		// Somebody parsed it already.
		return { ...given, json: body ?? undefined, text: body ? JSON.stringify(body) : '' };
	}
	const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
	return { ...given, json: parsed(text), text };
}

function parsed(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

function isBytes(value: unknown): value is Uint8Array {
	return value instanceof Uint8Array;
}
