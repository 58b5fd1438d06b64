import { makeWorld, settle, START, Witness } from '../../../support/world';
import type { HttpResponse } from '../../../../nodes/shared/answer/parse';
import type { FeedOptions } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { verdictOf } from '../../../support/logins';
import { firstOf, nth } from '../../../support/present';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What a gap adds before the last sign of life, and the longest wait for the first event after it. */
const TRANSIT_MS = SECOND;

type World = ReturnType<typeof makeWorld>;

/** Advances the clock in steps, with an event and a ping in each. */
async function live(world: World, ms: number, step: number) {
	for (let passed = 0; passed < ms; passed += step) {
		await world.clock.turn(step);
		world.provider.ping();
		world.provider.send();
		await settle();
	}
}

/** Advances the clock, with pings but without events. */
async function quiet(world: World, ms: number) {
	for (let passed = 0; passed < ms; passed += MINUTE / 4) {
		await world.clock.turn(MINUTE / 4);
		world.provider.ping();
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
		const { clock, provider, subscribe } = makeWorld();
		const { subscription, witness } = subscribe();
		expect(subscription.state()).toBe('authenticating');
		expect(await subscription.first).toEqual({ kind: 'live' });
		expect(provider.live.map(({ init }) => init)).toEqual([['supervisor', 9001, 'token-1']]);
		expect(nth(provider.sockets, 0).options).toMatchObject({
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
		expect(provider.logins).toBe(1);
	});

	it('keeps the names and groups of the login before if a later one lists no agents', async () => {
		const { world, provider, subscription } = await running(SECOND);
		const answer = provider.session.bind(provider);
		provider.session = () => {
			const { body, ...rest } = answer();
			return { ...rest, body: { ...(body as object), ops: undefined } };
		};
		await live(world, 2 * HOUR, MINUTE);
		expect(provider.logins).toBe(2);
		expect(subscription.directory()?.agents.get('1')?.name).toBe('Ada');
	});

	it('uses the target from the login for the account feed', async () => {
		const { provider, subscribe } = makeWorld();
		await subscribe({ target: '4242', initAccountType: 'api' }).subscription.first;
		expect(nth(provider.live, 0).init).toEqual(['api', '4242', 'token-1']);
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
		const { clock, provider, subscribe } = makeWorld();
		provider.login = answer;
		const { subscription, witness } = subscribe();
		expect(await subscription.first).toEqual({
			kind: 'refused',
			reason,
			statusCode: answer.statusCode,
		});
		expect(subscription.state()).toBe('refused');
		await clock.turn(5 * MINUTE - 1);
		expect(provider.logins).toBe(1);
		await clock.turn(2 * HOUR);
		// 5, 10, 20, then every 30 minutes.
		expect(provider.logins).toBeGreaterThanOrEqual(5);
		expect(provider.logins).toBeLessThanOrEqual(7);
		const refusals = witness.of('refused');
		expect(refusals[0]).toMatchObject({ first: true, reason, statusCode: answer.statusCode });
		expect(refusals.slice(1).every(({ first }) => !first)).toBe(true);
		expect(nth(refusals, 0).retryAt - nth(refusals, 0).at).toBeGreaterThanOrEqual(5 * MINUTE);
		provider.login = 'accept';
		await clock.turn(HOUR);
		expect(subscription.state()).toBe('live');
	});

	it('reports that the provider is unreachable, and connects once it is back', async () => {
		const { clock, provider, subscribe } = makeWorld();
		provider.login = 'unreachable';
		const { subscription, witness } = subscribe();
		const first = await subscription.first;
		expect(first).toMatchObject({ kind: 'unreachable' });
		expect(JSON.stringify(first)).toContain('voice.example.com');
		expect(JSON.stringify([first, witness.lines])).not.toContain('hidden');
		await clock.turn(DAY);
		expect(provider.logins).toBeGreaterThan(DAY / MINUTE / 1.1);
		provider.login = 'accept';
		await clock.turn(MINUTE);
		expect(subscription.state()).toBe('live');
		expect(nth(witness.of('connected'), 0).attempts).toBeGreaterThan(1000);
		expect(provider.mostAtOnce).toBe(1);
	});
});

