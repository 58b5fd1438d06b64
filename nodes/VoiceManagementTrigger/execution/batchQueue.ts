// Passes entries to executions in batches and in order: a limit for concurrent executions, a bounded buffer for entries
// that have to wait, and batches that are tried again. A thousand executions at once bring n8n down, so this queue waits
// for the end of each one and lets batches grow while all are taken. It asks one question about each batch, and knows
// nothing of n8n.

import { jitteredDelay } from '../feed/state/backoff';
import type { Status } from '../events/statusItem';
import { settledWithin } from '../feed/clock';
import type { Clock } from '../feed/types';
import type { TriggerSettings } from '../panel/settings';
import { EntryBuffer } from './buffer';

export type BatchQueueOptions = Pick<TriggerSettings, 'batchSize' | 'retryFailed' | 'bufferBytes'>;

/** The entries of one execution. Each try passes the same object. */
export interface Batch<T> {
	/** Counts up from 1. */
	readonly number: number;
	readonly entries: readonly T[];
	/** When its oldest entry arrived, milliseconds since 1970. */
	readonly since: number;
	/** When it was put together, milliseconds since 1970: its newest entry had arrived by then. */
	readonly until: number;
	/** How many of its executions have failed. */
	failures: number;
}

/** What became of a batch. `ended`: its execution has, or runs for so long that nobody waits for it any longer. */
export type BatchResult = { readonly outcome: 'ended' } | NotEnded;

interface NotEnded {
	/**
	 * `failed`: an execution failed. `notStarted`: there was none, so the batch is handed over again. `unknown`: there
	 * may have been one, so it is not.
	 */
	readonly outcome: 'failed' | 'notStarted' | 'unknown';
	readonly reason: string;
	/** The class of the error of a node, whose text may contain its data. */
	readonly errorName?: string;
}

export type Notice<T> =
	| Extract<Status, { event: 'overflow' | 'held' | 'resumed' }>
	/** While executions can't be started: one may be tried, and nothing waits. */
	| { event: 'idle' }
	/** The last execution of a batch failed as well. */
	| { event: 'undelivered'; batch: Batch<T>; reason: string; errorName?: string }
	/** These were still waiting when the queue closed, the oldest since then; `held` if executions could not be started. */
	| { event: 'discarded'; entries: readonly T[]; since: number; held: boolean };

export interface Backlog {
	/** When the oldest of these entries arrived, in milliseconds since 1970; Infinity if there is none. */
	readonly since: number;
	/** When the events begin that they report as missing; Infinity if none does. */
	readonly missingSince: number;
}

/** Where the batches go. */
export interface Outlet<T> {
	/** Starts one execution with a batch. Never rejects. */
	start(batch: Batch<T>): Promise<BatchResult>;
	/** Settles when no batch waits for its turn any more that was passed to `start`. Never rejects. */
	handedOver(): Promise<unknown>;
	/** Maximum number of concurrent executions now. */
	slots(): number;
	/** The weight of a waiting entry, counted towards `bufferBytes`. */
	weigh(entry: T): number;
	/** When the events begin that these entries report as missing, in milliseconds since 1970; Infinity if none does. */
	missingSince(entries: readonly T[]): number;
	/** @returns an entry that goes first in the next new batch */
	report(notice: Notice<T>): T | undefined;
}

/** How long `close` waits for slots to hand over what is buffered. */
export const FLUSH_MS = 3_000;
/** The waits between two tries of a batch that was not started: 1 to 2 s at first, up to 15 to 30 s. */
const FIRST_TRY_MS = 2_000;
const LONGEST_TRY_MS = 30_000;
/** So many of these tries may be a report, if nothing else waits: if they fail too, the next event is the next try. */
const MOST_REPORTS = 5;
/** A try that has not been rejected after this time has started: n8n gives up waiting for its database after 20 s. */
const STARTED_AFTER_MS = 30_000;
/** The waits before a failed execution is repeated: 30 s, doubling to 10 min. */
const FIRST_REPEAT_MS = 30_000;
const LONGEST_REPEAT_MS = 10 * 60_000;
/** A buffer that stays full is reported this often. */
const OVERFLOW_EVERY_MS = 10_000;

