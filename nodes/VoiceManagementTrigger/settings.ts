// Reads and checks the trigger's parameters: whatever an expression returns, the result is either a usable value or
// an error that names the parameter.

import { InputError } from '../shared/inputError';
import { NO_FILTER, type FilterSettings } from './events/filter';
import { idText } from '../shared/ids';
import { readLiveSettings, type LiveSettings } from './liveSettings';
import { numberWithin, oneOf, record, text } from './settingValues';

export type QueueNames = ReadonlyMap<string, { name: string }>;

const MODES = ['events', 'callOutcomes', 'conditions', 'snapshots'] as const;
export const OUTCOMES = ['answered', 'missed', 'ended', 'returned'] as const;

export interface TriggerSettings {
	feed: 'supervisor' | 'account';
	mode: (typeof MODES)[number];
	filter: FilterSettings;
	/** Empty: all. */
	outcomes: ReadonlyArray<(typeof OUTCOMES)[number]>;
	/** Settings of the modes other than `events`. */
	live: LiveSettings;
	/** Time zone of the workflow. */
	timeZone: string;
	output: 'simplified' | 'raw';
	resolveNames: boolean;
	/** Names of queues by identifier, as the user gave them; undefined if none are given. */
	queueNames: QueueNames | undefined;
	emitFeedStatus: boolean;
	batchSize: number;
	batchIntervalMs: number;
	maxInFlight: number;
	bufferLimit: number;
	silenceTimeoutMs: number;
	redundantConnection: boolean;
	protocol: 'auto' | '4' | '2';
	transport: 'auto' | 'direct' | 'n8n';
	ip: string;
	initAccountType: string;
	/** All arguments of `init` for the account feed; undefined for the built-in form. */
	initArguments?: readonly unknown[];
	socketPath: string;
}

export const DEFAULTS = {
	batchSize: 1,
	batchInterval: 0,
	maxInFlight: 10,
	bufferLimit: 50_000,
	silenceTimeout: 30,
	socketPath: '/socket.io/',
} as const;

/** Lowest and highest value of the numeric parameters. */
export const LIMITS = {
	batchSize: [1, 1000],
	batchInterval: [0, 600_000],
	maxInFlight: [1, 1000],
	bufferLimit: [1, 1_000_000],
	silenceTimeout: [0, 525_600],
} as const;

const LABELS: Record<keyof typeof LIMITS, string> = {
	batchSize: 'Batch Size',
	batchInterval: 'Batch Interval (Ms)',
	maxInFlight: 'Max Executions in Flight',
	bufferLimit: 'Buffer Limit',
	silenceTimeout: 'Silence Timeout (Minutes)',
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
			'Remove this filter and enter the agents of the group in "Agent Names or IDs", or choose the supervisor feed',
		);
	}
	const number = (name: keyof typeof LIMITS, whole = true) =>
		inRange(name, options[name] ?? DEFAULTS[name], whole);
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
		outcomes:
			mode !== 'callOutcomes'
				? []
				: toList(parameter('outcomes', [])).map((outcome) => oneOf('Outcomes', outcome, OUTCOMES)),
		live: readLiveSettings(mode, parameter, options),
		timeZone: mode === 'snapshots' ? timeZone() : 'UTC',
		output: oneOf('Output', onEvents ? parameter('output', 'simplified') : 'simplified', [
			'simplified',
			'raw',
		]),
		// Only the supervisor login brings names.
		resolveNames: feed === 'supervisor' && options.resolveNames !== false,
		queueNames,
		emitFeedStatus: options.emitFeedStatus === true,
		// A snapshot is an execution of its own, with all its items.
		batchSize: mode === 'snapshots' ? 1 : number('batchSize'),
		batchIntervalMs: number('batchInterval'),
		maxInFlight: number('maxInFlight'),
		bufferLimit: number('bufferLimit'),
		silenceTimeoutMs: number('silenceTimeout', false) * 60_000,
		redundantConnection: options.redundantConnection === true,
		protocol: oneOf('Protocol', text(options.protocol) || 'auto', ['auto', '4', '2']),
		transport: oneOf('Transport', options.transport ?? 'auto', ['auto', 'direct', 'n8n']),
		ip: text(parameter('ip', '')) || text(options.ip),
		...(feed === 'account' ? initArguments(options.initArguments) : {}),
		initAccountType: text(options.initAccountType) || (feed === 'account' ? 'api' : 'supervisor'),
		socketPath: socketPath(text(options.socketPath)),
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

/** Identifiers of queues, with each given name replaced by the identifiers that have it. */
function withoutNames(queues: string[], names: QueueNames | undefined): string[] {
	if (!names) return queues;
	const called = (queue: string) =>
		[...names].filter(([, { name }]) => name.toLowerCase() === queue.toLowerCase());
	return queues.flatMap((queue) => {
		const ids = names.has(queue) ? [] : called(queue).map(([id]) => id);
		return ids.length > 0 ? ids : [queue];
	});
}

function inRange(name: keyof typeof LIMITS, value: unknown, whole: boolean): number {
	const remedy = 'Correct it under "Options", or remove the option to use its default';
	return numberWithin(LABELS[name], value, LIMITS[name], whole, remedy);
}

/** The list itself, from JSON text or from an expression; empty means none. */
function initArguments(value: unknown): { initArguments?: readonly unknown[] } {
	if (value === undefined || value === null || value === '') return {};
	let list: unknown = value;
	if (typeof value === 'string') {
		if (value.trim() === '') return {};
		try {
			list = JSON.parse(value) as unknown;
		} catch {
			list = undefined;
		}
	}
	if (!Array.isArray(list)) {
		throw new InputError(
			'"Init Arguments" must be a JSON list',
			'Correct it under "Options", for example ["api", "{clientId}", "{token}"], or leave it empty for the built-in form',
			'the-full-account-feed',
		);
	}
	return list.length > 0 ? { initArguments: list as unknown[] } : {};
}

/** Always with a leading slash; whether it ends with one depends on the server. */
function socketPath(value: string): string {
	const path = value === '' ? DEFAULTS.socketPath : value.startsWith('/') ? value : `/${value}`;
	if (!/[?#\s:\\]|\/\//.test(path)) return path;
	throw new InputError(
		'"Socket Path" must be a path on the voice host',
		'Leave out the host, blanks and any question mark, for example /socket.io/',
	);
}
