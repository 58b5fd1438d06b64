// The sign of life, through the whole trigger: what it says in a quiet night, in an outage, with a provider that sends what
// nobody can read, and after a restart of n8n.

import type { IDataObject } from 'n8n-workflow';
import { listen } from '../../../support/production';
import { START } from '../../../support/world';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const alive: typeof listen = async (options = {}, setting = {}) =>
	await listen({ emitFeedStatus: true, statusEvery: 1, ...options }, setting);

const at = (time: unknown) => Date.parse(String(time));

it('in a quiet night says each minute that it is connected, and that everything is here', async () => {
	const { clock, provider, passing, of, newest, close } = await alive();
	provider.send();
	await passing(8 * 60);
	expect(of('alive')).toHaveLength(8 * 60);
	expect(of('gap')).toEqual([]);
	expect(newest()).toMatchObject({
		connected: true,
		connections: 1,
		protocol: 4,
		transport: 'direct',
		received: 0,
		passed: 0,
		unreadable: 0,
		last_event_at: new Date(START + 1).toISOString(),
	});
	for (const { date, covered_until: until } of of('alive')) {
		expect(at(date) - at(until)).toBeLessThanOrEqual(30 * SECOND);
		expect(at(until)).toBeLessThanOrEqual(clock.now());
	}
	await close();
});

it('saves no position behind a caller who has left, and of whom nothing was told yet', async () => {
	const { clock, provider, passing, of, staticData, close } = await listen(
		{ emitFeedStatus: true, statusEvery: 1 },
		{ parameters: { mode: 'callOutcomes' } },
	);
	const queue = (event: string) => {
		const msg = { id_call: 7, id_queue: 51 };
		provider.push({ ts: clock.now() / SECOND, event: { type_notification: 'queue', event, msg } });
	};
	await clock.turn(20 * SECOND);
	queue('insert_call');
	await clock.turn(37 * SECOND);
	queue('delete_call');
	const left = clock.now();
	await clock.turn(2 * SECOND);
	provider.ping();
	await clock.turn(2 * SECOND);
	expect(of('alive')).toHaveLength(1);
	const saved = () => Number((staticData as { position: IDataObject }).position.at);
	expect(saved()).toBe(left - SECOND);
	await passing(2);
	expect(of('missed')).toHaveLength(1);
	expect(saved()).toBeGreaterThan(left);
	await close();
});

it('trusts pings in a silence of hours, with a silence timeout that renews the login', async () => {
	const { passing, of, close } = await alive({}, { feed: { silenceTimeoutMs: 30 * MINUTE } });
	await passing(5 * 60);
	for (const { date, covered_until: until } of of('alive'))
		expect(at(date) - at(until)).toBeLessThanOrEqual(30 * SECOND);
	await close();
});

it('in an outage goes on saying until when everything is here, and afterwards that the rest lies in a gap', async () => {
	const { clock, provider, passing, of, newest, close } = await alive();
	provider.send();
	await passing(1);
	const lastSign = clock.now();
	provider.login = 'unreachable';
	for (const socket of provider.live) provider.drop(socket);
	await clock.turn(20 * MINUTE);
	expect(newest()).toMatchObject({ connected: false, connections: 0, protocol: null });
	const frozen = at(newest().covered_until);
	expect(frozen).toBeLessThanOrEqual(lastSign);
	expect(frozen).toBeGreaterThanOrEqual(lastSign - 2 * SECOND);
	expect(of('alive').length).toBeGreaterThanOrEqual(20);
	provider.login = 'accept';
	await passing(3);
	const [gap] = of('gap');
	expect(at(gap?.from)).toBe(frozen);
	expect(at(newest().covered_until)).toBeGreaterThan(at(gap?.to));
	expect(newest().connected).toBe(true);
	await close();
});

it('counts what came, what the trigger let through and what nobody can read, since the sign before', async () => {
	const { clock, provider, newest, close } = await alive(
		{},
		{ parameters: { filters: { agentIds: ['7'] } } },
	);
	for (const id_operator of [7, 8, 9, 7]) provider.send({ id_operator });
	provider.push('what nobody can read');
	await clock.turn(MINUTE);
	expect(newest()).toMatchObject({ received: 4, passed: 2, unreadable: 1 });
	await clock.turn(MINUTE);
	expect(newest()).toMatchObject({ received: 0, passed: 0, unreadable: 0 });
	await close();
});

describe('after a restart of n8n in which no event comes', () => {
	const STOPPED = START - 10 * MINUTE;
	const staticData = () => ({
		position: { account: 'account', at: STOPPED, cpt: 5, everyEvent: true },
	});

	it('tells what may be missing with the first sign of life, and then vouches for the rest', async () => {
		const { passing, items, newest, close } = await alive({}, { staticData: staticData() });
		await passing(2);
		const [gap, first] = items.filter(({ event }) => event === 'gap' || event === 'alive');
		expect(gap).toMatchObject({ event: 'gap', reason: 'n8n was not running', missed: null });
		expect(at(gap?.from)).toBe(STOPPED);
		expect(at(gap?.to)).toBeGreaterThanOrEqual(START);
		expect(at(gap?.to)).toBeLessThanOrEqual(START + 10 * SECOND);
		expect(at(first?.covered_until)).toBeGreaterThan(at(gap?.to));
		expect(newest().last_event_at).toBeNull();
		await close();
	});

	it('does not vouch for the time without n8n while the provider is away', async () => {
		const { clock, provider, passing, of, newest, close } = await alive(
			{},
			{ staticData: staticData() },
		);
		for (const socket of provider.live) provider.drop(socket);
		provider.login = 'unreachable';
		await clock.turn(3 * MINUTE);
		expect(of('gap')).toEqual([]);
		expect(at(newest().covered_until)).toBe(STOPPED);
		provider.login = 'accept';
		await passing(4);
		expect(at(newest().covered_until)).toBeGreaterThan(START + 3 * MINUTE);
		await close();
	});
});

it('a position that was vouched for is kept, so that the next restart of n8n does not doubt it again', async () => {
	const { clock, provider, passing, staticData, newest, close } = await alive();
	provider.send();
	await passing(30);
	const saved = (staticData as { position?: { at: number } }).position?.at ?? 0;
	expect(saved).toBe(at(newest().covered_until));
	expect(clock.now() - saved).toBeLessThan(MINUTE);
	await close();
});

it.each([
	['without feed status', { emitFeedStatus: false }],
	['with 0 minutes', { statusEvery: 0 }],
])('%s gives no sign of life', async (_name, options) => {
	const { passing, of, close } = await alive(options);
	await passing(10);
	expect(of('alive')).toEqual([]);
	await close();
});
