// Selects from the feed's events what this trigger passes to its workflow, depending on the mode: the events
// themselves, outcomes of calls, alerts, or snapshots. The decision comes first; the conversion (which copies)
// waits until an item leaves.

import type { Entry } from './events/entry';
import { compileCriteria, compileFilter } from './events/filter';
import { raw, simplify, type Plain } from './events/simplify';
import { machineTime } from './feed/clock';
import type { Clock, Directory, FeedEvent, FeedStatus } from './feed/types';
import { alertItem } from './callCentre/alertItem';
import { Alerts } from './callCentre/alerts';
import { dayOf, intervalOf, type Span } from './callCentre/calendar';
import type { Observer, Reached } from './callCentre/callCentre';
import { CALLS_DEFAULTS } from './callCentre/callTracker';
import { MomentTimer } from './callCentre/momentTimer';
import { Naming } from './callCentre/naming';
import { outcomeItem, reachedItem, type OutcomeContext } from './callCentre/outcomeItem';
import { criteriaOf, type CallOutcome } from './callCentre/outcomeTypes';
import { MOST_LATE_MS } from './callCentre/providerClock';
import { wholeSecond } from './callCentre/seconds';
import { shareState } from './callCentre/sharedState';
import {
	agentItem,
	queueItem,
	totalsItem,
	type Head,
	type Interval,
} from './callCentre/snapshotItems';
import { AgentTotals, Snapshots, type Snapshot } from './callCentre/snapshots';
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
	/** A person waits for the first item. */
	test: boolean;
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
	{
		key = {},
		gaveUp = () => {},
		test = false,
	}: { key?: unknown; gaveUp?: (what: string) => void; test?: boolean } = {},
): Selection {
	const context: Context = { settings, directory, clock, key, take, gaveUp, test };
	switch (settings.mode) {
		case 'events':
			return selectEvents(context);
		case 'callOutcomes':
			return followCalls(context);
		case 'alerts':
			return watchAlerts(context);
		case 'snapshots':
			return context.settings.callCentre.every === undefined
				? recordIntervals(context)
				: takeSnapshots(context);
	}
}

/** Only the supervisor's login brings names. */
const namesIn = ({ feed }: TriggerSettings, directory: DirectorySource) =>
	feed === 'supervisor' ? directory() : undefined;

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

function namingOf({ settings, directory, clock }: Context): Naming {
	return new Naming(clock, () => namesIn(settings, directory), settings.queueNames);
}

function followCalls(context: Context): Selection {
	const { settings, directory, clock, take } = context;
	const { filter, outcomes, callCentre } = settings;
	const { callerHistoryHours: historyHours, includeTimeline: timeline, figures } = callCentre;
	const matches = compileCriteria(filter, directory);
	const naming = namingOf(context);
	const wanted = (kind: (typeof outcomes)[number]) =>
		outcomes.length === 0 || outcomes.includes(kind);
	const contextOf = (
		outcome: CallOutcome | undefined,
		nobodyAvailable: boolean,
	): OutcomeContext => ({
		figures,
		nobodyAvailable,
		timeline,
		...(historyHours > 0
			? {
					history: outcome ? (callers?.before(outcome, historyHours, clock.now()) ?? null) : null,
				}
			: {}),
	});
	const onReached = (reached: Reached) => {
		const { outcome, agent, missed, at } = reached;
		const agentIds = outcome?.agents ?? (agent === undefined ? [] : [agent]);
		// It was missed somewhere, and reached by somebody.
		const first = missed.find(
			(one) => at - one.at <= historyHours * 3_600_000 && matches({ ...one.call, agentIds }),
		);
		if (!first) return;
		take({ item: reachedItem(reached, first.at, clock.now(), naming, contextOf(outcome, false)) });
	};
	const observer: Observer = {
		outcome: (outcome, nobodyAvailable) => {
			if (!wanted(outcome.kind) || !matches(criteriaOf(outcome))) return;
			const more = contextOf(outcome, nobodyAvailable);
			take({ item: outcomeItem(outcome, clock.now(), naming, more) });
		},
		gaveUp: context.gaveUp,
		...(historyHours > 0 && wanted('reached') ? { reached: onReached } : {}),
	};
	const share = shareState(context.key, clock, directory, observer);
	if (timeline) share.state.keepTimelines();
	const callers = historyHours > 0 ? share.state.keepCallers(clock.now()) : undefined;
	return share;
}

