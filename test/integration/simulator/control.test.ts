// The control API, in-process and from another process: faults, outages, the log, waits, scenes.

import axios from 'axios';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { OperatorError, remoteControl, startOperator, type Operator } from '../../../simulator';
import { connectSupervisor, createCart, login, restClient } from './helpers';

let operator: Operator;
beforeEach(async () => {
	operator = await startOperator();
});
afterEach(() => operator.close());

const list = (client = restClient(operator)) =>
	client.get('/regulation/address', { params: { pageNumber: 0, pageSize: 1 } });

describe('the control API is for this machine', () => {
	const ask = async (headers: Record<string, string>) =>
		(await axios.get(`${operator.url}/control`, { headers, validateStatus: () => true })).status;

	it.each([
		[{ host: 'evil.example' }, 403],
		[{ host: '127.0.0.1.evil.example:80' }, 403],
		[{ host: 'evil.example@127.0.0.1' }, 403],
		[{ host: '127.0.0.1/.evil.example' }, 403],
		[{ origin: 'https://evil.example' }, 403],
		[{ origin: 'null' }, 403],
		[{ host: 'localhost:1' }, 200],
		[{}, 200],
	])('%j gets the response %i', async (headers, status) => {
		expect(await ask(headers as Record<string, string>)).toBe(status);
	});

	it('accepts its own page', async () => {
		expect(await ask({ origin: operator.url })).toBe(200);
	});

	/** The status of a request whose target and headers are sent as they are. */
	async function raw(target: string, ...headers: string[]): Promise<number> {
		const socket = connect(operator.port, '127.0.0.1');
		socket.end(
			[
				`POST ${target} HTTP/1.1`,
				'Content-Length: 0',
				'Connection: close',
				...headers,
				'',
				'',
			].join('\r\n'),
		);
		let response = '';
		for await (const piece of socket) response += String(piece);
		return Number(response.split(' ')[1]);
	}

	const OWN = 'Host: 127.0.0.1';
	const FOREIGN = 'Origin: https://evil.example';

	it.each([
		['as usual', '/control/sockets', [OWN], 200],
		['from a page', '/control/requests', [OWN, FOREIGN], 403],
		['with an encoded letter', '/%63ontrol/requests', [OWN, FOREIGN], 403],
		['with every letter encoded', '/%63%6f%6e%74%72%6f%6c/requests', [OWN, FOREIGN], 403],
		['with a query', '/control/requests?a=/x', [OWN, FOREIGN], 403],
		['to the chat', '/%63hat', [OWN, FOREIGN], 403],
		['by an absolute URL', 'http://evil.example/control/requests', [OWN], 400],
		['by an absolute URL of its own', 'http://127.0.0.1/control/requests', [OWN, FOREIGN], 400],
		['with two hosts', '/control/requests', [OWN, 'Host: evil.example'], 400],
		['with two hosts to the provider', '/vm/token', [OWN, 'Host: evil.example'], 400],
		['without a host', '/control/requests', [], 400],
	])('a request %s (%s) gets the right status', async (_how, target, headers, status) => {
		expect(await raw(target, ...headers)).toBe(status);
	});

	it('no way around stops the listener', async () => {
		await raw('/%63ontrol/stopListening', OWN, FOREIGN);
		await raw('http://127.0.0.1/control/stopListening', OWN, FOREIGN);
		expect(operator.control.counts().listening).toBe(true);
	});
});

