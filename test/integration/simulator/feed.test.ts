// What the two logins of the feed and its connections refuse, and how they end: the second reading of the documents,
// against which the trigger is tested. What they accept, every suite of the trigger shows.

import axios from 'axios';
import { startProvider, type Provider } from '../../../simulator';
import {
	basic,
	connectSupervisor,
	FeedClient,
	login,
	supervisorHeader,
	tokenRequest,
} from './helpers';

/** Status and code of an error of this family. */
const refused = ({ status, data }: { status: number; data: unknown }) => {
	const body = data as { status: number; err_code: string; err_msg: string };
	expect(Object.keys(body)).toEqual(['status', 'err_code', 'err_msg']);
	expect(body.status).toBe(status);
	expect(body.err_msg).not.toBe('');
	return `${status} ${body.err_code}`;
};

describe('the logins', () => {
	let provider: Provider;
	beforeEach(async () => {
		provider = await startProvider();
	});
	afterEach(() => provider.close());

	it.each<[value: unknown, error: string]>([
		['', '400 INVALID_VARS'],
		['{', '400 INVALID_VARS'],
		[[], '400 INVALID_VARS'],
		[{ requete: 'x', header: {}, msg: {} }, '400 INVALID_VARS'],
		[{ requete: 'init', header: {} }, '400 INVALID_VARS'],
		[{ requete: 'init', header: {}, msg: { x: 1 } }, '400 INVALID_VARS'],
		[{ requete: 'init', msg: {} }, '400 INVALID_VARS'],
		[{ requete: 'init', header: {}, msg: {} }, '400 INVALID_VARS'],
	])('of a supervisor: %j gets %s', async (value, error) => {
		expect(refused(await login(provider, value))).toBe(error);
	});

	it.each<[header: object, error: string]>([
		[{ password: 'x' }, '401 INVALID_LOGIN'],
		[{ login: 'x' }, '401 INVALID_LOGIN'],
		[{ login: 'api', password: 'api-secret-é' }, '401 INVALID_LOGIN'],
		[{ account_type: 'operator' }, '403 INVALID_ACCOUNT_TYPE'],
		[{ account_type: undefined }, '400 INVALID_VARS'],
		[{ count_type: 'operator' }, '400 INVALID_VARS'],
	])('of a supervisor: a header with %j gets %s', async (header, error) => {
		const value = supervisorHeader(provider, header);
		expect(refused(await login(provider, value))).toBe(error);
		expect(refused(await login(provider, { ...value, body: 1 }))).toMatch(/^40/);
		expect(provider.control.logins()).toBe(0);
	});

	it('of a supervisor: a password that was damaged in the header gets 401', async () => {
		const damaged = Buffer.from(JSON.stringify(supervisorHeader(provider))).toString('latin1');
		expect(refused(await login(provider, damaged))).toBe('401 INVALID_LOGIN');
	});

	const token = { ip: '127.0.0.1', user_type: 'api' };
	const as = (name: string, password: string) => ({
		Authorization: basic({ login: name, password }),
	});
	it.each<[body: unknown, headers: Record<string, string>, error: string]>([
		[{ ip: '192.0.2.1', user_type: 'api' }, {}, '403 INVALID_IP'],
		[{ user_type: 'api' }, {}, '400 INVALID_VARS'],
		[{ ip: '127.0.0.1', user_type: 'supervisor' }, {}, '400 INVALID_VARS'],
		[{ ...token, x: 1 }, {}, '400 INVALID_VARS'],
		[[], {}, '400 INVALID_VARS'],
		[JSON.stringify(token), { 'Content-Type': 'text/plain' }, '400 INVALID_VARS'],
		['{', { 'Content-Type': 'application/json' }, '400 INVALID_VARS'],
		[token, as('numbers', 'numbers-secret-é'), '401 INVALID_LOGIN'],
		[token, as('api', 'x'), '401 INVALID_LOGIN'],
	])('of an API account: %j with %j gets %s', async (body, headers, error) => {
		expect(refused(await tokenRequest(provider, body, headers))).toBe(error);
		expect(provider.control.logins()).toBe(0);
	});

	it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
		'of an API account: this machine may be called %s',
		async (ip) => {
			expect((await tokenRequest(provider, { ...token, ip })).status).toBe(200);
		},
	);

	it.each(['ws/', 'vm/token'])('are no GET of /%s', async (path) => {
		const response = await axios.get(`${provider.url}/${path}`, { validateStatus: () => true });
		expect(refused(response)).toBe('405 METHOD_NOT_ALLOWED');
	});
});

