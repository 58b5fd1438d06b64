// Identifiers that the provider issued leave every operation as text: it sends the same one as a number in one
// response and as text in another, and a workflow compares them.

import type { IDataObject } from 'n8n-workflow';
import { echo } from '../shared/answer/read';
import { isRecord } from '../shared/ids';

const IDENTIFIER = /^id(?:_|$)|(?:Id|ID|_id|(?:^i|I|_i)dentifier|(?:^r|R|_r)eference)s?$/;

/** A response with the identifiers that are known: it may have them in another form, but an empty one is none. */
export function withKnown(known: IDataObject, response: IDataObject): IDataObject {
	const isSaid = ([name, value]: [string, unknown]) =>
		!Object.hasOwn(known, name) || echo(value) !== undefined || Array.isArray(value);
	return { ...known, ...Object.fromEntries(Object.entries(response).filter(isSaid)) };
}

/** The same value with the numbers in identifiers, at any depth, as text. */
export function idsAsText<T>(value: T, name = ''): T {
	if (typeof value === 'number' && IDENTIFIER.test(name)) return String(value) as T;
	if (Array.isArray(value)) return value.map((entry: unknown) => idsAsText(entry, name)) as T;
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map(([key, field]) => [key, idsAsText(field, key)]);
	return Object.fromEntries(fields) as T;
}
