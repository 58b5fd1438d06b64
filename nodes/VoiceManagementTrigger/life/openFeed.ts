// What test runs and active workflows share: read the settings, connect to the feed, select what the workflow asked
// for, and end all of it when the trigger ends.

import { failedTo } from '../feed/subscribers';
import { afterUnlessAborted } from './context';
import type { ActiveTrigger } from './instances';
import type { Entry } from '../events/entry';
import { subscribe } from '../feed/hub';
import type {
	Clock,
	Directory,
	FeedEvent,
	FeedLogger,
	FeedOptions,
	FeedStatus,
	FeedSubscriber,
	FeedSubscription,
	Move,
	Stream,
} from '../feed/types';
import { noteLogin } from '../../shared/openLogins';
import { createSelection } from '../modes';
import type { Mode } from '../modes/mode';
import type { TriggerSettings } from '../panel/settings';

/** Settings and credential. */
export interface Prepared {
	settings: TriggerSettings;
	feed: FeedOptions;
}

/** Reads the credential again at each call. @throws InputError, or what n8n throws for a credential */
export type Prepare = () => Promise<Prepared>;

export interface Listener {
	/** Receives what the workflow asked for. */
	take(entry: Entry): void;
	/**
	 * Receives every event of the feed, before it is selected; omitted if nobody needs it, since it takes time for each
	 * event and trigger.
	 */
	onEvent?: ((event: FeedEvent) => void) | undefined;
	/** Called after the selection has processed the status. */
	onStatus(status: FeedStatus): void;
	/** The feed sent something under an event name other than `update`. */
	onNotUnderstood?(name: string, payload: string, why: string): void;
	/** See {@link FeedSubscriber.moves}. */
	moves?(): Promise<Move | undefined>;
	/** See {@link FeedSubscriber.isAwaited}. */
	isAwaited(): boolean;
	logger: FeedLogger;
	/** A person waits for the first item. */
	test?: boolean;
}

/** A limit of the live state that is reached removes something with each new call, so the log gets sums. */
const REMOVALS_EVERY_MS = 10_000;

/** @returns called for each removal; what was removed is the provider's data, which the log does not show */
export function removals(
	logger: Pick<FeedLogger, 'warn'>,
	signal: AbortSignal,
	clock: Clock,
): () => void {
	let count = 0;
	return () => {
		if (++count > 1 || signal.aborted) return;
		afterUnlessAborted(clock, signal, REMOVALS_EVERY_MS, () => {
			logger.warn(
				`Live state: its limit is reached, so ${count} calls, agents or queues were removed within ${REMOVALS_EVERY_MS / 1000} s`,
			);
			count = 0;
		});
	};
}

/** The feed that a trigger listens to until it ends, and what the workflow asked for of its events. */
export class OpenFeed {
	private current: FeedSubscription | undefined;

	private hostLoginKey: string | undefined;

	private selection: Mode | undefined;

	private readonly handlers: FeedSubscriber;

	constructor(
		private readonly settings: TriggerSettings,
		private readonly listener: Listener,
		private readonly active: ActiveTrigger,
		private readonly clock: Clock,
	) {
		const { logger } = listener;
		this.handlers = {
			onEvent: () => {},
			onStatus: (status) => this.report(status),
			onNotUnderstood: (name, payload, why) => listener.onNotUnderstood?.(name, payload, why),
			moves: async () => await listener.moves?.(),
			isAwaited: () => listener.isAwaited(),
			logger,
		};
		const isAccepted = () =>
			(this.current?.vitals().connections ?? 0) > 0 && this.current?.failure()?.kind !== 'refused';
		active.onEnd(noteLogin(() => (isAccepted() ? this.hostLoginKey : undefined)));
		active.onEnd(async () => {
			// The feed still delivers what it has buffered, so the selection must not be closed before.
			const closed = this.current?.close();
			this.selection?.close();
			await closed;
		});
	}

	/** Since when something has happened that is still to be told, because more may follow; undefined: nothing has. */
	untoldSince(): number | undefined {
		return this.selection?.untoldSince?.();
	}

	/** Undefined before the first {@link join}. */
	directory(): Directory | undefined {
		return this.current?.directory();
	}

	/**
	 * Listens to a feed, in place of the one before, which was left.
	 * @param stream see {@link Stream}: if it goes on, calls, figures and alerts do too
	 */
	join(feed: FeedOptions, stream?: Stream): FeedSubscription {
		const { clock, active } = this;
		const before = this.current?.streamId;
		const subscription = subscribe(feed, this.handlers, clock, stream);
		this.current = subscription;
		this.hostLoginKey = feed.hostLoginKey;
		active.serves(feed, () => subscription.directory());
		if (subscription.streamId === before) return subscription;
		this.selection?.close();
		const { listener, settings } = this;
		const selection = createSelection(
			settings,
			() => this.directory(),
			clock,
			(entry) => listener.take(entry),
			{
				key: subscription.streamId,
				gaveUp: removals(listener.logger, active.signal, clock),
				failed: (error) => listener.logger.error(failedTo('what has changed', error)),
				test: listener.test === true,
			},
		);
		const { onEvent } = listener;
		// Called for each event and trigger, so nothing stands between that need not.
		this.handlers.onEvent = onEvent
			? (event) => {
					onEvent(event);
					selection.onEvent(event);
				}
			: selection.onEvent;
		this.selection = selection;
		return subscription;
	}

	/** Takes a status of the feed, or one of the trigger about it. */
	report(status: FeedStatus): void {
		this.selection?.onStatus(status);
		this.listener.onStatus(status);
	}
}
