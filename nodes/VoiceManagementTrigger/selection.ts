// Selects from the feed's events what this trigger passes to its workflow, depending on the mode: the events
// themselves, outcomes of calls, conditions, or snapshots. The decision comes first; the conversion (which copies)
// waits until an item leaves.

import type { Entry } from './events/entry';
import { compileCriteria, compileFilter, NO_CRITERIA } from './events/filter';
import { raw, simplify, type Plain } from './events/simplify';
import type { Clock, Directory, FeedEvent, FeedStatus } from './feed/types';
import { criteriaOf, type CallOutcome } from './live/outcomeTypes';
import { conditionItem } from './live/conditionItem';
import { Conditions } from './live/conditions';
import type { LiveObserver, Returned } from './live/liveState';
import { MomentTimer } from './live/momentTimer';
import { outcomeItem, returnedItem, type OutcomeContext } from './live/outcomeItem';
import { shareState } from './live/sharedState';
import { snapshotItems } from './live/snapshotItems';
import { fingerprint, Snapshots } from './live/snapshots';
import type { TriggerSettings } from './settings';

export interface Selection {
	readonly onEvent: (event: FeedEvent) => void;
	onStatus(status: FeedStatus): void;
	/** From now on nothing is passed on. */
	close(): void;
}

/** Returns the names of the newest login; undefined before the first one. */
type DirectorySource = () => Directory | undefined;

interface Context {
	settings: TriggerSettings;
	directory: DirectorySource;
	clock: Clock;
	/** The same for all triggers that listen to the same feed. */
	key: unknown;
	take: (entry: Entry) => void;
	/** Something had to be discarded, to stay within the limits. */
	gaveUp: (what: string) => void;
}

/**
 * Passes on what the settings ask for.
 * @param feed its key, the same for triggers that share a feed: they share the state that is derived from its events
 */
export function createSelection(
	settings: TriggerSettings,
	directory: DirectorySource,
	clock: Clock,
	take: (entry: Entry) => void,
	{ key = {}, gaveUp = () => {} }: { key?: unknown; gaveUp?: (what: string) => void } = {},
): Selection {
	const context: Context = { settings, directory, clock, key, take, gaveUp };
	switch (settings.mode) {
		case 'events':
			return selectEvents(context);
		case 'callOutcomes':
			return followCalls(context);
		case 'conditions':
			return watchConditions(context);
		case 'snapshots':
			return takeSnapshots(context);
	}
}

/** Returns a function that converts an entry to the JSON of its item (or items), copying shared data. */
export function itemMaker(
	settings: TriggerSettings,
	directory: DirectorySource,
): (entry: Entry) => Plain | readonly Plain[] {
	const shape =
		settings.output === 'raw'
			? raw
			: (event: FeedEvent) =>
					simplify(event, settings.resolveNames ? directory() : undefined, settings.queueNames);
	return (entry) => ('item' in entry ? entry.item : 'items' in entry ? entry.items : shape(entry));
}

function selectEvents({ settings, directory, take }: Context): Selection {
	const wanted = compileFilter(settings.filter, directory);
	return {
		onEvent: (event) => {
			if (wanted(event)) take(event);
		},
		onStatus: () => {},
		close: () => {},
	};
}

function followCalls(context: Context): Selection {
	const { settings, directory, clock, take } = context;
	const { filter, outcomes, resolveNames, queueNames, live } = settings;
	const matches = compileCriteria(filter, directory);
	const historyHours = live.callerHistoryHours;
	const wanted = (kind: (typeof outcomes)[number]) =>
		outcomes.length === 0 || outcomes.includes(kind);
	const names = () => (resolveNames ? directory() : undefined);
	const contextOf = (
		outcome: CallOutcome | undefined,
		nobodyAvailable: boolean,
	): OutcomeContext => ({
		answerWithinSeconds: live.answerWithinSeconds,
		shortAbandonSeconds: live.shortAbandonSeconds,
		nobodyAvailable,
		timeline: live.includeTimeline,
		...(historyHours > 0
			? {
					history: outcome ? (callers?.before(outcome, historyHours, clock.now()) ?? null) : null,
				}
			: {}),
	});
	const onReturned = (returned: Returned) => {
		const { outcome, caller, agent, missedAt, at } = returned;
		if (at - missedAt > historyHours * 3_600_000) return;
		const subject = outcome
			? criteriaOf(outcome)
			: {
					...NO_CRITERIA,
					agentIds: agent === undefined ? [] : [agent],
					callerNumber: caller,
				};
		if (!matches(subject)) return;
		const more = contextOf(outcome, false);
		take({ item: returnedItem(returned, clock.now(), names(), queueNames, more) });
	};
	const observer: LiveObserver = {
		outcome: (outcome, nobodyAvailable) => {
			if (!wanted(outcome.kind) || !matches(criteriaOf(outcome))) return;
			const more = contextOf(outcome, nobodyAvailable);
			take({ item: outcomeItem(outcome, clock.now(), names(), queueNames, more) });
		},
		gaveUp: context.gaveUp,
		...(historyHours > 0 && wanted('returned') ? { returned: onReturned } : {}),
	};
	const share = shareState(context.key, clock, directory, observer);
	if (live.includeTimeline) share.state.keepTimelines();
	const callers = historyHours > 0 ? share.state.keepCallers(clock.now()) : undefined;
	return share;
}

