/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Sends the generated traffic over the feed: live at the provider's rate, or many events at once.

import type { Store, WireOptions } from '../store';
import { CallCentre } from './callCentre';
import { wireForm } from './events';
import { naturalRate } from './generate';
import type { CallRecord } from './ledger';

/** Shortest time between two checks of the clock, in milliseconds. */
const tick = 5;
/** Number of events that are sent before other tasks can run. */
const slice = 500;

export class Player {
	private readonly centre: CallCentre;
	/** Unix timestamp of the traffic's second 0; later by the time for which it was paused. */
	private start = Date.now() / 1000;
	private pausedAt: number | undefined;
	/** How many seconds the traffic is ahead of the wall clock: `generate` makes it jump. */
	private ahead = 0;
	private cancel: (() => void) | undefined;

	constructor(private readonly store: Store) {
		const { seed, rate, numEvents } = store.options;
		const { plan } = store;
		const pace = rate > 0 ? naturalRate(seed, plan, numEvents) / rate : 1;
		this.centre = new CallCentre({ seed, plan, numEvents, pace, start: () => this.start });
	}

	/** Starts sending at the provider's rate, if it has one. */
	play() {
		if (this.store.options.rate <= 0 || this.cancel) return;
		const now = Date.now() / 1000;
		// What was not sent meanwhile comes now, not all at once.
		this.start += now - (this.pausedAt ?? now);
		this.pausedAt = undefined;
		this.schedule();
	}

	/** Whether it sends at the provider's rate. */
	get playing(): boolean {
		return this.cancel !== undefined;
	}

	/** Sends the next events at once, whatever the rate. Returns how many were sent. */
	async generate(count: number, wire: WireOptions = {}): Promise<number> {
		for (let sent = 0; sent < count; sent++) {
			if (sent > 0 && sent % slice === 0) await new Promise((resolve) => setImmediate(resolve));
			this.sendNext(wire);
		}
		this.ahead = this.centre.nextAt() - (Date.now() / 1000 - this.start);
		return count;
	}

	calls(): CallRecord[] {
		return this.centre.calls();
	}

	/** Stops sending; `play` resumes. */
	pause() {
		if (!this.cancel) return;
		this.cancel();
		this.cancel = undefined;
		this.pausedAt = Date.now() / 1000;
	}

	private elapsed() {
		return Date.now() / 1000 - this.start + this.ahead;
	}

	private schedule() {
		const wait = Math.max(tick, (this.centre.nextAt() - this.elapsed()) * 1000);
		this.cancel = this.store.later(wait, () => {
			while (this.centre.nextAt() <= this.elapsed()) this.sendNext({});
			this.schedule();
		});
	}

	private sendNext(wire: WireOptions) {
		const event = this.centre.next();
		this.store.push(
			wireForm(event, this.start, () => ++this.store.cpt),
			wire,
		);
	}
}
