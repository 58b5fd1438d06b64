// One timer for whatever is due next, however many deadlines there are.

import type { Clock } from '../feed/types';

/**
 * The shortest time between two runs: if thousands of calls have deadlines, something is due every few milliseconds, and
 * waking up costs more than an event. What is due still has its own moment.
 */
const APART_MS = 250;

export class MomentTimer {
	private armed: { due: number; cancel: () => void } | undefined;
	private actedAt = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly clock: Clock,
		private readonly act: () => void,
	) {}

	/**
	 * Runs at that moment (milliseconds since 1970), a little later if it has only just run, or earlier: the callback
	 * checks what is really due.
	 * @param due Infinity: never
	 */
	set(due: number): void {
		if (due === Infinity) return;
		const now = this.clock.now();
		// A timer that should have run by now was set before the machine's clock was set forward.
		const armed = this.armed && this.armed.due >= now ? this.armed : undefined;
		if (armed && armed.due <= due) return;
		// Not longer than that, even if the machine's clock was set back.
		const rest = Math.min(APART_MS, this.actedAt + APART_MS - now);
		const delay = Math.max(0, due - now, rest);
		if (armed && armed.due <= now + delay) return;
		this.armed?.cancel();
		const cancel = this.clock.after(delay, () => {
			this.armed = undefined;
			this.actedAt = this.clock.now();
			this.act();
		});
		this.armed = { due: now + delay, cancel };
	}

	cancel(): void {
		this.armed?.cancel();
		this.armed = undefined;
	}
}
