// What test runs and active workflows share: read the settings, connect to the feed, select what the workflow asked
// for, and end all of it when the trigger ends.

import type { ActiveTrigger } from './execution/activeTriggers';
import type { Entry } from './events/entry';
import { subscribe } from './feed/hub';
import type {
	Clock,
	FeedEvent,
	FeedLogger,
	FeedOptions,
	FeedStatus,
	FeedSubscription,
} from './feed/types';
import { createSelection } from './selection';
import type { TriggerSettings } from './settings';

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
	onOtherEvent?(name: string, payload: string): void;
	logger: FeedLogger;
}

/** Listens until the trigger ends. */
export function listen(
	{ settings, feed }: Prepared,
	listener: Listener,
	active: ActiveTrigger,
	clock: Clock,
): FeedSubscription {
	const directory = () => subscription.directory();
	const selection = createSelection(settings, directory, clock, (entry) => listener.take(entry), {
		key: feed.key,
		gaveUp: (what) => listener.logger.warn(`Live state: removed ${what}`),
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
			onOtherEvent: (name, payload) => listener.onOtherEvent?.(name, payload),
			logger: listener.logger,
		},
		clock,
	);
	active.serves(feed.key, directory);
	active.onEnd(async () => {
		// The feed still delivers what it has buffered, so the selection must not be closed before.
		const closed = subscription.close();
		selection.close();
		await closed;
	});
	return subscription;
}
