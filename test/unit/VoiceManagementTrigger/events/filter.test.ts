// Compares the filter with its description, and on random events with a second implementation that was written from the
// contract.

import fc from 'fast-check';
import {
	compileCriteria,
	compileFilter,
	NO_FILTER,
	type FilterSettings,
} from '../../../../nodes/VoiceManagementTrigger/events/filter';
import { readDirectory } from '../../../../nodes/shared/directory';
import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { nth, present } from '../../../support/present';

const directory = readDirectory({
	ops: [
		{ id: 501, nom: 'Ada', groups: [11, '12'] },
		{ id: '502', nom: 'Ben', groups: [13] },
		{ id: 503, nom: 'Cem', groups: [] },
	],
});

function event(type: string, name: string, msg: Record<string, unknown> = {}): FeedEvent {
	const [read] = readUpdate(
		[{ cpt: 1, ts: 1, event: { type_notification: type, event: name, msg } }],
		0,
	);
	if (!read) throw new Error('not readable');
	return read;
}

function passes(settings: Partial<FilterSettings>, subject: FeedEvent): boolean {
	return compileFilter({ ...NO_FILTER, ...settings }, () => directory)(subject);
}

describe('the filter of events', () => {
	const insert = event('queue', 'insert_call', {
		id_queue: '301',
		id_call: 7,
		caller_id_num: '+44 20 7946-0123',
	});

	it('does not match an event without the filtered field', () => {
		expect(passes({ agentIds: ['501'] }, insert)).toBe(false);
		expect(passes({ trunkIds: ['undefined', 'null', ''] }, insert)).toBe(false);
		expect(passes({ callerNumbers: ['*'] }, event('UI', 'login', { id_operator: 501 }))).toBe(
			false,
		);
		expect(passes({ queueIds: ['301'] }, event('queue', 'x', { id_queue: null }))).toBe(false);
	});

	it('matches a group by its agents, and uses the groups of a newer login', () => {
		const ada = event('UI', 'login', { id_operator: '501' });
		expect(passes({ groupIds: ['12'] }, ada)).toBe(true);
		expect(passes({ groupIds: ['13'] }, ada)).toBe(false);
		expect(passes({ groupIds: ['11'] }, event('UI', 'login', { id_operator: 999 }))).toBe(false);
		let current: ReturnType<typeof readDirectory> | undefined;
		const filter = compileFilter({ ...NO_FILTER, groupIds: ['13'] }, () => current);
		expect(filter(ada)).toBe(false);
		current = readDirectory({ ops: [{ id: 501, groups: [13] }] });
		expect(filter(ada)).toBe(true);
		current = directory;
		expect(filter(ada)).toBe(false);
	});
});

describe('the criteria of a followed call', () => {
	const call = {
		agentIds: ['501', '502'],
		queueIds: ['301', '302'],
		trunkIds: [],
		callerNumber: '+4420',
	};
	const matches = (settings: Partial<FilterSettings>) =>
		compileCriteria({ ...NO_FILTER, ...settings }, () => directory)(call);

	it('match if one of the agents, queues or groups matches', () => {
		expect(matches({})).toBe(true);
		expect(matches({ agentIds: ['502'], queueIds: ['301'] })).toBe(true);
		expect(matches({ groupIds: ['13'] })).toBe(true);
		expect(matches({ groupIds: ['99'] })).toBe(false);
		expect(matches({ trunkIds: ['701'] })).toBe(false);
		expect(matches({ callerNumbers: ['+44*'] })).toBe(true);
		expect(matches({ serviceNumbers: ['*'] })).toBe(false);
		expect(matches({ statuses: ['connected'] })).toBe(false);
	});
});

// ── The reference: the contract's sentence, spelled out naively over the raw object. ──

interface Wire {
	type_notification: string;
	event: string;
	msg: Record<string, unknown>;
}

/** Which of the numbers below match each pattern (phoneNumbers.test.ts tests the numbers themselves). */
const NUMBERS_OF: Record<string, string[]> = {
	'+442079460123': ['+442079460123'],
	'+44*': ['+442079460123', '+44 20 7946 0124'],
	'*0123': ['+442079460123'],
	'*990*': ['+33199000801', '0199000801'],
	'+33 199*801': ['+33199000801', '0199000801'],
	'*': ['+442079460123', '+44 20 7946 0124', '+33199000801', '0199000801'],
};

