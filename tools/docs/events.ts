// docs/events.md: the reference of everything that the trigger emits, written from the code's own data.

import { CALLS_DEFAULTS } from '../../nodes/VoiceManagementTrigger/live/calls';
import {
	EVENT_KINDS,
	NOTIFICATION_TYPES,
	type EventKind,
} from '../../nodes/VoiceManagementTrigger/events/kinds';
import { FIELD_MEANINGS } from './fields';
import { outcomeSamples, simplifiedSample, statusSamples, type Json } from './samples';

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
			? 'Whatever fields the operator sends come out as they are.'
			: ['| field of `msg` | meaning |', '|---|---|', ...rows].join('\n'),
		'As received (`raw`):',
		code(kind.sample as Json),
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

Everything that the **Voice Management Trigger** can hand to a workflow: each event with its fields and a sample item.
This page is written from the code's own data by \`npm run docs\`.

The operator sends each event in an envelope. Output **Raw** gives it unchanged; **Simplified** makes one flat object of it:

| simplified field | where it comes from |
|---|---|
| \`type_notification\`, \`event\` | the kind of event; the top-level form of \`num\` events gives the same |
| \`cpt\` | sequence number of the event, where the operator sends one |
| \`ts\` | Unix timestamp at which the event was sent |
| \`elapse\` | time elapsed since the event. Its unit is not documented |
| every field of \`msg\` | under the operator's own name, in the order received. \`id_…\` become text, since the operator sends them as numbers and as text; \`statut\` becomes \`status\`. A field whose name is taken comes out as \`msg_<name>\` |
| \`date\` | \`ts\` as ISO 8601 |
| \`agent\`, \`trunk\`, \`pause\` | unless the option *Resolve Names* is switched off (supervisor feed): \`{ id, name }\`, an agent with \`groups\` (\`[{ id, name }]\`) as well. \`name\` is null for an identifier that the supervisor's login did not list. The names are those of the newest login, at most two hours old |

Filters decide on the same fields: agents on \`id_operator\`, groups on the agent's groups, queues on \`id_queue\`, trunks on
\`id_trunk\`, statuses on \`status\`, caller and service number on \`caller_id_num\` and \`service\` (by their digits, however
they are written; \`*\` stands for any digits). What an event lacks does not match a filter on it.

With *Resolve Names*, an agent's break looks like this:

${code(simplifiedSample(EVENT_KINDS.find(({ event }) => event === 'pause') as EventKind, true))}`;

const seconds = (ms: number) => `${ms / 1000} seconds`;

const OUTCOMES = `With *Trigger On: Call Outcomes* the trigger follows each call from event to event, in queues and trunks, and says how it
went. A call gives either one \`missed\`, or one \`answered\` and later one \`ended\`. These items have the
\`type_notification\` \`call\`, and every field is always there; null stands for what does not apply or was not seen.

| field | meaning |
|---|---|
| \`answered\` | whether someone took the call; null where that was not seen |
| \`wait\` | seconds from the first queue or trunk to the answer, or to the end of a missed call |
| \`talk\` | seconds from the first answer to the end, waiting after a transfer included |
| \`id_operator\` | the agent who took the call; \`agents\` lists everyone who had it, in order |
| \`id_queue\`, \`id_trunk\` | where it was answered, or where a missed call was last; \`queues\` and \`trunks\` list all that it went through |
| \`transfers\` | how often an agent passed it on; overflow to another queue is no transfer |
| \`recorded\` | whether any event said that it is recorded |
| \`service\` | the called number, on accounts that get \`num\` events |
| \`started\`, \`answered_at\`, \`ended\` | moments by the operator's clock |
| \`partial\`, \`reason\` | true where the feed did not show the whole call, and why |

When the outcome is known:

- \`answered\` comes at once. Where the beginning of the call was not seen, it waits ${seconds(CALLS_DEFAULTS.reorderMs)} for an event that was overtaken.
- A call is answered when a \`connect_call\` has the status \`connected\` or none. With \`ringing\`, \`calling\`, \`available\` or \`unavailable\` it only rings.
- A trunk that takes a call and puts the caller into a queue has not answered it. So the answer of a trunk alone comes ${seconds(CALLS_DEFAULTS.graceMs)} later, or with the end of the call if that trunk was seen to feed queues.
- A \`delete_call\` that names no queue or trunk ends the call where it is.
- \`missed\` and \`ended\` come ${seconds(CALLS_DEFAULTS.graceMs)} after the call has left its last queue and trunk: a call that turns up in another queue within that time goes on.

What is never guessed (\`partial: true\`):

| \`reason\` | meaning |
|---|---|
| \`start-not-seen\` | the call was under way when the feed opened; waiting time unknown |
| \`status-not-known\` | a \`connect_call\` had a status that the operator's document does not list, and nothing else tells whether someone took the call |
| \`feed-gap\` | the feed was interrupted during the call. If no answer was seen it is told as \`ended\` with \`answered: null\`, not as \`missed\` |
| \`end-not-seen\` | nothing was heard of the call for ${CALLS_DEFAULTS.maxAgeMs / 3_600_000} hours |
| \`too-many-calls\` | more than ${CALLS_DEFAULTS.maxCalls.toLocaleString('en')} calls at once: the one that was silent longest was given up |
| \`too-many-events\` | more events of one call than its history holds |

Filters look at the whole call: an agent, queue or trunk matches where the call had it at any time. \`missed\` is therefore also
found under the queue that the caller entered first.`;

const STATUS = `With the option *Emit Feed Status* the workflow also runs when the feed connects, is interrupted or misses events, so that it
can alert a person. Without the option the same goes to n8n's log, and a refused login runs the error workflow once per outage.
Times are ISO 8601, durations seconds. \`missed\` is a count if the operator's sequence numbers were seen to count by one, else
null.

\`held\` means that n8n can't start executions, for example because its database is away: events are kept, in order, and
\`resumed\` comes as soon as n8n has started one again, ahead of the events that came meanwhile. \`entries\` is how many waited.

In queue mode a \`gap\` also tells of an execution of which n8n reports nothing: a worker died with it or could not read it, or n8n
could not read its end. \`missed\` is then how many events it had. Some of its nodes may have run; n8n's list of executions shows it.

A \`gap\` with the reason \`n8n was not running\` comes with the first event after a restart of n8n. It begins at the last position that
n8n had saved, which is a few seconds old: \`missed\` can include events of those seconds that did arrive, never fewer than
were missed. Deactivating and activating a workflow is no gap. The position is kept in the node's static data, which n8n saves whole: with
this option on, don't let Code nodes of the same workflow keep values in \`$getWorkflowStaticData\`, since n8n overwrites
them. Use a data table instead.`;
