// One poll can bring thousands of events, and what a workflow wants of them can take longer than n8n may stand still.
import { Pace } from '../../../shared/slices';

/** Beyond this, what comes makes room itself: a WebSocket could bring more than is ever handed on. */
const MOST_WAITING = 20_000;

/** Hands on what one connection brings, in the order in which it came, and lets n8n have its turns in between. */
export class Turns {
	private waiting: Array<() => void> = [];

	/** Of the payload that was read last, until n8n had its turn. */
	private pace: Pace | undefined;

	/** Resolves when nothing waits any more; undefined if nothing does. */
	handingOn: Promise<void> | undefined;

	/** Reads a payload of long polling: its events come at one stretch, now or in microtasks. */
	read(payload: () => void): void {
		const pace = new Pace();
		this.pace = pace;
		void this.forget(pace);
		payload();
	}

	private async forget(pace: Pace): Promise<void> {
		await pace.pause();
		if (this.pace === pace) this.pace = undefined;
	}

	/** Does something at once, or behind what waits. */
	take(action: () => void): void {
		if (!this.handingOn && this.pace?.isOver !== true) {
			action();
			return;
		}
		this.waiting.push(action);
		if (this.waiting.length > MOST_WAITING) this.waiting.shift()?.();
		this.handingOn ??= this.handOn();
	}

	private async handOn(): Promise<void> {
		const pace = new Pace();
		await pace.pause();
		for (let action = this.waiting.shift(); action; action = this.waiting.shift()) {
			action();
			if (pace.isOver) await pace.pause();
		}
		this.handingOn = undefined;
	}
}
