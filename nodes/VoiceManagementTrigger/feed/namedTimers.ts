// Timers by name: setting one that already runs replaces it.
import type { Clock } from './types';

/** A timer that fires later than this was held up. */
const LATE_MS = 500;
/** The events that arrived meanwhile are read next, and show within this time which connection delivers. */
const LOOK_AGAIN_MS = 2_000;
/** In a process that is always late, nothing would ever be decided. */
const MOST_LOOKS = 5;

export class NamedTimers<Name extends string> {
	private readonly cancels = new Map<Name, () => void>();

	constructor(private readonly clock: Clock) {}

	has(name: Name): boolean {
		return this.cancels.has(name);
	}

	set(name: Name, delayMs: number, action: () => void): void {
		this.cancel(name);
		const cancel = this.clock.after(delayMs, () => {
			this.cancels.delete(name);
			action();
		});
		this.cancels.set(name, cancel);
	}

	/** For an action that judges a connection by what it has delivered: if it is late, what has arrived is read first. */
	setToJudge(name: Name, delayMs: number, action: () => void, looks = 0): void {
		const dueAt = this.clock.now() + delayMs;
		this.set(name, delayMs, () => {
			const isLate = this.clock.now() - dueAt > LATE_MS;
			if (isLate && looks < MOST_LOOKS) this.setToJudge(name, LOOK_AGAIN_MS, action, looks + 1);
			else action();
		});
	}

	cancel(name: Name): void {
		this.cancels.get(name)?.();
		this.cancels.delete(name);
	}

	cancelAll(): void {
		for (const cancel of this.cancels.values()) cancel();
		this.cancels.clear();
	}
}