describe('faults', () => {
	it('change the next responses, then they are as usual', async () => {
		operator.control.fault({
			times: 2,
			status: 429,
			headers: { 'Retry-After': '1' },
			body: { httpStatusCode: 429 },
		});
		for (let time = 0; time < 2; time++) {
			const response = await list();
			expect(response.status).toBe(429);
			expect(response.headers['retry-after']).toBe('1');
			expect(response.data).toEqual({ httpStatusCode: 429 });
		}
		expect((await list()).status).toBe(200);
		expect(operator.control.requests().map(({ status }) => status)).toEqual([429, 429, 200]);
	});

	it('can be limited to a method and a path, and begin after a number of requests', async () => {
		operator.control.fault({ method: 'put', path: '/vbapi/v1/ordering', after: 1, status: 503 });
		const rest = restClient(operator);
		expect((await list()).status).toBe(200);
		expect((await rest.put('/ordering/cart', {})).status).toBe(200);
		expect((await rest.put('/ordering/cart', {})).status).toBe(503);
		expect(operator.control.counts().pendingFaults).toBe(0);
	});

	it('can be removed again', async () => {
		operator.control.fault({ status: 500 });
		operator.control.clearFaults();
		expect((await list()).status).toBe(200);
	});

	it('return HTML pages, redirects and empty bodies', async () => {
		operator.control.faultHtml('/vbapi/');
		const page = await list();
		expect([page.status, page.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
		expect(page.data).toMatch('<h1>Bad Gateway</h1>');
		operator.control.faultRedirect('/vbapi/', 'https://login.example.com/');
		const redirect = await list();
		expect([redirect.status, redirect.headers.location]).toEqual([
			302,
			'https://login.example.com/',
		]);
		operator.control.fault({ status: 200 });
		const empty = await list();
		expect([empty.status, empty.data]).toEqual([200, '']);
	});

	it('end the connection before the work is done', async () => {
		operator.control.fault({ destroy: true });
		await expect(restClient(operator).put('/ordering/cart', {})).rejects.toMatchObject({
			code: 'ECONNRESET',
		});
		expect(operator.control.numbers().carts).toHaveLength(0);
		expect(operator.control.requests()).toMatchObject([{ method: 'PUT', status: null }]);
	});

	it('lose the response after the work was done', async () => {
		const rest = restClient(operator);
		operator.control.fault({ destroy: true, processed: true });
		await expect(rest.put('/ordering/cart', {})).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(operator.control.numbers().carts).toHaveLength(1);
		operator.control.fault({ status: 504, body: 'late', processed: true });
		const response = await rest.put('/ordering/cart', {});
		expect([response.status, response.data]).toEqual([504, 'late']);
		expect(operator.control.numbers().carts).toHaveLength(2);
	});

	it('never respond, or only late', async () => {
		operator.control.fault({ hang: true });
		await expect(list(restClient(operator).create({ timeout: 100 }))).rejects.toMatchObject({
			code: 'ECONNABORTED',
		});
		operator.control.fault({ delayMs: 120, onlyDelay: true });
		const before = performance.now();
		expect((await list()).status).toBe(200);
		expect(performance.now() - before).toBeGreaterThan(110);
	});

	it('affect the logins too', async () => {
		operator.control.fault({ path: '/ws/', status: 502, body: 'x' });
		expect((await login(operator)).status).toBe(502);
	});
});

describe('going away', () => {
	it('stops listening, keeps open connections, and comes back on the same port', async () => {
		const { client } = await connectSupervisor(operator, 4);
		await operator.control.stopListening();
		expect(operator.control.counts().listening).toBe(false);
		expect(operator.control.push({})).toBe(1);
		await client.until(() => client.updates.length === 1);
		// A separate pool, so that the connection is a new one.
		const fresh = { httpAgent: new Agent(), validateStatus: () => true };
		await expect(axios.get(operator.url, fresh)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		await operator.control.listenAgain();
		expect((await axios.get(operator.url, fresh)).status).toBe(404);
		await client.close();
	});

	it.each([false, true])(
		'closes everything and comes back by itself (reset: %s)',
		async (reset) => {
			const { client } = await connectSupervisor(operator, 4);
			await operator.control.goAway({ forMs: 50, reset });
			await client.until(() => client.reasons.length > 0);
			await operator.control.waitFor((control) => control.counts().listening);
			const { client: again } = await connectSupervisor(operator, 4);
			await again.close();
		},
	);

	it('comes back when another process has left its port', async () => {
		await operator.control.goAway({ forMs: 20 });
		const other = createServer().listen(operator.port, '127.0.0.1');
		await once(other, 'listening');
		await expect(operator.control.listenAgain()).rejects.toThrow('is in use');
		other.close();
		await operator.control.waitFor((control) => control.counts().listening);
	});

	it('stays closed if it was closed while coming back', async () => {
		await operator.control.goAway();
		const back = operator.control.listenAgain();
		await operator.close();
		await back;
		await expect(axios.get(operator.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});

	it('supports both transports after it came back', async () => {
		await operator.control.goAway();
		await operator.control.listenAgain();
		const { client } = await connectSupervisor(operator, 4);
		expect(client.transport).toBe('websocket');
		await client.close();
	});
});

describe('the log', () => {
	it('contains each request with its URL as sent, headers and body', async () => {
		await restClient(operator).put('/ordering/cart?', { description: 'é' });
		await restClient(operator).get('/regulation/address/a%2Fb%2e?x=1%20y');
		expect(operator.control.requests()).toMatchObject([
			{
				id: 1,
				area: 'rest',
				method: 'PUT',
				path: '/vbapi/v1/ordering/cart',
				headers: { 'content-type': 'application/json', accept: 'application/json' },
				body: { description: 'é' },
				status: 200,
			},
			{
				id: 2,
				url: '/vbapi/v1/regulation/address/a%2Fb%2e?x=1%20y',
				path: '/vbapi/v1/regulation/address/a%2Fb%2e',
				query: { x: '1 y' },
				body: null,
				status: 400,
			},
		]);
		operator.control.clearRequests();
		expect(operator.control.requests()).toEqual([]);
	});

	it('keeps no more entries than set', async () => {
		const small = await startOperator({ requestLogLimit: 2 });
		for (let index = 0; index < 3; index++) await list(restClient(small));
		expect(small.control.requests().map(({ id }) => id)).toEqual([2, 3]);
		await small.close();
	});

	it('leaves the control requests out', async () => {
		await remoteControl(operator.url).counts();
		expect(operator.control.requests()).toEqual([]);
	});
});

describe('settings', () => {
	it.each([
		[{ onExpiry: 'later' }, 'onExpiry must be one of'],
		[{ tokenLifetime: -1 }, 'tokenLifetime must be a number'],
		[{ port: 1 }, '"port" can not be changed'],
	])('refuses %j', (settings, reason) => {
		expect(() => operator.control.set(settings as never)).toThrow(reason);
	});

	it.each([
		[{ port: 70_000 }, 'port must be a whole number'],
		[{ socketio: 3 }, 'socketio must be one of 4, 2, 1'],
		[{ rate: -1 }, 'rate must be a number'],
		[{ socketPath: 'x' }, 'socketPath must be a path'],
		[{ colour: 'red' }, 'no operator option "colour"'],
	])('reject a start with %j', async (options, reason) => {
		await expect(startOperator(options as never)).rejects.toThrow(OperatorError);
		await expect(startOperator(options as never)).rejects.toThrow(reason);
	});

	it('reject a start on a port that is in use', async () => {
		await expect(startOperator({ port: operator.port })).rejects.toThrow(
			`Port ${operator.port} on 127.0.0.1 is in use`,
		);
	});
});

describe('waits', () => {
	it('resolve on the change, not before', async () => {
		let seen = false;
		const wait = operator.control.waitForRequests({ area: 'rest' }).then(() => (seen = true));
		await login(operator);
		expect(seen).toBe(false);
		await list();
		await wait;
	});

	it('report what they waited for when the time is over', async () => {
		await expect(operator.control.waitForLogins(1, 10)).rejects.toThrow('waiting for: 1 logins');
	});
});

describe('scenes', () => {
	it.each([
		['answeredCall', 'insert_call status connect_call status delete_call status'],
		['missedCall', 'insert_call delete_call'],
		['overflowCall', 'insert_call delete_call insert_call connect_call delete_call'],
		['trunkCall', 'insert_call connect_call delete_call'],
		['missedTrunkCall', 'insert_call delete_call'],
		['unansweredRing', 'insert_call status status status connect_call status delete_call status'],
		[
			'callsAgain',
			'insert_call delete_call insert_call status connect_call status delete_call status',
		],
		['calledBack', 'insert_call delete_call status status status'],
		['fillingQueue', `${'insert_call '.repeat(6)}${'delete_call '.repeat(6).trim()}`],
		['nobodyFree', `${'pause '.repeat(12)}${'unpause '.repeat(12).trim()}`],
		['break', 'pause unpause'],
		['alert', 'alert_file alert_op'],
		['numCall', 'start answer asr end'],
		[
			'transferredCall',
			'insert_call status connect_call status status status connect_call status status status delete_call status',
		],
	] as const)('plays %s', async (name, kinds) => {
		const { client } = await connectSupervisor(operator, 4);
		const scene = await operator.control.play(name, { stepMs: 0, caller: '+33199000001' });
		await client.until(() => client.updates.length === scene.events.length);
		const events = client.updates.map(
			([update]) => update as { event: string | { event: string } },
		);
		expect(events).toEqual(scene.events);
		const names = events.map(({ event }) => (typeof event === 'string' ? event : event.event));
		expect(names.join(' ')).toBe(kinds);
		await client.close();
	});

	it('take their time, and have calls of their own', async () => {
		const before = performance.now();
		const one = await operator.control.play('missedCall', { stepMs: 60, queue: 303 });
		expect(performance.now() - before).toBeGreaterThan(55);
		expect(one).toMatchObject({ queue: 303, call: 900_001 });
		expect((await operator.control.play('missedCall', { stepMs: 0 })).call).toBe(900_002);
		expect((await operator.control.play('fillingQueue', { stepMs: 0 })).call).toBe(900_003);
		expect((await operator.control.play('missedCall', { stepMs: 0 })).call).toBe(900_009);
	});

	it('let a caller wait for ten steps before hanging up', async () => {
		const before = performance.now();
		await operator.control.play('missedCall', { stepMs: 10 });
		expect(performance.now() - before).toBeGreaterThan(9 * 10);
	});

	it('let a phone ring for thirty steps before another agent takes the call', async () => {
		const before = performance.now();
		await operator.control.play('unansweredRing', { stepMs: 10 });
		expect(performance.now() - before).toBeGreaterThan(36 * 10);
	});

	it('are listed in the error for an unknown one', async () => {
		await expect(operator.control.play('x' as never)).rejects.toThrow('choose one of answeredCall');
	});
});

describe('from another process', () => {
	it('offers every method except the one that takes a function', async () => {
		const { data } = await axios.get<{ methods: string[] }>(`${operator.url}/control`);
		const own = Object.getOwnPropertyNames(Object.getPrototypeOf(operator.control));
		expect([...data.methods].sort()).toEqual(
			own.filter((name) => !['constructor', 'waitFor', 'comeBack'].includes(name)).sort(),
		);
	});

	it('has the same effects as in-process', async () => {
		const remote = remoteControl(operator.url);
		const { client } = await connectSupervisor(operator, 4);
		await remote.setCpt(9);
		expect(await remote.send('queue', 'delete_call', { id_call: 1 })).toMatchObject({ cpt: 10 });
		await client.until(() => client.updates.length === 1);
		expect(await remote.sockets()).toMatchObject([{ initialised: true, sent: 1 }]);
		await remote.waitForLogins(1);
		await remote.behave({ checkoutStatus: 'ERROR' });
		expect(operator.control.numbers().behaviour.checkoutStatus).toBe('ERROR');
		await createCart(restClient(operator));
		expect((await remote.numbers()).carts).toHaveLength(1);
		expect(await remote.requests({ method: 'PUT' })).toHaveLength(1);
		expect(await remote.expireTokens()).toBe(1);
		await client.until(() => client.reasons.length > 0);
	});

	it('responds before it goes away, and rejects with a reason', async () => {
		const remote = remoteControl(operator.url);
		await expect(remote.set({ onExpiry: 'x' as never })).rejects.toThrow('onExpiry must be one of');
		await expect(remote.waitForLogins(1, 10)).rejects.toThrow('waiting for');
		await expect((remote as unknown as { dance(): Promise<void> }).dance()).rejects.toThrow(
			'no control method "dance"',
		);
		// Waited for from before: on a busy machine it is back by the time that the response has been read.
		const away = operator.control.waitFor((control) => !control.counts().listening);
		await remote.goAway({ forMs: 30 });
		await away;
		await operator.control.waitFor((control) => control.counts().listening);
		await remote.counts();
	});

	it('rejects a body that is not JSON', async () => {
		const response = await axios.post(`${operator.url}/control/push`, '{', {
			validateStatus: () => true,
			transformRequest: (data: unknown) => data,
		});
		expect(response.status).toBe(400);
	});
});

it('closing twice ends whatever is open', async () => {
	await connectSupervisor(operator, 4);
	operator.control.fault({ hang: true });
	const hanging = list().catch(() => 'cut');
	await operator.control.waitForRequests({ area: 'rest' });
	await Promise.all([operator.close(), operator.close()]);
	expect(await hanging).toBe('cut');
});
