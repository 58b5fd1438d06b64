// The trigger of an active workflow: the feed's events, selected and in batches, into executions. It connects and
// reconnects by itself for as long as the workflow is active; what n8n is told, and when, follows from what n8n
// does with errors (a throw while it starts, or `emitError`, can leave a trigger dead).

import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IRun,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { subscribe } from './feed/hub';
import { withHelp } from '../shared/help';
import type { Clock, FeedLogger, FeedOptions, FeedStatus, FeedSubscription } from './feed/types';
import { asNodeError, loggerOf, messageOf, nodeError, refusedError, within } from './context';
import { Outlet } from './execution/executionQueue';
import { claim, type Claim } from './execution/activeTriggers';
import { createSelection, itemMaker, type Entry } from './events/selection';
import type { TriggerSettings } from './settings';
import { statusItem } from './events/statusItem';

/** Settings and credential, read anew at each try. */
export type Prepare = () => Promise<{ settings: TriggerSettings; feed: FeedOptions }>;

/** How long an activation waits to hear whether the operator accepts the login. */
const ACTIVATION_WAIT_MS = 10_000;
/** How long closing waits for places to hand over what is buffered. */
const FLUSH_MS = 3_000;
/** Beyond the workflow's own time limit, when it has one, an execution that told no end has none. */
const LEASE_MARGIN_MS = 60_000;
const LEASE_WITHOUT_LIMIT_MS = 60 * 60_000;
/** How soon settings that could not be read when n8n started are tried again. */
const PREPARE_AGAIN_MS = 60_000;

/** The activations in which a person is waiting, and an error is seen. */
const WATCHED = new Set(['activate', 'update', 'create']);

/**
 * Starts the trigger.
 * @throws NodeOperationError where a person is activating the workflow and it can't work: settings, refused login.
 *   Never when n8n starts: a throw there can end the trigger for good.
 */
export async function startProduction(
	context: ITriggerFunctions,
	prepare: Prepare,
	clock: Clock,
): Promise<ITriggerResponse> {
	const trigger = new ProductionTrigger(context, clock);
	const place = claim(
		`${context.getWorkflow().id ?? ''}:${context.getNode().id}`,
		async () => await trigger.end(),
	);
	let started = false;
	try {
		await place.predecessorGone;
		await trigger.start(prepare, place, WATCHED.has(context.getActivationMode()));
		started = true;
	} finally {
		if (!started) await place.close();
	}
	place.returned();
	return { closeFunction: async () => await place.close() };
}

class ProductionTrigger {
	private readonly logger: FeedLogger;
	private subscription: FeedSubscription | undefined;
	private outlet: Outlet<Entry> | undefined;
	private stopSelecting: () => void = () => {};
	private cancelRetry: () => void = () => {};
	private ended = false;
	/** While a person waits for the activation, its error tells of a refusal; afterwards an execution does. */
	private watched = false;

	constructor(
		private readonly context: ITriggerFunctions,
		private readonly clock: Clock,
	) {
		this.logger = loggerOf(context);
	}

	async start(prepare: Prepare, place: Claim, watched: boolean): Promise<void> {
		let prepared: Awaited<ReturnType<Prepare>>;
		try {
			prepared = await prepare();
		} catch (error) {
			const shown = asNodeError(this.context.getNode(), error);
			if (watched) throw shown;
			this.prepareAgain(prepare, place, shown);
			return;
		}
		if (this.ended) return;
		this.watched = watched;
		const { first } = this.listen(prepared.settings, prepared.feed, place);
		if (!watched) return;
		const outcome = await within(first, ACTIVATION_WAIT_MS, this.clock);
		this.watched = false;
		if (outcome?.kind === 'refused') {
			throw refusedError(this.context.getNode(), outcome.reason, outcome.statusCode);
		}
		if (outcome?.kind === 'unreachable') {
			this.logger.warn(`not reached yet, trying on: ${outcome.reason}`);
		}
	}

	/** Ends everything in bounded time: from the call on nothing comes in, what is buffered goes out. */
	async end(): Promise<void> {
		this.ended = true;
		this.cancelRetry();
		this.stopSelecting();
		await Promise.all([this.subscription?.close(), this.outlet?.close()]);
	}

