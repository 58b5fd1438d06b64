// What n8n gives a trigger, for tests that have no n8n.

import type { ITriggerFunctions } from 'n8n-workflow';

/** n8n-core's helper of this name. */
export function createDeferredPromise<T>() {
	const deferred = {} as {
		promise: Promise<T>;
		resolve(value: T): void;
		reject(error: Error): void;
	};
	deferred.promise = new Promise<T>((resolve, reject) => {
		deferred.resolve = resolve;
		deferred.reject = reject;
	});
	return deferred;
}

/** A logger that adds the text of each line to `lines`, whatever its level. */
export function loggerInto(lines: string[]) {
	const log = (line: string) => void lines.push(line);
	return { debug: log, info: log, warn: log, error: log };
}

/** The context of a trigger. `special` is what matters to the test; older releases have no getWorkflowSettings. */
export function triggerContext(lines: string[], activation: string, special: object) {
	return {
		logger: loggerInto(lines),
		getNode: () => ({ id: 'n', name: 'Trigger', parameters: {} }),
		getWorkflow: () => ({ id: 'w', name: 'Workflow' }),
		getActivationMode: () => activation,
		getWorkflowStaticData: () => ({}),
		helpers: { createDeferredPromise },
		emit: () => {},
		...special,
	} as unknown as ITriggerFunctions;
}
