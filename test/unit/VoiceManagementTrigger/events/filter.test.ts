// What test/integration/VoiceManagementTrigger/filters.test.ts does not show, which compares every filter and every pair
// of them with a second implementation: fields that are missing, newer groups, followed calls.

import {
	compileCriteria,
	compileFilter,
	NO_FILTER,
	type FilterSettings,
} from '../../../../nodes/VoiceManagementTrigger/events/filter';
import { readDirectory } from '../../../../nodes/shared/directory';
import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';

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
