// From a followed call's outcome to the JSON of an item. Every field is there in every outcome, in one order, so
// that a workflow's expressions hold; null stands for what was not seen or does not apply.

import { idOf } from './callHistory';
import type { CallOutcome } from './calls';
import { agentNamed, named, type Names, type Plain } from '../events/simplify';
import type { Directory } from '../feed/types';

/**
 * The item of an outcome, under the operator's field names where there are any.
 * @param at when the outcome became known, milliseconds since 1970
 * @param names session information for `agent` and `trunk`; without it neither is added
 * @param queueNames names for `queue`; without them it is not added
 */
export function outcomeItem(
	outcome: CallOutcome,
	at: number,
	names?: Directory,
	queueNames?: Names,
): Plain {
	const [agent] = outcome.agents;
	const { place } = outcome;
	const trunk = place?.startsWith('trunk:') ? idOf(place) : undefined;
	const queue = place?.startsWith('queue:') ? idOf(place) : undefined;
	const item: Plain = {
		type_notification: 'call',
		event: outcome.kind,
		id_call: outcome.callId,
		caller_id_num: outcome.caller ?? null,
		service: outcome.service ?? null,
		answered: outcome.answered ?? null,
		wait: outcome.wait ?? null,
		talk: outcome.talk ?? null,
		id_operator: agent ?? null,
		id_queue: queue ?? null,
		id_trunk: trunk ?? null,
		agents: [...outcome.agents],
		queues: [...outcome.queues],
		trunks: [...outcome.trunks],
		transfers: outcome.transfers,
		recorded: outcome.recorded ?? null,
		started: iso(outcome.startedAt),
		answered_at: iso(outcome.answeredAt),
		ended: iso(outcome.endedAt),
		partial: outcome.reason !== undefined,
		reason: outcome.reason ?? null,
		date: iso(at),
	};
	if (names) {
		item.agent = agent === undefined ? null : agentNamed(agent, names);
		item.trunk = trunk === undefined ? null : named(trunk, names.trunks);
	}
	if (queueNames) item.queue = queue === undefined ? null : named(queue, queueNames);
	return item;
}

function iso(at: number | undefined): string | null {
	if (at === undefined) return null;
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
