// Roughly how much memory a waiting event takes: cheap to compute, and never far too little. Pure.

import { binary, type Plain } from '../feed/envelope/payloadValues';

/** Weight of a value that is not text, and of each field without its name. */
const SMALL = 8;

/**
 * Roughly the size of a value as JSON, in bytes. Its nesting is that of an event, which is bounded.
 * @param most counting stops here
 */
export function weightOf(value: unknown, most: number): number {
	return Math.min(weigh(value, most), most);
}

// Every event is weighed, so nothing is allocated here.
function weigh(value: unknown, most: number): number {
	if (typeof value === 'string') return SMALL + value.length;
	if (typeof value !== 'object' || value === null) return SMALL;
	let weight = SMALL;
	if (Array.isArray(value)) {
		for (let index = 0; index < value.length && weight < most; index++) {
			weight += weigh(value[index], most - weight);
		}
		return weight;
	}
	const bytes = binary(value);
	if (bytes) return SMALL + bytes.byteLength;
	const fields = value as Plain;
	for (const name in fields) {
		weight += name.length + weigh(fields[name], most - weight);
		if (weight >= most) break;
	}
	return weight;
}
