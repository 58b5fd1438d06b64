// Reads parameter values, whatever an expression returned.

import { idText } from './ids';
import { InputError } from './errors';

/** An identifier or a text; '' for anything else. */
export function text(value: unknown): string {
	return idText(value) ?? '';
}

/** An object with named fields; empty for anything else. */
export function record(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** @throws InputError if it is not one of them */
export function oneOf<T extends string>(
	label: string,
	value: unknown,
	allowed: readonly T[],
	of = '',
): T {
	const found = allowed.find((choice) => choice === value);
	if (found !== undefined) return found;
	throw new InputError(`"${label}"${of} has an invalid value`, `Use one of: ${allowed.join(', ')}`);
}

/**
 * A number within bounds; text is accepted too.
 * @param label the parameter's label, for the message; `of` distinguishes it if there are several
 * @throws InputError for anything else
 */
export function numberWithin(
	label: string,
	value: unknown,
	[lowest, highest]: readonly [number, number],
	whole: boolean,
	remedy: string,
	of = '',
): number {
	const given = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const number = given ? Number(value) : Number.NaN;
	if (number >= lowest && number <= highest && (!whole || Number.isInteger(number))) return number;
	throw new InputError(
		`"${label}"${of} must be a ${whole ? 'whole number' : 'number'} from ${lowest} to ${highest}`,
		remedy,
	);
}

/** Identifiers from a list, a comma-separated text or a single number. */
export function toList(value: unknown): string[] {
	const parts = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(/[,;\n]/)
			: [value];
	const ids = parts.map((part) => idText(part)).filter((id) => id !== undefined);
	return [...new Set(ids)];
}
