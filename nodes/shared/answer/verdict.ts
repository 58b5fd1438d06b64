// What a response says about its request: whether it was carried out, and the provider's own reason if it was not. The
// documents show two forms of a failure and leave the rest open, so what a field states follows from its name, in any
// spelling and however the response is wrapped. Pure.

import { isRecord } from '../ids';
import { oneLine } from '../oneLine';
import { headerOf, type Answer } from './parse';
import {
	ABOUT_THE_ANSWER,
	ADDRESS,
	CART,
	echo,
	fieldOf,
	layersOf,
	ownIdentifier,
	plainName,
	recordsOf,
	type Fields,
} from './read';
import { complains, toneOf, type Tone } from './words';

/** What a request does at the provider. It decides how to read the response, and what a missing response means. */
export type Effect = 'read' | 'login' | 'write' | 'purchase';

export interface Intent {
	effect: Effect;
	/** The flag in the response that reports whether the request was carried out: `linked`. */
	successFlag?: string;
	/** Whether it asks if something is valid: an INVALID in the response is the answer, not a failure. */
	asksValidity?: boolean;
}

export interface Verdict {
	/**
	 * `partly`: carried out in part, or with a warning. `unclear`: the response can't be read as an answer to the request,
	 * so a change may have been made.
	 */
	outcome: 'done' | 'partly' | 'failed' | 'unclear';
	/** The provider's own words, '' if there are none. */
	reason: string;
	/** The provider's status word, as received. */
	word?: string;
	code?: string;
	module?: string;
	/** The HTTP status of a failure: that in the body, if it has one. */
	statusCode: number;
	/** Whether the provider itself states the outcome, not something in front of it. */
	stated?: boolean;
}

/** What a field states. */
type Kind =
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
	toneOf?(value: unknown, context: Context): Sign['tone'] | Tone | undefined;
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
		toneOf: (value) => (isYes(value) ? 'bad' : undefined),
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

