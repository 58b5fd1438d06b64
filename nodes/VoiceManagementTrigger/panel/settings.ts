// Reads and checks the trigger's parameters: whatever an expression returns, the result is either a usable value or
// an error that names the parameter.

import { InputError } from '../../shared/errors';
import type { FilterSettings } from '../events/filter';
import { NOTIFICATION_TYPES } from '../events/kinds';
import { isTimeZone } from '../callCentre/calendar';
import { readCallCentreSettings, type CallCentreSettings } from './callCentreSettings';
import { checkFilters, readFilters } from './filters';
import { readQueueNames, type QueueNames } from './queueNames';
import { chosenIn, entry, isOn, numberWithin, oneOf, record } from '../../shared/settingValues';

const TYPES = NOTIFICATION_TYPES.map(({ value }) => value);
const MODE_NAMES = ['events', 'callOutcomes', 'alerts', 'snapshots'] as const;
export const OUTCOMES = ['answered', 'missed', 'ended'] as const;

export const DEFAULT_OUTCOMES: ReadonlyArray<(typeof OUTCOMES)[number]> = ['missed'];

export interface TriggerSettings {
	feed: 'supervisor' | 'account';
	mode: (typeof MODE_NAMES)[number];
	filter: FilterSettings;
	/** Empty: all. */
	outcomes: ReadonlyArray<(typeof OUTCOMES)[number]>;
	/** Settings of the modes other than `events`. */
	callCentre: CallCentreSettings;
	/** Time zone of the workflow, an IANA name. */
	timeZone: string;
	output: 'simplified' | 'raw';
	/** Names of queues by identifier, as the user gave them; undefined if none are given. */
	queueNames: QueueNames | undefined;
	emitFeedStatus: boolean;
	/** Minutes between two signs of life; 0: none. */
	statusEvery: number;
	/** Maximum number of items per execution. */
	batchSize: number;
	/** Maximum number of concurrent executions. */
	maxInFlight: number;
	/** How often the events of a failed execution are handed over again. */
	retryFailed: number;
	/**
	 * Maximum weight of all waiting events, beyond which the oldest are dropped, and of all that wait for another try; only
	 * the simulation lowers it.
	 */
	bufferBytes: number;
}

/** A usual event takes about 400 bytes. */
const BUFFER_BYTES = 64 * 2 ** 20;

export const DEFAULTS = {
	batchSize: 1,
	maxInFlight: 10,
	retryFailed: 0,
	statusEvery: 0,
} as const;

/** Lowest and highest value of the numeric parameters. */
export const LIMITS = {
	batchSize: [1, 1000],
	maxInFlight: [1, 1000],
	retryFailed: [0, 10],
	statusEvery: [0, 1440],
} as const;

const OPTION_LABELS: Record<keyof typeof LIMITS, string> = {
	batchSize: 'Batch Size',
	maxInFlight: 'Max Concurrent Executions',
	retryFailed: 'Retry Failed',
	statusEvery: 'Status Every (Minutes)',
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
	const feed = oneOf('Feed', parameter('feed', 'supervisor'), ['supervisor', 'account']);
	const mode = oneOf('Trigger On', parameter('mode', 'events'), MODE_NAMES);
	const onEvents = mode === 'events';
	const emitFeedStatus = isOn('Emit Feed Status', entry(options, 'emitFeedStatus', false));
	const queueNames = readQueueNames(options.queueNames);
	const filter = readFilters(parameter('filters', {}), mode, queueNames);
	const callCentre = readCallCentreSettings(mode, parameter, options, queueNames);
	const alertsByGroup = callCentre.alerts.some((row) => row.groupIds.length > 0);
	if (feed === 'account' && (filter.groupIds.length > 0 || alertsByGroup)) {
		throw new InputError(
			'"Group Names or IDs" can\'t be used with the full account feed, which does not show which agents belong to a group',
			'Remove the groups and enter their agents in the filter "Agent Names or IDs", or choose a credential of the type Voice Management Supervisor API',
		);
	}
	const number = (name: keyof typeof LIMITS) =>
		numberWithin(
			OPTION_LABELS[name],
			entry(options, name, DEFAULTS[name]),
			LIMITS[name],
			name !== 'statusEvery',
			'Correct it under "Options", or remove the option to use its default',
		);
	const outcomes =
		mode !== 'callOutcomes'
			? []
			: chosenIn('Outcomes', parameter('outcomes', DEFAULT_OUTCOMES)).map((outcome) =>
					oneOf('Outcomes', outcome, OUTCOMES),
				);
	checkFilters(filter, mode, outcomes, callCentre);
	return {
		feed,
		mode,
		filter: {
			...filter,
			types: onEvents
				? chosenIn('Event Types', parameter('notificationTypes', [])).map((type) =>
						oneOf('Event Types', type, TYPES),
					)
				: [],
			events: onEvents ? chosenIn('Event Names or IDs', parameter('events', [])) : [],
		},
		outcomes,
		callCentre,
		timeZone: mode === 'snapshots' ? readTimeZone(timeZone()) : 'UTC',
		output: oneOf('Output', onEvents ? parameter('output', 'simplified') : 'simplified', [
			'simplified',
			'raw',
		]),
		queueNames,
		emitFeedStatus,
		// The panel hides it without feed status, so a left-over value is ignored.
		statusEvery: emitFeedStatus ? number('statusEvery') : 0,
		// A snapshot is an execution of its own, with all its items.
		batchSize: mode === 'snapshots' ? 1 : number('batchSize'),
		maxInFlight: number('maxInFlight'),
		retryFailed: number('retryFailed'),
		bufferBytes: BUFFER_BYTES,
	};
}

/** @throws InputError for a zone that nobody knows: figures of another day would be wrong without a word */
function readTimeZone(timeZone: string): string {
	if (isTimeZone(timeZone)) return timeZone;
	throw new InputError(
		`The workflow's time zone "${timeZone}" is unknown`,
		'Choose a time zone in the settings of the workflow',
	);
}
