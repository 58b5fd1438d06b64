/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What an error of the trigger advises, done: the mistake ends with the advice, and doing what it says is accepted.

import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { InputError } from '../../../../nodes/shared/errors';
import { feedOptions } from '../../../../nodes/VoiceManagementTrigger/life/account';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';

type Parameters = INode['parameters'];

/** What the error says; undefined if there is none. */
function errorOf(attempt: () => unknown): string | undefined {
	try {
		attempt();
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return `${error.message}. ${error.description}`;
	}
}

const read = (parameters: Parameters) => () =>
	readSettings(
		(name, fallback) => parameters[name] ?? fallback,
		() => String(parameters.timeZone ?? 'Europe/Paris'),
	);

const alerts = (row: Record<string, string | number>): Parameters => ({
	mode: 'alerts',
	alerts: { alert: [row] },
});
const queues = (queueIds: string, queueNames?: unknown): Parameters => ({
	filters: { queueIds },
	options: { queueNames: queueNames as string },
});
const SALES = [{ id_queue: 51, name: 'Sales' }];

test.each<[advice: string, mistake: Parameters, ...done: Parameters[]]>([
	[
		'Correct it under "Options", or remove the option to use its default',
		{ options: { batchSize: 0 } },
		{ options: { batchSize: 1 } },
		{ options: {} },
	],
	[
		'Correct it under "Options", or remove the option to use its default',
		{ mode: 'callOutcomes', options: { serviceLevelSeconds: 0 } },
		{ mode: 'callOutcomes', options: { serviceLevelSeconds: 20 } },
		{ mode: 'callOutcomes', options: {} },
	],
	[
		'Set "Every (Seconds)" to 30, for example',
		{ mode: 'snapshots', every: 0 },
		{ mode: 'snapshots', every: 30 },
	],
	[
		'Add an alert, for example "Caller Waits Too Long" with 60 seconds',
		{ mode: 'alerts', alerts: {} },
		alerts({ when: 'callerWaiting', waitSeconds: 60 }),
	],
	[
		'Correct row 1 of "Alerts"',
		alerts({ when: 'callerWaiting', waitSeconds: 0 }),
		alerts({ when: 'callerWaiting', waitSeconds: 60 }),
	],
	[
		'Enter the ID of the queue, which a test run shows as id_queue, or give it this name in the option "Queue Names"',
		queues('Sales'),
		queues('51'),
		queues('Sales', SALES),
	],
	[
		'Correct the name, or add a row with it and the ID of the queue',
		queues('Sails', SALES),
		queues('Sales', SALES),
		queues('Sails', [...SALES, { id_queue: 52, name: 'Sails' }]),
	],
	['Correct it, or leave it empty for all', queues(' , '), queues('51'), queues('')],
	['Give each queue its ID and its name', queues('', [{ name: 'Sales' }]), queues('', SALES)],
	[
		'Remove the groups and enter their agents in the filter "Agent Names or IDs", or choose a credential of the type Voice Management Supervisor API',
		{ feed: 'account', filters: { groupIds: ['11'] } },
		{ feed: 'account', filters: { agentIds: ['101', '102'] } },
		{ feed: 'supervisor', filters: { groupIds: ['11'] } },
	],
	[
		'Choose a time zone in the settings of the workflow',
		{ mode: 'snapshots', timeZone: 'Nowhere/Land' },
		{ mode: 'snapshots', timeZone: 'Asia/Tokyo' },
	],
	[
		'Use one of: events, callOutcomes, alerts, snapshots',
		{ mode: 'calls' },
		{ mode: 'callOutcomes' },
	],
])('done as the error of a parameter advises, it is accepted: %s', (advice, mistake, ...done) => {
	expect(errorOf(read(mistake))).toContain(advice);
	expect(done.map((parameters) => errorOf(read(parameters)))).toEqual(done.map(() => undefined));
});

const noHttp = {
	credential: async () => ({}),
	authenticated: async () => ({}),
	plain: async () => ({}),
};

const account = (given: ICredentialDataDecryptedObject) => () =>
	feedOptions(
		'account',
		{
			baseUrl: 'https://api.example.com',
			voiceUrl: 'https://voice.example.com',
			idClient: '4242',
			ip: '203.0.113.7',
			...given,
		},
		noHttp,
	);
const connecting = (field: ICredentialDataDecryptedObject) => ({
	customConnection: true,
	...field,
});

test.each<
	[
		advice: string,
		mistake: ICredentialDataDecryptedObject,
		...done: ICredentialDataDecryptedObject[],
	]
>([
	[
		'Open the credential and set "Voice Management URL" to the provider\'s host, for example https://voice.example.com',
		{ voiceUrl: ' ' },
		{ voiceUrl: 'https://voice.example.com' },
	],
	[
		'write https://voice.example.com',
		{ voiceUrl: 'voice.example.com' },
		{ voiceUrl: 'https://voice.example.com' },
	],
	[
		'write https:// instead',
		{ voiceUrl: 'wss://voice.example.com' },
		{ voiceUrl: 'https://voice.example.com' },
	],
	[
		'check its host name and port',
		{ voiceUrl: 'https://voice.example.com:99999' },
		{ voiceUrl: 'https://voice.example.com:9999' },
	],
	[
		'enter login and password in their own fields',
		{ voiceUrl: 'https://me:secret@voice.example.com' },
		{ voiceUrl: 'https://voice.example.com', login: 'me', password: 'secret' },
	],
	[
		'enter only https://voice.example.com. A Socket.IO path has its own field, "Socket Path"',
		{ voiceUrl: 'https://voice.example.com/live' },
		{ voiceUrl: 'https://voice.example.com' },
		connecting({ socketPath: '/live' }),
	],
	[
		'Correct "Voice Management URL" in the credential',
		{ voiceUrl: 'ftp://voice.example.com' },
		{ voiceUrl: 'https://voice.example.com' },
	],
	[
		'Open the credential and set "Base URL" to the provider\'s host, for example https://api.example.com',
		{ baseUrl: 'api' },
		{ baseUrl: 'https://api.example.com' },
	],
	[
		'Open the credential and fill it in: the provider calls it id_client',
		{ idClient: '' },
		{ idClient: '4242' },
	],
	[
		'Open the credential and enter the IP address from which the provider sees this n8n instance',
		{ ip: '' },
		{ ip: '203.0.113.7' },
	],
	[
		'Leave out the host, blanks and any question mark, for example /socket.io/',
		connecting({ socketPath: 'https://voice.example.com/socket.io/' }),
		connecting({ socketPath: '/socket.io/' }),
	],
	[
		'Open the credential and correct it, for example ["api", "{clientId}", "{token}"], or leave it empty for the built-in form',
		connecting({ initArguments: 'api' }),
		connecting({ initArguments: '["api", "{clientId}", "{token}"]' }),
		connecting({ initArguments: '' }),
	],
	[
		'Open the credential and enter minutes, or 0 to turn it off',
		connecting({ silenceTimeout: -1 }),
		connecting({ silenceTimeout: 45 }),
		connecting({ silenceTimeout: 0 }),
	],
	[
		'Use one of: auto, direct, n8n',
		connecting({ transport: 'proxy' }),
		connecting({ transport: 'n8n' }),
	],
])('done as the error of a credential advises, it is accepted: %s', (advice, mistake, ...done) => {
	expect(errorOf(account(mistake))).toContain(advice);
	expect(done.map((credential) => errorOf(account(credential)))).toEqual(done.map(() => undefined));
});
