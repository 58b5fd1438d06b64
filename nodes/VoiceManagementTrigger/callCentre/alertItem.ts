// Converts an alert that starts, lasts or ends to the JSON of an item. Fields that do not apply are left out, those
// that are not known are null; what people map comes first.

import { groupOf, type AlertChange } from './alerts';
import { wholeSeconds } from './changes';
import type { AlertItem } from './items';
import type { Naming } from './naming';
import { alertSummary } from './summaries';

export function alertItem(change: AlertChange, naming: Naming): AlertItem {
	const { event, row, value, since, at, subject, reason } = change;
	const { queue, call, caller, agent, pause } = subject;
	const group = groupOf(row);
	return {
		event,
		summary: alertSummary(change, naming),
		...('caller' in subject && { caller_id_num: caller ?? null }),
		...('queue' in subject && naming.queueField(queue ?? null)),
		...('agent' in subject && { agent: agent === undefined ? null : naming.agent(agent) }),
		...(group !== undefined && { group: naming.group(group) }),
		...('pause' in subject && { pause: pause ? naming.pause(pause) : null }),
		...(reason === undefined ? {} : { reason }),
		value,
		threshold: row.threshold,
		since: naming.iso(since),
		seconds: wholeSeconds(at - since),
		date: naming.iso(at),
		when: row.when,
		...('queue' in subject && { id_queue: queue ?? null }),
		...('call' in subject && { id_call: call ?? null }),
		type_notification: 'alert',
	};
}
