// A schedule with a clock of its own that jumps from one entry to the next, so that hours pass in milliseconds.

import { present } from '../present';

interface Entry {
	at: number;
	/** Breaks ties: the entry that was planned first runs first. */
	order: number;
	act: () => void;
	cancelled: boolean;
}

export class Agenda {
	/** A binary heap: the next entry is the first. */
	private readonly heap: Entry[] = [];
	private order = 0;
	/** Seconds since the start. */
	now = 0;

	/** Plans an action. Returns a function that cancels it. */
	plan(delay: number, act: () => void): () => void {
		const entry: Entry = { at: this.now + delay, order: this.order++, act, cancelled: false };
		this.heap.push(entry);
		this.up(this.heap.length - 1);
		return () => {
			entry.cancelled = true;
		};
	}

	/** Moves the clock to the next entry and runs it. Returns false if nothing is planned. */
	step(): boolean {
		for (;;) {
			const next = this.heap[0];
			if (!next) return false;
			const last = this.heap.pop()!;
			if (last !== next) {
				this.heap[0] = last;
				this.down(0);
			}
			if (next.cancelled) continue;
			this.now = next.at;
			next.act();
			return true;
		}
	}

	/** Whether the entry at one index comes before that at the other. */
	private before(onePlace: number, otherPlace: number) {
		const one = present(this.heap[onePlace]);
		const other = present(this.heap[otherPlace]);
		return one.at < other.at || (one.at === other.at && one.order < other.order);
	}

	private swap(one: number, other: number) {
		[this.heap[one], this.heap[other]] = [present(this.heap[other]), present(this.heap[one])];
	}

	private up(index: number) {
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!this.before(index, parent)) return;
			this.swap(index, parent);
			index = parent;
		}
	}

	private down(index: number) {
		for (;;) {
			let first = index;
			for (const child of [2 * index + 1, 2 * index + 2]) {
				if (child < this.heap.length && this.before(child, first)) first = child;
			}
			if (first === index) return;
			this.swap(index, first);
			index = first;
		}
	}
}
