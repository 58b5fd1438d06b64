// A first-in, first-out queue. Removing the first of thousands of items from a plain array would move all the others
// each time.

/** The empty elements at the front of the array are removed once there are this many, and at least half are empty. */
const MOST_EMPTY = 1_000;

export class Fifo<T> {
	/** The elements before index `first` are empty. */
	private places: Array<T | undefined> = [];

	private first = 0;

	get size(): number {
		return this.places.length - this.first;
	}

	push(item: T): void {
		this.places.push(item);
	}

	/** The first item, which stays in the queue; undefined if the queue is empty. */
	peek(): T | undefined {
		return this.places[this.first];
	}

	/** Removes and returns the first item; undefined if the queue is empty. */
	shift(): T | undefined {
		if (this.size === 0) return undefined;
		const item = this.places[this.first];
		this.places[this.first++] = undefined;
		if (this.first >= MOST_EMPTY && this.first * 2 >= this.places.length)
			this.refill(this.toArray());
		return item;
	}

	/** The last `count` items in order, or all if there are fewer; they stay in the queue. */
	last(count: number): T[] {
		return this.places.slice(Math.max(this.first, this.places.length - count)) as T[];
	}

	/** All items in order, as a new array; they stay in the queue. */
	toArray(): T[] {
		return this.places.slice(this.first) as T[];
	}

	/** Replaces all items. The queue keeps the array itself: the caller must not change it afterwards. */
	refill(items: T[]): void {
		this.places = items;
		this.first = 0;
	}
}
