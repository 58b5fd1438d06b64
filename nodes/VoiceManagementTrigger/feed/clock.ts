// Time for the feed, as a value that tests can replace. The real one is built on AbortSignal.timeout: it can be
// cancelled (a cancelled wait is let go at once), it does not hold the process open, and it needs none of the
// timer globals that n8n's verification refuses.

/** A clock that the tests can turn. `after` returns a cancel function: a cancelled timer never acts. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	after(delayMs: number, action: () => void): () => void;
}

/** The longest wait of one underlying timer (2^31 - 1 ms); longer ones are chained. */
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

/** A clock that goes back further than this was set back; less is what time servers correct. */
export const SET_BACK_MS = 1_000;

/**
 * Each time that is read is compared with the one before.
 * @param setBack the machine's clock was set back by so many milliseconds: called before anyone learns the new time
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
