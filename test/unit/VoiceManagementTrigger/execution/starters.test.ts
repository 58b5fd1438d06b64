// What n8n does with a batch, and what the starters make of it: each behaviour was read in n8n's code.

import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import type { Answer } from '../../../../nodes/VoiceManagementTrigger/execution/batchQueue';
import { createStarter } from '../../../../nodes/VoiceManagementTrigger/execution/starters';
import { Database } from '../../../../nodes/VoiceManagementTrigger/execution/starters/database';
import { HandClock, settle } from '../../../support/world';
import { createDeferredPromise, loggerInto } from '../../../support/n8n';
import { nth } from '../../../support/present';

interface Promised {
	resolve: (value?: unknown) => void;
	reject: (error: Error) => void;
}

interface Emitted {
	items: INodeExecutionData[];
	response: Promised | undefined;
	done: Promised | undefined;
	key: string | undefined;
}

const failure = (name: string, message = 'x') =>
	new (Object.defineProperty(class extends Error {}, 'name', { value: name }))(message);

const items = (): INodeExecutionData[] => [{ json: { n: 1 } }];

const success = { status: 'success', jobId: '7' };
const unseen = { status: 'error', data: { resultData: { runData: {} } } };

/** An n8n that does with a batch what the test tells it. */
class FakeN8n {
	readonly clock = new HandClock();
	readonly emitted: Emitted[] = [];
	readonly lines: string[] = [];
	settings: Record<string, unknown> = {};
	/** Releases before 2.41 take no key. */
	isOld = false;
	/** The error with which reading the credential fails, if any. */
	database: Error | undefined;
	/** How long that takes. */
	slowMs = 0;
	reads = 0;
	private batches = 0;

	/** @param onEmit what n8n does at once */
	constructor(private readonly onEmit: (one: Emitted) => void = () => {}) {}

	starter() {
		const emit = (
			[given = []]: INodeExecutionData[][],
			response: Promised | undefined,
			done: Promised | undefined,
			key: string | undefined,
		) => {
			const one = { items: given, response, done, key };
			this.emitted.push(one);
			this.onEmit(one);
		};
		const old = (data: INodeExecutionData[][], response?: Promised, done?: Promised) =>
			emit(data, response, done, undefined);
		const starter = createStarter(
			{
				n8n: {
					emit: this.isOld ? old : emit,
					helpers: { createDeferredPromise },
				} as unknown as ITriggerFunctions,
				database: new Database(async () => {
					this.reads++;
					const { slowMs } = this;
					if (slowMs > 0) await new Promise<void>((read) => this.clock.after(slowMs, read));
					if (this.database) throw this.database;
					await Promise.resolve();
				}, this.clock),
				concurrency: 10,
				executionTimeoutMs: 3_600_000,
				logger: loggerInto(this.lines),
				clock: this.clock,
			},
			this.settings,
		);
		return {
			start: async (batch = this.batch()) => await starter.start(batch, items),
			/** The answer as soon as there is one. */
			begin: (batch = this.batch()) => {
				const state: { answer?: Answer } = {};
				void starter.start(batch, items).then((answer) => (state.answer = answer));
				return state;
			},
			close: () => starter.close(),
			get slots() {
				return starter.slots;
			},
		};
	}

	batch() {
		return { number: ++this.batches };
	}

	get keys() {
		return this.emitted.map(({ key }) => key);
	}
}

/** n8n 2.41; `answer` is what it does with the batch, one after the other. */
function newer(...answers: Array<Error | object | undefined>) {
	return new FakeN8n(({ done }) => {
		const answer = answers.length > 1 ? answers.shift() : answers[0];
		if (answer instanceof Error) done?.reject(answer);
		else done?.resolve(answer);
	});
}

