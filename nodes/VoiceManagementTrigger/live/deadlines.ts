// What is due next, among thousands: a binary heap in which each entry knows its place, so that what is put off or taken
// back, as most is, leaves nothing behind.

/** Something with a deadline; undefined: none (any more). Milliseconds since 1970. */
export interface Dated {
	due?: number | undefined;
	/** Where it is in the heap. */
	place?: number | undefined;
}

export class Deadlines<T extends Dated> {
	private readonly heap: T[] = [];

	/** Sets the deadline of something, in place of the one that it had. */
	set(what: T, due: number | undefined): void {
		if (what.due === due) return;
		what.due = due;
		if (due === undefined) this.remove(what);
		else this.settle(what, what.place ?? this.heap.length);
	}

	/** The earliest deadline. */
	next(): number | undefined {
		return this.heap[0]?.due;
	}

	/** Takes what is due first, if it is due by now; it has no deadline any more. */
	take(now: number): T | undefined {
		const [first] = this.heap;
		if (!first || this.at(0) > now) return undefined;
		this.set(first, undefined);
		return first;
	}

	private remove(what: T): void {
		const { place } = what;
		what.place = undefined;
		const last = this.heap.pop();
		if (last && last !== what && place !== undefined) this.settle(last, place);
	}

	/** Puts something where it belongs, beginning at a place that is free for it. */
	private settle(what: T, from: number): void {
		const due = what.due ?? Number.POSITIVE_INFINITY;
		let index = from;
		for (let parent = (index - 1) >> 1; index > 0 && this.at(parent) > due;) {
			this.move(parent, index);
			index = parent;
			parent = (index - 1) >> 1;
		}
		for (;;) {
			const left = 2 * index + 1;
			const first = this.at(left + 1) < this.at(left) ? left + 1 : left;
			if (this.at(first) >= due) break;
			this.move(first, index);
			index = first;
		}
		this.heap[index] = what;
		what.place = index;
	}

	private move(from: number, to: number): void {
		const what = this.heap[from];
		if (!what) return;
		this.heap[to] = what;
		what.place = to;
	}

	private at(index: number): number {
		return this.heap[index]?.due ?? Number.POSITIVE_INFINITY;
	}
}
