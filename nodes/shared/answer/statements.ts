// What a field of a response states, by its name, and how its value sounds. Two forms of a failure are known
// (provider.md#errors), so every spelling counts. One table: a provider's new field is one more name in it.

import { isCompound } from '../ids';
import { ABOUT_THE_ANSWER, plainName } from './read';
import type { Effect } from './verdict';
import { toneOf, type Tone } from './words';

/** What a field states. */
export type Kind =
	/** Whatever is wrong: words, a flag, a list, an object. */
	| 'errors'
	| 'errorCode'
	| 'errorText'
	/** A code or a number whose value decides. */
	| 'code'
	/** A code of which only 0 and the HTTP statuses of a success are good. */
	| 'returnCode'
	| 'status'
	/** A result that may be the requested value. */
	| 'result'
	| 'flag'
	/** A flag of a change: an order that is read may have one of its own. */
	| 'doneFlag'
	| 'failedParts'
	| 'doneParts'
	/** The kind of a message. */
	| 'level'
	| 'message'
	| 'label';

/** What is wrong, as the first or the only part of a name. */
const WRONG = '(?:err(?:or|eur)?|fault|failure|exception)';
const PARTS = '(?:dids?|didids?|ids?|numbers?|items?|products?|count)?';

/** `weak`: bad, unless something beside it is good. `odd`: a code that means success at some services only. */
export type StatedTone = Tone | 'weak' | 'odd';

/** What the tone of a value depends on. */
interface Context {
	effect: Effect;
	/** Whether there is a message beside it. */
	hasMessage: boolean;
}

interface Statement {
	kind: Kind;
	/** The plain names of such fields. */
	names: RegExp;
	/** The tone of its value; undefined if it states nothing. Without it, the field only has words. */
	toneOf?(value: unknown, context: Context): StatedTone | undefined;
}

/** What a field states, by its plain name; the first that fits. */
const STATEMENTS: readonly Statement[] = [
	{
		kind: 'errorCode',
		names: new RegExp(`^(?:api)?${WRONG}(?:code|no|num(?:ber)?|id|type)$|^code${WRONG}$`),
		toneOf: (value) => (isFine(value) ? 'good' : 'bad'),
	},
	{
		kind: 'errorText',
		names: new RegExp(
			`^(?:api|generic)?${WRONG}(?:msg|message|text|string|desc(?:ription)?|detail|reason)$|^message${WRONG}$`,
		),
		toneOf: (value) => (isFine(value, true) ? undefined : 'weak'),
	},
	{
		kind: 'errors',
		names: new RegExp(
			`^(?:odata|api|validation|field|is|has)?(?:${WRONG}|problem)s?(?:list|info|details|messages)?$|^(?:violation|invalidparam(?:eter)?)s$`,
		),
		toneOf: (value) => (isFine(value) ? undefined : 'bad'),
	},
	{
		kind: 'flag',
		names: /^(?:is)?(?:valid|success(?:ful)?|succeeded|succes|reussi|ok)$/,
		toneOf: (value) => (isNo(value) ? 'bad' : isYes(value) || value === 1 ? 'good' : toneIn(value)),
	},
	{
		kind: 'failedParts',
		names: new RegExp(
			`^(?:failed|rejected|refused|declined|notlinked|unprocessed|errored|ko)${PARTS}$`,
		),
		// A number is how many, also as text.
		toneOf: (value) => (isYes(value) && numberIn(value) === undefined ? 'bad' : undefined),
	},
	{
		kind: 'doneFlag',
		names: /^(?:accepted|done|completed|processed|executed|ordered|placed)$/,
		toneOf: (value, { effect }) => (effect !== 'read' && isNoWord(value) ? 'bad' : undefined),
	},
	{ kind: 'doneParts', names: new RegExp(`^(?:linked|succeeded|success(?:es)?)${PARTS}$`) },
	{
		kind: 'returnCode',
		names: /^(?:ret|rc|(?:ret|return|result|response)code|coderetour)$/,
		toneOf(value) {
			const number = numberIn(value);
			if (isFailureCode(value)) return 'bad';
			return number === 0 ? 'good' : number === 1 ? 'odd' : toneIn(value);
		},
	},
	{
		kind: 'code',
		names: /^(?:status)?code$/,
		toneOf(value) {
			const number = numberIn(value);
			return number === 0 ? 'good' : number === 1 ? 'odd' : toneOfStatus(value);
		},
	},
	{
		kind: 'result',
		names: /^(?:result|resultat|retour|return|returnvalue)$/,
		toneOf(value, { effect, hasMessage }) {
			const number = numberIn(value) ?? 0;
			if (number >= 0) return toneOfWord(value);
			// A number that was asked for may be negative.
			return Number.isInteger(number) && (effect !== 'read' || hasMessage) ? 'bad' : undefined;
		},
	},
	{
		kind: 'status',
		names:
			/^(?:(?:return|response|request|result|operation|http)?(?:status|statut|stat)(?:text)?|http(?:status)?code|outcome|state|etat|response|reply|answer|ack)$/,
		toneOf: (value) => toneOfStatus(value),
	},
	{ kind: 'level', names: /^(?:type|level|severity)$/ },
	{ kind: 'message', names: /(?:message|msg|mesg)s?$|^(?:message|libelle)retour$/ },
	{
		kind: 'label',
		names:
			/(?:detail|reason|raison|motif|desc|description|text|title|libelle|label|explanation|comment|commentaire|information|info|note|value|cause|hint)s?$/,
	},
];

