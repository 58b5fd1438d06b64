// What an operation is, and the one loop over items: whatever an operation does, its items are paired, its errors
// know their item and "Continue on fail" works the same way.

import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type NodeApiError,
	type NodeExecutionHint,
	type NodeOperationError,
} from 'n8n-workflow';
import { withHelp } from '../shared/help';
import { readWarning } from '../shared/failure';
import { InputError } from '../shared/inputError';
import { isObject } from '../shared/shapes';
import { itemError } from './transport/errors';
import {
	Service,
	toObject,
	type CredentialName,
	type ServiceRequest,
	type Timing,
} from './transport/service';

/** One operation of a resource: its texts, its fields and what it does. One file each. */
export interface Operation {
	/** The value of the `operation` parameter. */
	value: string;
	/** Its name in the list. */
	name: string;
	/** What the node's panel and an AI agent call it: sentence case, says what happens. */
	action: string;
	/** One sentence under the name. */
	description: string;
	credential: CredentialName;
	/** Method and path, as the documents write them. */
	endpoint: string;
	/** What one item in gives out, for the documentation. */
	output: string;
	/** Without rules for when they show: the registry adds those of the operation. */
	fields: INodeProperties[];
	run(call: Call): Promise<IDataObject | IDataObject[]>;
}

export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}

/** One item's run of an operation. */
export class Call {
	constructor(
		readonly context: IExecuteFunctions,
		readonly itemIndex: number,
		private readonly credential: CredentialName,
		private readonly timing: Timing,
	) {}

	/** The value of a parameter as it is; undefined where the item's node has none (a field that is not shown). */
	parameter(name: string): unknown {
		// Without a fallback n8n throws for a field that is not shown.
		return this.context.getNodeParameter(name, this.itemIndex, null) ?? undefined;
	}

	/** The value inside a resource locator, or what an expression put in its place. */
	located(name: string): unknown {
		const value = this.parameter(name);
		return isObject(value) && '__rl' in value ? value.value : value;
	}

	/** A collection; empty where the item has none. */
	collection(name: string): IDataObject {
		return (this.parameter(name) ?? {}) as IDataObject;
	}

	/** The host that the credential's "Base URL" (or, for the supervisor, "Voice Management URL") names. */
	get service(): Service {
		const host = this.credential === 'voiceManagementApi' ? 'baseUrl' : 'voiceUrl';
		return new Service(this.context, this.credential, host, this.timing, this.itemIndex);
	}

	/**
	 * Sends a request that changes something.
	 * @param doubts what operators usually want otherwise: beside a refusal the next step, beside a success a hint
	 * @returns the answer; a WARNING or PARTIAL in it is shown as a hint
	 * @throws NodeApiError also for a failure inside a 200, however it is spelled
	 */
	async write(
		request: Omit<ServiceRequest, 'effect' | 'doubts'>,
		doubts: string[] = [],
	): Promise<IDataObject> {
		const full = { ...request, effect: 'write', doubts } as const;
		const answer = await this.service.exchange(full);
		for (const doubt of doubts) this.hint(`The operator took this: ${doubt}`);
		const warning = readWarning(answer, full);
		if (warning) {
			const { word, reason } = warning;
			this.hint(
				withHelp(
					`The service answered with ${word}${reason ? `: ${reason}` : ''}.`,
					'refused-for-another-reason',
				),
			);
		}
		return toObject(answer);
	}

	/** Shows a sentence beside the node's output. n8n before 1.82 can't: there the data has to speak for itself. */
	hint(message: string): void {
		const hint: NodeExecutionHint = { message, location: 'outputPane', type: 'warning' };
		if (typeof this.context.addExecutionHints === 'function') this.context.addExecutionHints(hint);
	}
}

const realTiming: Timing = { sleep, now: Date.now, random: Math.random };

/**
 * Runs the chosen operation for every item.
 * @throws NodeApiError or NodeOperationError with the item's index, unless "Continue on fail" is on
 */
export async function runItems(
	context: IExecuteFunctions,
	resources: Resource[],
	timing: Timing = realTiming,
): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (const itemIndex of context.getInputData().keys()) {
		try {
			const operation = findOperation(context, resources, itemIndex);
			const call = new Call(context, itemIndex, operation.credential, timing);
			const results = [await operation.run(call)].flat();
			output.push(...results.map((json) => ({ json, pairedItem: { item: itemIndex } })));
		} catch (thrown) {
			const error = itemError(context.getNode(), thrown, itemIndex);
			if (!context.continueOnFail()) throw error;
			output.push(failedItem(context, error, itemIndex));
		}
	}
	return [output];
}

/**
 * What "Continue on fail" makes of a failed item: the fields of the item, then `error`, `statusCode` and `description`.
 */
function failedItem(
	context: IExecuteFunctions,
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	const statusCode = 'httpCode' in error ? Number(error.httpCode) || undefined : undefined;
	const item: INodeExecutionData = {
		json: {
			...context.getInputData()[itemIndex].json,
			error: error.message,
			statusCode,
			description: error.description ?? undefined,
		},
		pairedItem: { item: itemIndex },
	};
	if (context.getNode().onError === 'continueErrorOutput') {
		// n8n (1.123 to 2.41, `workflow-execute.js`) sends an item to the error output by its `error`, copies it, and then
		// replaces the fields of every item that still has an `error` by its message alone: so that it must not be copied.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

function findOperation(
	context: IExecuteFunctions,
	resources: Resource[],
	itemIndex: number,
): Operation {
	const wanted = context.getNodeParameter('resource', itemIndex) as string;
	const value = context.getNodeParameter('operation', itemIndex) as string;
	const operation = resources
		.find((resource) => resource.value === wanted)
		?.operations.find((candidate) => candidate.value === value);
	if (!operation) throw new InputError(`There is no operation "${value}" for "${wanted}"`);
	return operation;
}
