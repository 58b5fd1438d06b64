// What a feed knows about one of its connections beside what decides the next state, and what follows from it: up to
// when everything is known to have arrived.
import type { Connection, Route } from './connection';
import type { Session } from './types';

/**
 * What arrives was sent a little earlier, and what was sent in between may have been on its way when the connection
 * ended: a gap begins this much before the last thing that arrived.
 */
export const TRANSIT_MS = 1_000;

export interface OpenedConnection {
	id: number;
	connection: Connection;
	session?: Session;
	route: Route;
	openedAt: number;
	/** Last event or ping: everything that the service sent before has arrived. */
	aliveAt: number;
	firstEventAt?: number;
	lastEventAt?: number;
	/** False once it was silent for so long that it is being replaced for it. */
	healthy: boolean;
	/** Names other than `update` under which something came, as they were told. */
	otherEvents: Set<string>;
}

/** Whether a quiet connection may be taken for a working one. */
export function isHealthy({ healthy, session }: OpenedConnection, now: number): boolean {
	return healthy && now < (session?.expiresAt ?? 0);
}

/**
 * The last moment at which a connection is known to have brought everything: `seen`, which is its end where the service
 * ended it properly and its last sign of life otherwise. After the end of its token only events prove anything, and
 * one that never brought an event, or that is being replaced for its silence, has shown nothing since its last one.
 */
export function completeUntil(link: OpenedConnection, seen: number): number {
	const { lastEventAt, healthy, session } = link;
	const known =
		lastEventAt === undefined || !healthy
			? (lastEventAt ?? link.openedAt)
			: Math.min(seen, Math.max(lastEventAt, session?.expiresAt ?? seen));
	return Math.max(link.openedAt, known - TRANSIT_MS);
}
