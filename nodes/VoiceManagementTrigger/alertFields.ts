// The rows of the parameter "Alerts": each kind shows the fields that apply to it, with its own defaults.

import type { INodeProperties } from 'n8n-workflow';
import {
	ALERT_KIND_NAMES,
	kindOf,
	type AlertKind,
	type AlertKindName,
	type AlertUnit,
	type RowFields,
} from './callCentre/alertKinds';
import { ROW_FIELDS, THRESHOLDS } from './callCentreSettings';

const TEXTS: Record<AlertUnit | keyof RowFields, string> = {
	seconds: 'How long it has to last. For several levels, add a row for each.',
	callers: 'How many callers have to wait',
	agents: 'The alert starts while fewer agents than this are available',
	calls: 'How many calls have to be missed',
	percent: 'The alert starts below this service level',
	forSeconds: 'How long it has to last before the workflow runs',
	windowMinutes: 'How far back calls are counted',
	minimumCalls:
		'With fewer calls than this in the window, the service level is not watched. Callers who are late count.',
};

/** One property for each default, shown for the kinds that have it. */
function fields(
	name: AlertUnit | keyof RowFields,
	defaultOf: (kind: AlertKind) => number | undefined,
): INodeProperties[] {
	const { label, range, whole } = { ...THRESHOLDS, ...ROW_FIELDS }[name];
	const kinds = new Map<number, AlertKindName[]>();
	for (const when of ALERT_KIND_NAMES) {
		const value = defaultOf(kindOf(when));
		if (value !== undefined) kinds.set(value, [...(kinds.get(value) ?? []), when]);
	}
	return [...kinds].map(([value, when]) => ({
		displayName: label,
		name,
		type: 'number',
		typeOptions: { minValue: whole ? range[0] : Math.floor(range[0]), maxValue: range[1] },
		displayOptions: { show: { when } },
		default: value,
		description: TEXTS[name],
	}));
}

const rowFields: INodeProperties[] = [
	{
		displayName: 'When',
		name: 'when',
		type: 'options',
		noDataExpression: true,
		options: ALERT_KIND_NAMES.map((value) => {
			const { name, description } = kindOf(value);
			return { name, value, description };
		}),
		default: 'callerWaiting',
		description: 'What to watch',
	},
	...(Object.keys(THRESHOLDS) as AlertUnit[]).flatMap((unit) =>
		fields(unit, (kind) => (kind.unit === unit ? kind.default : undefined)),
	),
	...(Object.keys(ROW_FIELDS) as Array<keyof RowFields>).flatMap((name) =>
		fields(name, ({ further }) => further?.[name]),
	),
];

const ROW = '$collection.item.value';
/** What a folded row says, by its kind: "Caller waits > 60 s". */
const titles = ALERT_KIND_NAMES.map((when) => {
	const { title, unit, default: fallback } = kindOf(when);
	const [before = '', after = ''] = title.split('#');
	return `${when}: ${JSON.stringify(before)} + (${ROW}.${unit} ?? ${fallback}) + ${JSON.stringify(after)}`;
});

export const alerts: INodeProperties = {
	displayName: 'Alerts',
	name: 'alerts',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		fixedCollection: { itemTitle: `={{ ({ ${titles.join(', ')} })[${ROW}.when] }}` },
	},
	displayOptions: { show: { mode: ['alerts'] } },
	placeholder: 'Add Alert',
	default: { alert: [{ when: 'callerWaiting', seconds: kindOf('callerWaiting').default }] },
	options: [{ displayName: 'Alert', name: 'alert', values: rowFields }],
	description:
		'The workflow runs once when an alert starts, for each queue, caller or agent, and again when it is over if Emit Resolved is on',
};
