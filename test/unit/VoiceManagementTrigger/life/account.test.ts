// From credential and settings to the feed's options: which triggers share a connection, and what the provider is sent.

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { feedOptions, type Http } from '../../../../nodes/VoiceManagementTrigger/life/account';

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
	ip: '203.0.113.10',
};

function options(credential: ICredentialDataDecryptedObject, http?: Partial<Http>) {
	return feedOptions(credential.idClient === undefined ? 'supervisor' : 'account', credential, {
		credential: async () => await Promise.resolve(credential),
		authenticated: async () => await Promise.reject(new Error('not asked for')),
		plain: async () => await Promise.reject(new Error('not asked for')),
		...http,
	});
}

describe('the key of a shared feed', () => {
	const base = options(supervisor).key;

	it('is the same for the same connection, however its host is written', () => {
		expect(options({ ...supervisor }).key).toBe(base);
		expect(options({ ...supervisor, voiceUrl: 'https://voice.example.com' }).key).toBe(base);
	});

	it('is the same while the switch is off, whatever the hidden fields hold', () => {
		const hidden = { protocol: '2', socketPath: 'no path: ?', silenceTimeout: 'never' };
		expect(options({ ...supervisor, ...hidden }).key).toBe(base);
		expect(options({ ...supervisor, customConnection: false, ...hidden }).key).toBe(base);
		expect(options({ ...supervisor, customConnection: true, socketPath: '' }).key).toBe(base);
	});

	it.each([{ password: 'other' }, { accountTypeKey: 'both' }])(
		'differs with another way to log in to the same account: %j',
		(change) => {
			const other = options({ ...supervisor, ...change });
			expect(other.key).not.toBe(base);
			expect(other.account).toBe(options(supervisor).account);
		},
	);

	it('is that of another account with another login or client', () => {
		expect(options({ ...supervisor, login: 'other' }).account).not.toBe(
			options(supervisor).account,
		);
		expect(options({ ...api, idClient: 4243 }).account).not.toBe(options(api).account);
	});

	it.each<[ICredentialDataDecryptedObject]>([
		[{ voiceUrl: 'https://other.example.com' }],
		[{ login: 'other' }],
		[{ customConnection: true, protocol: '2' }],
		[{ customConnection: true, transport: 'n8n' }],
		[{ customConnection: true, socketPath: '/feed/' }],
		[{ customConnection: true, initArguments: '["boss", "{target}"]' }],
		[{ customConnection: true, silenceTimeout: 5 }],
		[{ customConnection: true, redundantConnection: true }],
	])('differs with another %j', (change) => {
		expect(options({ ...supervisor, ...change }).key).not.toBe(base);
	});

	it('differs with another account, client or address of the account feed', () => {
		const key = options(api).key;
		expect(key).not.toBe(base);
		expect(options({ ...api, ip: '203.0.113.11' }).key).not.toBe(key);
		expect(options({ ...api, idClient: 4243 }).key).not.toBe(key);
		expect(options({ ...api, baseUrl: 'https://b.example.com' }).key).not.toBe(key);
	});

	it('does not reveal the password', () => {
		expect(JSON.stringify(options(supervisor))).not.toContain('secret-é');
	});
});

describe('the login', () => {
	const answer = { statusCode: 403, headers: { x: '1' }, body: 'no', more: 'dropped' };

	async function asked(credential: ICredentialDataDecryptedObject) {
		let seen: { type: string; request: IHttpRequestOptions } | undefined;
		const signal = new AbortController().signal;
		const result = await options(credential, {
			authenticated: async (type, request) => {
				seen = { type, request };
				return await Promise.resolve(answer);
			},
		}).login(signal, 0);
		expect(result).toMatchObject({
			headers: { x: '1' },
			problem: { kind: 'refused', statusCode: 403 },
		});
		expect(seen?.request.abortSignal).toBe(signal);
		return seen as NonNullable<typeof seen>;
	}

	it('of a supervisor posts to /ws/ with the credential, and accepts any status as a response', async () => {
		const { type, request } = await asked(supervisor);
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
		const { type, request } = await asked(api);
		expect(type).toBe('voiceManagementApi');
		expect(request).toMatchObject({
			method: 'POST',
			url: 'https://api.example.com/base/vm/token',
			body: { ip: '203.0.113.10', user_type: 'api' },
		});
		expect(options(api)).toMatchObject({ target: '4242', initAccountType: 'api' });
	});

	it('masks the password in what the provider says', async () => {
		const feed = options(supervisor, {
			authenticated: async () =>
				await Promise.resolve({ ...answer, body: '{"error":"no: boss, secret-é"}' }),
		});
		expect(await feed.login(undefined, 0)).toMatchObject({ problem: { reason: 'no: boss, ***' } });
		expect('secret-é').toMatch(feed.secrets.inText);
	});

	it.each<ICredentialDataDecryptedObject>([
		{ voiceUrl: 'https://other.example.com' },
		{ voiceUrl: 'not a host' },
		{ login: 'somebody else' },
		{ password: 'another one' },
		{ customConnection: true, protocol: '2' },
	])('is not sent with a credential that now names another feed: %j', async (change) => {
		const authenticated = jest.fn();
		const feed = options(supervisor, {
			credential: async () => await Promise.resolve({ ...supervisor, ...change }),
			authenticated,
		});
		expect(await feed.login(undefined, 0)).toEqual({
			headers: {},
			problem: { kind: 'failed', reason: 'the credential was changed', credential: 'changed' },
		});
		expect(authenticated).not.toHaveBeenCalled();
	});

	it.each([
		['CredentialNotFoundError', 'Credential with ID "x" does not exist', true],
		['CredentialDataError', 'Credentials could not be decrypted', true],
		['QueryFailedError', 'connection refused', false],
	])('shows why n8n cannot read the credential: %s', async (name, message, permanent) => {
		const authenticated = jest.fn();
		const error = Object.assign(new Error(message), { name });
		const feed = options(supervisor, {
			credential: async () => await Promise.reject(error),
			authenticated,
		});
		expect(await feed.login(undefined, 0)).toMatchObject({
			problem: {
				reason: `n8n can't read the credential (${message})`,
				permanent,
				credential: 'unreadable',
			},
		});
		expect(authenticated).not.toHaveBeenCalled();
	});

	it('passes on that no response arrived', async () => {
		const lost = Object.assign(new Error('x'), { code: 'ECONNRESET' });
		const feed = options(supervisor, {
			authenticated: async () => await Promise.reject(lost),
		});
		await expect(feed.login(undefined, 0)).rejects.toBe(lost);
	});
});
