/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// One rule for the hosts of the credentials, wherever they are read.
import { readHost } from '../../../nodes/shared/hosts';
import { InputError } from '../../../nodes/shared/errors';

const refused = (value: unknown, field: 'baseUrl' | 'voiceUrl'): InputError => {
	try {
		readHost(value, field);
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error(`${String(value)} was accepted`);
};

test.each([
	['https://api.example.com', 'https://api.example.com'],
	[' https://api.example.com/ ', 'https://api.example.com'],
	['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('both hosts: %j is %s', (value, host) => {
	expect(readHost(value, 'baseUrl')).toBe(host);
	expect(readHost(value, 'voiceUrl')).toBe(host);
});

test("the API host may be pasted with the beginning of the provider's paths", () => {
	expect(readHost('https://api.example.com/vbapi/v1/', 'baseUrl')).toBe('https://api.example.com');
});

test('the API host may have a path of a gateway, the voice host may not', () => {
	expect(readHost('https://gateway.example.com/voice/', 'baseUrl')).toBe(
		'https://gateway.example.com/voice',
	);
	expect(refused('https://gateway.example.com/voice/', 'voiceUrl').message).toMatch(
		/^"Voice Management URL" has a path \(\/voice\/\): enter only/,
	);
});

test.each([[undefined], [null], [''], ['  '], [7], [{}]])('%j is empty', (value) => {
	expect(refused(value, 'baseUrl').message).toBe('"Base URL" in the credential is empty');
	expect(refused(value, 'voiceUrl').message).toBe(
		'"Voice Management URL" in the credential is empty',
	);
});

test.each(['baseUrl', 'voiceUrl'] as const)('%s: a login in it is not repeated', (field) => {
	const error = refused('https://someone:secret@host.example.com', field);
	expect(`${error.message} ${error.description}`).not.toMatch(/someone|secret/);
	expect(error.help).toBe('address-in-the-credential');
});

test('the advice names the field and where to find it', () => {
	expect(refused('nonsense', 'baseUrl')).toMatchObject({
		message: '"Base URL" in the credential is not a URL that starts with https:// or http://',
		description: expect.stringMatching(/^Open the credential and set "Base URL"/),
	});
	expect(refused('ws://voice.example.com', 'voiceUrl')).toMatchObject({
		message: expect.stringMatching(/^"Voice Management URL" starts with ws:\/\//),
		description: 'Correct "Voice Management URL" in the credential',
	});
});
