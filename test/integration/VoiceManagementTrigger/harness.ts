/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Drives the trigger node's class as n8n-core does, over real HTTP and real sockets. What is taken over from
// n8n-core (triggers-and-pollers, workflow-execute, active-workflow-manager):
// - in a test run `emit`, `emitError` and `saveFailedExecution` throw until `trigger()` has returned; then the first
//   call of one of them settles the run and nothing after it counts; stopping the test calls the close function (with
//   the abort event as its argument); a test that ends with an error does not call it;
// - in production `emit` never blocks, and the done promise settles when the execution has ended; an execution that
//   can't start either rejects it (n8n 2) or never settles it (n8n 1);
// - an expression of a parameter is evaluated only until `trigger()` has returned (n8n 2.41); here no parameter is read;
// - the HTTP helpers are those of test/support/n8nHttp.ts, run with the decrypted fields of the credential.

import { setImmediate } from 'node:timers/promises';
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type IRun,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { httpOf } from '../../../nodes/VoiceManagementTrigger/life/context';
import type { Prepared } from '../../../nodes/VoiceManagementTrigger/life/openFeed';
import {
	CREDENTIAL_OF_FEED,
	feedOptions,
} from '../../../nodes/VoiceManagementTrigger/life/account';
import { startProduction } from '../../../nodes/VoiceManagementTrigger/life/activeWorkflow';
import {
	readSettings,
	type TriggerSettings,
} from '../../../nodes/VoiceManagementTrigger/panel/settings';
import { VoiceManagementTrigger } from '../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import type { Provider } from '../../../simulator';
import { Arrivals } from '../../support/arrivals';
import { createDeferredPromise } from '../../support/n8n';
import { httpRequest, httpRequestWithAuthentication } from '../../support/n8nHttp';
import { credentialsFor as credentialsOf, credentialTypes } from '../../support/credentials';
import type { HandClock } from '../../support/world';
import { nth, present } from '../../support/present';

type Done = { resolve: (run: IRun) => void; reject: (error: Error) => void };

/** One call of `emit` by a production trigger. */
export interface Execution {
	items: INodeExecutionData[];
	/** The deduplication key. */
	key: string | undefined;
	/** Ends the execution, which runs until then. */
	end(status?: 'success' | 'error'): void;
}

export interface TriggerOptions {
	parameters?: IDataObject;
	credentials?: Record<string, ICredentialDataDecryptedObject>;
	activation?: 'activate' | 'update' | 'init' | 'leadershipChange';
	workflowId?: string;
	nodeId?: string;
	workflowName?: string;
	/** If false, the test ends the executions. By default they end at once. */
	endAtOnce?: boolean;
	settings?: IDataObject;
	/** The workflow's; Europe/Paris by default. */
	timeZone?: string;
	/** The node's static data as an earlier process left them. */
	staticData?: IDataObject;
	/** Simulates an n8n release without saveFailedExecution. */
	withoutSaveFailedExecution?: boolean;
	/** The trigger's clock, advanced by the test; network traffic takes real time. By default the machine's clock. */
	clock?: HandClock;
}

/** Both credentials for the simulator. */
export const credentialsFor = (provider: Provider) => credentialsOf(provider, 'api');

interface Base {
	logs: Array<{ level: string; message: string }>;
	node: INode;
	functions: Omit<ITriggerFunctions, 'emit' | 'emitError' | 'saveFailedExecution'>;
}

