import { readClientAccount } from '../../../shared/clientAccount';
import { readHost } from '../../../shared/hosts';
import type { Operation } from '../../operation';
import { requestToken, tokenFields } from './token';

export const getTestPageUrl: Operation = {
	value: 'getTestPageUrl',
	name: 'Get Test Page URL',
	action: 'Get URL of test page',
	description: "Get the URL of the operator's page that shows the account's events as they occur",
	credential: 'voiceManagementApi',
	endpoint: 'POST /vm/token, then the URL {voiceUrl}/labo/index.htm',
	output: '`url`, which contains a token: a secret',
	fields: tokenFields,
	async run(context) {
		// Checks the credential first, so that no token is issued in case a field is missing.
		const credentials = await context.n8n.getCredentials('voiceManagementApi');
		const host = readHost(credentials.voiceUrl, 'voiceUrl');
		const client = readClientAccount(credentials.idClient, 'The test page');
		const { id_session: token } = await requestToken(context);
		const query = new URLSearchParams({ id_client: client, id_session: String(token) });
		return { url: `${host}/labo/index.htm?${query.toString()}` };
	},
};
