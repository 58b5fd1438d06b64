// What happens when: a clock of its own that jumps from one thing to the next, so that hours pass in milliseconds.

import { nth } from '../present';

interface Entry {
	at: number;
	/** Breaks ties: what was planned first happens first. */
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

	/** Gives a function that takes the plan back. */
	plan(delay: number, act: () => void): () => void {
		const entry: Entry = { at: this.now + delay, order: this.order++, act, cancelled: false };
		this.heap.push(entry);
		this.up(this.heap.length - 1);
		return () => {
			entry.cancelled = true;
		};
	}

	/** Moves the clock to the next entry and does it. False where nothing is planned. */
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

	/** Whether what stands at one place comes before what stands at the other. */
	private before(onePlace: number, otherPlace: number) {
		const one = nth(this.heap, onePlace);
		const other = nth(this.heap, otherPlace);
		return one.at < other.at || (one.at === other.at && one.order < other.order);
	}

	private swap(one: number, other: number) {
		[this.heap[one], this.heap[other]] = [nth(this.heap, other), nth(this.heap, one)];
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
