import { readAccountField } from '../../../shared/clientAccount';
import { readHost } from '../../../shared/hosts';
import type { Operation } from '../../operation';
import { customFieldsField } from '../../fields/common';
import { requestToken } from './token';

export const getTestPageUrl: Operation = {
	value: 'getTestPageUrl',
	name: 'Get Test Page URL',
	action: 'Get test page URL',
	description: "Get the URL of the provider's page that shows the account's events as they occur",
	credential: 'voiceManagementApi',
	endpoint: 'POST /vm/token, then the URL {voiceUrl}/labo/index.htm',
	output: '`url`, which contains a token: a secret',
	fields: [customFieldsField],
	async run(context) {
		// Checks the credential first, so that no token is issued in case a field is missing.
		const credentials = await context.n8n.getCredentials('voiceManagementApi');
		const host = readHost(credentials.voiceUrl, 'voiceUrl');
		const client = readAccountField(credentials, 'idClient', 'The test page');
		const { id_session: token } = await requestToken(context);
		const query = new URLSearchParams({ id_client: client, id_session: token });
		return { url: `${host}/labo/index.htm?${query.toString()}` };
	},
};
