// Hands batches to n8n, and finds out what became of each. n8n's usual engine (read in 2.41.1, and tried with a database
// that goes down):
//
// - The promise that is passed with a batch rejects if the execution could not be started, and with an error of a
//   certain name if it was stopped, in which case n8n had it. Otherwise it resolves with the execution when that ends or
//   pauses. n8n before 2.41 takes no key, and reports nothing of what it could not start.
// - One key starts one execution: a row that was never run is replaced; with any other row the promise resolves to
//   `undefined`. A rejected start can leave such a row, which nothing will ever run: the batch takes the next key.
// - An execution that n8n makes and fails before its first node is not found. It could not check the workflow, perhaps
//   because its database was away for a moment, so the batch takes one more key; or a node or a credential is wrong.
// - In queue mode an execution whose worker could not read it, or died, has no job and no node.
// - In queue mode the promise may never settle, if the execution ends before n8n listens for that (n8n issue 30392:
//   Bull removes a job that has ended). The promise for a response, which is meant for triggers that answer somebody,
//   takes another way: the worker's message about the end of the job settles it, whatever becomes of the job.
// - If n8n runs the execution itself, that second promise waits for the end of an execution that pauses (a Wait node, an
//   approval), which a worker does not report.
//
// Engine 2.0 takes no promise and reports nothing, so it is watched whether the database responds until the execution
// has been saved.

import { randomUUID } from 'crypto';
import type {
	IExecuteResponsePromiseData,
	INodeExecutionData,
	IRun,
	ITriggerFunctions,
} from 'n8n-workflow';
import type { Clock, FeedLogger } from '../../feed/types';
import type { Batch, BatchResult } from '../batchQueue';
import { classOf, reasonLine, type Database } from './database';
import { Gate } from './gate';

/** Keys per try of a batch; after that n8n is believed not to run it. */
const MOST_KEYS = 3;
/** The parameters of `emit` in n8n 2.41: the last one is the key. */
const PARAMETERS_WITH_KEY = 4;
/** An execution that runs or pauses for longer is no longer waited for. */
const LONGEST_EXECUTION_MS = 60 * 60_000;
/** How often to look at executions that have not reported their end. */
const LOOK_EVERY_MS = 1_000;
/** How often to check the database while one runs for longer than that. */
const CHECK_EVERY_MS = 5_000;
/** This long after its last node, an execution has ended whether n8n reports that or not. */
const REPORT_AFTER_NODES_MS = 1_000;
/** … and after this time n8n will not report it any more. */
const LOST_AFTER_MS = 30_000;
/**
 * This long after n8n's database has come back, an execution that was in progress meanwhile has reported its end or
 * never will: a worker could not read it, or an old n8n could not start it.
 */
const REPORT_AFTER_OUTAGE_MS = 2 * 60_000;
/** By then each worker has found the database again: n8n tries that at least every 30 s. */
const WORKERS_BACK_MS = 60_000;

/** Engine 2.0: an execution that started this long ago has been saved, or has ended. */
const SAVED_AFTER_MS = 10_000;
/** Engine 2.0: each slot of the setting takes four batches a second: with ten, forty executions start per second. */
const STARTS_PER_SLOT = 4;

/** A batch; the numbers count up from 1. It is the same object for each try. */
type Numbered = Pick<Batch<unknown>, 'number'>;

interface StarterContext {
	n8n: Pick<ITriggerFunctions, 'emit' | 'helpers'>;
	database: Database;
	/** Maximum number of concurrent executions. */
	concurrency: number;
	logger: FeedLogger;
	clock: Clock;
}

/** What n8n reports of an execution; `jobId` if a worker ran it. */
type Run = Partial<IRun> & { jobId?: string };

/** An execution whose end n8n has not reported. */
interface Running {
	/** How long to wait for it still: n8n does not get time to report when the clock is set forward. */
	leftMs: number;
	/** It was in progress while n8n's database was down or a worker could not read another one, or soon after. */
	inDoubt: boolean;
	/** Its last node has run: since when, and with which result. */
	nodesEnded?: { at: number; result: BatchResult };
	/** Frees its slot; only the first call counts. */
	readonly resolve: (result: BatchResult) => void;
}

