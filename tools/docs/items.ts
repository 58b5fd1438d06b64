// The generated blocks of docs/items.md: what the trigger emits, from the data in the code.

import {
	ALERT_KIND_NAMES,
	fieldsOf,
	kindOf,
} from '../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import {
	AGENT_FIGURES,
	AGENTS_FIGURES,
	QUEUE_FIGURES,
	type Figure,
} from '../../nodes/VoiceManagementTrigger/callCentre/figures';
import { EVENT_KINDS, NOTIFICATION_TYPES } from '../../nodes/VoiceManagementTrigger/events/kinds';
import { FIELD_MEANINGS } from './fields';
import { code, names, oneLine, samples, table } from './markdown';
import { SAMPLED_KINDS } from './eventSamples';
import {
	alertSamples,
	fullOutcomeSample,
	simplifiedSample,
	snapshotSamples,
	statusSamples,
} from './samples';

/** One event of each type: what most workflows look at, or its first. */
const shownEvents = NOTIFICATION_TYPES.flatMap(({ value }) => {
	const kinds = SAMPLED_KINDS.filter(({ type }) => type === value);
	return kinds.find(({ event }) => event === 'connect_call') ?? kinds[0] ?? [];
});

/** By name. */
export function itemBlocks(): Record<string, string> {
	const [queue = {}, agent = {}] = snapshotSamples();
	return {
		events: table(
			['type', '`event`', 'name', 'when', 'fields'],
			EVENT_KINDS.map(({ type, event, name, meaning, fields }) => [
				`\`${type}\``,
				event ? `\`${event}\`` : 'not documented',
				name,
				meaning,
				names(fields) || 'all that the provider sends',
			]),
		),
		'event-items': samples(shownEvents.map((kind) => simplifiedSample(kind, true))),
		fields: table(
			['field', 'meaning'],
			Object.entries(FIELD_MEANINGS).map(([field, meaning]) => [`\`${field}\``, meaning]),
		),
		missed: samples([fullOutcomeSample()]),
		alerts: table(
			['`when`', 'in the panel', 'fields of the row (default)', 'chosen by', 'starts when'],
			ALERT_KIND_NAMES.map((when) => {
				const kind = kindOf(when);
				const fields = fieldsOf(kind).map((field) => `\`${field.name}\` (${field.default})`);
				return [`\`${when}\``, kind.name, fields.join(', '), `\`${kind.about}\``, kind.description];
			}),
		),
		'alert-item': samples(alertSamples().slice(0, 1)),
		'queue-snapshot': samples([queue]),
		'queue-figures': figures(QUEUE_FIGURES),
		'agent-snapshot': samples([agent]),
		'agent-figures': figures(AGENT_FIGURES),
		'totals-figures': figures(AGENTS_FIGURES),
		status: code(statusSamples().map(oneLine)),
	};
}

function figures<T>(list: ReadonlyArray<Figure<T>>): string {
	return table(
		['field', 'unit', 'definition', 'null if'],
		list.map(({ field, unit, definition, nullIf, optional, queueOnly }) => [
			`\`${field}\``,
			unit,
			`${definition}${optional ? '. Absent if 0' : ''}${queueOnly ? '. Never of the totals' : ''}`,
			nullIf ?? '',
		]),
	);
}
