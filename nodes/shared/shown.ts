// Describes what this package does not understand, so that a user can report it (provider.md#not-understood): names and
// types of fields, and of a text its first characters. Never a value of a field, which may be a phone number.

import { reasonOf, sentenceOf } from './answer/reason';
import { isRecord } from './ids';
import { oneLine } from './oneLine';

/** Characters of a text that are shown. */
export const SHOWN_TEXT = 120;

const MOST_SHOWN_FIELDS = 30;
const LONGEST_NAME = 40;
const DEEPEST_SHOWN = 4;
const LONGEST_SHAPE = 400;

/** A text of the provider on one line, without markup, cut after 120 characters. */
export function beginningOf(text: string): string {
	const line = oneLine(text);
	return line.length > SHOWN_TEXT ? `${line.slice(0, SHOWN_TEXT)}…` : line;
}

/**
 * What a value is: the text `"Not allowed"`, or `{ id_call: number, tags: list of 2 (text) }`, with the provider's own
 * sentence if the value has one.
 * @param mask removes the secrets from a text before it is cut; the shape is for the caller to mask
 * @param wordsOf the sentence to quote
 */
export function shapeOf(
	value: unknown,
	mask: (text: string) => string,
	wordsOf: (value: unknown) => string = sentenceOf,
): string {
	// What begins like JSON has fields, though it can't be read.
	if (typeof value === 'string')
		return /^\s*(\{|\[\s*[[{"'\d-])/.test(value)
			? 'text that is no JSON'
			: `"${beginningOf(mask(value))}"`;
	const sentence = wordsOf(value);
	const shape = typesIn(value);
	return sentence === '' ? shape : `${shape}: "${beginningOf(mask(sentence))}"`;
}

/** The same for the person whose request got this response: with its reason, whatever field has that. */
export const shapeWithReason = (value: unknown): string =>
	shapeOf(value, String, (data) => reasonOf(data, { effect: 'login' }).reason);

/** Names and types, without any text: of what may contain a token. */
export const typesIn = (value: unknown): string => typeIn(value, 0).slice(0, LONGEST_SHAPE);

/** What may be a telephone number, and is no IP address. */
const TELEPHONE_NUMBERS = /\+?\d[\d ()/-]{5,40}\d|\d\d(?:\.\d\d){3,6}/g;

/** A text for the log. */
export const withoutNumbers = (text: string): string => text.replace(TELEPHONE_NUMBERS, '#');

/** The arguments of a message for the log, without numbers; they can include a function that acknowledges it. */
export function shapesOf(args: readonly unknown[], mask: (text: string) => string): string {
	const values = args.filter((arg) => typeof arg !== 'function');
	const shown = (text: string) => withoutNumbers(mask(text));
	return values.map((value) => shapeOf(value, shown)).join(', ') || 'nothing';
}

function typeIn(value: unknown, depth: number): string {
	if (value === null || value === undefined) return 'null';
	if (typeof value === 'string') return 'text';
	if (typeof value !== 'object') return typeof value;
	if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.byteLength} bytes`;
	if (depth >= DEEPEST_SHOWN) return Array.isArray(value) ? 'list' : 'object';
	if (Array.isArray(value)) {
		const [first] = value as unknown[];
		return value.length === 0
			? 'empty list'
			: `list of ${value.length} (${typeIn(first, depth + 1)})`;
	}
	if (!isRecord(value)) return 'object';
	const fields = Object.entries(value);
	const shown = fields
		.slice(0, MOST_SHOWN_FIELDS)
		.map(([name, field]) => `${shownName(name)}: ${typeIn(field, depth + 1)}`);
	if (fields.length > MOST_SHOWN_FIELDS) shown.push(`${fields.length - MOST_SHOWN_FIELDS} more`);
	// Of a list by number, the entries look the same.
	return shown.length === 0 ? 'empty object' : `{ ${[...new Set(shown)].join(', ')} }`;
}

/** A name without a letter is data: a number by which the provider lists things. */
const shownName = (name: string) =>
	/\p{L}/u.test(name) ? oneLine(name).slice(0, LONGEST_NAME) : '#';
