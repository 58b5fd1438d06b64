// A login that comes back in a response: an operator, or a proxy in front of it, that repeats the request in its answer, as
// debugging pages do. Nothing of it may reach an item, an error or a log, so it is taken out where a response is read.

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { basicAuthorization } from '../../credentials/VoiceManagementApi.credentials';
import type { Sliced } from './slices';

/** What stands for a secret. */
const MASK = '***';

/** A password that is shorter, or shorter than a sentence and a plain word or number, may be anybody's words or data. */
const SHORTEST = 6;
const SHORTEST_WORD = 12;

/** What is to be taken out of a response. */
export interface Secrets {
	/** Out of words: wherever it stands. */
	inText: RegExp;
	/** Out of fields: a short password as a word of its own, since the reference `VM-2024-17` may begin with it. */
	inFields: RegExp;
}

/** Signs of a word, a number, a reference or a path. */
const SIGN = '[\\w\\u00c0-\\u024f+/@-]';
/** What stands between a name and its value, in JSON, in JSON in a text and in HTML. */
const GAP = '(?:[\\\\"\'\\s]|&#?\\w{1,5};){0,20}';
const NAMED = `(?<=[Pp]assw(?:or)?d${GAP}[:=]${GAP})`;

/**
 * What of a credential is to be taken out of responses: the pair of HTTP Basic, and its password unless that can't be told from
 * other words: then only behind its name.
 * @param credential the decrypted fields
 */
export function secretsOf(credential: ICredentialDataDecryptedObject): Secrets {
	const { password } = credential as Record<string, string | number | null | undefined>;
	const word = `${password ?? ''}`;
	if (word === '') return { inText: NEVER, inFields: NEVER };
	const pair = anyForm(basicAuthorization(credential).slice('Basic '.length).replaceAll('=', ''));
	const any = anyForm(word);
	const always = `${pair}|${NAMED}${any}(?!${SIGN})`;
	const shortest = /^(?:\p{L}+|\d+)$/u.test(word) ? SHORTEST_WORD : SHORTEST;
	const inText = new RegExp(word.length < shortest ? always : `${pair}|${any}`, 'g');
	const alone = `(?:(?<!${SIGN})|(?<=%[\\da-fA-F]{2}))${any}(?!${SIGN}|\\.\\w)`;
	const isShort = word.length >= shortest && word.length < SHORTEST_WORD;
	return { inText, inFields: isShort ? new RegExp(`${always}|${alone}`, 'g') : inText };
}

const NEVER = /(?!)/g;

const HTML_NAMES: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** The pattern of a text in which each sign may be written as JSON, HTML or a URL write it. */
function anyForm(text: string): string {
	// A run of backslashes is one sign, so that no two parts of the pattern compete for the same ones.
	return (text.match(/\\+|[^\\]/gu) ?? []).map(anyFormOf).join('');
}

function anyFormOf(sign: string): string {
	if (sign.startsWith('\\')) return '(?:\\\\{1,40}|(?:%5[cC]){1,40}|(?:&#[xX]?[5cC92]{2};){1,40})';
	const plain = sign.replace(/[\^$.*+?()[\]{}|/-]/g, '\\$&');
	if (/[a-z\d]/i.test(sign)) return plain;
	const code = sign.codePointAt(0) ?? 0;
	const units = sign.split('').map((unit) => `\\\\{1,8}u${hex(unit.charCodeAt(0), 4)}`);
	const bytes = [...Buffer.from(sign, 'utf8')].map((byte) => `%${hex(byte)}`);
	const name = HTML_NAMES[sign];
	return `(?:${[
		`\\\\{0,8}${plain}`,
		units.join(''),
		bytes.join(''),
		`&#0*(?:${code}|[xX]0*${hex(code)});`,
		...(name === undefined ? [] : [`&${name};`]),
		...(sign === ' ' ? ['\\+'] : []),
	].join('|')})`;
}

/** A number in hexadecimal digits of either case. */
function hex(number: number, digits = 2): string {
	const text = number.toString(16).padStart(digits, '0');
	return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A field that holds a password, or words about one. */
const PASSWORD_NAME = /passw|passe|pwd|secret/i;

/**
 * Takes the secrets out of the texts and the names in a value of JSON, at any depth, in place.
 * @param named the secrets for what stands under the name of a password
 * @returns the value; a text without them
 */
export function* cleaning<T>(data: T, secrets: RegExp, named = secrets): Sliced<T> {
	if (typeof data === 'string') return data.replace(secrets, MASK) as T;
	const open: unknown[] = [data];
	let seen = 0;
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value !== 'object' || value === null) continue;
		if (Array.isArray(value)) {
			for (const [at, entry] of (value as unknown[]).entries()) {
				if (++seen % A_FEW === 0) yield;
				if (typeof entry === 'string') value[at] = entry.replace(secrets, MASK);
				else if (typeof entry === 'object') open.push(entry);
			}
			continue;
		}
		const fields = value as Record<string, unknown>;
		for (const key of Object.keys(fields)) {
			if (++seen % A_FEW === 0) yield;
			const field = fields[key];
			if (typeof field === 'string') {
				const clean = field.replace(PASSWORD_NAME.test(key) ? named : secrets, MASK);
				if (clean !== field) fields[key] = clean;
			} else if (typeof field === 'object') open.push(field);
			const name = key.replace(secrets, MASK);
			if (name === key) continue;
			const clean = fields[key];
			delete fields[key];
			fields[name] = clean;
		}
	}
	return data;
}

/** So many fields are cleaned at one stretch. */
const A_FEW = 2_000;
