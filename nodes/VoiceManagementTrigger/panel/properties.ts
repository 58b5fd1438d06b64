// The trigger's parameters, in the order in which a user needs them (within collections n8n requires alphabetical
// order).

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { eventChoices, NOTIFICATION_TYPES, STATUSES } from '../events/kinds';
import { alerts } from './alertFields';
import { serviceLevelSeconds, shortAbandonSeconds } from './figureOptions';
import { PERIODS } from '../callCentre/calendar';
import { DEFAULT_PERIOD, LONGEST_SECONDS } from './callCentreSettings';
import { MODES_OF_FILTER } from './filters';

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
				'Only events of these agents, by ID (a test run shows it as id_operator or agent.id). Leave empty for all.',
		},
	},
	{
		displayName: 'Caller Number',
		name: 'callerNumber',
		type: 'string',
		displayOptions: { show: { '/mode': MODES_OF_FILTER.callerNumber } },
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
		displayOptions: { show: { '/mode': MODES_OF_FILTER.serviceNumber } },
		default: '',
		placeholder: 'e.g. +442079460000',
		description:
			'Only calls to these numbers. Separate numbers with commas; * matches any digits. Only Incoming Call events include the called number; the provider sends these events on request only.',
	},
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		displayOptions: { show: { '/mode': MODES_OF_FILTER.statuses } },
		options: STATUSES.map((status) => ({ ...status })),
		default: [],
		description: 'Only events with one of these statuses of an agent or a call',
	},
	{
		displayName: 'Trunk Names or IDs',
		name: 'trunkIds',
		type: 'multiOptions',
		displayOptions: { show: { '/mode': MODES_OF_FILTER.trunkIds } },
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

const furtherOptions: INodeProperties[] = [
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		displayOptions: { show: { '/mode': ['events', 'callOutcomes', 'alerts'] } },
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 1,
		description:
			'Maximum number of events per execution, one item each. An event starts an execution at once while fewer than Max Concurrent Executions are running; otherwise events wait and form a batch.',
	},
	{
		displayName: 'Emit Feed Status',
		name: 'emitFeedStatus',
		type: 'boolean',
		default: false,
		description:
			'Whether to also run when the connection drops, returns or may have missed events. These items have the type_notification "feed". Do not use it in a workflow whose nodes keep values in static data ($getWorkflowStaticData): n8n can undo their changes.',
	},
	{
		displayName: 'Emit Resolved',
		name: 'emitResolved',
		type: 'boolean',
		displayOptions: { show: { '/mode': ['alerts'] } },
		default: false,
		description:
			'Whether the workflow also runs when an alert is over (event "resolved"), or when the feed was interrupted and it is not known whether it is over (event "unknown")',
	},
	{
		displayName: 'Max Concurrent Executions',
		name: 'maxInFlight',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 10,
		description:
			"How many executions of this trigger may run at once. Further events wait in order; 1 handles them strictly one after the other, and waits up to an hour for one that pauses (an approval, a Wait node). With more, and in queue mode, one that pauses counts as ended. On n8n's engine 2.0, up to this many start every 0.25 s.",
	},
	{
		displayName: 'Queue Names',
		name: 'queueNames',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Queue',
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
			'Names of your queues, which the provider does not send. Each item about a queue then gets "queue" with ID and name, except with Output: Raw, and the filter Queue IDs takes the names as well.',
	},
	{
		displayName: 'Repeat Every (Seconds)',
		name: 'repeatEvery',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: LONGEST_SECONDS },
		displayOptions: { show: { '/mode': ['alerts'] } },
		default: 0,
		description: 'Runs the workflow again while an alert lasts (event "repeated"). 0 = once.',
		hint: '0 = once',
	},
	{
		displayName: 'Retry Failed',
		name: 'retryFailed',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10 },
		default: 0,
		description:
			'How often the events of a failed execution are retried: after 30 seconds, then at doubling intervals, up to 10 minutes. After that, the log of n8n says so, or with Emit Feed Status an item "undelivered". Nodes that had run before the failure run again.',
	},
	serviceLevelSeconds,
	shortAbandonSeconds,
	{
		displayName: 'Status Every (Minutes)',
		name: 'statusEvery',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1440 },
		displayOptions: { show: { emitFeedStatus: [true] } },
		default: 0,
		description:
			'Also runs this often while nothing changes, with the item "alive": whether the feed is connected, and until when everything is here. Each is an execution. 0 = never.',
		hint: '0 = never',
	},
];

/** Each way to take snapshots has its own default. */
function period(snapshotWhen: keyof typeof DEFAULT_PERIOD, description: string): INodeProperties {
	const value = DEFAULT_PERIOD[snapshotWhen];
	return {
		displayName: 'Period',
		name: 'period',
		type: 'options',
		displayOptions: { show: { mode: ['snapshots'], snapshotWhen: [snapshotWhen] } },
		options: PERIODS.map((one) => ({
			name: one === 'day' ? 'Day' : `${one} Minutes`,
			value: one,
		})),
		default: value,
		description,
	};
}

