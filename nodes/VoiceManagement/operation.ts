// What an operation is, and the only loop over items, so that all operations pair items, put the item's index into
// errors and handle "On Error" in the same way.

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
import { plainText, withHelpLink } from '../shared/help';
import { readWarning } from '../shared/failure';
import { InputError } from '../shared/inputError';
import { isObject } from '../shared/shapes';
import { itemError } from './transport/errors';
import {
	ApiClient,
	toObject,
	type CredentialName,
	type ApiRequest,
	type Timing,
} from './transport/apiClient';

/** One operation of a resource: its texts, its fields and its code. One file each. */
export interface Operation {
	/** The value of the `operation` parameter. */
	value: string;
	/** Its name in the list. */
	name: string;
	/** Its name in the editor and for an AI agent: sentence case, describes what happens. */
	action: string;
	/** One sentence under the name. */
	description: string;
	credential: CredentialName;
	/** Method and path, as the operator's documents write them. */
	endpoint: string;
	/** What it outputs for one item, for the documentation. */
	output: string;
	/** Without display rules: `properties` adds those of the operation. */
	fields: INodeProperties[];
	run(context: OperationContext): Promise<IDataObject | IDataObject[]>;
}

export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}

/** One item's run of an operation. */
export class OperationContext {
	constructor(
		readonly n8n: IExecuteFunctions,
		readonly itemIndex: number,
		private readonly credential: CredentialName,
		private readonly timing: Timing,
	) {}

	/** The value of a parameter as it is; undefined for a field that is not shown. */
	parameter(name: string): unknown {
		// Without a fallback n8n throws if the field is not shown.
		return this.n8n.getNodeParameter(name, this.itemIndex, null) ?? undefined;
	}

	/** The fields of the input item. */
	get input(): IDataObject {
		return this.n8n.getInputData()[this.itemIndex]?.json ?? {};
	}

	/** The value of a resource locator, or of an expression in its place. */
	locatorValue(name: string): unknown {
		const value = this.parameter(name);
		return isObject(value) && '__rl' in value ? value.value : value;
	}

	/** A collection; empty if the item has none. */
	collection(name: string): IDataObject {
		return (this.parameter(name) ?? {}) as IDataObject;
	}

	/** The host that the credential's "Base URL" (or, for the supervisor, "Voice Management URL") names. */
	get client(): ApiClient {
		const host = this.credential === 'voiceManagementApi' ? 'baseUrl' : 'voiceUrl';
		return new ApiClient(this.n8n, this.credential, host, this.timing, this.itemIndex);
	}

	/**
	 * Sends a request that changes something.
	 * @param hints what operators usually require: added to a rejection, shown next to a success
	 * @returns the response; a WARNING or PARTIAL in it is shown as a hint
	 * @throws NodeApiError also for a failure inside a 200, whatever its form
	 */
	async write(
		request: Omit<ApiRequest, 'effect' | 'hints'>,
		hints: string[] = [],
	): Promise<IDataObject> {
		const full = { ...request, effect: 'write', hints } as const;
		const response = await this.client.request(full);
		for (const hint of hints) this.hint(`The operator accepted this, but check it: ${hint}`);
		const warning = readWarning(response, full);
		if (warning) {
			const { word, reason } = warning;
			this.hint(
				withHelpLink(
					`The operator responded with ${word}${reason ? `: ${reason}` : ''}.`,
					'refused-for-another-reason',
				),
			);
		}
		return toObject(response);
	}

	/** Shows a sentence next to the node's output. n8n before 1.82 has no hints. */
	hint(message: string, type: NodeExecutionHint['type'] = 'warning'): void {
		const hint: NodeExecutionHint = { message, location: 'outputPane', type };
		if (typeof this.n8n.addExecutionHints === 'function') this.n8n.addExecutionHints(hint);
	}
}

const realTiming: Timing = { sleep, now: Date.now, random: Math.random };

/**
 * Runs the chosen operation for every item.
 * @throws NodeApiError or NodeOperationError with the item's index, unless "On Error" is set to continue
 */
export async function runItems(
	n8n: IExecuteFunctions,
	resources: Resource[],
	timing: Timing = realTiming,
): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (const itemIndex of n8n.getInputData().keys()) {
		try {
			const operation = findOperation(n8n, resources, itemIndex);
			const context = new OperationContext(n8n, itemIndex, operation.credential, timing);
			const results = [await operation.run(context)].flat();
			output.push(...results.map((json) => ({ json, pairedItem: { item: itemIndex } })));
		} catch (thrown) {
			const error = itemError(n8n.getNode(), thrown, itemIndex);
			if (!n8n.continueOnFail()) throw error;
			output.push(failedItem(n8n, error, itemIndex));
		}
	}
	return [output];
}

/**
 * The item that "On Error: Continue" outputs for a failed item: its fields, then `error`, `statusCode` and
 * `description`.
 */
function failedItem(
	n8n: IExecuteFunctions,
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	const statusCode = 'httpCode' in error ? Number(error.httpCode) || undefined : undefined;
	const item: INodeExecutionData = {
		json: {
			...n8n.getInputData()[itemIndex]?.json,
			error: error.message,
			statusCode,
			description: error.description ? plainText(error.description) : undefined,
		},
		pairedItem: { item: itemIndex },
	};
	if (n8n.getNode().onError === 'continueErrorOutput') {
		// n8n (1.123 to 2.41, `workflow-execute.js`) routes an item to the error output if it has an `error`. It then
		// copies the item and replaces the fields of every copy that still has an `error` by the message alone, so
		// `error` must not be copied.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

function findOperation(
	n8n: IExecuteFunctions,
	resources: Resource[],
	itemIndex: number,
): Operation {
	const wanted = n8n.getNodeParameter('resource', itemIndex);
	const value = n8n.getNodeParameter('operation', itemIndex);
	const operation = resources
		.find((resource) => resource.value === wanted)
		?.operations.find((candidate) => candidate.value === value);
	if (!operation) {
		throw new InputError(
			`There is no operation "${value}" for "${wanted}"`,
			'Choose "Resource" and "Operation" from their lists, or correct the expressions in them.',
		);
	}
	return operation;
}
