// The counts of one period: a page for each queue, one for all callers, and one for each agent. While the last events of a
// period may still arrive, its pages stay open beside those of the next one; once they were told, what becomes known of
// that time counts at the moment at which it becomes known.

import { wholeSeconds, type AgentView, type Stay, type Talk, type Wait } from './changes';
import {
	decidedStep,
	lateStep,
	NO_COUNTS,
	NO_SECONDS,
	offeredStep,
	talkStep,
	TIME_OF_STATE,
	TIMES,
	type Counts,
	type FigureSettings,
	type Seconds,
	type Step,
} from './figures';

/** What a row shows of the moment at its end. Durations in milliseconds. */
export interface RowState {
	waiting: number;
	longestWait: number | undefined;
	longestSince: number | undefined;
	talking: number;
}

/** A row of a period. */
export interface Page {
	readonly counts: Counts;
	/** The longest wait that was decided in it, in milliseconds. */
	longest: number | undefined;
	/** Of its end; undefined while it goes on. */
	atEnd: RowState | undefined;
}

function newPage(): Page {
	return { counts: { ...NO_COUNTS }, longest: undefined, atEnd: undefined };
}

/** One row: a queue, or all callers. */
export class Row<T extends Stay | Wait> {
	/** Who waits, and whether that counted as late already. */
	private readonly waiting = new Map<T, boolean>();
	/** Who talks, and from when that counts. */
	private readonly talking = new Map<Talk, number>();
	private page = newPage();
	/** That of the period before, until it was told. */
	private last: Page | undefined;

	constructor(
		private readonly settings: FigureSettings,
		private readonly periods: Periods,
	) {
		// What is heard of late is of the period before, although nothing was known of this row then.
		if (periods.last) this.ends(periods.last.until);
	}

	/** A stay or a wait has changed. */
	changed(before: T | undefined, after: T | undefined): void {
		const { settings } = this;
		let wasLate = before !== undefined && this.waiting.get(before) === true;
		if (before) this.waiting.delete(before);
		this.revise(before && offeredStep(before), after && offeredStep(after));
		// A wait that was decided and goes on keeps the level that it had passed by then.
		wasLate ||= before?.decidedAt !== undefined && lateStep(before, settings, 0) !== undefined;
		if (after?.decidedAt !== undefined && !wasLate) this.add(lateStep(after, settings, 0));
		const decided = after && decidedStep(after, settings);
		const isCounted = this.revise(before && decidedStep(before, settings), decided);
		if (decided && isCounted && after?.isSeen) this.longest(decided.at, decided.at - after.since);
		if (after && after.decidedAt === undefined) this.waiting.set(after, wasLate);
		if (before && after) this.goesOn(before, after);
	}

	talked(before: Talk | undefined, after: Talk | undefined): void {
		const state = this.last?.atEnd;
		const from = before && this.talking.get(before);
		// A talk in no queue was in no row.
		const wasHere = from !== undefined || before?.endedAt !== undefined;
		const isHere = wasHere || after?.endedAt === undefined;
		if (state && isHere && this.wentOn(after)) state.talking++;
		if (state && wasHere && this.wentOn(before)) state.talking--;
		if (before) this.talking.delete(before);
		const counted = before?.endedAt === undefined ? undefined : talkStep(before, before.since);
		if (counted && !this.periods.isTold(counted.at)) this.subtract(counted);
		if (!after) return;
		const begins = from ?? (counted && this.periods.isTold(counted.at) ? counted.at : after.since);
		if (after.endedAt === undefined) this.talking.set(after, begins);
		else this.add(talkStep(after, begins));
	}

	/** Whether a talk went on when the period before ended. */
	private wentOn(talk: Talk | undefined): boolean {
		const until = this.periods.current.from;
		return talk !== undefined && talk.since < until && (talk.endedAt ?? until) >= until;
	}

	wrappedUp(seconds: number, at: number): void {
		this.add({ at, counts: { wrapUpSeconds: seconds } });
	}