	private listen(settings: TriggerSettings, feed: FeedOptions, place: Claim): FeedSubscription {
		const directory = () => this.subscription?.directory();
		const outlet = this.createOutlet(settings, itemMaker(settings, directory));
		const selection = createSelection(settings, directory, this.clock, (entry) =>
			outlet.push(entry),
		);
		this.outlet = outlet;
		this.stopSelecting = () => selection.close();
		this.subscription = subscribe(
			feed,
			{
				onEvent: (event) => selection.onEvent(event),
				onStatus: (status) => {
					selection.onStatus(status);
					this.tell(status, settings, outlet);
				},
				logger: this.logger,
			},
			this.clock,
		);
		place.serves(feed.key, directory);
		return this.subscription;
	}

	/** What the feed says about itself: an item where the workflow wants it, else an execution that failed. */
	private tell(status: FeedStatus, settings: TriggerSettings, outlet: Outlet<Entry>): void {
		if (settings.emitFeedStatus) outlet.push({ item: statusItem(status) });
		else if (status.event === 'refused' && status.first && !this.watched) {
			const { reason, statusCode } = status;
			this.reportFailure(refusedError(this.context.getNode(), reason, statusCode));
		}
	}

	private createOutlet(
		settings: TriggerSettings,
		toItem: (entry: Entry) => unknown,
	): Outlet<Entry> {
		const { batchSize, batchIntervalMs, maxInFlight, bufferLimit, emitFeedStatus } = settings;
		return new Outlet<Entry>(
			{
				batchSize,
				batchIntervalMs,
				maxInFlight,
				bufferLimit,
				leaseMs: leaseOf(this.context),
				flushMs: FLUSH_MS,
			},
			{
				start: (batch) => {
					const items: INodeExecutionData[] = batch.map((entry) => ({
						json: toItem(entry) as IDataObject,
					}));
					const done = this.context.helpers.createDeferredPromise<IRun>();
					this.context.emit([items], undefined, done);
					return done.promise;
				},
				overflowed: (overflow) => {
					const seconds = Math.round((overflow.to - overflow.from) / 1000);
					this.logger.warn(
						`${overflow.dropped} events were dropped within ${seconds} s, because ${bufferLimit} were waiting for executions to end; ${withHelp('raise "Batch Size"', 'events-are-dropped')}`,
					);
					if (!emitFeedStatus) return undefined;
					return { item: statusItem({ event: 'overflow', ...overflow }) };
				},
				failed: (entries, error) =>
					this.logger.error(
						`an execution with ${entries} items could not be started: ${messageOf(error)}`,
					),
				leaseEnded: () =>
					this.logger.warn(
						'an execution has not told its end for very long: no longer waiting for it',
					),
				abandoned: (entries) =>
					this.logger.warn(
						`closed with ${entries} events that no execution could take within ${FLUSH_MS / 1000} s`,
					),
			},
			this.clock,
		);
	}

	/** n8n is starting and must not get an error: tell it once and go on trying. */
	private prepareAgain(prepare: Prepare, place: Claim, error: unknown): void {
		this.logger.error(`can't start, will try again every minute: ${messageOf(error)}`);
		this.reportFailure(
			error instanceof NodeOperationError
				? error
				: nodeError(
						this.context.getNode(),
						messageOf(error),
						undefined,
						'refused-for-another-reason',
					),
		);
		const retry = () => {
			this.cancelRetry = this.clock.after(PREPARE_AGAIN_MS, () => {
				prepare().then(
					({ settings, feed }) => {
						if (!this.ended) this.listen(settings, feed, place);
					},
					(again) => {
						this.logger.debug(`still can't start: ${messageOf(again)}`);
						if (!this.ended) retry();
					},
				);
			});
		};
		if (!this.ended) retry();
	}

	/** Runs the error workflow, where this n8n can do that for a trigger that stays active. */
	private reportFailure(error: NodeOperationError): void {
		const { saveFailedExecution } = this.context as Partial<ITriggerFunctions>;
		try {
			saveFailedExecution?.call(this.context, error);
		} catch (failure) {
			this.logger.debug(`the failure could not be reported: ${messageOf(failure)}`);
		}
	}
}

function leaseOf(context: ITriggerFunctions): number {
	const { getWorkflowSettings } = context as Partial<ITriggerFunctions>;
	const limit = getWorkflowSettings?.call(context)?.executionTimeout;
	return typeof limit === 'number' && limit > 0
		? limit * 1000 + LEASE_MARGIN_MS
		: LEASE_WITHOUT_LIMIT_MS;
}
