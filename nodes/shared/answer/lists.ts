// Finds a list in a response (provider.md#answers): under its name, under another, wrapped, by identifier, or as the response itself.

import type { IDataObject } from 'n8n-workflow';
import { isCompound, isRecord } from '../ids';
import { ownIdentifier, type Subject } from './identifiers';
import { echo, fieldOf, isObject, layersOf, plainName, recordsOf, type Fields } from './read';

/** How to recognize a list in a response. */
export interface ListShape {
	/** Its names, the documented one first. */
	names: readonly string[];
	/** What its entries are: an object with such an identifier may stand for a list of one. */
	thing?: Subject;
	/** The field for entries that are a bare text or number. */
	scalar?: string;
	/** An entry of an object by identifier; undefined if that is none. Without it, its identifier is lost. */
	keyed?(id: string, value: unknown): Fields | undefined;
}

/** Lists beside the requested data. */
const SIDE_LIST =
	/error|erreur|warning|message|reason|raison|link|field|column|reject|document|proof|history|note|log$|violation|param/;
/** What the entries of a list may be called if nothing else is known. */
const LIST_NAMES =
	/^(?:items|list|liste|entries|rows|results|records|elements|contents?|values|data|result|objects|hits|edges|nodes|page|embedded)$/;

/**
 * The entries of a list: under a known name, under another, wrapped, or the response itself.
 * @returns undefined if there is no list in the response; a lone object counts as a list of one
 */
export function entriesOf(data: unknown, shape: ListShape): IDataObject[] | undefined {
	const layers = layersOf(data);
	const names = shape.names.map(plainName);
	const records = recordsOf(data);
	for (const name of names) {
		for (const record of [...layers, ...records.map(({ record }) => record)]) {
			const list = listIn(nullIfBlank(fieldOf(record, name)), shape);
			if (list) return list;
		}
	}
	if (Array.isArray(data)) return listIn(data, shape);
	const lone = (worst: number) =>
		layers.find((layer) => shape.thing && ownIdentifier(layer, shape.thing, worst) !== undefined);
	const single = lone(0);
	if (single) return [single as IDataObject];
	const byId = layers.map((layer) => Object.values(layer)).find(isListOf(shape));
	if (byId) return byId as IDataObject[];
	const lists = records
		.flatMap(({ record }) => Object.entries(record))
		.filter(([key, field]) => Array.isArray(field) && !SIDE_LIST.test(plainName(key)))
		.flatMap(([key, field]) => {
			const list = listIn(field, shape);
			return list ? [{ key: plainName(key), list }] : [];
		});
	const filled = lists.filter(({ list }) => list.length > 0);
	// Bare texts are more likely column names than the requested data.
	const best =
		filled.find(({ key, list }) => LIST_NAMES.test(key) && isOfObjects(list)) ??
		filled.find(({ list }) => isOfObjects(list)) ??
		filled[0];
	if (best) return best.list;
	const last = lone(2);
	if (last) return [last as IDataObject];
	const saysNone =
		countIn(data)?.count === 0 ||
		layers.some((layer) =>
			Object.entries(layer).some(
				([key, field]) => field === null && LIST_NAMES.test(plainName(key)),
			),
		);
	return lists[0]?.list ?? (saysNone ? [] : undefined);
}

const isOfObjects = (list: IDataObject[]) => list.some((entry) => Object.keys(entry).length > 1);

/** An empty XML element means an explicit "none". */
const nullIfBlank = (value: unknown) => (value === '' ? null : value);

/** The entries in a value; undefined if it is not a list. */
export function listIn(value: unknown, shape: ListShape, depth = 0): IDataObject[] | undefined {
	if (value === null) return [];
	if (Array.isArray(value)) return entriesIn(value, shape, depth);
	if (!isRecord(value) || depth > 3) return undefined;
	const inner = wrappedIn(value, shape);
	return inner ? listIn(inner, shape, depth + 1) : entriesById(value, shape);
}

function entriesIn(list: unknown[], shape: ListShape, depth: number): IDataObject[] | undefined {
	// A bare text beside objects is no entry.
	const records = list.filter(isRecord);
	const entries = (records.length > 0 ? records : list)
		.map((entry) => entryIn(entry, shape))
		.filter((entry) => entry !== undefined);
	// A list without any readable entry does not count as empty; `[[{…}, {…}]]` means its inner list.
	if (entries.length > 0 || list.every((entry) => entry === null)) return entries;
	return list.length === 1 && depth < 4 ? listIn(list[0], shape, depth + 1) : undefined;
}

