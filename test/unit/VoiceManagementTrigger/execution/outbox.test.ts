// The complete way of a trigger's events into n8n: what one bad event costs the others, and what the log and the
// workflow see if n8n cannot start outbox, or if all of them fail.

import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { Outbox, type Sources } from '../../../../nodes/VoiceManagementTrigger/execution/outbox';
import type { Entry } from '../../../../nodes/VoiceManagementTrigger/events/entry';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/settings';
import { weightOf } from '../../../../nodes/VoiceManagementTrigger/execution/buffer';
import { triggerContext } from '../../../support/n8n';
import { HandClock, settle } from '../../../support/world';

const itemsOf: Sources['toItem'] = (entry) => {
	if ('item' in entry) return entry.item;
	return 'items' in entry ? entry.items : entry.raw;
};

/**
 * n8n 2.41 around a trigger with feed status items; `answer` determines the result of each execution, which goes on if
 * there is none.
 */
function startExecutions(
	answer: () => Error | object | undefined,
	toItem: Sources['toItem'] = itemsOf,
	{
		activation = 'activate',
		staticData = {},
		options = {},
		countsByOne = false,
		bufferLimit,
		parameters = {},
		workflow = {},
		clock = new HandClock(),
	}: {
		activation?: string;
		staticData?: object;
		options?: object;
		countsByOne?: boolean;
		bufferLimit?: number;
		parameters?: Record<string, unknown>;
		workflow?: object;
		clock?: HandClock;
	} = {},
) {
	const lines: string[] = [];
	const given: Array<Record<string, unknown>> = [];
	const context = triggerContext(lines, activation, {
		getWorkflowStaticData: () => staticData,
		getWorkflowSettings: () => workflow,
		emit: (
			[items = []]: INodeExecutionData[][],
			_: unknown,
			done: { resolve: (run: IRun) => void; reject: (error: Error) => void } | undefined,
			_key: string,
		) => {
			const end = answer();
			if (end instanceof Error) return done?.reject(end);
			given.push(...items.map(({ json }) => json));
			if (end) done?.resolve(end as IRun);
		},
	});
	const outbox = new Outbox(
		context,
		{
			...readSettings((name, fallback) =>
				name === 'options' ? { emitFeedStatus: true, ...options } : (parameters[name] ?? fallback),
			),
			...(bufferLimit === undefined ? {} : { bufferLimit }),
		},
		{
			toItem,
			database: async () => await Promise.resolve(),
			countsByOne: () => countsByOne,
			coveredUntil: () => undefined,
		},
		clock,
	);
	return { outbox, lines, given, clock };
}

const entry = (n: number) => ({ item: { n } }) as unknown as Entry;

it('an event that cannot be made into an item is left out and logged, and does not stop other events', async () => {
	const bad = entry(2);
	const { outbox, lines, given } = startExecutions(
		() => ({}),
		(one) => {
			if (one === bad) throw new RangeError('with a secret in its message');
			return one;
		},
	);
	for (const one of [entry(1), bad, entry(3)]) outbox.push(one);
	await settle();
	expect(given).toEqual([entry(1), entry(3)]);
	expect(lines.filter((line) => line.includes('RangeError'))).toHaveLength(1);
	expect(lines.join()).not.toContain('secret');
	await outbox.close();
});

it('a database that is away for a day costs one line in the log, and one more when it is back', async () => {
	let away = true;
	const { outbox, lines, given, clock } = startExecutions(() =>
		away ? new Error('connect ECONNREFUSED') : {},
	);
	outbox.push(entry(1));
	for (let hour = 0; hour < 24; hour++) {
		outbox.push(entry(2 + hour));
		await clock.turn(3_600_000);
	}
	expect(lines).toEqual([expect.stringContaining("can't start executions (connect ECONNREFUSED)")]);
	away = false;
	await clock.turn(60_000);
	expect(lines.slice(1)).toEqual([expect.stringContaining('25 events were kept')]);
	expect(given.filter(({ n }) => n !== undefined)).toHaveLength(25);
	await outbox.close();
});

