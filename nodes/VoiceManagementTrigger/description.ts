// The trigger's parameters, in the order in which a user needs them (within collections n8n requires alphabetical
// order).

import type { INodeProperties } from 'n8n-workflow';
import { eventChoices, NOTIFICATION_TYPES, STATUSES } from './events/kinds';
import { CONDITION_KINDS } from './live/conditions';
import { CONDITION_TEXTS } from './liveSettings';

const filterOptions: INodeProperties[] = [
	{
		displayName: 'Agent Names or IDs',
		name: 'agentIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getAgents' },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		builderHint: {
			propertyHint:
				'Only events of these agents, by ID (a test run shows it as id_operator). Leave empty for all.',
		},
	},
	{
		displayName: 'Caller Number',
		name: 'callerNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +442079460123, +4477*',
		description:
			'Only calls from these numbers. Separate numbers with commas and write them in any form: +33612345678, 0033612345678 and 0612345678 are the same. * matches any digits: +4477* begins with, *555* contains.',
	},
	{
		displayName: 'Group Names or IDs',
		name: 'groupIds',
		type: 'multiOptions',
		// The full account feed does not contain the members of groups.
		displayOptions: { show: { '/feed': ['supervisor'] } },
		typeOptions: { loadOptionsMethod: 'getGroups' },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		builderHint: {
			propertyHint: 'Only events of the agents in these groups, by ID. Leave empty for all.',
		},
	},
	{
		displayName: 'Queue IDs',
		name: 'queueIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. 51, 52',
		description:
			'Only events of these queues. Separate identifiers with commas; a test run shows them as id_queue, and lists them if nothing matched. Names work too if you give them in the option Queue Names.',
	},
	{
		displayName: 'Service Number',
		name: 'serviceNumber',
		type: 'string',
		displayOptions: { show: { '/mode': ['events', 'callOutcomes'] } },
		default: '',
		placeholder: 'e.g. +442079460000',
		description:
			'Only calls to these numbers. Separate numbers with commas; * matches any digits. Only Incoming Call events include the called number; the operator sends these events on request only.',
	},
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		displayOptions: { show: { '/mode': ['events'] } },
		options: STATUSES.map((status) => ({ ...status })),
		default: [],
		description: 'Only events with one of these statuses of an agent or a call',
	},
	{
		displayName: 'Trunk Names or IDs',
		name: 'trunkIds',
		type: 'multiOptions',
		displayOptions: { show: { '/mode': ['events', 'callOutcomes'] } },
		typeOptions: { loadOptionsMethod: 'getTrunks' },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		builderHint: {
			propertyHint:
				'Only events of these trunks, by ID (a test run shows it as id_trunk). Leave empty for all.',
		},
	},
];

const machineIp: INodeProperties = {
	displayName: 'Machine IP Address',
	name: 'ip',
	type: 'string',
	default: '',
	placeholder: 'e.g. 203.0.113.10',
	description:
		'The IP address from which the operator sees this n8n instance. The token of the full account feed works from this address only. If the address is wrong, the operator refuses the login, and its message may name the right address.',
};

