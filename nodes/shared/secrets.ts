// Removes the login from responses: a provider, or a proxy in front of it, may repeat the request in its response,
// as debugging pages do. The login must not reach an item, an error or a log.

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { basicAuthorization } from '../../credentials/VoiceManagementApi.credentials';

/** Replaces a secret. */
export const MASK = '***';

/** Shorter passwords may occur in a text by chance; for a single word or number the second limit applies. */
const SHORTEST = 6;
const SHORTEST_WORD = 12;

/** What to remove from a response. */
export interface Secrets {
	/** Removed from texts, wherever it occurs. */
	inText: RegExp;
	/**
	 * Removed from fields: a short password only as a whole word, since the reference `VM-2024-17` may begin with it.
	 */
	inFields: RegExp;
}

/** Characters of a word, a number, a reference or a path. */
const SIGN = '[\\w\\u00c0-\\u024f+/@-]';
/** Separates a name from its value in JSON, in JSON inside a text, and in HTML. */
const GAP = '(?:[\\\\"\'\\s]|&#?\\w{1,5};){0,20}';
const NAMED = `(?<=[Pp]assw(?:or)?d${GAP}[:=]${GAP})`;

/**
 * The parts of a credential to remove from responses: the HTTP Basic pair and the password. A password that could be
 * an ordinary word is removed only after the name of a password field.
 * @param credential the decrypted fields
 */
export function secretsOf(credential: ICredentialDataDecryptedObject): Secrets {
	const { login, password } = credential as Record<string, string | number | null | undefined>;
	const word = `${password ?? ''}`;
	if (word === '') return { inText: NEVER, inFields: NEVER };
	const pair = anyForm(basicAuthorization(credential).slice('Basic '.length).replaceAll('=', ''));
	const any = anyForm(word);
	const always = `${pair}|${NAMED}${any}(?!${SIGN})`;
	const shortest = /^(?:\p{L}+|\d+)$/u.test(word) ? SHORTEST_WORD : SHORTEST;
	const inText = new RegExp(word.length < shortest ? always : `${pair}|${any}`, 'g');
	const alone = `(?:(?<!${SIGN})|(?<=%[\\da-fA-F]{2}))${any}(?!${SIGN}|\\.\\w)`;
	// `https://login:password@host`, `login/password`: signs of a path stand around it.
	const inUrl = `${any}(?=@)(?<=//[^\\s/@]{0,200}:${any})`;
	const besideLogin = `${any}(?!\\w)(?<=(?<!\\w)${anyForm(`${login ?? ''}`)}[:/@]${any})`;
	const isShort = word.length >= shortest && word.length < SHORTEST_WORD;
	const inFields = [always, alone, inUrl, ...(login ? [besideLogin] : [])].join('|');
	return { inText, inFields: isShort ? new RegExp(inFields, 'g') : inText };
}

const NEVER = /(?!)/g;

const HTML_NAMES: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
	ß: 'szlig',
	'§': 'sect',
	'£': 'pound',
	'€': 'euro',
};

/** What HTML adds to the name of a letter with a mark: `é` is `eacute`. */
const HTML_MARKS: Readonly<Record<string, string>> = {
	'\u0300': 'grave',
	'\u0301': 'acute',
	'\u0302': 'circ',
	'\u0303': 'tilde',
	'\u0308': 'uml',
	'\u030A': 'ring',
	'\u0327': 'cedil',
};

function htmlName(sign: string): string | undefined {
	const [letter = '', mark = ''] = sign.normalize('NFD');
	const ending = HTML_MARKS[mark];
	return ending === undefined ? HTML_NAMES[sign] : letter + ending;
}

/** Shorter ones occur in any text by chance. */
const SHORTEST_TOKEN = 4;

/** A longer one is recognized by its beginning, of so many characters. */
export const LONGEST_TOKEN = 32;

/**
 * What to remove of a token or a cookie, in whatever form it is written. The provider chooses it and the text, so the
 * pattern is short: behind the beginning of a long one, everything is removed that may belong to it, up to an ellipsis.
 */
