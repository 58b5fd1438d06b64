// Reads what arrives under the Socket.IO event name `update` (voice-notification-feed, "Event envelope"). The documents
// show an envelope, a form with everything at the top level (for `num`), and a message that is "an array of two items".
// Providers may wrap, list, flatten, rename or encode any of this, so one walk looks for the objects that name a type
// and an event, and carries along what stands around them.
import type { FeedEvent } from '../types';
import { momentOf, numberOf } from './eventTime';
import { envelopeFields, events, joined, letters, messageFields, statuses, types } from './names';
import { isPlain, opened, type Plain } from './payloadValues';

/** The message of all events that came without one; frozen because they share it. */
const NO_MSG: Readonly<Plain> = Object.freeze({});

/** How deep an event can be nested in lists and wrappers. */
const DEEPEST = 8;

/**
 * Up to this many events of one envelope have the whole envelope as `raw`; if there are more, each has only its own
 * part.
 */
const MOST_WITH_ALL = 20;

/** Other names for the time and the number of an event, as {@link letters}. */
const OTHER_NAMES = new Map<string, 'ts' | 'cpt'>([
	['timestamp', 'ts'],
	['date', 'ts'],
	['datetime', 'ts'],
	['time', 'ts'],
	['counter', 'cpt'],
	['seq', 'cpt'],
	['sequence', 'cpt'],
]);

/** Number and times of an event, which can stand on any level around it. */
interface Head {
	cpt?: unknown;
	elapse?: unknown;
	ts?: number | undefined;
}

/** Fields in their order; a field called `__proto__` is only a field here. */
type Fields = ReadonlyArray<readonly [string, unknown]>;

/** The fields of an object by their meaning. */
interface Parts extends Head {
	/** Undefined if the object is beside the event, not around it. */
	readonly object?: Plain;
	type: string;
	event: string;
	/** The object or list in the field `event`. */
	inner?: unknown;
	msg?: unknown;
	/** All other fields. */
	rest: Fields;
}

/** Type and event, and the fields that name neither. */
interface Kind {
	type: string;
	event: string;
	rest: Fields;
}

/** An event, as it was found. */
interface Found {
	kind: Kind;
	/** The object that names it. */
	own: Parts;
	/** What stands around it and belongs to it, the outermost first. */
	around: readonly Parts[];
}

/**
 * Reads one `update`. Unknown types and events are passed on. If a part is absent, `type` or `event` is '', or `msg` is
 * empty.
 *
 * @param args the arguments of the Socket.IO event
 * @param receivedAt milliseconds since 1970
 * @returns the events in it, in order; none if no object can be found in it. Never throws.
 */
export function readUpdate(args: unknown[], receivedAt: number): FeedEvent[] {
	const documented = args.length === 1 ? readDocumented(args[0], receivedAt) : undefined;
	if (documented) return [documented];
	const found = find(args, [], 0, true);
	return found.map((one) => eventOf(one, receivedAt, found.length <= MOST_WITH_ALL));
}

/** The document's own form, which nearly every event has: what the walk would find. */
function readDocumented(raw: unknown, receivedAt: number): FeedEvent | undefined {
	if (!isPlain(raw) || !isPlain(raw.event)) return undefined;
	const { cpt, elapse, ts } = raw;
	const { type_notification: type, event, msg: given } = raw.event;
	const isWhole =
		Number.isSafeInteger(cpt) && typeof elapse === 'number' && Number.isSafeInteger(ts);
	const isNamed = typeof type === 'string' && types.has(type) && typeof event === 'string';
	if (!isWhole || !isNamed || !events.has(event)) return undefined;
	const hasMore = Object.keys(raw).length > 4 || Object.keys(raw.event).length > 3;
	const msg = hasMore ? undefined : messageIn(given);
	return (
		msg && {
			type,
			event,
			cpt: cpt as number,
			sentCpt: cpt,
			ts: momentOf(ts),
			elapse,
			msg: inDocument(msg),
			further: undefined,
			raw,
			receivedAt,
		}
	);
}

/** @param isTop whether an object without anything of an event counts as an event too */
function find(given: unknown, around: readonly Parts[], depth: number, isTop = false): Found[] {
	const value = opened(given);
	if (depth > DEEPEST) return [];
	if (Array.isArray(value)) return findInList(value, around, depth, isTop);
	return isPlain(value) ? findInObject(value, around, depth, isTop) : [];
}

/** The events of a list. An entry with nothing but a number and times belongs to the events beside it. */
function findInList(
	list: unknown[],
	around: readonly Parts[],
	depth: number,
	isTop: boolean,
): Found[] {
	const heads = list.length > 1 ? list.filter(isHead) : [];
	if (heads.length === 0 || heads.length === list.length)
		return list.flatMap((entry) => find(entry, around, depth + 1, isTop));
	const own = [...around, ...heads.map((head) => ({ ...partsOf(head), object: undefined }))];
	return list
		.filter((entry) => !heads.includes(entry as Plain))
		.flatMap((entry) => find(entry, own, depth + 1, isTop));
}

