// Counts over a window of time. One bucket for each second in which something happened, and running totals: reading a
// moving window costs nothing, whatever its size.

interface Bucket<T> {
	readonly second: number;
	readonly counted: Partial<T>;
}

/** The sum of several counts. */
export function sumOf<T extends Record<keyof T, number>>(nothing: T, parts: Iterable<T>): T {
	const sum = { ...nothing };
	for (const part of parts)
		for (const name of namesOf(nothing)) sum[name] = (sum[name] + part[name]) as T[keyof T];
	return sum;
}

function namesOf<T extends object>(counts: T): Array<keyof T> {
	return Object.keys(counts) as Array<keyof T>;
}

/** @typeParam T what is counted, each a whole number, so that what is taken back leaves nothing */
export class WindowCounts<T extends Record<keyof T, number>> {
	/** In order of time; those before `head` have left the window. */
	private buckets: Array<Bucket<T>> = [];
	private head = 0;
	readonly totals: T;

	/** @param nothing every name with 0 */
	constructor(nothing: T) {
		this.totals = { ...nothing };
	}

	/** Number of stored buckets. */
	get size(): number {
		return this.buckets.length - this.head;
	}

	/**
	 * Counts something that happened at a moment (milliseconds since 1970).
	 * @param sign -1 takes back what was counted for the same moment
	 */
	add(at: number, counted: Partial<T>, sign: 1 | -1 = 1): void {
		const bucket = this.bucketOf(Math.floor(at / 1000), sign === 1);
		if (!bucket) return;
		addTo(bucket.counted, counted, sign);
		addTo(this.totals, counted, sign);
	}

	/** What happened before a moment: at a whole second. */
	until(moment: number): T {
		const sum = { ...this.totals };
		for (let index = this.buckets.length - 1; index >= this.head; index--) {
			const bucket = this.buckets[index];
			if (!bucket || bucket.second * 1000 < moment) break;
			addTo(sum, bucket.counted, -1);
		}
		return sum;
	}

	/** Forgets what happened before a moment. @returns whether there was anything */
	forget(before: number): boolean {
		let bucket = this.buckets.at(this.head);
		const forgets = bucket !== undefined && bucket.second * 1000 < before;
		for (; bucket && bucket.second * 1000 < before; bucket = this.buckets.at(this.head))
			this.drop(bucket);
		if (this.head > 64 && this.head * 2 > this.buckets.length) {
			this.buckets = this.buckets.slice(this.head);
			this.head = 0;
		}
		return forgets;
	}

	/** The oldest moment that is counted; undefined if nothing is. */
	oldest(): number | undefined {
		const bucket = this.buckets.at(this.head);
		return bucket && bucket.second * 1000;
	}

	private drop({ counted }: Bucket<T>): void {
		addTo(this.totals, counted, -1);
		this.head++;
	}

	private bucketOf(second: number, make: boolean): Bucket<T> | undefined {
		let index = this.buckets.length;
		while (index > this.head && (this.buckets[index - 1]?.second ?? 0) > second) index--;
		const known = index > this.head ? this.buckets[index - 1] : undefined;
		if (known?.second === second) return known;
		if (!make) return undefined;
		const bucket: Bucket<T> = { second, counted: {} };
		this.buckets.splice(index, 0, bucket);
		return bucket;
	}
}

function addTo<T>(sum: Partial<T>, counted: Partial<T>, sign: 1 | -1): void {
	for (const name in counted)
		sum[name] = (Number(sum[name] ?? 0) + Number(counted[name]) * sign) as T[typeof name];
}
