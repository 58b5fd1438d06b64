// Finds a list in a response (provider.md#answers): under its name, wrapped, or as the response itself.

import type { IDataObject } from 'n8n-workflow';
import { isCompound, isRecord } from '../ids';
import { ownIdentifier, type IdSubject } from './identifiers';
import { is } from './names';
import { echo, fieldOf, layersOf, wrappedIn } from './read';

/** How to recognize a list in a response. */
export interface ListShape {
	/** Its names, the documented one first. */
	names: readonly string[];
	/** What its entries are: a list of another name counts if its entries have such an identifier. */
	thing?: IdSubject;
	/** The field for entries that are a bare text or number; a list of another name counts if its entries have it. */
	scalar?: string;
}

/** @returns undefined if there is no list in the response; a lone entry counts as a list of one */
export function entriesOf(data: unknown, shape: ListShape): IDataObject[] | undefined {
	const layers = layersOf(data);
	for (const layer of layers) {
		const named = fieldOf(layer, ...shape.names);
		const entries = named === undefined ? undefined : listIn(named, shape);
		if (entries) return entries;
	}
	// The response itself, what it wraps, and lists of other names: their entries show what they are.
	const values: unknown[] = [
		...wrappedIn(data),
		...layers.flatMap((layer) => Object.values(layer)),
	];
	const lists = values.filter((one): one is unknown[] => Array.isArray(one));
	const known = lists.find((list) => list.some((entry) => isEntry(entry, shape)));
	if (known) return listIn(known, shape);
	const lone = layers.find((layer) => isEntry(layer, shape));
	if (lone) return [lone as IDataObject];
	// `{ "status": "SUCCESS", "data": null }`
	const isNull = layers.some((layer) =>
		Object.entries(layer).some(([name, field]) => field === null && is('wrapper', name)),
	);
	const isNone = isNull || (Array.isArray(data) && data.length === 0) || countIn(data) === 0;
	return isNone ? [] : undefined;
}

/** Whether a value is an entry of the list, by what identifies it. */
export function isEntry(entry: unknown, { thing, scalar }: ListShape): boolean {
	if (!isRecord(entry)) return false;
	if (thing) return ownIdentifier(entry, thing) !== undefined;
	return scalar !== undefined && fieldOf(entry, scalar) !== undefined;
}

/** The entries of a value under the list's name; undefined if there is none that can be read. */
function listIn(value: unknown, shape: ListShape): IDataObject[] | undefined {
	if (value === null || value === '' || value === false) return [];
	if (Array.isArray(value)) {
		const entries = value.map((entry) => entryIn(entry, shape)).filter((one) => one !== undefined);
		return entries.length > 0 || value.every((entry) => entry === null) ? entries : undefined;
	}
	if (!isRecord(value)) return undefined;
	if (isEntry(value, shape)) return [value as IDataObject];
	// `{ items: […] }`
	const inner = Object.entries(value).filter(
		([name, field], _at, { length }) => isCompound(field) && (length === 1 || is('wrapper', name)),
	);
	const [first, ...more] = inner.map(([, field]) => listIn(field, shape));
	if (first && more.length === 0) return first;
	return Object.keys(value).length === 0 ? [] : undefined;
}

/** One entry; the only field of an entry may wrap it: `{ "address": {…} }`. */
function entryIn(entry: unknown, { scalar }: ListShape): IDataObject | undefined {
	if (isRecord(entry)) {
		const [only, ...more] = Object.values(entry);
		return (more.length === 0 && isRecord(only) ? only : entry) as IDataObject;
	}
	const bare = echo(entry);
	return scalar !== undefined && bare !== undefined ? { [scalar]: bare } : undefined;
}

/** `resultCount`, if it is a number. */
function countIn(data: unknown): number | undefined {
	const found = layersOf(data).map((layer) => echo(fieldOf(layer, 'resultCount')));
	const count = String(found.find((one) => one !== undefined) ?? '').trim();
	return /^\d{1,15}$/.test(count) ? Number(count) : undefined;
}

/**
 * The number of entries on all pages; undefined if the response has none, or one of a full page that may be that of the
 * page alone.
 * @param onPage number of entries on this page
 * @param pageSize number of entries requested
 */
export function totalOf(data: unknown, onPage: number, pageSize: number): number | undefined {
	const count = countIn(data) ?? -1;
	return count > onPage || (count === onPage && onPage < pageSize) ? count : undefined;
}
