// What an event says of a call. Pure.

import { idText } from '../../shared/ids';
import type { FeedEvent } from '../feed/types';

/** What an event of the type `queue` or `trunk` says. */
export type PlaceEvent =
	| 'enters'
	| 'answered'
	/** A phone rings for the call: nobody has taken it yet. */
	| 'rings'
	/** An alert names it. */
	| 'waits'
	/** It is connected under a status that is not documented: it may have been answered. */
	| 'mayBeAnswered'
	| 'leaves';

const MEANINGS: ReadonlyMap<string, PlaceEvent> = new Map([
	['insert_call', 'enters'],
	['connect_call', 'answered'],
	['delete_call', 'leaves'],
	['alert_op', 'waits'],
	['alert_file', 'waits'],
]);

/** Of a `connect_call`: with any other documented status, which are those of agents, the phone only rings. */
const CONNECTED: ReadonlySet<string | undefined> = new Set([undefined, 'connected']);
const RINGING: ReadonlySet<string | undefined> = new Set([
	'ringing',
	'calling',
	'available',
	'unavailable',
]);

/** @returns undefined for an event that says nothing of a call */
export function placeEvent(event: string, status: string | undefined): PlaceEvent | undefined {
	const meaning = MEANINGS.get(event);
	if (meaning !== 'answered' || CONNECTED.has(status)) return meaning;
	return RINGING.has(status) ? 'rings' : 'mayBeAnswered';
}

/** Longer than any identifier, telephone number or name of an event. */
const LONGEST_ID = 300;

/** The text form of an identifier that is stored for hours, for thousands of calls; undefined if it is too long. */
export function keptId(value: unknown): string | undefined {
	// Checked before trimming: a part of a long text keeps the whole text in memory.
	return typeof value === 'string' && value.length > LONGEST_ID ? undefined : idText(value);
}

/** The identifiers and texts of a message, as they are kept. */
export function partsOf({ msg }: FeedEvent) {
	return {
		callId: keptId(msg.id_call),
		queue: keptId(msg.id_queue),
		trunk: keptId(msg.id_trunk),
		agent: keptId(msg.id_operator),
		caller: keptId(msg.caller_id_num),
		status: keptId(msg.status),
	};
}

/** `rec`: 1 if the call is recorded; text and booleans are accepted too. Undefined if it is missing or unclear. */
export function readRecorded(rec: unknown): boolean | undefined {
	const text = typeof rec === 'boolean' ? String(Number(rec)) : keptId(rec);
	if (text === undefined) return undefined;
	return text !== '0' && text !== 'false';
}

/** `catchup`: seconds of wrap-up. 0 if it is missing, or no number above that. */
export function readCatchup(catchup: unknown): number {
	const seconds = Number(keptId(catchup) ?? Number.NaN);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
