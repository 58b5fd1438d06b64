// Reads and checks the trigger's parameters: whatever an expression returns, the result is either a usable value or
// an error that names the parameter.

import { InputError } from '../shared/inputError';
import { NO_FILTER, type FilterSettings } from './events/filter';
import { idText } from '../shared/ids';
import { readCallCentreSettings, type CallCentreSettings } from './callCentreSettings';
import { numberWithin, oneOf, record, text } from '../shared/settingValues';

export type QueueNames = ReadonlyMap<string, { name: string }>;

const MODES = ['events', 'callOutcomes', 'alerts', 'snapshots'] as const;
export const OUTCOMES = ['answered', 'missed', 'ended', 'reached'] as const;

export const DEFAULT_OUTCOMES: ReadonlyArray<(typeof OUTCOMES)[number]> = ['missed'];

export interface TriggerSettings {
	feed: 'supervisor' | 'account';
	mode: (typeof MODES)[number];
	filter: FilterSettings;
	/** Empty: all. */
	outcomes: ReadonlyArray<(typeof OUTCOMES)[number]>;
	/** Settings of the modes other than `events`. */
	callCentre: CallCentreSettings;
	/** Time zone of the workflow. */
	timeZone: string;
	output: 'simplified' | 'raw';
	/** Names of queues by identifier, as the user gave them; undefined if none are given. */
	queueNames: QueueNames | undefined;
	emitFeedStatus: boolean;
	batchSize: number;
	maxInFlight: number;
	/** How often the events of a failed execution are handed over again. */
	retryFailed: number;
	/** The highest number of waiting events; only the simulation lowers it. */
	bufferLimit: number;
}

export const DEFAULTS = {
	batchSize: 1,
	maxInFlight: 10,
	retryFailed: 0,
} as const;

/** Lowest and highest value of the numeric parameters. */
export const LIMITS = {
	batchSize: [1, 1000],
	maxInFlight: [1, 1000],
	retryFailed: [0, 10],
} as const;

const LABELS: Record<keyof typeof LIMITS, string> = {
	batchSize: 'Batch Size',
	maxInFlight: 'Max Concurrent Executions',
	retryFailed: 'Retry Failed',
};

/**
 * Reads and checks the parameters.
 * @param parameter gives a parameter's value with its expressions resolved, or the fallback
 * @param timeZone the workflow's, an IANA name
 * @throws InputError
 */