describe('n8n that reports failed starts', () => {
	it.each([
		['the database is down', new Error('Connection terminated unexpectedly'), 'Connection'],
		['the row could not be written', failure('QueryFailedError', 'no such table'), 'no such'],
		[
			'an empty message',
			Object.assign(failure('AggregateError', ''), { code: 'ECONNREFUSED' }),
			'ECONNREFUSED',
		],
	])('has not got the batch: %s', async (_, error, reason) => {
		expect(await newer(error).starter().start()).toEqual({
			outcome: 'notStarted',
			reason: expect.stringContaining(reason),
		});
	});

	it.each([
		'TimeoutExecutionCancelledError',
		'ManualExecutionCancelledError',
		'SystemShutdownExecutionCancelledError',
	])('has an execution that ended by %s', async (name) => {
		expect(await newer(failure(name)).starter().start()).toEqual({ outcome: 'ended' });
	});

	it.each([
		['on a worker', { status: 'error', jobId: '7', data: { resultData: { runData: {} } } }],
		['in n8n itself', { status: 'error', data: { resultData: { runData: { Trigger: [] } } } }],
		['with its process', { status: 'crashed', jobId: '7' }],
	])('reports an execution that failed %s', async (_, run) => {
		expect(await newer(run).starter().start()).toMatchObject({ outcome: 'failed' });
	});

	it('gives the reason of a failed execution', async () => {
		const error = { message: 'The service refused\nthe connection' };
		const run = { status: 'error', jobId: '7', data: { resultData: { runData: {}, error } } };
		expect(await newer(run).starter().start()).toEqual({
			outcome: 'failed',
			reason: 'The service refused the connection',
		});
	});

	it('does not know whether an execution ran that failed on a worker without a node', async () => {
		const n8n = newer(success, unseen);
		const starter = n8n.starter();
		await starter.start();
		expect(await starter.start()).toMatchObject({ outcome: 'unknown' });
		expect(n8n.emitted).toHaveLength(2);
		// The first one of the trigger may have had a worker too.
		expect(await newer(unseen).starter().start()).toMatchObject({ outcome: 'unknown' });
	});

	it('ran an execution without a node if it runs executions itself: it only failed to save it', async () => {
		const n8n = newer({ status: 'success', data: { resultData: { runData: { A: [] } } } }, unseen);
		const starter = n8n.starter();
		await starter.start();
		expect(await starter.start()).toMatchObject({ outcome: 'failed' });
	});

	it('gets the same key with each try of a batch, and another one with each batch and trigger', async () => {
		const n8n = newer(new Error('down'), success);
		const starter = n8n.starter();
		const batch = n8n.batch();
		await starter.start(batch);
		await starter.start(batch);
		await starter.start();
		await n8n.starter().start(batch);
		const [first, second, ...others] = n8n.keys;
		expect(second).toBe(first);
		expect(new Set([first, ...others]).size).toBe(3);
		expect(first).toMatch(/^[\w-]{10,255}$/);
	});

	it('gets another key when a failed execution is repeated', async () => {
		const n8n = newer({ status: 'error', jobId: '7' });
		const starter = n8n.starter();
		const batch = n8n.batch();
		await starter.start(batch);
		await starter.start(batch);
		expect(new Set(n8n.keys).size).toBe(2);
	});

	it.each([
		['has no result', undefined],
		['is not found', failure('ExecutionNotFoundError')],
	])('gets a batch again whose execution %s: it failed before its first node', async (_, first) => {
		const n8n = newer(first, success);
		expect(await n8n.starter().start()).toEqual({ outcome: 'ended' });
		expect(new Set(n8n.keys).size).toBe(2);
	});

	it('gets a batch with three keys, then nobody knows', async () => {
		const n8n = newer(undefined);
		expect(await n8n.starter().start()).toMatchObject({ outcome: 'unknown' });
		expect(new Set(n8n.keys).size).toBe(3);
	});

	it('gets no further key once the trigger is closed', async () => {
		const n8n = new FakeN8n();
		const starter = n8n.starter();
		const begun = starter.begin();
		await settle();
		starter.close();
		nth(n8n.emitted, 0).done?.resolve(undefined);
		await settle();
		expect(begun.answer).toMatchObject({ outcome: 'notStarted' });
		expect(n8n.emitted).toHaveLength(1);
		expect(n8n.clock.pending).toBe(0);
	});

	it('gets new items with each try', async () => {
		const n8n = newer(new Error('down'), success);
		const starter = n8n.starter();
		const batch = n8n.batch();
		await starter.start(batch);
		nth(nth(n8n.emitted, 0).items, 0).json.n = 'changed by n8n';
		await starter.start(batch);
		expect(nth(n8n.emitted, 1).items).toEqual(items());
	});

	it('has started nothing if its emit throws', async () => {
		const n8n = new FakeN8n(() => {
			throw new Error('the workflow is not active');
		});
		expect(await n8n.starter().start()).toEqual({
			outcome: 'notStarted',
			reason: 'the workflow is not active',
		});
	});

	it('is not asked for its database while everything works', async () => {
		const n8n = newer(success);
		await n8n.starter().start();
		await n8n.clock.turn(60_000);
		expect(n8n.reads).toBe(0);
		expect(n8n.clock.pending).toBe(0);
	});
});

