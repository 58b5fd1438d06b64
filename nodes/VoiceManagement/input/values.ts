// Parameter values as users and expressions give them: numbers, text and lists alike.

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject } from '../../shared/answer/read';
import { InputError } from '../../shared/errors';
import { isRecord } from '../../shared/ids';
import { oneLine } from '../../shared/oneLine';
import { listFrom } from '../../shared/settingValues';

/** Text of a parameter: numbers become text, a missing value and NaN become ''. Spaces at both ends are removed. */
export function toText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
	if (typeof value === 'bigint') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/** A value in a hint or an advice, which n8n shows as HTML. */
export const quoted = (value: unknown): string => oneLine(JSON.stringify(value ?? null));

/** @throws InputError for a number that is not the one that was written: JavaScript holds some 15 digits exactly */
export function refuseLostDigits(value: unknown, label: string): void {
	if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
	throw new InputError(
		`"${label}" has a number that can't be sent: ${value}`,
		Number.isNaN(value)
			? `Set "${label}", or check the expression in it.`
			: 'Write it as text, in double quotes. A number of more than 15 digits loses the last ones.',
	);
}

/** @param wanted what the parameter holds one of */
function refuseCompound(value: unknown, label: string, wanted: 'identifier' | 'text'): void {
	refuseLostDigits(value, label);
	const isBoolean = typeof value === 'boolean';
	if (!isBoolean && (typeof value !== 'object' || value === null)) return;
	const what = isBoolean ? String(value) : Array.isArray(value) ? 'a list' : 'an object';
	throw new InputError(
		`"${label}" is ${what}, not one ${wanted}`,
		'Let the expression return a single number or text.',
	);
}

/**
 * The text of a parameter that holds one value: an expression may return anything, also one of n8n's dates.
 * @throws InputError for a list, an object or an invalid date: without it, the field would be left out without a word
 */
export function toSingleText(value: unknown, label: string): string {
	const isDate = isRecord(value) && typeof value.toJSON === 'function';
	const single = isDate ? (value.toJSON as () => unknown).call(value) : value;
	if (isDate) refuseNothing(single, label);
	if (typeof single === 'boolean') return String(single);
	refuseCompound(single, label, 'text');
	return toText(single);
}

/**
 * The entries of a collection, with what its text fields hold as text.
 * @param fields the fields of the collection
 * @throws InputError as {@link toSingleText}
 */
export function withTexts(values: IDataObject, fields: INodeProperties[]): IDataObject {
	const read = { ...values };
	for (const { name, displayName, type, options = [] } of fields) {
		const value = values[name];
		if (value === undefined || value === null) continue;
		if (type === 'string' || type === 'options' || type === 'dateTime')
			read[name] = toSingleText(value, displayName);
		if (type !== 'fixedCollection' || !isObject(value)) continue;
		const groups: IDataObject = { ...value };
		for (const group of options) {
			if (!('values' in group)) continue;
			const rows = groups[group.name];
			const row = (one: unknown) => (isObject(one) ? withTexts(one, group.values) : one);
			groups[group.name] = (Array.isArray(rows) ? rows.map(row) : row(rows)) as IDataObject;
		}
		read[name] = groups;
	}
	return read;
}

/**
 * An identifier as text.
 * @param label the parameter's label
 * @throws InputError if it is empty, or neither text nor a number
 */
export function toId(value: unknown, label: string): string {
	refuseCompound(value, label, 'identifier');
	// Spaces in the middle stay: an identifier is opaque.
	const text = toText(value);
	refuseNothing(text === '' ? undefined : text, label);
	return text;
}

/** @throws InputError for a value that an expression did not find */
export function refuseNothing(value: unknown, label: string): void {
	if (value !== undefined && value !== null) return;
	throw new InputError(`"${label}" is empty`, `Set "${label}", or check the expression in it.`);
}

/**
 * An identifier for a JSON body: a number if it is one, since both are accepted and examples have numbers
 * (provider.md#identifiers); text for everything else and for numbers that JavaScript can't hold exactly.
 */
export function toJsonId(text: string): number | string {
	return /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/**
 * Identifiers of numbers ("DIDs"): digits become numbers (provider.md#numbers-of-an-address); other text stays as it
 * is, since the provider knows its own identifiers.
 * @returns an empty list if there is none
 * @throws InputError for a list with something other than text and numbers, and for an identifier with a space
 */
export function toDidIds(value: unknown): Array<number | string> {
	const ids = toTexts(value, 'DID IDs', /[,;\n]+/);
	const two = ids.find((id) => /\s/.test(id));
	if (two === undefined) return ids.map(toJsonId);
	throw new InputError(
		`"DID IDs" contains ${JSON.stringify(two)}, which may be one identifier or several`,
		'Separate identifiers with commas, and write each without spaces.',
	);
}

/**
 * Phone numbers as the user wrote them.
 * @returns an empty list if there is none
 * @throws InputError for a list with something other than text and numbers
 */
export function toPhoneNumbers(value: unknown): string[] {
	return toTexts(value, 'Phone Numbers', /[,;\n]+/);
}

/**
 * The texts of a list, or of a text that contains one, each once.
 * @param label the parameter's label
 * @throws InputError for an entry that is neither text nor a number: without it, less would be done than intended
 */
function toTexts(value: unknown, label: string, between: RegExp): string[] {
	if (!Array.isArray(value)) refuseCompound(value, label, 'text');
	const text = toText(value);
	// AI agents write `["1, 2"]`.
	const written = listFrom(text)?.flatMap((one) =>
		typeof one === 'string' ? itemsIn(one, between) : [one],
	);
	const list: unknown[] = Array.isArray(value) ? value : (written ?? itemsIn(text, between));
	for (const one of [value, ...list]) refuseLostDigits(one, label);
	const texts = list.map(toText);
	const wrong = texts.indexOf('');
	if (wrong >= 0) {
		throw new InputError(
			`"${label}" contains ${JSON.stringify(list[wrong])}, which is neither text nor a number`,
			'Let the expression return a list of text or numbers.',
		);
	}
	return [...new Set(texts)];
}

/** The parts of a text that are not empty. AI agents write something like JSON. */
function itemsIn(text: string, between: RegExp): string[] {
	const parts = text.replace(/^\[|\]$/g, '').split(between);
	return parts.map((part) => part.trim().replace(/^"|"$/g, '')).filter((part) => part !== '');
}

/** How many entries to return. @throws InputError for everything other than a whole number above zero */
export function toLimit(value: unknown): number {
	const limit = toJsonId(toText(value));
	if (typeof limit === 'string' || limit < 1) {
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
