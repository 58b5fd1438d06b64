/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The node's parameters before the trigger runs, evaluated by n8n's own code: which fields are shown, and which hints
// appear beside the output.

import { runInNewContext } from 'node:vm';
import { VoiceManagement } from '../../../../nodes/VoiceManagement/VoiceManagement.node';
import { NodeHelpers, Workflow, type INode, type INodeTypes } from 'n8n-workflow';
import {
	ALERT_KIND_NAMES,
	fieldsOf,
	kindOf,
	type AlertKindName,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';
import { VoiceManagementTrigger } from '../../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';

const nodeType = new VoiceManagementTrigger();
const { description } = nodeType;

type Parameters = INode['parameters'];

/** The parameters as n8n completes them: defaults added, hidden ones left out. */
function completed(parameters: Parameters): Parameters {
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			true,
			false,
			null,
			description,
		) ?? {}
	);
}

const nodeOf = (parameters: Parameters): INode => ({
	id: 'node',
	name: 'Trigger',
	type: 'trigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: completed(parameters),
});

/** An expression of the description, as the editor evaluates it. */
function evaluated(expression: string | undefined, parameters: Parameters): unknown {
	const node = nodeOf(parameters);
	const nodeTypes = {
		getByNameAndVersion: () => nodeType,
		getByName: () => nodeType,
		getKnownTypes: () => ({}),
	} as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
}

/** The hints whose condition is met. */
function hintsOf(parameters: Parameters): string[] {
	return (description.hints ?? [])
		.filter((hint) => {
			const shown = evaluated(hint.displayCondition, parameters);
			// n8n shows no hint whose condition is anything else.
			expect(typeof shown).toBe('boolean');
			return shown === true;
		})
		.map(({ message }) => message);
}

describe('the line below the node on the canvas', () => {
	it.each<[string, Parameters]>([
		['All Events', {}],
		['insert_call, delete_call', { events: ['insert_call', 'delete_call'] }],
		['queue', { notificationTypes: ['queue'] }],
		['insert_call', { notificationTypes: ['queue'], events: ['insert_call'] }],
		['Call Outcomes', { mode: 'callOutcomes' }],
		['Alerts', { mode: 'alerts' }],
		['Snapshots', { mode: 'snapshots' }],
	])('says %s', (line, parameters) => {
		expect(evaluated(description.subtitle, parameters)).toBe(line);
	});
});

const warningsOf = (parameters: Parameters) =>
	hintsOf(parameters).filter((message) =>
		/lets? (no missed call|nothing)|nothing matches|never matches/.test(message),
	);