function isHead(entry: unknown): entry is Plain {
	if (!isPlain(entry)) return false;
	const names = Object.keys(entry).map((key) => envelopeFields.of(key) ?? '');
	return names.length > 0 && names.every((name) => ['cpt', 'elapse', 'ts'].includes(name));
}

/** The event that an object is, or the events inside it. */
function findInObject(
	object: Plain,
	around: readonly Parts[],
	depth: number,
	isTop: boolean,
): Found[] {
	const own = partsOf(object);
	const kind = kindOf(own, around.at(-1)?.type ?? '');
	const itself = { kind, own, around };
	// The document lists no event for some types: a type with a message is enough.
	if (isComplete(itself) || (own.type !== '' && messageIn(own.msg))) return [itself];
	// Only what has something of an event belongs to it; anything else is a wrapper.
	const isPart =
		(own.cpt ?? own.elapse ?? own.ts ?? own.inner) !== undefined || kind.type + kind.event !== '';
	const inside = findInside({ ...own, ...kind }, isPart, around, depth);
	const complete = inside.filter(isComplete);
	if (complete.length > 0) return complete;
	if (inside.length > 0 && kind.event === '') return inside;
	return isTop || isPart || own.msg !== undefined ? [itself] : [];
}

function findInside(own: Parts, isPart: boolean, around: readonly Parts[], depth: number): Found[] {
	const within = (parts: Parts) => (isPart ? [...around, parts] : around);
	const inner = find(own.inner, within(own), depth + 1);
	if (inner.some(isComplete)) return inner;
	return [
		...inner,
		...find(own.msg, within({ ...own, msg: undefined }), depth + 1),
		...own.rest.flatMap((field) => {
			const rest = own.rest.filter((other) => other !== field);
			return findInField(field, within({ ...own, rest }), depth + 1);
		}),
	];
}

/** The events in a field, which can be named after them: `{ queue: { insert_call: { … } } }`. */
function findInField(
	[key, given]: Fields[number],
	around: readonly Parts[],
	depth: number,
): Found[] {
	const value = opened(given);
	const type = types.of(key);
	if (type === undefined || !isPlain(value)) return find(value, around, depth);
	const named = Object.entries(value).flatMap(([name, msg]) => {
		const event = events.of(name);
		if (event === undefined || !isPlain(opened(msg))) return [];
		const own = { object: { [name]: msg }, type, event, msg, rest: [] };
		return [{ kind: own, own, around }];
	});
	return named.length > 0 ? named : find(value, around, depth);
}

const isComplete = ({ kind }: Found) => kind.type !== '' && kind.event !== '';

function partsOf(object: Plain): Parts {
	const rest: Array<[string, unknown]> = [];
	const parts: Parts = { object, type: '', event: '', rest };
	const other: Head = {};
	for (const key in object) {
		const value = object[key];
		const name = envelopeFields.of(key);
		switch (name) {
			case 'cpt':
				parts.cpt ??= value ?? undefined;
				break;
			case 'elapse':
				parts.elapse ??= value ?? undefined;
				break;
			case 'ts':
				parts.ts ??= momentOf(value);
				break;
			case 'type_notification':
				parts.type ||= textOf(value);
				break;
			case 'event': {
				const inner = opened(value);
				if (typeof inner === 'object') parts.inner ??= inner;
				else parts.event ||= textOf(inner);
				break;
			}
			case 'msg':
				parts.msg ??= value;
				break;
			default: {
				rest.push([name ?? key, value]);
				const meaning = OTHER_NAMES.get(letters(key));
				if (meaning === 'ts') other.ts ??= momentOf(value);
				else if (meaning === 'cpt') other.cpt ??= value;
			}
		}
	}
	parts.ts ??= other.ts;
	parts.cpt ??= other.cpt;
	return parts;
}

/**
 * The type and the event that an object names. If a field is missing, values of other fields count if together they are
 * a documented type and event.
 */
function kindOf(parts: Parts, typeAround: string): Kind {
	const type = types.of(parts.type) ?? (parts.type || typeAround);
	const event = events.of(parts.event) ?? parts.event;
	const { rest } = parts;
	const both = events.has(parts.event) ? undefined : joined(parts.event);
	if (both && (type === '' || type === both.type)) return { ...both, rest };
	if (type !== '' && event !== '') return { type, event, rest };
	const kind = { type, event };
	const others = rest.filter(([key, value]) => {
		// The fields of a message have values of their own, except that `type` can be the name of either.
		if (typeof value !== 'string' || (messageFields.of(key) ?? 'type') !== 'type') return true;
		const [namedType, namedEvent] = [types.of(value), events.of(value)];
		const isNew = (!kind.type && namedType) || (!kind.event && namedEvent);
		kind.type ||= joined(value)?.type ?? namedType ?? '';
		kind.event ||= joined(value)?.event ?? namedEvent ?? '';
		return !isNew;
	});
	return types.has(kind.type) && events.has(kind.event)
		? { ...kind, rest: others }
		: { type, event, rest };
}

