// Reads a response in pieces and stops at a limit: an endless response would otherwise fill n8n's memory.

import { BodyTooLong, BrokenOff } from './errors';

/**
 * @param body in pieces, as `fetch` and n8n's helper (`encoding: 'stream'`) give it, or whole
 * @param limit in bytes
 * @throws BodyTooLong, after which nothing more is read; BrokenOff with what was received
 */
export async function readBounded(body: unknown, limit: number): Promise<Uint8Array> {
	if (typeof body === 'string') return bounded(Buffer.from(body), limit);
	if (body instanceof ArrayBuffer) return bounded(new Uint8Array(body), limit);
	if (body instanceof Uint8Array) return bounded(body, limit);
	if (!isPieces(body)) return new Uint8Array();
	const pieces: Uint8Array[] = [];
	let length = 0;
	try {
		// Leaving the loop ends the stream, and with it the request.
		for await (const piece of body) {
			const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
			length += bytes.byteLength;
			if (length > limit) throw new BodyTooLong(limit);
			pieces.push(bytes);
		}
	} catch (error) {
		throw error instanceof BodyTooLong ? error : new BrokenOff(Buffer.concat(pieces), error);
	}
	return Buffer.concat(pieces, length);
}

function bounded(bytes: Uint8Array, limit: number): Uint8Array {
	if (bytes.byteLength > limit) throw new BodyTooLong(limit);
	return bytes;
}

interface Pieces extends AsyncIterable<Uint8Array | string> {
	destroy?(error?: Error): unknown;
}

/** Whether a body comes in pieces. */
export function isPieces(value: unknown): value is Pieces {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
