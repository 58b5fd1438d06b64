// Batches, the limit of executions, the bounded buffer, and batches that n8n could not start, on a fake clock.

import fc from 'fast-check';
import { RingBuffer } from '../../../../nodes/VoiceManagementTrigger/execution/ringBuffer';
import {
	ExecutionQueue,
	type ExecutionQueueOptions,
	type Fate,
	type Overflow,
} from '../../../../nodes/VoiceManagementTrigger/execution/executionQueue';
import { HandClock, settle, START } from '../../../support/world';

type Entry =
	| number
	| { dropped: number }
	| { reportsFrom: number }
	| { held: number; reason: string }
	| { resumed: number; seconds: number };

class Bench {
	readonly clock = new HandClock();
	/** Batches in the order in which n8n got them, including repeated ones. */
	readonly batches: Array<readonly Entry[]> = [];
	/** Entries of the batches that n8n started. */
	readonly delivered: Entry[] = [];
	readonly overflows: Overflow[] = [];
	readonly discarded: Array<[entries: number, held: boolean]> = [];
	timeouts = 0;
	/** Whether executions may never report, as in queue mode. */
	mayNeverReport = false;
	/** The batch that n8n may have lost has this entry. */
	mayBeLost?: Entry;
	/** Entries of executions whose result is unknown. */
	readonly inDoubt: Entry[] = [];
	/** Whether n8n rejects every batch at once. */
	away = false;
	databaseAnswers = true;
	report = true;
	/** Pushed for each execution that timed out, as a report of it. */
	timeoutReport?: Entry;
	most = 0;
	readonly queue: ExecutionQueue<Entry>;
	private readonly runs: Array<{
		entries: readonly Entry[];
		resolve(fate: Fate): void;
		reject(error: Error): void;
		over: boolean;
	}> = [];

	constructor(options: Partial<ExecutionQueueOptions> = {}) {
		const reported = <T>(entry: T) => (this.report ? entry : undefined);
		this.queue = new ExecutionQueue<Entry>(
			{
				batchSize: 1,
				batchIntervalMs: 1000,
				concurrency: 10,
				bufferLimit: 1000,
				executionTimeoutMs: 3_600_000,
				flushMs: 3000,
				...options,
			},
			{
				start: async ({ entries }) => {
					this.batches.push(entries);
					if (this.away) throw new Error('the database is away');
					this.most = Math.max(this.most, this.inFlight + 1);
					return await new Promise<Fate>((resolve, reject) => {
						this.runs.push({ entries, resolve, reject, over: false });
					});
				},
				weigh: (entry) => Number(entry),
				reportsFrom: (entry) =>
					typeof entry === 'object' && 'reportsFrom' in entry ? entry.reportsFrom : undefined,
				overflowed: (overflow) => {
					this.overflows.push(overflow);
					return reported({ dropped: overflow.dropped });
				},
				held: ({ entries, reason }) => reported({ held: entries, reason }),
				resumed: ({ entries, seconds }) => reported({ resumed: entries, seconds }),
				databaseAnswers: async () => await Promise.resolve(this.databaseAnswers),
				mayNeverReport: () => this.mayNeverReport,
				mayBeLost: ({ entries }) => entries.some((entry) => entry === this.mayBeLost),
				timedOut: ({ entries }, inDoubt) => {
					this.timeouts++;
					if (this.timeoutReport !== undefined) this.push(this.timeoutReport);
					if (inDoubt) this.inDoubt.push(...entries);
				},
				discarded: (entries, held) => void this.discarded.push([entries, held]),
				random: () => 0,
			},
			this.clock,
		);
	}

	get inFlight(): number {
		return this.runs.filter(({ over }) => !over).length;
	}

	push(...entries: Entry[]): this {
		for (const entry of entries) this.queue.push(entry);
		return this;
	}