	/** The feed was interrupted: whoever waits or talks may have gone unseen. */
	interrupted(at: number): void {
		for (const [facts, isCounted] of this.waiting) {
			if (!isCounted) this.add(lateStep(facts, this.settings, at));
			if (facts.isSeen) this.longest(at, at - facts.since);
		}
		this.add({ at, counts: { unknown: this.waiting.size } });
		for (const [talk, from] of this.talking) this.add(talkStep({ ...talk, endedAt: at }, from));
		this.waiting.clear();
		this.talking.clear();
	}

	/** The period ends. @param until the first moment after it */
	ends(until: number): void {
		for (const [facts, isCounted] of this.waiting) {
			if (isCounted) continue;
			const late = lateStep(facts, this.settings, until - 1);
			if (!late) continue;
			this.waiting.set(facts, true);
			this.add(late);
		}
		this.page.atEnd = this.state(until);
		this.last = this.page;
		this.page = newPage();
	}

	/** The period before, as it ended, until it was {@link told}. */
	ended(): Page {
		return this.last ?? newPage();
	}

	told(): void {
		this.last = undefined;
	}

	/** The current period so far. */
	soFar(now: number): Page {
		const { counts, longest } = this.page;
		let { late } = counts;
		for (const [facts, isCounted] of this.waiting)
			if (!isCounted && lateStep(facts, this.settings, now)) late++;
		return { counts: { ...counts, late }, longest, atEnd: this.state(now) };
	}

	private state(at: number): RowState {
		let longestSince: number | undefined;
		for (const { isSeen, since } of this.waiting.keys())
			if (isSeen && (longestSince === undefined || since < longestSince)) longestSince = since;
		return {
			waiting: this.waiting.size,
			longestWait: longestSince === undefined ? undefined : Math.max(0, at - longestSince),
			longestSince,
			talking: this.talking.size,
		};
	}

	/** A wait that had been decided went on: at the end of the period before, the caller was only nowhere. */
	private goesOn(before: T, after: T): void {
		const { decidedAt } = before;
		const state = this.last?.atEnd;
		if (decidedAt === undefined || !state || !this.periods.isOfLast(decidedAt)) return;
		if (after.decidedAt !== undefined && this.periods.isOfLast(after.decidedAt)) return;
		state.waiting++;
		// Outside of every queue the wait stood still; in a queue that lost the call at the answer it went on.
		const until = 'pauses' in after ? decidedAt : this.periods.current.from;
		const wait = until - after.since;
		if (!after.isSeen || wait <= (state.longestWait ?? -1)) return;
		state.longestSince = after.since;
		state.longestWait = wait;
	}

	private longest(at: number, wait: number): void {
		const page = this.pageOf(at);
		if (page) page.longest = Math.max(page.longest ?? 0, wait);
	}

	/** Replaces a step. What was told stays as it was told. @returns whether anything is counted anew */
	private revise(before: Step | undefined, after: Step | undefined): boolean {
		if (before && after && before.at === after.at && sameCounts(before, after)) return false;
		if (before && this.periods.isTold(before.at, before.knownAt)) return false;
		if (before) this.subtract(before);
		this.add(after);
		return true;
	}

	private add(step: Step | undefined): void {
		if (step) addTo(this.pageOf(step.at)?.counts, step.counts, 1);
	}

	private subtract({ at, counts }: Step): void {
		addTo(this.pageOf(at)?.counts, counts, -1);
	}

	/** Undefined: it happened before counting began. */
	private pageOf(at: number): Page | undefined {
		if (at < this.periods.startedAt) return undefined;
		return this.last && this.periods.isOfLast(at) ? this.last : this.page;
	}
}

/** Which period a moment belongs to. */
export class Periods {
	/** The period before the current one, while its last events may still arrive. */
	last: { readonly from: number; readonly until: number } | undefined;
	current: { readonly from: number };
	/** Up to which moment periods were told, and when that was. */
	private toldOf = { until: Number.NEGATIVE_INFINITY, at: 0 };

	/** @param startedAt when counting begins: what happened before it does not count */
	constructor(readonly startedAt: number) {
		this.current = { from: startedAt };
	}

	ends(until: number): void {
		this.last = { from: this.current.from, until };
		this.current = { from: until };
	}

	told(now: number): void {
		this.last = undefined;
		this.toldOf = { until: this.current.from, at: now };
	}

