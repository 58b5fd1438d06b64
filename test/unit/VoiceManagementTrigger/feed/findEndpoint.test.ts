import { ProbeFailed } from '../../../../nodes/shared/errors';
import {
	findEndpoint,
	type ProbeOptions,
} from '../../../../nodes/VoiceManagementTrigger/feed/findEndpoint';
import { Cookies } from '../../../../nodes/VoiceManagementTrigger/feed/socketio';
import { coded, makeWorld, settle } from '../../../support/world';
import { nth } from '../../../support/present';

const VOICE = 'https://voice.example.com';

interface Answer {
	status?: number;
	body?: string | object;
	location?: string;
}

/** A server's response to a probe, by the Engine.IO version and the path that were requested. */
type Service = (question: { version: string; path: string; cookie?: string }) => Answer;

/** A server that only knows its path and one version of Socket.IO, and rejects everything else with a page. */
const only =
	(
		path: string,
		version: '3' | '4',
		otherwise: Answer = { status: 404, body: 'Not found' },
	): Service =>
	(question) =>
		question.path === path && question.version === version ? handshake(version) : otherwise;

const handshake = (version: '3' | '4', upgrades: string[] = []): Answer => {
	const packet = `0${JSON.stringify({ sid: 'a/b', upgrades, pingInterval: 25000, pingTimeout: 20000 })}`;
	return { body: version === '3' ? `${packet.length}:${packet}2:40` : packet };
};

async function probe(service: Service, options: Partial<ProbeOptions> = {}) {
	const urls: URL[] = [];
	const endpoint = await findEndpoint({
		send: async ({ url, headers }) => {
			const asked = new URL(url);
			urls.push(asked);
			const {
				status = 200,
				body = '',
				location,
			} = service({
				version: asked.searchParams.get('EIO') ?? '',
				path: asked.pathname,
				cookie: headers.cookie,
			});
			return {
				statusCode: status,
				headers: location === undefined ? {} : { location },
				body: Buffer.isBuffer(body)
					? body
					: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
			};
		},
		cookies: new Cookies(VOICE),
		voiceUrl: VOICE,
		socketPath: '/socket.io/',
		protocol: 'auto',
		direct: true,
		...options,
	});
	return { endpoint, urls };
}

