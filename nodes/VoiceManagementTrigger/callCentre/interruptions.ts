// For how long the feed was interrupted. Moments in milliseconds by our clock.

interface Interruption {
	from: number;
	/** Undefined while it lasts. */
	to?: number | undefined;
}

/** Limit for the stored interruptions: a period that has more of them shows less than was missed. */
const MOST_OUTAGES = 1_000;

export class Interruptions {
	/** In order of their beginning. */
	private list: Interruption[] = [];

	/** The feed is interrupted. */
	begins(at: number): void {
		if (this.list.some(({ to }) => to === undefined)) return;
		this.insert({ from: at });
	}

	/** The feed is open. */
	ends(at: number): void {
		for (const outage of this.list) outage.to ??= at;
	}

	/** The feed reports a time in which events may have been missed. */
	add(from: number, to: number): void {
		this.insert({ from, to });
	}

	/** Milliseconds of interruption between two moments; times that overlap count once. */
	within(from: number, until: number): number {
		let total = 0;
		let counted = from;
		for (const outage of this.list) {
			const end = Math.min(outage.to ?? Infinity, until);
			total += Math.max(0, end - Math.max(outage.from, counted));
			counted = Math.max(counted, end);
		}
		return total;
	}

	/** Whether there was one between two moments, however short. */
	touches(from: number, until: number): boolean {
		return this.list.some((outage) => outage.from <= until && (outage.to ?? Infinity) > from);
	}

	private insert(outage: Interruption): void {
		this.list.push(outage);
		this.list.sort((a, b) => a.from - b.from);
		if (this.list.length > MOST_OUTAGES) this.list.shift();
	}
}