const ENDED: BatchResult = { outcome: 'ended' };
/** n8n has a row with the key that it does not run: another key may start it. */
const KEY_USED: BatchResult = {
	outcome: 'unknown',
	reason: 'n8n refused to start an execution, and reports no reason',
};
/** Seen twice, it is the workflow that n8n does not run. */
const NOT_RUN: BatchResult = {
	outcome: 'failed',
	reason: 'the execution failed before its first node',
};
/** … but just after an outage it is the database that n8n could not read yet. */
const NOT_YET: BatchResult = { outcome: 'notStarted', reason: 'n8n can not run executions yet' };
const EXECUTION_FAILED: BatchResult = { outcome: 'failed', reason: 'the execution failed' };
const TRIGGER_CLOSED: BatchResult = {
	outcome: 'notStarted',
	reason: 'closed before n8n ran the batch',
};

export class Starter {
	private readonly id = randomUUID();
	/** For each batch, how many of its keys are used up. */
	private readonly usedKeys = new WeakMap<Numbered, number>();
	private readonly running: Running[] = [];
	/** n8n did not report the end of an execution although its last node had run: that is logged once. */
	private losesEnds = false;
	/** When the database did not respond last, or a worker could not read an execution. */
	private troubleAt = Number.NEGATIVE_INFINITY;
	/** Executions run on workers; undefined until one shows it. */
	private queueMode: boolean | undefined;
	private checkedAt = Number.NEGATIVE_INFINITY;
	private cancelLook: (() => void) | undefined;
	private closed = false;
	/** The workflow runs on engine 2.0. */
	private isEngine2: boolean;
	private readonly gate: Gate;

	/** @param settings of the workflow */
	constructor(
		private readonly context: StarterContext,
		settings: object,
	) {
		const { concurrency, database, clock } = context;
		this.isEngine2 = (settings as { engineType?: unknown }).engineType === 'v2';
		this.gate = new Gate(1_000 / STARTS_PER_SLOT / concurrency, database, clock);
	}

	/** How many batches may be with n8n at once; changes if the workflow's engine is changed. */
	get slots(): number {
		const { concurrency } = this.context;
		return this.isEngine2 ? (concurrency * STARTS_PER_SLOT * SAVED_AFTER_MS) / 1000 : concurrency;
	}

	/**
	 * Hands a batch over. Never rejects.
	 * @param items makes its items; new ones at each call, since n8n may change what it is given
	 */
	async start(batch: Numbered, items: () => INodeExecutionData[]): Promise<BatchResult> {
		try {
			for (let tries = 1; !this.isEngine2; tries++) {
				const used = this.usedKeys.get(batch) ?? 0;
				const result = await this.startKey(`${this.id}-${batch.number}-${used + 1}`, items);
				const hasKey = result === KEY_USED || result.outcome === 'failed';
				if (hasKey) this.usedKeys.set(batch, used + 1);
				const most = result === KEY_USED ? MOST_KEYS : result === NOT_RUN ? 2 : 1;
				if (tries >= most) return result === NOT_RUN && this.isJustBack ? NOT_YET : result;
				if (this.closed) return TRIGGER_CLOSED;
			}
			return await this.startUnreported(items);
		} catch (error) {
			// `emit` itself: the workflow is not active, for example.
			return this.notStarted(error);
		}
	}

	/** Settles when no batch waits for its turn any more. Never rejects. */
	async handedOver(): Promise<unknown> {
		return await this.gate.idle;
	}

	/** From now on nothing new is handed over, and no timer runs. */
	close(): void {
		this.closed = true;
		this.cancelLook?.();
		this.gate.close();
	}

