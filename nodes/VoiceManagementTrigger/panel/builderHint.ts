// Hints on the trigger for n8n's workflow builder and its models, in addition to the parameters. n8n 1.123 ignores
// them.

import type { IBuilderHint } from 'n8n-workflow';
import { SAMPLE_ITEMS } from './builderSamples';

/** Of all modes: fields that are there only with an option, and what a name needs. */
const OF_ALL = [
	'Field "queue": only with the option queueNames. Names of agents, groups, trunks and breaks: only on the supervisor feed.',
	'With the option emitFeedStatus also items with type_notification "feed" (event connected, disconnected, connection_lost, gap, refused, overflow, held, resumed, undelivered; alive with statusEvery too): branch on type_notification.',
	'agentIds, groupIds and trunkIds take IDs, no names. queueIds takes a name only if queueNames has it.',
];

/** Of each mode: which filters narrow it, and further fields that need an option. */
const OF_MODE: Readonly<Record<string, string>> = {
	events:
		'Filters: all. An event without the filtered field never matches, for example agentIds with trunk events.',
	callOutcomes:
		'Filters: all but statuses. A missed call has no agent: with outcomes ["missed"] alone, agentIds and groupIds are refused.',
	alerts:
		'Filters: queueIds for alerts about callers, calls and queues; agentIds and groupIds for alerts about agents and callLasting; callerNumber and serviceNumber for callerWaiting and callLasting. trunkIds and statuses are ignored. A filter that one of the rows can\'t use is refused: fill in queueIds or groupIds of the row instead. Events "resolved" and "unknown": only with emitResolved; "repeated": only with repeatEvery.',
	snapshots:
		'Filters: queueIds for queues and totals; agentIds and groupIds for agents and totals. callerNumber, serviceNumber, trunkIds and statuses are ignored. Fields "to" and "time_zone": only with snapshotWhen "interval".',
};

export const triggerHint: IBuilderHint = {
	searchHint:
		'Starts a workflow on what happens in a call center: mode "callOutcomes" for missed, answered and ended calls, "alerts" for callers who wait too long, agents on break and service levels, "snapshots" for wallboards, who is available and the figures of each quarter of an hour, "events" for everything else. One trigger per mode; no polling is needed.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-voice-management.voiceManagement',
			relationHint: 'Manages addresses and orders numbers of the same provider',
		},
		{ nodeType: 'n8n-nodes-base.twilio', relationHint: 'Sends a text message for a missed call' },
		{
			nodeType: 'n8n-nodes-base.slack',
			relationHint: 'Alerts a team when a caller waits too long',
		},
	],
	extraTypeDefContent: Object.entries(SAMPLE_ITEMS).map(([mode, items]) => ({
		displayOptions: { show: { mode: [mode] } },
		content: [`Output items of this mode:\n${items}`, OF_MODE[mode] ?? '', ...OF_ALL].join('\n'),
	})),
};