function base(
	options: TriggerOptions,
	mode: 'manual' | 'trigger',
	onLog: () => void = () => {},
): Base {
	const node: INode = {
		id: options.nodeId ?? 'node-1',
		name: 'Voice Management Trigger',
		type: 'n8n-nodes-voice-management.voiceManagementTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: (options.parameters ?? {}) as INode['parameters'],
	};
	const logs: Base['logs'] = [];
	const log = (level: string) => (message: string) => {
		logs.push({ level, message });
		onLog();
	};
	const credential = (type: string) => {
		const data = options.credentials?.[type];
		if (!data)
			throw new NodeOperationError(node, `Node does not have any credentials set for "${type}"`);
		return data;
	};
	const functions = {
		logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
		getNode: () => node,
		getWorkflow: () => ({
			id: options.workflowId ?? 'workflow-1',
			name: options.workflowName ?? 'Test workflow',
			active: mode === 'trigger',
		}),
		getWorkflowSettings: () => options.settings ?? {},
		getTimezone: () => options.timeZone ?? 'Europe/Paris',
		getWorkflowStaticData: () => (options.staticData ??= {}),
		getMode: () => mode,
		getActivationMode: () => (mode === 'manual' ? 'manual' : (options.activation ?? 'activate')),
		getNodeParameter: (name: string, fallback?: unknown) => node.parameters[name] ?? fallback,
		getCredentials: async (type: string) => credential(type),
		helpers: {
			createDeferredPromise,
			httpRequest,
			httpRequestWithAuthentication: async (type: string, given: IHttpRequestOptions) =>
				await httpRequestWithAuthentication(
					node,
					present(credentialTypes[type]),
					credential(type),
					given,
				),
		},
	};
	return { logs, node, functions: functions as unknown as Base['functions'] };
}

/** The trigger of an active workflow. */
export class ActiveTrigger {
	readonly executions: Execution[] = [];
	readonly failedExecutions: Error[] = [];
	readonly emittedErrors: Error[] = [];
	readonly logs: Base['logs'];
	/** `trigger()`. */
	private hasReturned = false;
	private read: TriggerSettings | undefined;
	/** Whether n8n cannot start executions. */
	databaseAway = false;
	response: ITriggerResponse | undefined;
	private readonly functions: ITriggerFunctions;
	private readonly arrivals = new Arrivals();

	constructor(private readonly options: TriggerOptions) {
		const { logs, functions } = base(options, 'trigger', () => this.arrivals.changed());
		this.logs = logs;
		const own: Partial<ITriggerFunctions> = {
			emit: (data, _response, done, key?: string) => this.take(nth(data, 0), done, key),
			emitError: (error) => void this.emittedErrors.push(error),
			getNodeParameter: ((name: string, fallback?: unknown) => {
				if (this.hasReturned) throw new Error('No bridge acquired for this context');
				return functions.getNodeParameter(name, fallback);
			}) as ITriggerFunctions['getNodeParameter'],
		};
		if (!options.withoutSaveFailedExecution) {
			own.saveFailedExecution = (error) => {
				this.failedExecutions.push(error);
				this.arrivals.changed();
			};
		}
		this.functions = { ...functions, ...own } as ITriggerFunctions;
	}

	async start(): Promise<this> {
		const { clock } = this.options;
		this.response = clock
			? await startProduction(this.functions, async () => await this.prepare(), clock)
			: await new VoiceManagementTrigger().trigger.call(this.functions);
		this.hasReturned = true;
		return this;
	}

	/** Does what the class of the node does. */
	private async prepare(): Promise<Prepared> {
		const { functions } = this;
		const settings = (this.read ??= readSettings((name, fallback) =>
			functions.getNodeParameter(name, fallback),
		));
		const credential = await functions.getCredentials(CREDENTIAL_OF_FEED[settings.feed]);
		return { settings, feed: feedOptions(settings.feed, credential, httpOf(functions)) };
	}

	async close(): Promise<void> {
		await this.response?.closeFunction?.();
	}

	/** All emitted items, in order. */
	get items(): IDataObject[] {
		return this.executions.flatMap(({ items }) => items.map(({ json }) => json));
	}

	/** Waits until a condition is met, which is checked after every emit. */
	async until(condition: (trigger: this) => boolean): Promise<void> {
		await this.arrivals.until(
			() => condition(this),
			() =>
				`${condition.toString()}; ${this.items.length} items so far: ${JSON.stringify(this.items).slice(0, 500)}`,
		);
	}

	async untilItems(count: number): Promise<IDataObject[]> {
		await this.until(({ items }) => items.length >= count);
		return this.items;
	}

