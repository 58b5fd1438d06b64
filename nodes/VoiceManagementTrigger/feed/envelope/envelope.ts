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

/** Shared by all events that came without one, hence frozen. */
const NO_MSG: Readonly<Plain> = Object.freeze({});

/** Lists and wrappers around an event, at most. */
const DEEPEST = 8;

/** So many events of one envelope have all of it as their raw form; of more, each has its own part. */
const MOST_WITH_ALL = 20;

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
		const event = eventOf(only, only, inside, receivedAt);
		return isNamed(event) ? [event] : looselyOr([event], args, receivedAt);
	}
	const found = findObjects(args, 0).flatMap((raw) => readObject(raw, receivedAt));
	const isRead = found.length > 0 && found.every((event) => isNamed(event) && event.msg !== NO_MSG);
	return isRead ? found : looselyOr(found, args, receivedAt);
}

/** What was found, unless there are as many events that the document surely has. */
function looselyOr(found: FeedEvent[], args: unknown[], receivedAt: number): FeedEvent[] {
	const told = found.filter(({ type, event }) => type !== '' || event !== '');
	const loose = findLooseEvents(args).map(({ raw, documented }) =>
		eventOf(raw, documented, documented.event as Plain, receivedAt),
	);
	const isSame = loose.length >= told.length && loose.every((event, at) => spells(told[at], event));
	return loose.length > 0 && isSame ? loose : found;
}

/**
 * Whether what an event is called can be this event of the document: `queues`, `queue.insert_call`. An event of the
 * operator's own may hold the name of another one.
 */
function spells(told: FeedEvent | undefined, { type, event }: FeedEvent): boolean {
	if (!told || told.type === '' || told.event === '') return true;
	const words = letters(`${told.type} ${told.event}`);
	return words.includes(letters(type)) && words.includes(letters(event));
}

/** Whether the document has this type and this event. */
const isNamed = ({ type, event }: FeedEvent) => typeNames.has(type) && eventNames.has(event);

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
		return eventOf(listed.length > MOST_WITH_ALL ? one : raw, shown, inside, receivedAt);
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

function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? String(value) : '';
}