/** `{ items: […] }`, `<cityZipCodes><cityZipCode>…`, and the list beside the attributes of an XML element. */
function wrappedIn(record: Fields, shape: ListShape): object | undefined {
	const compound = Object.entries(record).filter((field): field is [string, object] =>
		isCompound(field[1]),
	);
	const named = compound.find(
		([key, field]) => Array.isArray(field) && LIST_NAMES.test(plainName(key)),
	);
	const [first, ...more] = compound;
	if (named || !first || more.length > 0 || isEntry(record, shape)) return named?.[1];
	const [key, field] = first;
	const isKeyed = shape.keyed !== undefined && /^\d/.test(key);
	const isAlone = Object.keys(record).length === 1 && !isKeyed;
	return isAlone || isListOfRecords(field) ? field : undefined;
}

/** The entries in an object by identifier, also in the one that PHP makes of a list with holes; or the object itself. */
function entriesById(record: Fields, shape: ListShape): IDataObject[] | undefined {
	const fields = Object.entries(record);
	if (fields.length === 0) return [];
	if (shape.keyed && !isEntry(record, shape)) {
		const entries = fields.map(([id, entry]) => shape.keyed?.(id, entry)).filter(isObject);
		return entries.length > 0 ? entries : undefined;
	}
	const values = fields.map(([, field]) => field).filter(isObject);
	return values.length > 1 && values.length === fields.length ? values : [record as IDataObject];
}

const isEntry = (record: Fields, { thing }: ListShape) =>
	thing !== undefined && ownIdentifier(record, thing, 1) !== undefined;

/** Whether these are the values of an object by identifier. */
const isListOf =
	({ thing }: ListShape) =>
	(values: unknown[]) =>
		thing !== undefined &&
		values.length > 0 &&
		values.every((value) => isRecord(value) && ownIdentifier(value, thing, 0) !== undefined);

const isListOfRecords = (value: unknown) =>
	Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** Fields that contain the entry itself, beside metadata: `{ "cursor": "…", "node": {…} }`. */
const ENTRY_WRAPPER = /^(?:node|item|entry|attributes|properties|resource|content)$/;

/** One entry; the only field of an entry may wrap it: `{ "address": {…} }`. */
function entryIn(entry: unknown, { scalar }: ListShape): IDataObject | undefined {
	if (isRecord(entry)) {
		const keys = Object.keys(entry);
		const wrapper = keys.find(
			(key) => isRecord(entry[key]) && (keys.length === 1 || ENTRY_WRAPPER.test(plainName(key))),
		);
		if (wrapper === undefined) return entry as IDataObject;
		const { [wrapper]: inner, ...beside } = entry;
		return { ...beside, ...(inner as IDataObject) } as IDataObject;
	}
	const bare = echo(entry);
	return scalar !== undefined && bare !== undefined ? { [scalar]: bare } : undefined;
}

/** Numbers of entries have such names; the documented one comes first. */
const COUNTS = [
	/^resultcount$/,
	/^(?:total(?!pages?$)|nb|nombre)[a-z]*$|^numfound$|^odatacount$/,
	/^(?:item|record|entry)?count$/,
];

/** The number of entries in a response, and whether it has the documented name. */
function countIn(data: unknown): { count: number; isDocumented: boolean } | undefined {
	const fields = layersOf(data).flatMap((layer) => Object.entries(layer));
	for (const [at, name] of COUNTS.entries()) {
		for (const [key, value] of fields) {
			const inner = isRecord(value) ? fieldOf(value, 'value') : value;
			const count = name.test(plainName(key)) ? String(echo(inner) ?? '').trim() : '';
			if (/^\d{1,15}$/.test(count)) return { count: Number(count), isDocumented: at === 0 };
		}
	}
	return undefined;
}

/**
 * The number of entries on all pages; undefined if the response has none, or one that may be that of the page alone:
 * under another name than the documented one, or of a full page.
 * @param onPage number of entries on this page
 * @param pageSize number of entries requested
 */
export function totalOf(data: unknown, onPage: number, pageSize: number): number | undefined {
	const { count, isDocumented } = countIn(data) ?? { count: -1, isDocumented: false };
	const isSure = isDocumented && onPage < pageSize;
	return count > onPage || (count === onPage && isSure) ? count : undefined;
}
