// What n8n does with a batch, and what the starters make of it: each behaviour was read in n8n's code.

import type { INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';
import type { BatchResult } from '../../../../nodes/VoiceManagementTrigger/execution/batchQueue';
import { Starter } from '../../../../nodes/VoiceManagementTrigger/execution/starters/starter';
import { Database } from '../../../../nodes/VoiceManagementTrigger/execution/starters/database';
import { HandClock, settle, START } from '../../../support/world';
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
	concurrency = 10;
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
		const starter = new Starter(
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
				concurrency: this.concurrency,
				logger: loggerInto(this.lines),
				clock: this.clock,
			},
			this.settings,
		);
		return {
			start: async (batch = this.batch()) => await starter.start(batch, items),
			/** The answer as soon as there is one. */
			begin: (batch = this.batch()) => {
				const state: { answer?: BatchResult } = {};
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

/** What n8n does at the end of an execution; "!" is an error of that name. */
const ENDS: Record<string, unknown> = {
	success,
	unseen,
	own: { status: 'success', data: { resultData: { runData: { A: [] } } } },
	onWorker: { status: 'error', jobId: '7', data: { resultData: { runData: {} } } },
	inNode: { status: 'error', data: { resultData: { runData: { Trigger: [] } } } },
	crashed: { status: 'crashed', jobId: '7' },
	nothing: undefined,
	pauses: { status: 'waiting', data: { resultData: { runData: { Wait: [] } } } },
	pausesOnWorker: { status: 'waiting', jobId: '7', data: { resultData: { runData: {} } } },
	ok: {},
	failed: { statusCode: 500, body: { message: 'Workflow execution failed' } },
	thanks: { statusCode: 200, body: { message: 'thanks' } },
};

function end(promised: Promised | undefined, name: string): void {
	if (name.startsWith('!')) promised?.reject(failure(name.slice(1)));
	else promised?.resolve(ENDS[name]);
}

/** The n8n and its answers to the batches, what happens (a number is seconds), and what it gets and answers, and when. */
const CASES = `
// Without a row in its database n8n has not got the batch; with one, the end says what became of it.
!QueryFailedError | start 1 → 0 emit 1; 0 batch 1 notStarted
!TimeoutExecutionCancelledError | start 1 → 0 emit 1; 0 batch 1 ended
!ManualExecutionCancelledError | start 1 → 0 emit 1; 0 batch 1 ended
!SystemShutdownExecutionCancelledError | start 1 → 0 emit 1; 0 batch 1 ended
onWorker | start 1 → 0 emit 1; 0 batch 1 failed
inNode | start 1 → 0 emit 1; 0 batch 1 failed
crashed | start 1 → 0 emit 1; 0 batch 1 failed
success | start 1, 60 → 0 emit 1; 0 batch 1 ended; idle
// Whether an execution without a node ran is only known of an n8n that runs executions itself.
success unseen | start 1, start 2 → 0 emit 1; 0 batch 1 ended; 0 emit 2; 0 batch 2 unknown
unseen | start 1 → 0 emit 1; 0 batch 1 unknown
own unseen | start 1, start 2 → 0 emit 1; 0 batch 1 ended; 0 emit 2; 0 batch 2 failed
// Each try of a batch has the same key, unless it ran; each batch and each trigger has another one.
!Error success | start 1, start 1, start 2, other, start 1 → 0 emit 1; 0 batch 1 notStarted; 0 emit 1; 0 batch 1 ended; 0 emit 2; 0 batch 2 ended; 0 emit 3; 0 batch 1 ended
onWorker | start 1, start 1 → 0 emit 1; 0 batch 1 failed; 0 emit 2; 0 batch 1 failed
// Without a result it failed before its first node: it is given again, with three keys at most, until the end.
nothing success | start 1 → 0 emit 1; 0 emit 2; 0 batch 1 ended
// Nor was a node run by one that is not found. If that is so again, it is the workflow, not n8n's database.
!ExecutionNotFoundError success | start 1 → 0 emit 1; 0 emit 2; 0 batch 1 ended
!ExecutionNotFoundError | start 1, start 1 → 0 emit 1; 0 emit 2; 0 batch 1 failed; 0 emit 3; 0 emit 4; 0 batch 1 failed
nothing | start 1 → 0 emit 1; 0 emit 2; 0 emit 3; 0 batch 1 unknown
| start 1, -, close, done 1 nothing, - → 0 emit 1; 0 batch 1 notStarted; idle
// Queue mode may lose the end: the slot comes back a second after the last node, unless a node answers for itself.
| start 1, 5, answer 1 ok, 2 → 0 emit 1; 6 batch 1 ended
| start 1, 5, answer 1 failed, 2 → 0 emit 1; 6 batch 1 failed
answers | start 1, 10, done 1 success, 60 → 0 emit 1; 1 batch 1 ended; idle
| start 1, start 2, -, answer 1 thanks, answer 2 !Error, 60, done 1 success, done 2 success, - → 0 emit 1; 0 emit 2; 60 batch 1 ended; 60 batch 2 ended
// Without an end it is unknown two minutes after a database is back, however that showed, not if n8n runs it itself.
| start 1, 1, down, 20, up, 100, 40 → 0 emit 1; 145 batch 1 unknown; idle
| start 1, -, start 2, done 2 !Error, 180 → 0 emit 1; 0 emit 2; 0 batch 2 notStarted; 125 batch 1 unknown; idle
// So are others if a worker could not read one, of those that had started and of those of the next minute.
| start 1, start 2, 1, done 2 unseen, 180 → 0 emit 1; 0 emit 2; 1 batch 2 unknown; 125 batch 1 unknown; idle
| start 1, 1, done 1 unseen, start 2, 180 → 0 emit 1; 1 batch 1 unknown; 1 emit 2; 126 batch 2 unknown; idle
| start 1, 1, done 1 unseen, start 2, done 2 success, 50, start 3, 180 → 0 emit 1; 1 batch 1 unknown; 1 emit 2; 1 batch 2 ended; 51 emit 3; 176 batch 3 unknown; idle
| start 1, 1, done 1 unseen, 61, start 2, 180 → 0 emit 1; 1 batch 1 unknown; 62 emit 2
// A clock that is set forward is no time in which n8n could report: one that was not started is given again.
| start 1, -, start 2, done 2 !Error, jump 86400, 1, done 1 !Error, - → 0 emit 1; 0 emit 2; 0 batch 2 notStarted; 86401 batch 1 notStarted
own wait | start 1, start 2, down, 20, up, 1800 → 0 emit 1; 0 batch 1 ended; 0 emit 2
own wait | start 1, start 2, start 3, done 3 !Error, 3601 → 0 emit 1; 0 batch 1 ended; 0 emit 2; 0 emit 3; 0 batch 3 notStarted; 3600 batch 2 ended; idle; logged 1
// An older n8n does not report what it could not start, and has no keys: nothing is given to it twice.
old | start 1, 1, down, 20, up, 100, 40 → 0 emit 1; 145 batch 1 unknown; idle
old own wait | start 1, start 2, 6, down, 20, up, 140 → 0 emit 1; 0 batch 1 ended; 0 emit 1; 150 batch 2 unknown; idle
old !Error | start 1 → 0 emit 1; 0 batch 1 ended
// With one execution at a time, one that pauses is waited for, if n8n runs it itself, for an hour at most.
alone pauses | start 1, 300, answer 1 ok, - → 0 emit 1; 300 batch 1 ended
alone pauses | start 1, 300, answer 1 !ManualExecutionCancelledError, - → 0 emit 1; 300 batch 1 ended
alone pauses | start 1, 3601 → 0 emit 1; 3600 batch 1 ended; idle; logged 1
alone | start 1, answer 1 thanks, 1, done 1 pauses, - → 0 emit 1; 1 batch 1 ended
alone pausesOnWorker | start 1, - → 0 emit 1; 0 batch 1 ended
pauses | start 1, - → 0 emit 1; 0 batch 1 ended
// Engine 2.0 reports nothing: batches wait for the database.
v2 | down, start 1 → 0 batch 1 notStarted; idle
v2 | down, start 1, up, 2, start 2, start 3, 4.9, 1 → 0 batch 1 notStarted; 7 emit 1 bare; 7.025 emit 1 bare
v2 | down, start 1, up, 2, start 2, 2, down, 10 → 0 batch 1 notStarted; 7 batch 2 notStarted; idle
v2 | start 1, 11, start 2, start 3, 4, down, slow 8, 10 → 0 emit 1 bare; 10 batch 1 ended; 11 emit 1 bare; 11.025 emit 1 bare; 24 batch 2 unknown; 24 batch 3 unknown; idle
v2 | down, start 1, up, 2, start 2, 2, close, - → 0 batch 1 notStarted; 4 batch 2 notStarted; idle
v2 | slow 100000, start 1, 30, slow 0, 2, start 2, 6 → 30 batch 1 notStarted; 37 emit 1 bare
v2 | down, start 1, up, 2, start 2, 30 → 0 batch 1 notStarted; 7 emit 1 bare; 17 batch 2 ended; idle`;

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const told: string[] = [];
	const keys: Array<string | undefined> = [];
	const answers = given.split(' ').filter((word) => !['', 'v2', 'old', 'alone'].includes(word));
	const n8n: FakeN8n = new FakeN8n(({ done, response, key }) => {
		if (!keys.includes(key)) keys.push(key);
		told.push(`${now()} emit ${keys.indexOf(key) + 1}${done ? '' : ' bare'}`);
		const answer = answers.length > 1 ? answers.shift() : answers[0];
		if (answer === 'answers') response?.resolve({});
		else if (answer !== undefined && answer !== 'wait') end(done, answer);
	});
	const now = () => (n8n.clock.now() - START) / 1000;
	n8n.isOld = given.startsWith('old');
	if (given.startsWith('alone')) n8n.concurrency = 1;
	if (given.startsWith('v2')) n8n.settings = { engineType: 'v2' };
	const batches = new Map<string, { number: number }>();
	let starter = n8n.starter();
	for (const step of steps.split(', ')) {
		const [what = '', which = '', how = ''] = step.split(' ');
		if (what === 'start') {
			const batch = batches.get(which) ?? n8n.batch();
			batches.set(which, batch);
			void starter
				.start(batch)
				.then(({ outcome }) => told.push(`${now()} batch ${which} ${outcome}`));
		} else if (what === 'other') starter = n8n.starter();
		else if (what === 'close') starter.close();
		else if (what === 'down') n8n.database = new Error('down');
		else if (what === 'up') n8n.database = undefined;
		else if (what === 'jump') n8n.clock.jump(Number(which) * 1000);
		else if (what === 'slow') n8n.slowMs = Number(which) * 1000;
		else if (what === 'done') end(nth(n8n.emitted, Number(which) - 1).done, how);
		else if (what === 'answer') end(nth(n8n.emitted, Number(which) - 1).response, how);
		else if (what !== '-') await n8n.clock.turn(Number(what) * 1000);
		await settle();
	}
	if (n8n.clock.pending === 0) told.push('idle');
	if (n8n.lines.length > 0) told.push(`logged ${n8n.lines.length}`);
	expect(told.join('; ')).toBe(expected);
});

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

	it('gives the reason of a failed execution', async () => {
		const error = { name: 'NodeApiError', message: 'The service refused\nthe connection' };
		const run = { status: 'error', jobId: '7', data: { resultData: { runData: {}, error } } };
		expect(await newer(run).starter().start()).toEqual({
			outcome: 'failed',
			reason: 'The service refused the connection',
			errorName: 'NodeApiError',
		});
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
	it('is logged once, with the cause and what to do', async () => {
		const n8n = new FakeN8n(({ response }) => response?.resolve({}));
		const starter = n8n.starter();
		for (let n = 0; n < 100; n++) {
			starter.begin();
			await n8n.clock.turn(1_000);
		}
		expect(n8n.lines).toHaveLength(1);
		expect(n8n.lines[0]).toContain('N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED=1000');
		expect(n8n.lines[0]).toContain('30392');
	});
});

describe('an execution that never reports its end', () => {
	it('is waited for for an hour, whatever limit the workflow had when the trigger started', async () => {
		const n8n = new FakeN8n();
		const begun = n8n.starter().begin();
		await n8n.clock.turn(3_599_000);
		expect(begun).toEqual({});
		await n8n.clock.turn(1_000);
		expect(begun.answer).toEqual({ outcome: 'ended' });
		expect(n8n.lines).toEqual([expect.stringContaining('for 60 min')]);
	});
});

describe('engine 2.0', () => {
	it('is watched no longer once its executions have been saved', async () => {
		const n8n = Object.assign(new FakeN8n(), { settings: { engineType: 'v2' } });
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
