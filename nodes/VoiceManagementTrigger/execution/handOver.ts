// How a batch gets into n8n, and whether n8n could start it. `emit` returns nothing and never throws; what there is
// beside it differs by release (read in n8n 2.41.1 and 1.123.81, and tried with a database that goes away):
//
// - n8n 2.41 settles the promise that comes with a batch. It rejects if the execution could not be started, and under a
//   name of its own if the execution was stopped: that one is n8n's. One key starts one execution: a row that was never
//   run is replaced, any other one answers a second batch with `undefined`. The rejected start of a batch can leave such
//   a row, which nothing will ever run. An execution that failed before its first node has no result either, or is not
//   found: its checks of the workflow read the database. In both cases the batch takes the next key.
// - n8n 1.123 settles the promise of an execution that started, and only then reads the promise's `resolve`. It says
//   nothing if it could not start: an execution that has not started while the database was away is tried again.
// - Engine 2.0 takes no promise and reports nothing.
//
// Whether the database is away is seen by reading the credential, which n8n reads there each time.

import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import { watched } from '../feed/clock';
import type { Clock } from '../feed/types';
import type { Fate } from './executionQueue';

/** n8n could not start an execution, and no node has run: the batch is still ours. */
export class NotStarted extends Error {
	override name = 'NotStarted';
}

export interface HandOverCallbacks {
	/**
	 * Engine 2.0 was given batches that it may not have started or finished, because n8n's database went away.
	 * `items`: those handed over since the database last answered; `from`: ten seconds before that, or where the first begins
	 * of what was handed over since then; `to`: when the last of them was handed over, milliseconds since 1970.
	 */
	unconfirmed(lost: { items: number; from: number; to: number }): void;
	/**
	 * The execution of a batch failed, and n8n reports none of its nodes: in queue mode a worker could not read it, or died
	 * with it. Whether nodes ran is not known, so the batch is not handed over again.
	 */
	unreported(batch: object): void;
}

/** Whether n8n can start executions is asked this often while one has not started. */
const CHECK_EVERY_MS = 2_000;
/** … and so soon the first time: a database that is back by then was away unseen. */
const FIRST_CHECK_MS = 500;
/** After the database has come back, a start that hung through its absence may still come for so long. */
const LATE_START_MS = 5_000;
/** Without reports, the database is asked before a batch unless it answered this recently. */
const FRESH_ANSWER_MS = 1_000;
/** Without reports, a slot is taken for this long: with ten of them forty executions start in a second. */
const PACE_MS = 250;
/** Without reports, an execution that started this recently may not have ended when the database went away. */
const UNREPORTED_RUN_MS = 10_000;
/** A batch that n8n has an execution of although it rejected others so recently may be one of these. */
const RECENTLY_MS = 30_000;
/** Keys for one batch, beyond which what n8n says is believed. */
const MOST_KEYS = 3;

/** Reads the database that n8n starts executions with; rejects if it can't. */
export type DatabaseCheck = () => Promise<unknown>;

/** What one batch has behind it. */
interface History {
	/** Counts up from 1; part of its keys. */
	readonly batch: number;
	key: number;
	/** Tries under this key. */
	tries: number;
	/** The last try, on a release that says nothing of starts that failed. */
	last?: Attempt;
}

interface Attempt {
	/** n8n has read the promise's `resolve`. */
	started: boolean;
	/** It did so before `emit` returned: then it tells of failures too. */
	confirms: boolean;
	ended: Promise<IRun | undefined>;
}

export class HandOver {
	private readonly histories = new WeakMap<object, History>();
	private batches = 0;
	private readonly id = randomUUID();
	/** Each ends a wait. */
	private readonly waits = new Set<() => void>();
	private closed = false;
	/** False on engine 2.0. */
	private reports: boolean;
	/** Executions run on workers; undefined until one tells. */
	private queueMode: boolean | undefined;
	/** n8n had no result under any key: it refuses the workflow, and lists each execution of it as failed. */
	private neverHasResults = false;
	private rejectedAt = Number.NEGATIVE_INFINITY;
	private answeredAt = Number.NEGATIVE_INFINITY;
	private itemsSinceAnswer = 0;
	/** What engine 2.0 was given so recently that it may not have finished it, and where that begins. */
	private recent: Array<{ at: number; from: number }> = [];
	private emittedAt = Number.NEGATIVE_INFINITY;
	private wasAway = false;
	private engineBack: Promise<void> | undefined;
	private checking: Promise<void> | undefined;
	private confirming: Promise<void> | undefined;
	private readonly clock: Clock;

	/**
	 * @param context n8n's, of an active workflow
	 * @param executionTimeoutMs after this long, an execution that has not even started is tried again
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
	 * @param from where what it carries begins, milliseconds since 1970; when it is handed over unless told
	 * @returns resolves when the execution has ended, or may make room for the next
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
			if (await this.startLate(history)) return 'ended';
			history.tries++;
			const attempt = this.emit(items(), `${this.id}-${history.batch}-${history.key}`);
			history.last = attempt.confirms ? undefined : attempt;
			const { run, error } = await this.end(attempt).then(
				(value) => ({ run: value, error: undefined }),
				(reason: unknown) => ({ run: undefined, error: reason }),
			);
			if (run) {
				this.neverHasResults = false;
				if (!this.ranUnseen(run)) return 'ended';
				this.callbacks.unreported(batch);
				return 'unseen';
			}
			if (error !== undefined && nameOf(error) !== 'ExecutionNotFoundError') {
				if (wasStopped(error)) return 'ended';
				if (!refusesPromise(error)) throw this.notStarted(error);
				this.reports = false;
			} else if (!this.mayRunAnew(history)) return 'ended';
			else if (history.key < MOST_KEYS) {
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
	 * Asks once more about executions that have not started: nobody else tells of those that can't. A batch that waits to be
	 * given to n8n is not given any more.
	 */
	close(): void {
		this.closed = true;
		for (const end of [...this.waits]) end();
	}

