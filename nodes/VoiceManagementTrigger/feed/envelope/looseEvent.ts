// Finds events in a form of the operator's own, by the documented types and events, wherever they stand. Used only if
// envelope.ts does not find the documented form in any spelling. Pure; depth and size are limited.
import { wordSet, wordsOf } from '../../../shared/words';
import { eventNames, isMessageField, letters, typeNames } from './documentNames';
import { momentOf, numberOf } from './eventTime';
import { decode, isPlain, parse, binary, type Plain } from './payloadValues';

/** Limits for the nesting around an event, and for the entries that are read on each level. */
const DEEPEST = 8;
const WIDEST = 1_000;
/** Longer text is neither a type nor an event. */
const LONGEST_KIND = 80;

/**
 * Names of fields that can contain a type or an event, as {@link letters}; a value counts only if the document lists
 * it.
 */
const KINDS = wordSet(
	`typenotification notificationtype typenotif notiftype notification category source domain topic channel type
	event eventname nameevent eventtype typeevent action kind name verb subtype`,
);
const MESSAGES = wordsOf(
	'msg message data params parameters payload content body details fields attributes values info',
);
const MOMENTS = wordSet('ts timestamp date datetime time moment at sentat createdat occurredat');
const COUNTERS = wordSet('cpt counter seq sequence');

/** `queueinsertcall`: type and event in one word. */
const JOINED = new Map(
	typeNames.all.flatMap((type) =>
		eventNames.all.map((event) => [letters(`${type}${event}`), { type, event }] as const),
	),
);
const PLURALS = new Map(typeNames.all.map((type) => [letters(`${type}s`), type]));

/** Values that stand around an event and belong to it. */
interface Head {
	cpt?: number;
	ts?: number;
	elapse?: number;
	type?: string;
}

/** An event that was found. */
export interface LooseEvent {
	/** The object that contains type and event. */
	raw: Plain;
	/** In the document's form. */
	documented: Plain;
}

/** The events in the arguments of one `update`, in order. Never throws. */
export function findLooseEvents(args: unknown[]): LooseEvent[] {
	const found: LooseEvent[] = [];
	collect(args, {}, 0, found);
	const [only] = args.filter(isPlain);
	const [first] = found;
	return first && only && args.length === 1 && found.length === 1
		? [{ ...first, raw: only }]
		: found;
}

function collect(value: unknown, head: Head, depth: number, found: LooseEvent[]): void {
	if (depth > DEEPEST || found.length >= WIDEST) return;
	if (Array.isArray(value)) return collectList(value, head, depth, found);
	if (typeof value === 'string') {
		const read = parse(value);
		if (read !== undefined) collect(read, head, depth + 1, found);
		return;
	}
	const bytes = binary(value);
	if (bytes !== undefined) return collect(decode(bytes), head, depth + 1, found);
	if (!isPlain(value)) return;
	const own = { ...head, ...headOf(value) };
	const { type = own.type, event } = kindOf(value);
	if (type !== undefined && event !== undefined) {
		found.push({ raw: value, documented: inDocument(own, type, event, messageOf(value)) });
		return;
	}
	for (const [key, entry] of Object.entries(value).slice(0, WIDEST)) {
		const named = typeNames.known(key);
		if (named !== undefined && isPlain(entry)) collectByName(named, entry, own, found);
		else collect(entry, type === undefined ? own : { ...own, type }, depth + 1, found);
	}
}

/**
 * Collects the events of a list. An entry that is not an event can contain values that belong to the events beside it.
 */
function collectList(list: unknown[], head: Head, depth: number, found: LooseEvent[]): void {
	const shared = list
		.slice(0, WIDEST)
		.filter(isPlain)
		.filter((entry) => !Object.values(entry).some((field) => typeof field === 'object'))
		.filter((entry) => kindOf(entry).event === undefined)
		.map(headOf);
	const own: Head = Object.assign({}, head, ...shared) as Head;
	for (const entry of list.slice(0, WIDEST)) collect(entry, own, depth + 1, found);
}

