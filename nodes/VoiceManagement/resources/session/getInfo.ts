import type { IDataObject } from 'n8n-workflow';
import { listsIn, readDirectory } from '../../../shared/directory';
import { readHost } from '../../../shared/hosts';
import { idText, isRecord } from '../../../shared/ids';
import { answerOf } from '../../../shared/answer/parse';
import { LoginFailed, LoginRefused, targetIn } from '../../../shared/loginResponse';
import { fieldOf, layersOf, plainName } from '../../../shared/answer/read';
import { MASK, tokenPattern } from '../../../shared/secrets';
import { supervisorLogin } from '../../../shared/supervisorLogin';
import { SECRET_NAME } from '../../../shared/answer/reason';
import type { OperationContext, Operation } from '../../operation';
import { apiError } from '../../transport/errors';
import { loginError, requireSession } from './token';

/** Each list of the session information (provider.md#session-information), and its name in the trigger. */
const LISTS = [
	['ops', 'agents'],
	['groupes', 'groups'],
	['trunks', 'trunks'],
	['pauses', 'pauses'],
] as const;

export const getInfo: Operation = {
	value: 'getInfo',
	name: 'Get Info',
	action: 'Get agents and groups',
	description:
		'Log in as the supervisor and get the agents with their groups, the groups, trunks and break types',
	credential: 'voiceManagementSupervisorApi',
	endpoint: 'POST {voiceUrl}/ws/',
	output:
		'`ops` (agents), `groupes`, `trunks` and `pauses` (breaks): lists of `id` (text) and `name`, agents with the IDs of their `groups` as well; `target`; `id_session` only with "Include Token". With "Output: Raw" the lists as received',
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
						'Whether to include the session token (id_session) in the output. It is a secret: whoever has it can read the feed for two hours.',
				},
				{
					displayName: 'Output',
					name: 'output',
					type: 'options',
					default: 'simplified',
					options: [
						{
							name: 'Raw',
							value: 'raw',
							description: 'The lists exactly as the provider sent them',
						},
						{
							name: 'Simplified',
							value: 'simplified',
							description: 'Each entry with ID (as text) and name, agents with their groups',
						},
					],
					description: 'What the entries of the lists look like',
				},
			],
		},
	],
	async run(context) {
		const data = await logIn(context);
		const { idSession, record } = requireSession(context, data);
		const { includeToken, output } = context.collection('options');
		const directory = readDirectory(data);
		const info: IDataObject = {};
		const token = tokenPattern(String(idSession));
		const add = (name: string, value: unknown) => {
			if (value !== undefined) info[name] = withoutToken(value, token) as IDataObject;
		};
		const received = listsIn(data);
		for (const [name, list] of LISTS) {
			const entries = received.get(list);
			if (entries) add(name, output === 'raw' ? entries : [...directory[list].values()]);
		}
		const layers = [record, ...layersOf(data)];
		// A number or a text, as the provider likes.
		add('target', idText(targetIn(data, layers)));
		// provider.md#session-information. Other fields of the response may be secrets.
		add('expire', layers.map((layer) => fieldOf(layer, 'expire')).find(Boolean));
		if (includeToken === true) info.id_session = String(idSession);
		return info;
	},
};

/** What the login returned. @throws NodeApiError with the provider's reason */
async function logIn(context: OperationContext): Promise<unknown> {
	const credentials = await context.n8n.getCredentials('voiceManagementSupervisorApi');
	readHost(credentials.voiceUrl, 'voiceUrl');
	const request = { method: 'POST', path: '/ws/', effect: 'login' } as const;
	const response = await supervisorLogin(
		credentials as IDataObject,
		async (headers) => await context.client.send({ ...request, headers }),
	).catch((error: unknown) => {
		if (error instanceof LoginRefused) {
			throw loginError(context, error.reason, error.statusCode);
		}
		if (!(error instanceof LoginFailed)) throw error;
		// Something in front of the provider responded, or that URL has no login: the reason names the field.
		const { reason, statusCode = 200 } = error;
		throw apiError(context.n8n.getNode(), {
			message: reason,
			description: `HTTP ${statusCode}`,
			statusCode,
			help: 'a-web-page-instead-of-data',
		});
	});
	const { answer, refusal } = context.client.read(answerOf(response), request);
	if (refusal) throw refusal.error;
	return answer.data;
}

/** A value without the session token and everything whose name marks it as a secret, at any depth. */
function withoutToken(value: unknown, token: RegExp, depth = 0): unknown {
	if (depth > 50) return null;
	if (typeof value === 'string') return value.replace(token, MASK);
	if (typeof value === 'number') return String(value).replace(token, MASK) === MASK ? MASK : value;
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
