// The generated lists of docs/actions.md: every operation of the action node, from its list of resources.

import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../nodes/VoiceManagement/operation';
import { resources } from '../../nodes/VoiceManagement/resources';

/** A list for each resource, by its name in workflows. */
export const actionBlocks = (): Record<string, string> =>
	Object.fromEntries(
		resources.map(({ value, operations }) => [value, operations.map(entry).join('\n')]),
	);

function entry({ name, description, endpoint, fields, output }: Operation): string {
	const shown = fields.filter(({ type }) => type !== 'notice');
	const required = shown.filter(isRequired);
	const optional = shown.filter((field) => !isRequired(field)).flatMap(parts);
	return [
		`- **${name}**: ${description.replace(/\.$/, '')}. \`${endpoint}\``,
		...(required.length > 0 ? [`  - Required: ${labels(required)}`] : []),
		...(optional.length > 0 ? [`  - Optional: ${labels(optional)}`] : []),
		`  - Output: ${output}`,
	].join('\n');
}

const isRequired = ({ required, hint, displayOptions }: INodeProperties) =>
	required === true || (hint === 'Required' && !displayOptions);

/** A collection is a group of optional fields. */
const parts = (field: INodeProperties) =>
	field.type === 'collection' ? (field.options as INodeProperties[]) : [field];

const labels = (fields: readonly INodeProperties[]) =>
	[...new Set(fields.map(({ displayName }) => `_${displayName}_`))].join(', ');
