/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Every way to a provider that a network or a server can leave open, with real servers of all Socket.IO versions.
import type { IncomingMessage } from 'node:http';

import type { FeedOptions } from '../../../nodes/VoiceManagementTrigger/feed/types';
import type { ProviderOptions } from '../../../simulator';
import { startTcpProxy } from '../../support/tcpProxy';
import { startForwardProxy, type ForwardProxy } from '../../support/forwardProxy';
import { startGateway, type GatewayRules } from '../../support/gateway';
import { HandClock } from '../../support/world';
import {
	Case,
	makeHub,
	Recorder,
	send,
	supervisorOptions,
	untilLive,
	untilRenewed,
	untilRenewing,
} from './harness';

const run = new Case();
afterEach(() => run.end());

const VERSIONS = [4, 2, 1] as const;
const hasWebSocket = typeof WebSocket !== 'undefined';
/** For runtimes with a WebSocket: CI also runs this file on the Node.js version of the newest n8n. */
function onWebSocket(name: string, test: () => Promise<void>): void {
	if (hasWebSocket) it(name, test);
}

const isFeed = ({ url = '' }: IncomingMessage) => url.startsWith('/socket.io');
const isPolling = (request: IncomingMessage) =>
	isFeed(request) && /transport=polling/.test(request.url ?? '');

/** Pings come within the test, and a machine that stands still for seconds ends no connection. */
const PINGS = { pingInterval: 2_000, pingTimeout: 30_000 };

/** A feed that uses a gateway with these rules. */
async function through(
	socketio: ProviderOptions['socketio'],
	rules: GatewayRules,
	options: Partial<FeedOptions> = {},
) {
	const provider = await run.provider({ socketio, ...PINGS });
	const gateway = await startGateway(provider.port, rules);
	run.onEnd(() => gateway.close());
	const clock = new HandClock();
	const { subscription, recorder } = run.subscribe(
		makeHub(clock),
		supervisorOptions(provider, { voiceUrl: gateway.url, ...options }),
	);
	/** Sends an event with an accent and waits for it. */
	const brings = async () => {
		await provider.control.waitFor((control) =>
			control.sockets().some(({ initialised }) => initialised),
		);
		provider.control.send('queue', 'insert_call', { id_call: 1, n: 1, nom: 'Zoë €𝄞' });
		provider.control.send('queue', 'insert_call', { id_call: 2, n: 2 });
		await recorder.until(({ timeline }) => timeline.includes(2), 'the events');
		expect(recorder.events.map(({ msg }) => msg.nom)).toEqual(['Zoë €𝄞', undefined]);
	};
	return { provider, gateway, clock, subscription, recorder, brings };
}

