// What is decided of the calls of queues, each decision with its moment: alerts count these over their windows. A call is
// decided once for the service level.

import type { WindowCounts } from './alertKinds';
import type { CallView, Outcome, Stay } from './changes';
import { decidedStep, lateStep, type FigureSettings } from './figures';

export interface CallMark {
	/** What a call counts as, and from when. */
	readonly name: keyof WindowCounts;
	readonly at: number;
	readonly queue: string;
	readonly call: CallView;
	readonly knownAt: number;
	/** -1 takes the mark back. */
	readonly sign: 1 | -1;
}

export class CallMarks {
	/** The stays that go on, with the mark that each will have. In order of entry: in that order they pass the level. */
	private readonly going = new Map<Stay, CallMark>();
	/** Nobody is late before. */
	private due = Infinity;
	/** What the record of a call has marked, in case the call comes back. */
	private readonly ofRecords = new WeakMap<CallView, readonly CallMark[]>();

	constructor(
		private readonly figures: FigureSettings,
		private readonly mark: (mark: CallMark) => void,
	) {}

	/** When somebody may be late next. */
	nextDue(): number {
		return this.due;
	}

	/** Marks who is late by then: one tips a figure. */
	tick(at: number): void {
		if (at < this.due) return;
		this.due = Infinity;
		for (const [stay, late] of this.going) {
			if (late.at > at) {
				this.due = late.at;
				return;
			}
			this.going.delete(stay);
			this.mark(late);
		}
	}

	/** A stay has changed: it may count as something else. @param moment of the event that showed it */
	stay(call: CallView, before: Stay | undefined, after: Stay, now: number, moment: number): void {
		const { queue } = after;
		if (before) this.going.delete(before);
		// Whoever was late here may have been answered in time: the answer was held up on its way.
		const was = before && this.decisionOf(before, now);
		const is = this.decisionOf(after, now);
		if (was?.name !== is?.name || was?.at !== is?.at) {
			if (was) this.mark({ ...was, queue, call, knownAt: moment, sign: -1 });
			// An entry that was held up may be late at once, after its own moment.
			if (is) this.mark({ ...is, queue, call, knownAt: Math.max(is.at, moment), sign: 1 });
		}
		const late = is ? undefined : lateStep(after, this.figures, Infinity);
		if (!late) return;
		this.going.set(after, { queue, call, name: 'late', at: late.at, knownAt: late.at, sign: 1 });
		this.due = Math.min(this.due, late.at);
	}

	/** What became of a call is certain. */
	record(
		call: CallView,
		{ kind, queue, wait = Infinity, leftAt, abandoned, knownAt }: Outcome,
	): void {
		const marks: CallMark[] = [];
		const step = abandoned && decidedStep(abandoned, this.figures);
		if (abandoned && step?.counts.abandonedInTime === 1) {
			const { queue: left } = abandoned;
			marks.push({ queue: left, at: step.at, name: 'abandonedInTime', sign: 1, call, knownAt });
		}
		const isShort = wait < this.figures.shortAbandonSeconds * 1000;
		if (kind === 'missed' && !isShort && queue !== undefined && leftAt !== undefined)
			marks.push({ queue, at: leftAt, name: 'missed', sign: 1, call, knownAt });
		if (marks.length > 0) this.ofRecords.set(call, marks);
		for (const mark of marks) this.mark(mark);
	}

	/** A call whose record came goes on. */
	back(call: CallView, knownAt: number): void {
		for (const mark of this.ofRecords.get(call) ?? []) this.mark({ ...mark, sign: -1, knownAt });
		this.ofRecords.delete(call);
	}

	/** Whoever waited may be gone. */
	interrupted(): void {
		this.going.clear();
		this.due = Infinity;
	}

	/** What a stay counts as by now; undefined: as nothing yet. */
	private decisionOf(stay: Stay, now: number): Pick<CallMark, 'name' | 'at'> | undefined {
		const late = lateStep(stay, this.figures, now);
		if (late) return { name: 'late', at: late.at };
		const decided = decidedStep(stay, this.figures);
		return decided?.counts.inTime === 1 ? { name: 'inTime', at: decided.at } : undefined;
	}
}
