// Reads parameter values, whatever an expression returned.

import { idText } from './ids';
import { InputError } from './errors';
import { parseJson } from './json';

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

/**
 * Whether a switch is on; an expression may give it as text, a model as 1 or 0.
 * @throws InputError for anything else
 */
export function isOn(label: string, value: unknown, of = ''): boolean {
	const text = typeof value === 'number' ? ['false', 'true'][value] : value;
	return oneOf(label, String(text), ['true', 'false'], of) === 'true';
}

/** Identifiers from a list, a comma-separated text, a list as JSON text or a single number. */
export function toList(given: unknown): string[] {
	const value = typeof given === 'string' ? (listFrom(given) ?? given.split(/[,;\n]/)) : given;
	const parts: unknown[] = Array.isArray(value) ? value : [value];
	const ids = parts.map((part) => idText(part)).filter((id) => id !== undefined);
	return [...new Set(ids)];
}

/** As an expression gives it that ends in a text. @returns undefined if it is no list */
export function listFrom(json: string): unknown[] | undefined {
	if (!json.trim().startsWith('[')) return undefined;
	try {
		const list = parseJson(json);
		return Array.isArray(list) ? list : undefined;
	} catch {
		return undefined;
	}
}

/** What a collection has under this name; null if its expression has no value. @param absent if it was not added */
export function entry(
	collection: Readonly<Record<string, unknown>>,
	name: string,
	absent: unknown = '',
): unknown {
	return name in collection ? (collection[name] ?? null) : absent;
}

/**
 * The values of a parameter for which nothing means everything.
 * @throws InputError if it is set and has none: then everything would be the opposite of what was meant
 */
export function chosenIn(label: string, value: unknown, of = ''): string[] {
	const values = toList(value);
	const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
	if (values.length > 0 || isEmpty) return values;
	throw new InputError(
		`"${label}"${of} has only blanks, or an expression without a value`,
		'Correct it, or leave it empty for all',
	);
}
