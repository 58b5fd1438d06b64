// What each release of n8n does with a batch, and what the trigger does then: each behaviour was read in n8n's code.

import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import { HandOver, NotStarted } from '../../../../nodes/VoiceManagementTrigger/execution/handOver';
import { HandClock, settle, START } from '../../../support/world';
import { nth } from '../../../../simulator/present';

interface Promised {
	promise: Promise<IRun>;
	resolve: (run?: unknown) => void;
	reject: (error: Error) => void;
}

interface Emitted {
	items: INodeExecutionData[];
	done: Promised | undefined;
	key: string | undefined;
}

const failure = (name: string, message = 'x') =>
	new (Object.defineProperty(class extends Error {}, 'name', { value: name }))(message);

/** An n8n that does with a batch what the test tells it. */
class FakeN8n {
	readonly clock = new HandClock();
	readonly emitted: Emitted[] = [];
	readonly unconfirmed: unknown[] = [];
	readonly unreported: object[] = [];
	settings: Record<string, unknown> = {};
	/** The error with which reading the credential fails, if any. */
	database: Error | undefined;
	reads = 0;

	/** @param onEmit what n8n does at once, with the promise that it got */
	constructor(private readonly onEmit: (one: Emitted) => void) {}

	handOver(): HandOver {
		const context = {
			getWorkflowSettings: () => this.settings,
			emit: ([items = []]: INodeExecutionData[][], _: undefined, done?: Promised, key?: string) => {
				const one = { items, done, key };
				this.emitted.push(one);
				this.onEmit(one);
			},
			helpers: {
				createDeferredPromise: () => {
					let settleWith: Pick<Promised, 'resolve' | 'reject'> | undefined;
					const promise = new Promise((resolve, reject) => {
						settleWith = { resolve, reject };
					});
					return { promise, ...settleWith };
				},
			},
		} as unknown as ITriggerFunctions;
		return new HandOver(
			context,
			async () => {
				this.reads++;
				if (this.database) throw this.database;
				await Promise.resolve();
			},
			3_600_000,
			{
				unconfirmed: (lost) => void this.unconfirmed.push(lost),
				unreported: (batch) => void this.unreported.push(batch),
			},
			this.clock,
		);
	}
}

/** n8n 2.41 uses both functions of the promise; `answer` is what it does with the batch. */
const newer = (answer: (resolve: (run?: unknown) => void, reject: (e: Error) => void) => void) =>
	new FakeN8n(({ done }) => {
		const { resolve, reject } = done as Promised;
		answer(resolve, reject);
	});

/** n8n 1.123 uses `resolve` once the execution has started, and does nothing if it could not start. */
const started = ({ done }: Emitted, run: unknown = { status: 'success' }) =>
	(done as Promised).resolve(run);

const items = (): INodeExecutionData[] => [{ json: { n: 1 } }];

/** The result of a start: 'ended', 'not started' with its reason, or 'open'. */
function fate(promise: Promise<unknown>): { now: string } {
	const state = { now: 'open' };
	promise.then(
		() => (state.now = 'ended'),
		(error: unknown) =>
			(state.now = error instanceof NotStarted ? `not started: ${error.message}` : 'threw'),
	);
	return state;
}

