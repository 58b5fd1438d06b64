// What the feed knows about its own completeness: times without a connection, and numbers missing in `cpt`.
// `cpt` is documented as "event sequence number" and no more: whether it counts by one on this account is learned
// from the events, and nothing is concluded from it before.
import type { FeedEvent, FeedStatus } from './types';

export type Gap = Omit<Extract<FeedStatus, { event: 'gap' }>, 'event'>;

/** So many steps of exactly one in a row, on one connection, make a numbering by one. */
const STEPS_TO_LEARN = 10;
/** So many jumps unmake it (a feed that shows only some of the numbers) … */
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
/** A jump further than this is a numbering that began anew somewhere else. */
const LONGEST_JUMP = 1_000_000;
const RECENT_NUMBERS = 256;

/** The numbers of one connection. */
interface Sequence {
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

interface Hole {
	from: number;
	/** When a connection was there again, which is a little before the service heard its `init`. */
	to?: number;
	reason: string;
	lastCpt?: number;
	/** Nothing shows that anything was missed: the numbers may prove that nothing was. */
	doubtful: boolean;
	/** Reported when the next event comes, however late that is. */
	patient: boolean;
}

interface Jump {
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

	private readonly sequences = new Map<number, Sequence>();

	private stepsToLearn = STEPS_TO_LEARN;

	private jumpsSinceTrusted = 0;

	private hole?: Hole;

	private jumps: Jump[] = [];

	private lastEventAt?: number;

