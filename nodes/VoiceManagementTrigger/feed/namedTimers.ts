// Timers by name: setting one that already runs replaces it.
import type { Clock } from './types';

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

	cancel(name: Name): void {
		this.cancels.get(name)?.();
		this.cancels.delete(name);
	}

	cancelAll(): void {
		for (const cancel of this.cancels.values()) cancel();
		this.cancels.clear();
	}
}
