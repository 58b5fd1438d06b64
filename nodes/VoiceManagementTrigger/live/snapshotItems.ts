// Converts a snapshot to the JSON of its items: one for each queue, one for each agent, and the totals. Every field
// is always present; null means unknown or not applicable. Only `unknown` is omitted if it is 0.

import { pauseNamed } from './conditionItem';
import { isoOf } from '../events/isoDate';
import { agentNamed, named, type Names, type Plain } from '../events/simplify';
import { emptyDirectory } from '../../shared/directory';
import type { Directory } from '../feed/types';
import type { AgentSnapshot, QueueSnapshot, Snapshot, TotalsSnapshot } from './snapshots';

const NOBODY = emptyDirectory();

/**
 * @param names session information for `agent` and `pause`; without it their names are null
 * @param queueNames names for `queue`; without them it is not added
 */
export function snapshotItems(
	{ at, queues, agents, totals }: Snapshot,
	names: Directory = NOBODY,
	queueNames?: Names,
): Plain[] {
	const head = (event: string) => ({ type_notification: 'snapshot', event, date: isoOf(at) });
	return [
		...queues.map((queue) => ({ ...head('queue'), ...queueFields(queue, queueNames) })),
		...agents.map((agent) => ({ ...head('agent'), ...agentFields(agent, names) })),
		...(totals ? [{ ...head('totals'), ...totalsFields(totals) }] : []),
	];
}

function queueFields(queue: QueueSnapshot, queueNames: Names | undefined): Plain {
	return {
		id_queue: queue.queue,
		...(queueNames ? { queue: named(queue.queue, queueNames) } : {}),
		waiting: queue.waiting,
		longest_wait: queue.longestWait,
		longest_since: iso(queue.longestSince),
		talking: queue.talking,
		...counted(queue),
		average_wait: queue.averageWait,
		average_talk: queue.averageTalk,
		since: iso(queue.since),
		complete: queue.complete,
	};
}

function agentFields(
	{ view, seconds, answered, notAnswered }: AgentSnapshot,
	names: Directory,
): Plain {
	return {
		agent: agentNamed(view.id, names),
		state: view.state,
		pause: view.pause === undefined ? null : pauseNamed(view.pause, names),
		since: iso(view.since ?? null),
		seconds,
		id_call: view.callId ?? null,
		id_queue: view.queueId ?? null,
		answered,
		not_answered: notAnswered,
	};
}

function totalsFields(totals: TotalsSnapshot): Plain {
	return {
		agents_available: totals.agentsAvailable,
		agents_ringing: totals.agentsRinging,
		agents_talking: totals.agentsTalking,
		agents_on_break: totals.agentsOnBreak,
		agents_logged_out: totals.agentsLoggedOut,
		agents_unknown: totals.agentsUnknown,
		waiting: totals.waiting,
		longest_wait: totals.longestWait,
		...counted(totals),
		since: iso(totals.since),
		complete: totals.complete,
	};
}

function counted(counts: Omit<QueueSnapshot, 'queue' | 'talking'>): Plain {
	return {
		offered: counts.offered,
		answered: counts.answered,
		abandoned: counts.abandoned,
		short_abandoned: counts.shortAbandoned,
		...(counts.unknown === 0 ? {} : { unknown: counts.unknown }),
		service_level: counts.serviceLevel,
	};
}

function iso(at: number | null): string | null {
	return at === null ? null : (isoOf(at) ?? null);
}