/** Collects the events of `{ queue: { insert_call: { … } } }`. */
function collectByName(type: string, events: Plain, head: Head, found: LooseEvent[]): void {
	for (const [key, msg] of Object.entries(events).slice(0, WIDEST)) {
		const event = eventNames.known(key);
		if (event === undefined) continue;
		const raw = { [key]: msg };
		found.push({ raw, documented: inDocument(head, type, event, readRecord(msg) ?? {}) });
	}
}

function inDocument({ cpt, ts, elapse }: Head, type: string, event: string, msg: Plain): Plain {
	return { cpt, ts, elapse, event: { type_notification: type, event, msg } };
}

/** The number and the times in an object, under any of their known names. */
export function headOf(object: Plain): Head {
	const head: Head = {};
	for (const [key, value] of Object.entries(object)) {
		const name = letters(key);
		if (MOMENTS.has(name)) head.ts ??= momentOf(value);
		else if (COUNTERS.has(name)) head.cpt ??= numberOf(value);
		else if (name === 'elapse') head.elapse ??= numberOf(value);
	}
	return head;
}

/** The documented type and event that an object contains, under any of the names in KINDS. */
function kindOf(object: Plain): { type?: string; event?: string } {
	let type: string | undefined;
	let event: string | undefined;
	for (const [key, value] of Object.entries(object)) {
		if (typeof value !== 'string' || value.length > LONGEST_KIND) continue;
		if (!KINDS.has(letters(key))) continue;
		const joined = JOINED.get(letters(value.replaceAll(':', '.')));
		if (joined) return joined;
		type ??= typeNames.known(value) ?? PLURALS.get(letters(value));
		event ??= eventNames.known(value);
	}
	return { ...(type === undefined ? {} : { type }), ...(event === undefined ? {} : { event }) };
}

/** The message of an event: in a field of its own, or in the fields beside type and event. */
function messageOf(object: Plain): Plain {
	const fields = Object.entries(object);
	for (const name of MESSAGES) {
		const field = fields.find(([key]) => letters(key) === name);
		const record = field && readRecord(field[1]);
		if (record !== undefined) return record;
	}
	const beside = Object.fromEntries(fields.filter(([key]) => isMessageField(key)));
	if (Object.keys(beside).length > 0) return beside;
	// A field of any other name is the message if it contains documented message fields.
	const records = fields
		.map(([, value]) => readRecord(value))
		.filter((record) => record !== undefined);
	return records.find((record) => Object.keys(record).some(isMessageField)) ?? {};
}

/**
 * Reads an object that is sent as an object, as JSON text or bytes of it, as the only entry of a list, or as a list of
 * names and values.
 */
export function readRecord(value: unknown, depth = 0): Plain | undefined {
	if (depth > DEEPEST) return undefined;
	if (typeof value === 'string') return readRecord(parse(value), depth + 1);
	const bytes = binary(value);
	if (bytes !== undefined) return readRecord(parse(decode(bytes)), depth + 1);
	if (isPlain(value)) return value;
	if (!Array.isArray(value) || value.length === 0 || value.length > WIDEST) return undefined;
	const pairs = value.map(pairOf).filter((pair) => pair !== undefined);
	if (pairs.length === value.length) return Object.fromEntries(pairs);
	return value.length === 1 ? readRecord(value[0], depth + 1) : undefined;
}

/** Reads a name with its value: `{ name: 'id_call', value: 7 }` or `['id_call', 7]`. */
function pairOf(entry: unknown): [string, unknown] | undefined {
	if (Array.isArray(entry)) {
		const [key, field, ...more] = entry as unknown[];
		return typeof key === 'string' && more.length === 0 ? [key, field] : undefined;
	}
	if (!isPlain(entry) || !('value' in entry) || Object.keys(entry).length !== 2) return undefined;
	const key = entry.name ?? entry.key;
	return typeof key === 'string' ? [key, entry.value] : undefined;
}
