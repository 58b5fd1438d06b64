// From the feed's events to what this trigger hands to its workflow: filter, or calls followed to their outcome,
// then the shape of an item. The decision comes first; shaping (which copies) waits until an item leaves.

import { CallTracker, criteriaOf, type CallOutcome } from './live/calls';
import type { Entry } from './events/entry';
import { compileCriteria, compileFilter } from './events/filter';
import { outcomeItem } from './live/outcomeItem';
import { raw, simplify, type Plain } from './events/simplify';
import type { Clock, Directory, FeedEvent, FeedStatus } from './feed/types';
import type { TriggerSettings } from './settings';

export interface Selection {
	onEvent(event: FeedEvent): void;
	onStatus(status: FeedStatus): void;
	/** Nothing is handed on any more. */
	close(): void;
}

/** Gives the names of the newest login; undefined before the first one. */
type DirectorySource = () => Directory | undefined;

/** Hands on what the settings ask for. */
export function createSelection(
	settings: TriggerSettings,
	directory: DirectorySource,
	clock: Clock,
	take: (entry: Entry) => void,
): Selection {
	return settings.mode === 'events'
		? selectEvents(settings, directory, take)
		: followCalls(settings, directory, clock, take);
}

/** The function that makes an item's JSON of an entry, copying what is shared. */
export function itemMaker(
	settings: TriggerSettings,
	directory: DirectorySource,
): (entry: Entry) => Plain {
	const shape =
		settings.output === 'raw'
			? raw
			: (event: FeedEvent) =>
					simplify(event, settings.resolveNames ? directory() : undefined, settings.queueNames);
	return (entry) => ('item' in entry ? entry.item : shape(entry));
}

function selectEvents(
	{ filter }: TriggerSettings,
	directory: DirectorySource,
	take: (entry: Entry) => void,
): Selection {
	const wanted = compileFilter(filter, directory);
	return {
		onEvent: (event) => {
			if (wanted(event)) take(event);
		},
		onStatus: () => {},
		close: () => {},
	};
}

function followCalls(
	{ filter, outcomes, resolveNames, queueNames }: TriggerSettings,
	directory: DirectorySource,
	clock: Clock,
	take: (entry: Entry) => void,
): Selection {
	const tracker = new CallTracker(clock.now());
	const matches = compileCriteria(filter, directory);
	let timer: { due: number; cancel: () => void } | undefined;
	const hand = (found: CallOutcome[]) => {
		for (const outcome of found) {
			if (outcomes.length > 0 && !outcomes.includes(outcome.kind)) continue;
			if (!matches(criteriaOf(outcome))) continue;
			const names = resolveNames ? directory() : undefined;
			take({ item: outcomeItem(outcome, clock.now(), names, queueNames) });
		}
		armTimer();
	};
	const armTimer = () => {
		const due = tracker.nextDue();
		if (due === undefined || (timer && timer.due <= due)) return;
		timer?.cancel();
		const wait = Math.max(0, due - clock.now());
		const cancel = clock.after(wait, () => {
			timer = undefined;
			hand(tracker.tick(clock.now()));
		});
		timer = { due, cancel };
	};
	return {
		onEvent: (event) => hand(tracker.onEvent(event)),
		onStatus: ({ event }) => {
			if (event === 'connected') tracker.onOpened(clock.now());
			else if (event !== 'refused') tracker.onBreak();
		},
		close: () => timer?.cancel(),
	};
}
