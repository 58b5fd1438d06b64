// The provider's hosts as the credentials name them. One rule for both nodes and for the credential tests: what a test
// accepts has to work in a node.

import { readVoiceUrl, voiceUrlProblem } from './voiceUrl';
import { InputError } from './errors';

/** The credentials' fields that name a host, by their labels. */
export const HOST_FIELDS = {
	baseUrl: 'Base URL',
	voiceUrl: 'Voice Management URL',
} as const;

export type HostField = keyof typeof HOST_FIELDS;

/**
 * The prefix of every operation's path. The provider's documents show it after the host, so users often paste it too.
 */
const OWN_PATH = /\/vbapi\/v1$/i;

/**
 * The URL of a host without its trailing slashes. The API host can have a path in front of the provider's own paths (a
 * gateway); the voice host has none, since its Socket.IO path has its own field.
 *
 * @param value the credential's field
 * @throws InputError naming the field; the message does not repeat the whole value, which may contain a login
 */
export function readHost(value: unknown, field: HostField): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw unusable(field, 'is empty');
	if (field === 'voiceUrl') return voiceHost(text);
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol))
		throw unusable(field, 'is not a URL that starts with https:// or http://');
	if (url.username || url.password || url.search || url.hash) {
		throw new InputError(
			`"${HOST_FIELDS[field]}" in the credential contains more than a host`,
			'Enter the URL without a login, query string or fragment. Login and password have their own fields.',
			'address-in-the-credential',
		);
	}
	return `${url.origin}${withoutSlashes(url.pathname).replace(OWN_PATH, '')}`;
}

function withoutSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}

function voiceHost(text: string): string {
	const problem = voiceUrlProblem(text);
	if (problem === undefined) return readVoiceUrl(text);
	throw new InputError(
		problem,
		`Correct "${HOST_FIELDS.voiceUrl}" in the credential`,
		'address-in-the-credential',
	);
}

function unusable(field: HostField, what: string): InputError {
	const example = field === 'voiceUrl' ? 'https://voice.example.com' : 'https://api.example.com';
	return new InputError(
		`"${HOST_FIELDS[field]}" in the credential ${what}`,
		`Open the credential and set "${HOST_FIELDS[field]}" to the provider's host, for example ${example}`,
		'address-in-the-credential',
	);
}