describe('n8n that reports failed starts (2.41)', () => {
	it.each([
		['the database is away', new Error('Connection terminated unexpectedly'), 'Connection'],
		['the row could not be written', failure('QueryFailedError', 'no such table'), 'no such'],
		[
			'an empty message',
			Object.assign(failure('AggregateError', ''), { code: 'ECONNREFUSED' }),
			'',
		],
	])('the trigger keeps the batch: %s', async (_, error, reason) => {
		const n8n = newer((_resolve, reject) => reject(error));
		const start = n8n.handOver().start({}, items);
		await expect(start).rejects.toThrow(NotStarted);
		await expect(start).rejects.toThrow(reason || 'ECONNREFUSED');
	});

	it.each([
		'TimeoutExecutionCancelledError',
		'ManualExecutionCancelledError',
		'SystemShutdownExecutionCancelledError',
	])('an execution that n8n has and that ended by %s is not repeated', async (name) => {
		const n8n = newer((_resolve, reject) => reject(failure(name)));
		await n8n.handOver().start({}, items);
		expect(n8n.emitted).toHaveLength(1);
	});

	it('an execution that failed is not repeated', async () => {
		const n8n = newer((resolve) => resolve({ status: 'error' }));
		await n8n.handOver().start({}, items);
		expect(n8n.emitted).toHaveLength(1);
	});

	describe('a failed execution for which n8n reports no node', () => {
		const unseen = { status: 'error', data: { resultData: { runData: {} } } };

		it('is reported and not repeated in queue mode, since a worker may have run nodes', async () => {
			const runs: object[] = [{ status: 'success', jobId: '7' }, unseen];
			const n8n = newer((resolve) => resolve(runs.shift()));
			const handOver = n8n.handOver();
			await handOver.start({}, items);
			const batch = {};
			await handOver.start(batch, items);
			expect(n8n.unreported).toEqual([batch]);
			expect(n8n.emitted).toHaveLength(2);
		});

		it('is reported too if it is the first one of the trigger, since the mode is not known yet', async () => {
			const n8n = newer((resolve) => resolve(unseen));
			const batch = {};
			await n8n.handOver().start(batch, items);
			expect(n8n.unreported).toEqual([batch]);
		});

		it('counts as run in regular mode, in which n8n only failed to save it', async () => {
			const runs: object[] = [{ status: 'success', data: { resultData: { runData: { A: [] } } } }];
			const n8n = newer((resolve) => resolve(runs.shift() ?? unseen));
			const handOver = n8n.handOver();
			expect(handOver.mayNeverReport()).toBe(true);
			await handOver.start({}, items);
			await handOver.start({}, items);
			expect(n8n.unreported).toEqual([]);
			expect(handOver.mayNeverReport()).toBe(false);
		});
	});

	it('an execution that failed in a node on a worker is left to the workflow', async () => {
		const n8n = newer((resolve) =>
			resolve({ status: 'error', jobId: '7', data: { resultData: { runData: {} } } }),
		);
		await n8n.handOver().start({}, items);
		expect(n8n.unreported).toEqual([]);
	});

	it('all tries of a batch have the same key, and each batch has its own', async () => {
		let away = true;
		const n8n = newer((resolve, reject) => (away ? reject(new Error('away')) : resolve({})));
		const handOver = n8n.handOver();
		const batch = {};
		await expect(handOver.start(batch, items)).rejects.toThrow('away');
		away = false;
		await handOver.start(batch, items);
		await handOver.start({}, items);
		const [first, second, other] = n8n.emitted.map(({ key }) => key);
		expect(second).toBe(first);
		expect(other).not.toBe(first);
		expect(first).toMatch(/^[\w-]{10,255}$/);
		// Another trigger, or this one after a restart.
		await n8n.handOver().start({}, items);
		expect(nth(n8n.emitted, 3).key).not.toBe(first);
	});

	it('a batch whose row nothing will run is not tried with the next key once the trigger is closed', async () => {
		let end = () => {};
		const n8n = newer((resolve, reject) => {
			if (n8n.emitted.length === 1) reject(new Error('away'));
			else end = () => resolve(undefined);
		});
		const handOver = n8n.handOver();
		const batch = {};
		await expect(handOver.start(batch, items)).rejects.toThrow('away');
		const start = handOver.start(batch, items);
		await settle();
		handOver.close();
		end();
		await expect(start).rejects.toThrow(NotStarted);
		expect(n8n.emitted).toHaveLength(2);
	});

	it('a batch whose rejected start left a row that nothing will run is tried with the next key at once', async () => {
		const answers = [new Error('away'), undefined, { status: 'success' }];
		const n8n = newer((resolve, reject) => {
			const answer = answers.shift();
			if (answer instanceof Error) reject(answer);
			else resolve(answer);
		});
		const handOver = n8n.handOver();
		const batch = {};
		await expect(handOver.start(batch, items)).rejects.toThrow('away');
		await n8n.clock.turn(60_000);
		await handOver.start(batch, items);
		const keys = n8n.emitted.map(({ key }) => key);
		expect(keys).toHaveLength(3);
		expect(keys[1]).toBe(keys[0]);
		expect(keys[2]).not.toBe(keys[1]);
	});

	it.each([
		['has no result', undefined],
		['is not found', failure('ExecutionNotFoundError')],
	])(
		'an execution that %s failed before its first node, and its batch is handed over again',
		async (_, first) => {
			const answers = [first, { status: 'success' }];
			const n8n = newer((resolve, reject) => {
				const answer = answers.shift();
				if (answer instanceof Error) reject(answer);
				else resolve(answer);
			});
			await n8n.handOver().start({}, items);
			const [one, other] = n8n.emitted.map(({ key }) => key);
			expect(n8n.emitted).toHaveLength(2);
			expect(other).not.toBe(one);
			expect(n8n.unreported).toEqual([]);
		},
	);

	it('a workflow that n8n rejects each time is reported once, and not retried with every batch', async () => {
		const n8n = newer((resolve) => resolve(undefined));
		const handOver = n8n.handOver();
		const batch = {};
		await handOver.start(batch, items);
		expect(n8n.emitted).toHaveLength(3);
		expect(n8n.unreported).toEqual([batch]);
		await handOver.start({}, items);
		await handOver.start({}, items);
		expect(n8n.emitted).toHaveLength(5);
		expect(n8n.unreported).toHaveLength(1);
	});

	it('gives up if n8n has no result for any key', async () => {
		let first = true;
		const n8n = newer((resolve, reject) => {
			if (first) reject(new Error('away'));
			else resolve(undefined);
			first = false;
		});
		const handOver = n8n.handOver();
		const batch = {};
		await expect(handOver.start(batch, items)).rejects.toThrow('away');
		await handOver.start(batch, items);
		expect(n8n.emitted).toHaveLength(4);
		expect(n8n.unreported).toEqual([batch]);
	});

	it('each try gets its own copy of the items', async () => {
		let away = true;
		const n8n = newer((resolve, reject) => (away ? reject(new Error('away')) : resolve({})));
		const handOver = n8n.handOver();
		const batch = {};
		await expect(handOver.start(batch, items)).rejects.toThrow('away');
		nth(nth(n8n.emitted, 0).items, 0).json.n = 'changed by n8n';
		away = false;
		await handOver.start(batch, items);
		expect(nth(n8n.emitted, 1).items).toEqual([{ json: { n: 1 } }]);
	});

	it('does not read the database while everything works', async () => {
		const n8n = newer((resolve) => resolve({}));
		await n8n.handOver().start({}, items);
		expect(n8n.reads).toBe(0);
		expect(n8n.clock.pending).toBe(0);
	});

	it('an emit that throws has not started anything', async () => {
		const n8n = new FakeN8n(() => {
			throw new Error('the workflow is not active');
		});
		await expect(n8n.handOver().start({}, items)).rejects.toThrow('not active');
	});
});

