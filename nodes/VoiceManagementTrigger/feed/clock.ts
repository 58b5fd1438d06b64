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
const SET_BACK_MS = 1_000;

/** A clock that never goes back, and the difference to the machine's own. */
interface Steady extends Clock {
	readonly aheadMs: number;
}

const steadies = new WeakMap<Clock, Steady>();

/**
 * The same clock, except that it never goes back: if the machine's clock is set back, it continues from where it was.
 * Everything that waits or compares times uses it, so nothing else has to know that clocks can be set back.
 */
export function steady(clock: Clock): Clock {
	const existing = steadies.get(clock);
	if (existing) return existing;
	let last = Number.NEGATIVE_INFINITY;
	let aheadMs = 0;
	const now = () => clock.now() + aheadMs;
	const made: Steady = {
		get aheadMs() {
			return aheadMs;
		},
		now() {
			const at = now();
			if (last - at > SET_BACK_MS) aheadMs += last - at;
			return (last = Math.max(last, at));
		},
		after(delayMs, action) {
			const due = this.now() + delayMs;
			return clock.after(delayMs, () => {
				// So much time has passed, whatever the machine's clock shows.
				if (due - now() > SET_BACK_MS) aheadMs += due - now();
				action();
			});
		},
	};
	steadies.set(clock, made);
	steadies.set(made, made);
	return made;
}

/** A time of a steady clock as the machine's clock shows it now: for items, logs and what outlives the process. */
export function machineTime(clock: Clock, at: number): number {
	return at - (steadies.get(clock)?.aheadMs ?? 0);
}

/** A time that the machine's clock shows, or showed before the process began, as one of a steady clock. */
export function steadyTime(clock: Clock, at: number): number {
	return at + (steadies.get(clock)?.aheadMs ?? 0);
}

/** What a promise settles with, or undefined if that takes longer. */
export async function settledWithin<T>(
	promise: Promise<T>,
	waitMs: number,
	clock: Clock,
): Promise<T | undefined> {
	let cancel = () => {};
	const timeout = new Promise<undefined>((resolve) => {
		cancel = clock.after(waitMs, () => resolve(undefined));
	});
	try {
		return await Promise.race([promise, timeout]);
	} finally {
		cancel();
	}
}

/** 2000 to 2100. */
const FIRST_PLAUSIBLE_MS = Date.UTC(2000, 0);
const LAST_PLAUSIBLE_MS = Date.UTC(2100, 0);

/** Whether something can have happened then; anything else is a mistake in what was stored or sent. */
export const isPlausible = (ms: number): boolean =>
	ms >= FIRST_PLAUSIBLE_MS && ms < LAST_PLAUSIBLE_MS;
