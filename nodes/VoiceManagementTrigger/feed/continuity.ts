// What the feed knows about its own completeness: times without a connection, and numbers missing in `cpt`.
// `cpt` is documented as "event numbers number" and no more: whether it counts by one on this account is learned
// from the events, and nothing is concluded from it before.
import type { FeedEvent, FeedStatus } from './types';

export type Gap = Omit<Extract<FeedStatus, { event: 'gap' }>, 'event'>;

/** So many steps of exactly one in a row, on one connection, make a numbering by one. */
const STEPS_TO_LEARN = 10;
/** So many missingRanges unmake it (a feed that shows only some of the numbers) … */
const JUMPS_TO_UNLEARN = 3;
/** … unless so many times as many steps in a row lie between them. */
const STEPS_TO_TRUST = 10;
/** Missing numbers may still arrive late for so long. */
export const REORDER_MS = 2_000;
/**
 * A gap waits so long for the first event after it, which tells how much was missed, and that the service has heard
 * `init`: the gap ends with that event, or where none comes, with this wait.
 */
export const FIRST_EVENT_MS = 5_000;
/** A range further than this is a numbering that began anew somewhere else. */
const LONGEST_JUMP = 1_000_000;
const RECENT_NUMBERS = 256;

/** The numbers of one connection. */
interface SequenceNumbers {
	first?: number;
	last?: number;
	/** Steps of one in a row. */
	run: number;
	/** A number that went back: a late event, or with its successor a numbering that began anew. */
	back?: number;
	/** `last` was taken over from the connection before. */
	inherited: boolean;
	/** The newest numbers, to tell a repeated one from a late one: each at its remainder by the length. */
	recent: Float64Array;
}

interface PendingGap {
	from: number;
	/** When a connection was there again, which is a little before the service heard its `init`. */
	to?: number;
	reason: string;
	lastCpt?: number;
	/** Nothing shows that anything was missed: the numbers may prove that nothing was. */
	uncertain: boolean;
	/** Reported when the next event comes, however late that is. */
	deferred: boolean;
}

interface MissingRange {
	low: number;
	high: number;
	missing: number;
	filled: Set<number>;
	from: number;
	to: number;
	deadline: number;
}

export class Continuity {
	repeated = 0;

	late = 0;

	restarts = 0;

	/** Whether `cpt` was seen to count by one. */
	countsByOne = false;

	private readonly numbers = new Map<number, SequenceNumbers>();

	private stepsToLearn = STEPS_TO_LEARN;

	private jumpsSinceTrusted = 0;

	private pending?: PendingGap;

	private missingRanges: MissingRange[] = [];

	private lastEventAt?: number;

	/** Newest number of a connection. */
	lastCpt(link: number): number | undefined {
		return this.numbers.get(link)?.last;
	}

	/**
	 * Every event of a connection, copies included.
	 * @param alone false while another connection is open beside it, which may have what this one lacks
	 */
	received(link: number, event: FeedEvent, alone: boolean): void {
		const before = this.lastEventAt ?? event.receivedAt;
		this.lastEventAt = event.receivedAt;
		const { cpt } = event;
		if (cpt === undefined || !Number.isInteger(cpt)) return;
		this.fill(cpt);
		const numbers = this.numbersOf(link);
		numbers.first ??= cpt;
		const seen = remember(numbers.recent, cpt);
		const { last } = numbers;
		if (last === undefined) {
			numbers.last = cpt;
			return;
		}
		const step = cpt - last;
		if (step === 1) {
			numbers.run++;
			numbers.last = cpt;
			numbers.back = undefined;
			numbers.inherited = false;
			if (numbers.run >= this.stepsToLearn) {
				this.countsByOne = true;
				if (numbers.run >= STEPS_TO_TRUST * this.stepsToLearn) this.jumpsSinceTrusted = 0;
			}
		} else if (step === 0) {
			this.repeated++;
		} else if (step > 1) {
			if (alone && this.countsByOne && step <= LONGEST_JUMP) {
				this.missingRanges.push({
					low: last + 1,
					high: cpt - 1,
					missing: step - 1,
					filled: new Set(),
					from: before,
					to: event.receivedAt,
					deadline: event.receivedAt + REORDER_MS,
				});
			}
			if (step > LONGEST_JUMP) this.restarts++;
			numbers.run = 0;
			numbers.last = cpt;
			numbers.back = undefined;
			numbers.inherited = false;
		} else {
			this.wentBack(numbers, cpt, seen);
		}
	}

