// Small workflows for the suites, built in code. The workflows that users import are in examples/.
import { randomUUID } from 'node:crypto';

import type { WorkflowDefinition, WorkflowNode } from '../../../dev/n8n/client';
import { API_CREDENTIAL, SUPERVISOR_CREDENTIAL } from '../../../dev/setup';
import { nth } from '../../support/present';

const PACKAGE = 'n8n-nodes-voice-management';

export const TRIGGER = 'Feed';

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
	rest: Partial<WorkflowNode> = {},
): WorkflowNode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters, ...rest };
}

/** The trigger with these parameters, and the supervisor credential of the bench. */
export function triggerNode(parameters: Record<string, unknown> = {}): WorkflowNode {
	return node(TRIGGER, `${PACKAGE}.voiceManagementTrigger`, 1, parameters, {
		credentials: { [SUPERVISOR_CREDENTIAL]: { id: '', name: '' } },
	});
}

/** One operation of the action node, with the credential of this type. */
export function operationNode(
	resource: string,
	operation: string,
	parameters: Record<string, unknown> = {},
	credential: string = resource === 'session' && operation === 'getInfo'
		? SUPERVISOR_CREDENTIAL
		: API_CREDENTIAL,
): WorkflowNode {
	return node(
		`${resource} ${operation}`,
		`${PACKAGE}.voiceManagement`,
		1,
		{ resource, operation, ...parameters },
		{ credentials: { [credential]: { id: '', name: '' } } },
	);
}

export function manualTriggerNode(name = 'Start'): WorkflowNode {
	return node(name, 'n8n-nodes-base.manualTrigger', 1, {});
}

export function noOpNode(name = 'End'): WorkflowNode {
	return node(name, 'n8n-nodes-base.noOp', 1, {});
}

export function waitNode(seconds: number): WorkflowNode {
	return node('Pause', 'n8n-nodes-base.wait', 1.1, { amount: seconds, unit: 'seconds' });
}

/** A text field of the item as a file in the binary field `data`. */
export function textFileNode(name: string, sourceProperty: string, fileName: string): WorkflowNode {
	return node(name, 'n8n-nodes-base.convertToFile', 1.1, {
		operation: 'toText',
		sourceProperty,
		options: { fileName },
	});
}

/** Sets text fields, by expressions or fixed values. */
export function setNode(name: string, fields: Record<string, string>): WorkflowNode {
	return node(name, 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: Object.entries(fields).map(([field, value]) => ({
				id: field,
				name: field,
				type: 'string',
				value,
			})),
		},
		options: {},
	});
}

/** Reports the JSON of all items of an execution to a sink, in one request. */
export function reportNode(url: string): WorkflowNode {
	return node(
		'Report',
		'n8n-nodes-base.httpRequest',
		4.2,
		{
			method: 'POST',
			url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { items: $input.all().map((item) => item.json) } }}',
			options: {},
		},
		{ executeOnce: true },
	);
}

/** The same with two nodes, for engine 2.0, which runs a node for each item even with _Execute Once_. */
export function reportNodes(url: string): WorkflowNode[] {
	const report = reportNode(url);
	return [
		node('Together', 'n8n-nodes-base.aggregate', 1, {
			aggregate: 'aggregateAllItemData',
			destinationFieldName: 'items',
			include: 'allFields',
			options: {},
		}),
		{
			...report,
			executeOnce: false,
			parameters: { ...report.parameters, jsonBody: '={{ { items: $json.items } }}' },
		},
	];
}

/** A resource locator by identifier. */
export function byId(value: string): Record<string, unknown> {
	return { __rl: true, mode: 'id', value };
}

/** An agent with this tool, which starts by hand. No model is needed to run the tool alone. */
export function agentWith(tool: WorkflowNode): WorkflowDefinition {
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', 2, {
		promptType: 'define',
		text: 'Do it',
	});
	const workflow = chain('Agent with a tool', [manualTriggerNode(), agent]);
	return {
		...workflow,
		nodes: [...workflow.nodes, { ...tool, position: [220, 220] }],
		connections: {
			...workflow.connections,
			[tool.name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
	};
}

/** Connects nodes one after the other. */
export function chain(
	name: string,
	nodes: WorkflowNode[],
	settings: Record<string, unknown> = {},
): WorkflowDefinition {
	return {
		name,
		nodes: nodes.map((entry, index) => ({ ...entry, position: [index * 220, 0] })),
		connections: Object.fromEntries(
			nodes
				.slice(0, -1)
				.map((entry, index) => [
					entry.name,
					{ main: [[{ node: nth(nodes, index + 1).name, type: 'main', index: 0 }]] },
				]),
		),
		settings: { executionOrder: 'v1', ...settings },
	};
}
