// What was decided of a queue's calls within a sliding window, for the alerts that watch one.

import type { WindowCounts } from './alertKinds';
import type { Dated } from './deadlines';

type Name = keyof WindowCounts;

interface WindowMark {
	readonly at: number;
	readonly name: Name;
}

export class Window implements Dated {
	due: number | undefined;
	slot: number | undefined;
	readonly counts: WindowCounts = { inTime: 0, late: 0, abandonedInTime: 0, missed: 0 };
	/** In the order of their moments; those before `head` have left the window. */
	private marks: WindowMark[] = [];
	private head = 0;

	constructor(private readonly lengthMs: number) {}

	add(at: number, name: Name): void {
		let index = this.marks.length;
		while (index > this.head && (this.marks[index - 1] as WindowMark).at > at) index--;
		this.marks.splice(index, 0, { at, name });
		this.counts[name]++;
	}

	/** Takes back a mark, if it is still in the window. */
	remove(at: number, name: Name): void {
		const index = this.marks.findLastIndex((mark) => mark.at === at && mark.name === name);
		if (index < this.head) return;
		this.marks.splice(index, 1);
		this.counts[name]--;
	}

	/** Forgets what is older than the window. */
	forget(now: number): void {
		const before = now - this.lengthMs;
		for (let mark = this.marks[this.head]; mark && mark.at < before; mark = this.marks[this.head]) {
			this.counts[mark.name]--;
			this.head++;
		}
		if (this.head > 64 && this.head * 2 > this.marks.length) {
			this.marks = this.marks.slice(this.head);
			this.head = 0;
		}
	}

	/** When the next mark is older than the window; undefined if there is none. */
	nextDue(): number | undefined {
		const oldest = this.marks[this.head];
		return oldest && oldest.at + this.lengthMs + 1;
	}
}
