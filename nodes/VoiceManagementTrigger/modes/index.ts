// Selects from the feed's events what this trigger passes to its workflow, depending on the mode. The decision comes first;
// the conversion (which copies) waits until an item leaves.

import type { Entry } from '../events/entry';
import { raw, simplify, type Plain } from '../events/simplify';
import type { Clock, FeedEvent } from '../feed/types';
import { watchAlerts } from './alerts';
import { selectEvents } from './events';
import { namesIn, type DirectorySource, type Mode, type ModeContext } from './mode';
import { followCalls } from './outcomes';
import { takeSnapshots } from './snapshots';
import type { TriggerSettings } from '../panel/settings';

const MODES: Record<TriggerSettings['mode'], (context: ModeContext) => Mode> = {
	events: selectEvents,
	callOutcomes: followCalls,
	alerts: watchAlerts,
	snapshots: takeSnapshots,
};

/**
 * Passes on what the settings ask for.
 * @param key the same for triggers that share a feed: they share what is derived from its events
 */
export function createSelection(
	settings: TriggerSettings,
	directory: DirectorySource,
	clock: Clock,
	take: (entry: Entry) => void,
	{
		key = {},
		gaveUp = () => {},
		failed = (error: unknown) => {
			throw error;
		},
		test = false,
	}: Partial<Pick<ModeContext, 'key' | 'gaveUp' | 'failed' | 'test'>> = {},
): Mode {
	return MODES[settings.mode]({ settings, directory, clock, key, take, gaveUp, failed, test });
}

/** Returns a function that converts an entry to the JSON of its item (or items), copying shared data. */
export function itemMaker(
	settings: TriggerSettings,
	directory: DirectorySource,
): (entry: Entry) => Plain | readonly Plain[] {
	const shape =
		settings.output === 'raw'
			? raw
			: (event: FeedEvent) => simplify(event, namesIn(settings, directory), settings.queueNames);
	return (entry) => ('item' in entry ? entry.item : 'items' in entry ? entry.items : shape(entry));
}