	/** The feed has no connection from `from` on (the last moment it was complete). */
	lost(link: number, from: number, reason: string, uncertain: boolean): void {
		this.missingRanges = [];
		const lastCpt = this.numbers.get(link)?.last;
		this.numbers.delete(link);
		if (this.pending) {
			// Not reported yet: one longer gap says as much as two.
			this.pending = {
				...this.pending,
				from: Math.min(this.pending.from, from),
				to: undefined,
				lastCpt: this.pending.lastCpt ?? lastCpt,
				uncertain: this.pending.uncertain && uncertain,
				deferred: false,
			};
			return;
		}
		this.pending = { from, reason, lastCpt, uncertain, deferred: false };
	}

	/** The feed has a connection again. */
	reconnected(at: number): void {
		if (this.pending && this.pending.to === undefined) this.pending.to = at;
	}

	/**
	 * A connection was taken over in time, but what the previous one may have missed before is in uncertainty.
	 * @param uncertainty `exact`: `to` is the moment of the next connection's first event; `deferred`: say so with the next
	 * event only
	 * @returns the gap, where nothing more will be known about it
	 */
	uncertainUntil(
		previous: number,
		next: number,
		uncertainty: Pick<PendingGap, 'from' | 'reason' | 'deferred'> & { to: number; exact: boolean },
	): Gap | undefined {
		const { pending } = this;
		const merged: PendingGap & { to: number } = {
			from: Math.min(pending?.from ?? uncertainty.from, uncertainty.from),
			to: uncertainty.to,
			reason: pending?.reason ?? uncertainty.reason,
			lastCpt: pending?.lastCpt ?? this.numbers.get(previous)?.last,
			uncertain: uncertainty.deferred && (pending?.uncertain ?? true),
			deferred: uncertainty.deferred && (pending?.deferred ?? true),
		};
		this.pending = merged;
		if (!uncertainty.exact) return undefined;
		// Told now: tookOver must not find the same again.
		this.numbers.delete(previous);
		return this.report(merged, uncertainty.to, this.numbers.get(next)?.first);
	}

	/**
	 * `next` took over from `previous` without a break. Gives the gap that the numbers of the two show, if any.
	 * @param numbersDiffer each of the two has a numbering of its own
	 */
	tookOver(previous: number, next: number, at: number, numbersDiffer = false): Gap | undefined {
		const last = numbersDiffer ? undefined : this.numbers.get(previous)?.last;
		this.numbers.delete(previous);
		const numbers = this.numbersOf(next);
		if (last === undefined || this.pending) return undefined;
		if (numbers.first === undefined) {
			numbers.last = last;
			numbers.inherited = true;
			return undefined;
		}
		const missed = numbers.first - last - 1;
		if (!this.countsByOne || missed <= 0 || missed > LONGEST_JUMP) return undefined;
		const from = this.lastEventAt ?? at;
		return gap(from, at, 'sequence numbers are missing', {
			lastCpt: last,
			firstCpt: numbers.first,
			missed,
		});
	}

	/** This connection counts no more. */
	forget(link: number): void {
		this.numbers.delete(link);
	}

	/** What is to be reported before this event is handed on. */
	beforeEvent(event: FeedEvent): Gap | undefined {
		const { pending } = this;
		if (!pending || pending.to === undefined) return undefined;
		const to = Math.max(pending.to, Math.min(event.receivedAt, pending.to + FIRST_EVENT_MS));
		return this.report(pending, to, event.cpt);
	}