describe('n8n that does not report failed starts (1.123)', () => {
	it('leaves no timer behind for an execution that has ended', async () => {
		const n8n = new FakeN8n(() => {});
		const start = n8n.handOver().start({}, items);
		await settle();
		expect(n8n.clock.pending).toBe(1);
		started(nth(n8n.emitted, 0));
		await start;
		await settle();
		expect(n8n.clock.pending).toBe(0);
	});

	const silent = () => new FakeN8n(() => {});

	it('an execution that has started is waited for, however long it runs', async () => {
		const n8n = silent();
		const end = fate(n8n.handOver().start({}, items));
		await settle();
		const resolve = (nth(n8n.emitted, 0).done as Promised).resolve;
		n8n.database = new Error('away');
		await n8n.clock.turn(600_000);
		expect(end.now).toBe('open');
		resolve({ status: 'success' });
		await settle();
		expect(end.now).toBe('ended');
		expect(n8n.emitted).toHaveLength(1);
	});

	it('a batch that has not started while the database was away comes back to the trigger within seconds', async () => {
		const n8n = silent();
		n8n.database = new Error('connect ECONNREFUSED');
		const end = fate(n8n.handOver().start({}, items));
		await n8n.clock.turn(2_000);
		expect(end.now).toBe('not started: connect ECONNREFUSED');
		expect(n8n.unconfirmed).toEqual([]);
	});

	/** A batch that has come back because it was handed over while the database was away. */
	async function notStarted() {
		const n8n = silent();
		n8n.database = new Error('away');
		const handOver = n8n.handOver();
		const batch = {};
		const first = fate(handOver.start(batch, items));
		await n8n.clock.turn(2_000);
		expect(first.now).toBe('not started: away');
		return { n8n, handOver, batch };
	}

	it('it is only handed over again once the database responds and a late start is no longer possible', async () => {
		const { n8n, handOver, batch } = await notStarted();
		await expect(handOver.start(batch, items)).rejects.toThrow('away');
		n8n.database = undefined;
		const again = fate(handOver.start(batch, items));
		await n8n.clock.turn(4_999);
		expect(n8n.emitted).toHaveLength(1);
		await n8n.clock.turn(1);
		expect(n8n.emitted).toHaveLength(2);
		started(nth(n8n.emitted, 1));
		await settle();
		expect(again.now).toBe('ended');
	});

	it('it is not handed over again if it has started late', async () => {
		const { n8n, handOver, batch } = await notStarted();
		n8n.database = undefined;
		const again = fate(handOver.start(batch, items));
		await n8n.clock.turn(1_000);
		started(nth(n8n.emitted, 0));
		await n8n.clock.turn(10_000);
		expect(again.now).toBe('ended');
		expect(n8n.emitted).toHaveLength(1);
	});

	it('it is reported if it has started late and its worker died', async () => {
		const { n8n, handOver, batch } = await notStarted();
		n8n.database = undefined;
		const again = handOver.start(batch, items);
		started(nth(n8n.emitted, 0), { status: 'error', data: { resultData: { runData: {} } } });
		await n8n.clock.turn(10_000);
		expect(await again).toBe('unseen');
		expect(n8n.unreported).toEqual([batch]);
	});

	it('it counts as not started if the trigger is closed while a late start is still possible', async () => {
		const n8n = silent();
		n8n.database = new Error('away');
		const handOver = n8n.handOver();
		const batch = {};
		fate(handOver.start(batch, items));
		await n8n.clock.turn(2_000);
		n8n.database = undefined;
		const again = fate(handOver.start(batch, items));
		await n8n.clock.turn(1_000);
		handOver.close();
		await settle();
		expect(again.now).toContain('not started: closed');
		expect(n8n.emitted).toHaveLength(1);
		expect(n8n.clock.pending).toBe(0);
	});

	it.each([
		['could not be started: the database is away', new Error('connection lost'), 'not started'],
		['n8n is starting: the database answers', undefined, 'open'],
	])('a batch handed over just before the trigger is closed %s', async (_, database, now) => {
		const n8n = new FakeN8n(() => {});
		n8n.database = database;
		const handOver = n8n.handOver();
		const start = fate(handOver.start({}, items));
		handOver.close();
		await settle();
		expect(start.now).toMatch(now);
		expect(n8n.clock.pending).toBe(0);
	});

	it('an execution that waits for its turn in n8n is waited for if the database responds', async () => {
		const n8n = silent();
		const end = fate(n8n.handOver().start({}, items));
		await n8n.clock.turn(30 * 60_000);
		expect(end.now).toBe('open');
		started(nth(n8n.emitted, 0));
		await n8n.clock.turn(2_000);
		expect(end.now).toBe('ended');
	});

	it('a batch that n8n lost in an outage that nobody noticed comes back once a later one has started', async () => {
		const n8n = silent();
		const handOver = n8n.handOver();
		const batch = {};
		const lost = fate(handOver.start(batch, items));
		await n8n.clock.turn(59_000);
		expect(handOver.mayBeLost(batch)).toBe(false);
		await n8n.clock.turn(1_000);
		expect(handOver.mayBeLost(batch)).toBe(true);
		void handOver.start({}, items);
		await n8n.clock.turn(10_000);
		expect(lost.now).toBe('open');
		started(nth(n8n.emitted, 1));
		await n8n.clock.turn(2_000);
		expect(lost.now).toMatch('not started: n8n has started a later execution');
		const again = fate(handOver.start(batch, items));
		await n8n.clock.turn(5_000);
		expect(handOver.mayBeLost(batch)).toBe(false);
		started(nth(n8n.emitted, 2));
		await settle();
		expect(again.now).toBe('ended');
	});

	it('a batch is not lost because one that was handed over together with it has started first', async () => {
		const n8n = silent();
		const handOver = n8n.handOver();
		const first = fate(handOver.start({}, items));
		void handOver.start({}, items);
		await settle();
		started(nth(n8n.emitted, 1));
		await n8n.clock.turn(60_000);
		expect(first.now).toBe('open');
	});

	it('a credential that has been deleted counts as a response of the database', async () => {
		const n8n = silent();
		n8n.database = failure('CredentialNotFoundError');
		const end = fate(n8n.handOver().start({}, items));
		await n8n.clock.turn(60_000);
		expect(end.now).toBe('open');
	});

	it('an execution that has not even started after an hour comes back to the trigger', async () => {
		const n8n = silent();
		const end = fate(n8n.handOver().start({}, items));
		await n8n.clock.turn(3_602_000);
		expect(end.now).toContain('not started');
	});

	it('a closed trigger leaves no timer behind', async () => {
		const n8n = silent();
		const handOver = n8n.handOver();
		void handOver.start({}, items);
		await n8n.clock.turn(1_000);
		handOver.close();
		expect(n8n.clock.pending).toBe(0);
	});
});

