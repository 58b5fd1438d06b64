// Direct, or through n8n: which transport a feed uses, when it changes, and what it logs about it.
import type { LoginVerdict } from '../../../../nodes/shared/login';
import { initMessage } from '../../../../nodes/VoiceManagementTrigger/feed/initMessage';
import type { FeedSession } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { makeWorld, settle } from '../../../support/world';
import { nth } from '../../../support/present';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('a feed that chooses its transport itself', () => {
	it('goes through n8n if nothing responds to a direct connection, and logs that', async () => {
		const { provider, subscribe } = makeWorld();
		provider.direct = 'unreached';
		const { subscription, witness } = subscribe();
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(provider.logins).toBe(1);
		expect(nth(provider.live, 0).options.transports).toEqual(['polling']);
		expect(nth(provider.live, 0).init).toBeDefined();
		expect(witness.of('connected')).toMatchObject([{ transport: 'n8n' }]);
		expect(witness.lines.filter((line) => line.startsWith('warn'))).toEqual([
			expect.stringContaining("through n8n's request helper"),
		]);
	});

	it('goes through n8n if a firewall drops direct packets', async () => {
		const { clock, provider, subscribe } = makeWorld();
		provider.handshake = 'hang';
		const { subscription } = subscribe();
		await clock.turn(10 * SECOND - 1);
		expect(provider.sockets).toHaveLength(1);
		provider.handshake = 'accept';
		await clock.turn(1);
		expect(subscription.state()).toBe('live');
		expect(nth(provider.sockets, 0).closed).toBe(true);
		expect(provider.live).toHaveLength(1);
	});

	it('does not go through n8n if the provider itself refuses the connection', async () => {
		const { provider, subscribe } = makeWorld();
		provider.direct = 'refused';
		const { subscription } = subscribe();
		expect(await subscription.first).toMatchObject({ kind: 'unreachable' });
		expect(provider.sockets).toHaveLength(1);
	});

	it('repeats the reason of a provider that refuses a connection, without the token and the cookies', async () => {
		const { provider, subscribe } = makeWorld();
		provider.cookie = 'sid="cookie-0815"; Path=/';
		provider.handshake = 'fail';
		provider.refusal = `${'no room '.repeat(23)}here, cookie-0815 {"cookie":"sid=\\"cookie-0815\\"","id":"token-1"}`;
		const { subscription, witness } = subscribe();
		const first = await subscription.first;
		expect(first).toMatchObject({
			kind: 'unreachable',
			reason: expect.stringContaining('no room'),
		});
		for (const text of [JSON.stringify(first), ...witness.lines])
			expect(text).not.toMatch(/cookie-0|token-1/);
	});

	it('reconnects through n8n at once, and tries direct again with the next renewal', async () => {
		const { clock, provider, subscribe, passing } = makeWorld();
		provider.direct = 'unreached';
		const { witness } = subscribe();
		await clock.turn(MINUTE);
		provider.direct = 'open';
		provider.disconnect(nth(provider.live, 0));
		await settle();
		// Reported when it is known what was missed.
		await clock.turn(5_000);
		expect(witness.of('connected').map(({ transport }) => transport)).toEqual(['n8n', 'n8n']);
		await passing(2 * 60);
		expect(provider.live).toHaveLength(1);
		expect(nth(provider.live, 0).options.send).toBeUndefined();
		expect(witness.lines.at(-1)).toContain('renewed, direct');
	});

	it('also with two connections, of which each renewal is a new one', async () => {
		const { clock, provider, subscribe, passing } = makeWorld();
		provider.direct = 'unreached';
		subscribe({ redundantConnection: true });
		await clock.turn(MINUTE);
		provider.direct = 'open';
		await passing(4 * 60);
		expect(provider.live).toHaveLength(2);
		for (const { options } of provider.live) expect(options.send).toBeUndefined();
	});

	it('tries direct again if long polls through n8n do not last', async () => {
		const { clock, provider, subscribe } = makeWorld();
		provider.direct = 'unreached';
		subscribe();
		await clock.turn(MINUTE);
		provider.direct = 'open';
		for (
			let losses = 0;
			losses < 3 && provider.live.some(({ options }) => options.send);
			losses++
		) {
			provider.drop(nth(provider.live, 0));
			await clock.turn(20_000);
		}
		expect(provider.live).toHaveLength(1);
		expect(nth(provider.live, 0).options.send).toBeUndefined();
	});

	it('stays with n8n through a renewal that finds no direct connection', async () => {
		const { provider, subscribe, passing } = makeWorld();
		provider.direct = 'unreached';
		const { witness } = subscribe();
		await passing(3 * 60);
		expect(provider.logins).toBe(2);
		expect(witness.kinds).not.toContain('gap');
		expect(nth(provider.live, 0).options.send).toBeDefined();
		expect(witness.of('disconnected')).toEqual([]);
	});

	it('tries a WebSocket alone if polls end up on different servers', async () => {
		const world = makeWorld({ webSocket: true });
		world.provider.direct = 'refused';
		world.provider.probe = {
			statusCode: 200,
			headers: {},
			body: '0{"sid":"x","upgrades":["websocket"]}',
		};
		world.subscribe();
		await settle();
		expect(world.provider.sockets.map(({ options }) => options.transports)).toEqual([
			['polling', 'websocket'],
			['websocket'],
		]);
	});
});

