// The token of the API account ("API-account token" of the feed document), which two operations request.

import type { IDataObject, INodeProperties, NodeApiError } from 'n8n-workflow';
import { customFieldsField } from '../../fields/common';
import { withCustomFields } from '../../input/customFields';
import { loginHint } from '../../../shared/errorHints';
import { sessionIn } from '../../../shared/loginResponse';
import type { Echo } from '../../../shared/shapes';
import { reasonOf } from '../../../shared/responseStatus';
import { toId, toText } from '../../input/values';
import type { OperationContext } from '../../operation';
import { apiError } from '../../transport/errors';

export const tokenFields: INodeProperties[] = [
	{
		displayName: 'IP Address',
		name: 'ip',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 203.0.113.7',
		description:
			'The public IP address of the machine that will use the token. The token works only from there, and this request has to come from there too.',
	},
	customFieldsField,
];

/**
 * Requests a token.
 * @returns the object with the token, under the name `id_session`
 * @throws InputError if there is no IP address; NodeApiError with the operator's reason
 */
export async function requestToken(
	context: OperationContext,
): Promise<IDataObject & { id_session: Echo }> {
	const { body, custom } = withCustomFields(context, {
		ip: toText(context.parameter('ip')),
		user_type: 'api',
	});
	if (!Object.hasOwn(custom, 'ip')) toId(body.ip, 'IP Address');
	const { data, text } = await context.client.request({
		method: 'POST',
		path: '/vm/token',
		json: body,
		effect: 'login',
		hints: Object.hasOwn(custom, 'ip') ? [] : ipHints(toText(body.ip)),
	});
	const { idSession, record } = requireSession(context, data ?? text);
	return { ...(record as IDataObject), id_session: idSession };
}

function ipHints(ip: string): string[] {
	return /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i.test(ip)
		? []
		: [
				`"IP Address" is ${JSON.stringify(ip)}: operators usually want an IP address such as 203.0.113.7, not a name.`,
			];
}

/**
 * The token in the response of a login, which can fail with HTTP 200 and a body without `id_session`.
 * @throws NodeApiError if it has no token
 */
export function requireSession(
	context: OperationContext,
	data: unknown,
): NonNullable<ReturnType<typeof sessionIn>> {
	const session = sessionIn(data);
	if (session) return session;
	throw loginError(
		context,
		reasonOf(data, 'login').reason ||
			'The operator did not accept the login: its response has no session token',
	);
}

/** The error for a login that was not accepted. */
export function loginError(
	context: OperationContext,
	message: string,
	statusCode = 200,
): NodeApiError {
	const hint = loginHint(
		statusCode,
		{ effect: 'login', urlField: context.client.urlField },
		message,
	);
	return apiError(
		context.n8n.getNode(),
		{
			message,
			description: `HTTP ${statusCode}. ${hint}`,
			statusCode,
			help: 'login-refused',
		},
		context.itemIndex,
	);
}
