// Reads and checks the parameters of the modes other than `events`: conditions row by row, snapshots, and the options
// of both and of call outcomes.

import { InputError } from '../shared/inputError';
import { MOST_HISTORY_HOURS } from './live/callers';
import { CONDITION_KINDS, type Condition, type ConditionKind } from './live/conditions';
import { SNAPSHOT_PARTS, type SnapshotPart } from './live/snapshots';
import { numberWithin, oneOf, record } from './settingValues';

export interface LiveSettings {
	conditions: readonly Condition[];
	/** Seconds; 0 = once. */
	repeatEvery: number;
	emitResolved: boolean;
	snapshotOf: readonly SnapshotPart[];
	/** Seconds. */
	every: number;
	onlyWhenChanged: boolean;
	/** 0 = since midnight. */
	windowMinutes: number;
	answerWithinSeconds: number;
	shortAbandonSeconds: number;
	includeTimeline: boolean;
	/** 0 = off. */
	callerHistoryHours: number;
}

const LIVE_DEFAULTS = {
	repeatEvery: 0,
	every: 30,
	windowMinutes: 60,
	answerWithinSeconds: 20,
	shortAbandonSeconds: 5,
	callerHistoryHours: 0,
	forSeconds: 0,
	minimumCalls: 10,
} as const;

/** The name of a condition in "Trigger When", and its fields. */
export const CONDITION_TEXTS: Record<
	ConditionKind,
	{
		name: string;
		description: string;
		threshold: 'seconds' | 'number' | 'percent';
		fields: ReadonlyArray<'forSeconds' | 'windowMinutes' | 'answerWithinSeconds' | 'minimumCalls'>;
	}
> = {
	callerWaiting: {
		name: 'Caller Waits Too Long',
		description: 'A caller has been waiting in a queue for this many seconds',
		threshold: 'seconds',
		fields: [],
	},
	callersWaiting: {
		name: 'Too Many Callers Wait',
		description: 'At least this many callers wait in a queue',
		threshold: 'number',
		fields: ['forSeconds'],
	},
	agentsAvailableBelow: {
		name: 'Too Few Agents Available',
		description: 'Fewer agents than this are available. Set to 1 for "no agent is available".',
		threshold: 'number',
		fields: ['forSeconds'],
	},
	agentOnBreak: {
		name: 'Agent on Break Too Long',
		description: 'An agent has been on a break for this many seconds',
		threshold: 'seconds',
		fields: [],
	},
	agentIdle: {
		name: 'Agent Idle Too Long',
		description: 'An agent has been available without a call for this many seconds',
		threshold: 'seconds',
		fields: [],
	},
	agentRinging: {
		name: 'Agent Lets It Ring',
		description: "An agent's phone has been ringing for this many seconds",
		threshold: 'seconds',
		fields: [],
	},
	callLasting: {
		name: 'Call Lasts Too Long',
		description: 'A caller has been talking to an agent for this many seconds',
		threshold: 'seconds',
		fields: [],
	},
	missedCalls: {
		name: 'Too Many Missed Calls',
		description: 'A queue has missed at least this many calls within the window',
		threshold: 'number',
		fields: ['windowMinutes'],
	},
	serviceLevelBelow: {
		name: 'Service Level Too Low',
		description: "Less than this percentage of a queue's calls was answered in time",
		threshold: 'percent',
		fields: ['windowMinutes', 'answerWithinSeconds', 'minimumCalls'],
	},
};

const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;

/** Lowest and highest threshold, and whether it must be a whole number. */
const THRESHOLDS = {
	seconds: { range: [0.1, DAY_SECONDS], whole: false },
	number: { range: [1, 20_000], whole: true },
	percent: { range: [0.1, 100], whole: false },
} as const;

const ROW_FIELDS = {
	forSeconds: { label: 'For (Seconds)', range: [0, DAY_SECONDS], whole: false },
	windowMinutes: { label: 'Window (Minutes)', range: [1, DAY_MINUTES], whole: false },
	answerWithinSeconds: { label: 'Answer Within (Seconds)', range: [1, DAY_SECONDS], whole: false },
	minimumCalls: { label: 'Minimum Calls', range: [1, 20_000], whole: true },
} as const;

/**
 * @param mode decides which parameters are read: those of other modes may have any value
 * @throws InputError that names the field, and the row of a condition
 */
