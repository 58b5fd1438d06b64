// Both credentials, decrypted as a node gets them from n8n.
import type { ICredentialType } from 'n8n-workflow';
import { VoiceManagementApi } from '../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../credentials/VoiceManagementSupervisorApi.credentials';
import type { Provider } from '../../simulator';

export const credentialTypes: Record<string, ICredentialType> = {
	voiceManagementApi: new VoiceManagementApi(),
	voiceManagementSupervisorApi: new VoiceManagementSupervisorApi(),
};

/** For a server of the test. */
export function credentialsAt(url: string, login = { login: 'a', password: 'b' }) {
	return {
		voiceManagementApi: { baseUrl: url, voiceUrl: url, idClient: '1', ip: '203.0.113.7', ...login },
		voiceManagementSupervisorApi: { voiceUrl: url, accountTypeKey: 'both', ...login },
	};
}

/** For the simulated provider; the API credential with the login of number management, or of the API account. */
export function credentialsFor(
	{ url, accounts }: Provider,
	account: 'numbers' | 'api' = 'numbers',
) {
	const { login, password } = accounts[account];
	return {
		voiceManagementApi: {
			...{ baseUrl: url, voiceUrl: url, login, password },
			...{ idClient: accounts.api.clientId, ip: '127.0.0.1' },
		},
		voiceManagementSupervisorApi: {
			voiceUrl: url,
			...accounts.supervisor,
			accountTypeKey: 'account_type',
		},
	};
}
