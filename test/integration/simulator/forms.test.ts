// The readings of the provider are strict: a case of the nodes would pass if its form accepted everything.

import axios from 'axios';
import { startProvider, type Provider, type ProviderOptions } from '../../../simulator';
import {
	connectSupervisor,
	FeedClient,
	login,
	restClient,
	supervisorHeader,
	tokenRequest,
	xJson,
} from './helpers';
import { nth } from '../../support/present';

let provider: Provider;
const clients: FeedClient[] = [];
afterEach(async () => {
	await Promise.all(clients.splice(0).map((client) => client.close()));
	await provider.close();
});

const words = (list: string) => list.split(' ').filter(Boolean);

async function serve(forms: string[] = [], options: Partial<ProviderOptions> = {}) {
	provider = await startProvider({ forms, ...options });
	return provider;
}

/** The result of an `init`: accepted, rejected by a disconnect, or reported in a message. */
async function init(...args: unknown[]) {
	const client = new FeedClient(4, provider.url);
	clients.push(client);
	await client.until(() => client.connected);
	const { inits, refusedInits } = provider.control.counts();
	client.emit('init', ...args);
	await provider.control.waitFor((control) => {
		const counts = control.counts();
		return counts.inits > inits || counts.refusedInits > refusedInits;
	});
	return { client, taken: provider.control.counts().inits > inits };
}

it.each<[forms: string, header: object, more: { data?: string; headers?: object }]>([
	['', {}, { data: '{}' }],
	['', { id_client: 1 }, {}],
	['', {}, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
	['count-type-only', {}, {}],
	['account-type-only', { account_type: undefined, count_type: 'supervisor' }, {}],
	['count-type-only', { count_type: 'supervisor' }, {}],
])('%s: a login with %j, %j is refused', async (forms, header, more) => {
	await serve(words(forms));
	const value = xJson(supervisorHeader(provider, header));
	const { status } = await axios.request({
		...{ method: 'POST', url: `${provider.url}/ws/`, validateStatus: () => true, ...more },
		headers: { 'X-JSON': value, 'Content-Type': false, ...more.headers },
	});
	expect([400, 415]).toContain(status);
});

it('a bodiless PUT with the content type of a web form is refused', async () => {
	await serve();
	const rest = restClient(provider, { 'Content-Type': 'application/x-www-form-urlencoded' });
	expect((await rest.put('/regulation/address/1/verification')).status).toBe(415);
});

it.each([
	['', String, 'target'],
	['target-text', Number, 'target'],
	['token-number', String, 'id_session'],
] as const)('%s: init takes a value in its own type only, and once', async (forms, other, name) => {
	await serve(words(forms));
	const given = (await login(provider)).data as Record<string, unknown>;
	const wrong = { ...given, [name]: other(given[name]) };
	expect((await init('supervisor', wrong.target, wrong.id_session)).taken).toBe(false);
	const { client, taken } = await init('supervisor', given.target, given.id_session);
	expect(taken).toBe(true);
	client.emit('init', 'supervisor', given.target, given.id_session);
	await client.until(() => client.reasons.length > 0);
});

it('cookies: a request without the cookies of login and handshake is rejected', async () => {
	await serve(['cookies']);
	const handshake = (cookie?: string) =>
		axios.get<string>(`${provider.url}/socket.io/?EIO=4&transport=polling`, {
			headers: cookie ? { cookie } : {},
			validateStatus: () => true,
		});
	const given = nth((await login(provider)).headers['set-cookie']!.join().split(';'), 0);
	expect((await handshake()).status).toBe(400);
	const opened = await handshake(given);
	expect(opened.headers['set-cookie']).toHaveLength(1);
	const sid = /"sid":"([^"]+)"/.exec(opened.data)![1];
	const poll = (cookie: string) =>
		axios.post(`${provider.url}/socket.io/?EIO=4&transport=polling&sid=${sid}`, '40', {
			headers: { cookie, 'Content-Type': 'text/plain' },
			validateStatus: () => true,
		});
	expect((await poll(given)).status).toBe(400);
	const second = nth(opened.headers['set-cookie']!, 0).split(';')[0];
	expect((await poll(`${given}; ${second}`)).status).toBe(200);
});

it.each([
	['websocket-only', 'websocket', 'polling', 4],
	['polling-only', 'polling', 'websocket', 4],
	['path-without-slash', undefined, 'polling', 4],
	['eio4-refused', undefined, 'polling', 2],
] as const)('%s', async (form, taken, refused, socketio) => {
	await serve([form], { socketio });
	const client = new FeedClient(4, provider.url, [refused]);
	clients.push(client);
	await client.until(() => client.reasons.length > 0);
	expect(client.reasons).toEqual(['connect_error']);
	if (taken === undefined) return;
	const other = new FeedClient(4, provider.url, [taken]);
	clients.push(other);
	await other.until(() => other.connected);
});

it('acknowledged: the next event waits for the acknowledgement of the previous one', async () => {
	await serve(['acknowledged']);
	const { client } = await connectSupervisor(provider, 4);
	clients.push(client);
	provider.control.send('UI', 'pause');
	provider.control.send('UI', 'unpause');
	await client.until(() => client.updates.length === 1);
	const [first, acknowledge] = client.updates[0] as [unknown, () => void];
	expect(first).toMatchObject({ event: { event: 'pause' } });
	acknowledge();
	await client.until(() => client.updates.length === 2);
});

it('strict-addresses: ::1 is not 127.0.0.1', async () => {
	await serve(['strict-addresses']);
	expect((await tokenRequest(provider, { ip: '::1', user_type: 'api' })).status).toBe(403);
	expect((await tokenRequest(provider)).status).toBe(200);
});
