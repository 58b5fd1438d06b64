// The trigger of an active workflow: the feed's events, selected and in batches, into executions. It connects and
// reconnects by itself for as long as the workflow is active; what n8n is told, and when, follows from what n8n
// does with errors (a throw while it starts, or `emitError`, can leave a trigger dead).

import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { subscribe } from './feed/hub';
import type { Clock, FeedLogger, FeedOptions, FeedStatus, FeedSubscription } from './feed/types';
import { asNodeError, loggerOf, messageOf, nodeError, refusedError, within } from './context';
import { Executions } from './execution/executions';
import { claim, type Claim } from './execution/activeTriggers';
import { CREDENTIAL_OF_FEED } from './login';
import { createSelection, itemMaker } from './events/selection';
import type { TriggerSettings } from './settings';

/** Settings and credential, read anew at each try. */
export type Prepare = () => Promise<{ settings: TriggerSettings; feed: FeedOptions }>;

/** How long an activation waits to hear whether the operator accepts the login. */
const ACTIVATION_WAIT_MS = 10_000;
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
	private executions: Executions | undefined;
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
		await Promise.all([this.subscription?.close(), this.executions?.close()]);
	}

	private listen(settings: TriggerSettings, feed: FeedOptions, place: Claim): FeedSubscription {
		const directory = () => this.subscription?.directory();
		const executions = new Executions(
			this.context,
			settings,
			{
				toItem: itemMaker(settings, directory),
				database: async () => await this.context.getCredentials(CREDENTIAL_OF_FEED[settings.feed]),
				countsByOne: () => this.subscription?.countsByOne() ?? false,
			},
			this.clock,
		);
		const selection = createSelection(settings, directory, this.clock, (entry) =>
			executions.push(entry),
		);
		this.executions = executions;
		this.stopSelecting = () => selection.close();
		this.subscription = subscribe(
			feed,
			{
				onEvent: (event) => {
					executions.received(event);
					selection.onEvent(event);
				},
				onStatus: (status) => {
					selection.onStatus(status);
					executions.report(status);
					this.reportRefusal(status, settings);
				},
				logger: this.logger,
			},
			this.clock,
		);
		place.serves(feed.key, directory);
		return this.subscription;
	}

	/** A refused login runs the error workflow, unless the workflow itself or a person at the editor hears of it. */
	private reportRefusal(status: FeedStatus, settings: TriggerSettings): void {
		if (settings.emitFeedStatus || this.watched) return;
		if (status.event !== 'refused' || !status.first) return;
		const { reason, statusCode } = status;
		this.reportFailure(refusedError(this.context.getNode(), reason, statusCode));
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
