// The numbers (`cpt`) that one connection brought.

/** A jump further than this is a numbering that began again somewhere else. */
export const LONGEST_JUMP = 1_000_000;

/** So many steps of one in a row are no late events any more: the numbering did begin again. */
const MOST_LATE = 10;

/** What a connection may lack of its own count. */
const LACKING = 10;

/** Whether a number may be a connection's own count of what it brought. */
export function mayBeOwnCount(cpt: number, brought = 1): boolean {
	return cpt <= brought + LACKING;
}

/** Both included. */
export interface NumberRange {
	low: number;
	high: number;
}

/** The newest number that one goes on from: beyond the highest, what came after that one was late. */
export function newestBefore(
	{ last, highest }: Pick<SequenceNumbers, 'last' | 'highest'>,
	cpt: number,
): number | undefined {
	return highest !== undefined && cpt > highest ? highest : last;
}

export class SequenceNumbers {
	first?: number;

	/** The newest one. */
	last?: number;

	/** Steps of exactly one in a row. */
	run = 0;

	/** A number that went back: a late event, or with its successor a numbering that began again. */
	private back?: number;

	/** The newest one before the numbering seemed to begin again: two late events in a row look the same. */
	highest?: number;

	/** `last` is the previous connection's. */
	private inherited = false;

	/** The newest one of its own before `last` was the previous connection's. */
	private own?: number;

	/** @returns how many numbers were skipped */
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

	/** Goes on from the previous connection's newest number until a number of its own comes. */
	inherit({ last, highest }: SequenceNumbers): void {
		if (!this.inherited) this.own = this.last;
		this.last = last;
		this.highest = highest;
		this.inherited = true;
	}

	/** Goes on from another connection's newest number if that has come further in the same numbering. */
	knowOf(other: SequenceNumbers): void {
		const { last = -Infinity, highest = last } = other;
		if (last > (this.last ?? -Infinity)) this.inherit(other);
		else if (highest > (this.highest ?? this.last ?? -Infinity)) this.highest = highest;
	}

	/** Nothing is concluded from the newest number any more. */
	forgetLast(): void {
		this.last = undefined;
		this.highest = undefined;
	}

	private wentBack(cpt: number): void {
		if (!this.inherited && cpt - 1 !== this.back) {
			this.back = cpt;
			return;
		}
		// The connection's own numbering; or two in a row further back: the numbering began again.
		if (!this.inherited) this.highest = Math.max(this.highest ?? -Infinity, this.last ?? -Infinity);
		// What another connection brought sooner ends no run of its own.
		this.run = this.inherited && cpt - 1 === this.own ? this.run + 1 : 0;
		this.last = cpt;
		this.back = undefined;
		this.inherited = false;
	}
}