describe('queue mode that loses the end of an execution', () => {
	const failedNodes = { statusCode: 500, body: { message: 'Workflow execution failed' } };

	it.each([
		['ended', {}, { outcome: 'ended' }],
		['failed', failedNodes, { outcome: 'failed', reason: 'the execution failed' }],
	])('gives the slot back a second after its last node %s', async (_, response, answer) => {
		const n8n = new FakeN8n();
		const begun = n8n.starter().begin();
		await n8n.clock.turn(5_000);
		nth(n8n.emitted, 0).response?.resolve(response);
		await n8n.clock.turn(2_000);
		expect(begun.answer).toEqual(answer);
		expect(n8n.emitted).toHaveLength(1);
	});

	it('is logged once an hour, with the cause and what to do', async () => {
		const n8n = new FakeN8n(({ response }) => response?.resolve({}));
		const starter = n8n.starter();
		for (let n = 0; n < 7_200; n++) {
			starter.begin();
			await n8n.clock.turn(1_000);
		}
		expect(n8n.lines).toHaveLength(2);
		expect(n8n.lines[0]).toContain('N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED=1000');
		expect(n8n.lines[0]).toContain('30392');
		expect(n8n.lines[1]).toMatch(/end of 3\d\d\d executions/);
	});

	it('is not claimed if the end is only late', async () => {
		const n8n = new FakeN8n(({ response }) => response?.resolve({}));
		const begun = n8n.starter().begin();
		await n8n.clock.turn(10_000);
		expect(begun.answer).toEqual({ outcome: 'ended' });
		nth(n8n.emitted, 0).done?.resolve(success);
		await n8n.clock.turn(60_000);
		expect(n8n.lines).toEqual([]);
		expect(n8n.clock.pending).toBe(0);
	});

	it('is not assumed while a node answers for itself, or n8n rejects the response', async () => {
		const n8n = new FakeN8n();
		const starter = n8n.starter();
		const begun = [starter.begin(), starter.begin()];
		await settle();
		nth(n8n.emitted, 0).response?.resolve({ statusCode: 200, body: { message: 'thanks' } });
		nth(n8n.emitted, 1).response?.reject(new Error('cancelled'));
		await n8n.clock.turn(60_000);
		expect(begun).toEqual([{}, {}]);
		for (const { done } of n8n.emitted) done?.resolve(success);
		await settle();
		expect(begun.map(({ answer }) => answer?.outcome)).toEqual(['ended', 'ended']);
	});
});

describe('an execution that never reports its end', () => {
	it('is waited for as long as the workflow may run, and no longer', async () => {
		const n8n = new FakeN8n();
		const begun = n8n.starter().begin();
		await n8n.clock.turn(3_599_000);
		expect(begun).toEqual({});
		await n8n.clock.turn(1_000);
		expect(begun.answer).toEqual({ outcome: 'ended' });
		expect(n8n.lines).toEqual([expect.stringContaining('within 60 min')]);
	});

	it('is given up two minutes after a database is back that was down meanwhile', async () => {
		const n8n = new FakeN8n();
		const begun = n8n.starter().begin();
		await n8n.clock.turn(1_000);
		n8n.database = new Error('down');
		await n8n.clock.turn(20_000);
		n8n.database = undefined;
		await n8n.clock.turn(100_000);
		expect(begun).toEqual({});
		await n8n.clock.turn(40_000);
		expect(begun.answer).toMatchObject({ outcome: 'unknown' });
	});

	it('… also if only a rejected batch showed that it was down', async () => {
		const n8n = new FakeN8n(({ done }) => {
			if (n8n.emitted.length === 2) done?.reject(new Error('down'));
		});
		const starter = n8n.starter();
		const begun = starter.begin();
		await settle();
		starter.begin();
		await n8n.clock.turn(3 * 60_000);
		expect(begun.answer).toMatchObject({ outcome: 'unknown' });
	});

	it('is given all its time if n8n runs executions itself', async () => {
		const n8n = new FakeN8n(({ done }) => {
			const run: Partial<IRun> = { data: { resultData: { runData: { A: [] } } } as never };
			if (n8n.emitted.length === 1) done?.resolve(run);
		});
		const starter = n8n.starter();
		await starter.start();
		const begun = starter.begin();
		n8n.database = new Error('down');
		await n8n.clock.turn(20_000);
		n8n.database = undefined;
		await n8n.clock.turn(30 * 60_000);
		expect(begun).toEqual({});
	});
});

