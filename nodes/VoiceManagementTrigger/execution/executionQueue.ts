// Passes entries to executions: batches, a limit for concurrent executions, and a bounded buffer for entries that
// have to wait. n8n starts whatever a trigger emits at once, and a thousand executions at once bring it down, so this
// queue waits for the end of each execution and lets batches grow while it is behind. A batch that n8n could not
// start stays here.

import { jitteredDelay } from '../feed/state/backoff';
import { watched } from '../feed/clock';
import type { Clock } from '../feed/types';
import { RingBuffer } from './ringBuffer';

export interface ExecutionQueueOptions {
	/** Maximum number of items per execution. */
	batchSize: number;
	/** How long an incomplete batch waits for more, in milliseconds; 0 = not at all. */
	batchIntervalMs: number;
	/** Maximum number of concurrent executions. */
	concurrency: number;
	/** Maximum number of waiting entries; beyond it the oldest are dropped. */
	bufferLimit: number;
	/** Maximum weight of all waiting entries; unlimited if omitted. */
	bufferBytes?: number;
	/** After this long, an execution that has not reported its end frees its slot (milliseconds). */
	executionTimeoutMs: number;
	/** How long `close` waits for slots to hand over what is buffered (milliseconds). */
	flushMs: number;
}

/** The entries of one execution. Each try to start it passes the same object. */
export interface Batch<T> {
	/** Counts up from 1. */
	readonly number: number;
	readonly entries: readonly T[];
	/** When its oldest entry arrived, milliseconds since 1970. */
	readonly since: number;
	/** When it was put together, milliseconds since 1970: its newest entry had arrived by then. */
	readonly until: number;
	/** Its first entry that arrived through `push`; undefined if it has none. */
	readonly first: T | undefined;
}

/** What was dropped because the buffer was full. */
export interface Overflow {
	dropped: number;
	/**
	 * When the first dropped entry arrived, or the beginning of what a dropped report is about; milliseconds since
	 * 1970.
	 */
	from: number;
	/** When the last dropped entry arrived. */
	to: number;
}

/**
 * What happened to an execution that was started: `ended` in any way, or `unseen`: n8n failed it outside of its
 * nodes, and would fail the next ones too.
 */
export type Fate = 'ended' | 'unseen';

export interface ExecutionQueueCallbacks<T> {
	/**
	 * Starts one execution with a batch.
	 * @returns resolves when the execution has ended; rejects if n8n could not start it
	 */
	start(batch: Batch<T>): Promise<Fate>;
	/** The weight of a waiting entry, counted towards `bufferBytes`. */
	weigh?(entry: T): number;
	/** When the events that an entry reports begin, if that is before the entry arrived; milliseconds since 1970. */
	reportsFrom?(entry: T): number | undefined;
	/**
	 * The buffer had to drop entries: called when the next batch can leave, or at the end; the returned entry becomes
	 * the first of that batch.
	 */
	overflowed(overflow: Overflow): T | undefined;
	/**
	 * n8n can't start executions. `entries` have been waiting since `since`. The returned entry becomes the first of
	 * the next new batch.
	 */
	held(hold: { entries: number; since: number; reason: string }): T | undefined;
	/**
	 * n8n can start executions again, after `seconds`, and gets the `entries` that waited. Return value as for `held`.
	 */
	resumed(end: { entries: number; seconds: number }): T | undefined;
	/** Whether n8n may have lost a batch instead of starting its execution. */
	mayBeLost(batch: Batch<T>): boolean;
	/** Whether n8n may never report the end of an execution that was running while its database was away. */
	mayNeverReport(): boolean;
	/** Whether n8n's database responds: called while executions run for long that may never report their end. */
	databaseAnswers(): Promise<boolean>;
	/**
	 * An execution has not reported its end in time: its slot is free again.
	 * @param inDoubt it was running while n8n's database was away, and it is unknown what happened to it
	 */
	timedOut(batch: Batch<T>, inDoubt: boolean): void;
	/** Entries that were still waiting when the queue closed; `held` if n8n could not start executions. */
	discarded(entries: number, held: boolean): void;
	/** 0 to 1, for the jitter. */
	random(): number;
}

