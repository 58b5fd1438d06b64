// Recognizes copies: an event that two connections deliver. They are equal in everything that is not computed while an
// event is sent (times, durations, counters of time), and were sent within a second of each other.
import { createHash } from 'crypto';

import { idText } from '../../../shared/ids';
import { Fifo } from '../fifo';
import { showsSharing } from '../gap';
import type { FeedEvent } from '../types';
import type { Life } from './coverage';

/** How far one connection can lag behind another with its events still recognized as copies. */
const LAG_MS = 15_000;

/** One copy with another number can be a different event that looks the same. */
const MOST_DIFFERENT = 2;

/** If numbers are further apart than this, the two connections do not share a numbering. */
const NEAR = 1_000;

/** How many events with the same content are compared. */
const MOST_COMPARED = 50;

/** What of an event its copies are recognized by. */
type Traits = Pick<FeedEvent, 'type' | 'event' | 'cpt' | 'ts' | 'msg'>;

/** An event that only one connection has delivered so far. */
export interface Lone<Source> {
	readonly source: Source;
	readonly at: number;
	/** The event, if it waits to be passed on; see merge.ts. */
	held: FeedEvent | undefined;
	readonly traits: Traits;
	key: number | string;
	/** Its copy came, or is no longer expected. */
	gone: boolean;
}

/** The events that only one connection has delivered in the last seconds. */
export class Copies<
	Source extends {
		readonly connection: Pick<Life, 'openedAt' | 'aliveAt'>;
		readonly recovered: boolean;
	},
> {
	/** How many copies were found. */
	matched = 0;

	/**
	 * Whether copies have equal numbers. Then only equal numbers make a copy; otherwise equal content does. Unknown until
	 * an event with a number has one copy only. False for good once two different events had one number.
	 */
	sharing: boolean | undefined;

	/** Copies in a row with different numbers. */
	private different = 0;

	/** The content of the event at hand, which is compared, and then kept if there is no copy. */
	private latest?: { traits: Traits; content: string };

	private readonly inOrder = new Fifo<Lone<Source>>();

	private byKey = new Map<number | string, Array<Lone<Source>>>();

	get isEmpty(): boolean {
		return this.inOrder.size === 0;
	}

	/** A new connection may count its own events, whatever was seen of the others. */
	doubtNumbers(): void {
		if (this.isEmpty) this.sharing = undefined;
		else if (this.sharing) this.compareBy(undefined);
	}

	/** Takes the event of another connection of which this one is the copy, if there is one: neither waits any more. */
	match(source: Source, event: FeedEvent): Lone<Source> | undefined {
		// A time in which the process stood still does not count.
		this.forget(source.connection.aliveAt);
		const copy = this.find(source, event);
		if (!copy) return undefined;
		this.remove(copy);
		this.matched++;
		return copy;
	}

	add(source: Source, event: FeedEvent, held: boolean): Lone<Source> {
		const { type, event: kind, cpt, ts, msg } = event;
		const lone: Lone<Source> = {
			source,
			at: event.receivedAt,
			held: held ? event : undefined,
			// In a burst thousands wait, and the garbage collector copies everything that they keep alive.
			traits: { type, event: kind, cpt, ts, msg },
			key: this.keyOf(event),
			gone: false,
		};
		this.inOrder.push(lone);
		this.put(lone);
		return lone;
	}

	/** Those whose copy has not come, in order. */
	all(): Array<Lone<Source>> {
		return this.inOrder.toArray().filter(({ gone }) => !gone);
	}

	/** Forgets events whose copy is not expected any more. @param now what was sent before has arrived */
	forget(now: number): void {
		for (let first = this.inOrder.peek(); first; first = this.inOrder.peek()) {
			if (!first.gone && (first.held || now - first.at < LAG_MS)) return;
			if (!first.gone) this.remove(first);
			this.inOrder.shift();
		}
	}

	private find(source: Source, event: FeedEvent): Lone<Source> | undefined {
		const alike = this.alike(source, event);
		const [first] = alike;
		if (this.sharing && event.cpt !== undefined) {
			if (!first || sameIds(first.traits, event)) return first;
			// Two different events have one number, so each connection counts for itself.
			this.compareBy(false);
			return this.find(source, event);
		}
		if (alike.length === 1) this.learn(first?.traits.cpt, event.cpt);
		return alike.find(({ traits }) => traits.cpt === event.cpt) ?? first;
	}

	/** The events of other connections with the same key that can have been sent at the same time. */
	private alike(source: Source, event: FeedEvent): Array<Lone<Source>> {
		const found: Array<Lone<Source>> = [];
		// Connections deliver in the same order, so the copy is among the first.
		for (const lone of this.byKey.get(this.keyOf(event))?.slice(0, MOST_COMPARED) ?? []) {
			if (lone.source === source || !sameTime(lone.traits, event)) continue;
			// What has arrived before a connection opens is not sent over it, unless the provider continues another one.
			if (!source.recovered && lone.at < source.connection.openedAt) continue;
			if (this.sharing !== undefined || !this.isLater(source, event, lone)) found.push(lone);
		}
		return found;
	}

	/**
	 * Whether an event of the newer connection is a later one that looks the same, if the two share a numbering: its number
	 * and its time are higher. A connection's own count is lower on the newer one.
	 */
	private isLater(source: Source, event: Traits, lone: Lone<Source>): boolean {
		const isNewer = source.connection.openedAt > lone.source.connection.openedAt;
		const [older, newer] = isNewer ? [lone.traits, event] : [event, lone.traits];
		const ahead = (newer.cpt ?? NaN) - (older.cpt ?? NaN);
		const isNear = showsSharing(older.cpt ?? NaN) && ahead > 0 && ahead <= NEAR;
		return isNear && older.ts !== newer.ts;
	}

	private learn(cpt: number | undefined, other: number | undefined): void {
		if (cpt === undefined || other === undefined || this.sharing === false) return;
		this.different = cpt === other ? 0 : this.different + 1;
		if (this.different >= MOST_DIFFERENT) this.compareBy(false);
		else if (cpt === other && showsSharing(cpt)) this.compareBy(true);
	}

	private compareBy(sharing: boolean | undefined): void {
		this.sharing = sharing;
		this.byKey = new Map();
		for (const lone of this.all()) {
			lone.key = this.keyOf(lone.traits);
			this.put(lone);
		}
	}

	private keyOf(traits: Traits): number | string {
		if (this.sharing && traits.cpt !== undefined) return traits.cpt;
		if (this.latest?.traits !== traits) this.latest = { traits, content: copyKeyOf(traits) };
		return this.latest.content;
	}

	private put(lone: Lone<Source>): void {
		const list = this.byKey.get(lone.key);
		if (list) list.push(lone);
		else this.byKey.set(lone.key, [lone]);
	}

	private remove(lone: Lone<Source>): void {
		lone.gone = true;
		const list = this.byKey.get(lone.key) ?? [];
		if (list.length > 1) list.splice(list.indexOf(lone), 1);
		else this.byKey.delete(lone.key);
	}
}

