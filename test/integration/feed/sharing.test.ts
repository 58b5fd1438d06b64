/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Sharing, closing and wrong URLs with real sockets of both Socket.IO versions.
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HandClock } from '../../support/world';
import { Case, makeHub, makeScene, Recorder, supervisorOptions, untilLive } from './harness';

const run = new Case();
/** Sooner, even on a busy machine, than the provider would notice by its pings that a client is gone. */
const POLITE_MS = 20_000;
afterEach(() => run.end());

describe.each([4, 2] as const)('on Socket.IO %i', (socketio) => {
	it('a subscriber that throws does not affect the others', async () => {
		const scene = await makeScene(run, { socketio });
		const bad = new Recorder();
		bad.onEvent = () => {
			throw new Error('mine');
		};
		scene.join(bad);
		await scene.state('live');
		await scene.provider.control.waitForSockets(1);
		for (let sent = 0; sent < 20; sent++) scene.send();
		await scene.recorder.until(({ events }) => events.length === 20, 'the events');
	});

	it('a wrong password is reported to whoever entered it, and the feed goes on', async () => {
		const provider = await run.provider({ socketio });
		const clock = new HandClock();
		const hub = makeHub(clock);
		const before = run.subscribe(hub, supervisorOptions(provider));
		await before.subscription.first;
		const wrong = run.subscribe(hub, supervisorOptions(provider, { password: 'another-one' }));
		// The triggers of the same account read their credentials first.
		await clock.turn(250);
		expect(await wrong.subscription.first).toMatchObject({ kind: 'refused', statusCode: 401 });
		expect(provider.control.sockets()).toHaveLength(1);
		provider.control.send('operator', 'status', { n: 1 });
		await before.recorder.until(({ events }) => events.length === 1, 'the event');
		expect(wrong.recorder.lines.join()).not.toMatch(/another-one|secret/);
	});

	it('one may open while the last one closes, even if the provider rejects a second login', async () => {
		const scene = await makeScene(run, { socketio, provider: { secondLogin: 'refuse' } });
		await scene.state('live');
		await scene.provider.control.waitForSockets(1);
		const closing = scene.subscription.close();
		const next = scene.join();
		await closing;
		await scene.provider.control.waitFor((control) => control.sockets().length === 0);
		await untilLive(scene.clock, next.subscription, next.recorder);
		expect(await next.subscription.first).toEqual({ kind: 'live' });
		await scene.provider.control.waitForSockets(1);
		scene.send();
		await next.recorder.until(({ events }) => events.length === 1, 'the event');
	});

	it('after it was opened and closed twenty times, nothing is left', async () => {
		const scene = await makeScene(run, { socketio });
		await scene.subscription.close();
		for (let time = 0; time < 20; time++) {
			const { subscription, recorder } = scene.join();
			if (time % 2 === 0) await untilLive(scene.clock, subscription, recorder);
			await subscription.close();
		}
		await scene.provider.control.waitFor((control) => control.sockets().length === 0, POLITE_MS);
	});

	it.each<[string, (scene: Awaited<ReturnType<typeof makeScene>>) => unknown]>([
		['live', (scene) => scene.state('live')],
		['while the login hangs', ({ provider }) => provider.control.waitForRequests({ path: '/ws/' })],
		['while the handshake hangs', (scene) => scene.state('connecting')],
		['while waiting', (scene) => scene.state('waiting')],
		['while renewing', (scene) => scene.renewing()],
	])('closing %s waits for no timer and leaves no socket', async (name, reach) => {
		const scene = await makeScene(run, {
			socketio,
			before: ({ provider }) => {
				if (name.includes('login')) provider.control.refuseLogins('hang');
				if (name.includes('handshake')) provider.control.refuseHandshakes('hang');
				if (name.includes('waiting')) provider.control.refuseLogins(500);
			},
		});
		await reach(scene);
		// The clock does not advance here.
		await scene.subscription.close();
		await scene.provider.control.waitFor((control) => control.sockets().length === 0);
		const tried = scene.loginsTried();
		const lines = scene.recorder.lines.length;
		await scene.clock.turn(60_000);
		expect([scene.loginsTried(), scene.recorder.lines.length]).toEqual([tried, lines]);
		expect(scene.subscription.state()).toBe('closed');
	});

	it('the wrong fixed protocol is recognized and reported', async () => {
		const scene = await makeScene(run, {
			socketio,
			options: { protocol: socketio === 4 ? '2' : '4' },
		});
		expect(await scene.subscription.first).toMatchObject({ kind: 'unusable' });
		expect(scene.provider.control.counts().inits).toBe(0);
	});

	it('a provider that comes back with the other version is probed again', async () => {
		const first = await run.provider({ socketio });
		const clock = new HandClock();
		const { subscription, recorder } = run.subscribe(makeHub(clock), supervisorOptions(first));
		await subscription.first;
		await first.close();
		const second = await run.provider({ socketio: socketio === 4 ? 2 : 4, port: first.port });
		await recorder.until(() => recorder.count('disconnected') === 1, 'the loss');
		await untilLive(clock, subscription, recorder);
		await second.control.waitForSockets(1);
		second.control.send('operator', 'status');
		await recorder.until(({ events }) => events.length === 1, 'the event');
		expect(recorder.of('connected').map(({ protocol }) => protocol)).toEqual([
			socketio,
			socketio === 4 ? 2 : 4,
		]);
	});
});

