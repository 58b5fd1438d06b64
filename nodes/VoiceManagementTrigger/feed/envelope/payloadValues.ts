// Checks and converts the values in an `update`, whatever they mean. Pure.
import { boundCrossed, withoutGuard } from '../../../shared/json';

export type Plain = Record<string, unknown>;

/** Limit for the values in one message, which can contain several events: reading more would block n8n for too long. */
export const MOST_VALUES = 10_000;
/** Limit for nesting. An event has a handful of levels; many more would overflow the stack of recursive code. */
export const DEEPEST_EVENT = 2_000;

/**
 * Parses JSON text that contains an object or a list. The text can be behind a guard (`)]}',`), in a function call
 * (JSONP), or encoded as a JSON string once more.
 * @returns undefined for any other text, and for text that is too complex to be an event
 */
export function parse(value: string): unknown {
	const text = withoutGuard(value);
	// No other text can contain an object, and JSON.parse is slow to fail on long text.
	if (!/^[\s\ufeff]{0,9}["[{]/.test(text) || boundCrossed(text, MOST_VALUES, DEEPEST_EVENT))
		return undefined;
	try {
		// trim() also removes a byte order mark; a program in C may send the terminating null character.
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
