import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { actionHint, actionProperties, subtitle } from './description';
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
		// Written out, since n8n's lint reads from the source that an operation never has two credentials. Without the slash,
		// n8n's editor takes the operation for the choice of a login and does not show it.
		credentials: [
			{
				name: 'voiceManagementApi',
				required: true,
				testedBy: 'testApiCredential',
				displayOptions: {
					show: {
						'/operation': [
							'addProduct',
							'checkout',
							'create',
							'createToken',
							'delete',
							'get',
							'getAll',
							'getTestPageUrl',
							'link',
							'requestVerification',
							'unlink',
							'uploadProof',
							'validate',
						],
					},
				},
			},
			{
				name: 'voiceManagementSupervisorApi',
				required: true,
				testedBy: 'testSupervisorCredential',
				displayOptions: { show: { '/operation': ['getInfo'] } },
			},
		],
		properties: actionProperties(resources),
		// With one of these, anybody can read the feed for two hours.
		sensitiveOutputFields: ['id_session', 'url'],
		builderHint: actionHint,
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
