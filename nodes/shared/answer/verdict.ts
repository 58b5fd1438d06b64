// What a response says about its request (provider.md#answers): whether it was carried out, and the provider's own reason
// if it was not. The HTTP status decides what the body does not contradict. What a body has beside that is for the caller
// to show. Pure.

import { isCompound } from '../ids';
import { oneLine } from '../oneLine';
import { ADDRESS, CART, type IdSubject } from './identifiers';
import { is } from './names';
import { headerOf, type Answer } from './parse';
import { echo, fieldOf, layersOf, plainName, type Fields } from './read';
import { reasonOf, type Effect, type Reason } from './reason';
import { saysNoError, toneOf, wordOf, type Tone } from './words';

export interface Intent {
	effect: Effect;
	/** The flag in the response that reports whether the request was carried out: `linked`. */
	successFlag?: string;
	/** What it creates. */
	creates?: IdSubject;
}

export interface Verdict extends Reason {
	/**
	 * `partly`: carried out in part, or with a warning. `unclear`: the response can't be read as an answer to the request,
	 * so a change may have been made.
	 */
	outcome: 'done' | 'partly' | 'failed' | 'unclear';
	/** The provider's status word, as received. */
	word?: string | undefined;
	/** The HTTP status of a failure: that in the body, if it has one. */
	statusCode: number;
}

/** Kinds of names beside which a response has no data. */
const OUTCOME = ['status', 'code', 'errorCode', 'errors', 'sentence', 'module'] as const;

/** What parsed data states. */
type Stated = Omit<Verdict, 'statusCode'> & { statusCode?: number };

/**
 * Whether the request was carried out, by its response. What a checkout means for the order (provider.md#check-out),
 * `purchase.ts` decides.
 */
export function judge(answer: Answer, intent: Intent): Verdict {
	const { statusCode, data, format, text, headers } = answer;
	if (statusCode >= 400) return refusedBy(answer, intent);
	const isSuccess = statusCode >= 200 && statusCode < 300;
	const isData = format === 'json' || format === 'text' || format === 'empty';
	if (!isSuccess || !isData) return unclear(answer);
	if (!isCompound(data)) return judgeWord(data === undefined ? text : data, answer, intent);
	// RFC 7807: the content type itself says that something went wrong.
	const isProblem = /problem\+json/i.test(headerOf(headers, 'content-type') ?? '');
	const stated = statementOf(data, intent);
	// Nothing confirms no purchase.
	if (intent.effect === 'purchase' && Object.keys(data).length === 0) return unclear(answer);
	return isProblem ? { ...stated, ...refusedBy(answer, intent) } : { statusCode, ...stated };
}

const unclear = ({ statusCode }: Answer): Verdict => ({
	outcome: 'unclear',
	reason: '',
	statusCode,
});

/** Of a response of one word, or of nothing at all: only a change needs no more than that. */
function judgeWord(data: unknown, answer: Answer, { effect }: Intent): Verdict {
	const tone = toneOf(data);
	if (effect !== 'write' && effect !== 'purchase') return unclear(answer);
	if (tone === 'bad')
		return { ...unclear(answer), outcome: 'failed', reason: '', word: wordOf(data) };
	// A number may be the identifier of what was created.
	const isDone = data === null || tone === 'good' || /^\d*$/.test(wordOf(data));
	return effect === 'write' && isDone ? { ...unclear(answer), outcome: 'done' } : unclear(answer);
}

/** A failure by its HTTP status, with the provider's words. */
function refusedBy({ statusCode, data, format, text }: Answer, { effect }: Intent): Verdict {
	const { reason, ...origin } = reasonOf(data, { effect, httpStatus: statusCode });
	const words = typeof data !== 'object' && format !== 'html' ? oneLine(text) : '';
	return { ...origin, outcome: 'failed', statusCode, reason: reason || words };
}