	private async startUnreported(items: () => INodeExecutionData[]): Promise<BatchResult> {
		const { n8n, database } = this.context;
		const opens = await this.gate.opens();
		if (this.closed) return TRIGGER_CLOSED;
		if (!opens) return this.notStarted(database.reason);
		n8n.emit([items()]);
		return await new Promise<BatchResult>((resolve) => this.watch(SAVED_AFTER_MS, resolve));
	}

	private async startKey(key: string, items: () => INodeExecutionData[]): Promise<BatchResult> {
		const { n8n, clock } = this.context;
		const done = n8n.helpers.createDeferredPromise<Run | undefined>();
		const response = n8n.helpers.createDeferredPromise<IExecuteResponsePromiseData>();
		n8n.emit([items()], response, done as Parameters<typeof n8n.emit>[2], key);
		return await new Promise<BatchResult>((resolve) => {
			const one = this.watch(LONGEST_EXECUTION_MS, resolve);
			done.promise.then(
				(run) => {
					if (!this.reportsEndOf(run)) return this.settle(one, this.resultOf(run));
					const hasEnded = () => this.settle(one, ENDED);
					// It rejects if a person stops the execution.
					response.promise.then(hasEnded, hasEnded);
				},
				(error: unknown) => this.settle(one, this.resultOfError(error)),
			);
			response.promise.then(
				(data) => {
					const result = resultOfNodes(data);
					if (result) one.nodesEnded = { at: clock.now(), result };
				},
				() => {
					// The other promise has more to say about it.
				},
			);
		});
	}

	private watch(leftMs: number, resolve: Running['resolve']): Running {
		// On engine 2.0 the gate has waited until the database was back.
		const inDoubt = !this.isEngine2 && this.isJustBack;
		const one = { leftMs, inDoubt, resolve };
		this.running.push(one);
		this.lookLater();
		return one;
	}

	/** The database was down until a moment ago. */
	private get isJustBack(): boolean {
		return this.context.clock.now() - this.troubleAt <= WORKERS_BACK_MS;
	}

	private settle(one: Running, result: BatchResult): void {
		const at = this.running.indexOf(one);
		if (at >= 0) this.running.splice(at, 1);
		one.resolve(result);
	}

	/**
	 * Whether an execution pauses whose end n8n will report. Only one at a time waits for that: otherwise a few approvals
	 * would hold up everything else.
	 */
	private reportsEndOf(run: Run | undefined): boolean {
		return run?.status === 'waiting' && run.jobId === undefined && this.context.concurrency === 1;
	}

	private resultOf(run: Run | undefined): BatchResult {
		if (!run) return KEY_USED;
		const { status, jobId, data } = run;
		const resultData = data?.resultData;
		const nodes = resultData?.runData && Object.keys(resultData.runData).length;
		if (jobId !== undefined) this.queueMode = true;
		else if (nodes) this.queueMode = false;
		const isFailed = status === 'error' || status === 'crashed';
		if (isFailed && this.queueMode !== false && jobId === undefined && nodes === 0) {
			// It may be one of several, of which n8n reports only those that ended when it listened.
			this.doubtAll();
			return {
				outcome: 'unknown',
				reason:
					'an execution failed, and n8n reports no node that ran: a worker could not read it or died while running it, or n8n refused to start it',
			};
		}
		if (!isFailed) return ENDED;
		const error: unknown = resultData?.error;
		if (!error) return EXECUTION_FAILED;
		const errorName = classOf(error) || 'an error';
		return { outcome: 'failed', reason: reasonLine(error), errorName };
	}

	private resultOfError(error: unknown): BatchResult {
		const name = classOf(error);
		if (name === 'ExecutionNotFoundError') return NOT_RUN;
		// A user, a time limit or the end of n8n stopped the execution.
		if (name.endsWith('ExecutionCancelledError') || !this.reportsStarts) return ENDED;
		if (refusesPromise(error)) {
			this.isEngine2 = true;
			return KEY_USED;
		}
		return this.notStarted(error);
	}

	private notStarted(error: unknown): BatchResult {
		this.doubtAll();
		return { outcome: 'notStarted', reason: reasonLine(error) };
	}

