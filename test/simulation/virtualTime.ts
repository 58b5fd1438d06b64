// Time as a list of what happens next: one thread, no waiting. Whatever is due happens in the order of its time, and
// everything that only waits for promises happens before the next thing does.
import type { Clock } from '../../nodes/VoiceManagementTrigger/feed/types';

/** Resolves when every promise that can settle has: Node.js runs a tick that is added meanwhile after all of them. */
const afterPromises = async () => await new Promise<void>((resolve) => process.nextTick(resolve));

export const START = Date.UTC(2026, 0, 5, 8);

/** So many things at one moment are code that goes round in circles. */
const MOST_AT_ONCE = 20_000;

export type Cancel = () => void;

interface Due {
	at: number;
	order: number;
	action: (() => void) | undefined;
}

export class Timeline {
	now = START;

	/** Things that happened. */
	handled = 0;

	/** The code under test was called: its promises have to settle before time goes on. */
	stirred = false;

	private readonly heap: Due[] = [];

	private order = 0;

	/** @returns how to call it off */
	at(time: number, action: () => void): Cancel {
		const due: Due = { at: Math.max(time, this.now), order: this.order++, action };
		const { heap } = this;
		let place = heap.push(due) - 1;
		while (place > 0) {
			const parent = (place - 1) >> 1;
			const above = heap[parent] as Due;
			if (!before(due, above)) break;
			heap[place] = above;
			place = parent;
		}
		heap[place] = due;
		return () => {
			due.action = undefined;
		};
	}

	after(delayMs: number, action: () => void): Cancel {
		return this.at(this.now + Math.max(0, delayMs), action);
	}

	/** Lets everything happen that is due until then. */
	async run(until: number): Promise<void> {
		let atOnce = 0;
		await afterPromises();
		for (let next = this.heap[0]; next && next.at <= until; next = this.heap[0]) {
			const { at, action } = this.take();
			if (!action) continue;
			atOnce = at > this.now ? 0 : atOnce + 1;
			if (atOnce > MOST_AT_ONCE) throw new Error('it goes round in circles: time stands still');
			this.now = at;
			this.handled++;
			action();
			if (!this.stirred) continue;
			this.stirred = false;
			await afterPromises();
		}
		this.now = until;
	}

	private take(): Due {
		const { heap } = this;
		const first = heap[0] as Due;
		const last = heap.pop() as Due;
		if (heap.length === 0) return first;
		let place = 0;
		for (;;) {
			let child = 2 * place + 1;
			if (child >= heap.length) break;
			const other = heap[child + 1];
			if (other && before(other, heap[child] as Due)) child++;
			const below = heap[child] as Due;
			if (!before(below, last)) break;
			heap[place] = below;
			place = child;
		}
		heap[place] = last;
		return first;
	}
}

