// How the feed connects: fields of both credentials, since they describe the provider and the way to it. All workflows
// with the same credential therefore share one connection.

import type { INodeProperties } from 'n8n-workflow';
import { InputError } from './errors';
import { isOn, numberWithin, oneOf, text } from './settingValues';

export interface ConnectionSettings {
	protocol: 'auto' | '4' | '2';
	/** `auto`: direct, or through n8n if the login worked but no direct connection can be made. */
	transport: 'auto' | 'direct' | 'n8n';
	/** Begins with a slash; whether it ends with one depends on the server. */
	socketPath: string;
	/** All arguments of `init`; absent for the built-in form. */
	initArguments?: readonly unknown[];
	/** 0 = off. */
	silenceTimeoutMs: number;
	redundantConnection: boolean;
}

const SOCKET_PATH = '/socket.io/';
const SILENCE_MINUTES = 30;
const LABELS = {
	protocol: 'Protocol',
	transport: 'Transport',
	socketPath: 'Socket Path',
	initArguments: 'Init Arguments',
	silenceTimeout: 'Silence Timeout (Minutes)',
	redundantConnection: 'Redundant Connection',
} as const;

const IN_CREDENTIAL = ' in the credential';
const displayOptions = { show: { customConnection: [true] } };

/** The switch and the fields that it shows. */
export const connectionFields: INodeProperties[] = [
	{
		displayName: 'Change How the Feed Connects',
		name: 'customConnection',
		type: 'boolean',
		default: false,
		description:
			'Whether to set how the Voice Management Trigger connects. All workflows with this credential share one connection. They follow a change within five minutes.',
	},
	{
		displayName: LABELS.protocol,
		name: 'protocol',
		type: 'options',
		displayOptions,
		options: [
			{ name: 'Auto', value: 'auto', description: "Ask the provider's server" },
			{ name: 'Socket.IO 2', value: '2', description: 'For servers that speak Socket.IO 1 or 2' },
			{ name: 'Socket.IO 4', value: '4', description: 'For servers that speak Socket.IO 3 or 4' },
		],
		default: 'auto',
		description: "Which version of Socket.IO the provider's feed uses",
	},
	{
		displayName: LABELS.transport,
		name: 'transport',
		type: 'options',
		displayOptions,
		options: [
			{
				name: 'Auto',
				value: 'auto',
				description: "Connect directly, or through n8n's proxy if that is not possible",
			},
			{
				name: 'Direct',
				value: 'direct',
				description: "The node's own connection, by WebSocket or long polling",
			},
			{
				name: 'N8n',
				value: 'n8n',
				description: "Long polling with n8n's proxy, certificates and rules for outgoing requests",
			},
		],
		default: 'auto',
		description: 'How the events reach n8n. The login always goes through n8n.',
	},
	{
		displayName: LABELS.socketPath,
		name: 'socketPath',
		type: 'string',
		displayOptions,
		default: '',
		placeholder: `e.g. ${SOCKET_PATH}`,
		description: `Path of the Socket.IO server on the voice management host. Leave empty for ${SOCKET_PATH}.`,
	},
	{
		displayName: LABELS.initArguments,
		name: 'initArguments',
		type: 'json',
		displayOptions,
		default: '',
		placeholder: 'e.g. ["supervisor", "{target}", "{token}"]',
		description:
			'All arguments of the init message that opens the feed, as a JSON list, if your provider wants another form. {clientId}, {target} and {token} are replaced. Leave empty for the built-in form.',
	},
	{
		displayName: LABELS.silenceTimeout,
		name: 'silenceTimeout',
		type: 'number',
		displayOptions,
		typeOptions: { minValue: 0 },
		default: SILENCE_MINUTES,
		description:
			'Log in again after this many minutes without an event, in case the provider has dropped the subscription. 0 turns this off.',
	},
	{
		displayName: LABELS.redundantConnection,
		name: 'redundantConnection',
		type: 'boolean',
		displayOptions,
		default: false,
		description:
			'Whether to keep two connections at all times and emit each event once, so that nothing is missed when one breaks. The provider must allow two sessions; each counts as a login.',
	},
];

/**
 * The connection fields of a credential; their defaults while the switch is off.
 * @throws InputError naming the field
 */
export function readConnection(credential: Readonly<Record<string, unknown>>): ConnectionSettings {
	const given = isOnIn(credential, 'customConnection') ? credential : {};
	const choice = <T extends string>(field: 'protocol' | 'transport', choices: readonly T[]) =>
		oneOf(LABELS[field], text(given[field]) || 'auto', choices, IN_CREDENTIAL);
	return {
		protocol: choice('protocol', ['auto', '4', '2']),
		transport: choice('transport', ['auto', 'direct', 'n8n']),
		socketPath: readSocketPath(text(given.socketPath) || SOCKET_PATH),
		...readInitArguments(given.initArguments),
		silenceTimeoutMs:
			60_000 *
			numberWithin(
				LABELS.silenceTimeout,
				given.silenceTimeout ?? SILENCE_MINUTES,
				[0, 525_600],
				false,
				`Open the credential and enter minutes, or 0 to turn it off`,
				IN_CREDENTIAL,
			),
		redundantConnection: isOnIn(given, 'redundantConnection'),
	};
}

function isOnIn(credential: Readonly<Record<string, unknown>>, field: string): boolean {
	const label = connectionFields.find(({ name }) => name === field)?.displayName ?? field;
	return isOn(label, credential[field] ?? false, IN_CREDENTIAL);
}

function readSocketPath(written: string): string {
	const path = written.startsWith('/') ? written : `/${written}`;
	if (!/[?#\s:\\]|\/\//.test(path)) return path;
	throw new InputError(
		`"${LABELS.socketPath}"${IN_CREDENTIAL} must be a path on the voice management host`,
		`Leave out the host, blanks and any question mark, for example ${SOCKET_PATH}`,
	);
}

/** The list itself, from JSON text or from an expression; empty means none. */
function readInitArguments(value: unknown): { initArguments?: readonly unknown[] } {
	let list: unknown = value ?? '';
	try {
		if (typeof list === 'string') list = JSON.parse(list.trim() || '[]') as unknown;
	} catch {
		list = undefined;
	}
	if (!Array.isArray(list)) {
		throw new InputError(
			`"${LABELS.initArguments}"${IN_CREDENTIAL} must be a JSON list`,
			'Open the credential and correct it, for example ["api", "{clientId}", "{token}"], or leave it empty for the built-in form',
			'the-full-account-feed',
		);
	}
	return list.length > 0 ? { initArguments: list as unknown[] } : {};
}
