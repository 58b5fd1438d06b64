// Reads what arrives under the Socket.IO event name `update` (voice-notification-feed, "Event envelope").
import {
	documentName,
	eventNames,
	isEnvelopeField,
	isMessageField,
	readableMessage,
	typeNames,
	withDocumentNames,
} from './documentNames';
import type { FeedEvent } from './types';

type Plain = Record<string, unknown>;

/** Shared by all events that came without one, hence frozen. */
const NO_MSG: Readonly<Plain> = Object.freeze({});

/** Lists and wrappers around an event, at most. */
const DEEPEST = 4;

/** An ISO 8601 moment; without a zone it is taken for UTC, as a Unix timestamp is. */
const ISO_MOMENT =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Reads one `update`. The documents show an envelope and, for `num`, a form with everything at the top
 * level; a message also is "an array of two items". All of these are read, as are JSON text and binary
 * holding JSON text, several objects in one `update`, fields and values in another letter case, and `cpt`, `ts` and
 * `elapse` on either level. Unknown types and events, and absent parts, pass: `type`, `event` are then '' and
 * `msg` is empty.
 *
 * @param args the arguments of the Socket.IO event
 * @param receivedAt milliseconds since 1970
 * @returns the events in it, in order; none if no object can be found in it. Never throws.
 */
export function readUpdate(args: unknown[], receivedAt: number): FeedEvent[] {
	// Nearly every event comes as the document shows it: nothing has to be looked for then.
	const only = args.length === 1 ? args[0] : undefined;
	if (isPlain(only) && isDocumented(only)) {
		const inside = isPlain(only.event) ? only.event : undefined;
		return [eventOf(only, only, inside, receivedAt)];
	}
	return findObjects(args, 0).flatMap((raw) => readObject(raw, receivedAt));
}

/** Whether an object has everything that the document puts there, under its own names, in either of its two forms. */
function isDocumented(object: Plain): boolean {
	const { event } = object;
	if (typeof event === 'string') {
		return object.msg !== undefined && object.type_notification !== undefined;
	}
	return (
		isPlain(event) &&
		event.msg !== undefined &&
		event.type_notification !== undefined &&
		event.event !== undefined &&
		object.cpt !== undefined &&
		object.ts !== undefined &&
		object.elapse !== undefined
	);
}

/** The event objects in `value`: itself, beside an 'update', in a list or a wrapper, or as JSON text. */
function findObjects(value: unknown, depth: number): Plain[] {
	if (depth > DEEPEST) return [];
	if (Array.isArray(value)) {
		// ['update', {…}] and [{…}, {…}]: the name of the event, if it is there, comes first and is no object.
		return value.length === 1
			? findObjects(value[0], depth + 1)
			: value.flatMap((entry: unknown) => findObjects(entry, depth + 1));
	}
	if (typeof value === 'string') return findObjects(parse(value), depth + 1);
	const bytes = binary(value);
	if (bytes !== undefined) return findObjects(parse(decode(bytes)), depth + 1);
	if (!isPlain(value)) return [];
	if (isEvent(value)) return [value];
	const wrapped = Object.values(value)
		.flatMap((entry) => findObjects(entry, depth + 1))
		.filter(isEvent);
	return wrapped.length > 0 ? wrapped : [value];
}

/** Whether an object has a field of the envelope; one that has none may be a wrapper such as `{ data: {…} }`. */
function isEvent(object: Plain): boolean {
	for (const key in object) if (isEnvelopeField(documentName(key))) return true;
	return false;
}

/** The event of an object, or the several events that its `event` lists. */
function readObject(raw: Plain, receivedAt: number): FeedEvent[] {
	const received = withDocumentNames(raw);
	const { event } = received;
	const listed = typeof event === 'string' ? findObjects(parse(event), 1) : findObjects(event, 1);
	if (listed.length === 0) return [eventOf(raw, received, undefined, receivedAt)];
	return listed.map((one) => {
		const inside = withDocumentNames(one);
		const shown = inside === event ? received : { ...received, event: inside };
		return eventOf(raw, shown, inside, receivedAt);
	});
}

/**
 * @param received `raw` under the document's names
 * @param inside the object in its `event`, likewise, if there is one
 */
function eventOf(
	raw: Plain,
	received: Readonly<Plain>,
	inside: Readonly<Plain> | undefined,
	receivedAt: number,
): FeedEvent {
	const envelope = inside ?? received;
	const found = readMsg(envelope.msg) ?? readMsg(received.msg);
	const flat = found === undefined ? readFlat(envelope) : undefined;
	const msg = found ?? flat?.msg ?? NO_MSG;
	const rest = flat && inside ? { ...received, event: flat.rest } : flat?.rest;
	const renamed = rest ?? received;
	return {
		type: typeNames.of(text(envelope.type_notification) || text(received.type_notification)),
		event: eventNames.of(text(envelope.event)),
		cpt: number(received.cpt) ?? number(envelope.cpt) ?? number(msg.cpt),
		ts: timestamp(received.ts) ?? timestamp(envelope.ts) ?? timestamp(msg.ts),
		elapse: number(received.elapse) ?? number(envelope.elapse) ?? number(msg.elapse),
		msg,
		raw,
		renamed: renamed === raw ? undefined : renamed,
		receivedAt,
	};
}

function readMsg(value: unknown): Readonly<Plain> | undefined {
	const object = typeof value === 'string' ? parse(value) : value;
	return isPlain(object) ? readableMessage(object) : undefined;
}

/** The fields of a message that stand among those of the envelope; undefined if none do. */
function readFlat(
	envelope: Readonly<Plain>,
): { msg: Readonly<Plain>; rest: Readonly<Plain> } | undefined {
	const all = Object.entries(envelope);
	if (!all.some(([key]) => isMessageField(key))) return undefined;
	return {
		msg: readableMessage(Object.fromEntries(all.filter(([key]) => !isEnvelopeField(key)))),
		rest: Object.fromEntries(all.filter(([key]) => isEnvelopeField(key))),
	};
}

function parse(value: string): unknown {
	// Anything else can't be an object, and JSON.parse throws slowly on long text.
	if (!/^\s*[[{]/.test(value)) return undefined;
	try {
		return JSON.parse(value.trim()) as unknown;
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

/** A Unix timestamp: a number as it is, in text as well, and an ISO 8601 moment in seconds. */
function timestamp(value: unknown): number | undefined {
	const read = number(value);
	if (read !== undefined || typeof value !== 'string') return read;
	const [, day, time, zone = 'Z'] = ISO_MOMENT.exec(value.trim()) ?? [];
	if (day === undefined) return undefined;
	const moment = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
	return Number.isNaN(moment) ? undefined : moment / 1000;
}
