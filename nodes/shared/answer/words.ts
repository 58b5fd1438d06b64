// The one list of words that mean success or failure (provider.md#words). A word counts as a whole, never inside another
// word or a sentence.

import { isCompound } from '../ids';

/** `mixed`: a warning, or success in part. */
export type Tone = 'good' | 'mixed' | 'bad';

const TONES: Record<Tone, ReadonlySet<string>> = {
	good: new Set(
		'success,succeeded,successful,ok,200 ok,done,completed,complete,true,yes,y,oui'.split(','),
	),
	mixed: new Set('warning partial partially partly'.split(' ')),
	bad: new Set(
		'error errors fatal failed failure fail ko nok false no n non rejected refused declined denied invalid forbidden unauthorized bad erreur echec refuse'.split(
			' ',
		),
	),
};

/** In lower case and without accents. */
const unaccented = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

/** A text, number or boolean as a word, in lower case and without accents; '' for anything else. */
export const wordOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? unaccented(String(value).slice(0, 100).trim())
		: '';

/** What a status word means; undefined for any other word. */
export function toneOf(value: unknown): Tone | undefined {
	const word = wordOf(value);
	return (Object.keys(TONES) as Tone[]).find((tone) => TONES[tone].has(word));
}

/** The HTTP status in a value: 404 or `"404"`. */
export function httpStatusIn(value: unknown): number | undefined {
	const word = wordOf(value);
	return /^[1-5]\d\d$/.test(word) ? Number(word) : undefined;
}

const NOTHING = new Set(['', '0', 'false', 'null', 'none', 'undefined']);

/** Whether a text, number or boolean stands for nothing: `null`, `0`, `"none"`. */
export const saysNothing = (value: unknown) => !isCompound(value) && NOTHING.has(wordOf(value));

/** In a field of errors; inside an error, the words alone are its text. */
const NO = new Set(['no', 'n', 'non']);
const NO_ERROR = new Set(
	"no error,no_error,no err,no_err,aucune,aucune erreur,pas d'erreur".split(','),
);
const YES = new Set(['true', 'yes', 'y', 'oui']);

/** Whether an error's field says that there is no error: `null`, `""`, `0`, `OK`, an empty list, or only such values. */
export function saysNoError(value: unknown, depth = 0): boolean {
	if (isCompound(value))
		return depth < 5 && Object.values(value).every((one) => saysNoError(one, depth + 1));
	const word = wordOf(value);
	// `hasErrors: "yes"`.
	const isGood = toneOf(value) === 'good' && !YES.has(word);
	const isNoError = isGood || NO_ERROR.has(word) || (depth === 0 && NO.has(word));
	return isNoError || saysNothing(value) || /^0+$/.test(word) || (httpStatusIn(value) ?? 500) < 400;
}

/** In the words of a service that can't look at a login now, in the languages of the provider … */
const BUSY_WORDS =
	'unavailable|maintenance|overload|too many|rate limit|timeout|timed out|server error|busy|indisponible|surcharg|trop de|erreur interne|erreur serveur'.split(
		'|',
	);
/** … of one that is busy, unless they stand beside those of a refusal … */
const PERHAPS_BUSY =
	'temporar|internal|database|try again|try later|reessay|momentan|base de donn'.split('|');
/** … and of one that refused it. */
const CREDENTIALS =
	'login|log in|logged|passw|pwd|mot de passe|mdp|code secret|credential|identif|auth|forbidden|denied|account|compte|user|utilisateur|token|not allowed|disabled|locked|blocked|suspended|refus'.split(
		'|',
	);

const hasOne = (text: string, words: readonly string[]) => {
	const lower = unaccented(text.slice(0, 20_000));
	return words.some((word) => lower.includes(word));
};

/** Whether a text is about a service that is busy. */
export const isBusy = (text: string) =>
	hasOne(text, BUSY_WORDS) || (hasOne(text, PERHAPS_BUSY) && !hasOne(text, CREDENTIALS));

/** Whether a web page is that of a service that is busy, by what a reader sees of it. */
export function isBusyPage(html: string): boolean {
	const shown = html.slice(0, 20_000).replace(/<(script|style)\b[^]*?(?:<\/\1|$)/gi, ' ');
	return hasOne(shown.replace(/<[^<>]*>/g, ' '), BUSY_WORDS);
}

/** Whether a text is about login, password or account, and not about a service that is busy. */
export const namesCredentials = (text: string) => hasOne(text, CREDENTIALS) && !isBusy(text);