const furtherOptions: INodeProperties[] = [
	{
		displayName: 'Answer Within (Seconds)',
		name: 'answerWithinSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { '/mode': ['callOutcomes', 'snapshots'] } },
		default: 20,
		description: 'A call answered within this time counts for the service level',
	},
	{
		displayName: 'Batch Interval (Ms)',
		name: 'batchInterval',
		type: 'number',
		displayOptions: { show: { '/mode': ['events', 'callOutcomes', 'conditions'] } },
		typeOptions: { minValue: 0, maxValue: 600000 },
		default: 0,
		description:
			'How long an incomplete batch waits for more events, in milliseconds. With 0, an event starts an execution at once if fewer than Max Executions in Flight are running; otherwise events wait and form a batch. Has no effect while Batch Size is 1.',
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		displayOptions: { show: { '/mode': ['events', 'callOutcomes', 'conditions'] } },
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 1,
		description:
			'Maximum number of events per execution, one item each. On busy feeds, a batch size of 100 handles roughly 100 times as many events as a batch size of 1.',
	},
	{
		displayName: 'Buffer Limit',
		name: 'bufferLimit',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000000 },
		default: 50000,
		description:
			'How many events may wait for an execution. Beyond this number the oldest are dropped, counted and reported.',
	},
	{
		displayName: 'Caller History (Hours)',
		name: 'callerHistoryHours',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 168 },
		displayOptions: { show: { '/mode': ['callOutcomes'] } },
		default: 24,
		description:
			'Adds to each item how often the caller called within this many hours, and turns on the outcome Returned. 0 turns both off. The history begins when the trigger starts.',
	},
	{
		displayName: 'Emit Feed Status',
		name: 'emitFeedStatus',
		type: 'boolean',
		default: true,
		description:
			'Whether the workflow also runs on status changes of the feed itself: connected, disconnected, one of two connections lost, login refused, events missed or dropped, n8n not able to start executions or not running. These items have the type_notification "feed".',
	},
	{
		displayName: 'Emit Resolved',
		name: 'emitResolved',
		type: 'boolean',
		displayOptions: { show: { '/mode': ['conditions'] } },
		default: true,
		description:
			'Whether the workflow also runs when a condition is over (event "resolved"), or when the feed was interrupted and it is not known whether it is over (event "unknown")',
	},
	{
		displayName: 'Include Timeline',
		name: 'includeTimeline',
		type: 'boolean',
		displayOptions: { show: { '/mode': ['callOutcomes'] } },
		default: true,
		description: 'Whether to add everything that was seen of the call, step by step',
	},
	{
		displayName: 'Init Account Type',
		name: 'initAccountType',
		type: 'string',
		default: '',
		placeholder: 'e.g. api',
		description:
			'First argument of the init message that opens the feed. Leave empty for "supervisor" or "api", whichever the feed needs; set it only if your operator tells you to.',
	},
	{
		displayName: 'Init Arguments',
		name: 'initArguments',
		type: 'json',
		displayOptions: { show: { '/feed': ['account'] } },
		default: '',
		placeholder: 'e.g. ["api", "{clientId}", "{token}"]',
		description:
			'All arguments of the init message, as a JSON list, if your operator wants another form. {clientId} and {token} are replaced. Leave empty for the built-in form.',
	},
	{
		...machineIp,
		// Now a field of the node, since the panel depends on the feed; workflows that were saved with this option keep
		// it.
		type: 'hidden',
		displayOptions: { show: { '/feed': ['account'] } },
	},
	{
		displayName: 'Max Executions in Flight',
		name: 'maxInFlight',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 10,
		description:
			"How many executions of this trigger may run at once. Further events wait in order; 1 handles them strictly one after the other. On n8n's engine 2.0, this number of executions can start in a quarter of a second.",
	},
	{
		displayName: 'Protocol',
		name: 'protocol',
		type: 'options',
		options: [
			{ name: 'Auto', value: 'auto', description: "Ask the operator's server" },
			{ name: 'Socket.IO 2', value: '2', description: 'For servers that speak Socket.IO 1 or 2' },
			{ name: 'Socket.IO 4', value: '4', description: 'For servers that speak Socket.IO 3 or 4' },
		],
		default: 'auto',
		description: "Which version of Socket.IO the operator's feed uses",
	},
	{
		displayName: 'Queue Names',
		name: 'queueNames',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add queue',
		default: {},
		options: [
			{
				displayName: 'Queue',
				name: 'queue',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. Sales',
						description: 'What you call the queue',
					},
					{
						displayName: 'Queue ID',
						name: 'id_queue',
						type: 'string',
						default: '',
						placeholder: 'e.g. 51',
						description: 'Identifier of the queue: a test run shows it as id_queue',
					},
				],
			},
		],
		description:
			'Names of your queues, which the operator does not send. Each item then gets "queue" with ID and name, and the filter Queue IDs takes the names as well.',
	},
	{
		displayName: 'Redundant Connection',
		name: 'redundantConnection',
		type: 'boolean',
		default: false,
		description:
			'Whether to keep two connections at all times and emit each event once, so that nothing is missed when one breaks. The operator must allow two sessions; each counts as a login.',
	},
	{
		displayName: 'Repeat Every (Seconds)',
		name: 'repeatEvery',
		type: 'number',
		typeOptions: { minValue: 0 },
		displayOptions: { show: { '/mode': ['conditions'] } },
		default: 60,
		description: 'Runs the workflow again while a condition lasts (event "repeated"). 0 = once.',
	},
	{
		displayName: 'Resolve Names',
		name: 'resolveNames',
		type: 'boolean',
		// The full account feed contains no names.
		displayOptions: { show: { '/feed': ['supervisor'] } },
		default: true,
		description:
			'Whether to add the names of the agent (with groups), trunk and break to each item, from the supervisor login. On by default.',
	},
	{
		displayName: 'Short Abandon (Seconds)',
		name: 'shortAbandonSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		displayOptions: { show: { '/mode': ['callOutcomes', 'snapshots'] } },
		default: 5,
		description:
			'A caller who gives up sooner than this counts as a short abandon, which service levels leave out',
	},
	{
		displayName: 'Silence Timeout (Minutes)',
		name: 'silenceTimeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description:
			'Log in again after this many minutes without an event, in case the operator has dropped the subscription. 0 turns this off.',
	},
	{
		displayName: 'Socket Path',
		name: 'socketPath',
		type: 'string',
		default: '/socket.io/',
		placeholder: 'e.g. /socket.io/',
		description: 'Path of the Socket.IO server on the voice host',
	},
	{
		displayName: 'Transport',
		name: 'transport',
		type: 'options',
		options: [
			{
				name: 'Auto',
				value: 'auto',
				description: "Connect directly, or through n8n's proxy if that is not possible",
			},
			{
				name: 'Direct',
				value: 'direct',
				description: "The node's own connection, by WebSocket or long polling",
			},
			{
				name: 'N8n',
				value: 'n8n',
				description: "Long polling with n8n's proxy, certificates and rules for outgoing requests",
			},
		],
		default: 'auto',
		description: 'How the events reach n8n. The login always goes through n8n.',
	},
	{
		displayName: 'Window (Minutes)',
		name: 'windowMinutes',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1440 },
		displayOptions: { show: { '/mode': ['snapshots'] } },
		default: 60,
		description:
			'How far back calls are counted. 0 = since midnight, in the time zone of the workflow.',
	},
];