/** The waits between two tries of a batch that n8n could not start: 1 to 2 s at first, up to 15 to 30 s. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
/** A try that n8n has not rejected after this time has started: n8n gives up waiting for its database after 20 s. */
const STARTED_AFTER_MS = 30_000;

const UNSEEN_REASON = 'an execution failed outside of its nodes';

/** How often to check executions that run for long. */
const LOOK_EVERY_MS = 5_000;
/**
 * n8n never reports the end of an execution that it could not read from its database (queue mode). This long after
 * the database has come back, an earlier execution has reported its end or never will.
 */
const REPORT_AFTER_OUTAGE_MS = 2 * 60_000;

interface Slot<T> {
	batch: Batch<T>;
	startedAt: number;
	/** When to stop waiting for it. */
	deadline: number;
	/** It was running while n8n's database was away. */
	inDoubt?: true;
}

/** While n8n can't start executions. */
interface Hold<T> {
	since: number;
	tries: number;
	/** The only batch that is being tried. */
	probe?: Slot<T>;
	/** Cancels the next try, or the wait for the end of this one. */
	cancel: () => void;
}

/** An entry, and when it arrived. */
export interface Waiting<T> {
	at: number;
	entry: T;
}

function oldestOf<T>(batches: ReadonlyArray<Batch<T>>): Waiting<T> | undefined {
	// A batch that contains only reports has no entry.
	const [oldest] = batches
		.filter(({ first }) => first !== undefined)
		.sort((a, b) => a.number - b.number);
	return oldest && { at: oldest.since, entry: oldest.first as T };
}

/** Hands entries to n8n in order. */
export class ExecutionQueue<T> {
	private readonly waiting: RingBuffer<T>;
	/** Batches that n8n could not start, by number. */
	private readonly unstarted: Array<Batch<T>> = [];
	/**
	 * An array: if slots were added to a Set and deleted from it all the time, each table that V8 replaced would refer to
	 * the next one, and batches that have ended would stay in memory until a full garbage collection.
	 */
	private readonly running: Array<Slot<T>> = [];
	/** Entries from `held` and `resumed`, ahead of the next new batch. */
	private readonly notices: T[] = [];
	private hold: Hold<T> | undefined;
	private batches = 0;
	private overflow: Overflow | undefined;
	private drainSoon = false;
	private intervalOver = false;
	private cancelInterval: (() => void) | undefined;
	private cancelLook: (() => void) | undefined;
	/** n8n's database was away while executions ran. */
	private databaseWasAway = false;
	private closing: Promise<void> | undefined;
	private onDrained: (() => void) | undefined;
	private closed = false;
	private readonly clock: Clock;

	constructor(
		private readonly options: ExecutionQueueOptions,
		private readonly callbacks: ExecutionQueueCallbacks<T>,
		clock: Clock,
	) {
		this.clock = watched(clock, (ms) => this.setBack(ms));
		this.waiting = new RingBuffer<T>(
			options.bufferLimit,
			(entry, at) => this.drop(entry, at),
			options.bufferBytes,
			(entry) => callbacks.weigh?.(entry) ?? 0,
		);
	}

	/** Adds an entry; entries leave in the order of arrival. Ignored after `close`. */
	push(entry: T): void {
		if (this.closing) return;
		this.waiting.push(entry, this.clock.now());
		if (!this.hold) {
			if (this.waiting.size >= this.fullBatch) return this.drain();
			if (this.options.batchIntervalMs === 0) return this.drainAfterThisTick();
			this.armInterval();
		}
		this.waiting.limitWeight();
	}

