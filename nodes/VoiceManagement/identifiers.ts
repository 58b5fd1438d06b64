// Identifiers that the provider issued leave every operation as text: it sends the same one as a number in one
// response and as text in another, and a workflow compares them.

import { isRecord } from '../shared/ids';

const IDENTIFIER = /^id(?:_|$)|(?:Id|Identifier|Reference)s?$/;

/** The same value with the numbers in identifiers, at any depth, as text. */
export function idsAsText<T>(value: T, name = ''): T {
	if (typeof value === 'number' && IDENTIFIER.test(name)) return String(value) as T;
	if (Array.isArray(value)) return value.map((entry: unknown) => idsAsText(entry, name)) as T;
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map(([key, field]) => [key, idsAsText(field, key)]);
	return Object.fromEntries(fields) as T;
}
