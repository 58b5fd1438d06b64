// A bounded first-in-first-out buffer on a ring: taking from the front of a plain array of 50,000 would move all
// the others each time.

/** Smallest ring; it doubles as it fills, so an idle trigger holds next to nothing. */
const SMALLEST = 16;

/** Keeps at most `limit` entries of at most `heaviest` together, in order; a further one pushes the oldest out. */
export class RingBuffer<T> {
	private ring: Array<T | undefined> = new Array<T | undefined>(SMALLEST);
	private times: number[] = new Array<number>(SMALLEST).fill(0);
	private weights: number[] = new Array<number>(SMALLEST).fill(0);
	private head = 0;
	private count = 0;
	private weight = 0;

	/**
	 * @param limit entries, at least 1
	 * @param dropped learns of each entry that is pushed out, and when it had come in
	 * @param heaviest what they may weigh together; one entry is kept whatever it weighs
	 * @param weigh only asked if the entry has to wait behind others
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

	/** When the oldest entry came in (as told to `push`); undefined when empty. */
	get oldestAt(): number | undefined {
		return this.count === 0 ? undefined : this.times[this.head];
	}

	/** The oldest entry; undefined when empty. */
	peek(): T | undefined {
		return this.ring[this.head];
	}

	/** All entries, oldest first. */
	*all(): Iterable<T> {
		for (let index = 0; index < this.count; index++)
			yield this.ring[(this.head + index) % this.ring.length] as T;
	}

	/** Adds an entry; each of the oldest that has to go for it is given to `dropped` first. */
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
		// A ring grown by a burst is let go of once the burst is over.
		if (this.count === 0 && this.ring.length > SMALLEST) this.clear();
		return taken;
	}

	/** Empties the buffer; gives the number of entries that were in it. */
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