	/** In queue mode n8n can't report the end of an execution that it could not read from its database. */
	mayNeverReport(): boolean {
		return this.reports && this.queueMode !== false;
	}

	/** Whether the database that n8n starts executions with answers. */
	async databaseAnswers(): Promise<boolean> {
		return await this.check().then(
			() => true,
			() => false,
		);
	}

	// ── with a promise ──────────────────────────────────────────────────────────────────────────────────────

	private emit(items: INodeExecutionData[], key: string): Attempt {
		const done = this.context.helpers.createDeferredPromise<IRun>();
		const attempt: Attempt = { started: false, confirms: false, ended: done.promise };
		const watched = {
			promise: done.promise,
			reject: done.reject,
			get resolve() {
				attempt.started = true;
				return done.resolve;
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
			const emittedAt = this.clock.now();
			for (let pause = FIRST_CHECK_MS; ; pause = CHECK_EVERY_MS) {
				await this.wait(pause, ended);
				if (attempt.started || over) return await ended;
				await this.check();
				if (this.closed) return await ended;
				if (this.clock.now() - emittedAt >= this.executionTimeoutMs && !attempt.started)
					throw new NotStarted('n8n has not started the execution for a long time');
			}
		};
		return await Promise.race([ended, watch()]);
	}

	/** Whether the last try of this batch has started after all; settles with its end. @throws NotStarted */
	private async startLate({ last }: History): Promise<boolean> {
		if (!last) return false;
		if (!last.started) {
			await this.check();
			await this.wait(LATE_START_MS);
		}
		if (!last.started) {
			this.throwIfClosed();
			return false;
		}
		await last.ended.catch(() => undefined);
		return true;
	}

	/** Whether the batch of an execution without a result, which ran no node, is worth another key. */
	private mayRunAnew({ key, tries }: History): boolean {
		if (key > 1 || tries > 1 || this.clock.now() - this.rejectedAt < RECENTLY_MS) return true;
		return !this.neverHasResults;
	}

	/**
	 * Whether an execution failed outside of its nodes, in queue mode, where n8n names the job of every other one. In regular
	 * mode n8n has the execution in its own memory: it ran, whatever n8n could write down.
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

	/** Asks once more after the last batch of a burst: the database may have gone away just before it was given. */
	private confirmSoon(): void {
		this.confirming ??= this.wait(FRESH_ANSWER_MS)
			.then(async () => {
				if (!this.closed && this.answeredAt <= this.emittedAt) await this.check();
			})
			// What is in doubt was reported.
			.catch(() => {})
			.finally(() => {
				this.confirming = undefined;
				if (!this.closed && this.emittedAt >= this.answeredAt) this.confirmSoon();
			});
	}

	// ── the database ────────────────────────────────────────────────────────────────────────────────────────

	/** One read for all who ask at once. @throws NotStarted */
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
		// The engine has a connection of its own, which may come back later. One wait for all batches keeps their order.
		const back = this.wait(LATE_START_MS).then(() => {
			if (this.engineBack === back) this.engineBack = undefined;
		});
		this.engineBack = back;
	}

	/**
	 * The machine's clock was set back: else an answer would be a recent one until it shows the old time again. How long ago it
	 * was is not known any more, so the database is asked anew.
	 */
	private setBack(ms: number): void {
		this.answeredAt -= ms + FRESH_ANSWER_MS;
		this.emittedAt -= ms;
		for (const one of this.recent) one.at -= ms;
		this.rejectedAt -= ms;
	}

	private reportUnconfirmed(): void {
		this.wasAway = true;
		// Only engine 2.0 is given batches in doubt.
		if (!Number.isFinite(this.emittedAt)) return;
		if (this.emittedAt < this.ranFrom) return;
		const { itemsSinceAnswer: items, emittedAt: to } = this;
		this.itemsSinceAnswer = 0;
		this.emittedAt = Number.NEGATIVE_INFINITY;
		const from = Math.min(this.ranFrom, ...this.recent.map((one) => one.from));
		this.recent = [];
		this.callbacks.unconfirmed({ items, from, to });
	}

	/** What was given since then may not have ended when the database last answered. */
	private get ranFrom(): number {
		return this.answeredAt - UNREPORTED_RUN_MS;
	}

	/** @param noLonger the wait is over when this settles: thousands of executions a minute must not leave a timer each */
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

/** The execution was started, and a person, a time limit or the end of n8n stopped it. By name: the class may be another copy's. */
function wasStopped(error: unknown): boolean {
	return nameOf(error).endsWith('ExecutionCancelledError');
}

/** An engine that runs no trigger that waits for its executions. */
function refusesPromise(error: unknown): boolean {
	return /engine 2|waits? for its execution|without waiting/i.test(messageOf(error));
}

/** What n8n says of a credential that it could not find or may not use: its database did answer. */
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

/** One line; the errors of a host with several IP addresses have their words in the list of causes. */
function reasonOf(error: unknown): string {
	const { errors, code } = error as { errors?: unknown; code?: unknown };
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	const text = messageOf(error) || messageOf(first ?? code ?? 'no reason was given');
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
