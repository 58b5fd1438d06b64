// The parameters as the trigger reads them, and how they are described.

import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../nodes/shared/errors';
import { toList } from '../../../../nodes/shared/settingValues';
import {
	DEFAULTS,
	LIMITS,
	readSettings,
} from '../../../../nodes/VoiceManagementTrigger/panel/settings';
import { VoiceManagementTrigger } from '../../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';

const read = (parameters: Record<string, unknown> = {}) =>
	readSettings((name, fallback) => parameters[name] ?? fallback);

const { description } = new VoiceManagementTrigger();
const property = (name: string) =>
	description.properties.find((one) => one.name === name) as INodeProperties;
const optionsOf = (name: string) => property(name).options as INodeProperties[];

describe('a group filter', () => {
	const filters = { groupIds: ['11'] };

	it('is rejected on the full account feed, which has no groups, with a remedy', () => {
		expect(read({ filters }).filter.groupIds).toEqual(['11']);
		expect(() => read({ feed: 'account', filters })).toThrow(/Group Names or IDs/);
		expect(read({ feed: 'account', filters: { groupIds: [] } }).filter.groupIds).toEqual([]);
	});
});

describe('values that an expression gives as text', () => {
	it('are read as what they say', () => {
		const { emitFeedStatus, callCentre } = read({
			mode: 'alerts',
			alerts: { alert: [{ when: 'callerWaiting', waitSeconds: 30 }] },
			options: { emitFeedStatus: 'true', emitResolved: 'true' },
		});
		expect([emitFeedStatus, callCentre.emitResolved]).toEqual([true, true]);
		const snapshots = read({ mode: 'snapshots', onlyWhenChanged: 'false' });
		expect(snapshots.callCentre.onlyWhenChanged).toBe(false);
		expect(read({ filters: { queueIds: '[51, "52"]' } }).filter.queueIds).toEqual(['51', '52']);
	});

	it('are refused if they say nothing', () => {
		expect(() => read({ options: { emitFeedStatus: 'yes' } })).toThrow(
			'"Emit Feed Status" has an invalid value',
		);
	});
});

describe('names of queues', () => {
	const list = [
		{ id_queue: 51, name: 'Sales' },
		{ id_queue: '52', name: 'Support' },
		{ id_queue: 'Q-7', name: 'Night' },
	];

	it.each<[string, unknown]>([
		['a list', list],
		['JSON text', JSON.stringify(list)],
		['rows of the panel', { queue: list }],
	])('are read from %s, and are translated in the filter', (_name, queueNames) => {
		const settings = read({
			options: { queueNames },
			filters: { queueIds: 'sales, 52, 60, Q-7' },
		});
		expect([...(settings.queueNames ?? [])]).toEqual([
			['51', { name: 'Sales' }],
			['52', { name: 'Support' }],
			['Q-7', { name: 'Night' }],
		]);
		expect(settings.filter.queueIds).toEqual(['51', '52', '60', 'Q-7']);
	});

	it.each(['Marketing', 'Sales 2', 'Support24'])(
		'have to include each name in the filter, which would match nothing otherwise: %s',
		(name) => {
			const filters = { queueIds: `51, ${name}` };
			expect(() => read({ options: { queueNames: list }, filters })).toThrow(
				`"Queue IDs" has the queue ${name}, which "Queue Names" does not have`,
			);
		},
	);

	it.each([
		['has no name', { id_queue: 53, name: ' ' }],
		['has no ID', { id_queue: '', name: 'Marketing' }],
		['has the ID Sales, which is no ID', { id_queue: 'Sales', name: '51' }],
		['has the ID 51, as a row before', { id_queue: 51, name: 'Marketing' }],
	])('with a row that %s are refused with its number', (says, row) => {
		expect(() => read({ options: { queueNames: [...list, row] } })).toThrow(
			`Row 4 of "Queue Names" ${says}`,
		);
	});

	it.each([[undefined], [''], ['[]'], [[]], [{}], [{ queue: [] }]])(
		'are empty for %j',
		(queueNames) => {
			expect(read({ options: { queueNames } }).queueNames).toBeUndefined();
		},
	);

	it.each([
		['Sales'],
		['{"a'],
		[[{ name: 'Sales' }]],
		[[51]],
		[5],
		[{ 51: 'Sales' }],
		['{"51":"Sales"}'],
	])('are rejected as %j', (queueNames) => {
		expect(() => read({ options: { queueNames } })).toThrow(/Queue Names/);
	});
});

