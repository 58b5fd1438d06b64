// The complete way of a trigger's events into n8n: what one bad event costs the others, and what the log and the
// workflow see if n8n cannot start executions, or if all of them fail.

import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import {
	Executions,
	type Sources,
} from '../../../../nodes/VoiceManagementTrigger/execution/executions';
import type { Entry } from '../../../../nodes/VoiceManagementTrigger/events/entry';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/settings';
import { weightOf } from '../../../../nodes/VoiceManagementTrigger/execution/weight';
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
	}: { activation?: string; staticData?: object; options?: object; countsByOne?: boolean } = {},
) {
	const lines: string[] = [];
	const given: Array<Record<string, unknown>> = [];
	const clock = new HandClock();
	const log = (line: string) => void lines.push(line);
	const context = {
		logger: { debug: log, info: log, warn: log, error: log },
		getNode: () => ({ id: 'n', name: 'Trigger', parameters: {} }),
		getWorkflow: () => ({ id: 'w', name: 'Workflow' }),
		getActivationMode: () => activation,
		getWorkflowStaticData: () => staticData,
		emit: (
			[items = []]: INodeExecutionData[][],
			_: undefined,
			{ resolve, reject }: { resolve: (run: IRun) => void; reject: (error: Error) => void },
		) => {
			const end = answer();
			if (end instanceof Error) return reject(end);
			given.push(...items.map(({ json }) => json));
			if (end) resolve(end as IRun);
		},
		helpers: {
			createDeferredPromise: () => {
				let settlers = {};
				const promise = new Promise((resolve, reject) => (settlers = { resolve, reject }));
				return { promise, ...settlers };
			},
		},
	} as unknown as ITriggerFunctions;
	const executions = new Executions(
		context,
		readSettings((name, fallback) =>
			name === 'options' ? { emitFeedStatus: true, ...options } : fallback,
		),
		{
			toItem,
			database: async () => await Promise.resolve(),
			countsByOne: () => countsByOne,
			provenUntil: () => undefined,
		},
		clock,
	);
	return { executions, lines, given, clock };
}

const entry = (n: number) => ({ item: { n } }) as unknown as Entry;

it('an event that cannot be made into an item is left out and logged, and does not stop other events', async () => {
	const bad = entry(2);
	const { executions, lines, given } = startExecutions(
		() => ({}),
		(one) => {
			if (one === bad) throw new RangeError('with a secret in its message');
			return one;
		},
	);
	for (const one of [entry(1), bad, entry(3)]) executions.push(one);
	await settle();
	expect(given).toEqual([entry(1), entry(3)]);
	expect(lines.filter((line) => line.includes('RangeError'))).toHaveLength(1);
	expect(lines.join()).not.toContain('secret');
	await executions.close();
});

it('a database that is away for a day costs one line in the log, and one more when it is back', async () => {
	let away = true;
	const { executions, lines, given, clock } = startExecutions(() =>
		away ? new Error('connect ECONNREFUSED') : {},
	);
	executions.push(entry(1));
	for (let hour = 0; hour < 24; hour++) {
		executions.push(entry(2 + hour));
		await clock.turn(3_600_000);
	}
	expect(lines).toEqual([expect.stringContaining("can't start executions (connect ECONNREFUSED)")]);
	away = false;
	await clock.turn(60_000);
	expect(lines.slice(1)).toEqual([expect.stringContaining('25 events were kept')]);
	expect(given.filter(({ n }) => n !== undefined)).toHaveLength(25);
	await executions.close();
});

