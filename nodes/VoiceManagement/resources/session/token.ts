// The token of the API account (provider.md#account-token), which two operations request.

import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { idsAsText } from '../../identifiers';
import { withCustomFields } from '../../input/customFields';
import { ACCOUNT_FIELDS, readAccountField } from '../../../shared/clientAccount';
import { loginHint } from '../../../shared/errorHints';
import { readLogin, type LoginProblem } from '../../../shared/login';
import { withoutTried } from '../../../shared/supervisorLogin';
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
	const answer = await context.client.send({
		method: 'POST',
		path: '/vm/token',
		json: body,
		effect: 'login',
	});
	const { session, problem } = readLogin(answer, 'account', Date.now());
	if (!session) throw loginError(context, problem, ipHints(ip));
	const { record, idSession } = session;
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
 * The error for a login that was not accepted.
 * @param hints sentences about what providers usually require
 */
export function loginError(
	context: OperationContext,
	{ kind, reason, statusCode = 200 }: LoginProblem,
	hints: string[] = [],
): NodeApiError {
	const { urlField } = context.client;
	// Otherwise something in front of the provider responded, or that URL has no login: the reason names the field.
	const isRefused = kind === 'refused';
	context.isRefused = isRefused;
	const hint = isRefused ? [loginHint(statusCode, { effect: 'login', urlField }, reason)] : [];
	return apiError(context.n8n.getNode(), {
		message: withoutTried(reason),
		description: [`HTTP ${statusCode}.`, ...hint, ...hints].join(' '),
		statusCode,
		help: isRefused ? 'login-refused' : 'a-web-page-instead-of-data',
	});
}
