import type { IDataObject } from 'n8n-workflow';
import { directoryList, DIRECTORY_FIELDS } from '../../../shared/directory';
import { readHost } from '../../../shared/hosts';
import { isRecord } from '../../../shared/ids';
import { readResponse } from '../../../shared/response';
import { LoginFailed, LoginRefused, targetIn } from '../../../shared/session';
import { fieldOf, layersOf, plainName } from '../../../shared/shapes';
import { supervisorLogin } from '../../../shared/supervisorLogin';
import { SECRET_NAME } from '../../../shared/responseStatus';
import type { OperationContext, Operation } from '../../operation';
import { loginError, requireSession } from './token';

/** "Session information" of the feed document, and `expire` of the third-party shapes. The rest may hold secrets. */
const FIELDS = ['ops', 'groupes', 'groups', 'trunks', 'pauses', 'target', 'expire'];

export const getInfo: Operation = {
	value: 'getInfo',
	name: 'Get Info',
	action: 'Get agents groups trunks and breaks',
	description:
		'Log in as the supervisor and read the agents with their groups, the groups, trunks and break types',
	credential: 'voiceManagementSupervisorApi',
	endpoint: 'POST {voiceUrl}/ws/',
	output:
		'`ops` (agents), `groupes` or `groups`, `trunks`, `pauses`, `target`; `id_session` only with "Include Token"',
	fields: [
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Include Token',
					name: 'includeToken',
					type: 'boolean',
					default: false,
					description:
						'Whether to put the session token (id_session) into the output. It is a secret: it lets its holder read the feed for two hours.',
				},
			],
		},
	],
	async run(context) {
		const data = await logIn(context);
		const { idSession, record } = requireSession(context, data);
		const places = [record, ...layersOf(data)];
		const info: IDataObject = {};
		for (const field of FIELDS) {
			const value = places
				.map((place) => fieldOf(place, field))
				.find((found) => found !== undefined);
			if (value !== undefined) info[field] = withoutToken(value, String(idSession)) as IDataObject;
		}
		const target = targetIn(data, places);
		if (target !== undefined) info.target = target;
		// Lists under another name (`agents`) or in another form come out as the document's.
		for (const field of Object.keys(DIRECTORY_FIELDS) as Array<keyof typeof DIRECTORY_FIELDS>) {
			const list = Array.isArray(info[field]) ? undefined : directoryList(data, field);
			const other = field === 'groupes' && Array.isArray(info.groups);
			if (list !== undefined && !other) {
				info[field] = withoutToken(list, String(idSession)) as IDataObject;
			}
		}
		if (context.collection('options').includeToken === true) info.id_session = idSession;
		return info;
	},
};

/** What the login returned. @throws NodeApiError with the operator's reason */
async function logIn(context: OperationContext): Promise<unknown> {
	const credentials = await context.n8n.getCredentials('voiceManagementSupervisorApi');
	const host = readHost(credentials.voiceUrl, 'voiceUrl');
	const request = { method: 'POST', path: '/ws/', effect: 'login' } as const;
	const response = await supervisorLogin(
		credentials.accountTypeKey,
		host,
		async (headers) => await context.client.requestOnce({ ...request, headers }),
	).catch((error: unknown) => {
		if (!(error instanceof LoginRefused || error instanceof LoginFailed)) throw error;
		throw loginError(context, error.reason, error.statusCode);
	});
	return context.client.requireSuccess(readResponse(response), request).data;
}

/** A value without the session token and whatever else is a secret by its name, however deep it stands. */
function withoutToken(value: unknown, token: string, depth = 0): unknown {
	if (depth > 50) return null;
	// A short token may be a part of anything.
	if (typeof value === 'string') {
		return token.length < 4 ? value : value.split(token).join('***');
	}
	if (typeof value === 'number')
		return token.length >= 6 && String(value) === token ? '***' : value;
	if (Array.isArray(value)) {
		return value.map((entry: unknown) => withoutToken(entry, token, depth + 1));
	}
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !SECRET_NAME.test(plainName(name)))
			.map(([name, field]) => [name, withoutToken(field, token, depth + 1)]),
	);
}
