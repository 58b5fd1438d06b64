// From credential and settings to the feed's options: which triggers share a connection, and what the operator is sent.

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { feedOptions, type Http } from '../../../nodes/VoiceManagementTrigger/feedOptions';
import { readSettings } from '../../../nodes/VoiceManagementTrigger/settings';

const supervisor = {
	voiceUrl: 'https://voice.example.com/',
	login: 'boss',
	password: 'secret-é',
	accountTypeKey: 'account_type',
};
const api = {
	baseUrl: 'https://api.example.com/base/',
	voiceUrl: 'https://voice.example.com',
	login: 'api',
	password: 'secret-é',
	idClient: 4242,
};

function options(
	parameters: Record<string, unknown>,
	credential: ICredentialDataDecryptedObject,
	http?: Partial<Http>,
) {
	return feedOptions(
		readSettings((name, fallback) => parameters[name] ?? fallback),
		credential,
		{
			authenticated: async () => await Promise.reject(new Error('not asked for')),
			plain: async () => await Promise.reject(new Error('not asked for')),
			...http,
		},
	);
}

const account = (more: Record<string, unknown> = {}) => ({
	feed: 'account',
	options: { ip: '203.0.113.10', ...more },
});

describe('the key of a shared feed', () => {
	const base = options({}, supervisor).key;

	it('is the same for the same connection, however the workflow filters or batches', () => {
		expect(options({}, { ...supervisor }).key).toBe(base);
		expect(options({}, { ...supervisor, voiceUrl: 'https://voice.example.com' }).key).toBe(base);
		expect(
			options({ filters: { queueIds: 5 }, output: 'raw', options: { batchSize: 50 } }, supervisor)
				.key,
		).toBe(base);
	});

	it.each<[string, Record<string, unknown>, ICredentialDataDecryptedObject]>([
		['host', {}, { voiceUrl: 'https://other.example.com' }],
		['login', {}, { login: 'other' }],
		['password', {}, { password: 'other' }],
		['account type key', {}, { accountTypeKey: 'both' }],
		['protocol', { options: { protocol: '2' } }, {}],
		['socket path', { options: { socketPath: '/feed/' } }, {}],
		['init account type', { options: { initAccountType: 'boss' } }, {}],
		['silence timeout', { options: { silenceTimeout: 5 } }, {}],
		['two lines', { options: { redundantConnection: true } }, {}],
	])('differs with another %s', (_what, parameters, change) => {
		expect(options(parameters, { ...supervisor, ...change }).key).not.toBe(base);
	});

	it('differs with another account, client or address of the account feed', () => {
		const key = options(account(), api).key;
		expect(key).not.toBe(base);
		expect(options(account({ ip: '203.0.113.11' }), api).key).not.toBe(key);
		expect(options(account(), { ...api, idClient: 4243 }).key).not.toBe(key);
		expect(options(account(), { ...api, baseUrl: 'https://b.example.com' }).key).not.toBe(key);
	});

	it('does not reveal the password', () => {
		expect(JSON.stringify(options({}, supervisor))).not.toContain('secret');
	});
});

describe('the login', () => {
	const answer = { statusCode: 403, headers: { x: '1' }, body: 'no', more: 'dropped' };

	async function asked(
		parameters: Record<string, unknown>,
		credential: ICredentialDataDecryptedObject,
	) {
		let seen: { type: string; request: IHttpRequestOptions } | undefined;
		const signal = new AbortController().signal;
		const result = await options(parameters, credential, {
			authenticated: async (type, request) => {
				seen = { type, request };
				return await Promise.resolve(answer);
			},
		}).login(signal);
		expect(result).toMatchObject({ statusCode: 403, headers: { x: '1' }, body: 'no' });
		expect(seen?.request.abortSignal).toBe(signal);
		return seen as NonNullable<typeof seen>;
	}

	it('of a supervisor posts to /ws/ with the credential, and accepts any status as a response', async () => {
		const { type, request } = await asked({}, supervisor);
		expect(type).toBe('voiceManagementSupervisorApi');
		expect(request).toMatchObject({
			method: 'POST',
			url: 'https://voice.example.com/ws/',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		expect(request).not.toHaveProperty('body');
	});

	it('of the account feed asks for a token for this machine', async () => {
		const { type, request } = await asked(account(), api);
		expect(type).toBe('voiceManagementApi');
		expect(request).toMatchObject({
			method: 'POST',
			url: 'https://api.example.com/base/vm/token',
			body: { ip: '203.0.113.10', user_type: 'api' },
		});
		expect(options(account(), api)).toMatchObject({ target: '4242', initAccountType: 'api' });
	});

	it('passes on that no response arrived', async () => {
		const lost = Object.assign(new Error('x'), { code: 'ECONNRESET' });
		const feed = options({}, supervisor, {
			authenticated: async () => await Promise.reject(lost),
		});
		await expect(feed.login()).rejects.toBe(lost);
	});
});