export function readSettings(
	parameter: (name: string, fallback: unknown) => unknown,
	timeZone: () => string = () => 'UTC',
): TriggerSettings {
	const options = record(parameter('options', {}));
	const filters = record(parameter('filters', {}));
	const feed = oneOf('Feed', parameter('feed', 'supervisor'), ['supervisor', 'account']);
	const mode = oneOf('Trigger On', parameter('mode', 'events'), MODES);
	const onEvents = mode === 'events';
	const queueNames = readQueueNames(options.queueNames);
	const groupIds = toList(filters.groupIds);
	if (feed === 'account' && groupIds.length > 0) {
		throw new InputError(
			'"Group Names or IDs" can\'t be used with the full account feed, which does not show which agents belong to a group',
			'Remove this filter and enter the agents of the group in "Agent Names or IDs", or choose a credential of the type Voice Management Supervisor API',
		);
	}
	const number = (name: keyof typeof LIMITS) =>
		numberWithin(
			LABELS[name],
			options[name] ?? DEFAULTS[name],
			LIMITS[name],
			true,
			'Correct it under "Options", or remove the option to use its default',
		);
	const outcomes =
		mode !== 'callOutcomes'
			? []
			: toList(parameter('outcomes', DEFAULT_OUTCOMES)).map((outcome) =>
					oneOf('Outcomes', outcome, OUTCOMES),
				);
	const callCentre = readCallCentreSettings(mode, parameter, options);
	if (outcomes.length === 1 && outcomes[0] === 'reached' && callCentre.callerHistoryHours === 0) {
		throw new InputError(
			'"Outcomes" is Reached alone, which never comes without the option "Caller History (Hours)"',
			'Add the option under "Options", for example with 24, or choose other outcomes',
		);
	}
	return {
		feed,
		mode,
		filter: {
			...NO_FILTER,
			types: onEvents ? toList(parameter('notificationTypes', [])) : [],
			events: onEvents ? toList(parameter('events', [])) : [],
			agentIds: toList(filters.agentIds),
			groupIds,
			queueIds: withoutNames(toList(filters.queueIds), queueNames),
			trunkIds: toList(filters.trunkIds),
			// An outcome has no status: the panel hides this filter there, so a left-over value is ignored.
			statuses: onEvents ? toList(filters.statuses) : [],
			callerNumbers: toList(filters.callerNumber),
			serviceNumbers: toList(filters.serviceNumber),
		},
		outcomes,
		callCentre,
		timeZone: mode === 'snapshots' ? timeZone() : 'UTC',
		output: oneOf('Output', onEvents ? parameter('output', 'simplified') : 'simplified', [
			'simplified',
			'raw',
		]),
		queueNames,
		emitFeedStatus: options.emitFeedStatus === true,
		// A snapshot is an execution of its own, with all its items.
		batchSize: mode === 'snapshots' ? 1 : number('batchSize'),
		maxInFlight: number('maxInFlight'),
		retryFailed: number('retryFailed'),
		// Its size in bytes is the limit: so many events are always larger than that.
		bufferLimit: 1_000_000,
	};
}

/** Identifiers from a list, a comma-separated text or a single number. */
export function toList(value: unknown): string[] {
	const parts = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(/[,;\n]/)
			: [value];
	const ids = parts.map((part) => idText(part)).filter((id) => id !== undefined);
	return [...new Set(ids)];
}

/**
 * Names of queues: `[{ id_queue, name }]`, as JSON text or as rows of the panel's collection.
 * @throws InputError for anything else
 */
function readQueueNames(value: unknown): QueueNames | undefined {
	let list = value;
	try {
		if (typeof value === 'string') list = JSON.parse(value.trim() === '' ? '[]' : value);
	} catch {
		list = null;
	}
	const rows: unknown = Array.isArray(list)
		? list
		: Object.values(record(list)).find(Array.isArray);
	const names = new Map<string, { name: string }>();
	for (const row of Array.isArray(rows) ? rows : []) {
		const { id_queue: id, name } = record(row);
		const queue = text(id);
		if (queue !== '' && text(name) !== '') names.set(queue, { name: text(name) });
	}
	const given = Array.isArray(rows) ? rows.length > 0 : list === null;
	if (given && names.size === 0) {
		throw new InputError(
			'"Queue Names" must be a list of queues with their names',
			'Give each queue its ID and its name, for example [{ "id_queue": 51, "name": "Sales" }]',
		);
	}
	return names.size === 0 ? undefined : names;
}

/**
 * Identifiers of queues, with each given name replaced by the identifiers that have it.
 * @throws InputError for a name that no row has: as an identifier it would match nothing
 */
function withoutNames(queues: string[], names: QueueNames | undefined): string[] {
	if (!names) return queues;
	const called = (queue: string) =>
		[...names].filter(([, { name }]) => name.toLowerCase() === queue.toLowerCase());
	return queues.flatMap((queue) => {
		const ids = names.has(queue) ? [queue] : called(queue).map(([id]) => id);
		if (ids.length > 0) return ids;
		if (/\d/.test(queue)) return [queue];
		throw new InputError(
			`"Queue IDs" has the queue ${queue}, which "Queue Names" does not have`,
			`"Queue Names" has ${[...names.values()].map(({ name }) => name).join(', ')}. Correct the name, or add a row with it and the ID of the queue`,
		);
	});
}