describe('renewal', () => {
	it.each<[string, (number: number, socket: number) => unknown]>([
		['one numbering', (number) => number],
		['a numbering for each connection', (number, socket) => number - 5 * socket],
		['no numbering', () => undefined],
	])(
		'with %s and durations computed while sending duplicates nothing and reports no gap',
		async (name, cpt) => {
			const { clock, provider, subscription, witness } = await running();
			const sent: number[] = [];
			for (let call = 1; call <= 8 * 60; call++) {
				await clock.turn(30 * SECOND);
				sent.push(call);
				provider.live.forEach((socket) => {
					const index = provider.sockets.indexOf(socket);
					const msg = {
						id_call: call,
						id_queue: 301,
						call_duration: 5 + index,
						duration_in_queue: 7 * index,
					};
					const event = { type_notification: 'queue', event: 'insert_call', msg };
					provider.push({ cpt: cpt(call, index), ts: clock.now() / SECOND + index / 2, event }, [
						socket,
					]);
				});
			}
			expect(provider.logins).toBe(3);
			expect(witness.events.map(({ msg }) => msg.id_call)).toEqual(sent);
			expect(witness.kinds).toEqual(['connected']);
			await subscription.close();
			expect(subscription.countsByOne()).toBe(name === 'one numbering');
		},
	);

	it('is timed from when the login was sent, however long its response took', async () => {
		const { clock, provider, subscribe } = makeWorld();
		provider.validityMs = 40 * MINUTE;
		const login: FeedOptions['login'] = async (_signal, askedAt) => {
			provider.logins++;
			const answer = provider.session();
			await new Promise<void>((resolve) => clock.after(9 * SECOND, resolve));
			return verdictOf(answer, 'supervisor', askedAt);
		};
		const { subscription } = subscribe({ login });
		await clock.turn(9 * SECOND);
		expect(subscription.state()).toBe('live');
		await clock.turn(32 * MINUTE - 9 * SECOND - 1);
		expect(provider.logins).toBe(1);
		await clock.turn(1);
		expect(provider.logins).toBe(2);
	});

	it('passes an event that waits for its turn to the subscribers that were there when it arrived', async () => {
		const world = makeWorld();
		const [stays, leaves] = [world.subscribe(), world.subscribe()];
		await Promise.all([stays.subscription.first, leaves.subscription.first]);
		await live(world, 109 * MINUTE, MINUTE);
		await world.clock.turn(MINUTE);
		const [old, fresh] = firstOf(world.provider.live, 2);
		const payload = world.provider.send({}, [fresh]);
		const waiting = world.provider.cpt;
		expect(leaves.witness.numbers).not.toContain(waiting);
		await leaves.subscription.close();
		expect(leaves.witness.numbers).toContain(waiting);
		const comes = world.subscribe();
		world.provider.push(payload, [old]);
		world.provider.send({}, [old, fresh]);
		expect(comes.witness.numbers).toEqual([world.provider.cpt]);
		expect(stays.witness.numbers).toEqual(numbersUpTo(world.provider.cpt));
	});

	it('reads what arrived while the process stood still before it decides between the two connections', async () => {
		const { clock, provider, witness } = await running(109 * MINUTE, MINUTE);
		provider.newAreSilent = true;
		await clock.turn(MINUTE);
		const [old] = firstOf(provider.live, 2);
		// At the same time as the next look at the two, and after it.
		clock.after(SECOND, () => provider.send({}, [old]));
		await clock.turn(1);
		provider.ping();
		const now = clock.now.bind(clock);
		clock.now = () => now() + MINUTE / 3;
		await clock.turn(4 * SECOND);
		expect(provider.live).toContain(old);
		provider.send();
		expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
	});

	it('decides between the two connections also in a process whose timers are always late', async () => {
		const { clock, provider, witness } = await running(109 * MINUTE, MINUTE);
		const after = clock.after.bind(clock);
		clock.after = (delayMs, action) => after(delayMs + SECOND, action);
		await clock.turn(MINUTE);
		const [old, fresh] = firstOf(provider.live, 2);
		for (let minute = 0; minute < 3; minute++) {
			provider.send();
			await clock.turn(MINUTE);
			provider.ping();
		}
		expect(provider.live).toEqual([fresh]);
		expect(provider.live).not.toContain(old);
		expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
	});

	it('reads the older connection first if the process was held up while an event waited for it', async () => {
		const { clock, provider, witness } = await running(109 * MINUTE, MINUTE);
		await clock.turn(MINUTE);
		const [old, fresh] = firstOf(provider.live, 2);
		const payloads = [provider.send({}, []), provider.send({}, [fresh])];
		const now = clock.now.bind(clock);
		clock.now = () => now() + SECOND;
		await clock.turn(SECOND / 2);
		for (const payload of payloads) provider.push(payload, [old]);
		await clock.turn(SECOND / 2);
		expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
	});

	it('passes each event on after half a second if only the new connection delivered it', async () => {
		const { clock, provider, witness } = await running(109 * MINUTE, MINUTE);
		await clock.turn(MINUTE);
		const [, fresh] = firstOf(provider.live, 2);
		provider.send({}, [fresh]);
		await clock.turn(400);
		provider.send({}, [fresh]);
		const [first, second] = [provider.cpt - 1, provider.cpt];
		await clock.turn(100);
		expect(witness.numbers.at(-1)).toBe(first);
		await clock.turn(399);
		expect(witness.numbers.at(-1)).toBe(first);
		await clock.turn(1);
		expect(witness.numbers.at(-1)).toBe(second);
	});

	/** A connection that has delivered an event every ten seconds, the last one a minute before its renewal. */
	async function lastEventBeforeRenewal() {
		const { clock, provider, subscription } = await running(109 * MINUTE, 10 * SECOND);
		const lastSeen = clock.now();
		return { clock, provider, subscription, lastSeen };
	}

	it('tells a subscriber that has left what was uncertain then, since the position is saved after that', async () => {
		const { clock, provider, subscription, lastSeen } = await lastEventBeforeRenewal();
		await clock.turn(MINUTE + 3 * SECOND);
		provider.send({}, [nth(provider.live, 1)]);
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
		await subscription.close();
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
	});

	it('tells no more than the last event of a connection that answers pings, if only the next one delivers', async () => {
		const { clock, provider, subscription, lastSeen } = await lastEventBeforeRenewal();
		await clock.turn(MINUTE + SECOND);
		provider.ping();
		expect(subscription.coveredUntil()).toBe(clock.now() - TRANSIT_MS);
		await clock.turn(SECOND);
		provider.send({}, [nth(provider.live, 1)]);
		await clock.turn(SECOND);
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
		provider.send();
		expect(subscription.coveredUntil()).toBe(clock.now() - TRANSIT_MS);
	});

	it('tells until when everything had arrived if a renewal only showed that the connection was dead', async () => {
		const { clock, provider, subscription, lastSeen } = await lastEventBeforeRenewal();
		await clock.turn(MINUTE + SECOND);
		const [dead, next] = firstOf(provider.live, 2);
		provider.send({}, [next]);
		provider.drop(next);
		provider.drop(dead, 'ping timeout');
		expect(subscription.state()).not.toBe('live');
		expect(subscription.coveredUntil()).toBe(lastSeen - TRANSIT_MS);
	});

	it('reports what a connection that had died unnoticed may have missed', async () => {
		const { clock, provider, subscription, witness } = await running(
			109 * MINUTE + 30 * SECOND,
			30 * SECOND,
		);
		const lastSeen = clock.now();
		const half = nth(provider.live, 0);
		half.silent = true;
		provider.send();
		provider.send();
		// The renewal comes before the ping timeout would fire.
		for (let second = 0; second < 120; second++) {
			await clock.turn(SECOND);
			provider.send();
			provider.ping(provider.live.filter((socket) => socket !== half));
		}
		expect(subscription.state()).toBe('live');
		const gap = nth(witness.of('gap'), 0);
		expect(gap).toMatchObject({
			from: lastSeen - TRANSIT_MS,
		});
		const missing = numbersUpTo(provider.cpt).filter((n) => !witness.numbers.includes(n));
		expect(missing.length).toBeGreaterThan(2);
		// All missing events were sent before the new connection sent init.
		expect(gap.to).toBe(START + 110 * MINUTE);
		expect(new Set(witness.numbers).size).toBe(witness.numbers.length);
	});
});

describe('reconnection', () => {
	it('does not compete with another session for an account that allows one', async () => {
		const world = makeWorld();
		world.provider.singleSession = true;
		const one = world.subscribe({ key: 'one process' });
		await one.subscription.first;
		world.subscribe({ key: 'another process', account: 'as another process has it' });
		await live(world, HOUR, 500);
		expect(world.provider.logins).toBeLessThan(300);
	});

	it('doubles the wait up to a minute, with jitter, and starts over after a confirmed connection', async () => {
		for (const random of [0, 0.999]) {
			const world = makeWorld({ random: () => random });
			const { subscription, witness } = world.subscribe();
			await subscription.first;
			await live(world, MINUTE, SECOND);
			world.provider.login = 'unreachable';
			world.provider.drop(nth(world.provider.live, 0));
			const waits: number[] = [];
			for (let failure = 0; failure < 9; failure++) {
				const logins = world.provider.logins;
				const from = world.clock.now();
				while (world.provider.logins === logins) await world.clock.turn(50);
				waits.push((world.clock.now() - from) / 1000);
			}
			const expected = [1, 2, 4, 8, 16, 30, 30, 30, 30].map(
				(wait) => wait * (random === 0 ? 1 : 2),
			);
			waits.forEach((wait, index) =>
				expect(Math.abs(wait - nth(expected, index))).toBeLessThan(0.1),
			);
			world.provider.login = 'accept';
			await world.clock.turn(MINUTE);
			expect(subscription.state()).toBe('live');
			await live(world, 20 * SECOND, SECOND);
			world.provider.drop(nth(world.provider.live, 0));
			await world.clock.turn(2 * SECOND);
			expect(subscription.state()).toBe('live');
			world.provider.send();
			expect(witness.of('connected')).toHaveLength(3);
		}
	});
});

