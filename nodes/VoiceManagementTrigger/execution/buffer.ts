// The entries that wait for an execution, bounded by weight. And roughly how much memory an entry takes: cheap to
// compute, and never far too little.

import { binary, type JsonObject } from '../feed/envelope/payloadValues';
import { Fifo } from '../feed/fifo';

interface Buffered<T> {
	readonly entry: T;
	/** When it arrived, as passed to `push`. */
	readonly at: number;
	weight: number;
}

/** Keeps entries in order. After each {@link limitWeight} they weigh at most `heaviest`: further ones push out the oldest. */
export class EntryBuffer<T> {
	private readonly waiting = new Fifo<Buffered<T>>();
	private weight = 0;
	/** How many of the newest entries have not been weighed yet. */
	private unweighed = 0;

	/**
	 * @param heaviest limit for their total weight; a single entry is kept whatever it weighs
	 * @param weigh called only if an entry is still there at the next {@link limitWeight}
	 */
	constructor(
		private readonly heaviest: number,
		private readonly weigh: (entry: T) => number,
	) {}

	get size(): number {
		return this.waiting.size;
	}

	/** When the oldest entry arrived; undefined if empty. */
	get oldestAt(): number | undefined {
		return this.waiting.peek()?.at;
	}

	/** All entries, oldest first. */
	all(): T[] {
		return this.waiting.toArray().map(({ entry }) => entry);
	}

	push(entry: T, at: number): void {
		this.waiting.push({ entry, at, weight: 0 });
		this.unweighed++;
	}

	/**
	 * Weighs the entries that were added since the last call; if all are too heavy together, pushes out the oldest. Kept
	 * apart from `push`, since most entries never wait and need not be weighed.
	 * @returns what was pushed out, oldest first
	 */
	limitWeight(): Array<Buffered<T>> {
		const added = this.unweighed === 0 ? [] : this.waiting.last(this.unweighed);
		for (const one of added) {
			one.weight = this.weigh(one.entry);
			this.weight += one.weight;
		}
		this.unweighed = 0;
		const dropped: Array<Buffered<T>> = [];
		while (this.size > 1 && this.weight > this.heaviest) {
			const oldest = this.remove();
			if (oldest) dropped.push(oldest);
		}
		return dropped;
	}

	/** Takes up to `most` entries from the front, oldest first. */
	take(most: number): T[] {
		const taken: T[] = [];
		for (let one; taken.length < most && (one = this.remove());) taken.push(one.entry);
		return taken;
	}

	private remove(): Buffered<T> | undefined {
		const oldest = this.waiting.shift();
		this.weight -= oldest?.weight ?? 0;
		this.unweighed = Math.min(this.unweighed, this.size);
		return oldest;
	}
}

/** Weight of a value that is not text, and of each field without its name. */
const SMALL = 8;

/** Roughly the size of a value as JSON, in bytes. Its nesting is that of an event, which is bounded. */
export function weightOf(value: unknown): number {
	if (typeof value === 'string') return SMALL + value.length;
	if (typeof value !== 'object' || value === null) return SMALL;
	const bytes = binary(value);
	if (bytes) return SMALL + bytes.byteLength;
	let weight = SMALL;
	const fields = value as JsonObject;
	for (const name in fields) weight += name.length + weightOf(fields[name]);
	return weight;
}
