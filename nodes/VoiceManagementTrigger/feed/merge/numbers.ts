// Follows the numbers (`cpt`) of a feed: whether they count its events by one, and how many are lacking. Pure.

/** After this many steps of exactly one in a row, `cpt` is taken to count by one … */
const STEPS_TO_TRUST = 10;
/** … until there are this many jumps without as many steps in between. */
const JUMPS_TO_DOUBT = 3;

export class Numbers {
	private steps = 0;

	private highest = 0;

	private received = 0;

	/** The latest number below the highest one, and how many came in a row: another connection lags, or a restart. */
	private lower = 0;

	private lowerRun = 0;

	get countsByOne(): boolean {
		return this.steps >= STEPS_TO_TRUST;
	}

	/**
	 * How many numbers no connection has delivered, from an arbitrary beginning: what it grows by in a time is the number
	 * of events that are missing from it. Undefined before the first number.
	 */
	get lacking(): number | undefined {
		return this.received === 0 ? undefined : this.highest - this.received;
	}

	/** @param cpt of an event that no connection has delivered before */
	take(cpt: number): void {
		const step = cpt - this.highest;
		const isFirst = this.received++ === 0;
		if (isFirst || step > 0) {
			this.highest = cpt;
			this.lowerRun = 0;
			if (isFirst) return;
			if (step === 1) this.gain();
			else this.steps = this.countsByOne ? this.steps - STEPS_TO_TRUST : 0;
			return;
		}
		this.lowerRun = cpt === this.lower + 1 ? this.lowerRun + 1 : 0;
		this.lower = cpt;
		if (this.lowerRun >= STEPS_TO_TRUST) this.highest = cpt;
	}

	private gain(): void {
		const most = JUMPS_TO_DOUBT * STEPS_TO_TRUST;
		this.steps = this.steps + 1 === STEPS_TO_TRUST ? most : Math.min(most, this.steps + 1);
	}
}