const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY };
const milliseconds = (text = '0') => parseFloat(text) * (UNITS[text.at(-1) ?? ''] ?? SECOND);

const answer = (text: string): World['provider']['login'] => {
	const [status, wait] = text.split(':');
	if (!/^\d/.test(text)) return text as 'accept';
	return {
		statusCode: Number(status),
		headers: wait === undefined ? {} : { 'retry-after': wait },
		body: {},
	};
};

/** Rules of the provider that hold from the beginning or from a step on. */
function rule({ provider }: World, name: string, value = ''): void {
	if (name === 'login') provider.login = answer(value);
	if (name === 'handshake') provider.handshake = value as 'accept';
	if (name === 'probe')
		provider.probe =
			value === 'hang' ? value : { statusCode: 200, headers: {}, body: '0{"sid":"x"}' };
	if (name === 'validity') provider.validityMs = milliseconds(value);
	if (name === 'single') provider.singleSession = true;
	if (name === 'second') provider.secondLogin = value as 'refuse';
	if (name === 'cut') provider.cutAtExpiry = value !== 'off';
	if (name === 'newSilent') provider.newAreSilent = value === 'on';
}

/**
 * One step of a scene: times are in seconds, minutes (m), hours (h) or days (d); a socket is named by its number.
 * "live 5m/60" is five minutes with a ping and an event each 60 s, "again 1 3" brings the third last event once more.
 */
async function act(world: World, sent: unknown[], step: string): Promise<void> {
	const { clock, provider } = world;
	const [, what = '', first = '', ...others] = /^(\S+)(?: (\S+))?(?: (.*))?$/.exec(step) ?? [];
	const socket = provider.sockets[Number(first)];
	const shift = (ms: number) => {
		const now = clock.now.bind(clock);
		clock.now = () => now() + ms;
	};
	const [time, pause] = first.split('/').map(milliseconds);
	if (what === 'live') await live(world, time ?? 0, pause ?? SECOND);
	else if (what === 'quiet') await quiet(world, time ?? 0);
	else if (what === 'wait') await clock.turn(time ?? 0);
	else if (what === 'pings')
		for (let passed = 0; passed < Number(first); passed++) {
			await clock.turn(SECOND);
			provider.ping();
		}
	else if (what === 'send')
		sent.push(provider.send({}, first === '' ? provider.live : socket ? [socket] : []));
	else if (what === 'again' && socket) provider.push(sent.at(-Number(others[0])), [socket]);
	else if (what === 'lose') provider.cpt += Number(first);
	else if (what === 'renumber') provider.cpt = 0;
	else if (what === 'ping') provider.ping();
	else if (what === 'drop' && socket) provider.drop(socket, others[0]);
	else if (what === 'end' && socket) provider.disconnect(socket);
	else if ((what === 'silent' || what === 'loud') && socket) socket.silent = what === 'silent';
	else if (what === 'back') shift(-(time ?? 0));
	else if (what === 'sleep') shift(time ?? 0);
	else rule(world, what, first);
	await settle();
}