const shownFor = (when: readonly string[]) => ({ displayOptions: { show: { when: [...when] } } });

/** The kinds of conditions with a certain field, or with a threshold in a certain unit. */
const kindsWith = (
	has: (text: (typeof CONDITION_TEXTS)[keyof typeof CONDITION_TEXTS]) => boolean,
) => CONDITION_KINDS.filter((kind) => has(CONDITION_TEXTS[kind]));

const conditionFields: INodeProperties[] = [
	{
		displayName: 'When',
		name: 'when',
		type: 'options',
		noDataExpression: true,
		options: CONDITION_KINDS.map((value) => ({
			name: CONDITION_TEXTS[value].name,
			value,
			description: CONDITION_TEXTS[value].description,
		})),
		default: 'callerWaiting',
		description: 'What to watch',
	},
	{
		displayName: 'Threshold',
		name: 'threshold',
		type: 'number',
		default: 60,
		description:
			'Seconds for how long something lasts; a number of callers, agents or missed calls; percent for the service level. For several levels, add a row for each.',
	},
	{
		displayName: 'For (Seconds)',
		name: 'forSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		...shownFor(kindsWith(({ fields }) => fields.includes('forSeconds'))),
		default: 0,
		description: 'How long the condition has to last before the workflow runs',
	},
	{
		displayName: 'Window (Minutes)',
		name: 'windowMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1440 },
		...shownFor(kindsWith(({ fields }) => fields.includes('windowMinutes'))),
		default: 60,
		description: 'How far back calls are counted',
	},
	{
		displayName: 'Answer Within (Seconds)',
		name: 'answerWithinSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		...shownFor(kindsWith(({ fields }) => fields.includes('answerWithinSeconds'))),
		default: 20,
		description: 'A call answered within this time counts for the service level',
	},
	{
		displayName: 'Minimum Calls',
		name: 'minimumCalls',
		type: 'number',
		typeOptions: { minValue: 1 },
		...shownFor(kindsWith(({ fields }) => fields.includes('minimumCalls'))),
		default: 10,
		description: 'With fewer calls than this in the window, the service level is not watched',
	},
];

