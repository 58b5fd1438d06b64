// How a batch gets into n8n, and whether n8n could start it. `emit` returns nothing and never throws; the other ways
// to find out differ by release (read in n8n 2.41.1 and 1.123.81, and tried with a database that goes away):
//
// - n8n 2.41 settles the promise that is passed with a batch. It rejects if the execution could not be started, and
//   with an error of a certain name if it was stopped, in which case n8n had it. One key starts one execution: a
//   row that was never run is replaced; with any other row a second batch resolves to `undefined`. A rejected start can
//   leave behind such a row, which nothing will ever run. An execution that failed before its first node has no result
//   either, or is not found, because n8n's checks of the workflow read the database. In both cases the batch takes the
//   next key.
// - n8n 1.123 settles the promise only if the execution started, and only then reads the promise's `resolve`. It
//   reports nothing if the execution could not start; one that did not start while the database was away is tried
//   again, and so is one that has not started before a later one, since n8n starts executions in order.
// - Engine 2.0 takes no promise and reports nothing.
//
// To see whether the database is away, this file reads the credential, which n8n reads from the database each time.

import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import { watched } from '../feed/clock';
import type { Clock } from '../feed/types';
import type { Fate } from './executionQueue';

/** n8n could not start an execution, and no node has run: we still have the batch. */
export class NotStarted extends Error {
	override name = 'NotStarted';
}

export interface HandOverCallbacks {
	/**
	 * Engine 2.0 was given batches that it may not have started or finished, because n8n's database went away. `items`:
	 * the number handed over since the database last responded; `from`: ten seconds before that, or the beginning of
	 * what was handed over since then, if that is earlier; `to`: when the last of them was handed over, milliseconds
	 * since 1970.
	 */
	unconfirmed(lost: { items: number; from: number; to: number }): void;
	/**
	 * The execution of a batch failed, and n8n reports none of its nodes: in queue mode a worker could not read it, or
	 * died while running it. It is unknown whether nodes ran, so the batch is not handed over again.
	 */
	unreported(batch: object): void;
}

/** While an execution has not started, how often to check whether n8n can start executions. */
const CHECK_EVERY_MS = 2_000;
/** … and how soon to check first. If the database is back by then, its absence goes unnoticed. */
const FIRST_CHECK_MS = 500;
/** After the database has come back, a start that hung meanwhile may still happen within this time. */
const LATE_START_MS = 5_000;
/** An execution that has not started after this time, although the database responds, may be lost. */
const LOST_AFTER_MS = 60_000;
/** Without reports, the database is checked before a batch unless it responded this recently. */
const FRESH_ANSWER_MS = 1_000;
/** Without reports, a batch occupies its slot for this long: with ten slots, forty executions start per second. */
const PACE_MS = 250;
/** Without reports, an execution that started this recently may not have ended when the database went away. */
const UNREPORTED_RUN_MS = 10_000;
/**
 * If n8n already has an execution of a batch but rejected others this recently, that execution may be a rejected one.
 */
const RECENTLY_MS = 30_000;
/** Keys per batch; after that n8n's report is believed. */
const MOST_KEYS = 3;

/** Reads the database that n8n starts executions with; rejects if it can't. */
export type DatabaseCheck = () => Promise<unknown>;

/** The tries of one batch so far. */
interface History {
	/** Counts up from 1; part of its keys. */
	readonly batch: number;
	key: number;
	/** Tries under this key. */
	tries: number;
	/** The last try, on a release that does not report failed starts. */
	last?: Attempt;
}

interface Attempt {
	readonly emittedAt: number;
	/** n8n has read the promise's `resolve`. */
	started: boolean;
	/** It did so before `emit` returned: this release also reports failures. */
	confirms: boolean;
	ended: Promise<IRun | undefined>;
}

