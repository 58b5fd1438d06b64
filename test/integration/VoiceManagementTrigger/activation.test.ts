/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What a person sees on activation, and what must never reach n8n when it starts: in both of n8n's activation engines,
// an exception at the wrong time leaves a trigger dead.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject, IDataObject, NodeOperationError } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { HandClock } from '../../support/world';
import { ActiveTrigger, credentialsFor, turnedUntil, type TriggerOptions } from './harness';
import { nth } from '../../support/present';
import { credentialTest } from '../VoiceManagement/harness';

let provider: Provider;
const started: ActiveTrigger[] = [];

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => {
	await Promise.all(started.splice(0).map(async (trigger) => await trigger.close()));
	await provider.close();
});

function prepare(
	parameters: IDataObject = {},
	options: Partial<TriggerOptions> = {},
	change: IDataObject = {},
) {
	const credentials: Record<string, ICredentialDataDecryptedObject> = credentialsFor(provider);
	for (const data of Object.values(credentials)) Object.assign(data, change);
	const trigger = new ActiveTrigger({ parameters, credentials, ...options });
	started.push(trigger);
	return trigger;
}

async function failure(trigger: ActiveTrigger): Promise<{ message: string; description: string }> {
	const error = (await trigger.start().then(
		() => undefined,
		(thrown: unknown) => thrown,
	)) as NodeOperationError | undefined;
	expect(error?.name).toBe('NodeOperationError');
	return { message: error?.message ?? '', description: String(error?.description ?? '') };
}

const wrongPassword = { password: 'wrong-é' };

describe('activating by a person', () => {
	it.each(['activate', 'update'] as const)(
		'fails with the provider’s reason if the login is rejected (%s)',
		async (activation) => {
			const { message, description } = await failure(prepare({}, { activation }, wrongPassword));
			expect(message).toMatch(/^The provider refused the login: .+/);
			expect(description).toMatch(/credential/);
			expect(message + description).not.toContain(wrongPassword.password);
			// n8n 1.x stops retrying for good if a message contains this word.
			expect(message).not.toContain('Authorization');
			expect(provider.control.sockets()).toEqual([]);
		},
	);

	it.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'a supervisor with a chosen spelling',
			{},
			{ password: 'wrong', accountTypeKey: 'count_type' },
			/supervisor-type login.*"Account Type Key"/,
		],
		[
			'a supervisor whose spelling Auto has found',
			{},
			{ password: 'wrong', accountTypeKey: 'auto' },
			/^HTTP 401\. Check "Login" and "Password"(?!.*Account Type Key)/,
		],
		['an API account', { feed: 'account' }, { password: 'wrong' }, /login of an API account/],
		[
			'an API account from another IP address',
			{ feed: 'account' },
			{ ip: '192.0.2.7' },
			/"Machine IP Address" in the credential/,
		],
	])('names a remedy for %s whose login is rejected', async (_case, parameters, change, advice) => {
		const { description } = await failure(prepare(parameters, {}, change));
		expect(description).toMatch(advice);
	});

	it('names the field of the address if the token request is wrong because of it', async () => {
		const body = { status: 400, err_code: 'INVALID_VARS', err_msg: 'Wrong IP address' };
		provider.control.fault({ path: '/vm/token', status: 400, body });
		const { description } = await failure(prepare({ feed: 'account' }, {}, {}));
		expect(description).toMatch(/^Set "Machine IP Address" in the credential/);
	});

	it('reports a rejected login once: as the error, not as a failed execution too', async () => {
		const trigger = prepare({}, {}, wrongPassword);
		await failure(trigger);
		expect([trigger.failedExecutions, trigger.emittedErrors]).toEqual([[], []]);
	});

	it.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'an empty voice URL',
			{},
			{ voiceUrl: '' },
			/^"Voice Management URL" in the credential is empty/,
		],
		['an account feed without an address', { feed: 'account' }, { ip: '' }, /Machine IP Address/],
		[
			'a batch size of 0',
			{ options: { batchSize: 0 } },
			{},
			/"Batch Size" must be a whole number from 1 to 1000/,
		],
		[
			'a socket path with a question mark',
			{},
			{ customConnection: true, socketPath: '/socket.io/?x=1' },
			/"Socket Path" in the credential/,
		],
	])('fails for %s, with its name', async (_case, parameters, change, pattern) => {
		const { message } = await failure(prepare(parameters, {}, change));
		expect(message).toMatch(pattern);
		expect(provider.control.requests()).toEqual([]);
	});

	it('fails if the certificate is not trusted, and names the setting that helps', async () => {
		await provider.close();
		provider = await startProvider({ tls: true });
		const { message } = await failure(prepare());
		expect(message).toMatch(/certificate .* is not trusted .*NODE_EXTRA_CA_CERTS/);
		expect(provider.control.sockets()).toEqual([]);
	});

	it('names the host of the login if it differs from that of the events', async () => {
		await provider.close();
		provider = await startProvider({ tls: true });
		const trigger = prepare({ feed: 'account' }, {}, { voiceUrl: 'https://voice.example.com' });
		expect((await failure(trigger)).message).toContain(`certificate of 127.0.0.1:${provider.port}`);
	});

	it('succeeds if the provider is unreachable, and connects later', async () => {
		const { port } = provider;
		await provider.control.goAway();
		const trigger = await prepare().start();
		expect(trigger.logs.some(({ message }) => /still trying/.test(message))).toBe(true);
		await provider.control.listenAgain();
		expect(provider.port).toBe(port);
		await provider.control.waitForSockets(1);
		provider.control.send('UI', 'login');
		await trigger.untilItems(1);
	});

	it('sends the login nowhere else: a redirect does not count as a response', async () => {
		const elsewhere: string[] = [];
		const other = createServer((request, response) => {
			elsewhere.push(request.url ?? '');
			response.end('{}');
		});
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		try {
			const { port } = other.address() as AddressInfo;
			const location = `http://127.0.0.1:${port}/ws/`;
			provider.control.fault({ path: '/ws/', status: 307, headers: { location } });
			expect((await failure(prepare())).message).toMatch(/was redirected .*307/);
			expect(elsewhere).toEqual([]);
		} finally {
			await new Promise((resolve) => other.close(resolve));
		}
	});

	it('does not wait long for a server that hangs', async () => {
		provider.control.refuseLogins('hang');
		const clock = new HandClock();
		const trigger = prepare({}, { clock });
		const starting = trigger.start();
		await provider.control.waitForRequests({ path: '/ws/' });
		// Without that, the login would only be given up after 30 s.
		expect(await turnedUntil(clock, starting)).toBeLessThan(25);
		await trigger.close();
	});
});

