// Finds the gaps of the feed: times without a connection, and missing numbers. A number is the `cpt` of an event;
// gapStart.ts computes where a gap begins. The only documentation of `cpt` is "event sequence number". Whether it
// counts by one on this account, i.e. rises by one from each event to the next, is learned from the events. Until then
// no number counts as missing. What a workflow is told about a gap: execution/executions.ts and events/statusItem.ts.
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

/** After this many steps of exactly one in a row on one connection, `cpt` is taken to count by one. */
const STEPS_TO_LEARN = 10;
/** After this many jumps it no longer is (the feed shows only some of the numbers) … */
const JUMPS_TO_UNLEARN = 3;
/** … unless a run of this many times as many steps comes between two of them, which resets their count. */
const STEPS_TO_TRUST = 10;
/** How long a missing number can still arrive late. */
export const REORDER_MS = 2_000;
/**
 * How long a gap waits for the first event after it, which shows how much was missed and that the operator has received
 * `init`. The gap ends with that event, or after this time if none comes.
 */
export const FIRST_EVENT_MS = 5_000;

/** A gap that has not been reported yet. */
interface PendingGap {
	from: number;
	/** When a connection was open again, a little before the operator received its `init`; undefined until then. */
	to?: number;
	reason: string;
	/** The newest numbers before the gap. */
	numbers: Pick<SequenceNumbers, 'last' | 'highest'>;
	/** Perhaps nothing was missed: if the numbers prove that, the gap is not reported. */
	uncertain: boolean;
	/** The gap is reported when the next event comes, however late that is. */
	deferred: boolean;
}

/** A range in which numbers are missing. They can still arrive until `deadline`. */
interface MissingRange extends NumberRange {
	/** How many of them are still missing. */
	missing: number;
	/** Those that have arrived late. */
	filled: Set<number>;
	from: number;
	to: number;
	deadline: number;
	/** See {@link Skipped}. */
	jump: boolean;
}

/** Numbers that were skipped. */
interface Skipped {
	/** How many. */
	missing: number;
	/** The number that follows them. */
	before: number;
	from: number;
	to: number;
	waitMs: number;
	/** One connection skipped them. It does so often if `cpt` does not count by one. */
	jump: boolean;
}

/** Two connections that were open at the same time; `next` was opened later. */
export interface TwoConnections {
	previous: SequenceNumbers;
	next: SequenceNumbers;
	/** The numbers of a range that only `next` has delivered, including those that came after a higher one. */
	brought: (range: NumberRange) => number[];
	/** When `previous` delivered its last event, or opened if it delivered none. */
	from: number;
	/** When `next` delivered its first event, or opened if it delivered none. */
	to: number;
}

/** The only connection was lost. */
export interface Interruption {
	/** The last moment up to which everything is known to have arrived. */
	from: number;
	reason: string;
	/** Perhaps nothing was missed. */
	uncertain: boolean;
}

/** One connection took over from another without a break, but the previous one may have missed events before that. */
export interface UncertainTakeover
	extends Omit<TwoConnections, 'from' | 'to'>, Omit<Interruption, 'uncertain'> {
	/** The moment from which the feed is complete again. */
	to: number;
	/** The next connection has delivered an event, so `to` is final. Otherwise the gap waits for the next event. */
	exact: boolean;
	/** See {@link PendingGap}. */
	deferred: boolean;
}

export class GapTracker {
	/** Whether `cpt` was seen to count by one, and did not jump too often since. */
	countsByOne = false;

	private stepsToLearn = STEPS_TO_LEARN;

	private jumpsSinceTrusted = 0;

	private pending?: PendingGap;

	private missingRanges: MissingRange[] = [];

	/** Numbers that arrived a moment ago, after a higher one. */
	private late: Array<{ cpt: number; at: number }> = [];

	private lastEventAt?: number;

