// Follows the numbers (`cpt`) that one connection delivers, and counts those that it skips.

/** A longer jump is a numbering that restarted at another number, and not a gap. */
export const LONGEST_JUMP = 1_000_000;

/** After this many steps of one in a row, the numbers are not late events: the numbering has restarted. */
const MOST_LATE = 10;

/** How many numbers a connection can lack of a numbering of its own. */
const LACKING = 10;

/** Whether a number can belong to a numbering of the connection's own, when it has delivered `brought` events. */
export function mayBeOwnCount(cpt: number, brought = 1): boolean {
	return cpt <= brought + LACKING;
}

/** Both ends are included. */
export interface NumberRange {
	low: number;
	high: number;
}

/**
 * The number after which `cpt` follows: `highest` if `cpt` is beyond it, since the numbers that came after it were late
 * ones, otherwise `last`.
 */
export function newestBefore(
	{ last, highest }: Pick<SequenceNumbers, 'last' | 'highest'>,
	cpt: number,
): number | undefined {
	return highest !== undefined && cpt > highest ? highest : last;
}

export class SequenceNumbers {
	first?: number;

	/** The newest number. */
	last?: number;

	/** Number of steps of exactly one in a row. */
	run = 0;

	/** A number lower than `last`: a late event, or, if its successor follows, a numbering that restarted. */
	private back?: number;

	/**
	 * The highest number before the numbering seemed to restart. Kept because two late events in a row look like a
	 * restart.
	 */
	highest?: number;

	/** `last` was taken over from another connection. */
	private inherited = false;

	/** The newest number of its own, before `last` was taken over. */
	private own?: number;

	/** Takes the number of an event. @returns how many numbers were skipped */
	add(cpt: number): number {
		const { last } = this;
		this.first ??= cpt;
		const step = last === undefined ? 0 : cpt - last;
		if (step < 0) {
			this.wentBack(cpt);
			return 0;
		}
		this.last = cpt;
		if (step === 0) return 0;
		this.run = step === 1 ? this.run + 1 : 0;
		this.back = undefined;
		this.inherited = false;
		const beyond = cpt - (this.highest ?? Infinity);
		if (beyond > 0 || this.run >= MOST_LATE) this.highest = undefined;
		const ahead = beyond > 0 ? Math.min(step, beyond) : step;
		return ahead > LONGEST_JUMP ? 0 : ahead - 1;
	}

	/** Continues from the newest number of another connection until a number of its own comes. */
	inherit({ last, highest }: SequenceNumbers): void {
		if (!this.inherited) this.own = this.last;
		this.last = last;
		this.highest = highest;
		this.inherited = true;
	}

	/** Continues from another connection's newest number if that one is ahead. Both must share one numbering. */
	knowOf(other: SequenceNumbers): void {
		const { last = -Infinity, highest = last } = other;
		if (last > (this.last ?? -Infinity)) this.inherit(other);
		else if (highest > (this.highest ?? this.last ?? -Infinity)) this.highest = highest;
	}

	/** Forgets the newest number, so that the next one does not count as a step. */
	forgetLast(): void {
		this.last = undefined;
		this.highest = undefined;
	}

	private wentBack(cpt: number): void {
		if (!this.inherited && cpt - 1 !== this.back) {
			this.back = cpt;
			return;
		}
		// Either `last` was taken over and this is the connection's own numbering, or two lower numbers in a row show a
		// restart.
		if (!this.inherited) this.highest = Math.max(this.highest ?? -Infinity, this.last ?? -Infinity);
		// If the other connection was merely ahead, the run of its own numbers continues.
		this.run = this.inherited && cpt - 1 === this.own ? this.run + 1 : 0;
		this.last = cpt;
		this.back = undefined;
		this.inherited = false;
	}
}
