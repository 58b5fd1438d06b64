// Converts the outcome of a call to the JSON of an item. Every outcome has every field, so that a workflow's expressions
// always work; null means that something was not seen or does not apply. What people map comes first, since n8n's table
// shows the first fields; identifiers and what few need come last.

import { agentNamed, named } from '../events/simplify';
import { wholeSeconds, type MissedReason, type Outcome } from './changes';
import type { FigureSettings } from './figures';
import type { OutcomeItem } from './items';
import type { Naming } from './naming';
import { outcomeSummary } from './summaries';

/** The item of an outcome, with the provider's field names if they exist. */
export function outcomeItem(
	outcome: Outcome,
	naming: Naming,
	settings: FigureSettings,
): OutcomeItem {
	const { call, queue, answered, reason } = outcome;
	const [agent] = call.agents;
	const trunk = queue === undefined ? call.trunks.at(-1) : undefined;
	const directory = naming.directory();
	const why = missedReason(outcome, settings);
	return {
		event: outcome.kind,
		summary: outcomeSummary(outcome, why, naming),
		caller_id_num: call.caller ?? null,
		...naming.queueField(queue ?? null),
		...(directory && { agent: agent === undefined ? null : agentNamed(agent, directory) }),
		wait: seconds(outcome.wait),
		missed_reason: why ?? null,
		talk: talkOf(outcome),
		wrap_up: outcome.wrapUp ?? null,
		started_at: naming.iso(outcome.startedAt),
		answered_at: naming.iso(outcome.answeredAt),
		ended_at: naming.iso(outcome.endedAt),
		date: naming.iso(outcome.knownAt),
		within_service_level: isInTime(outcome, settings),
		offered_to: outcome.rings.map((ring) => ({ agent: ring.agent, rang: seconds(ring.rang) })),
		queue_waits: outcome.stays.map((stay) => ({ id_queue: stay.queue, wait: seconds(stay.wait) })),
		talks: outcome.talks.map((talk) => ({ agent: talk.agent ?? null, talk: seconds(talk.talk) })),
		service: call.service ?? null,
		...(directory && { trunk: trunk === undefined ? null : named(trunk, directory.trunks) }),
		agents: [...call.agents],
		queues: [...call.queues],
		trunks: [...call.trunks],
		recorded: outcome.recorded ?? null,
		answered: answered ?? null,
		id_operator: agent ?? null,
		id_queue: queue ?? null,
		id_trunk: trunk ?? null,
		id_call: call.id,
		partial: reason !== undefined,
		reason: reason ?? null,
		...(outcome.gaveUp && { gave_up: true }),
		...(outcome.after && { [`after_${outcome.after}`]: true }),
		type_notification: 'call',
	};
}

/** Why nobody took a missed call, the first that fits; undefined for other outcomes, and if the feed does not show it. */
export function missedReason(
	{ kind, isWaitCut, wait, rings, nobodyAvailable, agentsHeard }: Outcome,
	{ shortAbandonSeconds }: FigureSettings,
): MissedReason | undefined {
	if (kind !== 'missed' || isWaitCut) return undefined;
	if (wait !== undefined && wait < shortAbandonSeconds * 1000) return 'short_abandoned';
	if (rings.some(({ isNotAnswered }) => isNotAnswered)) return 'agents_did_not_answer';
	if (rings.length > 0) return 'abandoned_while_ringing';
	if (nobodyAvailable) return 'no_available_agent';
	return agentsHeard ? 'abandoned_before_ringing' : undefined;
}

function isInTime({ answered, wait }: Outcome, { serviceLevelSeconds }: FigureSettings) {
	if (answered === false) return false;
	return answered === true && wait !== undefined ? wait <= serviceLevelSeconds * 1000 : null;
}

/** The sum of the talks; null while one goes on, and if one is not known. */
function talkOf({ talks, answered }: Outcome): number | null {
	if (answered === undefined) return null;
	let sum = 0;
	for (const { talk } of talks) {
		if (talk === undefined) return null;
		sum += wholeSeconds(talk);
	}
	return sum;
}

function seconds(ms: number | undefined): number | null {
	return ms === undefined ? null : wholeSeconds(ms);
}
