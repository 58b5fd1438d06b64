// The one question that the queue asks n8n: what became of a batch?

import type { INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';
import type { Clock, FeedLogger } from '../../feed/types';
import type { Batch, BatchResult } from '../batchQueue';
import type { Database } from './database';

/** One way in which n8n answers. */
export interface Starter {
	/** How many batches may be with n8n at once; changes if the workflow's engine is changed. */
	readonly slots: number;
	/**
	 * Hands a batch over. Never rejects.
	 * @param batch the same object for each try
	 * @param items makes its items; new ones at each call, since n8n may change what it is given
	 */
	start(batch: Numbered, items: () => INodeExecutionData[]): Promise<BatchResult>;
	/** From now on nothing new is handed over, and no timer runs. */
	close(): void;
}

/** A batch; the numbers count up from 1. */
export type Numbered = Pick<Batch<unknown>, 'number'>;

/** What a starter needs. */
export interface StarterContext {
	n8n: Pick<ITriggerFunctions, 'emit' | 'helpers'>;
	database: Database;
	/** Maximum number of concurrent executions. */
	concurrency: number;
	logger: FeedLogger;
	clock: Clock;
}
