// The least of n8n that the trigger runs in: parameters, a credential, plain HTTP, and an `emit` whose executions end
// when the bench says so.
import { nth } from '../../simulator/present';
import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';

/** The promise of an execution's end, as n8n's helper makes it. */
interface Deferred {
	promise: Promise<IRun>;
	resolve: (run: IRun) => void;
	reject: (error: Error) => void;
}

/** How an execution went. */
export interface Settle {
	ended(): void;
	/** n8n could not start it. */
	notStarted(): void;
}

function createDeferredPromise(): Deferred {
	const deferred = {} as Deferred;
	deferred.promise = new Promise((resolve, reject) => {
		deferred.resolve = resolve;
		deferred.reject = reject;
	});
	return deferred;
}

export interface TriggerContextOptions {
	/** Tells triggers apart. */
	id: string;
	url: string;
	parameters: Record<string, unknown>;
	/** Called with the items of each execution, and what settles its promise. */
	onItems: (items: INodeExecutionData[], done: Settle) => void;
	/** Each line of the trigger's log. */
	onLog: (message: string) => void;
}

interface Request {
	method?: string;
	url: string;
	abortSignal?: AbortSignal;
}

async function fetchJson({ method = 'GET', url, abortSignal }: Request) {
	const answer = await fetch(url, { method, signal: abortSignal });
	const text = await answer.text();
	const json = answer.headers.get('content-type')?.startsWith('application/json');
	return {
		statusCode: answer.status,
		headers: Object.fromEntries(answer.headers),
		body: json ? (JSON.parse(text) as unknown) : text,
	};
}

/** The result of an execution, as far as anybody looks at it. */
const RUN = { status: 'success' } as unknown as IRun;

export function triggerContext(options: TriggerContextOptions): ITriggerFunctions {
	const { id, url, parameters, onItems, onLog } = options;
	const node = { id, name: 'Trigger', type: 'voiceManagementTrigger', typeVersion: 1, parameters };
	const staticData = {};
	const context = {
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getNode: () => node,
		getWorkflow: () => ({ id, name: id, active: true }),
		getWorkflowSettings: () => ({}),
		getWorkflowStaticData: () => staticData,
		getTimezone: () => 'Europe/Paris',
		getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
		getCredentials: async () => ({ voiceUrl: url, login: 'bench', password: 'bench' }),
		logger: { debug: onLog, info: onLog, warn: onLog, error: onLog },
		helpers: {
			createDeferredPromise,
			httpRequest: fetchJson,
			httpRequestWithAuthentication: async (_credential: string, request: Request) =>
				await fetchJson(request),
		},
		emit(data: INodeExecutionData[][], _response: undefined, done: Deferred | undefined) {
			// As n8n 2.41 does, which reads both at once.
			const { resolve, reject } = done ?? {};
			onItems(nth(data, 0), {
				ended: () => resolve?.(RUN),
				notStarted: () => reject?.(new Error('connect ECONNREFUSED 127.0.0.1:5432')),
			});
		},
	};
	return context as unknown as ITriggerFunctions;
}