	private drop(entry: T, at: number): void {
		const from = this.callbacks.reportsFrom?.(entry) ?? at;
		const { overflow } = this;
		this.overflow = {
			dropped: (overflow?.dropped ?? 0) + 1,
			from: Math.min(overflow?.from ?? from, from),
			to: Math.max(overflow?.to ?? at, at),
		};
	}

	/** When the dropped events begin, while no batch reports them yet. */
	droppedFrom(): number | undefined {
		return this.overflow?.from;
	}

	/** The oldest entry whose execution has not ended, and when it arrived; undefined if there is none. */
	oldestUnfinished(): Waiting<T> | undefined {
		return (
			oldestOf([...this.unstarted, ...this.running.map(({ batch }) => batch)]) ??
			this.oldestBuffered()
		);
	}

	/** The oldest entry that n8n did not get, or rejected; undefined if there is none. */
	oldestWaiting(): Waiting<T> | undefined {
		return oldestOf(this.unstarted) ?? this.oldestBuffered();
	}

	/** Every entry that n8n did not get, or rejected. */
	*allWaiting(): Iterable<T> {
		for (const { entries } of this.unstarted) yield* entries;
		yield* this.waiting.all();
	}

	/** Every entry whose execution has not ended. */
	*allRunning(): Iterable<T> {
		for (const { batch } of this.running) yield* batch.entries;
	}

	private oldestBuffered(): Waiting<T> | undefined {
		const entry = this.waiting.peek();
		return entry === undefined ? undefined : { at: this.waiting.oldestAt as number, entry };
	}

	/**
	 * Hands over waiting entries, within `flushMs`, then stops for good. Running executions continue on their own.
	 * Idempotent, never rejects.
	 */
	async close(): Promise<void> {
		this.closing ??= this.flush();
		return await this.closing;
	}

	private async flush(): Promise<void> {
		// After this, `closing` is set by close(): from here on a batch need not be full to leave.
		await Promise.resolve();
		if (this.hold && !this.hold.probe) this.probe(this.hold);
		this.drain();
		if (!this.isDrained()) {
			await new Promise<void>((resolve) => {
				const cancel = this.clock.after(this.options.flushMs, resolve);
				this.onDrained = () => {
					cancel();
					resolve();
				};
			});
		}
		this.closed = true;
		this.cancelInterval?.();
		this.cancelLook?.();
		this.hold?.cancel();
		const left = this.heldEntries();
		this.waiting.clear();
		this.unstarted.length = 0;
		// No batch follows that could carry this report, so it is made now.
		if (this.overflow) this.callbacks.overflowed(this.overflow);
		this.overflow = undefined;
		if (left > 0) this.callbacks.discarded(left, this.hold !== undefined);
	}

	private isDrained(): boolean {
		return (
			this.waiting.size === 0 &&
			this.unstarted.length === 0 &&
			this.notices.length === 0 &&
			!this.hold
		);
	}

	/** Entries that have no execution: those that wait, and those that n8n could not start. */
	private heldEntries(): number {
		const tried = this.hold?.probe?.batch.entries.length ?? 0;
		return this.unstarted.reduce(
			(sum, { entries }) => sum + entries.length,
			this.waiting.size + tried,
		);
	}

	private drain(): void {
		this.startExecutions();
		this.waiting.limitWeight();
	}

	/** Starts executions as long as entries may leave and a slot is free. */
	private startExecutions(): void {
		while (!this.closed && !this.hold && this.mayLeave()) {
			if (this.running.length >= this.slots) return this.lookLater();
			this.start(this.unstarted.shift() ?? this.nextBatch());
		}
		if (this.closed) return;
		if (this.isDrained()) this.onDrained?.();
		else if (!this.hold) this.armInterval();
	}

	/** How many executions may run. While n8n may have lost one, one more: if that one starts, the other was lost. */
	private get slots(): number {
		const { concurrency } = this.options;
		if (this.running.length < concurrency) return concurrency;
		const lost = this.running.some(({ batch }) => this.callbacks.mayBeLost(batch));
		return lost ? concurrency + 1 : concurrency;
	}

