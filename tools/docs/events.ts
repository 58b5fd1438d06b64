// docs/events.md: the reference of everything that the trigger emits, written from the data in the code.

import { CALLS_DEFAULTS } from '../../nodes/VoiceManagementTrigger/live/callTracker';
import {
	EVENT_KINDS,
	NOTIFICATION_TYPES,
	type EventKind,
} from '../../nodes/VoiceManagementTrigger/events/kinds';
import { MOST_AGENTS } from '../../nodes/VoiceManagementTrigger/live/agents';
import { MOST_NUMBERS } from '../../nodes/VoiceManagementTrigger/live/callers';
import { MOST_QUEUES } from '../../nodes/VoiceManagementTrigger/live/liveState';
import { FIELD_MEANINGS } from './fields';
import { CONDITION_TEXTS } from '../../nodes/VoiceManagementTrigger/liveSettings';
import {
	conditionSamples,
	fullOutcomeSample,
	outcomeSamples,
	simplifiedSample,
	snapshotSamples,
	statusSamples,
	type Json,
} from './samples';

/** The whole page. */
export function eventsPage(): string {
	return [
		INTRODUCTION,
		...NOTIFICATION_TYPES.map(({ value, name, description }) =>
			[
				`## ${value}: ${name}`,
				`${description}.`,
				...EVENT_KINDS.filter(({ type }) => type === value).map(eventSection),
			].join('\n\n'),
		),
		`## Call outcomes\n\n${OUTCOMES}`,
		...outcomeSamples().map(itemSection),
		`### missed, with *Include Timeline*, *Caller History* and *Resolve Names*\n\n${code(fullOutcomeSample())}`,
		`## Conditions\n\n${CONDITIONS}`,
		...conditionSamples().map(itemSection),
		`## Snapshots\n\n${SNAPSHOTS}`,
		...snapshotSamples().map(itemSection),
		`## Feed status items\n\n${STATUS}`,
		...statusSamples().map(itemSection),
	]
		.join('\n\n')
		.concat('\n');
}

function eventSection(kind: EventKind): string {
	const rows = kind.fields.map((field) => `| \`${field}\` | ${FIELD_MEANINGS[field]} |`);
	return [
		`### ${kind.name} (\`${kind.event || 'not documented'}\`)`,
		`${kind.meaning}.`,
		rows.length === 0
			? 'All fields that the operator sends are passed on as they are.'
			: ['| field of `msg` | meaning |', '|---|---|', ...rows].join('\n'),
		'As received (`raw`):',
		code(kind.sample),
		'Simplified:',
		code(simplifiedSample(kind)),
	].join('\n\n');
}

function itemSection(item: Json): string {
	return [`### ${String(item.event)}`, code(item)].join('\n\n');
}

function code(value: Json): string {
	return ['```json', JSON.stringify(value, null, 2), '```'].join('\n');
}

const INTRODUCTION = `# Events

Everything that the **Voice Management Trigger** can emit: each event with its fields and a sample item.
This page is written from the code's own data by \`npm run docs\`.

The operator sends each event in an envelope. The output **Raw** is that envelope, unchanged; **Simplified** makes one flat object of it:

| simplified field | where it comes from |
|---|---|
| \`type_notification\`, \`event\` | the kind of event, also for \`num\` events in the top-level form |
| \`cpt\` | sequence number of the event, if the operator sends one |
| \`ts\` | Unix timestamp at which the event was sent |
| \`elapse\` | time elapsed since the event. Its unit is not documented |
| every field of \`msg\` | under the operator's own name, in the order received. \`id_…\` become text, since the operator sends them sometimes as numbers, sometimes as text; \`statut\` becomes \`status\`. A field whose name is already taken is called \`msg_<name>\` |
| \`date\` | \`ts\` as ISO 8601 |
| \`agent\`, \`trunk\`, \`pause\` | unless the option *Resolve Names* is switched off (supervisor feed): \`{ id, name }\`, an agent with \`groups\` (\`[{ id, name }]\`) as well. \`name\` is null for an identifier that the supervisor's login did not list. The names are those of the newest login, at most two hours old |

Filters use the same fields: agents \`id_operator\`, groups the agent's groups, queues \`id_queue\`, trunks
\`id_trunk\`, statuses \`status\`, caller and service number \`caller_id_num\` and \`service\` (by their digits, however
they are written; \`*\` stands for any digits). An event without the filtered field never matches.

With *Resolve Names*, an agent's break looks like this:

${code(simplifiedSample(EVENT_KINDS.find(({ event }) => event === 'pause') as EventKind, true))}`;

const seconds = (ms: number) => `${ms / 1000} ${ms === 1000 ? 'second' : 'seconds'}`;

