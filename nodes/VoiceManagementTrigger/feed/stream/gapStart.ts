// Where a gap begins: the moment up to which a connection is known to have brought everything. Pure.
import type { Session } from '../types';

/**
 * What arrives was sent a little earlier, and what was sent in between may have been on its way when the connection
 * ended: a gap begins this much before the last thing that arrived.
 */
export const TRANSIT_MS = 1_000;

/** The end of a token is told in whole seconds, and held against a clock of the operator that shows whole seconds. */
const TOKEN_END_MS = 2_000;

/** What a connection has shown so far. Times in milliseconds since 1970. */
export interface Delivery {
	readonly openedAt: number;
	readonly lastEventAt?: number;
	/** It is being replaced because it was silent for too long. */
	readonly stale: boolean;
	readonly session?: Pick<Session, 'expiresAt'>;
}

/** Whether a quiet connection can be taken for a working one. */
export function isHealthy({ stale, session }: Delivery, now: number): boolean {
	return !stale && now < tokenEnd(session);
}

/**
 * The last moment at which a connection is known to have brought everything: `seen`, which is its end if the operator
 * ended it properly and its last sign of life if not. After the end of its token only events prove anything, and
 * one that never brought an event, or that is stale, has shown nothing since its last one.
 */
export function completeUntil(delivery: Delivery, seen: number): number {
	const { openedAt, lastEventAt, stale, session } = delivery;
	const known =
		lastEventAt === undefined || stale
			? (lastEventAt ?? openedAt)
			: Math.min(seen, Math.max(lastEventAt, session ? tokenEnd(session) : seen));
	return Math.max(openedAt, known - TRANSIT_MS);
}

/** The first moment at which a token may have ended. */
function tokenEnd(session: Delivery['session']): number {
	return (session?.expiresAt ?? 0) - TOKEN_END_MS;
}
