// What of a login is taken out of a response, and what stays since it is somebody's data.

import { readResponse } from '../../../nodes/shared/response';
import { secretsOf } from '../../../nodes/shared/secrets';

/** What is left of a response with these words in it. */
function left(password: string, words: string): unknown {
	const secrets = secretsOf({ login: 'someone', password });
	const body = JSON.stringify({ list: [{ words }] });
	const { data } = readResponse({ statusCode: 200, headers: {}, body, secrets });
	return (data as { list: Array<{ words: string }> }).list[0]?.words;
}

test.each([
	['as it is', 'p\\ä "1"'],
	['as JSON in JSON', 'p\\\\ä \\"1\\"'],
	['in ASCII', 'p\\\\\\u00e4 "1"'],
	['in HTML', 'p\\&#228; &quot;1&quot;'],
	['in a URL', 'p%5C%C3%A4%20%221%22'],
	['in a form', 'p%5c%c3%a4+%221%22'],
])('a password %s', (_form, written) => {
	expect(left('p\\ä "1"', `wrong password ${written}.`)).toBe('wrong password ***.');
});

test('the pair of HTTP Basic, whatever the password', () => {
	for (const password of ['', '1', 'hunter', 'p"ä']) {
		const pair = Buffer.from(`someone:${password}`).toString('base64');
		expect(left(password, `Basic ${pair}`)).toMatch(/^Basic \*\*\*=*$/);
	}
});

test.each(['wrong', 'Bruxelles', '750001', 'a-1'])(
	'a password that may be anybody’s words or data stays: %s',
	(password) => {
		expect(left(password, `${password} is in here`)).toBe(`${password} is in here`);
	},
);

test.each(['correcthorsebatterystaple', '123456789012', 'a-1-b2'])(
	'a password that is nothing else goes: %s',
	(password) => expect(left(password, `not ${password}!`)).toBe('not ***!'),
);

test('a response made to be slow to search is not', () => {
	const secrets = secretsOf({ login: 'a', password: '\\\\\\"\\"\\"x'.repeat(5) });
	for (const piece of ['\\', '\\"', '\\"\\"\\"', '%5c%22', '&#92;']) {
		const started = process.cpuUsage();
		expect(piece.repeat(200_000).replace(secrets, '')).toHaveLength(piece.length * 200_000);
		expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
	}
});
