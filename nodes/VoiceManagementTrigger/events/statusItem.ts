// What the trigger reports about itself, as the JSON of an item (`type_notification` "feed").

import type { FeedStatus, Route, Vitals } from '../feed/types';

/** Every status that a workflow can receive about its feed, and about the hand-over of events to n8n. */
export type Status =
	| FeedStatus
	/**
	 * `dropped` events were discarded because the buffer was full. They had arrived between `from` and `to`
	 * (milliseconds since 1970), or reported events that are missing since `from`.
	 */
	| { event: 'overflow'; dropped: number; from: number; to: number }
	/** n8n can't start executions: this many entries have been waiting since then (milliseconds since 1970). */
	| { event: 'held'; entries: number; since: number; reason: string }
	/** n8n can start executions again, after this many seconds, and gets the entries that waited. */
	| { event: 'resumed'; at: number; entries: number; seconds: number }
	/**
	 * Each execution that was to take these events failed, the last one for this reason. `firstAt`: when the first of
	 * them arrived.
	 */
	| { event: 'undelivered'; at: number; entries: number; firstAt: number; reason: string }
	| ({ event: 'alive'; at: number } & SignOfLife);

/** What the trigger says of itself every few minutes. Times are in milliseconds since 1970. */
export interface SignOfLife extends Vitals {
	/** Undefined: no event came since the trigger began to listen. */
	readonly lastEventAt?: number | undefined;
	/** Since the sign of life before: events of the feed, … */
	readonly received: number;
	/** … items that this trigger made of them, and messages that are no event. */
	readonly passed: number;
	readonly unreadable: number;
}

/** What workflows map. docs/items.md says what each field means. */
export type StatusItem = { type_notification: 'feed'; date: string } & (
	| ({ event: 'connected'; attempts: number; continuous: boolean | null } & ShownRoute)
	| { event: 'disconnected' | 'connection_lost'; reason: string }
	| {
			event: 'gap';
			reason: string;
			from: string;
			to: string;
			duration: number;
			last_cpt: number | null;
			first_cpt: number | null;
			missed: number | null;
	  }
	| {
			event: 'refused';
			reason: string;
			status_code: number | null;
			first: boolean;
			retry_at: string;
	  }
	| { event: 'overflow'; dropped: number; from: string; to: string }
	| { event: 'held'; entries: number; since: string; reason: string }
	| { event: 'resumed'; entries: number; seconds: number }
	| { event: 'undelivered'; entries: number; first_at: string; reason: string }
	| ({
			event: 'alive';
			connected: boolean;
			covered_until: string | null;
			last_event_at: string | null;
			received: number;
			passed: number;
			unreadable: number;
			connections: number;
	  } & ShownRoute)
);

/** Null: nothing is connected. */
type ShownRoute = {
	protocol: Route['protocol'] | null;
	transport: Route['transport'] | null;
};

/**
 * The item: times as ISO 8601, durations in seconds, null if unknown.
 * @param shown a time of the status as the machine's clock shows it
 */
export function statusItem(status: Status, shown: (at: number) => number): StatusItem {
	const iso = (at: number) => new Date(shown(at)).toISOString();
	const type_notification = 'feed';
	switch (status.event) {
		case 'connected':
			return {
				type_notification,
				event: status.event,
				attempts: status.attempts,
				protocol: status.protocol,
				transport: status.transport,
				continuous: status.continuous,
				date: iso(status.at),
			};
		case 'disconnected':
		case 'connection_lost':
			return {
				type_notification,
				event: status.event,
				reason: status.reason,
				date: iso(status.at),
			};
		case 'gap':
			return {
				type_notification,
				event: status.event,
				reason: status.reason,
				from: iso(status.from),
				to: iso(status.to),
				duration: (status.to - status.from) / 1000,
				last_cpt: status.lastCpt ?? null,
				first_cpt: status.firstCpt ?? null,
				missed: status.missed ?? null,
				date: iso(status.to),
			};
		case 'refused':
			return {
				type_notification,
				event: status.event,
				reason: status.reason,
				status_code: status.statusCode ?? null,
				first: status.first,
				retry_at: iso(status.retryAt),
				date: iso(status.at),
			};
		case 'overflow':
			return {
				type_notification,
				event: status.event,
				dropped: status.dropped,
				from: iso(status.from),
				to: iso(status.to),
				date: iso(status.to),
			};
		case 'held':
			return {
				type_notification,
				event: status.event,
				entries: status.entries,
				since: iso(status.since),
				reason: status.reason,
				date: iso(status.since),
			};
		case 'undelivered':
			return {
				type_notification,
				event: status.event,
				entries: status.entries,
				first_at: iso(status.firstAt),
				reason: status.reason,
				date: iso(status.at),
			};
		case 'alive': {
			const { connections, coveredUntil, lastEventAt } = status;
			const isoOrNull = (at: number | undefined) => (at === undefined ? null : iso(at));
			return {
				type_notification,
				event: status.event,
				connected: connections > 0,
				covered_until: isoOrNull(coveredUntil),
				last_event_at: isoOrNull(lastEventAt),
				received: status.received,
				passed: status.passed,
				unreadable: status.unreadable,
				protocol: status.protocol ?? null,
				transport: status.transport ?? null,
				connections,
				date: iso(status.at),
			};
		}
		case 'resumed':
			return {
				type_notification,
				event: status.event,
				entries: status.entries,
				seconds: status.seconds,
				date: iso(status.at),
			};
	}
}
