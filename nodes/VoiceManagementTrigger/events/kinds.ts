// Every documented event and name as data, for the envelope, the panel and docs/items.md (provider.md#event-kinds,
// provider.md#message-fields). To add a kind of event, add an entry here.

/** One kind of event. */
export interface EventKind {
	/** `type_notification` */
	type: string;
	/** The wire name; '' if none is documented. */
	event: string;
	/** A name for users. */
	name: string;
	meaning: string;
	/** The fields of `msg` that are documented. */
	fields: readonly string[];
}

/** The `type_notification` values, in the order in which the panel shows them. */
export const NOTIFICATION_TYPES = [
	{
		value: 'operator',
		name: 'Agent Status',
		description: 'An agent rings, talks, transfers or becomes available',
	},
	{
		value: 'UI',
		name: 'Agent Interface',
		description: 'An agent logs in or out, takes a break or gets a call pushed to the screen',
	},
	{
		value: 'PUSHCALL',
		name: 'Outgoing Call Request',
		description: 'An agent is asked to place a call',
	},
	{
		value: 'queue',
		name: 'Queue',
		description:
			'A call enters, is answered in or leaves a queue of agents, or a queue raises an alert',
	},
	{
		value: 'trunk',
		name: 'Trunk',
		description: 'A call enters, is connected in or leaves a routing queue',
	},
	{
		value: 'num',
		name: 'Incoming Call',
		description: 'A call to one of your numbers starts, is answered or ends (sent on request only)',
	},
	{
		value: 'input',
		name: 'Caller Input',
		description: 'What a caller said was recognized (sent on request only)',
	},
] as const;

/** `status` values of agents and calls (provider.md#statuses). */
export const STATUSES = [
	{ value: 'available', name: 'Available', description: 'The agent is available' },
	{ value: 'calling', name: 'Calling', description: 'A call is being made' },
	{ value: 'connected', name: 'Connected', description: 'A call is in progress' },
	{ value: 'ringing', name: 'Ringing', description: "The agent's phone rings" },
	{ value: 'transfert_end', name: 'Transfer Ended', description: 'The transfer of a call ended' },
	{
		value: 'transfert_start',
		name: 'Transfer Started',
		description: 'A call is being transferred',
	},
	{ value: 'unavailable', name: 'Unavailable', description: 'The status is unknown' },
] as const;

const AGENT_FIELDS = ['supp', 'id_operator', 'id_client'] as const;
const PUSH_FIELDS = [
	...AGENT_FIELDS,
	'retry_timeout',
	'auto_timeout',
	'vars',
	'ring_timeout',
	'expire',
	'unassign_timeout',
	'retries',
	'priority',
	'e164',
	'type',
] as const;
const ALERT_FIELDS = [
	'duration_in_queue',
	'id_call',
	'id_operator',
	'id_queue',
	'validity',
] as const;
const NUM_FIELDS = ['id_call', 'id_num', 'id_client', 'service', 'caller_id_num'] as const;

function kind(
	type: string,
	event: string,
	name: string,
	meaning: string,
	fields: readonly string[],
): EventKind {
	return { type, event, name, meaning, fields };
}

export const EVENT_KINDS: readonly EventKind[] = [
	kind('operator', 'status', 'Agent Status Changed', 'Change of communication status of an agent', [
		'status',
		'rec',
		'call_duration',
		'caller_id_num',
		'step',
		'id_queue',
		'id_call',
		'id_operator',
		'id_client',
		'catchup',
		'stype',
	]),
	kind('UI', 'login', 'Agent Logged In', 'Agent logs in', AGENT_FIELDS),
	kind('UI', 'logout', 'Agent Logged Out', 'Agent logs out', AGENT_FIELDS),
	kind('UI', 'pause', 'Agent Break Started', 'Agent enters a break', AGENT_FIELDS),
	kind('UI', 'unpause', 'Agent Break Ended', 'Agent leaves a break', AGENT_FIELDS),
	kind('UI', 'push', 'Call Pushed to Agent', 'Push to the agent interface', PUSH_FIELDS),
	kind(
		'UI',
		'push_cancel',
		'Push to Agent Canceled',
		'A push to the agent interface is canceled',
		AGENT_FIELDS,
	),
	kind(
		'PUSHCALL',
		'',
		'Outgoing Call Requested',
		'A request was made for an agent to place an outgoing call. Its event names and fields are not documented',
		[],
	),
	kind('queue', 'insert_call', 'Call Entered Queue', 'Incoming call enters the queue', [
		'call_duration',
		'caller_id_num',
		'priority',
		'id_queue',
		'id_call',
		'vip_rate',
		'duration_in_queue',
		'id_client',
	]),
	kind('queue', 'connect_call', 'Call Answered in Queue', 'Call connected to an agent', [
		'status',
		'call_duration',
		'caller_id_num',
		'step',
		'id_queue',
		'id_call',
		'id_operator',
		'id_client',
	]),
	kind('queue', 'delete_call', 'Call Left Queue', 'Call ended and left the queue', [
		'id_call',
		'id_queue',
		'id_client',
	]),
	kind(
		'queue',
		'alert_op',
		'Alert: Too Few Agents',
		'Not enough agents for the callers who wait',
		ALERT_FIELDS,
	),
	kind(
		'queue',
		'alert_file',
		'Alert: Waiting Too Long',
		'Alert: call waiting threshold exceeded',
		ALERT_FIELDS,
	),
	kind('trunk', 'insert_call', 'Call Entered Trunk', 'A call enters the trunk, a routing queue', [
		'call_duration',
		'id_trunk',
		'caller_id_num',
		'id_call',
		'duration_in_queue',
	]),
	kind('trunk', 'connect_call', 'Call Connected in Trunk', 'Call connected', [
		'status',
		'call_duration',
		'id_trunk',
		'caller_id_num',
		'id_call',
	]),
	kind('trunk', 'delete_call', 'Call Left Trunk', 'A call ends and leaves the trunk', [
		'id_call',
		'id_trunk',
	]),
	kind('num', 'start', 'Incoming Call Started', 'Incoming call starts', NUM_FIELDS),
	kind(
		'num',
		'answer',
		'Incoming Call Off-Hook',
		'The call is picked up, for instance to play a sound',
		NUM_FIELDS,
	),
	kind('num', 'end', 'Incoming Call Ended', 'Incoming call ends', NUM_FIELDS),
	kind('input', 'asr', 'Speech Recognized', 'Voice recognition result', [
		'id_call',
		'score',
		'id',
		'id_client',
		'input',
	]),
];

/** A choice in the panel: one wire name, which several types may share. */
export interface EventChoice {
	name: string;
	value: string;
	description: string;
}

/** The events to choose from for these types (none: all types), one for each wire name, sorted by name. */
export function eventChoices(types: readonly string[]): EventChoice[] {
	const byName = new Map<string, EventKind[]>();
	for (const entry of EVENT_KINDS) {
		if (entry.event === '' || (types.length > 0 && !types.includes(entry.type))) continue;
		byName.set(entry.event, [...(byName.get(entry.event) ?? []), entry]);
	}
	return [...byName]
		.map(([value, kinds]) => ({
			name: `${kinds.map(({ name }) => name).join(' / ')} (${value})`,
			value,
			description: kinds.map(({ type, meaning }) => `${type}: ${meaning}`).join('. '),
		}))
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
