// A small seeded random number generator (mulberry32): the same seed gives the same numbers on every machine.

export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** From 0 up to, not including, 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number; both ends included. */
	integer(from: number, to: number): number {
		return from + Math.floor(this.next() * (to - from + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(items: readonly T[]): T {
		return items[Math.floor(this.next() * items.length)]!;
	}

	/** Exponentially distributed, as times between arrivals are. */
	exponential(mean: number): number {
		return -Math.log(1 - this.next()) * mean;
	}
}
