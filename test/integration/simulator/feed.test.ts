// The notification feed with real clients of all Socket.IO versions.

import axios from 'axios';
import { startOperator, type Operator } from '../../../simulator';
import { connectSupervisor, FeedClient, login, tokenRequest } from './helpers';
import { nth } from '../../support/present';

describe.each([4, 2, 1] as const)('Socket.IO %i', (generation) => {
	let operator: Operator;
	let clients: FeedClient[];
	beforeEach(async () => {
		operator = await startOperator({ socketio: generation });
		clients = [];
	});
	afterEach(async () => {
		await Promise.all(clients.map((client) => client.close()));
		await operator.close();
	});

	async function connected(transports?: string[], path?: string) {
		const client = new FeedClient(generation, operator.url, transports, path);
		clients.push(client);
		await client.until(() => client.connected);
		return client;
	}
	async function supervisor(url?: string) {
		const { client, session } = await connectSupervisor(operator, generation, url);
		clients.push(client);
		return { client, session };
	}

	/** A client whose token lives this long, or longer if this machine needs longer for the way to `init`. */
	async function supervisorFor(seconds: number): Promise<FeedClient> {
		operator.control.set({ tokenLifetime: seconds });
		const session = (await login(operator)).data as { target: number; id_session: string };
		const client = await connected();
		const before = operator.control.counts();
		client.emit('init', 'supervisor', session.target, session.id_session);
		await operator.control.waitFor((control) => {
			const { inits, refusedInits } = control.counts();
			return inits > before.inits || refusedInits > before.refusedInits;
		});
		if (operator.control.counts().inits > before.inits) return client;
		return await supervisorFor(seconds * 2);
	}

	it('delivers update events after init, and none before', async () => {
		const session = (await login(operator)).data as { target: number; id_session: string };
		const client = await connected();
		expect(operator.control.push({ early: true })).toBe(0);
		client.emit('init', 'supervisor', session.target, session.id_session);
		await operator.control.waitForSockets(1);
		const sent = operator.control.send('queue', 'insert_call', { id_call: 7 });
		await client.until(() => client.updates.length > 0);
		expect(client.updates).toEqual([[sent]]);
		expect(sent).toEqual({
			cpt: 1,
			elapse: 0,
			ts: expect.any(Number),
			event: { msg: { id_call: 7 }, type_notification: 'queue', event: 'insert_call' },
		});
	});

	it.each([['websocket'], ['polling']])('speaks %s', async (transport) => {
		const session = (await login(operator)).data as { target: number; id_session: string };
		const client = await connected([transport]);
		client.emit('init', 'supervisor', session.target, session.id_session);
		await operator.control.waitForSockets(1);
		operator.control.push('hello');
		await client.until(() => client.updates.length > 0);
		expect(client.transport).toBe(transport);
		expect(operator.control.sockets()).toMatchObject([
			{
				transport,
				initialised: true,
				receiving: true,
				kind: 'supervisor',
				target: '9001',
				sent: 1,
			},
		]);
	});

	it('upgrades from polling to websocket', async () => {
		const client = await connected(['polling', 'websocket']);
		client.emit('x');
		await operator.control.waitFor(
			(control) => nth(control.sockets(), 0).transport === 'websocket',
		);
		expect(operator.control.requests({ area: 'feed', method: 'GET' }).length).toBeGreaterThan(1);
	});

	it('accepts the token of an API account for its client id', async () => {
		const { id_session } = (await tokenRequest(operator)).data as { id_session: string };
		const client = await connected();
		client.emit('init', 'api', '4242', id_session);
		await operator.control.waitForSockets(1);
		await supervisor();
		expect(operator.control.push({ to: 'both' })).toBe(2);
		expect(operator.control.push({ to: 'api' }, { to: 'api' })).toBe(1);
		await client.until(() => client.updates.length === 2);
		const { id } = operator.control.sockets().find(({ kind }) => kind === 'supervisor')!;
		expect(operator.control.push({ to: 'one' }, { to: { socket: id } })).toBe(1);
	});

	it.each<[string, (session: { target: number; id_session: string }) => unknown[]]>([
		['another account type', ({ target, id_session }) => ['agent', target, id_session]],
		['the account type of the other feed', ({ target, id_session }) => ['api', target, id_session]],
		['another target', ({ id_session }) => ['supervisor', 1, id_session]],
		['another token', ({ target }) => ['supervisor', target, 'x']],
		['too few arguments', ({ target }) => ['supervisor', target]],
		['too many arguments', ({ target, id_session }) => ['supervisor', target, id_session, 1]],
		['objects', () => [{}, {}, {}]],
		['nothing', () => []],
	])('disconnects a client that sends init with %s', async (_what, args) => {
		const session = (await login(operator)).data as { target: number; id_session: string };
		const client = await connected();
		client.emit('init', ...args(session));
		await client.until(() => client.reasons.length > 0);
		expect(client.reasons).toEqual(['io server disconnect']);
		expect(operator.control.counts()).toMatchObject({ inits: 0, refusedInits: 1 });
	});

	it('rejects an expired token', async () => {
		const session = (await login(operator)).data as { target: number; id_session: string };
		expect(operator.control.expireTokens()).toBe(1);
		const client = await connected();
		client.emit('init', 'supervisor', session.target, session.id_session);
		await client.until(() => client.reasons.length > 0);
		expect(client.reasons).toEqual(['io server disconnect']);
	});

	describe('at the end of a token', () => {
		it('disconnects', async () => {
			const { client } = await supervisor();
			operator.control.expireTokens();
			await client.until(() => client.reasons.length > 0);
			expect(client.reasons).toEqual(['io server disconnect']);
			await operator.control.waitForSockets(0);
		});

		it('disconnects when the time is over', async () => {
			const client = await supervisorFor(0.2);
			await client.until(() => client.reasons.length > 0);
			expect(client.reasons).toEqual(['io server disconnect']);
			expect(operator.control.counts().tokens).toBe(0);
		});

		it('goes silent', async () => {
			operator.control.set({ onExpiry: 'silence' });
			const { client } = await supervisor();
			operator.control.expireTokens();
			expect(operator.control.push({})).toBe(0);
			expect(operator.control.sockets()).toMatchObject([{ initialised: true, receiving: false }]);
			expect(client.connected).toBe(true);
		});

		it('does nothing', async () => {
			operator.control.set({ onExpiry: 'nothing' });
			const { client } = await supervisor();
			operator.control.expireTokens();
			expect(operator.control.push({})).toBe(1);
			await client.until(() => client.updates.length === 1);
		});

		it('affects only the connections of that token', async () => {
			const first = await supervisorFor(0.3);
			operator.control.set({ tokenLifetime: 60 });
			const { client: second } = await supervisor();
			await first.until(() => first.reasons.length > 0);
			expect(second.connected).toBe(true);
			expect(operator.control.push({})).toBe(1);
		});
	});

	it('closes the older connection if one session is allowed', async () => {
		operator.control.set({ singleSession: true });
		const { client: older } = await supervisor();
		const { client: newer } = await supervisor();
		await older.until(() => older.reasons.length > 0);
		expect(older.reasons).toEqual(['io server disconnect']);
		expect(newer.connected).toBe(true);
		await operator.control.waitForSockets(1);
	});

	it('keeps both if several are allowed', async () => {
		await supervisor();
		await supervisor();
		expect(operator.control.push({})).toBe(2);
	});

	it('disconnects, cuts and silences on command', async () => {
		const { client: one } = await supervisor();
		expect(operator.control.disconnectSockets()).toBe(1);
		await one.until(() => one.reasons.length > 0);
		expect(one.reasons).toEqual(['io server disconnect']);
		const { client: two } = await supervisor();
		expect(operator.control.destroySockets()).toBe(1);
		await two.until(() => two.reasons.length > 0);
		expect(two.reasons).toEqual(['transport close']);
		const { client: three } = await supervisor();
		expect(operator.control.cutTcp()).toBeGreaterThan(0);
		await three.until(() => three.reasons.length > 0);
		const { client: four } = await supervisor();
		expect(operator.control.silenceSockets()).toBe(1);
		expect(operator.control.push({})).toBe(0);
		expect(four.connected).toBe(true);
	});

	it('sends payloads in any form, binary and raw arguments', async () => {
		const { client } = await supervisor();
		operator.control.push({ a: 1 }, { form: 'array' });
		operator.control.push({ a: 1 }, { form: 'text' });
		operator.control.push(null);
		operator.control.push(Buffer.from([1, 2, 3]));
		operator.control.pushRaw('update', []);
		operator.control.pushRaw('update', ['x', { y: 1 }, 2]);
		operator.control.push('x'.repeat(1_000_000));
		await client.until(() => client.updates.length === 7);
		expect(client.updates.slice(0, 3)).toEqual([[['update', { a: 1 }]], ['{"a":1}'], [null]]);
		expect(Buffer.from(nth(client.updates, 3)[0] as ArrayBuffer)).toEqual(Buffer.from([1, 2, 3]));
		expect(client.updates.slice(4, 6)).toEqual([[], ['x', { y: 1 }, 2]]);
		expect(nth(client.updates, 6)[0]).toHaveLength(1_000_000);
	});

	it('sends a burst in order, numbered', async () => {
		const { client } = await supervisor();
		operator.control.setCpt(100);
		const burst = {
			count: 2000,
			type: 'trunk',
			event: 'connect_call',
			msg: { status: 'connected' },
		};
		expect(await operator.control.pushBurst(burst)).toEqual({ first: 101, last: 2100 });
		await client.until(() => client.updates.length === 2000);
		const updates = client.updates.map(([update]) => update as { cpt: number; event: unknown });
		expect(updates.map(({ cpt }) => cpt)).toEqual(
			Array.from({ length: 2000 }, (_, index) => 101 + index),
		);
		expect(nth(updates, 1).event).toEqual({
			type_notification: 'trunk',
			event: 'connect_call',
			msg: { id_call: 2, status: 'connected' },
		});
	});

	it('sends a burst at a rate', async () => {
		await supervisor();
		const before = performance.now();
		await operator.control.pushBurst({ count: 101, rate: 500 });
		expect(performance.now() - before).toBeGreaterThan(190);
	});

	it('keeps a connection that responds to its pings', async () => {
		await operator.close();
		operator = await startOperator({ socketio: generation, pingInterval: 20 });
		const { client } = await supervisor();
		await client.until(() => client.pings >= 5);
		expect(client.connected).toBe(true);
	});

	it('rejects handshakes on command', async () => {
		for (const how of [403, 503, 'html', 'destroy'] as const) {
			operator.control.refuseHandshakes(how);
			for (const transport of ['polling', 'websocket']) {
				const client = new FeedClient(generation, operator.url, [transport]);
				clients.push(client);
				await client.until(() => client.reasons.length > 0);
				expect(client.reasons).toEqual(['connect_error']);
			}
		}
		operator.control.refuseHandshakes(null);
		await connected();
	});

	it('responds to the version probe like a server of that version', async () => {
		const probe = async (version: number) =>
			axios.get<string>(`${operator.url}/socket.io/?EIO=${version}&transport=polling`, {
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

	it('uses another path if that is set', async () => {
		await operator.close();
		operator = await startOperator({ socketio: generation, socketPath: '/feed/v2/' });
		expect((await connected(['websocket'], '/feed/v2/')).connected).toBe(true);
		const usual = new FeedClient(generation, operator.url, ['polling']);
		clients.push(usual);
		await usual.until(() => usual.reasons.length > 0);
		expect(usual.reasons).toEqual(['connect_error']);
	});

	it('serves the test page with the client of its version', async () => {
		const { id_session } = (await tokenRequest(operator)).data as { id_session: string };
		const url = `${operator.url}/labo/index.htm?id_client=4242&id_session=`;
		await expect(axios.get(`${url}x`)).rejects.toThrow('403');
		await expect(axios.get(`${operator.url}/labo/index.htm`)).rejects.toThrow('403');
		const page = await axios.get<string>(url + id_session);
		expect(page.headers['content-type']).toMatch('text/html');
		expect(page.data).toMatch('data-socket-path="/socket.io/"');
		for (const [, file] of page.data.matchAll(/src="([^"]+)"/g)) {
			expect((await axios.get(operator.url + file)).headers['content-type']).toMatch(
				'text/javascript',
			);
		}
		const { data } = await axios.get<string>(`${operator.url}/labo/socket.io.js`);
		expect(data).toMatch({ 4: 'Socket.IO v4.', 2: 'Socket.IO v2.', 1: 'b64' }[generation]);
	});
});

it('binds a token to the IP address that requested it', async () => {
	const operator = await startOperator({ host: '0.0.0.0' });
	const { target, id_session } = (
		await login({ ...operator, url: `http://127.0.0.1:${operator.port}` })
	).data as { target: number; id_session: string };
	// All of 127/8 is this machine, but a different source address.
	const client = new FeedClient(4, `http://127.0.0.1:${operator.port}`, ['websocket'], undefined, {
		localAddress: '127.0.0.2',
	});
	await client.until(() => client.connected);
	client.emit('init', 'supervisor', target, id_session);
	await client.until(() => client.reasons.length > 0);
	expect(client.reasons).toEqual(['io server disconnect']);
	await client.close();
	await operator.close();
});
