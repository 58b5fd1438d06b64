// Decides by content whether two deliveries are copies of one event. Fields that are computed while an event is sent
// (times, durations, counters of time) differ between copies; fields that identify the event do not.
import { createHash } from 'crypto';

import { idText } from '../../../shared/ids';
import type { FeedEvent } from '../types';

/** What of an event its copies are recognised by. */
export type Traits = Pick<FeedEvent, 'type' | 'event' | 'cpt' | 'ts' | 'msg'>;

/** Names of fields with a time or a duration: the document's (`call_duration`, `validity`, …) and similar ones. */
const TIMES =
	/duration|elaps|time(?!out)|wait|since|age$|date|secs?$|seconds?$|_ms$|delay|stamp|_at$|catchup|validity|expir|remain|ttl|^ts$|position/i;

/** A duration (`1:05`) or a moment (`2026-11-21T12:00:00Z`) in text, whatever its field is called. */
const TIME_TEXT = /^(?:\d{1,2}:\d\d|\d{4}-\d\d-\d\d)/;

/**
 * The largest difference between copies in a duration computed while sending, in seconds or milliseconds: the time
 * between the sending of the two.
 */
const LONGEST_DIFFERENCE = 15_000;

/**
 * How many events with the same content are compared: the copy is among the first, because both connections keep the
 * order.
 */
const MOST_COMPARED = 50;

/** Parts of a message that are nested deeper are ignored. */
const DEEPEST = 4;

/** Longer keys are kept as a hash, because there can be thousands of them. */
const LONGEST_KEY = 500;

/**
 * The key by which copies of an event are recognised: type, event and identifiers, which are equal in all copies, and
 * all other fields that are not computed while sending.
 */
export function contentOf(event: Traits): string {
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
export function sameIds(a: Traits, b: Traits): boolean {
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
 * Finds the copy of an event among events with the same content: one with a `ts` at most a second apart and the
 * smallest difference in the computed fields; the first one if several are equally near.
 * @param isPassed whether the other connection has already delivered a later event: then an event is chosen only if
 *   both have a `ts`, and only if no other one fits
 */
export function nearestCopy<E extends { event: Traits }>(
	event: Traits,
	alike: readonly E[],
	isPassed: (entry: E) => boolean,
): E | undefined {
	let nearest: { entry: E; difference: number; passed: boolean } | undefined;
	for (const entry of alike.slice(0, MOST_COMPARED)) {
		const passed = isPassed(entry);
		const timed = event.ts !== undefined && entry.event.ts !== undefined;
		if ((passed && !timed) || !sameTime(event, entry.event)) continue;
		const difference = differenceOf(event.msg, entry.event.msg);
		if (difference > LONGEST_DIFFERENCE) continue;
		const better =
			!nearest ||
			(nearest.passed && !passed) ||
			(nearest.passed === passed && difference < nearest.difference);
		if (better) nearest = { entry, difference, passed };
	}
	return nearest?.entry;
}

/**
 * Whether two events can have been sent at the same time. The operator may set `ts` ("the time at which the event was
 * sent") for each connection, so a second's difference is accepted.
 */
export function sameTime(a: Traits, b: Traits): boolean {
	if (a.ts === undefined || b.ts === undefined) return true;
	const second = Math.abs(a.ts) > 1e11 ? 1_000 : 1;
	return Math.abs(a.ts - b.ts) <= second;
}

/** The largest difference in the computed fields of two messages with the same content. */
function differenceOf(a: Traits['msg'], b: Traits['msg']): number {
	let largest = 0;
	for (const name of Object.keys(a)) {
		const difference = Math.abs(amount(a[name]) - amount(b[name]));
		if (difference > largest && TIMES.test(name)) largest = difference;
	}
	return largest;
}

/** NaN if the value is not a number; such a field is not compared. */
function amount(value: unknown): number {
	return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

function isId(name: string): boolean {
	return name === 'id' || name.startsWith('id_');
}

/** A value without the parts that may have been computed while sending. */
function lasting(name: string, value: unknown, depth: number): unknown {
	if (TIMES.test(name) || (typeof value === 'string' && TIME_TEXT.test(value))) return null;
	if (typeof value === 'bigint') return String(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth >= DEEPEST || ArrayBuffer.isView(value)) return null;
	return Object.keys(value)
		.sort()
		.map((key) => [key, lasting(key, (value as Record<string, unknown>)[key], depth + 1)]);
}

function short(key: string): string {
	return key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64');
}