	/** Whether a batch can leave: one is ready or full, has waited long enough, or nothing more will come. */
	private mayLeave(): boolean {
		if (this.unstarted.length > 0 || this.notices.length > 0) return true;
		if (this.waiting.size === 0) return false;
		if (this.waiting.size >= this.fullBatch || this.intervalOver || this.closing) return true;
		return this.clock.now() - (this.waiting.oldestAt ?? 0) >= this.options.batchIntervalMs;
	}

	/** Waiting for a batch larger than the buffer would lose entries. */
	private get fullBatch(): number {
		return Math.min(this.options.batchSize, this.options.bufferLimit);
	}

	private nextBatch(): Batch<T> {
		this.intervalOver = false;
		this.cancelInterval?.();
		this.cancelInterval = undefined;
		const { batchSize } = this.options;
		const head = this.notices.splice(0, batchSize);
		// Dropped entries are reported before the next one, which is where they are missing.
		if (this.overflow && head.length < batchSize) {
			const status = this.callbacks.overflowed(this.overflow);
			this.overflow = undefined;
			if (status !== undefined) head.push(status);
		}
		const until = this.clock.now();
		const since = this.waiting.oldestAt ?? until;
		const taken = this.waiting.take(batchSize - head.length);
		return { number: ++this.batches, entries: head.concat(taken), since, until, first: taken[0] };
	}

	private start(batch: Batch<T>): Slot<T> {
		// Even if no slot is needed: the saved position would stay at an execution that never reports its end.
		this.freeOverdue();
		const startedAt = this.clock.now();
		const deadline = startedAt + this.options.executionTimeoutMs;
		const slot: Slot<T> = { batch, startedAt, deadline };
		this.running.push(slot);
		if (this.callbacks.mayNeverReport()) this.lookLater();
		let execution: Promise<Fate>;
		try {
			execution = this.callbacks.start(batch);
		} catch (error) {
			execution = Promise.reject(error);
		}
		execution.then(
			(fate) => this.ended(slot, fate),
			(error: unknown) => this.notStarted(slot, error),
		);
		return slot;
	}

	/** @returns whether it was still occupied */
	private free(slot: Slot<T>): boolean {
		const at = this.running.indexOf(slot);
		if (at >= 0) this.running.splice(at, 1);
		return at >= 0;
	}

	private ended(slot: Slot<T>, fate: Fate): void {
		const counted = this.free(slot);
		if (fate === 'unseen' && !this.closed) this.holdBack(slot, UNSEEN_REASON);
		else if (this.hold?.probe === slot) this.resume();
		else if (counted) this.drain();
	}

	// ── n8n can't start executions ──────────────────────────────────────────────────────────────────────────

	/** The batch returns to the head of the queue. */
	private notStarted(slot: Slot<T>, error: unknown): void {
		this.free(slot);
		const { batch } = slot;
		if (this.closed) {
			if (this.hold?.probe !== slot) this.callbacks.discarded(batch.entries.length, true);
			return;
		}
		const place = this.unstarted.findIndex(({ number }) => number > batch.number);
		this.unstarted.splice(place < 0 ? this.unstarted.length : place, 0, batch);
		this.holdBack(slot, error instanceof Error ? error.message : String(error));
	}

	/** From now on a single batch is tried, less and less often, until n8n runs it. */
	private holdBack(slot: Slot<T>, reason: string): void {
		const { hold } = this;
		if (!hold) {
			const since = this.clock.now();
			this.hold = { since, tries: 0, cancel: () => {} };
			this.notice(this.callbacks.held({ entries: this.heldEntries(), since, reason }));
			this.retryLater(this.hold);
		} else if (hold.probe === slot) {
			hold.probe = undefined;
			hold.cancel();
			this.retryLater(hold);
		}
	}

	private retryLater(hold: Hold<T>): void {
		hold.tries++;
		const random = this.callbacks.random();
		const delay = jitteredDelay(FIRST_RETRY_MS, LONGEST_RETRY_MS, hold.tries, random);
		hold.cancel = this.clock.after(delay, () => this.probe(hold));
	}

