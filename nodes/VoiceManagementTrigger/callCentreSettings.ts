// Reads and checks the parameters of the modes other than `events`: alerts row by row, snapshots, and the options of
// all three.

import { InputError } from '../shared/inputError';
import { MOST_HISTORY_HOURS } from './callCentre/callers';
import { ALERT_KIND_NAMES, kindOf, type AlertUnit, type RowFields } from './callCentre/alertKinds';
import type { Alert } from './callCentre/alerts';
import {
	SERVICE_LEVEL_FORMULAS,
	type FigureSettings,
	type ServiceLevelFormula,
} from './callCentre/figures';
import { SNAPSHOT_PARTS, type SnapshotPart } from './callCentre/snapshots';
import { numberWithin, oneOf, record } from '../shared/settingValues';

export interface CallCentreSettings {
	/** Shared by all modes. */
	figures: FigureSettings;
	alerts: readonly Alert[];
	/** Seconds; 0 = once. */
	repeatEvery: number;
	emitResolved: boolean;
	snapshotOf: readonly SnapshotPart[];
	/** Seconds; undefined: at the end of each interval. */
	every: number | undefined;
	intervalMinutes: number;
	onlyWhenChanged: boolean;
	/** 0 = since midnight. */
	windowMinutes: number;
	includeTimeline: boolean;
	/** 0 = off. */
	callerHistoryHours: number;
}

/** What holds while an option or a parameter is absent; the panel shows the same values. */
export const DEFAULTS = {
	repeatEvery: 0,
	every: 30,
	intervalMinutes: 15,
	windowMinutes: 60,
	serviceLevelSeconds: 20,
	shortAbandonSeconds: 5,
	serviceLevelTarget: 80,
	callerHistoryHours: 0,
} as const;
export const DEFAULT_FORMULA: ServiceLevelFormula = 'withoutShort';
export const DEFAULT_PARTS: readonly SnapshotPart[] = ['queues'];
export const FORMULA_NAMES = Object.keys(SERVICE_LEVEL_FORMULAS) as ServiceLevelFormula[];

const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;

interface Field {
	label: string;
	range: readonly [number, number];
	whole: boolean;
}

/** The field of a row's threshold, by its unit. */
export const THRESHOLDS: Record<AlertUnit, Field> = {
	seconds: { label: 'Seconds', range: [0.1, DAY_SECONDS], whole: false },
	callers: { label: 'Callers', range: [1, 20_000], whole: true },
	agents: { label: 'Agents', range: [1, 10_000], whole: true },
	calls: { label: 'Calls', range: [1, 20_000], whole: true },
	percent: { label: 'Percent', range: [0.1, 100], whole: false },
};

/** `absent`: its value in rows to which it does not apply, so that equal rows count as one. */
export const ROW_FIELDS: Record<keyof RowFields, Field & { absent: number }> = {
	forSeconds: { label: 'For (Seconds)', range: [0, DAY_SECONDS], whole: false, absent: 0 },
	windowMinutes: { label: 'Window (Minutes)', range: [1, DAY_MINUTES], whole: false, absent: 0 },
	minimumCalls: { label: 'Minimum Calls', range: [1, 20_000], whole: true, absent: 0 },
};

const MODES_OF_FIGURES = ['callOutcomes', 'alerts', 'snapshots'];

/**
 * @param mode decides which parameters are read: those of other modes may have any value
 * @throws InputError that names the field, and the row of an alert
 */