	private doubtAll(): void {
		this.troubleAt = this.context.clock.now();
		for (const one of this.running) one.inDoubt = true;
	}

	private get reportsStarts(): boolean {
		return this.context.n8n.emit.length >= PARAMETERS_WITH_KEY;
	}

	/** An execution can fail without a report of n8n; otherwise one that takes its time is no doubt. */
	private get canLose(): boolean {
		return this.isEngine2 || this.queueMode !== false || !this.reportsStarts;
	}

	// ── executions that do not report their end ─────────────────────────────────────────────────────────────

	private lookLater(): void {
		if (this.closed || this.running.length === 0) return;
		this.cancelLook ??= this.context.clock.after(LOOK_EVERY_MS, () => {
			this.cancelLook = undefined;
			void this.look();
		});
	}

	private async look(): Promise<void> {
		const now = this.context.clock.now();
		// The time until it is saved counts while the database responds.
		if (this.isEngine2) await this.check();
		for (const one of [...this.running]) {
			const { nodesEnded } = one;
			one.leftMs -= LOOK_EVERY_MS;
			if (nodesEnded) this.lookAfterNodes(one, now - nodesEnded.at, nodesEnded.result);
			else if (one.leftMs <= 0 || (this.isEngine2 && one.inDoubt))
				this.settle(one, this.unreported(one));
		}
		const isLong = ({ leftMs }: Running) => leftMs <= LONGEST_EXECUTION_MS - CHECK_EVERY_MS;
		if (this.canLose && now - this.checkedAt >= CHECK_EVERY_MS && this.running.some(isLong))
			void this.check();
		this.lookLater();
	}

	private unreported({ inDoubt }: Running): BatchResult {
		const { database, logger } = this.context;
		if (inDoubt && this.canLose) {
			const reason = this.isEngine2
				? `n8n's database went down (${database.reason}): events may not have started an execution, which engine 2.0 does not report`
				: 'n8n does not report the end of an execution that was in progress while its database or a worker was down: it may have failed';
			return { outcome: 'unknown', reason };
		}
		if (!this.isEngine2)
			logger.warn(
				`n8n has had an execution for ${LONGEST_EXECUTION_MS / 60_000} min and has not reported its end: no longer waiting for it`,
			);
		return ENDED;
	}

	private lookAfterNodes(one: Running, elapsedMs: number, result: BatchResult): void {
		if (elapsedMs < REPORT_AFTER_NODES_MS) return;
		one.resolve(result);
		if (elapsedMs < LOST_AFTER_MS) return;
		this.settle(one, ENDED);
		if (!this.losesEnds)
			this.context.logger.warn(
				"n8n did not report the end of an execution whose nodes had run: a known fault of its queue mode (n8n issue 30392). Its events were handed over. To avoid it, set N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED=1000 for n8n's main instance",
			);
		this.losesEnds = true;
	}

	/** Executions that were in progress while the database was down have little time left once it is back. */
	private async check(): Promise<void> {
		const { database, clock } = this.context;
		this.checkedAt = clock.now();
		if (!(await database.answers())) return this.doubtAll();
		for (const one of this.running)
			if (one.inDoubt) one.leftMs = Math.min(one.leftMs, REPORT_AFTER_OUTAGE_MS);
	}
}

/**
 * What became of an execution on a worker, by the response that n8n makes up when its last node has run; undefined for
 * the response of a node, after which the execution continues.
 */
function resultOfNodes(response: unknown): BatchResult | undefined {
	if (typeof response !== 'object' || response === null) return undefined;
	if (Object.keys(response).length === 0) return ENDED;
	const { statusCode, body } = response as { statusCode?: unknown; body?: { message?: unknown } };
	return statusCode === 500 && body?.message === 'Workflow execution failed'
		? EXECUTION_FAILED
		: undefined;
}

/** The error of an engine whose triggers can't wait for their executions. */
function refusesPromise(error: unknown): boolean {
	return /engine 2|waits? for its execution|without waiting/i.test(reasonLine(error));
}