/** @param withAll whether `raw` is all that belongs to the event */
function eventOf({ kind, own, around }: Found, receivedAt: number, withAll: boolean): FeedEvent {
	const { msg, rest } = messageOf(own, kind.rest, around);
	const levels: Head[] = [
		...around,
		own,
		{ cpt: msg.cpt, elapse: msg.elapse, ts: momentOf(msg.ts) },
	];
	const sentCpt = levels.find(({ cpt }) => cpt !== undefined)?.cpt;
	const cpt = numberOf(sentCpt);
	const further = [...around.flatMap((parts) => parts.rest), ...rest];
	const outermost = around.find(({ object }) => object) ?? own;
	return {
		type: kind.type,
		event: kind.event,
		cpt: cpt !== undefined && Math.abs(cpt) <= Number.MAX_SAFE_INTEGER ? cpt : undefined,
		sentCpt,
		ts: levels.find(({ ts }) => ts !== undefined)?.ts,
		elapse: levels.find(({ elapse }) => elapse !== undefined)?.elapse,
		msg,
		further: further.length > 0 ? Object.fromEntries(further) : undefined,
		raw: (withAll ? outermost : own).object ?? {},
		receivedAt,
	};
}

/** The message of an event, and the fields that belong to neither message nor envelope. */
function messageOf(
	own: Parts,
	rest: Fields,
	around: readonly Parts[],
): { msg: Readonly<Plain>; rest: Fields } {
	const msg = messageIn(own.msg);
	if (msg) return { msg: inDocument(msg), rest };
	// The message is in a field of any name, or its fields stand beside those of the envelope.
	let best = { msg: Object.fromEntries(rest), rest: [] as Fields };
	for (const field of rest) {
		const msg = messageIn(field[1]);
		if (msg && documented(msg) > documented(best.msg))
			best = { msg, rest: rest.filter((other) => other !== field) };
	}
	if (documented(best.msg) > 0) return { ...best, msg: inDocument(best.msg) };
	const beside = around.findLast((parts) => parts.msg !== undefined)?.msg;
	return { msg: inDocument(messageIn(beside) ?? NO_MSG), rest };
}

/** How many fields of a message the document lists. */
function documented(msg: Plain): number {
	return Object.keys(msg).filter((key) => messageFields.of(key) !== undefined).length;
}

/** The object that is a message, or contains nothing but one, such as `{ msg: {…} }`, `{ "7": {…} }` or `[{…}]`. */
function messageIn(given: unknown, depth = 0): Plain | undefined {
	const value = opened(given);
	if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined;
	if (isPlain(value)) {
		for (const key in value) if (messageFields.of(key) !== undefined) return value;
	}
	const entries = Object.values(value) as unknown[];
	const inner = entries.length === 1 ? messageIn(entries[0], depth + 1) : undefined;
	if (!isPlain(value)) return inner;
	return inner && documented(inner) > 0 ? inner : value;
}

/** A message with the document's names; the same object if it has these names already, as is usual. */
function inDocument(given: Readonly<Plain>): Readonly<Plain> {
	let msg = given;
	if ('statut' in msg && isBlank(msg.status)) {
		const { status: _, ...others } = msg;
		msg = others;
	}
	for (const key in msg) {
		const name = nameIn(msg, key);
		if (name === key && valueOf(name, msg[key]) === msg[key]) continue;
		return Object.fromEntries(
			Object.entries(msg).map(([key, value]) => {
				const name = nameIn(msg, key);
				return [name, valueOf(name, value)];
			}),
		);
	}
	return msg;
}

/** The document's name for a field, unless the message already has a field with that name. */
function nameIn(msg: Readonly<Plain>, key: string): string {
	const known = messageFields.of(key) ?? key;
	const name = known === 'statut' ? 'status' : known;
	return name === key || Object.hasOwn(msg, name) ? key : name;
}

/** A status in the document's spelling; an identifier that is sent as an object (`{ id: 7 }`) as its value. */
function valueOf(name: string, value: unknown): unknown {
	if (name === 'status' && typeof value === 'string') return statuses.of(value) ?? value;
	if (!name.startsWith('id_') || !isPlain(value)) return value;
	const id = value.id ?? value.value;
	return typeof id === 'string' || typeof id === 'number' ? id : value;
}

const isBlank = (value: unknown) => (value ?? '') === '';

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? String(value) : '';
}