describe.each([4, 2, 1] as const)('a connection on Socket.IO %i', (generation) => {
	let provider: Provider;
	const clients: FeedClient[] = [];
	beforeEach(async () => {
		provider = await startProvider({ socketio: generation });
	});
	afterEach(async () => {
		await Promise.all(clients.splice(0).map((client) => client.close()));
		await provider.close();
	});

	async function connected(more?: object) {
		const client = new FeedClient(generation, provider.url, ['websocket'], more);
		clients.push(client);
		await client.until(() => client.connected);
		return client;
	}
	async function supervisor() {
		const { client } = await connectSupervisor(provider, generation);
		clients.push(client);
		return client;
	}
	async function isEnded(client: FeedClient, reason = 'io server disconnect') {
		await client.until(() => client.reasons.length > 0);
		expect(client.reasons).toEqual([reason]);
	}

	it.each<[string, (session: { target: number; id_session: string }) => unknown[]]>([
		['another account type', ({ target, id_session }) => ['agent', target, id_session]],
		['the account type of the other feed', ({ target, id_session }) => ['api', target, id_session]],
		['another target', ({ id_session }) => ['supervisor', 1, id_session]],
		['another token', ({ target }) => ['supervisor', target, 'x']],
		['too few arguments', ({ target }) => ['supervisor', target]],
		['too many arguments', ({ target, id_session }) => ['supervisor', target, id_session, 1]],
		['objects', () => [{}, {}, {}]],
		['nothing', () => []],
	])('ends by an init with %s, and gets no event before', async (_what, args) => {
		const session = (await login(provider)).data as { target: number; id_session: string };
		const client = await connected();
		expect(provider.control.push({ early: true })).toBe(0);
		client.emit('init', ...args(session));
		await isEnded(client);
		expect(client.updates).toEqual([]);
		expect(provider.control.counts()).toMatchObject({ inits: 0, refusedInits: 1 });
	});

	it('ends with its token, or goes silent, or goes on, and other tokens go on', async () => {
		const ends = await supervisor();
		provider.control.expireTokens();
		await isEnded(ends);
		provider.control.set({ onExpiry: 'silence' });
		const silent = await supervisor();
		provider.control.expireTokens();
		expect(provider.control.push({})).toBe(0);
		expect(silent.connected).toBe(true);
		provider.control.set({ onExpiry: 'nothing' });
		const goesOn = await supervisor();
		provider.control.expireTokens();
		expect(provider.control.push({})).toBe(1);
		await goesOn.until(() => goesOn.updates.length === 1);
	});

	it('gets no event with a token that has expired', async () => {
		const session = (await login(provider)).data as { target: number; id_session: string };
		provider.control.expireTokens();
		const client = await connected();
		client.emit('init', 'supervisor', session.target, session.id_session);
		await isEnded(client);
	});

	it('ends when another one opens, if one session is allowed', async () => {
		provider.control.set({ singleSession: true });
		const older = await supervisor();
		const newer = await supervisor();
		await isEnded(older);
		expect(newer.connected).toBe(true);
	});

	it('ends, breaks and is silent on command', async () => {
		const one = await supervisor();
		expect(provider.control.disconnectSockets()).toBe(1);
		await isEnded(one);
		const two = await supervisor();
		expect(provider.control.destroySockets()).toBe(1);
		await isEnded(two, 'transport close');
		const three = await supervisor();
		expect([provider.control.push({}, { to: 'api' }), provider.control.push({})]).toEqual([0, 1]);
		expect(provider.control.silenceSockets()).toBe(1);
		expect(provider.control.push({})).toBe(0);
		expect(three.connected).toBe(true);
	});

	it('has the path that is set', async () => {
		await provider.close();
		provider = await startProvider({ socketio: generation, socketPath: '/feed/v2/' });
		await connected({ path: '/feed/v2/' });
		const usual = new FeedClient(generation, provider.url, ['polling']);
		clients.push(usual);
		await isEnded(usual, 'connect_error');
	});

	it('is probed like a server of that version', async () => {
		const probe = async (version: number) =>
			axios.get<string>(`${provider.url}/socket.io/?EIO=${version}&transport=polling`, {
				validateStatus: () => true,
				responseType: 'text',
				transformResponse: (body: string) => body,
			});
		const four = await probe(4);
		if (generation === 4) {
			expect(four.data).toMatch(/^0\{"sid":/);
			expect((await probe(3)).data).toMatch('Unsupported protocol version');
		} else {
			// Socket.IO 1 responds in binary framing: a zero, the length digit by digit as bytes, 255.
			expect(four.data).toMatch(generation === 2 ? /^\d+:0\{"sid":/ : /^\0[\0-\t]+\ufffd0\{"sid":/);
		}
	});
});

it('binds a token to the IP address that requested it', async () => {
	const provider = await startProvider({ host: '0.0.0.0' });
	const url = `http://127.0.0.1:${provider.port}`;
	const session = await login({ ...provider, url });
	const { target, id_session } = session.data as { target: number; id_session: string };
	// All of 127/8 is this machine, but a different source address.
	const client = new FeedClient(4, url, ['websocket'], { localAddress: '127.0.0.2' });
	await client.until(() => client.connected);
	client.emit('init', 'supervisor', target, id_session);
	await client.until(() => client.reasons.length > 0);
	expect(client.reasons).toEqual(['io server disconnect']);
	await client.close();
	await provider.close();
});