/** Options and rules, what happens, what the subscriber is told at which second, and what is then. */
const SCENES = `
// A login that is refused is tried again after 5, 10, 20 and then every 30 minutes, with a twentieth more here.
login=401 | wait 2h, login accept, wait 1h → 0 refused; 315 refused; 945 refused; 2205 refused; 4095 refused; 5985 refused; 7875 connected; all; live 1, logins 7
// An attempt that fails is repeated; one that hangs is given up: a login after 30 s, a handshake after 20 s, a probe after 15 s.
handshake=fail | wait 0 → all; waiting 0, logins 1
handshake=fail | wait 60, handshake accept, wait 60 → 91.5 connected; all; live 1, logins 7
handshake=break | wait 0 → all; waiting 0, logins 1
handshake=break | wait 60, handshake accept, wait 60 → 91.5 connected; all; live 1, logins 7
handshake=throwOut | wait 1h → 0 connected; 0 disconnected; all; waiting 0, logins 85
login=hang | wait 29.999 → all; authenticating 0, logins 1
login=hang | wait 30 → all; waiting 0, logins 1, aborted 1
login=hang | wait 10m, login accept, wait 2m → 646.5 connected; all; live 1, logins 12, aborted 11
probe=accept handshake=hang | wait 19.999 → all; connecting 0, logins 1
probe=accept handshake=hang | wait 20 → all; waiting 0, logins 1
probe=accept handshake=hang | wait 10m, handshake accept, wait 2m → 601.5 connected; all; live 1, logins 13
probe=hang | wait 14.999 → all; connecting 0, logins 1
probe=hang | wait 15 → all; waiting 0, logins 1
probe=hang | wait 10m, probe accept, wait 2m → 601.5 connected; all; live 1, logins 14
// A renewal begins ten minutes before the end of the token, or after 80 % of a validity under 50 minutes, but at least a second.
| wait 6599 → 0 connected; all; live 1, logins 1
| wait 6600 → 0 connected; all; renewing 2, logins 2
validity=40m | wait 1919 → 0 connected; all; live 1, logins 1
validity=40m | wait 1920 → 0 connected; all; renewing 2, logins 2
validity=1 cut=off | wait 0.9 → 0 connected; all; live 1, logins 1
// Both connections overlap shortly, then only the new one is left, whoever ends first.
| wait 6600, send, wait 1, send, wait 1, send, wait 1, send, wait 1 → 0 connected; all; live 1, logins 2
| live 110m/60, send 0, end 0, again 1 1, send → 0 connected; all; live 1, logins 2
| live 110m/60, send 0, send 0, send 0, end 0, again 1 3, again 1 1, wait 5 → 0 connected; all; live 1, logins 2
| live 110m/60, send 1, send 1, send 1, end 1, again 0 3, again 0 1, wait 5 → 0 connected; all; renewing 1, logins 2
| live 110m/60, send, wait 2, send 0, wait 5, send, wait 5 → 0 connected; all; live 1, logins 2
| live 2h/10, wait 2m → 0 connected; all; live 1, logins 2
| live 1d/60, wait 2m → 0 connected; all; live 1, logins 14
| live 30d/300, wait 2m → 0 connected; all; live 1, logins 393
single | live 1d/60 → 0 connected; all; live 1, logins 14
// A renewal that is rejected, fails or delivers nothing keeps the old connection; rejected ones until shortly before its end.
silence=30m second=refuse | live 60/1, quiet 100m → 0 connected; all; renewing 1, logins 6
second=refuse | live 7070/10 → 0 connected; all; renewing 1, logins 6
second=refuse | live 7070/10, live 30/1 → 0 connected; 7080 disconnected; 7080 connected continuous; all; live 1, logins 8
second=refuse | live 7070/10, live 30/1, live 3h/60 → 0 connected; 7080 disconnected; 7080 connected continuous; 14160 disconnected; 14165 connected; gap 14119 to 14165; all; live 1, logins 15
second=refuse | live 117m/10, wait 20, send none, wait 2m, send → 0 connected; 7080 disconnected; 7085 connected; gap 7019 to 7085; lacks 1; live 1, logins 8
| live 109m/60, login 503, live 5m/1 → 0 connected; all; renewing 1, logins 11
| live 109m/60, login 503, live 5m/1, login accept, live 2m/1 → 0 connected; all; live 1, logins 12
cut=off | live 100m/60, login unreachable, live 60m/60, login accept, live 3m/1 → 0 connected; all; live 1, logins 73
| live 109m/60, newSilent on, live 2m/1 → 0 connected; all; renewing 2, logins 6
| live 109m/60, newSilent on, live 2m/1, newSilent off, live 2m/1 → 0 connected; all; live 1, logins 7
// What only one of two connections lacks is no gap; what both lack is one, also if one had stopped and the other breaks.
| live 109m/10, send none, send none, send none, wait 63, send 1, wait 6, ping, drop 1, wait 4, send 2, wait 60 → 0 connected; 6609 disconnected; 6613 connected; gap 6539 to 6613 missed 3 before 659; lacks 3; live 1, logins 3
| live 110m/10, live 1/1, wait 1, send 0, drop 0, drop 1, live 5/1 → 0 connected; 6602 disconnected; 6604 connected; gap 6601 to 6604 missed 1 before 664; lacks 1; live 1, logins 3
| live 109m/10, wait 61, silent 0, lose 2, send, wait 1, lose 1, send, wait 1, send, wait 20 → 0 connected; gap 6539 to 6601 missed 2 before 657; lacks 3; live 1, logins 2
// If a connection takes over without a copy that shows the overlap, its numbers show what went to neither, and no more.
| live 109m/10, wait 62, ping, lose 1, send 1, end 0, wait 60, live 60/1 → 0 connected; gap 6539 to 6602 missed 1 before 656; lacks 1; live 1, logins 2
| live 109m/10, wait 62, ping, lose 3, end 0, wait 60, send 1, live 60/1 → 0 connected; gap 6539 to 6662 missed 3 before 658; lacks 3; live 1, logins 2
| live 109m/10, wait 62, ping, lose 2, send 1, wait 0.5, lose -3, send 1, wait 4, lose 3, send 1, wait 0.5, lose -2, send 1, wait 1, lose -3, send 1, end 0, lose 3, wait 60, live 60/1 → 0 connected; all in disorder; live 1, logins 2
// After a clean disconnect it is tried again at once, once; a refusal may mean that the broken one is still counted.
| live 60/1, end 0 → 0 connected; 60 disconnected; all; live 1, logins 2
| live 60/1, end 0, end 1 → 0 connected; 60 disconnected; all; waiting 0, logins 2
| live 60/1, login 403, drop 0, wait 10 → 0 connected; 60 disconnected; 61.5 refused; all; refused 0, logins 2
| live 60/1, login 403, drop 0, wait 10, login accept, wait 30 → 0 connected; 60 disconnected; 61.5 refused; 96.5 connected; gap 59 to 96.5; all; live 1, logins 3
| live 109m/60, login hang, live 60/1, end 0 → 0 connected; 6600 disconnected; all; authenticating 0, logins 2
| live 109m/60, login hang, live 60/1, end 0, login accept, wait 60 → 0 connected; 6600 disconnected; 6636.5 connected; gap 6599 to 6636.5; all; live 1, logins 3, aborted 1
// Silence for the timeout leads to another login, and to a gap unless the numbers show that it was only quiet.
silence=30m validity=30 cut=off | live 10/1, silent 0, wait 10, ping, wait 5, send, wait 1, send, wait 1, send, wait 1, send, wait 1, send, wait 20 → 0 connected; gap 9 to 25 before 11; all; renewing 2, logins 3
silence=30m | live 20m/60, silent 0, send, quiet 31m, send → 0 connected; gap 1199 to 3005 missed 1 before 22; lacks 1; live 1, logins 2
silence=30m single | live 5m/60, silent 0, send, wait 31m, send → 0 connected; gap 299 to 2099 before 7; lacks 1; live 1, logins 2
silence=30m | live 20m/60, quiet 8h, send → 0 connected; all; renewing 2, logins 17
silence=30m | live 85m/60, quiet 8h, live 60/1 → 0 connected; all; live 1, logins 17
silence=30m | live 85m/60, quiet 8h, lose 3, live 60/1 → 0 connected; gap 6614 to 33605 missed 3 before 89; lacks 3; live 1, logins 17
silence=30m | live 5m/60, silent 0, wait 30m, drop 0 ping timeout, wait 10 → 0 connected; gap 299 to 2105; all; live 1, logins 2
silence=30m | live 100m/60, silent 0, send, quiet 10m, wait 2, send, wait 0.5, ping, wait 2, ping, drop 0 → 0 connected; gap 5999 to 6602 missed 1 before 102; lacks 1; live 1, logins 2
silence=30m | live 99m/60, silent 0, quiet 10m, sleep 25m, wait 60, drop 0 ping timeout, wait 10 → 0 connected; 8100 disconnected; 8106.5 connected; gap 5939 to 8106.5; all; live 1, logins 2
silence=30m redundant | live 5m/60, silent 0, silent 1, send, quiet 62m, send, wait 10 → 0 connected; gap 299 to 3905 before 7; lacks 1; live 2, logins 6
silence=0 | wait 100m → 0 connected; all; live 1, logins 1
silence=30m | live 87m/1740 → 0 connected; all; live 1, logins 1
// What is read after a standstill proves nothing of it: neither an event, nor a ping, nor a proper end.
| live 60/1, sleep 20, end 0, wait 10 → 0 connected; 80 disconnected; 85 connected; gap 59 to 85; all; live 1, logins 2
| live 60/1, sleep 20, ping, drop 0, wait 10 → 0 connected; 80 disconnected; 86.5 connected; gap 59 to 86.5; all; live 1, logins 2
| live 60/1, sleep 20, send, drop 0, wait 10 → 0 connected; 80 disconnected; 86.5 connected; gap 59 to 86.5; all; live 1, logins 2
| live 60/1, sleep 20, send, wait 11, ping, end 0, wait 10 → 0 connected; 91 disconnected; 96 connected; gap 90 to 96; all; live 1, logins 2
| live 60/1, sleep 2, ping, end 0, wait 10 → 0 connected; 62 disconnected; 67 connected; gap 61 to 67; all; live 1, logins 2
redundant | live 5m/60, sleep 20, end 0, end 1, wait 10 → 0 connected; 320 connection_lost; 320 disconnected; 325 connected; gap 299 to 325; all; live 2, logins 4
// What waits to be read after a standstill is read before a connection is judged by what it lacks.
redundant | live 5m/60, wait 0.1, send 0, sleep 20, drop 0, again 1 1, send, wait 10 → 0 connected; 320.1 connection_lost; all; live 2, logins 3
redundant | live 5m/60, wait 0.1, send 0, sleep 8, wait 1.5, again 1 1, wait 10 → 0 connected; all; live 2, logins 2
redundant | live 5m/60, silent 1, wait 0.1, send 0, sleep 20, drop 0, wait 30, send → 0 connected; 320.1 connection_lost; gap 299.1 to 326.6; 326.6 connection_lost; all; live 2, logins 4
redundant | live 6590/10, silent 1, send none, send none, sleep 12, wait 10, again 0 2, again 0 1, wait 2m → 0 connected; all; live 2, logins 3
| live 110m/60, wait 2, send 1, sleep 20, drop 1, again 0 1, send, wait 5 → 0 connected; all; renewing 2, logins 3
| live 110m/60, silent 0, wait 2, send 1, sleep 20, drop 1, send, wait 60, send, wait 10 → 0 connected; gap 6601 to 6628.5; lacks 1; live 1, logins 3
// A clock that is set back extends no wait and no silence, delays no report and moves no gap.
silence=30m | live 5m/60, silent 0, back 1d, ping, send, wait 31m, send → 0 connected; gap 299 to 2105 before 7; lacks 1; live 1, logins 2
silence=5m | login 429:120, wait 5m, login accept, back 1d, ping, end 0, wait 3m → 0 connected; 300 disconnected; 425 connected; gap 0 to 425; all; live 1, logins 3
login=429:600 | login accept, back 1d, wait 11m, end 0 → 600 connected; 660 disconnected; all; live 1, logins 3
| live 60/1, drop 0, wait 3, back 1d, wait 10 → 0 connected; 60 disconnected; 66.5 connected; gap 59 to 66.5; all; live 1, logins 2
cut=off | live 109m/60, silent 0, send, wait 60, back 1d, live 60/1 → 0 connected; gap 6539 to 6601 missed 1 before 111; lacks 1; live 1, logins 2
redundant | live 5m/60, back 1d, live 60/1, silent 1, live 60/1 → 0 connected; 366.5 connection_lost; all; live 2, logins 3
redundant | live 5m/60, drop 0, back 1d, ping, drop 1, wait 3, send → 0 connected; 300 connection_lost; 300 disconnected; 303 connected; gap 299 to 303 before 6; all; live 2, logins 4
// A gap goes from a second before the last sign of life to the next event, or five seconds after the start.
| live 60/1, drop 0, lose 7, wait 3, send → 0 connected; 60 disconnected; 63 connected; gap 59 to 63 missed 7 before 68; lacks 7; live 1, logins 2
| live 60/1, drop 0, wait 3, send, wait 60 → 0 connected; 60 disconnected; 63 connected continuous; all; live 1, logins 2
| live 60/1, drop 0, wait 7 → 0 connected; 60 disconnected; 66.5 connected; gap 59 to 66.5; all; live 1, logins 2
| live 60/1, wait 20, ping, wait 15, drop 0 ping timeout, wait 10, send, wait 20, end 1, wait 10 → 0 connected; 95 disconnected; 101.5 connected; gap 79 to 101.5; 125 disconnected; 130 connected; gap 124 to 130; all; live 1, logins 3
| live 60/1, drop 0, wait 2, drop 1, wait 30 → 0 connected; 60 disconnected; 70 connected; gap 59 to 70; all; live 1, logins 3
// Two connections pass each event on once, and lose nothing if one of them breaks or stops.
redundant | live 70/1 → 0 connected; all; live 2, logins 2
redundant | live 10/1, drop 0, send, live 60/1 → 0 connected; 10 connection_lost; all; live 2, logins 3
redundant | live 10/1, drop 1, send, live 60/1 → 0 connected; 10 connection_lost; all; live 2, logins 3
redundant | live 10/1, silent 0, live 60/1 → 0 connected; 16.5 connection_lost; all; live 2, logins 3
redundant | live 10/1, silent 0, pings 31, send, pings 60, send, pings 60, send, pings 30 → 0 connected; 46.5 connection_lost; all; live 2, logins 3
redundant | live 6h/10 → 0 connected; all; live 2, logins 8
redundant | live 70/1, drop 0, live 60/1, silent 2, renumber, live 20/1 → 0 connected; 70 connection_lost; 136.5 connection_lost; all in disorder; live 2, logins 4
// They report what neither can have delivered: both silent, the older one stopped, both broken, from when one was complete.
redundant newSilent=on | wait 0.5, send, pings 30, newSilent off, drop 1, live 30/1 → 0 connected; 30.5 connection_lost; gap 0 to 32.5 before 3; 42 connection_lost; lacks 2; live 2, logins 4
redundant | send, silent 0, wait 0.5, send, wait 4, send, wait 2, ping, drop 0, drop 1, wait 10 → 0 connected; gap 0 to 4.5 before 3; 6.5 connection_lost; 6.5 disconnected; 13 connected; gap 5.5 to 13; lacks 1; live 2, logins 4
redundant | live 30/1, wait 1, send 1, wait 1, send 1, wait 1, send 1, wait 1, send 1, drop 1, wait 0.5, drop 0, send, live 60/1 → 0 connected; 34 connection_lost; 34.5 disconnected; 36.5 connected; gap 33 to 36.5 missed 2 before 37; lacks 2; live 2, logins 4
redundant | live 10/1, send 0, send, lose 3, live 10/1 → 0 connected; lacks 3; live 2, logins 2
redundant | live 20/1, silent 0, drop 1, send, quiet 60, send, quiet 2h → 0 connected; 20 connection_lost; gap 19 to 26.5 missed 1 before 22; 86.5 connection_lost; lacks 1; live 2, logins 6
redundant silence=5m | live 20/1, silent 0, drop 1, send, quiet 60, silent 2, quiet 6m, live 60/1 → 0 connected; 20 connection_lost; gap 19 to 325 missed 1 before 22; lacks 1; live 2, logins 5
redundant silence=5m | live 20/1, silent 0, drop 1, send, quiet 3m, drop 2, pings 117, end 0 → 0 connected; 20 connection_lost; 200 connection_lost; 317 connection_lost; lacks 1; live 1, logins 4
redundant silence=5m | live 20/1, silent 0, drop 1, send, quiet 3m, drop 2, pings 117, end 0, send → 0 connected; 20 connection_lost; 200 connection_lost; 317 connection_lost; gap 19 to 206.5 missed 1 before 22; lacks 1; live 1, logins 4
redundant silence=1m | live 20/1, pings 59, newSilent on, drop 1, pings 60, newSilent off, send, quiet 5m, live 60/1 → 0 connected; 79 connection_lost; gap 19 to 400.5 missed 1 before 22; lacks 1; live 2, logins 15
// In a quiet night each of the two is renewed, and their numbers show whether anything is missing.
redundant silence=30m | live 85m/60, quiet 8h, live 60/1 → 0 connected; all; live 2, logins 34
redundant silence=30m | live 85m/60, quiet 26m, silent 2, silent 3, send, quiet 8h, send, live 60/1 → 0 connected; gap 6614 to 35405 missed 1 before 87; lacks 1; live 2, logins 36
redundant | live 20/1, silent 0, drop 1, send, quiet 60, send, wait 5, drop 2, wait 10 → 0 connected; 20 connection_lost; 85 disconnected; 91.5 connected; gap 19 to 91.5; lacks 1; live 2, logins 5
redundant | live 20/1, silent 0, drop 1, quiet 60, send, wait 5, drop 0 → 0 connected; 20 connection_lost; 85 connection_lost; all; live 1, logins 3
redundant | live 20/1, silent 0, drop 1, quiet 60, send, wait 5, end 0 → 0 connected; 20 connection_lost; 85 connection_lost; all; live 1, logins 3`;

