// What a value of an `update` is before anything is known of it. Pure.
import { boundCrossed, withoutGuard } from '../../../shared/json';

export type Plain = Record<string, unknown>;

/** Of one event, or of several in one: what has more takes longer to read than n8n may stand still. */
export const MOST_VALUES = 10_000;
/** An event nests a handful of levels deep. Deeper ones would run out of stack in whatever handles them by recursion. */
export const DEEPEST_EVENT = 2_000;

/**
 * The object or list in a JSON text, also behind a guard, in a call (JSONP), or in one that is text in JSON once more;
 * undefined for any other text, and for one that is too complex to be an event.
 */
export function parse(value: string): unknown {
	const text = withoutGuard(value);
	// Anything else can't be an object, and JSON.parse throws slowly on long text.
	if (!/^[\s\ufeff]{0,9}["[{]/.test(text) || boundCrossed(text, MOST_VALUES, DEEPEST_EVENT))
		return undefined;
	try {
		// trim() takes a byte order mark away as well; a C program may send the end of its text.
		const read = JSON.parse(text.replace(/\0$/, '').trim()) as unknown;
		return typeof read === 'string' ? parse(read) : read;
	} catch {
		return undefined;
	}
}

export function decode(bytes: Uint8Array): string {
	return new TextDecoder('utf-8').decode(bytes);
}

export function binary(value: unknown): Uint8Array | undefined {
	if (value instanceof ArrayBuffer) return new Uint8Array(value);
	if (ArrayBuffer.isView(value)) {
		return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
	}
	return undefined;
}

/** Whether a value is an object with fields. */
export function isPlain(value: unknown): value is Plain {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !binary(value);
}
