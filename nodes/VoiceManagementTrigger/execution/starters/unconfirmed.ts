// For an n8n that does not report what it could not start: engine 2.0, which takes no promise and reports nothing, and
// releases before 2.41, which report the end of what did start. Batches are handed over one after the other, each only
// while n8n's database responds. The database is watched as long as an execution may not be saved: if it goes down
// meanwhile, it is unknown what became of the batch.

import type { INodeExecutionData, IRun } from 'n8n-workflow';
import type { Answer } from '../batchQueue';
import { reasonOf } from './database';
import type { Numbered, Starter, StarterContext } from './starter';

/** A response of the database is good for a hand-over for this long, and it is checked this often afterwards. */
const FRESH_MS = 1_000;
/** After the database has come back, n8n may need this long to find it again. */
const BACK_MS = 5_000;
/** An execution that started this long ago has been saved, or has ended. */
const SAVED_AFTER_MS = 10_000;
/** Without reports, each slot of the setting takes four batches a second: with ten, forty executions start per second. */
const STARTS_PER_SLOT = 4;
/** With reports, an execution that has not reported its end after this time may not have started. */
const LONGEST_RUN_MS = 60_000;

interface Execution {
	readonly since: number;
	readonly answer: (answer: Answer) => void;
}

export class UnconfirmedStarter implements Starter {
	readonly slots: number;
	/** Settles when the batch before the next one has been handed over. */
	private turn: Promise<unknown> = Promise.resolve();
	private emittedAt = Number.NEGATIVE_INFINITY;
	private wasDown = false;
	private readonly running: Execution[] = [];
	private cancelLook: (() => void) | undefined;
	private closed = false;
	/** Ends the waits. */
	private readonly waits = new Set<() => void>();

	/** @param reportsEnd false for engine 2.0 */
	constructor(
		private readonly context: StarterContext,
		private readonly reportsEnd: boolean,
	) {
		const { concurrency } = context;
		this.slots = reportsEnd ? concurrency : (concurrency * STARTS_PER_SLOT * SAVED_AFTER_MS) / 1000;
	}

	async start(_batch: Numbered, items: () => INodeExecutionData[]): Promise<Answer> {
		const handedOver = this.turn.then(async () => await this.handOver(items));
		this.turn = handedOver;
		const { ended } = await handedOver;
		return await ended;
	}

	close(): void {
		this.closed = true;
		this.cancelLook?.();
		for (const end of [...this.waits]) end();
	}

	/** @returns when it has been handed over: a promise of its end. Never rejects */
	private async handOver(items: () => INodeExecutionData[]): Promise<{ ended: Promise<Answer> }> {
		const { n8n, database, clock, concurrency } = this.context;
		const notStarted = (reason: string) => {
			const answer: Answer = { outcome: 'notStarted', reason };
			return { ended: Promise.resolve(answer) };
		};
		if (!this.reportsEnd) {
			const paceMs = 1_000 / STARTS_PER_SLOT / concurrency;
			await this.wait(this.emittedAt + paceMs - clock.now());
		}
		if (!(await this.answers())) return notStarted(database.reason);
		if (this.closed) return notStarted('closed before n8n was given the batch');
		const done = this.reportsEnd ? n8n.helpers.createDeferredPromise<IRun>() : undefined;
		this.emittedAt = clock.now();
		try {
			n8n.emit([items()], undefined, done);
		} catch (error) {
			return notStarted(reasonOf(error));
		}
		return { ended: this.end(done?.promise) };
	}

	/** Whether n8n can start executions. */
	private async answers(): Promise<boolean> {
		const { database } = this.context;
		if (!(await database.answers(FRESH_MS))) {
			this.wasDown = true;
			return false;
		}
		if (!this.wasDown) return true;
		await this.wait(BACK_MS);
		if (!(await database.answers())) return false;
		this.wasDown = false;
		return true;
	}

	private async end(done: Promise<IRun> | undefined): Promise<Answer> {
		const since = this.context.clock.now();
		return await new Promise<Answer>((resolve) => {
			const execution = { since, answer: resolve };
			this.running.push(execution);
			const over = () => {
				this.remove(execution);
				resolve({ outcome: 'ended' });
			};
			done?.then(over, over);
			this.lookLater();
		});
	}

	private remove(execution: Execution): void {
		const at = this.running.indexOf(execution);
		if (at >= 0) this.running.splice(at, 1);
	}

	private lookLater(): void {
		if (this.closed || this.running.length === 0) return;
		this.cancelLook ??= this.context.clock.after(FRESH_MS, () => {
			this.cancelLook = undefined;
			void this.look();
		});
	}

	private async look(): Promise<void> {
		const { database, clock } = this.context;
		// Before the read, which can take many seconds if the database is down.
		const now = clock.now();
		// If a hand-over has found the database down meanwhile, it counts although it responds again.
		if (!(await database.answers())) this.wasDown = true;
		const saved = now - SAVED_AFTER_MS;
		const limit = this.reportsEnd ? now - LONGEST_RUN_MS : saved;
		for (const execution of [...this.running]) {
			const { since, answer } = execution;
			if (this.wasDown && since > saved) {
				answer({
					outcome: 'unknown',
					reason: `n8n's database went down (${database.reason}): events may not have started an execution, and executions in progress may not have ended, which this n8n does not report`,
				});
			} else if (since <= limit) answer({ outcome: 'ended' });
			else continue;
			this.remove(execution);
		}
		this.lookLater();
	}

	private async wait(ms: number): Promise<void> {
		if (this.closed || ms <= 0) return;
		await new Promise<void>((resolve) => {
			const end = () => {
				if (!this.waits.delete(end)) return;
				cancel();
				resolve();
			};
			const cancel = this.context.clock.after(ms, end);
			this.waits.add(end);
		});
	}
}
