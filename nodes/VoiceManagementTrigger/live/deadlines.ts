// What is due next, among thousands: a binary heap. What was put off or taken back stays in it until its old time comes.

/** Something with a deadline; undefined: none (any more). Milliseconds since 1970. */
export interface Dated {
	due?: number | undefined;
}

export class Deadlines<T extends Dated> {
	private readonly heap: Array<{ at: number; what: T }> = [];

	/** Sets the deadline of something, in place of the one that it had. */
	set(what: T, due: number | undefined): void {
		if (what.due === due) return;
		what.due = due;
		if (due === undefined) return;
		this.heap.push({ at: due, what });
		this.up(this.heap.length - 1);
	}

	/** The earliest deadline. */
	next(): number | undefined {
		this.clean();
		return this.heap.at(0)?.at;
	}

	/** Takes what is due first, if it is due by now; it has no deadline any more. */
	take(now: number): T | undefined {
		this.clean();
		const first = this.heap.at(0);
		if (!first || first.at > now) return undefined;
		this.removeFirst();
		first.what.due = undefined;
		return first.what;
	}

	private clean(): void {
		for (let first = this.heap.at(0); first && first.what.due !== first.at; first = this.heap.at(0))
			this.removeFirst();
	}

	private removeFirst(): void {
		const last = this.heap.pop();
		if (!last || this.heap.length === 0) return;
		this.heap[0] = last;
		for (let index = 0; ;) {
			const left = 2 * index + 1;
			const first = this.at(left + 1) < this.at(left) ? left + 1 : left;
			if (this.at(index) <= this.at(first)) return;
			this.swap(index, first);
			index = first;
		}
	}

	private at(index: number): number {
		return this.heap[index]?.at ?? Number.POSITIVE_INFINITY;
	}

	private up(from: number): void {
		for (let index = from; index > 0;) {
			const parent = (index - 1) >> 1;
			if (this.at(parent) <= this.at(index)) return;
			this.swap(index, parent);
			index = parent;
		}
	}

	private swap(one: number, other: number): void {
		const [first, second] = [this.heap[one], this.heap[other]];
		if (!first || !second) return;
		this.heap[one] = second;
		this.heap[other] = first;
	}
}
