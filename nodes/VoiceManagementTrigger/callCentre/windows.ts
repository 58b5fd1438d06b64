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
	/**
	 * The moments of its marks, in order, and what they count; those before `head` have left the window. Two lists, since
	 * the garbage collector looks at each object, and there can be tens of thousands.
	 */
	private moments: number[] = [];
	private names: Name[] = [];
	private head = 0;
	/** What has brought the figure beyond the threshold last. */
	private tippedBy: CallMark | undefined;

	get value(): number | null {
		return this.rule.watched.figure(this.counts);
	}

	/** Nothing is left in it. */
	get isOver(): boolean {
		return this.head === this.moments.length;
	}

	/** When the next mark is older than the window. */
	override get changesAt(): number {
		return this.isOver ? Infinity : this.oldest + this.lengthMs + 1;
	}

	protected override get isCertain(): boolean {
		return this.moments.length - this.head >= this.rule.row.minimumCalls;
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

	private get oldest(): number {
		return this.moments[this.head] as number;
	}

	private insert({ at, name }: CallMark): void {
		let index = this.moments.length;
		while (index > this.head && (this.moments[index - 1] as number) > at) index--;
		this.moments.splice(index, 0, at);
		this.names.splice(index, 0, name);
		this.counts[name]++;
	}

	/** Unless it has left the window. */
	private remove({ at, name }: CallMark): void {
		const index = this.moments.findLastIndex(
			(one, place) => one === at && this.names[place] === name,
		);
		if (index < this.head) return;
		this.moments.splice(index, 1);
		this.names.splice(index, 1);
		this.counts[name]--;
	}

	private get lengthMs(): number {
		return this.rule.row.windowMinutes * 60_000;
	}

	/** Forgets what is older than the window. */
	protected override refresh(now: number): void {
		while (!this.isOver && this.oldest < now - this.lengthMs)
			this.counts[this.names[this.head++] as Name]--;
		if (this.head > 64 && this.head * 2 > this.moments.length) {
			this.moments = this.moments.slice(this.head);
			this.names = this.names.slice(this.head);
			this.head = 0;
		}
	}
}