const OUTCOMES = `With *Trigger On: Call Outcomes* the trigger follows each call from event to event, in queues and trunks, and emits its
outcome. A call gives either one \`missed\`, or one \`answered\` and later one \`ended\`: \`missed\` and \`ended\` together are one record for
each call. \`returned\` comes when someone who was missed is spoken to. These items have the
\`type_notification\` \`call\`, and every field is always present; it is null if it does not apply or was not seen.

| field | meaning |
|---|---|
| \`answered\` | whether someone took the call; null if that was not seen |
| \`wait\` | seconds from the first queue or trunk to the answer, or to the end of a missed call |
| \`talk\` | seconds from the first answer to the end, waiting after a transfer included |
| \`id_operator\` | the agent who took the call; \`agents\` lists everyone who had it, in order |
| \`id_queue\`, \`id_trunk\` | where it was answered, or where a missed call was last; \`queues\` and \`trunks\` list all those that it went through |
| \`transfers\` | how often an agent passed it on; overflow to another queue is no transfer |
| \`recorded\` | whether any event reported the call as recorded |
| \`service\` | the called number, on accounts that get \`num\` events |
| \`started\`, \`answered_at\`, \`ended\` | times by the operator's clock |
| \`missed_reason\` | why nobody took a missed call, see below; null for other outcomes |
| \`within_service_level\` | whether it was answered within *Answer Within (Seconds)*; null if its wait is not known |
| \`offered_to\` | every agent whose phone rang, in order: \`rang\` in seconds, null if the end of the ringing was not seen |
| \`queue_waits\` | how \`wait\` was divided among queues; they add up to it. \`id_queue\` is null for waiting outside of any queue |
| \`timeline\` | with *Include Timeline*: what was seen of the call, \`seconds\` from its first event |
| \`caller_history\` | with *Caller History (Hours)*: earlier calls of this number, counted from \`since\`; null for a caller without a number |
| \`missed_at\`, \`after\`, \`by\` | only in \`returned\`: when the caller was missed (the first time since anybody spoke to them), after how many seconds they were spoken to, and who called: \`agent\` or \`caller\` |
| \`partial\`, \`reason\` | true if the feed did not show the whole call, and why |

| \`missed_reason\` | meaning |
|---|---|
| \`short_abandoned\` | the caller gave up sooner than *Short Abandon (Seconds)* |
| \`no_available_agent\` | the operator raised \`alert_op\` for the call, or every agent of the login is known not to have been available while it waited |
| \`agents_did_not_answer\` | it rang at least one agent |
| \`abandoned_waiting\` | it rang nobody |
| null | the feed does not show it, for example for calls that were only routed |

When the outcome is known:

- \`answered\` comes at once. If the beginning of the call was not seen, it waits ${seconds(CALLS_DEFAULTS.reorderMs)} for events that arrive out of order.
- A call is answered when a \`connect_call\` has the status \`connected\` or none. With \`ringing\`, \`calling\`, \`available\` or \`unavailable\` it only rings.
- A trunk that takes a call and puts the caller into a queue has not answered it. So the answer of a trunk alone comes ${seconds(CALLS_DEFAULTS.graceMs)} later, or with the end of the call if that trunk was seen to feed queues.
- A \`delete_call\` that names no queue or trunk ends the call where it is.
- \`missed\` and \`ended\` come ${seconds(CALLS_DEFAULTS.graceMs)} after the call has left its last queue and trunk: a call that turns up in another queue within that time goes on.

Nothing is guessed. If something was not seen, the item has \`partial: true\` and a reason:

| \`reason\` | meaning |
|---|---|
| \`start-not-seen\` | the call was under way when the feed opened; waiting time unknown |
| \`status-not-known\` | a \`connect_call\` had a status that the operator's document does not list, and nothing else shows whether someone took the call |
| \`feed-gap\` | the feed was interrupted during the call. If no answer was seen, it is emitted as \`ended\` with \`answered: null\`, not as \`missed\` |
| \`end-not-seen\` | no event of the call came for ${CALLS_DEFAULTS.maxAgeMs / 3_600_000} hours |
| \`too-many-calls\` | more than ${CALLS_DEFAULTS.maxCalls.toLocaleString('en')} calls at once, or ${CALLS_DEFAULTS.maxBytes / 2 ** 20} MB of their events: the call without an event for the longest time was given up |
| \`too-many-events\` | the call has more events than are kept of one call |

Filters look at the whole call: an agent, queue or trunk matches if the call had it at any time. \`missed\` is therefore also
found under the queue that the caller entered first.`;

const CONDITIONS = `With *Trigger On: Conditions* the workflow runs when something lasts too long or becomes too much, at that moment and not with
the next event: once for each row (level) and subject, and once when it is over. Rows with the same settings are one.

| \`when\` | in the panel | threshold | meaning |
|---|---|---|---|
${Object.entries(CONDITION_TEXTS)
	.map(
		([when, { name, threshold, description }]) =>
			`| \`${when}\` | ${name} | ${threshold} | ${description} |`,
	)
	.join('\n')}

