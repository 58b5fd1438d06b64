// The trigger of an active workflow with real sockets: what it emits, in which form, and what it leaves behind.

import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider, type ProviderOptions } from '../../../simulator';
import { HandClock } from '../../support/world';
import { ActiveTrigger, credentialsFor, turnedUntil, type TriggerOptions } from './harness';
import { firstOf, nth } from '../../support/present';

let provider: Provider;
const started: ActiveTrigger[] = [];

async function serve(options: Partial<ProviderOptions> = {}): Promise<void> {
	provider = await startProvider(options);
}

afterEach(async () => {
	await Promise.all(started.splice(0).map(async (trigger) => await trigger.close()));
	await provider.control.waitForSockets(0);
	await provider.close();
});

function prepare(parameters: IDataObject = {}, options: Partial<TriggerOptions> = {}) {
	const trigger = new ActiveTrigger({
		parameters,
		credentials: credentialsFor(provider),
		...options,
	});
	started.push(trigger);
	return trigger;
}

/**
 * A trigger that subscribed later to the same feed gets each event later: when a witness has it, the others have it.
 */
async function active(parameters: IDataObject = {}, options: Partial<TriggerOptions> = {}) {
	const trigger = await prepare(parameters, options).start();
	await provider.control.waitForSockets(1);
	return trigger;
}

describe('what an active trigger emits', () => {
	it.each([4, 2] as const)(
		'is the events of a Socket.IO %i provider, simplified',
		async (socketio) => {
			await serve({ socketio });
			const trigger = await active();
			const sent = provider.control.send('queue', 'insert_call', { id_call: 7, id_queue: '301' });
			const [item] = await trigger.untilItems(1);
			expect(item).toEqual({
				type_notification: 'queue',
				event: 'insert_call',
				cpt: sent.cpt,
				ts: sent.ts,
				elapse: sent.elapse,
				id_call: '7',
				id_queue: '301',
				date: new Date(sent.ts * 1000).toISOString(),
			});
			expect(nth(trigger.executions, 0).items).toEqual([{ json: item }]);
		},
	);

	it('is the received object, unchanged, with output raw', async () => {
		await serve();
		const trigger = await active({ output: 'raw' });
		const first = provider.control.send('UI', 'pause', { id_operator: 501, supp: 2 });
		const second = provider.control.send(
			'UI',
			'pause',
			{ json: { x: 1 }, statut: 'y' },
			{ form: 'array' },
		);
		expect(await trigger.untilItems(2)).toEqual([first, second]);
	});

	it('contains the names of the login', async () => {
		await serve();
		const trigger = await active();
		provider.control.send('UI', 'pause', { id_operator: '504', supp: 2 });
		provider.control.send('trunk', 'insert_call', { id_trunk: 701, id_call: 1 });
		const [pause, call] = await trigger.untilItems(2);
		expect(pause).toMatchObject({
			agent: {
				id: '504',
				name: 'Daniel Weber',
				groups: [
					{ id: '11', name: 'Sales' },
					{ id: '12', name: 'Support' },
				],
			},
			pause: { id: '2', name: 'Coffee' },
		});
		expect(call).toMatchObject({ trunk: { id: '701', name: 'Head office' } });
	});

	it('comes from the full account feed with the API credential', async () => {
		await serve();
		const trigger = await active({ feed: 'account' });
		expect(provider.control.logins('api')).toBe(1);
		provider.control.send('queue', 'insert_call', { id_call: 7 });
		expect((await trigger.untilItems(1))[0]).toMatchObject({ id_call: '7' });
	});

	it('is not shared between workflows: one that changes its item does not affect the others', async () => {
		await serve();
		const one = await active({ output: 'raw' }, { workflowId: 'one' });
		const two = await prepare({ output: 'raw' }, { workflowId: 'two' }).start();
		provider.control.send('UI', 'push', { vars: { list: [1] } });
		type Raw = { event: { msg: { vars: { list: number[] } } } };
		const mine = nth((await one.untilItems(1)) as unknown as Raw[], 0);
		mine.event.msg.vars.list.push(2);
		const theirs = nth((await two.untilItems(1)) as unknown as Raw[], 0);
		expect(theirs.event.msg.vars.list).toEqual([1]);
	});

	it('keeps its order and its number in a burst, in batches and within the limit', async () => {
		await serve();
		const options = { batchSize: 100, maxInFlight: 3 };
		const trigger = await active({ options });
		await provider.control.pushBurst({ count: 5000 });
		const items = await trigger.untilItems(5000);
		const numbers = items.map(({ cpt }) => cpt as number);
		expect(numbers).toEqual(Array.from({ length: 5000 }, (_, index) => nth(numbers, 0) + index));
		expect(Math.max(...trigger.executions.map(({ items: batch }) => batch.length))).toBe(100);
		expect(trigger.executions.length).toBeLessThan(120);
	});
});

