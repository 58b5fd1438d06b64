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
	NodeOperationError,
} from 'n8n-workflow';
import { plainText, withHelpLink } from '../shared/help';
import { oneLine } from '../shared/oneLine';
import { fieldsNamedIn } from './fieldNames';
import { Cancelled, InputError } from '../shared/errors';
import { createdId, type IdSubject } from '../shared/answer/identifiers';
import type { Answer } from '../shared/answer/parse';
import { isObject } from '../shared/answer/read';
import { isDocumented } from '../shared/errorHints';
import { describePart, incomplete } from '../shared/failure';
import type { Session } from '../shared/login';
import { MAY_BE_MADE, MAY_BE_PLACED } from '../shared/lostRequest';
import { idsAsText } from './identifiers';
import { Orders } from './outcome/orders';
import { describeRest, restOf, type Expected, type Rest } from './outcome/understood';
import { compact, refuseNothing, toSingleText, toText, withTexts } from './input/values';
import { itemError, type PlainError } from './transport/errors';
import {
	ApiClient,
	locationOf,
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
	/** Method and path, as the provider's documents write them; an identifier in it has the name of its field. */
	endpoint: string;
	/** What it outputs for one item, for the documentation. */
	output: string;
	/** Without display rules: `properties` adds those of the operation. */
	fields: INodeProperties[];
	/** What to do about a failure, by the provider's code, if the general advice does not fit. */
	advice?: Readonly<Record<string, string>>;
	/** Whether it changes something at the provider, and would a second time. */
	changes?: boolean;
	run(context: OperationContext): Promise<IDataObject | IDataObject[]>;
}

export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
	/** The operation of a new node: it changes nothing if the resource has one that only reads. */
	begins: Operation;
}

/** The supervisor's session, and what the login returned. */
export interface SupervisorLogin {
	session: Session;
	data: unknown;
}

/** What the items of a run of the node share. */
export interface NodeRun {
	timing: Timing;
	/** The orders of this run of the node. */
	orders: Orders;
	/** Shows a sentence next to the node's output. */
	hint: Hint;
	login?: SupervisorLogin;
	/** Why nothing is sent any more, by operation. */
	stopped: Map<Operation, InputError>;
}

/** One item's run of an operation. */
export class OperationContext {
	/** What the item has if it fails, in place of the fields of its input; undefined: no such field. */
	ofFailed: IDataObject = {};
	/** Whether its login was refused, by whatever response. */
	isRefused = false;
	readonly orders: Orders;
	readonly hint: Hint;

	constructor(
		readonly n8n: IExecuteFunctions,
		readonly itemIndex: number,
		readonly operation: Operation,
		readonly shared: NodeRun,
	) {
		this.orders = shared.orders;
		this.hint = shared.hint;
	}

	/** The value of a parameter as it is; undefined for a field that is not shown. */
	parameter(name: string): unknown {
		// Without a fallback n8n throws if the field is not shown.
		return this.n8n.getNodeParameter(name, this.itemIndex, null) ?? undefined;
	}

	/** The fields of all input items. */
	get inputs(): IDataObject[] {
		return this.n8n.getInputData().map(({ json }) => json);
	}

	/** The value of a resource locator, or of an expression in its place. */
	locatorValue(name: string): unknown {
		const value = this.parameter(name);
		return isObject(value) && '__rl' in value ? value.value : value;
	}

	/** The text of a parameter, also from a resource locator; '' if it has none. @throws InputError for anything else */
	text(name: string): string {
		return toSingleText(this.locatorValue(name), this.fieldNamed(name)?.displayName ?? name);
	}

	/** A collection; empty if the item has none. @throws InputError for a list in a field of one text */
	collection(name: string): IDataObject {
		const value = this.parameter(name);
		const fields = (this.fieldNamed(name)?.options ?? []) as INodeProperties[];
		return isObject(value) ? withTexts(value, fields) : {};
	}

	/** The filters of a list. @throws InputError for one without a value: the list would have what was to be left out */
	filters(): IDataObject {
		const given = this.parameter('filters');
		const fields = (this.fieldNamed('filters')?.options ?? []) as INodeProperties[];
		for (const { name, displayName } of fields)
			if (isObject(given) && Object.hasOwn(given, name)) {
				const value = given[name];
				if (value !== '') refuseNothing(toSingleText(value, displayName) || null, displayName);
			}
		return compact(this.collection('filters'));
	}

	private fieldNamed(name: string): INodeProperties | undefined {
		return this.operation.fields.find((field) => field.name === name);
	}

	/**
	 * The host that the credential's "Base URL" (or, for the supervisor, "Voice Management URL") names.
	 * @throws InputError if nothing is sent any more
	 */
	get client(): ApiClient {
		const stopped = this.shared.stopped.get(this.operation);
		if (stopped) throw stopped;
		const { credential, advice, fields } = this.operation;
		const host = credential === 'voiceManagementApi' ? 'baseUrl' : 'voiceUrl';
		const panel = { advice, fieldsIn: (message: string) => fieldsNamedIn(fields, message) };
		return new ApiClient(this.n8n, credential, host, this.shared.timing, panel);
	}

