// Notices that the process or the machine stood still. What is read afterwards was sent at any time since: that it comes
// says nothing of when.

import type { Clock } from './types';

const PULSE_MS = 1_000;
/** Without a pulse for this long, it stood still; a process whose timers are always a little late did not. */
const STILL_MS = 3_000;
/** By then, what was sent meanwhile has been read, also if the network had to send it once more. */
const READ_MS = 10_000;

export class Standstill {
	private pulseAt: number;
	/** The last one: when it began, and when it was noticed. */
	private last: { from: number; at: number } | undefined;
	private cancelPulse = () => {};

	constructor(private readonly clock: Clock) {
		this.pulseAt = clock.now();
		this.pulseLater();
	}

	/** When it began, while what arrives now may still be old. Each event asks: the clock is read once. */
	since(now: number): number | undefined {
		// What has arrived may be read before the timer of the pulse.
		this.look(now);
		return this.isRecent(now) ? this.last?.from : undefined;
	}

	close(): void {
		this.cancelPulse();
	}

	private isRecent(now: number): boolean {
		return this.last !== undefined && now - this.last.at < READ_MS;
	}

	private look(now: number): void {
		if (now - this.pulseAt <= STILL_MS) return;
		const from = this.isRecent(now) ? this.last?.from : undefined;
		this.last = { from: from ?? this.pulseAt, at: now };
		this.pulseAt = now;
	}

	private pulseLater(): void {
		this.cancelPulse = this.clock.after(PULSE_MS, () => {
			const now = this.clock.now();
			this.look(now);
			this.pulseAt = now;
			this.pulseLater();
		});
	}
}
