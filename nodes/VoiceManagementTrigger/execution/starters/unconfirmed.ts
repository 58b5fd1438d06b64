// For engine 2.0, which takes no promise and reports nothing. Batches are handed over one after the other, each only
// while n8n's database responds. The database is watched as long as an execution may not be saved: if it goes down
// meanwhile, it is unknown what became of the batch.

import type { INodeExecutionData } from 'n8n-workflow';
import type { BatchResult } from '../batchQueue';
import { reasonLine } from './database';
import type { Numbered, Starter, StarterContext } from './starter';

/** A response of the database is good for a hand-over for this long, and it is checked this often afterwards. */
const FRESH_MS = 1_000;
/** After the database has come back, n8n may need this long to find it again. */
const BACK_MS = 5_000;
/** An execution that started this long ago has been saved, or has ended. */
const SAVED_AFTER_MS = 10_000;
/** Each slot of the setting takes four batches a second: with ten, forty executions start per second. */
const STARTS_PER_SLOT = 4;

interface Unsaved {
	readonly since: number;
	readonly settle: (result: BatchResult) => void;
}

export class UnconfirmedStarter implements Starter {
	readonly slots: number;
	/** Settles when the batch before the next one has been handed over. */
	private turn: Promise<unknown> = Promise.resolve();
	private emittedAt = Number.NEGATIVE_INFINITY;
	private wasDown = false;
	private unsaved: Unsaved[] = [];
	private cancelLook: (() => void) | undefined;
	private closed = false;
	/** Ends the wait of the batch whose turn it is. */
	private endWait: (() => void) | undefined;

	constructor(private readonly context: StarterContext) {
		this.slots = (context.concurrency * STARTS_PER_SLOT * SAVED_AFTER_MS) / 1000;
	}

	async start(_batch: Numbered, items: () => INodeExecutionData[]): Promise<BatchResult> {
		const handedOver = this.turn.then(async () => await this.handOver(items));
		this.turn = handedOver;
		const notStarted = await handedOver;
		if (notStarted !== undefined) return { outcome: 'notStarted', reason: notStarted };
		return await new Promise<BatchResult>((settle) => {
			this.unsaved.push({ since: this.context.clock.now(), settle });
			this.lookLater();
		});
	}

	close(): void {
		this.closed = true;
		this.cancelLook?.();
		this.endWait?.();
	}

	/** @returns why n8n was not given the batch; undefined if it was. Never rejects */
	private async handOver(items: () => INodeExecutionData[]): Promise<string | undefined> {
		const { n8n, database, clock, concurrency } = this.context;
		await this.wait(this.emittedAt + 1_000 / STARTS_PER_SLOT / concurrency - clock.now());
		if (!(await this.answers())) return database.reason;
		if (this.closed) return 'closed before n8n was given the batch';
		this.emittedAt = clock.now();
		try {
			n8n.emit([items()]);
			return undefined;
		} catch (error) {
			return reasonLine(error);
		}
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

	private lookLater(): void {
		if (this.closed || this.unsaved.length === 0) return;
		this.cancelLook ??= this.context.clock.after(FRESH_MS, () => {
			this.cancelLook = undefined;
			void this.look();
		});
	}

	private async look(): Promise<void> {
		const { database, clock } = this.context;
		// Before the read, which can take many seconds if the database is down.
		const savedBefore = clock.now() - SAVED_AFTER_MS;
		// If a hand-over has found the database down meanwhile, it counts although it responds again.
		if (!(await database.answers())) this.wasDown = true;
		this.unsaved = this.unsaved.filter(({ since, settle }) => {
			if (since <= savedBefore) settle({ outcome: 'ended' });
			else if (!this.wasDown) return true;
			else {
				settle({
					outcome: 'unknown',
					reason: `n8n's database went down (${database.reason}): events may not have started an execution, which engine 2.0 does not report`,
				});
			}
			return false;
		});
		this.lookLater();
	}

	private async wait(ms: number): Promise<void> {
		if (this.closed || ms <= 0) return;
		await new Promise<void>((resolve) => {
			const cancel = this.context.clock.after(ms, resolve);
			this.endWait = () => {
				cancel();
				resolve();
			};
		});
		this.endWait = undefined;
	}
}
