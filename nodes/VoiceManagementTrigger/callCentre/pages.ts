// What is counted in one period: a page for each queue, one for all callers, and one for each agent. While the last events
// of a period may still arrive, its pages stay open beside those of the next one; once they were told, what becomes known
// of that time counts at the moment at which it becomes known.

import {
	unknownAgent,
	wholeSeconds,
	type AgentView,
	type Stay,
	type Talk,
	type Wait,
} from './changes';
import {
	decidedStep,
	lateStep,
	NO_COUNTS,
	NO_SECONDS,
	offeredStep,
	talkStep,
	TIME_OF_STATE,
	TIMES,
	type AgentSituation,
	type Counts,
	type FigureSettings,
	type QueueSituation,
	type Seconds,
	type Step,
} from './figures';

interface Cut {
	readonly at: number;
	next?: Cut;
}

/** Which periods are open: the current one, and the one before until it was told. */
export class Periods {
	/** Where the current one begins, and where the first that is open does. */
	from: number;
	private openFrom: number;
	private toldAt = Infinity;
	/** The newest interruption of the feed. Agents learn of it when they are looked at: thousands at once would take too long. */
	interruption: Cut = { at: Number.NEGATIVE_INFINITY };
	/** From when the rest of a talk counts whose first part was told, when an interruption had cut it. */
	readonly restOf = new WeakMap<Talk, number>();

	/** @param startedAt when counting begins: what happened before it does not count */
	constructor(private readonly startedAt: number) {
		this.from = startedAt;
		this.openFrom = startedAt;
	}

	/** @param until the first moment after the current one */
	ends(until: number): void {
		this.from = until;
	}

	interrupted(at: number): void {
		this.interruption = this.interruption.next = { at };
	}

	told(now: number): void {
		this.openFrom = this.from;
		this.toldAt = now;
	}

	get hasLast(): boolean {
		return this.openFrom < this.from;
	}

	/** Of a row's pages the one that a moment belongs to; undefined: it was before counting began. */
	pageOf<P>(at: number, page: P, last: P | undefined): P | undefined {
		if (at < this.startedAt) return undefined;
		return last !== undefined && at >= this.openFrom && at < this.from ? last : page;
	}

	/** What happened then was told. @param knownAt when it became known, if that was later */
	isTold(at: number, knownAt = at): boolean {
		return at < this.openFrom && knownAt < this.toldAt;
	}
}

interface Page<T> {
	readonly counts: Counts;
	/** The longest wait that was decided in it, in milliseconds. */
	longest: number;
	/** Who waits at its end, or now. */
	readonly waiting: Set<T>;
	/** Who talks. */
	readonly talking: Set<Talk>;
}

/** A queue, or all callers. */
export class Row<T extends Stay | Wait> {
	private page = newPage<T>();
	private last: Page<T> | undefined;
	/** In whose counts somebody is late: those of one page, to take it back until they were told. */
	private readonly lateIn = new WeakMap<T, Counts>();

	constructor(
		private readonly settings: FigureSettings,
		private readonly periods: Periods,
	) {
		// What is heard of late is of the period before, although nothing was known of this row then.
		if (periods.hasLast) this.ends();
	}

	/** A stay or a wait has changed. */
	changed(before: T | undefined, after: T): void {
		const { settings, page, last, periods } = this;
		const was = before && decidedStep(before, settings);
		const is = decidedStep(after, settings);
		const isTold = was !== undefined && periods.isTold(was.at, was.knownAt);
		let lateIn = before && this.lateIn.get(before);
		// What was told stays as it was told.
		if (!isTold || !is) {
			// The entry into the queue of an answer may be delivered behind it: then it counts at the answer.
			this.count(before && offeredStep(before), -1);
			this.count(offeredStep(after));
			// Who was late when the feed was interrupted was counted then, wherever that was.
			const isCounted = before && was && lateStep(before, settings, was.at) !== undefined;
			const isOpen = lateIn ? lateIn === page.counts || lateIn === last?.counts : !isCounted;
			if (isOpen) {
				// What is delivered late may show that the wait was over before it passed the level.
				if (lateIn) lateIn.late--;
				// One that goes on counts when it passes the level, unless that was before this period, as is known only now.
				lateIn = this.count(lateStep(after, settings, is?.at ?? periods.from - 1));
			}
		}
		if (!isTold) {
			this.count(was, -1);
			this.count(is);
		}
		if (lateIn) this.lateIn.set(after, lateIn);
		replace(page.waiting, before, after, Infinity, is?.at);
		if (last) replace(last.waiting, before, after, periods.from, is?.at);
	}

