// Decides what to do with the two connections of an overlap, from what each of them has delivered. Pure.

/** The shortest overlap, if nothing forces its end. */
export const OVERLAP_MIN_MS = 3_000;
/** The longest overlap without an event that came over both, if the previous connection shows a sign of life … */
export const OVERLAP_QUIET_MS = 15_000;
/** … and if it shows none (longer than the usual ping interval and timeout). */
export const OVERLAP_MAX_MS = 60_000;

/** What an overlap has shown so far. */
export interface OverlapStatistics {
	/** Events that both connections delivered. */
	matched: number;
	/** Events that the previous one delivered and the next one should have delivered by now. */
	onlyPrevious: number;
	/** Events that the next one delivered and the previous one should have delivered by now. */
	onlyNext: number;
	/** All events that the next one delivered. */
	next: number;
}

/** What is known about the previous connection of an overlap. */
export interface PreviousConnection {
	/** Time of the last event or ping that came over it. */
	aliveAt: number;
	/** False once its token has ended, or if it is being replaced because it was silent for too long. */
	healthy: boolean;
}

export type OverlapDecision =
	| { decision: 'wait' }
	| { decision: 'revert' }
	/** `uncertainty`: why the previous connection may have missed events before the next one took over. */
	| { decision: 'switch'; uncertainty: 'none' | 'dead' | 'stale' | 'unknown' };

/**
 * Decides what to do with the two connections.
 * - Both deliver: the next one takes over.
 * - The previous one delivers, the next one doesn't: the operator ignored the next one's `init`, so the previous one
 *   stays.
 * - The next one delivers, the previous one doesn't: the previous one was `stale`.
 * - The previous one shows no sign of life: it was `dead` (half-open TCP).
 * - Neither delivers: `unknown` if the previous one is not healthy, otherwise `none`.
 */
export function decideOverlap(known: {
	statistics: OverlapStatistics;
	previous: PreviousConnection;
	/** When the next connection sent its `init`. */
	openedAt: number;
	now: number;
	/** The overlap must end now. */
	force: boolean;
}): OverlapDecision {
	const { statistics, previous, openedAt, now, force } = known;
	const age = now - openedAt;
	const alive = previous.aliveAt > openedAt;
	if (age < OVERLAP_MIN_MS && !force) return { decision: 'wait' };
	if (statistics.matched > 0) return { decision: 'switch', uncertainty: 'none' };
	if (statistics.onlyPrevious > 0 && statistics.next === 0) return { decision: 'revert' };
	if (age < OVERLAP_QUIET_MS && !force) return { decision: 'wait' };
	if (!alive && age < OVERLAP_MAX_MS && !force) return { decision: 'wait' };
	// If the overlap ends before a sign of life was due, the previous one may as well have been stale.
	const dead = !alive && (statistics.onlyNext === 0 || age >= OVERLAP_MAX_MS);
	if (dead) return { decision: 'switch', uncertainty: 'dead' };
	if (statistics.onlyNext > 0) return { decision: 'switch', uncertainty: 'stale' };
	return { decision: 'switch', uncertainty: previous.healthy ? 'none' : 'unknown' };
}
