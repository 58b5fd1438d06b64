// Follows the numbers (`cpt`) of one numbering, whichever connections deliver them, and finds those that are missing.
import { gap, LONGEST_JUMP, missedBetween, type Gap } from '../gap';

/** After this many steps of exactly one in a row, `cpt` is taken to count by one … */
const STEPS_TO_TRUST = 10;
/** … until there are this many jumps without as many steps in between. */
const JUMPS_TO_DOUBT = 3;
/** How long a missing number can still arrive. */
const MISSING_MS = 5_000;

/** Numbers that nobody has delivered yet, from `low` to `high`. */
interface Missing {
	readonly low: number;
	readonly high: number;
	readonly found: Set<number>;
	/** When the events around them came. */
	readonly from: number;
	readonly to: number;
}

/** How sure it is that the numbers count by one; all connections of a provider share it. */
export class Trust {
	private steps = 0;

	get countsByOne(): boolean {
		return this.steps >= STEPS_TO_TRUST;
	}

	gain(): void {
		const most = JUMPS_TO_DOUBT * STEPS_TO_TRUST;
		this.steps = this.steps + 1 === STEPS_TO_TRUST ? most : Math.min(most, this.steps + 1);
	}

	lose(): void {
		this.steps = this.countsByOne ? Math.max(0, this.steps - STEPS_TO_TRUST) : 0;
	}
}

export class Numbers {
	/** The first number, and the highest one since the numbering began or restarted. */
	first?: number;

	highest?: number;

	/** The latest of lower numbers that were not missing, and how many came in a row: late ones, or a restart. */
	private lower = 0;

	private lowerRun = 0;

	/** In the order in which their waits end. */
	private missing: Missing[] = [];

	constructor(private readonly trust: Trust) {}

	/**
	 * Takes the number of an event.
	 * @param since when the event before it came
	 * @param isCopy another connection has shown the same step already
	 * @param watch whether numbers that are skipped count as missing: nothing else could still deliver them
	 * @returns whether it was missing: it was sent before events that have arrived
	 */
	take(cpt: number, at: number, since: number, isCopy: boolean, watch: boolean): boolean {
		const { highest } = this;
		this.first ??= cpt;
		if (highest !== undefined && cpt <= highest) return this.takeLower(cpt);
		this.highest = cpt;
		this.lowerRun = 0;
		if (highest === undefined) return false;
		if (cpt > highest + 1) this.skip(highest + 1, cpt - 1, since, at, watch);
		else if (!isCopy) this.trust.gain();
		return false;
	}

	/**
	 * Takes what another connection has delivered: it is not missing. What lies between the two is, unless it still comes.
	 * @param shared whether the two were seen to share one numbering; otherwise they may, if `other` continues this one
	 * @param from when this connection's last event came
	 * @param to when the other one's first event came
	 * @returns false if the two can't be one numbering
	 */
	join(other: Numbers, shared: boolean, from: number, to: number): boolean {
		const { first, highest } = other;
		if (this.highest === undefined) return false;
		if (first === undefined || highest === undefined) return true;
		const between = missedBetween(this.highest, first);
		if (between === undefined && !shared) return false;
		if (between && this.trust.countsByOne) {
			this.miss(this.highest + 1, first - 1, Math.min(from, to), to);
		}
		for (const range of this.missing) {
			const last = Math.min(range.high, highest);
			for (let cpt = Math.max(range.low, first); cpt <= last; cpt++) {
				if (!other.skipped(cpt)) range.found.add(cpt);
			}
		}
		this.highest = Math.max(this.highest, highest);
		return true;
	}

	/** A connection has delivered this number. @returns whether it was missing */
	find(cpt: number): boolean {
		const range = this.missing.find(({ low, high }) => low <= cpt && cpt <= high);
		range?.found.add(cpt);
		return range !== undefined;
	}

	/** When the next missing number is given up; undefined if none is awaited. */
	get due(): number | undefined {
		const [first] = this.missing;
		return first && first.to + MISSING_MS;
	}

	/** When the event before the first number came that is missing and still awaited; Infinity if none is. */
	get awaitedFrom(): number {
		return this.missing.find(({ low, high, found }) => found.size <= high - low)?.from ?? Infinity;
	}

	/** Gaps for the numbers whose wait is over. */
	overdue(now: number): Gap[] {
		const gaps: Gap[] = [];
		for (
			let [first] = this.missing;
			first && first.to + MISSING_MS <= now;
			[first] = this.missing
		) {
			this.missing.shift();
			const { low, high, found, from, to } = first;
			const missed = high - low + 1 - found.size;
			if (missed === 0) continue;
			const numbers = { lastCpt: low - 1, firstCpt: high + 1, missed };
			gaps.push(gap(from, to, 'sequence numbers are missing', numbers));
		}
		return gaps;
	}

	private skip(low: number, high: number, from: number, to: number, watch: boolean): void {
		if (this.trust.countsByOne && !watch) return;
		if (this.trust.countsByOne) this.miss(low, high, from, to);
		this.trust.lose();
	}

	private miss(low: number, high: number, from: number, to: number): void {
		if (high - low < LONGEST_JUMP) this.missing.push({ low, high, found: new Set(), from, to });
	}

	/** A late number, or, if many come in a row that were not missing, those of a numbering that has restarted. */
	private takeLower(cpt: number): boolean {
		if (this.find(cpt)) return true;
		if (cpt === this.highest) return false;
		this.lowerRun = cpt === this.lower + 1 ? this.lowerRun + 1 : 0;
		this.lower = cpt;
		if (this.lowerRun >= STEPS_TO_TRUST) this.highest = cpt;
		return false;
	}

	private skipped(cpt: number): boolean {
		return this.missing.some(
			({ low, high, found }) => low <= cpt && cpt <= high && !found.has(cpt),
		);
	}
}