	/** A talk has changed. */
	talked(before: Talk | undefined, after: Talk): void {
		const { page, last, periods } = this;
		let from = periods.restOf.get(after) ?? (before && periods.restOf.get(before)) ?? after.since;
		// It goes on after an interruption: as one talk, unless its first part was told.
		const part = before && talkStep(before, from);
		if (part && periods.isTold(part.at)) from = part.at;
		else this.count(part, -1);
		if (from !== after.since) periods.restOf.set(after, from);
		this.count(talkStep(after, from));
		replace(page.talking, before, after, Infinity, after.endedAt);
		if (last) replace(last.talking, before, after, periods.from, after.endedAt);
	}

	/** It was another queue that the agent answered. */
	talkedElsewhere(talk: Talk): void {
		this.page.talking.delete(talk);
		this.last?.talking.delete(talk);
	}

	wrappedUp(seconds: number, at: number): void {
		this.count({ at, counts: { wrapUpSeconds: seconds } });
	}

	/** The feed was interrupted: whoever waits or talks may have gone unseen. */
	interrupted(at: number): void {
		const { waiting, talking } = this.page;
		let waited = -Infinity;
		for (const wait of waiting) {
			const late = lateStep(wait, this.settings, at);
			if (late && !this.lateIn.has(wait)) this.count(late);
			if (wait.isSeen) waited = Math.max(waited, at - wait.since);
		}
		let talkSeconds = 0;
		for (const talk of talking)
			talkSeconds += wholeSeconds(at - (this.periods.restOf.get(talk) ?? talk.since));
		const counts = { unknown: waiting.size, talks: talking.size, talkSeconds };
		this.count({ at, counts, waited });
		waiting.clear();
		talking.clear();
	}

	/** The period has ended, and the next one begins. */
	ends(): void {
		for (const wait of this.page.waiting) {
			if (this.lateIn.has(wait)) continue;
			const lateIn = this.count(lateStep(wait, this.settings, this.periods.from - 1));
			if (lateIn) this.lateIn.set(wait, lateIn);
		}
		this.last = this.page;
		this.page = newPage(this.last);
	}

	/** The period before does not change any more. */
	told(): void {
		this.last = undefined;
	}

	/** @param isOver of the period before, at its end */
	read(isOver: boolean, at: number): QueueSituation {
		const page = (isOver ? this.last : undefined) ?? this.page;
		const { counts, longest, waiting, talking } = page;
		let { late } = counts;
		let longestWait = -Infinity;
		let longestSince: number | null = null;
		for (const wait of waiting) {
			const step = this.lateIn.has(wait) ? undefined : lateStep(wait, this.settings, at);
			if (step && this.pageOf(step.at) === page) late++;
			if (!wait.isSeen || at - wait.since <= longestWait) continue;
			const waited = waitedBy(wait, at);
			if (waited <= longestWait) continue;
			longestWait = waited;
			longestSince = wait.since;
		}
		const seconds = (ms: number) => (ms === -Infinity ? null : wholeSeconds(ms));
		return {
			...counts,
			late,
			waiting: waiting.size,
			longestWait: seconds(longestWait),
			longestSince,
			talking: talking.size,
			longestOfPeriod: seconds(Math.max(longest, longestWait)),
		};
	}

	/** @returns the counts to which it was added */
	private count(step: Step | undefined, sign: 1 | -1 = 1): Counts | undefined {
		const page = step && this.pageOf(step.at);
		if (!page) return undefined;
		for (const name of Object.keys(step.counts) as Array<keyof Counts>)
			page.counts[name] += sign * (step.counts[name] ?? 0);
		page.longest = Math.max(page.longest, step.waited ?? -Infinity);
		return page.counts;
	}

	private pageOf(at: number): Page<T> | undefined {
		return this.periods.pageOf(at, this.page, this.last);
	}
}

/** @param before who goes on from the period before */
function newPage<T>(before?: Page<T>): Page<T> {
	return {
		counts: { ...NO_COUNTS },
		longest: -Infinity,
		waiting: new Set(before?.waiting),
		talking: new Set(before?.talking),
	};
}

