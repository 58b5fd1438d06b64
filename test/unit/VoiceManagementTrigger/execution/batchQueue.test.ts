// Batches, the limit of executions, the bounded buffer, and batches that are tried again, on a fake clock.

import fc from 'fast-check';
import {
	BatchQueue,
	type Answer,
	type BatchQueueOptions,
	type Notice,
} from '../../../../nodes/VoiceManagementTrigger/execution/batchQueue';
import { EntryBuffer } from '../../../../nodes/VoiceManagementTrigger/execution/buffer';
import { HandClock, settle, START } from '../../../support/world';

type Entry =
	| number
	| { dropped: number }
	| { reportsFrom: number }
	| { held: number; reason: string }
	| { resumed: number; seconds: number }
	| { undelivered: number };

type Outcome = Answer['outcome'];

const DOWN = 'the database is down';

class Bench {
	readonly clock = new HandClock();
	/** Batches in the order in which they were handed over, including repeated ones. */
	readonly batches: Array<readonly Entry[]> = [];
	/** Entries of the batches whose executions ended. */
	readonly delivered: Entry[] = [];
	readonly notices: Array<Notice<Entry>> = [];
	/** Whether every batch is rejected at once. */
	away = false;
	report = true;
	most = 0;
	readonly queue: BatchQueue<Entry>;
	private readonly runs: Array<{
		entries: readonly Entry[];
		answer(answer: Answer): void;
		over: boolean;
	}> = [];

	constructor(options: Partial<BatchQueueOptions> = {}) {
		this.queue = new BatchQueue<Entry>(
			{
				batchSize: 1,
				concurrency: 10,
				bufferLimit: 1000,
				bufferBytes: 1e9,
				retryFailed: 0,
				flushMs: 3000,
				...options,
			},
			{
				start: async ({ entries }) => {
					this.batches.push(entries);
					if (this.away) return { outcome: 'notStarted', reason: DOWN };
					this.most = Math.max(this.most, this.inFlight + 1);
					return await new Promise<Answer>((answer) => {
						this.runs.push({ entries, answer, over: false });
					});
				},
				weigh: (entry) => Number(entry),
				missingFrom: (entry) =>
					typeof entry === 'object' && 'reportsFrom' in entry ? entry.reportsFrom : undefined,
				report: (notice) => {
					this.notices.push(notice);
					return this.report ? entryOf(notice) : undefined;
				},
			},
			this.clock,
			() => 0,
		);
	}

	get inFlight(): number {
		return this.runs.filter(({ over }) => !over).length;
	}

	told<E extends Notice<Entry>['event']>(event: E) {
		return this.notices.filter(
			(notice): notice is Extract<Notice<Entry>, { event: E }> => notice.event === event,
		);
	}

	push(...entries: Entry[]): this {
		for (const entry of entries) this.queue.push(entry);
		return this;
	}

	/** Answers for the oldest execution. */
	async end(outcome: Outcome = 'ended'): Promise<void> {
		const run = this.runs.find(({ over }) => !over);
		if (!run) throw new Error('no execution runs');
		run.over = true;
		if (outcome === 'ended') this.delivered.push(...run.entries);
		run.answer(outcome === 'ended' ? { outcome } : { outcome, reason: DOWN });
		await settle();
	}

	async endAll(outcome: Outcome = 'ended'): Promise<void> {
		while (this.inFlight > 0) await this.end(outcome);
	}

	async close(): Promise<void> {
		const closed = this.queue.close();
		await this.clock.turn(3000);
		await closed;
	}
}

