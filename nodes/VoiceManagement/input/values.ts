// Parameter values as users and expressions give them: numbers, text and lists alike.

import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../shared/inputError';

/** Text of a parameter: numbers become text, a missing value becomes ''. Spaces at both ends are removed. */
export function toText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/**
 * An identifier as text.
 * @param label the parameter's label
 * @throws InputError if it is empty, or neither text nor a number
 */
export function toId(value: unknown, label: string): string {
	if (typeof value === 'object' && value !== null) {
		throw new InputError(
			`"${label}" is ${Array.isArray(value) ? 'a list' : 'an object'}, not one identifier`,
			'Let the expression return a single number or text.',
		);
	}
	// Spaces in the middle stay: an identifier is opaque.
	const text = toText(value);
	if (text === '') {
		throw new InputError(`"${label}" is empty`, `Set "${label}", or check the expression in it.`);
	}
	return text;
}

/**
 * An identifier for a JSON body: a number if it is one, since both are accepted and the third-party shapes have
 * numbers; text for everything else and for numbers that JavaScript can't hold exactly.
 */
export function toJsonId(text: string): number | string {
	return /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/**
 * Identifiers of numbers ("DIDs") from comma-separated text, a list or one number, without duplicates. Digits become
 * numbers, as in the third-party shapes; other text stays as it is: the provider knows its own identifiers.
 * @returns an empty list if there is none
 * @throws InputError for a list with something other than text and numbers
 */
export function toDidIds(value: unknown): Array<number | string> {
	if (!Array.isArray(value)) {
		const ids = toText(value)
			.replace(/^\[|\]$/g, '')
			.split(/[,;\s]+/);
		return [...new Set(ids.filter((id) => id !== ''))].map(toJsonId);
	}
	return [...new Set(toTexts(value, 'DID IDs'))].map(toJsonId);
}

/**
 * The texts of a list.
 * @param label the parameter's label
 * @throws InputError for an entry that is neither text nor a number: without it, less would be done than intended
 */
function toTexts(list: unknown[], label: string): string[] {
	const texts = list.map(toText);
	const wrong = texts.indexOf('');
	if (wrong < 0) return texts;
	throw new InputError(
		`"${label}" contains ${JSON.stringify(list[wrong])}, which is neither text nor a number`,
		'Let the expression return a list of text or numbers.',
	);
}

/** A quantity as given: a number if it can be read as one, else the text; '' if there is none. */
export function toAmount(value: unknown): number | string {
	const text = toText(value);
	const amount = Number(text);
	return text !== '' && Number.isFinite(amount) ? amount : text;
}

/** How many entries to return. @throws InputError for everything other than a whole number above zero */
export function toLimit(value: unknown): number {
	const limit = Number(toText(value) || Number.NaN);
	if (!Number.isSafeInteger(limit) || limit < 1) {
		throw new InputError('"Limit" is not a whole number above zero', 'Set it to 1 or more.');
	}
	return limit;
}

/** A collection's entries that are set. */
export function compact(values: IDataObject): IDataObject {
	const set = Object.entries(values).filter(
		([, value]) => value !== undefined && value !== null && value !== '',
	);
	return Object.fromEntries(set);
}

/**
 * Phone numbers from comma-separated text or a list, as the user wrote them, without duplicates; an empty list if
 * there are none.
 * @throws InputError for a list with something other than text and numbers
 */
export function toPhoneNumbers(value: unknown): string[] {
	const numbers = Array.isArray(value)
		? toTexts(value, 'Phone Numbers')
		: toText(value)
				.split(/[,;\n]+/)
				.map(toText);
	return [...new Set(numbers.filter((number) => number !== ''))];
}