describe.each(VERSIONS)('a provider on Socket.IO %i', (socketio) => {
	it('delivers every event with its accents over long polling alone', async () => {
		const { subscription, brings } = await through(socketio, { onUpgrade: () => 'refuse' });
		expect(await subscription.first).toEqual({ kind: 'live' });
		await brings();
	});

	const websocketOnly: GatewayRules = {
		onRequest(request, response) {
			if (!isPolling(request)) return false;
			response.writeHead(400).end('WebSocket only');
			return true;
		},
	};

	onWebSocket('that only accepts WebSocket is connected to', async () => {
		const { subscription, brings, recorder } = await through(socketio, websocketOnly);
		expect(await subscription.first).toEqual({ kind: 'live' });
		await brings();
		expect(recorder.of('connected')).toMatchObject([
			{ protocol: socketio === 4 ? 4 : 2, transport: 'direct' },
		]);
	});

	it('that only accepts WebSocket is an error with a remedy, if nothing here can open one', async () => {
		const { subscription } = await through(socketio, websocketOnly, { transport: 'n8n' });
		expect(await subscription.first).toMatchObject({
			kind: 'unusable',
			reason: expect.stringContaining('set "Transport" in the credential to Auto or Direct'),
		});
	});

	onWebSocket('whose polls end up on different servers is connected to by WebSocket', async () => {
		const { subscription, recorder, brings, clock } = await through(socketio, {
			onRequest(request, response) {
				if (!isPolling(request) || !request.url?.includes('sid=')) return false;
				response.writeHead(400).end('{"code":1,"message":"Session ID unknown"}');
				return true;
			},
		});
		expect(await subscription.first).toEqual({ kind: 'live' });
		// Socket.IO 2 joins with its handshake, before its polls show anything, and is then lost once.
		if (socketio === 2) {
			await recorder.until(() => recorder.of('disconnected').length > 0, 'the disconnection');
		}
		await untilLive(clock, subscription, recorder);
		await brings();
	});

	it('that requires the cookies of its login and of its handshake gets them with every request', async () => {
		const upgrades: Array<string | undefined> = [];
		const { subscription, brings, gateway } = await through(socketio, {
			headers: ({ url = '' }): Record<string, string[]> => {
				if (url.startsWith('/ws/')) return { 'set-cookie': ['login=a'] };
				return url.includes('sid=') ? {} : { 'set-cookie': ['node=b'] };
			},
			onRequest(request, response) {
				if (!isFeed(request) || request.headers.cookie?.includes('login=a')) return false;
				response.writeHead(403).end('no session');
				return true;
			},
			onUpgrade: ({ headers }) => {
				upgrades.push(headers.cookie);
				return headers.cookie?.includes('login=a') ? 'pass' : 'refuse';
			},
		});
		expect(await subscription.first).toEqual({ kind: 'live' });
		await brings();
		const polls = gateway.seen.filter(
			(request) => isPolling(request) && request.url?.includes('sid='),
		);
		expect(polls.length).toBeGreaterThan(0);
		for (const { headers } of polls) expect(headers.cookie).toMatch(/login=a; .*node=b/);
		if (hasWebSocket) expect(upgrades).toContainEqual(expect.stringMatching(/login=a; .*node=b/));
	});

	it.each(['auto', 'n8n'] as const)(
		'behind a gateway that wants the origin of its own page is connected to (%s)',
		async (transport) => {
			const isOwn = ({ headers }: IncomingMessage) => headers.origin === `http://${headers.host}`;
			const { subscription, brings } = await through(
				socketio,
				{
					onRequest(request, response) {
						if (!isFeed(request) || isOwn(request)) return false;
						response.writeHead(403).end('no origin');
						return true;
					},
					onUpgrade: (request) => (isOwn(request) ? 'pass' : 'refuse'),
				},
				{ transport },
			);
			expect(await subscription.first).toEqual({ kind: 'live' });
			await brings();
		},
	);

	it('that repeats the cookies in its refusal is quoted without them', async () => {
		const { subscription, recorder } = await through(socketio, {
			headers: ({ url = '' }): Record<string, string[]> =>
				url.startsWith('/ws/') ? { 'set-cookie': ['login=cookie-0815'] } : {},
			onRequest(request, response) {
				if (!isFeed(request)) return false;
				const message = `No session for ${request.headers.cookie}`;
				response.writeHead(400).end(JSON.stringify({ code: 3, message }));
				return true;
			},
			onUpgrade: () => 'refuse',
		});
		const first = await subscription.first;
		expect(first).toMatchObject({ reason: expect.stringContaining('No session for login=***') });
		expect([JSON.stringify(first), ...recorder.lines].join()).not.toContain('cookie-0815');
	});

	it('that sets more cookies than a request can contain is connected to, and the log reports it', async () => {
		const { subscription, brings, recorder } = await through(socketio, {
			headers: (): Record<string, string[]> => ({
				'set-cookie': ['a', 'b', 'c'].map((name) => `${name}=${'x'.repeat(3_500)}`),
			}),
		});
		expect(await subscription.first).toEqual({ kind: 'live' });
		await brings();
		const told = recorder.lines.filter((line) => line.includes('sent a cookie beyond the limits'));
		expect(told).toHaveLength(1);
	});

	onWebSocket('has no upgrade left open if a proxy has swallowed it', async () => {
		const { subscription, gateway } = await through(socketio, { onUpgrade: () => 'swallow' });
		expect(await subscription.first).toEqual({ kind: 'live' });
		await waitUntil(() => gateway.seen.some(({ url }) => url?.includes('transport=websocket')));
		await subscription.close();
		await waitUntil(() => gateway.open() === 0);
	});
});

describe('an old provider', () => {
	it.each([2, 1] as const)(
		'on Socket.IO %i that rejects version 4 with its own message is connected to',
		async (socketio) => {
			const { subscription, brings } = await through(socketio, {
				onRequest(request, response) {
					if (!request.url?.includes('EIO=4')) return false;
					response.writeHead(403).end('Client too new');
					return true;
				},
			});
			expect(await subscription.first).toEqual({ kind: 'live' });
			await brings();
		},
	);
});