describe('the protocol of a server', () => {
	const unsupported = { status: 400, body: { code: 5, message: 'Unsupported protocol version' } };

	it.each<[string, Service, 2 | 4]>([
		['a handshake of Socket.IO 3 or 4', () => handshake('4'), 4],
		['a handshake of Socket.IO 2, whatever was requested', () => handshake('3'), 2],
		[
			'a handshake of Socket.IO 1 in binary framing',
			() => ({ body: Buffer.from('\0\x01\x02\xff0{"sid":"x"}', 'latin1') }),
			2,
		],
		['"unsupported protocol version"', only('/socket.io/', '3', unsupported), 2],
		...([400, 403, 404, 426, 500, 200] as const).map((status): [string, Service, 2 | 4] => [
			`a rejection of version 4 in its own words, with status ${status}`,
			only('/socket.io/', '3', { status, body: 'client too new' }),
			2,
		]),
	])('is recognized by %s', async (_name, service, protocol) => {
		expect((await probe(service)).endpoint).toEqual({
			protocol,
			path: '/socket.io/',
			transports: ['polling'],
		});
	});

	it('includes whether WebSocket is accepted as well', async () => {
		const { endpoint } = await probe(() => handshake('4', ['websocket', 'webtransport']));
		expect(endpoint.transports).toEqual(['polling', 'websocket']);
	});

	it.each([
		['/feed/', '/feed'],
		['/feed', '/feed/'],
	])('includes the right path: %s is set, and the server uses %s', async (written, real) => {
		const { endpoint } = await probe(only(real, '4'), { socketPath: written });
		expect(endpoint.path).toBe(real);
	});

	it('is found behind a redirect on the same host, which is remembered', async () => {
		const { endpoint } = await probe((question) =>
			question.path === '/new/' ? handshake('4') : { status: 308, location: '/new/' },
		);
		expect(endpoint.path).toBe('/new/');
	});

	it('is never looked for at another host after a redirect', async () => {
		const asked: string[] = [];
		const service: Service = ({ path }) => {
			asked.push(path);
			return { status: 307, location: 'https://other.example.com/elsewhere' };
		};
		await expect(probe(service)).rejects.toThrow('status 307');
		expect(asked).not.toContain('/elsewhere');
	});

	describe('by WebSocket, if it rejects long polling', () => {
		const refusing: Service = () => ({
			status: 400,
			body: { code: 0, message: 'Transport unknown' },
		});
		const takes = (version: 2 | 4) => async (_url: string, asked: 2 | 4) =>
			await Promise.resolve(asked === version ? version : undefined);

		it.each([4, 2] as const)('in version %s', async (version) => {
			const { endpoint } = await probe(refusing, { webSocketHandshake: takes(version) });
			expect(endpoint).toEqual({
				protocol: version,
				path: '/socket.io/',
				transports: ['websocket'],
			});
		});

		it('without a request for the other form of the path, which the server may never answer', async () => {
			const { urls } = await probe(refusing, { webSocketHandshake: takes(4) });
			expect(urls.map(({ pathname }) => pathname)).toEqual(['/socket.io/', '/socket.io/']);
		});

		it('even if the rejection does not mention Socket.IO', async () => {
			const { endpoint } = await probe(() => ({ status: 426, body: 'Upgrade Required' }), {
				webSocketHandshake: takes(4),
			});
			expect(endpoint.transports).toEqual(['websocket']);
		});

		it('reports what is missing in a runtime without WebSocket', async () => {
			await expect(probe(refusing)).rejects.toThrow('needs n8n to run on Node.js 22 or newer');
		});

		it("reports that n8n's request helper cannot do it", async () => {
			await expect(
				probe(refusing, { direct: false, webSocketHandshake: takes(4) }),
			).rejects.toThrow('set "Transport" in the credential to Auto or Direct');
		});
	});

	it.each<[Answer, string, boolean]>([
		[{ body: '<html>' }, 'not a Socket.IO server at /socket.io/ (status 200)', true],
		[{ status: 404 }, 'is not a Socket.IO server', true],
		[{ body: { hello: 1 } }, 'is not a Socket.IO server', true],
		[{ status: 503 }, 'answers with status 503', false],
		[{ status: 429 }, 'answers with status 429', false],
		[
			{ status: 403, body: { code: 4, message: 'Forbidden' } },
			'refused the connection: Forbidden',
			false,
		],
		[{ body: '0{"upgrades":[]}' }, 'is not a Socket.IO server', true],
	])('is not recognized by %j, which is explained', async (answer, sentence, permanent) => {
		const failure = await probe(() => answer).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(ProbeFailed);
		expect(failure).toMatchObject({ permanent, message: expect.stringContaining(sentence) });
	});

	it.each([
		['4', '3'],
		['2', '4'],
	] as const)(
		'leads to an error that names the option if that is set to %s and the server speaks another',
		async (set, speaks) => {
			await expect(
				probe(only('/socket.io/', speaks, { ...handshake(speaks) }), { protocol: set }),
			).rejects.toThrow('set "Protocol" in the credential to Auto');
		},
	);

	it('is probed without leaving a session: overlapping polls end the one that the handshake opened', async () => {
		const { urls } = await probe(only('/socket.io/', '3'));
		const ending = urls.filter((url) => url.searchParams.has('sid'));
		expect(ending).toHaveLength(3);
		for (const url of ending) {
			expect(url.searchParams.get('EIO')).toBe('3');
			expect(url.searchParams.get('sid')).toBe('a/b');
		}
	});

	it('is not looked for any longer once the feed has closed', async () => {
		const aborter = new AbortController();
		const asked: string[] = [];
		const refuses: Service = () => ({ status: 400, body: { code: 0, message: 'Unknown' } });
		const webSocketHandshake = async (url: string) => {
			asked.push(url);
			aborter.abort();
			return await Promise.resolve(undefined);
		};
		const { signal } = aborter;
		await expect(probe(refuses, { webSocketHandshake, signal })).rejects.toThrow(ProbeFailed);
		expect(asked).toHaveLength(1);
	});

	it('is unknown after a network error, which is explained', async () => {
		await expect(
			probe(() => {
				throw coded('ENOTFOUND');
			}),
		).rejects.toThrow('was not found');
	});

	it('is remembered for the provider, and probed again after a failure', async () => {
		const world = makeWorld();
		const asked = () => world.provider.gets.filter((url) => !url.includes('sid=')).length;
		await world.subscribe({ protocol: 'auto' }).subscription.first;
		await world.clock.turn(60_000);
		expect(asked()).toBe(1);
		world.provider.disconnect(nth(world.provider.live, 0));
		await settle();
		expect(world.provider.live).toHaveLength(1);
		expect(asked()).toBe(1);
		// The provider comes back with the other version: the client for the first one fails, and the probe finds out.
		world.provider.probe = { statusCode: 200, headers: {}, body: '12:0{"sid":"x"}' };
		world.provider.handshake = 'fail';
		world.provider.drop(nth(world.provider.live, 0));
		await world.clock.turn(10_000);
		expect(asked()).toBeGreaterThan(1);
		world.provider.handshake = 'accept';
		await world.clock.turn(60_000);
		expect(nth(world.provider.live, 0).options.protocol).toBe(2);
	});

	it('is probed at the host before anything else is opened, whatever the user has set', async () => {
		const world = makeWorld();
		world.provider.probe = 'unreachable';
		const { subscription } = world.subscribe({ protocol: '4', transport: 'direct' });
		expect(await subscription.first).toMatchObject({ kind: 'unreachable' });
		expect(world.provider.sockets).toHaveLength(0);
	});
});