describe('filters that cannot match anything', () => {
	it.each<[string, Parameters, RegExp]>([
		[
			'agents of callers who enter a queue',
			{ events: ['insert_call'], filters: { agentIds: ['501'] } },
			/has an agent, so the filter Agent Names or IDs never matches/,
		],
		[
			'groups of calls that leave a queue',
			{ notificationTypes: ['queue'], events: ['delete_call'], filters: { groupIds: ['11'] } },
			/Group Names or IDs/,
		],
		[
			'queues of what agents do',
			{ notificationTypes: ['UI'], filters: { queueIds: '301' } },
			/has a queue, so the filter Queue IDs/,
		],
		[
			'trunks of queue events',
			{ notificationTypes: ['queue', 'operator'], filters: { trunkIds: ['701'] } },
			/has a trunk/,
		],
		[
			'statuses of breaks',
			{ events: ['pause', 'unpause'], filters: { statuses: ['ringing'] } },
			/has a status/,
		],
		[
			'callers of calls that left',
			{ events: ['delete_call'], filters: { callerNumber: '+44*' } },
			/has a caller's number/,
		],
		[
			'called numbers of queue events',
			{ notificationTypes: ['queue'], filters: { serviceNumber: '+442079460000' } },
			/Only Incoming Call events include the called number/,
		],
		[
			'called numbers of calls',
			{ mode: 'callOutcomes', filters: { serviceNumber: '+442079460000' } },
			/on request only/,
		],
		[
			'events of another type',
			{ notificationTypes: ['UI'], events: ['insert_call'] },
			/belongs to one of the chosen event types/,
		],
		[
			'agents of missed calls',
			{ mode: 'callOutcomes', outcomes: ['missed'], filters: { agentIds: ['501'] } },
			/A missed call has no agent/,
		],
		[
			'groups of missed calls among others',
			{ mode: 'callOutcomes', filters: { groupIds: ['11'] } },
			/A missed call has no agent/,
		],
	])('are reported: %s', (_name, parameters, message) => {
		expect(warningsOf(parameters)).toEqual([expect.stringMatching(message)]);
	});

	it.each<[string, Parameters]>([
		['nothing is set', {}],
		['the filters are empty', { filters: { agentIds: [], queueIds: '' } }],
		[
			'one of the chosen events has the field',
			{ events: ['insert_call', 'connect_call'], filters: { agentIds: ['501'] } },
		],
		[
			'nothing is chosen, and some event has it',
			{ filters: { trunkIds: ['701'], callerNumber: '+44*' } },
		],
		[
			'an event is not in the documentation',
			{ events: ['new_event'], filters: { agentIds: ['501'] } },
		],
		[
			'an event of an undocumented kind is chosen',
			{ notificationTypes: ['PUSHCALL'], filters: { queueIds: '1' } },
		],
		[
			'answered calls have agents',
			{ mode: 'callOutcomes', outcomes: ['answered'], filters: { agentIds: ['501'] } },
		],
		[
			'missed calls have queues',
			{ mode: 'callOutcomes', outcomes: ['missed'], filters: { queueIds: '301' } },
		],
	])('are not reported if %s', (_name, parameters) => {
		expect(warningsOf(parameters)).toEqual([]);
	});

	it.each<[string, Parameters, boolean]>([
		['nobody is chosen', {}, true],
		['a group is chosen', { filters: { groupIds: ['1'] } }, false],
		[
			'the alert has a group',
			{ alerts: { alert: [{ when: 'agentsAvailableBelow', groupIds: ['1'] }] } },
			false,
		],
		['another alert is chosen', { alerts: { alert: [{ when: 'callersWaiting' }] } }, false],
	])('hints explain what an unknown agent means if %s', (_what, parameters, explains) => {
		const alerts = { alert: [{ when: 'agentsAvailableBelow' }] };
		const said = hintsOf({ mode: 'alerts', alerts, ...parameters }).join();
		expect(said.includes('Choose the team in Group Names or IDs of the alert')).toBe(explains);
	});

	it('hints warn about a whole account, until something narrows it down', () => {
		expect(hintsOf({}).join()).toContain('86,400 executions a day');
		expect(hintsOf({ filters: { queueIds: '301' } }).join()).not.toContain('starts an execution');
		expect(hintsOf({ events: ['login'] }).join()).not.toContain('starts an execution');
		expect(hintsOf({ options: { batchSize: 100 } }).join()).not.toContain('starts an execution');
		expect(hintsOf({ options: { batchSize: 1 } }).join()).toContain('starts an execution');
		expect(hintsOf({ mode: 'callOutcomes' }).join()).not.toContain('starts an execution');
	});

	const nobodyFree = { when: 'agentsAvailableBelow', agents: 1 };
	it.each<[string, Parameters, ...Parameters[]]>([
		[
			'choose Event Types or Event Names or IDs, or set Filters.',
			{},
			{ notificationTypes: ['UI'] },
			{ events: ['login'] },
			{ filters: { queueIds: '301' } },
		],
		['choose Call Outcomes under Trigger On.', {}, { mode: 'callOutcomes' }],
		[
			'Choose other types or events, or remove the filter.',
			{ events: ['insert_call'], filters: { agentIds: ['501'] } },
			{ events: ['connect_call'], filters: { agentIds: ['501'] } },
			{ events: ['insert_call'] },
		],
		[
			'Remove one of the two choices.',
			{ notificationTypes: ['UI'], events: ['insert_call'] },
			{ notificationTypes: ['UI'] },
			{ events: ['insert_call'] },
		],
		[
			'Remove these filters, or choose other outcomes.',
			{ mode: 'callOutcomes', outcomes: ['missed'], filters: { agentIds: ['501'] } },
			{ mode: 'callOutcomes', outcomes: ['missed'] },
			{ mode: 'callOutcomes', outcomes: ['answered'], filters: { agentIds: ['501'] } },
		],
		[
			'Choose the team in Group Names or IDs of the alert',
			{ mode: 'alerts', alerts: { alert: [nobodyFree] } },
			{ mode: 'alerts', alerts: { alert: [{ ...nobodyFree, groupIds: ['11'] }] } },
		],
	])('done as a hint says, it is gone: %s', (words, before, ...done) => {
		expect(hintsOf(before).join()).toContain(words);
		for (const parameters of done) expect(hintsOf(parameters).join()).not.toContain(words);
	});
});

