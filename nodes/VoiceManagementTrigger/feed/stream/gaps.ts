// The gaps of the feed: times without a connection, and numbers missing in `cpt`. gapStart.ts says where one begins.
// `cpt` is documented as "event sequence number" and no more: whether it counts by one on this account is learned
// from the events, and nothing is concluded from it before.
import { SILENT_MS } from './overlap';
import {
	LONGEST_JUMP,
	mayBeOwnCount,
	newestBefore,
	type NumberRange,
	type SequenceNumbers,
} from './sequenceNumbers';
import type { FeedEvent, FeedStatus } from '../types';

export type Gap = Omit<Extract<FeedStatus, { event: 'gap' }>, 'event'>;

/** After this many steps of exactly one in a row, on one connection, `cpt` is taken to count by one. */
const STEPS_TO_LEARN = 10;
/** After this many jumps it is not any more (a feed that shows only some of the numbers) … */
const JUMPS_TO_UNLEARN = 3;
/** … unless this many times as many steps in a row lie between them. */
const STEPS_TO_TRUST = 10;
/** Missing numbers can still arrive late for this long. */
export const REORDER_MS = 2_000;
/**
 * A gap waits this long for the first event after it, which shows how much was missed, and that the operator has
 * received `init`: the gap ends with that event, or with this wait if none comes.
 */
export const FIRST_EVENT_MS = 5_000;

/** A gap that is not reported yet. */
interface PendingGap {
	from: number;
	/** When a connection was there again, which is a little before the operator received its `init`. */
	to?: number;
	reason: string;
	/** The newest numbers before it. */
	numbers: Pick<SequenceNumbers, 'last' | 'highest'>;
	/** Nothing shows that anything was missed: the numbers can prove that nothing was. */
	uncertain: boolean;
	/** Reported when the next event comes, however late that is. */
	deferred: boolean;
}

interface MissingRange extends NumberRange {
	missing: number;
	filled: Set<number>;
	from: number;
	to: number;
	deadline: number;
	jump: boolean;
}

/** Numbers that were skipped right before one. */
interface Skipped {
	missing: number;
	before: number;
	from: number;
	to: number;
	waitMs: number;
	/** Over one connection: it jumps often if `cpt` does not count by one. */
	jump: boolean;
}

/** One connection that was open beside another one. */
export interface TwoConnections {
	previous: SequenceNumbers;
	next: SequenceNumbers;
	/** Which numbers the next one brought alone, after a higher one too. */
	brought: (range: NumberRange) => number[];
	/** When the previous one brought its last event. */
	from: number;
	/** When the next one brought its first one. */
	to: number;
}

/** The feed has no connection any more. */
export interface Interruption {
	/** The last moment at which everything had arrived. */
	from: number;
	reason: string;
	/** Nothing shows that anything was missed. */
	uncertain: boolean;
}

/** One connection took over from another in time, but the previous one may have missed something before. */
export interface UncertainTakeover
	extends Omit<TwoConnections, 'from' | 'to'>, Omit<Interruption, 'uncertain'> {
	/** Complete again from here on. */
	to: number;
	/** `to` is the moment of the next connection's first event. */
	exact: boolean;
	/** Reported with the next event only. */
	deferred: boolean;
}

export class GapTracker {
	/** Whether `cpt` was seen to count by one. */
	countsByOne = false;

	private stepsToLearn = STEPS_TO_LEARN;

	private jumpsSinceTrusted = 0;

	private pending?: PendingGap;

	private missingRanges: MissingRange[] = [];

	/** Numbers that came after a higher one a moment ago. */
	private late: Array<{ cpt: number; at: number }> = [];

	private lastEventAt?: number;

