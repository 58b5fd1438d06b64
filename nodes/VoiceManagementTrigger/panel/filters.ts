// Reads and checks the filters: one that a mode can't use, or that nothing can ever match, is refused at once.

import { InputError } from '../../shared/errors';
import { chosenIn, entry, record } from '../../shared/settingValues';
import { kindOf, type AlertKind } from '../callCentre/alertKinds';
import type { AlertRow } from '../callCentre/candidates';
import { NO_FILTER, type FilterSettings } from '../events/filter';
import { canBeId, queuesNamed, type QueueNames } from './queueNames';

const FILTER_LABELS = {
	agentIds: 'Agent Names or IDs',
	groupIds: 'Group Names or IDs',
	queueIds: 'Queue IDs',
	trunkIds: 'Trunk Names or IDs',
	callerNumbers: 'Caller Number',
	serviceNumbers: 'Service Number',
} as const;

type FilterName = keyof typeof FILTER_LABELS;

type ModeName = 'events' | 'callOutcomes' | 'alerts' | 'snapshots';

/** The modes that can use a filter, by its name in the panel; all modes can use the others. */
export const MODES_OF_FILTER: Readonly<
	Record<'callerNumber' | 'serviceNumber' | 'statuses' | 'trunkIds', ModeName[]>
> = {
	callerNumber: ['events', 'callOutcomes', 'alerts'],
	serviceNumber: ['events', 'callOutcomes', 'alerts'],
	statuses: ['events'],
	trunkIds: ['events', 'callOutcomes'],
};

/** @throws InputError that names the filter */
export function readFilters(
	value: unknown,
	mode: ModeName,
	queueNames: QueueNames | undefined,
): FilterSettings {
	const filters = record(value);
	// n8n drops what the panel hides in a mode.
	const of = (name: keyof typeof MODES_OF_FILTER, label: string) =>
		MODES_OF_FILTER[name].includes(mode) ? chosenIn(label, entry(filters, name)) : [];
	return {
		...NO_FILTER,
		agentIds: idsOf('agentIds', entry(filters, 'agentIds')),
		groupIds: idsOf('groupIds', entry(filters, 'groupIds')),
		queueIds: queuesOf(entry(filters, 'queueIds'), queueNames),
		trunkIds: idsOf('trunkIds', of('trunkIds', FILTER_LABELS.trunkIds)),
		statuses: of('statuses', 'Statuses'),
		callerNumbers: of('callerNumber', FILTER_LABELS.callerNumbers),
		serviceNumbers: of('serviceNumber', FILTER_LABELS.serviceNumbers),
	};
}

/** @throws InputError for a name that nobody gave, see {@link queuesNamed} */
export function queuesOf(value: unknown, names: QueueNames | undefined, of = ''): string[] {
	return queuesNamed(chosenIn(FILTER_LABELS.queueIds, value, of), names, of);
}

/** @throws InputError for a name: as an identifier it would match nothing */
export function idsOf(
	field: 'agentIds' | 'groupIds' | 'trunkIds',
	value: unknown,
	of = '',
): string[] {
	const ids = chosenIn(FILTER_LABELS[field], value, of);
	const name = ids.find((id) => !canBeId(id));
	if (name === undefined) return ids;
	throw new InputError(
		`"${FILTER_LABELS[field]}"${of} has ${name}, which is no ID`,
		'Choose from the list, which knows the ID of each name, or enter the ID',
	);
}

/** Which filters narrow an alert of this kind. */
function filtersOf({ watched }: AlertKind): readonly FilterName[] {
	switch (watched.of) {
		case 'caller':
			return ['queueIds', 'callerNumbers', 'serviceNumbers'];
		case 'call':
			return ['queueIds', 'callerNumbers', 'serviceNumbers', 'agentIds', 'groupIds'];
		case 'queue':
		case 'window':
			return ['queueIds'];
		case 'agent':
		case 'agents':
			return ['agentIds', 'groupIds'];
	}
}

const isChosen = (filter: FilterSettings, names: readonly FilterName[]) =>
	names.find((name) => filter[name].length > 0);

/**
 * Refuses what would be a silent nothing, or the whole company where a part was meant.
 * @param outcomes empty: all
 * @throws InputError
 */
export function checkFilters(
	filter: FilterSettings,
	mode: ModeName,
	outcomes: readonly string[],
	{ alerts, snapshotOf }: { alerts: readonly AlertRow[]; snapshotOf: readonly string[] },
): void {
	const all = Object.keys(FILTER_LABELS) as FilterName[];
	if (mode === 'alerts') {
		for (const [index, row] of alerts.entries()) {
			const kind = kindOf(row.when);
			const used = filtersOf(kind);
			const { queueIds } = row;
			const isApart = !queueIds.some((id) => filter.queueIds.includes(id));
			if (queueIds.length > 0 && filter.queueIds.length > 0 && isApart)
				throw new InputError(
					`"Queue IDs" of alert ${index + 1} (${kind.name}) has no queue that the filter "Queue IDs" lets through`,
					'Remove the filter, or change the row',
				);
			const unused = isChosen(
				filter,
				all.filter((name) => !used.includes(name)),
			);
			if (unused === undefined) continue;
			throw new InputError(
				`The filter "${FILTER_LABELS[unused]}" can't narrow alert ${index + 1} (${kind.name})`,
				`Remove the filter. To narrow this alert, fill in "${FILTER_LABELS[kind.about]}" of its row; alerts that the filter can narrow belong in a trigger of their own, or have the field in their rows`,
			);
		}
	}
	const agents = isChosen(filter, ['agentIds', 'groupIds']);
	if (mode === 'callOutcomes' && agents && outcomes.length === 1 && outcomes[0] === 'missed') {
		throw new InputError(
			`The filter "${FILTER_LABELS[agents]}" lets no missed call through: nobody took it, so it has no agent`,
			'Remove the filter, or choose other outcomes',
		);
	}
	if (mode !== 'snapshots' || snapshotOf.includes('totals')) return;
	const unused = snapshotOf.includes('queues') ? agents : isChosen(filter, ['queueIds']);
	if (unused === undefined || snapshotOf.length > 1) return;
	throw new InputError(
		`The filter "${FILTER_LABELS[unused]}" can't narrow a snapshot of ${snapshotOf.join()} alone`,
		'Remove the filter, or change "Snapshot Of"',
	);
}
