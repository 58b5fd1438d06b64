// Follows the numbers (`cpt`) of a feed: whether they count its events by one, and how many are lacking. Pure.
import { isCount, showsSharing } from '../gap';

/** After this many steps of exactly one in a row, `cpt` is taken to count by one … */
const STEPS_TO_TRUST = 10;
/** … until there are this many jumps without as many steps in between. */
const JUMPS_TO_DOUBT = 3;
/** So many of the newest jumps are remembered, to recognize what comes behind them. */
const MOST_JUMPS = 100;

/** How far the numbers have got. */
export interface NumberMark {
	/** The highest number so far. */
	readonly cpt: number;
	/** How many events had a number by then. What the highest number gains on this is what no connection has delivered. */
	readonly received: number;
}

export class Numbers {
	private steps = 0;

	private current?: NumberMark;

	/** The newest number is below the highest one. */
	private isBehind = false;

	/** The latest number below the highest one, and how many came in a row: another connection lags, or a restart. */
	private lower = 0;

	private lowerRun = 0;

	/** The numbers that were jumped over, from low to high. */
	private jumps: Array<readonly [low: number, high: number]> = [];

	get countsByOne(): boolean {
		return this.steps >= STEPS_TO_TRUST;
	}

	/** Undefined while the newest number is below the highest: the numbering may have begun anew. */
	get mark(): NumberMark | undefined {
		return this.isBehind ? undefined : this.current;
	}

	/**
	 * How many events are missing between `mark` and the first event of a connection. What is missing behind that one is not
	 * counted: a connection loses no event.
	 * @param first its first number
	 * @param newest its newest number
	 * @returns undefined unless the numbers prove it
	 */
	missedSince(mark: NumberMark | undefined, first: number, newest: number): number | undefined {
		const { current } = this;
		// One that is behind may be of another numbering, or of one that has restarted.
		if (!mark || newest !== current?.cpt || !showsSharing(first)) return undefined;
		const missed = current.cpt - mark.cpt - (current.received - mark.received);
		if (!this.countsByOne || !isCount(missed)) return undefined;
		return first > mark.cpt ? Math.min(missed, first - mark.cpt - 1) : missed;
	}

	/**
	 * @param cpt of an event that no connection has delivered before
	 * @returns whether it had been jumped over: what has a higher number was sent later, and arrived before
	 */
	take(cpt: number): boolean {
		const { cpt: highest = NaN, received = 0 } = this.current ?? {};
		const step = cpt - highest;
		const isRestart = step <= 0 && this.isRestart(cpt);
		const top = step <= 0 && !isRestart ? highest : cpt;
		this.current = { cpt: top, received: received + 1 };
		this.isBehind = top > cpt;
		if (step > 0) this.lowerRun = 0;
		if (isRestart) this.jumps = [];
		if (step < 0) return this.jumps.some(([low, high]) => low <= cpt && cpt <= high);
		if (step === 1) this.gain();
		else if (step > 1) this.jump(highest, cpt);
		return false;
	}

	private jump(from: number, to: number): void {
		if (this.countsByOne)
			this.jumps = [...this.jumps, [from + 1, to - 1] as const].slice(-MOST_JUMPS);
		this.steps = this.countsByOne ? this.steps - STEPS_TO_TRUST : 0;
	}

	private gain(): void {
		const most = JUMPS_TO_DOUBT * STEPS_TO_TRUST;
		this.steps = this.steps + 1 === STEPS_TO_TRUST ? most : Math.min(most, this.steps + 1);
	}

	private isRestart(cpt: number): boolean {
		this.lowerRun = cpt === this.lower + 1 ? this.lowerRun + 1 : 0;
		this.lower = cpt;
		return this.lowerRun >= STEPS_TO_TRUST;
	}
}
