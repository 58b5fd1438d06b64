// What the trigger needs of n8n's context, in one place: HTTP with the credential, and the log.

import type { IExecuteFunctions, ILoadOptionsFunctions, ITriggerFunctions } from 'n8n-workflow';
import type { Clock, FeedLogger } from '../feed/types';
import type { Http } from './account';

/** n8n's HTTP helpers as the login needs them. */
export function httpOf(context: ITriggerFunctions | ILoadOptionsFunctions): Http {
	return {
		credential: async (name) => await context.getCredentials(name),
		authenticated: async (credential, request): Promise<unknown> =>
			await context.helpers.httpRequestWithAuthentication.call(
				context as unknown as IExecuteFunctions,
				credential,
				request,
			),
		plain: async (request): Promise<unknown> => await context.helpers.httpRequest(request),
	};
}

/** Identifies workflow and node, also in another trigger of theirs. */
export function triggerKey(context: ITriggerFunctions): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** n8n's logger, with workflow and node in front of each line. */
export function loggerOf(context: ITriggerFunctions): FeedLogger {
	const { id, name } = context.getWorkflow();
	const node = context.getNode().name;
	// Whatever the provider sends, the log gets one line without characters that a terminal would run as a command.
	const line = (message: string) =>
		`Voice feed, workflow "${name ?? id ?? ''}", node "${node}": ${message}`.replace(
			/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu,
			' ',
		);
	const meta = { workflowId: id, nodeName: node };
	return {
		debug: (message) => context.logger.debug(line(message), meta),
		info: (message) => context.logger.info(line(message), meta),
		warn: (message) => context.logger.warn(line(message), meta),
		error: (message) => context.logger.error(line(message), meta),
	};
}

/** Does something after a time, unless the signal aborts before. */
export function afterUnlessAborted(
	clock: Clock,
	signal: AbortSignal,
	delayMs: number,
	action: () => void,
): void {
	if (signal.aborted) return;
	const cancel = clock.after(delayMs, () => {
		signal.removeEventListener('abort', cancel);
		action();
	});
	signal.addEventListener('abort', cancel, { once: true });
}

export function errorMessageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
