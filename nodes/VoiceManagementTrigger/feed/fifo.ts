// First in, first out. Taking from the front of a plain array of thousands would move all the others each time.

/** Places are given back once so many are empty, and half of all. */
const MOST_EMPTY = 1_000;

export class Fifo<T> {
	/** Up to `first` they are empty. */
	private places: Array<T | undefined> = [];

	private first = 0;

	get size(): number {
		return this.places.length - this.first;
	}

	push(item: T): void {
		this.places.push(item);
	}

	/** The first of all; undefined if there is none. */
	peek(): T | undefined {
		return this.places[this.first];
	}

	/** Takes the first of all; undefined if there is none. */
	shift(): T | undefined {
		if (this.size === 0) return undefined;
		const item = this.places[this.first];
		this.places[this.first++] = undefined;
		if (this.first >= MOST_EMPTY && this.first * 2 >= this.places.length)
			this.refill(this.toArray());
		return item;
	}

	/** So many of the last ones, or all if there are fewer; they stay. */
	last(count: number): T[] {
		return this.places.slice(Math.max(this.first, this.places.length - count)) as T[];
	}

	/** All, in order; they stay. */
	toArray(): T[] {
		return this.places.slice(this.first) as T[];
	}

	/** Has these in the place of what there was. */
	refill(items: T[]): void {
		this.places = items;
		this.first = 0;
	}
}