it.each(
	SCENES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const world = makeWorld();
	const { provider } = world;
	const options = new Map(given.split(' ').map((one) => one.split('=') as [string, string]));
	for (const [name, value] of options) rule(world, name, value);
	const { subscription, witness } = world.subscribe({
		silenceTimeoutMs: milliseconds(options.get('silence')),
		redundantConnection: options.has('redundant'),
		...(options.has('probe') ? { protocol: 'auto', transport: 'direct' } : {}),
	});
	await settle();
	const sent: unknown[] = [];
	for (const step of steps.split(', ')) await act(world, sent, step);
	const second = (at: number) => (at - START) / SECOND;
	const told = witness.statuses.map((status) => {
		if (status.event === 'gap')
			return `gap ${second(status.from)} to ${second(status.to)}${status.missed ? ` missed ${status.missed}` : ''}${status.firstCpt ? ` before ${status.firstCpt}` : ''}`;
		const continuous = 'continuous' in status && status.continuous ? ' continuous' : '';
		return `${second(status.at)} ${status.event}${continuous}`;
	});
	const got = witness.numbers as number[];
	const lacking = numbersUpTo(provider.cpt).filter((number) => !got.includes(number)).length;
	const inOrder = got.every((number, index) => index === 0 || number > (got[index - 1] ?? 0));
	told.push(`${lacking ? `lacks ${lacking}` : 'all'}${inOrder ? '' : ' in disorder'}`);
	const aborted = provider.aborted > 0 ? `, aborted ${provider.aborted}` : '';
	told.push(`${subscription.state()} ${provider.live.length}, logins ${provider.logins}${aborted}`);
	expect(provider.mostAtOnce).toBe(1);
	// Each connection has a login of its own.
	const tokens = provider.sockets.flatMap(({ init }) => init?.[2] ?? []);
	expect(new Set(tokens).size).toBe(tokens.length);
	expect(told.join('; ')).toBe(expected);
});

