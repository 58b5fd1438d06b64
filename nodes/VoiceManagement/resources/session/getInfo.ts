import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../operation';
import { requireSession } from './token';

/** "Session information" of the feed document, and `expire` of the third-party shapes. The rest may hold secrets. */
const FIELDS = ['ops', 'groupes', 'trunks', 'pauses', 'target', 'expire'];

export const getInfo: Operation = {
	value: 'getInfo',
	name: 'Get Info',
	action: 'Get agents groups trunks and breaks',
	description:
		'Log in as the supervisor and read the agents with their groups, the groups, trunks and break types',
	credential: 'voiceManagementSupervisorApi',
	endpoint: 'POST {voiceUrl}/ws/',
	output:
		'`ops` (agents), `groupes`, `trunks`, `pauses`, `target`; `id_session` only with "Include Token"',
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
	async run(call) {
		const answer = requireSession(
			call,
			await call.service.send({ method: 'POST', path: '/ws/', effect: 'login' }),
		);
		const fields =
			call.collection('options').includeToken === true ? [...FIELDS, 'id_session'] : FIELDS;
		const info: IDataObject = {};
		for (const field of fields) if (answer[field] !== undefined) info[field] = answer[field];
		return info;
	},
};
