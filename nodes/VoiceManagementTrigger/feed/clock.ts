// The feed's clock, passed in so that tests can replace it. The real one uses AbortSignal.timeout: its timers can be
// cancelled (and are then garbage-collected), don't keep the process running, and need none of the timer globals that
// n8n's verification rejects.

/**
 * A clock that tests can advance. `after` returns a function that cancels the timer, so that `action` is never called.
 */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	after(delayMs: number, action: () => void): () => void;
}

/** The longest wait of one AbortSignal.timeout (2^31 - 1 ms); longer waits use several in a row. */
const LONGEST_WAIT_MS = 2_147_483_647;

export const systemClock: Clock = {
	now: () => Date.now(),
	after(delayMs, action) {
		let signal: AbortSignal;
		let remainingMs = Math.max(0, Math.ceil(delayMs));
		const arm = () => {
			const waitMs = Math.min(remainingMs, LONGEST_WAIT_MS);
			remainingMs -= waitMs;
			signal = AbortSignal.timeout(waitMs);
			signal.addEventListener('abort', elapsed, { once: true });
		};
		const elapsed = () => {
			if (remainingMs > 0) arm();
			else action();
		};
		arm();
		return () => signal.removeEventListener('abort', elapsed);
	},
};

/** If the time goes back by more than this, the clock was set back; smaller steps are corrections by a time server. */
export const SET_BACK_MS = 1_000;

/**
 * Wraps a clock to detect that the machine's clock was set back: compares each time that is read with the previous one.
 * @param setBack called with the number of milliseconds, before `now()` returns the new time
 */
export function watched(clock: Clock, setBack: (ms: number) => void): Clock {
	let last = Number.NEGATIVE_INFINITY;
	return {
		now() {
			const now = clock.now();
			const ms = last - now;
			last = now;
			if (ms > SET_BACK_MS) setBack(ms);
			return now;
		},
		after: (delayMs, action) => clock.after(delayMs, action),
	};
}