	/** Ends the oldest execution, or makes n8n reject the oldest batch that it got. */
	async end(how: Fate | 'reject' = 'ended'): Promise<void> {
		const run = this.runs.find(({ over }) => !over);
		if (!run) throw new Error('no execution runs');
		run.over = true;
		if (how !== 'reject') {
			if (how === 'ended') this.delivered.push(...run.entries);
			run.resolve(how);
		} else run.reject(new Error('the database is away'));
		await settle();
	}

	async endAll(): Promise<void> {
		while (this.inFlight > 0) await this.end();
	}
}

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('single items', () => {
	it('start one execution each, at once, up to the limit', () => {
		const bench = new Bench({ concurrency: 2 }).push(1, 2, 3, 4);
		expect(bench.batches).toEqual([[1], [2]]);
	});

	it('follow in order as executions end', async () => {
		const bench = new Bench({ concurrency: 1 }).push(1, 2, 3);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2]]);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2], [3]]);
	});
});

describe('batches', () => {
	it('leave when they are full', () => {
		const bench = new Bench({ batchSize: 3 }).push(1, 2);
		expect(bench.batches).toEqual([]);
		bench.push(3, 4);
		expect(bench.batches).toEqual([[1, 2, 3]]);
	});

	it('leave incomplete if the first entry has waited for the interval', async () => {
		const bench = new Bench({ batchSize: 3, batchIntervalMs: 1000 }).push(1);
		await bench.clock.turn(600);
		bench.push(2);
		await bench.clock.turn(399);
		expect(bench.batches).toEqual([]);
		await bench.clock.turn(1);
		expect(bench.batches).toEqual([[1, 2]]);
	});

	it('give each entry the whole interval, counted from its own arrival', async () => {
		const bench = new Bench({ batchSize: 2, batchIntervalMs: 1000 }).push(1);
		await bench.clock.turn(900);
		bench.push(2, 3);
		expect(bench.batches).toEqual([[1, 2]]);
		await bench.clock.turn(999);
		expect(bench.batches).toHaveLength(1);
		await bench.clock.turn(1);
		expect(bench.batches).toEqual([[1, 2], [3]]);
	});

	it('contain what arrived together if there is no interval', async () => {
		const bench = new Bench({ batchSize: 100, batchIntervalMs: 0 }).push(1, 2, 3);
		await settle();
		expect(bench.batches).toEqual([[1, 2, 3]]);
		bench.push(4);
		await settle();
		expect(bench.batches).toEqual([[1, 2, 3], [4]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('grow up to their size while all executions are under way', async () => {
		const bench = new Bench({ batchSize: 4, batchIntervalMs: 0, concurrency: 1 }).push(1);
		await settle();
		bench.push(...range(2, 10));
		await bench.end();
		await bench.end();
		await bench.end();
		expect(bench.batches).toEqual([[1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]);
	});

	it("leave at the buffer's size if that is smaller than theirs, and nothing is dropped", async () => {
		const bench = new Bench({ batchSize: 50, bufferLimit: 3 }).push(...range(1, 7));
		expect(bench.batches).toEqual([
			[1, 2, 3],
			[4, 5, 6],
		]);
		await bench.clock.turn(1000);
		expect(bench.batches.flat()).toEqual(range(1, 7));
		expect(bench.overflows).toEqual([]);
	});

	it('wait no longer than one interval if the clock is set back', async () => {
		const bench = new Bench({ batchSize: 3, batchIntervalMs: 1000 });
		let offset = 0;
		const now = bench.clock.now.bind(bench.clock);
		bench.clock.now = () => now() + offset;
		bench.push(1);
		offset = -3_600_000;
		bench.push(2);
		await bench.clock.turn(1000);
		expect(bench.batches).toEqual([[1, 2]]);
		bench.push(3);
		await bench.clock.turn(1000);
		expect(bench.batches).toEqual([[1, 2], [3]]);
	});
});

describe('the buffer', () => {
	it('drops the oldest entries beyond its limit, counts them, and reports them at the place where they are missing', async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 3 }).push(1, 2, 3, 4);
		await bench.clock.turn(500);
		bench.push(5);
		await bench.clock.turn(500);
		bench.push(6, 7);
		await bench.endAll();
		expect(bench.batches).toEqual([[1], [{ dropped: 3 }], [5], [6], [7]]);
	});

	it('reports when the dropped entries had arrived, and includes the time that a dropped report was about', async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 2 }).push(1);
		await bench.clock.turn(500);
		bench.push(2, 3);
		await bench.clock.turn(60_000);
		bench.push(4, 5);
		expect(bench.queue.droppedFrom()).toBe(START + 500);
		await bench.end();
		expect(bench.queue.droppedFrom()).toBeUndefined();
		bench.push({ reportsFrom: START - 9_000 });
		bench.push(6, 7);
		await bench.endAll();
		const came = START + 60_500;
		expect(bench.overflows).toEqual([
			{ dropped: 2, from: START + 500, to: START + 500 },
			{ dropped: 3, from: START - 9_000, to: came },
		]);
	});

	it('puts the report at the head of a batch without making it too large', async () => {
		const bench = new Bench({ batchSize: 2, concurrency: 1, bufferLimit: 3 }).push(1, 2);
		bench.push(3, 4, 5, 6);
		await bench.end();
		expect(bench.batches).toEqual([
			[1, 2],
			[{ dropped: 1 }, 4],
		]);
		await bench.end();
		expect(bench.batches[2]).toEqual([5, 6]);
	});

	it('reports each overflow once, even if no status item is wanted', async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 1 });
		bench.report = false;
		bench.push(1, 2, 3);
		await bench.endAll();
		bench.push(4, 5, 6);
		await bench.endAll();
		expect(bench.batches).toEqual([[1], [3], [4], [6]]);
		expect(bench.overflows.map(({ dropped }) => dropped)).toEqual([1, 1]);
	});

	it('reports what was dropped even if no further batch leaves before the end', async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 1 }).push(1, 2, 3, 4);
		const closed = bench.queue.close();
		await bench.clock.turn(3000);
		await closed;
		expect(bench.overflows.map(({ dropped }) => dropped)).toEqual([2]);
		expect(bench.discarded).toEqual([[1, false]]);
	});

	it('is a queue, whatever is put in and taken out, and never contains more than its limit', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.array(fc.oneof(fc.constant('push'), fc.integer({ min: 1, max: 30 })), {
					maxLength: 300,
				}),
				(limit, steps) => {
					const dropped: number[] = [];
					const buffer = new RingBuffer<number>(limit, (entry) => dropped.push(entry));
					let model: number[] = [];
					let next = 0;
					for (const step of steps) {
						if (step === 'push') {
							model.push(next);
							buffer.push(next, next);
							expect(dropped.splice(0)).toEqual(model.length > limit ? [model.shift()] : []);
							next++;
						} else {
							const count = step;
							expect(buffer.take(count)).toEqual(model.slice(0, count));
							model = model.slice(count);
						}
						expect(buffer.size).toBe(model.length);
						expect(buffer.oldestAt).toBe(model[0]);
					}
					expect(buffer.clear()).toBe(model.length);
					expect(buffer.size).toBe(0);
				},
			),
		);
	});

	it.each<[why: string, options: Partial<ExecutionQueueOptions>, away: boolean]>([
		['every slot is taken', { concurrency: 1, batchIntervalMs: 0 }, false],
		['a batch is not full', { batchSize: 100 }, false],
		['n8n starts nothing', { concurrency: 1, batchIntervalMs: 0 }, true],
	])('keeps no more weight than allowed while %s', async (_why, options, away) => {
		const bench = new Bench({ bufferBytes: 100, ...options });
		bench.away = away;
		for (const weight of [1, 30, 30, 30, 30, 30]) {
			bench.push(weight);
			await settle();
		}
		expect(bench.queue.droppedFrom()).toBeDefined();
		const closed = bench.queue.close();
		await bench.clock.turn(3000);
		await closed;
		// The first one has a slot, or is tried, unless its batch is not full.
		const hasLeft = options.batchSize === undefined;
		expect(bench.overflows.map(({ dropped }) => dropped)).toEqual([hasLeft ? 2 : 3]);
	});

	it('keeps no more weight than allowed, whatever comes and goes', () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(fc.nat({ max: 60 }), fc.constant('take'), fc.constant('limit')), {
					maxLength: 300,
				}),
				(steps) => {
					let sent = 0;
					let gone = 0;
					const buffer = new RingBuffer<number>(
						1_000,
						() => gone++,
						100,
						(weight) => weight,
					);
					for (const step of steps) {
						if (step === 'take') gone += buffer.take(3).length;
						else if (step === 'limit') buffer.limitWeight();
						else {
							buffer.push(step, 0);
							sent++;
						}
						expect(buffer.size).toBe(sent - gone);
					}
					buffer.limitWeight();
					const left = [...buffer.all()];
					expect(left.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(100);
					buffer.push(1e9, 0);
					buffer.limitWeight();
					expect([...buffer.all()]).toEqual([1e9]);
				},
			),
		);
	});
});

