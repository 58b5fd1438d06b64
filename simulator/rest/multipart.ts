/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Reads multipart bodies as they arrive. Dicer (of @fastify/busboy) is used directly because it exposes every header
// of every part, and the provider needs `Content-ID`, which the field/file interface above it hides. Big parts are
// hashed, not stored.

import { Dicer } from '@fastify/busboy';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mediaType } from '../http/parts';

/** Parts up to this many bytes are stored as they are, so that tests can inspect them. */
const keptBytes = 64 * 1024;

/** One part as it was received. */
export interface MultipartPart {
	/** `name` of `Content-Disposition`; null if missing. */
	name: string | null;
	/** `filename` of `Content-Disposition`; null if missing. */
	filename: string | null;
	/** Every header, names in lower case. */
	headers: Record<string, string>;
	/** MIME type without parameters, lower case; '' if missing. */
	contentType: string;
	/** Bytes. */
	size: number;
	/** Hex. */
	sha256: string;
	/** Only up to 64 KiB. */
	content?: Buffer;
}

/** The boundary of a `multipart/form-data` content type, or undefined. */
export function readBoundary(contentType: string | undefined) {
	if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined;
	return parameter(contentType!, 'boundary');
}

/**
 * Reads a multipart body to its end, with constant memory whatever its size.
 * Throws if the body is cut off or is not multipart.
 */
export async function readMultipart(body: Readable, boundary: string): Promise<MultipartPart[]> {
	const parts: MultipartPart[] = [];
	const dicer = new Dicer({ boundary });
	dicer.on('part', (stream) => {
		const hash = createHash('sha256');
		let kept: Buffer[] | undefined = [];
		const part: MultipartPart = {
			name: null,
			filename: null,
			headers: {},
			contentType: '',
			size: 0,
			sha256: '',
		};
		parts.push(part);
		stream.on('header', (received: object) => {
			for (const [name, values] of Object.entries(received as Record<string, string[]>)) {
				// Dicer decodes bytes as latin1, but file names are UTF-8.
				part.headers[name] = Buffer.from(values.join(', '), 'latin1').toString('utf8');
			}
			const disposition = part.headers['content-disposition'] ?? '';
			part.name = parameter(disposition, 'name') ?? null;
			part.filename = parameter(disposition, 'filename') ?? null;
			part.contentType = mediaType(part.headers['content-type']);
		});
		stream.on('data', (chunk: Buffer) => {
			part.size += chunk.length;
			hash.update(chunk);
			if (part.size <= keptBytes) kept?.push(chunk);
			else kept = undefined;
		});
		stream.on('end', () => {
			part.sha256 = hash.digest('hex');
			if (kept) part.content = Buffer.concat(kept);
		});
		// A body that is cut off fails both the part and the parser; only the parser's failure is reported.
		stream.on('error', () => undefined);
	});
	// The parser finishes at the last boundary, before the request has ended, and is then no longer fed. Without
	// reading the rest, the end of the request would never arrive.
	dicer.once('unpipe', () => body.resume());
	await pipeline(body, dicer);
	return parts;
}

/** A parameter of a header such as `form-data; name="x"; filename*=UTF-8''y`. */
function parameter(header: string, name: string): string | undefined {
	const extended = new RegExp(`;\\s*${name}\\*=([^']*)'[^']*'([^;]*)`, 'i').exec(header);
	if (extended) {
		try {
			return decodeURIComponent(extended[2]!.trim());
		} catch {
			return undefined;
		}
	}
	const plain = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(header);
	if (!plain) return undefined;
	if (plain[1] === undefined) return plain[2];
	// Browsers and form libraries write a quote in a name as %22 or \".
	return plain[1].replace(/\\(["\\])/g, '$1').replace(/%22/gi, '"');
}
