// What test runs and active workflows share: read the settings, connect to the feed, select what the workflow asked
// for, and end all of it when the trigger ends.

import type { ActiveTrigger } from './instances';
import type { Entry } from '../events/entry';
import { subscribe } from '../feed/hub';
import type {
	Clock,
	FeedEvent,
	FeedLogger,
	FeedOptions,
	FeedStatus,
	FeedSubscription,
} from '../feed/types';
import { noteLogin } from '../../shared/openLogins';
import { createSelection } from '../modes';
import type { TriggerSettings } from '../panel/settings';

/** Settings and credential. */
export interface Prepared {
	settings: TriggerSettings;
	feed: FeedOptions;
}

/** Reads them again at each call. @throws InputError, or what n8n throws for a credential */
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
		const cancel = clock.after(REMOVALS_EVERY_MS, () => {
			signal.removeEventListener('abort', cancel);
			logger.warn(
				`Live state: its limit is reached, so ${count} calls, agents or queues were removed within ${REMOVALS_EVERY_MS / 1000} s`,
			);
			count = 0;
		});
		signal.addEventListener('abort', cancel, { once: true });
	};
}

/** Listens until the trigger ends, or until `close`. */
export function listen(
	{ settings, feed }: Prepared,
	listener: Listener,
	active: ActiveTrigger,
	clock: Clock,
): FeedSubscription {
	const directory = () => subscription.directory();
	const selection = createSelection(settings, directory, clock, (entry) => listener.take(entry), {
		key: feed.loginKey,
		gaveUp: removals(listener.logger, active.signal, clock),
		test: listener.test === true,
	});
	const { onEvent } = listener;
	const subscription = subscribe(
		feed,
		{
			onEvent: onEvent
				? (event) => {
						onEvent(event);
						selection.onEvent(event);
					}
				: selection.onEvent,
			onStatus: (status) => {
				selection.onStatus(status);
				listener.onStatus(status);
			},
			onNotUnderstood: (name, payload, why) => listener.onNotUnderstood?.(name, payload, why),
			logger: listener.logger,
		},
		clock,
	);
	active.serves(feed, directory);
	const forget = noteLogin(() =>
		subscription.vitals().connections > 0 ? feed.hostLoginKey : undefined,
	);
	const close = async () => {
		// The feed still delivers what it has buffered, so the selection must not be closed before.
		forget();
		const closed = subscription.close();
		selection.close();
		await closed;
	};
	active.onEnd(close);
	return { ...subscription, close };
}