/** While executions can't be started. */
interface Hold<T> {
	since: number;
	tries: number;
	/** How many of the tries were nothing but a report. */
	reports: number;
	/** The next batch is tried as soon as a slot is free. */
	isDue: boolean;
	/** Reports it. It waits for the end: a report alone proves nothing, and would be one more execution that fails. */
	entry: T | undefined;
	/** The only batch that is being tried. */
	probe?: Batch<T>;
	/** Cancels the next try, or the wait for the end of this one. */
	cancel: () => void;
}

interface Dropped {
	dropped: number;
	from: number;
	to: number;
}

interface Repeat<T> {
	batch: Batch<T>;
	weight: number;
	failure: NotEnded;
	cancel: () => void;
}

/** Hands entries to executions in order. */
export class BatchQueue<T> {
	private readonly buffer: EntryBuffer<T>;
	/** Batches that go before new ones, by number. */
	private readonly ready: Array<Batch<T>> = [];
	/** Batches whose executions failed, until they are tried again. */
	private readonly repeats: Array<Repeat<T>> = [];
	/**
	 * An array: if batches were added to a Set and deleted from it all the time, each table that V8 replaced would refer
	 * to the next one, and batches that have ended would stay in memory until a full garbage collection.
	 */
	private readonly running: Array<Batch<T>> = [];
	/** Entries from `report`, ahead of the next new batch. */
	private readonly notices: T[] = [];
	private hold: Hold<T> | undefined;
	private batches = 0;
	/** What was dropped and is not reported yet. */
	private overflow: (Dropped & { readonly cancel: () => void }) | undefined;
	private overflowAt = Number.NEGATIVE_INFINITY;
	/** What was reported of it last. */
	private reported: (Dropped & { entry: T }) | undefined;
	private drainSoon: Promise<void> | undefined;
	private closing: Promise<void> | undefined;
	private onDrained: (() => void) | undefined;
	private closed = false;

	constructor(
		private readonly options: BatchQueueOptions,
		private readonly outlet: Outlet<T>,
		private readonly clock: Clock,
		private readonly random: () => number = Math.random,
	) {
		this.buffer = new EntryBuffer<T>(options.bufferBytes, (entry) => outlet.weigh(entry));
	}

	/** Adds an entry; entries leave in the order of arrival. Ignored after `close`. */
	push(entry: T): void {
		if (this.closing) return;
		this.buffer.push(entry, this.clock.now());
		if (this.buffer.size >= this.options.batchSize) this.drain();
		else {
			// A batch has what arrives together.
			this.drainSoon ??= Promise.resolve().then(() => {
				this.drainSoon = undefined;
				this.drain();
			});
		}
	}

	/** Whether nothing waits, and nothing is tried again. */
	isEmpty(): boolean {
		return this.buffer.size === 0 && this.ready.length === 0 && this.repeats.length === 0;
	}

	/** What has no execution that has ended. */
	backlog(): Backlog {
		const batches = [...this.running, ...this.ready, ...this.repeats.map(({ batch }) => batch)];
		const lists = [this.notices, this.buffer.all(), ...batches.map(({ entries }) => entries)];
		const reported = lists.map((entries) => this.outlet.missingSince(entries));
		return {
			since: Math.min(this.buffer.oldestAt ?? Infinity, ...batches.map((batch) => batch.since)),
			missingSince: Math.min(this.overflow?.from ?? Infinity, ...reported),
		};
	}

	/** When the events begin whose loss is not reported: no batch has it, or it is unknown whether that is executed. */
	unreportedSince(): number {
		return this.hold ? this.backlog().missingSince : (this.overflow?.from ?? Infinity);
	}

	/**
	 * Hands over waiting entries, within three seconds, then stops for good. Running executions continue on their own.
	 * Idempotent, never rejects.
	 */
	async close(): Promise<void> {
		this.closing ??= this.flush();
		return await this.closing;
	}

