// Converts a snapshot to the JSON of its items: one for each queue, one for each agent, and the totals. Every field is
// always present, apart from optional figures; null means unknown or not applicable.

import type { Directory } from '../feed/types';
import { wholeSeconds, type AgentView } from './changes';
import {
	AGENT_FIGURES,
	AGENTS_FIGURES,
	figuresOf,
	QUEUE_FIGURES,
	type AgentsSituation,
	type Figure,
	type QueueSituation,
} from './figures';
import type { AgentItem, Period, QueueItem, TotalsItem } from './items';
import type { Naming } from './naming';
import type { AgentPage, Page } from './pages';
import type { Snapshot } from './snapshots';

/** What all items of a snapshot share. Moments in milliseconds since 1970. */
export interface Head {
	/** The moment that it shows. */
	at: number;
	/** When the period began, as the machine's clock shows it. */
	from: number;
	/** When an interval ended, and its zone; undefined: the period goes on. */
	interval: { to: number; timeZone: string } | undefined;
	/** From when it counts, if that is later than the period's beginning. */
	countedSince: number | undefined;
	isComplete: boolean;
	missedMs: number;
}

/** The same for all items of a snapshot, converted once. */
export interface Written {
	readonly at: number;
	readonly date: string | null;
	readonly period: Period;
	readonly announcesWrapUp: boolean;
}

export function writeHead(head: Head, announcesWrapUp: boolean, naming: Naming): Written {
	const { at, from, interval, countedSince, isComplete, missedMs } = head;
	return {
		at,
		date: naming.iso(at),
		period: {
			from: naming.machineIso(from),
			...(interval && { to: naming.machineIso(interval.to), time_zone: interval.timeZone }),
			counted_since: naming.iso(countedSince),
			complete: isComplete,
			missed_seconds: wholeSeconds(missedMs),
		},
		announcesWrapUp,
	};
}

export function queueItem(queue: string, page: Page, head: Written, naming: Naming): QueueItem {
	return {
		type_notification: 'snapshot',
		event: 'queue',
		date: head.date,
		id_queue: queue,
		...naming.queueField(queue),
		...figuresOf(QUEUE_FIGURES, situationOf(page, head, naming)),
		...head.period,
	};
}

export function totalsItem(
	page: Page,
	everybody: AgentsSituation,
	head: Written,
	naming: Naming,
): TotalsItem {
	const figures = QUEUE_FIGURES.filter(({ queueOnly }) => !queueOnly);
	return {
		type_notification: 'snapshot',
		event: 'totals',
		date: head.date,
		...figuresOf(figures, situationOf(page, head, naming)),
		...figuresOf(AGENTS_FIGURES, everybody),
		...head.period,
	};
}

export function agentItem(agent: AgentPage, head: Written, naming: Naming): AgentItem {
	const { view, answered, notAnswered, isKnown } = agent;
	const { state, since } = view;
	const pause = pauseOf(view);
	return {
		type_notification: 'snapshot',
		event: 'agent',
		date: head.date,
		agent: naming.agent(view.id),
		state,
		pause: pause === undefined ? null : naming.pause(pause),
		since: naming.iso(since),
		seconds: since === undefined ? null : wholeSeconds(Math.max(0, head.at - since)),
		id_call: view.callId ?? null,
		id_queue: view.queueId ?? null,
		...figuresOf(AGENT_FIGURES, {
			answered,
			notAnswered,
			seconds: isKnown ? agent.seconds : undefined,
		}),
		...head.period,
	};
}

/** A snapshot, with everything else that its items say. */
export interface Told {
	snapshot: Snapshot;
	head: Head;
	directory: Directory | undefined;
}

/** Whether two snapshots say the same, apart from what moves with the time alone. */
export function isSameSnapshot(one: Told, other: Told, naming: Naming): boolean {
	const [a, b] = [one.snapshot, other.snapshot];
	const { announcesWrapUp } = a;
	const sameRow = (row: Page, before: Page) =>
		sameFigures(
			QUEUE_FIGURES,
			situationOf(row, { announcesWrapUp }, naming),
			situationOf(before, b, naming),
		);
	return (
		one.head.isComplete === other.head.isComplete &&
		one.head.countedSince === other.head.countedSince &&
		(a.agents.length === 0 || sameNames(one.directory, other.directory)) &&
		sameList(
			a.queues,
			b.queues,
			(row, before) => row.queue === before.queue && sameRow(row.page, before.page),
		) &&
		sameList(a.agents, b.agents, sameAgent) &&
		(!a.totals || !b.totals || sameRow(a.totals, b.totals)) &&
		(!a.everybody || !b.everybody || sameFigures(AGENTS_FIGURES, a.everybody, b.everybody))
	);
}

function sameList<T>(some: readonly T[], others: readonly T[], same: (a: T, b: T) => boolean) {
	return some.length === others.length && some.every((one, index) => same(one, others[index] as T));
}

function sameFigures<T>(figures: ReadonlyArray<Figure<T>>, one: T, other: T): boolean {
	return figures.every(({ moves, of }) => moves === true || of(one) === of(other));
}

function sameAgent(one: AgentPage, other: AgentPage): boolean {
	const [a, b] = [one.view, other.view];
	return (
		a.id === b.id &&
		a.state === b.state &&
		a.since === b.since &&
		pauseOf(a) === pauseOf(b) &&
		a.callId === b.callId &&
		a.queueId === b.queueId &&
		one.answered === other.answered &&
		one.notAnswered === other.notAnswered
	);
}

/** Another login may bring the same names. */
function sameNames(one: Directory | undefined, other: Directory | undefined): boolean {
	const names = (of: Directory | undefined) =>
		JSON.stringify(of && [...of.agents, ...of.groups, ...of.pauses]);
	return one === other || names(one) === names(other);
}

/** The break that is shown. */
function pauseOf({ state, pause }: AgentView): string | undefined {
	return state === 'on_break' && pause !== '' ? pause : undefined;
}

function situationOf(
	{ counts, longest, atEnd }: Page,
	{ announcesWrapUp }: Pick<Written, 'announcesWrapUp'>,
	naming: Naming,
): QueueSituation {
	const { waiting = 0, longestWait, longestSince, talking = 0 } = atEnd ?? {};
	const longestOfPeriod =
		longest === undefined && longestWait === undefined
			? null
			: wholeSeconds(Math.max(longest ?? 0, longestWait ?? 0));
	return {
		...counts,
		waiting,
		longestWait: longestWait === undefined ? null : wholeSeconds(longestWait),
		longestSince: naming.iso(longestSince),
		talking,
		longestOfPeriod,
		announcesWrapUp,
	};
}