it('a clock that is set back multiplies no login, also if the provider sends no time of its own', async () => {
	const world = makeWorld();
	const { clock, provider } = world;
	world.subscribe({
		login: async (_signal, askedAt) => {
			provider.logins++;
			return await Promise.resolve(
				verdictOf({ ...provider.session(), headers: {} }, 'supervisor', askedAt),
			);
		},
	});
	await live(world, MINUTE, SECOND);
	clock.jump(-118 * MINUTE);
	await live(world, DAY, MINUTE / 2);
	expect(provider.logins).toBeLessThan(16);
});

describe('closing', () => {
	it.each([
		['while the login hangs', async (w: World) => void (w.provider.login = 'hang')],
		['while the probe hangs', async (w: World) => void (w.provider.probe = 'hang')],
		['while the handshake hangs', async (w: World) => void (w.provider.handshake = 'hang')],
		['while waiting', async (w: World) => void (w.provider.login = 'unreachable')],
		[
			'while refused',
			async (w: World) => void (w.provider.login = { statusCode: 401, headers: {}, body: '' }),
		],
		['while live', async () => undefined],
		[
			'while a renewal logs in',
			async (w: World) => {
				await w.clock.turn(109 * MINUTE);
				w.provider.login = 'hang';
				await w.clock.turn(MINUTE);
			},
		],
		['while two connections are open', async (w: World) => w.clock.turn(110 * MINUTE)],
		[
			'while a gap is about to be reported',
			async (w: World) => {
				await w.clock.turn(MINUTE);
				w.provider.drop(nth(w.provider.live, 0));
				await w.clock.turn(3 * SECOND);
			},
		],
	])('%s ends at once and leaves no socket, no login and no timer', async (_name, prepare) => {
		const world = makeWorld();
		world.provider.cutAtExpiry = false;
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
		expect(world.provider.sockets.every(({ closed, open }) => closed || !open)).toBe(true);
		expect(world.provider.loginsUnderWay).toBe(0);
		expect(world.clock.pending).toBe(0);
		const logins = world.provider.logins;
		await world.clock.turn(3 * HOUR);
		expect(world.provider.logins).toBe(logins);
		expect({ lines: witness.lines.length, statuses: witness.statuses.length }).toEqual(before);
		await subscription.close();
	});

	it('drops the late response of a login that cannot be aborted', async () => {
		const world = makeWorld();
		let answer!: () => void;
		const { subscription } = world.subscribe({
			login: async () =>
				await new Promise((resolve) => {
					answer = () => resolve(verdictOf(world.provider.session()));
				}),
		});
		await settle();
		await subscription.close();
		expect(await subscription.first).toEqual({ kind: 'closed' });
		answer();
		await settle();
		expect(world.provider.sockets).toHaveLength(0);
		expect(subscription.directory()).toBeUndefined();
	});

	it('passes on nothing after close(), not even what arrives at the same time', async () => {
		const { clock, provider, subscription, witness } = await running();
		const socket = nth(provider.live, 0);
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
	it('get each line of the feed once, with their number', async () => {
		const world = makeWorld();
		const all = Array.from({ length: 8 }, () => world.subscribe());
		await live(world, 10 * SECOND, SECOND);
		const lines = all.flatMap(({ witness }) => witness.lines);
		const connected = lines.filter((line) => line.includes('connecting → live'));
		expect(connected).toEqual([expect.stringContaining('Feed of 8 triggers: connecting → live')]);
		expect(new Set(lines).size).toBe(lines.length);
	});

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

	it('only get updates: other Socket.IO events are shown once for each name and shape', async () => {
		const { provider, subscription, witness } = await running();
		const socket = nth(provider.live, 0);
		const payload = { event: { event: 'status', type_notification: 'operator', msg: {} } };
		socket.handlers.event('notice', [{ ...payload, token: 'token-1', message: 'x'.repeat(5_000) }]);
		expect(witness.events).toEqual([]);
		expect(subscription.counters().unreadable).toBe(1);
		const lines = witness.lines.filter((line) => line.includes('"notice"'));
		expect(lines).toEqual([
			expect.stringMatching(
				/^warn .*: it is no event, but { event: { event: text, .*msg: empty object }, token: text, message: text }: "x{120}…"\. Further ones like it are not logged$/,
			),
			expect.stringMatching(/^debug .{100,350}$/),
		]);
		expect(lines.join()).not.toContain('token-1');
		for (let again = 0; again < 50; again++) {
			socket.handlers.event('notice', ['again']);
			socket.handlers.event(`name\n${again}`, []);
		}
		expect(witness.others[0]).toMatch(/^notice \[/);
		expect(witness.others.filter((one) => one.startsWith('notice'))).toHaveLength(2);
		// The names differ in digits only.
		expect(witness.others).toHaveLength(3);
		expect(witness.others.join()).not.toContain('token-1');
		expect(witness.others.join()).not.toContain('\n');
	});

	it('are not flooded by what is not documented, and a late one gets it too', async () => {
		const { provider, world, witness } = await running();
		const socket = nth(provider.live, 0);
		for (const name of 'abcdefghijklmnopqrstuvwxyz') socket.handlers.event(name, []);
		expect(witness.others).toHaveLength(20);
		expect(witness.lines.at(-1)).toMatch(/^warn .*no further kinds of it are logged$/);
		const late = new Witness();
		await world.subscribe({}, late).subscription.first;
		expect(late.others.slice(0, 20)).toEqual(witness.others);
	});

	it.each<[string, unknown, RegExp, number]>([
		[
			'names neither type nor event',
			{ error: 'Access denied', token: 'token-1' },
			/it is no event, but { error: text, token: text }: "Access denied"/,
			1,
		],
		[
			'cannot be read',
			'Access denied with token-1',
			/it is no event, but "Access denied with \*\*\*"/,
			0,
		],
	])('an update that %s is a warning, once', async (_what, payload, shown, events) => {
		const { provider, witness, subscription, subscribe } = await running();
		for (let again = 0; again < 3; again++) provider.push(payload);
		const lines = witness.lines.filter((line) => line.includes('"update"'));
		expect(lines).toEqual([
			expect.stringMatching(/^warn /),
			expect.stringMatching(/^debug .*denied/),
		]);
		expect(lines[0]).toMatch(shown);
		expect(witness.lines.join()).not.toContain('token-1');
		expect(witness.others).toEqual([expect.stringMatching(/^update .*denied/)]);
		expect(witness.events.length > 0).toBe(events > 0);
		expect(subscription.counters().unreadable).toBe(3);
		expect(subscribe().subscription.counters().unreadable).toBe(0);
	});

	it('get an event that is not documented, which is a warning, once', async () => {
		const { provider, witness, subscription } = await running();
		for (const cpt of [1, 2, 3]) {
			const event = { type_notification: 'queue', event: 'moved', msg: { id_call: 7 } };
			provider.push({ cpt, ts: 1_795_000_000, elapse: 0, event });
		}
		expect(witness.events).toHaveLength(3);
		expect(witness.lines.filter((line) => line.startsWith('warn'))).toEqual([
			expect.stringContaining('"update": the event "queue moved" is not documented'),
		]);
		expect(subscription.counters().unreadable).toBe(0);
	});

	it('see no telephone number in what is shown of a status that is not documented', async () => {
		const { provider, witness } = await running();
		const msg = { id_operator: 1, status: 'transfer 0199001234' };
		const event = { type_notification: 'operator', event: 'status', msg };
		provider.push({ cpt: 1, ts: 1_795_000_000, elapse: 0, event });
		expect(witness.lines.filter((line) => line.startsWith('warn'))).toEqual([
			expect.stringContaining('the status "transfer #" is not documented'),
		]);
	});

	it.each<[object]>([
		[{ type_notification: 'no token-1', event: 'x', msg: {} }],
		[{ type_notification: 'queue', event: 'token-1', msg: { id_call: 7 } }],
		[{ type_notification: 'operator', event: 'status', msg: { id_call: 7, status: 'token-1' } }],
		[{ type_notification: 'queue', event: 'insert_call', msg: [{ 'token-1': 7 }] }],
		[{ 'token-1': 'x' }],
	])('see no token in what is shown of %j', async (event) => {
		const { provider, witness } = await running();
		provider.push({ cpt: 1, ts: 1_795_000_000, elapse: 0, event });
		expect(witness.lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
		expect(witness.lines.join() + witness.others.join()).not.toContain('token-1');
	});

	it.each<[string, unknown[], string]>([
		['error_init', ['bad token token-1'], '"error_init" "bad token ***"'],
		[
			'unauthorized',
			[{ message: 'Session refused', code: 4 }],
			'"unauthorized" { message: text, code: number }: "Session refused"',
		],
		['update', [{ error: 'Access denied' }], '"update" { error: text }: "Access denied"'],
		['message', ['x'.repeat(500)], `"message" "${'x'.repeat(120)}…"`],
	])('learn why the provider ended a new connection: "%s"', async (name, args, words) => {
		const { provider, witness } = await running(0);
		const socket = nth(provider.live, 0);
		socket.handlers.event(name, args);
		socket.handlers.disconnect('io server disconnect');
		expect(witness.statuses).toContainEqual(
			expect.objectContaining({
				event: 'disconnected',
				reason: `io server disconnect, after the provider sent ${words}`,
			}),
		);
		expect(witness.lines.join()).not.toContain('token-1');
	});

	it('do not take a greeting for the reason of a connection that was lost later', async () => {
		const { provider, witness } = await running(0);
		const socket = nth(provider.live, 0);
		socket.handlers.event('welcome', ['Maintenance on Sunday']);
		provider.send();
		socket.handlers.disconnect('transport close');
		expect(witness.of('disconnected').map(({ reason }) => reason)).toEqual(['transport close']);
	});

	it('get messages that are no event as a count, and no token', async () => {
		const { provider, subscription, witness } = await running();
		provider.push(`token-1 ${'x'.repeat(5000)}`);
		provider.push(null);
		provider.send();
		expect(witness.events).toHaveLength(1);
		expect(subscription.counters().unreadable).toBe(2);
		expect(witness.lines.every((line) => line.length < 400)).toBe(true);
		expect(witness.lines.join()).not.toContain('token-1');
	});
});

describe('two connections', () => {
	const redundantConnection = { redundantConnection: true };

	/** Two connections that have both shown that they deliver. */
	async function makePair() {
		const { world, provider, subscription, witness } = await running(
			10 * SECOND,
			SECOND,
			redundantConnection,
		);
		expect(provider.live).toHaveLength(2);
		return { ...world, world, subscription, witness };
	}

	it('log in again within half a minute if a login is refused just after both broke', async () => {
		const world = makeWorld();
		const { clock, provider } = world;
		let logins = 0;
		let answer: ((response: HttpResponse) => void) | undefined;
		const { subscription } = world.subscribe({
			...redundantConnection,
			login: async (_signal, askedAt) => {
				logins++;
				if (logins <= 2) return verdictOf(provider.session(), 'supervisor', askedAt);
				return verdictOf(await new Promise((resolve) => (answer = resolve)));
			},
		});
		await subscription.first;
		await live(world, 10 * SECOND, SECOND);
		provider.drop(nth(provider.live, 1));
		await clock.turn(5 * SECOND);
		provider.drop(nth(provider.live, 0));
		answer?.({ statusCode: 401, headers: {}, body: { err_msg: 'already connected' } });
		await settle();
		expect(logins).toBe(3);
		await clock.turn(31 * SECOND);
		expect(logins).toBe(4);
		await subscription.close();
	});

	it.each([
		['one after the other', (turn: number) => turn % 2],
		['the older one', () => 0],
		['the newer one', () => 1],
	])('continue for as long as %s breaks every four seconds', async (_which, side) => {
		const { world, provider, witness } = await makePair();
		for (let turn = 0; turn < 150; turn++) {
			provider.drop(nth(provider.live, side(turn)));
			await live(world, 4 * SECOND, SECOND / 5);
			expect(provider.live).toHaveLength(2);
		}
		expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
		expect(new Set(witness.kinds)).toEqual(new Set(['connected', 'connection_lost']));
	});

	it('do not mistake a network that breaks the older connection, now at once and now later, for a rule of the provider', async () => {
		const { world, provider, witness } = await makePair();
		for (let turn = 0; turn < 60; turn++) {
			while (provider.live.length < 2) await live(world, SECOND / 5, SECOND / 5);
			await live(world, (turn % 2 === 0 ? 1 : 3) * SECOND, SECOND / 5);
			provider.drop(nth(provider.live, 0));
		}
		await live(world, 70 * SECOND, SECOND);
		expect(provider.live).toHaveLength(2);
		const reasons = witness.of('connection_lost').map(({ reason }) => reason);
		expect(reasons.filter((reason) => reason.includes('one session'))).toEqual([]);
		expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
	});

	it.each([
		['breaks the older connection', 0, 200, 'drop'],
		['breaks the newer connection', 1, 200, 'drop'],
		['ends the older connection later', 0, 10 * SECOND, 'disconnect'],
	] as const)(
		'log in less and less often, and end up as one connection, if the provider %s each time',
		async (_what, which, afterMs, how) => {
			const { world, clock, provider, witness } = await makePair();
			const rule = async (ms: number) => {
				for (const end = clock.now() + ms; clock.now() < end;) {
					await live(world, SECOND, SECOND);
					if (provider.live.length < 2) continue;
					await live(world, afterMs, 200);
					provider[how](nth(provider.live, which));
				}
			};
			await rule(30 * MINUTE);
			expect(provider.logins).toBeLessThanOrEqual(10);
			expect(provider.live).toHaveLength(1);
			const reasons = witness.of('connection_lost').map(({ reason }) => reason);
			expect(reasons.filter((reason) => reason.includes('one session'))).toHaveLength(1);
			const { logins } = provider;
			await rule(65 * MINUTE);
			expect(provider.logins - logins).toBeLessThanOrEqual(3);
			expect(witness.of('connection_lost')).toHaveLength(reasons.length);
			expect(new Set(witness.kinds)).toEqual(new Set(['connected', 'connection_lost']));
			expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
			await live(world, 35 * MINUTE, 10 * SECOND);
			expect(provider.live).toHaveLength(2);
		},
	);

	it('prove nothing if neither has delivered anything, and both break', async () => {
		const { world, provider, witness } = await makePair();
		await live(world, MINUTE, SECOND);
		// It restarts by half: it accepts both, and serves none.
		provider.newAreSilent = true;
		const brokeAt = world.clock.now();
		for (const socket of [...provider.live]) provider.drop(socket);
		await live(world, 5 * MINUTE, SECOND);
		provider.newAreSilent = false;
		for (const socket of [...provider.live]) provider.drop(socket);
		await live(world, MINUTE, SECOND);
		const isTold = (at: number) => witness.of('gap').some(({ from, to }) => from <= at && at <= to);
		for (let at = brokeAt; at < brokeAt + 5 * MINUTE; at += SECOND)
			expect([at - brokeAt, isTold(at)]).toEqual([at - brokeAt, true]);
	});

	it('lose nothing if one breaks before the other has delivered anything, and that goes on', async () => {
		const { world, provider, witness } = await makePair();
		await quiet(world, 5 * MINUTE);
		provider.drop(nth(provider.live, 0));
		await quiet(world, 5 * MINUTE);
		await live(world, MINUTE, SECOND);
		expect(witness.of('gap')).toEqual([]);
		expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
	});

	it('keep a connection in quiet hours although the provider answers each `init` with an event', async () => {
		const { clock, provider, witness } = await running(0, SECOND, redundantConnection);
		let answered = 1;
		for (let passed = 0; passed < 20 * MINUTE; passed += SECOND) {
			await clock.turn(SECOND);
			provider.ping();
			if (provider.logins > answered && provider.live.length === 2) {
				answered = provider.logins;
				provider.send({}, provider.live.slice(-1));
			}
			await settle();
		}
		expect(provider.logins).toBe(2);
		expect(witness.kinds).toEqual(['connected']);
	});

	it.each([
		['ends the older connection', 'singleSession', 3],
		['rejects the second login', 'refuse', 2],
	] as const)(
		'become one if the provider %s, which is reported once, and try again every 30 minutes',
		async (_what, how, logins) => {
			const world = makeWorld();
			const { provider } = world;
			if (how === 'refuse') provider.secondLogin = 'refuse';
			else provider.singleSession = true;
			const { subscription, witness } = world.subscribe(redundantConnection);
			await subscription.first;
			await live(world, 10 * MINUTE, SECOND);
			expect(provider.logins).toBe(logins);
			expect(provider.live).toHaveLength(1);
			// The connection that is open is well.
			expect(subscription.failure()).toBeUndefined();
			const reasons = () => witness.of('connection_lost').map(({ reason }) => reason);
			expect(reasons().filter((reason) => reason.includes('one session'))).toHaveLength(1);
			const told = reasons().length;
			await live(world, 70 * MINUTE, 10 * SECOND);
			expect(provider.logins - logins).toBe(2);
			expect(reasons()).toHaveLength(told);
			expect(witness.numbers).toEqual(numbersUpTo(provider.cpt));
			expect(witness.of('gap')).toEqual([]);
			// It allows two from now on.
			provider.singleSession = false;
			provider.secondLogin = 'allow';
			await live(world, 31 * MINUTE, 10 * SECOND);
			expect(provider.live).toHaveLength(2);
		},
	);
});