	/**
	 * Every event of a connection, copies included.
	 * @param numbers of that connection
	 * @param others numbers of a connection beside it with the same numbering, which may have what this one lacks; false if
	 *   there is one of which nothing is known
	 * @returns the numbers that it shows to be missing, if any
	 */
	received(
		numbers: SequenceNumbers,
		event: FeedEvent,
		others?: SequenceNumbers | false,
	): NumberRange | undefined {
		const { cpt, receivedAt } = event;
		const from = this.lastEventAt ?? receivedAt;
		this.lastEventAt = receivedAt;
		if (cpt === undefined || !Number.isInteger(cpt)) return undefined;
		const isLate = this.fill(cpt);
		// Else two late ones in a row would look like a numbering that began again.
		if (isLate && cpt < (numbers.last ?? cpt)) return undefined;
		if (this.countsByOne && cpt < (numbers.last ?? cpt)) this.noteLate(cpt, receivedAt);
		const { run } = numbers;
		const skipped = numbers.add(cpt);
		if (numbers.run > run) this.learn(numbers.run);
		if (skipped === 0 || others === false || !this.countsByOne) return undefined;
		const known = others && newestBefore(others, cpt);
		const missing = Math.min(skipped, cpt - 1 - (known ?? -Infinity));
		// Of two lines one may lag.
		const waitMs = others ? SILENT_MS : REORDER_MS;
		return this.waitFor({ missing, before: cpt, from, to: receivedAt, waitMs, jump: true });
	}

	/** Numbers before one are missing, but for those that came late a moment ago. They can still come. */
	private waitFor(skipped: Skipped): NumberRange | undefined {
		const { missing, before, from, to, waitMs, jump } = skipped;
		if (missing <= 0) return undefined;
		const low = before - missing;
		const late = this.late.filter(
			(one) => one.cpt >= low && one.cpt < before && Math.abs(to - one.at) <= REORDER_MS,
		);
		const filled = new Set(late.map((one) => one.cpt));
		const range = {
			low,
			high: before - 1,
			missing: missing - filled.size,
			filled,
			from,
			to,
			deadline: to + waitMs,
			jump,
		};
		this.missingRanges.push(range);
		return range;
	}

	/**
	 * @param numbers of the connection that is gone
	 * @returns what was missing before it ended: nothing comes late any more
	 */
	lost(numbers: SequenceNumbers, { from, reason, uncertain }: Interruption): Gap[] {
		const missing = this.overdue(Infinity);
		const { pending } = this;
		// If one is not reported yet: one longer gap says as much as two.
		this.pending = {
			from: Math.min(pending?.from ?? from, from),
			reason: pending?.reason ?? reason,
			numbers: newest(pending?.numbers, numbers),
			uncertain: (pending?.uncertain ?? true) && uncertain,
			deferred: false,
		};
		return missing;
	}

	/** The feed has a connection again. */
	reconnected(at: number): void {
		if (this.pending && this.pending.to === undefined) this.pending.to = at;
	}

	/** @returns the gap, if nothing more will be known about it */
	tookOverUncertainly(takeover: UncertainTakeover): Gap | undefined {
		const { pending } = this;
		const { from, to, reason, deferred, exact, previous, next, brought } = takeover;
		// The previous connection brought everything until the next one did: nothing lies between them.
		if (from >= (exact ? to : to + FIRST_EVENT_MS)) return undefined;
		const merged: PendingGap = {
			from: Math.min(pending?.from ?? from, from),
			to,
			reason: pending?.reason ?? reason,
			numbers: newest(pending?.numbers, previous),
			uncertain: deferred && (pending?.uncertain ?? true),
			deferred: deferred && (pending?.deferred ?? true),
		};
		this.pending = merged;
		if (!exact) return undefined;
		// Reported now: tookOver must not find the same again.
		previous.forgetLast();
		return this.report(merged, to, next.first, brought);
	}

	/** One connection took over from another without a break. What the two show to be missing, the next one may bring late. */
	tookOver(takeover: TwoConnections & { numbersDiffer: boolean }): void {
		const { previous, next, numbersDiffer } = takeover;
		if (previous.last === undefined || numbersDiffer || this.pending) return;
		if (next.first === undefined) next.inherit(previous);
		else this.waitForBetween(takeover, REORDER_MS);
	}

	/**
	 * The next one of two connections in one numbering ended, and the previous one goes on: what lies between them, that one may
	 * still bring.
	 */
	nextEnded(ended: TwoConnections): void {
		const { previous, next } = ended;
		// What is pending has the numbers around it.
		if (!this.pending) this.waitForBetween(ended, SILENT_MS);
		previous.knowOf(next);
	}

