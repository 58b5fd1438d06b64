// Query parameters and paging as in the number management interface. Anything unexpected is rejected.

import { common } from './errors';

export type Query = Record<string, string>;

/** Reads a query string; an unknown or repeated parameter is error 21. */
export function readQuery(raw: string, known: readonly string[]): Query {
	const query: Query = {};
	for (const [name, value] of new URLSearchParams(raw)) {
		if (!known.includes(name)) throw common(21, `Unknown parameter "${name}"`);
		if (name in query) throw common(21, `Duplicate parameter "${name}"`);
		query[name] = value;
	}
	return query;
}

/** A required parameter: error 16 if it is missing or empty. */
export function required(query: Query, name: string) {
	if (!query[name]) throw common(16, `Required parameter "${name}" is missing`);
	return query[name];
}

const LARGEST = 5000;

/**
 * One page of a list. Errors: 16 missing, 11 page number, 12 page size, 13 page past the end. The first page of an
 * empty list is an empty page, not an error.
 */
export function page<T>(query: Query, items: readonly T[]): T[] {
	const pageNumber = readInteger(required(query, 'pageNumber'));
	const size = readInteger(required(query, 'pageSize'));
	if (pageNumber === undefined) throw common(11, 'The page number must be 0 or more');
	if (!size || size > LARGEST) throw common(12, `The page size must be from 1 to ${LARGEST}`);
	const from = pageNumber * size;
	if (from > 0 && from >= items.length) throw common(13, `Page ${pageNumber} does not exist`);
	return items.slice(from, from + size);
}

/** A non-negative whole number in digits, or undefined. */
export function readInteger(text: string) {
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