export function readLiveSettings(
	mode: string,
	parameter: (name: string, fallback: unknown) => unknown,
	options: Readonly<Record<string, unknown>>,
): LiveSettings {
	const option = (
		modes: readonly string[],
		name: keyof typeof LIVE_DEFAULTS,
		label: string,
		range: readonly [number, number],
	) =>
		modes.includes(mode)
			? numberWithin(
					label,
					options[name] ?? LIVE_DEFAULTS[name],
					range,
					false,
					'Correct it under "Options", or remove the option to use its default',
				)
			: LIVE_DEFAULTS[name];
	const snapshots = mode === 'snapshots';
	return {
		conditions: mode === 'conditions' ? readConditions(parameter('conditions', {})) : [],
		repeatEvery: option(['conditions'], 'repeatEvery', 'Repeat Every (Seconds)', [0, DAY_SECONDS]),
		emitResolved: options.emitResolved !== false,
		snapshotOf: snapshots ? readParts(parameter('snapshotOf', [])) : [],
		every: snapshots
			? numberWithin(
					'Every (Seconds)',
					parameter('every', LIVE_DEFAULTS.every),
					[1, 3600],
					false,
					'Set "Every (Seconds)" to 30, for example.',
				)
			: LIVE_DEFAULTS.every,
		onlyWhenChanged: parameter('onlyWhenChanged', true) !== false,
		windowMinutes: option(['snapshots'], 'windowMinutes', 'Window (Minutes)', [0, DAY_MINUTES]),
		answerWithinSeconds: option(
			['snapshots', 'callOutcomes'],
			'answerWithinSeconds',
			'Answer Within (Seconds)',
			[1, DAY_SECONDS],
		),
		shortAbandonSeconds: option(
			['snapshots', 'callOutcomes'],
			'shortAbandonSeconds',
			'Short Abandon (Seconds)',
			[0, DAY_SECONDS],
		),
		includeTimeline: mode === 'callOutcomes' && options.includeTimeline === true,
		callerHistoryHours: option(['callOutcomes'], 'callerHistoryHours', 'Caller History (Hours)', [
			0,
			MOST_HISTORY_HOURS,
		]),
	};
}

function readParts(value: unknown): readonly SnapshotPart[] {
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(',').map((part) => part.trim())
			: [value];
	const parts = list
		.filter((part) => part !== '' && part !== undefined && part !== null)
		.map((part) => oneOf('Snapshot Of', part, SNAPSHOT_PARTS));
	return parts.length > 0 ? parts : SNAPSHOT_PARTS;
}

function readConditions(value: unknown): Condition[] {
	let given = value;
	try {
		if (typeof given === 'string') given = JSON.parse(given) as unknown;
	} catch {
		given = undefined;
	}
	const rows: unknown = Array.isArray(given) ? given : record(given).condition;
	if (!Array.isArray(rows) || rows.length === 0) {
		throw new InputError(
			'"Conditions" is empty',
			'Add a condition, for example "Caller Waits Too Long" with a threshold of 60 seconds',
		);
	}
	return rows.map((row, index) => readCondition(record(row), index + 1));
}

function readCondition(row: Record<string, unknown>, number: number): Condition {
	const when = oneOf('When', row.when, CONDITION_KINDS, ` of condition ${number}`);
	const { name, threshold, fields } = CONDITION_TEXTS[when];
	const read = (label: string, given: unknown, range: readonly [number, number], whole: boolean) =>
		numberWithin(
			label,
			given,
			range,
			whole,
			`Correct row ${number} of "Conditions"`,
			` of condition ${number} (${name})`,
		);
	const bounds = THRESHOLDS[threshold];
	const field = (key: keyof typeof ROW_FIELDS) => {
		// A field that does not apply gets the same value in all rows, so that equal rows count as one.
		if (!fields.includes(key)) return LIVE_DEFAULTS[key];
		const { label, range, whole } = ROW_FIELDS[key];
		return read(label, row[key] ?? LIVE_DEFAULTS[key], range, whole);
	};
	return {
		when,
		threshold: read('Threshold', row.threshold, bounds.range, bounds.whole),
		forSeconds: field('forSeconds'),
		windowMinutes: field('windowMinutes'),
		answerWithinSeconds: field('answerWithinSeconds'),
		minimumCalls: field('minimumCalls'),
	};
}