describe.each([
	['engine 2.0, which reports nothing', { engineType: 'v2' }, false],
	['an older n8n, which does not report what it could not start', {}, true],
])('%s', (_, settings, isOld) => {
	const make = () => Object.assign(new FakeN8n(), { settings, isOld });

	it('gets a batch only while its database responds', async () => {
		const n8n = make();
		n8n.database = new Error('connect ECONNREFUSED');
		expect(await n8n.starter().start()).toEqual({
			outcome: 'notStarted',
			reason: 'connect ECONNREFUSED',
		});
		expect(n8n.emitted).toEqual([]);
	});

	it('gets the next batches, in order, five seconds after the database has come back', async () => {
		const n8n = make();
		const starter = n8n.starter();
		n8n.database = new Error('down');
		await starter.start();
		n8n.database = undefined;
		await n8n.clock.turn(2_000);
		const begun = [starter.begin(), starter.begin()];
		await n8n.clock.turn(4_900);
		expect(n8n.emitted).toHaveLength(0);
		await n8n.clock.turn(1_000);
		expect(n8n.emitted).toHaveLength(2);
		expect(begun).toEqual([{}, {}]);
	});

	it('gets nothing if the database goes down again in these five seconds', async () => {
		const n8n = make();
		const starter = n8n.starter();
		n8n.database = new Error('down');
		await starter.start();
		n8n.database = undefined;
		await n8n.clock.turn(2_000);
		const begun = starter.begin();
		await n8n.clock.turn(2_000);
		n8n.database = new Error('down again');
		await n8n.clock.turn(10_000);
		expect(n8n.emitted).toEqual([]);
		expect(begun.answer).toMatchObject({ outcome: 'notStarted', reason: 'down again' });
	});

	it('may have lost what it got up to ten seconds before its database went down', async () => {
		const n8n = make();
		const starter = n8n.starter();
		const early = starter.begin();
		await n8n.clock.turn(11_000);
		const [late, last] = [starter.begin(), starter.begin()];
		await n8n.clock.turn(4_000);
		n8n.database = new Error('down');
		// n8n waits for its database before it gives up.
		n8n.slowMs = 8_000;
		await n8n.clock.turn(10_000);
		if (!isOld) expect(early.answer).toEqual({ outcome: 'ended' });
		for (const { answer } of [late, last]) expect(answer).toMatchObject({ outcome: 'unknown' });
	});

	it('is watched no longer once its executions have ended', async () => {
		const n8n = make();
		const starter = n8n.starter();
		for (let n = 0; n < 20; n++) starter.begin();
		await n8n.clock.turn(120_000);
		expect(n8n.emitted).toHaveLength(20);
		const { reads } = n8n;
		expect(reads).toBeLessThan(70);
		await n8n.clock.turn(60_000);
		expect(n8n.reads).toBe(reads);
		expect(n8n.clock.pending).toBe(0);
	});

	it('gets nothing once the trigger is closed', async () => {
		const n8n = make();
		const starter = n8n.starter();
		n8n.database = new Error('down');
		await starter.start();
		n8n.database = undefined;
		const begun = starter.begin();
		await n8n.clock.turn(2_000);
		starter.close();
		await settle();
		expect(begun.answer).toMatchObject({ outcome: 'notStarted' });
		expect(n8n.emitted).toEqual([]);
		expect(n8n.clock.pending).toBe(0);
	});
});

describe('engine 2.0', () => {
	it('gets no promise, and at most forty batches a second with ten slots', async () => {
		const n8n = Object.assign(new FakeN8n(), { settings: { engineType: 'v2' } });
		const starter = n8n.starter();
		for (let n = 0; n < starter.slots; n++) starter.begin();
		await n8n.clock.turn(1_000);
		expect(n8n.emitted.length).toBeGreaterThanOrEqual(39);
		expect(n8n.emitted.length).toBeLessThanOrEqual(41);
		expect(nth(n8n.emitted, 0)).toMatchObject({ done: undefined, response: undefined });
	});

	it('gets the same batch without a promise if it was chosen while the trigger ran', async () => {
		const n8n = new FakeN8n(({ done }) =>
			done?.reject(
				failure(
					'UserError',
					'Engine 2.0 cannot run a trigger that waits for its execution to finish yet. Set the node to hand off without waiting.',
				),
			),
		);
		const starter = n8n.starter();
		expect(starter.slots).toBe(10);
		const begun = starter.begin();
		await n8n.clock.turn(12_000);
		expect(starter.slots).toBe(400);
		expect(begun.answer).toEqual({ outcome: 'ended' });
		expect(n8n.emitted.map(({ done }) => done !== undefined)).toEqual([true, false]);
		starter.begin();
		await n8n.clock.turn(1_000);
		expect(nth(n8n.emitted, 2).done).toBeUndefined();
	});
});

it('an older n8n is waited for, for a minute at most', async () => {
	const n8n = Object.assign(new FakeN8n(), { isOld: true });
	const starter = n8n.starter();
	const [ending, silent] = [starter.begin(), starter.begin()];
	await n8n.clock.turn(20_000);
	nth(n8n.emitted, 0).done?.resolve(success);
	await settle();
	expect([ending, silent]).toEqual([{ answer: { outcome: 'ended' } }, {}]);
	await n8n.clock.turn(41_000);
	expect(silent.answer).toEqual({ outcome: 'ended' });
});
