// Until when is everything here? A connection covers a time if everything that the provider sent in it has arrived. Pure.
import { SERVED_MS, TRANSIT_MS } from '../gap';

/** The end of a token and the provider's clock are both known in whole seconds only. */
const TOKEN_END_MS = 2_000;

/** What is known about a connection. Times are in milliseconds since 1970. */
export interface Life {
	/** When it sent `init`. */
	readonly openedAt: number;
	readonly firstEventAt?: number;
	readonly lastEventAt?: number;
	/** Time of the last event or ping: everything that the provider sent before it has arrived. */
	readonly aliveAt: number;
	/** When its token ends: from then on only events prove that a connection works. */
	readonly expiresAt: number;
}

/** When a connection begins to cover, if nothing else is known. */
export function coversFrom({ openedAt, firstEventAt }: Life): number {
	return Math.min(firstEventAt ?? Infinity, openedAt + SERVED_MS);
}

/**
 * Until when a connection covers.
 * @param doubted only its events prove anything: it was silent for too long, lacks what another connection delivered, or
 *   was lost without having delivered anything
 * @param endedAt its end, if the provider ended it properly: everything that was sent before has arrived
 */
export function coversUntil(life: Life, doubted: boolean, endedAt?: number): number {
	const { openedAt, lastEventAt = openedAt, aliveAt, expiresAt } = life;
	if (doubted) return lastEventAt - TRANSIT_MS;
	const seen =
		endedAt === undefined
			? Math.min(aliveAt, expiresAt - TOKEN_END_MS)
			: Math.min(endedAt, expiresAt);
	return Math.max(lastEventAt, seen) - TRANSIT_MS;
}
