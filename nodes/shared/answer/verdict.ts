// What a response says about its request: whether it was carried out, and the provider's own reason if it was not. Each
// layer of the response has signs; the worst one decides. Pure.

import { isCompound } from '../ids';
import { oneLine } from '../oneLine';
import { ADDRESS, CART, ownIdentifier } from './identifiers';
import { headerOf, type Answer } from './parse';
import { fieldOf, layersOf, plainName, recordsOf, type Fields } from './read';
import { reasonOf, wordsAlone } from './reason';
import {
	isAboutAMessage,
	isFailureCode,
	isNo,
	isYes,
	kindOf,
	numberIn,
	statementIn,
	textOf,
	type Kind,
	type StatedTone,
} from './statements';
import { complains, toneOf } from './words';

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
	word?: string | undefined;
	code?: string | undefined;
	module?: string | undefined;
	/** The HTTP status of a failure: that in the body, if it has one. */
	statusCode: number;
}

/** What parsed data states. */
interface Stated extends Omit<Verdict, 'statusCode'> {
	/** The HTTP status in the body, if it has one. */
	statusCode?: number;
	/** Whether a success is stated, and not only no failure. */
	stated?: boolean;
}

/** Whether the request was carried out, by its response. */
export function judge(answer: Answer, intent: Intent): Verdict {
	const { statusCode, data, format, text } = answer;
	if (statusCode >= 400) return refusedBy(answer, intent);
	const isAnswer = statusCode >= 200 && statusCode < 300;
	if (!isAnswer || /^(?:html|unreadable|tooLarge)$/.test(format)) return unclear(answer);
	if (data === undefined) return judgeWords(text, answer, intent);
	if (typeof data === 'string') return judgeWords(data, answer, intent);
	const stated = statementOf(data, intent);
	if (isProblem(answer)) return { ...stated, ...refusedBy(answer, intent) };
	const isRead = stated.outcome === 'failed' || stated.stated || isAnswerTo(intent, data);
	return isRead ? { statusCode, ...stated } : unclear(answer);
}

const unclear = ({ statusCode }: Answer): Verdict => ({
	outcome: 'unclear',
	reason: '',
	statusCode,
});

/** Of a response of words, or of nothing at all. A purchase is confirmed by what was ordered only. */
function judgeWords(words: string, answer: Answer, { effect }: Intent): Verdict {
	if ((effect === 'write' || effect === 'purchase') && complains(words))
		return { ...unclear(answer), outcome: 'failed', reason: oneLine(words) };
	// A number may be the identifier of what was created; `success: false` is no success.
	const isGood = toneOf(words) === 'good' && !/[:=]\s*(?:false|non?|n|0)\b/i.test(words);
	const isDone = effect === 'write' && (isGood || /^\d*$/.test(words.trim()));
	return isDone ? { ...unclear(answer), outcome: 'done' } : unclear(answer);
}

/** RFC 7807: the content type itself says that something went wrong. */
const isProblem = ({ headers }: Answer) =>
	/problem\+(?:json|xml)/i.test(headerOf(headers, 'content-type') ?? '');

