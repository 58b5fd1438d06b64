// Converts a snapshot to the JSON of its items: one for each queue, one for each agent, and the totals. Every field is
// always present, apart from optional figures; null means unknown or not applicable.

import type { Directory } from '../feed/types';
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

/** A snapshot, with everything else that its items say. */
export interface Told {
	snapshot: Snapshot;
	head: Head;
	directory: Directory | undefined;
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
		...figuresOf(AGENT_FIGURES, agent, naming),
		...period,
	};
}

/** Whether two snapshots say the same, apart from what moves with the time alone. */
export function isSameSnapshot(one: Told, other: Told): boolean {
	const [a, b] = [one.snapshot, other.snapshot];
	const [period, before] = [one.head.period, other.head.period];
	return (
		period.complete === before.complete &&
		period.counted_since === before.counted_since &&
		(a.agents.length === 0 || sameNames(one.directory, other.directory)) &&
		sameRows(QUEUE_FIGURES, a.queues, b.queues, (row, was) => row.queue === was.queue) &&
		sameRows(AGENT_FIGURES, a.agents, b.agents, (row, was) => sameState(row.view, was.view)) &&
		sameRows(TOTALS_FIGURES, a.totals, b.totals, () => true)
	);
}

/** @param same whether what their items show besides figures is the same */
function sameRows<T, R extends T>(
	figures: ReadonlyArray<Figure<T>>,
	some: readonly R[],
	others: readonly R[],
	same: (one: R, other: R) => boolean,
): boolean {
	if (some.length !== others.length) return false;
	return some.every((one, index) => {
		const other = others[index] as R;
		const isSame = ({ moves, of }: Figure<T>) => moves === true || of(one) === of(other);
		return same(one, other) && figures.every(isSame);
	});
}

function sameState(one: AgentView, other: AgentView): boolean {
	const fields = ['id', 'state', 'since', 'callId', 'queueId'] as const;
	return fields.every((field) => one[field] === other[field]) && pauseOf(one) === pauseOf(other);
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
