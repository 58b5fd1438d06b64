// A WebSocket gives all messages of one read at one stretch, thousands if they are small. What n8n can't wait for waits.
import { Pace } from '../../../shared/slices';
import { Fifo } from '../fifo';
import { MOST_PACKETS } from './pieces';

/** Beyond these bytes, what comes makes room itself: a WebSocket could bring more than is ever read. */
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * n8n waits no longer for it at one stretch. A turn of the event loop can bring 2 MB, usual events whose work takes some
 * 30 ms: if they are not worked off in it, what waits grows, and the garbage collector costs more than the feed.
 */
const STRETCH_MS = 32;

/**
 * In so many microtasks an event goes its way to an execution. If the next ones came before, they would pile up behind it.
 */
const MICROTASKS = 8;

/** What one that waits takes besides its own size. */
const OVERHEAD = 200;

/** What begins later than this after what was before it belongs to another turn of the event loop. */
const IDLE_MS = 0.5;

export type Message = string | ArrayBuffer;

/** A message, without the event of the runtime that brought it, or what is to be done behind those before it. */
type Waiting = Message | (() => void);

/** Does what comes in its order, and lets n8n have its turns in between. */
export class Turns {
	private readonly waiting = new Fifo<Waiting>();

	/** Of all that wait. */
	private size = 0;

	private isHandingOn = false;

	private pace = new Pace(STRETCH_MS);

	/** Resolves when n8n has had its turn; looked for once something waits. */
	private turn?: Promise<void>;

	private taken = 0;

	private lastEnd = 0;

	constructor(private readonly read: (message: Message) => void) {}

	/** Reads a message, or does something, at once or behind what waits. */
	take(what: Waiting): void {
		if (!this.isHandingOn) {
			if (performance.now() - this.lastEnd > IDLE_MS) this.begin();
			if (!this.isOver) {
				this.do(what);
				return;
			}
		}
		this.waiting.push(what);
		this.size += sizeOf(what);
		while (this.size > MOST_WAITING) this.next();
		if (!this.isHandingOn) void this.handOn();
	}

	private get isOver(): boolean {
		return this.taken >= MOST_PACKETS || this.pace.isOver;
	}

	private begin(): void {
		this.pace = new Pace(STRETCH_MS);
		this.taken = 0;
	}

	private do(what: Waiting): void {
		this.taken++;
		if (typeof what === 'function') what();
		else this.read(what);
		this.lastEnd = performance.now();
	}

	private next(): void {
		const what = this.waiting.shift() as Waiting;
		this.size -= sizeOf(what);
		this.do(what);
	}

	private async handOn(): Promise<void> {
		this.isHandingOn = true;
		this.turn ??= this.nextTurn();
		while (this.size > 0) {
			for (let task = 0; task < MICROTASKS; task++) await Promise.resolve();
			if (this.pace.isOver) await (this.turn ??= this.nextTurn());
			this.taken = 0;
			while (this.size > 0 && !this.isOver) this.next();
		}
		this.isHandingOn = false;
	}

	private async nextTurn(): Promise<void> {
		await this.pace.pause();
		this.begin();
		this.turn = undefined;
	}
}

/** Of what waits, in bytes of memory. */
const sizeOf = (what: Waiting) => OVERHEAD + (typeof what === 'function' ? 0 : lengthOf(what));

/** In characters or bytes. */
export const lengthOf = (message: Message) =>
	typeof message === 'string' ? message.length : message.byteLength;
