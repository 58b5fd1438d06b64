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
	/** What the last event or ping shows: everything that the provider sent before this time has arrived. */
	readonly aliveAt: number;
	/** What the last event shows. */
	readonly shownAt?: number;
	/** When its token ends: from then on only events prove that a connection works. */
	readonly expiresAt: number;
	/** Since when the process stood still, while what arrives may still be old. */
	readonly stillFrom?: number | undefined;
}

/** When a connection begins to cover, if nothing else is known. */
export function coversFrom({ openedAt, firstEventAt }: Life): number {
	return Math.min(firstEventAt ?? Infinity, openedAt + SERVED_MS);
}

/**
 * What proves until when a connection covered. `events`: only they do, since it was silent for too long, lacks what
 * another connection delivered, or was lost without having delivered anything. `life`: its last ping too. `end`: the
 * provider ended it properly, so everything that was sent before has arrived.
 */
export type Proof = 'events' | 'life' | 'end';

/** Until when a connection covers. @param endedAt its end, if that is the proof */
export function coversUntil(life: Life, proof: Proof, endedAt = Infinity): number {
	const { openedAt, shownAt = openedAt, aliveAt, expiresAt, stillFrom = Infinity } = life;
	switch (proof) {
		case 'events':
			return shownAt - TRANSIT_MS;
		case 'life':
			return Math.max(shownAt, Math.min(aliveAt, expiresAt - TOKEN_END_MS)) - TRANSIT_MS;
		case 'end':
			return Math.max(shownAt, Math.min(endedAt, expiresAt, stillFrom)) - TRANSIT_MS;
	}
}
