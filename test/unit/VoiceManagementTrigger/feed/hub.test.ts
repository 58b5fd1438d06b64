// Sharing: subscribers with the same key use one connection, in whatever order they come and go.
import { makeWorld, settle, Witness } from '../../../support/world';
import { nth } from '../../../support/present';
import { Mask } from '../../../../nodes/VoiceManagementTrigger/feed/mask';

describe('subscribers with one key', () => {
	it('share one login and one connection, and each gets each event once', async () => {
		const world = makeWorld();
		const all = [world.subscribe(), world.subscribe(), world.subscribe()];
		await Promise.all(all.map(({ subscription }) => subscription.first));
		for (let sent = 0; sent < 5; sent++) world.provider.send();
		expect(world.provider.logins).toBe(1);
		expect(world.provider.sockets).toHaveLength(1);
		for (const { witness } of all) {
			expect(witness.numbers).toEqual([1, 2, 3, 4, 5]);
			expect(witness.kinds).toEqual(['connected']);
		}
		// The event is one object for all: it is read-only by agreement and type.
		expect(nth(all, 0).witness.events[0]).toBe(nth(all, 1).witness.events[0]);
	});

	it('that join an open connection are told so at once', async () => {
		const world = makeWorld();
		await world.subscribe().subscription.first;
		await world.clock.turn(1_000);
		const { subscription, witness } = world.subscribe();
		expect(witness.statuses).toEqual([]);
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(witness.kinds).toEqual(['connected']);
		expect(world.provider.logins).toBe(1);
	});

	it('that join a refused feed are told so; only a person is a reason to try now', async () => {
		const world = makeWorld();
		world.provider.login = { statusCode: 401, headers: {}, body: '' };
		await world.subscribe().subscription.first;
		const all = Array.from({ length: 30 }, () => world.subscribe({}, new Witness(false)).witness);
		await settle();
		expect(world.provider.logins).toBe(1);
		for (const { kinds } of all) expect(kinds).toEqual(['refused']);
		world.subscribe();
		await settle();
		expect(world.provider.logins).toBe(2);
	});

	it('that join while the provider asked for a wait do not try before its end', async () => {
		const world = makeWorld();
		world.provider.login = { statusCode: 429, headers: { 'retry-after': '600' }, body: '' };
		for (let joined = 0; joined < 10; joined++) {
			world.subscribe({}, new Witness(false));
			await world.clock.turn(1_000);
		}
		expect(world.provider.logins).toBe(1);
		await world.clock.turn(600_000);
		expect(world.provider.logins).toBe(2);
	});

	it('that join a waiting feed make it try now, if a person waits', async () => {
		const world = makeWorld();
		world.provider.login = { statusCode: 401, headers: {}, body: '' };
		const one = world.subscribe();
		await one.subscription.first;
		world.provider.login = 'accept';
		const two = world.subscribe();
		expect(await two.subscription.first).toEqual({ kind: 'live' });
		expect(one.subscription.state()).toBe('live');
		expect(world.provider.logins).toBe(2);
	});

	it.each([
		['first', [0, 1, 2]],
		['last', [2, 1, 0]],
		['middle', [1, 2, 0]],
	])(
		'may leave in any order, the %s first; the last one closes the socket at once',
		async (_name, order) => {
			const world = makeWorld();
			const all = [world.subscribe(), world.subscribe(), world.subscribe()];
			await settle();
			for (const [position, index] of order.entries()) {
				expect(world.provider.live).toHaveLength(1);
				const closing = nth(all, index).subscription.close();
				world.provider.send();
				const last = position === 2;
				expect(world.provider.live).toHaveLength(last ? 0 : 1);
				await closing;
			}
			expect(order.map((index) => nth(all, index).witness.events.length)).toEqual([0, 1, 2]);
			expect(world.clock.pending).toBe(1); // the provider's own: the end of the token
		},
	);

	it.each(['the same password', 'another one'])(
		'get the tokens masked that the feed before them had, with %s',
		async (which) => {
			const world = makeWorld();
			const one = world.subscribe();
			await one.subscription.first;
			await one.subscription.close();
			world.provider.handshake = 'fail';
			world.provider.refusal = 'the session token-1 is still open';
			const two = world.subscribe(
				which === 'another one' ? { key: 'account, other password' } : {},
			);
			await world.clock.turn(5_000);
			expect(two.witness.lines.join()).toContain('the session *** is still open');
			expect(two.witness.lines.join()).not.toContain('token-1');
		},
	);

	it('may leave while connecting: the others are served', async () => {
		const world = makeWorld();
		const one = world.subscribe();
		const two = world.subscribe();
		await one.subscription.close();
		expect(await one.subscription.first).toEqual({ kind: 'closed' });
		expect(await two.subscription.first).toEqual({ kind: 'live' });
		world.provider.send();
		expect([one.witness.events.length, two.witness.events.length]).toEqual([0, 1]);
	});

	it('may leave while a renewal is under way: the others are served', async () => {
		const world = makeWorld();
		const one = world.subscribe();
		const two = world.subscribe();
		await world.clock.turn(110 * 60_000);
		expect(one.subscription.state()).toBe('renewing');
		await one.subscription.close();
		for (let second = 0; second < 5; second++) {
			world.provider.send();
			await world.clock.turn(1_000);
		}
		expect(two.subscription.state()).toBe('live');
		expect(two.witness.numbers).toEqual([1, 2, 3, 4, 5]);
		expect(world.provider.live).toHaveLength(1);
	});

	it('may close in the middle of an event or a status', async () => {
		const world = makeWorld();
		const one = world.subscribe();
		const two = world.subscribe();
		await settle();
		one.witness.onEvent = () => void two.subscription.close();
		world.provider.send();
		expect(two.witness.events).toHaveLength(0);
		const three = world.subscribe();
		await settle();
		one.witness.onStatus = () => {
			void one.subscription.close();
			void three.subscription.close();
		};
		world.provider.drop(nth(world.provider.live, 0));
		await world.clock.turn(60_000);
		expect(world.provider.live).toHaveLength(0);
		expect(world.provider.logins).toBe(1);
	});

	it.each(['the same password', 'another one'])(
		'may join while the last one leaves, with %s: a new feed starts, after the provider had time to notice',
		async (which) => {
			const world = makeWorld();
			world.provider.secondLogin = 'refuse';
			const one = world.subscribe();
			await one.subscription.first;
			const closing = one.subscription.close();
			const two = world.subscribe(
				which === 'another one' ? { key: 'account, other password' } : {},
			);
			await closing;
			await settle();
			expect(world.provider.logins).toBe(1);
			await world.clock.turn(250);
			expect(await two.subscription.first).toEqual({ kind: 'live' });
			expect(world.provider.live).toHaveLength(1);
			world.provider.send();
			expect([one.witness.events.length, two.witness.events.length]).toEqual([0, 1]);
		},
	);

	it('may join and leave at once: nothing stays behind', async () => {
		const world = makeWorld();
		for (let time = 0; time < 20; time++) {
			const { subscription } = world.subscribe();
			await subscription.close();
		}
		await world.clock.turn(10_000);
		expect(world.provider.live).toHaveLength(0);
		expect(world.provider.logins).toBeLessThanOrEqual(1);
		expect(world.clock.pending).toBe(0);
	});

	it('log in through one that is still there', async () => {
		const world = makeWorld();
		const used: string[] = [];
		const options = (name: string) => ({
			login: async (signal: AbortSignal | undefined, askedAt: number) => {
				used.push(name);
				return await world.provider.options().login(signal, askedAt);
			},
		});
		const one = world.subscribe(options('one'));
		await one.subscription.first;
		const two = world.subscribe(options('two'));
		await one.subscription.close();
		await world.clock.turn(60_000);
		world.provider.disconnect(nth(world.provider.live, 0));
		await settle();
		expect(used).toEqual(['one', 'two']);
		expect(two.subscription.state()).toBe('live');
	});
});

