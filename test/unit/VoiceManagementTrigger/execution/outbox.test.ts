/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The complete way of a trigger's events into n8n: what one bad event costs the others, and what the log and the
// workflow see if n8n cannot start outbox, or if all of them fail.

import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { Outbox, type Sources } from '../../../../nodes/VoiceManagementTrigger/execution/outbox';
import type { Entry } from '../../../../nodes/VoiceManagementTrigger/events/entry';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';
import { weightOf } from '../../../../nodes/VoiceManagementTrigger/execution/buffer';
import { loggerInto, triggerContext } from '../../../support/n8n';
import { HandClock, settle, START } from '../../../support/world';

const itemsOf: Sources['toItem'] = (entry) => {
	if ('item' in entry) return entry.item;
	return 'items' in entry ? entry.items : entry.raw;
};

let workflows = 0;

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
		bufferBytes,
		parameters = {},
		workflow = {},
		clock = new HandClock(),
		id = String(++workflows),
	}: {
		id?: string;
		activation?: string;
		staticData?: object;
		options?: object;
		countsByOne?: boolean;
		bufferBytes?: number;
		parameters?: Record<string, unknown>;
		workflow?: object;
		clock?: HandClock;
	} = {},
) {
	const lines: string[] = [];
	/** What the log shows at level debug only. */
	const details: string[] = [];
	const given: Array<Record<string, unknown>> = [];
	const context = triggerContext(lines, activation, {
		logger: { ...loggerInto(lines), debug: (line: string) => void details.push(line) },
		getWorkflowStaticData: () => staticData,
		getWorkflow: () => ({ id, name: 'Workflow' }),
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
			...(bufferBytes === undefined ? {} : { bufferBytes }),
		},
		{
			toItem,
			database: async () => await Promise.resolve(),
			countsByOne: () => countsByOne,
			account: () => 'account',
			coveredUntil: () => clock.now() - 1_000,
			untoldSince: () => undefined,
		},
		clock,
	);
	return { outbox, lines, details, given, clock };
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
			data: {
				resultData: {
					runData: { Trigger: [{}] },
					error: { name: 'NodeApiError', message: '500 - +33612345678 Bearer abc' },
				},
			},
		};
		const { outbox, given, lines, details } = startExecutions(() => failed, itemsOf, {
			options: { retryFailed: 1, emitFeedStatus },
			clock,
		});
		const at = new Date(clock.now()).toISOString();
		outbox.push(entry(1));
		await clock.turn(10 * 60_000);
		const told = given.filter(({ event }) => event === 'undelivered');
		// The report fails too: then the log has it.
		if (emitFeedStatus)
			expect(told[0]).toMatchObject({
				...{ entries: 1, first_at: at, reason: '500 - +33612345678 Bearer abc' },
			});
		expect(told).toHaveLength(emitFeedStatus ? 2 : 0);
		// The text of another node's error can contain what that node had.
		expect(lines).toEqual([expect.stringMatching(/the last one because: NodeApiError$/)]);
		expect(details).toEqual([expect.stringContaining('500 - +33612345678 Bearer abc')]);
		await outbox.close();
	},
);

