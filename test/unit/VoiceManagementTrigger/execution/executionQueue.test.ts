// Batches, what is in flight, the bounded buffer: on a clock turned by hand.

import fc from 'fast-check';
import { RingBuffer } from '../../../../nodes/VoiceManagementTrigger/execution/ringBuffer';
import {
	Outlet,
	type OutletOptions,
	type Overflow,
} from '../../../../nodes/VoiceManagementTrigger/execution/executionQueue';
import { HandClock, settle, START } from '../../../support/world';

type Entry = number | { dropped: number };

class Bench {
	readonly clock = new HandClock();
	/** Batches in the order in which they were started. */
	readonly batches: Entry[][] = [];
	readonly failures: number[] = [];
	readonly overflows: Overflow[] = [];
	readonly abandoned: number[] = [];
	leasesEnded = 0;
	/** How the next starts go wrong. */
	startThrows = false;
	tellOverflow = true;
	most = 0;
	readonly outlet: Outlet<Entry>;
	private readonly ends: Array<{ resolve(): void; reject(error: Error): void; over: boolean }> = [];

	constructor(options: Partial<OutletOptions> = {}) {
		this.outlet = new Outlet<Entry>(
			{
				batchSize: 1,
				batchIntervalMs: 1000,
				maxInFlight: 10,
				bufferLimit: 1000,
				leaseMs: 3_600_000,
				flushMs: 3000,
				...options,
			},
			{
				start: (batch) => {
					if (this.startThrows) throw new Error('not active');
					this.batches.push(batch);
					this.most = Math.max(this.most, this.inFlight + 1);
					return new Promise<void>((resolve, reject) => {
						this.ends.push({ resolve, reject, over: false });
					});
				},
				overflowed: (overflow) => {
					this.overflows.push(overflow);
					return this.tellOverflow ? { dropped: overflow.dropped } : undefined;
				},
				failed: (entries) => void this.failures.push(entries),
				leaseEnded: () => void this.leasesEnded++,
				abandoned: (entries) => void this.abandoned.push(entries),
			},
			this.clock,
		);
	}

	get inFlight(): number {
		return this.ends.filter(({ over }) => !over).length;
	}

	push(...entries: Entry[]): this {
		for (const entry of entries) this.outlet.push(entry);
		return this;
	}

	/** Ends the oldest execution. */
	async end(how: 'resolve' | 'reject' = 'resolve'): Promise<void> {
		const end = this.ends.find(({ over }) => !over);
		if (!end) throw new Error('nothing is under way');
		end.over = true;
		if (how === 'resolve') end.resolve();
		else end.reject(new Error('could not be started'));
		await settle();
	}

	async endAll(): Promise<void> {
		while (this.inFlight > 0) await this.end();
	}
}

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('single items', () => {
	it('start one execution each, at once, up to the bound', () => {
		const bench = new Bench({ maxInFlight: 2 }).push(1, 2, 3, 4);
		expect(bench.batches).toEqual([[1], [2]]);
		expect(bench.outlet.load()).toEqual({ waiting: 2, inFlight: 2 });
	});

	it('follow in order as executions end', async () => {
		const bench = new Bench({ maxInFlight: 1 }).push(1, 2, 3);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2]]);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2], [3]]);
	});

	it('follow also when an execution could not be started', async () => {
		const bench = new Bench({ maxInFlight: 1 }).push(1, 2);
		await bench.end('reject');
		expect(bench.batches).toEqual([[1], [2]]);
	});

	it('are counted as failed where emit throws, and the next ones still leave', () => {
		const bench = new Bench({ maxInFlight: 1 });
		bench.startThrows = true;
		bench.push(1, 2);
		bench.startThrows = false;
		bench.push(3);
		expect(bench.failures).toEqual([1, 1]);
		expect(bench.batches).toEqual([[3]]);
	});
});

