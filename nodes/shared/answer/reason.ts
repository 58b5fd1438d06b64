// The provider's own words for a failure, with their origin, and without secrets: the nearest to the cause comes first.

import { isCompound, isRecord } from '../ids';
import { oneLine } from '../oneLine';
import { echo, fieldOf, layersOf, plainName, recordsOf, type Fields } from './read';
import {
	FIELD_NAME,
	isAboutAMessage,
	isFine,
	kindOf,
	textOf,
	toneIn,
	type Kind,
} from './statements';
import type { Effect, Verdict } from './verdict';
import { toneOf } from './words';

/** Names of secrets in the response to a login. */
export const SECRET_NAME =
	/^(id)?session(id|key)?$|^s(ess)?id$|token|jeton|motdepasse|password|passwd|pwd|secret|cookie|authorization|credential|apikey|jwt|bearer/;

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

/** The words of a response that consists of nothing else: a text, or a list of texts. */
export function wordsAlone(data: unknown): string[] {
	const list: unknown[] = Array.isArray(data) ? data.slice(0, 10) : [data];
	return list.every((words) => typeof words === 'string') ? list : [];
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
