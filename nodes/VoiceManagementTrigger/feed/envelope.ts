// Reads what arrives under the Socket.IO event name `update` (voice-notification-feed, "Event envelope").
import type { FeedEvent } from './types';

type Plain = Record<string, unknown>;

/** Shared by all events that came without one, hence frozen. */
const NO_MSG: Readonly<Plain> = Object.freeze({});

/**
 * Reads one `update`. The documents show an envelope and, for `num`, a form with everything at the top
 * level; a message also is "an array of two items". All of these are read, as are JSON text and binary
 * holding JSON text. Unknown types and events, and absent parts, pass: `type`, `event` are then '' and
 * `msg` is empty.
 *
 * @param args the arguments of the Socket.IO event
 * @param receivedAt milliseconds since 1970
 * @returns undefined where no object can be found in it. Never throws.
 */
export function readUpdate(args: unknown[], receivedAt: number): FeedEvent | undefined {
	const raw = findObject(args, 0);
	if (raw === undefined) return undefined;
	const envelope = isPlain(raw.event) ? raw.event : raw;
	return {
		type: text(envelope.type_notification) || text(raw.type_notification),
		event: text(envelope.event),
		cpt: number(raw.cpt),
		ts: number(raw.ts),
		elapse: number(raw.elapse),
		msg: readMsg(envelope.msg) ?? readMsg(raw.msg) ?? NO_MSG,
		raw,
		receivedAt,
	};
}

/** The event object in `value`: itself, beside an 'update', alone in an array, or as JSON text. */
function findObject(value: unknown, depth: number): Plain | undefined {
	if (depth > 4) return undefined;
	if (Array.isArray(value)) {
		// ['update', {…}] and [{…}]: the name of the event, where it is there, comes first.
		const rest: unknown[] = value[0] === 'update' ? value.slice(1) : value;
		return rest.length === 0 ? undefined : findObject(rest[0], depth + 1);
	}
	if (typeof value === 'string') return findObject(parse(value), depth + 1);
	const bytes = binary(value);
	if (bytes !== undefined) return findObject(parse(decode(bytes)), depth + 1);
	return isPlain(value) ? value : undefined;
}

function readMsg(value: unknown): Readonly<Plain> | undefined {
	if (isPlain(value)) return value;
	if (typeof value !== 'string') return undefined;
	const parsed = parse(value);
	return isPlain(parsed) ? parsed : undefined;
}

function parse(value: string): unknown {
	// Anything else can't be an object, and JSON.parse throws slowly on long text.
	if (!/^\s*[[{]/.test(value)) return undefined;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return undefined;
	}
}

function decode(bytes: Uint8Array): string {
	return new TextDecoder('utf-8').decode(bytes);
}

function binary(value: unknown): Uint8Array | undefined {
	if (value instanceof ArrayBuffer) return new Uint8Array(value);
	if (ArrayBuffer.isView(value)) {
		return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
	}
	return undefined;
}

function isPlain(value: unknown): value is Plain {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !binary(value);
}

function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? String(value) : '';
}

function number(value: unknown): number | undefined {
	const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}
