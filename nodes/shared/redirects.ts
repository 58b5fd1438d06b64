// Follows only redirects that can't take a login to another host.

import { headerOf } from './answer/parse';
import { withoutTokens } from './answer/reason';
import { oneLine } from './oneLine';

/** Redirects that are followed for one request. */
const MAX_REDIRECTS = 3;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface Redirectable {
	statusCode: number;
	headers: Record<string, unknown>;
}

/**
 * The URL to which the same request can safely be sent after a redirect.
 * @param response any response
 * @param method of the request
 * @param url of the request, absolute
 * @returns an absolute URL of the same scheme, host and port; undefined if the response is no redirect, leads to
 *   another origin (which would receive the login), or asks for a write to be sent as something else (301, 302, 303),
 *   unless the two paths differ only in a trailing slash
 */
export function redirectTarget(
	{ statusCode, headers }: Redirectable,
	method: string,
	url: string,
): string | undefined {
	const location = headers.location;
	if (!REDIRECTS.has(statusCode) || typeof location !== 'string') return undefined;
	if (!URL.canParse(location, url)) return undefined;
	const from = new URL(url);
	const target = new URL(location, url);
	if (target.origin !== from.origin || target.username !== '' || target.password !== '') {
		return undefined;
	}
	target.hash = '';
	// A redirect to the same URL expects a cookie, and would only be repeated.
	if (target.href === from.href) return undefined;
	const sameMethod = statusCode === 307 || statusCode === 308;
	const slashOnly =
		statusCode !== 303 && withoutSlash(target.pathname) === withoutSlash(from.pathname);
	return method === 'GET' || sameMethod || slashOnly ? target.href : undefined;
}

/** The target of a redirect as it is shown, ` (host/path)`, without its query, which may contain a token; '' if none. */
export function shownTarget({ headers }: Pick<Redirectable, 'headers'>): string {
	const location = (headerOf(headers, 'location') ?? '').slice(0, 2_000);
	if (location === '' || !URL.canParse(location, 'http://relative.invalid')) return '';
	const url = new URL(location, 'http://relative.invalid');
	const host = url.host === 'relative.invalid' ? '' : url.host;
	const path = url.pathname.split('/').map(withoutTokens).join('/');
	return ` (${oneLine(`${host}${path}`)})`;
}

/**
 * Sends a request and follows redirects to the same origin, at most three.
 * @param send makes the request; never for a purchase, which must not be sent twice
 * @returns the first response that is not such a redirect
 */
export async function followRedirects<T extends Redirectable>(
	method: string,
	url: string,
	send: (url: string) => Promise<T>,
): Promise<T> {
	let response = await send(url);
	let current = url;
	for (let count = 0; count < MAX_REDIRECTS; count++) {
		const target = redirectTarget(response, method, current);
		if (target === undefined) return response;
		current = target;
		response = await send(current);
	}
	return response;
}

const withoutSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path);
