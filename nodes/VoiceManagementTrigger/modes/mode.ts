// What each mode of the trigger is made of: it sees the feed's events and statuses, and passes entries to the workflow.

import { Naming } from '../callCentre/naming';
import type { CentreContext } from '../callCentre/sharedState';
import type { Entry } from '../events/entry';
import type { Directory, FeedEvent, FeedStatus } from '../feed/types';
import type { TriggerSettings } from '../panel/settings';

export interface Mode {
	readonly onEvent: (event: FeedEvent) => void;
	onStatus(status: FeedStatus): void;
	/** Since when something has happened that is still to be passed on, because more may follow; undefined: nothing has. */
	untoldSince?(): number | undefined;
	/** From now on nothing is passed on. */
	close(): void;
}

/** Returns the names of the newest login; undefined before the first one. */
export type DirectorySource = () => Directory | undefined;

export interface ModeContext extends CentreContext {
	settings: TriggerSettings;
	take: (entry: Entry) => void;
	/** A person waits for the first item. */
	test: boolean;
}

/** Only the supervisor's login brings names. */
export const namesIn = ({ feed }: TriggerSettings, directory: DirectorySource) =>
	feed === 'supervisor' ? directory() : undefined;

export function namingOf({ settings, directory, clock }: ModeContext): Naming {
	return new Naming(clock, () => namesIn(settings, directory), settings.queueNames);
}
