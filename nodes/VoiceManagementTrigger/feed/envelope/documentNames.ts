// The names of fields and values in the document voice-notification-feed. An operator may spell them differently
// (`Event`, `MSG`, `typeNotification`, `QUEUE`, `Insert_Call`); this file converts them, so that all other code sees
// the document's spelling.

type Plain = Record<string, unknown>;

const ENVELOPE_FIELDS = ['cpt', 'elapse', 'ts', 'event', 'type_notification', 'msg', 'srv'];

const MESSAGE_FIELDS = [
	'auto_timeout',
	'call_duration',
	'caller_id_num',
	'catchup',
	'duration_in_queue',
	'e164',
	'expire',
	'id',
	'id_call',
	'id_client',
	'id_num',
	'id_operator',
	'id_queue',
	'id_trunk',
	'input',
	'priority',
	'rec',
	'retries',
	'retry_timeout',
	'ring_timeout',
	'score',
	'service',
	'status',
	'statut',
	'step',
	'stype',
	'supp',
	'type',
	'unassign_timeout',
	'validity',
	'vars',
	'vip_rate',
];

const TYPES = ['operator', 'UI', 'PUSHCALL', 'queue', 'trunk', 'num', 'input'];

const EVENTS = [
	'status',
	'login',
	'logout',
	'pause',
	'unpause',
	'push',
	'push_cancel',
	'insert_call',
	'connect_call',
	'delete_call',
	'alert_op',
	'alert_file',
	'start',
	'answer',
	'end',
	'asr',
];

const STATUSES = [
	'available',
	'ringing',
	'calling',
	'connected',
	'unavailable',
	'transfert_start',
	'transfert_end',
];

/** Longer text can't be a spelling of a documented name, and is left as it is. */
const LONGEST_NAME = 40;
/** An event has about twenty fields. The names of an object with more than this many are left as they are. */
const MOST_FIELDS = 500;

/** The document's field names and statuses begin with a lower-case letter. */
const LOWER_CASE = 'a'.charCodeAt(0);

/** A list of names that can be looked up in any spelling. */
class Names {
	private readonly knownNames: ReadonlySet<string>;

	private readonly bySpelling: ReadonlyMap<string, string>;

	constructor(readonly all: readonly string[]) {
		this.knownNames = new Set(all);
		this.bySpelling = new Map(all.flatMap((name) => spellings(name).map((text) => [text, name])));
	}

	has(text: string): boolean {
		return this.knownNames.has(text);
	}

	/** The document's name that `text` spells, or `text` itself. */
	of(text: string): string {
		return this.known(text) ?? text;
	}

	/** The document's name that `text` spells. */
	known(text: string): string | undefined {
		if (this.knownNames.has(text)) return text;
		return text.length > LONGEST_NAME ? undefined : this.bySpelling.get(letters(text));
	}
}

/** What all spellings of a name have in common: its letters and digits, in lower case, without a namespace prefix. */
export function letters(text: string): string {
	// Most names need no change.
	if (/^[a-z0-9]*$/.test(text)) return text;
	return text
		.replace(/^\w{1,20}:(?=\w)/, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}

/** The spellings of a name, reduced to their {@link letters}: for `id_call` also `call_id`. */
function spellings(name: string): string[] {
	const [, thing] = /^id_(\w+)$/.exec(name) ?? [];
	return [letters(name), ...(thing === undefined ? [] : [letters(`${thing}id`)])];
}

const envelopeFields = new Names(ENVELOPE_FIELDS);
const messageFields = new Names(MESSAGE_FIELDS);
const fields = new Names([...ENVELOPE_FIELDS, ...MESSAGE_FIELDS]);
const statuses = new Names(STATUSES);

/** `type_notification` values and `event` values. */
export const typeNames = new Names(TYPES);
export const eventNames = new Names(EVENTS);

/** The document's name for a field in any spelling, or the given name if the document has none. */
export const documentName = (name: string): string => fields.of(name);

/** Whether the document lists this field for the envelope, or for a message. */
export const isEnvelopeField = (name: string): boolean => envelopeFields.has(name);
export const isMessageField = (name: string): boolean => messageFields.has(name);

/**
 * Renames an object's fields to the document's names. Returns the same object if they have these names already, as is
 * usual.
 */
export function withDocumentNames(object: Readonly<Plain>): Readonly<Plain> {
	let count = 0;
	for (const key in object) {
		if (++count > MOST_FIELDS) return object;
		if (!fields.has(key) && nameIn(object, key) !== key) return renamed(object);
	}
	return object;
}

/** A message with the document's field names, and with its status in the document's spelling. */
export function readableMessage(msg: Readonly<Plain>): Readonly<Plain> {
	if (looksDocumented(msg)) return msg;
	const read = withIdentifiers(withDocumentNames(unwrapped(msg)));
	const field = read.status === undefined ? 'statut' : 'status';
	const status = read[field];
	if (typeof status !== 'string' || statuses.of(status) === status) return read;
	return { ...read, [field]: statuses.of(status) };
}

/**
 * A quick check that a message needs no conversion, because looking up each name would cost more than the rest of the
 * parsing: it has one of the identifiers of nearly every documented message, and neither a field name nor its status
 * begins with a capital.
 */
function looksDocumented(msg: Readonly<Plain>): boolean {
	const status = msg.status ?? msg.statut;
	if (!isScalar(msg.id_client) && !isScalar(msg.id_call)) return false;
	if (typeof status === 'string' && !beginsSmall(status)) return false;
	for (const key in msg) if (!beginsSmall(key)) return false;
	return true;
}

const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'string';

/**
 * The message in an object that only wraps it, such as `{ msg: {…} }` or `{ "7": {…} }`; otherwise the object itself.
 */
function unwrapped(msg: Readonly<Plain>): Readonly<Plain> {
	const [inner, ...others] = Object.values(msg);
	if (typeof inner !== 'object' || inner === null || others.length > 0) return msg;
	const isMessage =
		!Object.keys(msg).some(isMessageField) && Object.keys(inner).some(isMessageField);
	return isMessage ? (inner as Plain) : msg;
}

/** Replaces identifiers that are sent as objects: `id_call: { id: 7 }` becomes `id_call: 7`. */
function withIdentifiers(msg: Readonly<Plain>): Readonly<Plain> {
	const objects = Object.entries(msg).flatMap(([key, value]) => {
		if (!key.startsWith('id_') || typeof value !== 'object' || value === null) return [];
		const { id, value: held } = value as Plain;
		const found = id ?? held;
		return isScalar(found) ? [[key, found] as const] : [];
	});
	return objects.length === 0 ? msg : { ...msg, ...Object.fromEntries(objects) };
}

function beginsSmall(text: string): boolean {
	return text.charCodeAt(0) >= LOWER_CASE;
}

function renamed(object: Readonly<Plain>): Plain {
	// From entries, so that a field called `__proto__` stays a field.
	return Object.fromEntries(
		Object.entries(object).map(([key, value]) => [nameIn(object, key), value]),
	);
}

/** The document's name for a field, unless the object already has a field with that name. */
function nameIn(object: Readonly<Plain>, key: string): string {
	const name = fields.of(key);
	return name === key || Object.hasOwn(object, name) ? key : name;
}
