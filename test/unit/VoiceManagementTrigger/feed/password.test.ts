// Each password has a feed of its own, and no text shows a secret.
import { verdictOf } from '../../../support/logins';
import { secretsOf } from '../../../../nodes/shared/secrets';
import type { FeedOptions } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { makeWorld, settle, Witness } from '../../../support/world';
import { nth } from '../../../support/present';

type World = ReturnType<typeof makeWorld>;

const MINUTE = 60_000;

/** The options of a trigger whose credential has this password. */
function having(
	world: World,
	password: string,
	accepted: () => string = () => password,
): Partial<FeedOptions> & { tried: string[] } {
	const tried: string[] = [];
	return {
		tried,
		key: `account, ${password}`,
		secrets: secretsOf({ login: 'boss', password }),
		login: async (signal, askedAt) => {
			tried.push(password);
			if (password === accepted()) return await world.provider.options().login(signal, askedAt);
			const body = { err_msg: `wrong password ${password}, not token-1` };
			return verdictOf({ statusCode: 401, headers: {}, body });
		},
	};
}

/** Advances the clock, with a ping and an event each second. */
async function live({ clock, provider }: World, seconds: number) {
	for (let passed = 0; passed < seconds; passed++) {
		await clock.turn(1_000);
		provider.ping();
		provider.send();
		await settle();
	}
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

it('a wrong password is reported to whoever entered it, who gets nothing, and nothing else stops', async () => {
	const world = makeWorld();
	const one = world.subscribe(having(world, 'the-right-one'));
	await one.subscription.first;
	await live(world, 5);
	const wrong = having(world, 'a-wrong-one', () => 'the-right-one');
	const two = world.subscribe(wrong);
	await live(world, 5);
	expect(await two.subscription.first).toEqual({
		kind: 'refused',
		reason: expect.stringContaining('wrong password ***, not ***'),
		statusCode: 401,
	});
	await live(world, 4 * 60 * 60);
	// Even if that trigger stays, its login is tried as seldom as any that was refused.
	expect(wrong.tried.length).toBeLessThanOrEqual(11);
	expect(two.witness.events).toEqual([]);
	expect(new Set(two.witness.kinds)).toEqual(new Set(['refused']));
	expect(two.subscription.directory()).toBeUndefined();
	expect(one.witness.numbers).toEqual(upTo(world.provider.cpt));
	expect(one.witness.kinds).toEqual(['connected']);
});

it('another password of an account that is refused goes on with the outage', async () => {
	const world = makeWorld();
	const old = world.subscribe(having(world, 'the-old-one', () => 'the-right-one'));
	await live(world, 5);
	const two = world.subscribe(having(world, 'a-wrong-one', () => 'the-right-one'));
	await live(world, 5);
	const firsts = ({ witness }: typeof old) =>
		witness.statuses.map((status) => status.event === 'refused' && status.first);
	expect([firsts(old), firsts(two)]).toEqual([[true], [false]]);
});

it('an old password that is still accepted stays connected beside the new one', async () => {
	const world = makeWorld();
	const one = world.subscribe(having(world, 'the-old-one'));
	await live(world, 5);
	const two = world.subscribe(having(world, 'the-new-one'));
	await live(world, 60);
	expect(world.provider.live).toHaveLength(2);
	expect(one.witness.numbers).toEqual(upTo(65));
	expect(two.witness.numbers.at(-1)).toBe(65);
});

it('at a provider with one session, two passwords that are both accepted do not make it log in without end', async () => {
	const world = makeWorld();
	world.provider.singleSession = true;
	const one = world.subscribe(having(world, 'the-old-one'));
	await live(world, 60);
	const two = world.subscribe(having(world, 'the-new-one'));
	await live(world, 60 * 60);
	// Each throws the other one out, with the usual waits.
	expect(world.provider.logins).toBeLessThan(200);
	expect(one.witness.kinds).toContain('gap');
	expect(two.witness.kinds).toContain('gap');
});

describe('a provider that repeats login, token and cookie in every text', () => {
	const PASSWORD = 'correct-horse-1';
	const secretsIn = (seen: unknown) =>
		[PASSWORD, 'token-1', 'token-2', 'cookie-1', 'cookie-2'].filter((secret) =>
			JSON.stringify(seen).includes(secret),
		);

	it('none of them is in log, status or outcome', async () => {
		const world = makeWorld();
		const { clock, provider } = world;
		const login: FeedOptions['login'] = async (signal, askedAt) => {
			provider.cookie = `node=cookie-${provider.logins + 1}`;
			return await provider.options().login(signal, askedAt);
		};
		const options = { secrets: secretsOf({ login: 'boss', password: PASSWORD }), login };
		const witness = new Witness();
		const { subscription } = world.subscribe(options, witness);
		await subscription.first;
		const repeated = (logins: number) =>
			`${PASSWORD} ${upTo(logins)
				.map((login) => `token-${login} cookie-${login}`)
				.join(' ')}`;
		await live(world, 2);
		const [socket] = provider.live;
		for (const name of ['error', 'notice', repeated(1), 'exception']) {
			socket?.handlers.event(name, [{ caller: '+32470000001', repeated: repeated(1) }]);
		}
		provider.push(`${repeated(1)} unreadable`);
		// Reconnections are refused in words that name the token before, which is still valid.
		provider.handshake = 'fail';
		provider.refusal = `Refused ${repeated(2)}`;
		provider.drop(nth(provider.live, 0));
		await clock.turn(5 * MINUTE);
		provider.handshake = 'accept';
		provider.login = { statusCode: 401, headers: {}, body: { err_msg: `no: ${repeated(2)}` } };
		await clock.turn(5 * MINUTE);
		provider.login = 'accept';
		await clock.turn(30 * MINUTE);
		expect(witness.kinds).toEqual(expect.arrayContaining(['disconnected', 'refused', 'gap']));
		expect(witness.others).toHaveLength(5);
		expect(secretsIn([witness.lines, witness.statuses, witness.others])).toEqual([]);
		expect(witness.lines.join('\n')).toContain('***');
		// The payload, at level debug only.
		const shown = witness.lines.filter((line) => line.includes('32470000001'));
		expect(shown).not.toHaveLength(0);
		for (const line of shown) expect(line).toMatch(/^debug /);
	});

	it('none is in the outcome of the first attempt', async () => {
		const world = makeWorld();
		world.provider.handshake = 'fail';
		world.provider.refusal = `Refused ${PASSWORD} token-1`;
		const { subscription } = world.subscribe({
			secrets: secretsOf({ login: 'boss', password: PASSWORD }),
		});
		const outcome = await subscription.first;
		expect(outcome).toMatchObject({ kind: 'unreachable' });
		expect(secretsIn(outcome)).toEqual([]);
	});
});
