// What an event of the feed means for a call. Pure.
import { milliseconds } from '../events/simplify';
import type { FeedEvent } from '../feed/types';
import type { CallEvent } from './callHistory';
import { keptId, LONGEST_ID } from './keptId';

const KIND_OF_EVENT: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	['insert_call', 'insert'],
	['connect_call', 'connect'],
	['delete_call', 'delete'],
	['alert_op', 'waits'],
	['alert_file', 'waits'],
]);

/**
 * The meaning of a `connect_call` by its status: only a call in progress is an answer. With any other status, also
 * one that the document lists for agents alone, it remains open.
 */
const KIND_OF_CONNECTION: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	[undefined, 'connect'],
	['connected', 'connect'],
	['ringing', 'ringing'],
	['calling', 'ringing'],
	['available', 'ringing'],
	['unavailable', 'ringing'],
]);

/** Status changes of an agent that affect the call that they name. */
const KIND_OF_STATUS: ReadonlyMap<unknown, CallEvent['kind']> = new Map([
	['connected', 'agentConnected'],
	['ringing', 'waits'],
	['transfert_start', 'transferStart'],
	['transfert_end', 'transferEnd'],
]);

/** What an event means for a call; undefined if it is not relevant here. */
export function readCallEvent(event: FeedEvent, seen: number): CallEvent | undefined {
	const { type, msg, cpt } = event;
	const status = keptId(msg.status);
	const kind =
		type === 'queue' || type === 'trunk'
			? kindOfPlaceEvent(event.event, status)
			: type === 'operator'
				? KIND_OF_STATUS.get(status)
				: undefined;
	if (kind === undefined) return undefined;
	const placeKind = type === 'trunk' ? 'trunk' : 'queue';
	const placeId = keptId(type === 'trunk' ? msg.id_trunk : msg.id_queue);
	// A call must enter a named place; when it leaves, the place may be unnamed.
	if (placeId === undefined && kind === 'insert') return undefined;
	const place =
		placeId === undefined && type === 'operator' ? undefined : `${placeKind}:${placeId ?? ''}`;
	return {
		kind,
		place,
		agent: keptId(msg.id_operator),
		at: event.ts === undefined ? event.receivedAt : milliseconds(event.ts),
		cpt,
		seen,
		name: event.event.length > LONGEST_ID ? type : event.event,
		status,
	};
}

function kindOfPlaceEvent(
	event: string,
	status: string | undefined,
): CallEvent['kind'] | undefined {
	const kind = KIND_OF_EVENT.get(event);
	return kind === 'connect' ? (KIND_OF_CONNECTION.get(status) ?? 'unclear') : kind;
}

/** `rec`: 1 in the document's example; text and booleans are accepted too. Undefined if it is missing or unclear. */
export function readRecorded(rec: unknown): boolean | undefined {
	const text = typeof rec === 'boolean' ? String(Number(rec)) : keptId(rec);
	if (text === undefined) return undefined;
	return text !== '0' && text !== 'false';
}