it('subscribers with different keys (another password) have feeds of their own', async () => {
	const world = makeWorld();
	const before = world.subscribe({ key: 'account, old password' });
	const after = world.subscribe({ key: 'account, new password' });
	// The second one waits a moment, as behind one that has closed.
	await world.clock.turn(1_000);
	await Promise.all([before.subscription.first, after.subscription.first]);
	expect(world.provider.live).toHaveLength(2);
	await before.subscription.close();
	world.provider.send();
	expect(world.provider.live).toHaveLength(1);
	expect([before.witness.events.length, after.witness.events.length]).toEqual([0, 1]);
});

it('a trigger that fails to leave for another feed keeps no other one from it', async () => {
	const world = makeWorld();
	const joined: string[] = [];
	const moving = (name: string, leave: () => void) =>
		Object.assign(new Witness(), {
			moves: async () =>
				await Promise.resolve({ key: 'another', leave, join: () => void joined.push(name) }),
		});
	const fails = () => {
		throw new Error('its selection is broken');
	};
	const one = world.subscribe({}, moving('one', fails));
	world.subscribe(
		{},
		moving('two', () => {}),
	);
	await settle();
	one.subscription.credentialRead('another');
	await settle();
	expect(joined).toEqual(['one', 'two']);
});

it('what goes wrong with a report does not stop the next attempt', async () => {
	const world = makeWorld();
	const { subscription, witness } = world.subscribe();
	await subscription.first;
	jest.spyOn(Mask.prototype, 'text').mockImplementation(() => {
		throw new SyntaxError('Invalid regular expression');
	});
	world.provider.drop(nth(world.provider.live, 0));
	jest.restoreAllMocks();
	await world.clock.turn(10_000);
	expect(subscription.state()).toBe('live');
	expect(witness.kinds).toContain('gap');
});

it('a logger that throws stops nothing', async () => {
	const world = makeWorld();
	const witness = new Witness();
	const fail = () => {
		throw new Error('disk full');
	};
	Object.assign(witness.logger, { debug: fail, info: fail, warn: fail, error: fail });
	witness.onEvent = fail;
	world.subscribe({}, witness);
	const { witness: other } = world.subscribe();
	await settle();
	world.provider.send();
	expect(other.events).toHaveLength(1);
});
