// Counts over a moving window of time. One bucket for each second in which something happened, and running totals:
// reading a window costs nothing, whatever its size.

/** What is counted for a queue or an agent. */
export interface Counts {
	answered: number;
	/** Answered in time. */
	within: number;
	/** Answered, with a known waiting time: the service level is calculated from these. */
	timed: number;
	abandoned: number;
	short: number;
	unknown: number;
	/** Calls that were missed altogether. */
	missed: number;
	/** For stays that are over: how many, and milliseconds waited and talked. */
	waited: number;
	waitMs: number;
	talked: number;
	talkMs: number;
	/** Calls that rang an agent who did not take them. */
	notAnswered: number;
}

export type Counted = Partial<Counts>;

interface Bucket extends Counts {
	second: number;
}

const NAMES = [
	'answered',
	'within',
	'timed',
	'abandoned',
	'short',
	'unknown',
	'missed',
	'waited',
	'waitMs',
	'talked',
	'talkMs',
	'notAnswered',
] as const satisfies ReadonlyArray<keyof Counts>;

const NOTHING = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<keyof Counts, number>;

export class MovingCounts {
	/** In order of time; those before `head` have left the window. */
	private buckets: Bucket[] = [];
	private head = 0;
	readonly totals: Counts = { ...NOTHING };

	/** Number of stored buckets. */
	get size(): number {
		return this.buckets.length - this.head;
	}

	/** @param sign 1 counts; -1 takes back what was counted for the same moment */
	add(at: number, counted: Counted, sign: 1 | -1 = 1): void {
		const bucket = this.bucketOf(Math.floor(at / 1000), sign === 1);
		if (!bucket) return;
		for (const name of Object.keys(counted) as Array<keyof Counts>) {
			const amount = (counted[name] ?? 0) * sign;
			bucket[name] += amount;
			this.totals[name] += amount;
		}
	}

	/** Forgets what happened before a moment. */
	forget(before: number): void {
		for (
			let bucket = this.buckets.at(this.head);
			bucket && bucket.second * 1000 < before;
			bucket = this.buckets.at(this.head)
		) {
			this.drop(bucket);
		}
		if (this.head > 64 && this.head * 2 > this.buckets.length) {
			this.buckets = this.buckets.slice(this.head);
			this.head = 0;
		}
	}

	/** Removes the oldest bucket. @returns the moment from which the counts are complete */
	forgetOldest(): number | undefined {
		const bucket = this.buckets.at(this.head);
		if (!bucket) return undefined;
		this.drop(bucket);
		return (bucket.second + 1) * 1000;
	}

	/** The oldest moment that is counted; undefined if nothing is. */
	oldest(): number | undefined {
		const bucket = this.buckets.at(this.head);
		return bucket && bucket.second * 1000;
	}

	private drop(bucket: Bucket): void {
		for (const name of NAMES) this.totals[name] -= bucket[name];
		this.head++;
	}

	private bucketOf(second: number, make: boolean): Bucket | undefined {
		let index = this.buckets.length;
		while (index > this.head && (this.buckets[index - 1]?.second ?? 0) > second) index--;
		const known = index > this.head ? this.buckets[index - 1] : undefined;
		if (known?.second === second) return known;
		if (!make) return undefined;
		const bucket: Bucket = { second, ...NOTHING };
		this.buckets.splice(index, 0, bucket);
		return bucket;
	}
}

/** The day of a moment. Milliseconds since 1970; `until` is the first moment of the next day. */
export interface Day {
	from: number;
	until: number;
}

const HOUR_MS = 3_600_000;
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * The day of a moment in a time zone, also if it has 23 or 25 hours, or begins at one o'clock.
 * @param timeZone IANA name; one that the runtime does not know counts as UTC
 */
export function dayOf(at: number, timeZone: string): Day {
	const date = (moment: number) => formatOf(timeZone).format(moment);
	const today = date(at);
	return {
		from: firstMinute(at - 27 * HOUR_MS, at, (moment) => date(moment) === today),
		until: firstMinute(at, at + 27 * HOUR_MS, (moment) => date(moment) !== today),
	};
}

/** The first full minute after `low`, up to `high`, for which `holds` is true. */
function firstMinute(low: number, high: number, holds: (moment: number) => boolean): number {
	let before = Math.floor(low / 60_000);
	let after = Math.ceil(high / 60_000);
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (holds(middle * 60_000)) after = middle;
		else before = middle;
	}
	return after * 60_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
	let format = dateFormats.get(timeZone);
	if (!format) {
		try {
			format = new Intl.DateTimeFormat('en-CA', { timeZone });
		} catch {
			format = new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' });
		}
		dateFormats.set(timeZone, format);
	}
	return format;
}
