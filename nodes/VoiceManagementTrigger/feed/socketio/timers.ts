// The timer functions that the bundled Socket.IO clients use: the build injects them under the names the clients
// expect, because n8n's verification rejects Node's own timer globals in any shipped file.
//
// Socket.IO 2's client restarts its heartbeat timers on every packet, and a wait of the system clock costs more than
// all the rest of a packet. So the wait of a cancelled timer is kept, and the next timer that is due no earlier takes
// it over: if the wait ends too soon, that timer waits for the rest.
import { systemClock } from '../clock';

/** A timer that can be cancelled; the clients keep it as an opaque handle. */
interface TimerHandle {
	/** The clients call it if it exists; our timers never keep the process running. */
	unref: () => void;
	/** By the monotonic clock, in milliseconds. */
	due: number;
	run: () => void;
	/** Undefined once it has run or was cancelled. */
	wait?: Wait;
}

/** One wait of the system clock. */
interface Wait {
	endsAt: number;
	end: () => void;
	/** The timer that waits; undefined while the wait is spare. */
	timer?: TimerHandle;
}

/** Limit for spare waits: more than the timers of the few connections that a process has. */
const MOST_SPARE = 16;

/** Waits whose timer was cancelled. Module state, because the clients use these functions as globals. */
const spare = new Set<Wait>();

function startTimer(
	action: (...args: unknown[]) => void,
	delayMs = 0,
	...args: unknown[]
): TimerHandle {
	const timer: TimerHandle = {
		unref: () => undefined,
		due: performance.now() + delayMs,
		run: () => action(...args),
	};
	const wait = takeSpare(timer.due);
	if (wait) {
		timer.wait = wait;
		wait.timer = timer;
	} else {
		waitFor(timer);
	}
	return timer;
}

function cancelTimer(timer: TimerHandle | null | undefined): void {
	const wait = timer?.wait;
	if (!timer || !wait) return;
	timer.wait = undefined;
	wait.timer = undefined;
	if (spare.size < MOST_SPARE) spare.add(wait);
	else wait.end();
}

/** A spare wait that ends by this moment. */
function takeSpare(due: number): Wait | undefined {
	for (const wait of spare) {
		if (wait.endsAt > due) continue;
		spare.delete(wait);
		return wait;
	}
	return undefined;
}

function waitFor(timer: TimerHandle): void {
	const now = performance.now();
	const wait: Wait = {
		endsAt: Math.max(now, timer.due),
		timer,
		end: systemClock.after(timer.due - now, () => over(wait)),
	};
	timer.wait = wait;
}

function over(wait: Wait): void {
	spare.delete(wait);
	const { timer } = wait;
	if (!timer) return;
	// The wait was taken over from an earlier timer; less than a millisecond is a rounding difference of the clocks.
	if (timer.due - performance.now() > 1) {
		waitFor(timer);
		return;
	}
	timer.wait = undefined;
	timer.run();
}

export { startTimer as setTimeout, cancelTimer as clearTimeout };
