// The supervisor login of the voice notification feed: it travels in a header named `X-JSON` ("Supervisor
// authentication" of the feed document). The credential builds the header, so no node sees the password.

import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

/**
 * The value of the `X-JSON` header for a supervisor login.
 * @returns JSON in pure ASCII: a header can't carry other letters, and `\uXXXX` means the same to every JSON parser
 */
export function supervisorHeader(credentials: ICredentialDataDecryptedObject): string {
	const key = credentials.accountTypeKey;
	const header: Record<string, string> = {
		login: String(credentials.login ?? ''),
		password: String(credentials.password ?? ''),
	};
	// The document lists `count_type` and shows `account_type` in its example.
	if (key !== 'count_type') header.account_type = 'supervisor';
	if (key === 'count_type' || key === 'both') header.count_type = 'supervisor';
	return JSON.stringify({ requete: 'init', header, msg: {} }).replace(
		/[\u007f-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

export class VoiceManagementSupervisorApi implements ICredentialType {
	name = 'voiceManagementSupervisorApi';

	displayName = 'Voice Management Supervisor API';

	icon: Icon = {
		light: 'file:icons/voiceManagementSupervisorApi.svg',
		dark: 'file:icons/voiceManagementSupervisorApi.dark.svg',
	};

	documentationUrl = 'https://github.com/example/n8n-nodes-voice-management#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Voice Management URL',
			name: 'voiceUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://voice.example.com',
			description:
				'The voice management host of your operator. It serves the login (/ws/) and the event feed (/socket.io/).',
		},
		{
			displayName: 'Login',
			name: 'login',
			type: 'string',
			default: '',
			required: true,
			description: 'The login of a supervisor account',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
		},
		{
			displayName: 'Account Type Key',
			name: 'accountTypeKey',
			type: 'options',
			default: 'account_type',
			options: [
				{ name: 'Account_type', value: 'account_type' },
				{ name: 'Both', value: 'both' },
				{ name: 'Count_type', value: 'count_type' },
			],
			description:
				'The spelling under which the login names the account type. Change it only when the operator refuses a login that you know to be right.',
		},
	];

	/** Adds the `X-JSON` header to a request of a node. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, 'X-JSON': supervisorHeader(credentials) },
		};
	}
}