function referenceDecision(wire: Wire, wanted: FilterSettings): boolean {
	const { msg } = wire;
	const asText = (value: unknown) => (value === undefined || value === null ? null : String(value));
	const chosen = (list: readonly string[], value: string | null) =>
		list.length === 0 || (value !== null && list.indexOf(value) !== -1);
	const numberFits = (patterns: readonly string[], value: string | null) => {
		if (patterns.length === 0) return true;
		if (value === null) return false;
		return patterns.some((pattern) => present(NUMBERS_OF[pattern]).includes(value));
	};
	const groupsOf: Record<string, string[]> = { '501': ['11', '12'], '502': ['13'], '503': [] };
	const groups = groupsOf[asText(msg.id_operator) ?? ''] ?? [];
	const status = msg.status ?? msg.statut;
	return (
		chosen(wanted.types, wire.type_notification) &&
		chosen(wanted.events, wire.event) &&
		chosen(wanted.agentIds, asText(msg.id_operator)) &&
		chosen(wanted.queueIds, asText(msg.id_queue)) &&
		chosen(wanted.trunkIds, asText(msg.id_trunk)) &&
		chosen(wanted.statuses, asText(status)) &&
		(wanted.groupIds.length === 0 || groups.some((group) => wanted.groupIds.includes(group))) &&
		numberFits(wanted.callerNumbers, asText(msg.caller_id_num)) &&
		numberFits(wanted.serviceNumbers, asText(msg.service))
	);
}

const mixed = (...ids: number[]) => fc.constantFrom(...ids, ...ids.map(String));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) });
const number = fc.constantFrom('+442079460123', '+44 20 7946 0124', '+33199000801', '0199000801');
const type = fc.constantFrom('operator', 'UI', 'PUSHCALL', 'queue', 'trunk', 'num', 'input');
const name = fc.constantFrom(
	'status',
	'login',
	'insert_call',
	'connect_call',
	'delete_call',
	'start',
);

const wireEvent: fc.Arbitrary<Wire> = fc.record({
	type_notification: type,
	event: name,
	msg: fc
		.record(
			{
				id_operator: maybe(mixed(501, 502, 503, 999)),
				id_queue: maybe(mixed(301, 302)),
				id_trunk: maybe(mixed(701, -702)),
				status: maybe(fc.constantFrom('ringing', 'connected')),
				statut: maybe(fc.constantFrom('ringing', 'available')),
				caller_id_num: maybe(number),
				service: maybe(number),
			},
			{ requiredKeys: [] },
		)
		.map((msg) => ({ ...msg })),
});

const few = (values: fc.Arbitrary<string>) =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.constant<string[]>([]) },
		{ weight: 2, arbitrary: fc.uniqueArray(values, { minLength: 1, maxLength: 3 }) },
	);
const pattern = fc.constantFrom(...Object.keys(NUMBERS_OF));

const anyFilter: fc.Arbitrary<FilterSettings> = fc.record({
	types: few(type),
	events: few(name),
	agentIds: few(fc.constantFrom('501', '502', '999')),
	groupIds: few(fc.constantFrom('11', '12', '13', '14')),
	queueIds: few(fc.constantFrom('301', '302')),
	trunkIds: few(fc.constantFrom('701', '-702')),
	statuses: few(fc.constantFrom('ringing', 'connected', 'available')),
	callerNumbers: few(pattern),
	serviceNumbers: few(pattern),
});

describe('the filter against an independent reference', () => {
	it('decides the same on 10,000 random events and filters', () => {
		let passed = 0;
		fc.assert(
			fc.property(wireEvent, anyFilter, (wire, settings) => {
				const expected = referenceDecision(wire, settings);
				if (expected) passed++;
				const subject = nth(
					wire.type_notification === 'num'
						? readUpdate([{ srv: 1, ...wire }], 0)
						: readUpdate([{ cpt: 1, ts: 1, event: wire }], 0),
					0,
				);
				// A Jest matcher would cost more time than the filter.
				if (compileFilter(settings, () => directory)(subject) !== expected)
					throw new Error(`Not ${String(expected)}`);
			}),
			{ numRuns: 10_000, seed: 20261121 },
		);
		// If hardly any event passed, the comparison would prove little.
		expect(passed).toBeGreaterThan(500);
	});
});