it('a workflow that fails in every execution is not held up, and nothing is repeated, since its executions did start', async () => {
	const failed = { status: 'error', data: { resultData: { runData: { Trigger: [{}] } } } };
	const { outbox, lines, given } = startExecutions(() => failed);
	for (let n = 1; n <= 50; n++) outbox.push(entry(n));
	await settle();
	expect(given.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
	expect(lines).toEqual([]);
	await outbox.close();
});

it('a chat that is down for ten minutes costs no event with Retry Failed, and none arrives twice', async () => {
	const clock = new HandClock();
	let down = true;
	const reached: unknown[] = [];
	const failed = {
		status: 'error',
		data: { resultData: { runData: { Trigger: [{}] }, error: { message: '500 - busy' } } },
	};
	const { outbox, given, lines } = startExecutions(
		() => {
			if (down) return failed;
			reached.push(given.length);
			return { status: 'success' };
		},
		itemsOf,
		{ options: { retryFailed: 10 }, clock },
	);
	for (let n = 1; n <= 60; n++) {
		outbox.push(entry(n));
		await clock.turn(10_000);
	}
	down = false;
	expect(reached).toEqual([]);
	const before = given.length;
	await clock.turn(20 * 60_000);
	const arrived = given.slice(before).map(({ n }) => Number(n));
	expect(arrived.sort((a, b) => a - b)).toEqual(
		Array.from({ length: 60 }, (_, index) => index + 1),
	);
	expect(lines).toEqual([]);
	await outbox.close();
});

it.each([true, false])(
	'events whose executions all failed are reported once, as an item or in the log (feed status items: %s)',
	async (emitFeedStatus) => {
		const clock = new HandClock();
		const failed = {
			status: 'error',
			data: { resultData: { runData: { Trigger: [{}] }, error: { message: '500 - busy' } } },
		};
		const { outbox, given, lines } = startExecutions(() => failed, itemsOf, {
			options: { retryFailed: 1, emitFeedStatus },
			clock,
		});
		const at = new Date(clock.now()).toISOString();
		outbox.push(entry(1));
		await clock.turn(10 * 60_000);
		const told = given.filter(({ event }) => event === 'undelivered');
		// The report fails too, and is not reported in turn.
		if (emitFeedStatus)
			expect(told[0]).toMatchObject({ entries: 1, first_at: at, reason: '500 - busy' });
		expect(told).toHaveLength(emitFeedStatus ? 2 : 0);
		expect(lines).toEqual(emitFeedStatus ? [] : [expect.stringContaining('500 - busy')]);
		await outbox.close();
	},
);

it('executions that n8n failed before their first node are reported with their number and time', async () => {
	const failed = { status: 'error', data: { resultData: { runData: {} } } };
	const answers: object[] = [failed];
	const { outbox, given, clock } = startExecutions(() => answers.shift() ?? {});
	outbox.push(entry(1));
	await clock.turn(30_000);
	const gap = given.find(({ event }) => event === 'gap');
	expect(gap).toMatchObject({ missed: 1, reason: expect.stringContaining('no node that ran') });
	expect(gap?.duration).toBe(1);
	await outbox.close();
});

it('batches that n8n lost at the same time are reported as one gap with the number of all their events', async () => {
	const failed = { status: 'error', data: { resultData: { runData: {} } } };
	const fail: Array<(run: object) => void> = [];
	let dying = true;
	const { outbox, given, clock } = startExecutions(() =>
		dying ? new Promise((resolve) => fail.push(resolve)) : {},
	);
	for (const n of [1, 2, 3]) outbox.push(entry(n));
	await settle();
	dying = false;
	for (const end of fail) end(failed);
	await clock.turn(30_000);
	expect(given.filter(({ event }) => event === 'gap')).toMatchObject([{ missed: 3 }]);
	await outbox.close();
});

it.each([
	['every event', {}, 4],
	['some events', { filters: { agentIds: '501' } }, null],
])(
	'what is missing after a restart is counted if the workflow takes %s',
	async (_, parameters, missed) => {
		const staticData = {};
		const numbered = { type: 'queue', event: '', msg: {}, raw: {} };
		const options = { staticData, countsByOne: true, parameters };
		const killed = startExecutions(() => ({}), itemsOf, options);
		const at = killed.clock.now();
		const first = { ...numbered, cpt: 20, receivedAt: at };
		killed.outbox.received?.(first);
		killed.outbox.push(first);
		await settle();
		const next = startExecutions(() => ({}), itemsOf, { ...options, activation: 'init' });
		next.outbox.received?.({ ...numbered, cpt: 25, receivedAt: at + 60_000 });
		await settle();
		expect(next.given).toMatchObject([{ reason: 'n8n was not running', missed }]);
		await Promise.all([killed.outbox.close(), next.outbox.close()]);
	},
);

it('what n8n had not been given yet when it was killed is not left out of the count of what is missing', async () => {
	const staticData = {};
	const engine2 = { workflow: { engineType: 'v2' }, options: { maxInFlight: 1 } };
	const options = { staticData, countsByOne: true };
	const killed = startExecutions(() => ({}), itemsOf, { ...options, ...engine2 });
	const at = killed.clock.now();
	for (let cpt = 20; cpt < 25; cpt++) {
		const event = { type: 'queue', event: '', msg: {}, raw: { cpt }, cpt, receivedAt: at };
		killed.outbox.received?.(event);
		killed.outbox.push(event);
	}
	await killed.clock.turn(300);
	expect(killed.given).toEqual([{ cpt: 20 }, { cpt: 21 }]);
	const next = startExecutions(() => ({}), itemsOf, {
		...options,
		staticData: structuredClone(staticData),
		activation: 'init',
	});
	const first = { type: 'queue', event: '', msg: {}, raw: {}, cpt: 26, receivedAt: at + 60_000 };
	next.outbox.received?.(first);
	await settle();
	expect(next.given).toMatchObject([{ reason: 'n8n was not running', missed: null }]);
	const closed = Promise.all([killed.outbox.close(), next.outbox.close()]);
	await killed.clock.turn(60_000);
	await closed;
});

describe('a gap whose execution n8n lost', () => {
	const failed = { status: 'error', data: { resultData: { runData: {} } } };
	const from = Date.UTC(2026, 0, 1, 12);
	const cut = { event: 'gap', from, to: from + 9_000, reason: 'cut' } as const;
	const gapsIn = (given: ReadonlyArray<Record<string, unknown>>) =>
		given.filter(({ event }) => event === 'gap');

	it('is reported again once another execution has ended', async () => {
		const answers: object[] = [failed];
		const { outbox, given, clock } = startExecutions(() => answers.shift() ?? {});
		outbox.report(cut);
		await clock.turn(30_000);
		const [lost, anew, ...more] = gapsIn(given);
		expect(lost).toMatchObject({ reason: 'cut' });
		expect(anew).toMatchObject({
			from: lost?.from,
			reason: expect.stringContaining('no node that ran'),
		});
		expect(more).toEqual([]);
		await outbox.close();
	});

	it('is not reported again and again while n8n loses every execution', async () => {
		const { outbox, given, clock } = startExecutions(() => failed);
		outbox.report(cut);
		await clock.turn(3_600_000);
		expect(gapsIn(given)).toHaveLength(1);
		const closed = outbox.close();
		await clock.turn(60_000);
		await closed;
	});

	it('is reported with the last batch if the trigger is closed before', async () => {
		const answers: object[] = [failed];
		const { outbox, given, clock } = startExecutions(() => answers.shift() ?? {});
		outbox.report(cut);
		await settle();
		const closed = outbox.close();
		await clock.turn(60_000);
		await closed;
		const [lost, anew, ...more] = gapsIn(given);
		expect(anew).toMatchObject({ from: lost?.from });
		expect(more).toEqual([]);
	});

	it('is reported after a restart if n8n was killed before it could be reported again', async () => {
		const staticData = {};
		const saved: object[] = [];
		const killed = startExecutions(
			() => {
				saved.push(structuredClone(staticData));
				return saved.length === 1 ? failed : undefined;
			},
			itemsOf,
			{ staticData, options: { batchSize: 10 } },
		);
		const event = { type: 'queue', event: '', msg: {}, raw: {} };
		killed.outbox.report(cut);
		await settle();
		const at = killed.clock.now();
		killed.outbox.received?.({ ...event, receivedAt: at });
		killed.outbox.push(entry(1));
		await killed.clock.turn(10_000);

		const next = startExecutions(() => ({}), itemsOf, {
			activation: 'init',
			staticData: saved.at(-1),
		});
		next.outbox.received?.({ ...event, receivedAt: at + 60_000 });
		await settle();
		expect(next.given).toMatchObject([
			{ reason: 'n8n was not running', from: new Date(from).toISOString() },
		]);
		const closed = Promise.all([killed.outbox.close(), next.outbox.close()]);
		await killed.clock.turn(60_000);
		await closed;
	});

	it('is reported to its end, whichever of the lost executions ends last', async () => {
		const fail: Array<(run: object) => void> = [];
		let dying = true;
		const { outbox, given, clock } = startExecutions(() =>
			dying ? new Promise((resolve) => fail.push(resolve)) : {},
		);
		outbox.report({ event: 'disconnected', at: clock.now(), reason: 'cut' });
		await clock.turn(10_000);
		const to = clock.now();
		outbox.report({ ...cut, to });
		await settle();
		dying = false;
		for (const end of fail.reverse()) {
			end(failed);
			await settle();
		}
		await clock.turn(30_000);
		expect(gapsIn(given).at(-1)).toMatchObject({
			from: new Date(from).toISOString(),
			to: new Date(to).toISOString(),
		});
		await outbox.close();
	});

	it('is included in the gap of the events that were lost with it', async () => {
		const answers: object[] = [failed];
		const { outbox, given, clock } = startExecutions(() => answers.shift() ?? {}, itemsOf, {
			options: { batchSize: 2 },
		});
		outbox.report(cut);
		outbox.push(entry(1));
		await clock.turn(60_000);
		const [lost, anew] = gapsIn(given);
		expect(anew).toMatchObject({ from: lost?.from, missed: null });
		await outbox.close();
	});
});

it('the gap of a restart that no event has triggered yet is reported once after the workflow was activated again', async () => {
	/**
	 * One run of the trigger with the position that a killed n8n process had saved; returns the gaps that it reports.
	 */
	const run = async (activation: string, heard: boolean) => {
		const at = Date.UTC(2026, 0, 1);
		const staticData = { position: { at, cpt: 5, handed: 5, countsByOne: true } };
		const { outbox, given } = startExecutions(() => ({}), itemsOf, { activation, staticData });
		const receivedAt = Date.UTC(2026, 0, 2);
		if (heard) {
			outbox.received?.({ type: 'queue', event: '', cpt: 9, msg: {}, raw: {}, receivedAt });
		}
		await outbox.close();
		return given.map(({ reason }) => reason);
	};
	expect(await run('init', false)).toEqual([]);
	expect(await run('update', false)).toEqual([]);
	expect(await run('activate', true)).toEqual(['n8n was not running']);
	expect(await run('activate', true)).toEqual([]);
});

it('a gap that still waited when n8n was killed is reported after the restart', async () => {
	const staticData = {};
	let away = true;
	let saved: object | undefined;
	const killed = startExecutions(
		() => {
			if (away) return new Error('connect ECONNREFUSED');
			saved ??= structuredClone(staticData);
			return {};
		},
		itemsOf,
		{ staticData },
	);
	const event = { type: 'queue', event: '', msg: {}, raw: {} };
	const to = killed.clock.now();
	const from = to - 600_000;
	killed.outbox.push(entry(1));
	await settle();
	killed.outbox.report({
		event: 'gap',
		from,
		to,
		reason: 'ping timeout',
	});
	killed.outbox.received?.({ ...event, receivedAt: to });
	away = false;
	await killed.clock.turn(2_000);
	expect(killed.given.map(({ n, reason }) => n ?? reason)).toContain('ping timeout');

	const next = startExecutions(() => ({}), itemsOf, { activation: 'init', staticData: saved });
	next.outbox.received?.({ ...event, receivedAt: to + 60_000 });
	await settle();
	expect(next.given).toMatchObject([
		{ reason: 'n8n was not running', from: new Date(from).toISOString() },
	]);
	await Promise.all([killed.outbox.close(), next.outbox.close()]);
});

it('a gap whose execution had not ended when n8n was stopped is reported after the restart', async () => {
	const staticData = {};
	const stopped = startExecutions(() => undefined, itemsOf, { staticData });
	const event = { type: 'queue', event: '', msg: {}, raw: {} };
	const to = stopped.clock.now();
	const from = to - 600_000;
	stopped.outbox.received?.({ ...event, receivedAt: to });
	stopped.outbox.report({ event: 'gap', from, to, reason: 'cut' });
	await settle();
	stopped.outbox.push(entry(1));
	await stopped.outbox.close();

	const next = startExecutions(() => ({}), itemsOf, { activation: 'init', staticData });
	next.outbox.received?.({ ...event, receivedAt: to + 60_000 });
	await settle();
	expect(next.given).toMatchObject([
		{ reason: 'n8n was not running', from: new Date(from).toISOString() },
	]);
	await next.outbox.close();
});

it('what is missing after a restart is not counted if an execution that reported a gap had not ended', async () => {
	const staticData = {};
	const numbered = { type: 'queue', event: '', msg: {}, raw: {} };
	const options = { staticData, countsByOne: true };
	const stopped = startExecutions(() => undefined, itemsOf, options);
	const at = stopped.clock.now();
	const first = { ...numbered, cpt: 20, receivedAt: at };
	stopped.outbox.received?.(first);
	stopped.outbox.push(first);
	// Long enough for the next position to be saved.
	await stopped.clock.turn(3_000);
	const from = stopped.clock.now();
	stopped.outbox.report({ event: 'overflow', dropped: 4, from, to: from });
	stopped.outbox.received?.({ ...numbered, cpt: 25, receivedAt: from });
	await stopped.outbox.close();

	const next = startExecutions(() => ({}), itemsOf, { ...options, activation: 'init' });
	next.outbox.received?.({ ...numbered, cpt: 27, receivedAt: at + 60_000 });
	await settle();
	expect(next.given).toMatchObject([{ reason: 'n8n was not running', missed: null }]);
	await next.outbox.close();
});

describe('a gap that a full buffer dropped', () => {
	const from = Date.UTC(2025, 11, 31);
	const cut = { event: 'gap', from, to: from + 9_000, reason: 'cut' } as const;
	const overflow = { event: 'overflow', from: new Date(from).toISOString() };

	/**
	 * An n8n that cannot start outbox until it is allowed to; the gap waits, and three events push it out of the
	 * buffer.
	 */
	async function dropped(answer: () => object = () => ({}), staticData = {}) {
		let away = true;
		const started = startExecutions(
			() => (away ? new Error('connect ECONNREFUSED') : answer()),
			itemsOf,
			{ staticData, options: { batchSize: 10 }, bufferLimit: 2 },
		);
		started.outbox.push(entry(1));
		await settle();
		started.outbox.report(cut);
		for (const n of [2, 3, 4]) started.outbox.push(entry(n));
		return { ...started, comesBack: () => (away = false) };
	}

	it('is included in the report about the full buffer', async () => {
		const { outbox, given, lines, clock, comesBack } = await dropped();
		comesBack();
		await clock.turn(60_000);
		expect(given.find(({ event }) => event === 'overflow')).toMatchObject({
			...overflow,
			dropped: 2,
		});
		expect(lines).toContainEqual(
			expect.stringMatching(/2 events were dropped, from 2025-12-31T00:00:00.000Z to 20/),
		);
		await outbox.close();
	});

	it('is reported again if n8n lost the execution that was to report the full buffer', async () => {
		const lost = { status: 'error', data: { resultData: { runData: {} } } };
		const answers: object[] = [{}, lost];
		const { outbox, given, clock, comesBack } = await dropped(() => answers.shift() ?? {});
		comesBack();
		await clock.turn(120_000);
		expect(given.filter(({ event }) => event === 'gap')).toMatchObject([{ from: overflow.from }]);
		await outbox.close();
	});

	it('is in the gap after a restart if n8n was killed before it was reported', async () => {
		const staticData = {};
		const saved: object[] = [];
		const killed = await dropped(() => {
			saved.push(structuredClone(staticData));
			return {};
		}, staticData);
		const event = { type: 'queue', event: '', msg: {}, raw: {} };
		const now = killed.clock.now();
		killed.outbox.received?.({ ...event, receivedAt: now });
		killed.comesBack();
		await killed.clock.turn(2_000);

		const next = startExecutions(() => ({}), itemsOf, { activation: 'init', staticData: saved[0] });
		next.outbox.received?.({ ...event, receivedAt: now + 60_000 });
		await settle();
		expect(next.given).toMatchObject([{ reason: 'n8n was not running', from: overflow.from }]);
		await Promise.all([killed.outbox.close(), next.outbox.close()]);
	});
});

it('waiting events are limited by size too: of 400 events of a megabyte about the newest 64 stay', async () => {
	let away = true;
	const { outbox, lines, clock } = startExecutions(
		() => (away ? new Error('no database') : {}),
		() => ({}),
	);
	const text = 'x'.repeat(2 ** 20);
	for (let n = 0; n < 400; n++) outbox.push({ item: { n, text } });
	await settle();
	away = false;
	await clock.turn(60_000);
	await settle();
	await outbox.close();
	const [, dropped] =
		/(\d+) events were dropped, .* because 64 MB of them/.exec(lines.join('\n')) ?? [];
	expect(Number(dropped)).toBeGreaterThan(320);
	expect(Number(dropped)).toBeLessThan(345);
});

it('an event weighs about as much as it takes as JSON, and a huge one is not measured to its end', () => {
	const event = { type: 'queue', msg: { id_call: 7, vars: ['a', { b: 'c'.repeat(1_000) }] } };
	const bytes = JSON.stringify(event).length;
	expect(weightOf(event, 1e9)).toBeGreaterThan(bytes * 0.8);
	expect(weightOf(event, 1e9)).toBeLessThan(bytes * 2);
	expect(weightOf(event, 100)).toBe(100);
});

test.each([
	['an attachment', new ArrayBuffer(1_000_000)],
	['bytes', new Uint8Array(1_000_000)],
])('%s of an event has the weight of its content', (_what, bytes) => {
	expect(weightOf({ msg: { bytes } }, 1e9)).toBeGreaterThanOrEqual(1_000_000);
	expect(weightOf({ msg: { bytes } }, 1e9)).toBeLessThan(1_001_000);
});
