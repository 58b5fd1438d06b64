// Redirects: where the same request may be sent again, and where a login is never sent.

import fc from 'fast-check';
import { followRedirects, redirectTarget } from '../../../nodes/shared/redirects';

const url = 'https://api.example.com/gateway/address?pageNumber=0';

const redirect = (statusCode: number, location?: unknown) => ({
	statusCode,
	headers: location === undefined ? {} : { location },
});

/** What is shown, the status, the method and the location, and where the same request is sent again, if anywhere. */
const CASES = `
a read follows: 302 GET /other?x=1 → https://api.example.com/other?x=1
a read follows: 303 GET /other → https://api.example.com/other
relative to the path: 301 GET other → https://api.example.com/gateway/other
a default port is the same port: 301 GET https://api.example.com:443/x → https://api.example.com/x
a fragment is not sent: 301 GET /x#y → https://api.example.com/x
a write keeps method and body: 307 PUT /x → https://api.example.com/x
a write keeps method and body: 308 POST /x → https://api.example.com/x
a slash is added: 301 POST /gateway/address/ → https://api.example.com/gateway/address/
a slash is added: 302 PUT ./address/?a=b → https://api.example.com/gateway/address/?a=b
a write is not sent as another request: 302 PUT /x → nowhere
a write is not sent as another request: 301 DELETE /x → nowhere
a 303 means that the work is done: 303 POST /gateway/address/ → nowhere
another host: 307 GET https://login.example.com/ → nowhere
another host without a scheme: 301 GET //login.example.com/gateway/address/ → nowhere
another port: 301 GET https://api.example.com:8443/x → nowhere
another scheme: 301 GET http://api.example.com/gateway/address/ → nowhere
a login in the URL: 301 GET https://a:b@api.example.com/x → nowhere
a name in the URL: 301 GET https://a@api.example.com/x → nowhere
a password in the URL: 301 GET https://:b@api.example.com/x → nowhere
itself: 302 GET ${url} → nowhere
no URL: 301 GET https:// → nowhere
no redirect: 200 GET /x → nowhere
not modified: 304 GET /x → nowhere
`;

test.each(CASES.trim().split('\n'))('%s', (line) => {
	const [, status, method = '', location, expected] =
		/: (\d+) (\S+) (\S+) → (.*)$/.exec(line) ?? [];
	const target = redirectTarget(redirect(Number(status), location), method, url);
	expect(target ?? 'nowhere').toBe(expected);
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