export const properties: INodeProperties[] = [
	{
		displayName: 'Feed',
		name: 'feed',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Supervisor Feed',
				value: 'supervisor',
				description: 'Agents, queues and trunks as a supervisor sees them',
			},
			{
				name: 'Full Account Feed',
				value: 'account',
				description: 'Every event of the account, starting when a call comes in',
			},
		],
		default: 'supervisor',
		description: 'Which events of the operator to listen to',
	},
	{
		displayName:
			'The full account feed needs an API account, with the Voice Management URL and the Client Account ID in its credential. This feed does not name agents and trunks: enter their IDs in the filters. If you have a supervisor login, choose the supervisor feed.',
		name: 'accountNotice',
		type: 'notice',
		displayOptions: { show: { feed: ['account'] } },
		default: '',
	},
	{
		...machineIp,
		required: true,
		displayOptions: {
			show: { feed: ['account'] },
			hide: { '/options.ip': [{ _cnd: { exists: true } }] },
		},
	},
	{
		displayName: 'Trigger On',
		name: 'mode',
		type: 'options',
		noDataExpression: true,
		options: [
			// In the order of n8n's node creator, which lists each as an entry of its own, under its action.
			{
				name: 'Call Outcomes',
				value: 'callOutcomes',
				action: 'On missed, answered or ended call',
				description: 'One item for how a call went: answered, missed and why, ended, returned',
			},
			{
				name: 'Conditions',
				value: 'conditions',
				action: 'When caller waits too long, no agent is available or too many calls are missed',
				description:
					'When something lasts too long or becomes too much: a caller waits, no agent is available, too many calls are missed',
			},
			{
				name: 'Snapshots',
				value: 'snapshots',
				action: 'On schedule: waiting callers, available agents, figures of queues',
				description: 'The state of queues and agents every few seconds, for wallboards and reports',
			},
			{
				name: 'Events',
				value: 'events',
				action: 'On event of agent, queue, trunk or call',
				description: 'Each event of the feed as it comes',
			},
		],
		default: 'events',
		description: 'What starts the workflow',
	},
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		displayOptions: { show: { mode: ['conditions'] } },
		placeholder: 'Add Condition',
		default: { condition: [{ when: 'callerWaiting', threshold: 60 }] },
		options: [{ displayName: 'Condition', name: 'condition', values: conditionFields }],
		description:
			'The workflow runs once when a condition begins, for each queue, caller or agent, and once when it is over',
	},
	{
		displayName: 'Snapshot Of',
		name: 'snapshotOf',
		type: 'multiOptions',
		displayOptions: { show: { mode: ['snapshots'] } },
		options: [
			{
				name: 'Agents',
				value: 'agents',
				description: 'One item for each agent: state, since when, calls taken',
			},
			{
				name: 'Queues',
				value: 'queues',
				description: 'One item for each queue: callers waiting, longest wait, service level',
			},
			{ name: 'Totals', value: 'totals', description: 'One item for all queues and agents' },
		],
		default: ['queues', 'agents', 'totals'],
		description: 'What to show. Leave empty for everything.',
	},
	{
		displayName: 'Every (Seconds)',
		name: 'every',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		displayOptions: { show: { mode: ['snapshots'] } },
		default: 30,
		description: 'How often to take a snapshot. The first comes when the feed has opened.',
	},
	{
		displayName: 'Only When Changed',
		name: 'onlyWhenChanged',
		type: 'boolean',
		displayOptions: { show: { mode: ['snapshots'] } },
		default: true,
		description:
			'Whether to leave out a snapshot in which nothing but the time has changed since the last one',
	},
	{
		displayName: 'Notification Types',
		name: 'notificationTypes',
		type: 'multiOptions',
		displayOptions: { show: { mode: ['events'] } },
		options: NOTIFICATION_TYPES.map(({ name, value, description }) => ({
			name: `${name} (${value})`,
			value,
			description,
		})),
		default: [],
		description: 'Only events of these types. Leave empty for all.',
	},
	{
		displayName: 'Event Names or IDs',
		name: 'events',
		type: 'multiOptions',
		displayOptions: { show: { mode: ['events'] } },
		typeOptions: {
			loadOptionsMethod: 'getEvents',
			loadOptionsDependsOn: ['notificationTypes'],
		},
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		builderHint: {
			propertyHint: `Only these events. Leave empty for all. Values: ${eventChoices([])
				.map(({ value }) => value)
				.join(', ')}`,
		},
		hint: 'Only these events of the chosen types. Leave empty for all.',
	},
	{
		displayName: 'Outcomes',
		name: 'outcomes',
		type: 'multiOptions',
		displayOptions: { show: { mode: ['callOutcomes'] } },
		options: [
			{
				name: 'Answered',
				value: 'answered',
				description:
					'Someone took the call; the item has who it was and how long the caller waited',
			},
			{
				name: 'Missed',
				value: 'missed',
				description: 'The call left its queue or trunk without being connected',
			},
			{
				name: 'Ended',
				value: 'ended',
				description: 'A call that had been answered is over: wait, talk, agents, transfers',
			},
			{
				name: 'Returned',
				value: 'returned',
				description:
					'Someone has since spoken to a caller who was missed. Needs the option Caller History (Hours).',
			},
		],
		default: [],
		description: 'Only these outcomes of calls',
		hint: 'Leave empty for all.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: filterOptions,
		description:
			'Events must match every filter you set. An event without the filtered field never matches.',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { mode: ['events'] } },
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'One flat object with all fields, identifiers as text and a readable date',
			},
			{
				name: 'Raw',
				value: 'raw',
				description: 'Exactly what the operator sent',
			},
		],
		default: 'simplified',
		description: 'What an item looks like',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: furtherOptions,
	},
];
