import type { Operation } from '../../operation';
import { requestToken, tokenFields } from './token';

export const createToken: Operation = {
	value: 'createToken',
	name: 'Create Token',
	action: 'Create a token for the full event feed',
	description: 'Get a session token of the API account, valid for two hours from one address',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vm/token',
	output: '`id_session` (a secret) and whatever else the service answers',
	fields: tokenFields,
	run: requestToken,
};
