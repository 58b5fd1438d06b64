// The provider's own words for a failure (provider.md#errors, provider.md#reasons), with their origin, and without secrets:
// the first sentence that is found.

import { isCompound, isRecord } from '../ids';
import { oneLine } from '../oneLine';
import { is, NAMES, plainName, SECRET_NAME, type Kind } from './names';
import { echo, fieldOf, layersOf, type Fields } from './read';
import { httpStatusIn, saysNoError, saysNothing, toneOf } from './words';

/** What a request does at the provider. It decides how to read the response, and what a missing response means. */
export type Effect = 'read' | 'login' | 'write' | 'purchase';

/** Why something failed. */
export interface Reason {
	/** The provider's own words, '' if there are none. */
	reason: string;
	code?: string | undefined;
	module?: string | undefined;
	/** The HTTP status that the body names. */
	statusCode?: number;
}

/** Reasons of one response that are shown, and how deep they are searched. */
const MOST_REASONS = 10;
const DEEPEST_REASON = 6;

/**
 * The reason in a response, with its origin, whatever the response states: for one whose HTTP status is a failure.
 * @param about.effect of the request: what a login's reason may not show is masked
 * @param about.httpStatus of the response
 * @param about.isBesideData it was carried out in part: a text under any other name may be data, unless it is in the outermost object
 */
export function reasonOf(
	data: unknown,
	about: { effect: Effect; httpStatus?: number; isBesideData?: boolean },
): Reason {
	const { effect, httpStatus = 200, isBesideData = false } = about;
	const layers = layersOf(data);
	const reason = withoutSecrets(
		data,
		[...new Set(reasonsIn(data, layers, isBesideData))].slice(0, MOST_REASONS).join('; '),
	);
	// A login's reason must not contain anything that looks like a token, whatever field it came from.
	const shown = (words: string) => (effect === 'login' ? withoutTokens(words) : words);
	const { code, ...origin } = originIn(layers, httpStatus);
	return { reason: shown(reason), ...(code === undefined ? {} : { code: shown(code) }), ...origin };
}

/**
 * The first sentence under a name of the table, and no other value: of what may be an event, in which any other text
 * may be a caller's.
 */
export function sentenceOf(data: unknown): string {
	const [sentence = ''] = layersOf(data)
		.flatMap((layer) => Object.entries(layer))
		.filter(([name]) => is('errors', name) || is('sentence', name))
		.flatMap(([, value]) => textIn(value) ?? []);
	return withoutTokens(withoutSecrets(data, sentence));
}

/** One line without the values that the response itself has under names of secrets. */
const withoutSecrets = (data: unknown, words: string) =>
	secretsIn(data, 0).reduce((line, secret) => line.split(secret).join('***'), oneLine(words));

/**
 * The words of a login's response without what may be its token: a word of at least 24 signs with a digit, or of 8 if it
 * is cut.
 */
export function withoutTokens(words: string): string {
	return words
		.split(/(?<=[^\w+/=-])|(?=[^\w+/=-])/)
		.map((word, at, all) => {
			const longest = (all[at + 1] ?? '').startsWith('…') ? 8 : 24;
			return word.length >= longest && /\d/.test(word) ? '***' : word;
		})
		.join('');
}

/** What is in the fields of errors; without them, the first sentence; a response of nothing but words. */
function reasonsIn(data: unknown, layers: Fields[], isBesideData: boolean): string[] {
	const of = (kind: Kind) =>
		layers.flatMap((layer) =>
			Object.entries(layer).flatMap(([name, value]) => (is(kind, name) ? [value] : [])),
		);
	const compound = of('errors').filter(isCompound);
	const choices = [
		() => compound.flatMap((value) => wordsIn(value, 0)),
		() => layers.flatMap((layer) => sentencesIn(layer, 0).slice(0, 1)).slice(0, 1),
		() => of('errors').flatMap((value) => wordsIn(value, 0)),
		() => ([data].flat().every((one) => typeof one === 'string') ? wordsIn(data, 0) : []),
		() => (isBesideData ? layers.slice(0, 1) : layers).flatMap(anySentenceIn).slice(0, 2),
	];
	for (const choice of choices) {
		const found = choice();
		if (found.length > 0) return found;
	}
	return [];
}

/** The sentences among an object's own fields, the nearest to the cause first. */
function sentencesIn(record: Fields, depth: number): string[] {
	const [title, detail] = ['title', 'detail'].map((name) => textIn(fieldOf(record, name)));
	if (title !== undefined && detail !== undefined) return [oneLine(`${title}: ${detail}`)];
	return [...NAMES.sentence].flatMap((name) => wordsIn(fieldOf(record, name), depth + 1));
}

