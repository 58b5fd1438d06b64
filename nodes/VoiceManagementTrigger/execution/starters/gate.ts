// For engine 2.0, which reports nothing: lets n8n have one batch after the other, at a pace that it can keep, and only
// while its database responds.

import type { Clock } from '../../feed/types';
import type { Database } from './database';

/** A response of the database is good for a hand-over for this long. */
const FRESH_MS = 1_000;
/** After the database has come back, n8n may need this long to find it again. */
const BACK_MS = 5_000;

export class Gate {
	/** Settles when it has opened, or not, for the batch before the next one. */
	private turn = Promise.resolve(true);
	private openedAt = Number.NEGATIVE_INFINITY;
	private closed = false;
	/** Ends the wait of the batch whose turn it is. */
	private endWait: (() => void) | undefined;

	/** @param everyMs how long it stays closed after each batch */
	constructor(
		private readonly everyMs: number,
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	/** Waits for its turn. @returns whether n8n can start an execution. Never rejects */
	async opens(): Promise<boolean> {
		this.turn = this.turn.then(async () => await this.open());
		return await this.turn;
	}

	/** Settles when it has opened, or not, for everybody who waits. */
	get idle(): Promise<unknown> {
		return this.turn;
	}

	/** Nobody has to wait any longer. */
	close(): void {
		this.closed = true;
		this.endWait?.();
	}

	private async open(): Promise<boolean> {
		const { database, clock } = this;
		await this.wait(this.openedAt + this.everyMs - clock.now());
		if (this.closed) return false;
		if (!(await database.answers(FRESH_MS))) return false;
		await this.wait(database.backAt + BACK_MS - clock.now());
		if (!(await database.answers(FRESH_MS))) return false;
		this.openedAt = clock.now();
		return true;
	}

	private async wait(ms: number): Promise<void> {
		if (this.closed || ms <= 0) return;
		await new Promise<void>((resolve) => {
			const cancel = this.clock.after(ms, resolve);
			this.endWait = () => {
				cancel();
				resolve();
			};
		});
	}
}