const statements = new Map<string, Statement | undefined>();

/** What a field with this name states; undefined if nothing. */
export function statementIn(name: string): Statement | undefined {
	const plain = plainName(name);
	if (!statements.has(plain)) {
		if (statements.size >= 10_000) statements.clear();
		statements.set(
			plain,
			STATEMENTS.find(({ names }) => names.test(plain)),
		);
	}
	return statements.get(plain);
}

export const kindOf = (name: string) => statementIn(name)?.kind;

/** The tone of a status: a number as HTTP has them, or a word. A 200 only repeats the status of the response. */
const toneOfStatus = (value: unknown) => (isHttpFailure(value) ? 'bad' : toneOfWord(value));

function toneOfWord(value: unknown): Tone | undefined {
	if (isNoWord(value)) return 'bad';
	return value === true ? 'good' : toneIn(value);
}

/** The tone of a text; undefined for anything else. */
export const toneIn = (value: unknown) => (typeof value === 'string' ? toneOf(value) : undefined);
/** A text, bounded and trimmed; '' for anything else. */
export const textOf = (value: unknown) =>
	typeof value === 'string' ? value.slice(0, 500).trim() : '';

/** Words that are no error, wherever they stand … */
const FINE_WORDS =
	/^(?:|0+|null|undefined|(?:s_)?ok|okay|success|successful(?:ly)?|succeeded|succes|succès|done|(?:no|sans|aucune|0|zero)[ _-]?(?:err(?:or|eur)?)s?)[.!]?$/i;
/** … and those that say so only as the whole of an error field. */
const FINE_FIELD = /^(?:none|nil|no?|n\/a|-|false|\[\]|\{\}|aucune?|[123]\d\d)$/i;

/** Whether a code or an error field says that there is no error: `OK`, `0`, `"0"`, `""`, `null`, an empty list. */
export function isFine(value: unknown, isInner = false): boolean {
	if (value === undefined || value === null || value === false || value === 0) return true;
	if (typeof value === 'number') return !isInner && value >= 100 && value < 400;
	if (typeof value === 'string') {
		const word = textOf(value);
		return FINE_WORDS.test(word) || (!isInner && FINE_FIELD.test(word));
	}
	return isCompound(value) && Object.values(value).every((entry) => isFine(entry, true));
}

/** A number that can only be a failure: an HTTP status from 400 on, also as `404 Not Found`, or below zero. */
function isHttpFailure(value: unknown): boolean {
	const number = numberIn(/^[45]\d\d\b/.exec(textOf(value))?.[0] ?? value);
	return number !== undefined && (number < 0 || (number >= 400 && number < 600));
}

export function isFailureCode(value: unknown): boolean {
	// `E012`, `E-12`, but not E164, which is a number format.
	if (/^e(?:0|[-_])\d{1,9}$/i.test(textOf(value))) return true;
	const number = numberIn(value);
	return number !== undefined && number !== 0 && number !== 1 && !(number >= 100 && number < 400);
}

export function numberIn(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return /^-?\d{1,9}$/.test(textOf(value)) ? Number(value) : undefined;
}

export const isYes = (value: unknown) =>
	value === true || /^(?:true|yes|y|oui|o|1)$/i.test(textOf(value));

/** A no that is no number. */
const isNoWord = (value: unknown) => isNo(value) && numberIn(value) === undefined;

export function isNo(value: unknown): boolean {
	return value === false || value === 0 || /^(?:false|no|non|n|0)$/i.test(textOf(value));
}

/** Names the field that an error is about. */
export const FIELD_NAME = /^(?:field|name|property|propertypath|parameter|param|path|pointer|key)$/;
/** Whether a message may have such a field beside its words. */
export function isAboutAMessage(key: string): boolean {
	const plain = plainName(key);
	return (
		/^(?:message|label|errorText|level|code)$/.test(kindOf(key) ?? '') ||
		ABOUT_THE_ANSWER.test(plain) ||
		FIELD_NAME.test(plain)
	);
}