function entryOf(notice: Notice<Entry>): Entry | undefined {
	switch (notice.event) {
		case 'overflow':
			return { dropped: notice.dropped };
		case 'held':
			return { held: notice.entries, reason: notice.reason };
		case 'resumed':
			return { resumed: notice.entries, seconds: notice.seconds };
		case 'undelivered':
			return { undelivered: notice.batch.entries.length };
		default:
			return undefined;
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
	it('contain what arrived together', async () => {
		const bench = new Bench({ batchSize: 100 }).push(1, 2, 3);
		await settle();
		expect(bench.batches).toEqual([[1, 2, 3]]);
		bench.push(4);
		await settle();
		expect(bench.batches).toEqual([[1, 2, 3], [4]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('grow up to their size while all executions are under way', async () => {
		const bench = new Bench({ batchSize: 4, concurrency: 1 }).push(1);
		await settle();
		bench.push(...range(2, 10));
		await bench.end();
		await bench.end();
		await bench.end();
		expect(bench.batches).toEqual([[1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]);
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
		await bench.clock.turn(9_000);
		bench.push({ reportsFrom: START - 9_000 });
		bench.push(5);
		expect(bench.queue.droppedFrom()).toBe(START + 500);
		await bench.clock.turn(500);
		bench.push(6);
		await bench.end();
		expect(bench.queue.droppedFrom()).toBeUndefined();
		expect(bench.told('overflow')).toEqual([
			{ event: 'overflow', dropped: 3, from: START - 9_000, to: START + 9_500 },
		]);
	});

	it('reports a minute of overflow once each ten seconds, although executions end meanwhile', async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 2 }).push(0, 0, 0);
		for (let tenth = 1; tenth <= 600; tenth++) {
			bench.push(tenth, tenth);
			await bench.clock.turn(100);
			if (tenth % 5 === 0) await bench.end();
		}
		await bench.endAll();
		await bench.clock.turn(10_000);
		await bench.endAll();
		expect(bench.told('overflow').length).toBeGreaterThanOrEqual(6);
		expect(bench.told('overflow').length).toBeLessThanOrEqual(8);
		const dropped = bench.told('overflow').reduce((sum, one) => sum + one.dropped, 0);
		const numbers = bench.delivered.filter((entry) => typeof entry === 'number');
		expect(dropped + numbers.length).toBeGreaterThanOrEqual(1203);
		expect(bench.clock.pending).toBe(0);
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
		await bench.clock.turn(10_000);
		bench.push(4, 5, 6);
		await bench.endAll();
		expect(bench.batches).toEqual([[1], [3], [4], [6]]);
		expect(bench.told('overflow').map(({ dropped }) => dropped)).toEqual([1, 1]);
	});

	it('reports what was dropped even if no further batch leaves before the end', async () => {
		const bench = new Bench({ concurrency: 1, bufferLimit: 1 }).push(1, 2, 3, 4);
		await bench.close();
		expect(bench.told('overflow').map(({ dropped }) => dropped)).toEqual([2]);
		expect(bench.told('discarded')).toEqual([{ event: 'discarded', entries: 1, held: false }]);
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
					const buffer = new EntryBuffer<number>(
						limit,
						1e9,
						() => 0,
						(entry) => dropped.push(entry),
					);
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
					buffer.clear();
					expect(buffer.size).toBe(0);
				},
			),
		);
	});

	it.each<[why: string, options: Partial<BatchQueueOptions>, away: boolean]>([
		['every slot is taken', { concurrency: 1 }, false],
		['n8n starts nothing', { concurrency: 1 }, true],
	])('keeps no more weight than allowed while %s', async (_why, options, away) => {
		const bench = new Bench({ bufferBytes: 100, ...options });
		bench.away = away;
		for (const weight of [1, 30, 30, 30, 30, 30]) {
			bench.push(weight);
			await settle();
		}
		expect(bench.queue.droppedFrom()).toBeDefined();
		await bench.close();
		// The first one has a slot, or is tried.
		expect(bench.told('overflow').map(({ dropped }) => dropped)).toEqual([2]);
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
					const buffer = new EntryBuffer<number>(
						1_000,
						100,
						(weight) => weight,
						() => gone++,
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

describe('closing', () => {
	it('hands over what waits, and accepts nothing more', async () => {
		const bench = new Bench({ batchSize: 3 }).push(1, 2);
		const closed = bench.queue.close();
		bench.push(3);
		await closed;
		expect(bench.batches).toEqual([[1, 2]]);
		expect(bench.told('discarded')).toEqual([]);
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
		expect(bench.told('discarded')).toEqual([{ event: 'discarded', entries: 2, held: false }]);
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
			{ held: 2, reason: DOWN },
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
		await bench.end('notStarted');
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.end('notStarted');
		await bench.clock.turn(1000);
		await bench.endAll();
		expect(bench.delivered.filter((entry) => typeof entry === 'number')).toEqual([3, 1, 2, 4, 5]);
	});

	it('is the same batch again, whatever has arrived since', async () => {
		const bench = new Bench({ batchSize: 3, concurrency: 1 });
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
			[{ held: 2, reason: DOWN }, { resumed: 5, seconds: 1 }, 3],
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
		await bench.end('notStarted');
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
			{ held: 2, reason: DOWN },
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
		expect(bench.told('discarded')).toEqual([{ event: 'discarded', entries: 3, held: true }]);
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
		expect(bench.told('discarded')).toEqual([]);
	});

	it('counts as discarded if n8n rejects it after the end', async () => {
		const bench = new Bench().push(1);
		await bench.queue.close();
		await bench.end('notStarted');
		expect(bench.told('discarded')).toEqual([{ event: 'discarded', entries: 1, held: true }]);
	});
});

describe('an execution of which it is unknown what became', () => {
	it('is not repeated; the next ones, which may be lost too, are tried one at a time until one runs', async () => {
		const bench = new Bench({ batchSize: 2, concurrency: 2 });
		bench.push(...range(1, 8));
		await settle();
		expect(bench.batches).toEqual([
			[1, 2],
			[3, 4],
		]);
		await bench.end('unknown');
		await bench.end('unknown');
		expect(bench.batches).toHaveLength(2);
		await bench.clock.turn(1_000);
		expect(bench.batches[2]).toEqual([{ held: 4, reason: DOWN }, 5]);
		await bench.end('unknown');
		await bench.clock.turn(1_999);
		expect(bench.batches).toHaveLength(3);
		await bench.clock.turn(1);
		expect(bench.batches[3]).toEqual([6, 7]);
		await bench.end();
		expect(bench.batches[4]).toEqual([{ resumed: 3, seconds: 3 }, 8]);
		await bench.endAll();
		expect([bench.queue.isEmpty(), bench.queue.unfinished()]).toEqual([true, []]);
	});

	it('holds nothing up if nothing waits', async () => {
		const bench = new Bench().push(1);
		await bench.end('unknown');
		await bench.clock.turn(1_000);
		await bench.endAll();
		await bench.clock.turn(1_000);
		await bench.endAll();
		bench.push(2);
		expect(bench.batches.at(-1)).toEqual([2]);
	});
});

describe('a failed execution', () => {
	const inFailure = async (bench: Bench) => await bench.endAll('failed');

	it('is not repeated by default', async () => {
		const bench = new Bench().push(1);
		await inFailure(bench);
		await bench.clock.turn(3_600_000);
		expect(bench.batches).toEqual([[1]]);
		expect(bench.notices).toEqual([]);
	});

	it('is repeated with the same entries after 30 s, then twice as late each time, while others go on', async () => {
		const bench = new Bench({ retryFailed: 2, batchSize: 2 }).push(1, 2);
		await inFailure(bench);
		await bench.clock.turn(29_999);
		expect(bench.batches).toHaveLength(1);
		bench.push(3);
		await settle();
		await bench.clock.turn(1);
		expect(bench.batches.slice(1)).toEqual([[3], [1, 2]]);
		await bench.end();
		await inFailure(bench);
		await bench.clock.turn(59_999);
		expect(bench.batches).toHaveLength(3);
		await bench.clock.turn(1);
		await bench.endAll();
		expect(bench.delivered).toEqual([3, 1, 2]);
		expect(bench.notices).toEqual([]);
		expect(bench.queue.isEmpty()).toBe(true);
	});

	it('is given up after the last repetition, and reported once', async () => {
		const bench = new Bench({ retryFailed: 10 }).push(1);
		for (let minute = 0; minute < 120; minute++) {
			if (bench.batches.at(-1)?.[0] === 1) await inFailure(bench);
			await bench.clock.turn(60_000);
		}
		await bench.endAll();
		expect(bench.batches.filter(([entry]) => entry === 1)).toHaveLength(11);
		expect(bench.told('undelivered')).toMatchObject([{ reason: DOWN, batch: { failures: 11 } }]);
		expect(bench.delivered).toEqual([{ undelivered: 1 }]);
	});

	it('waits for its repetition with a bounded weight: the oldest ones are given up', async () => {
		const bench = new Bench({ retryFailed: 1, bufferBytes: 100 }).push(40, 41, 42);
		await inFailure(bench);
		expect(bench.told('undelivered')).toMatchObject([{ batch: { entries: [40] } }]);
	});

	it('is tried once more when the queue closes, and then given up', async () => {
		const bench = new Bench({ retryFailed: 5 }).push(1, 2);
		await inFailure(bench);
		const closed = bench.close();
		await settle();
		await bench.end();
		await bench.end('failed');
		await closed;
		expect(bench.delivered).toEqual([1]);
		expect(bench.told('undelivered')).toMatchObject([{ batch: { entries: [2] } }]);
		expect(bench.clock.pending).toBe(0);
	});

	it('has started, so it ends a time without executions', async () => {
		const bench = new Bench();
		bench.away = true;
		bench.push(1);
		await settle();
		bench.away = false;
		await bench.clock.turn(1_000);
		await bench.end('failed');
		expect(bench.told('resumed')).toHaveLength(1);
	});
});

describe('what has not been finished', () => {
	it('is in progress, is tried again, or waits', async () => {
		const bench = new Bench({ concurrency: 1, retryFailed: 1 });
		expect(bench.queue.isEmpty()).toBe(true);
		bench.push(1);
		await bench.clock.turn(100);
		expect(bench.queue.isEmpty()).toBe(true);
		bench.push(2);
		await settle();
		expect(bench.queue.isEmpty()).toBe(false);
		expect(bench.queue.unfinished()).toMatchObject([{ since: START, first: 1 }]);
		expect(bench.queue.waiting().since).toBe(START + 100);
		await bench.end('failed');
		expect(bench.queue.again()).toMatchObject([{ first: 1 }]);
		await bench.end();
		expect(bench.queue.isEmpty()).toBe(false);
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
						fc.constantFrom('end', 'notStarted', 'away', 'back'),
						fc.integer({ min: 1, max: 40_000 }).map((ms) => ({ turn: ms })),
					),
					{ maxLength: 60 },
				),
				async (batchSize, concurrency, steps) => {
					const bench = new Bench({ batchSize, concurrency });
					bench.report = false;
					let pushed = 0;
					for (const step of steps) {
						if (step === 'away' || step === 'back') bench.away = step === 'away';
						else if (step === 'end' || step === 'notStarted') {
							if (bench.inFlight > 0) await bench.end(step === 'end' ? 'ended' : step);
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
					expect([bench.queue.isEmpty(), bench.queue.unfinished()]).toEqual([true, []]);
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
				fc.array(
					fc.oneof(
						fc.integer({ min: 1, max: 20 }).map((count) => ({ push: count })),
						fc.constant('end' as const),
						fc.integer({ min: 1, max: 2000 }).map((ms) => ({ turn: ms })),
					),
					{ maxLength: 40 },
				),
				async (batchSize, concurrency, steps) => {
					const bench = new Bench({ batchSize, concurrency });
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
