// Whether two deliveries are copies of one event, by what they contain. What is computed while an event is sent (times,
// durations, counters of time) differs between the copies; what identifies the event does not.
import { createHash } from 'crypto';

import { idText } from '../../../shared/ids';
import type { FeedEvent } from '../types';

/** Names of fields that hold a time or a duration: the document's (`call_duration`, `validity`, …) and their like. */
const TIMES =
	/duration|elaps|time(?!out)|wait|since|age$|date|secs?$|seconds?$|_ms$|delay|stamp|_at$|catchup|validity|expir|remain|ttl|^ts$|position/i;

/** A duration (`1:05`) or a moment (`2026-11-21T12:00:00Z`) in text, whatever its field is called. */
const TIME_TEXT = /^(?:\d{1,2}:\d\d|\d{4}-\d\d-\d\d)/;

/** Between the copies of one event, a duration computed while sending differs by their lag (seconds or milliseconds). */
const LONGEST_DIFFERENCE = 15_000;

/** Alike events that are looked at: the right one is among the first, since both connections keep the order. */
const MOST_COMPARED = 50;

/** Deeper parts of a message are not looked at. */
const DEEPEST = 4;

/** Longer keys are kept as a hash, since thousands of them may be remembered. */
const LONGEST_KEY = 500;

/**
 * What an event is recognised by: type, event and identifiers, which are equal in any two copies, and everything else that is
 * not computed while sending.
 */
export function contentOf(event: FeedEvent): string {
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

/** Whether two events have the same type, event and identifiers, as any two copies have. */
export function sameIds(a: FeedEvent, b: FeedEvent): boolean {
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
 * The copy of an event among events with the same content: one of the same second whose computed fields are nearest,
 * the first of them if several are.
 * @param isPassed whether the other connection has already brought what came after it. Then only its time can tell.
 */
export function nearestCopy<E extends { event: FeedEvent }>(
	event: FeedEvent,
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

/** "The time at which the event was sent" may be stamped for each connection: a second's difference is nothing. */
export function sameTime(a: FeedEvent, b: FeedEvent): boolean {
	if (a.ts === undefined || b.ts === undefined) return true;
	const second = Math.abs(a.ts) > 1e11 ? 1_000 : 1;
	return Math.abs(a.ts - b.ts) <= second;
}

/** How far the numbers of two messages with the same content are apart, the largest difference of all fields. */
function differenceOf(a: FeedEvent['msg'], b: FeedEvent['msg']): number {
	let largest = 0;
	for (const name of Object.keys(a)) {
		const difference = Math.abs(amount(a[name]) - amount(b[name]));
		if (difference > largest && TIMES.test(name)) largest = difference;
	}
	return largest;
}

/** NaN for what is no number: it is not compared. */
function amount(value: unknown): number {
	return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

function isId(name: string): boolean {
	return name === 'id' || name.startsWith('id_');
}

/** A value without what may have been computed while sending. */
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