	/** Newest number of a connection. */
	lastCpt(link: number): number | undefined {
		return this.sequences.get(link)?.last;
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
		const sequence = this.sequenceOf(link);
		sequence.first ??= cpt;
		const seen = remember(sequence.recent, cpt);
		const { last } = sequence;
		if (last === undefined) {
			sequence.last = cpt;
			return;
		}
		const step = cpt - last;
		if (step === 1) {
			sequence.run++;
			sequence.last = cpt;
			sequence.back = undefined;
			sequence.inherited = false;
			if (sequence.run >= this.stepsToLearn) {
				this.countsByOne = true;
				if (sequence.run >= STEPS_TO_TRUST * this.stepsToLearn) this.jumpsSinceTrusted = 0;
			}
		} else if (step === 0) {
			this.repeated++;
		} else if (step > 1) {
			if (alone && this.countsByOne && step <= LONGEST_JUMP) {
				this.jumps.push({
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
			sequence.run = 0;
			sequence.last = cpt;
			sequence.back = undefined;
			sequence.inherited = false;
		} else {
			this.wentBack(sequence, cpt, seen);
		}
	}

	/** The feed has no connection from `from` on (the last moment it was complete). */
	broke(link: number, from: number, reason: string, doubtful: boolean): void {
		this.jumps = [];
		const lastCpt = this.sequences.get(link)?.last;
		this.sequences.delete(link);
		if (this.hole) {
			// Not reported yet: one longer gap says as much as two.
			this.hole = {
				...this.hole,
				from: Math.min(this.hole.from, from),
				to: undefined,
				lastCpt: this.hole.lastCpt ?? lastCpt,
				doubtful: this.hole.doubtful && doubtful,
				patient: false,
			};
			return;
		}
		this.hole = { from, reason, lastCpt, doubtful, patient: false };
	}

	/** The feed has a connection again. */
	mended(at: number): void {
		if (this.hole && this.hole.to === undefined) this.hole.to = at;
	}

	/**
	 * A connection was taken over in time, but what the old one may have missed before is in doubt.
	 * @param doubt `exact`: `to` is the moment of the fresh connection's first event; `patient`: say so with the next
	 * event only
	 * @returns the gap, where nothing more will be known about it
	 */
	doubted(
		old: number,
		fresh: number,
		doubt: Pick<Hole, 'from' | 'reason' | 'patient'> & { to: number; exact: boolean },
	): Gap | undefined {
		const { hole } = this;
		const merged: Hole & { to: number } = {
			from: Math.min(hole?.from ?? doubt.from, doubt.from),
			to: doubt.to,
			reason: hole?.reason ?? doubt.reason,
			lastCpt: hole?.lastCpt ?? this.sequences.get(old)?.last,
			doubtful: doubt.patient && (hole?.doubtful ?? true),
			patient: doubt.patient && (hole?.patient ?? true),
		};
		this.hole = merged;
		if (!doubt.exact) return undefined;
		// Told now: tookOver must not find the same again.
		this.sequences.delete(old);
		return this.report(merged, doubt.to, this.sequences.get(fresh)?.first);
	}

	/**
	 * `fresh` took over from `old` without a break. Gives the gap that the numbers of the two show, if any.
	 * @param numbersDiffer each of the two has a numbering of its own
	 */
	tookOver(old: number, fresh: number, at: number, numbersDiffer = false): Gap | undefined {
		const last = numbersDiffer ? undefined : this.sequences.get(old)?.last;
		this.sequences.delete(old);
		const sequence = this.sequenceOf(fresh);
		if (last === undefined || this.hole) return undefined;
		if (sequence.first === undefined) {
			sequence.last = last;
			sequence.inherited = true;
			return undefined;
		}
		const missed = sequence.first - last - 1;
		if (!this.countsByOne || missed <= 0 || missed > LONGEST_JUMP) return undefined;
		const from = this.lastEventAt ?? at;
		return gap(from, at, 'sequence numbers are missing', {
			lastCpt: last,
			firstCpt: sequence.first,
			missed,
		});
	}

	/** This connection counts no more. */
	forget(link: number): void {
		this.sequences.delete(link);
	}

	/** What is to be reported before this event is handed on. */
	beforeEvent(event: FeedEvent): Gap | undefined {
		const { hole } = this;
		if (!hole || hole.to === undefined) return undefined;
		const to = Math.max(hole.to, Math.min(event.receivedAt, hole.to + FIRST_EVENT_MS));
		return this.report(hole, to, event.cpt);
	}

	/** The hole as a gap, unless the numbers prove that nothing was missed in it. */
	private report(hole: Hole, to: number, firstCpt?: number): Gap | undefined {
		this.hole = undefined;
		const { from, reason, lastCpt, doubtful } = hole;
		const ahead = firstCpt !== undefined && lastCpt !== undefined ? firstCpt - lastCpt - 1 : -1;
		const missed = this.countsByOne && ahead >= 0 && ahead <= LONGEST_JUMP ? ahead : undefined;
		if (doubtful && missed === 0) return undefined;
		return gap(from, to, reason, { lastCpt, firstCpt, missed });
	}

	/** What is to be reported because its time has come. */
	due(now: number): Gap[] {
		const gaps: Gap[] = [];
		const { hole } = this;
		if (hole?.to !== undefined && !hole.patient && now >= hole.to + FIRST_EVENT_MS) {
			this.hole = undefined;
			const { from, to, reason, lastCpt } = hole;
			gaps.push(gap(from, to + FIRST_EVENT_MS, reason, { lastCpt }));
		}
		while (this.jumps.length > 0 && now >= this.jumps[0].deadline) {
			const jump = this.jumps.shift() as Jump;
			if (jump.missing === 0) continue;
			gaps.push(
				gap(jump.from, jump.to, 'sequence numbers are missing', {
					lastCpt: jump.low - 1,
					firstCpt: jump.high + 1,
					missed: jump.missing,
				}),
			);
			this.jumped();
		}
		return gaps;
	}

	/** When `due` has something to say, at the earliest. */
	nextDue(): number | undefined {
		const { hole } = this;
		// Asked twice for every event: nothing is allocated here.
		const hearing = hole?.to === undefined || hole.patient ? Infinity : hole.to + FIRST_EVENT_MS;
		const reorder = this.jumps.length > 0 ? this.jumps[0].deadline : Infinity;
		const due = Math.min(hearing, reorder);
		return due === Infinity ? undefined : due;
	}

	private sequenceOf(link: number): Sequence {
		let sequence = this.sequences.get(link);
		if (!sequence) {
			sequence = { run: 0, inherited: false, recent: new Float64Array(RECENT_NUMBERS).fill(NaN) };
			this.sequences.set(link, sequence);
		}
		return sequence;
	}

	private wentBack(sequence: Sequence, cpt: number, seen: boolean): void {
		if (sequence.inherited || cpt - 1 === sequence.back) {
			// The connection's own numbering; or two in a row further back: the numbering began anew.
			if (!sequence.inherited) this.restarts++;
			sequence.last = cpt;
			sequence.run = 0;
			sequence.back = undefined;
			sequence.inherited = false;
			return;
		}
		sequence.back = cpt;
		if (seen) this.repeated++;
		else this.late++;
	}

	/** A missing number that came after all. */
	private fill(cpt: number): void {
		for (const jump of this.jumps) {
			if (cpt < jump.low || cpt > jump.high || jump.filled.has(cpt)) continue;
			jump.filled.add(cpt);
			jump.missing--;
		}
	}

	private jumped(): void {
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
