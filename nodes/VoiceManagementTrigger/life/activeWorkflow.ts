// The trigger of an active workflow: selects events of the feed and passes them to executions in batches. It connects
// and reconnects by itself as long as the workflow is active. It throws only while a user waits for the activation:
// at any other time an exception, or `emitError`, can leave the trigger dead in both of n8n's activation engines.

import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { afterUnlessAborted, loggerOf, errorMessageOf, triggerKey } from './context';
import { Alive } from './alive';
import { acquire, type ActiveTrigger } from './instances';
import { leaveUnreported, Outbox } from '../execution/outbox';
import { machineTime, settledWithin, steady } from '../feed/clock';
import type { AttemptFailure } from '../feed/state/types';
import type { Clock, FeedLogger, FeedSubscription } from '../feed/types';
import { CredentialFeed } from './credentialFeed';
import type { Listener, Prepare, Prepared } from './openFeed';
import {
	asNodeError,
	firstAttemptError,
	groupProblem,
	nodeError,
	refusedError,
	unlisted,
} from './errors';
import { TimedOut } from '../../shared/errors';
import { watchOutages, type Outage, type OutageWatch } from './outages';
import { noteRefusal, repeatedRefusal } from './refusals';
import { CREDENTIAL_OF_FEED } from './account';
import { itemMaker } from '../modes';
import type { TriggerSettings } from '../panel/settings';

/** How long an activation waits for the provider to accept or reject the login. */
const ACTIVATION_WAIT_MS = 10_000;
/** n8n reads the credential in its database, which may never answer if the network to it breaks without a word. */
const PREPARED_WITHIN_MS = 30_000;
const NOT_READ = "n8n's database did not answer within 30 seconds";
/** If the settings can't be read when n8n starts, the time until the next try. */
const PREPARE_AGAIN_MS = 30_000;

/** A failed execution suggests that the workflow has stopped: this text says that it has not. */
const STAYS_PUBLISHED = {
	/** @param waitMs until `retryAt`, the time of the next login (milliseconds since 1970) */
	refusal: (waitMs: number, retryAt: number) =>
		`The workflow stays published, but receives no events until a login is accepted. The next one is tried in ${inWords(waitMs)} (at ${new Date(retryAt).toISOString()}), or within 30 seconds after you change the credential.`,
	outage: (
		{ hasWorked }: Outage,
		{ permanent, rejected, credential }: Partial<AttemptFailure> = {},
	) => {
		const trying = 'The workflow stays published and goes on trying';
		// The reason says what may be wrong.
		if (rejected) return `${trying}.`;
		if (hasWorked && permanent && credential === undefined)
			return 'The workflow stays published: it reconnects by itself as soon as the provider answers as before.';
		if (hasWorked && !permanent)
			return 'The workflow stays published: it reconnects by itself, and there is nothing to do in n8n.';
		return permanent
			? `${trying}, but somebody has to correct this, in the credential or at the provider.`
			: `${trying}. No connection has worked since it was started: if the provider is not down, check the hosts and ports in the credential.`;
	},
};

