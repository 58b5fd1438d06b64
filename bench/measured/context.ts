// The least of n8n that the trigger runs in: parameters, a credential, plain HTTP, and an `emit` that says at once how
// its execution went.
import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';

import { nth } from '../../simulator/present';

/** The promise of an execution's end. */
type Deferred = NonNullable<Parameters<ITriggerFunctions['emit']>[2]>;

/** n8n-core's helper of this name. */
function createDeferredPromise(): Deferred {
	const deferred = {} as Deferred;
	deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
	return deferred;
}

type Request = { method?: string; url: string; abortSignal?: AbortSignal };

async function httpRequest({ method, url, abortSignal }: Request) {
	const answer = await fetch(url, { method, signal: abortSignal });
	const headers = Object.fromEntries(answer.headers);
	return { statusCode: answer.status, headers, body: await answer.text() };
}

/**
 * @param id distinguishes triggers
 * @param url of the operator
 * @param execute called with the items of each execution; returns whether n8n could start it: then it has ended
 * @param onLog called with each line of the trigger's log
 */
export function triggerContext(
	id: string,
	url: string,
	parameters: Record<string, unknown>,
	execute: (items: INodeExecutionData[]) => boolean,
	onLog: (line: string) => void,
): ITriggerFunctions {
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
			httpRequest,
			httpRequestWithAuthentication: async (_credential: string, request: Request) =>
				await httpRequest(request),
		},
		emit(data: INodeExecutionData[][], _response: undefined, done?: Deferred) {
			// As n8n 2.41 does, which reads both at once.
			const { resolve, reject } = done ?? {};
			if (execute(nth(data, 0))) resolve?.({ status: 'success' } as IRun);
			else reject?.(new Error('connect ECONNREFUSED 127.0.0.1:5432'));
		},
	};
	return context as unknown as ITriggerFunctions;
}
