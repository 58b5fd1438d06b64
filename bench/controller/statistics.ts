// Medians, and how far they can be trusted.

import { nth } from '../../simulator/present';

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = nth(sorted, middle);
	return sorted.length % 2 === 1 ? upper : (nth(sorted, middle - 1) + upper) / 2;
}

/** The value below which this share (0 to 1) of the values lies. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return nth(sorted, Math.min(sorted.length - 1, Math.floor(share * sorted.length)));
}

/** A median and the half width of its 95 % interval. */
export interface Estimate {
	median: number;
	noise: number;
}

const RESAMPLES = 2_000;

/**
 * Median with its noise, by resampling (bootstrap): what the median would have been had other rounds of the same
 * kind been drawn. The same values give the same answer.
 */
export function estimate(values: readonly number[]): Estimate {
	const random = generator(values.length);
	const medians: number[] = [];
	for (let resample = 0; resample < RESAMPLES; resample++) {
		medians.push(median(values.map(() => nth(values, Math.floor(random() * values.length)))));
	}
	return {
		median: median(values),
		noise: (percentile(medians, 0.975) - percentile(medians, 0.025)) / 2,
	};
}

/** Pairs two series round by round: what disturbed a whole round falls out of the ratio. */
export function ratio(values: readonly number[], references: readonly number[]): Estimate {
	return estimate(values.map((value, round) => value / nth(references, round)));
}

/** A small seeded generator of numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
