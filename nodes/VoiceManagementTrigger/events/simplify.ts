// Converts an event of the feed to the JSON of an item: `simplified` (envelope and `msg` in one flat object, with the
// provider's own field names) or `raw` (as received). Everything is copied, since events are shared between
// workflows, and a workflow may change its items.

import { isoOf } from './isoDate';
import { idText } from '../../shared/ids';
import type { Directory, FeedEvent } from '../feed/types';

/** A plain JSON object, safe to hand out. */
export type Plain = Record<string, unknown>;

/** Something with an identifier; `name` is null if the login, or the user, gave none. */
export type Named = { id: string; name: string | null };

export type AgentNamed = Named & { groups: Named[] };

/** Names by identifier. */
export type Names = ReadonlyMap<string, { name: string }>;

/** No real event is nested deeper; n8n itself could not store much deeper ones. */
const DEEPEST_COPY = 200;

/** Replaces a value that is nested deeper. */
const TOO_DEEP = '[nested too deeply]';

/** Beyond this, a timestamp can only be in milliseconds (as seconds it would be the year 5138). */
const SECONDS_LIMIT = 100_000_000_000;

const OWN_FIELDS = new Set(['type_notification', 'event', 'cpt', 'ts', 'elapse', 'date']);
const NAME_FIELDS = new Set(['agent', 'trunk', 'pause']);

/** Fields of `msg` that may need another name. */
const MAY_BE_RENAMED = new Set([...OWN_FIELDS, ...NAME_FIELDS, '__proto__']);

/**
 * The flat form: `type_notification`, `event`, `cpt`, `ts`, `elapse`, other top-level fields (`srv`), then every
 * field of `msg` in the order received, then `date` and the resolved names. Identifiers (`id_…`) become text. If the
 * name of a `msg` field is already taken, it becomes `msg_<name>`.
 * @param names session information to resolve `id_operator`, `id_trunk` and a break's `supp` with; without it no
 *   `agent`, `trunk` or `pause` is added
 * @param queueNames names of queues; without them no `queue` is added
 */
export function simplify(event: FeedEvent, names?: Directory, queueNames?: Names): Plain {
	const { type, sentCpt, ts, elapse } = event;
	const withNames = names !== undefined;
	const further = furtherFields(event, withNames);
	const date = isoDate(ts);
	// A single literal on purpose: if these fields were added one by one, V8 would store the object as a hash table,
	// which takes three times as long to build and more memory for as long as the item lives.
	const item: Plain = {
		type_notification: type,
		event: event.event,
		...(sentCpt === undefined ? undefined : { cpt: copy(sentCpt, 1) }),
		...(ts === undefined ? undefined : { ts }),
		...(elapse === undefined ? undefined : { elapse: copy(elapse, 1) }),
		...further,
		...messageFields(event.msg, further, withNames),
		...(date === undefined ? undefined : { date }),
	};
	if (names) addNames(item, event, names);
	if (queueNames) addQueue(item, event, queueNames);
	return item;
}

/** The object as received. */
export function raw(event: FeedEvent): Plain {
	return copy(event.raw, 0) as Plain;
}

/**
 * ISO 8601 of a Unix timestamp in seconds (or in milliseconds, recognized by its size); undefined if it is invalid.
 */
export function isoDate(ts: number | undefined): string | undefined {
	return ts === undefined ? undefined : isoOf(milliseconds(ts));
}

/** Milliseconds since 1970 of a Unix timestamp in seconds, or in milliseconds, recognized by its size. */
export function milliseconds(ts: number): number {
	return Math.abs(ts) < SECONDS_LIMIT ? ts * 1000 : ts;
}

export function agentNamed(id: string, names: Directory): AgentNamed {
	const agent = names.agents.get(id);
	return {
		id,
		name: agent?.name ?? null,
		groups: (agent?.groups ?? []).map((group) => named(group, names.groups)),
	};
}

export function named(id: string, list: Names): Named {
	return { id, name: list.get(id)?.name ?? null };
}

