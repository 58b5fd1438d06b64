// The trigger of an active workflow: selects events of the feed and passes them to executions in batches. It connects
// and reconnects by itself as long as the workflow is active. It throws only while a user waits for the activation:
// at any other time an exception, or `emitError`, can leave the trigger dead in both of n8n's activation engines.

import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { loggerOf, messageOf, within } from './context';
import { acquire, type ActiveTrigger } from './execution/activeTriggers';
import { Executions, leaveUntold } from './execution/executions';
import type { Clock, FeedLogger, FeedStatus, FeedSubscription } from './feed/types';
import { listen, type Prepare, type Prepared } from './listen';
import { asNodeError, nodeError, refusedError, unusableError } from './nodeErrors';
import { watchOutages } from './outages';
import { CREDENTIAL_OF_FEED } from './feedOptions';
import { itemMaker } from './selection';
import type { TriggerSettings } from './settings';

/** How long an activation waits for the operator to accept or reject the login. */
const ACTIVATION_WAIT_MS = 10_000;
/** If the settings can't be read when n8n starts, the time until the next try. */
const PREPARE_AGAIN_MS = 60_000;

/** A failed execution suggests that the workflow has stopped: this text says that it has not. */
const GOES_ON = {
	refusal:
		'The workflow stays published. The trigger keeps trying to log in; until then it receives no events.',
	outage:
		'The workflow stays published: it reconnects by itself, and there is nothing to do in n8n.',
};

/** The activations in which a user waits for the result and sees an error. */
const WATCHED = new Set(['activate', 'update', 'create']);

/**
 * Starts the trigger.
 * @throws NodeOperationError if a user is activating the workflow and it can't work: invalid settings, rejected
 *   login. Never when n8n starts.
 */
export async function startProduction(
	context: ITriggerFunctions,
	prepare: Prepare,
	clock: Clock,
): Promise<ITriggerResponse> {
	const active = acquire(`${context.getWorkflow().id ?? ''}:${context.getNode().id}`);
	const trigger = new ProductionTrigger(context, active, clock);
	let started = false;
	try {
		await active.predecessorEnded;
		await trigger.start(prepare, WATCHED.has(context.getActivationMode()));
		started = true;
	} finally {
		if (!started) await active.close();
	}
	active.returned();
	return { closeFunction: async () => await active.close() };
}

class ProductionTrigger {
	private readonly logger: FeedLogger;
	/**
	 * While a user waits for the activation, its error reports a rejected login; afterwards a failed execution does.
	 */
	private watched = false;
	private listening = false;

	constructor(
		private readonly context: ITriggerFunctions,
		private readonly active: ActiveTrigger,
		private readonly clock: Clock,
	) {
		this.logger = loggerOf(context);
	}

	async start(prepare: Prepare, watched: boolean): Promise<void> {
		this.active.onEnd(() => {
			if (!this.listening) leaveUntold(this.context, this.clock);
		});
		let prepared: Prepared;
		try {
			prepared = await prepare();
		} catch (error) {
			const shown = asNodeError(this.context.getNode(), error);
			if (watched) throw shown;
			this.prepareAgain(prepare, shown);
			return;
		}
		if (this.active.signal.aborted) return;
		this.watched = watched;
		const { first } = this.listen(prepared);
		if (!watched) return;
		const outcome = await within(first, ACTIVATION_WAIT_MS, this.clock);
		this.watched = false;
		if (outcome?.kind === 'refused') {
			throw refusedError(this.context.getNode(), outcome.reason, outcome.statusCode);
		}
		if (outcome?.kind === 'unusable') throw unusableError(this.context.getNode(), outcome.reason);
		if (outcome?.kind === 'unreachable') {
			this.logger.warn(`not connected yet, still trying: ${outcome.reason}`);
		}
	}

	private listen(prepared: Prepared): FeedSubscription {
		this.listening = true;
		const { settings } = prepared;
		const executions = new Executions(
			this.context,
			settings,
			{
				toItem: itemMaker(settings, () => subscription.directory()),
				database: async () => await this.context.getCredentials(CREDENTIAL_OF_FEED[settings.feed]),
				countsByOne: () => subscription.countsByOne(),
				provenUntil: () => subscription.provenUntil(),
			},
			this.clock,
		);
		const noteOutage = this.outageWatch(settings);
		const subscription = listen(
			prepared,
			{
				take: (entry) => executions.push(entry),
				onEvent: executions.received,
				onStatus: (status) => {
					executions.report(status);
					noteOutage(status);
					this.reportRefusal(status, settings);
				},
				logger: this.logger,
			},
			this.active,
			this.clock,
		);
		this.active.onEnd(async () => await executions.close());
		return subscription;
	}

	/**
	 * An operator that stays away triggers the error workflow, unless the workflow itself is notified of interruptions.
	 */
	private outageWatch({ emitFeedStatus }: TriggerSettings): (status: FeedStatus) => void {
		if (emitFeedStatus) return () => {};
		const report = (since: number, reason: string | undefined) =>
			this.reportFailure(
				nodeError(
					this.context.getNode(),
					`Nothing has been heard from the operator since ${new Date(since).toISOString()}`,
					`${reason ? `The feed was interrupted: ${reason}. ` : ''}Calls and other events from this period are lost: the operator does not send them later. ${GOES_ON.outage}`,
					'service-not-reached',
				),
			);
		return watchOutages(this.clock, this.active.signal, report);
	}

	/**
	 * A rejected login triggers the error workflow, unless the workflow itself or the user in the editor is notified.
	 */
	private reportRefusal(status: FeedStatus, { emitFeedStatus }: TriggerSettings): void {
		if (emitFeedStatus || this.watched) return;
		if (status.event !== 'refused' || !status.first) return;
		const { reason, statusCode } = status;
		this.reportFailure(refusedError(this.context.getNode(), reason, statusCode, GOES_ON.refusal));
	}

	/** n8n is starting and must not get an error: report it once and keep trying. */
	private prepareAgain(prepare: Prepare, error: unknown): void {
		const { signal } = this.active;
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
			if (signal.aborted) return;
			const cancel = this.clock.after(PREPARE_AGAIN_MS, () => {
				signal.removeEventListener('abort', cancel);
				prepare().then(
					(prepared) => {
						if (!signal.aborted) this.listen(prepared);
					},
					(again) => {
						this.logger.debug(`still can't start: ${messageOf(again)}`);
						retry();
					},
				);
			});
			signal.addEventListener('abort', cancel, { once: true });
		};
		retry();
	}

	/** Triggers the error workflow, if this version of n8n can do that for a trigger that stays active. */
	private reportFailure(error: NodeOperationError): void {
		const { saveFailedExecution } = this.context as Partial<ITriggerFunctions>;
		try {
			saveFailedExecution?.call(this.context, error);
		} catch (failure) {
			this.logger.debug(`the failure could not be reported: ${messageOf(failure)}`);
		}
	}
}
