// For n8n's usual engine (read in 2.41.1, and tried with a database that goes down):
//
// - The promise that is passed with a batch rejects if the execution could not be started, and with an error of a
//   certain name if it was stopped, in which case n8n had it. Otherwise it resolves with the execution when that ends or
//   pauses. n8n before 2.41 takes no key, and reports nothing of what it could not start.
// - One key starts one execution: a row that was never run is replaced; with any other row the promise resolves to
//   `undefined`. A rejected start can leave such a row, which nothing will ever run. An execution that failed before its
//   first node has no result either, or is not found. In both cases the batch takes the next key.
// - In queue mode an execution whose worker could not read it, or died, has no job and no node.
// - In queue mode the promise may never settle, if the execution ends before n8n listens for that (n8n issue 30392:
//   Bull removes a job that has ended). The promise for a response, which is meant for triggers that answer somebody,
//   takes another way: the worker's message about the end of the job settles it, whatever becomes of the job.
// - If n8n runs the execution itself, that second promise waits for the end of an execution that pauses (a Wait node, an
//   approval), which a worker does not report.

import { randomUUID } from 'crypto';
import type { IExecuteResponsePromiseData, INodeExecutionData, IRun } from 'n8n-workflow';
import type { BatchResult } from '../batchQueue';
import { classOf, reasonLine } from './database';
import type { Numbered, Starter, StarterContext } from './starter';
import { UnconfirmedStarter } from './unconfirmed';

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
const LOG_LOST_EVERY_MS = 3_600_000;
/**
 * This long after n8n's database has come back, an execution that was in progress meanwhile has reported its end or
 * never will: a worker could not read it, or an old n8n could not start it.
 */
const REPORT_AFTER_OUTAGE_MS = 2 * 60_000;

/** An execution whose end n8n has not reported. */
interface Running {
	/** How long to wait for it still: n8n does not get time to report when the clock is set forward. */
	leftMs: number;
	/** It was in progress while n8n's database was down. */
	inDoubt: boolean;
	/** Its last node has run: since when, and with which result. */
	nodesEnded?: { at: number; failed: boolean };
	/** Frees its slot; only the first call counts. @param result undefined if n8n has a row with its key that it does not run */
	readonly resolve: (result: BatchResult | undefined) => void;
}

const ENDED: BatchResult = { outcome: 'ended' };
const FAILED: BatchResult = { outcome: 'failed', reason: 'the execution failed' };

export class ConfirmedStarter implements Starter {
	private readonly id = randomUUID();
	/** For each batch, how many of its keys are used up. */
	private readonly usedKeys = new WeakMap<Numbered, number>();
	private readonly running: Running[] = [];
	/** Executions whose end n8n did not report although their last node had run, since that was logged. */
	private lost = 0;
	private lostLoggedAt = Number.NEGATIVE_INFINITY;
	/** Executions run on workers; undefined until one shows it. */
	private queueMode: boolean | undefined;
	private checkedAt = Number.NEGATIVE_INFINITY;
	private cancelLook: (() => void) | undefined;
	private closed = false;
	/** n8n refuses to report: the workflow's engine has been changed since the trigger started. */
	private instead: Starter | undefined;

	constructor(private readonly context: StarterContext) {}

	get slots(): number {
		return this.instead?.slots ?? this.context.concurrency;
	}

	async start(batch: Numbered, items: () => INodeExecutionData[]): Promise<BatchResult> {
		for (let tries = 1; tries <= MOST_KEYS; tries++) {
			if (this.instead) return await this.instead.start(batch, items);
			const used = this.usedKeys.get(batch) ?? 0;
			const result = await this.tryKey(`${this.id}-${batch.number}-${used + 1}`, items);
			if (result?.outcome === 'failed' || !result) this.usedKeys.set(batch, used + 1);
			if (result) return result;
			if (this.closed) return { outcome: 'notStarted', reason: 'closed before n8n ran the batch' };
		}
		const reason = 'n8n refused to start an execution, and reports no reason';
		return { outcome: 'unknown', reason };
	}

	close(): void {
		this.closed = true;
		this.cancelLook?.();
		this.instead?.close();
	}

	/** @returns what became of the batch; undefined if n8n has a row with this key that it does not run */
	private async tryKey(
		key: string,
		items: () => INodeExecutionData[],
	): Promise<BatchResult | undefined> {
		const { n8n, clock } = this.context;
		const done = n8n.helpers.createDeferredPromise<IRun | undefined>();
		const response = n8n.helpers.createDeferredPromise<IExecuteResponsePromiseData>();
		return await new Promise<BatchResult | undefined>((resolve) => {
			const one: Running = { leftMs: LONGEST_EXECUTION_MS, inDoubt: false, resolve };
			this.running.push(one);
			done.promise.then(
				(run) => {
					if (!this.reportsEndOf(run)) return this.settle(one, run && this.resultOf(run));
					const hasEnded = () => this.settle(one, ENDED);
					// It rejects if a person stops the execution.
					response.promise.then(hasEnded, hasEnded);
				},
				(error: unknown) => this.settle(one, this.resultOfError(error)),
			);
			response.promise.then(
				(data) => {
					const failed = failedNodes(data);
					if (failed !== undefined) one.nodesEnded = { at: clock.now(), failed };
				},
				() => {
					// The other promise has more to say about it.
				},
			);
			try {
				n8n.emit([items()], response, done as Parameters<typeof n8n.emit>[2], key);
			} catch (error) {
				this.settle(one, this.notStarted(error));
			}
			this.lookLater();
		});
	}

	private settle(one: Running, result: BatchResult | undefined): void {
		const at = this.running.indexOf(one);
		if (at >= 0) this.running.splice(at, 1);
		one.resolve(result);
	}

