// Batches, the limit of executions, the bounded buffer, and batches that are tried again, on a fake clock.

import fc from 'fast-check';
import {
	BatchQueue,
	type BatchResult,
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

type Outcome = BatchResult['outcome'];

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
		answer(answer: BatchResult): void;
		over: boolean;
	}> = [];

	/** @param weigh by default an entry weighs 1 */
	constructor(
		{ slots = 10, ...options }: Partial<BatchQueueOptions> & { slots?: number } = {},
		weigh: (entry: Entry) => number = () => 1,
	) {
		this.queue = new BatchQueue<Entry>(
			{
				batchSize: 1,
				bufferBytes: 1e9,
				retryFailed: 0,
				...options,
			},
			{
				start: async ({ entries }) => {
					this.batches.push(entries);
					this.note(entries.map(shown).join(' '));
					if (this.away) return { outcome: 'notStarted', reason: DOWN };
					this.most = Math.max(this.most, this.inFlight + 1);
					return await new Promise<BatchResult>((answer) => {
						this.runs.push({ entries, answer, over: false });
					});
				},
				handedOver: async () => {},
				slots: () => slots,
				weigh,
				missingSince: (entries) =>
					Math.min(
						...entries.map((entry) =>
							typeof entry === 'object' && 'reportsFrom' in entry ? entry.reportsFrom : Infinity,
						),
					),
				report: (notice) => {
					this.notices.push(notice);
					if (notice.event === 'discarded' || notice.event === 'overflow')
						this.note(
							notice.event === 'overflow'
								? `lost ${notice.dropped}`
								: `left ${notice.entries.length}`,
						);
					if (notice.event === 'undelivered')
						this.note(`given up ${notice.batch.entries.join(' ')}`);
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

	/** What was handed over and reported, in order. */
	readonly told: string[] = [];

	note(what: string): void {
		this.told.push(`${this.clock.now() - START} ${what}`);
	}

	notes<E extends Notice<Entry>['event']>(event: E) {
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

/** An entry as text: of an object, its values. */
const shown = (entry: Entry) =>
	typeof entry === 'number' ? String(entry) : `(${Object.entries(entry).flat().join(' ')})`;

const OUTCOMES: Record<string, Outcome> = {
	end: 'ended',
	reject: 'notStarted',
	fail: 'failed',
	unknown: 'unknown',
};

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * Options (batch size, executions at once, limit of the buffer for entries of the same weight or of their own,
 * repetitions), what happens, and the batches that are
 * handed over, each with its millisecond. A number is a time that passes, "-" none.
 */
const CASES = `
// Each execution starts at once, up to the limit, and the next ones in order as these end.
c=2 | push 1..4 → 0 1; 0 2; idle
c=1 | push 1..3, end, end → 0 1; 0 2; 0 3; idle
// A batch contains what arrived together, or while all executions were under way.
b=100 | push 1..3, -, push 4, - → 0 1 2 3; 0 4; idle
b=4 c=1 | push 1, -, push 2..10, end, end, end → 0 1; 0 2 3 4 5; 0 6 7 8 9; 0 10; idle
// The oldest entries beyond the limit of the buffer are dropped, and reported where they are missing.
c=1 l=3 | push 1..4, 500, push 5, 500, push 6..7, endAll → 0 1; 1000 lost 3; 1000 (dropped 3); 1000 5; 1000 6; 1000 7; idle
b=2 c=1 l=3 | push 1..2, push 3..6, end, end → 0 1 2; 0 lost 1; 0 (dropped 1) 4; 0 5 6; idle
c=1 l=1 silent | push 1..3, endAll, 10000, push 4..6, endAll → 0 1; 0 lost 1; 0 3; 10000 4; 10000 lost 1; 10000 6; idle
c=1 l=1 | push 1..4, close, 3000 → 0 1; 0 lost 2; 3000 left 2; 3000 closed; idle
c=1 w=100 silent | push 1, -, push 30, -, push 30, -, push 30, -, push 30, -, push 30, -, close, 3000 → 0 1; 0 lost 2; 3000 left 3; 3000 closed; idle
c=1 w=100 silent | away, push 1, -, push 30, -, push 30, -, push 30, -, push 30, -, push 30, close, 3000 → 0 1; 0 lost 2; 0 1; 2000 1; 3000 left 4; 3000 closed; idle
// Closing hands over what waits, in order and within the limit, for three seconds, and accepts nothing more.
b=3 | push 1..2, close, push 3, - → 0 1 2; 0 closed; idle
b=2 c=1 | push 1..5, close, -, end, end, - → 0 1 2; 0 3 4; 0 5; 0 closed; idle
c=1 | push 1..3, close, 2999, 1, end → 0 1; 3000 left 2; 3000 closed; idle
c=1 | push 1, close, close, - → 0 1; 0 closed; 0 closed; idle
// What n8n could not start stays at the head and is tried alone, later and later, until n8n starts it.
c=3 | away, push 1..4, 999, 1, 2000, back, 4000, endAll → 0 1; 0 2; 0 3; 1000 1; 3000 1; 7000 1; 7000 2; 7000 3; 7000 (held 2 reason the database is down); 7000 (resumed 4 seconds 7); 7000 4; idle
c=3 silent | push 1..5, reject, reject, 1000, endAll → 0 1; 0 2; 0 3; 1000 1; 1000 2; 1000 4; 1000 5; idle
b=3 c=1 | away, push 1..2, -, push 3..5, back, 1000, endAll → 0 1 2; 1000 1 2; 1000 (held 2 reason the database is down) (resumed 5 seconds 1) 3; 1000 4 5; idle
c=1 | push 1, end, 3600000 → 0 1; idle
c=2 silent | away, push 1..3, -, back, 1000, 30000, reject, end, 1000, endAll → 0 1; 0 2; 1000 1; 31000 2; 32000 1; 32000 3; idle
c=1 l=2 | away, push 1..2, -, push 3..5, back, 1000, endAll → 0 1; 1000 1; 1000 lost 2; 1000 (held 2 reason the database is down); 1000 (resumed 3 seconds 1); 1000 (dropped 2); 1000 4; 1000 5; idle
c=2 | away, push 1..3, -, close, -, 3000 → 0 1; 0 2; 0 1; 2000 1; 3000 left 3; 3000 closed; idle
c=1 silent | away, push 1..2, -, back, close, -, endAll → 0 1; 0 1; 0 2; 0 closed; idle
c=1 | push 1, close, -, reject → 0 1; 0 closed; 0 left 1; idle
// What may be lost is not repeated; the next ones are tried one at a time until one runs.
b=2 c=2 | push 1..8, -, unknown, unknown, 1000, unknown, 1999, 1, end, endAll → 0 1 2; 0 3 4; 1000 5 6; 3000 7 8; 3000 (held 4 reason the database is down) (resumed 2 seconds 3); idle
// With nothing to hand over, a report is the try; if that is lost too, the next entry is, and no report is one alone.
c=1 | push 1, unknown, 1000, end, endAll → 0 1; 1000 (held 0 reason the database is down); 1000 (resumed 1 seconds 1); idle
c=1 | push 1, unknown, 1000, unknown, 3600000, push 2, -, unknown, 3600000, push 3, -, end, endAll → 0 1; 1000 (held 0 reason the database is down); 3601000 2; 7201000 3; 7201000 (resumed 1 seconds 7201); idle
c=1 | push 1, unknown, 500, close, - → 0 1; 500 closed; idle
c=1 | push 1, unknown, 1000, push 2, -, close, -, end, endAll → 0 1; 1000 (held 0 reason the database is down); 1000 (resumed 2 seconds 1); 1000 2; 1000 closed; idle
// A failed execution is repeated on request, after 30 s and then twice as late, while others go on.
c=1 | push 1, fail, 3600000 → 0 1; idle
r=2 b=2 | push 1..2, fail, 29999, push 3, -, 1, end, fail, 59999, 1, endAll → 0 1 2; 29999 3; 30000 1 2; 90000 1 2; idle
r=1 w=100 | push 40..42, fail, fail, fail → 0 40; 0 41; 0 42; 0 given up 40; 0 (undelivered 1)
r=5 | push 1..2, fail, fail, close, -, end, fail, 3000 → 0 1; 0 2; 0 1; 0 2; 0 closed; 0 given up 2; idle
c=1 | away, push 1, -, back, 1000, fail, endAll → 0 1; 1000 1; 1000 (held 1 reason the database is down); 1000 (resumed 1 seconds 1); idle`;

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const names = {
		b: 'batchSize',
		c: 'slots',
		...{ l: 'bufferBytes', w: 'bufferBytes' },
		r: 'retryFailed',
	};
	const options = given.split(' ').map((one) => one.split('='));
	const bench = new Bench(
		Object.fromEntries(
			options.map(([name, value]) => [names[name as keyof typeof names], Number(value)]),
		),
		given.includes('w=') ? (entry) => Number(entry) : undefined,
	);
	bench.report = !given.endsWith('silent');
	for (const step of steps.split(', ')) {
		const [what = '', numbers = ''] = step.split(' ');
		const [from = 0, to = from] = numbers.split('..').map(Number);
		if (what === 'push') bench.push(...range(from, to));
		else if (what === 'away' || what === 'back') bench.away = what === 'away';
		else if (what === 'close') void bench.queue.close().then(() => bench.note('closed'));
		else if (what === 'endAll') await bench.endAll();
		else if (what === '-') await settle();
		else if (/^\d/.test(what)) await bench.clock.turn(Number(what));
		else await bench.end(OUTCOMES[what]);
	}
	// Whether nothing is left that it waits for.
	if (bench.clock.pending === 0) bench.told.push('idle');
	expect(bench.told.join('; ')).toBe(expected);
});

it('an overflow tells when the dropped entries had arrived, and includes the time that a dropped report was about', async () => {
	const bench = new Bench({ slots: 1, bufferBytes: 2 }).push(1);
	await bench.clock.turn(500);
	bench.push(2, 3);
	await bench.clock.turn(9_000);
	bench.push({ reportsFrom: START - 9_000 });
	bench.push(5);
	expect(bench.queue.unreportedSince()).toBe(START + 500);
	await bench.clock.turn(500);
	bench.push(6);
	await bench.end();
	expect(bench.queue.unreportedSince()).toBe(Infinity);
	expect(bench.notes('overflow')).toEqual([
		{ event: 'overflow', dropped: 3, from: START - 9_000, to: START + 9_500 },
	]);
});

it('what a dropped report was about is in the backlog until a batch has ended that reports it', async () => {
	const clock = new HandClock();
	let end: (result: BatchResult) => void = () => {};
	const queue = new BatchQueue<{ from: number }>(
		{ batchSize: 1, bufferBytes: 1, retryFailed: 0 },
		{
			start: async () => await new Promise<BatchResult>((resolve) => (end = resolve)),
			handedOver: async () => {},
			slots: () => 1,
			weigh: () => 1,
			missingSince: (entries) => Math.min(...entries.map(({ from }) => from)),
			report: (notice) => (notice.event === 'overflow' ? { from: notice.from } : undefined),
		},
		clock,
	);
	for (const from of [Infinity, START - 9_000, Infinity]) queue.push({ from });
	expect(queue.backlog().missingSince).toBe(START - 9_000);
	await clock.turn(10_000);
	expect(queue.backlog().missingSince).toBe(START - 9_000);
	end({ outcome: 'ended' });
	await settle();
	expect(queue.backlog().missingSince).toBe(START - 9_000);
	end({ outcome: 'ended' });
	await settle();
	expect(queue.backlog().missingSince).toBe(Infinity);
});

it('a minute of overflow is reported once each ten seconds, although executions end meanwhile', async () => {
	const bench = new Bench({ slots: 1, bufferBytes: 2 }).push(0, 0, 0);
	for (let tenth = 1; tenth <= 600; tenth++) {
		bench.push(tenth, tenth);
		await bench.clock.turn(100);
		if (tenth % 5 === 0) await bench.end();
	}
	await bench.endAll();
	await bench.clock.turn(10_000);
	await bench.endAll();
	expect(bench.notes('overflow').length).toBeGreaterThanOrEqual(6);
	expect(bench.notes('overflow').length).toBeLessThanOrEqual(8);
	const dropped = bench.notes('overflow').reduce((sum, one) => sum + one.dropped, 0);
	const numbers = bench.delivered.filter((entry) => typeof entry === 'number');
	expect(dropped + numbers.length).toBeGreaterThanOrEqual(1203);
	expect(bench.clock.pending).toBe(0);
});

it('what is dropped while executions can not be started for an hour is one report', async () => {
	const bench = new Bench({ slots: 1, bufferBytes: 2 });
	bench.report = true;
	bench.away = true;
	for (let second = 0; second < 3_600; second++) {
		bench.push(second);
		await bench.clock.turn(1_000);
	}
	bench.away = false;
	for (let minute = 0; minute < 2; minute++) {
		await bench.clock.turn(60_000);
		await bench.endAll();
	}
	const reports = bench.delivered.filter(
		(entry) => typeof entry === 'object' && 'dropped' in entry,
	);
	const numbers = bench.delivered.filter((entry) => typeof entry === 'number');
	expect(reports).toEqual([{ dropped: 3_600 - numbers.length }]);
	expect(numbers.length).toBeLessThan(10);
});

it('a batch is retried as long as necessary, in the end every 15 to 30 s', async () => {
	const bench = new Bench({ slots: 1 });
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

it('a failed batch is given up after the last repetition, and reported once', async () => {
	const bench = new Bench({ retryFailed: 10 }).push(1);
	for (let minute = 0; minute < 120; minute++) {
		if (bench.batches.at(-1)?.[0] === 1) await bench.endAll('failed');
		await bench.clock.turn(60_000);
	}
	await bench.endAll();
	expect(bench.batches.filter(([entry]) => entry === 1)).toHaveLength(11);
	expect(bench.notes('undelivered')).toMatchObject([{ reason: DOWN, batch: { failures: 11 } }]);
	expect(bench.delivered).toEqual([{ undelivered: 1 }]);
});

it('what has not been finished is in progress, is tried again, or waits', async () => {
	const bench = new Bench({ slots: 1, retryFailed: 1 });
	expect(bench.queue.isEmpty()).toBe(true);
	bench.push(1);
	await bench.clock.turn(100);
	expect(bench.queue.isEmpty()).toBe(true);
	bench.push(2);
	await settle();
	expect(bench.queue.isEmpty()).toBe(false);
	expect(bench.queue.backlog().since).toBe(START);
	await bench.end('failed');
	expect(bench.queue.backlog().since).toBe(START);
	await bench.end();
	expect(bench.queue.isEmpty()).toBe(false);
});

it('the buffer is a queue, whatever is put in and taken out', () => {
	fc.assert(
		fc.property(
			fc.array(fc.oneof(fc.constant('push'), fc.integer({ min: 1, max: 30 })), {
				maxLength: 300,
			}),
			(steps) => {
				const buffer = new EntryBuffer<number>(Infinity, () => 1);
				let model: number[] = [];
				let next = 0;
				for (const step of steps) {
					if (step === 'push') {
						model.push(next);
						buffer.push(next, next);
						next++;
					} else {
						const count = step;
						expect(buffer.take(count)).toEqual(model.slice(0, count));
						model = model.slice(count);
					}
					expect(buffer.size).toBe(model.length);
					expect(buffer.oldestAt).toBe(model[0]);
				}
				buffer.take(Infinity);
				expect(buffer.size).toBe(0);
			},
		),
	);
});

it('the buffer keeps no more weight than allowed, whatever comes and goes', () => {
	fc.assert(
		fc.property(
			fc.array(fc.oneof(fc.nat({ max: 60 }), fc.constant('take'), fc.constant('limit')), {
				maxLength: 300,
			}),
			(steps) => {
				let sent = 0;
				let gone = 0;
				const buffer = new EntryBuffer<number>(100, (weight) => weight);
				for (const step of steps) {
					if (step === 'take') gone += buffer.take(3).length;
					else if (step === 'limit') gone += buffer.limitWeight().length;
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
					const bench = new Bench({ batchSize, slots: concurrency });
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
					expect(bench.queue.isEmpty()).toBe(true);
					expect(bench.queue.backlog()).toEqual({ since: Infinity, missingSince: Infinity });
				},
			),
			{ numRuns: 300 },
		);
	});
});
