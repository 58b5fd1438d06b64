// Passes one trigger's entries to n8n: the queue, the way in which n8n answers, how far the workflow has got, and what
// the workflow and n8n's log receive about it.

import type { IDataObject, INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';
import { withHelp } from '../../shared/help';
import { loggerOf, triggerKey } from '../life/context';
import type { Entry } from '../events/entry';
import { isoOf } from '../events/isoDate';
import { statusItem, type SignOfLife, type Status } from '../events/statusItem';
import { gap, TRANSIT_MS, type Gap } from '../feed/gap';
import { gapMessage } from '../feed/logMessages';
import { machineTime } from '../feed/clock';
import type { Clock, FeedEvent } from '../feed/types';
import type { TriggerSettings } from '../panel/settings';
import { BatchQueue, FLUSH_MS, type Batch, type BatchResult, type Notice } from './batchQueue';
import { weightOf } from './buffer';
import { Position, readSaved, type Reach, type Unreported } from './position';
import { classOf, Database } from './starters/database';
import { Starter } from './starters/starter';

/**
 * Positions of triggers that ended before an event came with which to report what is missing: for the next trigger of
 * the same workflow and node. Otherwise a user who saves or activates a workflow just after a restart of n8n would
 * never be notified.
 */
const unreported = new Map<string, Unreported>();

/**
 * What triggers discarded when they ended, for the next trigger of the same workflow and node: no execution could report
 * it any more.
 */
const discarded = new Map<string, Gap>();

/** The trigger ended before its settings could be read: what it should have reported is left for the next one. */
export function leaveUnreported(context: ITriggerFunctions, clock: Clock): void {
	const { position } = context.getWorkflowStaticData('node');
	const saved = isRestart(context) && readSaved(position, clock);
	if (saved) unreported.set(triggerKey(context), { ...saved, until: clock.now() });
}

export interface Sources {
	/** One item, or a list of those that belong together. */
	readonly toItem: (entry: Entry) => unknown;
	/** Reads n8n's database; rejects if it can't. */
	readonly database: () => Promise<unknown>;
	/** Identifies the account whose feed the trigger listens to now. */
	readonly account: () => string;
	/** Whether the feed's `cpt` was seen to count by one. */
	readonly countsByOne: () => boolean;
	/** Up to when everything is here, in milliseconds since 1970; undefined before the first connection. */
	readonly coveredUntil: () => number | undefined;
	/** Since when something has happened that is still to be told; undefined: nothing has. */
	readonly untoldSince: () => number | undefined;
}

export class Outbox {
	private readonly queue: BatchQueue<Entry>;
	private readonly starter: Starter;
	/** Only if the workflow wants to be notified: saving the position has a price (position.ts). */
	private readonly position: Position | undefined;
	/** Receives every event of the feed, before it is filtered; undefined if nobody needs it. */
	readonly received: ((event: FeedEvent) => void) | undefined;
	private readonly logger;
	/** Number of the batch that the starter was given last. */
	private newest = 0;
	private closing = false;
	/** Events that may be lost, and gaps whose executions were lost: a gap that has not been reported yet. */
	private lost: Gap | undefined;
	/** Workflow and node. */
	private readonly key: string;
	/** When the newest event of the feed arrived. */
	private heardAt = 0;

	constructor(
		context: ITriggerFunctions,
		private readonly settings: TriggerSettings,
		private readonly sources: Sources,
		private readonly clock: Clock,
	) {
		this.logger = loggerOf(context);
		this.key = triggerKey(context);
		const left = unreported.get(this.key);
		unreported.delete(this.key);
		if (settings.emitFeedStatus) {
			const position = new Position({
				staticData: context.getWorkflowStaticData('node'),
				restarted: isRestart(context),
				left,
				account: sources.account,
				everyEvent: isEveryEvent(settings),
				onUnsaved: (error) =>
					this.logger.warn(
						`how far the workflow has got can't be saved (${classOf(error)}): after a restart of n8n, it is not told what is missing`,
					),
				clock,
			});
			this.position = position;
			this.received = (event) => {
				this.heardAt = event.receivedAt;
				const gap = position.received(event);
				if (gap) this.reportGap(gap);
			};
		}
		const { getWorkflowSettings } = context as Partial<ITriggerFunctions>;
		this.starter = new Starter(
			{
				n8n: context,
				database: new Database(sources.database, clock),
				concurrency: settings.maxInFlight,
				logger: this.logger,
				clock,
			},
			getWorkflowSettings?.call(context) ?? {},
		);
		this.queue = new BatchQueue<Entry>(
			settings,
			{
				start: async (batch) => await this.start(batch),
				handedOver: async () => await this.starter.handedOver(),
				slots: () => this.starter.slots,
				weigh: (entry) => weightOf('raw' in entry ? entry.raw : entry),
				missingSince,
				report: (notice) => this.noticed(notice),
			},
			clock,
		);
		const gap = discarded.get(this.key);
		discarded.delete(this.key);
		if (gap) this.reportGap(gap);
	}

	/** Receives what the workflow asked for. */
	push(entry: Entry): void {
		this.queue.push(entry);
	}

	/** Receives what the feed reports about itself, if the workflow wants that. */
	report(status: Status): void {
		if (status.event === 'connected') this.position?.connected(status.at, status.attempts);
		if (status.event === 'disconnected') this.position?.disconnected(status.at);
		const entry = this.entryOf(status);
		if (entry) this.queue.push(entry);
	}

	/**
	 * Receives a sign of life. What is still to be reported is no part of what it vouches for.
	 * @param sign what the feed vouches for
	 */
	alive(sign: SignOfLife): void {
		const missing = this.position?.covered(sign.coveredUntil ?? -Infinity);
		if (missing) this.reportGap(missing);
		const until = Math.min(
			sign.coveredUntil ?? Infinity,
			this.lost?.from ?? Infinity,
			this.queue.unreportedSince() - TRANSIT_MS,
			this.position?.unreported()?.at ?? Infinity,
		);
		const coveredUntil = until === Infinity ? undefined : until;
		this.report({ event: 'alive', at: this.clock.now(), ...sign, coveredUntil });
	}

	/** Hands over waiting entries, in bounded time, then stops for good. */
	async close(): Promise<void> {
		this.reportLost();
		this.closing = true;
		await this.queue.close();
		this.starter.close();
		const left = this.position?.unreported();
		if (left) unreported.set(this.key, left);
	}

	private async start(batch: Batch<Entry>): Promise<BatchResult> {
		let made: INodeExecutionData[] | undefined = this.itemsOf(batch);
		if (made.length === 0) return { outcome: 'ended' };
		this.newest = batch.number;
		const items = () => {
			// The starter may keep batches until it passes them to n8n.
			const isLast = batch.number === this.newest && this.queue.isEmpty();
			this.position?.save(isLast || this.closing, () => this.reach(isLast));
			// n8n may change the items that it gets, so the next try gets new ones.
			const fresh = made ?? this.itemsOf(batch);
			made = undefined;
			return fresh;
		};
		const { lost } = this;
		const result = await this.starter.start(batch, items);
		if (result.outcome === 'unknown') this.mayBeLost(batch, result.reason);
		// n8n runs executions again, so this one will report it.
		if (result.outcome === 'ended' && lost === this.lost) this.reportLost();
		return result;
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

	// ── what the log and the workflow receive ───────────────────────────────────────────────────────────────

	/** @returns the item for the workflow, if it wants that */
	private noticed(notice: Notice<Entry>): Entry | undefined {
		switch (notice.event) {
			case 'overflow':
				this.logger.warn(
					`${notice.dropped} events were dropped, from ${this.iso(notice.from)} to ${this.iso(notice.to)}, because ${this.settings.bufferBytes / 2 ** 20} MB of them were waiting for executions to end; ${withHelp('raise "Batch Size"', 'events-are-dropped')}`,
				);
				return this.entryOf(notice);
			case 'held':
				this.logger.warn(
					`n8n can't start executions (${notice.reason}): events are kept (${notice.entries} so far) until it can`,
				);
				return this.entryOf(notice);
			case 'resumed':
				this.logger.info(
					`n8n starts executions again after ${notice.seconds} s; ${notice.entries} events were kept for it`,
				);
				// Unless a gap may be lost too: that is reported again once an execution has ended.
				if (this.lost?.missed !== undefined) this.reportLost();
				return this.entryOf(notice);
			case 'idle':
				this.reportLost();
				return undefined;
			case 'undelivered':
				return this.undelivered(notice);
			case 'discarded':
				this.leaveDiscarded(notice);
				return undefined;
		}
	}

	private undelivered({
		batch,
		reason,
		errorName,
	}: Extract<Notice<Entry>, { event: 'undelivered' }>): Entry | undefined {
		const { since, failures } = batch;
		const entries = countEvents(batch.entries);
		const begin = missingSince(batch.entries);
		const firstAt = Math.min(since, begin);
		const at = this.clock.now();
		const entry =
			entries > 0
				? this.entryOf({ event: 'undelivered', entries, firstAt, reason, at })
				: undefined;
		if (entries === 0 && begin === Infinity) return undefined;
		if (!entry || this.closing || begin < Infinity) {
			// The text of a node's error can contain what that node had: a telephone number, or its own password.
			this.logger.warn(
				`gave up ${entries} events${andReport(begin)}, the first of ${this.iso(firstAt)}: ${failures} executions failed, the last one because: ${errorName ?? reason}`,
			);
			if (errorName !== undefined) this.logger.debug(`the last one failed because: ${reason}`);
		}
		return entry;
	}

	private leaveDiscarded({
		entries,
		since,
		held,
	}: Extract<Notice<Entry>, { event: 'discarded' }>): void {
		const events = countEvents(entries);
		const begin = missingSince(entries);
		// Nothing but signs of life, for example.
		if (events === 0 && begin === Infinity) return;
		this.logger.warn(
			held
				? `closed while n8n could not start executions: ${events} events were discarded${andReport(begin)}`
				: `closed: ${events} events were discarded${andReport(begin)} because no execution could take them within ${FLUSH_MS / 1000} s`,
		);
		const from = Math.min(events > 0 ? since - TRANSIT_MS : Infinity, begin);
		this.leave(from, 'n8n stopped the trigger while events were waiting for executions');
	}

	/** Leaves it to the next trigger to report what is missing from then on. */
	private leave(from: number, reason: string): void {
		if (!this.settings.emitFeedStatus) return;
		const before = discarded.get(this.key)?.from ?? Infinity;
		discarded.set(this.key, gap(Math.min(from, before), this.clock.now(), reason));
	}

	private iso(at: number): string | undefined {
		return isoOf(machineTime(this.clock, at));
	}

	private entryOf(status: Status): Entry | undefined {
		if (!this.settings.emitFeedStatus) return undefined;
		const item = statusItem(status, (at) => machineTime(this.clock, at));
		if ('from' in status) return { item, missingFrom: status.from };
		// A report of a loss must not get lost itself.
		return 'firstAt' in status ? { item, missingFrom: status.firstAt - TRANSIT_MS } : { item };
	}

	/**
	 * It is unknown what became of a batch. Its events are reported as a gap when n8n starts executions again, together
	 * with those of other batches that are lost until then. If it reported a gap, that is reported again when an execution
	 * has ended: n8n may lose the next ones too.
	 */
	private mayBeLost({ entries, since, until }: Batch<Entry>, reason: string): void {
		const { lost } = this;
		const events = countEvents(entries);
		const begin = missingSince(entries);
		if (events === 0 && begin === Infinity) return;
		const from = Math.min(since - TRANSIT_MS, begin, lost?.from ?? Infinity);
		// It is not known how many events a gap in the batch had reported.
		const isCounted = begin === Infinity && (!lost || lost.missed !== undefined);
		const missed = isCounted ? events + (lost?.missed ?? 0) : undefined;
		this.lost = gap(from, Math.max(until, lost?.to ?? until), reason, { missed });
		if (this.closing) this.reportLost();
	}

	private reportLost(): void {
		const { lost } = this;
		this.lost = undefined;
		if (!lost) return;
		// No execution of this trigger reports it any more.
		if (this.closing) this.leave(lost.from, lost.reason);
		this.reportGap(lost);
	}

	private reportGap(gap: Gap): void {
		this.logger.warn(gapMessage(gap).text);
		this.report({ event: 'gap', ...gap });
	}

	// ── how far the workflow has got ────────────────────────────────────────────────────────────────────────

	/** @param isLast nothing waits behind the batch that n8n is given now */
	private reach(isLast: boolean): Reach {
		const { queue, sources, lost, heardAt } = this;
		const { since, missingSince: reported } = queue.backlog();
		const untold = (sources.untoldSince() ?? Infinity) - TRANSIT_MS;
		const missing = Math.min(lost?.from ?? Infinity, reported, untold);
		const covered = sources.coveredUntil();
		const at = covered && Math.min(covered, since - TRANSIT_MS, missing);
		const isCertain =
			missing === Infinity && covered !== undefined && covered >= heardAt - TRANSIT_MS;
		return { at, isExact: isLast && isCertain && sources.countsByOne() };
	}
}

/** Whether no user requested the activation: n8n has started, or this n8n instance took over from another. */
function isRestart(context: ITriggerFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/** Whether each event of the feed becomes an item. */
function isEveryEvent({ mode, filter }: TriggerSettings): boolean {
	return mode === 'events' && Object.values(filter).flat().length === 0;
}

/** When the missing events begin that these entries report; Infinity if none does. */
function missingSince(entries: readonly Entry[]): number {
	let begin = Infinity;
	for (const entry of entries)
		if ('item' in entry) begin = Math.min(begin, entry.missingFrom ?? Infinity);
	return begin;
}

/** Completes "so many events", if what is missing since then was to be reported with them. */
function andReport(missingFrom: number): string {
	return missingFrom < Infinity ? ' and the report of others' : '';
}

/** How many of them are not about the feed itself. */
function countEvents(entries: readonly Entry[]): number {
	const isStatus = (entry: Entry) => 'item' in entry && entry.item.type_notification === 'feed';
	return entries.filter((entry) => !isStatus(entry)).length;
}