	/**
	 * Whether an execution pauses whose end n8n will report. Only one at a time waits for that: otherwise a few approvals
	 * would hold up everything else.
	 */
	private reportsEndOf(run: (Partial<IRun> & { jobId?: string }) | undefined): boolean {
		return run?.status === 'waiting' && run.jobId === undefined && this.context.concurrency === 1;
	}

	private resultOf(run: Partial<IRun> & { jobId?: string }): BatchResult {
		const { status, jobId, data } = run;
		const resultData = data?.resultData;
		const nodes = resultData?.runData && Object.keys(resultData.runData).length;
		if (jobId !== undefined) this.queueMode = true;
		else if (nodes) this.queueMode = false;
		if (status !== 'error' && status !== 'crashed') return ENDED;
		if (this.queueMode !== false && jobId === undefined && nodes === 0) {
			return {
				outcome: 'unknown',
				reason:
					'an execution failed, and n8n reports no node that ran: a worker could not read it or died while running it, or n8n refused to start it',
			};
		}
		const error: unknown = resultData?.error;
		if (!error) return FAILED;
		const errorName = classOf(error) || 'an error';
		return { outcome: 'failed', reason: reasonLine(error), errorName };
	}

	/** @returns undefined if n8n had a row for the batch, but the execution failed before its first node */
	private resultOfError(error: unknown): BatchResult | undefined {
		const name = classOf(error);
		if (name === 'ExecutionNotFoundError') return undefined;
		// A user, a time limit or the end of n8n stopped the execution.
		if (name.endsWith('ExecutionCancelledError') || !this.reportsStarts) return ENDED;
		if (refusesPromise(error)) {
			this.instead ??= new UnconfirmedStarter(this.context);
			return undefined;
		}
		return this.notStarted(error);
	}

	private notStarted(error: unknown): BatchResult {
		for (const one of this.running) one.inDoubt = true;
		return { outcome: 'notStarted', reason: reasonLine(error) };
	}

	private get reportsStarts(): boolean {
		return this.context.n8n.emit.length >= PARAMETERS_WITH_KEY;
	}

	// ── executions that do not report their end ─────────────────────────────────────────────────────────────

	private lookLater(): void {
		if (this.closed || this.running.length === 0) return;
		this.cancelLook ??= this.context.clock.after(LOOK_EVERY_MS, () => {
			this.cancelLook = undefined;
			this.look();
			this.lookLater();
		});
	}

	private look(): void {
		const { clock } = this.context;
		const now = clock.now();
		for (const one of [...this.running]) {
			one.leftMs -= LOOK_EVERY_MS;
			if (one.nodesEnded) this.lookAfterNodes(one, now - one.nodesEnded.at, one.nodesEnded.failed);
			else if (one.leftMs <= 0) this.settle(one, this.unreported(one));
		}
		this.logLost(now);
		const canLose = this.queueMode !== false || !this.reportsStarts;
		const isLong = ({ leftMs, nodesEnded }: Running) =>
			!nodesEnded && leftMs <= LONGEST_EXECUTION_MS - CHECK_EVERY_MS;
		if (canLose && now - this.checkedAt >= CHECK_EVERY_MS && this.running.some(isLong))
			void this.check();
	}

	private unreported({ inDoubt }: Running): BatchResult {
		if (inDoubt) {
			const reason =
				'n8n does not report the end of an execution that was in progress while its database was down: it may have failed';
			return { outcome: 'unknown', reason };
		}
		this.context.logger.warn(
			`n8n has had an execution for ${LONGEST_EXECUTION_MS / 60_000} min and has not reported its end: no longer waiting for it`,
		);
		return ENDED;
	}

	private lookAfterNodes(one: Running, elapsedMs: number, failed: boolean): void {
		if (elapsedMs < REPORT_AFTER_NODES_MS) return;
		one.resolve(failed ? FAILED : ENDED);
		if (elapsedMs < LOST_AFTER_MS) return;
		this.settle(one, ENDED);
		this.lost++;
	}

	private logLost(now: number): void {
		if (this.lost === 0 || now - this.lostLoggedAt < LOG_LOST_EVERY_MS) return;
		this.context.logger.warn(
			`n8n did not report the end of ${this.lost} execution${this.lost === 1 ? '' : 's'} whose nodes had run: a known fault of its queue mode (n8n issue 30392). Their events were handed over. To avoid it, set N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED=1000 for n8n's main instance`,
		);
		this.lost = 0;
		this.lostLoggedAt = now;
	}

	/** Executions that were in progress while the database was down have little time left once it is back. */
	private async check(): Promise<void> {
		const { database, clock } = this.context;
		this.checkedAt = clock.now();
		const answers = await database.answers();
		for (const one of this.running) {
			if (!answers) one.inDoubt = true;
			else if (one.inDoubt) one.leftMs = Math.min(one.leftMs, REPORT_AFTER_OUTAGE_MS);
		}
	}
}

/**
 * Whether an execution on a worker failed, by the response that n8n makes up when its last node has run; undefined for
 * the response of a node, after which the execution continues.
 */
function failedNodes(response: unknown): boolean | undefined {
	if (typeof response !== 'object' || response === null) return undefined;
	if (Object.keys(response).length === 0) return false;
	const { statusCode, body } = response as { statusCode?: unknown; body?: { message?: unknown } };
	return statusCode === 500 && body?.message === 'Workflow execution failed' ? true : undefined;
}

/** The error of an engine whose triggers can't wait for their executions. */
function refusesPromise(error: unknown): boolean {
	return /engine 2|waits? for its execution|without waiting/i.test(reasonLine(error));
}