describe('a restart of n8n', () => {
	const parameters = { options: { emitFeedStatus: true } };

	/** The saved data of an n8n process that got `before` numbered events and was then killed; `missed` came after it. */
	async function killed(before: number, missed = 3): Promise<IDataObject> {
		const staticData: IDataObject = {};
		const trigger = await active(parameters, { staticData });
		await trigger.until(({ items }) => items[0]?.event === 'connected');
		for (let index = 0; index < before; index++) provider.control.send('UI', 'login', { index });
		await trigger.untilItems(before + 1);
		await trigger.close();
		await provider.control.waitForSockets(0);
		for (let index = 0; index < missed; index++) provider.control.send('UI', 'login');
		return JSON.parse(JSON.stringify(staticData)) as IDataObject;
	}

	it.each([
		['no event fell into it', 'init', 0],
		['a person activates the workflow', 'activate', 3],
	] as const)('leads to no gap if %s', async (_why, activation, missed) => {
		await serve();
		const staticData = await killed(30, missed);
		const trigger = await active(parameters, { staticData, activation });
		await trigger.until(({ items }) => items[0]?.event === 'connected');
		provider.control.send('UI', 'logout');
		const items = await trigger.untilItems(2);
		expect(items.map(({ event }) => event)).toEqual(['connected', 'logout']);
	});

	it('leads to one gap with its reason, from the last event of the workflow to the first one of the new connection', async () => {
		await serve();
		const staticData = await killed(30);
		const stoppedAt = Date.now();
		const trigger = await active(parameters, { staticData, activation: 'init' });
		await trigger.until(({ items }) => items[0]?.event === 'connected');
		for (let index = 0; index < 5; index++) provider.control.send('UI', 'logout', { index });
		const items = await trigger.untilItems(7);
		const gaps = items.filter(({ event }) => event === 'gap');
		expect(gaps).toEqual([expect.objectContaining({ reason: 'n8n was not running', missed: 3 })]);
		expect(Date.parse(String(nth(gaps, 0).from))).toBeLessThan(stoppedAt);
		expect(Date.parse(String(nth(gaps, 0).to))).toBeGreaterThanOrEqual(stoppedAt);
		expect(items.indexOf(nth(gaps, 0))).toBe(1);
	});

	it('leads to its gap once a person activates the workflow again, if its settings could not be read until then', async () => {
		await serve();
		const staticData = await killed(30);
		const unread = prepare(parameters, { staticData, activation: 'init', credentials: {} });
		await unread.start();
		await unread.close();
		const trigger = await active(parameters, { staticData, activation: 'activate' });
		await trigger.until(({ items }) => items[0]?.event === 'connected');
		provider.control.send('UI', 'logout');
		const [, gap] = await trigger.untilItems(3);
		expect(gap).toMatchObject({ event: 'gap', reason: 'n8n was not running' });
	});

	it('leaves static data alone if the workflow has no feed status items', async () => {
		await serve();
		const staticData: IDataObject = {};
		const trigger = await active({}, { staticData });
		provider.control.send('UI', 'login');
		await trigger.untilItems(1);
		expect(staticData).toEqual({});
	});
});

