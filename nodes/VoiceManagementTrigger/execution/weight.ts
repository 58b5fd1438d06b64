// How much memory an event that waits takes, roughly: cheap to tell, and never far too little. Pure.

import { binary, type Plain } from '../feed/envelope/payloadValues';

/** Of a value that is no text, and of each field beside its name. */
const SMALL = 8;

/**
 * About as many bytes as a value has as JSON. Its nesting is that of an event, which is bounded.
 * @param most counting ends there
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