function watchConditions(context: Context): Selection {
	const { settings, directory, clock, take } = context;
	const { resolveNames, queueNames, filter, live } = settings;
	/** Must exist from the moment the feed opens: conditions that already hold then are reported at once. */
	let conditions: Conditions | undefined;
	const timer = new MomentTimer(clock, () => {
		conditions?.tick(clock.now());
		timer.set(conditions?.nextDue());
	});
	const share = shareState(context.key, clock, directory, {
		gaveUp: context.gaveUp,
		visit: (...change) => conditions?.visit(...change),
		outcome: (outcome) => conditions?.outcome(outcome),
		talking: (...change) => conditions?.talking(...change),
		agent: (...change) => conditions?.agent(...change),
		interrupted: () => conditions?.interrupted(),
		settled: () => {
			conditions?.settled();
			timer.set(conditions?.nextDue());
		},
	});
	const begin = () =>
		new Conditions(
			{
				conditions: live.conditions,
				filter,
				repeatEvery: live.repeatEvery,
				emitResolved: live.emitResolved,
			},
			share.state,
			directory,
			() => clock.now(),
			(change) =>
				take({ item: conditionItem(change, resolveNames ? directory() : undefined, queueNames) }),
		);
	return {
		onEvent: (event) => share.onEvent(event),
		onStatus: (status) => {
			share.onStatus(status);
			if (status.event !== 'connected') return;
			conditions ??= begin();
			timer.set(conditions.nextDue());
		},
		close: () => {
			timer.cancel();
			share.close();
		},
	};
}

function takeSnapshots(context: Context): Selection {
	const { settings, directory, clock, take } = context;
	const { resolveNames, queueNames, filter, live } = settings;
	let last: string | undefined;
	/** The feed is open, but there has been nothing to show yet. */
	let waitsForFirst = false;
	const snapshot = () => {
		const taken = snapshots.take(clock.now());
		const items = snapshotItems(taken, resolveNames ? directory() : undefined, queueNames);
		if (items.length === 0) return;
		waitsForFirst = false;
		const content = live.onlyWhenChanged ? fingerprint(taken) : undefined;
		if (content !== undefined && content === last) return;
		last = content;
		take({ items });
	};
	const timer = new MomentTimer(clock, () => {
		snapshot();
		timer.set(clock.now() + live.every * 1000);
	});
	const share = shareState(context.key, clock, directory, {
		gaveUp: context.gaveUp,
		visit: (...change) => snapshots.visit(...change),
		taken: (...change) => snapshots.taken(...change),
		notTaken: (...change) => snapshots.notTaken(...change),
		interrupted: (at) => snapshots.interrupted(at),
		settled: () => {
			if (waitsForFirst) snapshot();
		},
	});
	const snapshots = new Snapshots(
		{
			of: live.snapshotOf,
			filter,
			namedQueues: [...(queueNames?.keys() ?? [])],
			windowMinutes: live.windowMinutes,
			timeZone: settings.timeZone,
			answerWithinSeconds: live.answerWithinSeconds,
			shortAbandonSeconds: live.shortAbandonSeconds,
		},
		share.state,
		directory,
		clock.now(),
	);
	let begun = false;
	return {
		onEvent: (event) => share.onEvent(event),
		onStatus: (status) => {
			share.onStatus(status);
			if (status.event !== 'connected' || begun) return;
			begun = true;
			waitsForFirst = true;
			snapshot();
			timer.set(clock.now() + live.every * 1000);
		},
		close: () => {
			timer.cancel();
			share.close();
		},
	};
}
