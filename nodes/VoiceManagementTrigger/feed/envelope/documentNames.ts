// The names that voice-notification-feed gives to fields and values. An operator may write them in another letter case
// (`Event`, `MSG`, `typeNotification`, `QUEUE`, `Insert_Call`): everything behind the envelope sees the document's.

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

/** Longer than any name of the document, in whatever spelling: such text is left alone. */
const LONGEST_NAME = 40;
/** An event has some twenty fields. The names of an object with more than so many are left alone. */
const MOST_FIELDS = 500;

/** The first of the characters that names of the document begin with. */
const LOWER_CASE = 'a'.charCodeAt(0);

/** A list of names, and how a text is turned into the one of them that it spells. */
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

/** What is left of a name in every spelling: its letters and digits, in lower case, without the prefix of a namespace. */
export function letters(text: string): string {
	// Most names are in these letters already.
	if (/^[a-z0-9]*$/.test(text)) return text;
	return text
		.replace(/^\w{1,20}:(?=\w)/, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}

/** `id_call`, and `call_id`. */
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

/** The document's name of a field in whatever spelling, or the name itself. */
export const documentName = (name: string): string => fields.of(name);

/** Whether a field belongs to the envelope; otherwise it can only be one of the message. */
export const isEnvelopeField = (name: string): boolean => envelopeFields.has(name);
export const isMessageField = (name: string): boolean => messageFields.has(name);

/** The object with its fields under the document's names: the same object if they are already, as they usually are. */
export function withDocumentNames(object: Readonly<Plain>): Readonly<Plain> {
	let count = 0;
	for (const key in object) {
		if (++count > MOST_FIELDS) return object;
		if (!fields.has(key) && nameIn(object, key) !== key) return renamed(object);
	}
	return object;
}

/** A message with the document's names, and with its status in the document's letters. */
export function readableMessage(msg: Readonly<Plain>): Readonly<Plain> {
	if (looksDocumented(msg)) return msg;
	const read = withIdentifiers(withDocumentNames(unwrapped(msg)));
	const field = read.status === undefined ? 'statut' : 'status';
	const status = read[field];
	if (typeof status !== 'string' || statuses.of(status) === status) return read;
	return { ...read, [field]: statuses.of(status) };
}

/**
 * Whether a message need not be looked at name by name, which would cost more than all other reading: it has one of the
 * identifiers that the document gives to nearly every message, and neither a name nor its status begins with a capital.
 */
function looksDocumented(msg: Readonly<Plain>): boolean {
	const status = msg.status ?? msg.statut;
	if (!isScalar(msg.id_client) && !isScalar(msg.id_call)) return false;
	if (typeof status === 'string' && !beginsSmall(status)) return false;
	for (const key in msg) if (!beginsSmall(key)) return false;
	return true;
}

const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'string';

/** The message in an object that has none of its fields and one that does: `{ msg: {…} }`, `{ "7": {…} }`. */
function unwrapped(msg: Readonly<Plain>): Readonly<Plain> {
	const [inner, ...others] = Object.values(msg);
	if (typeof inner !== 'object' || inner === null || others.length > 0) return msg;
	const isMessage =
		!Object.keys(msg).some(isMessageField) && Object.keys(inner).some(isMessageField);
	return isMessage ? (inner as Plain) : msg;
}

/** `id_call: { id: 7 }` is call 7. */
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
	// From entries, so that a field called `__proto__` stays one.
	return Object.fromEntries(
		Object.entries(object).map(([key, value]) => [nameIn(object, key), value]),
	);
}

/** The document's name of a field, unless the object has a field of that name beside it. */
function nameIn(object: Readonly<Plain>, key: string): string {
	const name = fields.of(key);
	return name === key || Object.hasOwn(object, name) ? key : name;
}