it('a workflow that fails in every execution is not held up, and nothing is repeated, since its executions did start', async () => {
	const failed = { status: 'error', data: { resultData: { runData: { Trigger: [{}] } } } };
	const { executions, lines, given } = startExecutions(() => failed);
	for (let n = 1; n <= 50; n++) executions.push(entry(n));
	await settle();
	expect(given.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
	expect(lines).toEqual([]);
	await executions.close();
});

it('executions that n8n failed before their first node are reported with their number and time', async () => {
	const failed = { status: 'error', data: { resultData: { runData: {} } } };
	const answers: object[] = [failed];
	const { executions, given, clock } = startExecutions(() => answers.shift() ?? {});
	executions.push(entry(1));
	await clock.turn(30_000);
	const gap = given.find(({ event }) => event === 'gap');
	expect(gap).toMatchObject({ missed: 1, reason: expect.stringContaining('no node that ran') });
	expect(gap?.duration).toBe(1);
	await executions.close();
});

describe('a gap whose execution n8n lost', () => {
	const failed = { status: 'error', data: { resultData: { runData: {} } } };
	const from = Date.UTC(2026, 0, 1, 12);
	const cut = { event: 'gap', from, to: from + 9_000, durationMs: 9_000, reason: 'cut' } as const;
	const gapsIn = (given: ReadonlyArray<Record<string, unknown>>) =>
		given.filter(({ event }) => event === 'gap');

	it('is reported again once another execution has ended', async () => {
		const answers: object[] = [failed];
		const { executions, given, clock } = startExecutions(() => answers.shift() ?? {});
		executions.report(cut);
		await clock.turn(30_000);
		const [lost, anew, ...more] = gapsIn(given);
		expect(lost).toMatchObject({ reason: 'cut' });
		expect(anew).toMatchObject({
			from: lost?.from,
			reason: expect.stringContaining('no node that ran'),
		});
		expect(more).toEqual([]);
		await executions.close();
	});

	it('is not reported again and again while n8n loses every execution', async () => {
		const { executions, given, clock } = startExecutions(() => failed);
		executions.report(cut);
		await clock.turn(3_600_000);
		expect(gapsIn(given)).toHaveLength(1);
		const closed = executions.close();
		await clock.turn(60_000);
		await closed;
	});

	it('is reported with the last batch if the trigger is closed before', async () => {
		const answers: object[] = [failed];
		const { executions, given, clock } = startExecutions(() => answers.shift() ?? {});
		executions.report(cut);
		await settle();
		const closed = executions.close();
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
		killed.executions.report(cut);
		await settle();
		const at = killed.clock.now();
		killed.executions.received?.({ ...event, receivedAt: at });
		killed.executions.push(entry(1));
		await killed.clock.turn(10_000);

		const next = startExecutions(() => ({}), itemsOf, {
			activation: 'init',
			staticData: saved.at(-1),
		});
		next.executions.received?.({ ...event, receivedAt: at + 60_000 });
		await settle();
		expect(next.given).toMatchObject([
			{ reason: 'n8n was not running', from: new Date(from).toISOString() },
		]);
		const closed = Promise.all([killed.executions.close(), next.executions.close()]);
		await killed.clock.turn(60_000);
		await closed;
	});

	it('is reported to its end, whichever of the lost executions ends last', async () => {
		const fail: Array<(run: object) => void> = [];
		let dying = true;
		const { executions, given, clock } = startExecutions(() =>
			dying ? new Promise((resolve) => fail.push(resolve)) : {},
		);
		executions.report({ event: 'disconnected', at: clock.now(), reason: 'cut' });
		await clock.turn(10_000);
		const to = clock.now();
		executions.report({ ...cut, to, durationMs: to - from });
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
		await executions.close();
	});

	it('is included in the gap of the events that were lost with it', async () => {
		const answers: object[] = [failed];
		const { executions, given, clock } = startExecutions(() => answers.shift() ?? {}, itemsOf, {
			options: { batchSize: 2 },
		});
		executions.report(cut);
		executions.push(entry(1));
		await clock.turn(60_000);
		const [lost, anew] = gapsIn(given);
		expect(anew).toMatchObject({ from: lost?.from, missed: null });
		await executions.close();
	});
});

it('the gap of a restart that no event has triggered yet is reported once after the workflow was activated again', async () => {
	/**
	 * One run of the trigger with the position that a killed n8n process had saved; returns the gaps that it reports.
	 */
	const run = async (activation: string, heard: boolean) => {
		const staticData = { position: { at: 1_000, cpt: 5, handed: 5, countsByOne: true } };
		const { executions, given } = startExecutions(() => ({}), itemsOf, { activation, staticData });
		const receivedAt = Date.UTC(2026, 0, 2);
		if (heard) {
			executions.received?.({ type: 'queue', event: '', cpt: 9, msg: {}, raw: {}, receivedAt });
		}
		await executions.close();
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
	killed.executions.push(entry(1));
	await settle();
	killed.executions.report({
		event: 'gap',
		from,
		to,
		durationMs: to - from,
		reason: 'ping timeout',
	});
	killed.executions.received?.({ ...event, receivedAt: to });
	away = false;
	await killed.clock.turn(2_000);
	expect(killed.given.map(({ n, reason }) => n ?? reason)).toContain('ping timeout');

	const next = startExecutions(() => ({}), itemsOf, { activation: 'init', staticData: saved });
	next.executions.received?.({ ...event, receivedAt: to + 60_000 });
	await settle();
	expect(next.given).toMatchObject([
		{ reason: 'n8n was not running', from: new Date(from).toISOString() },
	]);
	await Promise.all([killed.executions.close(), next.executions.close()]);
});

it('a gap whose execution had not ended when n8n was stopped is reported after the restart', async () => {
	const staticData = {};
	const stopped = startExecutions(() => undefined, itemsOf, { staticData });
	const event = { type: 'queue', event: '', msg: {}, raw: {} };
	const to = stopped.clock.now();
	const from = to - 600_000;
	stopped.executions.received?.({ ...event, receivedAt: to });
	stopped.executions.report({ event: 'gap', from, to, durationMs: to - from, reason: 'cut' });
	await settle();
	stopped.executions.push(entry(1));
	await stopped.executions.close();

	const next = startExecutions(() => ({}), itemsOf, { activation: 'init', staticData });
	next.executions.received?.({ ...event, receivedAt: to + 60_000 });
	await settle();
	expect(next.given).toMatchObject([
		{ reason: 'n8n was not running', from: new Date(from).toISOString() },
	]);
	await next.executions.close();
});

it('what is missing after a restart is not counted if an execution that reported a gap had not ended', async () => {
	const staticData = {};
	const numbered = { type: 'queue', event: '', msg: {}, raw: {} };
	const options = { staticData, countsByOne: true };
	const stopped = startExecutions(() => undefined, itemsOf, options);
	const at = stopped.clock.now();
	const first = { ...numbered, cpt: 20, receivedAt: at };
	stopped.executions.received?.(first);
	stopped.executions.push(first);
	// Long enough for the next position to be saved.
	await stopped.clock.turn(3_000);
	const from = stopped.clock.now();
	stopped.executions.report({ event: 'overflow', dropped: 4, from, to: from });
	stopped.executions.received?.({ ...numbered, cpt: 25, receivedAt: from });
	await stopped.executions.close();

	const next = startExecutions(() => ({}), itemsOf, { ...options, activation: 'init' });
	next.executions.received?.({ ...numbered, cpt: 27, receivedAt: at + 60_000 });
	await settle();
	expect(next.given).toMatchObject([{ reason: 'n8n was not running', missed: null }]);
	await next.executions.close();
});

describe('a gap that a full buffer dropped', () => {
	const from = Date.UTC(2025, 11, 31);
	const cut = { event: 'gap', from, to: from + 9_000, durationMs: 9_000, reason: 'cut' } as const;
	const overflow = { event: 'overflow', from: new Date(from).toISOString() };

	/**
	 * An n8n that cannot start executions until it is allowed to; the gap waits, and three events push it out of the
	 * buffer.
	 */
	async function dropped(answer: () => object = () => ({}), staticData = {}) {
		let away = true;
		const started = startExecutions(
			() => (away ? new Error('connect ECONNREFUSED') : answer()),
			itemsOf,
			{ staticData, options: { bufferLimit: 2, batchSize: 10 } },
		);
		started.executions.push(entry(1));
		await settle();
		started.executions.report(cut);
		for (const n of [2, 3, 4]) started.executions.push(entry(n));
		return { ...started, comesBack: () => (away = false) };
	}

	it('is included in the report about the full buffer', async () => {
		const { executions, given, lines, clock, comesBack } = await dropped();
		comesBack();
		await clock.turn(60_000);
		expect(given.find(({ event }) => event === 'overflow')).toMatchObject({
			...overflow,
			dropped: 2,
		});
		expect(lines).toContainEqual(
			expect.stringMatching(/2 events were dropped, from 2025-12-31T00:00:00.000Z to 20/),
		);
		await executions.close();
	});

	it('is reported again if n8n lost the execution that was to report the full buffer', async () => {
		const lost = { status: 'error', data: { resultData: { runData: {} } } };
		const answers: object[] = [{}, lost];
		const { executions, given, clock, comesBack } = await dropped(() => answers.shift() ?? {});
		comesBack();
		await clock.turn(120_000);
		expect(given.filter(({ event }) => event === 'gap')).toMatchObject([{ from: overflow.from }]);
		await executions.close();
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
		killed.executions.received?.({ ...event, receivedAt: now });
		killed.comesBack();
		await killed.clock.turn(2_000);

		const next = startExecutions(() => ({}), itemsOf, { activation: 'init', staticData: saved[0] });
		next.executions.received?.({ ...event, receivedAt: now + 60_000 });
		await settle();
		expect(next.given).toMatchObject([{ reason: 'n8n was not running', from: overflow.from }]);
		await Promise.all([killed.executions.close(), next.executions.close()]);
	});
});

it('waiting events are limited by size too: of 400 events of a megabyte about the newest 256 stay', async () => {
	let away = true;
	const { executions, lines, clock } = startExecutions(
		() => (away ? new Error('no database') : {}),
		() => ({}),
	);
	const text = 'x'.repeat(2 ** 20);
	for (let n = 0; n < 400; n++) executions.push({ item: { n, text } });
	await settle();
	away = false;
	await clock.turn(60_000);
	await settle();
	await executions.close();
	const [, dropped] =
		/(\d+) events were dropped, .* or 256 MB of them/.exec(lines.join('\n')) ?? [];
	expect(Number(dropped)).toBeGreaterThan(100);
	expect(Number(dropped)).toBeLessThan(150);
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