/** What parsed data states about its request: the worst of what its fields state. */
export function statementOf(data: unknown, intent: Intent): Stated {
	const layers = layersOf(data);
	// "It is valid", or not, is an answer: what is in it are its reasons, which don't mean that the request failed.
	const validity = intent.effect === 'read' ? layers.map(validityOf) : [];
	if (validity.includes(false)) return { outcome: 'done', reason: '' };
	const answer = validity.indexOf(true);
	const stating = answer < 0 ? layers : layers.slice(0, answer + 1);
	const all = stating.map((layer) => signsOf(layer, intent));
	// The errors beside or inside a success in part are its reasons; if data was asked for, beside some.
	const partly = all.findIndex(
		(signs, at) =>
			signs.some(({ tone }) => tone === 'mixed') &&
			(intent.effect !== 'read' || Object.entries(stating[at] ?? {}).some(isData)),
	);
	const signs = all.flatMap((some, at) =>
		partly >= 0 && at >= partly ? some.filter(({ isError }) => !isError) : some,
	);
	const worst = (['bad', 'mixed'] as const).find((tone) =>
		signs.some((sign) => sign.tone === tone),
	);
	if (worst === undefined) return { outcome: 'done', reason: '' };
	const { code, ...origin } = reasonOf(data, {
		effect: intent.effect,
		isBesideData: worst === 'mixed',
	});
	const word = signs.find((sign) => sign.tone === worst && sign.word !== undefined)?.word;
	return worst === 'mixed'
		? { outcome: 'partly', ...origin, word: word ?? 'PARTIAL' }
		: { outcome: 'failed', ...origin, code, word };
}

/** Whether a field has more than the outcome and its reasons. */
const isData = ([name, value]: [string, unknown]) =>
	!saysNoError(value) && !OUTCOME.some((kind) => is(kind, name));

interface Sign {
	tone: Tone;
	/** The status word, as received. */
	word?: string | undefined;
	/** Whether it is an error, and no status. */
	isError?: boolean;
}

/** What one object of a response states. */
function signsOf(layer: Fields, intent: Intent): Sign[] {
	// RFC 7807: a problem has a type, a title and a detail.
	const isProblem = ['type', 'title', 'detail'].every(
		(name) => wordOf(fieldOf(layer, name)) !== '',
	);
	if (isProblem) return [{ tone: 'bad' }];
	return Object.entries(layer).flatMap(([name, value]): Sign[] => {
		const tone = toneIn(name, value, intent);
		if (tone === undefined || (is('status', name) && isState(value, layer, intent))) return [];
		const isError = is('errors', name) || is('errorCode', name);
		return [{ tone, isError, word: typeof value === 'string' ? value.trim() : undefined }];
	});
}

/**
 * Whether a status beside an identifier is that of the thing, unless it was to be linked or bought: `REJECTED`, which is
 * documented; any other word only of a thing that was asked for, under its own name.
 */
function isState(value: unknown, layer: Fields, { effect, successFlag }: Intent): boolean {
	if (effect === 'purchase' || successFlag !== undefined) return false;
	const isRejected = wordOf(value) === 'rejected';
	return [ADDRESS, CART].some(({ ids }) =>
		ids.some(
			(name) =>
				echo(fieldOf(layer, name)) !== undefined &&
				(isRejected || (effect === 'read' && name !== 'id')),
		),
	);
}

/** What a field states; undefined if nothing, or nothing that is known. */
function toneIn(name: string, value: unknown, { effect, successFlag }: Intent): Tone | undefined {
	const isFlag = [successFlag, `${successFlag}count`].includes(plainName(name));
	if (successFlag !== undefined && isFlag && isUnset(value)) return 'bad';
	if (is('errors', name) || is('errorCode', name)) return saysNoError(value) ? undefined : 'bad';
	if (is('flag', name)) return wordOf(value) === '0' ? 'bad' : toneOf(value);
	const isCode = is('code', name) || is('resultCode', name);
	if (!isCode && !is('status', name)) return undefined;
	// A result that was asked for may be negative.
	const isBad = isBadNumber(value, is('resultCode', name), isCode || effect !== 'read');
	return isBad ? 'bad' : toneOf(value);
}

/** @param isResult whether 0 means success @param isSigned whether a number below it means a failure */
function isBadNumber(value: unknown, isResult: boolean, isSigned: boolean): boolean {
	const word = wordOf(value);
	if (!/^-?\d{1,9}$/.test(word)) return false;
	const number = Number(word);
	if (number < 0) return isSigned;
	const isHttp = number >= 200 && number < 600;
	// 1 is a success at some services, and the HTTP status is repeated by others.
	return isHttp ? number >= 400 : isResult && number > 1;
}

/** `linked: false`, `linked: 0`, `linked: []` */
const isUnset = (value: unknown) =>
	value === null ||
	/^(?:false|0|no)$/.test(wordOf(value)) ||
	(Array.isArray(value) && value.length === 0);

/** The answer to "Is it valid?" in an object of a response. */
export function validityOf(layer: Fields): boolean | undefined {
	const tone = toneOf(fieldOf(layer, 'isValid', 'valid'));
	return tone === undefined || tone === 'mixed' ? undefined : tone === 'good';
}
