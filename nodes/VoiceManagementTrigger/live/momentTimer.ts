// One timer for whatever is due next, however much waits for its time.

import type { Clock } from '../feed/types';

export class MomentTimer {
	private armed: { due: number; cancel: () => void } | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly act: () => void,
	) {}

	/** Acts at that moment (milliseconds since 1970), or earlier: who acts looks at what is really due. */
	set(due: number | undefined): void {
		if (due === undefined || (this.armed && this.armed.due <= due)) return;
		this.armed?.cancel();
		const cancel = this.clock.after(Math.max(0, due - this.clock.now()), () => {
			this.armed = undefined;
			this.act();
		});
		this.armed = { due, cancel };
	}

	cancel(): void {
		this.armed?.cancel();
		this.armed = undefined;
	}
}
