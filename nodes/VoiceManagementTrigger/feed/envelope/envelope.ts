// Reads what arrives under the Socket.IO event name `update` (provider.md#envelope): the envelope, the form of `num` with
// everything at the top level, the array of `update` and the object, JSON text of these, and lists of them. What an event
// has beyond that is passed on as it came, and described for the log (provider.md#not-understood).
import { idText } from '../../../shared/ids';
import { beginningOf, typesIn } from '../../../shared/shown';
import { EVENT_KINDS, STATUSES } from '../../events/kinds';
import { isPlausible } from '../clock';
import type { FeedEvent } from '../types';
import { isJsonObject, fromJson, type JsonObject } from './payloadValues';

/** The message of all events that came without one; frozen because they share it. */
const NO_MSG: Readonly<JsonObject> = Object.freeze({});

/** How deep lists of events can be nested: `update` has a list of arguments, each can be the array of two. */
const DEEPEST_LIST = 4;

const HEAD = new Set(['cpt', 'elapse', 'ts', 'event']);
const KIND = new Set(['type_notification', 'event', 'msg']);
/** The form of `num`: `srv` is documented beside them, and a field of the item like any other. */
const TOP = new Set([...HEAD, ...KIND]);
const SERVER = 'srv';
const STATUS_VALUES = new Set<string>(STATUSES.map(({ value }) => value));
/** By type and event: the identifiers of what such an event is about. */
const IDS_BY_KIND = new Map<string, Map<string, string[]>>();
for (const { type, event, fields } of EVENT_KINDS) {
	const ids = fields.filter((name) => name.startsWith('id_') && name !== 'id_client');
	IDS_BY_KIND.set(type, (IDS_BY_KIND.get(type) ?? new Map<string, string[]>()).set(event, ids));
}

/**
 * Reads one `update`. Unknown types and events are passed on. If a part is absent, `type` or `event` is '', or `msg` is
 * empty.
 * @param args the arguments of the Socket.IO event
 * @param receivedAt milliseconds since 1970
 * @returns the events in it, in order; none if there is no object. Never throws.
 */
export function readUpdate(args: readonly unknown[], receivedAt: number): FeedEvent[] {
	const found: JsonObject[] = [];
	const isWhole = addObjectsIn(args, found, 0);
	return found.map((raw, at) =>
		eventOf(raw, receivedAt, at === 0 && !isWhole ? 'something beside it is no event' : undefined),
	);
}

/** Adds the objects in a list. @returns whether there is nothing else in it */
function addObjectsIn(list: readonly unknown[], found: JsonObject[], depth: number): boolean {
	let isWhole = true;
	for (const entry of list) {
		const value = fromJson(entry);
		if (isJsonObject(value)) found.push(value);
		else if (Array.isArray(value) && depth < DEEPEST_LIST)
			isWhole = addObjectsIn(value, found, depth + 1) && isWhole;
		// A function acknowledges the message.
		else if (value !== 'update' && typeof value !== 'function') isWhole = false;
	}
	return isWhole;
}

/** @param beside what is odd about the message around it */
function eventOf(raw: JsonObject, receivedAt: number, beside: string | undefined): FeedEvent {
	const envelope = fromJson(raw.event);
	const inner = isJsonObject(envelope) ? envelope : raw;
	const [cpt, given] = [finiteNumberIn(raw.cpt), fromJson(inner.msg)];
	const event = {
		type: textOf(inner.type_notification),
		event: textOf(inner.event),
		cpt: Number.isSafeInteger(cpt) ? cpt : undefined,
		sentCpt: raw.cpt ?? undefined,
		ts: timeOf(raw.ts),
		elapse: raw.elapse ?? undefined,
		msg: isJsonObject(given) ? inDocument(given) : NO_MSG,
		further: furtherIn(raw, inner, given),
		raw,
		receivedAt,
		odd: beside,
	};
	// Set later: a copy of the event with one more field would take as long as all else that is done with it.
	event.odd ??= oddIn(event, cpt, given);
	return event;
}

/** The first thing about an event that is not documented. @param given its message, as received */
function oddIn(read: FeedEvent, cpt: number | undefined, given: unknown): string | undefined {
	const { type, event, msg, raw, ts, further } = read;
	const isUnknown = 'is not documented';
	if (type === '') return 'there is no "type_notification"';
	const events = IDS_BY_KIND.get(type);
	if (!events) return `the type ${inQuotes(type)} ${isUnknown}`;
	// If no event of this type is documented, all are equal.
	if (!events.has(event) && !events.has(''))
		return event === ''
			? 'there is no "event"'
			: `the event ${inQuotes(`${type} ${event}`)} ${isUnknown}`;
	if (!isJsonObject(given) && !isAbsent(given)) return `"msg" is no object, but ${typesIn(given)}`;
	const ids = events.get(event) ?? [];
	if (ids.length > 0 && ids.every((name) => idText(msg[name]) === undefined))
		return `${inQuotes(`${type} ${event}`)} has none of ${ids.join(', ')}`;
	const { status = '' } = msg;
	if (typeof status === 'string' && status !== '' && !STATUS_VALUES.has(status))
		return `the status ${inQuotes(status)} ${isUnknown}`;
	if (cpt === undefined && !isAbsent(raw.cpt)) return '"cpt" is no number';
	if (ts === undefined && !isAbsent(raw.ts)) return '"ts" is no time';
	const field = further && Object.keys(further).find((key) => key !== SERVER && key !== 'msg');
	return field === undefined
		? undefined
		: `the field ${inQuotes(field)} of the envelope ${isUnknown}`;
}

const isAbsent = (value: unknown) => (value ?? '') === '';

/** The fields beside message and envelope, and a message that is no object; undefined if there are none, as is usual. */
function furtherIn(
	raw: JsonObject,
	inner: JsonObject,
	given: unknown,
): Readonly<JsonObject> | undefined {
	const further: Array<[string, unknown]> = [];
	if (!isJsonObject(given) && !isAbsent(given)) further.push(['msg', given]);
	const known = inner === raw ? TOP : HEAD;
	for (const name in raw) if (!known.has(name)) further.push([name, raw[name]]);
	if (inner !== raw)
		for (const name in inner) if (!KIND.has(name)) further.push([name, inner[name]]);
	return further.length > 0 ? Object.fromEntries(further) : undefined;
}

/** A message in which the status has one name (provider.md#message-fields). */
function inDocument(msg: JsonObject): Readonly<JsonObject> {
	if (!('statut' in msg) || (msg.status ?? '') !== '') return msg;
	const { statut, ...others } = msg;
	return { ...others, status: statut };
}

const inQuotes = (text: string) => `"${beginningOf(text)}"`;

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? String(value) : '';
}

/** A number, or text of one. */
function finiteNumberIn(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A Unix timestamp in seconds or milliseconds, as it came. A provider that sends 0 or the year 9999 has no time. */
function timeOf(value: unknown): number | undefined {
	const time = finiteNumberIn(value);
	return time !== undefined && (isPlausible(time * 1000) || isPlausible(time)) ? time : undefined;
}