/** Names of fields with a time or a duration: documented ones (`call_duration`, `validity`, …) and similar ones. */
const TIME_NAMES =
	/duration|elaps|time(?!out)|wait|since|age$|date|secs?$|seconds?$|_ms$|delay|stamp|_at$|catchup|validity|expir|remain|ttl|^ts$|position/i;

/** A duration (`1:05`) or a moment (`2026-11-21T12:00:00Z`) in text, whatever its field is called. */
const TIME_TEXT = /^(?:\d{1,2}:\d\d|\d{4}-\d\d-\d\d)/;

/** Parts of a message that are nested deeper are ignored. */
const DEEPEST_COMPARED = 4;

/** Longer keys are kept as a hash, because there can be thousands of them. */
const LONGEST_KEY = 500;

/**
 * The key by which copies of an event are recognized: type, event and identifiers, which are equal in all copies, and
 * all other fields that are not computed while sending.
 */
function copyKeyOf(event: Traits): string {
	const ids: unknown[] = [event.type, event.event];
	const content: unknown[] = [];
	for (const name of Object.keys(event.msg).sort()) {
		const value = event.msg[name];
		if (isId(name)) ids.push(name, idText(value) ?? null);
		else content.push(name, lasting(name, value, 0));
	}
	const key = JSON.stringify(ids);
	return short(key + JSON.stringify(content));
}

/** Whether two events have the same type, event and identifiers, as copies always do. */
function sameIds(a: Traits, b: Traits): boolean {
	if (a.type !== b.type || a.event !== b.event) return false;
	let ids = 0;
	for (const name in a.msg) {
		if (!isId(name)) continue;
		const [value, other] = [a.msg[name], b.msg[name]];
		if (value !== other && (!(name in b.msg) || idText(value) !== idText(other))) return false;
		ids++;
	}
	for (const name in b.msg) {
		if (isId(name)) ids--;
	}
	return ids === 0;
}

/**
 * Whether two events can have been sent at the same time. The provider may set `ts` ("the time at which the event was
 * sent") for each connection, so a second's difference is accepted.
 */
function sameTime(a: Traits, b: Traits): boolean {
	if (a.ts === undefined || b.ts === undefined) return true;
	const second = Math.abs(a.ts) > 1e11 ? 1_000 : 1;
	return Math.abs(a.ts - b.ts) <= second;
}

function isId(name: string): boolean {
	return name === 'id' || name.startsWith('id_');
}

/** A value without the parts that may have been computed while sending. */
function lasting(name: string, value: unknown, depth: number): unknown {
	if (TIME_NAMES.test(name) || (typeof value === 'string' && TIME_TEXT.test(value))) return null;
	if (typeof value === 'bigint') return String(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth >= DEEPEST_COMPARED || ArrayBuffer.isView(value)) return null;
	return Object.keys(value)
		.sort()
		.map((key) => [key, lasting(key, (value as Record<string, unknown>)[key], depth + 1)]);
}

function short(key: string): string {
	return key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64');
}
