// A bounded first-in-first-out buffer on a ring: removing the first of 50,000 entries from a plain array would move
// all the others each time.

/** The smallest ring; it doubles when full, so an idle trigger takes hardly any memory. */
const SMALLEST = 16;

/**
 * Keeps at most `limit` entries with a total weight of at most `heaviest`, in order; a further one pushes out the
 * oldest.
 */
export class RingBuffer<T> {
	private ring: Array<T | undefined> = new Array<T | undefined>(SMALLEST);
	private times: number[] = new Array<number>(SMALLEST).fill(0);
	private weights: number[] = new Array<number>(SMALLEST).fill(0);
	private head = 0;
	private count = 0;
	private weight = 0;

	/**
	 * @param limit entries, at least 1
	 * @param dropped called for each entry that is pushed out, with the time of its arrival
	 * @param heaviest limit for their total weight; a single entry is kept whatever it weighs
	 * @param weigh called only if the entry has to wait behind others
	 */
	constructor(
		private readonly limit: number,
		private readonly dropped: (entry: T, at: number) => void,
		private readonly heaviest = Number.POSITIVE_INFINITY,
		private readonly weigh: (entry: T) => number = () => 0,
	) {}

	get size(): number {
		return this.count;
	}

	/** When the oldest entry arrived (as passed to `push`); undefined if empty. */
	get oldestAt(): number | undefined {
		return this.count === 0 ? undefined : this.times[this.head];
	}

	/** The oldest entry; undefined if empty. */
	peek(): T | undefined {
		return this.ring[this.head];
	}

	/** All entries, oldest first. */
	*all(): Iterable<T> {
		for (let index = 0; index < this.count; index++)
			yield this.ring[(this.head + index) % this.ring.length] as T;
	}

	/** Adds an entry; calls `dropped` first for each of the oldest that has to make room. */
	push(entry: T, at: number): void {
		const weight = this.count === 0 ? 0 : this.weigh(entry);
		while (this.count >= this.limit || (this.count > 0 && this.weight + weight > this.heaviest)) {
			this.dropped(this.ring[this.head] as T, this.times[this.head] as number);
			this.dropOldest();
		}
		if (this.count === this.ring.length) this.grow();
		const slot = (this.head + this.count) % this.ring.length;
		this.ring[slot] = entry;
		this.times[slot] = at;
		this.weights[slot] = weight;
		this.weight += weight;
		this.count++;
	}

	/** Takes up to `most` entries from the front, oldest first. */
	take(most: number): T[] {
		const taken: T[] = [];
		while (taken.length < most && this.count > 0) {
			taken.push(this.ring[this.head] as T);
			this.dropOldest();
		}
		// A ring that a burst has enlarged is released after the burst.
		if (this.count === 0 && this.ring.length > SMALLEST) this.clear();
		return taken;
	}

	/** Empties the buffer; returns the number of entries that were in it. */
	clear(): number {
		const dropped = this.count;
		this.ring = new Array<T | undefined>(SMALLEST);
		this.times = new Array<number>(SMALLEST).fill(0);
		this.weights = new Array<number>(SMALLEST).fill(0);
		this.head = 0;
		this.count = 0;
		this.weight = 0;
		return dropped;
	}

	private dropOldest(): void {
		this.ring[this.head] = undefined;
		this.weight -= this.weights[this.head] ?? 0;
		this.head = (this.head + 1) % this.ring.length;
		this.count--;
	}

	private grow(): void {
		const size = Math.max(SMALLEST, this.ring.length * 2);
		const ring = new Array<T | undefined>(size);
		const times = new Array<number>(size).fill(0);
		const weights = new Array<number>(size).fill(0);
		for (let index = 0; index < this.count; index++) {
			const slot = (this.head + index) % this.ring.length;
			ring[index] = this.ring[slot];
			times[index] = this.times[slot] ?? 0;
			weights[index] = this.weights[slot] ?? 0;
		}
		this.ring = ring;
		this.times = times;
		this.weights = weights;
		this.head = 0;
	}
}