function inWords(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}

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
	const key = triggerKey(context);
	const active = acquire(key);
	const trigger = new ProductionTrigger(context, active, key, steady(clock));
	const inTime: Prepare = async () => {
		const prepared = await settledWithin(prepare(), PREPARED_WITHIN_MS, steady(clock));
		if (!prepared) throw new TimedOut(NOT_READ);
		return prepared;
	};
	let started = false;
	try {
		await active.predecessorEnded;
		await trigger.start(inTime, WATCHED.has(context.getActivationMode()));
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
	private feed?: CredentialFeed;

	constructor(
		private readonly context: ITriggerFunctions,
		private readonly active: ActiveTrigger,
		/** Workflow and node. */
		private readonly key: string,
		private readonly clock: Clock,
	) {
		this.logger = loggerOf(context);
	}

	async start(prepare: Prepare, watched: boolean): Promise<void> {
		this.active.onEnd(() => {
			if (!this.feed) leaveUnreported(this.context, this.clock);
		});
		let prepared: Prepared;
		try {
			prepared = await prepare();
		} catch (error) {
			if (watched) throw asNodeError(this.context.getNode(), error, 'title');
			const shown = asNodeError(this.context.getNode(), error);
			this.prepareAgain(prepare, shown, (again) => void this.listen(again, prepare));
			return;
		}
		if (this.active.signal.aborted) return;
		const refusal = repeatedRefusal(this.key, prepared.feed.key, this.clock);
		if (watched && refusal) throw refusal;
		this.watched = watched;
		const subscription = this.listen(prepared, prepare);
		const { first } = subscription;
		const node = this.context.getNode();
		const problem = () => groupProblem(prepared.settings, subscription.directory());
		void first.then(() => {
			const { error } = problem() ?? {};
			if (error !== undefined) this.logger.warn(error.message);
			const names = subscription.directory();
			for (const sentence of unlisted(prepared.settings, names)) this.logger.warn(sentence);
		});
		if (!watched) return;
		const outcome = await settledWithin(first, ACTIVATION_WAIT_MS, this.clock);
		this.watched = false;
		const failed = firstAttemptError(node, outcome);
		if (failed && outcome?.kind === 'refused')
			noteRefusal(this.key, prepared.feed.key, failed, this.clock);
		if (failed) throw failed;
		const groups = problem();
		if (groups?.wrong) throw asNodeError(node, groups.error, 'title');
		if (outcome?.kind === 'unreachable') {
			this.logger.warn(`not connected yet, still trying: ${outcome.reason}`);
		}
	}

	private listen(prepared: Prepared, prepare: Prepare): FeedSubscription {
		const { settings } = prepared;
		const subscription = () => this.feed?.subscription;
		const outbox = new Outbox(
			this.context,
			settings,
			{
				toItem: itemMaker(settings, () => subscription()?.directory()),
				database: async () => await this.context.getCredentials(CREDENTIAL_OF_FEED[settings.feed]),
				account: () => this.feed?.account ?? prepared.feed.account,
				countsByOne: () => subscription()?.countsByOne() === true,
				coveredUntil: () => this.feed?.coveredUntil,
				untoldSince: () => this.feed?.untoldSince(),
			},
			this.clock,
		);
		const outages = this.outageWatch(settings);
		const alive = this.signsOfLife(settings, outbox);
		const { received } = outbox;
		const listener: Listener = {
			take: (entry) => {
				alive?.notePassed(entry);
				outbox.push(entry);
			},
			onEvent: alive
				? (event) => {
						alive.noteEvent(event);
						received?.(event);
					}
				: received,
			onStatus: (status) => {
				// The user in the editor is notified.
				if (status.event === 'refused' && this.watched) return;
				outbox.report(status);
				outages?.note(status);
			},
			isAwaited: () => this.watched,
			logger: this.logger,
		};
		const unusable = (error: unknown, join: (again: Prepared) => void) => {
			outages?.reported();
			this.prepareAgain(prepare, asNodeError(this.context.getNode(), error), join);
		};
		const feed = new CredentialFeed(prepared, prepare, listener, this.active, this.clock, unusable);
		this.feed = feed;
		void feed.subscription.first.then((outcome) => {
			// Of an attempt that failed before anything was connected, the feed has no status. A person sees the error.
			if (outcome.kind === 'unreachable' || (outcome.kind === 'unusable' && !this.watched))
				outbox.report({ event: 'disconnected', at: this.clock.now(), reason: outcome.reason });
		});
		// After the feed has delivered what it has buffered.
		this.active.onEnd(async () => await outbox.close());
		return feed.subscription;
	}

	private signsOfLife({ statusEvery }: TriggerSettings, outbox: Outbox): Alive | undefined {
		if (statusEvery === 0) return undefined;
		return new Alive(
			() => this.feed,
			this.clock,
			this.active.signal,
			statusEvery * 60_000,
			(sign) => outbox.alive(sign),
		);
	}

	/**
	 * A provider that stays away, or refuses the login, triggers the error workflow, unless the workflow itself is notified
	 * of interruptions.
	 */
	private outageWatch({ emitFeedStatus }: TriggerSettings): OutageWatch | undefined {
		if (emitFeedStatus) return undefined;
		const node = this.context.getNode();
		const lasts = (outage: Outage) => {
			// What is wrong now matters more than what ended the last connection.
			const failure = this.feed?.subscription.failure();
			const { since, reason, hasConnections } = outage;
			const began = new Date(machineTime(this.clock, since)).toISOString();
			const why = failure
				? `The last attempt failed: ${failure.reason}. `
				: reason && `The feed was interrupted: ${reason}. `;
			this.reportFailure(
				nodeError(
					node,
					hasConnections
						? `No connection to the provider has lasted since ${began}`
						: `Nothing has been heard from the provider since ${began}`,
					`${why ?? ''}Calls and other events from this period are lost: the provider does not send them later. ${STAYS_PUBLISHED.outage(outage, failure)}`,
					'the-feed-was-interrupted',
				),
			);
		};
		return watchOutages(this.clock, this.active.signal, {
			lasts,
			refused: ({ reason, statusCode, at, retryAt }) => {
				const goesOn = STAYS_PUBLISHED.refusal(retryAt - at, machineTime(this.clock, retryAt));
				this.reportFailure(refusedError(node, reason, statusCode, goesOn));
			},
		});
	}

	/** Nobody waits for the result, and n8n must not get an error: report it once and keep trying. */
	private prepareAgain(prepare: Prepare, error: unknown, goOn: (prepared: Prepared) => void): void {
		const { signal } = this.active;
		this.logger.error(`can't start, will try again every 30 seconds: ${errorMessageOf(error)}`);
		this.reportFailure(
			error instanceof NodeOperationError
				? error
				: nodeError(
						this.context.getNode(),
						errorMessageOf(error),
						undefined,
						'refused-for-another-reason',
					),
		);
		const retry = (): void =>
			afterUnlessAborted(this.clock, signal, PREPARE_AGAIN_MS, () => {
				prepare().then(
					(prepared) => {
						if (!signal.aborted) goOn(prepared);
					},
					(again) => {
						this.logger.debug(`still can't start: ${errorMessageOf(again)}`);
						retry();
					},
				);
			});
		retry();
	}

	/** Triggers the error workflow, if this version of n8n can do that for a trigger that stays active. */
	private reportFailure(error: NodeOperationError): void {
		const { saveFailedExecution } = this.context as Partial<ITriggerFunctions>;
		try {
			saveFailedExecution?.call(this.context, error);
		} catch (failure) {
			this.logger.debug(`the failure could not be reported: ${errorMessageOf(failure)}`);
		}
	}
}
