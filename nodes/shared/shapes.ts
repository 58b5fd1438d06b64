// Finds data in a response, wherever it is: the operator's documents show no responses, so names may have any
// spelling, data may be wrapped, and lists renamed. Pure, and bounded: linear time for a response of any size or
// depth.

import type { IDataObject } from 'n8n-workflow';
import { isRecord } from './ids';
import { isJsonText, LONG_TEXT, parseJson } from './json';
import { atOnce, type Sliced } from './slices';
import { wordsOf } from './words';

type Fields = Record<string, unknown>;

/**
 * A value that the operator issues and expects back, with its original type and text: a number stays a number, text
 * is not trimmed. (A number beyond 2^53 becomes text of the same digits: JavaScript has no closer form that JSON
 * could carry.)
 */
export type Echo = string | number;

/** How deep a response is searched; real ones have a handful of layers. */
const MAX_DEPTH = 8;
const MAX_RECORDS = 1_000;
/** Limit for layers that describe the response as a whole. */
const MAX_LAYERS = 50;
/**
 * Limits for the fields that are searched: in all records together (enough for more than a thousand entries), and in
 * one record whose names may have any spelling.
 */
const MAX_FIELDS = 20_000;
const MAX_SPELLED = 300;

/** Fields that only wrap a response. */
const WRAPPERS = new Set(
	`answer body content d data envelope head header info item message meta metadata msg object output page pageinfo pagination
	paging payload record reply reponse response result results resultat resultset retour return root state status statut success
	value xml`.split(/\s+/),
);
/** Endings of wrapper names in SOAP-like services, whatever the method is called. */
const WRAPPER_ENDING = /(?:response|result|return|reply|answer|status)$/;

/** Fields that only describe the result or the response: a single object next to them is the requested data. */
export const ABOUT_THE_ANSWER =
	/^(?:http)?(?:status|statut|state|etat)|code$|^(?:message|msg|reason|raison|description|detail|version|lang|took|duration|elapsed|ok|ack|ret|rc|return|result|resultat|range|next|previous|first|last)|success|error|erreur|warning|time|^(?:date|now)|^(?:request|trace|correlation|transaction)id$|links?$|meta|count$|total|page/;

/** Lists in a response that are not the requested data. */
const SIDE_LISTS =
	/error|erreur|warning|message|reason|raison|link|field|reject|document|proof|history|note|log$|violation|param/;
const LIST_NAMES = wordsOf(`
	items list entries rows results records elements content values data result objects hits edges nodes page liste
	embedded
`);

const TOTALS = wordsOf(`
	resultCount totalCount totalResults totalResultCount totalElements totalItems totalRecords totalEntries
	totalSize total recordCount numberOfResults nbResults nbTotal itemCount count
`);

/** Names of identifiers, the most reliable one first. */
export const ADDRESS_IDS = wordsOf(`
	addressId regulationAddressId idAddress regulationAddressIdentifier addressIdentifier idAdresse adresseId
	addressReference addressNumber addressKey identifier id uuid reference ref
`);
export const CART_IDS = wordsOf(`
	cartIdentifier cartId idCart cartNumber basketId orderCartId cartReference shoppingCartId idPanier panierId
	idBasket identifier id uuid reference ref cart basket panier
`);

/** A name as it is compared: only letters and digits, without case, accents and XML namespace prefix. */
export function plainName(name: string): string {
	// Most names already have this form, and every field of a response passes through here.
	if (/^[a-z0-9]{0,200}$/.test(name)) return name;
	const local = name.slice(name.lastIndexOf(':') + 1, 200);
	const letters = /^[\0-\x7f]*$/.test(local) ? local : local.normalize('NFD');
	return letters.replace(/[^a-z0-9]+/gi, '').toLowerCase();
}

/**
 * The plain names of the fields that this package looks up. They come from its own lists, so there are only as many.
 */
const plainNames = new Map<string, string>();

function plainNameOf(asked: string): string {
	let plain = plainNames.get(asked);
	if (plain === undefined) plainNames.set(asked, (plain = plainName(asked)));
	return plain;
}

/** Caches what was found in an object until the object is gone, or until the cache has grown large. */
class Found<T> {
	private values = new WeakMap<object, T>();

	private count = 0;

	get(object: object): T | undefined {
		return this.values.get(object);
	}

