// Finds data in a response, wherever it is: the provider's documents show no responses, so names may have any spelling,
// data may be wrapped, and lists renamed. Pure, and bounded by the size of a response.

import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../ids';

export type Fields = Record<string, unknown>;

/**
 * A value that the provider issues and expects back, with its original type and text: a number stays a number, text is
 * not trimmed. (An integer beyond 2^53 is text of the same digits.)
 */
export type Echo = string | number;

/** How deep a response is searched, and how many objects: real ones have a handful of layers. */
const DEEPEST = 8;
const MOST_RECORDS = 1_000;

const plainNames = new Map<string, string>();

/** A name as it is compared: only letters and digits, without case, accents and XML namespace prefix. */
export function plainName(name: string): string {
	const known = plainNames.get(name);
	if (known !== undefined) return known;
	const plain = name
		.slice(name.lastIndexOf(':') + 1)
		.slice(0, 200)
		.normalize('NFD')
		.replace(/[^a-z0-9]+/gi, '')
		.toLowerCase();
	if (plainNames.size >= 10_000) plainNames.clear();
	plainNames.set(name, plain);
	return plain;
}

/** The first of these fields that the record has, in any spelling: `err_code` is also `errCode` and `ERR-CODE`. */
export function fieldOf(record: Fields, ...names: string[]): unknown {
	for (const name of names) {
		if (Object.hasOwn(record, name) && record[name] !== undefined) return record[name];
		const plain = plainName(name);
		const key = Object.keys(record).find(
			(candidate) => plainName(candidate) === plain && record[candidate] !== undefined,
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

/** Text or a number, also if an object contains it: `{ "value": 12 }`, `{ "id": 12, "name": "…" }`. */
export function scalarOf(value: unknown): Echo | undefined {
	return isRecord(value) ? echo(fieldOf(value, 'value', 'id', 'key')) : echo(value);
}

export function isObject(value: unknown): value is IDataObject {
	return isRecord(value);
}

/** A list; a lone object counts as a list of one (what converters from XML make of it), anything else as none. */
export function asList(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	return isObject(value) ? [value] : [];
}

/** Names of fields that only wrap a response … */
const WRAPPER =
	/^(?:body|content|d|data|envelope|head|header|info|item|message|msg|meta|metadata|object|output|page|pageinfo|pagination|paging|payload|record|resultset|retour|root|state|statut|success|value|xml)$|(?:reponse|response|results?|resultat|return|reply|answer|status)$/;
/** … and of those that describe the response: a single object beside them is the requested data. */
export const ABOUT_THE_ANSWER =
	/^(?:http)?(?:status|statut|state|etat)|code$|^(?:message|msg|reason|raison|description|detail|version|jsonrpc|id|lang|took|duration|elapsed|ok|ack|ret|rc|return|result|resultat|range|next|previous|first|last|now)|success|error|erreur|warning|time|date|^(?:request|trace|correlation|transaction)id$|links?$|meta|count$|total|page/;

/**
 * The objects that describe the response as a whole, from the outside in: the response, and whatever it only wraps
 * (under a wrapper's name, in a list of one, or as its only data).
 */
export function layersOf(data: unknown): Fields[] {
	const layers: Fields[] = [];
	let level = [data];
	for (let depth = 0; depth < DEEPEST && level.length > 0 && layers.length < 50; depth++) {
		const records = level.map(unpacked).filter(isRecord);
		layers.push(...records);
		level = records.flatMap((record) => {
			const fields = Object.entries(record).slice(0, 300);
			const content = fields.filter(([key]) => !ABOUT_THE_ANSWER.test(plainName(key)));
			const [alone] = content.length === 0 ? fields : content;
			// A list of one is a wrapper only under a wrapper's name; under any other name it is a list.
			return fields
				.filter(
					([key, field]) =>
						WRAPPER.test(plainName(key)) ||
						(isRecord(field) &&
							key === alone?.[0] &&
							(content.length === 1 || fields.length === 1)),
				)
				.map(([, field]) => field);
		});
	}
	return layers;
}

/** The value in a list of one. */
function unpacked(value: unknown): unknown {
	let inner = value;
	for (let depth = 0; depth < DEEPEST && Array.isArray(inner) && inner.length === 1; depth++) {
		inner = inner[0] as unknown;
	}
	return inner;
}

/** An object of a response with the name of the field that contains it. */
export interface Found {
	record: Fields;
	key: string;
}

/** Every object in the response, from the outside in. */
export function recordsOf(data: unknown): Found[] {
	const found: Found[] = [];
	let level: Array<{ value: unknown; key: string }> = [{ value: data, key: '' }];
	for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
		const next: typeof level = [];
		for (const { value, key } of level.slice(0, MOST_RECORDS - found.length)) {
			if (isRecord(value)) found.push({ record: value, key });
			const inner: Array<[string, unknown]> = Array.isArray(value)
				? value.slice(0, MOST_RECORDS).map((entry: unknown) => [key, entry])
				: Object.entries(isRecord(value) ? value : {}).slice(0, MOST_RECORDS);
			for (const [name, field] of inner) {
				if (typeof field === 'object' && field !== null) next.push({ value: field, key: name });
			}
		}
		level = next;
	}
	return found;
}

/** What a response is about, by the names that it may have. */
export interface Subject {
	/** How reliable a field's name makes it the identifier, 0 at most; undefined if it is none. */
	rank(plain: string): number | undefined;
	/** Whether a field with this name contains the thing itself. */
	contains(plain: string): boolean;
}

const ID =
	'(?:id|ids?number|identifier|identifiant|uuid|number|num|numero|no|nr|key|ref|reference)';

/** @param names a pattern for the thing's own plain name */
export function subject(names: string): Subject {
	const ranks = [
		new RegExp(`^(?:(?:new|created)?${names}${ID}|${ID}${names})$`),
		/^(?:new|created|insert(?:ed)?|resource|object|record|entity)?(?:id|identifier|identifiant)$/,
		/^(?:uuid|reference|ref|key)$/,
		new RegExp(`^${names}$`),
	];
	const itself = new RegExp(`^${names}(?:e?s)?$`);
	return {
		rank: (plain) => {
			const rank = ranks.findIndex((pattern) => pattern.test(plain));
			return rank === -1 ? undefined : rank;
		},
		contains: (plain) => itself.test(plain),
	};
}

export const ADDRESS = subject('(?:regulation|regulatory|local)?(?:address|adresse)');
export const CART = subject('(?:shopping|order)?(?:cart|basket|panier)');

/** The identifier among an object's own fields. */
export function ownIdentifier(record: Fields, thing: Subject, worst = 3): Echo | undefined {
	let best: { at: number; id: Echo } | undefined;
	for (const [key, value] of Object.entries(record)) {
		const at = thing.rank(plainName(key));
		if (at === undefined || at > worst || at >= (best?.at ?? Infinity)) continue;
		const id = scalarOf(value);
		if (id !== undefined) best = { at, id };
	}
	return best?.id;
}

/**
 * The identifier of a thing in a response, in the form in which it was received. The thing itself comes before what
 * wraps it: the `id` of a response may be that of the request.
 */
export function identifierOf(data: unknown, thing: Subject): Echo | undefined {
	if (typeof data === 'number') return echo(data);
	const layers = layersOf(data);
	const within = layers.flatMap((layer) =>
		Object.entries(layer)
			.filter(([key]) => thing.contains(plainName(key)))
			.map(([, field]) => unpacked(field))
			.filter(isRecord),
	);
	const records = [...within, ...layers];
	for (const worst of [0, 3]) {
		for (const record of records) {
			const id = ownIdentifier(record, thing, worst);
			if (id !== undefined) return id;
		}
	}
	return undefined;
}

/**
 * The identifier in the response to a create request: under its name, at the end of a link to the new thing, or as the
 * only thing that the response has.
 */
export function createdId(data: unknown, thing: Subject): Echo | undefined {
	const known = identifierOf(data, thing);
	if (known !== undefined) return known;
	const layers = layersOf(data);
	const linked =
		layers
			.map((layer) => lastSegment(fieldOf(layer, 'location')))
			.find((end) => end !== undefined) ??
		recordsOf(data)
			.map(({ record }) => lastSegment(fieldOf(record, 'href', 'self', 'url', 'uri')))
			// Any other link may lead to a help page.
			.find((end) => /\d/.test(end ?? ''));
	if (linked !== undefined) return linked;
	const alone = [
		data,
		...layers.map((layer) => fieldOf(layer, 'data', 'result', 'response', 'value')),
	];
	return alone.map(echo).find(looksLikeId);
}

/** Identifiers have digits; 0 and 1 are flags, 200 to 202 are statuses. */
const looksLikeId = (value: Echo | undefined) =>
	/^(?!(?:[01]|20[0-2])$)(?=\S*\d)\S{1,100}$/.test(String(value ?? '').trim());

function lastSegment(link: unknown): string | undefined {
	if (typeof link !== 'string' || link.length > 2_000 || !link.includes('/')) return undefined;
	const segment = link.split(/[?#]/, 1).join('').split('/').filter(Boolean).at(-1);
	try {
		return segment === undefined ? undefined : decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

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
	if (Array.isArray(value)) {
		const list: unknown[] = value;
		// A bare text beside objects is no entry.
		const records = list.filter(isRecord);
		const entries = (records.length > 0 ? records : list)
			.map((entry) => entryIn(entry, shape))
			.filter((entry) => entry !== undefined);
		// A list without any readable entry does not count as empty; `[[{…}, {…}]]` means its inner list.
		if (entries.length > 0 || list.every((entry) => entry === null)) return entries;
		return list.length === 1 && depth < 4 ? listIn(list[0], shape, depth + 1) : undefined;
	}
	if (!isRecord(value) || depth > 3) return undefined;
	const fields = Object.entries(value);
	const compound = fields.filter(([, field]) => typeof field === 'object' && field !== null);
	// `{ items: […] }`, `<cityZipCodes><cityZipCode>…`, and the list beside the attributes of an XML element.
	const named = compound.find(
		([key, field]) => Array.isArray(field) && LIST_NAMES.test(plainName(key)),
	);
	const isEntry = shape.thing && ownIdentifier(value, shape.thing, 1) !== undefined;
	const [first, ...more] = compound;
	const isWrapped =
		more.length === 0 &&
		!isEntry &&
		(isListOfRecords(first?.[1]) ||
			(fields.length === 1 && !(shape.keyed && /^\d/.test(first?.[0] ?? ''))));
	const inner = named ?? (isWrapped ? first : undefined);
	if (inner) return listIn(inner[1], shape, depth + 1);
	if (shape.keyed && !isEntry && fields.length > 0) {
		const entries = fields.map(([id, entry]) => shape.keyed?.(id, entry)).filter(isObject);
		return entries.length > 0 ? entries : undefined;
	}
	// The object by identifier that PHP makes of a list with holes.
	if (
		fields.length > 1 &&
		compound.length === fields.length &&
		fields.every(([, field]) => isRecord(field))
	) {
		return fields.map(([, field]) => field as IDataObject);
	}
	return fields.length === 0 ? [] : [value as IDataObject];
}

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
		const name = DOCUMENT_NAMES.get(plainName(key));
		const list = Array.isArray(value)
			? value.map((entry: unknown) => (isObject(entry) ? inDocumentNames(entry, depth + 1) : entry))
			: value;
		return [name === undefined || Object.hasOwn(record, name) ? key : name, list];
	});
	return Object.fromEntries(fields) as IDataObject;
}
