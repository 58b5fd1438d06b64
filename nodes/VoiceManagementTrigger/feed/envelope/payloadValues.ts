// Checks and converts the values in an `update`, whatever they mean. Pure.
import { boundCrossed, parseJson } from '../../../shared/json';

export type Plain = Record<string, unknown>;

/** Limit for the values in one message, which can contain several events: reading more would block n8n for too long. */
export const MOST_VALUES = 10_000;
/** Limit for nesting. An event has a handful of levels; many more would overflow the stack of recursive code. */
export const DEEPEST_EVENT = 2_000;

/** The object or list in JSON text, or in bytes of it; any other value as it is. */
export function opened(value: unknown): unknown {
	const bytes = binary(value);
	const text = bytes ? new TextDecoder().decode(bytes) : value;
	if (typeof text !== 'string') return value;
	// What stands around the JSON, such as a byte order mark, a guard (`)]}',`) or a call, has none of these signs.
	const [from, to] = [text.search(/[[{]/), Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))];
	if (from < 0 || to < from || boundCrossed(text, MOST_VALUES, DEEPEST_EVENT)) return value;
	// JSON text can be encoded as a JSON string once more.
	const read = parsed(text.trim().startsWith('"') ? text : text.slice(from, to + 1));
	return typeof read === 'object' && read !== null
		? read
		: typeof read === 'string'
			? opened(read)
			: value;
}

function parsed(json: string): unknown {
	try {
		return parseJson(json);
	} catch {
		return undefined;
	}
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