describe('batches', () => {
	it('leave when they are full', () => {
		const bench = new Bench({ batchSize: 3 }).push(1, 2);
		expect(bench.batches).toEqual([]);
		bench.push(3, 4);
		expect(bench.batches).toEqual([[1, 2, 3]]);
	});

	it('leave incomplete when the first entry has waited for the interval', async () => {
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

	it('take what came together where there is no interval', async () => {
		const bench = new Bench({ batchSize: 100, batchIntervalMs: 0 }).push(1, 2, 3);
		await settle();
		expect(bench.batches).toEqual([[1, 2, 3]]);
		bench.push(4);
		await settle();
		expect(bench.batches).toEqual([[1, 2, 3], [4]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('grow up to their size while all executions are under way', async () => {
		const bench = new Bench({ batchSize: 4, batchIntervalMs: 0, maxInFlight: 1 }).push(1);
		await settle();
		bench.push(...range(2, 10));
		await bench.end();
		await bench.end();
		await bench.end();
		expect(bench.batches).toEqual([[1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]);
	});

	it('wait no longer than one interval where the clock is set back', async () => {
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
	it('drops the oldest beyond its limit, counts them, and says so where they are missing', async () => {
		const bench = new Bench({ maxInFlight: 1, bufferLimit: 3 }).push(1, 2, 3, 4);
		await bench.clock.turn(500);
		bench.push(5);
		await bench.clock.turn(500);
		bench.push(6, 7);
		await bench.endAll();
		expect(bench.batches).toEqual([[1], [{ dropped: 3 }], [5], [6], [7]]);
		expect(bench.overflows).toEqual([{ dropped: 3, from: START + 500, to: START + 1000 }]);
	});

	it('puts the report at the head of a batch without making it too large', async () => {
		const bench = new Bench({ batchSize: 2, maxInFlight: 1, bufferLimit: 3 }).push(1, 2);
		bench.push(3, 4, 5, 6);
		await bench.end();
		expect(bench.batches).toEqual([
			[1, 2],
			[{ dropped: 1 }, 4],
		]);
		await bench.end();
		expect(bench.batches[2]).toEqual([5, 6]);
	});

	it('reports each overflow once, also where no item is wanted', async () => {
		const bench = new Bench({ maxInFlight: 1, bufferLimit: 1 });
		bench.tellOverflow = false;
		bench.push(1, 2, 3);
		await bench.endAll();
		bench.push(4, 5, 6);
		await bench.endAll();
		expect(bench.batches).toEqual([[1], [3], [4], [6]]);
		expect(bench.overflows.map(({ dropped }) => dropped)).toEqual([1, 1]);
	});

	it('is a queue, whatever is put in and taken out, and never holds more than its limit', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.array(fc.oneof(fc.constant('push'), fc.integer({ min: 1, max: 30 })), {
					maxLength: 300,
				}),
				(limit, steps) => {
					const buffer = new RingBuffer<number>(limit);
					let model: number[] = [];
					let next = 0;
					for (const step of steps) {
						if (step === 'push') {
							model.push(next);
							expect(buffer.push(next, next)).toBe(model.length > limit);
							if (model.length > limit) model.shift();
							next++;
						} else {
							const count = step as number;
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
});

describe('executions that never tell their end', () => {
	it('give their places back after the lease, so that the trigger is not silently dead', async () => {
		const bench = new Bench({ maxInFlight: 2, leaseMs: 60_000 }).push(1, 2, 3, 4);
		await bench.clock.turn(59_999);
		expect(bench.batches).toHaveLength(2);
		await bench.clock.turn(1);
		expect(bench.batches).toEqual([[1], [2], [3], [4]]);
		expect(bench.leasesEnded).toBe(2);
	});

	it('count from their own start, and an end after the lease frees nothing twice', async () => {
		const bench = new Bench({ maxInFlight: 2, leaseMs: 60_000 }).push(1);
		await bench.clock.turn(30_000);
		bench.push(2, 3, 4, 5);
		await bench.clock.turn(30_000);
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2], [3]]);
		await bench.end();
		expect(bench.batches).toEqual([[1], [2], [3], [4]]);
	});

	it('need no timer as long as there are places', () => {
		expect(new Bench({ maxInFlight: 2 }).push(1, 2).clock.pending).toBe(0);
	});
});

describe('closing', () => {
	it('hands over what waits, incomplete batches too, and takes nothing more', async () => {
		const bench = new Bench({ batchSize: 3 }).push(1, 2);
		const closed = bench.outlet.close();
		bench.push(3);
		await closed;
		expect(bench.batches).toEqual([[1, 2]]);
		expect(bench.abandoned).toEqual([]);
		expect(bench.clock.pending).toBe(0);
	});

	it('waits for places, in order and within the bound', async () => {
		const bench = new Bench({ maxInFlight: 1, batchSize: 2 }).push(1, 2, 3, 4, 5);
		let over = false;
		const closed = bench.outlet.close().then(() => (over = true));
		await settle();
		expect(bench.batches).toEqual([[1, 2]]);
		await bench.end();
		expect(over).toBe(false);
		await bench.end();
		await closed;
		expect(bench.batches).toEqual([[1, 2], [3, 4], [5]]);
		expect(bench.most).toBe(1);
	});

	it('ends in bounded time and says how many entries no execution took', async () => {
		const bench = new Bench({ maxInFlight: 1, flushMs: 3000 }).push(1, 2, 3);
		let over = false;
		void bench.outlet.close().then(() => (over = true));
		await bench.clock.turn(2999);
		expect(over).toBe(false);
		await bench.clock.turn(1);
		expect(over).toBe(true);
		expect(bench.abandoned).toEqual([2]);
		await bench.end();
		expect(bench.batches).toEqual([[1]]);
		expect(bench.clock.pending).toBe(0);
	});

	it('can be asked for twice', async () => {
		const bench = new Bench().push(1);
		await Promise.all([bench.outlet.close(), bench.outlet.close()]);
		expect(bench.batches).toEqual([[1]]);
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
				async (batchSize, maxInFlight, batchIntervalMs, steps) => {
					const bench = new Bench({ batchSize, maxInFlight, batchIntervalMs });
					let pushed = 0;
					for (const step of steps) {
						if (step === 'end') {
							if (bench.inFlight > 0) await bench.end();
						} else if ('push' in step) {
							bench.push(...range(pushed + 1, pushed + step.push));
							pushed += step.push;
						} else await bench.clock.turn(step.turn);
					}
					const closed = bench.outlet.close();
					await settle();
					await bench.endAll();
					await closed;
					expect(bench.batches.flat()).toEqual(range(1, pushed));
					expect(bench.most).toBeLessThanOrEqual(maxInFlight);
					for (const batch of bench.batches) expect(batch.length).toBeLessThanOrEqual(batchSize);
				},
			),
			{ numRuns: 200 },
		);
	});
});
