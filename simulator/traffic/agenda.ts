// A schedule with a clock of its own that jumps from one entry to the next, so that hours pass in milliseconds.

interface Entry {
	at: number;
	/** Undefined if it was cancelled. */
	act?: () => void;
}

export class Agenda {
	/** Latest first; of one time, those planned last first. */
	private readonly entries: Entry[] = [];

	/** How many entries have run, with the one that runs. */
	handled = 0;

	/** @param now the time at the beginning, in whatever unit */
	constructor(public now = 0) {}

	/** Plans an action, now at the earliest. Those of one time run in the order of their planning. */
	at(time: number, act: () => void): () => void {
		const entry: Entry = { at: Math.max(time, this.now), act };
		let [from, to] = [0, this.entries.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.entries[middle]!.at > entry.at) from = middle + 1;
			else to = middle;
		}
		this.entries.splice(from, 0, entry);
		return () => delete entry.act;
	}

	/** Moves the clock to the next entry and runs it. Returns false if nothing is planned until then. */
	step(until = Infinity): boolean {
		for (let next = this.entries.at(-1); next && next.at <= until; next = this.entries.at(-1)) {
			this.entries.pop();
			if (!next.act) continue;
			this.now = next.at;
			this.handled++;
			next.act();
			return true;
		}
		return false;
	}
}