function before(a: Due, b: Due): boolean {
	return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** The clock of one process: the wall clock may be wrong and jump, the process may be held up or sleep. */
export class ProcessClock implements Clock {
	/** Timers that would still act. */
	pending = 0;

	mostPending = 0;

	private heldUntil = 0;

	/** Time that timers did not see, since the machine slept. */
	private slept = 0;

	constructor(
		private readonly timeline: Timeline,
		private readonly wall: WallClock,
	) {}

	now(): number {
		return this.wall.now();
	}

	after(delayMs: number, action: () => void): Cancel {
		let due = this.timeline.now - this.slept + Math.max(0, Math.ceil(delayMs));
		let over = false;
		this.pending++;
		this.mostPending = Math.max(this.mostPending, this.pending);
		const end = () => {
			if (over) return false;
			over = true;
			this.pending--;
			return true;
		};
		const fire = () => {
			const { now } = this.timeline;
			if (now < this.heldUntil) cancel = this.timeline.at(this.heldUntil, fire);
			else if (now - this.slept < due) cancel = this.timeline.at(due + this.slept, fire);
			else if (end()) {
				due = Infinity;
				this.timeline.stirred = true;
				action();
			}
		};
		let cancel = this.timeline.at(due + this.slept, fire);
		return () => {
			if (end()) cancel();
		};
	}

	/** Nothing runs for so long. @param asleep timers stand still meanwhile, as on a machine that sleeps */
	hold(ms: number, asleep: boolean): void {
		if (this.timeline.now < this.heldUntil) return;
		this.heldUntil = this.timeline.now + ms;
		if (asleep) this.timeline.at(this.heldUntil, () => (this.slept += ms));
	}

	/**
	 * Calls into the process, which hears of it when it runs again.
	 * @param stirs whether the call may settle promises
	 */
	enter(action: () => void, stirs = true): void {
		const { timeline } = this;
		const call = () => {
			if (timeline.now < this.heldUntil) {
				timeline.at(this.heldUntil, call);
				return;
			}
			timeline.stirred ||= stirs;
			action();
		};
		call();
	}

	/** Time that its timers have seen. */
	get monotonic(): number {
		return this.timeline.now - this.slept;
	}
}

/** What the machine takes for the time of day. */
export class WallClock {
	private readonly eras: Array<{ from: number; skew: number }>;

	constructor(
		private readonly timeline: Timeline,
		skew: number,
	) {
		this.eras = [{ from: 0, skew }];
	}

	get skew(): number {
		return (this.eras.at(-1) as { skew: number }).skew;
	}

	get jumped(): boolean {
		return this.eras.length > 1;
	}

	/** Whether it was set back between two moments. */
	wasSetBack(after: number, until: number): boolean {
		return this.eras.some(
			({ from, skew }, index) =>
				from > after && from <= until && skew < (this.eras[index - 1]?.skew ?? skew),
		);
	}

	/** How far it was set forward between two moments. */
	setForward(after: number, until: number): number {
		return this.eras.reduce((sum, { from, skew }, index) => {
			const by = skew - (this.eras[index - 1]?.skew ?? skew);
			return from > after && from <= until ? sum + Math.max(0, by) : sum;
		}, 0);
	}

	now(): number {
		return this.timeline.now + this.skew;
	}

	jump(ms: number): void {
		this.eras.push({ from: this.timeline.now, skew: this.skew + ms });
	}

	/** What it showed at a moment that is over. */
	shown(at: number): number {
		const { skew } = this.eras.findLast(({ from }) => from <= at) as { skew: number };
		return at + skew;
	}

	/** The moments that this clock may have called so; after jumps there can be several, or none. */
	meant(shown: number): number[] {
		return this.eras
			.map(({ from, skew }, index) => {
				const until = this.eras[index + 1]?.from ?? Infinity;
				return Math.min(Math.max(shown - skew, from), until);
			})
			.filter(Number.isFinite);
	}
}

/**
 * Takes the time, the chance and the timers of the runtime away from whatever would use them past the clock, so that
 * nothing but the seed decides.
 * @returns gives them back
 */
export function takeOverRuntime(clock: () => Clock, random: () => number): () => void {
	const own = {
		now: Date.now,
		random: Math.random,
		timeout: AbortSignal.timeout.bind(AbortSignal),
		setTimeout: globalThis.setTimeout,
		setInterval: globalThis.setInterval,
	};
	const refuse = () => {
		throw new Error('a timer of the runtime was used past the clock');
	};
	Date.now = () => clock().now();
	Math.random = random;
	AbortSignal.timeout = (ms) => {
		const aborter = new AbortController();
		clock().after(ms, () => aborter.abort());
		return aborter.signal;
	};
	globalThis.setTimeout = refuse as never;
	globalThis.setInterval = refuse as never;
	return () => {
		Date.now = own.now;
		Math.random = own.random;
		AbortSignal.timeout = own.timeout;
		globalThis.setTimeout = own.setTimeout;
		globalThis.setInterval = own.setInterval;
	};
}
