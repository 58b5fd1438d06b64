// Checks and converts the values in an `update`, whatever they mean. Pure.
import { boundCrossed, parseJson } from '../../../shared/json';

export type JsonObject = Record<string, unknown>;

/** Limit for the values in one message, which can contain several events: reading more would block n8n for too long. */
export const MOST_VALUES = 10_000;
/** Limit for nesting. An event has a handful of levels; many more would overflow the stack of recursive code. */
export const DEEPEST_EVENT = 2_000;

/** The object or list in JSON text, or in bytes of it; any other value as it is. */
export function fromJson(value: unknown): unknown {
	const bytes = binary(value);
	const text = bytes ? new TextDecoder().decode(bytes) : value;
	if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return value;
	if (boundCrossed(text, MOST_VALUES, DEEPEST_EVENT)) return value;
	try {
		return parseJson(text.trim());
	} catch {
		return value;
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
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !binary(value);
}
