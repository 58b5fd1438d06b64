/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Both credential types: their headers, and what n8n needs in order to show them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ICredentialType, IHttpRequestOptions } from 'n8n-workflow';
import { VoiceManagementApi } from '../../../credentials/VoiceManagementApi.credentials';
import {
	SPELLING_HEADER,
	VoiceManagementSupervisorApi,
} from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import { firstOf, nth } from '../../support/present';

const root = join(__dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	homepage: string;
	n8n: { credentials: string[] };
};

const api = new VoiceManagementApi();
const supervisor = new VoiceManagementSupervisorApi();

const request: IHttpRequestOptions = {
	url: 'https://api.example.com/x',
	headers: { Accept: 'application/json' },
};

const headersOf = async (type: VoiceManagementApi | VoiceManagementSupervisorApi, data: object) =>
	(await type.authenticate(data as never, request)).headers!;

describe.each<[string, ICredentialType]>([
	['VoiceManagementApi', api],
	['VoiceManagementSupervisorApi', supervisor],
])('%s', (className, type) => {
	test('is in the package under its name', () => {
		expect(type.name).toBe(nth(className, 0).toLowerCase() + className.slice(1));
		expect(manifest.n8n.credentials).toContain(`dist/credentials/${className}.credentials.js`);
	});

	test('has icons for light and dark that exist, and documentation on the home page', () => {
		const icon = type.icon as { light: string; dark: string };
		expect(icon.light).not.toBe(icon.dark);
		for (const reference of [icon.light, icon.dark]) {
			const path = join(root, 'credentials', reference.replace('file:', ''));
			expect(existsSync(path)).toBe(true);
			expect(readFileSync(path, 'utf8')).toMatch(/^<svg [^>]*viewBox=/);
		}
		expect(type.documentationUrl?.split('#')[0]).toBe(manifest.homepage.split('#')[0]);
	});

	test('sends nothing for a field whose expression yields null', async () => {
		const empty = await headersOf(type as never, { login: '', password: '' });
		expect(await headersOf(type as never, { login: null, password: null })).toEqual(empty);
	});

	test('hides the password and nothing else', () => {
		const hidden = type.properties
			.filter(({ typeOptions }) => typeOptions?.password)
			.map(({ name }) => name);
		expect(hidden).toEqual(['password']);
	});

	test('adds its header to existing ones, and does not modify the request that it got', async () => {
		const given = JSON.stringify(request);
		const headers = await headersOf(type as never, { login: 'a', password: 'b' });
		expect(headers.Accept).toBe('application/json');
		expect(Object.keys(headers)).toHaveLength(2);
		expect(JSON.stringify(request)).toBe(given);
	});
});

test('Basic supports any login and password in UTF-8', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.string({ unit: 'grapheme' }),
			fc.string({ unit: 'grapheme' }),
			async (login, password) => {
				const { Authorization } = await headersOf(api, { login, password });
				const [scheme, encoded] = firstOf(String(Authorization).split(' '), 2);
				expect(scheme).toBe('Basic');
				expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe(`${login.trim()}:${password}`);
			},
		),
	);
});

test('X-JSON is pure ASCII and is parsed to the same values, whatever the login contains', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.string({ unit: 'binary' }),
			fc.string({ unit: 'grapheme' }),
			async (login, password) => {
				const value = String((await headersOf(supervisor, { login, password }))['X-JSON']);
				expect(value).toMatch(/^[\x20-\x7e]*$/);
				expect(JSON.parse(value)).toEqual({
					requete: 'init',
					header: { login: login.trim(), password, account_type: 'supervisor' },
					msg: {},
				});
			},
		),
	);
});

test.each([
	['account_type', undefined, { account_type: 'supervisor' }],
	['count_type', undefined, { count_type: 'supervisor' }],
	['both', undefined, { account_type: 'supervisor', count_type: 'supervisor' }],
	[undefined, undefined, { account_type: 'supervisor' }],
	['auto', 'account_type', { account_type: 'supervisor' }],
	['auto', 'count_type', { count_type: 'supervisor' }],
	['account_type', 'count_type', { account_type: 'supervisor' }],
	['count_type', 'account_type', { count_type: 'supervisor' }],
])(
	'with the account type key %s and the spelling %s of the node, the header has %j, and the spelling stays here',
	async (accountTypeKey, spelling, expected) => {
		const { headers } = await supervisor.authenticate(
			{ login: 'a', password: 'b', ...(accountTypeKey === undefined ? {} : { accountTypeKey }) },
			{ ...request, headers: spelling === undefined ? undefined : { [SPELLING_HEADER]: spelling } },
		);
		const { 'X-JSON': value, ...others } = headers!;
		expect((JSON.parse(String(value)) as { header: object }).header).toEqual({
			login: 'a',
			password: 'b',
			...expected,
		});
		expect(others).toEqual({});
	},
);

test('a blank that was copied along with the login is not sent; one in the password is', async () => {
	const data = { login: ' ada\n', password: ' b ' };
	const { Authorization } = await headersOf(api, data);
	expect(Authorization).toBe(`Basic ${Buffer.from('ada: b ').toString('base64')}`);
	const value = String((await headersOf(supervisor, data))['X-JSON']);
	expect(JSON.parse(value)).toMatchObject({ header: { login: 'ada', password: ' b ' } });
});

test('DEL and letters beyond ASCII are escaped as \\uXXXX', async () => {
	const headers = await headersOf(supervisor, { login: '\u007f', password: 'é€😀' });
	expect(headers['X-JSON']).toContain(
		'"login":"\\u007f","password":"\\u00e9\\u20ac\\ud83d\\ude00"',
	);
});
