import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { builderHint, properties, subtitle } from './description';
import { testApiCredential, testSupervisorCredential } from '../shared/credentialTest';
import { searchAddresses, searchZipCodes } from './methods/listSearch';
import { runItems } from './operation';
import { resources } from './resources';

export class VoiceManagement implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Management',
		name: 'voiceManagement',
		icon: { light: 'file:voiceManagement.svg', dark: 'file:voiceManagement.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description:
			'Manage regulatory addresses, order phone numbers, and look up agents, groups and trunks',
		defaults: { name: 'Voice Management' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'voiceManagementApi',
				required: true,
				testedBy: 'testApiCredential',
				// With a list under `show`, the editor of n8n 2.41 draws none of the node's parameters.
				displayOptions: { hide: { operation: ['getInfo'] } },
			},
			{
				name: 'voiceManagementSupervisorApi',
				required: true,
				testedBy: 'testSupervisorCredential',
				displayOptions: { show: { operation: ['getInfo'] } },
			},
		],
		properties: properties(resources),
		// With one of these, anybody can read the feed for two hours.
		sensitiveOutputFields: ['id_session', 'url'],
		builderHint,
	};

	methods = {
		credentialTest: { testApiCredential, testSupervisorCredential },
		listSearch: { searchAddresses, searchZipCodes },
	};

	/** Runs the chosen operation for every item; the operations are in resources/. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runItems(this, resources);
	}
}
