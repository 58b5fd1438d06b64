// Medians, and how far they can be trusted.

import { nth } from '../../test/support/present';

/** The value below which this share (0 to 1) of the values lies. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return nth(sorted, Math.min(sorted.length - 1, Math.floor(share * sorted.length)));
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return (nth(sorted, Math.floor(middle)) + nth(sorted, Math.ceil(middle))) / 2;
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
	// A multiplicative generator (MINSTD), whose products a number holds exactly.
	let state = 1;
	const draw = () => {
		state = (state * 48_271) % 2_147_483_647;
		return nth(values, state % values.length);
	};
	const medians = Array.from({ length: RESAMPLES }, () => median(values.map(draw)));
	const noise = (percentile(medians, 0.975) - percentile(medians, 0.025)) / 2;
	return { median: median(values), noise };
}

/** Pairs two series round by round: what disturbed a whole round falls out of the ratio. */
export function ratio(values: readonly number[], references: readonly number[]): Estimate {
	return estimate(values.map((value, round) => value / nth(references, round)));
}
