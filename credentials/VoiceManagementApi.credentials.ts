// The login of the number management interface, or of the API account of the full account feed: one credential type,
// since both use HTTP Basic (provider.md#operations, provider.md#account-token) on the same host. The credential builds the header, so no node sees the password.

import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { ACCOUNT_FIELDS } from '../nodes/shared/clientAccount';
import { connectionFields } from '../nodes/shared/connectionFields';

/**
 * The `Authorization` value of HTTP Basic. Login and password are encoded as UTF-8, regardless of what the HTTP
 * client does with non-ASCII characters.
 */
export function basicAuthorization(credentials: ICredentialDataDecryptedObject): string {
	const { login, password } = credentials as Record<string, string | number | null | undefined>;
	// A blank is easily copied along with a login; a password may contain one.
	const pair = `${`${login ?? ''}`.trim()}:${password ?? ''}`;
	return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

export class VoiceManagementApi implements ICredentialType {
	name = 'voiceManagementApi';

	displayName = 'Voice Management API';

	icon: Icon = {
		light: 'file:icons/voiceManagementApi.svg',
		dark: 'file:icons/voiceManagementApi.dark.svg',
	};

	/** Other nodes could send any request with it, and the checkout is a GET. Read by n8n 2.41 and newer. */
	restrictToSupportedNodes = true as const;

	documentationUrl = 'https://github.com/example/n8n-nodes-voice-management#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'The API host of your provider. It serves number management (/vbapi/v1/…) and the tokens of the full account feed (/vm/token).',
		},
		{
			displayName: 'Login',
			name: 'login',
			type: 'string',
			default: '',
			required: true,
			description:
				'The provider may issue one login for number management and another (the API account) for the full account feed. Create one credential for each.',
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
			displayName: 'Voice Management URL',
			name: 'voiceUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://voice.example.com',
			description:
				'The voice management host. Leave empty to manage addresses and numbers: only the full account feed and the test page need it. The test of this credential does not contact it.',
		},
		{
			displayName: ACCOUNT_FIELDS.idClient,
			name: 'idClient',
			type: 'string',
			default: '',
			placeholder: 'e.g. 4242',
			description:
				'The identifier of your client account (id_client). Leave empty to manage addresses and numbers. Neither the test of this credential nor publishing can check it: with a wrong one, the provider ends each connection or sends nothing.',
		},
		{
			displayName: ACCOUNT_FIELDS.ip,
			name: 'ip',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.10',
			description:
				'The IP address from which the provider sees this n8n instance: its tokens work from this address only. Leave empty to manage addresses and numbers. The test of the credential does not check it: if it is wrong, the provider refuses the token, and its message may name the right one.',
		},
		...connectionFields,
	];

	/** Adds the `Authorization` header to a request of a node. */
	authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return Promise.resolve({
			...requestOptions,
			headers: { ...requestOptions.headers, Authorization: basicAuthorization(credentials) },
		});
	}
}
