// What a gap is, for everybody: the feed reports it, the log and the status items show it, the trigger adds its own.

/**
 * What arrives was sent a moment earlier, and events that were sent since then may have been lost on their way. So
 * everything is known to be here only up to this long before the last arrival.
 */
export const TRANSIT_MS = 1_000;

/** The provider serves a connection this long after `init` at the latest, if no event shows it sooner. */
export const SERVED_MS = 5_000;

/** A longer jump of `cpt` is a numbering that restarted at another number, and not a gap. */
const LONGEST_JUMP = 1_000_000;

/** A first number up to this one proves nothing, because the connection may count its own events. */
const OWN_COUNT = 11;

/** Why a feed ends although the provider serves it. */
export const CREDENTIAL_CHANGED = 'the credential was changed';

/** A time in which events may have been missed. Times are in milliseconds since 1970. */
export interface Gap {
	/** The last moment up to which everything is known to have arrived. */
	readonly from: number;
	/** The first moment from which everything arrives again. */
	readonly to: number;
	readonly reason: string;
	/** The numbers (`cpt`) around it. */
	readonly lastCpt?: number;
	readonly firstCpt?: number;
	/** How many events are missing; only if `cpt` was seen to count by one. */
	readonly missed?: number;
}

/** @param numbers what is known of the numbers; what is undefined is left out */
export function gap(
	from: number,
	to: number,
	reason: string,
	numbers: Partial<Record<'lastCpt' | 'firstCpt' | 'missed', number | undefined>> = {},
): Gap {
	const known = Object.entries(numbers).filter(([, value]) => value !== undefined);
	return { from, to: Math.max(from, to), reason, ...Object.fromEntries(known) };
}

/** How many numbers lie between two of a numbering that counts by one; undefined if that can't be told. */
export function missedBetween(last: number | undefined, first: number | undefined) {
	if (last === undefined || first === undefined || !showsSharing(first)) return undefined;
	const missed = first - last - 1;
	return isCount(missed) ? missed : undefined;
}

/** Whether that many events can be missing: otherwise the numbering has restarted. */
export function isCount(missed: number): boolean {
	return missed >= 0 && missed <= LONGEST_JUMP;
}

/** Whether a number can belong to a numbering that connections share: a low one may be the connection's own count. */
export function showsSharing(cpt: number): boolean {
	return cpt > OWN_COUNT;
}