	set(object: object, value: T): void {
		// A WeakMap with all the entries of a large list blocks n8n for tenths of a second whenever it grows.
		if (++this.count > 5_000) {
			this.values = new WeakMap();
			this.count = 1;
		}
		this.values.set(object, value);
	}
}

/** The plain names of an object's fields, computed once: many names are looked up in one response. */
const plainFields = new Found<Map<string, unknown>>();

/** The first of these fields that the record has, in any spelling: `err_code` is also `errCode` and `ERR-CODE`. */
export function fieldOf(record: Fields, ...names: string[]): unknown {
	let fields = plainFields.get(record);
	for (const name of names) {
		if (Object.hasOwn(record, name) && record[name] !== undefined) return record[name];
		if (!fields) {
			fields = spelled(record);
			plainFields.set(record, fields);
		}
		const value = fields.get(plainNameOf(name));
		if (value !== undefined) return value;
	}
	return undefined;
}

/**
 * The fields by their plain names; of two spellings of one name the first counts. Fields beyond the limit are left
 * out.
 */
function spelled(record: Fields): Map<string, unknown> {
	const all = Object.entries(record).filter(([, value]) => value !== undefined);
	const entries = all.slice(0, MAX_SPELLED);
	return new Map(entries.reverse().map(([key, value]) => [plainName(key), value]));
}

/** Text or a number, also if an object contains it: `{ "value": 12 }`, `{ "id": 12, "name": "…" }`. */
export function scalarOf(value: unknown): Echo | undefined {
	return isRecord(value) ? echo(fieldOf(value, 'value', 'id')) : echo(value);
}

/** A value that can be sent back; undefined for a blank text and for anything that is neither text nor a number. */
export function echo(value: unknown): Echo | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * The objects that describe the response as a whole, from the outside in: the response, and whatever it only wraps
 * (under a wrapper's name, in a list of one, as its only field, as JSON in a string).
 * @param more further names of fields to look into
 */
export function layersOf(data: unknown, more: readonly string[] = []): Fields[] {
	return more.length > 0 ? findLayers(data, more) : once(knownLayers, data, findLayers);
}

const knownLayers = new Found<Fields[]>();
const knownRecords = new Found<FoundRecord[]>();

/** Many lookups are made in one response: only the first searches it. */
function once<T>(known: Found<T>, data: unknown, find: (data: unknown) => T): T {
	if (typeof data !== 'object' || data === null) return find(data);
	let found = known.get(data);
	if (found === undefined) known.set(data, (found = find(data)));
	return found;
}

function findLayers(data: unknown, more: readonly string[] = []): Fields[] {
	const names = new Set(more.map(plainName));
	const wraps = (key: string, alone: boolean) => {
		const name = plainName(key);
		return alone || WRAPPERS.has(name) || WRAPPER_ENDING.test(name) || names.has(name);
	};
	const layers: Fields[] = [];
	let next: unknown[] = [data];
	for (let depth = 0; depth < MAX_DEPTH && next.length > 0; depth++) {
		const values = next;
		next = [];
		for (const value of values) {
			const inner = unpacked(value);
			if (isTuple(inner)) next.push(...inner.filter(isCompound));
			if (!isRecord(inner)) continue;
			if (layers.push(inner) >= MAX_LAYERS) return layers;
			const fields = Object.entries(inner).slice(0, MAX_SPELLED);
			const content = fields.filter(([key]) => !ABOUT_THE_ANSWER.test(plainName(key)));
			for (const [key, field] of fields) {
				// A list of one is a wrapper only under a wrapper's name; under any other name it is a list.
				const alone =
					!Array.isArray(field) &&
					(fields.length === 1 || (content.length === 1 && content[0]?.[0] === key));
				if (wraps(key, alone)) next.push(field);
			}
		}
	}
	return layers;
}

/** A list whose positions have a meaning, `["OK", {…}]` or `[120, […]]`, rather than a list of entries. */
function isTuple(value: unknown): value is unknown[] {
	if (!Array.isArray(value) || value.length < 2 || value.length > 5) return false;
	const kinds = new Set(
		value.map((entry: unknown) =>
			Array.isArray(entry) ? 'list' : isRecord(entry) ? 'object' : 'scalar',
		),
	);
	return kinds.size > 1;
}

/** The value in a list of one or in a JSON string. */
function unpacked(value: unknown): unknown {
	let inner = value;
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		if (Array.isArray(inner) && inner.length === 1) inner = inner[0] as unknown;
		else if (typeof inner === 'string' && isJsonText(inner)) inner = jsonIn(inner);
		else break;
	}
	return inner;
}

