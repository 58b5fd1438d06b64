import type { Operation } from '../../operation';
import { requestToken, tokenFields } from './token';

export const createToken: Operation = {
	value: 'createToken',
	name: 'Create Token',
	action: 'Create token for full account feed',
	description:
		'Create a session token of the API account, valid for two hours and from one IP address',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vm/token',
	output: '`id_session` (a secret) and the other fields of the response',
	fields: tokenFields,
	run: requestToken,
};