	/** The pending as a gap, unless the numbers prove that nothing was missed in it. */
	private report(pending: PendingGap, to: number, firstCpt?: number): Gap | undefined {
		this.pending = undefined;
		const { from, reason, lastCpt, uncertain } = pending;
		const ahead = firstCpt !== undefined && lastCpt !== undefined ? firstCpt - lastCpt - 1 : -1;
		const missed = this.countsByOne && ahead >= 0 && ahead <= LONGEST_JUMP ? ahead : undefined;
		if (uncertain && missed === 0) return undefined;
		return gap(from, to, reason, { lastCpt, firstCpt, missed });
	}

	/** What is to be reported because its time has come. */
	due(now: number): Gap[] {
		const gaps: Gap[] = [];
		const { pending } = this;
		if (pending?.to !== undefined && !pending.deferred && now >= pending.to + FIRST_EVENT_MS) {
			this.pending = undefined;
			const { from, to, reason, lastCpt } = pending;
			gaps.push(gap(from, to + FIRST_EVENT_MS, reason, { lastCpt }));
		}
		for (
			let [range] = this.missingRanges;
			range && now >= range.deadline;
			[range] = this.missingRanges
		) {
			this.missingRanges.shift();
			if (range.missing === 0) continue;
			gaps.push(
				gap(range.from, range.to, 'sequence numbers are missing', {
					lastCpt: range.low - 1,
					firstCpt: range.high + 1,
					missed: range.missing,
				}),
			);
			this.unlearn();
		}
		return gaps;
	}

	/** When `due` has something to say, at the earliest. */
	nextDue(): number | undefined {
		const { pending } = this;
		// Asked twice for every event: nothing is allocated here.
		const hearing =
			pending?.to === undefined || pending.deferred ? Infinity : pending.to + FIRST_EVENT_MS;
		const reorder = this.missingRanges[0]?.deadline ?? Infinity;
		const due = Math.min(hearing, reorder);
		return due === Infinity ? undefined : due;
	}

	private numbersOf(link: number): SequenceNumbers {
		let numbers = this.numbers.get(link);
		if (!numbers) {
			numbers = { run: 0, inherited: false, recent: new Float64Array(RECENT_NUMBERS).fill(NaN) };
			this.numbers.set(link, numbers);
		}
		return numbers;
	}

	private wentBack(numbers: SequenceNumbers, cpt: number, seen: boolean): void {
		if (numbers.inherited || cpt - 1 === numbers.back) {
			// The connection's own numbering; or two in a row further back: the numbering began anew.
			if (!numbers.inherited) this.restarts++;
			numbers.last = cpt;
			numbers.run = 0;
			numbers.back = undefined;
			numbers.inherited = false;
			return;
		}
		numbers.back = cpt;
		if (seen) this.repeated++;
		else this.late++;
	}

	/** A missing number that came after all. */
	private fill(cpt: number): void {
		for (const range of this.missingRanges) {
			if (cpt < range.low || cpt > range.high || range.filled.has(cpt)) continue;
			range.filled.add(cpt);
			range.missing--;
		}
	}

	private unlearn(): void {
		this.jumpsSinceTrusted++;
		if (this.jumpsSinceTrusted < JUMPS_TO_UNLEARN) return;
		this.countsByOne = false;
		this.jumpsSinceTrusted = 0;
		// It looked like counting by one and was not: harder to convince next time.
		this.stepsToLearn = Math.min(10_000, this.stepsToLearn * 2);
	}
}

/** Whether `cpt` is among the newest numbers; it is from now on. */
function remember(recent: Float64Array, cpt: number): boolean {
	const place = Math.abs(cpt) % RECENT_NUMBERS;
	const known = recent[place] === cpt;
	recent[place] = cpt;
	return known;
}

function gap(
	from: number,
	to: number,
	reason: string,
	known: { lastCpt?: number; firstCpt?: number; missed?: number },
): Gap {
	return { from, to, durationMs: Math.max(0, to - from), reason, ...withoutUndefined(known) };
}

function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
