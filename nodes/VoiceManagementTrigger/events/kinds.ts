// Every documented event and name as data, for the envelope, the panel, the samples and docs/items.md
// (provider.md#event-kinds, provider.md#message-fields). To add a kind of event, add an entry here.

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
	/** An example of a received object, invented in the documented form. */
	sample: Record<string, unknown>;
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

const caller = '+442079460123';

type Listed = Omit<EventKind, 'sample'> & { msg: Record<string, unknown> };

function kind(
	type: string,
	event: string,
	name: string,
	meaning: string,
	fields: readonly string[],
	msg: Record<string, unknown>,
): Listed {
	return { type, event, name, meaning, fields, msg };
}

/** The object as received: `num` events carry type and event beside `msg`, all others in the envelope. */
function sampleOf(
	{ type, event }: Omit<Listed, 'msg'>,
	msg: Listed['msg'],
	index: number,
): Record<string, unknown> {
	if (type === 'num') return { type_notification: type, srv: 3, event, msg };
	const cpt = 1040 + index;
	return { cpt, elapse: 0, ts: 1767261600 + index, event: { msg, type_notification: type, event } };
}

const LISTED: readonly Listed[] = [
	kind(
		'operator',
		'status',
		'Agent Status Changed',
		'Change of communication status of an agent',
		[
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
		],
		{
			status: 'connected',
			rec: 1,
			call_duration: 0,
			caller_id_num: caller,
			step: 3,
			id_queue: 51,
			id_call: 880412,
			id_operator: 101,
			id_client: 4242,
			catchup: null,
			stype: 0,
		},
	),
	kind('UI', 'login', 'Agent Logged In', 'Agent logs in', AGENT_FIELDS, {
		supp: null,
		id_operator: 101,
		id_client: 4242,
	}),
	kind('UI', 'logout', 'Agent Logged Out', 'Agent logs out', AGENT_FIELDS, {
		supp: null,
		id_operator: 101,
		id_client: 4242,
	}),
	kind('UI', 'pause', 'Agent Break Started', 'Agent enters a break', AGENT_FIELDS, {
		supp: 2,
		id_operator: 101,
		id_client: 4242,
	}),
	kind('UI', 'unpause', 'Agent Break Ended', 'Agent leaves a break', AGENT_FIELDS, {
		supp: 2,
		id_operator: 101,
		id_client: 4242,
	}),
	kind('UI', 'push', 'Call Pushed to Agent', 'Push to the agent interface', PUSH_FIELDS, {
		supp: null,
		id_operator: 101,
		id_client: 4242,
		retry_timeout: 60,
		auto_timeout: 10,
		vars: { campaign: 'renewals' },
		ring_timeout: 25,
		expire: 3600,
		unassign_timeout: 120,
		retries: 2,
		priority: 50,
		e164: '+442079460199',
		type: 'AUTO',
	}),
	kind(
		'UI',
		'push_cancel',
		'Push to Agent Canceled',
		'A push to the agent interface is canceled',
		AGENT_FIELDS,
		{ supp: null, id_operator: 101, id_client: 4242 },
	),
	kind(
		'PUSHCALL',
		'',
		'Outgoing Call Requested',
		'A request was made for an agent to place an outgoing call. Its event names and fields are not documented',
		[],
		{ id_operator: 101, id_client: 4242 },
	),
	kind(
		'queue',
		'insert_call',
		'Call Entered Queue',
		'Incoming call enters the queue',
		[
			'call_duration',
			'caller_id_num',
			'priority',
			'id_queue',
			'id_call',
			'vip_rate',
			'duration_in_queue',
			'id_client',
		],
		{
			call_duration: 8,
			caller_id_num: caller,
			priority: 50,
			id_queue: 51,
			id_call: 880412,
			vip_rate: 0,
			duration_in_queue: 0,
			id_client: 4242,
		},
	),
	kind(
		'queue',
		'connect_call',
		'Call Answered in Queue',
		'Call connected to an agent',
		[
			'status',
			'call_duration',
			'caller_id_num',
			'step',
			'id_queue',
			'id_call',
			'id_operator',
			'id_client',
		],
		{
			status: 'connected',
			call_duration: 27,
			caller_id_num: caller,
			step: 3,
			id_queue: 51,
			id_call: 880412,
			id_operator: 101,
			id_client: 4242,
		},
	),
	kind(
		'queue',
		'delete_call',
		'Call Left Queue',
		'Call ended and left the queue',
		['id_call', 'id_queue', 'id_client'],
		{ id_call: 880412, id_queue: 51, id_client: 4242 },
	),
	kind(
		'queue',
		'alert_op',
		'Alert: Too Few Agents',
		'Not enough agents for the callers who wait',
		ALERT_FIELDS,
		{
			duration_in_queue: 40,
			id_call: 880412,
			id_operator: 101,
			id_queue: 51,
			validity: 60,
		},
	),
	kind(
		'queue',
		'alert_file',
		'Alert: Waiting Too Long',
		'Alert: call waiting threshold exceeded',
		ALERT_FIELDS,
		{ duration_in_queue: 95, id_call: 880412, id_operator: 101, id_queue: 51, validity: 60 },
	),
	kind(
		'trunk',
		'insert_call',
		'Call Entered Trunk',
		'A call enters the trunk, a routing queue',
		['call_duration', 'id_trunk', 'caller_id_num', 'id_call', 'duration_in_queue'],
		{
			call_duration: 2,
			id_trunk: 9,
			caller_id_num: caller,
			id_call: '-880413',
			duration_in_queue: 0,
		},
	),
	kind(
		'trunk',
		'connect_call',
		'Call Connected in Trunk',
		'Call connected',
		['status', 'call_duration', 'id_trunk', 'caller_id_num', 'id_call'],
		{
			status: 'connected',
			call_duration: 11,
			id_trunk: 9,
			caller_id_num: caller,
			id_call: '-880413',
		},
	),
	kind(
		'trunk',
		'delete_call',
		'Call Left Trunk',
		'A call ends and leaves the trunk',
		['id_call', 'id_trunk'],
		{
			id_call: '-880413',
			id_trunk: 9,
		},
	),
	kind('num', 'start', 'Incoming Call Started', 'Incoming call starts', NUM_FIELDS, {
		id_call: '880414',
		id_num: 700,
		id_client: '4242',
		service: '+442079460000',
		caller_id_num: caller,
	}),
	kind(
		'num',
		'answer',
		'Incoming Call Off-Hook',
		'The call is picked up, for instance to play a sound',
		NUM_FIELDS,
		{
			id_call: '880414',
			id_num: 700,
			id_client: '4242',
			service: '+442079460000',
			caller_id_num: caller,
		},
	),
	kind('num', 'end', 'Incoming Call Ended', 'Incoming call ends', NUM_FIELDS, {
		id_call: '880414',
		id_num: 700,
		id_client: '4242',
		service: '+442079460000',
		caller_id_num: caller,
	}),
	kind(
		'input',
		'asr',
		'Speech Recognized',
		'Voice recognition result',
		['id_call', 'score', 'id', 'id_client', 'input'],
		{ id_call: 880414, score: 87, id: 'menu', id_client: 4242, input: 'opening hours' },
	),
];

export const EVENT_KINDS: readonly EventKind[] = LISTED.map((listed, index) => {
	const { msg, ...entry } = listed;
	return { ...entry, sample: sampleOf(entry, msg, index) };
});

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
