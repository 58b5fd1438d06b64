// Redirects: where the same request may be sent again, and where a login is never sent.

import fc from 'fast-check';
import { followRedirects, redirectTarget } from '../../../nodes/shared/redirects';

const url = 'https://api.example.com/gateway/address?pageNumber=0';

const redirect = (statusCode: number, location?: unknown) => ({
	statusCode,
	headers: location === undefined ? {} : { location },
});

test.each<[string, number, string, string, string | undefined]>([
	['a read follows', 302, 'GET', '/other?x=1', 'https://api.example.com/other?x=1'],
	['a read follows a 303', 303, 'GET', '/other', 'https://api.example.com/other'],
	['relative to the path', 301, 'GET', 'other', 'https://api.example.com/gateway/other'],
	[
		'a default port is the same port',
		301,
		'GET',
		'https://api.example.com:443/x',
		'https://api.example.com/x',
	],
	['a fragment is not sent', 301, 'GET', '/x#y', 'https://api.example.com/x'],
	['a write keeps method and body with 307', 307, 'PUT', '/x', 'https://api.example.com/x'],
	['a write keeps method and body with 308', 308, 'POST', '/x', 'https://api.example.com/x'],
	[
		'a slash is added',
		301,
		'POST',
		'/gateway/address/',
		'https://api.example.com/gateway/address/',
	],
	[
		'a slash is added',
		302,
		'PUT',
		'./address/?a=b',
		'https://api.example.com/gateway/address/?a=b',
	],
	['a write is not sent as another request', 302, 'PUT', '/x', undefined],
	['a write is not sent as another request', 301, 'DELETE', '/x', undefined],
	['a 303 means that the work is done', 303, 'POST', '/gateway/address/', undefined],
	['another host', 307, 'GET', 'https://login.example.com/', undefined],
	['another host without a scheme', 301, 'GET', '//login.example.com/gateway/address/', undefined],
	['another port', 301, 'GET', 'https://api.example.com:8443/x', undefined],
	['another scheme', 301, 'GET', 'http://api.example.com/gateway/address/', undefined],
	['a login in the URL', 301, 'GET', 'https://a:b@api.example.com/x', undefined],
	['a name in the URL', 301, 'GET', 'https://a@api.example.com/x', undefined],
	['a password in the URL', 301, 'GET', 'https://:b@api.example.com/x', undefined],
	['itself', 302, 'GET', url, undefined],
	['no URL', 301, 'GET', 'https://', undefined],
	['no redirect', 200, 'GET', '/x', undefined],
	['not modified', 304, 'GET', '/x', undefined],
])('%s: %i for a %s', (_what, status, method, location, expected) => {
	expect(redirectTarget(redirect(status, location), method, url)).toBe(expected);
});

test.each([[undefined], [7], [['/x']], [null]])(
	'a location that is %j is not followed',
	(location) => {
		expect(redirectTarget(redirect(302, location), 'GET', url)).toBeUndefined();
	},
);

test('whatever a location contains, the target has the scheme, host and port of the request', () => {
	const part = fc.constantFrom(
		'https:',
		'http:',
		'//',
		'/',
		'\\',
		'@',
		'api.example.com',
		'evil.example.com',
		':443',
		'?',
		'#',
		'..',
		'\t',
		'x',
	);
	const location = fc.oneof(
		fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
		fc.webUrl(),
		fc.string(),
	);
	fc.assert(
		fc.property(
			location,
			fc.constantFrom(301, 302, 303, 307, 308),
			fc.constantFrom('GET', 'POST'),
			(text, status, method) => {
				const target = redirectTarget(redirect(status, text), method, url);
				if (target === undefined) return;
				expect(new URL(target).origin).toBe('https://api.example.com');
				expect(new URL(target).username).toBe('');
			},
		),
	);
});

test('a chain of redirects ends', async () => {
	const sent: string[] = [];
	const last = await followRedirects('GET', 'https://api.example.com/0', async (at) => {
		sent.push(at);
		return redirect(302, `/${sent.length}`);
	});
	expect(sent.map((at) => new URL(at).pathname)).toEqual(['/0', '/1', '/2', '/3']);
	expect(last.statusCode).toBe(302);
});