it('static data that cannot be written cost the position, and no event', async () => {
	const staticData = Object.freeze({ position: { at: START, cpt: 1 } });
	const { outbox, given, lines } = startExecutions(() => ({}), itemsOf, { staticData });
	for (let n = 1; n <= 60; n++) {
		outbox.received?.({ type: 'a', event: 'b', cpt: n, msg: {}, raw: {}, receivedAt: START + n });
		outbox.push(entry(n));
		await settle();
	}
	expect(given.map(({ n }) => n)).toEqual(Array.from({ length: 60 }, (_none, at) => at + 1));
	expect(lines).toEqual([expect.stringMatching(/can't be saved \(TypeError\)/)]);
	await outbox.close();
});

const failed = { status: 'error', data: { resultData: { runData: { Trigger: [{}] } } } };
const lost = { status: 'error', data: { resultData: { runData: {} } } };

/**
 * Answers of n8n to the executions ("*" repeats the last one) and options; what happens, a number being seconds; what the
 * workflow gets, with the seconds of gaps. "hear" receives an event that is not wanted, "crash" leaves what n8n had saved
 * with the last execution, "kill" what the trigger had given it to save.
 */
const CASES = `
// Executions that n8n failed before their first node are reported as one gap, with the number of all their events.
lost | push 1, 30 → 1, gap -1 to 0 1 no node ran
hold hold hold | push 1..3, release, 30 → 1, 2, 3, gap -1 to 0 3 no node ran
// A gap whose execution n8n lost is reported again once another one has ended, and with the last batch at the latest.
lost | gap -600 -591, 30 → gap -600 to -591 ? cut, gap -600 to 0 ? no node ran
lost | gap -600 -591, stop → gap -600 to -591 ? cut, gap -600 to 0 ? no node ran
lost batchSize=2 | gap -600 -591, push 1, 60 → gap -600 to -591 ? cut, 1, gap -600 to 0 ? no node ran
hold hold | down, 10, gap 0 10, release reversed, 30 → gap 0 to 10 ? cut, gap 0 to 10 ? no node ran
lost nothing batchSize=10 | gap -600 -591, hear -, push 1, 10, crash, 60, hear - → gap -600 to -591 ? cut, 1; then gap -600 to 70 ? n8n was not running
// What is missing after a restart is counted if every event is taken, and nothing waited or had not ended.
numbered | event 20, kill, 60, hear 25 → #20; then gap -1 to 60 4 n8n was not running
numbered filter | event 20, kill, 60, hear 25 → #20; then gap -1 to 60 ? n8n was not running
v2 maxInFlight=1 numbered | event 20, event 21, event 22, event 23, event 24, 0.3, kill, 60, hear 26 → #20, #21; then gap -1 to 60 ? n8n was not running
numbered nothing* | event 20, 3, overflow 4, hear 25, stop, 60, hear 27 → #20, overflow 3 to 3 4; then gap -1 to 123 ? n8n was not running
// What was covered when a status item left, without an event since the last one, is not in the gap after a restart.
numbered | event 20, 600, down, kill, 60, hear 25 → #20; then gap 599 to 660 4 n8n was not running
numbered | 600, down, kill, 60, hear 25 → ; then gap 599 to 660 ? n8n was not running
// A gap that waited, or whose execution had not ended, is in the gap after the restart.
away ok nothing batchSize=1 | push 1, gap -600 0, hear -, 2, crash, 60, hear - → 1, gap -600 to 0 ? cut; then gap -600 to 62 ? n8n was not running
nothing* | hear -, gap -600 0, push 1, stop, 60, hear - → gap -600 to 0 ? cut, 1; then gap -600 to 120 ? n8n was not running
// What was discarded when the trigger ended is told by the next one of the workflow.
nothing* maxInFlight=1 | push 1, 1, push 2, push 3, 5, publish, hear - → 1; then gap 0 to 9 ? n8n stopped the trigger while events were waiting for executions
nothing* maxInFlight=1 | push 1, 1, gap -600 -591, 5, push 2, publish, hear - → 1; then gap -600 to 9 ? n8n stopped the trigger while events were waiting for executions
// So is what a report was about that waited then. A sign of life that waits is no event.
fail hold away* retryFailed=1 | push 1, 30, push 2, release failed, 5, publish, hear - → 1, 1; then gap -1 to 38 ? n8n stopped the trigger while events were waiting for executions
away* | alive, 5, publish, hear - → ; then
// On engine 2.0 what waits for its turn is handed over first.
v2 maxInFlight=1 | push 1, 1, push 2, push 3, push 4, push 5, push 6, push 7, 0.3, publish, hear - → 1, 2, 3, 4, 5, 6, 7; then
v2 maxInFlight=1 | push 1, 1, push 2..30, publish, hear - → 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13; then gap 0 to 4 ? n8n stopped the trigger while events were waiting for executions
// One that a full buffer dropped is in the report about that, which is repeated like a gap.
away batchSize=10 buffer=60 | push 1, gap -600 9, push 2, push 3, push 4, 60 → 1, overflow -600 to 0 2, 3, 4
away ok lost batchSize=10 buffer=60 | push 1, gap -600 9, push 2, push 3, push 4, 120 → 1, overflow -600 to 0 2, 3, 4, gap -600 to 1 ? no node ran
away ok ok* batchSize=10 buffer=60 | push 1, gap -600 9, push 2, push 3, push 4, hear -, 2, crash, 60, hear - → 1, overflow -600 to 0 2, 3, 4; then gap -600 to 62 ? n8n was not running`;

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const words = given.split(' ');
	const options = Object.fromEntries(
		words.filter((word) => word.includes('=')).map((word) => word.split('=')),
	) as Record<string, string>;
	const answers = words.filter((word) => /^(lost|fail|hold|nothing|away|ok)\*?$/.test(word));
	const clock = new HandClock();
	const held: Array<(run: object) => void> = [];
	let staticData = {};
	let saved = {};
	const answer = () => {
		const word = answers[0]?.endsWith('*') ? answers[0] : answers.shift();
		if (word?.startsWith('away')) return new Error('connect ECONNREFUSED');
		saved = structuredClone(staticData);
		if (word === 'hold') return new Promise<object>((resolve) => held.push(resolve));
		if (word?.startsWith('nothing')) return undefined;
		if (word === 'fail') return failed;
		return word?.startsWith('lost') ? lost : {};
	};
	const id = String(++workflows);
	const start = (activation: string) =>
		startExecutions(answer, itemsOf, {
			id,
			...{ activation, staticData, clock, countsByOne: words.includes('numbered'), options },
			...(options.buffer === undefined ? {} : { bufferBytes: Number(options.buffer) }),
			...(words.includes('v2') ? { workflow: { engineType: 'v2' } } : {}),
			...(words.includes('filter') ? { parameters: { filters: { agentIds: '501' } } } : {}),
		});
	const runs = [start('activate')];
	const before: Array<Array<Record<string, unknown>>> = [];
	const restart = (data: object, activation = 'init') => {
		before.push([...(runs.at(-1)?.given ?? [])]);
		staticData = structuredClone(data);
		answers.length = 0;
		runs.push(start(activation));
	};
	for (const step of steps.split(', ')) {
		const { outbox } = runs.at(-1) as (typeof runs)[number];
		const [what = '', first = '', last = first] = step.split(' ');
		const at = clock.now();
		const event = { type: 'queue', event: '', msg: {}, raw: { cpt: first }, receivedAt: at };
		const numbered = first === '-' ? event : { ...event, cpt: Number(first) };
		const [from, to] = [START + Number(first) * 1000, START + Number(last) * 1000];
		if (what === 'push') {
			const [one = 0, other = one] = first.split('..').map(Number);
			for (let n = one; n <= other; n++) outbox.push(entry(n));
		} else if (what === 'event' || what === 'hear') {
			outbox.received?.(numbered);
			if (what === 'event') outbox.push(numbered);
		} else if (what === 'gap') outbox.report({ event: 'gap', from, to, reason: 'cut' });
		else if (what === 'alive')
			outbox.alive({ connections: 1, received: 0, passed: 0, unreadable: 0 });
		else if (what === 'down') outbox.report({ event: 'disconnected', at, reason: 'cut' });
		else if (what === 'overflow')
			outbox.report({ event: 'overflow', dropped: Number(first), from: at, to: at });
		else if (what === 'release')
			for (const done of first === 'reversed' ? held.reverse() : held) {
				done(first === 'failed' ? failed : lost);
				await settle();
			}
		else if (what === 'kill' || what === 'crash') restart(what === 'kill' ? staticData : saved);
		else if (what === 'stop' || what === 'publish') {
			const closed = outbox.close();
			await clock.turn(what === 'stop' ? 60_000 : 3_000);
			await closed;
			if (what === 'publish') restart(staticData, 'update');
			else if (steps.includes('stop, ')) restart(staticData);
		} else await clock.turn(Number(what) * 1000);
		await settle();
	}
	const second = (moment: unknown) => Math.floor((Date.parse(String(moment)) - START) / 1000);
	const told = [...before, runs.at(-1)?.given ?? []].map((items) =>
		items
			.filter(({ event }) => !['held', 'resumed', 'disconnected'].includes(String(event)))
			.map((item) => {
				const { n, cpt, event, missed, dropped, reason, from, to } = item;
				if (n !== undefined || cpt !== undefined) return String(n ?? `#${String(cpt)}`);
				const count = missed === null ? '?' : String(missed ?? dropped);
				const why = String(reason).includes('no node that ran') ? 'no node ran' : String(reason);
				return `${String(event)} ${second(from)} to ${second(to)} ${count}${event === 'gap' ? ` ${why}` : ''}`;
			})
			.join(', '),
	);
	const ended = Promise.all(runs.map(async ({ outbox }) => await outbox.close()));
	await clock.turn(60_000);
	await ended;
	expect(told.join('; then ').trim()).toBe(expected);
});

const notFound = new (class ExecutionNotFoundError extends Error {})('No active execution found');

it.each<[string, Error | object, string, number]>([
	['no result', lost, 'held, resumed, gap', 6],
	['an execution that is not found', notFound, '', 0],
])(
	'n8n that fails each execution before its first node (%s) is left alone after the event, and the next one finds it well',
	async (_what, refusal, expected, most) => {
		let refused = 0;
		let isWell = false;
		const { outbox, lines, given, clock } = startExecutions(() => {
			if (!isWell) refused++;
			return isWell ? {} : refusal;
		});
		outbox.push(entry(1));
		await clock.turn(3_600_000);
		expect(refused).toBe(most || 2);
		expect(lines.filter((line) => line.includes("can't start"))).toHaveLength(most && 1);
		expect(lines.filter((line) => line.includes('again'))).toEqual([]);
		isWell = true;
		given.length = 0;
		outbox.push(entry(2));
		await settle();
		expect(given.map(({ event, n }) => event ?? n).join(', ')).toBe(
			['2', expected].filter(Boolean).join(', '),
		);
		await outbox.close();
	},
);

it('an outage of more than a minute that ends with a lost event is told within half a minute, and not by the next event', async () => {
	let answer: Error | object = new Error('connect ECONNREFUSED');
	const { outbox, given, clock } = startExecutions(() => answer);
	outbox.push(entry(1));
	await clock.turn(120_000);
	answer = lost;
	await clock.turn(31_000);
	answer = {};
	given.length = 0;
	await clock.turn(30_000);
	expect(given.map(({ event }) => event)).toEqual(['gap', 'held', 'resumed']);
	await outbox.close();
});

it('no event is given up that n8n can not read just after an outage of its database', async () => {
	let answer: Error | object = new Error('connect ECONNREFUSED');
	const { outbox, given, clock } = startExecutions(() => answer);
	for (let n = 1; n <= 30; n++) outbox.push(entry(n));
	await clock.turn(20_000);
	answer = notFound;
	await clock.turn(20_000);
	answer = {};
	await clock.turn(60_000);
	const events = given.flatMap(({ n }) => n ?? []);
	expect(events).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
	await outbox.close();
});

it('a sign of life does not vouch for a time whose gap is on its way in an execution that may be lost', async () => {
	let answer: object | undefined = lost;
	const { outbox, given, clock } = startExecutions(() => answer);
	await clock.turn(10_000);
	outbox.push(entry(1));
	await settle();
	answer = undefined;
	await clock.turn(5_000);
	expect(given.at(-1)).toMatchObject({ event: 'gap' });
	answer = {};
	outbox.alive({
		...{ received: 0, passed: 0, unreadable: 0, connections: 1 },
		coveredUntil: clock.now(),
	});
	await clock.turn(60_000);
	const [alive] = given.filter(({ event }) => event === 'alive');
	expect(Date.parse(String(alive?.covered_until))).toBeLessThan(START + 10_000);
	await outbox.close();
});

it('a gap whose execution is lost while the trigger closes is one of the next publication', async () => {
	const id = 'lost at the end';
	const clock = new HandClock();
	const first = startExecutions(() => lost, itemsOf, { id, clock });
	first.outbox.push(entry(1));
	await settle();
	const closed = first.outbox.close();
	await clock.turn(10_000);
	await closed;
	const second = startExecutions(() => ({}), itemsOf, { id, clock });
	await clock.turn(1_000);
	expect(second.given.map(({ event, from }) => [event, from])).toEqual([
		['gap', new Date(START - 1_000).toISOString()],
	]);
	await second.outbox.close();
});

it('the gap of a restart that no event has triggered yet is reported once after the workflow was activated again', async () => {
	/**
	 * One run of the trigger with the position that a killed n8n process had saved; returns the gaps that it reports.
	 */
	const run = async (activation: string, heard: boolean) => {
		const at = Date.UTC(2026, 0, 1);
		const staticData = { position: { account: 'account', at, cpt: 5 } };
		const { outbox, given } = startExecutions(() => ({}), itemsOf, {
			...{ id: 'restarted', activation, staticData },
		});
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

it('an event weighs about as much as it takes as JSON', () => {
	const event = { type: 'queue', msg: { id_call: 7, vars: ['a', { b: 'c'.repeat(1_000) }] } };
	const bytes = JSON.stringify(event).length;
	expect(weightOf(event)).toBeGreaterThan(bytes * 0.8);
	expect(weightOf(event)).toBeLessThan(bytes * 2);
});

test.each([
	['an attachment', new ArrayBuffer(1_000_000)],
	['bytes', new Uint8Array(1_000_000)],
])('%s of an event has the weight of its content', (_what, bytes) => {
	expect(weightOf({ msg: { bytes } })).toBeGreaterThanOrEqual(1_000_000);
	expect(weightOf({ msg: { bytes } })).toBeLessThan(1_001_000);
});
