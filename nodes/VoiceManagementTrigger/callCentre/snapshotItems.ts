// Converts a snapshot to the JSON of its items: one for each queue, one for each agent, and the totals. Every field is
// always present, apart from optional figures; null means unknown or not applicable.

import { wholeSeconds, type AgentState } from './changes';
import {
	AGENT_FIGURES,
	AGENTS_FIGURES,
	figuresOf,
	NO_SECONDS,
	QUEUE_FIGURES,
	type QueueSituation,
	type Seconds,
} from './figures';
import type { AgentItem, Period, QueueItem, SnapshotItem, TotalsItem } from './items';
import type { Naming } from './naming';
import type { AgentPage, Page } from './pages';

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
	announcesWrapUp: boolean;
}

/** The same for all items of a snapshot, converted once. */
export interface Written {
	readonly at: number;
	readonly date: string | null;
	readonly period: Period;
	readonly announcesWrapUp: boolean;
}

export function writeHead(head: Head, naming: Naming): Written {
	const { at, from, interval, countedSince, isComplete, missedMs, announcesWrapUp } = head;
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
	agents: readonly AgentPage[],
	head: Written,
	naming: Naming,
): TotalsItem {
	const states = new Map<AgentState | null, number>();
	const seconds: Seconds = { ...NO_SECONDS };
	for (const { view, seconds: times } of agents) {
		states.set(view.state, (states.get(view.state) ?? 0) + 1);
		for (const name of Object.keys(times) as Array<keyof Seconds>) seconds[name] += times[name];
	}
	const isKnown = agents.some((agent) => agent.isKnown);
	const figures = QUEUE_FIGURES.filter(({ queueOnly }) => !queueOnly);
	return {
		type_notification: 'snapshot',
		event: 'totals',
		date: head.date,
		...figuresOf(figures, situationOf(page, head, naming)),
		...figuresOf(AGENTS_FIGURES, { states, seconds: isKnown ? seconds : undefined }),
		...head.period,
	};
}

export function agentItem(agent: AgentPage, head: Written, naming: Naming): AgentItem {
	const { view, answered, notAnswered, isKnown } = agent;
	const { state, pause, since } = view;
	return {
		type_notification: 'snapshot',
		event: 'agent',
		date: head.date,
		agent: naming.agent(view.id),
		state,
		pause: state !== 'on_break' || pause === undefined || pause === '' ? null : naming.pause(pause),
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

/** What an item says apart from what moves with the time alone, to compare it with another one. */
export function lastingPart(item: SnapshotItem): string {
	const moving = MOVING.get(item.event);
	const lasting: Record<string, unknown> = {};
	for (const field of Object.keys(item)) if (!moving?.has(field)) lasting[field] = item[field];
	return JSON.stringify(lasting);
}

const MOVING = new Map<unknown, ReadonlySet<string>>(
	Object.entries({
		queue: QUEUE_FIGURES,
		agent: AGENT_FIGURES,
		totals: [...QUEUE_FIGURES, ...AGENTS_FIGURES],
	}).map(([event, figures]) => {
		const moving = figures.flatMap(({ field, moves }) => (moves ? [field] : []));
		return [event, new Set(['date', 'seconds', 'from', 'missed_seconds', ...moving])];
	}),
);

function situationOf(
	{ counts, longest, atEnd }: Page,
	{ announcesWrapUp }: Written,
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
