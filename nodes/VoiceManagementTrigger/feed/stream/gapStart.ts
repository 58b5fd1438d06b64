// Computes where a gap begins: the moment up to which a connection is known to have delivered everything. Pure.
import type { Session } from '../types';

/**
 * What arrives was sent a moment earlier, and events that were sent since then may have been lost on their way. So a
 * gap begins this long before the last arrival.
 */
export const TRANSIT_MS = 1_000;

/** The end of a token and the operator's clock, with which it is compared, are both known in whole seconds only. */
const TOKEN_END_MS = 2_000;

/** What is known about a connection's deliveries. Times are in milliseconds since 1970. */
export interface Delivery {
	readonly openedAt: number;
	readonly lastEventAt?: number;
	/** It was silent for too long, or delivered none of the other connection's events. */
	readonly stale: boolean;
	readonly session?: Pick<Session, 'expiresAt'>;
}

/** Whether a connection without events can be assumed to work. */
export function isHealthy({ stale, session }: Delivery, now: number): boolean {
	return !stale && now < tokenEnd(session);
}

/**
 * The last moment up to which a connection is known to have delivered everything. That is `seen`, but not after the end
 * of the token, unless an event came later, because from then on only events prove that a connection works. For a stale
 * connection it is the last event, for one without events the opening. Less TRANSIT_MS.
 * @param seen the end of the connection if the operator ended it properly, otherwise its last sign of life
 */
export function completeUntil(delivery: Delivery, seen: number): number {
	const { openedAt, lastEventAt, stale, session } = delivery;
	const known =
		lastEventAt === undefined || stale
			? (lastEventAt ?? openedAt)
			: Math.min(seen, Math.max(lastEventAt, session ? tokenEnd(session) : seen));
	return Math.max(openedAt, known - TRANSIT_MS);
}

/** The earliest moment at which the token can have ended. */
function tokenEnd(session: Delivery['session']): number {
	return (session?.expiresAt ?? 0) - TOKEN_END_MS;
}
