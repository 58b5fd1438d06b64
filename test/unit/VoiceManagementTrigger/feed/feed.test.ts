// The feed on a fake clock: what it does over hours, days and a month, and how it ends.
import { steady } from '../../../../nodes/VoiceManagementTrigger/feed/clock';
import { makeWorld, settle, START, Witness } from '../../../support/world';
import type { HttpResponse } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { firstOf, nth } from '../../../support/present';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What a gap adds before the last sign of life, and the longest wait for the first event after it. */
const TRANSIT_MS = SECOND;
const FIRST_EVENT_MS = 5 * SECOND;

type World = ReturnType<typeof makeWorld>;

/** Advances the clock in steps, with an event and a ping in each. */
async function live(world: World, ms: number, step: number) {
	for (let passed = 0; passed < ms; passed += step) {
		await world.clock.turn(step);
		world.operator.ping();
		world.operator.send();
		await settle();
	}
}

/** Advances the clock, with pings but without events. */
async function quiet(world: World, ms: number) {
	for (let passed = 0; passed < ms; passed += MINUTE / 4) {
		await world.clock.turn(MINUTE / 4);
		world.operator.ping();
	}
}

/** A feed with one subscriber that has been live for a time, with an event and a ping in each step. */
async function running(ms = 0, step = SECOND, options: Parameters<World['subscribe']>[0] = {}) {
	const world = makeWorld();
	const { subscription, witness } = world.subscribe(options);
	await subscription.first;
	await live(world, ms, step);
	return { ...world, world, subscription, witness };
}

const numbersUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('the first connection', () => {
	it('logs in, connects, sends init with account type, target and token, and is live', async () => {
		const { clock, operator, subscribe } = makeWorld();
		const { subscription, witness } = subscribe();
		expect(subscription.state()).toBe('authenticating');
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(operator.live.map(({ init }) => init)).toEqual([['supervisor', 9001, 'token-1']]);
		expect(nth(operator.sockets, 0).options).toMatchObject({
			url: 'https://voice.example.com',
			path: '/socket.io/',
			protocol: 4,
		});
		expect(witness.statuses).toEqual([
			{
				event: 'connected',
				at: START,
				attempts: 0,
				continuous: null,
				protocol: 4,
				transport: 'direct',
			},
		]);
		expect(witness.states).toEqual(['authenticating', 'connecting', 'live']);
		expect(subscription.directory()?.agents.get('1')?.name).toBe('Ada');
		await clock.turn(MINUTE);
		expect(operator.logins).toBe(1);
	});

	it('uses the target from the login for the account feed', async () => {
		const { operator, subscribe } = makeWorld();
		await subscribe({ target: '4242', initAccountType: 'api' }).subscription.first;
		expect(nth(operator.live, 0).init).toEqual(['api', '4242', 'token-1']);
	});

	it.each([
		[
			'401',
			{ statusCode: 401, headers: {}, body: { err_msg: 'wrong password' } },
			'wrong password',
		],
		[
			'200 without id_session',
			{ statusCode: 200, headers: {}, body: { err_msg: 'no such user' } },
			'no such user',
		],
	])('reports a rejected login (%s) at once, and retries slowly', async (_name, answer, reason) => {
		const { clock, operator, subscribe } = makeWorld();
		operator.login = answer;
		const { subscription, witness } = subscribe();
		expect(await subscription.first).toEqual({
			kind: 'refused',
			reason,
			statusCode: answer.statusCode,
		});
		expect(subscription.state()).toBe('refused');
		await clock.turn(5 * MINUTE - 1);
		expect(operator.logins).toBe(1);
		await clock.turn(2 * HOUR);
		// 5, 10, 20, then every 30 minutes.
		expect(operator.logins).toBeGreaterThanOrEqual(5);
		expect(operator.logins).toBeLessThanOrEqual(7);
		const refusals = witness.of('refused');
		expect(refusals[0]).toMatchObject({ first: true, reason, statusCode: answer.statusCode });
		expect(refusals.slice(1).every(({ first }) => !first)).toBe(true);
		expect(nth(refusals, 0).retryAt - nth(refusals, 0).at).toBeGreaterThanOrEqual(5 * MINUTE);
		operator.login = 'accept';
		await clock.turn(HOUR);
		expect(subscription.state()).toBe('live');
	});

	it('reports that the operator is unreachable, and connects once it is back', async () => {
		const { clock, operator, subscribe } = makeWorld();
		operator.login = 'unreachable';
		const { subscription, witness } = subscribe();
		const first = await subscription.first;
		expect(first).toMatchObject({ kind: 'unreachable' });
		expect(JSON.stringify(first)).toContain('voice.example.com');
		expect(JSON.stringify([first, witness.lines])).not.toContain('hidden');
		await clock.turn(DAY);
		expect(operator.logins).toBeGreaterThan(DAY / MINUTE / 1.1);
		operator.login = 'accept';
		await clock.turn(MINUTE);
		expect(subscription.state()).toBe('live');
		expect(nth(witness.of('connected'), 0).attempts).toBeGreaterThan(1000);
		expect(operator.mostAtOnce).toBe(1);
	});
});

it.each(['fail', 'break'] as const)(
	'retries if the socket of an attempt does not open (%s)',
	async (how) => {
		const world = makeWorld();
		world.operator.handshake = how;
		const { subscription } = world.subscribe();
		expect(await subscription.first).toMatchObject({ kind: 'unreachable' });
		expect(subscription.state()).toBe('waiting');
		await world.clock.turn(MINUTE);
		expect(world.operator.logins).toBeGreaterThan(3);
		world.operator.handshake = 'accept';
		await world.clock.turn(MINUTE);
		expect(subscription.state()).toBe('live');
	},
);

describe('time limits of an attempt', () => {
	it.each([
		['login', 30 * SECOND, (world: World): void => void (world.operator.login = 'hang')],
		['handshake', 20 * SECOND, (world: World): void => void (world.operator.handshake = 'hang')],
		['probe', 15 * SECOND, (world: World): void => void (world.operator.probe = 'hang')],
	] as const)(
		'gives up a %s that hangs after %i ms, one attempt at a time',
		async (what, limit, hang) => {
			const world = makeWorld();
			hang(world);
			const { subscription } = world.subscribe({ protocol: 'auto', transport: 'direct' });
			await world.clock.turn(limit - 1);
			expect(['authenticating', 'connecting']).toContain(subscription.state());
			await world.clock.turn(1);
			expect(subscription.state()).toBe('waiting');
			if (what === 'login') expect(world.operator.aborted).toBe(1);
			await world.clock.turn(10 * MINUTE);
			expect(world.operator.mostAtOnce).toBe(1);
			world.operator.login = 'accept';
			world.operator.handshake = 'accept';
			world.operator.probe = { statusCode: 200, headers: {}, body: '0{"sid":"x"}' };
			await world.clock.turn(2 * MINUTE);
			expect(subscription.state()).toBe('live');
			expect(world.operator.live).toHaveLength(1);
		},
	);
});