	private async flush(): Promise<void> {
		// Many may wait: all at once, since one after the other would make n8n stand still.
		for (const { batch, cancel } of this.repeats.splice(0)) {
			cancel();
			this.ready.push(batch);
		}
		this.ready.sort((one, other) => one.number - other.number);
		this.reportOverflow();
		const drained = new Promise<void>((resolve) => (this.onDrained = resolve));
		if (this.hold) this.hold.isDue = true;
		this.drain();
		const handedOver = drained.then(async () => await this.outlet.handedOver());
		await settledWithin(handedOver, FLUSH_MS, this.clock);
		this.closed = true;
		this.hold?.cancel();
		this.reportOverflow();
		const { buffer, ready, notices } = this;
		const since = Math.min(buffer.oldestAt ?? Infinity, ...ready.map((batch) => batch.since));
		const left = [...ready.flatMap(({ entries }) => entries), ...buffer.take(Infinity), ...notices];
		this.discarded(left, since);
		ready.length = 0;
	}

	private waitingEntries(): number {
		return this.ready.reduce((sum, { entries }) => sum + entries.length, this.buffer.size);
	}

	// ── batches ─────────────────────────────────────────────────────────────────────────────────────────────

	/** Starts executions as long as there is something to hand over and a slot is free. */
	private drain(): void {
		const { running, outlet } = this;
		while (this.mayStart() && this.hasMore() && running.length < outlet.slots()) {
			void this.run(this.ready.shift() ?? this.nextBatch());
		}
		for (const { entry, at } of this.buffer.limitWeight()) this.drop(entry, at);
		if (!this.hasMore() && !this.hold?.probe) this.onDrained?.();
	}

	private mayStart(): boolean {
		return !this.closed && (!this.hold || this.hold.isDue);
	}

	private hasMore(): boolean {
		return this.ready.length > 0 || this.notices.length > 0 || this.buffer.size > 0;
	}

	private nextBatch(): Batch<T> {
		const { batchSize } = this.options;
		// Dropped entries are reported before the next one, which is where they are missing.
		if (this.clock.now() - this.overflowAt >= OVERFLOW_EVERY_MS) this.reportOverflow();
		const head = this.notices.splice(0, batchSize);
		const until = this.clock.now();
		const since = this.buffer.oldestAt ?? until;
		const entries = head.concat(this.buffer.take(batchSize - head.length));
		return { number: ++this.batches, entries, since, until, failures: 0 };
	}

	private async run(batch: Batch<T>): Promise<void> {
		const { running, hold } = this;
		running.push(batch);
		if (hold) {
			hold.cancel();
			hold.isDue = false;
			hold.probe = batch;
			hold.cancel = this.clock.after(STARTED_AFTER_MS, () => this.resume(hold));
		}
		const result = await this.outlet.start(batch);
		running.splice(running.indexOf(batch), 1);
		if (result.outcome === 'failed') this.failed(batch, result);
		if (result.outcome === 'notStarted') this.putBack(batch);
		if (result.outcome === 'notStarted' || result.outcome === 'unknown')
			this.holdBack(batch, result.reason);
		else if (this.hold?.probe === batch) this.resume(this.hold);
		this.drain();
	}

	/** No execution has this batch. */
	private putBack(batch: Batch<T>): void {
		if (this.closed) return this.discarded(batch.entries, batch.since);
		const place = this.ready.findIndex(({ number }) => number > batch.number);
		this.ready.splice(place < 0 ? this.ready.length : place, 0, batch);
	}

	/** @param since when the oldest of them arrived */
	private discarded(entries: readonly T[], since: number): void {
		const held = this.hold !== undefined;
		if (entries.length > 0) this.outlet.report({ event: 'discarded', entries, since, held });
	}

	private notice(notice: Notice<T>): void {
		const entry = this.outlet.report(notice);
		if (entry !== undefined) this.notices.push(entry);
	}

	// ── executions that failed ──────────────────────────────────────────────────────────────────────────────

