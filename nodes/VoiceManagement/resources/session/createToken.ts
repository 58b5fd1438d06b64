import type { Operation } from '../../operation';
import { customFieldsField } from '../../fields/common';
import { requestToken } from './token';

export const createToken: Operation = {
	value: 'createToken',
	name: 'Create Token',
	action: 'Create feed token',
	description:
		'Create a session token of the API account, valid for two hours and from one IP address',
	credential: 'voiceManagementApi',
	endpoint: 'POST /vm/token',
	output: '`id_session` (a secret) and the other fields of the response',
	fields: [customFieldsField],
	run: requestToken,
};