describe('renewal', () => {
	it.each([
		['2 hours', 2 * HOUR, 10 * SECOND],
		['24 hours', DAY, MINUTE],
		['30 days', 30 * DAY, 5 * MINUTE],
	])('over %s loses nothing, duplicates nothing and reports no gap', async (_name, time, step) => {
		const { clock, operator, subscription, witness } = await running(time, step);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(witness.kinds).toEqual(['connected']);
		// Every 110 minutes, ten before the end.
		expect(operator.logins).toBe(1 + Math.floor(time / (110 * MINUTE)));
		expect(operator.live.length).toBeLessThanOrEqual(2);
		expect(operator.mostAtOnce).toBe(1);
		await clock.turn(2 * MINUTE);
		expect(operator.live).toHaveLength(1);
		expect(subscription.counters().duplicates).toBeLessThanOrEqual(operator.logins * 60);
		await subscription.close();
		await settle();
		expect(operator.live).toHaveLength(0);
	});

	it.each<[string, (number: number, socket: number) => unknown]>([
		['one numbering', (number) => number],
		['a numbering for each connection', (number, socket) => number - 5 * socket],
		['no numbering', () => undefined],
	])(
		'with %s and durations computed while sending duplicates nothing and reports no gap',
		async (name, cpt) => {
			const { clock, operator, subscription, witness } = await running();
			const sent: number[] = [];
			for (let call = 1; call <= 8 * 60; call++) {
				await clock.turn(30 * SECOND);
				sent.push(call);
				operator.live.forEach((socket) => {
					const index = operator.sockets.indexOf(socket);
					const msg = {
						id_call: call,
						id_queue: 301,
						call_duration: 5 + index,
						duration_in_queue: 7 * index,
					};
					const event = { type_notification: 'queue', event: 'insert_call', msg };
					operator.push({ cpt: cpt(call, index), ts: clock.now() / SECOND + index / 2, event }, [
						socket,
					]);
				});
			}
			expect(operator.logins).toBe(3);
			expect(witness.events.map(({ msg }) => msg.id_call)).toEqual(sent);
			expect(witness.kinds).toEqual(['connected']);
			await subscription.close();
			expect(subscription.countsByOne()).toBe(name === 'one numbering');
		},
	);

	it('starts ten minutes before the end of the token', async () => {
		const { clock, operator, subscribe } = makeWorld();
		const { subscription } = subscribe();
		await subscription.first;
		await clock.turn(110 * MINUTE - 1);
		expect(operator.logins).toBe(1);
		await clock.turn(1);
		expect(operator.logins).toBe(2);
		expect(subscription.state()).toBe('renewing');
	});

	it('starts after 80 % of a validity under 50 minutes', async () => {
		const { clock, operator, subscribe } = makeWorld();
		operator.validityMs = 40 * MINUTE;
		await subscribe().subscription.first;
		await clock.turn(32 * MINUTE - 1);
		expect(operator.logins).toBe(1);
		await clock.turn(1);
		expect(operator.logins).toBe(2);
	});

	it('is timed from when the login was sent, however long its response took', async () => {
		const { clock, operator, subscribe } = makeWorld();
		operator.validityMs = 40 * MINUTE;
		const login = async () => {
			operator.logins++;
			const answer = operator.session();
			await new Promise<void>((resolve) => clock.after(9 * SECOND, resolve));
			return answer;
		};
		const { subscription } = subscribe({ login });
		await clock.turn(9 * SECOND);
		expect(subscription.state()).toBe('live');
		await clock.turn(32 * MINUTE - 9 * SECOND - 1);
		expect(operator.logins).toBe(1);
		await clock.turn(1);
		expect(operator.logins).toBe(2);
	});

	it('keeps both connections for a short overlap, then only the new one', async () => {
		const { clock, operator, subscription } = await running();
		await clock.turn(110 * MINUTE);
		expect(operator.live).toHaveLength(2);
		for (let second = 0; second < 4; second++) {
			operator.send();
			await clock.turn(SECOND);
		}
		expect(subscription.state()).toBe('live');
		expect(operator.live).toHaveLength(1);
		expect(nth(operator.live, 0).init).toEqual(['supervisor', 9001, 'token-2']);
	});

	it('recognizes the copies that the new connection delivers after the old one has ended', async () => {
		const { operator, subscription, witness } = await running(110 * MINUTE, MINUTE);
		const [old, fresh] = firstOf(operator.live, 2);
		const late = operator.send({}, [old]);
		operator.disconnect(old);
		expect(subscription.state()).toBe('live');
		operator.push(late, [fresh]);
		operator.send();
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it.each([
		['old', 0],
		['new', 1],
	])(
		'does not report events that the %s connection delivered before it ended and that the other one, which lags, lacks',
		async (_which, index) => {
			const { clock, operator, witness } = await running(110 * MINUTE, MINUTE);
			const gone = nth(operator.live, index);
			const lags = nth(operator.live, 1 - index);
			const [first, , third] = [1, 2, 3].map(() => operator.send({}, [gone]));
			operator.disconnect(gone);
			operator.push(first, [lags]);
			operator.push(third, [lags]);
			await clock.turn(5 * SECOND);
			expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
			expect(witness.of('gap')).toEqual([]);
		},
	);

	it('passes an event that waits for its turn to the subscribers that were there when it arrived', async () => {
		const world = makeWorld();
		const [stays, leaves] = [world.subscribe(), world.subscribe()];
		await Promise.all([stays.subscription.first, leaves.subscription.first]);
		await live(world, 109 * MINUTE, MINUTE);
		await world.clock.turn(MINUTE);
		const [old, fresh] = firstOf(world.operator.live, 2);
		const payload = world.operator.send({}, [fresh]);
		const waiting = world.operator.cpt;
		expect(leaves.witness.numbers).not.toContain(waiting);
		await leaves.subscription.close();
		expect(leaves.witness.numbers).toContain(waiting);
		const comes = world.subscribe();
		world.operator.push(payload, [old]);
		world.operator.send({}, [old, fresh]);
		expect(comes.witness.numbers).toEqual([world.operator.cpt]);
		expect(stays.witness.numbers).toEqual(numbersUpTo(world.operator.cpt));
	});

	it('reads what arrived while the process stood still before it decides between the two connections', async () => {
		const { clock, operator, witness } = await running(109 * MINUTE, MINUTE);
		operator.newAreSilent = true;
		await clock.turn(MINUTE);
		const [old] = firstOf(operator.live, 2);
		// At the same time as the next look at the two, and after it.
		clock.after(SECOND, () => operator.send({}, [old]));
		await clock.turn(1);
		operator.ping();
		const now = clock.now.bind(clock);
		clock.now = () => now() + MINUTE / 3;
		await clock.turn(4 * SECOND);
		expect(operator.live).toContain(old);
		operator.send();
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it('passes each event on after half a second if only the new connection delivered it', async () => {
		const { clock, operator, witness } = await running(109 * MINUTE, MINUTE);
		await clock.turn(MINUTE);
		const [, fresh] = firstOf(operator.live, 2);
		operator.send({}, [fresh]);
		await clock.turn(400);
		operator.send({}, [fresh]);
		const [first, second] = [operator.cpt - 1, operator.cpt];
		await clock.turn(100);
		expect(witness.numbers.at(-1)).toBe(first);
		await clock.turn(399);
		expect(witness.numbers.at(-1)).toBe(first);
		await clock.turn(1);
		expect(witness.numbers.at(-1)).toBe(second);
	});

	it('does not report the last events if only the old connection delivered them', async () => {
		const { clock, operator, witness } = await running(110 * MINUTE, MINUTE);
		const [old] = firstOf(operator.live, 2);
		operator.send();
		await clock.turn(2 * SECOND);
		operator.send({}, [old]);
		await clock.turn(5 * SECOND);
		expect(operator.live).toHaveLength(1);
		operator.send();
		await clock.turn(5 * SECOND);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(witness.kinds).toEqual(['connected']);
	});

	it('works if the newer connection ends the older one: nothing lost, nothing duplicated, no gap', async () => {
		const world = makeWorld();
		world.operator.singleSession = true;
		const { subscription, witness } = world.subscribe();
		await subscription.first;
		await live(world, DAY, MINUTE);
		expect(witness.numbers).toEqual(numbersUpTo(world.operator.cpt));
		expect(witness.kinds).toEqual(['connected']);
		expect(world.operator.logins).toBe(1 + Math.floor(DAY / (110 * MINUTE)));
	});

	it('keeps the old connection if the second login is rejected, and closes it shortly before the end', async () => {
		const world = makeWorld();
		world.operator.secondLogin = 'refuse';
		const { subscription, witness } = world.subscribe();
		await subscription.first;
		await live(world, 118 * MINUTE - 10 * SECOND, 10 * SECOND);
		expect(witness.kinds).toEqual(['connected']);
		expect(world.operator.logins).toBeGreaterThan(5);
		await live(world, 30 * SECOND, SECOND);
		expect(subscription.state()).toBe('live');
		expect(witness.kinds.filter((kind) => kind !== 'gap')).toEqual([
			'connected',
			'disconnected',
			'connected',
		]);
		expect(witness.numbers).toEqual(numbersUpTo(world.operator.cpt));
		await live(world, DAY, MINUTE);
		expect(witness.numbers).toEqual(numbersUpTo(world.operator.cpt));
		expect(witness.kinds).not.toContain('refused');
	});

	it('reports a gap from the last sign of life on if the old connection was dead when it was closed for a new one', async () => {
		const world = makeWorld();
		world.operator.secondLogin = 'refuse';
		const { subscription, witness } = world.subscribe();
		await subscription.first;
		await live(world, 117 * MINUTE, 10 * SECOND);
		const deadFrom = world.clock.now();
		await world.clock.turn(20 * SECOND);
		world.operator.send({}, []);
		await world.clock.turn(2 * MINUTE);
		world.operator.send();
		const [gap] = witness.of('gap');
		expect(gap?.from).toBeLessThanOrEqual(deadFrom);
	});

	it('retries a failed renewal with back-off, and keeps the old connection', async () => {
		const { world, operator, subscription, witness } = await running(109 * MINUTE, MINUTE);
		operator.login = { statusCode: 503, headers: {}, body: 'busy' };
		await live(world, 5 * MINUTE, SECOND);
		expect(subscription.state()).toBe('renewing');
		const tries = operator.logins - 1;
		expect(tries).toBeGreaterThan(4);
		expect(tries).toBeLessThan(12);
		operator.login = 'accept';
		await live(world, 2 * MINUTE, SECOND);
		expect(subscription.state()).toBe('live');
		expect(witness.kinds).toEqual(['connected']);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it('does not close a working connection while the login service fails', async () => {
		const world = makeWorld();
		world.operator.cutAtExpiry = false;
		const { subscription, witness } = world.subscribe();
		await subscription.first;
		await live(world, 100 * MINUTE, MINUTE);
		world.operator.login = 'unreachable';
		await live(world, 60 * MINUTE, MINUTE);
		expect(witness.kinds).toEqual(['connected']);
		world.operator.login = 'accept';
		await live(world, 3 * MINUTE, SECOND);
		expect(subscription.state()).toBe('live');
		expect(witness.kinds).toEqual(['connected']);
		expect(witness.numbers).toEqual(numbersUpTo(world.operator.cpt));
	});

	it('keeps the old connection if the new one delivers nothing (its init was dropped)', async () => {
		const { world, operator, subscription, witness } = await running(109 * MINUTE, MINUTE);
		operator.newAreSilent = true;
		await live(world, 2 * MINUTE, SECOND);
		expect(witness.lines.join()).toContain('renewal rolled back');
		expect(subscription.state()).toBe('renewing');
		operator.newAreSilent = false;
		await live(world, 2 * MINUTE, SECOND);
		expect(subscription.state()).toBe('live');
		expect(witness.kinds).toEqual(['connected']);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it('reports the numbers that neither connection delivered while one takes over', async () => {
		const { world, operator, witness } = await running(110 * MINUTE, 10 * SECOND);
		await live(world, SECOND, SECOND);
		expect(operator.live).toHaveLength(2);
		// What only one of them lacks is not a gap …
		operator.send({}, [nth(operator.live, 0)]);
		operator.send({}, [nth(operator.live, 1)]);
		operator.send();
		// … but what both lack is one.
		operator.cpt += 3;
		await live(world, MINUTE, SECOND);
		expect(operator.live).toHaveLength(1);
		expect(witness.of('gap').map(({ missed }) => missed)).toEqual([3]);
	});

	describe('if the numbers of the new connection arrive late', () => {
		/**
		 * The numbers that the new connection delivers, relative to the newest one of the old connection, and how long
		 * after the previous one each arrives.
		 */
		async function bring(late: ReadonlyArray<readonly [number, number]>, end: 'ends' | 'stays') {
			const { world, clock, operator, witness } = await running(109 * MINUTE, 10 * SECOND);
			const newest = operator.cpt;
			await clock.turn(MINUTE + 2 * SECOND);
			const [old, fresh] = [nth(operator.live, 0), nth(operator.live, 1)];
			operator.ping();
			for (const [ahead, after] of late) {
				await clock.turn(after);
				operator.cpt = newest + ahead - 1;
				operator.send({}, [fresh]);
				if (end === 'ends' && ahead === 2) operator.drop(old, 'io server disconnect');
			}
			operator.cpt = newest + Math.max(...late.map(([ahead]) => ahead));
			await clock.turn(MINUTE);
			expect(operator.live).toEqual([fresh]);
			await live(world, MINUTE, SECOND);
			return witness.of('gap').map(({ missed, lastCpt = 0 }) => [missed, lastCpt - newest]);
		}

		it('waits for them before it reports what neither connection delivered', async () => {
			expect(
				await bring(
					[
						[2, 0],
						[1, SECOND],
					],
					'ends',
				),
			).toEqual([]);
			expect(
				await bring(
					[
						[3, 0],
						[2, SECOND],
					],
					'ends',
				),
			).toEqual([[1, 0]]);
		});

		it('counts none of them as missed, even if they arrived long before the old connection ends', async () => {
			const early: Array<[number, number]> = [
				[3, 0],
				[1, SECOND / 2],
				[5, 4 * SECOND],
				[4, SECOND / 2],
			];
			expect(await bring([...early, [2, SECOND]], 'ends')).toEqual([]);
		});
	});

	it('reports that the old connection had stopped even if the new one that showed it breaks', async () => {
		const { clock, operator, witness } = await running(109 * MINUTE, 10 * SECOND);
		const lastSeen = clock.now();
		const old = nth(operator.live, 0);
		const sendToOthers = () =>
			operator.send(
				{},
				operator.live.filter((socket) => socket !== old),
			);
		// The operator has forgotten the subscription, but keeps the socket open.
		for (let count = 0; count < 3; count++) sendToOthers();
		await clock.turn(MINUTE + 3 * SECOND);
		const fresh = nth(operator.live, 1);
		sendToOthers();
		await clock.turn(6 * SECOND);
		operator.ping();
		operator.drop(fresh);
		await clock.turn(4 * SECOND);
		sendToOthers();
		await clock.turn(MINUTE);
		expect(operator.live).not.toContain(old);
		expect(nth(witness.of('gap'), 0).from).toBeLessThanOrEqual(lastSeen);
		expect(witness.of('gap').some(({ missed = 0 }) => missed >= 3)).toBe(true);
	});

	/** A connection that has delivered an event every ten seconds, the last one a minute before its renewal. */
	async function lastEventBeforeRenewal() {
		const { clock, operator, subscription } = await running(109 * MINUTE, 10 * SECOND);
		const lastSeen = clock.now();
		return { clock, operator, subscription, lastSeen };
	}

	it('tells a subscriber that has left what was uncertain then, since the position is saved after that', async () => {
		const { clock, operator, subscription, lastSeen } = await lastEventBeforeRenewal();
		await clock.turn(MINUTE + 3 * SECOND);
		operator.send({}, [nth(operator.live, 1)]);
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
		await subscription.close();
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
	});

	it('tells no more than the last event of a connection that answers pings, if only the next one delivers', async () => {
		const { clock, operator, subscription, lastSeen } = await lastEventBeforeRenewal();
		await clock.turn(MINUTE + SECOND);
		operator.ping();
		expect(subscription.coveredUntil()).toBeUndefined();
		await clock.turn(SECOND);
		operator.send({}, [nth(operator.live, 1)]);
		await clock.turn(SECOND);
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
		operator.send();
		expect(subscription.coveredUntil()).toBeUndefined();
	});

	it('tells until when everything had arrived if a renewal only showed that the connection was dead', async () => {
		const { clock, operator, subscription, lastSeen } = await lastEventBeforeRenewal();
		await clock.turn(MINUTE + SECOND);
		const [dead, next] = firstOf(operator.live, 2);
		operator.send({}, [next]);
		operator.drop(next);
		operator.drop(dead, 'ping timeout');
		expect(subscription.state()).not.toBe('live');
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
	});

	it('tells that not everything is here while a number is missing that may still come', async () => {
		const { clock, operator, subscription, witness } = await running(20 * SECOND, SECOND);
		const lastSeen = clock.now();
		operator.cpt += 3;
		await clock.turn(SECOND);
		operator.send();
		expect(subscription.coveredUntil()).toBe(lastSeen);
		await clock.turn(5 * SECOND);
		expect(witness.of('gap')).toMatchObject([{ missed: 3 }]);
		expect(subscription.coveredUntil()).toBeUndefined();
	});

	it('knows that one of two connections that broke together had delivered more than the other', async () => {
		const { world, clock, operator, witness } = await running(110 * MINUTE, 10 * SECOND);
		await live(world, SECOND, SECOND);
		const [old, fresh] = [nth(operator.live, 0), nth(operator.live, 1)];
		await clock.turn(SECOND);
		// The other one lags.
		operator.send({}, [old]);
		const last = clock.now();
		operator.drop(old);
		operator.drop(fresh);
		await live(world, 5 * SECOND, SECOND);
		expect(witness.of('gap').map(({ from }) => from)).toEqual([last - TRANSIT_MS]);
	});

	it('reports what a connection that had died unnoticed may have missed', async () => {
		const { clock, operator, subscription, witness } = await running(
			109 * MINUTE + 30 * SECOND,
			30 * SECOND,
		);
		const lastSeen = clock.now();
		const half = nth(operator.live, 0);
		half.silent = true;
		operator.send();
		operator.send();
		// The renewal comes before the ping timeout would fire.
		for (let second = 0; second < 120; second++) {
			await clock.turn(SECOND);
			operator.send();
			operator.ping(operator.live.filter((socket) => socket !== half));
		}
		expect(subscription.state()).toBe('live');
		const gap = nth(witness.of('gap'), 0);
		expect(gap).toMatchObject({
			from: lastSeen - TRANSIT_MS,
		});
		const missing = numbersUpTo(operator.cpt).filter((n) => !witness.numbers.includes(n));
		expect(missing.length).toBeGreaterThan(2);
		// All missing events were sent before the new connection sent init.
		expect(gap.to).toBe(START + 110 * MINUTE);
		expect(new Set(witness.numbers).size).toBe(witness.numbers.length);
	});
});

describe('reconnection', () => {
	it('retries at once after a clean disconnect, once', async () => {
		const { operator, subscription } = await running(MINUTE, SECOND);
		operator.disconnect(nth(operator.live, 0));
		await settle();
		expect(operator.logins).toBe(2);
		expect(subscription.state()).toBe('live');
		// Disconnected again at once: now it waits.
		operator.disconnect(nth(operator.live, 0));
		await settle();
		expect(operator.logins).toBe(2);
		expect(subscription.state()).toBe('waiting');
	});

	it('waits longer and longer if the operator ends every connection', async () => {
		const world = makeWorld();
		world.operator.handshake = 'throwOut';
		const { subscription } = world.subscribe();
		await subscription.first;
		await world.clock.turn(HOUR);
		// Up to a minute between attempts, never a tight loop.
		expect(world.operator.logins).toBeLessThan(100);
		expect(world.operator.logins).toBeGreaterThan(60);
	});

	it('does not compete with another session for an account that allows one', async () => {
		const world = makeWorld();
		world.operator.singleSession = true;
		const one = world.subscribe({ key: 'one process' });
		await one.subscription.first;
		const two = world.subscribe({ key: 'another process' });
		await two.subscription.first;
		await live(world, HOUR, 500);
		expect(world.operator.logins).toBeLessThan(300);
	});

	it('doubles the wait up to a minute, with jitter, and starts over after a confirmed connection', async () => {
		for (const random of [0, 0.999]) {
			const world = makeWorld({ random: () => random });
			const { subscription, witness } = world.subscribe();
			await subscription.first;
			await live(world, MINUTE, SECOND);
			world.operator.login = 'unreachable';
			world.operator.drop(nth(world.operator.live, 0));
			const waits: number[] = [];
			for (let failure = 0; failure < 9; failure++) {
				const logins = world.operator.logins;
				const from = world.clock.now();
				while (world.operator.logins === logins) await world.clock.turn(50);
				waits.push((world.clock.now() - from) / 1000);
			}
			const expected = [1, 2, 4, 8, 16, 30, 30, 30, 30].map(
				(wait) => wait * (random === 0 ? 1 : 2),
			);
			waits.forEach((wait, index) =>
				expect(Math.abs(wait - nth(expected, index))).toBeLessThan(0.1),
			);
			world.operator.login = 'accept';
			await world.clock.turn(MINUTE);
			expect(subscription.state()).toBe('live');
			await live(world, 20 * SECOND, SECOND);
			world.operator.drop(nth(world.operator.live, 0));
			await world.clock.turn(2 * SECOND);
			expect(subscription.state()).toBe('live');
			world.operator.send();
			expect(witness.of('connected')).toHaveLength(3);
		}
	});

	it('logs in again for every connection', async () => {
		const { world, clock, operator } = await running();
		for (let time = 0; time < 5; time++) {
			await live(world, MINUTE, SECOND);
			operator.drop(nth(operator.live, 0));
			await clock.turn(3 * SECOND);
		}
		const tokens = operator.sockets.map(({ init }) => init?.[2]);
		expect(new Set(tokens).size).toBe(6);
	});

	it('retries sooner if a rejected login may only mean that the broken connection is still counted', async () => {
		const { clock, operator, subscription, witness } = await running(MINUTE, SECOND);
		operator.login = { statusCode: 403, headers: {}, body: { err_msg: 'already connected' } };
		operator.drop(nth(operator.live, 0));
		await clock.turn(10 * SECOND);
		expect(subscription.state()).toBe('refused');
		expect(witness.of('refused')).toHaveLength(1);
		operator.login = 'accept';
		await clock.turn(30 * SECOND);
		expect(subscription.state()).toBe('live');
	});

	it('uses the login of a pending renewal to reconnect if the old connection ends', async () => {
		const { world, clock, operator, subscription, witness } = await running(109 * MINUTE, MINUTE);
		operator.login = 'hang';
		await live(world, MINUTE, SECOND);
		expect(subscription.state()).toBe('renewing');
		operator.disconnect(nth(operator.live, 0));
		await settle();
		expect(subscription.state()).toBe('authenticating');
		expect(operator.mostAtOnce).toBe(1);
		operator.login = 'accept';
		await clock.turn(MINUTE);
		expect(subscription.state()).toBe('live');
		expect(witness.kinds.slice(0, 3)).toEqual(['connected', 'disconnected', 'connected']);
	});
});

describe('silence', () => {
	const silenceTimeoutMs = 30 * MINUTE;

	it('logs in again if nothing arrived for the timeout, and reports what may have been missed', async () => {
		const { world, clock, operator, subscription, witness } = await running(20 * MINUTE, MINUTE, {
			silenceTimeoutMs,
		});
		const lastHeard = clock.now();
		const forgotten = nth(operator.live, 0);
		forgotten.silent = true;
		operator.send();
		await quiet(world, 31 * MINUTE);
		expect(operator.live).toHaveLength(1);
		expect(operator.live[0]).not.toBe(forgotten);
		expect(witness.kinds).toEqual(['connected']);
		operator.send();
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS, missed: 1 }]);
		expect(subscription.state()).toBe('live');
	});

	it('reports it as well if the operator ends the old connection for the new one', async () => {
		const world = makeWorld();
		world.operator.singleSession = true;
		const { subscription, witness } = world.subscribe({ silenceTimeoutMs });
		await subscription.first;
		// Too few to recognize the numbering.
		await live(world, 5 * MINUTE, MINUTE);
		const lastHeard = world.clock.now();
		nth(world.operator.live, 0).silent = true;
		world.operator.send();
		await world.clock.turn(31 * MINUTE);
		expect(subscription.state()).toBe('live');
		world.operator.send();
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS }]);
	});

	it('reports no gap if the numbers show that it was only quiet', async () => {
		const { world, operator, witness } = await running(20 * MINUTE, MINUTE, { silenceTimeoutMs });
		await quiet(world, 8 * HOUR);
		operator.send();
		expect(operator.logins).toBeGreaterThan(10);
		expect(witness.kinds).toEqual(['connected']);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it('reports at once what a connection missed that turns out to be dead while it is replaced', async () => {
		const { clock, operator, witness } = await running(5 * MINUTE, MINUTE, { silenceTimeoutMs });
		const lastHeard = clock.now();
		const dead = nth(operator.live, 0);
		dead.silent = true;
		await clock.turn(30 * MINUTE);
		expect(operator.live).toHaveLength(2);
		operator.drop(dead, 'ping timeout');
		await clock.turn(10 * SECOND);
		// No event has arrived, and none may arrive for hours.
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS }]);
	});

	it('reports what a connection missed that had stopped before its renewal, if it breaks then', async () => {
		const { world, clock, operator, witness } = await running(100 * MINUTE, MINUTE, {
			silenceTimeoutMs,
		});
		const lastHeard = clock.now();
		nth(operator.live, 0).silent = true;
		operator.send();
		await quiet(world, 10 * MINUTE);
		const [stopped] = firstOf(operator.live, 2);
		await clock.turn(2 * SECOND);
		operator.send();
		const heard = clock.now();
		await clock.turn(SECOND / 2);
		operator.ping();
		await clock.turn(2 * SECOND);
		operator.ping();
		operator.drop(stopped);
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS, to: heard }]);
	});

	it('begins the gap with the last event if the renewal ends too early to tell a stopped connection from a dead one', async () => {
		const world = makeWorld();
		const { operator, clock } = world;
		operator.validityMs = MINUTE / 2;
		operator.cutAtExpiry = false;
		const { subscription, witness } = world.subscribe({ silenceTimeoutMs });
		await subscription.first;
		await live(world, 10 * SECOND, SECOND);
		const lastHeard = clock.now();
		nth(operator.live, 0).silent = true;
		await clock.turn(10 * SECOND);
		operator.ping();
		await clock.turn(5 * SECOND);
		expect(operator.live).toHaveLength(2);
		for (let second = 0; second < 24; second++) {
			operator.send();
			await clock.turn(SECOND);
		}
		expect(nth(witness.of('gap'), 0).from).toBe(lastHeard - TRANSIT_MS);
	});

	it('begins the gap also if the machine slept through its end, before the dead connection was replaced', async () => {
		const { world, clock, operator, witness } = await running(99 * MINUTE, MINUTE, {
			silenceTimeoutMs,
		});
		const lastHeard = clock.now();
		const dead = nth(operator.live, 0);
		dead.silent = true;
		await quiet(world, 10 * MINUTE);
		const now = clock.now.bind(clock);
		clock.now = () => now() + 25 * MINUTE;
		await clock.turn(MINUTE);
		expect(operator.live).toHaveLength(2);
		operator.drop(dead, 'ping timeout');
		await clock.turn(10 * SECOND);
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS }]);
	});

	it('is that of both lines if neither delivered anything', async () => {
		const { world, clock, operator, witness } = await running(5 * MINUTE, MINUTE, {
			silenceTimeoutMs,
			redundantConnection: true,
		});
		expect(operator.live).toHaveLength(2);
		const lastHeard = clock.now();
		for (const forgotten of operator.live) forgotten.silent = true;
		operator.send();
		await quiet(world, 62 * MINUTE);
		operator.send();
		await clock.turn(10 * SECOND);
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS }]);
	});

	it('is off at 0', async () => {
		const { clock, operator } = await running(0, SECOND, { silenceTimeoutMs: 0 });
		await clock.turn(100 * MINUTE);
		expect(operator.logins).toBe(1);
	});

	it('is measured from the last event', async () => {
		const { operator } = await running(87 * MINUTE, 29 * MINUTE, { silenceTimeoutMs });
		expect(operator.logins).toBe(1);
	});
});

