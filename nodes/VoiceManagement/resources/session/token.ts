// The token of the API account ("API-account token" of the feed document), asked for by two operations.

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { customFieldsField } from '../../fields/common';
import { mergeCustomFields, readCustomFields } from '../../input/customFields';
import { InputError } from '../../../shared/inputError';
import { toId, toText } from '../../input/values';
import type { Call } from '../../operation';
import { serviceError } from '../../transport/errors';

export const tokenFields: INodeProperties[] = [
	{
		displayName: 'IP Address',
		name: 'ip',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 203.0.113.7',
		description:
			'The public address of the machine that will use the token. The token works from there only, and this request has to come from there too.',
	},
	customFieldsField,
];

/**
 * Asks for a token.
 * @returns the whole answer; `id_session` is in it
 * @throws InputError for an address that is none; NodeApiError with the operator's reason
 */
export async function requestToken(call: Call): Promise<IDataObject & { id_session: string }> {
	const ip = toId(call.parameter('ip'), 'IP Address');
	if (!/^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i.test(ip)) {
		throw new InputError(
			`"IP Address" is ${JSON.stringify(ip)}, which is not an IP address`,
			'Give the public address of the machine that will use the token, for example 203.0.113.7.',
		);
	}
	const custom = readCustomFields(call.collection('options').customFields);
	const answer = await call.service.send({
		method: 'POST',
		path: '/vm/token',
		json: mergeCustomFields({ ip, user_type: 'api' }, custom),
		effect: 'login',
	});
	return requireSession(call, answer);
}

/**
 * The answer of a login, which can fail with HTTP 200 and a body without `id_session`.
 * @throws NodeApiError then
 */
export function requireSession(
	call: Call,
	answer: IDataObject,
): IDataObject & { id_session: string } {
	const token = toText(answer.id_session);
	if (token !== '') return { ...answer, id_session: token };
	const reason = ['message', 'error', 'reason', 'genericErrorMessage']
		.map((key) => toText(answer[key]))
		.find((text) => text !== '');
	throw serviceError(
		call.context.getNode(),
		{
			message: reason ?? 'The login was not accepted: the service gave no session token',
			description: 'HTTP 200 without id_session. Check login, password and host in the credential.',
			statusCode: 200,
			help: 'login-refused',
		},
		call.itemIndex,
	);
}
