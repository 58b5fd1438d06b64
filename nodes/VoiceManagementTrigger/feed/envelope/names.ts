// Recognizes the document's names in any spelling: `Event`, `typeNotification`, `QUEUE`, `Insert_Call`, `call_id`.
import { ENVELOPE_FIELDS, EVENT_KINDS, MESSAGE_FIELDS, STATUSES } from '../../events/kinds';

/** Longer text can't be a spelling of a documented name. */
const LONGEST_NAME = 40;

/** What all spellings of a name have in common: its letters and digits, in lower case, without a namespace prefix. */
export function letters(text: string): string {
	// Most names need no change.
	if (/^[a-z0-9]*$/.test(text)) return text;
	return text
		.replace(/^\w{1,20}:(?=\w)/, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}

/** A list of documented names that can be looked up in any spelling. */
class Names {
	private readonly known: ReadonlySet<string>;

	private readonly bySpelling: ReadonlyMap<string, string>;

	/** @param further other spellings of a name */
	constructor(names: readonly string[], further: (name: string) => string = (name) => name) {
		this.known = new Set(names);
		this.bySpelling = new Map(
			names.flatMap((name) => [name, further(name)].map((text) => [letters(text), name])),
		);
	}

	has(text: string): boolean {
		return this.known.has(text);
	}

	/** The documented name that `text` spells; undefined if it spells none. */
	of(text: string): string | undefined {
		if (this.known.has(text)) return text;
		if (text === '' || text.length > LONGEST_NAME) return undefined;
		return this.bySpelling.get(letters(text));
	}
}

const TYPES = EVENT_KINDS.map(({ type }) => type);
const EVENTS = EVENT_KINDS.map(({ event }) => event).filter((event) => event !== '');

export const envelopeFields = new Names(ENVELOPE_FIELDS);
/** Also `call_id` for `id_call`. */
export const messageFields = new Names(MESSAGE_FIELDS, (name) =>
	name.replace(/^id_(\w+)/, '$1_id'),
);
/** Also `queues` for `queue`. */
export const types = new Names(TYPES, (type) => `${type}s`);
export const events = new Names(EVENTS);
export const statuses = new Names(STATUSES.map(({ value }) => value));

const JOINED = new Map(
	TYPES.flatMap((type) => EVENTS.map((event) => [letters(type + event), { type, event }] as const)),
);

/** The type and event in one word: `queue.insert_call`, `queue:insertCall`. */
export function joined(text: string): { type: string; event: string } | undefined {
	if (text === '' || text.length > LONGEST_NAME) return undefined;
	return JOINED.get(letters(text.replaceAll(':', '.')));
}