describe('engine 2.0', () => {
	const v2 = () => {
		const n8n = new FakeN8n(() => {});
		n8n.settings = { engineType: 'v2' };
		return n8n;
	};

	it('gets batches without a promise', async () => {
		const n8n = v2();
		const end = fate(n8n.handOver().start({}, items));
		await settle();
		expect(n8n.emitted).toEqual([{ items: items(), done: undefined, key: undefined }]);
		await n8n.clock.turn(1_000);
		expect(end.now).toBe('ended');
	});

	it('has nothing uncertain if its database was away before the first batch', async () => {
		const n8n = v2();
		n8n.database = new Error('away');
		await expect(n8n.handOver().start({}, items)).rejects.toThrow('away');
		expect(n8n.unconfirmed).toEqual([]);
		expect(n8n.emitted).toEqual([]);
	});

	it('does not get the next batch at once when a slot is free: a burst is handed over at a limited rate', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		const oneAfterTheOther = async () => {
			for (let count = 0; count < 1000; count++) await handOver.start({}, items);
		};
		void oneAfterTheOther();
		await n8n.clock.turn(10_000);
		expect(n8n.emitted.length).toBeGreaterThan(20);
		expect(n8n.emitted.length).toBeLessThanOrEqual(41);
	});

	it('gets nothing while the database is away and until the engine can be back; uncertain batches are reported', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		await Promise.all([handOver.start({}, items), n8n.clock.turn(500)]);
		await Promise.all([handOver.start({}, items), n8n.clock.turn(400)]);
		n8n.database = new Error('away');
		await n8n.clock.turn(20_000);
		await expect(handOver.start({}, items)).rejects.toThrow(NotStarted);
		await expect(handOver.start({}, items)).rejects.toThrow(NotStarted);
		expect(n8n.emitted).toHaveLength(2);
		expect(n8n.unconfirmed).toEqual([{ items: 2, from: START - 10_000, to: START + 500 }]);
		n8n.database = undefined;
		const again = fate(handOver.start({}, items));
		await n8n.clock.turn(4_900);
		expect(n8n.emitted).toHaveLength(2);
		await n8n.clock.turn(400);
		expect(again.now).toBe('ended');
	});

	it('gets nothing more once the trigger is closed, and waiting batches are reported', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		n8n.database = new Error('away');
		await expect(handOver.start({}, items)).rejects.toThrow(NotStarted);
		n8n.database = undefined;
		const again = fate(handOver.start({}, items));
		await n8n.clock.turn(1_000);
		handOver.close();
		await settle();
		expect(again.now).toContain('not started: closed');
		expect(n8n.emitted).toEqual([]);
		expect(n8n.clock.pending).toBe(0);
	});

	it('gets batches in order after an outage, whenever they arrived', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		n8n.database = new Error('away');
		await expect(handOver.start({}, items)).rejects.toThrow(NotStarted);
		n8n.database = undefined;
		for (let n = 1; n <= 8; n++) {
			void handOver.start({}, () => [{ json: { n } }]);
			await n8n.clock.turn(1_000);
		}
		await n8n.clock.turn(20_000);
		expect(n8n.emitted.map((one) => one.items[0]?.json.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});

	it('gets nothing because of an old response when the database goes away again, and everything in order', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		const batches = Array.from({ length: 6 }, (_, index) => ({ n: index + 1 }));
		const tell = (batch: { n: number }) => async (): Promise<void> => {
			const give = () => [{ json: { ...batch } }];
			while (
				await handOver.start(batch, give).then(
					() => false,
					() => true,
				)
			) {
				await new Promise<void>((resolve) => n8n.clock.after(1_000, resolve));
			}
		};
		n8n.database = new Error('away');
		await expect(handOver.start({}, items)).rejects.toThrow(NotStarted);
		n8n.database = undefined;
		const [one, two, ...others] = batches.map(tell);
		void one?.();
		await n8n.clock.turn(2_000);
		n8n.database = new Error('away once more');
		void two?.();
		await n8n.clock.turn(10_000);
		expect(n8n.emitted).toEqual([]);
		n8n.database = undefined;
		for (const other of others) {
			await n8n.clock.turn(1_500);
			void other();
		}
		await n8n.clock.turn(30_000);
		expect(n8n.emitted.map((batch) => batch.items[0]?.json.n)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(n8n.unconfirmed).toEqual([]);
	});

	it('the uncertain time begins with the oldest event handed over in the ten seconds before the last response', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		const give = async (from: number, ms: number) =>
			await Promise.all([handOver.start({}, items, () => from), n8n.clock.turn(ms)]);
		await give(START - 600_000, 12_000);
		await give(START - 60_000, 9_600);
		await give(START - 50_000, 900);
		// There is no new response for this one: the ten seconds before the last response count, which include the
		// second batch.
		void handOver.start({}, items, () => START - 40_000);
		n8n.database = new Error('away');
		await n8n.clock.turn(20_000);
		expect(n8n.unconfirmed).toMatchObject([{ from: START - 60_000 }]);
	});

	it('the database is checked once more after the last batch: batches handed over just before it went away are reported', async () => {
		const n8n = v2();
		const handOver = n8n.handOver();
		await Promise.all([handOver.start({}, items), n8n.clock.turn(500)]);
		n8n.database = new Error('away');
		await n8n.clock.turn(1_000);
		n8n.database = undefined;
		expect(n8n.unconfirmed).toEqual([{ items: 1, from: START - 10_000, to: START }]);
		const reads = n8n.reads;
		await n8n.clock.turn(60_000);
		expect(n8n.reads).toBe(reads);
	});

	it('the database is checked before a batch after the clock is set back, since an earlier response does not count as recent', async () => {
		const n8n = v2();
		const now = n8n.clock.now.bind(n8n.clock);
		const handOver = n8n.handOver();
		await Promise.all([handOver.start({}, items), n8n.clock.turn(5_000)]);
		n8n.clock.now = () => now() - 24 * 3_600_000;
		n8n.database = new Error('away');
		await expect(handOver.start({}, items)).rejects.toThrow(NotStarted);
		expect(n8n.emitted).toHaveLength(1);
	});

	it('if it is not recognised in advance, the same batch is handed over again without a promise', async () => {
		const n8n = new FakeN8n(({ done }) => {
			const refusal = failure(
				'UserError',
				'Engine 2.0 cannot run a trigger that waits for its execution to finish yet. Set the node to hand off without waiting.',
			);
			if (!done) return;
			const { resolve: _, reject } = done;
			reject(refusal);
		});
		const handOver = n8n.handOver();
		const end = fate(handOver.start({}, items));
		await n8n.clock.turn(1_000);
		expect(end.now).toBe('ended');
		expect(n8n.emitted.map(({ done }) => done !== undefined)).toEqual([true, false]);
		expect(nth(n8n.emitted, 1).items).toEqual(items());
		void handOver.start({}, items);
		await settle();
		expect(nth(n8n.emitted, 2).done).toBeUndefined();
	});
});
