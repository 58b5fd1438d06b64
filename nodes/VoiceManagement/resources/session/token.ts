// The token of the API account (provider.md#account-token), which two operations request.

import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { idsAsText } from '../../identifiers';
import { withCustomFields } from '../../input/customFields';
import { ACCOUNT_FIELDS, readAccountField } from '../../../shared/clientAccount';
import { loginHint } from '../../../shared/errorHints';
import { sessionIn } from '../../../shared/loginResponse';
import { reasonOf } from '../../../shared/answer/reason';
import type { OperationContext } from '../../operation';
import { apiError } from '../../transport/errors';

/**
 * Requests a token.
 * @returns the object with the token, under the name `id_session`
 * @throws InputError if the credential has no IP address; NodeApiError with the provider's reason
 */
export async function requestToken(
	context: OperationContext,
): Promise<IDataObject & { id_session: string }> {
	const credential = await context.n8n.getCredentials('voiceManagementApi');
	const ip = readAccountField(credential, 'ip', 'The token');
	const { body } = withCustomFields(context, { ip, user_type: 'api' });
	const { answer } = await context.client.request({
		method: 'POST',
		path: '/vm/token',
		json: body,
		effect: 'login',
		hints: ipHints(ip),
	});
	const { idSession, record } = requireSession(context, answer.data ?? answer.text);
	return { ...idsAsText(record as IDataObject), id_session: String(idSession) };
}

function ipHints(ip: string): string[] {
	return /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]+)$/i.test(ip)
		? []
		: [
				`"${ACCOUNT_FIELDS.ip}" is ${JSON.stringify(ip)}: providers usually want an IP address such as 203.0.113.7, not a name.`,
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
			'The provider did not accept the login: its response has no session token',
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
	return apiError(context.n8n.getNode(), {
		message,
		description: `HTTP ${statusCode}. ${hint}`,
		statusCode,
		help: 'login-refused',
	});
}