describe('a start of n8n', () => {
	it.each(['init', 'leadershipChange'] as const)(
		'throws nothing if the login is rejected (%s), and runs the error workflow once',
		async (activation) => {
			const trigger = prepare({}, { activation }, wrongPassword);
			await trigger.start();
			await trigger.until(({ failedExecutions }) => failedExecutions.length === 1);
			expect(nth(trigger.failedExecutions, 0).message).toMatch(/refused the login/);
			expect(trigger.emittedErrors).toEqual([]);
		},
	);

	it('throws nothing if this n8n release cannot save a failed execution', async () => {
		const trigger = prepare(
			{},
			{ activation: 'init', withoutSaveFailedExecution: true },
			wrongPassword,
		);
		await trigger.start();
		await trigger.untilLog(/refused/i);
	});

	it('throws nothing if the settings cannot work: it reports that once and keeps trying', async () => {
		const trigger = prepare({ options: { batchSize: -1 } }, { activation: 'init' });
		await trigger.start();
		expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
			'"Batch Size" must be a whole number from 1 to 1000',
		]);
		await trigger.close();
		expect(provider.control.requests()).toEqual([]);
	});

	it('throws nothing if the provider is away, returns at once and connects later', async () => {
		await provider.control.goAway();
		const clock = new HandClock();
		// An activation by a person would wait for the clock, which stands still here.
		const trigger = await prepare({}, { activation: 'init', clock }).start();
		await trigger.untilLog(/next attempt in/);
		await provider.control.listenAgain();
		await clock.turnToNext();
		await provider.control.waitForSockets(1);
		provider.control.send('UI', 'login');
		await trigger.untilItems(1);
		expect([trigger.failedExecutions, trigger.emittedErrors]).toEqual([[], []]);
	});
});

describe('a running trigger', () => {
	it('reports a rejected login once per outage as a failed execution, and stays active', async () => {
		const trigger = await prepare().start();
		provider.control.refuseLogins(401);
		provider.control.disconnectSockets();
		await trigger.until(({ failedExecutions }) => failedExecutions.length === 1);
		expect(trigger.emittedErrors).toEqual([]);
		expect(nth(trigger.failedExecutions, 0).message).toMatch(/^The provider refused the login/);
	});

	it('reports it as an item instead if the workflow has feed status items', async () => {
		const trigger = await prepare({ options: { emitFeedStatus: true } }).start();
		provider.control.refuseLogins(403);
		provider.control.disconnectSockets();
		await trigger.until(({ items }) => items.some(({ event }) => event === 'refused'));
		expect(trigger.items.find(({ event }) => event === 'refused')).toMatchObject({
			type_notification: 'feed',
			status_code: 403,
			first: true,
		});
		expect(trigger.failedExecutions).toEqual([]);
	});

	it('closes without an exception if it never connected', async () => {
		await provider.control.goAway();
		const trigger = await prepare().start();
		await trigger.close();
	});
});

describe('the Test of a credential while its workflow is connected', () => {
	const test = async (change: object = {}) => {
		const data = { ...credentialsFor(provider).voiceManagementSupervisorApi, ...change };
		return await credentialTest.supervisor(data);
	};

	it('is green without a login, which would end the session', async () => {
		provider.control.set({ singleSession: true });
		const trigger = prepare({});
		await trigger.start();
		const logins = provider.control.requests().filter(({ url }) => url === '/ws/').length;
		expect(await test()).toEqual({
			status: 'OK',
			message: expect.stringMatching(/^Already connected: the login is right/),
		});
		expect(provider.control.requests().filter(({ url }) => url === '/ws/')).toHaveLength(logins);
		expect(provider.control.sockets()).toHaveLength(1);
	});

	it('logs in once the provider has refused the renewal of the connection', async () => {
		const clock = new HandClock(Date.now());
		const trigger = await prepare({}, { activation: 'init', clock }).start();
		await provider.control.waitForSockets(1);
		const { supervisor } = provider.accounts;
		const { password } = supervisor;
		supervisor.password = 'changed-at-the-provider';
		// A silence renews the connection.
		await clock.turn(30 * 60_000);
		await trigger.untilLog(/could not open the next connection/);
		const { message } = await test({ password });
		supervisor.password = password;
		expect(message).toMatch(/^Login or password is wrong/);
	});

	it('logs in for another password, and once the workflow is unpublished', async () => {
		const trigger = prepare({});
		await trigger.start();
		expect((await test({ password: 'wrong' })).status).toBe('Error');
		// The workflow logs in with another spelling.
		expect((await test({ accountTypeKey: 'both' })).message).toBe('Logged in as the supervisor');
		await trigger.close();
		expect((await test()).message).toBe('Logged in as the supervisor');
	});
});