describe('the settings', () => {
	it('are those of the contract if nothing is set', () => {
		expect(read()).toEqual({
			feed: 'supervisor',
			mode: 'events',
			filter: expect.objectContaining({ types: [], events: [] }),
			outcomes: [],
			callCentre: {
				figures: { serviceLevelSeconds: 20, shortAbandonSeconds: 5 },
				alerts: [],
				repeatEvery: 0,
				emitResolved: false,
				snapshotOf: ['queues'],
				every: 30,
				period: 'day',
				onlyWhenChanged: true,
			},
			timeZone: 'UTC',
			output: 'simplified',
			queueNames: undefined,
			emitFeedStatus: false,
			batchSize: 1,
			maxInFlight: 10,
			retryFailed: 0,
			statusEvery: 0,
			bufferBytes: 64 * 2 ** 20,
		});
	});

	it('accept numbers as text, as expressions yield them', () => {
		expect(read({ options: { batchSize: '100' } }).batchSize).toBe(100);
	});

	it.each([
		['batchSize', 0],
		['batchSize', 1001],
		['batchSize', 1.5],
		['batchSize', null],
		['maxInFlight', undefined],
		['batchSize', Number.NaN],
		['batchSize', []],
		['retryFailed', -1],
		['maxInFlight', 0],
		['retryFailed', 11],
	])('reject %s = %p, with its name', (name, value) => {
		const attempt = () => read({ options: { [name]: value } });
		const label = optionsOf('options').find((one) => one.name === name)?.displayName;
		expect(attempt).toThrow(InputError);
		expect(attempt).toThrow(`"${label}" must be a`);
	});

	it('reject a switch whose expression finds nothing', () => {
		for (const emitFeedStatus of [null, undefined])
			expect(() => read({ options: { emitFeedStatus } })).toThrow(
				'"Emit Feed Status" has an invalid value',
			);
	});

	it('accept lists as lists, as text and as single values', () => {
		expect(toList(['1', 2, ' 3 ', '', null, 2])).toEqual(['1', '2', '3']);
		expect(toList('1, 2;3\n4,,')).toEqual(['1', '2', '3', '4']);
		expect(toList(7)).toEqual(['7']);
		expect(toList(undefined)).toEqual([]);
		expect(toList({})).toEqual([]);
	});

	it('ignore what belongs to the other kind of trigger', () => {
		const calls = read({
			mode: 'callOutcomes',
			notificationTypes: ['UI'],
			events: ['login'],
			output: 'raw',
			filters: { statuses: ['ringing'], queueIds: 5 },
			outcomes: ['missed'],
		});
		expect(calls).toMatchObject({ output: 'simplified', outcomes: ['missed'] });
		expect(calls.filter).toMatchObject({ types: [], events: [], statuses: [], queueIds: ['5'] });
		expect(read({ outcomes: ['missed'] }).outcomes).toEqual([]);
	});

	it('are not accepted with a time zone that nobody knows, where figures are of its days', () => {
		const zoned = (mode: string) =>
			readSettings(
				(name, fallback) => (name === 'mode' ? mode : fallback),
				() => 'Nowhere/Land',
			);
		expect(() => zoned('snapshots')).toThrow('time zone "Nowhere/Land" is unknown');
		expect(() => zoned('callOutcomes')).not.toThrow();
	});

	it('reject groups of an alert on the full account feed', () => {
		const alert = [{ when: 'agentIdle', groupIds: ['11'] }];
		expect(() => read({ feed: 'account', mode: 'alerts', alerts: { alert } })).toThrow(
			/Group Names or IDs/,
		);
	});
});

describe('the panel', () => {
	it('has the parameters of the contract, with their values', () => {
		const values = (name: string) =>
			(property(name).options as Array<{ value: string }>).map(({ value }) => value);
		expect(values('feed')).toEqual(['supervisor', 'account']);
		expect(values('mode')).toEqual(['callOutcomes', 'alerts', 'snapshots', 'events']);
		expect(values('snapshotOf').sort()).toEqual(['agents', 'queues', 'totals']);
		expect(values('notificationTypes')).toEqual(
			'operator UI PUSHCALL queue trunk num input'.split(' '),
		);
		expect(values('outcomes')).toEqual(['answered', 'missed', 'ended']);
		expect(values('output')).toEqual(['simplified', 'raw']);
		expect(
			optionsOf('filters')
				.map(({ name }) => name)
				.sort(),
		).toEqual('agentIds callerNumber groupIds queueIds serviceNumber statuses trunkIds'.split(' '));
		expect(
			optionsOf('options')
				.map(({ name }) => name)
				.sort(),
		).toEqual(
			'batchSize emitFeedStatus emitResolved maxInFlight queueNames repeatEvery retryFailed serviceLevelSeconds shortAbandonSeconds statusEvery'.split(
				' ',
			),
		);
	});

	it('shows the defaults and limits of the trigger', () => {
		for (const [name, standard] of Object.entries(DEFAULTS)) {
			expect([name, optionsOf('options').find((one) => one.name === name)?.default]).toEqual([
				name,
				standard,
			]);
		}
		for (const name of ['batchSize', 'maxInFlight', 'retryFailed'] as const) {
			const { typeOptions } = optionsOf('options').find((one) => one.name === name) ?? {};
			expect([name, typeOptions?.minValue, typeOptions?.maxValue]).toEqual([name, ...LIMITS[name]]);
		}
	});

	it('describes every parameter in a sentence', () => {
		const all = [...description.properties, ...optionsOf('filters'), ...optionsOf('options')];
		for (const { name, type, description: text } of all) {
			if (type === 'notice' || name === 'options') continue;
			expect([name, (text ?? '').length > 20]).toEqual([name, true]);
		}
	});

	it('loads its lists with methods that exist', () => {
		const { loadOptions } = new VoiceManagementTrigger().methods;
		const named = [...description.properties, ...optionsOf('filters')]
			.map(({ typeOptions }) => typeOptions?.loadOptionsMethod)
			.filter((method) => method !== undefined);
		expect([...named].sort()).toEqual(Object.keys(loadOptions).sort());
	});

	it('is a trigger that no agent can use as a tool', () => {
		expect(description).toMatchObject({
			name: 'voiceManagementTrigger',
			displayName: 'Voice Management Trigger',
			version: 1,
			group: ['trigger'],
			inputs: [],
		});
		expect(description).not.toHaveProperty('usableAsTool');
	});
});
