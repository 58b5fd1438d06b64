// The node's parameters, built from the list of resources, so that an operation is defined only in its own file.

import { updateDisplayOptions, type IBuilderHint, type INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from './operation';

/** Resource, operation and the fields of every operation, with their display rules. */
export function actionProperties(resources: Resource[]): INodeProperties[] {
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
			...resource.operations.flatMap((operation) => shownFields(resource, operation)),
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

/** For n8n's assistant, which builds workflows. */
export const actionHint: IBuilderHint = {
	searchHint:
		'Manages regulatory addresses, lists postal codes and orders phone numbers (DID) through a cart: create a cart, add products, check out. "Checkout" places a paid order and stays off until a person turns on "Confirm Purchase". To start a workflow on calls, use the trigger of the same package.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-voice-management.voiceManagementTrigger',
			relationHint: 'Starts a workflow on missed calls, waiting callers and agents',
		},
	],
};

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

function shownFields({ value: resource }: Resource, operation: Operation): INodeProperties[] {
	return updateDisplayOptions(
		{ show: { resource: [resource], operation: [operation.value] } },
		operation.fields,
	);
}
