// How the feed connects: the same fields in both credentials, whose shown values are those that apply.

import { NodeHelpers, type INodeTypeDescription } from 'n8n-workflow';
import { VoiceManagementApi } from '../../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import { readConnection } from '../../../nodes/shared/connectionFields';
import { InputError } from '../../../nodes/shared/errors';

const FIELDS =
	'protocol transport socketPath initArguments silenceTimeout redundantConnection'.split(' ');

const BUILT_IN = {
	protocol: 'auto',
	transport: 'auto',
	socketPath: '/socket.io/',
	silenceTimeoutMs: 30 * 60_000,
	redundantConnection: false,
};

describe.each([new VoiceManagementApi(), new VoiceManagementSupervisorApi()])('%o', (type) => {
	const shown = (values: object) =>
		type.properties
			.filter((property) =>
				NodeHelpers.displayParameter(values as never, property, null, {
					properties: type.properties,
				} as INodeTypeDescription),
			)
			.map(({ name }) => name);

	it('shows the connection fields only while the switch is on', () => {
		const without = shown({ customConnection: false });
		expect(without.at(-1)).toBe('customConnection');
		expect(shown({ customConnection: true })).toEqual([...without, ...FIELDS]);
	});

	it('shows the values that apply', () => {
		const defaults = Object.fromEntries(
			type.properties.map(({ name, default: value }) => [name, value]),
		);
		expect(readConnection(defaults)).toEqual(BUILT_IN);
		expect(readConnection({ ...defaults, customConnection: true })).toEqual(BUILT_IN);
	});
});

const custom = (fields: object) => readConnection({ customConnection: true, ...fields });

it('an empty credential has the built-in connection', () => {
	expect(readConnection({})).toEqual(BUILT_IN);
	expect(custom({})).toEqual(BUILT_IN);
});

it.each<[object, object]>([
	[{ protocol: 2 }, { protocol: '2' }],
	[{ silenceTimeout: '0.5' }, { silenceTimeoutMs: 30_000 }],
	[{ silenceTimeout: 0 }, { silenceTimeoutMs: 0 }],
	[{ socketPath: 'feed' }, { socketPath: '/feed' }],
	[{ socketPath: ' /feed/ ' }, { socketPath: '/feed/' }],
	[{ initArguments: '["a", {"b": "{token}"}]' }, { initArguments: ['a', { b: '{token}' }] }],
	[{ initArguments: ['a'] }, { initArguments: ['a'] }],
	[{ redundantConnection: true }, { redundantConnection: true }],
	[{ redundantConnection: 'true', customConnection: 'true' }, { redundantConnection: true }],
])('%j is read, also as an expression yields it', (fields, expected) => {
	expect(custom(fields)).toEqual({ ...BUILT_IN, ...expected });
});

it.each<[object, string]>([
	[{ protocol: '3' }, '"Protocol" in the credential has an invalid value'],
	[
		{ customConnection: 'on' },
		'"Change How the Feed Connects" in the credential has an invalid value',
	],
	[{ transport: 'carrier pigeon' }, '"Transport" in the credential has an invalid value'],
	[{ socketPath: 'https://x/' }, '"Socket Path" in the credential must be a path'],
	[{ socketPath: '/x?y' }, '"Socket Path" in the credential must be a path'],
	[{ initArguments: '{' }, '"Init Arguments" in the credential must be a JSON list'],
	[{ initArguments: '{}' }, '"Init Arguments" in the credential must be a JSON list'],
	[
		{ silenceTimeout: -1 },
		'"Silence Timeout (Minutes)" in the credential must be a number from 0 to 525600',
	],
	[
		{ silenceTimeout: 'soon' },
		'"Silence Timeout (Minutes)" in the credential must be a number from 0 to 525600',
	],
])('%j is rejected with the name of the field', (fields, message) => {
	const attempt = () => custom(fields);
	expect(attempt).toThrow(InputError);
	expect(attempt).toThrow(message);
});
