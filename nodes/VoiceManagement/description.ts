// The node's parameters, built from the list of resources, so that an operation is defined only in its own file.

import { updateDisplayOptions, type INodeProperties, type NodeHint } from 'n8n-workflow';
import type { Operation, Resource } from './operation';

/** Resource, operation and the fields of every operation, with their display rules. */
export function properties(resources: Resource[]): INodeProperties[] {
	const first = resources[0]?.value;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: first,
		},
		...resources.flatMap((resource) => [
			operationList(resource),
			...resource.operations.flatMap((operation) => fieldsOf(resource, operation)),
		]),
	];
}

/** The line below the node on the canvas, an expression: `Get Many: Postal Code`. */
export function subtitle(resources: Resource[]): string {
	const names = resources.flatMap(({ value, name, operations }) =>
		operations.map((operation) => [`${value}.${operation.value}`, `${operation.name}: ${name}`]),
	);
	const table = JSON.stringify(Object.fromEntries(names));
	return `={{ (${table})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/** Shown beside the output: n8n runs a node again when a later one is tested. */
export function pinHint(resources: Resource[]): NodeHint {
	const changing = resources.flatMap(({ value, operations }) =>
		operations.filter(({ changes }) => changes).map((operation) => `${value}.${operation.value}`),
	);
	const chosen = '$parameter["resource"] + "." + $parameter["operation"]';
	return {
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'afterExecution',
		displayCondition: `={{ ${JSON.stringify(changing)}.includes(${chosen}) }}`,
		message:
			'If it succeeded, pin this output while you build: when you test a later node, n8n may run this one again, and the provider would carry it out again.',
	};
}

function operationList({ value: resource, operations, begins }: Resource): INodeProperties {
	const first = begins.value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: first,
	};
}

function fieldsOf({ value: resource }: Resource, operation: Operation): INodeProperties[] {
	return updateDisplayOptions(
		{ show: { resource: [resource], operation: [operation.value] } },
		operation.fields,
	);
}