describe('executions', () => {
	it('that cannot start while the database is away lose nothing, and the workflow gets a report', async () => {
		await serve();
		const clock = new HandClock();
		const trigger = await active({ options: { emitFeedStatus: true } }, { clock });
		const witness = await active({}, { clock, workflowId: 'witness' });
		await trigger.until(({ items }) => items[0]?.event === 'connected');
		trigger.databaseAway = true;
		for (let index = 0; index < 100; index++) provider.control.send('UI', 'login', { index });
		await witness.untilItems(100);
		await trigger.untilLog(/can't start executions/);
		trigger.databaseAway = false;
		await turnedUntil(clock, trigger.untilItems(103));
		const items = trigger.items.slice(1);
		expect(items.filter(({ event }) => event === 'login').map(({ index }) => index)).toEqual(
			Array.from({ length: 100 }, (_, index) => index),
		);
		const [held, resumed] = firstOf(
			items.filter(({ type_notification }) => type_notification === 'feed'),
			2,
		);
		expect(held).toMatchObject({ event: 'held', reason: 'Connection terminated unexpectedly' });
		expect(Date.parse(String(held.since))).toBeLessThanOrEqual(Date.now());
		expect(resumed).toMatchObject({ event: 'resumed', entries: 100 });
	});

	it('start on engine 2.0 without a promise', async () => {
		await serve();
		const trigger = await active({}, { settings: { engineType: 'v2' } });
		for (let index = 0; index < 30; index++) provider.control.send('UI', 'login', { index });
		const items = await trigger.untilItems(30);
		expect(items.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, i) => i));
	});
});

describe('feed status', () => {
	it('is emitted as items on request: connected, disconnected, gap', async () => {
		await serve();
		const clock = new HandClock();
		const trigger = await active({ options: { emitFeedStatus: true } }, { clock });
		await trigger.untilItems(1);
		// A connection that has lasted is retried at once.
		await clock.turn(60_000);
		provider.control.disconnectSockets();
		await turnedUntil(
			clock,
			trigger.until(({ items }) => items.some(({ event }) => event === 'gap')),
		);
		expect(trigger.items.filter(({ event }) => event === 'connected')).toHaveLength(2);
		expect(trigger.items.map(({ type_notification }) => type_notification)).toEqual(
			trigger.items.map(() => 'feed'),
		);
		const [first] = trigger.items;
		expect(first).toMatchObject({ event: 'connected', attempts: 0, protocol: 4 });
		const gap = trigger.items.find(({ event }) => event === 'gap') as IDataObject;
		expect(Date.parse(gap.to as string)).toBeGreaterThanOrEqual(Date.parse(gap.from as string));
		expect(trigger.items.some(({ event }) => event === 'disconnected')).toBe(true);
	});

	it('is logged, and not emitted as items without the option', async () => {
		await serve();
		const trigger = await active();
		provider.control.disconnectSockets();
		await provider.control.waitForLogins(2);
		await provider.control.waitForSockets(1);
		provider.control.send('UI', 'login', { id_operator: 501 });
		await trigger.untilItems(1);
		expect(trigger.items.map(({ event }) => event)).toEqual(['login']);
		expect(
			trigger.logs.filter(({ level }) => level === 'warn' || level === 'info').length,
		).toBeGreaterThan(1);
	});
});

describe('closing', () => {
	it('leaves no connection, and nothing is emitted afterwards', async () => {
		await serve();
		const trigger = await active();
		await trigger.close();
		await provider.control.waitForSockets(0);
		provider.control.send('UI', 'login');
		expect(trigger.items).toEqual([]);
		await trigger.close();
	});

	it('hands over buffered events first', async () => {
		await serve();
		const trigger = await active(
			{ options: { batchSize: 100, maxInFlight: 1 } },
			{ endAtOnce: false },
		);
		const witness = await active({}, { workflowId: 'witness' });
		for (const event of ['login', 'pause', 'logout']) provider.control.send('UI', event);
		await witness.untilItems(3);
		await trigger.untilItems(1);
		const closed = trigger.close();
		nth(trigger.executions, 0).end();
		await closed;
		expect(trigger.items.map(({ event }) => event)).toEqual(['login', 'pause', 'logout']);
	});

	it('ends within a limited time if no execution ends, and reports what was left', async () => {
		await serve();
		const clock = new HandClock();
		const options = { clock, endAtOnce: false };
		const trigger = await active({ options: { maxInFlight: 1 } }, options);
		const witness = await active({}, { clock, workflowId: 'witness' });
		provider.control.send('UI', 'login');
		provider.control.send('UI', 'logout');
		await witness.untilItems(2);
		expect(await turnedUntil(clock, trigger.close())).toBeLessThan(20);
		expect(
			trigger.logs.some(({ message }) => /closed: 1 events were discarded/.test(message)),
		).toBe(true);
	});

	it('leaves the feed to the other workflows of the account, and the last one closes it', async () => {
		await serve();
		const triggers: ActiveTrigger[] = [];
		for (let index = 0; index < 20; index++) {
			triggers.push(await active({}, { workflowId: `workflow-${index}` }));
		}
		expect(provider.control.logins()).toBe(1);
		expect(provider.control.sockets()).toHaveLength(1);
		const last = nth(triggers.splice(7, 1), 0);
		await Promise.all(triggers.map(async (trigger) => await trigger.close()));
		provider.control.send('UI', 'login', { id_operator: 501 });
		expect(await last.untilItems(1)).toHaveLength(1);
		expect(triggers.flatMap(({ items }) => items)).toEqual([]);
		await last.close();
		await provider.control.waitForSockets(0);
	});
});

