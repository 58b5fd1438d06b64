// The trigger node: starts a workflow on live events of the voice notification feed.

import {
	getGlobalState,
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { triggerHint } from './panel/builderHint';
import { systemClock } from './feed/clock';
import { testApiCredential, testSupervisorCredential } from '../shared/credentialTest';
import { httpOf } from './life/context';
import { getAgents, getEvents, getGroups, getTrunks } from './panel/lists';
import { CREDENTIAL_OF_FEED, feedOptions } from './life/account';
import type { Prepare } from './life/openFeed';
import { startProduction } from './life/activeWorkflow';
import { triggerProperties, triggerSubtitle } from './panel/properties';
import { hints } from './panel/hints';
import { readSettings, type TriggerSettings } from './panel/settings';
import { startTestRun } from './life/testRun';

export class VoiceManagementTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Management Trigger',
		name: 'voiceManagementTrigger',
		icon: {
			light: 'file:voiceManagementTrigger.svg',
			dark: 'file:voiceManagementTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle,
		// n8n's assistant reads this as what the node does; the node creator shows it for the entry of both nodes.
		description:
			'Starts workflows on calls, queues and agents: missed calls, alerts, wallboards, single events',
		defaults: { name: 'Voice Management Trigger' },
		eventTriggerDescription: 'Waiting for a matching event of the voice feed',
		activationMessage:
			'Your workflow now listens to the voice feed and reconnects by itself. To be notified of interruptions, turn on the option "Emit Feed Status", or choose an error workflow in the settings, then unpublish and publish the workflow.',
		triggerPanel: {
			header: 'Listen to the voice feed',
			executionsHelp: {
				inactive:
					'<b>While building your workflow</b>, click the button to connect to the feed. The first event that passes your filters is shown here and ends the test; if none comes for two minutes, the error lists what arrived instead.<br /><br /><b>When it works</b>, publish the workflow (in older n8n: activate it): it then runs for every matching event, and <a data-key="executions">the executions list</a> shows each run.',
				active:
					'<b>While building your workflow</b>, click the button to connect to the feed. The first event that passes your filters is shown here and ends the test; if none comes for two minutes, the error lists what arrived instead.<br /><br /><b>This workflow is published</b>: it runs for every matching event, test or not. <a data-key="executions">The executions list</a> shows each run.',
			},
			activationHint:
				'Once you have seen an event here, publish the workflow (in older n8n: activate it) to listen all the time.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'voiceManagementSupervisorApi',
				required: true,
				testedBy: 'testSupervisorCredential',
				displayOptions: { show: { feed: ['supervisor'] } },
			},
			{
				name: 'voiceManagementApi',
				required: true,
				testedBy: 'testApiCredential',
				displayOptions: { show: { feed: ['account'] } },
			},
		],
		hints,
		properties: triggerProperties,
		builderHint: triggerHint,
	};

	methods = {
		// n8n tests a credential through whichever node it finds first, so both nodes have the same tests.
		credentialTest: { testApiCredential, testSupervisorCredential },
		loadOptions: { getAgents, getEvents, getGroups, getTrunks },
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		let settings: TriggerSettings | undefined;
		const prepare: Prepare = async () => {
			// Once: n8n 2.41 evaluates no expression when `trigger` has returned.
			settings ??= readSettings(
				(name, fallback) => this.getNodeParameter(name, fallback),
				() => timeZoneOf(this),
			);
			const credential = await this.getCredentials(CREDENTIAL_OF_FEED[settings.feed]);
			return { settings, feed: feedOptions(settings.feed, credential, httpOf(this)) };
		};
		return this.getMode() === 'manual'
			? await startTestRun(this, prepare, systemClock)
			: await startProduction(this, prepare, systemClock);
	}
}

/** The workflow's time zone; `DEFAULT`, as imported workflows can say, is that of the n8n instance. */
function timeZoneOf(context: ITriggerFunctions): string {
	const timeZone = context.getTimezone();
	return timeZone === 'DEFAULT' ? getGlobalState().defaultTimezone : timeZone;
}
