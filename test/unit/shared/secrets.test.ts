/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Which parts of a login are removed from a response, and which stay because they are data.

import { supervisorHeader } from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import { parse } from '../../../nodes/shared/answer/parse';
import { secretsOf } from '../../../nodes/shared/secrets';

/** What is left of these words in a response. */
function left(password: string, words: string): unknown {
	const secrets = secretsOf({ login: 'someone', password });
	const body = JSON.stringify({ list: [{ words }] });
	const { data } = parse({ statusCode: 200, headers: {}, body }, secrets);
	return (data as { list: Array<{ words: string }> }).list[0]?.words;
}

test.each([
	['as it is', 'p\\ä "1"'],
	['as JSON in JSON', 'p\\\\ä \\"1\\"'],
	['in ASCII', 'p\\\\\\u00e4 "1"'],
	['in HTML', 'p\\&#228; &quot;1&quot;'],
	['in HTML by names', 'p\\&auml; &quot;1&quot;'],
	['in a URL', 'p%5C%C3%A4%20%221%22'],
	['in a form', 'p%5c%c3%a4+%221%22'],
	['in a URL in a URL', 'p%255C%25C3%25A4%2520%25221%2522'],
	['as JSON in a URL', 'p%5C%5C%C3%A4%20%5C%221%5C%22'],
	['as HTML in a URL', 'p%5C%26%23228%3B%20%26quot%3B1%26quot%3B'],
	['in UTF-8 that was read as ISO-8859-1', 'p\\Ã¤ "1"'],
	['in a URL of ISO-8859-1', 'p%5C%E4%20%221%22'],
	['as JSON in HTML', 'p\\\\ä \\&quot;1\\&quot;'],
])('a password %s', (_form, written) => {
	expect(left('p\\ä "1"', `wrong password ${written}.`)).toBe('wrong password ***.');
});

test('the pair of HTTP Basic is removed, whatever the password', () => {
	for (const password of ['1', 'hunter', 'p"ä']) {
		const pair = Buffer.from(`someone:${password}`).toString('base64');
		expect(left(password, `Basic ${pair}`)).toMatch(/^Basic \*\*\*=*$/);
	}
});

test.each(['wrong', 'Bruxelles', '750001', 'a-1'])(
	'a password that may be ordinary words or data stays: %s',
	(password) => {
		expect(left(password, `${password} is in here`)).toBe(`${password} is in here`);
	},
);

test.each(['correcthorsebatterystaple', '123456789012', 'a-1-b2'])(
	'a password that cannot be anything else is removed: %s',
	(password) => expect(left(password, `not ${password}!`)).toBe('not ***!'),
);

test.each([
	['VM-2024', 'VM-2024-0017'],
	['VM-2024', 'https://provider.example/orders/VM-2024'],
	['Paris1', 'Rue de Paris15e'],
	['+3312345', '+33123456789'],
	['Secr3t!x', 'secr3t!x'],
])('data that contain a password stay: %s in %s', (password, words) => {
	expect(left(password, words)).toBe(words);
});

test.each(['VM-2024', 'You sent VM-2024.', 'password=VM-2024', '{"pass":"VM-2024"}'])(
	'a short password on its own is removed: %s',
	(words) => expect(left('VM-2024', words)).toBe(words.replace('VM-2024', '***')),
);

test.each([
	'for https://someone:VM-2024@auth.example.com/check',
	'someone/VM-2024 is refused',
	'someone@VM-2024',
])('a short password beside its login is removed: %s', (words) =>
	expect(left('VM-2024', words)).toBe(words.replace('VM-2024', '***')),
);

test('a password in text, and under its name, is removed wherever it is', () => {
	const secrets = secretsOf({ login: 'someone', password: 'VM-2024' });
	const read = (body: string) => parse({ statusCode: 200, headers: {}, body }, secrets);
	expect(read('Refused: xVM-2024x').text).toBe('Refused: x***x');
	expect(read('{"user_password":"xVM-2024x"}').data).toEqual({ user_password: 'x***x' });
	expect(read('{"pass: VM-2024":{"a":1}}').data).toEqual({ 'pass: ***': { a: 1 } });
});

test.each(['hunter', '1', 'pä'])(
	'a password after its name is removed, whatever it is: %s',
	(password) => {
		const sent = supervisorHeader({ login: 'someone', password });
		const gone = sent.replace(/("password":)"[^"]*"/, '$1"***"');
		expect(left(password, `You sent ${sent}`)).toBe(`You sent ${gone}`);
		expect(left(password, JSON.stringify({ sent }))).toBe(JSON.stringify({ sent: gone }));
		const secrets = secretsOf({ login: 'someone', password });
		const body = `<pre>${sent.replaceAll('"', '&quot;')} Password: ${password}</pre>`;
		const { text } = parse({ statusCode: 200, headers: {}, body }, secrets);
		expect(text).toBe(`<pre>${gone.replaceAll('"', '&quot;')} Password: ***</pre>`);
	},
);

test('an empty login is not a secret', () => {
	for (const login of ['', 'someone']) {
		const { inText } = secretsOf({ login, password: '' });
		expect('Catalog of programs'.replace(inText, '***')).toBe('Catalog of programs');
	}
});

test('a response designed to be slow to search is not slow', () => {
	const { inText: secrets } = secretsOf({ login: 'a', password: '\\\\\\"\\"\\"x'.repeat(5) });
	for (const piece of ['password:\\"', '\\', '\\"', '\\"\\"\\"', '%5c%22', '&#92;']) {
		const started = process.cpuUsage();
		expect(piece.repeat(200_000).replace(secrets, '')).toHaveLength(piece.length * 200_000);
		expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
	}
});

test('half a password at the end of what is kept of a page stays hidden', () => {
	const secrets = secretsOf({ login: 'someone', password: 'correct horse battery' });
	for (let filled = 19_950; filled < 20_000; filled++) {
		const page = `${'<html>'.padEnd(filled)}<title>correct horse battery</title>`;
		const { text } = parse({ statusCode: 200, headers: {}, body: page }, secrets);
		expect(text).not.toContain('correct');
	}
});
