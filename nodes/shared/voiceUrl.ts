// The address of the voice service as people write it.

/** The voice URL can't be used; the message says what is wrong and what to do. */
export class VoiceUrlError extends Error {
	override name = 'VoiceUrlError';
}

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

/** What is wrong with an address and what to do, in one sentence; undefined where it can be used. */
export function voiceUrlProblem(text: string): string | undefined {
	const written = text.trim();
	if (written === '') {
		return 'The voice URL is empty: enter the voice host, e.g. https://voice.example.com';
	}
	const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(written)?.[1]?.toLowerCase();
	if (scheme === undefined) {
		return `The voice URL has no scheme: write https://${withoutSecrets(written)}`;
	}
	if (scheme === 'ws' || scheme === 'wss') {
		return `The voice URL starts with ${scheme}://, but the login is an HTTP request: write ${scheme === 'ws' ? 'http' : 'https'}:// instead`;
	}
	if (scheme !== 'http' && scheme !== 'https') {
		return `The voice URL starts with ${scheme}://: it has to be https:// or http://`;
	}
	if (!URL.canParse(written)) {
		return 'The voice URL is not a valid address: check its host name and port';
	}
	const url = new URL(written);
	if (url.username !== '' || url.password !== '') {
		return 'The voice URL holds a login: enter login and password in their own fields';
	}
	if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
		return `The voice URL has a path (${url.pathname}): enter the host alone, ${url.origin}; the Socket.IO path is an option of the trigger`;
	}
	return undefined;
}

/** What a sentence may repeat of an address: neither a login in front of the host nor a query behind it. */
function withoutSecrets(address: string): string {
	return address
		.slice(address.lastIndexOf('@') + 1)
		.split(/[/?#]/, 1)
		.join('');
}
