// How much memory an event that waits takes, roughly: cheap to tell, and never far too little. Pure.

import { binary } from '../feed/values';

/** Of a value that is no text, and of each field beside its name. */
const SMALL = 8;

/**
 * About as many bytes as a value has as JSON.
 * @param most counting ends there
 */
export function weightOf(value: unknown, most: number): number {
	let weight = 0;
	const left: unknown[] = [value];
	while (left.length > 0 && weight < most) {
		const next = left.pop();
		weight += SMALL;
		const bytes = binary(next);
		if (bytes) weight += bytes.byteLength;
		else if (typeof next === 'string') weight += next.length;
		else if (Array.isArray(next)) for (const entry of next) left.push(entry);
		else if (typeof next === 'object' && next !== null) {
			for (const [name, field] of Object.entries(next)) {
				weight += name.length;
				left.push(field);
			}
		}
	}
	return Math.min(weight, most);
}