	isOfLast(at: number): boolean {
		return this.last !== undefined && at >= this.last.from && at < this.last.until;
	}

	/** What happened then was told, or does not count. What became known after its period was told counts from then on. */
	isTold(at: number, knownAt = at): boolean {
		const isLate = at < this.toldOf.until && knownAt >= this.toldOf.at;
		return (isLate ? knownAt : at) < (this.last ?? this.current).from;
	}
}

/** One agent in a period. */
export interface AgentPage {
	answered: number;
	notAnswered: number;
	readonly seconds: Seconds;
	isKnown: boolean;
	/** Of its end. */
	view: AgentView;
}

export class AgentRow {
	private page: AgentPage;
	private last: AgentPage | undefined;
	/** How long the agent was in each state up to `from`, and up to the beginning of the period, in milliseconds. */
	private readonly times: Seconds = { ...NO_SECONDS };
	private before: Readonly<Seconds> = NO_SECONDS;
	private from: number;

	constructor(
		private view: AgentView,
		private readonly periods: Periods,
	) {
		this.page = newAgentPage(view);
		this.from = periods.current.from;
	}

	changed(after: AgentView, at: number): void {
		const isKnown = countTime(this.times, this.view, this.from, at);
		this.page.isKnown ||= isKnown;
		this.from = Math.max(this.from, at);
		this.view = after;
	}

	counted(what: 'answered' | 'notAnswered', at: number): void {
		if (at < this.periods.startedAt) return;
		(this.last && this.periods.isOfLast(at) ? this.last : this.page)[what]++;
	}

	ends(until: number): void {
		this.last = { ...this.soFar(until), view: viewAt(this.view, until - 1) };
		this.changed(this.view, until);
		this.before = { ...this.times };
		this.page = newAgentPage(this.view);
	}

	ended(): AgentPage | undefined {
		return this.last;
	}

	told(): void {
		this.last = undefined;
	}

	/** The current period up to a moment. Its seconds are whole, and those of several periods add up. */
	soFar(at: number): AgentPage {
		const { view, page, before } = this;
		const times = { ...this.times };
		const isKnown = countTime(times, view, this.from, at) || page.isKnown;
		const seconds: Seconds = { ...NO_SECONDS };
		for (const name of TIMES)
			seconds[name] = wholeSeconds(times[name]) - wholeSeconds(before[name]);
		return { ...page, isKnown, seconds, view: viewAt(view, at) };
	}
}

function newAgentPage(view: AgentView): AgentPage {
	return { answered: 0, notAnswered: 0, seconds: { ...NO_SECONDS }, isKnown: false, view };
}

/** An agent whose wrap-up is over by time is what it says. */
function viewAt(view: AgentView, at: number): AgentView {
	const { wrapUp, ...others } = view;
	if (!wrapUp || at < wrapUp.until) return view;
	return { ...others, state: wrapUp.then, since: wrapUp.then === null ? undefined : wrapUp.until };
}

/** Counts the milliseconds between two moments. @returns whether the state was known in them */
function countTime(
	times: Seconds,
	{ state, wrapUp }: AgentView,
	from: number,
	to: number,
): boolean {
	const until = wrapUp ? Math.min(Math.max(from, wrapUp.until), to) : to;
	const add = (what: AgentView['state'], begin: number, end: number) => {
		const time = what === null ? undefined : TIME_OF_STATE[what];
		if (time && end > begin) times[time] += end - begin;
		return what !== null && end > begin;
	};
	const isKnown = add(state, from, until);
	return (wrapUp !== undefined && add(wrapUp.then, until, to)) || isKnown;
}

function sameCounts(a: Step, b: Step): boolean {
	const names = Object.keys({ ...a.counts, ...b.counts }) as Array<keyof Counts>;
	return names.every((name) => (a.counts[name] ?? 0) === (b.counts[name] ?? 0));
}

function addTo(counts: Counts | undefined, more: Partial<Counts>, sign: 1 | -1): void {
	if (!counts) return;
	for (const name of Object.keys(more) as Array<keyof Counts>)
		counts[name] += sign * (more[name] ?? 0);
}
