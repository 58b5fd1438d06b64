// When an event happened, by the trigger's clock. The provider's clock (`ts`) decides no order and no moment: it only
// shows that an event was held up on its way, as when a connection stood still.

import { isPlausible } from '../feed/clock';
import { milliseconds } from '../events/simplify';
import type { FeedEvent } from '../feed/types';

/** `ts` is in whole seconds: less shows nothing. */
const LEAST_LATE_MS = 2_000;
/** No event is moved further back than that. */
export const MOST_LATE_MS = 10_000;

export class Lag {
	/** Arrival minus `ts` of events that were not late: the smallest since it was learnt. */
	private known: number | undefined;
	/** The first of the equally late events that have come in a row. */
	private late: { sent: number; lag: number } | undefined;
	private last = Number.NEGATIVE_INFINITY;

	/** The newest moment. */
	get newest(): number {
		return this.last;
	}

	/** @returns the moment of the event: never after its arrival, never before the event delivered before it */
	momentOf({ ts, receivedAt }: FeedEvent): number {
		return this.passed(receivedAt - this.latenessOf(ts, receivedAt));
	}

	/** From now on, nothing happens before a moment. @returns the moment, or the latest one before */
	passed(moment: number): number {
		this.last = Math.max(this.last, moment);
		return this.last;
	}

	private latenessOf(ts: number | undefined, receivedAt: number): number {
		const sent = ts === undefined ? Number.NaN : milliseconds(ts);
		if (!isPlausible(sent)) return 0;
		const lag = receivedAt - sent;
		const lateness = lag - (this.known ?? lag);
		if (lateness < LEAST_LATE_MS) {
			this.known = Math.min(lag, this.known ?? lag);
			this.late = undefined;
			return 0;
		}
		// What a connection held up comes at once, each event less late than the one before. Equally late for two
		// seconds is a clock that was set back.
		if (!this.late || Math.abs(lag - this.late.lag) >= 1_000) this.late = { sent, lag };
		else if (sent - this.late.sent >= LEAST_LATE_MS) {
			this.known = lag;
			this.late = undefined;
			return 0;
		}
		return Math.min(lateness, MOST_LATE_MS);
	}
}
