/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The body of a request as received, and strict reading of JSON bodies.

import type { Readable } from 'node:stream';
import { isObject } from '../forms/form';
import { mediaType } from '../http/parts';
import { common, type RestError } from './errors';
import { readBoundary, readMultipart, type MultipartPart } from './multipart';

/** Longest body that is not multipart, in bytes. */
const longestText = 10 * 1024 * 1024;

export interface ReceivedBody {
	/** MIME type without parameters, lower case; '' if missing. */
	contentType: string;
	/** A body that is not multipart, as UTF-8. */
	text: string;
	/** Only for multipart bodies. */
	parts?: MultipartPart[];
	/** Why the body could not be read. */
	problem?: string;
}

export const noBody: Readonly<ReceivedBody> = { contentType: '', text: '' };

/** Reads any body to its end. Never throws: the operation reports problems, after the request is in the log. */
export async function receiveBody(
	payload: Readable,
	contentType: string | undefined,
): Promise<ReceivedBody> {
	const body: ReceivedBody = {
		contentType: mediaType(contentType),
		text: '',
	};
	try {
		const boundary = readBoundary(contentType);
		if (boundary) {
			body.parts = await readMultipart(payload, boundary);
			return body;
		}
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of payload as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size <= longestText) chunks.push(chunk);
			else body.problem = `A body may have ${longestText} bytes`;
		}
		body.text = Buffer.concat(chunks).toString('utf8');
	} catch (error) {
		body.problem = error instanceof Error ? error.message : String(error);
	}
	return body;
}

export type JsonObject = Record<string, unknown>;

/** A JSON object from text. Errors: 26 empty, 20 unparsable, 25 not an object. */
export function parseObject(text: string): JsonObject {
	if (text.trim() === '') throw common(26, 'The body is empty');
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw common(20, 'The body is not JSON');
	}
	if (!isObject(value)) throw common(25, 'The body must be a JSON object');
	return value;
}

/** The body of a request as a JSON object. Error 25 if it is not sent as `application/json`. */
export function readJson(body: ReceivedBody): JsonObject {
	if (body.problem) throw common(25, body.problem);
	if (body.parts || (body.contentType !== 'application/json' && body.text !== '')) {
		throw common(25, 'Content-Type must be application/json');
	}
	return parseObject(body.text);
}

/**
 * Error 25 if a request that takes no body has one, or names a content type for it that the provider does not accept.
 */
export function refuseBody(body: ReceivedBody) {
	if (body.problem || body.parts || body.text.trim() !== '') {
		throw common(25, 'This operation takes no body');
	}
	if (!['', 'application/json'].includes(body.contentType)) {
		throw common(25, 'There is no body of that type', 415);
	}
}

/** Error 21 for every unknown key: the provider rejects unexpected elements. */
export function onlyKeys(object: JsonObject, known: readonly string[], where = ''): void {
	for (const key of Object.keys(object)) {
		if (!known.includes(key)) throw common(21, `Unknown element "${where}${key}"`);
	}
}

/** A positive whole number, as a number or as digits. Throws `error` otherwise. */
export function positiveInteger(value: unknown, error: RestError): number {
	const read = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	if (typeof read !== 'number' || !Number.isSafeInteger(read) || read < 1) throw error;
	return read;
}