describe('a credential that is changed while the workflow is published', () => {
	it.each([4, 2] as const)(
		'moves all its workflows with one login at a Socket.IO %i provider that allows one session',
		async (socketio) => {
			await serve({ socketio, singleSession: true });
			const clock = new HandClock();
			const credentials = credentialsFor(provider);
			const parameters = { options: { emitFeedStatus: true } };
			const workflows: ActiveTrigger[] = [];
			for (const workflowId of ['one', 'two', 'three'])
				workflows.push(await active(parameters, { credentials, clock, workflowId }));
			expect(provider.control.logins()).toBe(1);
			provider.accounts.supervisor.password = 'rotated-password';
			Object.assign(credentials.voiceManagementSupervisorApi ?? {}, {
				password: 'rotated-password',
			});
			for (const trigger of workflows) {
				const isBack = () =>
					trigger.items.filter(({ event }) => event === 'connected').length === 2;
				await turnedUntil(clock, trigger.until(isBack));
			}
			provider.control.send('UI', 'login', { id_operator: 501 });
			for (const trigger of workflows) {
				await trigger.until(({ items }) => items.some(({ event }) => event === 'login'));
				expect(trigger.items.map(({ event }) => event)).toEqual([
					'connected',
					'disconnected',
					'connected',
					'gap',
					'login',
				]);
			}
			await clock.turn(60_000);
			expect(provider.control.requests({ path: '/ws/' })).toHaveLength(2);
		},
	);

	it('is noticed within 30 seconds after it was corrected, if the login was refused', async () => {
		await serve();
		const clock = new HandClock();
		const credentials = credentialsFor(provider);
		const { password } = provider.accounts.supervisor;
		Object.assign(credentials.voiceManagementSupervisorApi ?? {}, { password: 'wrong' });
		const trigger = await prepare({}, { credentials, clock, activation: 'init' }).start();
		await trigger.until(({ failedExecutions }) => failedExecutions.length === 1);
		Object.assign(credentials.voiceManagementSupervisorApi ?? {}, { password });
		expect(await turnedUntil(clock, provider.control.waitForSockets(1))).toBeLessThan(60);
		provider.control.send('UI', 'login', { id_operator: 501 });
		await trigger.untilItems(1);
	});

	it('is followed with the next login, and what may be missing is told', async () => {
		await serve();
		const clock = new HandClock();
		const credentials = credentialsFor(provider);
		const trigger = await active({ options: { emitFeedStatus: true } }, { credentials, clock });
		await trigger.untilItems(1);
		Object.assign(credentials.voiceManagementSupervisorApi ?? {}, {
			customConnection: true,
			protocol: '4',
		});
		await clock.turn(60_000);
		provider.control.disconnectSockets();
		await turnedUntil(
			clock,
			trigger.until(({ items }) => items.some(({ event }) => event === 'gap')),
		);
		expect(trigger.items.map(({ event }) => event)).toEqual([
			'connected',
			'disconnected',
			'connected',
			'gap',
		]);
		await provider.control.waitForSockets(1);
		provider.control.send('UI', 'login', { id_operator: 501 });
		await trigger.until(({ items }) => items.some(({ event }) => event === 'login'));
	});

	it('is followed as soon as it can be used, and reported until then', async () => {
		await serve();
		const clock = new HandClock();
		const credentials = credentialsFor(provider);
		const { voiceUrl } = credentials.voiceManagementSupervisorApi ?? {};
		const trigger = await active({}, { credentials, clock });
		Object.assign(credentials.voiceManagementSupervisorApi ?? {}, { voiceUrl: 'no host' });
		provider.control.disconnectSockets();
		await turnedUntil(
			clock,
			trigger.until(({ failedExecutions }) => failedExecutions.length === 1),
		);
		Object.assign(credentials.voiceManagementSupervisorApi ?? {}, { voiceUrl });
		await turnedUntil(clock, provider.control.waitForSockets(1));
		provider.control.send('UI', 'login', { id_operator: 501 });
		await trigger.untilItems(1);
	});

	it('is followed at once if the workflow is unpublished, then published, and so is its time zone', async () => {
		await serve();
		const other = await startProvider();
		try {
			const credentials = credentialsFor(provider);
			const totals = { mode: 'snapshots', snapshotOf: ['totals'], onlyWhenChanged: false };
			const midnightIn = (timeZone: string, from: unknown) =>
				new Date(String(from)).toLocaleTimeString('en-GB', { timeZone });
			const before = await active(totals, { credentials });
			const [{ from: inParis } = {}] = await before.untilItems(1);
			expect(midnightIn('Europe/Paris', inParis)).toBe('00:00:00');
			await before.close();
			const { voiceUrl } = credentialsFor(other).voiceManagementSupervisorApi ?? {};
			Object.assign(credentials.voiceManagementSupervisorApi ?? {}, { voiceUrl });
			const after = await prepare(totals, { credentials, timeZone: 'Asia/Tokyo' }).start();
			const [{ from: inTokyo } = {}] = await after.untilItems(1);
			expect(midnightIn('Asia/Tokyo', inTokyo)).toBe('00:00:00');
			await other.control.waitForSockets(1);
			await provider.control.waitForSockets(0);
			await after.close();
		} finally {
			await other.close();
		}
	});

	it.each(['changed', 'deleted'])('leaves other workflows alone, even if %s', async (what) => {
		await serve();
		const clock = new HandClock();
		const untouched = await active({}, { clock });
		const credentials = credentialsFor(provider);
		await active({}, { credentials, clock, workflowId: 'workflow-2' });
		if (what === 'deleted') Reflect.deleteProperty(credentials, 'voiceManagementSupervisorApi');
		else Object.assign(credentials.voiceManagementSupervisorApi ?? {}, { login: 'chief' });
		const logins = provider.control.logins();
		provider.control.disconnectSockets();
		await turnedUntil(clock, provider.control.waitForLogins(logins + 1));
		await turnedUntil(clock, provider.control.waitForSockets(1));
		provider.control.send('UI', 'login', { id_operator: 501 });
		await untouched.untilItems(1);
	});

	it('does not share the feed of another one with a wrong key for the type of account', async () => {
		await serve({ accountTypeKey: 'account_type' });
		await active();
		const credentials = credentialsFor(provider);
		Object.assign(credentials.voiceManagementSupervisorApi ?? {}, {
			customConnection: true,
			accountTypeKey: 'count_type',
		});
		const second = prepare({}, { credentials, workflowId: 'workflow-2' });
		await expect(second.start()).rejects.toThrow(/"count_type" is not known/);
	});
});

describe('started twice by n8n', () => {
	it('is live once, and emits each event once', async () => {
		await serve();
		const first = await active();
		const second = await active();
		provider.control.send('UI', 'login', { id_operator: 501 });
		await second.untilItems(1);
		expect(first.items).toEqual([]);
		await first.close();
		provider.control.send('UI', 'logout', { id_operator: 501 });
		expect((await second.untilItems(2)).map(({ event }) => event)).toEqual(['login', 'logout']);
	});

	it('is closed if n8n only knows one of two overlapping instances and closes that', async () => {
		await serve();
		const first = prepare();
		const second = prepare();
		await Promise.all([first.start(), second.start()]);
		await first.close();
		await provider.control.waitForSockets(0);
	});
});
