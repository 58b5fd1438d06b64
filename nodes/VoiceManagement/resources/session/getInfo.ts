import type { IDataObject } from 'n8n-workflow';
import { LISTS, listsIn } from '../../../shared/directory';
import { withHelpLink } from '../../../shared/help';
import { readHost } from '../../../shared/hosts';
import { idText, isRecord } from '../../../shared/ids';
import { fieldOf, layersOf, plainName } from '../../../shared/answer/read';
import { MASK, tokenPattern } from '../../../shared/secrets';
import { isOn } from '../../../shared/settingValues';
import { typesIn } from '../../../shared/shown';
import { supervisorLogin } from '../../../shared/supervisorLogin';
import { SECRET_NAME } from '../../../shared/answer/names';
import type { OperationContext, Operation, SupervisorLogin } from '../../operation';
import { loginError } from './token';

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
		// Another session could end this one, and that of a trigger.
		const { session, data } = (context.shared.login ??= await logIn(context));
		const { idSession, record, directory, target } = session;
		const { includeToken, output } = context.collection('options');
		const info: IDataObject = {};
		const token = tokenPattern(String(idSession));
		const add = (name: string, value: unknown) => {
			if (value !== undefined) info[name] = withoutToken(value, token) as IDataObject;
		};
		for (const [list, received] of listsIn(data)) {
			add(LISTS[list], output === 'raw' ? received : [...directory[list].values()]);
		}
		for (const odd of [...directory.unread.values(), directory.further])
			if (odd !== undefined) context.hint(notUnderstood(odd));
		// A number or a text, as the provider likes.
		if (target === undefined) context.hint(notUnderstood(`no "target", but ${typesIn(data)}`));
		add('target', idText(target));
		// provider.md#session-information. Other fields of the response may be secrets.
		add('expire', [record, ...layersOf(data)].map((one) => fieldOf(one, 'expire')).find(Boolean));
		if (isOn('Include Token', includeToken || false)) info.id_session = String(idSession);
		return info;
	},
};

/** Names and types only: a value may be a secret. */
const notUnderstood = (what: string) =>
	withHelpLink(
		`The response to the login has ${what}. This node does not understand that.`,
		'refused-for-another-reason',
	);

/** The session, and what the login returned. @throws NodeApiError with the provider's reason */
async function logIn(context: OperationContext): Promise<SupervisorLogin> {
	const credentials = await context.n8n.getCredentials('voiceManagementSupervisorApi');
	readHost(credentials.voiceUrl, 'voiceUrl');
	const request = { method: 'POST', path: '/ws/', effect: 'login' } as const;
	let data: unknown;
	const { session, problem } = await supervisorLogin(
		credentials,
		async (headers) => {
			const answer = await context.client.send({ ...request, headers });
			({ data } = answer);
			return answer;
		},
		Date.now(),
	);
	if (!session) throw loginError(context, problem);
	return { session, data };
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
