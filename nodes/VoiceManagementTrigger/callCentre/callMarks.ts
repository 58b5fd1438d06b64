// What is decided of the calls of queues, each decision with its moment: alerts count these over their windows. A call is
// decided once for the service level.

import type { WindowCounts } from './alertKinds';
import type { CallView, Outcome, Stay } from './changes';
import { Deadlines, type Dated } from './deadlines';
import { decidedStep, lateStep, type FigureSettings, type Step } from './figures';

export interface CallMark {
	readonly queue: string;
	readonly at: number;
	readonly name: keyof WindowCounts;
	/** -1 takes the mark back. */
	readonly sign: 1 | -1;
	readonly call: CallView;
	readonly knownAt: number;
}

/** A seen stay that is not late yet, or was late when it went on. */
interface Lateness extends Dated {
	readonly stay: Stay;
	readonly call: CallView;
	isLate: boolean;
	readonly order: number;
}

export class CallMarks {
	/** When each stay passes the level. */
	private readonly levels = new Deadlines<Lateness>();
	private readonly lateness = new Map<Stay, Lateness>();
	/** What the record of a call has marked, in case the call comes back. */
	private readonly ofRecords = new WeakMap<CallView, readonly CallMark[]>();
	private order = 0;

	constructor(
		private readonly figures: FigureSettings,
		private readonly mark: (mark: CallMark) => void,
	) {}

	/** When somebody is late next. */
	nextDue(): number | undefined {
		return this.levels.next();
	}

	/** Marks who is late by then, in the order in which they came. @param marked is called after each: one tips a figure */
	tick(at: number, marked: () => void): void {
		const late: Lateness[] = [];
		for (let one = this.levels.take(at); one; one = this.levels.take(at)) late.push(one);
		for (const waits of late.sort((a, b) => a.order - b.order)) {
			this.becomesLate(waits, at);
			marked();
		}
	}

	/** A stay has changed. @param notBefore when somebody can be late at the earliest */
	stay(call: CallView, before: Stay | undefined, after: Stay, notBefore: number): void {
		const { figures } = this;
		const known = before && this.lateness.get(before);
		const wasLate = known?.isLate ?? (before && lateStep(before, figures, 0) !== undefined);
		if (known) {
			this.levels.set(known, undefined);
			this.lateness.delete(known.stay);
		}
		if (!after.isSeen) return;
		const { decidedAt } = after;
		if (decidedAt === undefined) {
			this.waitsOn(call, after, known?.order ?? this.order++, wasLate === true, notBefore);
			return;
		}
		const late = lateStep(after, figures, decidedAt);
		// An answer that was held up on its way may have come in time, although the level has passed here.
		if (wasLate === true && !late) this.add(call, after, 'late', -1, this.levelOf(after));
		if (wasLate !== true && late) this.add(call, after, 'late', 1, late.at);
		const was = before && this.inTime(before);
		if (was) this.add(call, after, 'inTime', -1, was.at);
		const is = this.inTime(after);
		if (is) this.add(call, after, 'inTime', 1, is.at);
	}

	/** What became of a call is certain. */
	record(call: CallView, outcome: Outcome): void {
		const { kind, queue, wait = Infinity, leftAt, abandoned, knownAt } = outcome;
		if (leftAt === undefined) return;
		const marks: CallMark[] = [];
		const decided = abandoned && decidedStep(abandoned, this.figures);
		if (abandoned && decided?.counts.abandonedInTime === 1) {
			const about = { queue: abandoned.queue, at: decided.at, name: 'abandonedInTime' as const };
			marks.push({ ...about, sign: 1, call, knownAt });
		}
		if (kind === 'missed' && queue !== undefined && wait >= this.figures.shortAbandonSeconds * 1000)
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
	interrupted(at: number): void {
		this.levels.clear();
		for (const waits of this.lateness.values()) if (!waits.isLate) this.becomesLate(waits, at);
		this.lateness.clear();
	}

	private waitsOn(
		call: CallView,
		stay: Stay,
		order: number,
		isLate: boolean,
		notBefore: number,
	): void {
		const waits: Lateness = { stay, call, order, isLate, due: undefined, slot: undefined };
		this.lateness.set(stay, waits);
		if (!isLate) this.levels.set(waits, Math.max(this.levelOf(stay), notBefore));
	}

	private becomesLate(waits: Lateness, now: number): void {
		const { stay, call } = waits;
		const late = lateStep(stay, this.figures, now);
		if (!late) return;
		waits.isLate = true;
		this.add(call, stay, 'late', 1, late.at);
	}

	private levelOf({ since }: Stay): number {
		return since + this.figures.serviceLevelSeconds * 1000 + 1;
	}

	private inTime(stay: Stay): Step | undefined {
		const decided = decidedStep(stay, this.figures);
		return decided?.counts.inTime === 1 ? decided : undefined;
	}

	private add(
		call: CallView,
		{ queue }: Stay,
		name: keyof WindowCounts,
		sign: 1 | -1,
		at: number,
	): void {
		this.mark({ queue, at, name, sign, call, knownAt: at });
	}
}