describe('a feed with a fixed transport', () => {
	it('stays with n8n', async () => {
		const { provider, subscribe } = makeWorld();
		const { subscription, witness } = subscribe({ transport: 'n8n' });
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(provider.sockets).toHaveLength(1);
		expect(witness.of('connected')).toMatchObject([{ transport: 'n8n' }]);
		expect(witness.lines.join()).not.toContain('warn');
	});

	it('stays direct', async () => {
		const { provider, subscribe } = makeWorld();
		provider.direct = 'unreached';
		const { subscription } = subscribe({ transport: 'direct' });
		expect(await subscription.first).toMatchObject({ kind: 'unreachable' });
		expect(provider.sockets).toHaveLength(1);
	});
});

describe('a login that fails', () => {
	const failing = (more: object) => {
		const counts = { logins: 0 };
		const login = async (): Promise<LoginVerdict> => {
			counts.logins++;
			const problem = { kind: 'failed', reason: 'later', statusCode: 503, ...more } as const;
			return await Promise.resolve({ headers: {}, problem });
		};
		return { counts, login };
	};

	it.each([
		[10 * MINUTE, 10 * MINUTE],
		[24 * 60 * MINUTE, 30 * MINUTE],
	])('and asks for a wait of %i ms gets it, within limits', async (retryAfterMs, waitMs) => {
		const { clock, subscribe } = makeWorld();
		const { login, counts } = failing({ retryAfterMs });
		subscribe({ login });
		await clock.turn(waitMs - SECOND);
		expect(counts.logins).toBe(1);
		await clock.turn(2 * SECOND);
		expect(counts.logins).toBe(2);
	});

	it('in a way that only a person can fix reports that to an activation, and is tried again', async () => {
		const { clock, subscribe } = makeWorld();
		const { login, counts } = failing({ permanent: true });
		expect(await subscribe({ login }).subscription.first).toEqual({
			kind: 'unusable',
			reason: 'later',
		});
		await clock.turn(MINUTE);
		expect(counts.logins).toBeGreaterThan(2);
	});
});

describe('the arguments of init', () => {
	const session = { target: 9001, idSession: 77 } as unknown as FeedSession;
	const of = (initArguments?: unknown[]) =>
		initMessage({ initAccountType: 'api', initArguments }, session);

	it('are account type, target and token, unchanged', () => {
		expect(of()).toEqual(['api', 9001, 77]);
	});

	it("are the user's list with its placeholders replaced: whole values keep their type, inside text they become text", () => {
		expect(of(['api', '{clientId}', '{target}', '{token}', 1, null, true])).toEqual([
			'api',
			9001,
			9001,
			77,
			1,
			null,
			true,
		]);
		expect(of([{ auth: 'Bearer {token}', id: ['{clientId}'] }, '{other}'])).toEqual([
			{ auth: 'Bearer 77', id: [9001] },
			'{other}',
		]);
	});
});