	private waitForBetween(two: TwoConnections, waitMs: number): void {
		const { previous, next, brought, from, to } = two;
		const missing = this.missedBetween(previous, next);
		const before = next.first ?? 0;
		const start = Math.min(from, to);
		const range = this.waitFor({ missing, before, from: start, to, waitMs, jump: false });
		if (range) brought(range).forEach((cpt) => this.fill(cpt));
	}

	private missedBetween(previous: SequenceNumbers, { first }: SequenceNumbers): number {
		const last = first === undefined ? undefined : newestBefore(previous, first);
		if (!this.countsByOne || last === undefined || first === undefined) return 0;
		const missed = first - last - 1;
		return missed > 0 && missed <= LONGEST_JUMP ? missed : 0;
	}

	/** What is to be reported before this event is handed on. */
	beforeEvent(event: FeedEvent): Gap | undefined {
		const { pending } = this;
		if (!pending || pending.to === undefined) return undefined;
		const to = Math.max(pending.to, Math.min(event.receivedAt, pending.to + FIRST_EVENT_MS));
		return this.report(pending, to, event.cpt);
	}

	/** The pending as a gap, unless the numbers prove that nothing was missed in it. */
	private report(
		pending: PendingGap,
		to: number,
		firstCpt?: number,
		brought?: TwoConnections['brought'],
	): Gap | undefined {
		this.pending = undefined;
		const { from, reason, numbers, uncertain } = pending;
		const lastCpt = newestBefore(numbers, firstCpt ?? -Infinity);
		const comparable = firstCpt !== undefined && lastCpt !== undefined && !mayBeOwnCount(firstCpt);
		const late = comparable ? brought?.({ low: lastCpt + 1, high: firstCpt - 1 }) : undefined;
		const ahead = comparable ? firstCpt - lastCpt - 1 - new Set(late).size : -1;
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
			const { from, to, reason, numbers } = pending;
			gaps.push(gap(from, to + FIRST_EVENT_MS, reason, { lastCpt: numbers.last }));
		}
		return [...gaps, ...this.overdue(now)];
	}

	/** Numbers that are not waited for any longer. */
	private overdue(now: number): Gap[] {
		const gaps: Gap[] = [];
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
			if (range.jump) this.unlearn();
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

	/** The machine's clock was set back: what has a time is as long ago as before. */
	setBack(ms: number): void {
		const { pending } = this;
		if (pending) {
			pending.from -= ms;
			if (pending.to !== undefined) pending.to -= ms;
		}
		for (const range of this.missingRanges) {
			range.from -= ms;
			range.to -= ms;
			range.deadline -= ms;
		}
		if (this.lastEventAt !== undefined) this.lastEventAt -= ms;
	}

	private noteLate(cpt: number, at: number): void {
		this.late.push({ cpt, at });
		while (Math.abs(at - (this.late[0]?.at ?? at)) > REORDER_MS) this.late.shift();
	}

	private learn(run: number): void {
		if (run < this.stepsToLearn) return;
		this.countsByOne = true;
		if (run >= STEPS_TO_TRUST * this.stepsToLearn) this.jumpsSinceTrusted = 0;
	}

	/** A missing number that came after all. @returns whether it is one */
	fill(cpt: number): boolean {
		let filled = false;
		for (const range of this.missingRanges) {
			if (cpt < range.low || cpt > range.high || range.filled.has(cpt)) continue;
			range.filled.add(cpt);
			range.missing--;
			filled = true;
		}
		return filled;
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

/** The newest numbers before a gap. If a pending gap becomes longer, those before its beginning count. */
function newest(pending: PendingGap['numbers'] | undefined, now: SequenceNumbers) {
	const { last, highest } = pending?.last === undefined ? now : pending;
	return { last, highest };
}

export function gap(
	from: number,
	to: number,
	reason: string,
	known: { lastCpt?: number; firstCpt?: number; missed?: number } = {},
): Gap {
	return { from, to, durationMs: Math.max(0, to - from), reason, ...withoutUndefined(known) };
}

function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
