// Reads agents, groups, trunks and breaks from the response to a login (provider.md#session-information).
// The document shows no example, so lists, identifiers and names may have any spelling. An entry that can't be read is
// left out: it must never break the feed.

import { listIn, type ListShape } from './answer/lists';
import { ownIdentifier, type Subject } from './answer/identifiers';
import { plainName, recordsOf, scalarOf, type Fields } from './answer/read';
import { SECRET_NAME } from './answer/reason';
import { idText, isRecord } from './ids';

/** What a login lists. */
export type ListName = 'agents' | 'groups' | 'trunks' | 'pauses';

interface Named {
	id: string;
	name: string;
}

/** Agents, groups, trunks and breaks as the session information of a login names them (ids as text). */
export interface Directory {
	agents: ReadonlyMap<string, Named & { groups: readonly string[] }>;
	groups: ReadonlyMap<string, Named>;
	trunks: ReadonlyMap<string, Named>;
	pauses: ReadonlyMap<string, Named>;
	/** The lists that the response lacks, or that have entries of which none can be read. */
	unread: ReadonlySet<ListName>;
}

/** How to recognize a list and its entries; all names are plain ones. */
interface Shape extends ListShape {
	thing: Subject;
	/** A field of another entry that refers to these. */
	reference: RegExp;
	/** The name, the best one first. */
	named: readonly RegExp[];
}

/** @param thing what an entry is called */
function shape(thing: string, ...named: RegExp[]): Shape {
	const code = '(?:uuid|ref(?:erence)?|key|code|num(?:ero|ber)?|no|nr)';
	const ids = [
		// As the feed calls it, then as the session information does.
		new RegExp(`^(?:id${thing}|${thing}id)$`),
		/^id(?:entifi(?:er|ant))?$/,
		new RegExp(`^(?:${thing}${code}|${code}(?:${thing})?)$`),
	];
	const list = new RegExp(`^(?:liste?)?${thing}(?:e?s)?(?:liste?)?$`);
	const own: Shape = {
		names: [],
		thing: {
			rank: (plain) => {
				const rank = ids.findIndex((pattern) => pattern.test(plain));
				return rank === -1 ? undefined : rank;
			},
			contains: (plain) => list.test(plain),
		},
		scalar: 'id',
		keyed: (id, value) => {
			if (isRecord(value)) return idOf(value, own) === undefined ? { id, ...value } : value;
			return idText(value) === undefined ? undefined : { id, name: value };
		},
		reference: new RegExp(`^(?:ids?)?${thing}(?:e?s)?(?:ids?)?$`),
		named: [...named, ...NAMES, new RegExp(`^${thing}$`)],
	};
	return own;
}

/** Fields that name an entry; the given name is put in front of a family name. */
const FAMILY = /^(?:nom(?:famille)?|name|(?:last|family|sur)name)$/;
const GIVEN = /^(?:prenom|(?:first|given|fore)name)$/;
const NAMES = [
	/^(?:nom(?:complet|affiche)|(?:full|display|complete)name)$/,
	FAMILY,
	/(?<!user|login|pre|first|given|fore)(?:nom|name)$/,
	/label|libelle|title|titre|designation|^val(?:ue|eur)$|^text|desc/,
	GIVEN,
	/login|user|mail|alias|pseudo/,
];

const SHAPES: Record<ListName, Shape> = {
	agents: shape('(?:op|operator|operateur|agent|users|conseiller)'),
	groups: shape('(?:groupe?|team|equipe)'),
	trunks: shape('(?:trunk|route)'),
	// "`id`, `value`"
	pauses: shape('(?:type)?(?:pause|break)(?:type)?', /^val(?:ue|eur)$/),
};
const LISTS = Object.keys(SHAPES) as ListName[];

/**
 * The directory in the body of a supervisor's login.
 * @param body parsed data of the response, wrapped or not; anything else results in four empty maps
 * @returns identifiers as text; an entry without a name is named by its identifier; the last of two with
 *   one identifier wins
 */