export class HandOver {
	private readonly histories = new WeakMap<object, History>();
	private batches = 0;
	private readonly id = randomUUID();
	/** Each one ends a wait. */
	private readonly waits = new Set<() => void>();
	private closed = false;
	/** False on engine 2.0. */
	private reports: boolean;
	/** Executions run on workers; undefined until one shows it. */
	private queueMode: boolean | undefined;
	/** When the newest of the batches that n8n has started was handed over. */
	private newestStart = Number.NEGATIVE_INFINITY;
	/** n8n had no result under any key: it rejects the workflow, and lists each of its executions as failed. */
	private neverHasResults = false;
	private rejectedAt = Number.NEGATIVE_INFINITY;
	private answeredAt = Number.NEGATIVE_INFINITY;
	private itemsSinceAnswer = 0;
	/** What engine 2.0 got so recently that it may not have finished it, and when that begins. */
	private recent: Array<{ at: number; from: number }> = [];
	private emittedAt = Number.NEGATIVE_INFINITY;
	private wasAway = false;
	private engineBack: Promise<void> | undefined;
	private checking: Promise<void> | undefined;
	private confirming: Promise<void> | undefined;
	private readonly clock: Clock;

	/**
	 * @param context of an active workflow, from n8n
	 * @param executionTimeoutMs after this time, an execution that has not started is tried again
	 */
	constructor(
		private readonly context: ITriggerFunctions,
		private readonly database: DatabaseCheck,
		private readonly executionTimeoutMs: number,
		private readonly callbacks: HandOverCallbacks,
		clock: Clock,
	) {
		this.clock = watched(clock, (ms) => this.setBack(ms));
		const { getWorkflowSettings } = context as Partial<ITriggerFunctions>;
		const settings = getWorkflowSettings?.call(context) as IDataObject | undefined;
		this.reports = settings?.engineType !== 'v2';
	}

	/**
	 * Hands a batch over.
	 * @param batch the same object for each try of a batch
	 * @param items makes the items of the batch; n8n may change what it is given
	 * @param from when its contents begin, milliseconds since 1970; defaults to the time of the hand-over
	 * @returns resolves when the execution has ended, or when the next one may start
	 * @throws NotStarted
	 */
	async start(
		batch: object,
		items: () => INodeExecutionData[],
		from = () => Infinity,
	): Promise<Fate> {
		const history = this.histories.get(batch) ?? { batch: ++this.batches, key: 1, tries: 0 };
		this.histories.set(batch, history);
		for (;;) {
			if (!this.reports) {
				await this.startUnreported(items(), from);
				return 'ended';
			}
			const late = await this.startLate(history);
			if (late) return this.fateOf(batch, late.run);
			history.tries++;
			const attempt = this.emit(items(), `${this.id}-${history.batch}-${history.key}`);
			history.last = attempt.confirms ? undefined : attempt;
			const { run, error } = await this.end(attempt).then(
				(value) => ({ run: value, error: undefined }),
				(reason: unknown) => ({ run: undefined, error: reason }),
			);
			if (run) {
				this.neverHasResults = false;
				return this.fateOf(batch, run);
			}
			if (error !== undefined && nameOf(error) !== 'ExecutionNotFoundError') {
				if (wasStopped(error)) return 'ended';
				if (!refusesPromise(error)) throw this.notStarted(error);
				this.reports = false;
			} else if (!this.mayRunAnew(history)) return 'ended';
			else if (history.key < MOST_KEYS) {
				this.throwIfClosed();
				history.key++;
				history.tries = 0;
				history.last = undefined;
			} else {
				this.neverHasResults = true;
				this.callbacks.unreported(batch);
				return 'ended';
			}
		}
	}

	/**
	 * Checks executions that have not started once more, since nothing else reports those that can't. A batch that n8n
	 * has not got yet is no longer handed over.
	 */
	close(): void {
		this.closed = true;
		for (const end of [...this.waits]) end();
	}

	/** In queue mode n8n can't report the end of an execution that it could not read from its database. */
	mayNeverReport(): boolean {
		return this.reports && this.queueMode !== false;
	}

	/** Whether n8n has not started the execution of a batch for so long that it may have lost it. */
	mayBeLost(batch: object): boolean {
		const last = this.histories.get(batch)?.last;
		return last?.started === false && this.clock.now() - last.emittedAt >= LOST_AFTER_MS;
	}

	/** Whether the database with which n8n starts executions responds. */
	async databaseAnswers(): Promise<boolean> {
		return await this.check().then(
			() => true,
			() => false,
		);
	}

	// ── with a promise ──────────────────────────────────────────────────────────────────────────────────────