describe('executions that never report their end', () => {
	it('free their slots after the time limit, so that the trigger does not die silently', async () => {
		const bench = new Bench({ concurrency: 2, executionTimeoutMs: 60_000 }).push(1, 2, 3, 4);
		await bench.clock.turn(59_999);
		expect(bench.batches).toHaveLength(2);
		await bench.clock.turn(1);
		expect(bench.batches).toEqual([[1], [2], [3], [4]]);
		expect(bench.timeouts).toBe(2);
	});

	it('are each given up once, although the report of the first one starts an execution at once', async () => {
		const bench = new Bench({ concurrency: 2, executionTimeoutMs: 60_000 }).push(1, 2, 3);
		bench.timeoutReport = 7;
		await bench.clock.turn(60_000);
		expect(bench.timeouts).toBe(2);
		expect(bench.batches.filter(([entry]) => entry === 7)).toHaveLength(2);
	});

	it('do not keep the saved position back once their time is over, even if slots are free', async () => {
		const bench = new Bench({ executionTimeoutMs: 60_000 }).push(1);
		await bench.clock.turn(60_000);
		bench.push(2);
		expect(bench.queue.oldestUnfinished()?.entry).toBe(2);
		expect(bench.timeouts).toBe(1);
	});

	it('are timed from their own start, and an end after the time limit does not free a slot twice', async () => {
		const bench = new Bench({ concurrency: 2, executionTimeoutMs: 60_000 }).push(1);
		await bench.clock.turn(30_000);
		bench.push(2, 3, 4, 5);
		await bench.clock.turn(30_000);
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2], [3], [4]]);
	});

	it('do not keep their slots longer if the clock is set back', async () => {
		const bench = new Bench({ concurrency: 1, executionTimeoutMs: 60_000 }).push(1, 2);
		await bench.clock.turn(30_000);
		const now = bench.clock.now.bind(bench.clock);
		bench.clock.now = () => now() - 24 * 3_600_000;
		await bench.clock.turn(40_000);
		expect(bench.batches).toEqual([[1], [2]]);
	});

	it('need no timer while there are free slots', () => {
		expect(new Bench({ concurrency: 2 }).push(1, 2).clock.pending).toBe(0);
	});
});