export const triggerProperties: INodeProperties[] = [
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
		description: 'Which events of the provider to listen to',
	},
	{
		displayName:
			'The full account feed needs an API account, with Voice Management URL, Client Account ID and Machine IP Address in its credential. This feed does not name agents and trunks: enter their IDs in the filters. If you have a supervisor login, choose a credential of that type.',
		name: 'accountNotice',
		type: 'notice',
		displayOptions: { show: { feed: ['account'] } },
		default: '',
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
				description:
					'One execution for each outcome that you choose: answered, missed and why, ended',
			},
			{
				name: 'Alerts',
				value: 'alerts',
				action: 'When a caller waits too long or nobody is free',
				description:
					'One execution for each alert: a caller waits too long, no agent is free, the service level is too low',
			},
			{
				name: 'Snapshots',
				value: 'snapshots',
				action: 'On a schedule: queue and agent figures',
				description:
					'One execution for each snapshot, by default every 30 seconds (2,880 a day): for wallboards and reports',
			},
			{
				name: 'Events',
				value: 'events',
				action: 'On event of agent, queue, trunk or call',
				description:
					'One execution for each event of the feed: on a busy account, tens of thousands a day',
			},
		],
		default: 'events',
		description: 'What starts the workflow',
	},
	alerts,
	{
		displayName: 'Snapshot Of',
		name: 'snapshotOf',
		type: 'multiOptions',
		displayOptions: { show: { mode: ['snapshots'] } },
		options: [
			{
				name: 'Agents',
				value: 'agents',
				description: 'One item for each agent: state, since when, calls taken, times, occupancy',
			},
			{
				name: 'Queues',
				value: 'queues',
				description:
					'One item for each queue: callers waiting, calls offered, answered and abandoned, service level, handle time',
			},
			{ name: 'Totals', value: 'totals', description: 'One item for all queues and agents' },
		],
		default: ['queues'],
		description: 'What to show. Leave empty for everything.',
	},
	{
		displayName: 'Snapshot When',
		name: 'snapshotWhen',
		// With an expression, n8n would show both periods and take the last one's default.
		noDataExpression: true,
		type: 'options',
		displayOptions: { show: { mode: ['snapshots'] } },
		options: [
			{
				name: 'Every Few Seconds',
				value: 'every',
				description: 'The state now, with the figures of the period up to now: for wallboards',
			},
			{
				name: 'At the End of Each Period',
				value: 'interval',
				description: 'The final figures of each period on the clock: for reports',
			},
		],
		default: 'every',
		description: 'When the workflow runs',
	},
	period(
		'every',
		"What the figures are of: they begin anew with each period, by the clock of the workflow's time zone. After a change of the time zone, unpublish the workflow, then publish it.",
	),
	period(
		'interval',
		"The workflow runs once for each: of 15 minutes, for example, at 12:00, 12:15 and so on by the clock of the workflow's time zone, 15 seconds later, when the figures are final. After a change of the time zone, unpublish the workflow, then publish it.",
	),
	{
		displayName: 'Every (Seconds)',
		name: 'every',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		displayOptions: { show: { mode: ['snapshots'], snapshotWhen: ['every'] } },
		default: 30,
		description: 'How often to take a snapshot. The first comes as soon as there is a row.',
	},
	{
		displayName: 'Only When Changed',
		name: 'onlyWhenChanged',
		type: 'boolean',
		displayOptions: { show: { mode: ['snapshots'], snapshotWhen: ['every'] } },
		default: true,
		description: 'Whether to skip snapshots that differ only in their times',
	},
	{
		displayName: 'Event Types',
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
				description: 'The call is over, and nobody took it',
			},
			{
				name: 'Ended',
				value: 'ended',
				description:
					'A call is over that was answered, or of which nobody knows: wait, talks, agents',
			},
		],
		default: ['missed'],
		description: 'Only these outcomes of calls',
		hint: 'Leave empty for all.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
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
				description: 'Exactly what the provider sent',
			},
		],
		default: 'simplified',
		description: 'What an item looks like',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: furtherOptions,
	},
];

const MODE_CHOICES = triggerProperties.find(({ name }) => name === 'mode')
	?.options as INodePropertyOptions[];

const chosen = (parameter: string) => `[$parameter["${parameter}"] || []].flat().join(", ")`;

/** The line below the node on the canvas, an expression: the mode, or the chosen events. */
export const triggerSubtitle = `={{ (${JSON.stringify(
	Object.fromEntries(
		MODE_CHOICES.filter(({ value }) => value !== 'events').map(({ name, value }) => [value, name]),
	),
)})[$parameter["mode"]] || ${chosen('events')} || ${chosen('notificationTypes')} || "All Events" }}`;