	private probe(hold: Hold<T>): void {
		hold.cancel();
		// Executions that were believed to have started, but had not, may have used up the slots meanwhile.
		if (this.running.length >= this.options.concurrency) return this.retryLater(hold);
		const batch = this.unstarted.shift() ?? (this.mayLeave() ? this.nextBatch() : undefined);
		if (!batch) return this.resume();
		hold.probe = this.start(batch);
		hold.cancel = this.clock.after(STARTED_AFTER_MS, () => this.resume());
	}

	private resume(): void {
		const { hold } = this;
		if (!hold) return;
		hold.cancel();
		const entries = this.heldEntries();
		this.hold = undefined;
		this.hurry(hold.probe);
		const seconds = Math.round((this.clock.now() - hold.since) / 1000);
		this.notice(this.callbacks.resumed({ entries, seconds }));
		this.drain();
	}

	private notice(entry: T | undefined): void {
		if (entry !== undefined) this.notices.push(entry);
	}

	// ── waiting ─────────────────────────────────────────────────────────────────────────────────────────────

	private drainAfterThisTick(): void {
		if (this.drainSoon) return;
		this.drainSoon = true;
		void Promise.resolve().then(() => {
			this.drainSoon = false;
			this.drain();
		});
	}

	private armInterval(): void {
		if (this.cancelInterval || this.closing) return;
		const since = this.waiting.oldestAt ?? this.clock.now();
		// At most one interval, even if the machine's clock was set back meanwhile.
		const wait = Math.min(since - this.clock.now(), 0) + this.options.batchIntervalMs;
		this.cancelInterval = this.clock.after(Math.max(0, wait), () => {
			this.cancelInterval = undefined;
			this.intervalOver = true;
			this.drain();
		});
	}

	/**
	 * Without this, executions that never report their end would use up every slot, and the trigger would stop
	 * silently.
	 */
	private lookLater(): void {
		if (this.cancelLook) return;
		const deadlines = this.running.map(({ deadline }) => deadline);
		const wait = Math.min(Math.min(...deadlines) - this.clock.now(), LOOK_EVERY_MS);
		this.cancelLook = this.clock.after(Math.max(0, wait), () => {
			this.cancelLook = undefined;
			this.freeOverdue();
			if (this.callbacks.mayNeverReport()) this.lookAtDatabase();
			this.drain();
		});
	}

	private freeOverdue(): void {
		const now = this.clock.now();
		for (const slot of this.running.filter(({ deadline }) => deadline <= now)) {
			// The report of the one before it may have started an execution, which has freed this one already.
			if (this.free(slot)) this.callbacks.timedOut(slot.batch, slot.inDoubt === true);
		}
	}

	/** The machine's clock was set back: deadlines move along, so that no slot stays occupied for a day. */
	private setBack(ms: number): void {
		for (const slot of this.running) {
			slot.startedAt -= ms;
			slot.deadline -= ms;
		}
	}

	private lookAtDatabase(): void {
		if (this.running.length === 0) return;
		this.lookLater();
		const longAgo = this.clock.now() - LOOK_EVERY_MS;
		if (!this.running.some(({ startedAt }) => startedAt <= longAgo)) return;
		void this.callbacks.databaseAnswers().then((answers) => {
			if (answers && this.databaseWasAway) this.hurry();
			this.databaseWasAway = !answers;
		});
	}

	/**
	 * The database was away: executions that started before and do not report soon never will.
	 * @param probe started since
	 */
	private hurry(probe?: Slot<T>): void {
		if (!this.callbacks.mayNeverReport()) return;
		const deadline = this.clock.now() + REPORT_AFTER_OUTAGE_MS;
		for (const slot of this.running) {
			if (slot === probe) continue;
			slot.inDoubt = true;
			slot.deadline = Math.min(slot.deadline, deadline);
		}
	}
}
