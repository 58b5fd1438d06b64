// What was decided of a queue's calls within a sliding window, for the alerts that watch a figure of them.

import type { WindowCounts } from './alertKinds';
import type { CallMark } from './callMarks';
import { Level, type Of, type Subject } from './candidates';

type Name = keyof WindowCounts;

const NO_CALLS: Readonly<WindowCounts> = { inTime: 0, late: 0, abandonedInTime: 0, missed: 0 };

/** The counts that a figure is made of: each of them alone changes it. Others are not kept. */
export function countsOf({ figure }: Of<'window'>): Name[] {
	const names = Object.keys(NO_CALLS) as Name[];
	return names.filter((name) => figure({ ...NO_CALLS, [name]: 1 }) !== figure(NO_CALLS));
}

export class Window extends Level<Of<'window'>> {
	private readonly counts: WindowCounts = { ...NO_CALLS };
	/** What counts in it, in order. */
	private readonly marks: Array<{ at: number; name: Name }> = [];
	/** What has brought the figure beyond the threshold last. */
	private tippedBy: CallMark | undefined;

	get value(): number | null {
		return this.rule.watched.figure(this.counts);
	}

	/** Nothing is left in it. */
	get isOver(): boolean {
		return this.marks.length === 0;
	}

	/** When the next mark is older than the window. */
	override get changesAt(): number {
		const [oldest] = this.marks;
		return oldest ? oldest.at + this.lengthMs + 1 : Infinity;
	}

	protected override get isCertain(): boolean {
		return this.marks.length >= this.rule.row.minimumCalls;
	}

	/** A mark is set, or taken back. */
	add(mark: CallMark): void {
		const wasTipped = this.isTipped;
		if (mark.sign === 1) this.insert(mark);
		else this.remove(mark);
		if (!wasTipped && this.isTipped) this.tippedBy = mark;
	}

	override subject(): Subject {
		const { key: queue, tippedBy } = this;
		// Since then, it may be the time that has.
		const isTheOne = this.rule.watched.is === 'below' && tippedBy?.knownAt === this.heldSince;
		if (!tippedBy || !isTheOne) return { queue };
		const { call, name, sign } = tippedBy;
		const isLower = (name === 'inTime') === (sign === -1);
		return { queue, call: call.id, caller: call.caller, isLower };
	}

	/** It has come beyond the threshold since it was looked at. */
	private get isTipped(): boolean {
		return this.heldSince === undefined && this.isBeyond && this.isCertain;
	}

	private insert({ at, name }: CallMark): void {
		const index = this.marks.findLastIndex((one) => one.at <= at);
		this.marks.splice(index + 1, 0, { at, name });
		this.counts[name]++;
	}

	/** Unless it has left the window. */
	private remove({ at, name }: CallMark): void {
		const index = this.marks.findLastIndex((one) => one.at === at && one.name === name);
		if (index < 0) return;
		this.marks.splice(index, 1);
		this.counts[name]--;
	}

	private get lengthMs(): number {
		return this.rule.row.windowMinutes * 60_000;
	}

	/** Forgets what is older than the window. */
	protected override refresh(now: number): void {
		for (let [one] = this.marks; one && one.at < now - this.lengthMs; [one] = this.marks) {
			this.marks.shift();
			this.counts[one.name]--;
		}
	}
}