describe('a clock that is set back', () => {
	const setBack = ({ clock }: World, ms: number) => {
		const now = clock.now.bind(clock);
		clock.now = () => now() - ms;
	};

	it('does not extend a silence', async () => {
		const { world, clock, operator, witness } = await running(5 * MINUTE, MINUTE, {
			silenceTimeoutMs: 30 * MINUTE,
		});
		nth(operator.live, 0).silent = true;
		setBack(world, DAY);
		const lastHeard = steady(clock).now();
		operator.ping();
		operator.send();
		await clock.turn(31 * MINUTE);
		expect(operator.logins).toBe(2);
		operator.send();
		expect(witness.of('gap')).toMatchObject([{ from: lastHeard - TRANSIT_MS }]);
	});

	it('does not extend a wait that the operator asked for', async () => {
		const { world, clock, operator, subscription } = await running(0, SECOND, {
			silenceTimeoutMs: 5 * MINUTE,
		});
		operator.login = { statusCode: 429, headers: { 'retry-after': '120' }, body: {} };
		await clock.turn(5 * MINUTE);
		expect(operator.logins).toBe(2);
		operator.login = 'accept';
		setBack(world, DAY);
		operator.ping();
		operator.disconnect(nth(operator.live, 0));
		await clock.turn(3 * MINUTE);
		expect(subscription.state()).toBe('live');
	});

	it('does not bring back a wait that is over', async () => {
		const world = makeWorld();
		world.operator.login = { statusCode: 429, headers: { 'retry-after': '600' }, body: {} };
		const { subscription } = world.subscribe();
		await subscription.first;
		world.operator.login = 'accept';
		setBack(world, DAY);
		await world.clock.turn(11 * MINUTE);
		expect(subscription.state()).toBe('live');
		world.operator.disconnect(nth(world.operator.live, 0));
		await world.clock.turn(0);
		expect(subscription.state()).toBe('live');
	});

	it('does not delay the report of a gap', async () => {
		const { world, clock, operator, witness } = await running(MINUTE, SECOND);
		operator.drop(nth(operator.live, 0));
		await clock.turn(3 * SECOND);
		expect(operator.live).toHaveLength(1);
		setBack(world, DAY);
		await clock.turn(2 * FIRST_EVENT_MS);
		expect(witness.of('gap')).toHaveLength(1);
		const { from, to } = nth(witness.of('gap'), 0);
		expect(from).toBeLessThan(to);
		expect(to).toBeLessThanOrEqual(steady(clock).now());
	});

	it.each(['before', 'after'])(
		'does not delay the report of missing numbers, %s the event that shows them',
		async (when) => {
			const { world, clock, operator, witness } = await running(MINUTE, SECOND);
			nth(operator.live, 0).silent = true;
			operator.send();
			nth(operator.live, 0).silent = false;
			if (when === 'before') setBack(world, DAY);
			operator.send();
			if (when === 'after') setBack(world, DAY);
			await clock.turn(5 * SECOND);
			expect(witness.of('gap')).toMatchObject([{ missed: 1 }]);
			const { from, to } = nth(witness.of('gap'), 0);
			expect(to - from).toBeGreaterThanOrEqual(0);
			expect(to).toBeLessThanOrEqual(steady(clock).now());
		},
	);

	it('does not keep a renewal from noticing what the new connection shows', async () => {
		const world = makeWorld();
		world.operator.cutAtExpiry = false;
		const { witness } = world.subscribe();
		await live(world, 109 * MINUTE, MINUTE);
		nth(world.operator.live, 0).silent = true;
		world.operator.send();
		await world.clock.turn(MINUTE);
		expect(world.operator.live).toHaveLength(2);
		setBack(world, DAY);
		await live(world, MINUTE, SECOND);
		expect(world.operator.live).toHaveLength(1);
		expect(witness.of('gap')).toMatchObject([
			{ reason: 'the connection had stopped delivering events until its renewal' },
		]);
	});

	it('does not keep a stopped line longer', async () => {
		const { world, operator, witness } = await running(5 * MINUTE, MINUTE, {
			redundantConnection: true,
		});
		setBack(world, DAY);
		await live(world, MINUTE, SECOND);
		const stopped = nth(operator.live, 1);
		stopped.silent = true;
		await live(world, MINUTE, SECOND);
		expect(operator.live).toHaveLength(2);
		expect(operator.live).not.toContain(stopped);
		expect(witness.of('gap')).toEqual([]);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it('does not move the beginning of a gap: when one of two lines was lost, everything had arrived until then', async () => {
		const { world, clock, operator, witness } = await running(5 * MINUTE, MINUTE, {
			redundantConnection: true,
		});
		operator.drop(nth(operator.live, 0));
		await settle();
		setBack(world, DAY);
		operator.ping();
		operator.drop(nth(operator.live, 0));
		await clock.turn(3 * SECOND);
		operator.send();
		expect(witness.of('gap')).toHaveLength(1);
		const { from, to } = nth(witness.of('gap'), 0);
		expect(from).toBeLessThan(to);
	});
});

describe('gaps', () => {
	it('contain their beginning and end, the numbers around them, and how many events are missing', async () => {
		const { clock, operator, witness } = await running(MINUTE, SECOND);
		const socket = nth(operator.live, 0);
		operator.drop(socket);
		const { cpt } = operator;
		for (let lost = 0; lost < 7; lost++) operator.send();
		await clock.turn(3 * SECOND);
		expect(witness.kinds).toEqual(['connected', 'disconnected']);
		operator.send();
		expect(witness.of('connected').map(({ continuous }) => continuous)).toEqual([null, false]);
		expect(witness.of('gap')).toMatchObject([
			{
				from: START + MINUTE - TRANSIT_MS,
				lastCpt: cpt,
				firstCpt: cpt + 8,
				missed: 7,
				reason: 'transport close',
			},
		]);
		// It ends with the first event, which shows that the new connection delivers.
		const { from, to } = nth(witness.of('gap'), 0);
		expect(to - from).toBe(3 * SECOND + TRANSIT_MS);
		expect(witness.kinds.at(-1)).toBe('gap');
	});

	it('are none if the numbers prove that nothing was missed', async () => {
		const { clock, operator, witness } = await running(MINUTE, SECOND);
		operator.drop(nth(operator.live, 0));
		await clock.turn(3 * SECOND);
		operator.send();
		await clock.turn(MINUTE);
		expect(witness.kinds).toEqual(['connected', 'disconnected', 'connected']);
		expect(witness.of('connected').at(-1)).toMatchObject({ continuous: true });
	});

	it('are reported without the numbers if no event arrives for a while', async () => {
		const { clock, operator, witness } = await running(MINUTE, SECOND);
		operator.drop(nth(operator.live, 0));
		await clock.turn(2 * SECOND + FIRST_EVENT_MS);
		expect(witness.of('gap')).toHaveLength(1);
		expect(witness.of('gap')[0]).not.toHaveProperty('missed');
	});

	it('begin shortly before the last ping if the connection broke, and shortly before the end if the operator ended it', async () => {
		const { clock, operator, witness } = await running(MINUTE, SECOND);
		await clock.turn(20 * SECOND);
		operator.ping();
		await clock.turn(15 * SECOND);
		operator.drop(nth(operator.live, 0), 'ping timeout');
		await clock.turn(10 * SECOND);
		expect(nth(witness.of('gap'), 0).from).toBe(START + MINUTE + 20 * SECOND - TRANSIT_MS);
		operator.send();
		await clock.turn(20 * SECOND);
		const end = clock.now();
		operator.disconnect(nth(operator.live, 0));
		await clock.turn(10 * SECOND);
		expect(nth(witness.of('gap'), 1).from).toBe(end - TRANSIT_MS);
	});

	it('become one if nothing arrived in between', async () => {
		const { clock, operator, witness } = await running(MINUTE, SECOND);
		operator.drop(nth(operator.live, 0));
		await clock.turn(2 * SECOND);
		operator.drop(nth(operator.live, 0));
		await clock.turn(30 * SECOND);
		// The connection in between delivered nothing.
		expect(witness.kinds).toEqual(['connected', 'disconnected', 'connected', 'gap']);
		const { at } = nth(witness.of('connected'), 1);
		expect(witness.of('gap')).toMatchObject([{ from: START + MINUTE - TRANSIT_MS, to: at }]);
	});
});

describe('closing', () => {
	it.each([
		['while the login hangs', async (w: World) => void (w.operator.login = 'hang')],
		['while the probe hangs', async (w: World) => void (w.operator.probe = 'hang')],
		['while the handshake hangs', async (w: World) => void (w.operator.handshake = 'hang')],
		['while waiting', async (w: World) => void (w.operator.login = 'unreachable')],
		[
			'while refused',
			async (w: World) => void (w.operator.login = { statusCode: 401, headers: {}, body: '' }),
		],
		['while live', async () => undefined],
		[
			'while a renewal logs in',
			async (w: World) => {
				await w.clock.turn(109 * MINUTE);
				w.operator.login = 'hang';
				await w.clock.turn(MINUTE);
			},
		],
		['while two connections are open', async (w: World) => w.clock.turn(110 * MINUTE)],
		[
			'while a gap is about to be reported',
			async (w: World) => {
				await w.clock.turn(MINUTE);
				w.operator.drop(nth(w.operator.live, 0));
				await w.clock.turn(3 * SECOND);
			},
		],
	])('%s ends at once and leaves no socket, no login and no timer', async (_name, prepare) => {
		const world = makeWorld();
		world.operator.cutAtExpiry = false;
		if (prepare.length > 0 && !/renewal|two|gap/.test(_name)) await prepare(world);
		const { subscription, witness } = world.subscribe({
			protocol: 'auto',
			silenceTimeoutMs: 30 * MINUTE,
		});
		await settle();
		if (/renewal|two|gap/.test(_name)) await prepare(world);
		await world.clock.turn(10);
		const before = { lines: witness.lines.length, statuses: witness.statuses.length };
		await subscription.close();
		await settle();
		expect(subscription.state()).toBe('closed');
		expect(world.operator.sockets.every(({ closed, open }) => closed || !open)).toBe(true);
		expect(world.operator.loginsUnderWay).toBe(0);
		expect(world.clock.pending).toBe(0);
		const logins = world.operator.logins;
		await world.clock.turn(3 * HOUR);
		expect(world.operator.logins).toBe(logins);
		expect({ lines: witness.lines.length, statuses: witness.statuses.length }).toEqual(before);
		await subscription.close();
	});

	it('drops the late response of a login that cannot be aborted', async () => {
		const world = makeWorld();
		let answer!: () => void;
		const { subscription } = world.subscribe({
			login: async () =>
				await new Promise((resolve) => {
					answer = () => resolve(world.operator.session());
				}),
		});
		await settle();
		await subscription.close();
		expect(await subscription.first).toEqual({ kind: 'closed' });
		answer();
		await settle();
		expect(world.operator.sockets).toHaveLength(0);
		expect(subscription.directory()).toBeUndefined();
	});

	it('passes on nothing after close(), not even what arrives at the same time', async () => {
		const { clock, operator, subscription, witness } = await running();
		const socket = nth(operator.live, 0);
		const closing = subscription.close();
		socket.handlers.event('update', [{ event: { msg: {} } }]);
		socket.handlers.disconnect('transport close');
		await closing;
		await clock.turn(MINUTE);
		expect(witness.events).toHaveLength(0);
		expect(witness.kinds).toEqual(['connected']);
	});
});

describe('subscribers', () => {
	it('that throw affect nobody else', async () => {
		const world = makeWorld();
		const bad = new Witness();
		const fail = () => {
			throw new Error('secret detail');
		};
		bad.onEvent = fail;
		bad.onStatus = fail;
		world.subscribe({}, bad);
		const { witness } = world.subscribe();
		await live(world, 10 * SECOND, SECOND);
		expect(witness.events).toHaveLength(10);
		expect(bad.lines.filter((line) => line.startsWith('error'))).toHaveLength(11);
		expect(bad.lines.join()).not.toContain('secret detail');
	});

	it('only get updates: other Socket.IO events are logged once for each name and connection', async () => {
		const { operator, subscription, witness } = await running();
		const socket = nth(operator.live, 0);
		const payload = { event: { event: 'status', type_notification: 'operator', msg: {} } };
		socket.handlers.event('notice', [{ ...payload, token: 'token-1', text: 'x'.repeat(5_000) }]);
		expect(witness.events).toEqual([]);
		expect(subscription.counters().unreadable).toBe(0);
		const lines = witness.lines.filter((line) => line.includes('"notice"'));
		expect(lines).toEqual([
			expect.stringMatching(/^warn (?!.*status)/),
			expect.stringMatching(/^debug .{100,350}$/),
		]);
		expect(lines.join()).not.toContain('token-1');
		for (let again = 0; again < 50; again++) {
			socket.handlers.event('notice', ['again']);
			socket.handlers.event(`name\n${again}`, []);
		}
		expect(witness.others[0]).toMatch(/^notice \[/);
		expect(witness.others.filter((one) => one.startsWith('notice'))).toHaveLength(1);
		expect(witness.others).toHaveLength(20);
		expect(witness.others.join()).not.toContain('token-1');
		expect(witness.others.join()).not.toContain('\n');
	});

	it('get unreadable messages as a count, and one shortened debug line without the token', async () => {
		const { operator, subscription, witness } = await running();
		operator.push(`token-1 ${'x'.repeat(5000)}`);
		operator.push(null);
		operator.send();
		expect(witness.events).toHaveLength(1);
		expect(subscription.counters().unreadable).toBe(2);
		const lines = witness.lines.filter((line) => line.includes('could not be read'));
		expect(lines).toHaveLength(2);
		expect(lines.every((line) => line.startsWith('debug') && line.length < 300)).toBe(true);
		expect(witness.lines.join()).not.toContain('token-1');
	});
});

describe('two lines', () => {
	const redundantConnection = { redundantConnection: true };

	/** Two lines that have both shown that they deliver. */
	async function makePair() {
		const { world, operator, subscription, witness } = await running(
			10 * SECOND,
			SECOND,
			redundantConnection,
		);
		expect(operator.live).toHaveLength(2);
		return { ...world, world, subscription, witness };
	}

	it('are two connections, each with its own login, and pass each event on once', async () => {
		const { world, operator, subscription, witness } = await makePair();
		await live(world, MINUTE, SECOND);
		const tokens = operator.live.map(({ init }) => init?.[2]);
		expect(new Set(tokens).size).toBe(2);
		expect(operator.logins).toBe(2);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(witness.kinds).toEqual(['connected']);
		expect(subscription.counters().duplicates).toBeGreaterThan(60);
	});

	it.each([0, 1])('lose nothing and report no gap when line %i breaks', async (which) => {
		const { world, operator, witness } = await makePair();
		operator.drop(nth(operator.live, which));
		operator.send();
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(witness.of('connection_lost').map(({ reason }) => reason)).toEqual(['transport close']);
		await live(world, MINUTE, SECOND);
		expect(operator.live).toHaveLength(2);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(witness.kinds).toEqual(['connected', 'connection_lost']);
	});

	it('log in again within half a minute if a login is refused just after both broke', async () => {
		const world = makeWorld();
		const { clock, operator } = world;
		let logins = 0;
		let answer: ((response: HttpResponse) => void) | undefined;
		const { subscription } = world.subscribe({
			...redundantConnection,
			login: async () => {
				logins++;
				if (logins <= 2) return operator.session();
				return await new Promise((resolve) => (answer = resolve));
			},
		});
		await subscription.first;
		await live(world, 10 * SECOND, SECOND);
		operator.drop(nth(operator.live, 1));
		await clock.turn(5 * SECOND);
		operator.drop(nth(operator.live, 0));
		answer?.({ statusCode: 401, headers: {}, body: { err_msg: 'already connected' } });
		await settle();
		expect(logins).toBe(3);
		await clock.turn(31 * SECOND);
		expect(logins).toBe(4);
		await subscription.close();
	});

	it('report what neither of two silent lines delivered, also if the newer one breaks', async () => {
		const { clock, operator, subscribe } = makeWorld();
		operator.newAreSilent = true;
		const { subscription, witness } = subscribe(redundantConnection);
		await subscription.first;
		await clock.turn(SECOND / 2);
		const lostAt = clock.now();
		operator.send();
		for (let second = 0; second < 30; second++) {
			await clock.turn(SECOND);
			operator.ping();
		}
		expect(operator.live).toHaveLength(2);
		operator.newAreSilent = false;
		operator.drop(nth(operator.live, 1));
		for (let second = 0; second < 30; second++) {
			await clock.turn(SECOND);
			operator.ping();
			operator.send();
		}
		expect(witness.of('gap')).toHaveLength(1);
		expect(nth(witness.of('gap'), 0).from).toBeLessThanOrEqual(lostAt);
	});

	it('report what the older line had stopped delivering if both break together', async () => {
		const { clock, operator, subscribe } = makeWorld();
		const { subscription, witness } = subscribe(redundantConnection);
		await subscription.first;
		operator.send();
		nth(operator.live, 0).silent = true;
		await clock.turn(SECOND / 2);
		const lostAt = clock.now();
		operator.send();
		await clock.turn(4 * SECOND);
		operator.send();
		const heardAt = clock.now();
		await clock.turn(2 * SECOND);
		operator.ping();
		const [older, newer] = firstOf(operator.live, 2);
		operator.drop(older);
		operator.drop(newer);
		await clock.turn(10 * SECOND);
		expect(operator.live.length).toBeGreaterThan(0);
		const gap = nth(witness.of('gap'), 0);
		expect(gap.from).toBeLessThanOrEqual(lostAt);
		expect(gap.to).toBeGreaterThanOrEqual(heardAt);
	});

	it('report no missing numbers if the numbering restarted and the newer line stopped', async () => {
		const { world, operator, witness } = await makePair();
		await live(world, MINUTE, SECOND);
		operator.drop(nth(operator.live, 0));
		await live(world, MINUTE, SECOND);
		nth(operator.live, 1).silent = true;
		operator.cpt = 0;
		await live(world, 20 * SECOND, SECOND);
		expect(witness.kinds).toEqual(['connected', 'connection_lost', 'connection_lost']);
	});

	it.each([
		['one after the other', (turn: number) => turn % 2],
		['the older one', () => 0],
		['the newer one', () => 1],
	])('continue for as long as %s breaks every four seconds', async (_which, side) => {
		const { world, operator, witness } = await makePair();
		for (let turn = 0; turn < 150; turn++) {
			operator.drop(nth(operator.live, side(turn)));
			await live(world, 4 * SECOND, SECOND / 5);
			expect(operator.live).toHaveLength(2);
		}
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(new Set(witness.kinds)).toEqual(new Set(['connected', 'connection_lost']));
	});

	it('do not mistake a network that breaks the older line, now at once and now later, for a rule of the operator', async () => {
		const { world, operator, witness } = await makePair();
		for (let turn = 0; turn < 60; turn++) {
			while (operator.live.length < 2) await live(world, SECOND / 5, SECOND / 5);
			await live(world, (turn % 2 === 0 ? 1 : 3) * SECOND, SECOND / 5);
			operator.drop(nth(operator.live, 0));
		}
		await live(world, 70 * SECOND, SECOND);
		expect(operator.live).toHaveLength(2);
		const reasons = witness.of('connection_lost').map(({ reason }) => reason);
		expect(reasons.filter((reason) => reason.includes('one session'))).toEqual([]);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it.each([
		['breaks the older line', 0, 200, 'drop'],
		['breaks the newer line', 1, 200, 'drop'],
		['ends the older line later', 0, 10 * SECOND, 'disconnect'],
	] as const)(
		'log in less and less often, and end up as one line, if the operator %s each time',
		async (_what, which, afterMs, how) => {
			const { world, clock, operator, witness } = await makePair();
			const rule = async (ms: number) => {
				for (const end = clock.now() + ms; clock.now() < end;) {
					await live(world, SECOND, SECOND);
					if (operator.live.length < 2) continue;
					await live(world, afterMs, 200);
					operator[how](nth(operator.live, which));
				}
			};
			await rule(30 * MINUTE);
			expect(operator.logins).toBeLessThanOrEqual(10);
			expect(operator.live).toHaveLength(1);
			const reasons = witness.of('connection_lost').map(({ reason }) => reason);
			expect(reasons.filter((reason) => reason.includes('one session'))).toHaveLength(1);
			const { logins } = operator;
			await rule(65 * MINUTE);
			expect(operator.logins - logins).toBeLessThanOrEqual(3);
			expect(witness.of('connection_lost')).toHaveLength(reasons.length);
			expect(new Set(witness.kinds)).toEqual(new Set(['connected', 'connection_lost']));
			expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
			await live(world, 35 * MINUTE, 10 * SECOND);
			expect(operator.live).toHaveLength(2);
		},
	);

	it('report one gap when both break, from when the later one was complete', async () => {
		const { world, clock, operator, witness } = await makePair();
		await live(world, 20 * SECOND, SECOND);
		const [first, second] = operator.live;
		// One goes on alone for 10 s while the other one receives nothing, and nobody knows.
		for (let turn = 0; turn < 4; turn++) {
			await clock.turn(SECOND);
			operator.send({}, [nth(operator.live, 1)]);
		}
		const complete = clock.now();
		if (second) operator.drop(second);
		await clock.turn(SECOND / 2);
		if (first) operator.drop(first);
		expect(witness.kinds).toEqual(['connected', 'connection_lost', 'disconnected']);
		operator.send();
		await live(world, MINUTE, SECOND);
		const [gap, ...more] = witness.of('gap');
		expect(more).toEqual([]);
		const missed = operator.cpt - new Set(witness.numbers).size;
		expect(missed).toBeGreaterThan(0);
		expect(gap).toMatchObject({ from: complete - TRANSIT_MS, missed });
		expect(operator.live).toHaveLength(2);
	});

	it('replace the older line when its token ends, with never more than two sockets', async () => {
		const { world, operator, witness } = await makePair();
		const most: number[] = [];
		for (let hour = 0; hour < 6; hour++) {
			await live(world, HOUR, 10 * SECOND);
			most.push(operator.live.length);
		}
		expect(Math.max(...most)).toBe(2);
		// Two lines, each renewed every 110 minutes or so.
		expect(operator.logins).toBeGreaterThanOrEqual(6);
		expect(operator.logins).toBeLessThanOrEqual(10);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
		expect(witness.kinds).toEqual(['connected']);
	});

	it('replace a line that delivers none of the events of the other one', async () => {
		const { world, operator, witness } = await makePair();
		const silent = nth(operator.live, 0);
		silent.silent = true;
		await live(world, MINUTE, SECOND);
		expect(silent.closed).toBe(true);
		expect(operator.live).toHaveLength(2);
		expect(witness.kinds).toEqual(['connected', 'connection_lost']);
		expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
	});

	it('keep a line in quiet hours although the operator answers each `init` with an event', async () => {
		const { clock, operator, witness } = await running(0, SECOND, redundantConnection);
		let answered = 1;
		for (let passed = 0; passed < 20 * MINUTE; passed += SECOND) {
			await clock.turn(SECOND);
			operator.ping();
			if (operator.logins > answered && operator.live.length === 2) {
				answered = operator.logins;
				operator.send({}, operator.live.slice(-1));
			}
			await settle();
		}
		expect(operator.logins).toBe(2);
		expect(witness.kinds).toEqual(['connected']);
	});

	describe('if the older line had stopped before the newer one began', () => {
		const reason = 'the connection had stopped delivering events until its renewal';

		/** The older line has stopped, the newer one breaks, and events are lost before another one opens. */
		async function makeSilent(silenceTimeoutMs: number, lost = 1) {
			const { world, clock, operator, witness } = await running(20 * SECOND, SECOND, {
				...redundantConnection,
				silenceTimeoutMs,
			});
			const lastSeen = clock.now();
			const older = nth(operator.live, 0);
			older.silent = true;
			operator.drop(nth(operator.live, 1));
			for (let count = 0; count < lost; count++) operator.send();
			return { world, operator, clock, witness, older, lastSeen };
		}

		/** … and that one then delivers an event. */
		async function makeStopped(lost = 1) {
			const { world, operator, clock, witness, older, lastSeen } = await makeSilent(0, lost);
			await quiet(world, MINUTE);
			const newer = nth(operator.live, 1);
			operator.send();
			await settle();
			const gap = { reason, from: lastSeen - TRANSIT_MS, missed: 1 };
			return { world, operator, clock, witness, older, newer, gap };
		}

		it('report what neither delivered when the older one is replaced', async () => {
			const { world, operator, witness, older, gap } = await makeStopped();
			await quiet(world, 2 * HOUR);
			expect(operator.live).not.toContain(older);
			expect(witness.of('gap')).toMatchObject([gap]);
		});

		it('report it from that time on if both were silent for too long', async () => {
			const { world, operator, witness, lastSeen } = await makeSilent(5 * MINUTE);
			await quiet(world, MINUTE);
			nth(operator.live, 1).silent = true;
			await quiet(world, 6 * MINUTE);
			await live(world, MINUTE, SECOND);
			expect(witness.of('gap')).toMatchObject([{ from: lastSeen - TRANSIT_MS, missed: 1 }]);
		});

		it('report it with the next event if the older one ends after a silence that was too long', async () => {
			const { world, operator, witness, older, lastSeen } = await makeSilent(5 * MINUTE);
			await quiet(world, 3 * MINUTE);
			// The newer one has been open for less than the silence timeout all the time.
			operator.drop(nth(operator.live, 1));
			await quiet(world, 3 * MINUTE);
			operator.disconnect(older);
			expect(witness.of('gap')).toEqual([]);
			operator.send();
			expect(witness.of('gap')).toMatchObject([{ from: lastSeen - TRANSIT_MS, missed: 1 }]);
		});

		it('report it when the newer one breaks', async () => {
			const { operator, clock, witness, newer, gap } = await makeStopped();
			await clock.turn(5 * SECOND);
			operator.drop(newer);
			await clock.turn(10 * SECOND);
			expect(witness.of('gap').some(({ missed }) => missed === gap.missed)).toBe(true);
		});

		it.each(['drop', 'disconnect'] as const)(
			'report no gap when the older one ends (%s), since one event proves nothing',
			async (how) => {
				const { operator, clock, witness, older } = await makeStopped(0);
				await clock.turn(5 * SECOND);
				operator[how](older);
				await settle();
				expect(witness.of('gap')).toEqual([]);
			},
		);
	});

	it('notice a line that stopped even if events are rare', async () => {
		const { world, operator, witness } = await makePair();
		nth(operator.live, 0).silent = true;
		for (let turn = 0; turn < 180; turn++) {
			await world.clock.turn(SECOND);
			operator.ping();
			if (turn % 60 === 30) operator.send();
			await settle();
		}
		expect(operator.live).toHaveLength(2);
		expect(witness.of('connection_lost')).toHaveLength(1);
	});

	it('report the numbers that neither line delivered', async () => {
		const { world, clock, operator, witness } = await makePair();
		// What only one line lacks is not a gap …
		operator.send({}, [nth(operator.live, 0)]);
		operator.send();
		// … but what both lack is one.
		operator.cpt += 3;
		await live(world, 10 * SECOND, SECOND);
		expect(witness.of('gap').map(({ missed }) => missed)).toEqual([3]);
		await clock.turn(SECOND);
	});

	it.each([
		['ends the older connection', 'singleSession', 3],
		['rejects the second login', 'refuse', 2],
	] as const)(
		'become one if the operator %s, which is reported once, and try again every 30 minutes',
		async (_what, how, logins) => {
			const world = makeWorld();
			const { operator } = world;
			if (how === 'refuse') operator.secondLogin = 'refuse';
			else operator.singleSession = true;
			const { subscription, witness } = world.subscribe(redundantConnection);
			await subscription.first;
			await live(world, 10 * MINUTE, SECOND);
			expect(operator.logins).toBe(logins);
			expect(operator.live).toHaveLength(1);
			const reasons = () => witness.of('connection_lost').map(({ reason }) => reason);
			expect(reasons().filter((reason) => reason.includes('one session'))).toHaveLength(1);
			const told = reasons().length;
			await live(world, 70 * MINUTE, 10 * SECOND);
			expect(operator.logins - logins).toBe(2);
			expect(reasons()).toHaveLength(told);
			expect(witness.numbers).toEqual(numbersUpTo(operator.cpt));
			expect(witness.of('gap')).toEqual([]);
			// It allows two from now on.
			operator.singleSession = false;
			operator.secondLogin = 'allow';
			await live(world, 31 * MINUTE, 10 * SECOND);
			expect(operator.live).toHaveLength(2);
		},
	);
});