| field | meaning |
|---|---|
| \`event\` | \`started\`; \`repeated\` with *Repeat Every (Seconds)*; then either \`resolved\` or \`unknown\` with *Emit Resolved* |
| \`value\` | what is compared with \`threshold\`: seconds, a number, or percent |
| \`since\`, \`seconds\` | when the condition began to be true, and for how many seconds it has been |
| \`id_queue\`, \`id_call\`, \`caller_id_num\`, \`agent\`, \`pause\` | what the condition is about; fields that do not apply are left out. For a queue, the call is the one that tipped it |
| \`reason\` | why it is over |

| \`reason\` | meaning |
|---|---|
| \`answered\`, \`abandoned\`, \`left\` | what became of the caller who waited or the phone that rang; \`left\`: the call went on elsewhere. \`abandoned\` is known ${seconds(CALLS_DEFAULTS.graceMs)} later, since the caller may turn up in another queue |
| \`ended\` | the call, the ringing or the idle time is over |
| \`back\`, \`logged_out\` | the agent is back from the break, or has logged out |
| \`below\`, \`above\` | the number is below the threshold again, or above |
| \`feed-gap\` | the feed was interrupted, so it is not known whether the condition still lasts (event \`unknown\`). It starts again when an event shows that it does |

A condition starts only on what is known. Agents without an event since the feed opened could be available, so
\`agentsAvailableBelow\` starts only when there would be too few even with them. Choose its agents or groups in the filters. On the full
account feed, which lists no agents, enter their IDs. A service level leaves out callers who give up within 5 seconds.`;

const SNAPSHOTS = `With *Trigger On: Snapshots* the workflow gets the state of queues and agents, one execution for each snapshot with one item for
each queue and agent and one for the totals. The first comes when the feed has opened.

| field | meaning |
|---|---|
| \`waiting\`, \`longest_wait\`, \`longest_since\` | callers who wait now, how long the first of them has waited in seconds, and since when |
| \`talking\` | calls of the queue in which an agent talks now |
| \`offered\` | \`answered\` + \`abandoned\` + \`waiting\` (+ \`unknown\`), always |
| \`answered\`, \`abandoned\` | waits that ended this way within the window; \`short_abandoned\`: those abandoned within *Short Abandon (Seconds)* |
| \`unknown\` | waits whose end was not seen because the feed was interrupted; left out if there are none |
| \`service_level\` | percent of the calls answered or abandoned (without short ones) that were answered within *Answer Within (Seconds)*; null without calls |
| \`average_wait\`, \`average_talk\` | seconds, over calls that ended in the window |
| \`since\`, \`complete\` | the beginning of the counts, and whether the feed has been without interruption since then |
| \`state\` of an agent | \`available\`, \`ringing\`, \`talking\`, \`calling\`, \`transferring\`, \`on_break\`, \`logged_out\`; null: not known (yet) |
| \`answered\`, \`not_answered\` of an agent | calls taken, and phones that rang and were not picked up, within the window |

A call that overflows counts in the queue where it waits or was last. A call that an agent transfers to another queue is
offered there again. A caller who has left a queue is counted as abandoned when it is certain that the call is over
(${seconds(CALLS_DEFAULTS.graceMs)}). After an interruption, agents are unknown and callers are not counted as waiting until an event shows their state.
At most ${MOST_AGENTS.toLocaleString('en')} agents, ${MOST_QUEUES.toLocaleString('en')} queues, ${CALLS_DEFAULTS.maxCalls.toLocaleString('en')} calls and ${MOST_NUMBERS.toLocaleString('en')} numbers are kept; removing one beyond that is logged.`;

const STATUS = `With the option *Emit Feed Status* the workflow also runs when the feed connects, is interrupted or misses events, so that it
can alert a person. Without the option the same is written to n8n's log, and a refused login runs the error workflow once per outage.
Times are in ISO 8601, durations in seconds. \`missed\` is a number if the operator's sequence numbers were seen to count by one,
otherwise null.

\`held\` means that n8n can't start executions, for example because its database is away: events are kept, in order, and
\`resumed\` comes as soon as n8n has started one again, ahead of the events that came meanwhile. \`entries\` is how many waited.

In queue mode a \`gap\` also reports an execution whose result n8n does not report: a worker died with it or could not read it, or
n8n could not read its end. \`missed\` is then the number of its events. Some of its nodes may have run; n8n's list of executions shows that.

A \`gap\` with the reason \`n8n was not running\` comes with the first event after a restart of n8n. It begins at the last position that
n8n had saved, which is a few seconds old: \`missed\` can include events of those seconds that did arrive, but is never lower than
the number of missed ones. Deactivating and activating a workflow is no gap and hides none: a gap that was not reported before comes
with the first event afterwards. The position is kept in the node's static data, which n8n saves as a whole: with
this option on, don't let Code nodes of the same workflow keep values in \`$getWorkflowStaticData\`, since n8n overwrites
them. Use a data table instead.`;
