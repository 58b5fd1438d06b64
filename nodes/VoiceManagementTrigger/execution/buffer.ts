// A bounded first-in-first-out buffer on a ring: removing the first of 50,000 entries from a plain array would move
// all the others each time. And roughly how much memory an entry takes: cheap to compute, and never far too little.

import { binary, type JsonObject } from '../feed/envelope/payloadValues';

/** The smallest ring; it doubles when full, so an idle trigger takes hardly any memory. */
const SMALLEST = 16;

/**
 * Keeps at most `limit` entries in order, and after each {@link limitWeight} at most `heaviest` in total weight; further
 * ones push out the oldest.
 */
export class EntryBuffer<T> {
	private ring: Array<T | undefined> = new Array<T | undefined>(SMALLEST);
	private times: number[] = new Array<number>(SMALLEST).fill(0);
	private weights: number[] = new Array<number>(SMALLEST).fill(0);
	private head = 0;
	private count = 0;
	private weight = 0;
	/** How many of the newest entries have not been weighed yet. */
	private unweighed = 0;

	/**
	 * @param limit entries, at least 1
	 * @param heaviest limit for their total weight; a single entry is kept whatever it weighs
	 * @param weigh called only if an entry is still there at the next {@link limitWeight}
	 * @param dropped called for each entry that is pushed out, with the time of its arrival
	 */
	constructor(
		private readonly limit: number,
		private readonly heaviest: number,
		private readonly weigh: (entry: T) => number,
		private readonly dropped: (entry: T, at: number) => void,
	) {}

	get size(): number {
		return this.count;
	}

	/** When the oldest entry arrived (as passed to `push`); undefined if empty. */
	get oldestAt(): number | undefined {
		return this.count === 0 ? undefined : this.times[this.head];
	}

	/** All entries, oldest first. */
	*all(): Iterable<T> {
		for (let index = 0; index < this.count; index++)
			yield this.ring[(this.head + index) % this.ring.length] as T;
	}

	/** Adds an entry; if there are too many, calls `dropped` first for the oldest. */
	push(entry: T, at: number): void {
		if (this.count >= this.limit) this.pushOut();
		if (this.count === this.ring.length) this.grow();
		const slot = (this.head + this.count) % this.ring.length;
		this.ring[slot] = entry;
		this.times[slot] = at;
		this.weights[slot] = 0;
		this.count++;
		this.unweighed++;
	}

	/**
	 * Weighs the entries that were added since the last call; if all are too heavy together, pushes out the oldest. Kept
	 * apart from `push`, since most entries never wait and need not be weighed.
	 */
	limitWeight(): void {
		for (; this.unweighed > 0; this.unweighed--) {
			const slot = (this.head + this.count - this.unweighed) % this.ring.length;
			const weight = this.weigh(this.ring[slot] as T);
			this.weights[slot] = weight;
			this.weight += weight;
		}
		while (this.count > 1 && this.weight > this.heaviest) this.pushOut();
	}

	/** Takes up to `most` entries from the front, oldest first. */
	take(most: number): T[] {
		const taken: T[] = [];
		while (taken.length < most && this.count > 0) {
			taken.push(this.ring[this.head] as T);
			this.removeOldest();
		}
		// A ring that a burst has enlarged is released after the burst.
		if (this.count === 0 && this.ring.length > SMALLEST) this.clear();
		return taken;
	}

	clear(): void {
		this.ring = new Array<T | undefined>(SMALLEST);
		this.times = new Array<number>(SMALLEST).fill(0);
		this.weights = new Array<number>(SMALLEST).fill(0);
		this.head = 0;
		this.count = 0;
		this.weight = 0;
		this.unweighed = 0;
	}

	private pushOut(): void {
		this.dropped(this.ring[this.head] as T, this.times[this.head] as number);
		this.removeOldest();
	}

	private removeOldest(): void {
		this.ring[this.head] = undefined;
		this.weight -= this.weights[this.head] ?? 0;
		this.head = (this.head + 1) % this.ring.length;
		this.count--;
		this.unweighed = Math.min(this.unweighed, this.count);
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

/** Weight of a value that is not text, and of each field without its name. */
const SMALL = 8;

/**
 * Roughly the size of a value as JSON, in bytes. Its nesting is that of an event, which is bounded.
 * @param most counting stops here
 */
export function weightOf(value: unknown, most: number): number {
	return Math.min(weigh(value, most), most);
}

// Every event is weighed, so nothing is allocated here.
function weigh(value: unknown, most: number): number {
	if (typeof value === 'string') return SMALL + value.length;
	if (typeof value !== 'object' || value === null) return SMALL;
	let weight = SMALL;
	if (Array.isArray(value)) {
		for (let index = 0; index < value.length && weight < most; index++) {
			weight += weigh(value[index], most - weight);
		}
		return weight;
	}
	const bytes = binary(value);
	if (bytes) return SMALL + bytes.byteLength;
	const fields = value as JsonObject;
	for (const name in fields) {
		weight += name.length + weigh(fields[name], most - weight);
		if (weight >= most) break;
	}
	return weight;
}
