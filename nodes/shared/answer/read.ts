// Finds data in a response, wherever it is: the provider's documents show no responses, so names may have any spelling,
// data may be wrapped, and lists renamed. Pure, and bounded by the size of a response.

import type { IDataObject } from 'n8n-workflow';
import { isCompound, isRecord } from '../ids';

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
export function unpacked(value: unknown): unknown {
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
				if (isCompound(field)) next.push({ value: field, key: name });
			}
		}
		level = next;
	}
	return found;
}
