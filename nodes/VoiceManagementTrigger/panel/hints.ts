// Hints that the panel shows next to the output before the trigger runs: what it costs, and about filters that can
// never match. Conditions are expressions, which n8n evaluates while the user edits the parameters.

import type { NodeHint } from 'n8n-workflow';
import { helpUrl, type HelpSection } from '../../shared/help';
import { EVENT_KINDS } from '../events/kinds';

/** Filters on a field of the event: their labels in the panel, and the fields that contain the value. */
const FIELD_FILTERS = [
	{ filter: 'agentIds', label: 'Agent Names or IDs', what: 'an agent', fields: ['id_operator'] },
	{ filter: 'groupIds', label: 'Group Names or IDs', what: 'an agent', fields: ['id_operator'] },
	{ filter: 'queueIds', label: 'Queue IDs', what: 'a queue', fields: ['id_queue'] },
	{ filter: 'trunkIds', label: 'Trunk Names or IDs', what: 'a trunk', fields: ['id_trunk'] },
	{
		filter: 'statuses',
		label: 'Statuses',
		what: 'a status',
		fields: ['status'],
	},
	{
		filter: 'callerNumber',
		label: 'Caller Number',
		what: "a caller's number",
		fields: ['caller_id_num'],
	},
] as const;

/** Kinds of events whose fields are documented by the provider; about others nothing is known. */
const DOCUMENTED = EVENT_KINDS.filter(({ fields }) => fields.length > 0);

const CHOSEN_TYPES = '$parameter["notificationTypes"] || []';
const CHOSEN_EVENTS = '$parameter["events"] || []';

/** Whether a comma-separated text, a list or a single value is not empty. */
const isSet = (filter: string) => `String(($parameter["filters"] || {}).${filter} ?? "") !== ""`;

/** Whether one of these pairs of type and event is among the chosen ones. */
const someChosen = (pairs: ReadonlyArray<readonly [string, string]>) =>
	`${JSON.stringify(pairs)}.some((pair) => (!(${CHOSEN_TYPES}).length || (${CHOSEN_TYPES}).includes(pair[0])) && (!(${CHOSEN_EVENTS}).length || (${CHOSEN_EVENTS}).includes(pair[1])))`;

const pairsOf = (kinds: ReadonlyArray<{ type: string; event: string }>) =>
	kinds.map(({ type, event }) => [type, event] as const);

/** All chosen events are documented: about other events nothing is known. */
const ONLY_DOCUMENTED = `(${CHOSEN_TYPES}).every((type) => ${JSON.stringify([...new Set(DOCUMENTED.map(({ type }) => type))])}.includes(type)) && (${CHOSEN_EVENTS}).every((event) => ${JSON.stringify([...new Set(DOCUMENTED.map(({ event }) => event))])}.includes(event))`;

const ON_EVENTS = '$parameter["mode"] === "events"';
const ON_OUTCOMES = '$parameter["mode"] === "callOutcomes"';
const CHOSEN_OUTCOMES = '$parameter["outcomes"] || []';

function hint(
	type: 'info' | 'warning',
	message: string,
	help: HelpSection,
	...conditions: string[]
): NodeHint {
	return {
		message: `${message} <a href="${helpUrl(help)}" target="_blank">More info</a>`,
		type,
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${conditions.map((condition) => `(${condition})`).join(' && ')} }}`,
	};
}

/** Filters that no chosen event can pass. */
const neverMatching = FIELD_FILTERS.map(({ filter, label, what, fields }) =>
	hint(
		'warning',
		`None of the selected events has ${what}, so the filter ${label} never matches. Choose other types or events, or remove the filter.`,
		'nothing-arrives',
		ON_EVENTS,
		isSet(filter),
		ONLY_DOCUMENTED,
		`!${someChosen(pairsOf(DOCUMENTED.filter((kind) => fields.some((field) => kind.fields.includes(field)))))}`,
	),
);

export const hints: NodeHint[] = [
	hint(
		'info',
		"Each event starts an execution: one event a second makes 86,400 executions a day, and n8n's plans count them. Before you publish, choose Event Types or Event Names or IDs, or set Filters. For one execution per call, choose Call Outcomes under Trigger On.",
		'events-are-dropped',
		ON_EVENTS,
		`!(${CHOSEN_TYPES}).length`,
		`!(${CHOSEN_EVENTS}).length`,
		'!Object.values($parameter["filters"] || {}).some((value) => String(value ?? "") !== "")',
		'!(Number(($parameter["options"] || {}).batchSize) > 1)',
	),
	hint(
		'info',
		'The trigger follows a call until it has left its last queue or trunk, so Missed and Ended come a few seconds later. Calls that were under way when the trigger began to listen may be left out: test with a new call.',
		'nothing-arrives',
		ON_OUTCOMES,
	),
	hint(
		'info',
		'A test run shows the first alert that starts within two minutes. To see one soon, use a low threshold, for example a caller who waits 5 seconds, and make a call. The trigger knows an agent or a call only from its first event on.',
		'nothing-arrives',
		'$parameter["mode"] === "alerts"',
	),
	hint(
		'info',
		'A test run shows the first snapshot that is not empty, or, with At the End of Each Period, the current period up to now. A queue appears with its first call, or at once if you name it in Queue IDs or Queue Names; agents are unknown (state: null) until their first event. While the workflow is published, a test run shows what the running trigger knows.',
		'nothing-arrives',
		'$parameter["mode"] === "snapshots"',
	),
	hint(
		'warning',
		'None of the chosen events belongs to one of the chosen event types: nothing matches. Remove one of the two choices.',
		'nothing-arrives',
		ON_EVENTS,
		ONLY_DOCUMENTED,
		`!${someChosen(pairsOf(DOCUMENTED))}`,
	),
	...neverMatching,
	hint(
		'warning',
		'A missed call has no agent: the agent and group filters let no missed call through. Remove these filters, or choose other outcomes.',
		'nothing-arrives',
		ON_OUTCOMES,
		`!(${CHOSEN_OUTCOMES}).length || (${CHOSEN_OUTCOMES}).includes("missed")`,
		`(${isSet('agentIds')}) || (${isSet('groupIds')})`,
	),
	hint(
		'info',
		'An agent who has not been heard of since the trigger began to listen may be available. While such agents could make the difference, Too Few Agents Available waits. Choose the team in Group Names or IDs of the alert, or on the full account feed by its IDs in the filter Agent Names or IDs.',
		'nothing-arrives',
		'$parameter["mode"] === "alerts"',
		'(($parameter["alerts"] || {}).alert || []).some((row) => row.when === "agentsAvailableBelow" && !(row.groupIds || []).length)',
		`!(${isSet('agentIds')})`,
		`!(${isSet('groupIds')})`,
	),
	hint(
		'info',
		'Only Incoming Call events include the called number, and the provider sends these events on request only. Without them, the filter Service Number lets nothing through.',
		'nothing-arrives',
		'$parameter["mode"] !== "snapshots"',
		isSet('serviceNumber'),
	),
];
