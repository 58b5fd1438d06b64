// The rows of the parameter "Alerts": each kind shows its own fields, so that an added row has its own defaults.

import type { INodeProperties } from 'n8n-workflow';
import {
	ALERT_KIND_NAMES,
	DEFAULT_ALERT,
	fieldsOf,
	kindOf,
	type AlertKind,
	type AlertKindName,
	type RowField,
} from '../callCentre/alertKinds';

const kindsWith = (has: (kind: AlertKind) => boolean): AlertKindName[] =>
	ALERT_KIND_NAMES.filter((when) => has(kindOf(when)));

/** One property for each name, shown for the kinds that have it. */
function numberFields(): INodeProperties[] {
	const fields = new Map<string, RowField>();
	for (const when of ALERT_KIND_NAMES)
		for (const field of fieldsOf(kindOf(when))) fields.set(field.name, field);
	return [...fields.values()].map((field) => {
		const { name, label, range, isWhole, description, default: value } = field;
		const has = (kind: AlertKind) => fieldsOf(kind).some((one) => one.name === name);
		return {
			displayName: label,
			name,
			type: 'number',
			typeOptions: { minValue: isWhole ? range[0] : Math.floor(range[0]), maxValue: range[1] },
			displayOptions: { show: { when: kindsWith(has) } },
			default: value,
			description,
		};
	});
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
		default: DEFAULT_ALERT,
		description: 'What to watch',
	},
	...numberFields(),
	{
		displayName: 'Queue IDs',
		name: 'queueIds',
		type: 'string',
		displayOptions: { show: { when: kindsWith(({ about }) => about === 'queueIds') } },
		default: '',
		placeholder: 'e.g. 51, 52',
		description:
			'Only in these queues. Separate identifiers with commas; names work too if you give them in the option Queue Names. Leave empty for all queues that Filters lets through.',
	},
	{
		displayName: 'Group Names or IDs',
		name: 'groupIds',
		type: 'multiOptions',
		// The full account feed does not contain the members of groups.
		displayOptions: {
			show: {
				when: kindsWith(({ about }) => about === 'groupIds'),
				'/feed': ['supervisor'],
			},
		},
		typeOptions: { loadOptionsMethod: 'getGroups' },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		builderHint: {
			propertyHint:
				'Only the agents of these groups, by ID. Leave empty for all agents that Filters lets through.',
		},
	},
];

const ROW = '$collection.item.value';
/** What a folded row says, by its kind: "Caller waits ≥ 60 s". */
const titles = ALERT_KIND_NAMES.map((when) => {
	const { title, threshold } = kindOf(when);
	const [before = '', after = ''] = title.split('#');
	return `${when}: ${JSON.stringify(before)} + (${ROW}.${threshold.name} ?? ${threshold.default}) + ${JSON.stringify(after)}`;
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
	default: { alert: [{ when: 'callerWaiting', waitSeconds: 60 }] },
	options: [{ displayName: 'Alert', name: 'alert', values: rowFields }],
	description:
		'The workflow runs once when an alert starts, for each queue, caller or agent, and again when it is over if Emit Resolved is on',
};
