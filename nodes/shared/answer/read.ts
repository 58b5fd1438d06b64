// Finds data in a response: the response itself, and what only wraps it (provider.md#names). Pure, and bounded by the
// size of a response.

import type { IDataObject } from 'n8n-workflow';
import { isCompound, isRecord } from '../ids';
import { is, plainName } from './names';

export { plainName };

export type Fields = Record<string, unknown>;

/**
 * A value that the provider issues and expects back, with its original type and text: a number stays a number, text is
 * not trimmed. (An integer beyond 2^53 is text of the same digits.)
 */
export type Echo = string | number;

/** How many wrappers are looked through. */
const DEEPEST_WRAPPER = 4;

/** The first of these fields that the record has, whatever the case and the separators of its name. */
export function fieldOf(record: Fields, ...names: string[]): unknown {
	for (const name of names) {
		if (Object.hasOwn(record, name) && record[name] !== undefined) return record[name];
		const plain = plainName(name);
		const key = Object.keys(record).find(
			(candidate) => record[candidate] !== undefined && plainName(candidate) === plain,
		);
		if (key !== undefined) return record[key];
	}
	return undefined;
}

/** A value that can be sent back; undefined for a blank text and for anything that is neither text nor a number. */
export function echo(value: unknown): Echo | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function isObject(value: unknown): value is IDataObject {
	return isRecord(value);
}

/** A list; a lone object counts as a list of one, anything else as none. */
export function asList(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	return isObject(value) ? [value] : [];
}

/**
 * The objects that describe the response as a whole, from the outside in: the response, and what it only wraps: in a
 * list of one, as the only object or list in it, or under a wrapper's name.
 */
export const layersOf = (data: unknown): Fields[] => wrappedIn(data).filter(isRecord);

/** The response and what it only wraps, also if that is a list. */
export function wrappedIn(data: unknown): unknown[] {
	const found: unknown[] = [];
	let level = [unpacked(data)];
	for (let depth = 0; depth <= DEEPEST_WRAPPER && level.length > 0; depth++) {
		found.push(...level);
		level = level.filter(isRecord).flatMap(insideOf);
	}
	return found.slice(0, 50);
}

function insideOf(record: Fields): unknown[] {
	const inner = Object.entries(record).filter(([, field]) => isCompound(field));
	const isThing = Object.keys(record).some((name) => is('identifier', name));
	return inner
		.filter(([name]) => is('wrapper', name) || (inner.length === 1 && !isThing))
		.map(([, field]) => unpacked(field));
}

/** A response without what only wraps it: `[{ … }]`, `{ "data": { … } }`. A list of one product is a list. */
export function unwrapped(data: unknown): unknown {
	const whole = unpacked(data);
	const isListed = whole !== data && isRecord(whole) && fieldOf(whole, 'productType') !== undefined;
	const [[name, field] = ['', undefined], ...more] = isRecord(whole) ? Object.entries(whole) : [];
	const isWrapper = is('wrapper', name) && !/^(?:status|msg|header)$/.test(plainName(name));
	const inner = isWrapper && more.length === 0 ? unwrapped(field) : undefined;
	return isRecord(inner) ? inner : isListed ? data : whole;
}

/** The object in a list of one, also if that is the only one in another. */
export function unpacked(value: unknown, depth = 0): unknown {
	if (!Array.isArray(value) || value.length !== 1 || depth > DEEPEST_WRAPPER) return value;
	const inner = unpacked(value[0], depth + 1);
	return isRecord(inner) ? inner : value;
}