/** Replaces a wait or a talk among those that go on at the end of a period. */
function replace<F extends { since: number; seenAgain?: number }>(
	going: Set<F>,
	before: F | undefined,
	after: F,
	until: number,
	end = Infinity,
): void {
	if (before) going.delete(before);
	if ((after.seenAgain ?? after.since) < until && end >= until) going.add(after);
}

/** For how long somebody had waited at a moment: outside of every queue a wait stands still. */
function waitedBy(wait: Stay | Wait, at: number): number {
	const pause = 'pauses' in wait && wait.pauses.find(({ from, to }) => from <= at && at < to);
	return (pause ? pause.from : at) - wait.since;
}

/** An agent in a period, and at its end or now. */
export interface AgentPage extends AgentSituation {
	view: AgentView;
}

export class AgentRow {
	private page = { taken: 0, notAnswered: 0 };
	private last: AgentPage | undefined;
	/** Milliseconds in each state up to `from`, and up to the beginning of the period. */
	private readonly times: Seconds = { ...NO_SECONDS };
	private before: Readonly<Seconds> = NO_SECONDS;
	private from: number;
	private view: AgentView;
	/** The newest interruption that it knows of. */
	private knows: Cut;

	constructor(
		id: string,
		private readonly periods: Periods,
	) {
		this.view = unknownAgent(id);
		this.knows = periods.interruption;
		this.from = periods.from;
		if (periods.hasLast) this.ends();
	}

	changed(after: AgentView, at: number): void {
		this.learn();
		// What leaves the state as it was may be later than the next event's moment.
		if (after.state !== this.view.state || after.wrapUp) this.spendUpTo(at);
		this.view = after;
	}

	counted(what: 'taken' | 'notAnswered', at: number): void {
		const page = this.periods.pageOf(at, this.page, this.last);
		if (page) page[what]++;
	}

	ends(): void {
		const until = this.periods.from;
		this.last = { ...this.read(false, until), view: viewAt(this.view, until - 1) };
		this.spendUpTo(until);
		this.before = { ...this.times };
		this.page = { taken: 0, notAnswered: 0 };
	}

	told(): void {
		this.last = undefined;
	}

	/** From the first interruption that it has not learnt of, nothing is known of the agent. */
	private learn(): void {
		const { next } = this.knows;
		if (!next) return;
		this.knows = this.periods.interruption;
		this.spendUpTo(next.at);
		this.view = unknownAgent(this.view.id);
	}

	private spendUpTo(at: number): void {
		spend(this.times, this.view, this.from, at);
		this.from = Math.max(this.from, at);
	}

	/** Its seconds are whole, and those of several periods add up. @param isOver of the period before, at its end */
	read(isOver: boolean, at: number): AgentPage {
		this.learn();
		const { view, before, last } = this;
		if (isOver && last) return last;
		const times = { ...this.times };
		spend(times, view, this.from, at);
		// Perhaps since this moment.
		let isKnown = view.state !== null;
		const seconds: Seconds = { ...NO_SECONDS };
		for (const time of TIMES) {
			isKnown ||= times[time] > before[time];
			seconds[time] = wholeSeconds(times[time]) - wholeSeconds(before[time]);
		}
		const { taken, notAnswered } = this.page;
		return { taken, notAnswered, seconds: isKnown ? seconds : undefined, view: viewAt(view, at) };
	}
}

/** An agent whose wrap-up is over by time is what it says. */
function viewAt(view: AgentView, at: number): AgentView {
	const { wrapUp } = view;
	if (!wrapUp || at < wrapUp.until) return view;
	const since = wrapUp.then === null ? undefined : wrapUp.until;
	return { ...view, state: wrapUp.then, since, wrapUp: undefined };
}

/** Adds the milliseconds between two moments to the times of the states that the agent was in. */
function spend(times: Seconds, { state, wrapUp }: AgentView, from: number, to: number): void {
	const until = Math.min(to, wrapUp?.until ?? to);
	spendIn(state, times, from, until);
	if (wrapUp) spendIn(wrapUp.then, times, Math.max(from, until), to);
}

function spendIn(state: AgentView['state'], times: Seconds, from: number, to: number): void {
	if (state !== null && to > from) times[TIME_OF_STATE[state]] += to - from;
}
