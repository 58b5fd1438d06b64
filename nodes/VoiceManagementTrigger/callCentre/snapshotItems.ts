// Converts a snapshot to the JSON of its items: one for each queue, one for each agent, and the totals. Every field
// is always present, apart from optional figures; null means unknown or not applicable.

import type { Naming } from './naming';
import type { Plain } from '../events/simplify';
import type { AgentRow, QueueRow, Snapshot, TotalsRow } from './snapshots';

/** An interval on the clock: its bounds as the machine's clock shows them, and what was not counted of it. */
export interface Interval {
	from: number;
	to: number;
	missedMs: number;
}

/** What all items of a snapshot share. */
export interface Head extends Pick<Snapshot, 'since' | 'interrupted'> {
	date: string | null;
	interval: Interval | undefined;
}

export function queueItem(row: QueueRow, head: Head, naming: Naming): Plain {
	return {
		type_notification: 'snapshot',
		event: 'queue',
		date: head.date,
		id_queue: row.queue,
		...naming.queueField(row.queue),
		...figureFields(row, naming),
		...windowOf(head, naming),
	};
}

export function totalsItem(row: TotalsRow, head: Head, naming: Naming): Plain {
	return {
		type_notification: 'snapshot',
		event: 'totals',
		date: head.date,
		...figureFields(row, naming),
		...windowOf(head, naming),
	};
}

export function agentItem(
	{ view, seconds, figures }: AgentRow,
	{ date, interval }: Head,
	naming: Naming,
): Plain {
	return {
		type_notification: 'snapshot',
		event: 'agent',
		date,
		agent: naming.agent(view.id),
		state: view.state,
		pause: view.pause === undefined ? null : naming.pause(view.pause),
		since: naming.iso(view.since),
		seconds,
		id_call: view.callId ?? null,
		id_queue: view.queueId ?? null,
		...figures,
		...(interval && boundsOf(interval, naming)),
	};
}

function figureFields({ longestSince, figures }: TotalsRow, naming: Naming): Plain {
	const { waiting, longest_wait, ...others } = figures;
	return { waiting, longest_wait, longest_since: naming.iso(longestSince), ...others };
}

function windowOf({ since, interrupted, interval }: Head, naming: Naming): Plain {
	if (!interval) return { since: naming.iso(since), complete: !interrupted };
	return {
		...boundsOf(interval, naming),
		since: naming.iso(since),
		complete: interval.missedMs === 0 && !interrupted,
		missed_seconds: Math.round(interval.missedMs / 100) / 10,
	};
}

function boundsOf({ from, to }: Interval, naming: Naming): Plain {
	return { from: naming.machineIso(from), to: naming.machineIso(to) };
}
