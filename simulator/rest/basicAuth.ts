// HTTP Basic as in both documents: login and password in UTF-8.

export interface Pair {
	login: string;
	password: string;
}

/** The login and password of an `Authorization` header, or undefined if it is missing or unreadable. */
export function readBasic(header: string | undefined): Pair | undefined {
	const match = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '');
	if (!match) return undefined;
	const text = Buffer.from(match[1]!, 'base64').toString('utf8');
	const colon = text.indexOf(':');
	if (colon < 0) return undefined;
	return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function matches(given: Pair | undefined, account: Pair) {
	return given?.login === account.login && given.password === account.password;
}
