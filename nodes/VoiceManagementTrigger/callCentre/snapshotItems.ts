// Converts a snapshot to the JSON of its items: one for each queue, one for each agent, and the totals. Every field is
// always present, apart from optional figures; null means unknown or not applicable.

import { wholeSeconds, type AgentView } from './changes';
import {
	AGENT_FIGURES,
	figuresOf,
	QUEUE_FIGURES,
	TOTALS_FIGURES,
	type Figure,
	type TotalsSituation,
} from './figures';
import type { AgentItem, Period, QueueItem, TotalsItem } from './items';
import type { Naming } from './naming';
import type { AgentPage } from './pages';
import type { Snapshot } from './snapshots';

/** What all items of a snapshot share. */
export interface Head {
	/** The moment that it shows, in milliseconds since 1970, and in ISO 8601. */
	at: number;
	date: string | null;
	period: Period;
}

export function queueItem(
	row: Snapshot['queues'][number],
	{ date, period }: Head,
	naming: Naming,
): QueueItem {
	return {
		type_notification: 'snapshot',
		event: 'queue',
		date,
		id_queue: row.queue,
		...naming.queueField(row.queue),
		...figuresOf(QUEUE_FIGURES, row, naming),
		...period,
	};
}

export function totalsItem(
	totals: TotalsSituation,
	{ date, period }: Head,
	naming: Naming,
): TotalsItem {
	return {
		type_notification: 'snapshot',
		event: 'totals',
		date,
		...figuresOf(TOTALS_FIGURES, totals, naming),
		...period,
	};
}

export function agentItem(agent: AgentPage, { at, date, period }: Head, naming: Naming): AgentItem {
	const { id, state, since, callId, queueId } = agent.view;
	const pause = pauseOf(agent.view);
	return {
		type_notification: 'snapshot',
		event: 'agent',
		date,
		agent: naming.agent(id),
		state,
		pause: pause === undefined ? null : naming.pause(pause),
		since: naming.iso(since),
		seconds: since === undefined ? null : wholeSeconds(Math.max(0, at - since)),
		id_call: callId ?? null,
		id_queue: queueId ?? null,
		...naming.queueField(queueId ?? null),
		...figuresOf(AGENT_FIGURES, agent, naming),
		...period,
	};
}

/** What the items of a snapshot say, apart from names and from what moves with the time alone. */
export function snapshotContent({ queues, agents, totals }: Snapshot, { period }: Head): unknown[] {
	const content: unknown[] = [period.from, period.complete, period.counted_since];
	const add = <T>(figures: ReadonlyArray<Figure<T>>, row: T) => {
		for (const { moves, of } of figures) if (!moves) content.push(of(row));
	};
	for (const row of queues) {
		content.push(row.queue);
		add(QUEUE_FIGURES, row);
	}
	for (const row of agents) {
		const { id, state, since, callId, queueId } = row.view;
		content.push(id, state, since, pauseOf(row.view), callId, queueId);
		add(AGENT_FIGURES, row);
	}
	for (const row of totals) add(TOTALS_FIGURES, row);
	return content;
}

/** The break that is shown. */
function pauseOf({ state, pause }: AgentView): string | undefined {
	return state === 'on_break' && pause !== '' ? pause : undefined;
}
