// Whose phones ring for one call, and what became of each ring (docs/items.md, "A ring").

import { MOST_PARTS, NONE } from './callerWait';
import type { Moment, Outcome } from './changes';

/** Whoever takes the call within two seconds after a ring stopped, or hangs up, decides what became of it. */
const DECIDED_MS = 2_001;

interface Ring {
	readonly agent: string;
	/** In which it rings, if the event names one. */
	readonly queue: string | undefined;
	/** From when it is an offer; undefined: it is none yet, since a ring may be reported before the entry. */
	since: number | undefined;
	/** Null: that was not seen; undefined: it rings. */
	to: number | null | undefined;
	/** When it is known why it stopped. */
	decidedAt: number | undefined;
	isNotAnswered: boolean;
}

export class Rings {
	// Replaced, not pushed to: the first push reserves room for seventeen.
	private all: readonly Ring[] = NONE;

	/** @param rests an agent's phone does not ring any more for the call */
	constructor(private readonly rests: (agent: string) => void) {}

	/** The agents whose phones ring. */
	get agents(): string[] {
		return this.all.filter(({ to }) => to === undefined).map(({ agent }) => agent);
	}

	get count(): number {
		return this.all.length;
	}

	/** For the record, in order. */
	offers(): Outcome['rings'] {
		return this.all.flatMap(({ agent, since, to, isNotAnswered }) =>
			since === undefined
				? []
				: [{ agent, rang: typeof to === 'number' ? to - since : undefined, isNotAnswered }],
		);
	}

	/** When one is decided next. */
	nextDue(): number {
		let due = Infinity;
		for (const { decidedAt = Infinity } of this.all) due = Math.min(due, decidedAt);
		return due;
	}

	/** @param since from when it is an offer; undefined: it is none yet */
	begins(agent: string, queue: string | undefined, since: number | undefined): void {
		if (this.agents.includes(agent)) return;
		const ring = {
			agent,
			queue,
			since,
			to: undefined,
			decidedAt: undefined,
			isNotAnswered: false,
		};
		if (this.all.length < MOST_PARTS) this.all = this.all.concat(ring);
	}

	/** The caller waits from now on: what rings is an offer. */
	areOffers(at: number): void {
		for (const ring of this.all) if (ring.to === undefined) ring.since ??= at;
	}

	/** The phone of one agent does not ring any more. */
	stops(agent: string, { at, heardAt }: Moment): void {
		this.stop(at, heardAt + DECIDED_MS, (ring) => ring.agent === agent);
	}

	/** The caller has left. @param isNext whether it is a queue that follows: a phone may ring there already */
	left({ at, heardAt }: Moment, isNext: (queue: string | undefined) => boolean): void {
		const isOver = ({ queue, since }: Ring) => since !== undefined && !isNext(queue);
		this.stop(at, heardAt + DECIDED_MS, isOver);
	}

	/**
	 * Somebody has taken the call: no ring counts as not answered, of the last two seconds either.
	 * @param to null: the feed was interrupted
	 */
	end(to: number | null): void {
		this.stop(to, undefined, () => true);
		for (const ring of this.all) ring.decidedAt = undefined;
	}

	/** @param waits whether the caller waits on @returns those that are decided now */
	decide(now: number, waits: boolean): readonly Ring[] {
		const due = this.all.filter(({ decidedAt = Infinity }) => decidedAt <= now);
		for (const ring of due) {
			ring.decidedAt = undefined;
			ring.isNotAnswered = waits;
		}
		return due;
	}

	private stop(
		to: number | null,
		decidedAt: number | undefined,
		which: (ring: Ring) => boolean,
	): void {
		for (const ring of this.all) {
			if (ring.to !== undefined || !which(ring)) continue;
			// The end of one that began behind the end of the call was not seen.
			ring.to = to === null || to < (ring.since ?? to) ? null : to;
			// What was no offer is not judged.
			if (ring.since !== undefined) ring.decidedAt = decidedAt;
			this.rests(ring.agent);
		}
	}
}