export function readCallCentreSettings(
	mode: string,
	parameter: (name: string, fallback: unknown) => unknown,
	options: Readonly<Record<string, unknown>>,
): CallCentreSettings {
	const option = (
		modes: readonly string[],
		name: keyof typeof DEFAULTS,
		label: string,
		range: readonly [number, number],
	) =>
		modes.includes(mode)
			? numberWithin(
					label,
					options[name] ?? DEFAULTS[name],
					range,
					false,
					'Correct it under "Options", or remove the option to use its default',
				)
			: DEFAULTS[name];
	const snapshots = mode === 'snapshots';
	const ofFigures = MODES_OF_FIGURES.includes(mode);
	return {
		figures: {
			serviceLevelSeconds: option(
				MODES_OF_FIGURES,
				'serviceLevelSeconds',
				'Service Level (Seconds)',
				[1, DAY_SECONDS],
			),
			shortAbandonSeconds: option(
				MODES_OF_FIGURES,
				'shortAbandonSeconds',
				'Short Abandon (Seconds)',
				[0, DAY_SECONDS],
			),
			serviceLevelFormula: oneOf(
				'Service Level Formula',
				ofFigures ? (options.serviceLevelFormula ?? DEFAULT_FORMULA) : DEFAULT_FORMULA,
				FORMULA_NAMES,
			),
			serviceLevelTarget: option(
				['snapshots'],
				'serviceLevelTarget',
				'Service Level Target (Percent)',
				[1, 99.9],
			),
		},
		alerts: mode === 'alerts' ? readAlerts(parameter('alerts', {})) : [],
		repeatEvery: option(['alerts'], 'repeatEvery', 'Repeat Every (Seconds)', [0, DAY_SECONDS]),
		emitResolved: options.emitResolved === true,
		snapshotOf: snapshots ? readParts(parameter('snapshotOf', DEFAULT_PARTS)) : DEFAULT_PARTS,
		...(snapshots ? readTimes(parameter) : { every: DEFAULTS.every, intervalMinutes: 15 }),
		onlyWhenChanged: parameter('onlyWhenChanged', true) !== false,
		windowMinutes: option(['snapshots'], 'windowMinutes', 'Window (Minutes)', [0, DAY_MINUTES]),
		includeTimeline: mode === 'callOutcomes' && options.includeTimeline === true,
		callerHistoryHours: option(['callOutcomes'], 'callerHistoryHours', 'Caller History (Hours)', [
			0,
			MOST_HISTORY_HOURS,
		]),
	};
}

function readTimes(parameter: (name: string, fallback: unknown) => unknown) {
	const when = oneOf('Snapshot When', parameter('snapshotWhen', 'every'), ['every', 'interval']);
	if (when === 'every') {
		const every = numberWithin(
			'Every (Seconds)',
			parameter('every', DEFAULTS.every),
			[1, 3600],
			false,
			'Set "Every (Seconds)" to 30, for example',
		);
		return { every, intervalMinutes: DEFAULTS.intervalMinutes };
	}
	const remedy = 'Choose 5, 15, 30 or 60 minutes';
	const intervalMinutes = numberWithin(
		'Interval (Minutes)',
		parameter('intervalMinutes', DEFAULTS.intervalMinutes),
		[1, 60],
		true,
		remedy,
	);
	if (60 % intervalMinutes > 0)
		throw new InputError('"Interval (Minutes)" must divide the hour', remedy);
	return { every: undefined, intervalMinutes };
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

function readAlerts(value: unknown): Alert[] {
	let given = value;
	try {
		if (typeof given === 'string') given = JSON.parse(given) as unknown;
	} catch {
		given = undefined;
	}
	const rows: unknown = Array.isArray(given) ? given : record(given).alert;
	if (!Array.isArray(rows) || rows.length === 0) {
		throw new InputError(
			'"Alerts" is empty',
			'Add an alert, for example "Caller Waits Too Long" with 60 seconds',
		);
	}
	return rows.map((row, index) => readAlert(record(row), index + 1));
}

function readAlert(row: Record<string, unknown>, number: number): Alert {
	const when = oneOf('When', row.when, ALERT_KIND_NAMES, ` of alert ${number}`);
	const kind = kindOf(when);
	const read = ({ label, range, whole }: Field, given: unknown, fallback: number) =>
		numberWithin(
			label,
			given === undefined ? fallback : given,
			range,
			whole,
			`Correct row ${number} of "Alerts"`,
			` of alert ${number} (${kind.name})`,
		);
	const further = (name: keyof RowFields) => {
		const fallback = kind.further?.[name];
		const field = ROW_FIELDS[name];
		return fallback === undefined ? field.absent : read(field, row[name], fallback);
	};
	return {
		when,
		threshold: read(THRESHOLDS[kind.unit], row[kind.unit], kind.default),
		forSeconds: further('forSeconds'),
		windowMinutes: further('windowMinutes'),
		minimumCalls: further('minimumCalls'),
	};
}
