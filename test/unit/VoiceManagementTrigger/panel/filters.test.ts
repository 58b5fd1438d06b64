// Filters that a mode can't use, and names where identifiers are needed: refused at publishing and in a test run.

import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';

const read = (parameters: Record<string, unknown>) =>
	readSettings((name, fallback) => parameters[name] ?? fallback);

const alerts = (...rows: object[]) => ({ mode: 'alerts', alerts: { alert: rows } });
const agentsRow = { when: 'agentsAvailableBelow', agents: 1 };

it.each<[string, Record<string, unknown>, RegExp]>([
	[
		'Queue IDs with an alert about agents',
		{ ...alerts({ when: 'callerWaiting' }, agentsRow), filters: { queueIds: '51' } },
		/"Queue IDs" can't narrow alert 2 \(Too Few Agents Available\)/,
	],
	[
		'agents with an alert about callers',
		{ ...alerts({ when: 'callerWaiting' }), filters: { agentIds: ['101'] } },
		/"Agent Names or IDs" can't narrow alert 1/,
	],
	[
		'a caller with an alert about a queue',
		{ ...alerts({ when: 'callersWaiting' }), filters: { callerNumber: '+44*' } },
		/"Caller Number" can't narrow alert 1/,
	],
	[
		'agents with missed calls alone',
		{ mode: 'callOutcomes', filters: { agentIds: ['101'] } },
		/lets no missed call through/,
	],
	[
		'agents with a snapshot of queues',
		{ mode: 'snapshots', filters: { groupIds: ['11'] } },
		/"Group Names or IDs" can't narrow a snapshot of queues/,
	],
	[
		'queues with a snapshot of agents',
		{ mode: 'snapshots', snapshotOf: ['agents'], filters: { queueIds: '51' } },
		/"Queue IDs" can't narrow a snapshot of agents/,
	],
	[
		'a name for an agent',
		{ filters: { agentIds: ['Ada Martin'] } },
		/has Ada Martin, which is no ID/,
	],
	[
		'a name with a digit for an agent',
		{ filters: { agentIds: ['Agent 7'] } },
		/has Agent 7, which/,
	],
	[
		'a name for a trunk',
		{ filters: { trunkIds: ['Head office'] } },
		/"Trunk Names or IDs" has Head/,
	],
	[
		'a name for a group of a row',
		alerts({ ...agentsRow, groupIds: ['Sales'] }),
		/"Group Names or IDs" of alert 1 .* has Sales, which is no ID/,
	],
	[
		'a row whose queues the filter excludes',
		{ ...alerts({ when: 'callerWaiting', queueIds: '51' }), filters: { queueIds: '52' } },
		/"Queue IDs" of alert 1 \(Caller Waits Too Long\) has no queue that the filter "Queue IDs" lets through/,
	],
	...['"51"', '5*', '51-53', '#51', '51.'].map((id): [string, Record<string, unknown>, RegExp] => [
		`what is no ID of a queue: ${id}`,
		{ filters: { queueIds: [id] } },
		/"Queue IDs" has the queue .*, which "Queue Names" does not have/,
	]),
	[
		'an event type that does not exist',
		{ notificationTypes: ['Queue'] },
		/"Event Types" has an invalid value/,
	],
	[
		'a name for a queue',
		{ mode: 'snapshots', filters: { queueIds: 'Sales' } },
		/"Queue Names" does not have/,
	],
])('refuses %s', (_name, parameters, said) => {
	expect(() => read(parameters)).toThrow(said);
});

const NOTHING = /has only blanks, or an expression without a value/;

it.each<[string, Record<string, unknown>]>([
	['Queue IDs', { filters: { queueIds: ' , ' } }],
	['Queue IDs', { mode: 'snapshots', filters: { queueIds: undefined } }],
	['Queue IDs', { filters: { queueIds: { id: 51 } } }],
	['Agent Names or IDs', { filters: { agentIds: [' '] } }],
	['Group Names or IDs', { filters: { groupIds: null } }],
	['Trunk Names or IDs', { mode: 'callOutcomes', outcomes: [], filters: { trunkIds: undefined } }],
	['Statuses', { filters: { statuses: ' ' } }],
	['Caller Number', { filters: { callerNumber: ' ' } }],
	['Service Number', { ...alerts({}), filters: { serviceNumber: undefined } }],
	['Queue IDs" of alert 1 (Caller Waits Too Long)', alerts({ queueIds: ',' })],
	['Group Names or IDs" of alert 1', alerts({ ...agentsRow, groupIds: undefined })],
	['Event Types', { notificationTypes: ' ' }],
	['Event Names or IDs', { events: [''] }],
	['Outcomes', { mode: 'callOutcomes', outcomes: ' ' }],
	['Snapshot Of', { mode: 'snapshots', snapshotOf: ' ' }],
])('refuses %s without a value, which would stand for all', (label, parameters) => {
	expect(() => read(parameters)).toThrow(NOTHING);
	expect(() => read(parameters)).toThrow(`"${label}`);
});

it.each<[string, Record<string, unknown>]>([
	['filters that were added and left as they are', { filters: { queueIds: '', agentIds: [] } }],
	[
		'queues with alerts about callers',
		{ ...alerts({ when: 'callerWaiting' }), filters: { queueIds: '51' } },
	],
	[
		'a row that shares a queue with the filter',
		{ ...alerts({ when: 'callerWaiting', queueIds: '51,53' }), filters: { queueIds: '52,53' } },
	],
	['agents with alerts about agents', { ...alerts(agentsRow), filters: { agentIds: ['101'] } }],
	[
		'agents with missed and ended calls',
		{ mode: 'callOutcomes', outcomes: [], filters: { agentIds: ['1'] } },
	],
	[
		'each with its own part of a snapshot',
		{
			mode: 'snapshots',
			snapshotOf: ['agents', 'queues'],
			filters: { queueIds: '51', agentIds: ['1'] },
		},
	],
	[
		'both with totals',
		{ mode: 'snapshots', snapshotOf: ['totals'], filters: { queueIds: '51', agentIds: ['1'] } },
	],
	[
		'what another mode left over, which n8n drops',
		{ ...alerts(agentsRow), filters: { statuses: ['ringing'], trunkIds: ['9'] } },
	],
	[
		'a name that Queue Names has',
		{ filters: { queueIds: 'sales' }, options: { queueNames: [{ id_queue: 51, name: 'Sales' }] } },
	],
])('accepts %s', (_name, parameters) => {
	expect(() => read(parameters)).not.toThrow();
});

it('takes an alert without a kind for the one that the panel shows then', () => {
	const [row] = read(alerts({})).callCentre.alerts;
	expect(row).toMatchObject({ when: 'callerWaiting', threshold: 60 });
});
