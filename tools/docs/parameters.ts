// The generated tables of docs/trigger.md: every parameter of the trigger and every field of the credentials, with the
// defaults of the code.

import type { INodeProperties } from 'n8n-workflow';
import { VoiceManagementApi } from '../../credentials/VoiceManagementApi.credentials';
import { VoiceManagementSupervisorApi } from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { triggerProperties } from '../../nodes/VoiceManagementTrigger/panel/properties';
import { table } from './markdown';

const isField = ({ type }: INodeProperties) => type !== 'notice' && type !== 'hidden';
const isCollection = ({ type }: INodeProperties) => type === 'collection';
const inside = (name: string) =>
	(triggerProperties.find((field) => field.name === name)?.options ?? []) as INodeProperties[];

/** By name. */
export function parameterBlocks(): Record<string, string> {
	const rows = (fields: readonly INodeProperties[]) =>
		table(
			['parameter', 'default', 'in', 'what it does'],
			fields.filter(isField).map((field) => {
				return [`_${field.displayName}_`, defaultOf(field), modesOf(field), sentence(field)];
			}),
		);
	return {
		parameters: rows(
			triggerProperties.filter((field) => !isCollection(field) && field.name !== 'feed'),
		),
		filters: rows(inside('filters')),
		options: rows(inside('options')),
		credentials: credentialRows(),
	};
}

function credentialRows(): string {
	const types = { API: new VoiceManagementApi(), Supervisor: new VoiceManagementSupervisorApi() };
	const found = new Map<string, { field: INodeProperties; all: string[]; required: string[] }>();
	for (const [credential, { properties: fields }] of Object.entries(types)) {
		for (const field of fields.filter((one) => isField(one) && !one.displayOptions)) {
			const entry = found.get(field.name) ?? { field, all: [], required: [] };
			entry.all.push(credential);
			if (field.required) entry.required.push(credential);
			found.set(field.name, entry);
		}
	}
	return table(
		['field', 'credential', 'required', 'default', 'what it is'],
		[...found.values()].map(({ field, all, required }) => [
			`_${field.displayName}_`,
			all.join(', '),
			required.length === all.length ? 'yes' : required.join(', '),
			defaultOf(field),
			sentence(field),
		]),
	);
}

/** What holds if nobody touches the field, in the words of the panel. */
function defaultOf({ default: value, options }: INodeProperties): string {
	const nameOf = (one: unknown) => {
		const option = options?.find((entry) => 'value' in entry && entry.value === one);
		return option && 'displayName' in option ? '' : (option?.name ?? String(one));
	};
	if (Array.isArray(value)) return value.map(nameOf).join(', ') || 'all';
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'object') return '';
	return value === undefined || value === '' ? '' : nameOf(value);
}

/** The modes in which the panel shows it. */
function modesOf({ displayOptions }: INodeProperties): string {
	const shown = (displayOptions?.show?.mode ?? displayOptions?.show?.['/mode']) as
		string[] | undefined;
	const modes = triggerProperties.find(({ name }) => name === 'mode')?.options as INodeProperties[];
	if (!shown || shown.length === modes.length) return 'all modes';
	const nameOf = (mode: string) =>
		(modes as unknown as Array<{ name: string; value: string }>).find(({ value }) => value === mode)
			?.name;
	return shown.map(nameOf).join(', ');
}

/** The first sentence of its text; n8n prescribes one for lists, which says nothing. */
function sentence({ description = '', hint, builderHint }: INodeProperties): string {
	const own = description.startsWith('Choose from the list')
		? (hint ?? builderHint?.propertyHint ?? '')
		: description;
	const text = own.replace(/<\/?a\b[^<>]*>/g, '').replaceAll('*', '\\*');
	return text.split(/(?<=[.:]) (?=[A-Z])/)[0]?.replace(/[.:]$/, '') ?? '';
}
