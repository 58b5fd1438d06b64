// Host addresses out of the credentials.

import { InputError } from '../input/inputError';

/**
 * A host address without its trailing slashes; a path in front of the service's own paths is kept.
 * @param value the credential's field
 * @param field its name in the panel, for the error
 * @throws InputError when it is no http(s) address; the value is not repeated, it may hold a login
 */
export function readBaseUrl(value: unknown, field: string): string {
	const url =
		typeof value === 'string' && URL.canParse(value.trim()) ? new URL(value.trim()) : null;
	if (!url || !/^https?:$/.test(url.protocol)) {
		const found =
			typeof value === 'string' && value.trim() !== '' ? 'is not a web address' : 'is empty';
		throw new InputError(
			`"${field}" in the credential ${found}`,
			`Open the credential and set "${field}" to the operator's host, for example https://voice.example.com`,
			'address-in-the-credential',
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new InputError(
			`"${field}" in the credential holds more than a host`,
			'Leave out the login, the question mark and the number sign: the login has fields of its own.',
			'address-in-the-credential',
		);
	}
	return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