describe('what the panel of the call centre shows', () => {
	const read = (parameters: Parameters) => {
		const given = completed(parameters);
		return readSettings((name, fallback) => given[name] ?? fallback);
	};

	it('gives an added row of each kind its own fields, with the defaults that apply without them', () => {
		const rows = description.properties.find(({ name }) => name === 'alerts');
		const kinds = ALERT_KIND_NAMES.map((when) => ({ when }));
		expect(kinds.length).toBeGreaterThan(8);
		const { alerts } = completed({ mode: 'alerts', alerts: { alert: kinds } }) as {
			alerts: { alert: Array<Record<string, unknown>> };
		};
		alerts.alert.forEach((row, index) => {
			const kind = kindOf(ALERT_KIND_NAMES[index] as AlertKindName);
			const own = [...fieldsOf(kind).map(({ name }) => name), kind.about];
			expect(Object.keys(row).sort()).toEqual(['when', ...own].sort());
		});
		expect(read({ mode: 'alerts', alerts: { alert: kinds } }).callCentre.alerts).toEqual(
			readSettings((name, fallback) =>
				name === 'mode' ? 'alerts' : name === 'alerts' ? { alert: kinds } : fallback,
			).callCentre.alerts,
		);
		expect(rows?.default).toEqual({ alert: [{ when: 'callerWaiting', waitSeconds: 60 }] });
	});

	// n8n fills an added row with the last default of a name, whatever the row is about.
	it('has one default for each name of a field', () => {
		const rows = description.properties.find(({ name }) => name === 'alerts')?.options?.[0];
		const values = rows && 'values' in rows ? rows.values : [];
		const defaults = new Map(values.map((field) => [field.name, field.default]));
		expect(values.map((field) => field.default)).toEqual(
			values.map(({ name }) => defaults.get(name)),
		);
		for (const when of ALERT_KIND_NAMES)
			for (const field of fieldsOf(kindOf(when)))
				expect([field.name, defaults.get(field.name)]).toEqual([field.name, field.default]);
	});

	it.each([
		[{ when: 'callerWaiting', waitSeconds: 60 }, 'Caller waits ≥ 60 s'],
		[{ when: 'callersWaiting', callers: 5 }, 'Callers waiting ≥ 5'],
		[{ when: 'serviceLevelBelow', percent: 80 }, 'Service level < 80%'],
		[{ when: 'callLasting' }, 'Call lasts ≥ 1800 s'],
	])('folds the row %j to "%s"', (row, title) => {
		const rows = description.properties.find(({ name }) => name === 'alerts');
		const { itemTitle = '' } = rows?.typeOptions?.fixedCollection ?? {};
		const expression = itemTitle.replace(/^=\{\{(.*)\}\}$/s, '$1');
		expect(runInNewContext(expression, { $collection: { item: { value: row } } })).toBe(title);
	});
});

describe('the filters that are offered', () => {
	const offered = (parameters: Parameters) =>
		(description.properties.find(({ name }) => name === 'filters')?.options ?? [])
			.filter((option) =>
				NodeHelpers.displayParameter({}, option as never, null, description, {
					feed: 'supervisor',
					mode: 'events',
					filters: {},
					...parameters,
				}),
			)
			.map(({ name }) => name);

	it('include groups only for the supervisor feed', () => {
		const filters = { groupIds: ['11'] };
		expect(completed({ filters })).toMatchObject({ filters });
		expect(offered({})).toContain('groupIds');
		expect(offered({ feed: 'account' })).not.toContain('groupIds');
	});

	it('are, for snapshots, those by which a snapshot is chosen', () => {
		expect(offered({ mode: 'snapshots' })).toEqual(['agentIds', 'groupIds', 'queueIds']);
	});
});

test('each mode is an entry of its own in the node creator, which shows the action of each choice', () => {
	const mode = description.properties.find(({ displayName }) => displayName === 'Trigger On');
	const actions = (mode?.options ?? []).map((option) => 'action' in option && option.action);
	expect(actions).toEqual(expect.arrayContaining(['On missed, answered or ended call']));
	expect(
		actions.filter((action) => typeof action !== 'string' || !/^(On|When) /.test(action)),
	).toEqual([]);
});

// n8n 1.123 sorts parameters so that each comes after those that it depends on, and gives up if a dependency is not a
// parameter beside it. Paths from the root are not affected.
describe.each([
	['trigger', new VoiceManagementTrigger()],
	['action', new VoiceManagement()],
])('every parameter of the %s', (_name, { description: { properties } }) => {
	it('is shown by parameters beside it, or by a path from the root', () => {
		const names = properties.map(({ name }) => name);
		const others = properties.flatMap(({ displayOptions = {} }) =>
			Object.values(displayOptions)
				.flatMap((rules: object) => Object.keys(rules))
				.filter((key) => !names.includes(key) && !/^[/@]/.test(key)),
		);
		expect(others).toEqual([]);
	});
});
