// Converts a condition that begins or ends to the JSON of an item. Fields that do not apply are left out.

import type { ConditionChange } from './conditions';
import { isoOf } from '../events/isoDate';
import { agentNamed, named, type Names, type Plain } from '../events/simplify';
import { emptyDirectory } from '../../shared/directory';
import type { Directory } from '../feed/types';
import { secondsBetween } from './seconds';

const NOBODY = emptyDirectory();

/**
 * @param names session information for `agent` and `pause`; without it their names are null
 * @param queueNames names for `queue`; without them it is not added
 */
export function conditionItem(
	{ event, condition, value, since, at, subject, reason }: ConditionChange,
	names: Directory = NOBODY,
	queueNames?: Names,
): Plain {
	const { queue, call, caller, agent, pause } = subject;
	return {
		type_notification: 'condition',
		event,
		when: condition.when,
		threshold: condition.threshold,
		value,
		since: isoOf(since),
		seconds: secondsBetween(since, at),
		...(queue === undefined ? {} : { id_queue: queue }),
		...(queue === undefined || !queueNames ? {} : { queue: named(queue, queueNames) }),
		...(call === undefined ? {} : { id_call: call }),
		...(caller === undefined ? {} : { caller_id_num: caller }),
		...(agent === undefined ? {} : { agent: agentNamed(agent, names) }),
		...(pause === undefined ? {} : { pause: pauseNamed(pause, names) }),
		...(reason === undefined ? {} : { reason }),
		date: isoOf(at),
	};
}

/** A break by its identifier or its name: it is not documented which of the two the operator sends. */
export function pauseNamed(pause: string, { pauses }: Directory): Plain {
	const byName = [...pauses.values()].find(({ name }) => name === pause);
	return !pauses.has(pause) && byName ? { ...byName } : named(pause, pauses);
}
