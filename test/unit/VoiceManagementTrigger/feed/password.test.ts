// A password is changed while workflows run: they stay together, nothing is lost, and no text shows a secret.
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
		loginKey: password,
		secrets: secretsOf({ login: 'boss', password }),
		login: async (signal, askedAt) => {
			tried.push(password);
			if (password === accepted()) return await world.operator.options().login(signal, askedAt);
			const body = { err_msg: `wrong password ${password}, not token-1` };
			return verdictOf({ statusCode: 401, headers: {}, body });
		},
	};
}

/** Advances the clock, with a ping and an event each second. */
async function live({ clock, operator }: World, seconds: number) {
	for (let passed = 0; passed < seconds; passed++) {
		await clock.turn(1_000);
		operator.ping();
		operator.send();
		await settle();
	}
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

it('one workflow is published again: all move to the new password, and no event is lost', async () => {
	const world = makeWorld();
	const one = world.subscribe(having(world, 'the-old-one'));
	await one.subscription.first;
	await live(world, 5);
	const again = having(world, 'the-new-one');
	const two = world.subscribe(again);
	await live(world, 60);
	expect(await two.subscription.first).toEqual({ kind: 'live' });
	expect(again.tried).toEqual(['the-new-one']);
	expect(world.operator.logins).toBe(2);
	expect(world.operator.live).toHaveLength(1);
	expect(one.witness.numbers).toEqual(upTo(65));
	expect(one.witness.kinds).toEqual(['connected']);
	expect(two.witness.kinds).toEqual(['connected']);
	expect(two.witness.numbers.at(-1)).toBe(65);
	// From now on, each login is with the new password.
	await live(world, 2 * 60 * 60);
	expect(again.tried.length).toBe(world.operator.logins - 1);
	expect(one.witness.of('gap')).toEqual([]);
});

it('a provider with one session does not see two feeds that throw each other out', async () => {
	const world = makeWorld();
	world.operator.singleSession = true;
	const one = world.subscribe(having(world, 'the-old-one'));
	await one.subscription.first;
	await live(world, 5);
	const two = world.subscribe(having(world, 'the-new-one'));
	await live(world, 600);
	expect(await two.subscription.first).toEqual({ kind: 'live' });
	expect(world.operator.logins).toBe(2);
	expect(one.witness.numbers).toEqual(upTo(605));
	expect(one.witness.of('gap')).toEqual([]);
});

it('a wrong password is reported to whoever entered it, and nothing else stops', async () => {
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
	// Even if that trigger stays: it is tried once with each renewal, and gets nothing.
	expect(wrong.tried.length).toBeLessThanOrEqual(3);
	expect(two.witness.events).toEqual([]);
	expect(new Set(two.witness.kinds)).toEqual(new Set(['refused']));
	expect(two.subscription.directory()).toBeUndefined();
	expect(one.witness.numbers).toEqual(upTo(world.operator.cpt));
	expect(one.witness.kinds).toEqual(['connected']);
});

it('a password that is corrected in the credential is accepted with the next login', async () => {
	const world = makeWorld();
	world.subscribe(having(world, 'the-right-one'));
	await live(world, 5);
	const corrected = { ...having(world, 'the-right-one'), loginKey: 'a-wrong-one' };
	let isRight = false;
	const late: Partial<FeedOptions> = {
		...corrected,
		get loginKey() {
			return isRight ? 'the-right-one' : 'a-wrong-one';
		},
		login: async (signal, askedAt) =>
			isRight
				? await world.operator.options().login(signal, askedAt)
				: verdictOf({ statusCode: 401, headers: {}, body: { err_msg: 'wrong' } }),
	};
	const witness = new Witness();
	world.hub.subscribe(
		Object.defineProperties(world.operator.options(), Object.getOwnPropertyDescriptors(late)),
		witness,
	);
	await live(world, 5);
	expect(witness.kinds).toEqual(['refused']);
	isRight = true;
	await live(world, 2 * 60 * 60);
	expect(witness.kinds).toEqual(['refused', 'connected']);
	expect(witness.numbers.at(-1)).toBe(world.operator.cpt);
});

it('two passwords at the start: the wrong one delays nobody', async () => {
	const world = makeWorld();
	const right = world.subscribe(having(world, 'the-right-one'));
	const wrong = world.subscribe(having(world, 'a-wrong-one', () => 'the-right-one'));
	await live(world, 10);
	expect(await wrong.subscription.first).toMatchObject({ kind: 'refused' });
	expect(await right.subscription.first).toEqual({ kind: 'live' });
	expect(right.witness.kinds).toEqual(['connected']);
	expect(right.witness.numbers.at(-1)).toBe(10);
	expect(wrong.witness.events).toEqual([]);
	// One of them beside the open connection, after the refusal.
	expect(world.operator.logins).toBeLessThanOrEqual(2);
});

it('a refused login is followed by that of a trigger with another password', async () => {
	const world = makeWorld();
	let accepted = 'the-first-one';
	const one = having(world, 'the-first-one', () => accepted);
	const two = having(world, 'the-second-one', () => accepted);
	const { witness } = world.subscribe(one);
	await live(world, 5);
	accepted = 'the-second-one';
	world.subscribe(two);
	await live(world, 30);
	accepted = 'the-first-one';
	for (const socket of world.operator.live) world.operator.disconnect(socket);
	await live(world, 600);
	expect(two.tried).toHaveLength(2);
	expect(one.tried).toHaveLength(2);
	expect(world.operator.live).toHaveLength(1);
	expect(witness.kinds.at(-1)).not.toBe('refused');
});

it('several passwords at once: each is tried, and the logins come to an end', async () => {
	const world = makeWorld();
	const one = world.subscribe(having(world, 'password-one'));
	await one.subscription.first;
	const others = ['password-two', 'password-three', 'password-one'].map((password) =>
		world.subscribe(having(world, password)),
	);
	await live(world, 300);
	for (const { subscription } of others) {
		expect(await subscription.first).toEqual({ kind: 'live' });
	}
	expect(world.operator.logins).toBeLessThanOrEqual(5);
	expect(one.witness.of('gap')).toEqual([]);
});

it.each(['the-new-one', 'the-old-one'])('with two connections, %s: no gap', async (password) => {
	const world = makeWorld();
	const redundant = { redundantConnection: true };
	const one = world.subscribe({ ...having(world, 'the-old-one'), ...redundant });
	await live(world, 60);
	const two = world.subscribe({ ...having(world, password), ...redundant });
	await live(world, 120);
	expect(await two.subscription.first).toEqual({ kind: 'live' });
	expect(one.witness.numbers).toEqual(upTo(180));
	expect(one.witness.of('gap')).toEqual([]);
	expect(world.operator.live).toHaveLength(2);
});

describe('a provider that repeats login, token and cookie in every text', () => {
	const PASSWORD = 'correct-horse-1';
	const secretsIn = (seen: unknown) =>
		[PASSWORD, 'token-1', 'token-2', 'cookie-1', 'cookie-2'].filter((secret) =>
			JSON.stringify(seen).includes(secret),
		);

	it('none of them is in log, status or outcome', async () => {
		const world = makeWorld();
		const { clock, operator } = world;
		const login: FeedOptions['login'] = async (signal, askedAt) => {
			operator.cookie = `node=cookie-${operator.logins + 1}`;
			return await operator.options().login(signal, askedAt);
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
		const [socket] = operator.live;
		for (const name of ['error', 'notice', repeated(1), 'exception']) {
			socket?.handlers.event(name, [{ caller: '+32470000001', repeated: repeated(1) }]);
		}
		operator.push(`${repeated(1)} unreadable`);
		// Reconnections are refused in words that name the token before, which is still valid.
		operator.handshake = 'fail';
		operator.refusal = `Refused ${repeated(2)}`;
		operator.drop(nth(operator.live, 0));
		await clock.turn(5 * MINUTE);
		operator.handshake = 'accept';
		operator.login = { statusCode: 401, headers: {}, body: { err_msg: `no: ${repeated(2)}` } };
		await clock.turn(5 * MINUTE);
		operator.login = 'accept';
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
		world.operator.handshake = 'fail';
		world.operator.refusal = `Refused ${PASSWORD} token-1`;
		const { subscription } = world.subscribe({
			secrets: secretsOf({ login: 'boss', password: PASSWORD }),
		});
		const outcome = await subscription.first;
		expect(outcome).toMatchObject({ kind: 'unreachable' });
		expect(secretsIn(outcome)).toEqual([]);
	});
});