export function readDirectory(body: unknown): Directory {
	const found = listsIn(body);
	const read = (list: ListName) =>
		(found.get(list) ?? []).flatMap((fields) => {
			const id = idOf(fields, SHAPES[list]);
			return id === undefined ? [] : [{ id, name: nameOf(fields, SHAPES[list]) ?? id, fields }];
		});
	const named = (list: ListName) => new Map(read(list).map(({ id, name }) => [id, { id, name }]));
	const groups = named('groups');
	const idByName = new Map([...groups.values()].map(({ id, name }) => [name, id]));
	// A group can list its agents, instead of an agent its groups.
	const groupsOf = new Map<string, string[]>();
	for (const { id, fields } of read('groups')) {
		for (const agent of referencesIn(fields, 'agents'))
			groupsOf.set(agent, [...(groupsOf.get(agent) ?? []), id]);
	}
	const agents = read('agents').map(({ id, name, fields }) => {
		const own = referencesIn(fields, 'groups');
		const ids = own.map((group) => (groups.has(group) ? group : (idByName.get(group) ?? group)));
		return { id, name, groups: [...new Set([...ids, ...(groupsOf.get(id) ?? [])])] };
	});
	const isUnread = (list: ListName) => found.get(list)?.length !== 0 && read(list).length === 0;
	return {
		agents: new Map(agents.map((agent) => [agent.id, agent])),
		groups,
		trunks: named('trunks'),
		pauses: named('pauses'),
		unread: new Set(LISTS.filter(isUnread)),
	};
}

/** An empty directory: the account feed's login carries no session information. */
export function emptyDirectory(): Directory {
	return readDirectory(undefined);
}

/** The entries of each list in the response, as received. */
export function listsIn(body: unknown): Map<ListName, Fields[]> {
	const found = new Map<ListName, Fields[]>();
	// What belongs to a list is not searched: an agent has groups as well.
	const inside = new Set<Fields>();
	for (const { record } of recordsOf(body)) {
		if (inside.has(record)) continue;
		for (const [key, field] of Object.entries(record)) {
			const list = LISTS.find((name) => SHAPES[name].thing.contains(plainName(key)));
			if (list === undefined) continue;
			for (const { record: inner } of recordsOf(field)) inside.add(inner);
			const entries = listIn(field === '' ? null : field, SHAPES[list]);
			if (entries && (found.get(list)?.length ?? 0) === 0) found.set(list, entries);
		}
	}
	return found;
}

function idOf(fields: Fields, { thing }: Shape): string | undefined {
	const own = idText(ownIdentifier(fields, thing));
	if (own !== undefined) return own;
	// The only field that is called an identifier, except of something that the entry refers to.
	const others = Object.keys(fields).filter((key) => {
		const name = plainName(key);
		const refers = LISTS.some((list) => SHAPES[list].reference.test(name));
		return /^id.|.id$/.test(name) && !refers && !/session|client|account|compte|queue/.test(name);
	});
	const [only, ...more] = others;
	return only === undefined || more.length > 0 ? undefined : idText(scalarOf(fields[only]));
}

function nameOf(fields: Fields, { named: names }: Shape): string | undefined {
	const pattern = names.find((one) => textIn(fields, one) !== undefined);
	const name = pattern && textIn(fields, pattern);
	const given = textIn(fields, GIVEN);
	return pattern === FAMILY && given !== undefined && name !== undefined && !name.includes(given)
		? `${given} ${name}`
		: name;
}

function textIn(fields: Fields, pattern: RegExp): string | undefined {
	for (const key of Object.keys(fields)) {
		const name = plainName(key);
		const text =
			pattern.test(name) && !SECRET_NAME.test(name) ? idText(scalarOf(fields[key])) : undefined;
		if (text !== undefined) return text;
	}
	return undefined;
}

/** The identifiers, or names, of what an entry refers to: a list, a comma-separated text, or objects. */
function referencesIn(fields: Fields, list: ListName): string[] {
	const { reference } = SHAPES[list];
	const field = Object.keys(fields).find((key) => reference.test(plainName(key)));
	const value = field === undefined ? undefined : fields[field];
	const entries: unknown[] =
		typeof value === 'string'
			? value.split(/[,;]/)
			: isRecord(value) && idOf(value, SHAPES[list]) === undefined
				? Object.values(value)
				: [value].flat();
	return entries
		.map((entry) => (isRecord(entry) ? idOf(entry, SHAPES[list]) : idText(entry)))
		.filter((id) => id !== undefined);
}
