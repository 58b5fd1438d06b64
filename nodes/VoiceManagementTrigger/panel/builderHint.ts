// Hints on the trigger for n8n's workflow builder and its models, in addition to the parameters. n8n 1.123 ignores
// them.

import type { IBuilderHint } from 'n8n-workflow';
import { SAMPLE_ITEMS } from './builderSamples';

/** Fields of the samples that are there only with an option. */
const OF_OPTIONS: Readonly<Record<string, string>> = {
	callOutcomes: 'Field "queue": only with the option queueNames.',
	alerts: 'Field "queue": only with the option queueNames.',
	snapshots:
		'Field "queue": only with the option queueNames. Fields "to" and "time_zone": only with snapshotWhen "interval".',
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
		content: [`Output items of this mode:\n${items}`, OF_OPTIONS[mode] ?? []].flat().join('\n'),
	})),
};
