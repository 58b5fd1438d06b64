// Reads agents, groups, trunks and breaks from the response to a supervisor's login (provider.md#session-information).
// What can't be read is left out, and described for the panel and for an activation: it must never break the feed.

import { fieldOf, layersOf, plainName, type Fields } from './answer/read';
import { is, SECRET_NAME } from './answer/names';
import { idText, isRecord } from './ids';
import { typesIn } from './shown';

/** Each list, and the field that has it. */
export const LISTS = {
	agents: 'ops',
	groups: 'groupes',
	trunks: 'trunks',
	pauses: 'pauses',
} as const;

/** What a login lists. */
export type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as ListName[];

interface ListedName {
	id: string;
	name: string;
}

/** Agents, groups, trunks and breaks as the session information of a login names them (ids as text). */
export interface Directory {
	agents: ReadonlyMap<string, ListedName & { groups: readonly string[] }>;
	groups: ReadonlyMap<string, ListedName>;
	trunks: ReadonlyMap<string, ListedName>;
	pauses: ReadonlyMap<string, ListedName>;
	/** What could not be read of a list, in words without any value: `"ops" is { a1: object }`. */
	unread: ReadonlyMap<ListName, string>;
	/** Lists of other names, in such words: `lists that are not documented: { agents: list of 2 (…) }`. */
	further?: string | undefined;
}

/** An entry of a list, and what an event refers to it by. */
interface ListedItem extends ListedName {
	fields: Fields;
}

/**
 * The directory in the body of a supervisor's login.
 * @param body parsed data of the response, wrapped or not; anything else results in four empty maps
 * @returns an entry without a known name is labelled with its own texts, or else with its identifier; the last of two
 *   entries with one identifier wins
 */
export function readDirectory(body: unknown): Directory {
	const layers = layersOf(body);
	const unread = new Map<ListName, string>();
	const read = (list: ListName): ListedItem[] => {
		const given = layers
			.map((layer) => fieldOf(layer, LISTS[list]))
			.find((one) => one !== undefined);
		const entries = entriesIn(given);
		const readable = entries?.flatMap(listedIn) ?? [];
		const isWhole = entries !== undefined && readable.length === entries.length;
		if (!isWhole) unread.set(list, `"${LISTS[list]}" that is ${unreadIn(given, entries)}`);
		return readable;
	};
	const named = (list: ListName) =>
		new Map(read(list).map(({ id, name }) => [id, { id, name }] as const));
	const agents = read('agents').map(({ id, name, fields }) => {
		const given = fieldOf(fields, 'groups');
		const groups = [given ?? []]
			.flat()
			.map((one) => idText(isRecord(one) ? fieldOf(one, 'id') : one));
		if (groups.includes(undefined))
			unread.set('agents', `"groups" of an agent that is ${typesIn(given)}`);
		return [id, { id, name, groups: groups.filter((group) => group !== undefined) }] as const;
	});
	return {
		agents: new Map(agents),
		groups: named('groups'),
		trunks: named('trunks'),
		pauses: named('pauses'),
		unread,
		further: otherListsIn(layers),
	};
}

/** An empty directory: the account feed's login carries no session information. */
export function emptyDirectory(): Directory {
	return readDirectory(undefined);
}

function otherListsIn(layers: Fields[]): string | undefined {
	const known = new Set<string>(Object.values(LISTS));
	const further = layers
		.flatMap((layer) => Object.entries(layer))
		.filter(
			([name, value]) => !known.has(plainName(name)) && !is('wrapper', name) && isObjectList(value),
		);
	return further.length === 0
		? undefined
		: `lists that are not documented: ${typesIn(Object.fromEntries(further))}`;
}

const isObjectList = (value: unknown) => Array.isArray(value) && value.some(isRecord);

/** The lists in the response, as received. */
export function listsIn(body: unknown): Map<ListName, unknown> {
	const layers = layersOf(body);
	return new Map(
		LIST_NAMES.flatMap((name) => {
			const layer = layers.find((one) => fieldOf(one, LISTS[name]) !== undefined);
			return layer ? [[name, fieldOf(layer, LISTS[name])] as const] : [];
		}),
	);
}

/** The entries of a list; none if it is absent, `null` or `false`; undefined if it is no list. */
function entriesIn(given: unknown): unknown[] | undefined {
	if (Array.isArray(given)) return given as unknown[];
	if ((given ?? false) === false || given === '') return [];
	return listedIn(given).length > 0 ? [given] : undefined;
}

function listedIn(given: unknown): ListedItem[] {
	if (!isRecord(given)) return [];
	const id = idText(fieldOf(given, 'id'));
	return id === undefined ? [] : [{ id, name: nameOfListed(given) ?? id, fields: given }];
}

/** Its name, or the value of a break; without them, its own texts. */
function nameOfListed(fields: Fields): string | undefined {
	const name = ['name', 'nom', 'value'].map((one) => idText(fieldOf(fields, one)));
	const texts = Object.entries(fields)
		.filter(([key, value]) => typeof value === 'string' && isLabel(plainName(key)))
		.flatMap(([, value]) => idText(value) ?? []);
	return name.find((one) => one !== undefined) ?? (texts.join(' ') || undefined);
}

/** Whether a field may name its entry: neither a secret nor an identifier. */
const isLabel = (plain: string) => !SECRET_NAME.test(plain) && !plain.startsWith('id');

/** The list, or its first entry that can't be read. */
function unreadIn(given: unknown, entries: unknown[] | undefined): string {
	if (!entries) return typesIn(given);
	const odd = entries.find((entry) => listedIn(entry).length === 0);
	return `a list with ${typesIn(odd)} instead of an entry with "id"`;
}
