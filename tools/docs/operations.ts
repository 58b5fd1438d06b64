// docs/operations.md: every operation of the action node, made from its list of resources.

import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../../nodes/VoiceManagement/operation';
import { resources } from '../../nodes/VoiceManagement/resources';

/** The whole page. */
export function operationsPage(): string {
	const tables = resources.map((resource) =>
		[`## ${resource.name}`, '', ...table(resource)].join('\n'),
	);
	return `${[HEAD, ...tables].join('\n\n')}\n`;
}

const HEAD = `# Operations of the Voice Management node

<!-- Written by \`npm run docs\`. -->

Thirteen operations are those of the number management interface, one each; the three of the resource \`session\` belong to
the notification feed. Parameters in parentheses are optional. Every operation takes expressions and pairs each item that it
returns with the input item it comes from. With "On Error: Continue", and at the error output, a failed item keeps its own
fields and gets \`error\`, \`statusCode\` and \`description\`.

Lists are read page after page, whether the operator counts pages from 0 or 1, returns smaller pages than requested, ignores
the paging or returns no total. Two entries with the same identifier count as one. Postal codes have no identifier: equal ones
on different pages count as one, equal ones on the same page as two. Reading stops after 100,000 entries or 1,000 requests. A
hint beside the output says so, and also if the operator counts more entries than it returned.`;

function table({ value, operations }: Resource): string[] {
	return [
		'| Operation | Request | Parameters | Output |',
		'|---|---|---|---|',
		...operations.map((operation) => row(described(value, operation))),
	];
}

function described(resource: string, operation: Operation): string[] {
	const parameters = operation.fields.filter(({ type }) => type !== 'notice').map(parameter);
	return [
		`**${operation.name}** (\`${resource}: ${operation.value}\`). ${operation.description}`,
		`\`${operation.endpoint}\``,
		[...new Set(parameters)].join(', ') || 'none',
		operation.output,
	];
}

function row(cells: string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function parameter(field: INodeProperties): string {
	const inner =
		field.type === 'collection'
			? `: ${(field.options as INodeProperties[]).map(({ name }) => `\`${name}\``).join(', ')}`
			: '';
	const text = `\`${field.name}\`${inner}`;
	return field.required ? text : `(${text})`;
}