	/**
	 * Takes each event of a connection, including those that are copies of another connection's.
	 * @param numbers the numbers of that connection
	 * @param others the numbers of a second open connection that shares the numbering, and may have delivered what this
	 *   one lacks; false if there is a second one that is not known to share it; undefined if there is none
	 * @returns the range of numbers that this event shows to be missing, if any
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
		// A late number is not added to `numbers`: two of them in a row would look like a numbering that restarted.
		if (isLate && cpt < (numbers.last ?? cpt)) return undefined;
		if (this.countsByOne && cpt < (numbers.last ?? cpt)) this.noteLate(cpt, receivedAt);
		const { run } = numbers;
		const skipped = numbers.add(cpt);
		if (numbers.run > run) this.learn(numbers.run);
		if (skipped === 0 || others === false || !this.countsByOne) return undefined;
		const known = others && newestBefore(others, cpt);
		const missing = Math.min(skipped, cpt - 1 - (known ?? -Infinity));
		// One of two connections can lag behind the other one.
		const waitMs = others ? SILENT_MS : REORDER_MS;
		return this.waitFor({ missing, before: cpt, from, to: receivedAt, waitMs, jump: true });
	}

	/** Waits for skipped numbers to arrive late, except for those that already did a moment ago. */
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
	 * The only connection was lost: a gap begins, or the pending one becomes longer.
	 * @param numbers the numbers of that connection
	 * @returns gaps for the numbers that were missing before it was lost, because none can arrive late any more
	 */
	lost(numbers: SequenceNumbers, { from, reason, uncertain }: Interruption): Gap[] {
		const missing = this.overdue(Infinity);
		const { pending } = this;
		// If a gap is still pending, the two become one: it reports as much as two would.
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

	/**
	 * A gap begins, or the pending one becomes longer.
	 * @returns the gap if it is to be reported at once, because nothing more will be known about it
	 */
	tookOverUncertainly(takeover: UncertainTakeover): Gap | undefined {
		const { pending } = this;
		const { from, to, reason, deferred, exact, previous, next, brought } = takeover;
		// The previous connection delivered everything until the next one did: nothing was missed in between.
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
		// The gap is reported now, so tookOver() must not find the same numbers missing again.
		previous.forgetLast();
		return this.report(merged, to, next.first, brought);
	}

	/**
	 * One connection took over from another without a break. If numbers are missing between the two, the next one can
	 * still deliver them late.
	 */
	tookOver(takeover: TwoConnections & { numbersDiffer: boolean }): void {
		const { previous, next, numbersDiffer } = takeover;
		if (previous.last === undefined || numbersDiffer || this.pending) return;
		if (next.first === undefined) next.inherit(previous);
		else this.waitForBetween(takeover, REORDER_MS);
	}

	/**
	 * The next connection ended, and the previous one stays. If numbers are missing between the two, the previous one
	 * can still deliver them. To be called only if the two are not known to have numberings of their own.
	 */
	nextEnded(ended: TwoConnections): void {
		const { previous, next } = ended;
		// The report of a pending gap counts what is missing from the numbers around it, these included.
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

	/**
	 * When everything had arrived before the gap that is not reported yet, if an event has come since; otherwise
	 * undefined.
	 * @param transitMs how much earlier than that the gap begins
	 */
	completeBefore(transitMs: number): number | undefined {
		const at = (this.pending?.from ?? Infinity) + transitMs;
		return at < (this.lastEventAt ?? -Infinity) ? at : undefined;
	}

	/** The gap to report before this event is passed on, if any. */
	beforeEvent(event: FeedEvent): Gap | undefined {
		const { pending } = this;
		if (!pending || pending.to === undefined) return undefined;
		const to = Math.max(pending.to, Math.min(event.receivedAt, pending.to + FIRST_EVENT_MS));
		return this.report(pending, to, event.cpt);
	}

	/**
	 * Ends a pending gap.
	 * @returns the gap to report; undefined if it was uncertain and the numbers prove that nothing was missed
	 */
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

	/** Gaps whose wait is over, to be reported now. */
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

	/** Gaps for missing numbers whose deadline has passed. */
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

	/** The earliest moment at which {@link due} can return a gap; undefined if nothing is awaited. */
	nextDue(): number | undefined {
		const { pending } = this;
		// Called twice for every event, so nothing is allocated here.
		const hearing =
			pending?.to === undefined || pending.deferred ? Infinity : pending.to + FIRST_EVENT_MS;
		const reorder = this.missingRanges[0]?.deadline ?? Infinity;
		const due = Math.min(hearing, reorder);
		return due === Infinity ? undefined : due;
	}

	/** The machine's clock was set back: shifts stored times, so that they are as far away as before. */
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

	/** Takes a number that may have been missing. @returns whether it was */
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
		// The numbers looked as if they counted by one, and did not: more steps are needed to learn it again.
		this.stepsToLearn = Math.min(10_000, this.stepsToLearn * 2);
	}
}

/** The newest numbers before a gap. If a pending gap becomes longer, those before its beginning are kept, if any. */
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