	/** Waits until a line of the log matches. */
	async untilLog(pattern: RegExp): Promise<void> {
		await this.until(({ logs }) => logs.some(({ message }) => pattern.test(message)));
	}

	private take(items: INodeExecutionData[], done: Done | undefined, key?: string): void {
		// n8n 2.41 uses both functions; engine 2.0 gets no promise.
		const { resolve, reject } = done ?? {};
		if (this.databaseAway) {
			reject?.(new Error('Connection terminated unexpectedly'));
			return;
		}
		const end = (status: 'success' | 'error' = 'success') =>
			resolve?.({ status, finished: status === 'success' } as IRun);
		this.executions.push({
			items,
			key,
			end,
		});
		if (this.options.endAtOnce !== false) void setImmediate().then(() => end());
		this.arrivals.changed();
	}
}

/**
 * Advances the clock second by second until the promise settles; returns the seconds that it took. Only for waits that
 * depend on time alone: for network traffic, hours would have passed.
 */
export async function turnedUntil(clock: HandClock, promise: Promise<unknown>): Promise<number> {
	const from = clock.now();
	let settled = false;
	const settling = promise.finally(() => (settled = true));
	settling.catch(() => undefined);
	while (!settled) {
		await clock.turn(1_000);
		await setImmediate();
	}
	await settling;
	return (clock.now() - from) / 1_000;
}

/** A test run of the editor. */
export interface TestRun {
	/** The items shown in the editor; rejects with the error shown there; never settles if the person stops it. */
	result: Promise<INodeExecutionData[][]>;
	/** Resolves when the trigger function and the close functions called so far have ended. */
	ended: Promise<unknown>;
	/** The person stops the test. */
	stop(): void;
	logs: Base['logs'];
	/** How often `emit` was called. */
	emits(): number;
}

/** Starts a test run; rejects if `trigger()` itself throws. */
export async function startTest(options: TriggerOptions): Promise<TestRun> {
	const { logs, functions } = base(options, 'manual');
	const tooEarly = () => {
		throw new Error('Overwrite TriggerContext.emit function');
	};
	const context = {
		...functions,
		emit: tooEarly,
		emitError: tooEarly,
		saveFailedExecution: tooEarly,
	} as unknown as { -readonly [name in keyof ITriggerFunctions]: ITriggerFunctions[name] };
	let emits = 0;
	const response = await new VoiceManagementTrigger().trigger.call(context);
	response.manualTriggerResponse = new Promise<INodeExecutionData[][]>((resolve, reject) => {
		context.emit = (data) => {
			emits++;
			resolve(data);
		};
		context.emitError = reject;
		context.saveFailedExecution = reject;
	});
	// Nobody waits for it if the trigger function fails.
	response.manualTriggerResponse.catch(() => {});
	const abort = new AbortController();
	let closing: Promise<void> | undefined;
	abort.signal.addEventListener('abort', (event) => {
		const close = response.closeFunction as unknown as (event: Event) => Promise<void>;
		closing = close(event);
	});
	const triggered = (async () => await response.manualTriggerFunction?.())();
	const run = async () => {
		await triggered;
		const data = await (response.manualTriggerResponse as Promise<INodeExecutionData[][]>);
		await response.closeFunction?.();
		return data;
	};
	const result = run();
	result.catch(() => {});
	const ended = triggered.then(async () => await closing);
	ended.catch(() => {});
	return { result, ended, stop: () => abort.abort(), logs, emits: () => emits };
}

/** Loads one of the lists of the node's parameters. */
export async function loadOptions(
	method: 'getAgents' | 'getEvents' | 'getGroups' | 'getTrunks',
	options: TriggerOptions,
) {
	const { functions, node } = base(options, 'manual');
	const context = {
		...functions,
		getCurrentNodeParameter: (name: string) => node.parameters[name],
	} as unknown as ILoadOptionsFunctions;
	return await new VoiceManagementTrigger().methods.loadOptions[method].call(context);
}