export function tokenPattern(token: string): RegExp {
	if (token.length < SHORTEST_TOKEN) return NEVER;
	const beginning = anyForm(token.slice(0, LONGEST_TOKEN));
	const rest = token.slice(LONGEST_TOKEN);
	if (rest === '') return new RegExp(beginning, 'g');
	const further = /[\s"'<>]/.test(rest) ? '[^…]*' : `[^\\s"'<>…]*`;
	return new RegExp(`${beginning}(?:${plainPattern(rest)}|${further})`, 'g');
}

const plainPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A percent sign, also of a text that was encoded again. */
const PERCENT = '%(?:25){0,4}';
const ESCAPED_BACKSLASH = `(?:\\\\|${PERCENT}5[cC])`;

/**
 * The parts of a text: a character, or all that can be read as backslashes, or as one percent sign. If each of these
 * were a part of its own, a search would have to try every way to divide a long row of them among the parts.
 */
const PARTS = /(?:\\|%(?:25)*5c|&#(?:92|x5c);)+|%(?:25)+|[^]/giu;

/** A pattern for a text in which each character may be escaped as in JSON, HTML or a URL, or in one after the other. */
function anyForm(text: string): string {
	let isEscaped = false;
	return (text.match(PARTS) ?? [])
		.map((part) => {
			const isRow = /^(?:\\|%(?:25)*5c|&#(?:92|x5c);)/i.test(part);
			const form = isRow ? BACKSLASHES : anyFormOf(part, isEscaped);
			isEscaped = isRow;
			return form;
		})
		.join('');
}

/** @param isEscaped the part before it takes all backslashes in front of this one */
function anyFormOf(part: string, isEscaped: boolean): string {
	if (/^[a-z\d]$/i.test(part)) return part;
	const sign = part.startsWith('%') ? '%' : part;
	const escape = (least: number) => (isEscaped ? '' : `${ESCAPED_BACKSLASH}{${least},8}`);
	const [first = '', ...further] = sign.split('').map((unit) => `u${hex(unit.charCodeAt(0), 4)}`);
	const units = [`${escape(1)}${first}`, ...further].join(`${ESCAPED_BACKSLASH}{1,8}`);
	const bytes = [...Buffer.from(sign, 'utf8')].map((byte) => PERCENT + hex(byte));
	const code = sign.codePointAt(0) ?? 0;
	// A server that takes UTF-8 for ISO-8859-1, and one that writes that.
	const isAscii = code < 0x80;
	const misread = plainPattern(Buffer.from(sign, 'utf8').toString('latin1'));
	const name = htmlName(sign);
	const forms = [
		...(sign === '%' ? [] : [bytes.join('')]),
		entity(`(?:#|${PERCENT}23)0*(?:${code}|[xX]0*${hex(code)})`),
		...(name === undefined ? [] : [entity(name)]),
		...(sign === ' ' ? ['\\+'] : []),
		...(isAscii ? [] : [misread, ...(code < 0x100 ? [PERCENT + hex(code)] : [])]),
		// Last, since an escaped one can begin with it.
		plainPattern(sign),
	].join('|');
	const form = `(?:${escape(0)}(?:${forms})|${units})`;
	return sign === '%' ? `${form}(?:25){0,9}` : form;
}

/** A character as HTML writes it, also within a URL. */
const entity = (name: string) => `(?:&|${PERCENT}26)${name}(?:;|${PERCENT}3[bB])`;

/** A number in hexadecimal digits of either case. */
function hex(number: number, digits = 2): string {
	const text = number.toString(16).padStart(digits, '0');
	return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A row of backslashes, each of which may be escaped twice. */
const BACKSLASHES = `(?:\\\\|${anyFormOf('%', true)}5[cC]|${anyFormOf('&', true)}${anyFormOf('#', true)}(?:92|[xX]5[cC])${anyFormOf(';', true)}){1,40}`;

/** Names of fields that contain a password, or text about one. */
const PASSWORD_NAME = /passw|passe|pwd|secret/i;

/**
 * Removes the secrets from the texts and the names in a JSON value, at any depth, in place.
 * @param named the secrets to remove from a field that has the name of a password
 * @returns the value; if it is a text, a text without the secrets
 */
export function cleaned<T>(data: T, secrets: RegExp, named = secrets): T {
	if (typeof data === 'string') return data.replace(secrets, MASK) as T;
	const open: unknown[] = [data];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value !== 'object' || value === null) continue;
		const fields = value as Record<string, unknown>;
		for (const key of Object.keys(fields)) {
			const field = fields[key];
			if (typeof field === 'string') {
				fields[key] = field.replace(PASSWORD_NAME.test(key) ? named : secrets, MASK);
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
