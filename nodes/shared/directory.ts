// Reads agents, groups, trunks and breaks from the response to a login ("Session information" of the feed document).
// The response is only partly documented, so anything unreadable is left out: names are a convenience, and an odd
// entry must never break the feed.

import { idText, isRecord } from './ids';
import { fieldOf, layersOf } from './shapes';
import { atOnce, type Sliced } from './slices';

/** Agents, groups, trunks and breaks as the session information of a login names them (ids as text). */
export interface Directory {
	agents: ReadonlyMap<string, { id: string; name: string; groups: readonly string[] }>;
	groups: ReadonlyMap<string, { id: string; name: string }>;
	trunks: ReadonlyMap<string, { id: string; name: string }>;
	pauses: ReadonlyMap<string, { id: string; name: string }>;
}

interface Entry {
	id: string;
	name: string;
	fields: Record<string, unknown>;
}

/** The lists of the session information by their documented names, and other spellings that they may have. */
const DIRECTORY_FIELDS = {
	ops: ['ops', 'operators', 'agents', 'operateurs'],
	groupes: ['groupes', 'groups'],
	trunks: ['trunks'],
	pauses: ['pauses', 'breaks'],
} as const;

/** One list of the session information, wherever it is in the response. */
function directoryField(body: unknown, key: keyof typeof DIRECTORY_FIELDS): unknown {
	const isList = (list: unknown) => typeof list === 'object' && list !== null;
	const listIn = (record: Record<string, unknown>) => fieldOf(record, ...DIRECTORY_FIELDS[key]);
	return (
		layersOf(body).map(listIn).find(isList) ??
		// Entries of other lists are not searched: an agent has groups as well.
		Object.values(isRecord(body) ? body : {})
			.filter(isRecord)
			.map(listIn)
			.find(isList)
	);
}

/** The same as an array, whatever form the operator sent it in; undefined if the response has none. */
export function directoryList(
	body: unknown,
	key: keyof typeof DIRECTORY_FIELDS,
): Array<Record<string, unknown>> | undefined {
	const field = directoryField(body, key);
	return field === undefined ? undefined : recordsIn(field);
}

/**
 * The directory in the body of a supervisor's login.
 * @param body parsed JSON of the response, wrapped or not; anything else results in four empty maps
 * @returns identifiers as text; an entry without a name is named by its identifier; the last of two with
 *   one identifier wins
 */
export function readDirectory(body: unknown): Directory {
	return atOnce(readingDirectory(body));
}

/** The same in slices. */
export function* readingDirectory(body: unknown): Sliced<Directory> {
	const list = (key: keyof typeof DIRECTORY_FIELDS) => directoryField(body, key);
	const agents = new Map<string, { id: string; name: string; groups: readonly string[] }>();
	let seen = 0;
	for (const { id, name, fields } of entries(list('ops'))) {
		if (++seen % A_FEW === 0) yield;
		agents.set(id, {
			id,
			name,
			groups: yield* groupIds(fieldOf(fields, ...DIRECTORY_FIELDS.groupes)),
		});
	}
	return {
		agents,
		groups: yield* named(list('groupes')),
		trunks: yield* named(list('trunks')),
		pauses: yield* named(list('pauses'), ['value', 'nom', 'name']),
	};
}

/** An empty directory: the account feed's login carries no session information. */
export function emptyDirectory(): Directory {
	return readDirectory(undefined);
}

function* named(
	list: unknown,
	nameKeys?: string[],
): Sliced<ReadonlyMap<string, { id: string; name: string }>> {
	const all = new Map<string, { id: string; name: string }>();
	for (const { id, name } of entries(list, nameKeys)) {
		all.set(id, { id, name });
		if (all.size % A_FEW === 0) yield;
	}
	return all;
}

/**
 * The entries of a list, of a list in an object of its own (`{ op: […] }`, as converters from XML make it), or of an object
 * keyed by identifier (what PHP makes of a list with holes).
 */
function recordsIn(found: unknown): Array<Record<string, unknown>> {
	const [inner, ...others] = isRecord(found) ? Object.values(found) : [];
	const list = Array.isArray(inner) && others.length === 0 ? (inner as unknown) : found;
	if (Array.isArray(list)) return list.filter(isRecord);
	return Object.entries(isRecord(list) ? list : {})
		.filter((pair): pair is [string, Record<string, unknown>] => isRecord(pair[1]))
		.map(([id, item]) => (idText(fieldOf(item, 'id')) === undefined ? { id, ...item } : item));
}

function* entries(list: unknown, nameKeys = ['nom', 'name']): Generator<Entry> {
	for (const item of recordsIn(list)) {
		const id = idText(fieldOf(item, 'id'));
		if (id === undefined) continue;
		const name = nameKeys
			.map((nameKey) => idText(fieldOf(item, nameKey)))
			.find((text) => text !== undefined);
		yield { id, name: name ?? id, fields: item };
	}
}

/** `groups[]` holds identifiers; objects with an `id` and a comma-separated text are read as well. */
function* groupIds(value: unknown): Sliced<string[]> {
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(',')
			: isRecord(value)
				? Object.values(value)
				: [value];
	const ids = new Set<string>();
	for (const [at, item] of list.entries()) {
		if (at % A_FEW === A_FEW - 1) yield;
		const id = idText(isRecord(item) ? fieldOf(item, 'id') : item);
		if (id !== undefined) ids.add(id);
	}
	return [...ids];
}

/** Agents, or groups of one agent, to read before yielding: a small login is read without a pause. */
const A_FEW = 100;
