// One timer for whatever is due next, however much waits for its time.

import type { Clock } from '../feed/types';

/**
 * It acts no more often than this: where thousands of calls wait for their time, something is due every few milliseconds.
 * As fine as items tell durations.
 */
const APART_MS = 100;

export class MomentTimer {
	private armed: { due: number; cancel: () => void } | undefined;
	private actedAt = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly clock: Clock,
		private readonly act: () => void,
	) {}

	/**
	 * Acts at that moment (milliseconds since 1970), a little later if it has only just acted, or earlier: who acts looks at
	 * what is really due.
	 */
	set(due: number | undefined): void {
		if (due === undefined) return;
		const now = this.clock.now();
		// One that should have acted by now was armed before the machine's clock was set forward.
		const armed = this.armed && this.armed.due >= now ? this.armed : undefined;
		if (armed && armed.due <= due) return;
		// Not longer than that also if the machine's clock was set back.
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