/** A text of several words, whatever its field is called: `{ "raison": "Not yours" }`, `{ "ip": ["is missing"] }`. */
function anySentenceIn(record: Fields): string[] {
	const isSentence = (value: unknown) =>
		typeof value === 'string' && /\S\s+\S/.test(value.slice(0, 200));
	return Object.entries(record)
		.filter(([name]) => !SECRET_NAME.test(plainName(name)))
		.flatMap(([name, value]) =>
			Array.isArray(value)
				? value.filter(isSentence).map((one) => oneLine(`${name}: ${String(one)}`))
				: isSentence(value)
					? [oneLine(String(value))]
					: [],
		);
}

/** The words in the value of an error field: text, a list, an object with a sentence, an object by field. */
function wordsIn(value: unknown, depth: number): string[] {
	const text = textIn(value);
	if (text !== undefined) return [oneLine(text)];
	if (depth > DEEPEST_REASON || !isCompound(value)) return [];
	if (Array.isArray(value))
		return value.slice(0, MOST_REASONS).flatMap((one) => wordsIn(one, depth + 1));
	const record = value as Fields;
	const [sentence] = sentencesIn(record, depth);
	const about = textIn(fieldOf(record, 'field'));
	if (sentence !== undefined)
		return [about === undefined ? sentence : `${oneLine(about)}: ${sentence}`];
	// A text in a password's field may be the password itself; a list complains about the field.
	const fields = Object.entries(record).filter(
		([name, field]) => !SECRET_NAME.test(plainName(name)) || Array.isArray(field),
	);
	return fields.slice(0, 20).flatMap(([name, field]) => {
		const words =
			is('errorCode', name) || is('code', name) || is('status', name)
				? []
				: wordsIn(field, depth + 1);
		// `{ "ip": ["is missing"] }`
		return isRecord(field) || is('errors', name) ? words : words.map((one) => `${name}: ${one}`);
	});
}

/** A text that says something. */
function textIn(value: unknown): string | undefined {
	return typeof value === 'string' && !saysNothing(value) && toneOf(value) !== 'good'
		? value
		: undefined;
}

/** The module, code and HTTP status in a response. */
function originIn(layers: Fields[], httpStatus: number): Omit<Reason, 'reason'> {
	const errors = layers
		.flatMap((layer) => Object.entries(layer).filter(([name]) => is('errors', name)))
		.map(([, value]) => (Array.isArray(value) ? (value[0] as unknown) : value))
		.filter(isRecord);
	const hasModule = layers.some((layer) => Object.keys(layer).some((name) => is('module', name)));
	const repeats = (code: number) => code === httpStatus || (code >= 500 && httpStatus >= 500);
	// Beside a module, the code of an error is that of the module, also if it looks like an HTTP status.
	const isOfModule = (record: Fields, name: string, value: unknown) =>
		hasModule && errors.includes(record) && plainName(name) === 'code' && !repeats(Number(value));
	const fields = [...errors, ...layers].flatMap((record) =>
		Object.entries(record).map(
			([name, value]) => [isOfModule(record, name, value) ? 'errorCode' : name, value] as const,
		),
	);
	const first = (kind: Kind, fits: (value: string) => boolean) =>
		fields
			.filter(([name]) => is(kind, name))
			.map(([, value]) => oneLine(String(echo(value) ?? '')))
			.find((line) => line !== '' && line.length <= 60 && fits(line));
	const isFailure = (line: string) => (httpStatusIn(line) ?? 0) >= 400;
	const isCode = (line: string) => !saysNoError(line) && !isFailure(line);
	const code =
		first('errorCode', (line) => !saysNoError(line)) ??
		first('resultCode', isCode) ??
		first('code', isCode);
	const module = first('module', () => true);
	const status = first('code', isFailure) ?? first('status', isFailure);
	return {
		...(code === undefined ? {} : { code }),
		...(module === undefined ? {} : { module }),
		...(status === undefined ? {} : { statusCode: Number(status) }),
	};
}

/** The values of a response whose names mark them as secrets; shorter ones occur in every text. */
function secretsIn(value: unknown, depth: number): string[] {
	if (depth > DEEPEST_REASON || !isCompound(value)) return [];
	return Object.entries(value)
		.slice(0, 1_000)
		.flatMap(([name, field]) => {
			if (isCompound(field)) {
				// `{ "id_session": { "value": "…" } }`
				const isSecret = SECRET_NAME.test(plainName(name)) && isRecord(field);
				return isSecret ? Object.values(field).flatMap(secret) : secretsIn(field, depth + 1);
			}
			return SECRET_NAME.test(plainName(name)) ? secret(field) : [];
		});
}

function secret(value: unknown): string[] {
	const text = String(echo(value) ?? '');
	return text.trim().length >= 4 ? [text] : [];
}
