// Collects what arrived during a test run in which nothing matched, so that the user can compare it with the
// settings.

import { idText } from '../../shared/ids';
import { oneLine } from '../../shared/oneLine';
import { NO_FILTER, type FilterSettings } from '../events/filter';
import type { Clock, Directory, FeedEvent, FeedStatus } from '../feed/types';
import { createSelection } from '../modes';
import type { Mode } from '../modes/mode';
import type { TriggerSettings } from '../panel/settings';

/** Limit for the kinds of events, and the values of a filtered field, that are counted separately. */
const MOST_KINDS = 20;

interface FilteredField {
	filter: keyof FilterSettings;
	/** The name of the values, in the plural. */
	label: string;
	field: string;
	/** The name of a value, if the login or the user gave one. */
	nameOf?: (
		id: string,
		names: { directory?: Directory; settings: TriggerSettings },
	) => string | undefined;
}

const agentName: FilteredField['nameOf'] = (id, { directory }) => directory?.agents.get(id)?.name;

const FILTERED_FIELDS: readonly FilteredField[] = [
	{ filter: 'agentIds', label: 'Agents', field: 'id_operator', nameOf: agentName },
	{ filter: 'groupIds', label: 'Agents', field: 'id_operator', nameOf: agentName },
	{
		filter: 'queueIds',
		label: 'Queues',
		field: 'id_queue',
		nameOf: (id, { settings }) => settings.queueNames?.get(id)?.name,
	},
	{
		filter: 'trunkIds',
		label: 'Trunks',
		field: 'id_trunk',
		nameOf: (id, { directory }) => directory?.trunks.get(id)?.name,
	},
	{ filter: 'statuses', label: 'Statuses', field: 'status' },
	{ filter: 'callerNumbers', label: 'Caller numbers', field: 'caller_id_num' },
	{ filter: 'serviceNumbers', label: 'Service numbers', field: 'service' },
];

export class Arrivals {
	private readonly events = new ArrivalCounts();

	private readonly outcomes = new ArrivalCounts();

	private readonly values = new Map<string, Set<string>>();

	private readonly others: string[] = [];

	private readonly filtered: readonly FilteredField[];

	/** Follows the calls as if no outcomes and filters were chosen. */
	private readonly everyOutcome: Mode | undefined;

	constructor(
		private readonly settings: TriggerSettings,
		private readonly directory: () => Directory | undefined,
		clock: Clock,
	) {
		this.filtered = FILTERED_FIELDS.filter(({ filter }) => settings.filter[filter].length > 0);
		if (settings.mode !== 'callOutcomes') return;
		this.everyOutcome = createSelection(
			{ ...settings, outcomes: [], filter: NO_FILTER },
			directory,
			clock,
			(entry) => {
				if ('item' in entry) this.outcomes.add(String(entry.item.event));
			},
		);
	}

	/** Stops following the calls. */
	close(): void {
		this.everyOutcome?.close();
	}

	noteStatus(status: FeedStatus): void {
		this.everyOutcome?.onStatus(status);
	}

	/** Something arrived that is not documented (provider.md#not-understood). */
	addNotUnderstood(name: string, payload: string, why: string): void {
		const [shown, under] = [payload, name].map(oneLine);
		this.others.push(
			`The provider sent ${shown} under the event name "${under}": ${oneLine(why)}.`,
		);
	}

	/** What is not documented, often the reason why nothing else came; '' if nothing came. */
	notUnderstood(): string {
		return this.others.slice(0, 3).join(' ');
	}

	add(event: FeedEvent): void {
		this.events.add(`${event.type || '(no type)'} ${event.event || '(no event)'}`);
		for (const { label, field } of this.filtered) this.addValue(label, idText(event.msg[field]));
		this.everyOutcome?.onEvent(event);
	}

	/** `Arrived meanwhile: …` with counts, and the values of each filtered field; '' if nothing came. */
	describe(): string {
		// What has arrived is read before.
		this.close();
		const events = this.events.toString();
		if (events === '') return '';
		const calls = this.outcomes.toString();
		const sentences =
			this.everyOutcome === undefined
				? [`Arrived meanwhile: ${events}.`]
				: [
						calls === ''
							? 'No call reached an outcome.'
							: `Calls meanwhile: ${calls}; none matched the chosen outcomes and filters.`,
						`Events meanwhile: ${events}.`,
					];
		return [...sentences, ...new Set(this.filtered.map((field) => this.valuesOf(field)))].join(' ');
	}

	private addValue(label: string, value: string | undefined): void {
		if (value === undefined) return;
		const values = this.values.get(label) ?? new Set();
		if (values.size < MOST_KINDS) values.add(value.slice(0, 80));
		this.values.set(label, values);
	}

	private valuesOf({ label, nameOf }: FilteredField): string {
		const names = { directory: this.directory(), settings: this.settings };
		const values = [...(this.values.get(label) ?? [])].sort().map((id) => {
			const name = nameOf?.(id, names);
			return oneLine(name === undefined ? id : `${id} (${name})`);
		});
		return `${label} seen: ${values.length > 0 ? values.join(', ') : 'none'}.`;
	}
}

/** Counts by name: `queue insert_call: 12, UI login: 3`, most frequent first. */
class ArrivalCounts {
	private readonly counts = new Map<string, number>();

	add(name: string): void {
		const known = name.slice(0, 80);
		const key = this.counts.has(known) || this.counts.size < MOST_KINDS ? known : 'others';
		this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
	}

	toString(): string {
		return [...this.counts]
			.sort(([, a], [, b]) => b - a)
			.map(([name, count]) => `${oneLine(name)}: ${count}`)
			.join(', ');
	}
}