	/** Sends a request that only reads, and is not one of a list. */
	async read(path: string, query?: IDataObject): Promise<Answer> {
		const request = { method: 'GET', path, query, effect: 'read' } as const;
		const { answer, verdict } = await this.client.request(request);
		const hint = incomplete(verdict);
		if (hint !== undefined) this.hint(hint);
		return answer;
	}

	/**
	 * Sends a request that changes something.
	 * @param hints what providers usually require: added to a rejection, shown next to a success
	 * @param expected what the good response looks like: everything else in it is shown as a hint
	 * @returns the response
	 * @throws NodeApiError also for a failure inside a 200, whatever its form
	 */
	async write(
		request: Omit<ApiRequest, 'effect' | 'hints'>,
		hints: string[] = [],
		expected: Expected = {},
	): Promise<IDataObject> {
		return (await this.change(request, hints, expected)).response;
	}

	/** The same, with what is not understood as good in the response. */
	async change(
		request: Omit<ApiRequest, 'effect' | 'hints'>,
		hints: string[],
		expected: Expected,
	): Promise<{ response: IDataObject; rest: Rest[]; location?: string }> {
		const full = { ...request, effect: 'write', hints } as const;
		const { answer, verdict } = await this.client.request(full);
		for (const hint of hints) this.hint(`The provider accepted this, but check it: ${hint}`);
		const rest = restOf(answer, expected);
		const { outcome, word = 'PARTIAL', reason } = verdict;
		const isSaid = ({ value }: Rest) =>
			typeof value === 'string' && (value === word || reason.includes(oneLine(value)));
		const unsaid = outcome === 'partly' ? rest.filter((one) => !isSaid(one)) : rest;
		const sentences = [
			...(outcome === 'partly' ? [describePart(verdict)] : []),
			...(unsaid.length > 0
				? [`The response also has: ${describeRest(unsaid)}. ${CHECK_THE_CHANGE}`]
				: []),
		];
		if (sentences.length > 0) {
			this.hint(withHelpLink(sentences.join(' '), 'refused-for-another-reason'));
		}
		return { response: idsAsText(toObject(answer)), rest, location: locationOf(answer) };
	}

	/** The same for a request that creates something, with its identifier under the documented name, if there is one. */
	async create(
		creates: IdSubject,
		request: Omit<ApiRequest, 'effect' | 'hints' | 'creates'>,
		hints: string[],
		expected: Expected,
	): Promise<{ response: IDataObject; known: IDataObject }> {
		const [name = ''] = creates.ids;
		// The input may have that of another one.
		this.ofFailed = { [name]: undefined };
		const { response, location } = await this.change({ ...request, creates }, hints, expected);
		const id = createdId(response, creates, location);
		if (id === undefined) this.hint(withoutId(name));
		return { response, known: id === undefined ? {} : { [name]: String(id) } };
	}
}

/** About the response to a create request without the identifier of the new thing. */
const withoutId = (name: string) =>
	withHelpLink(
		`The provider accepted this, but its response has no "${name}" that this node understands. It may be in the output under another name.`,
		'refused-for-another-reason',
	);

const CHECK_THE_CHANGE = "Check on the provider's side what was done.";

const realTiming: Timing = { sleep, now: Date.now, random: Math.random };

/** An item that failed after this long without a response found a provider that does not answer (milliseconds). */
const UNANSWERED_AFTER_MS = 20_000;
/** After so many of them in a row, the others would only take as long. */
const UNANSWERED_IN_A_ROW = 3;

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
	// Older n8n has no signal.
	const cancelled = (n8n as Partial<IExecuteFunctions>).getExecutionCancelSignal?.call(n8n);
	const abortable = { ...timing, sleep: untilCancelled(timing, cancelled), cancelled };
	const orders = new Orders(n8n);
	const hint = hintsOf(n8n);
	const stopped = new Map<Operation, InputError>();
	const run: NodeRun = { timing: abortable, orders, hint, stopped };
	const accepted = new Set<Operation>();
	const changed: IDataObject[] = [];
	/** What may have been done. */
	const open: string[] = [];
	let unanswered = 0;
	for (const itemIndex of n8n.getInputData().keys()) {
		const startedAt = timing.now();
		let context: OperationContext | undefined;
		try {
			throwIfCancelled(cancelled);
			const operation = findOperation(n8n, resources, itemIndex);
			context = new OperationContext(n8n, itemIndex, operation, run);
			const results = [await operation.run(context)].flat();
			output.push(...results.map((json) => ({ json, pairedItem: { item: itemIndex } })));
			unanswered = 0;
			accepted.add(operation);
			if (operation.changes === true) changed.push(...results);
		} catch (thrown) {
			const isCancelled = thrown instanceof Cancelled;
			const error = isCancelled
				? new NodeOperationError(n8n.getNode(), 'The execution was canceled', { itemIndex })
				: itemError(n8n.getNode(), thrown, itemIndex);
			if (isCancelled || !n8n.continueOnFail()) throw withDeeds(error, orders, changed, open);
			const failed = failedItem(n8n, error, itemIndex, context?.ofFailed);
			output.push(failed);
			if ([MAY_BE_MADE, MAY_BE_PLACED].some((end) => error.message.endsWith(end)))
				open.push([nameOf(failed.json), error.message].filter(Boolean).join(': '));
			if (context === undefined || stopped.has(context.operation)) continue;
			const { operation, isRefused } = context;
			const { module, code } = error.context as PlainError['context'];
			const status = httpStatusOf(error);
			const isUnanswered = status === undefined && timing.now() - startedAt >= UNANSWERED_AFTER_MS;
			unanswered = isUnanswered ? unanswered + 1 : 0;
			if (unanswered >= UNANSWERED_IN_A_ROW) stopped.set(operation, notAnswered());
			// Once it was accepted, a 401 is about the item. The provider may lock an account after some refusals.
			if (isRefused || status === 401) {
				if (!accepted.has(operation)) stopped.set(operation, loginRefused(error.message));
			} else if (isDocumented(module, code)) accepted.add(operation);
		}
	}
	if (changed.length > 0) hint(PIN, 'info');
	return [output];
}

