// When an event happened, by our own clock. Live state measures how long something has lasted until now, so it can't
// use the provider's clock directly: it may be wrong, jump, or be set back by an hour when summer time ends.

import { milliseconds } from '../events/simplify';
import type { FeedEvent } from '../feed/types';

/** Whatever arrives this much later than its `ts` is very late, or the clocks disagree: its arrival counts. */
export const MOST_LATE_MS = 10_000;
/** Clocks that agree to the second are used as they are. */
const AGREE_MS = 1_000;
/** After this many events in a row that seem late, the provider's clock counts as slow. */
const ENOUGH = 20;

export class ProviderClock {
	/** Our clock minus the provider's. Zero until events prove otherwise. */
	private offset = 0;
	private behind = 0;
	private leastBehind = Number.POSITIVE_INFINITY;
	/** When the event that was sent last was sent, and its moment. */
	private lastSent = Number.NEGATIVE_INFINITY;
	private lastMoment = 0;

	/** @returns milliseconds since 1970 by our clock, never later than the event's arrival */
	momentOf({ ts, receivedAt }: FeedEvent): number {
		if (ts === undefined || !Number.isFinite(ts)) return receivedAt;
		const sent = milliseconds(ts);
		const moment = this.read(sent, receivedAt);
		if (sent < this.lastSent) return moment;
		// What was sent later did not happen earlier, even if only the first events of a stalled connection are very late.
		this.lastSent = sent;
		this.lastMoment = Math.max(moment, this.lastMoment);
		return this.lastMoment;
	}

	private read(sent: number, receivedAt: number): number {
		const difference = receivedAt - sent;
		if (difference < this.offset - AGREE_MS) this.adopt(difference);
		else if (difference <= this.offset + AGREE_MS) this.forgetDoubts();
		else {
			this.behind++;
			this.leastBehind = Math.min(this.leastBehind, difference);
			if (this.behind >= ENOUGH) this.adopt(this.leastBehind);
			else if (difference > this.offset + MOST_LATE_MS) return receivedAt;
		}
		return Math.min(receivedAt, sent + this.offset);
	}

	/** @returns what the provider's clock showed at a moment of ours */
	providerTime(moment: number): number {
		return moment - this.offset;
	}

	private adopt(offset: number): void {
		// Without an offset, moments equal the provider's.
		this.offset = Math.abs(offset) <= AGREE_MS ? 0 : offset;
		this.forgetDoubts();
	}

	private forgetDoubts(): void {
		this.behind = 0;
		this.leastBehind = Number.POSITIVE_INFINITY;
	}
}