describe('a provider behind a forward proxy that alone can resolve its name', () => {
	/** n8n's part: requests that use the proxy. */
	const viaProxy =
		(proxy: ForwardProxy, host: string): typeof send =>
		async ({ url, headers, ...rest }) =>
			await send({
				...rest,
				url: `${proxy.url}/`,
				headers: { ...headers, host },
				// The form of a request to a proxy.
				...{ path: url },
			});

	async function proxied(options: Partial<FeedOptions> = {}) {
		const provider = await run.provider(PINGS);
		const host = 'voice.provider.test';
		const proxy = await startForwardProxy({ hosts: { [host]: provider.port } });
		run.onEnd(() => proxy.close());
		const base = supervisorOptions(provider, { voiceUrl: `http://${host}` });
		const recorder = new Recorder();
		const clock = new HandClock();
		const { subscription } = run.subscribe(
			makeHub(clock),
			{
				...base,
				login: async (...given) => await supervisorOptions(provider).login(...given),
				request: viaProxy(proxy, host),
				...options,
			},
			recorder,
		);
		return { provider, proxy, clock, subscription, recorder };
	}

	it('is reached through n8n, which is reported, and again after an outage of the proxy and the provider', async () => {
		const { provider, proxy, clock, subscription, recorder } = await proxied();
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(recorder.of('connected')).toMatchObject([{ transport: 'n8n' }]);
		expect(recorder.lines.join('\n')).toMatch(
			/warn Feed: no direct connection, .*n8n's request helper/,
		);
		await provider.control.waitForSockets(1);
		provider.control.send('queue', 'insert_call', { n: 1, nom: 'Zoë' });
		await recorder.until(({ events }) => events.some(({ msg }) => msg.nom === 'Zoë'), 'the event');
		await proxy.stop();
		await recorder.until(() => recorder.of('disconnected').length > 0, 'the disconnection');
		await proxy.start();
		await untilLive(clock, subscription, recorder);
		await clock.turn(5_000);
		expect(recorder.of('connected')[1]).toMatchObject({ transport: 'n8n' });
	});

	it('is connected to directly by the next renewal once the network permits it, with each event once', async () => {
		const provider = await run.provider();
		const clock = new HandClock();
		const direct = await startTcpProxy(provider.port);
		run.onEnd(() => direct.close());
		direct.refuse();
		const proxy = await startForwardProxy({ hosts: { '127.0.0.1': provider.port } });
		run.onEnd(() => proxy.close());
		const { subscription, recorder } = run.subscribe(
			makeHub(clock),
			supervisorOptions(provider, {
				voiceUrl: direct.url,
				login: async (...given) => await supervisorOptions(provider).login(...given),
				request: viaProxy(proxy, new URL(direct.url).host),
			}),
		);
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(recorder.of('connected')).toMatchObject([{ transport: 'n8n' }]);
		await provider.control.waitForSockets(1);
		expect(provider.control.sockets()).toMatchObject([{ transport: 'polling' }]);
		direct.heal();
		let sent = 0;
		const traffic = setInterval(
			() => provider.control.send('queue', 'insert_call', { id_call: ++sent, n: sent }),
			40,
		);
		await untilRenewing(clock, subscription);
		await untilRenewed(clock, subscription, recorder);
		clearInterval(traffic);
		// The last traffic through the tunnel is the old connection's disconnect.
		await provider.control.waitFor((control) => control.sockets().length === 1);
		const ofTunnel = proxy.counts().requests;
		provider.control.send('queue', 'insert_call', { n: ++sent });
		await recorder.until(({ timeline }) => timeline.includes(sent), 'what is sent after it');
		expect(recorder.timeline).toEqual(Array.from({ length: sent }, (_, at) => at + 1));
		expect(direct.counts().open).toBeGreaterThan(0);
		expect(proxy.counts().requests).toBe(ofTunnel);
	});

	it('is not reached if only direct connections are allowed', async () => {
		const { subscription } = await proxied({ transport: 'direct' });
		expect(await subscription.first).toMatchObject({ kind: 'unreachable' });
	});
});

describe("a host that n8n's SSRF protection blocks", () => {
	it.each(['auto', 'direct', 'n8n'] as const)(
		'gets nothing after a login elsewhere, and the reason names the setting (transport %s)',
		async (transport) => {
			const provider = await run.provider();
			const { subscription } = run.subscribe(
				makeHub(new HandClock()),
				supervisorOptions(provider, {
					transport,
					request: async () => {
						const error = new Error('The request was blocked');
						error.name = 'SsrfBlockedIpError';
						throw error;
					},
				}),
			);
			expect(await subscription.first).toMatchObject({
				kind: 'unusable',
				reason: expect.stringMatching(/SSRF protection forbids .*N8N_SSRF_ALLOWED_HOSTNAMES/),
			});
			expect(provider.control.requests({ area: 'feed' })).toEqual([]);
			expect(provider.control.counts().connected).toBe(0);
		},
	);
});

/** Checks every few milliseconds; the test's own time limit ends it. */
async function waitUntil(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
