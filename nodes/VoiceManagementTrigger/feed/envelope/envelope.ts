// Reads what arrives under the Socket.IO event name `update` (voice-notification-feed, "Event envelope").
import {
	documentName,
	eventNames,
	isEnvelopeField,
	isMessageField,
	letters,
	readableMessage,
	typeNames,
	withDocumentNames,
} from './documentNames';
import { findLooseEvents, headOf, readRecord } from './looseEvent';
import { momentOf, numberOf } from './eventTime';
import type { FeedEvent } from '../types';
import { binary, decode, isPlain, parse, type Plain } from './payloadValues';

/** The message of all events that came without one; frozen because they share it. */
const NO_MSG: Readonly<Plain> = Object.freeze({});

/** How deep an event can be nested in lists and wrappers. */
const DEEPEST = 8;

/**
 * Up to this many events of one envelope have the whole envelope as `raw`; if there are more, each has only its own
 * part.
 */
const MOST_WITH_ALL = 20;

/**
 * Reads one `update`. The documents show an envelope, a form with everything at the top level (for `num`), and a
 * message that is "an array of two items". All of these are read, and also JSON text, bytes of JSON text, several
 * objects in one `update`, fields and values in another letter case, and `cpt`, `ts` and `elapse` on either level.
 * Unknown types and events are passed on. If a part is absent, `type` or `event` is '', or `msg` is empty.
 *
 * @param args the arguments of the Socket.IO event
 * @param receivedAt milliseconds since 1970
 * @returns the events in it, in order; none if no object can be found in it. Never throws.
 */
export function readUpdate(args: unknown[], receivedAt: number): FeedEvent[] {
	// Nearly every event has the documented form, so that no search is needed.
	const only = args.length === 1 ? args[0] : undefined;
	if (isPlain(only) && isDocumented(only)) {
		const inside = isPlain(only.event) ? only.event : undefined;
		const event = eventOf(only, only, inside, receivedAt);
		return isNamed(event) ? [event] : looselyOr([event], args, receivedAt);
	}
	const found = findObjects(args, 0).flatMap((raw) => readObject(raw, receivedAt));
	const isRead = found.length > 0 && found.every((event) => isNamed(event) && event.msg !== NO_MSG);
	return isRead ? found : looselyOr(found, args, receivedAt);
}

/**
 * The documented events that a search finds, if they account for all of `found` that has a type or an event; otherwise
 * `found`.
 */
function looselyOr(found: FeedEvent[], args: unknown[], receivedAt: number): FeedEvent[] {
	const told = found.filter(({ type, event }) => type !== '' || event !== '');
	const loose = findLooseEvents(args).map(({ raw, documented }) =>
		eventOf(raw, documented, documented.event as Plain, receivedAt),
	);
	const isSame = loose.length >= told.length && loose.every((event, at) => spells(told[at], event));
	return loose.length > 0 && isSame ? loose : found;
}

/**
 * Whether the type and event of `told` contain those of a documented event (`queues`, `queue.insert_call`), or are not
 * complete. Otherwise it is an event of the operator's own, in which a documented name merely occurs.
 */
function spells(told: FeedEvent | undefined, { type, event }: FeedEvent): boolean {
	if (!told || told.type === '' || told.event === '') return true;
	const words = letters(`${told.type} ${told.event}`);
	return words.includes(letters(type)) && words.includes(letters(event));
}

/** Whether the document has this type and this event. */
const isNamed = ({ type, event }: FeedEvent) => typeNames.has(type) && eventNames.has(event);

/** Whether an object has all documented fields, under their documented names, in one of the document's two forms. */
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

/** The event objects in `value`: itself, or those in a list (also after 'update'), in a wrapper or in JSON text. */
function findObjects(value: unknown, depth: number): Plain[] {
	if (depth > DEEPEST) return [];
	if (Array.isArray(value)) {
		// ['update', {…}] and [{…}, {…}]: a leading event name is not an object, so it yields nothing.
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

/** The event in an object, or several if its `event` lists them. */
function readObject(raw: Plain, receivedAt: number): FeedEvent[] {
	const received = withDocumentNames(raw);
	const { event } = received;
	const listed = typeof event === 'string' ? findObjects(parse(event), 1) : findObjects(event, 1);
	if (listed.length === 0) return [eventOf(raw, received, undefined, receivedAt)];
	return listed.map((one) => {
		const inside = withDocumentNames(one);
		const shown = inside === event ? received : { ...received, event: inside };
		return eventOf(listed.length > MOST_WITH_ALL ? one : raw, shown, inside, receivedAt);
	});
}

/**
 * @param received `raw` with the document's field names
 * @param inside the object in its field `event`, with the document's field names too, if there is one
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
		cpt: numberOf(received.cpt) ?? numberOf(envelope.cpt) ?? numberOf(msg.cpt),
		ts: momentOf(received.ts) ?? momentOf(envelope.ts) ?? momentOf(msg.ts) ?? headOf(received).ts,
		elapse: numberOf(received.elapse) ?? numberOf(envelope.elapse) ?? numberOf(msg.elapse),
		msg,
		raw,
		renamed: renamed === raw ? undefined : renamed,
		receivedAt,
	};
}

function readMsg(value: unknown): Readonly<Plain> | undefined {
	const object = readRecord(value);
	return object && readableMessage(object);
}

/** Separates message fields from the envelope's fields beside them; undefined if there are no message fields. */
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

function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? String(value) : '';
}
