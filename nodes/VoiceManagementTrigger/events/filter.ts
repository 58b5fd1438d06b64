// Decides which events a trigger wants. Compiled once from the trigger's settings and called for every event of the
// account before anything is copied; a criterion that is not set costs nothing.

import { idText } from '../../shared/ids';
import { numberMatcher } from './phoneNumbers';
import type { Directory, FeedEvent } from '../feed/types';

/** What a trigger wants. An empty list matches everything. */
export interface FilterSettings {
	/** `type_notification` values. */
	types: readonly string[];
	/** `event` values. */
	events: readonly string[];
	agentIds: readonly string[];
	groupIds: readonly string[];
	queueIds: readonly string[];
	trunkIds: readonly string[];
	/** `status` values. */
	statuses: readonly string[];
	/** Telephone numbers in any form; `*` stands for any digits: see phoneNumbers.ts. */
	callerNumbers: readonly string[];
	serviceNumbers: readonly string[];
}

/** The identifiers that all criteria except type and event compare; a missing one is undefined. */
export interface Criteria {
	agentIds: readonly string[];
	queueIds: readonly string[];
	trunkIds: readonly string[];
	status?: string | undefined;
	callerNumber?: string | undefined;
	serviceNumber?: string | undefined;
}

/** For something that concerns no agent, queue or trunk. */
export const NO_CRITERIA: Criteria = { agentIds: [], queueIds: [], trunkIds: [] };

type DirectoryNow = () => Directory | undefined;

export const NO_FILTER: FilterSettings = {
	types: [],
	events: [],
	agentIds: [],
	groupIds: [],
	queueIds: [],
	trunkIds: [],
	statuses: [],
	callerNumbers: [],
	serviceNumbers: [],
};

/**
 * Compiles a predicate over events: true if type and event are among the chosen ones (or none is chosen) and every
 * criterion that is set matches. An event without the field never matches a criterion on it.
 * @param directory the newest session information, which lists the members of groups; read for each decision, so that
 *   the groups of a later login count
 */
export function compileFilter(
	settings: FilterSettings,
	directory: DirectoryNow = () => undefined,
): (event: FeedEvent) => boolean {
	const { types, events, agentIds, groupIds, queueIds, trunkIds, statuses } = settings;
	const checks: Array<(event: FeedEvent) => boolean> = [];
	if (types.length > 0) {
		const wanted = new Set(types);
		checks.push((event) => wanted.has(event.type));
	}
	if (events.length > 0) {
		const wanted = new Set(events);
		checks.push((event) => wanted.has(event.event));
	}
	const onField = (list: readonly string[], read: (event: FeedEvent) => unknown) => {
		if (list.length === 0) return;
		const isWanted = idMatcher(list);
		checks.push((event) => isWanted(read(event)));
	};
	onField(agentIds, (event) => event.msg.id_operator);
	onField(queueIds, (event) => event.msg.id_queue);
	onField(trunkIds, (event) => event.msg.id_trunk);
	onField(statuses, (event) => event.msg.status);
	if (groupIds.length > 0) {
		const inGroups = groupMembership(groupIds, directory);
		checks.push((event) => {
			const id = idText(event.msg.id_operator);
			return id !== undefined && inGroups(id);
		});
	}
	const onNumber = (patterns: readonly string[], read: (event: FeedEvent) => unknown) => {
		if (patterns.length === 0) return;
		const matches = numberMatcher(patterns);
		checks.push((event) => {
			const number = idText(read(event));
			return number !== undefined && matches(number);
		});
	};
	onNumber(settings.callerNumbers, (event) => event.msg.caller_id_num);
	onNumber(settings.serviceNumbers, (event) => event.msg.service);

	const [only, ...others] = checks;
	if (only && others.length === 0) return only;
	return (event) => {
		for (const check of checks) if (!check(event)) return false;
		return true;
	};
}

/**
 * The same criteria for something that may concern several agents, queues or trunks (a followed call): a criterion
 * matches if one of them does. Types and events are ignored.
 */
export function compileCriteria(
	settings: FilterSettings,
	directory: DirectoryNow = () => undefined,
): (subject: Criteria) => boolean {
	const checks: Array<(subject: Criteria) => boolean> = [];
	const onList = (list: readonly string[], read: (subject: Criteria) => readonly string[]) => {
		if (list.length === 0) return;
		const wanted = new Set(list);
		checks.push((subject) => read(subject).some((id) => wanted.has(id)));
	};
	onList(settings.agentIds, (subject) => subject.agentIds);
	onList(settings.queueIds, (subject) => subject.queueIds);
	onList(settings.trunkIds, (subject) => subject.trunkIds);
	if (settings.statuses.length > 0) {
		const wanted = new Set(settings.statuses);
		checks.push(({ status }) => status !== undefined && wanted.has(status));
	}
	if (settings.groupIds.length > 0) {
		const inGroups = groupMembership(settings.groupIds, directory);
		checks.push((subject) => subject.agentIds.some(inGroups));
	}
	const onNumber = (
		patterns: readonly string[],
		read: (subject: Criteria) => string | undefined,
	) => {
		if (patterns.length === 0) return;
		const matches = numberMatcher(patterns);
		checks.push((subject) => {
			const number = read(subject);
			return number !== undefined && matches(number);
		});
	};
	onNumber(settings.callerNumbers, ({ callerNumber }) => callerNumber);
	onNumber(settings.serviceNumbers, ({ serviceNumber }) => serviceNumber);
	return (subject) => checks.every((check) => check(subject));
}

/**
 * The same criteria for a single agent or queue.
 * @param field which of them it is
 */
export function compileMatcher(
	field: 'agentIds' | 'queueIds',
	settings: Partial<FilterSettings>,
	directory?: DirectoryNow,
): (id: string) => boolean {
	if (Object.values(settings).every((list) => list.length === 0)) return () => true;
	const matches = compileCriteria({ ...NO_FILTER, ...settings }, directory);
	return (id) => matches({ ...NO_CRITERIA, [field]: [id] });
}

/**
 * Whether an identifier is one of these, whether sent as a number or as text. Numbers are looked up as numbers:
 * converting each to text, for every event and trigger, would be most of a filter's cost.
 */
function idMatcher(ids: readonly string[]): (value: unknown) => boolean {
	const texts = new Set(ids);
	const numbers = new Set(
		ids.map(Number).filter((id) => Number.isFinite(id) && texts.has(String(id))),
	);
	return (value) => {
		if (typeof value === 'number') return numbers.has(value);
		const id = idText(value);
		return id !== undefined && texts.has(id);
	};
}

/** Whether an agent belongs to one of the groups. The members are computed once per login. */
function groupMembership(
	groupIds: readonly string[],
	directory: DirectoryNow,
): (agentId: string) => boolean {
	const wanted = new Set(groupIds);
	let known: Directory | undefined;
	let members = new Set<string>();
	return (agentId) => {
		const current = directory();
		if (current !== known) {
			known = current;
			members = new Set();
			for (const agent of current?.agents.values() ?? []) {
				if (agent.groups.some((group) => wanted.has(group))) members.add(agent.id);
			}
		}
		return members.has(agentId);
	};
}
