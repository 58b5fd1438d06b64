// What to do with the two connections of an overlap. Pure: a decision from what each of them has shown.

/** An overlap that showed that both deliver ends after this … */
export const OVERLAP_MIN_MS = 3_000;
/** … a quiet one after this … */
export const OVERLAP_QUIET_MS = 15_000;
/** … and one whose previous connection shows no sign of life after this (longer than the usual ping interval and timeout). */
export const OVERLAP_MAX_MS = 60_000;

/** What an overlap has shown so far. */
export interface OverlapStatistics {
	/** Events that both connections brought. */
	matched: number;
	/** Events that the previous one brought and the next one should have by now. */
	onlyPrevious: number;
	/** Events that the next one brought and the previous one should have by now. */
	onlyNext: number;
	/** Events that the next one brought at all. */
	next: number;
}

/** How the previous connection of an overlap fared. */
export interface PreviousConnection {
	/** Last event or ping that came through it. */
	aliveAt: number;
	/** False once its token has ended or it was silent for so long that it is being replaced for it. */
	healthy: boolean;
}

export type OverlapDecision =
	| { decision: 'wait' }
	| { decision: 'revert' }
	/** `uncertainty`: what the previous connection may have missed before the next one took over. */
	| { decision: 'switch'; uncertainty: 'none' | 'dead' | 'stale' | 'unknown' };

/**
 * What to do with the two connections.
 * - Both deliver: let go of the previous one.
 * - The previous one delivers, the next one doesn't: its `init` was dropped; keep the previous one.
 * - The next one delivers, the previous one doesn't: the previous one was `stale`.
 * - The previous one shows no sign of life: it was `dead` (half-open TCP).
 * - Nothing came on either: `unknown` if the previous one is not healthy, otherwise all is well.
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
	if (!alive) return { decision: 'switch', uncertainty: 'dead' };
	if (statistics.onlyNext > 0) return { decision: 'switch', uncertainty: 'stale' };
	return { decision: 'switch', uncertainty: previous.healthy ? 'none' : 'unknown' };
}
