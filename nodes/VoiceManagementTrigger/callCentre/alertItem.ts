// Converts an alert that starts, lasts or ends to the JSON of an item. Fields that do not apply are left out; what people
// map comes first.

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
		...(caller === undefined ? {} : { caller_id_num: caller }),
		...(queue === undefined ? {} : naming.queueField(queue)),
		...(agent === undefined ? {} : { agent: naming.agent(agent) }),
		...(group === undefined ? {} : { group: naming.group(group) }),
		...(pause === undefined || pause === '' ? {} : { pause: naming.pause(pause) }),
		...(reason === undefined ? {} : { reason }),
		value,
		threshold: row.threshold,
		since: naming.iso(since),
		seconds: wholeSeconds(at - since),
		date: naming.iso(at),
		when: row.when,
		...(queue === undefined ? {} : { id_queue: queue }),
		...(call === undefined ? {} : { id_call: call }),
		type_notification: 'alert',
	};
}
