// A login that comes back in a response: an operator, or a proxy in front of it, that repeats the request in its answer, as
// debugging pages do. Nothing of it may reach an item, an error or a log, so it is taken out where a response is read.

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { basicAuthorization } from '../../credentials/VoiceManagementApi.credentials';

/** What stands for a secret. */
const MASK = '***';

/** A password that is shorter, or shorter than a sentence and a plain word or number, may be anybody's words or data. */
const SHORTEST = 6;
const SHORTEST_WORD = 12;

/**
 * What of a credential is to be taken out of responses: the pair of HTTP Basic, and its password unless that can't be told from
 * other words.
 * @param credential the decrypted fields
 */
export function secretsOf(credential: ICredentialDataDecryptedObject): RegExp {
	const { password } = credential as Record<string, string | number | null | undefined>;
	const word = `${password ?? ''}`;
	const pair = anyForm(basicAuthorization(credential).slice('Basic '.length).replaceAll('=', ''));
	const shortest = /^(?:\p{L}+|\d+)$/u.test(word) ? SHORTEST_WORD : SHORTEST;
	return new RegExp(word.length < shortest ? pair : `${pair}|${anyForm(word)}`, 'gi');
}

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
	if (sign.startsWith('\\')) return '(?:\\\\{1,40}|(?:%5c){1,40}|(?:&#x?[5c92]{2};){1,40})';
	const plain = sign.replace(/[\^$.*+?()[\]{}|/-]/g, '\\$&');
	if (/[a-z\d]/i.test(sign)) return plain;
	const code = sign.codePointAt(0) ?? 0;
	const units = sign
		.split('')
		.map((unit) => `\\\\{1,8}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	const bytes = [...Buffer.from(sign, 'utf8')].map((byte) => `%${byte.toString(16)}`);
	const name = HTML_NAMES[sign];
	return `(?:${[
		`\\\\{0,8}${plain}`,
		units.join(''),
		bytes.join(''),
		`&#0*(?:${code}|x0*${code.toString(16)});`,
		...(name === undefined ? [] : [`&${name};`]),
		...(sign === ' ' ? ['\\+'] : []),
	].join('|')})`;
}

/**
 * Takes the secrets out of the texts in a value of JSON, at any depth, in place.
 * @returns the value; a text without them
 */
export function withoutLogin<T>(data: T, secrets: RegExp): T {
	if (typeof data === 'string') return data.replace(secrets, MASK) as T;
	const open: unknown[] = [data];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value !== 'object' || value === null) continue;
		const fields = value as Record<string, unknown>;
		for (const key of Object.keys(fields)) {
			const field = fields[key];
			if (typeof field === 'string') {
				const clean = field.replace(secrets, MASK);
				if (clean !== field) fields[key] = clean;
			} else open.push(field);
		}
	}
	return data;
}