/** The same error, with what was done before it: n8n drops the output of the items before. */
function withDeeds<T extends NodeApiError | NodeOperationError>(
	error: T,
	orders: Orders,
	changed: IDataObject[],
	open: string[],
): T {
	const ids = [...new Set(changed.map(nameOf))].filter((id) => id !== '');
	const more = ids.length > MOST_NAMED ? ', …' : '';
	const named = ids.length === 0 ? '' : ` (${ids.slice(0, MOST_NAMED).join(', ')}${more})`;
	const deeds =
		changed.length > 0 &&
		(orders.placedBefore() ??
			`Done before this error, and not output by n8n: ${changed.length} of the items${named}. A second run would do that again.`);
	const doubts =
		open.length > 0 &&
		`Before this error: ${open.slice(0, MOST_NAMED).join('; ')}. ${CHECK_THE_CHANGE}`;
	error.description = [deeds, doubts, error.description].filter(Boolean).join(' ') || undefined;
	return error;
}

const MOST_NAMED = 20;

/** What an item is about: `addressId 123456`. */
function nameOf(item: IDataObject): string {
	const name = ['addressId', 'cartIdentifier'].find((one) => Object.hasOwn(item, one));
	return name === undefined ? '' : oneLine(`${name} ${toText(item[name])}`);
}

/** n8n runs a node again when a later one is tested. */
const PIN =
	'Pin this output while you build. Otherwise testing a later node can run this step again, for example create a second address.';

type Hint = (message: string, type?: NodeExecutionHint['type']) => void;

/** Shows sentences next to the node's output, each once for all items. n8n before 1.82 has no hints. */
function hintsOf(n8n: IExecuteFunctions): Hint {
	const shown = new Set<string>();
	return (message, type = 'warning') => {
		if (shown.has(message) || typeof n8n.addExecutionHints !== 'function') return;
		shown.add(message);
		n8n.addExecutionHints({ message, location: 'outputPane', type });
	};
}

/** A person has cancelled the execution. */
function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Cancelled();
}

/** The same wait, which throws as soon as the execution is cancelled. */
function untilCancelled(timing: Timing, signal: AbortSignal | undefined): Timing['sleep'] {
	return async (milliseconds) => {
		let stop = () => {};
		const aborted = new Promise<void>((resolve) => (stop = resolve));
		signal?.addEventListener('abort', stop, { once: true });
		await Promise.race([timing.sleep(milliseconds), aborted]);
		signal?.removeEventListener('abort', stop);
		throwIfCancelled(signal);
	};
}

function loginRefused(why: string): InputError {
	return new InputError(
		`Not sent, since the login was refused: ${why}`,
		undefined,
		'login-refused',
	);
}

function notAnswered(): InputError {
	return new InputError(
		`Not sent, since the provider did not respond to the ${UNANSWERED_IN_A_ROW} items before it`,
		'Check whether the provider can be reached, then run the workflow again with the items that were not sent.',
		'service-not-reached',
	);
}

function httpStatusOf(error: NodeApiError | NodeOperationError): number | undefined {
	return 'httpCode' in error ? Number(error.httpCode) || undefined : undefined;
}

/**
 * The item that "On Error: Continue" outputs for a failed item: its fields and files, then `error`, `statusCode` and
 * `description`.
 */
function failedItem(
	n8n: IExecuteFunctions,
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
	ofFailed: IDataObject = {},
): INodeExecutionData {
	const { json, binary } = n8n.getInputData()[itemIndex] ?? {};
	const item: INodeExecutionData = {
		json: {
			...json,
			...ofFailed,
			error: error.message,
			statusCode: httpStatusOf(error),
			description: error.description ? plainText(error.description) : undefined,
		},
		pairedItem: { item: itemIndex },
		...(binary && { binary }),
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