	private emit(items: INodeExecutionData[], key: string): Attempt {
		const done = this.context.helpers.createDeferredPromise<IRun>();
		const emittedAt = this.clock.now();
		const attempt: Attempt = { emittedAt, started: false, confirms: false, ended: done.promise };
		const starts = () => {
			attempt.started = true;
			this.newestStart = Math.max(this.newestStart, emittedAt);
			return done.resolve;
		};
		const watched = {
			promise: done.promise,
			reject: done.reject,
			get resolve() {
				return starts();
			},
		};
		try {
			this.context.emit([items], undefined, watched, key);
		} catch (error) {
			throw this.notStarted(error);
		}
		attempt.confirms = attempt.started;
		return attempt;
	}

	/** How the execution ended. @throws what n8n rejected with, or NotStarted */
	private async end(attempt: Attempt): Promise<IRun | undefined> {
		if (attempt.confirms) return await attempt.ended;
		let over = false;
		const ended = attempt.ended.finally(() => (over = true));
		const watch = async () => {
			const { emittedAt } = attempt;
			for (let pause = FIRST_CHECK_MS; ; pause = CHECK_EVERY_MS) {
				await this.wait(pause, ended);
				if (attempt.started || over) return await ended;
				await this.check();
				// It may have started during the check.
				if (this.closed || attempt.started) return await ended;
				if (this.newestStart - emittedAt >= LATE_START_MS)
					throw new NotStarted('n8n has started a later execution, but not this one');
				if (this.clock.now() - emittedAt >= this.executionTimeoutMs)
					throw new NotStarted('n8n has not started the execution for a long time');
			}
		};
		return await Promise.race([ended, watch()]);
	}

	/** How the last try of this batch ended, if it has started after all; settles when it ends. @throws NotStarted */
	private async startLate({ last }: History): Promise<{ run: IRun | undefined } | undefined> {
		if (!last) return undefined;
		if (!last.started) {
			await this.check();
			await this.wait(LATE_START_MS);
		}
		if (!last.started) {
			this.throwIfClosed();
			return undefined;
		}
		return { run: await last.ended.catch(() => undefined) };
	}

	/** @param run undefined if n8n had the execution and reports nothing about it */
	private fateOf(batch: object, run: IRun | undefined): Fate {
		if (!run || !this.ranUnseen(run)) return 'ended';
		this.callbacks.unreported(batch);
		return 'unseen';
	}

	/** Whether to try another key for a batch whose execution has no result and ran no node. */
	private mayRunAnew({ key, tries }: History): boolean {
		if (key > 1 || tries > 1 || this.clock.now() - this.rejectedAt < RECENTLY_MS) return true;
		return !this.neverHasResults;
	}

	/**
	 * Whether an execution failed outside of its nodes, in queue mode: n8n then leaves out the job, which it names for
	 * every other execution. In regular mode n8n has the execution in memory, so it ran, whatever n8n could store.
	 */
	private ranUnseen({ status, jobId, data }: Partial<IRun> & { jobId?: string }): boolean {
		const ran = data?.resultData?.runData;
		const nodes = ran && Object.keys(ran).length;
		if (jobId !== undefined) this.queueMode = true;
		else if (nodes) this.queueMode = false;
		const failed = status === 'error' || status === 'crashed';
		return this.queueMode !== false && jobId === undefined && failed && nodes === 0;
	}

	private throwIfClosed(): void {
		if (this.closed) throw new NotStarted('closed before n8n was given the batch');
	}

	private notStarted(error: unknown): NotStarted {
		this.rejectedAt = this.clock.now();
		return error instanceof NotStarted ? error : new NotStarted(reasonOf(error));
	}

	// ── without one ─────────────────────────────────────────────────────────────────────────────────────────

	private async startUnreported(items: INodeExecutionData[], from: () => number): Promise<void> {
		while (this.engineBack || this.clock.now() - this.answeredAt >= FRESH_ANSWER_MS) {
			await (this.engineBack ?? this.check());
		}
		this.throwIfClosed();
		this.itemsSinceAnswer += items.length;
		this.emittedAt = this.clock.now();
		this.recent.push({ at: this.emittedAt, from: from() });
		this.context.emit([items]);
		this.confirmSoon();
		await this.wait(PACE_MS);
	}

