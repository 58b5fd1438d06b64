import type { Resource } from '../../operation';
import { createToken } from './createToken';
import { getInfo } from './getInfo';
import { getTestPageUrl } from './getTestPageUrl';

export const session: Resource = {
	value: 'session',
	name: 'Session',
	operations: [createToken, getInfo, getTestPageUrl],
	begins: getInfo,
};