/** A failure by its HTTP status, with the provider's words. */
function refusedBy({ statusCode, data, format, text }: Answer, { effect }: Intent): Verdict {
	const { reason, ...origin } = reasonOf(data, effect);
	const words = typeof data !== 'object' && format !== 'html' ? oneLine(text) : '';
	return { ...origin, outcome: 'failed', statusCode, reason: reason || words };
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

/** From the one that decides over all others to the one that any other outweighs. */
const TONES = ['bad', 'mixed', 'good', 'odd'] as const;

interface Sign {
	tone: (typeof TONES)[number] | 'weak';
	/** The status word, as received. */
	word?: string | undefined;
}

/** What parsed data states about its request. */
export function statementOf(data: unknown, intent: Intent): Stated {
	const layers = layersOf(data);
	const signs = layers.flatMap((layer) => signsOf(layer, intent));
	if (data === false || wordsAlone(data).some(complains)) signs.push({ tone: 'bad' });
	signs.push(...partSigns(data, layers, intent, signs));
	const tone = TONES.find((one) => signs.some((sign) => sign.tone === one));
	const word = signs.find((sign) => sign.tone === tone)?.word;
	if (tone === undefined) return { outcome: 'done', reason: '' };
	if (tone === 'good') return { outcome: 'done', reason: '', stated: true };
	if (tone === 'odd')
		return {
			outcome: 'partly',
			word: 'code 1',
			reason: 'it is not known whether this means success',
		};
	const { code, ...origin } = reasonOf(data, intent.effect);
	return tone === 'mixed'
		? { outcome: 'partly', ...origin, word: word ?? 'PARTIAL' }
		: { outcome: 'failed', ...origin, code, word };
}

/** Whether money (provider.md#check-out) or a link is concerned: then nothing counts as done by guess. */
const isDear = ({ effect, successFlag }: Intent) =>
	effect === 'purchase' || successFlag !== undefined;

/**
 * What one object of a response states. What sounds bad in it is outweighed only by what is good beside it; where money
 * or a link is concerned, both together are a warning.
 */
function signsOf(layer: Fields, intent: Intent): Sign[] {
	// An answer to the question if something is valid: its reasons don't mean that the request failed.
	const answers = intent.effect === 'read' && validityOf(layer, intent.asksValidity) !== undefined;
	const words = messagesIn(layer);
	const signs = [
		...fieldSigns(layer, intent, answers, words.length > 0),
		...(answers ? [] : sentenceSigns(layer, words)),
	];
	if (signs.every(({ tone }) => tone !== 'good'))
		return signs.map((sign) => (sign.tone === 'weak' ? { ...sign, tone: 'bad' } : sign));
	return signs.flatMap((sign) =>
		sign.tone !== 'weak'
			? sign
			: isDear(intent)
				? { tone: 'mixed', word: 'success and failure at once' }
				: [],
	);
}

/** What each field states. @param answers whether the object answers the question if something is valid */
function fieldSigns(layer: Fields, intent: Intent, answers: boolean, hasMessage: boolean): Sign[] {
	// A status beside an identifier describes the thing, not the request.
	const isThing =
		!isDear(intent) &&
		[ADDRESS, CART].some((thing) => ownIdentifier(layer, thing, 2) !== undefined);
	const context = { effect: intent.effect, hasMessage };
	const signs = Object.entries(layer).flatMap(([key, value]): Sign[] => {
		if (isUnset(key, value, intent.successFlag)) return [{ tone: 'bad' }];
		const statement = statementIn(key);
		if (answers && !/^(?:errorCode|status)$/.test(statement?.kind ?? '')) return [];
		const tone = toneOfThing(statement?.toneOf?.(value, context), isThing || answers);
		const word = typeof value === 'string' ? value.trim() : undefined;
		return tone === undefined ? [] : [{ tone, word }];
	});
	return answers ? signs.filter(({ word }) => !VALIDITY.test(word ?? '')) : signs;
}

/** `REJECTED` is the state of a thing, and the failure of a request. */
function toneOfThing(tone: StatedTone | undefined, isThing: boolean): Sign['tone'] | undefined {
	if (tone === 'none') return undefined;
	if (tone === 'doubtful') return isThing ? undefined : 'bad';
	return tone;
}

/** `linked: false`, `linkedCount: 0`, `linked: []` */
function isUnset(key: string, value: unknown, successFlag: string | undefined): boolean {
	if (successFlag === undefined) return false;
	const isFlag = [successFlag, `${successFlag}count`].includes(plainName(key));
	return isFlag && (isNo(value) || value === null || (Array.isArray(value) && value.length === 0));
}

/** What an object states that is nothing but a message, or a problem. @param words its messages */
function sentenceSigns(layer: Fields, words: string[]): Sign[] {
	const signs: Sign[] = [];
	const fields = Object.entries(layer);
	const of = (wanted: Kind) =>
		fields.filter(([key]) => kindOf(key) === wanted).map(([, value]) => value);
	if (words.length > 0 && fields.every(([key, value]) => value === null || isAboutAMessage(key))) {
		const level = of('level').find(isBadLevel);
		const isOdd = of('code').some(isFailureCode);
		if (level !== undefined) signs.push({ tone: 'bad', word: textOf(level) });
		else if (words.some((one) => complains(one) || (isOdd && toneOf(one) === 'none')))
			signs.push({ tone: 'weak' });
	}
	// RFC 7807: a problem has a type, a title and a detail, and its HTTP status may be left out.
	if (['type', 'title', 'detail'].every((name) => textOf(fieldOf(layer, name)) !== ''))
		signs.push({ tone: 'weak' });
	return signs;
}

function messagesIn(layer: Fields): string[] {
	return Object.entries(layer)
		.filter(([key]) => /^(?:message|label|errorText)$/.test(kindOf(key) ?? ''))
		.map(([, value]) => textOf(value))
		.filter((words) => words !== '');
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

/**
 * What the parts of a change state together: each entry of a list may have its own status, and failed entries may have
 * their own list.
 * @param signs those of the whole
 */
function partSigns(data: unknown, layers: Fields[], intent: Intent, signs: Sign[]): Sign[] {
	if (intent.effect === 'read' || intent.effect === 'login') return [];
	const known = new Set(layers);
	const results = recordsOf(data).flatMap(({ record }) => {
		// With what it only wraps: an envelope that says OK around a failure is one failed part.
		const inner = known.has(record) ? [] : layersOf(record);
		for (const layer of inner) known.add(layer);
		const tones = inner.flatMap((layer) => signsOf(layer, intent)).map(({ tone }) => tone);
		const own = (['bad', 'good'] as const).find((tone) => tones.includes(tone));
		return [own, ...Object.entries(record).map(partsIn)];
	});
	if (!results.includes('bad')) return [];
	// The whole is not worse than its own word: a PARTIAL stays one.
	const isDone =
		intent.successFlag === undefined &&
		signs.some(({ tone }) => tone === 'good' || tone === 'mixed');
	return [{ tone: isDone || results.includes('good') ? 'mixed' : 'bad' }];
}

/** What a field states that contains parts, or their number: `failedDidIds: [7]`, `linkedCount: 2`. */
function partsIn([key, value]: [string, unknown]): 'bad' | 'good' | undefined {
	const count = Array.isArray(value) ? value.length : (numberIn(value) ?? 0);
	const kind = count > 0 ? kindOf(key) : undefined;
	if (kind === 'failedParts') return 'bad';
	return kind === 'doneParts' || kind === 'doneFlag' ? 'good' : undefined;
}