function watchAlerts(context: Context): Selection {
	const { settings, directory, clock, take } = context;
	const { filter, callCentre } = settings;
	const naming = namingOf(context);
	/** Must exist from the moment the feed opens: alerts whose reason already exists then are reported at once. */
	let alerts: Alerts | undefined;
	const timer = new MomentTimer(clock, () => {
		alerts?.tick(clock.now());
		timer.set(alerts?.nextDue());
	});
	const share = shareState(context.key, clock, directory, {
		gaveUp: context.gaveUp,
		visit: (...change) => alerts?.visit(...change),
		outcome: (outcome) => alerts?.outcome(outcome),
		talking: (...change) => alerts?.talking(...change),
		agent: (...change) => alerts?.agent(...change),
		interrupted: () => alerts?.interrupted(),
		settled: () => {
			alerts?.settled();
			timer.set(alerts?.nextDue());
		},
	});
	const begin = () =>
		new Alerts(
			{ ...callCentre, filter },
			share.state,
			directory,
			() => clock.now(),
			(change) => take({ item: alertItem(change, naming) }),
		);
	return {
		onEvent: (event) => share.onEvent(event),
		onStatus: (status) => {
			share.onStatus(status);
			if (status.event !== 'connected') return;
			alerts ??= begin();
			timer.set(alerts.nextDue());
		},
		close: () => {
			timer.cancel();
			share.close();
		},
	};
}

/** What snapshots of both kinds share: they begin when the feed has opened, and follow the call center from then on. */
function followFigures(
	context: Context,
	ofPast: boolean,
	windowMs: number,
	begin: (snapshots: Snapshots) => { settled?(): void; close(): void },
): Selection {
	const { settings, directory, clock } = context;
	const { filter, queueNames, callCentre } = settings;
	let snapshots: Snapshots | undefined;
	let running: ReturnType<typeof begin> | undefined;
	const share = shareState(context.key, clock, directory, {
		gaveUp: context.gaveUp,
		visit: (...change) => snapshots?.visit(...change),
		agent: (after) => snapshots?.agent(after),
		taken: (...change) => snapshots?.taken(...change),
		notTaken: (...change) => snapshots?.notTaken(...change),
		wrappedUp: (...change) => snapshots?.wrappedUp(...change),
		settled: () => running?.settled?.(),
	});
	return {
		onEvent: (event) => share.onEvent(event),
		onStatus: (status) => {
			share.onStatus(status);
			snapshots?.onStatus(status, clock.now());
			if (status.event !== 'connected' || snapshots) return;
			const options = {
				of: callCentre.snapshotOf,
				filter,
				namedQueues: [...(queueNames?.keys() ?? [])],
				figures: callCentre.figures,
				windowMs,
				ofPast,
			};
			snapshots = new Snapshots(options, share.state, directory, wholeSecond(clock.now()));
			running = begin(snapshots);
		},
		close: () => {
			running?.close();
			share.close();
		},
	};
}

/** So many agents are looked at before n8n gets its turn: ten thousand at once would hold it up. */
const AGENTS_AT_ONCE = 250;

/**
 * Converts a snapshot to its items.
 * @param done called with the items: at once, unless there are many agents
 * @returns a function that stops it
 */
function makeItems(
	{ clock, settings }: Context,
	naming: Naming,
	snapshots: Snapshots,
	snapshot: Snapshot,
	interval: Interval | undefined,
	done: (items: Plain[]) => void,
): () => void {
	const { queues, agentIds, at, since, interrupted } = snapshot;
	const { snapshotOf } = settings.callCentre;
	const head: Head = { date: naming.iso(at), since, interrupted, interval };
	const items = queues.map((row) => queueItem(row, head, naming));
	const totals = new AgentTotals();
	let made = 0;
	let cancel = () => {};
	const go = () => {
		const until = Math.min(made + AGENTS_AT_ONCE, agentIds.length);
		for (; made < until; made++) {
			const row = snapshots.agentRow(agentIds[made] as string, snapshot);
			totals.add(row);
			if (snapshotOf.includes('agents')) items.push(agentItem(row, head, naming));
		}
		if (made < agentIds.length) {
			cancel = clock.after(0, go);
			return;
		}
		if (snapshotOf.includes('totals')) items.push(totalsItem(totals.row(snapshot), head, naming));
		done(items);
	};
	go();
	return () => cancel();
}

