// Durations as items carry them.

/** Seconds from one moment to another (milliseconds since 1970), to one decimal; never negative: clocks may disagree. */
export function secondsBetween(from: number, to: number): number {
	return Math.max(0, Math.round((to - from) / 100) / 10);
}
