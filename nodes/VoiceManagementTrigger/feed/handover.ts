// The two connections of a renewal while both are open, and the memory of them for a while afterwards.
import { LAG_MS, Overlap, type OverlapStatistics } from './overlap';
import type { FeedEvent } from './types';

export class Handover {
	private readonly overlap: Overlap;

	/** The moment one of the two was gone; copies are still known for LAG_MS. */
	private endedAt?: number;

	/**
	 * @param previousId id of the connection that goes
	 * @param nextId id of the connection that comes
	 * @param openedAt when the next one sent its `init`
	 * @param lastOldCpt newest `cpt` of the previous one
	 */
	constructor(
		readonly previousId: number,
		readonly nextId: number,
		openedAt: number,
		lastOldCpt?: number,
	) {
		this.overlap = new Overlap(openedAt, lastOldCpt);
	}

	/** Copies that were not handed on. */
	get duplicates(): number {
		return this.overlap.duplicates;
	}

	/** Whether something waits for the previous connection to bring it. */
	get isHolding(): boolean {
		return this.overlap.isHolding();
	}

	/** Whether the numbers of the two connections have nothing to do with each other. */
	get numbersDiffer(): boolean {
		return this.overlap.numbersDiffer;
	}

	/** Whether one of the two is gone for so long that no copy comes any more. */
	isPast(now: number): boolean {
		return this.endedAt !== undefined && now - this.endedAt > LAG_MS;
	}

	/** Takes an event of connection `id`; gives what is to be handed on now, in order. */
	pass(id: number, event: FeedEvent): FeedEvent[] {
		if (id === this.previousId) return this.overlap.fromPrevious(event);
		return id === this.nextId ? this.overlap.fromNext(event) : [event];
	}

	/** What has waited long enough for the previous connection. */
	due(now: number): FeedEvent[] {
		return this.overlap.due(now);
	}

	statistics(now: number): OverlapStatistics {
		return this.overlap.statistics(now);
	}

	/** One of the two is gone: gives what was held. The first call counts. */
	end(now: number): FeedEvent[] {
		if (this.endedAt !== undefined) return [];
		this.endedAt = now;
		return this.overlap.end();
	}
}