describe('closing', () => {
	it('hands over what waits, including incomplete batches, and accepts nothing more', async () => {
		const bench = new Bench({ batchSize: 3 }).push(1, 2);
		const closed = bench.queue.close();
		bench.push(3);
		await closed;
		expect(bench.batches).toEqual([[1, 2]]);
		expect(bench.discarded).toEqual([]);
		expect(bench.clock.pending).toBe(0);
	});

	it('waits for slots, in order and within the limit', async () => {
		const bench = new Bench({ concurrency: 1, batchSize: 2 }).push(1, 2, 3, 4, 5);
		let over = false;
		const closed = bench.queue.close().then(() => (over = true));
		await settle();
		expect(bench.batches).toEqual([[1, 2]]);
		await bench.end();
		expect(over).toBe(false);
		await bench.end();
		await closed;
		expect(bench.batches).toEqual([[1, 2], [3, 4], [5]]);
		expect(bench.most).toBe(1);
	});

	it('ends within a limited time and reports how many entries no execution took', async () => {
		const bench = new Bench({ concurrency: 1, flushMs: 3000 }).push(1, 2, 3);
		let over = false;
		void bench.queue.close().then(() => (over = true));
		await bench.clock.turn(2999);
		expect(over).toBe(false);
		await bench.clock.turn(1);
		expect(over).toBe(true);
		expect(bench.discarded).toEqual([[2, false]]);
		await bench.end();
		expect(bench.batches).toEqual([[1]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('can be requested twice', async () => {
		const bench = new Bench().push(1);
		await Promise.all([bench.queue.close(), bench.queue.close()]);
		expect(bench.batches).toEqual([[1]]);
	});
});

describe('a batch that n8n could not start', () => {
	it('stays at the head, in order, and is retried alone with back-off until n8n starts it', async () => {
		const bench = new Bench({ concurrency: 3 });
		bench.away = true;
		bench.push(1, 2, 3, 4);
		await settle();
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.clock.turn(999);
		expect(bench.batches).toHaveLength(3);
		await bench.clock.turn(1);
		expect(bench.batches.slice(3)).toEqual([[1]]);
		await bench.clock.turn(2000);
		expect(bench.batches.slice(4)).toEqual([[1]]);
		bench.away = false;
		await bench.clock.turn(4000);
		expect(bench.batches.slice(5)).toEqual([[1]]);
		await bench.endAll();
		expect(bench.delivered).toEqual([
			1,
			2,
			3,
			{ held: 2, reason: 'the database is away' },
			{ resumed: 4, seconds: 7 },
			4,
		]);
	});

	it('is retried as long as necessary, in the end every 15 to 30 s', async () => {
		const bench = new Bench({ concurrency: 1 });
		bench.away = true;
		bench.push(1);
		await bench.clock.turn(24 * 3_600_000);
		const tries = bench.batches.length;
		expect(tries).toBeGreaterThan((24 * 3600) / 30);
		expect(tries).toBeLessThanOrEqual((24 * 3600) / 15 + 5);
		bench.away = false;
		await bench.clock.turn(30_000);
		await bench.endAll();
		expect(bench.delivered[0]).toBe(1);
	});

	it('goes back in front of later entries, even if n8n rejects it late', async () => {
		const bench = new Bench({ concurrency: 3 }).push(1, 2, 3, 4, 5);
		await bench.end('reject');
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.end('reject');
		await bench.clock.turn(1000);
		await bench.endAll();
		expect(bench.delivered.filter((entry) => typeof entry === 'number')).toEqual([3, 1, 2, 4, 5]);
	});

	it('is the same batch again, whatever has arrived since', async () => {
		const bench = new Bench({ batchSize: 3, batchIntervalMs: 0, concurrency: 1 });
		bench.away = true;
		bench.push(1, 2);
		await settle();
		bench.push(3, 4, 5);
		bench.away = false;
		await bench.clock.turn(1000);
		await bench.endAll();
		expect(bench.batches).toEqual([
			[1, 2],
			[1, 2],
			[{ held: 2, reason: 'the database is away' }, { resumed: 5, seconds: 1 }, 3],
			[4, 5],
		]);
	});

	it('is not retried once it was started, whatever became of the execution', async () => {
		const bench = new Bench({ concurrency: 1 }).push(1);
		await bench.end();
		await bench.clock.turn(3_600_000);
		expect(bench.batches).toEqual([[1]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('counts as started if n8n has not rejected it after 30 s, and goes back if n8n rejects it later', async () => {
		const bench = new Bench({ concurrency: 2 });
		bench.report = false;
		bench.away = true;
		bench.push(1, 2, 3);
		await settle();
		bench.away = false;
		await bench.clock.turn(1000);
		expect(bench.batches.slice(2)).toEqual([[1]]);
		await bench.clock.turn(30_000);
		expect(bench.batches.slice(3)).toEqual([[2]]);
		await bench.end('reject');
		await bench.end();
		await bench.clock.turn(1000);
		await bench.endAll();
		expect(bench.delivered).toEqual([2, 1, 3]);
	});

	it("does not lift the buffer's limit; dropped entries are reported after it", async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 2 });
		bench.away = true;
		bench.push(1, 2);
		await settle();
		bench.push(3, 4, 5);
		bench.away = false;
		await bench.clock.turn(1000);
		await bench.endAll();
		expect(bench.delivered).toEqual([
			1,
			{ held: 2, reason: 'the database is away' },
			{ resumed: 3, seconds: 1 },
			{ dropped: 2 },
			4,
			5,
		]);
	});

	it('gets one more try at a deactivation, which ends within a limited time and reports how many entries were left', async () => {
		const bench = new Bench({ concurrency: 2, flushMs: 3000 });
		bench.away = true;
		bench.push(1, 2, 3);
		await settle();
		let over = false;
		void bench.queue.close().then(() => (over = true));
		await settle();
		expect(bench.batches.slice(2)).toEqual([[1]]);
		await bench.clock.turn(3000);
		expect(over).toBe(true);
		expect(bench.discarded).toEqual([[3, true]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('leaves at a deactivation if n8n starts executions again', async () => {
		const bench = new Bench({ concurrency: 1 });
		bench.report = false;
		bench.away = true;
		bench.push(1, 2);
		await settle();
		bench.away = false;
		const closed = bench.queue.close();
		await settle();
		await bench.endAll();
		await closed;
		expect(bench.delivered).toEqual([1, 2]);
		expect(bench.discarded).toEqual([]);
	});

	it('counts as discarded if n8n rejects it after the end', async () => {
		const bench = new Bench().push(1);
		await bench.queue.close();
		await bench.end('reject');
		expect(bench.discarded).toEqual([[1, true]]);
	});
});

describe('an execution that n8n failed outside its nodes', () => {
	it('belongs to n8n; the next ones, which would fail too, are tried one at a time until one runs', async () => {
		const bench = new Bench({ batchSize: 2, batchIntervalMs: 0, concurrency: 2 });
		bench.push(...range(1, 8));
		await settle();
		expect(bench.batches).toEqual([
			[1, 2],
			[3, 4],
		]);
		await bench.end('unseen');
		await bench.end('unseen');
		expect(bench.batches).toHaveLength(2);
		await bench.clock.turn(1_000);
		expect(bench.batches[2]).toEqual([
			{ held: 4, reason: 'an execution failed outside of its nodes' },
			5,
		]);
		await bench.end('unseen');
		await bench.clock.turn(1_999);
		expect(bench.batches).toHaveLength(3);
		await bench.clock.turn(1);
		expect(bench.batches[3]).toEqual([6, 7]);
		await bench.end();
		expect(bench.batches[4]).toEqual([{ resumed: 3, seconds: 3 }, 8]);
		await bench.endAll();
		expect(bench.queue.oldestUnfinished()).toBeUndefined();
	});

	it('holds nothing up if nothing waits', async () => {
		const bench = new Bench().push(1);
		await bench.end('unseen');
		await bench.clock.turn(1_000);
		await bench.endAll();
		await bench.clock.turn(1_000);
		await bench.endAll();
		bench.push(2);
		expect(bench.batches.at(-1)).toEqual([2]);
	});
});

it('an execution that n8n may have lost does not keep the next batch from leaving, but only one', async () => {
	const bench = new Bench({ concurrency: 1 }).push(1, 2, 3);
	await bench.clock.turn(60_000);
	expect(bench.batches).toEqual([[1]]);
	bench.mayBeLost = 1;
	await bench.clock.turn(60_000);
	expect(bench.batches).toEqual([[1], [2]]);
	await bench.end('reject');
	await bench.end();
	bench.mayBeLost = undefined;
	await bench.clock.turn(10_000);
	await bench.endAll();
	await bench.clock.turn(10_000);
	await bench.endAll();
	expect(bench.most).toBe(2);
	expect(bench.delivered.filter((entry) => typeof entry === 'number')).toEqual([2, 1, 3]);
});

describe('executions whose end n8n could not read from its database', () => {
	const inQueueMode = (options: Partial<ExecutionQueueOptions> = {}) => {
		const bench = new Bench(options);
		bench.mayNeverReport = true;
		return bench;
	};

	it('free their slots two minutes after the database is back, so that the trigger is not dead for an hour, and are reported', async () => {
		const bench = inQueueMode({ concurrency: 2 }).push(1, 2, 3);
		bench.databaseAnswers = false;
		await bench.clock.turn(20_000);
		bench.databaseAnswers = true;
		await bench.clock.turn(3 * 60_000);
		expect(bench.batches).toEqual([[1], [2], [3]]);
		expect(bench.inDoubt).toEqual([1, 2]);
	});

	it('are reported even if nothing waits for their slots', async () => {
		const bench = inQueueMode().push(1);
		await bench.clock.turn(1_000);
		bench.databaseAnswers = false;
		await bench.clock.turn(20_000);
		bench.databaseAnswers = true;
		await bench.clock.turn(3 * 60_000);
		expect(bench.inDoubt).toEqual([1]);
	});

	it('are reported after an outage that only a rejected batch showed', async () => {
		const bench = inQueueMode().push(1);
		bench.away = true;
		bench.push(2);
		await settle();
		bench.away = false;
		await bench.clock.turn(3 * 60_000);
		expect(bench.batches.at(-1)).toEqual([{ resumed: 1, seconds: 31 }]);
		expect(bench.inDoubt).toEqual([1]);
	});

	it('are left to the workflow if they report in time', async () => {
		const bench = inQueueMode().push(1);
		bench.databaseAnswers = false;
		await bench.clock.turn(20_000);
		bench.databaseAnswers = true;
		await bench.clock.turn(60_000);
		await bench.end();
		await bench.clock.turn(3 * 60_000);
		expect(bench.timeouts).toBe(0);
		expect(bench.clock.pending).toBe(0);
	});

	it('are waited for as usual if the database was never away', async () => {
		const bench = inQueueMode({ concurrency: 2 }).push(1, 2, 3);
		await bench.clock.turn(3_599_000);
		expect(bench.batches).toEqual([[1], [2]]);
	});

	it('do not exist if executions run in n8n itself', async () => {
		const bench = new Bench({ concurrency: 2 }).push(1, 2, 3);
		bench.databaseAnswers = false;
		await bench.clock.turn(20_000);
		bench.databaseAnswers = true;
		await bench.clock.turn(30 * 60_000);
		expect(bench.timeouts).toBe(0);
	});
});

describe('the oldest entry on its way', () => {
	it('is the oldest one whose execution has not ended, wherever it is', async () => {
		const bench = new Bench({ concurrency: 1 });
		expect(bench.queue.oldestUnfinished()).toBeUndefined();
		bench.push(1);
		await bench.clock.turn(100);
		bench.push(2);
		expect(bench.queue.oldestUnfinished()).toEqual({ at: START, entry: 1 });
		await bench.end('reject');
		expect(bench.queue.oldestUnfinished()).toEqual({ at: START, entry: 1 });
		await bench.clock.turn(1000);
		await bench.end();
		expect(bench.queue.oldestUnfinished()).toEqual({ at: START + 100, entry: 2 });
	});

	it('has been given to n8n, or waits for it', async () => {
		const bench = new Bench({ concurrency: 1 }).push(1);
		expect(bench.queue.oldestWaiting()).toBeUndefined();
		bench.push(2);
		expect(bench.queue.oldestWaiting()).toEqual({ at: START, entry: 2 });
		await bench.end('reject');
		expect(bench.queue.oldestWaiting()).toEqual({ at: START, entry: 1 });
	});
});

describe('under any outage', () => {
	it('every entry is delivered once, in order if executions run one at a time, and one batch is tried at a time', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 5 }),
				fc.integer({ min: 1, max: 4 }),
				fc.array(
					fc.oneof(
						fc.integer({ min: 1, max: 20 }).map((count) => ({ push: count })),
						fc.constantFrom('end', 'reject', 'away', 'back'),
						fc.integer({ min: 1, max: 40_000 }).map((ms) => ({ turn: ms })),
					),
					{ maxLength: 60 },
				),
				async (batchSize, concurrency, steps) => {
					const bench = new Bench({ batchSize, concurrency, batchIntervalMs: 0 });
					bench.report = false;
					let pushed = 0;
					for (const step of steps) {
						if (step === 'away' || step === 'back') bench.away = step === 'away';
						else if (step === 'end' || step === 'reject') {
							if (bench.inFlight > 0) await bench.end(step === 'end' ? 'ended' : 'reject');
						} else if (typeof step === 'object' && 'push' in step) {
							bench.push(...range(pushed + 1, pushed + step.push));
							pushed += step.push;
						} else if (typeof step === 'object') await bench.clock.turn(step.turn);
						await settle();
					}
					bench.away = false;
					await bench.endAll();
					await bench.clock.turn(30_000);
					await bench.endAll();
					const delivered = bench.delivered as number[];
					expect([...delivered].sort((a, b) => a - b)).toEqual(range(1, pushed));
					if (concurrency === 1) expect(delivered).toEqual(range(1, pushed));
					expect(bench.most).toBeLessThanOrEqual(concurrency);
					expect(bench.queue.oldestUnfinished()).toBeUndefined();
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('under any load', () => {
	it('loses nothing, reorders nothing and keeps the bounds', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 7 }),
				fc.integer({ min: 1, max: 4 }),
				fc.constantFrom(0, 100, 1000),
				fc.array(
					fc.oneof(
						fc.integer({ min: 1, max: 20 }).map((count) => ({ push: count })),
						fc.constant('end' as const),
						fc.integer({ min: 1, max: 2000 }).map((ms) => ({ turn: ms })),
					),
					{ maxLength: 40 },
				),
				async (batchSize, concurrency, batchIntervalMs, steps) => {
					const bench = new Bench({ batchSize, concurrency, batchIntervalMs });
					let pushed = 0;
					for (const step of steps) {
						if (step === 'end') {
							if (bench.inFlight > 0) await bench.end();
						} else if ('push' in step) {
							bench.push(...range(pushed + 1, pushed + step.push));
							pushed += step.push;
						} else await bench.clock.turn(step.turn);
					}
					const closed = bench.queue.close();
					await settle();
					await bench.endAll();
					await closed;
					expect(bench.batches.flat()).toEqual(range(1, pushed));
					expect(bench.most).toBeLessThanOrEqual(concurrency);
					for (const batch of bench.batches) expect(batch.length).toBeLessThanOrEqual(batchSize);
				},
			),
			{ numRuns: 200 },
		);
	});
});
