// The supervisor login of the voice notification feed, sent in a header named `X-JSON`
// (provider.md#supervisor-login). The credential builds the header, so no node sees the password.

import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { connectionFields } from '../nodes/shared/connectionFields';

/** The two spellings of the account type: `count_type` is listed, `account_type` is in the example. */
export type Spelling = 'account_type' | 'count_type';

/** A node passes the spelling to `authenticate` in this header, which never leaves n8n. */
export const SPELLING_HEADER = 'x-account-type-key';

/**
 * The value of the `X-JSON` header for a supervisor login.
 * @param spelling the one to use if the credential's "Account Type Key" is Auto; without it, `account_type`
 * @returns JSON in pure ASCII: a header can't contain other characters, and every JSON parser understands `\uXXXX`
 */
export function supervisorHeader(
	credentials: ICredentialDataDecryptedObject,
	spelling?: Spelling,
): string {
	const { login, password, accountTypeKey } = credentials as Record<
		string,
		string | number | null | undefined
	>;
	const chosen = String(accountTypeKey);
	const key = ['account_type', 'both', 'count_type'].includes(chosen) ? chosen : spelling;
	// A blank is easily copied along with a login; a password may contain one.
	const header: Record<string, string> = {
		login: `${login ?? ''}`.trim(),
		password: `${password ?? ''}`,
	};
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

	/** Other nodes could send any request with it, and the checkout is a GET. Read by n8n 2.41 and newer. */
	restrictToSupportedNodes = true as const;

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
				'The voice management host of your provider. It serves the login (/ws/) and the voice feed (/socket.io/).',
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
			default: 'auto',
			options: [
				{ name: 'account_type', value: 'account_type' },
				{ name: 'count_type', value: 'count_type' },
				{ name: 'Auto', value: 'auto' },
				{ name: 'Both', value: 'both' },
			],
			description:
				"How the login spells the account type: the provider's document has one spelling in its example and one in its list. Auto tries both and remembers the one that the provider accepts.",
		},
		...connectionFields,
	];

	/** Adds the `X-JSON` header to a request of a node. */
	authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { [SPELLING_HEADER]: spelling, ...headers } = requestOptions.headers ?? {};
		const value = supervisorHeader(credentials, spelling as Spelling | undefined);
		return Promise.resolve({ ...requestOptions, headers: { ...headers, 'X-JSON': value } });
	}
}
