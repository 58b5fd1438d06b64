// A WebSocket gives all messages of one read at one stretch, thousands if they are small. What n8n can't wait for waits.
import { Pace } from '../../../shared/slices';
import { MOST_PACKETS } from './pieces';

/** Beyond these bytes, what comes makes room itself: a WebSocket could bring more than is ever read. */
const MOST_WAITING = 16 * 1024 * 1024;

/** What one that waits takes besides its own size. */
const OVERHEAD = 200;

/** Places of what is done are given back so many at a time: all that wait move up. */
const MOST_DONE = 10_000;

/** What begins later than this after the action before it belongs to another turn of the event loop. */
const IDLE_MS = 0.5;

interface Waiting {
	action: () => void;
	size: number;
}

/** Does what comes in its order, and lets n8n have its turns in between. */
export class Turns {
	/** Up to `first` they are done. */
	private readonly list: Array<Waiting | undefined> = [];

	private first = 0;

	/** Of all that wait. */
	private size = 0;

	private isHandingOn = false;

	private pace = new Pace();

	private taken = 0;

	private lastEnd = 0;

	/**
	 * Does something at once, or behind what waits.
	 * @param size of what it holds while it waits, in characters or bytes
	 */
	take(size: number, action: () => void): void {
		if (!this.isHandingOn) {
			if (performance.now() - this.lastEnd > IDLE_MS) this.begin();
			if (!this.isOver) {
				this.do(action);
				return;
			}
		}
		this.list.push({ action, size: size + OVERHEAD });
		this.size += size + OVERHEAD;
		while (this.size > MOST_WAITING) this.next();
		if (!this.isHandingOn) void this.handOn();
	}

	private get isOver(): boolean {
		return this.taken >= MOST_PACKETS || this.pace.isOver;
	}

	private begin(): void {
		this.pace = new Pace();
		this.taken = 0;
	}

	private do(action: () => void): void {
		this.taken++;
		action();
		this.lastEnd = performance.now();
	}

	private next(): void {
		const { action, size } = this.list[this.first] as Waiting;
		this.list[this.first++] = undefined;
		if (this.first === MOST_DONE) this.first -= this.list.splice(0, MOST_DONE).length;
		this.size -= size;
		this.do(action);
	}

	private async handOn(): Promise<void> {
		this.isHandingOn = true;
		while (this.size > 0) {
			// The events of the messages before are handed on in microtasks.
			await Promise.resolve();
			if (this.pace.isOver) await this.pace.pause();
			this.taken = 0;
			while (this.size > 0 && !this.isOver) this.next();
		}
		this.list.length = 0;
		this.first = 0;
		this.isHandingOn = false;
	}
}