function takeSnapshots(context: Context): Selection {
	const { settings, clock, take } = context;
	const { snapshotOf, windowMinutes, onlyWhenChanged, every = 0 } = settings.callCentre;
	const naming = namingOf(context);
	return followFigures(context, false, windowMinutes * 60_000 || LONGEST_DAY_MS, (snapshots) => {
		let day: Span | undefined;
		let last: string | undefined;
		/** The feed is open, but there has been nothing to show yet. */
		let waitsForFirst = true;
		let stop = () => {};
		const windowFrom = (now: number) => {
			if (windowMinutes > 0) return now - windowMinutes * 60_000;
			const ahead = now - machineTime(clock, now);
			const at = now - ahead;
			if (!day || at >= day.until || at < day.from) day = dayOf(at, settings.timeZone);
			return day.from + ahead;
		};
		const snapshot = () => {
			const now = clock.now();
			const taken = snapshots.take(windowFrom(now), now + 1, now);
			const isEmpty = taken.queues.length + taken.agentIds.length === 0;
			if (isEmpty && !snapshotOf.includes('totals')) return;
			waitsForFirst = false;
			if (onlyWhenChanged) {
				const content = snapshots.contentOf(taken);
				if (content === last) return;
				last = content;
			}
			stop();
			stop = makeItems(context, naming, snapshots, taken, undefined, (items) => take({ items }));
		};
		const timer = new MomentTimer(clock, () => {
			timer.set(clock.now() + every * 1000);
			snapshot();
		});
		timer.set(clock.now() + every * 1000);
		snapshot();
		return {
			settled: () => {
				if (waitsForFirst) snapshot();
			},
			close: () => {
				timer.cancel();
				stop();
			},
		};
	});
}

/** That on which summer time ends. */
const LONGEST_DAY_MS = 25 * 3_600_000;

/**
 * By then what was sent at the end of an interval has come, and it is known whether a caller who left is in another
 * queue: its figures are final.
 */
const FINAL_MS = MOST_LATE_MS + CALLS_DEFAULTS.graceMs + 1_000;

/** One record at the end of each interval on the clock. Each moment is in exactly one of them. */
function recordIntervals(context: Context): Selection {
	const { settings, clock, take, test } = context;
	const { intervalMinutes } = settings.callCentre;
	const naming = namingOf(context);
	return followFigures(context, true, 2 * 3_600_000, (snapshots) => {
		/** What the steady clock, by which events are counted, is ahead of the machine's, by which intervals end. */
		const ahead = () => clock.now() - machineTime(clock, clock.now());
		const next = (at: number) => intervalOf(at, intervalMinutes, settings.timeZone);
		let interval = next(clock.now() - ahead());
		/** Up to here everything is in a record, by the steady clock. */
		let recorded = wholeSecond(clock.now());
		/** Milliseconds of interruption that records have reported. */
		let reported = 0;
		let stop = () => {};
		const record = ({ from, until }: Span, done: (items: Plain[]) => void) => {
			const begin = recorded;
			recorded = Math.max(wholeSecond(until + ahead()), begin);
			const interrupted = snapshots.interruptedUntil(recorded);
			const notCounted = Math.max(0, until - from - (recorded - begin));
			const missedMs = Math.min(until - from, notCounted + interrupted - reported);
			reported = interrupted;
			const taken = snapshots.take(begin, recorded, recorded);
			const bounds = { from, to: until, missedMs };
			stop = makeItems(context, naming, snapshots, taken, bounds, done);
		};
		const due = () => interval.until + ahead() + FINAL_MS;
		const timer = new MomentTimer(clock, () => recordWhatIsDue());
		const recordWhatIsDue = () => {
			const now = clock.now() - ahead();
			// The machine's clock was set back: the interval in which it is now contains what was not recorded yet.
			if (now < interval.from) interval = next(now - FINAL_MS);
			if (due() > clock.now()) {
				timer.set(due());
				return;
			}
			record(interval, (items) => {
				if (items.length > 0) take({ items });
				const { until } = interval;
				interval = next(Math.max(until, now - FINAL_MS));
				// Intervals through which the machine slept have no record: the next one misses their time, and has their calls.
				reported -= interval.from - until;
				recordWhatIsDue();
			});
		};
		recordWhatIsDue();
		/** A person who tries it out sees the interval so far. */
		let waits = test;
		const showSoFar = () => {
			if (!waits) return;
			record({ from: interval.from, until: clock.now() - ahead() }, (items) => {
				if (items.length === 0) return;
				waits = false;
				take({ items });
			});
		};
		showSoFar();
		return {
			settled: showSoFar,
			close: () => {
				timer.cancel();
				stop();
			},
		};
	});
}