function addNames(item: Plain, { type, event, msg }: FeedEvent, names: Directory): void {
	const agent = idText(msg.id_operator);
	if (agent !== undefined) item.agent = agentNamed(agent, names);
	const trunk = idText(msg.id_trunk);
	if (trunk !== undefined) item.trunk = named(trunk, names.trunks);
	if (type !== 'UI' || (event !== 'pause' && event !== 'unpause')) return;
	// provider.md#message-fields: it is not documented whether `supp` has the break's identifier or its name.
	const supp = idText(msg.supp);
	if (supp === undefined) return;
	const byName = [...names.pauses.values()].find((pause) => pause.name === supp);
	item.pause = !names.pauses.has(supp) && byName ? { ...byName } : named(supp, names.pauses);
}

function addQueue(item: Plain, { msg }: FeedEvent, queueNames: Names): void {
	const queue = idText(msg.id_queue);
	if (queue === undefined) return;
	if (item.queue !== undefined) item.msg_queue = item.queue;
	item.queue = named(queue, queueNames);
}

/** Fields of the envelope beyond the documented ones; undefined if there are none, as is usual. */
function furtherFields({ further }: FeedEvent, withNames: boolean): Plain | undefined {
	if (!further) return undefined;
	const fields: Plain = {};
	for (const key of Object.keys(further)) addField(fields, {}, key, further[key], withNames);
	return fields;
}

/** The fields of `msg` as the item shows them. */
function messageFields(
	msg: Readonly<Plain>,
	further: Readonly<Plain> | undefined,
	withNames: boolean,
): Plain {
	if (!further && !mayBeRenamed(msg)) {
		// Copied at once and then corrected, since most fields need no change. `for … in` reads an object's fields in
		// half the time that a loop over its keys takes; inherited ones are skipped.
		const fields: Plain = { ...msg };
		for (const key in msg) {
			const value = msg[key];
			const shown = shownValue(key, value);
			if (shown !== value && Object.hasOwn(msg, key)) fields[key] = shown;
		}
		return fields;
	}
	const fields: Plain = {};
	for (const key of Object.keys(msg)) {
		addField(fields, further ?? {}, key, msg[key], withNames);
	}
	return fields;
}

function mayBeRenamed(msg: Readonly<Plain>): boolean {
	for (const key in msg) if (MAY_BE_RENAMED.has(key)) return true;
	return false;
}

/** @param others fields that the item has in addition to those of `target` */
function addField(
	target: Plain,
	others: Readonly<Plain>,
	key: string,
	value: unknown,
	withNames: boolean,
): void {
	const taken =
		OWN_FIELDS.has(key) ||
		(withNames && NAME_FIELDS.has(key)) ||
		Object.hasOwn(target, key) ||
		Object.hasOwn(others, key);
	put(target, taken ? `msg_${key}` : key, shownValue(key, value));
}

/** Identifiers as text, everything else copied. */
function shownValue(key: string, value: unknown): unknown {
	if (typeof value === 'string') return value;
	const id = (typeof value === 'number' || typeof value === 'bigint') && key.startsWith('id_');
	return id ? String(value) : copy(value, 1);
}

/** Sets an own field, even if its name is `__proto__`: an assignment would set the prototype. */
function put(target: Plain, key: string, value: unknown): void {
	if (key === '__proto__') {
		Object.defineProperty(target, key, {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	} else {
		target[key] = value;
	}
}

/** A deep copy of JSON. Values that JSON does not have (binary attachments of Socket.IO) become null. */
function copy(value: unknown, depth: number): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (depth > DEEPEST_COPY) return TOO_DEEP;
	if (Array.isArray(value)) return value.map((entry) => copy(entry, depth + 1));
	if (!isPlain(value)) return null;
	// Copied at once and then corrected: most fields are not objects, and this is several times faster.
	const result: Plain = { ...value };
	for (const key in result) {
		const field = result[key];
		if (typeof field !== 'object' || field === null || !Object.hasOwn(result, key)) continue;
		put(result, key, copy(field, depth + 1));
	}
	return result;
}

/** Whether it was made by `{}` or JSON, in any realm: its prototype, if any, is the end of the chain. */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
