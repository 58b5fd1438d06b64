/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Virtual time: a list of what happens next, in one thread and without waiting. Everything happens in the order of its
// time, and all promises that can settle do so before the next thing happens.
import type { Clock } from '../../nodes/VoiceManagementTrigger/feed/types';
import { Agenda } from '../../simulator/traffic/agenda';

/** Resolves when every promise that can settle has settled: Node.js runs a tick that is added now after all of them. */
const afterPromises = async () => await new Promise<void>((resolve) => process.nextTick(resolve));

export const START = Date.UTC(2026, 0, 5, 8);

/** If this many things happen at one moment, the code is in an endless loop. */
const MOST_AT_ONCE = 20_000;

export type Cancel = () => void;

export class Timeline extends Agenda {
	/** Whether the code under test was called, so that its promises have to settle before time goes on. */
	stirred = false;

	constructor() {
		super(START);
	}

	after(delayMs: number, action: () => void): Cancel {
		return this.at(this.now + delayMs, action);
	}

	/** Runs everything that is due until then. */
	async run(until: number): Promise<void> {
		let atOnce = 0;
		await afterPromises();
		for (let before = this.now; this.step(until); before = this.now) {
			atOnce = this.now > before ? 0 : atOnce + 1;
			if (atOnce > MOST_AT_ONCE) throw new Error('endless loop: time stands still');
			if (!this.stirred) continue;
			this.stirred = false;
			await afterPromises();
		}
		this.now = until;
	}
}

/** The clock of one process: its wall clock may be wrong and may jump, and the process may be paused or sleep. */
export class ProcessClock implements Clock {
	/** Timers that have not fired and were not cancelled. */
	pending = 0;

	mostPending = 0;

	private heldUntil = 0;

	/** How much time passed while the machine slept, unseen by timers. */
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

	/** Pauses the process. @param asleep whether timers stand still as well, as on a machine that sleeps */
	hold(ms: number, asleep: boolean): void {
		if (this.timeline.now < this.heldUntil) return;
		this.heldUntil = this.timeline.now + ms;
		if (asleep) this.timeline.at(this.heldUntil, () => (this.slept += ms));
	}

	/**
	 * Calls into the process, which handles the call when it runs again.
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

	/** The time that has passed for its timers. */
	get monotonic(): number {
		return this.timeline.now - this.slept;
	}
}

/** The machine's time of day. */
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

	/** What the clock showed at an earlier moment. */
	shown(at: number): number {
		const { skew } = this.eras.findLast(({ from }) => from <= at) as { skew: number };
		return at + skew;
	}

	/** The moments at which this clock may have shown this time; after jumps there can be several, or none. */
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
 * Replaces the runtime's clock, random numbers and timers by those of the simulation, so that only the seed determines
 * what happens. Code that uses timers past its own clock fails.
 * @returns a function that restores them
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
		throw new Error('code used a timer of the runtime instead of its clock');
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