/** The value in a JSON string. */
function unpackedText(value: unknown): unknown {
	return typeof value === 'string' && isJsonText(value) ? jsonIn(value) : value;
}

function jsonIn(text: string): unknown {
	// Longer strings were unpacked when the response was parsed.
	if (text.length > LONG_TEXT) return undefined;
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

interface FoundRecord {
	record: Fields;
	/** The name of the field that contains it. */
	key: string;
}

/** Every object in the response with the name of its field, from the outside in. */
export function recordsOf(data: unknown): FoundRecord[] {
	return once(knownRecords, data, findRecords);
}

function findRecords(data: unknown): FoundRecord[] {
	const found: FoundRecord[] = [];
	let next: Array<{ value: unknown; key: string }> = [{ value: data, key: '' }];
	let seen = 0;
	let fields = 0;
	for (let depth = 0; depth < MAX_DEPTH && next.length > 0; depth++) {
		const values = next;
		next = [];
		for (const { value, key } of values) {
			if (found.length >= MAX_RECORDS || ++seen > MAX_RECORDS) return found;
			if (Array.isArray(value)) {
				const first = value.slice(0, MAX_RECORDS) as unknown[];
				for (const item of first) if (isCompound(item)) next.push({ value: item, key });
			} else if (isRecord(value)) {
				const entries = Object.entries(value);
				if ((fields += entries.length) > MAX_FIELDS) return found;
				found.push({ record: value, key });
				for (const [name, field] of entries) {
					if (isCompound(field)) next.push({ value: field, key: name });
				}
			}
		}
	}
	return found;
}

function isCompound(value: unknown): boolean {
	return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named fields. */
export function isObject(value: unknown): value is IDataObject {
	return isRecord(value);
}

/** A list; a lone object counts as a list of one (what converters from XML make of it), anything else as none. */
export function asList(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	return isObject(value) ? [value] : [];
}

/** How to recognise a list in a response. */
export interface ListShape {
	/** Its names, the documented one first. */
	names: readonly string[];
	/** Names of its entries' identifier: an object that has one may stand for a list of one. */
	ids?: readonly string[];
	/** The field for entries that are a bare text or number. */
	scalar?: string;
}

/**
 * The entries of a list: under a known name, under another, wrapped, or the response itself.
 * @returns undefined if there is no list in the response; a lone object counts as a list of one
 */
export function entriesOf(data: unknown, shape: ListShape): IDataObject[] | undefined {
	return atOnce(readingEntries(data, shape));
}

/** The same in slices. */
export function* readingEntries(
	data: unknown,
	shape: ListShape,
): Sliced<IDataObject[] | undefined> {
	const layers = layersOf(data);
	for (const layer of layers) {
		for (const name of shape.names) {
			const list = yield* listIn(fieldOrNull(layer, name), shape);
			if (list) return list;
		}
	}
	const whole = unpackedText(data);
	if (isTuple(whole)) {
		const list = whole.find((entry) => Array.isArray(entry));
		if (list !== undefined) return yield* listIn(list, shape);
	} else if (Array.isArray(whole)) return yield* listIn(whole, shape);
	const [strong, weak] = split(shape.ids ?? []);
	const alone = (ids: string[]) =>
		layers.find((layer) => ids.some((id) => echo(fieldOf(layer, id)) !== undefined));
	const single = alone(strong);
	if (single) return [single as IDataObject];
	for (const layer of layers) {
		for (const name of LIST_NAMES) {
			const value = fieldOf(layer, name);
			const list = Array.isArray(value) ? yield* listIn(value, shape) : undefined;
			if (list) return list;
		}
	}
	const lists: IDataObject[][] = [];
	for (const { record } of recordsOf(data)) {
		for (const [key, value] of Object.entries(record)) {
			if (!Array.isArray(value) || SIDE_LISTS.test(plainName(key))) continue;
			const list = yield* listIn(value, shape);
			if (list) lists.push(list);
		}
	}
	const filled = lists.filter((list) => list.length > 0);
	// Bare texts are more likely column names than the requested data.
	const ofObjects = filled.find((list) => list.some((entry) => Object.keys(entry).length > 1));
	if (filled.length > 0) return ofObjects ?? filled[0];
	const last = alone(weak);
	if (last) return [last as IDataObject];
	const isNull = (name: string) => layers.some((layer) => fieldOf(layer, name) === null);
	return lists[0] ?? (LIST_NAMES.some(isNull) ? [] : undefined);
}

/** Splits names into those specific to the resource and generic ones. */
function split(ids: readonly string[]): [string[], string[]] {
	const weak = new Set(['id', 'identifier', 'uuid', 'reference']);
	return [ids.filter((id) => !weak.has(id)), ids.filter((id) => weak.has(id))];
}

/** null if the field exists but is empty: an explicit "none", also as an empty XML element. */
function fieldOrNull(record: Fields, name: string): unknown {
	const value = fieldOf(record, name);
	return value === '' ? null : value;
}

/** The entries in a value; undefined if it is not a list. */
function* listIn(given: unknown, shape: ListShape, depth = 0): Sliced<IDataObject[] | undefined> {
	const value = unpackedText(given);
	if (value === null) return [];
	if (Array.isArray(value)) {
		// A list without any readable entry does not count as empty; `[[{…}, {…}]]` means its inner list.
		const entries: IDataObject[] = [];
		for (const [at, given] of value.entries()) {
			if (at % A_FEW === A_FEW - 1) yield;
			const entry = entryIn(given, shape);
			if (entry) entries.push(entry);
		}
		if (
			entries.length > 0 ||
			value.every((entry) => echo(entry) === undefined && !isCompound(entry))
		)
			return entries;
		return value.length === 1 && depth <= 3 ? yield* listIn(value[0], shape, depth + 1) : undefined;
	}
	if (!isRecord(value) || depth > 3) return undefined;
	const fields = Object.values(value);
	// `<cityZipCodes><cityZipCode>…`, `{ items: [...] }`, and the object by identifier that PHP makes of a list with holes.
	const inner = [...shape.names, ...LIST_NAMES]
		.map((name) => fieldOf(value, name))
		.find((field) => Array.isArray(field));
	if (inner !== undefined) return yield* listIn(inner, shape, depth + 1);
	if (fields.length === 1 && isCompound(fields[0]))
		return yield* listIn(fields[0], shape, depth + 1);
	if (fields.length > 1 && fields.every(isRecord)) return fields as IDataObject[];
	// `<addresses total="2"><address …/><address …/></addresses>`: the only list next to attributes.
	const [list, ...more] = fields.filter(isCompound);
	const isEntry = shape.ids?.some((id) => echo(fieldOf(value, id)) !== undefined) ?? true;
	if (
		!isEntry &&
		more.length === 0 &&
		Array.isArray(list) &&
		list.length > 0 &&
		list.every(isRecord)
	) {
		return yield* listIn(list, shape, depth + 1);
	}
	return fields.length === 0 ? [] : [value as IDataObject];
}

/** Entries to look at before yielding. */
const A_FEW = 500;

/** Fields that contain the entry itself, next to metadata (`{ "cursor": "…", "node": {…} }`). */
const ENTRY_WRAPPERS = ['node', 'item', 'entry', 'attributes', 'properties', 'resource', 'content'];

/** One entry; the only field of an entry may wrap it (`{ "address": {…} }`). */
function entryIn(entry: unknown, { scalar }: ListShape): IDataObject | undefined {
	if (isRecord(entry)) {
		const [first, second] = Object.keys(entry);
		const only = first !== undefined && second === undefined ? entry[first] : undefined;
		if (isRecord(only)) return only as IDataObject;
		const name = ENTRY_WRAPPERS.find((wrapper) => isRecord(entry[wrapper]));
		if (name === undefined) return entry as IDataObject;
		const { [name]: inner, ...beside } = entry;
		return { ...beside, ...(inner as IDataObject) } as IDataObject;
	}
	const bare = echo(entry);
	return scalar !== undefined && bare !== undefined ? { [scalar]: bare } : undefined;
}

/**
 * An identifier in a response, in the form in which it was received.
 * @param names the most reliable one first
 * @param containers fields to look into: the resource itself (`cart`)
 */
export function identifierOf(
	data: unknown,
	names: readonly string[],
	containers: readonly string[] = [],
): Echo | undefined {
	if (typeof data === 'number') return echo(data);
	// Inside the resource first: the `id` of the response itself may identify the request.
	const layers = layersOf(data, containers);
	const within = layers.flatMap((layer) =>
		containers.map((container) => unpacked(fieldOf(layer, container))).filter(isRecord),
	);
	for (const name of names) {
		for (const layer of [...within, ...layers]) {
			const id = scalarOf(fieldOf(layer, name));
			if (id !== undefined) return id;
		}
	}
	return undefined;
}

/**
 * The identifier in the response to a create request: under one of the names, under any name if the response contains
 * nothing else, or at the end of a `location` (see `toObject`).
 */
export function createdId(
	data: unknown,
	names: readonly string[],
	containers: readonly string[],
): Echo | undefined {
	const known = identifierOf(data, names, containers);
	if (known !== undefined) return known;
	const layers = layersOf(data, containers);
	const endsOf = (...fields: string[]) =>
		layers
			.map((layer) => fieldOf(layer, ...fields))
			.filter(isPath)
			.map(lastSegment);
	// Any other link may lead to a help page.
	const linked =
		endsOf('location')[0] ?? endsOf('href', 'url', 'uri').find((end) => /\d/.test(end ?? ''));
	if (linked !== undefined) return linked;
	const alone = (fits: (name: string) => boolean) => {
		for (const layer of layers) {
			const [scalar, ...more] = Object.entries(layer).filter(
				([key, value]) =>
					fits(plainName(key)) &&
					!/^(?:href|ur[li])$/.test(plainName(key)) &&
					looksLikeId(echo(value)),
			);
			if (scalar && more.length === 0) return echo(scalar[1]);
		}
		return undefined;
	};
	return (
		alone((name) => !ABOUT_THE_ANSWER.test(name) && !WRAPPERS.has(name)) ??
		alone((name) => WRAPPERS.has(name) && !/^(?:status|statut|message|msg|state)$/.test(name))
	);
}

/** Identifiers have digits; 0 and 1 are flags, 200 to 202 are statuses. */
function looksLikeId(value: Echo | undefined): boolean {
	const text = String(value ?? '').trim();
	return /^\S{2,100}$/.test(text) && /\d/.test(text) && !/^20[0-2]$/.test(text);
}

function isPath(value: unknown): value is string {
	return typeof value === 'string' && value.length <= 2_000 && value.includes('/');
}

function lastSegment(location: string): string | undefined {
	const segment = location.split(/[?#]/, 1).join('').split('/').filter(Boolean).at(-1);
	try {
		return segment === undefined ? undefined : decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** The third-party interface's names for the fields that number management reads. */
const DOCUMENT_NAMES = new Map(
	`addressId linked status salutation companyName companyDescription firstName lastName countryCodeA3 city zipCode streetName
	buildingNumber buildingLetter customerReference phoneNumber extraFields rejectionReasons cityName areaCode isValid reasons
	cartIdentifier description dateAdded orderProducts productCheckoutList productType orderReference message`
		.split(/\s+/)
		.map((name) => [plainName(name), name]),
);

/** An object with its fields, and those of the objects in its lists, under their documented names. */
export function inDocumentNames(record: IDataObject, depth = 0): IDataObject {
	if (depth > 3) return record;
	const fields = Object.entries(record).map(([key, value]): [string, unknown] => {
		const name = Object.hasOwn(record, key) ? DOCUMENT_NAMES.get(plainName(key)) : undefined;
		const list = Array.isArray(value)
			? value.map((entry: unknown) => (isObject(entry) ? inDocumentNames(entry, depth + 1) : entry))
			: value;
		return [name === undefined || Object.hasOwn(record, name) ? key : name, list];
	});
	return Object.fromEntries(fields) as IDataObject;
}

/** The number of entries on all pages, under any known name; undefined if it is not in the response. */
export function totalOf(data: unknown): number | undefined {
	const layers = layersOf(data);
	for (const name of TOTALS) {
		for (const layer of layers) {
			const value = fieldOf(layer, name);
			const total = isRecord(value) ? fieldOf(value, 'value') : value;
			if (typeof total === 'number' && Number.isSafeInteger(total) && total >= 0) return total;
			if (typeof total === 'string' && /^\s{0,9}\d{1,15}\s{0,9}$/.test(total)) return Number(total);
		}
	}
	return undefined;
}