	/** Checks once more after the last batch of a burst: the database may have gone away just before the hand-over. */
	private confirmSoon(): void {
		this.confirming ??= this.wait(FRESH_ANSWER_MS)
			.then(async () => {
				if (!this.closed && this.answeredAt <= this.emittedAt) await this.check();
			})
			// Batches in doubt have been reported.
			.catch(() => {})
			.finally(() => {
				this.confirming = undefined;
				if (!this.closed && this.emittedAt >= this.answeredAt) this.confirmSoon();
			});
	}

	// ── the database ────────────────────────────────────────────────────────────────────────────────────────

	/** One read for all concurrent checks. @throws NotStarted */
	private async check(): Promise<void> {
		this.checking ??= this.readDatabase().finally(() => (this.checking = undefined));
		return await this.checking;
	}

	private async readDatabase(): Promise<void> {
		try {
			await this.database();
		} catch (error) {
			if (!isAnswer(error)) {
				this.reportUnconfirmed();
				throw this.notStarted(error);
			}
		}
		this.answeredAt = this.clock.now();
		this.itemsSinceAnswer = 0;
		this.recent = this.recent.filter(({ at }) => at >= this.ranFrom);
		if (!this.wasAway) return;
		this.wasAway = false;
		// The engine has its own connection, which may come back later. A single wait for all batches keeps their order.
		const back = this.wait(LATE_START_MS).then(() => {
			if (this.engineBack === back) this.engineBack = undefined;
		});
		this.engineBack = back;
	}

	/**
	 * The machine's clock was set back: otherwise a response would count as recent until the clock shows the old time
	 * again. The real age is unknown, so the database is checked again.
	 */
	private setBack(ms: number): void {
		this.answeredAt -= ms + FRESH_ANSWER_MS;
		this.emittedAt -= ms;
		for (const one of this.recent) one.at -= ms;
		this.rejectedAt -= ms;
	}

	private reportUnconfirmed(): void {
		this.wasAway = true;
		// Only with engine 2.0 can batches be in doubt.
		if (!Number.isFinite(this.emittedAt)) return;
		if (this.emittedAt < this.ranFrom) return;
		const { itemsSinceAnswer: items, emittedAt: to } = this;
		this.itemsSinceAnswer = 0;
		this.emittedAt = Number.NEGATIVE_INFINITY;
		const from = Math.min(this.ranFrom, ...this.recent.map((one) => one.from));
		this.recent = [];
		this.callbacks.unconfirmed({ items, from, to });
	}

	/** What was handed over since then may not have ended when the database last responded. */
	private get ranFrom(): number {
		return this.answeredAt - UNREPORTED_RUN_MS;
	}

	/** @param noLonger ends the wait when it settles: thousands of executions a minute must not leave a timer each */
	private async wait(ms: number, noLonger?: Promise<unknown>): Promise<void> {
		if (this.closed) return;
		await new Promise<void>((resolve) => {
			const end = () => {
				if (!this.waits.delete(end)) return;
				cancel();
				resolve();
			};
			const cancel = this.clock.after(ms, end);
			this.waits.add(end);
			noLonger?.then(end, end);
		});
	}
}

/**
 * The execution started, and a user, a time limit or the end of n8n stopped it. Compared by name: the class may come
 * from another copy.
 */
function wasStopped(error: unknown): boolean {
	return nameOf(error).endsWith('ExecutionCancelledError');
}

/** The error of an engine whose triggers can't wait for their executions. */
function refusesPromise(error: unknown): boolean {
	return /engine 2|waits? for its execution|without waiting/i.test(messageOf(error));
}

/** n8n's error for a credential that it could not find or must not use: its database did respond. */
function isAnswer(error: unknown): boolean {
	return /NotFound|^(NodeOperation|User|Application|Unexpected|Operational)Error$/.test(
		nameOf(error),
	);
}

function nameOf(error: unknown): string {
	if (!(error instanceof Error)) return '';
	const { name } = error.constructor;
	return name === 'Error' || name === '' ? error.name : name;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** One line; the error of a host with several IP addresses has its messages in the list of causes. */
function reasonOf(error: unknown): string {
	const { errors, code } = error as { errors?: unknown; code?: unknown };
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	const text = messageOf(error) || messageOf(first ?? code ?? 'no reason was given');
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
