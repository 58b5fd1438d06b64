// Reads and checks the parameters of the modes other than `events`: alerts row by row, snapshots, and the options of all
// three.

import { InputError } from '../../shared/errors';
import { isRecord } from '../../shared/ids';
import { chosenIn, entry, isOn, numberWithin, oneOf, record } from '../../shared/settingValues';
import { ALERT_KIND_NAMES, DEFAULT_ALERT, kindOf, type RowField } from '../callCentre/alertKinds';
import { PERIODS, type PeriodName } from '../callCentre/calendar';
import type { AlertRow } from '../callCentre/candidates';
import type { FigureSettings } from '../callCentre/figures';
import { SNAPSHOT_PARTS, type SnapshotPart } from '../callCentre/snapshots';
import { idsOf, queuesOf } from './filters';
import type { QueueNames } from './queueNames';

export interface CallCentreSettings {
	/** Shared by all modes. */
	figures: FigureSettings;
	alerts: readonly AlertRow[];
	/** Seconds; 0 = once. */
	repeatEvery: number;
	emitResolved: boolean;
	snapshotOf: readonly SnapshotPart[];
	/** Seconds; undefined: at the end of each period. */
	every: number | undefined;
	period: PeriodName;
	onlyWhenChanged: boolean;
}

/** What holds while an option or a parameter is absent; the panel shows the same values. */
export const CALL_CENTRE_DEFAULTS = {
	repeatEvery: 0,
	every: 30,
	serviceLevelSeconds: 20,
	shortAbandonSeconds: 5,
} as const;
export const DEFAULT_PARTS: readonly SnapshotPart[] = ['queues'];
/** By `snapshotWhen`. */
export const DEFAULT_PERIOD = { every: 'day', interval: '15' } as const;

export const LONGEST_SECONDS = 86_400;

/**
 * @param mode decides which parameters are read: those of other modes may have any value
 * @throws InputError that names the field, and the row of an alert
 */
export function readCallCentreSettings(
	mode: string,
	parameter: (name: string, fallback: unknown) => unknown,
	options: Readonly<Record<string, unknown>>,
	queueNames: QueueNames | undefined,
): CallCentreSettings {
	const option = (
		name: keyof typeof CALL_CENTRE_DEFAULTS,
		label: string,
		least: number,
		isRead = mode !== 'events',
	) => {
		const usual = CALL_CENTRE_DEFAULTS[name];
		const action = 'Correct it under "Options", or remove the option to use its default';
		const range = [least, LONGEST_SECONDS] as const;
		// An alert that is repeated every hundredth of a second is nobody's wish.
		const isWhole = name === 'repeatEvery';
		return isRead
			? numberWithin(label, entry(options, name, usual), range, isWhole, action)
			: usual;
	};
	const snapshots = mode === 'snapshots';
	return {
		figures: {
			serviceLevelSeconds: option('serviceLevelSeconds', 'Service Level (Seconds)', 1),
			shortAbandonSeconds: option('shortAbandonSeconds', 'Short Abandon (Seconds)', 0),
		},
		alerts: mode === 'alerts' ? readAlerts(parameter('alerts', {}), queueNames) : [],
		repeatEvery: option('repeatEvery', 'Repeat Every (Seconds)', 0, mode === 'alerts'),
		emitResolved: isOn('Emit Resolved', entry(options, 'emitResolved', false)),
		snapshotOf: snapshots ? readParts(parameter('snapshotOf', DEFAULT_PARTS)) : DEFAULT_PARTS,
		...(snapshots
			? readTimes(parameter)
			: { every: CALL_CENTRE_DEFAULTS.every, period: DEFAULT_PERIOD.every }),
		onlyWhenChanged: !snapshots || isOn('Only When Changed', parameter('onlyWhenChanged', true)),
	};
}

function readTimes(parameter: (name: string, fallback: unknown) => unknown) {
	const when = oneOf('Snapshot When', parameter('snapshotWhen', 'every'), ['every', 'interval']);
	// A number from an expression means the same.
	const period = oneOf('Period', String(parameter('period', DEFAULT_PERIOD[when])), PERIODS);
	if (when === 'interval') return { every: undefined, period };
	const every = numberWithin(
		'Every (Seconds)',
		parameter('every', CALL_CENTRE_DEFAULTS.every),
		[1, 3600],
		false,
		'Set "Every (Seconds)" to 30, for example',
	);
	return { every, period };
}

function readParts(value: unknown): readonly SnapshotPart[] {
	const parts = chosenIn('Snapshot Of', value).map((part) =>
		oneOf('Snapshot Of', part, SNAPSHOT_PARTS),
	);
	return parts.length > 0 ? parts : SNAPSHOT_PARTS;
}

function readAlerts(value: unknown, queueNames: QueueNames | undefined): AlertRow[] {
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
	return rows.map((row, index) => {
		if (isRecord(row)) return readAlert(row, index + 1, queueNames);
		throw new InputError(
			`Row ${index + 1} of "Alerts" is no alert`,
			`Correct row ${index + 1} of "Alerts"`,
		);
	});
}

function readAlert(
	row: Record<string, unknown>,
	number: number,
	queueNames: QueueNames | undefined,
): AlertRow {
	const when = oneOf(
		'When',
		entry(row, 'when', DEFAULT_ALERT),
		ALERT_KIND_NAMES,
		` of alert ${number}`,
	);
	const kind = kindOf(when);
	const of = ` of alert ${number} (${kind.name})`;
	const read = (field: RowField | undefined) =>
		field === undefined
			? 0
			: numberWithin(
					field.label,
					entry(row, field.name, field.default),
					field.range,
					field.isWhole,
					`Correct row ${number} of "Alerts"`,
					of,
				);
	return {
		when,
		threshold: read(kind.threshold),
		hold: read(kind.hold),
		windowMinutes: read(kind.window),
		minimumCalls: read(kind.minimum),
		queueIds: kind.about === 'queueIds' ? queuesOf(entry(row, 'queueIds'), queueNames, of) : [],
		groupIds: kind.about === 'groupIds' ? idsOf('groupIds', entry(row, 'groupIds'), of) : [],
	};
}