function statementIn(name: string): Statement | undefined {
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

const kindOf = (name: string) => statementIn(name)?.kind;

/** The tone of a status: a number as HTTP has them, or a word. A 200 only repeats the status of the response. */
const toneOfStatus = (value: unknown) => (isHttpFailure(value) ? 'bad' : toneOfWord(value));

function toneOfWord(value: unknown): Tone | undefined {
	if (isNoWord(value)) return 'bad';
	return value === true ? 'good' : toneIn(value);
}

/** Names the field that an error is about. */
const FIELD_NAME = /^(?:field|name|property|propertypath|parameter|param|path|pointer|key)$/;
/** Names of secrets in the response to a login. */
export const SECRET_NAME =
	/^(id)?session(id|key)?$|^s(ess)?id$|token|jeton|motdepasse|password|passwd|pwd|secret|cookie|authorization|credential|apikey|jwt|bearer/;

/** Whether the request was carried out, by its response. */
export function judge(answer: Answer, intent: Intent): Verdict {
	const { statusCode, data, format } = answer;
	const unclear = { outcome: 'unclear', reason: '', statusCode } as const;
	if (statusCode >= 400) return refusedBy(answer, intent);
	if (statusCode < 200 || statusCode >= 300) return unclear;
	if (/^(?:html|unreadable|tooLarge)$/.test(format)) return unclear;
	const isWrite = intent.effect === 'write';
	if (format === 'empty') return isWrite ? { ...unclear, outcome: 'done' } : unclear;
	if (format === 'text' || typeof data === 'string') {
		const words = typeof data === 'string' ? data : answer.text;
		if ((isWrite || intent.effect === 'purchase') && complains(words)) {
			return { outcome: 'failed', reason: oneLine(words), statusCode, stated: true };
		}
		// A number may be the identifier of what was created; `success: false` is no success.
		const isGood = toneOf(words) === 'good' && !/[:=]\s*(?:false|non?|n|0)\b/i.test(words);
		const isAnswer = isGood || /^\d*$/.test(words.trim());
		return isWrite && isAnswer ? { ...unclear, outcome: 'done' } : unclear;
	}
	const stated = statementOf(data, intent);
	if (isProblem(answer)) return { ...stated, ...refusedBy(answer, intent), stated: true };
	if (stated.outcome === 'failed') return { statusCode, ...stated, stated: true };
	const isRead = stated.stated === true || isAnswerTo(intent, data);
	return isRead ? { statusCode, ...stated } : unclear;
}

/** RFC 7807: the content type itself says that something went wrong. */
const isProblem = ({ headers }: Answer) =>
	/problem\+(?:json|xml)/i.test(headerOf(headers, 'content-type') ?? '');

/** A failure by its HTTP status, with the provider's words. */
function refusedBy({ statusCode, data, format, text }: Answer, { effect }: Intent): Verdict {
	const stated = data === undefined ? { reason: '' } : reasonOf(data, effect);
	const isText = format === 'text' || format === 'unreadable' || typeof data !== 'object';
	const reason = stated.reason || (isText && format !== 'html' ? oneLine(text) : '');
	return { ...stated, outcome: 'failed', statusCode, stated: stated.reason !== '', reason };
}

/**
 * Whether data without a statement can be read as an answer. Of a purchase, a number or an empty list confirms nothing;
 * of no change does an object of texts that are JSON themselves.
 */
function isAnswerTo({ effect }: Intent, data: unknown): boolean {
	if (!isCompound(data)) return effect === 'write';
	if (effect === 'read' || effect === 'login') return true;
	if (Array.isArray(data) && data.length === 0) return effect === 'write';
	return !layersOf(data).some((layer) => {
		const values = Object.values(layer);
		return values.length > 0 && values.every((value) => /^(?:\{|\[\s*[[{"])/.test(textOf(value)));
	});
}

const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What parsed data states about its request. */
export function statementOf(
	data: unknown,
	intent: Intent,
): Omit<Verdict, 'statusCode'> & { statusCode?: number } {
	const layers = layersOf(data);
	const signs = layers.flatMap((layer) => signsOf(layer, intent));
	if (data === false || wordsAlone(data).some(complains)) signs.push({ tone: 'bad' });
	const first = (tone: Sign['tone']) => signs.find((sign) => sign.tone === tone);
	const parts =
		intent.effect === 'write' || intent.effect === 'purchase'
			? partsOf(data, layers, intent)
			: 'good';
	const isDone = first('good') !== undefined && intent.successFlag === undefined;
	const sign =
		first('bad') ??
		(parts === 'bad' && !isDone ? { tone: 'bad' } : undefined) ??
		first('mixed') ??
		(parts === 'good' ? undefined : { tone: 'mixed' }) ??
		first('good') ??
		first('odd');
	if (sign === undefined) return { outcome: 'done', reason: '' };
	if (sign.tone === 'good') return { outcome: 'done', reason: '', stated: true };
	if (sign.tone === 'odd') {
		return {
			outcome: 'partly',
			word: 'code 1',
			reason: 'it is not known whether this means success',
		};
	}
	const { word } = sign;
	const { code, ...origin } = reasonOf(data, intent.effect);
	return sign.tone === 'mixed'
		? { outcome: 'partly', ...origin, word: word ?? 'PARTIAL' }
		: {
				outcome: 'failed',
				...origin,
				...(code === undefined ? {} : { code }),
				...(word === undefined ? {} : { word }),
			};
}

interface Sign {
	/** `weak`: bad, unless something beside it is good. `odd`: a code that means success at some services only. */
	tone: 'bad' | 'mixed' | 'good' | 'weak' | 'odd';
	word?: string;
}

/** What one object of a response states. What sounds bad in it is outweighed only by what is good beside it. */
function signsOf(layer: Fields, intent: Intent): Sign[] {
	const signs = fieldSignsOf(layer, intent);
	const isGood = signs.some(({ tone }) => tone === 'good');
	return signs
		.filter(({ tone }) => tone !== 'weak' || !isGood)
		.map((sign) => (sign.tone === 'weak' ? { ...sign, tone: 'bad' } : sign));
}

function fieldSignsOf(layer: Fields, intent: Intent): Sign[] {
	const answers = intent.effect === 'read' && validityOf(layer, intent.asksValidity) !== undefined;
	// A status beside an identifier describes the thing, not the request, except for purchases and links.
	const isThing =
		intent.effect !== 'purchase' &&
		intent.successFlag === undefined &&
		[ADDRESS, CART].some((thing) => ownIdentifier(layer, thing, 2) !== undefined);
	const words = messagesIn(layer);
	const signs = Object.entries(layer).flatMap(([key, value]): Sign[] => {
		const statement = statementIn(key);
		if (
			intent.successFlag !== undefined &&
			new RegExp(`^${intent.successFlag}(?:count)?$`).test(plainName(key))
		) {
			if (isNo(value) || value === null || (Array.isArray(value) && value.length === 0)) {
				return [{ tone: 'bad' }];
			}
		}
		// The reasons answer the question "Is it valid?": they don't mean that the request failed.
		if (answers && !/^(?:errorCode|status)$/.test(statement?.kind ?? '')) return [];
		const tone = statement?.toneOf?.(value, {
			effect: intent.effect,
			hasMessage: words.length > 0,
		});
		if (tone === undefined) return [];
		if (tone === 'doubtful')
			return isThing || answers ? [] : [{ tone: 'bad', word: oneWord(value) }];
		return tone === 'none' ? [] : [{ tone, word: oneWord(value) }];
	});
	if (answers) return signs.filter(({ word }) => !VALIDITY.test(word ?? ''));
	const isMessage = Object.entries(layer).every(
		([key, value]) => value === null || isAboutAMessage(key),
	);
	const of = (wanted: Kind) => Object.entries(layer).filter(([key]) => kindOf(key) === wanted);
	const isOdd = of('code').some(([, code]) => isFailureCode(code));
	if (
		isMessage &&
		(words.some((one) => complains(one) || (isOdd && toneOf(one) === 'none')) ||
			(words.length > 0 && of('level').some(([, level]) => isBadLevel(level))))
	) {
		const level = of('level').find(([, value]) => isBadLevel(value));
		signs.push({ tone: level ? 'bad' : 'weak', ...(level ? { word: oneWord(level[1]) } : {}) });
	}
	// RFC 7807: a problem has a type, a title and a detail, and its HTTP status may be left out.
	const isProblemOf = ['type', 'title', 'detail'].every(
		(name) => textOf(fieldOf(layer, name)) !== '',
	);
	return isProblemOf ? [...signs, { tone: 'weak' }] : signs;
}

const toneIn = (value: unknown) => (typeof value === 'string' ? toneOf(value) : undefined);
const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500).trim() : '');
const oneWord = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined);

function messagesIn(layer: Fields): string[] {
	return Object.entries(layer)
		.filter(([key]) => /^(?:message|label|errorText)$/.test(kindOf(key) ?? ''))
		.map(([, value]) => textOf(value))
		.filter((words) => words !== '');
}

/** Whether a message may have such a field beside its words. */
function isAboutAMessage(key: string): boolean {
	const plain = plainName(key);
	return (
		/^(?:message|label|errorText|level|code)$/.test(kindOf(key) ?? '') ||
		ABOUT_THE_ANSWER.test(plain) ||
		FIELD_NAME.test(plain)
	);
}

/** `ERROR`, and not `error_report`. */
const isBadLevel = (level: unknown) =>
	/^[a-z]+$/i.test(textOf(level)) && toneOf(textOf(level)) === 'bad';

/** `VALID`, `INVALID`, `not_valid` */
const VALIDITY = /^(?:not[ _-]?|non[ _-]?|in)?valide?$/i;

/**
 * The answer to "Is it valid?" in an object of a response.
 * @param asked whether that was the question: then its status is an answer too
 */
export function validityOf(layer: Fields, asked = false): boolean | undefined {
	const flag = fieldOf(layer, 'isValid', 'valid', 'validity', 'valide');
	const status = asked ? fieldOf(layer, 'status', 'statut', 'result', 'validation') : undefined;
	const value = flag ?? (VALIDITY.test(textOf(status)) ? status : undefined);
	if (isYes(value) || value === 1 || /^valide?$/i.test(textOf(value))) return true;
	if (isNo(value) || VALIDITY.test(textOf(value))) return false;
	return typeof value === 'string' ? toneOf(value) === 'good' || undefined : undefined;
}

/** Words that are no error, wherever they stand … */
const FINE_WORDS =
	/^(?:|0+|null|undefined|(?:s_)?ok|okay|success|successful(?:ly)?|succeeded|succes|succès|done|(?:no|sans|aucune|0|zero)[ _-]?(?:err(?:or|eur)?)s?)[.!]?$/i;
/** … and those that say so only as the whole of an error field. */
const FINE_FIELD = /^(?:none|nil|no?|n\/a|-|false|\[\]|\{\}|aucune?|[123]\d\d)$/i;

/** Whether a code or an error field says that there is no error: `OK`, `0`, `"0"`, `""`, `null`, an empty list. */
function isFine(value: unknown, isInner = false): boolean {
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

function isFailureCode(value: unknown): boolean {
	// `E012`, `E-12`, but not E164, which is a number format.
	if (/^e(?:0|[-_])\d{1,9}$/i.test(textOf(value))) return true;
	const number = numberIn(value);
	return number !== undefined && number !== 0 && number !== 1 && !(number >= 100 && number < 400);
}

function numberIn(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return /^-?\d{1,9}$/.test(textOf(value)) ? Number(value) : undefined;
}

const isYes = (value: unknown) => value === true || /^(?:true|yes|y|oui|o|1)$/i.test(textOf(value));

/** A no that is no number. */
const isNoWord = (value: unknown) => isNo(value) && numberIn(value) === undefined;

function isNo(value: unknown): boolean {
	return value === false || value === 0 || /^(?:false|no|non|n|0)$/i.test(textOf(value));
}

/**
 * The results of a change's parts: each entry of a list may have its own status, and failed entries may have their own
 * list.
 */
function partsOf(data: unknown, layers: Fields[], intent: Intent): 'good' | 'mixed' | 'bad' {
	// A created thing may have a status of its own; in a response to any other change, the status is the result.
	const effect = intent.successFlag === undefined ? intent.effect : 'purchase';
	let failed = 0;
	let done = 0;
	const known = new Set(layers);
	for (const { record } of recordsOf(data)) {
		// With what it only wraps: an envelope that says OK around a failure is one failed part.
		const inner = known.has(record) ? [] : layersOf(record);
		for (const layer of inner) known.add(layer);
		const tones = inner
			.flatMap((layer) => signsOf(layer, { ...intent, effect }))
			.map(({ tone }) => tone);
		if (tones.includes('bad')) failed++;
		else if (tones.includes('good')) done++;
		for (const [key, value] of Object.entries(record)) {
			const isFilled = Array.isArray(value) ? value.length > 0 : Number(numberIn(value) ?? 0) > 0;
			const kind = isFilled ? kindOf(key) : undefined;
			if (kind === 'failedParts') failed++;
			else if (kind === 'doneParts' || kind === 'doneFlag') done++;
		}
	}
	return failed === 0 ? 'good' : done === 0 ? 'bad' : 'mixed';
}

/** The words of a response that consists of nothing else: a text, or a list of texts. */
function wordsAlone(data: unknown): string[] {
	const list: unknown[] = Array.isArray(data) ? data.slice(0, 10) : [data];
	return list.every((words) => typeof words === 'string') ? list : [];
}

/** The reason in a response, with its origin, whatever the response states: for one whose HTTP status is a failure. */
export function reasonOf(
	data: unknown,
	effect?: Effect,
): Pick<Verdict, 'reason' | 'code' | 'module'> & { statusCode?: number } {
	const layers = layersOf(data);
	let reason = oneLine(reasonsIn(data, layers).join('; '));
	for (const secret of secretsIn(data)) reason = reason.split(secret).join('***');
	// A login's reason must not contain anything that looks like a token, whatever field it came from.
	const shown = (words: string) => (effect === 'login' ? withoutTokens(words) : words);
	const { code, ...origin } = originIn(layers);
	return { reason: shown(reason), ...(code === undefined ? {} : { code: shown(code) }), ...origin };
}

/**
 * The words of a login's response without what may be its token: a word of at least 24 signs with a digit, or of 8 if it
 * is cut.
 */
export function withoutTokens(words: string): string {
	return words.replace(
		/(?<![\w+/=-])(?=[a-z+/=_-]{0,200}\d)[\w+/=-]{8,}(?:(?=…)|[\w+/=-]{16,})/gi,
		'***',
	);
}

/** The provider's reasons, the one nearest to the cause first, without duplicates. */
function reasonsIn(data: unknown, layers: Fields[]): string[] {
	const inLayers = layers.flatMap((layer) => Object.entries(layer));
	const inAll = recordsOf(data).flatMap(({ record }) => Object.entries(record));
	const of = (fields: Array<[string, unknown]>, ...wanted: Kind[]) =>
		wanted
			.flatMap((kind) => fields.filter(([key]) => kindOf(key) === kind))
			.map(([, value]) => value);
	const told = (values: unknown[]) =>
		values
			.flatMap((value) => wordsIn(value))
			.filter((words) => !isFine(words, true) && words !== 'true');
	// What is wrong with each field, beside a general sentence or alone: `{ "ip": ["is missing"] }`.
	const byField = inLayers.filter(
		([key, value]) =>
			isCompound(value) &&
			(/^(?:message|label)$/.test(kindOf(key) ?? '') ||
				/field|param|validation/.test(plainName(key))),
	);
	const alone = wordsAlone(data);
	const sentences = inLayers.filter(
		([key, value]) =>
			!SECRET_NAME.test(plainName(key)) &&
			/\S\s+\S/.test(textOf(value)) &&
			toneIn(value) !== 'good',
	);
	const isWords = layers.length === 1 && layers[0] === data && isWordsByField(layers[0] ?? {});
	const choices: Array<() => string[]> = [
		() => [...layers.flatMap(problemIn), ...told(of(inLayers, 'errors').filter(isCompound))],
		() => told(byField.map(([, value]) => value)),
		() => told(of(inLayers, 'errorText')),
		() => told(of(inLayers, 'message', 'label')).slice(0, 1),
		() => told(of(inLayers, 'errors')),
		() => told(of(inAll, 'errorText', 'message', 'errors', 'label')).slice(0, 1),
		() => told(alone.length > 1 && toneOf(alone[0] ?? '') !== 'none' ? alone.slice(1) : alone),
		() => (isWords ? told([data]) : []),
		// The only sentence in the response, whatever field it is in.
		() => (sentences.length === 1 ? told(sentences.map(([, value]) => value)) : []),
	];
	for (const choice of choices) {
		const found = [...new Set(choice())];
		if (found.length > 0) return found.slice(0, 10);
	}
	return [];
}

/** `{ "ip": ["is missing"] }` */
function isWordsByField(record: Fields): boolean {
	const values = Object.values(record);
	return (
		values.length > 0 &&
		values.length <= 20 &&
		values.every((value) => Array.isArray(value) && wordsAlone(value).length > 0)
	);
}

/** `Conflict: The number is taken`, of a title and a detail (RFC 7807, JSON:API). */
function problemIn(record: Fields): string[] {
	const [title, detail] = [fieldOf(record, 'title'), fieldOf(record, 'detail')].map(textOf);
	return title && detail ? [oneLine(`${title}: ${detail}`)] : [];
}

/** The words in the value of an error field: text, a list, an object of words, an object of fields. */
function wordsIn(value: unknown, level = 0): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [oneLine(value)];
	if (level > 5 || !isCompound(value)) return [];
	if (Array.isArray(value))
		return value.slice(0, 10).flatMap((entry: unknown) => wordsIn(entry, level + 1));
	const problem = problemIn(value as Fields);
	if (problem.length > 0) return problem;
	const fields = Object.entries(value);
	for (const kind of ['errorText', 'message', 'label', 'errors']) {
		const words = fields
			.filter(([key]) => kindOf(key) === kind)
			.map(([, field]) => wordsIn(field, level + 1))
			.find(({ length }) => length > 0);
		if (!words) continue;
		const name = textOf(fields.find(([key]) => FIELD_NAME.test(plainName(key)))?.[1]);
		return words.map((one) =>
			name === '' || one.includes(name) ? one : `${oneLine(name)}: ${one}`,
		);
	}
	return fields
		.filter(([key, field]) => {
			// A list complains about a field, whatever its name. A text in a password's field may be the password itself,
			// unless it is a sentence.
			if (Array.isArray(field)) return true;
			return SECRET_NAME.test(plainName(key)) ? textOf(field).includes(' ') : !isAboutAMessage(key);
		})
		.slice(0, 20)
		.flatMap(([key, field]) => {
			const words = wordsIn(field, level + 1);
			return isRecord(field) || /^\d+$/.test(key) ? words : words.map((one) => `${key}: ${one}`);
		});
}

/** The module, code and HTTP status in a response. */
function originIn(layers: Fields[]): Pick<Verdict, 'code' | 'module'> & { statusCode?: number } {
	const errors = layers
		.flatMap((layer) => Object.entries(layer).filter(([key]) => kindOf(key) === 'errors'))
		.map(([, value]) => (Array.isArray(value) ? (value[0] as unknown) : value))
		.filter(isRecord);
	const fields = [...errors, ...layers].flatMap((record) => Object.entries(record));
	const first = (fits: (key: string, value: string) => boolean) =>
		fields
			.map(([key, value]) => ({ key, line: oneLine(String(echo(value) ?? '')) }))
			.find(({ key, line }) => line !== '' && line.length <= 60 && fits(key, line))?.line;
	const isStatus = (line: string) => /^[45]\d\d$/.test(line);
	const isCode = (key: string, line: string) =>
		/^(?:code|returnCode)$/.test(kindOf(key) ?? '') && !isFine(line) && !isStatus(line);
	const isErrorCode = (key: string, line: string) => kindOf(key) === 'errorCode' && !isFine(line);
	// The kind or the number of an error stands beside its code, if it has one.
	const code =
		first((key, line) => isErrorCode(key, line) && !/(?:id|type)$/.test(plainName(key))) ??
		first(isErrorCode) ??
		first(isCode);
	const module = first((key) => /^(?:api)?module$/.test(plainName(key)));
	const status = first(
		(key, line) => /^(?:code|status)$/.test(kindOf(key) ?? '') && isStatus(line),
	);
	return {
		...(code === undefined ? {} : { code }),
		...(module === undefined ? {} : { module }),
		...(status === undefined ? {} : { statusCode: Number(status) }),
	};
}

/** The values of a response whose names mark them as secrets; shorter ones occur in every text. */
function secretsIn(data: unknown): Set<string> {
	const found = new Set<string>();
	for (const { record, key: place } of recordsOf(data)) {
		if (kindOf(place) === 'errors') continue;
		for (const [key, value] of Object.entries(record)) {
			if (!SECRET_NAME.test(plainName(key))) continue;
			// Also `{ "id_session": { "value": "…" } }`.
			for (const one of isRecord(value) ? Object.values(value) : [value]) {
				const secret = String(echo(one) ?? '');
				if (secret.trim().length >= 4) found.add(secret);
			}
		}
	}
	return found;
}