	private failed(batch: Batch<T>, failure: NotEnded): void {
		const { retryFailed, bufferBytes } = this.options;
		if (retryFailed === 0) return;
		batch.failures++;
		if (batch.failures > retryFailed || this.closing) {
			this.notice({ ...failure, event: 'undelivered', batch });
			return;
		}
		const weight = batch.entries.reduce((sum, entry) => sum + this.outlet.weigh(entry), 0);
		const waitMs = Math.min(LONGEST_REPEAT_MS, FIRST_REPEAT_MS * 2 ** (batch.failures - 1));
		const cancel = this.clock.after(waitMs, () => {
			this.repeat(repeat);
			this.drain();
		});
		const repeat: Repeat<T> = { batch, weight, failure, cancel };
		this.repeats.push(repeat);
		let total = this.repeats.reduce((sum, one) => sum + one.weight, 0);
		while (this.repeats.length > 1 && total > bufferBytes) {
			const [oldest] = this.repeats.splice(0, 1) as [Repeat<T>];
			total -= oldest.weight;
			oldest.cancel();
			const reason = `${oldest.failure.reason}; too many failed executions wait to be repeated`;
			this.notice({ ...oldest.failure, event: 'undelivered', batch: oldest.batch, reason });
		}
	}

	private repeat(repeat: Repeat<T>): void {
		repeat.cancel();
		this.repeats.splice(this.repeats.indexOf(repeat), 1);
		this.putBack(repeat.batch);
	}

	// ── executions that can't be started ────────────────────────────────────────────────────────────────────

	/** From now on a single batch is tried, less and less often, until its execution ends: nothing else proves that n8n works. */
	private holdBack(batch: Batch<T>, reason: string): void {
		if (this.closed || (this.hold && this.hold.probe !== batch)) return;
		const hold = (this.hold ??= this.newHold(reason));
		hold.tries++;
		hold.cancel();
		hold.probe = undefined;
		const delay = jitteredDelay(FIRST_TRY_MS, LONGEST_TRY_MS, hold.tries, this.random());
		hold.cancel = this.clock.after(delay, () => {
			hold.isDue = true;
			if (!this.hasMore() && hold.reports < MOST_REPORTS) this.tryReport(hold);
			this.drain();
		});
	}

	/** What was lost, or else that executions can't be started: until one ends, nobody is told. */
	private tryReport(hold: Hold<T>): void {
		hold.reports++;
		this.notice({ event: 'idle' });
		if (!hold.isDue || this.hasMore() || hold.entry === undefined) return;
		this.notices.push(hold.entry);
		hold.entry = undefined;
	}

	private newHold(reason: string): Hold<T> {
		const since = this.clock.now();
		const entry = this.outlet.report({
			event: 'held',
			entries: this.waitingEntries(),
			since,
			reason,
		});
		return { since, tries: 0, reports: 0, isDue: false, entry, cancel: () => {} };
	}

	private resume(hold: Hold<T>): void {
		hold.cancel();
		this.hold = undefined;
		const entries = this.waitingEntries() + (hold.probe?.entries.length ?? 0);
		const at = this.clock.now();
		const seconds = Math.round((at - hold.since) / 1000);
		if (hold.entry !== undefined) this.notices.push(hold.entry);
		this.notice({ event: 'resumed', at, entries, seconds });
		this.drain();
	}

	// ── a full buffer ───────────────────────────────────────────────────────────────────────────────────────

	private drop(entry: T, at: number): void {
		const overflow = (this.overflow ??= {
			dropped: 0,
			from: Infinity,
			to: at,
			cancel: this.clock.after(OVERFLOW_EVERY_MS, () => {
				this.reportOverflow();
				this.drain();
			}),
		});
		overflow.dropped++;
		overflow.from = Math.min(overflow.from, at, this.outlet.missingSince([entry]));
		overflow.to = at;
	}

	private reportOverflow(): void {
		if (!this.overflow) return;
		const { reported, notices } = this;
		const { cancel, ...overflow } = this.overflow;
		cancel();
		this.overflow = undefined;
		this.overflowAt = this.clock.now();
		// In an outage of days, one report waits and grows.
		const place = reported ? notices.indexOf(reported.entry) : -1;
		if (reported && place >= 0) {
			notices.splice(place, 1);
			overflow.dropped += reported.dropped;
			overflow.from = Math.min(overflow.from, reported.from);
		}
		const entry = this.outlet.report({ event: 'overflow', ...overflow });
		if (entry === undefined) return;
		notices.push(entry);
		this.reported = { ...overflow, entry };
	}
}
