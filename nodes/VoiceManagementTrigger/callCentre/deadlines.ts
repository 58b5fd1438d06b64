// Finds the next deadline among thousands: a heap in which each entry knows its position, so that one that is postponed or
// removed, as most are, leaves nothing behind. Four below each: half the depth of two, and moving is what takes time.

/**
 * Something with a deadline; undefined: none, or none any more. Milliseconds since 1970. After {@link Deadlines.clear} both
 * fields are old until a deadline is set again.
 */
export interface Dated {
	due?: number | undefined;
	/** Its position in the heap. */
	slot?: number | undefined;
	/** Of two that are due at once, the one that had the lower turn when its deadline was set comes first. */
	readonly turn?: number;
}

export class Deadlines<T extends Dated> {
	private heap: T[] = [];
	/** The deadline and the turn of each, side by side: comparing them need not look at what they belong to. */
	private dues: number[] = [];
	private turns: number[] = [];
	/** How many deadlines were set: the turn of what has none. */
	private count = 0;

	/** Sets the deadline of something, replacing its previous one. */
	set(what: T, due: number | undefined): void {
		this.forgetCleared(what);
		if (what.due === due) return;
		what.due = due;
		if (due === undefined) this.remove(what);
		else this.settle(what, what.turn ?? ++this.count, what.slot ?? this.heap.length);
	}

	/**
	 * Sets the deadline of something that has none yet, or a later one. Whoever is looked at too early is looked at again:
	 * that costs less than to put it off each time.
	 */
	setIfSooner(what: T, due: number): void {
		this.forgetCleared(what);
		if (due < (what.due ?? Infinity)) this.set(what, due);
	}

	/** Removes all deadlines, without touching thousands of things: each drops its old one when a new one is set. */
	clear(): void {
		this.heap = [];
		this.dues = [];
		this.turns = [];
	}

	/** Whoever is not at its position any more was cleared. */
	private forgetCleared(what: T): void {
		if (what.slot === undefined || this.heap[what.slot] === what) return;
		what.due = undefined;
		what.slot = undefined;
	}

	/** The earliest deadline; Infinity: there is none. */
	next(): number {
		return this.dues[0] ?? Infinity;
	}

	/** Removes and returns what is due first, if it is due by now. */
	take(now: number): T | undefined {
		const [first] = this.heap;
		if (!first || (this.dues[0] as number) > now) return undefined;
		this.set(first, undefined);
		return first;
	}

	private remove(what: T): void {
		const { slot } = what;
		what.slot = undefined;
		const last = this.heap.pop();
		this.dues.pop();
		const turn = this.turns.pop() as number;
		if (last && last !== what && slot !== undefined) this.settle(last, turn, slot);
	}

	/** Moves something to its position, starting from a free one. */
	private settle(what: T, turn: number, from: number): void {
		const { dues, turns } = this;
		const due = what.due ?? Infinity;
		let index = from;
		for (let parent = (index - 1) >> 2; index > 0 && this.isBehind(parent, due, turn);) {
			this.move(parent, index);
			index = parent;
			parent = (index - 1) >> 2;
		}
		for (let child = 4 * index + 1; child < dues.length; child = 4 * index + 1) {
			let first = child;
			const end = Math.min(child + 4, dues.length);
			for (let next = child + 1; next < end; next++)
				if (this.isBehind(first, dues[next] as number, turns[next] as number)) first = next;
			if (this.isBehind(first, due, turn)) break;
			this.move(first, index);
			index = first;
		}
		this.heap[index] = what;
		dues[index] = due;
		turns[index] = turn;
		what.slot = index;
	}

	/** Whether what is at a position comes after something else. */
	private isBehind(position: number, due: number, turn: number): boolean {
		const at = this.dues[position] as number;
		return at > due || (at === due && (this.turns[position] as number) > turn);
	}

	private move(from: number, to: number): void {
		const what = this.heap[from] as T;
		this.heap[to] = what;
		this.dues[to] = this.dues[from] as number;
		this.turns[to] = this.turns[from] as number;
		what.slot = to;
	}
}
