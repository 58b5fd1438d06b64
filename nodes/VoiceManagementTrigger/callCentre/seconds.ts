// Durations as items carry them.

/** Seconds from one moment to another (milliseconds since 1970), to one decimal; never negative: clocks may disagree. */
export function secondsBetween(from: number, to: number): number {
	return Math.max(0, Math.round((to - from) / 100) / 10);
}

/** As exact as the moments are; undefined if one of them is not known. */
export function exactSeconds(from: number | undefined, to: number | undefined): number | undefined {
	return from === undefined || to === undefined ? undefined : Math.max(0, to - from) / 1000;
}

/** Events carry whole seconds: what happens in this one counts. */
export function wholeSecond(at: number): number {
	return Math.floor(at / 1000) * 1000;
}
