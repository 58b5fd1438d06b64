// Spreads what arrives over several turns of the event loop. A poll can bring thousands of events, and so can one read of
// a WebSocket; n8n would stand still meanwhile.
import { Pace } from './pace';
import { Fifo } from '../fifo';
import type { Raw } from './packets';

/**
 * Limit for the bytes that wait. Beyond it, the oldest entries are processed at once, because a WebSocket could deliver
 * faster than its messages are ever processed.
 */
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * How long n8n waits at most while packets are processed. A turn of the event loop can deliver 2 MB, which take some
 * 30 ms if the events are of usual size. If that is not finished in the same turn, the queue grows, and the garbage
 * collector costs more than the feed.
 */
const STRETCH_MS = 32;

/** How many packets are processed before their executions are started, which takes a few microtasks. */
export const MOST_PACKETS = 32;
const MICROTASKS = 8;

/** After this many bytes the time is checked: checking it after each small packet costs too much. */
const UNTIMED = 3 * 1024;

/** The bytes that an entry takes in addition to its own size. */
const OVERHEAD = 40;

/** A packet that comes later than this after the end of the previous one belongs to another turn of the event loop. */
const IDLE_MS = 0.5;

/** A packet, or an action to run after the entries before it. */
type Waiting = Raw | (() => void);

/** Processes entries in order, and gives n8n its turn in between. */
export class Turns {
	private readonly waiting = new Fifo<Waiting>();

	/** The size of all waiting entries, in bytes. */
	private size = 0;

	private isHandingOn = false;

	private pace = new Pace(STRETCH_MS);

	/** Resolves when n8n has had its turn; created only if something waits for longer than a few microtasks. */
	private turn?: Promise<void>;

	private lastEnd = 0;

	/** @param broken called with what reading a packet or an action throws */
	constructor(
		private readonly read: (packet: Raw) => void,
		private readonly broken: (error: unknown) => void,
	) {}

	/** Reads a packet or runs an action, after the entries before it. */
	take(what: Waiting): void {
		this.waiting.push(what);
		this.size += sizeOf(what);
		while (this.size > MOST_WAITING) this.next();
		if (!this.isHandingOn) void this.handOn();
	}

	private async handOn(): Promise<void> {
		this.isHandingOn = true;
		if (performance.now() - this.lastEnd > IDLE_MS) this.pace = new Pace(STRETCH_MS);
		for (;;) {
			for (let task = 0; task < MICROTASKS; task++) await Promise.resolve();
			if (this.pace.isOver) await (this.turn ??= this.nextTurn());
			this.some();
			if (this.size === 0) break;
			this.turn ??= this.nextTurn();
		}
		this.lastEnd = performance.now();
		this.isHandingOn = false;
	}

	/** Processes entries until the next microtasks or n8n's turn are due. */
	private some(): void {
		let untimed = 0;
		for (let count = 0; this.size > 0 && count < MOST_PACKETS; count++) {
			untimed += this.next();
			if (untimed < UNTIMED) continue;
			if (this.pace.isOver) return;
			untimed = 0;
		}
	}

	/** Processes the first entry; returns its size. */
	private next(): number {
		const what = this.waiting.shift() as Waiting;
		const size = sizeOf(what);
		this.size -= size;
		try {
			if (typeof what === 'function') what();
			else this.read(what);
		} catch (error) {
			this.broken(error);
		}
		return size;
	}

	private async nextTurn(): Promise<void> {
		await this.pace.pause();
		this.turn = undefined;
	}
}

/** The size of an entry in memory, in bytes. */
const sizeOf = (what: Waiting) => OVERHEAD + (typeof what === 'function' ? 0 : what.length);