describe('a host that cannot be used has its own message', () => {
	const servers: Server[] = [];
	afterEach(async () => {
		for (const server of servers.splice(0)) {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	});

	async function listen(server: Server): Promise<number> {
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return (server.address() as AddressInfo).port;
	}

	async function outcome(voiceUrl: string, login?: () => Promise<never>) {
		const provider = await run.provider();
		const options = supervisorOptions(provider, { voiceUrl, ...(login ? { login } : {}) });
		const { subscription } = run.subscribe(makeHub(new HandClock()), options);
		return await subscription.first;
	}

	it.each([
		// Only a person can correct it, so a publication fails.
		['for an unknown host', 'http://nowhere.invalid', 'unusable', 'nowhere.invalid was not found'],
		[
			'if nothing listens there',
			'http://127.0.0.1:1',
			'unreachable',
			'127.0.0.1:1 refused the connection',
		],
	])('%s', async (_name, url, kind, sentence) => {
		expect(await outcome(url)).toMatchObject({
			kind,
			reason: expect.stringContaining(sentence),
		});
	});

	it('of a server that is not Socket.IO', async () => {
		const session = { id_session: 'x', target: 1 };
		const port = await listen(
			createHttpServer((request, response) => {
				response.statusCode = request.url === '/ws/' ? 200 : 404;
				response.end(request.url === '/ws/' ? JSON.stringify(session) : 'Not found');
			}),
		);
		expect(await outcome(`http://127.0.0.1:${port}`)).toMatchObject({
			kind: 'unusable',
			reason: expect.stringContaining('is not a Socket.IO server at /socket.io/ (status 404)'),
		});
	});

	it('whose certificate is not trusted', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'voice-management-tls-'));
		const key = join(folder, 'key.pem');
		const cert = join(folder, 'cert.pem');
		execFileSync(
			'openssl',
			[
				'req',
				'-x509',
				'-newkey',
				'rsa:2048',
				'-nodes',
				'-days',
				'1',
				'-subj',
				'/CN=localhost',
				'-keyout',
				key,
				'-out',
				cert,
			],
			{ stdio: 'ignore' },
		);
		const port = await listen(
			createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }),
		);
		rmSync(folder, { recursive: true });
		const login = async (): Promise<never> => {
			await fetch(`https://127.0.0.1:${port}/ws/`);
			throw new Error('trusted');
		};
		expect(await outcome(`https://127.0.0.1:${port}`, login)).toMatchObject({
			kind: 'unusable',
			reason: expect.stringContaining(`The certificate of 127.0.0.1:${port} is not trusted`),
		});
	});
});
