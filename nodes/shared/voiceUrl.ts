// The URL of the voice host as users write it.

import { VoiceUrlError } from './errors';

/** Its label in the credentials. */
const VOICE_URL_LABEL = '"Voice Management URL"';

/**
 * @param text what the user entered; a trailing slash and blanks around it are tolerated
 * @returns scheme, host and port: `https://voice.example.com`
 * @throws VoiceUrlError with one sentence
 */
export function readVoiceUrl(text: string): string {
	const problem = voiceUrlProblem(text);
	if (problem !== undefined) throw new VoiceUrlError(problem);
	return new URL(text.trim()).origin;
}

/** Servers on this machine usually use plain HTTP. */
const LOCAL = /^(localhost|127\.|\[::1\])/i;

/** What is wrong with a URL and what to do, in one sentence; undefined if it can be used. */
export function voiceUrlProblem(text: string): string | undefined {
	const written = text.trim();
	const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(written)?.[1]?.toLowerCase();
	if (scheme === undefined) {
		const host = hostOnly(written);
		return `${VOICE_URL_LABEL} has no scheme: write ${LOCAL.test(host) ? 'http' : 'https'}://${host}`;
	}
	if (scheme === 'ws' || scheme === 'wss') {
		return `${VOICE_URL_LABEL} starts with ${scheme}://, but the login is an HTTP request: write ${scheme === 'ws' ? 'http' : 'https'}:// instead`;
	}
	if (scheme !== 'http' && scheme !== 'https') {
		return `${VOICE_URL_LABEL} starts with ${scheme}://: it has to start with https:// or http://`;
	}
	if (!URL.canParse(written)) {
		return `${VOICE_URL_LABEL} is not a valid URL: check its host name and port`;
	}
	const url = new URL(written);
	if (url.username !== '' || url.password !== '') {
		return `${VOICE_URL_LABEL} contains a login: enter login and password in their own fields`;
	}
	if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
		return `${VOICE_URL_LABEL} has a path (${url.pathname}): enter only ${url.origin}. A Socket.IO path has its own field, "Socket Path"`;
	}
	return undefined;
}

/** A URL that can be repeated in a message: without a login before the host and a query after it. */
function hostOnly(url: string): string {
	return url
		.slice(url.lastIndexOf('@') + 1)
		.split(/[/?#]/, 1)
		.join('');
}
