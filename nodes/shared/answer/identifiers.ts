// Finds the identifier of a thing in a response: under any of its names, in the thing itself or in what wraps it.

import { isRecord } from '../ids';
import {
	echo,
	fieldOf,
	layersOf,
	plainName,
	recordsOf,
	scalarOf,
	unpacked,
	type Echo,
	type Fields,
} from './read';

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
