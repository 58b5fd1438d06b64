// Passes one trigger's entries to n8n: the queue, how a batch is handed over, how far the workflow has got, and what
// the workflow and n8n's log are told about it.

import type { IDataObject, INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';
import { withHelp } from '../../shared/help';
import { loggerOf } from '../context';
import type { Entry } from '../events/entry';
import { isoOf } from '../events/isoDate';
import { statusItem, type Status } from '../events/statusItem';
import { TRANSIT_MS } from '../feed/stream/gapStart';
import type { Gap } from '../feed/stream/gaps';
import { gapMessage } from '../feed/logMessages';
import type { Clock, FeedEvent } from '../feed/types';
import type { TriggerSettings } from '../settings';
import {
	ExecutionQueue,
	type Batch,
	type ExecutionQueueCallbacks,
	type Fate,
	type Waiting,
} from './executionQueue';
import { HandOver, type DatabaseCheck, type HandOverCallbacks } from './handOver';
import { Position, type Moment, type Untold } from './position';
import { weightOf } from './weight';

/** How long closing waits for free slots to hand over buffered entries. */
const FLUSH_MS = 3_000;
/**
 * Memory limit for waiting events: 50,000 usual ones take about 20 MB, but as many of one megabyte would exhaust the
 * memory.
 */
const BUFFER_BYTES = 256 * 2 ** 20;
/** An execution that runs longer than the workflow's own time limit will not report its end any more. */
const TIMEOUT_MARGIN_MS = 60_000;
/** For workflows without a time limit. */
const TIMEOUT_WITHOUT_LIMIT_MS = 60 * 60_000;

/** The activations that no user requested: n8n has started, or this n8n instance took over from another. */
const RESTARTS = new Set(['init', 'leadershipChange']);

/**
 * Positions of triggers that ended before an event came with which to report what is missing: for the next trigger of
 * the same workflow and node. Otherwise a user who saves or activates a workflow just after a restart of n8n would
 * never be notified.
 */
const untold = new Map<string, Untold>();

/** The trigger ended before its settings could be read: what it should have reported is left for the next one. */
export function leaveUntold(context: ITriggerFunctions, clock: Clock): void {
	if (!isRestart(context)) return;
	const left = new Position(context.getWorkflowStaticData('node'), true, clock).untold();
	if (left) untold.set(keyOf(context), left);
}

export interface Sources {
	/** One item, or a list of those that belong together. */
	toItem(entry: Entry): unknown;
	/** Reads n8n's database. */
	database: DatabaseCheck;
	/** Whether the feed's `cpt` was seen to count by one. */
	countsByOne(): boolean;
	/** While it is uncertain whether the feed delivers everything: until when it certainly did. Otherwise undefined. */
	provenUntil(): number | undefined;
}

export class Executions {
	private readonly queue: ExecutionQueue<Entry>;
	private readonly handOver: HandOver;
	/** Only if the workflow wants to be notified: saving the position has a price (position.ts). */
	private readonly position: Position | undefined;
	/** Receives every event of the feed, before it is filtered; undefined if nobody needs it. */
	readonly received: ((event: FeedEvent) => void) | undefined;
	private readonly logger;
	private readonly executionTimeoutMs: number;
	private closing = false;
	/**
	 * n8n lost the execution that was to report it. Reported again once another one has ended, since n8n may lose them
	 * all.
	 */
	private unheard: Gap | undefined;
	/** Workflow and node. */
	private readonly key: string;

	constructor(
		context: ITriggerFunctions,
		private readonly settings: TriggerSettings,
		private readonly sources: Sources,
		private readonly clock: Clock,
	) {
		this.logger = loggerOf(context);
		this.executionTimeoutMs = timeoutOf(context);
		this.key = keyOf(context);
		const left = untold.get(this.key);
		untold.delete(this.key);
		this.handOver = new HandOver(
			context,
			sources.database,
			this.executionTimeoutMs,
			this.whatTheHandOverTells(),
			clock,
		);
		if (settings.emitFeedStatus) {
			const staticData = context.getWorkflowStaticData('node');
			const position = new Position(staticData, isRestart(context), clock, left);
			this.position = position;
			this.received = (event) => {
				const gap = position.received(event);
				if (gap) this.reportGap(gap);
			};
		}
		const { batchSize, batchIntervalMs, maxInFlight, bufferLimit } = settings;
		this.queue = new ExecutionQueue<Entry>(
			{
				batchSize,
				batchIntervalMs,
				concurrency: maxInFlight,
				bufferLimit,
				bufferBytes: BUFFER_BYTES,
				executionTimeoutMs: this.executionTimeoutMs,
				flushMs: FLUSH_MS,
			},
			{
				start: async (batch) => await this.start(batch),
				reportsFrom: missingFrom,
				weigh: (entry) => weightOf('raw' in entry ? entry.raw : entry, BUFFER_BYTES),
				databaseAnswers: async () => await this.handOver.databaseAnswers(),
				mayBeLost: (batch) => this.handOver.mayBeLost(batch),
				mayNeverReport: () => this.handOver.mayNeverReport(),
				random: () => Math.random(),
				...this.whatTheQueueTells(),
			},
			clock,
		);
	}

	private whatTheHandOverTells(): HandOverCallbacks {
		return {
			unconfirmed: ({ items, from, to }) =>
				this.reportGap({
					from,
					to,
					durationMs: to - from,
					reason: `n8n's database went away: ${items > 0 ? `up to ${items} events may not have started an execution, and ` : ''}executions that were running may not have ended, which engine 2.0 does not report`,
				}),
			unreported: (batch) =>
				this.reportBatch(
					batch as Batch<Entry>,
					'an execution failed, and n8n reports no node that ran: a worker could not read it or died while running it, or n8n refused to start it',
				),
		};
	}

	/** Each goes to n8n's log, and becomes an item if the workflow wants that. */
	private whatTheQueueTells(): Pick<
		ExecutionQueueCallbacks<Entry>,
		'overflowed' | 'held' | 'resumed' | 'timedOut' | 'discarded'
	> {
		return {
			overflowed: (overflow) => {
				const [from, to] = [overflow.from, overflow.to].map(isoOf);
				this.logger.warn(
					`${overflow.dropped} events were dropped, from ${from} to ${to}, because ${this.settings.bufferLimit}, or ${BUFFER_BYTES / 2 ** 20} MB of them, were waiting for executions to end; ${withHelp('raise "Batch Size"', 'events-are-dropped')}`,
				);
				return this.entryOf({ event: 'overflow', ...overflow });
			},
			held: (hold) => {
				this.logger.warn(
					`n8n can't start executions (${hold.reason}): events are kept (${hold.entries} so far) until it can`,
				);
				return this.entryOf({ event: 'held', ...hold });
			},
			resumed: (end) => {
				this.logger.info(
					`n8n starts executions again after ${end.seconds} s; ${end.entries} events were kept for it`,
				);
				return this.entryOf({ event: 'resumed', at: this.clock.now(), ...end });
			},
			timedOut: (batch, inDoubt) => {
				if (inDoubt) {
					this.reportBatch(
						batch,
						'n8n does not report the end of an execution that was under way while its database was away: it may have failed',
					);
				} else {
					this.logger.warn(
						`an execution has not reported its end within ${Math.round(this.executionTimeoutMs / 60_000)} min: no longer waiting for it`,
					);
				}
			},
			discarded: (entries, held) =>
				this.logger.warn(
					held
						? `closed while n8n could not start executions: ${entries} events were discarded`
						: `closed: ${entries} events were discarded because no execution could take them within ${FLUSH_MS / 1000} s`,
				),
		};
	}

	/** Receives what the workflow asked for. */
	push(entry: Entry): void {
		this.queue.push(entry);
	}

	/** Receives what the feed reports about itself, if the workflow wants that. */
	report(status: Status): void {
		const entry = this.entryOf(status);
		if (entry) this.queue.push(entry);
	}

	/** Hands over waiting entries, in bounded time, then stops for good. */
	async close(): Promise<void> {
		this.closing = true;
		this.tellUnheard();
		await this.queue.close();
		this.handOver.close();
		const left = this.position?.untold();
		if (left) untold.set(this.key, left);
	}

	private async start(batch: Batch<Entry>): Promise<Fate> {
		this.savePosition();
		let items: INodeExecutionData[] | undefined = this.itemsOf(batch);
		if (items.length === 0) return 'ended';
		const fresh = () => {
			// n8n may change the items that it gets, so the next try gets new ones.
			const made = items ?? this.itemsOf(batch);
			items = undefined;
			return made;
		};
		const given = this.handOver.start(batch, fresh, () => beginOfBatch(batch));
		given.catch(() => this.position?.rejected());
		const { unheard } = this;
		const fate = await given;
		if (fate === 'ended' && unheard === this.unheard) this.tellUnheard();
		return fate;
	}

	/** An entry that can't be converted to an item is left out: otherwise it would block all others for ever. */
	private itemsOf({ entries }: Batch<Entry>): INodeExecutionData[] {
		const items: INodeExecutionData[] = [];
		for (const entry of entries) {
			try {
				const made = this.sources.toItem(entry);
				for (const json of Array.isArray(made) ? (made as unknown[]) : [made])
					items.push({ json: json as IDataObject });
			} catch (error) {
				const name = error instanceof Error ? error.name : typeof error;
				this.logger.error(`left out an event that can't be converted to an item (${name})`);
			}
		}
		return items;
	}

	/** n8n saves it together with the next batch. */
	private savePosition(): void {
		this.position?.save(
			() => {
				const oldest = momentOf(this.queue.oldestUnfinished());
				// If n8n stops before an execution has ended, the gaps that it reports may be lost with it. What is missing
				// after a restart can't be counted then.
				const reported = beginOf(this.queue.allRunning()) + TRANSIT_MS;
				const unfinished =
					reported === Infinity ? oldest : { at: Math.min(reported, oldest?.at ?? Infinity) };
				const waiting = momentOf(this.queue.oldestWaiting());
				const provenUntil = this.sources.provenUntil() ?? Infinity;
				const at = Math.min(provenUntil, this.untoldFrom(waiting?.at));
				if (at === Infinity) return { unfinished, waiting };
				// Events that may not have arrived count as not handed over: after a restart they are part of the gap.
				const isOlder = unfinished !== undefined && unfinished.at <= at;
				return { unfinished: isOlder ? unfinished : { at }, waiting: { at } };
			},
			this.sources.countsByOne(),
			this.closing,
		);
	}

	/**
	 * When the earliest missing events begin that have not been reported, if that is before anything that waits;
	 * otherwise Infinity.
	 */
	private untoldFrom(oldest = Infinity): number {
		const begin = Math.min(
			this.unheard?.from ?? Infinity,
			this.queue.droppedFrom() ?? Infinity,
			beginOf(this.queue.allWaiting()),
		);
		const from = begin + TRANSIT_MS;
		return from < oldest ? from : Infinity;
	}

	private entryOf(status: Status): Entry | undefined {
		if (!this.settings.emitFeedStatus) return undefined;
		const item = statusItem(status);
		const tellsOfMissing = status.event === 'gap' || status.event === 'overflow';
		return tellsOfMissing ? { item, missingFrom: status.from } : { item };
	}

	/** Reports a batch whose events may be lost: it is unknown what happened to them. */
	private reportBatch({ entries, since, until }: Batch<Entry>, reason: string): void {
		const missed = entries.filter((entry) => !isStatus(entry)).length;
		const { unheard } = this;
		const begin = Math.min(unheard?.from ?? Infinity, beginOf(entries));
		if (missed === 0 && begin === Infinity) return;
		const from = Math.min(since - TRANSIT_MS, begin);
		const to = Math.max(until, unheard?.to ?? until);
		const lost = { from, to, durationMs: to - from, reason };
		// It is no longer known how many events the gaps in this batch had reported.
		this.unheard = begin === Infinity ? { ...lost, missed } : lost;
		if (missed > 0) this.tellUnheard();
	}

	private tellUnheard(): void {
		const { unheard } = this;
		this.unheard = undefined;
		if (unheard) this.reportGap(unheard);
	}

	private reportGap(gap: Gap): void {
		this.logger.warn(gapMessage(gap).text);
		this.report({ event: 'gap', ...gap });
	}
}

function isRestart(context: ITriggerFunctions): boolean {
	return RESTARTS.has(context.getActivationMode());
}

function keyOf(context: ITriggerFunctions): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** When the missing events begin that these entries report; Infinity if none does. */
function beginOf(entries: Iterable<Entry>): number {
	let begin = Infinity;
	for (const entry of entries) begin = Math.min(begin, missingFrom(entry) ?? Infinity);
	return begin;
}

/** From when on events would be missing without this batch. */
function beginOfBatch({ entries, since }: Batch<Entry>): number {
	return Math.min(since - TRANSIT_MS, beginOf(entries));
}

function missingFrom(entry: Entry): number | undefined {
	return 'item' in entry ? entry.missingFrom : undefined;
}

function isStatus(entry: Entry): boolean {
	return 'item' in entry && entry.item.type_notification === 'feed';
}

function momentOf(waiting: Waiting<Entry> | undefined): Moment | undefined {
	if (!waiting) return undefined;
	const { at, entry } = waiting;
	return 'cpt' in entry && entry.cpt !== undefined ? { at, cpt: entry.cpt } : { at };
}

function timeoutOf(context: ITriggerFunctions): number {
	const { getWorkflowSettings } = context as Partial<ITriggerFunctions>;
	const limit = getWorkflowSettings?.call(context)?.executionTimeout;
	return typeof limit === 'number' && limit > 0
		? limit * 1000 + TIMEOUT_MARGIN_MS
		: TIMEOUT_WITHOUT_LIMIT_MS;
}
